"""Nobody waits for ever for who always comes back just in time; and no honest claim is taken for a false one.

R22, C6. WIRE.md, section 14.
"""

from itertools import count

import pytest
from support.evasive import Evasion, every_answer, nothing
from support.slow_evening import SlowEvening

from spitnet.core.cards import SEATS
from spitnet.protocol.entries import Waited
from spitnet.protocol.notices import Claimable
from spitnet.protocol.session import Session
from spitnet.protocol.time_bank import ANSWER_S, GRACES, GRACES_A_GAME, TURN_SHARE, TimeBank, Waits

GRACE_S = 60
BANK_S = (GRACES + GRACES_A_GAME) * GRACE_S
"""Of the first game."""
SHARE = 0.86
"""Of the grace period: always back in time."""


def waits_until_claimable(evasion: Evasion, most_s: float) -> list[float]:
    """How long the honest side waited each time, until it might claim the match."""
    waits: list[float] = []
    beat, begun_s = 0, 0.0
    for now_s in evasion.steps(most_s):
        if evasion.honest.beat != beat:
            waits.append(now_s - begun_s)
            beat, begun_s = evasion.honest.beat, now_s
        if any(isinstance(notice, Claimable) for notice in evasion.notices):
            return [*waits, now_s - begun_s]
    raise AssertionError(f"never claimable: {waits}")


@pytest.mark.parametrize("seat", SEATS)
def test_answers_that_come_just_in_time_come_to_an_end(seat: int) -> None:
    """What it made the other wait, beyond what is normal, is no more than the bank; then the match may be claimed."""
    evasion = Evasion(seat, GRACE_S, every_answer(SHARE))
    waits = waits_until_claimable(evasion, 2000.0)
    assert BANK_S < sum(waits) < 2 * BANK_S
    assert evasion.honest.grace_left_s(evasion.now_s) == 0
    evasion.honest.claim()
    assert evasion.honest.ended is not None
    assert (evasion.honest.ended.how, evasion.honest.ended.by) == ("abandoned", seat)


@pytest.mark.parametrize("seat", SEATS)
def test_turns_that_come_just_in_time_come_to_an_end(seat: int) -> None:
    """A player who is there, and for whom the other waits again and again."""
    evasion = Evasion(seat, GRACE_S, nothing, acts_after_s=SHARE * GRACE_S)
    waits = waits_until_claimable(evasion, 3000.0)
    normal_s = GRACE_S / TURN_SHARE
    assert sum(max(0.0, each - normal_s) for each in waits) <= BANK_S + 10
    assert evasion.honest.ended is None


@pytest.mark.parametrize("seat", SEATS)
def test_each_wait_is_written_down_once_it_is_over(seat: int) -> None:
    """Whose time, and how much of it; a side that starts again knows what was spent before."""
    evasion = Evasion(seat, GRACE_S, every_answer(SHARE))
    waits_until_claimable(evasion, 2000.0)
    spent = [record for record in evasion.records if isinstance(record, Waited)]
    assert {record.seat for record in spent} == {seat}
    assert len(spent) >= 3
    evasion.honest.claim()
    took = sum(record.spent_us for record in spent) / 1e6
    assert took == pytest.approx(BANK_S, abs=GRACE_S)


def test_who_waits_for_longer_than_the_grace_period_does_so_for_nothing() -> None:
    """One long break, forgiven, is one wait: it doesn't cost the whole bank."""
    bank = TimeBank(GRACE_S, 0.0)
    for now_s in range(1, 3600):
        bank.count(Waits(answer_s=0.0), 1, float(now_s))
    assert bank.spent_s == pytest.approx(GRACE_S - ANSWER_S)


def test_two_waits_at_a_time_cost_once() -> None:
    """The link breaks while it is the other's turn."""
    bank = TimeBank(GRACE_S, 0.0)
    for now_s in range(1, 41):
        waits = Waits(answer_s=20.0 if now_s > 20 else None, turn_s=0.0)
        bank.count(waits, 1, float(now_s))
    assert bank.spent_s == pytest.approx(40.0 - GRACE_S / TURN_SHARE)


@pytest.mark.parametrize("games", [0, 1, 5])
def test_a_wait_lasts_as_long_as_the_bank_but_no_longer_than_the_grace_period(games: int) -> None:
    whole_s = (GRACES + GRACES_A_GAME * games) * GRACE_S
    for spent_s in (0.0, whole_s - 200.0, whole_s - 20.0, whole_s):
        bank = TimeBank(GRACE_S, 100.0)
        bank.spent_s = spent_s
        left_s = whole_s - spent_s
        at_s = bank.claim_at_s(Waits(answer_s=100.0), games)
        assert at_s == 100.0 + min(GRACE_S, ANSWER_S + left_s)
        assert bank.is_short(games) == (at_s < 100.0 + GRACE_S)


# Who is honest.

BAD_WIFI = ("forth", "back", "both", "break")
ABSENCES = ("sleep 0", "sleep 1", "restart 0", "restart 1")


def overdrawn(session: Session, now_s: float) -> bool:
    """Whether it holds for possible that it has let the other wait too long in all."""
    return session.accounts.mine.is_spent(session.alibi.waits(False), session.games, now_s)


def may_be_claimed(session: Session, now_s: float, beat: int | None = None) -> bool:
    """Whether it holds a claim for possible, of a peer that is at `beat`."""
    return session.admits(beat is not None and beat < session.beat, now_s)


@pytest.mark.parametrize("seed", range(3))
def test_bad_wifi_harms_nobody(seed: int) -> None:
    """Breaks of up to ten seconds, two a minute all evening long: nobody may ever claim."""
    evening = SlowEvening(seed, GRACE_S, troubles=BAD_WIFI, lasts_s=10.0, every_s=30.0)
    for now_s in evening.steps(1200.0):
        for side in evening.sides:
            assert side.session.grace_left_s(now_s) != 0
            assert not may_be_claimed(side.session, now_s)


@pytest.mark.parametrize("seed", range(3))
def test_who_answers_the_door_is_not_harmed(seed: int) -> None:
    """Four times in a match, for most of the grace period, though the other can do nothing meanwhile."""
    evening = SlowEvening(seed, GRACE_S, troubles=("away",), lasts_s=1.0, every_s=1e9)
    for now_s in evening.steps(900.0):
        if round(now_s, 1) % 200.0 == 50.0:
            evening.sides[seed % 2].away_until_s = now_s + 50.0
        for side in evening.sides:
            assert side.session.grace_left_s(now_s) != 0
            assert not may_be_claimed(side.session, now_s)


@pytest.mark.parametrize("troubles", [BAD_WIFI, ABSENCES], ids=["links", "absences"])
def test_a_claim_at_any_time_is_known_to_be_false(troubles: tuple[str, ...]) -> None:
    """A broken link uses up nobody's time; nor does a program that was away, or a player, as long as that is not too much."""
    evening = SlowEvening(7, GRACE_S, troubles=troubles, lasts_s=50.0, every_s=120.0)
    for now_s in evening.steps(1200.0):
        for side in evening.sides:
            if troubles is BAD_WIFI or now_s < 2 * GRACE_S:
                assert not overdrawn(side.session, now_s)


def may_claim_by_the_bank(session: Session, grace_s: int, now_s: float) -> bool:
    """Whether it is the sum of all waits that lets this side claim, and not the length of this one."""
    since_s = min((at_s for at_s in session.waits() if at_s is not None), default=now_s)
    return session.grace_left_s(now_s) == 0 and now_s < since_s + grace_s


def honest_claims(troubles: tuple[str, ...], lasts_s: float, grace_s: int, seed: int) -> int:
    """Plays an evening; how often a side that might claim by the bank was held for one that may."""
    evening = SlowEvening(seed, grace_s, troubles=troubles, lasts_s=lasts_s, every_s=0.35 * grace_s)
    claims = count()
    for now_s in evening.steps(1200.0):
        for seat in SEATS:
            mine, theirs = evening.sides[seat].session, evening.sides[1 - seat].session
            both_run = evening.runs(seat) and evening.runs(1 - seat) and not theirs.over
            if both_run and may_claim_by_the_bank(mine, grace_s, now_s):
                next(claims)
                assert may_be_claimed(theirs, now_s, mine.beat), (lasts_s, seed, seat, now_s)
    return next(claims)


@pytest.mark.long
@pytest.mark.parametrize(("lasts_s", "grace_s"), [(40.0, 60), (58.0, 60), (15.0, 20)])
def test_an_honest_claim_is_known_as_one(lasts_s: float, grace_s: int) -> None:
    """Whenever one side may claim by the bank, the other, as soon as it runs, holds that for possible."""
    assert sum(honest_claims(ABSENCES, lasts_s, grace_s, seed) for seed in range(2)) > 0


@pytest.mark.full
@pytest.mark.parametrize("troubles", [*((one,) for one in ABSENCES), ABSENCES], ids=" ".join)
@pytest.mark.parametrize(("lasts_s", "grace_s"), [(30.0, 60), (58.0, 60), (90.0, 60), (15.0, 20)])
def test_every_honest_claim_is_known_as_one(
    troubles: tuple[str, ...], lasts_s: float, grace_s: int
) -> None:
    """The same for each absence by itself, eight evenings long."""
    for seed in range(100, 108):
        honest_claims(troubles, lasts_s, grace_s, seed)
