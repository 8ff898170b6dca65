"""Crashes at every boundary between two effects of a match: it is finished all the same, and both records tell it.

C6, C9; WIRE.md, section 11. A process is killed or the power is cut, on either side or both; what starts again has
only the bytes that are left of its journal.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from msgspec import structs
from support.crashes import Boundary, Crashing, story
from support.simulator import Crash, World

from spitnet.core.state import RefillMode
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol.entries import Answered
from spitnet.protocol.lockstep import Effect, Lockstep, Write

TORN_BYTES = 11
"""So much is left of the first record that is lost: not even its length and its check."""

KINDS = {
    "conceded": World(0, concede=0.05, impatience=0.2),
    "quick_hands": World(0, concede=0.1, games=2, impatience=0.4, thinking_s=(0.0005, 0.0005)),
    "manual": World(0, concede=0.05, refill=RefillMode.MANUAL, impatience=0.2),
}
"""Short matches: some 20 records and 40 effects a side."""
SHORT = {"conceded": 2, "quick_hands": 3, "manual": 3}
SEEDS = range(1, 9)


WAITED_S = 5.0
"""Without syncs some side may wait for ever, in simulated time; a match takes a tenth of this."""


def world(kind: str, seed: int, *, syncs: bool = True) -> World:
    chosen = replace(KINDS[kind], seed=seed)
    return chosen if syncs else replace(chosen, syncs=False, limit_s=WAITED_S)


def boundaries(of: World, seat: int) -> list[Boundary]:
    """Every moment between two effects of a seat, where nothing goes wrong."""
    match = Crashing(of)
    match.run()
    return match.boundaries[seat]


def every_crash(of: World) -> Iterator[Crash]:
    """Of either side, after each of its effects, with as much of its journal lost as the syncs allow."""
    for seat in (0, 1):
        for moment in boundaries(of, seat):
            for lost in range(moment.records - moment.synced + 1):
                yield Crash(seat, moment.effects, lost)


def finish(of: World, *crashes: Crash, torn: int = TORN_BYTES) -> Crashing:
    match = Crashing(of, crashes, torn)
    match.run()
    assert match.crashes > 0
    return match


def assert_whole(match: Crashing) -> None:
    """It was played to its end; nobody saw anything else than what both records tell."""
    assert [how_ended(match, seat) for seat in (0, 1)] == [("over", None)] * 2
    assert [standing(match, seat) for seat in (0, 1)] == [RecordStatus.HOLDS] * 2
    assert story(match.record(0)) == story(match.record(1))
    assert match.oracle.judge() == []


def assert_whole_or_lost(match: Crashing, seat: int) -> None:
    """The match is decided for both, with one story; or this seat's records are lost, with one story up to there.

    Then both sides say so, but for one for which the match was decided; and if that one had left by then, this seat
    waits, and may claim. Openings and causality aren't judged: without syncs a power cut may take what was sent and
    never read.
    """
    assert [line for line in match.oracle.violations if line.startswith("C1")] == []
    for side in (0, 1):
        ended = how_ended(match, side)
        assert standing(match, side) is WORTH[ended and ended[0]]
    told, told_there = story(match.record(seat)), story(match.record(1 - seat))
    decided, decided_there = (match.sessions[side].match.over for side in (seat, 1 - seat))
    if decided:
        assert told == told_there
        return
    assert told == told_there[: len(told)]
    assert decided_there or how_ended(match, 1 - seat) == ("lost_records", seat)
    gone = how_ended(match, 1 - seat) == ("over", None)
    assert how_ended(match, seat) == ("lost_records", None) or (
        gone and how_ended(match, seat) is None
    )


WORTH = {
    None: RecordStatus.UNFINISHED,
    "over": RecordStatus.HOLDS,
    "lost_records": RecordStatus.LOST,
}


def standing(match: Crashing, seat: int) -> RecordStatus:
    return verify(match.record(seat)).standing


def how_ended(match: Crashing, seat: int) -> tuple[str, int | None] | None:
    ended = match.sessions[seat].ended
    return None if ended is None else (ended.how, ended.by)


def sampled(crashes: Iterator[Crash], every: int) -> list[Crash]:
    return list(crashes)[every // 2 :: every]


@pytest.mark.parametrize("kind", KINDS)
def test_a_crash_between_two_effects_loses_nothing(kind: str) -> None:
    """Killed, or the power cut as the syncs allow: some moments of a match."""
    played = world(kind, SHORT[kind])
    for crash in sampled(every_crash(played), 5):
        assert_whole(finish(played, crash))


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_no_crash_between_two_effects_loses_anything(kind: str) -> None:
    """The same at every moment of several matches."""
    crashes = sum(crash_everywhere(world(kind, seed)) for seed in SEEDS)
    print(f"{kind}: {crashes} crashes")


def crash_everywhere(played: World) -> int:
    """How many crashes it withstood."""
    crashes = list(every_crash(played))
    for crash in crashes:
        assert_whole(finish(played, crash))
    return len(crashes)


@pytest.mark.parametrize("kind", KINDS)
def test_crashes_of_both_sides_lose_nothing(kind: str) -> None:
    """One of each side, at moments drawn by a seed: also at one time, or one while the other is away."""
    both_at_once(kind, SHORT[kind], 30)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_many_crashes_of_both_sides_lose_nothing(kind: str) -> None:
    """The same, at more moments of several matches."""
    for seed in SEEDS:
        both_at_once(kind, seed, 500)


def both_at_once(kind: str, seed: int, how_many: int) -> None:
    played = world(kind, seed)
    crashes = list(every_crash(played))
    random = Random(seed)
    for _ in range(how_many):
        pair = [
            random.choice([crash for crash in crashes if crash.seat == seat]) for seat in (0, 1)
        ]
        assert_whole(finish(played, *pair))


@pytest.mark.parametrize("kind", KINDS)
def test_a_power_cut_without_syncs_is_no_fault(kind: str) -> None:
    """`--sync process`: some moments, with any number of records lost."""
    played = world(kind, SHORT[kind], syncs=False)
    for crash in sampled(every_crash(played), 60):
        assert_whole_or_lost(finish(played, crash), crash.seat)


@pytest.mark.full
@pytest.mark.parametrize("kind", KINDS)
def test_no_power_cut_without_syncs_is_a_fault(kind: str) -> None:
    """`--sync process`: every moment, with every number of records lost; both endings come about."""
    played = world(kind, SHORT[kind], syncs=False)
    lost = crashes = 0
    for crash in every_crash(played):
        match = finish(played, crash)
        assert_whole_or_lost(match, crash.seat)
        crashes += 1
        lost += how_ended(match, crash.seat) == ("lost_records", None)
    print(f"{kind}: {crashes} power cuts, {lost} of which lost what the opponent held answers to")
    assert 0 < lost < crashes


@pytest.mark.parametrize("seat", [0, 1])
def test_a_journal_may_be_cut_at_any_byte(seat: int) -> None:
    """`--sync process`: some bytes of the journal as it is in the middle of a match."""
    cut_at_bytes(seat, 61)


@pytest.mark.full
@pytest.mark.parametrize("seat", [0, 1])
def test_a_journal_may_be_cut_at_every_byte(seat: int) -> None:
    """`--sync process`: every byte; what is torn counts for nothing."""
    cut_at_bytes(seat, 1)


def cut_at_bytes(seat: int, every: int) -> None:
    """The power is cut two thirds into a match, and the journal ends at each of its bytes."""
    played = world("conceded", SHORT["conceded"], syncs=False)
    moments = boundaries(played, seat)
    moment = moments[2 * len(moments) // 3]
    lengths = lengths_of(played, seat, moment)
    for cut in range(lengths[0], lengths[-1] + 1, every):
        kept = sum(length <= cut for length in lengths) - 1
        crash = Crash(seat, moment.effects, moment.records - kept)
        assert_whole_or_lost(finish(played, crash, torn=cut - lengths[kept]), seat)


def lengths_of(of: World, seat: int, moment: Boundary) -> list[int]:
    """The bytes of a journal with each number of records, from none to those of that moment."""
    match = Crashing(of)
    match.run()
    return [
        len(match.bytes_of(seat, match.journals[seat][:records]))
        for records in range(moment.records + 1)
    ]


def test_a_record_that_is_not_synced_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests can fail: what `answered` is synced for."""
    real = Lockstep.emit

    def emit(self: Lockstep, *effects: Effect) -> None:
        first, *rest = effects
        if isinstance(first, Write) and isinstance(first.record, Answered):
            first = structs.replace(first, durable=False)
        real(self, first, *rest)

    monkeypatch.setattr(Lockstep, "emit", emit)
    with pytest.raises(AssertionError):
        crash_everywhere(world("conceded", SHORT["conceded"]))
