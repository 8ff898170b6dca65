"""Forged records: with every check right, and still found out, at the beat where they lie."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs
from support.matches import journal_of, recorded

from spitnet.core.moves import Deal, Spit
from spitnet.journal.file_format import Entry, Opened
from spitnet.journal.json_story import told
from spitnet.journal.replay import Flaw, replayed
from spitnet.journal.store import Read
from spitnet.journal.verify import RecordStatus, Verdict, verify
from spitnet.protocol.binding import Opening
from spitnet.protocol.entries import Answered, Done, Ended, Ending, Proposed, Record, Stop
from spitnet.protocol.move_codec import PASS, encode_move

SEAT = 0
Forge = Callable[[list[Record], int], None]


def forged(kind: type, forge: Forge, which: int = 3) -> Verdict:
    """The verdict on a good record in which the `which`-th entry of a kind was tampered with."""
    opened, *records = Read(recorded(games=3)[SEAT]).entries
    assert isinstance(opened, Opened)
    changed: list[Record] = [entry for entry in records if not isinstance(entry, Opened)]
    index = [i for i, entry in enumerate(changed) if isinstance(entry, kind)][which]
    forge(changed, index)
    found = Read(journal_of(opened.origin, SEAT, changed))
    return verify(found)


def replace_field(**fields: Any) -> Forge:
    def forge(records: list[Record], index: int) -> None:
        records[index] = structs.replace(records[index], **fields)

    return forge


def other_nonce(side: int) -> Forge:
    def forge(records: list[Record], index: int) -> None:
        done = records[index]
        assert isinstance(done, Done)
        openings = list(done.openings)
        openings[side] = structs.replace(openings[side], nonce=b"\7" * 32)
        records[index] = Done(done.beat, (openings[0], openings[1]))

    return forge


def drop(records: list[Record], index: int) -> None:
    del records[index]


def double(records: list[Record], index: int) -> None:
    records.insert(index, records[index])


def move_to(move: object) -> Forge:
    def forge(records: list[Record], index: int) -> None:
        proposed = records[index]
        assert isinstance(proposed, Proposed)
        bytes_ = encode_move(move)  # type: ignore[arg-type]
        records[index] = structs.replace(proposed, mine=Opening(bytes_, proposed.mine.nonce))

    return forge


@pytest.mark.parametrize(
    ("kind", "forge", "flaw"),
    [
        (Proposed, replace_field(beat=1), Flaw.WRONG_BEAT),
        (Proposed, replace_field(beat=10**6), Flaw.WRONG_BEAT),
        (Proposed, move_to(Deal()), Flaw.ILLEGAL_MOVE),
        (Proposed, move_to(Spit()), Flaw.ILLEGAL_MOVE),
        (Proposed, move_to(None), Flaw.ILLEGAL_MOVE),
        (Proposed, double, Flaw.OUT_OF_ORDER),
        (Answered, replace_field(theirs=b"\1" * 32), Flaw.WRONG_OPENING),
        (Answered, replace_field(mine=Opening(PASS, b"\1" * 32)), None),
        (Answered, double, Flaw.OUT_OF_ORDER),
        (Done, other_nonce(0), Flaw.CHANGED_OPENING),
        (Done, double, Flaw.WRONG_BEAT),
        (Done, drop, None),
        (Ended, replace_field(how=Ending.ABANDONED, by=1), Flaw.WRONG_END),
        (Ended, replace_field(how="whatever"), None),
        (Ended, replace_field(by=1), Flaw.WRONG_END),
        (Ended, replace_field(word="desync"), Flaw.WRONG_END),
        (Ended, double, Flaw.AFTER_THE_END),
    ],
)
def test_a_forged_entry_is_found(kind: type, forge: Forge, flaw: Flaw | None) -> None:
    """`flaw` None: which flaw depends on what the entry was."""
    verdict = forged(kind, forge, which=0 if kind is Ended else 3)
    assert verdict.standing is RecordStatus.BROKEN
    assert flaw is None or verdict.why == flaw.value


def test_a_changed_nonce_of_the_peer_is_found_where_it_was_committed() -> None:
    """Wherever the peer had committed; a pass of theirs is bound by the chain alone, and shows a beat later."""
    opened, *records = Read(recorded(games=3)[SEAT]).entries
    assert isinstance(opened, Opened)
    answered = {entry.beat for entry in records if isinstance(entry, Answered)}
    index = next(i for i, e in enumerate(records) if isinstance(e, Done) and e.beat in answered)
    changed = [entry for entry in records if not isinstance(entry, Opened)]
    other_nonce(1)(changed, index)
    found = Read(journal_of(opened.origin, SEAT, changed))
    verdict = verify(found)
    assert (verdict.standing, verdict.why) == (RecordStatus.BROKEN, Flaw.WRONG_OPENING.value)


def test_every_tampered_pass_changes_what_follows() -> None:
    """A pass's nonce decides cards and coins, so a record with another one contradicts itself soon."""
    opened, *records = Read(recorded(games=3)[SEAT]).entries
    assert isinstance(opened, Opened)
    answered = {entry.beat for entry in records if isinstance(entry, Answered)}
    passes = [i for i, e in enumerate(records) if isinstance(e, Done) and e.beat not in answered]
    for index in passes[:20]:
        changed = [entry for entry in records if not isinstance(entry, Opened)]
        other_nonce(1)(changed, index)
        found = Read(journal_of(opened.origin, SEAT, changed))
        assert verify(found).standing is RecordStatus.BROKEN


def test_no_secret_of_use_is_in_a_finished_record() -> None:
    """Every nonce in it was opened: there is nothing that the peer doesn't hold too."""
    ours, theirs = (Read(data).entries for data in recorded(games=3))
    assert nonces(ours) == nonces(theirs)


def nonces(found: list[Entry]) -> set[bytes]:
    kept: set[bytes] = set()
    for entry in found:
        match entry:
            case Proposed(_, mine) | Answered(_, _, mine):
                kept.add(mine.nonce)
            case Done(_, openings):
                kept |= {opening.nonce for opening in openings}
            case _:
                pass
    return kept


def test_both_records_tell_the_same_story() -> None:
    """Every line that is printed alike, field for field."""
    stories = [
        [line for beat in replayed(Read(data).entries) for line in told(beat)]
        for data in recorded(games=3)
    ]
    assert stories[0] == stories[1]
    kinds = {line["event"] for line in stories[0]}
    assert kinds >= {"deal", "spit", "play", "refill", "stuck", "game_over"}


@pytest.mark.parametrize(
    ("how", "by", "word", "holds"),
    [
        ("abandoned", 1 - SEAT, "", True),
        ("abandoned", SEAT, "", False),
        ("claimed", None, "", False),
        ("left", 1 - SEAT, "", True),
        ("left", 1 - SEAT, "claim", True),
        ("left", 1 - SEAT, "desync", False),
        ("left", SEAT, "claim", False),
        ("left", None, "", False),
        ("claimed", 1 - SEAT, "claim", False),
        ("violation", 1 - SEAT, "desync", True),
        ("violation", SEAT, "desync", False),
        ("accused", 1 - SEAT, "desync", True),
        ("lost_records", None, "", True),
        ("lost_records", 1 - SEAT, "", True),
        ("lost_records", SEAT, "", False),
        ("lost_records", None, "desync", False),
    ],
)
def test_an_end_says_whose_doing_it_was(how: str, by: int | None, word: str, holds: bool) -> None:
    opened, *records = Read(recorded()[SEAT]).entries
    assert isinstance(opened, Opened)
    at = next(at for at, entry in enumerate(records) if isinstance(entry, Done))
    kept = [entry for entry in records[: at + 1] if not isinstance(entry, Opened)]
    verdict = verify(
        Read(journal_of(opened.origin, SEAT, [*kept, Ended(1, Ending(how), by, word)]))
    )
    assert (verdict.standing is not RecordStatus.BROKEN) is holds


@pytest.mark.parametrize("behind", [0, 1])
def test_a_stop_stands_behind_the_beat_in_which_it_began_or_before_the_next(behind: int) -> None:
    """It ended with that beat, or while it was still open; anywhere else it is out of place."""
    opened, *records = Read(recorded(games=3)[SEAT]).entries
    assert isinstance(opened, Opened)
    kept: list[Entry] = [opened, *records]
    at = [index for index, entry in enumerate(kept) if isinstance(entry, Done)][5] + 1
    done = kept[at - 1]
    assert isinstance(done, Done)
    stop = Stop(done.beat + behind, None, 1200)
    verdict = verify([*kept[:at], stop, *kept[at:]])
    assert (verdict.standing, verdict.stops) == (RecordStatus.HOLDS, (stop,))
    for beat in (done.beat - 1, done.beat + 2):
        wrong = [*kept[:at], structs.replace(stop, beat=beat), *kept[at:]]
        assert verify(wrong).why == Flaw.WRONG_BEAT
