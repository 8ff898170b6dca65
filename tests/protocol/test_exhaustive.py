"""Claims C1–C3 and C5–C9 in every state of a bounded search, on the game's own session code; and that it finds faults.

The numbers of states are golden: a change of what peers write, send or wait for changes them. Then look at the search
again, and put in what it has found. They count states with different pasts, as far as the claims need these,
and with different mishaps to come.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from support.explorer import Explorer, Found, Scenario
from support.mishaps import Mishap
from support.two_peers import Game, usual_wish
from support.witness import Violated

from spitnet.core import beat as beat_module
from spitnet.core.moves import Concede, Move
from spitnet.core.state import Match
from spitnet.protocol import session as session_module
from spitnet.protocol.binding import Opening
from spitnet.protocol.entries import Proposed, Record
from spitnet.protocol.faults import Fault, MessageLost, RemoteFault
from spitnet.protocol.lockstep import Effect, Lockstep, OpenBeat, Stage, Write
from spitnet.protocol.messages import Commit, Resume, Reveal
from spitnet.protocol.resume import adopt_open_beat, check_open_beat, state_of
from spitnet.protocol.session import Session
from spitnet.protocol.timeouts import Timeouts

LOSS, KILL, CUT, REPEAT, TIMER, PAUSE = Mishap
ONE_OF_EACH = dict.fromkeys(Mishap, 1)
MOST_KINDS = dict.fromkeys((LOSS, CUT, REPEAT, TIMER), 1)
"""A power cut that takes nothing is a kill."""
ANY = dict.fromkeys(Mishap, 9)


def giving_up(match: Match, seat: int) -> Move | None:
    """Seat 0 concedes as soon as cards lie on the piles, which decides the match."""
    game = match.game
    if seat == 0 and game is not None and game.outcome is None and any(game.piles):
        return Concede()
    return usual_wish(match, seat)


LAST_BEATS = Game(wish=giving_up)
UNSYNCED = Game(syncs=False)
"""`--sync process`: a power cut may take any of the last beats' records."""


def search(name: str, scenario: Scenario) -> Found:
    found = Explorer(scenario).run()
    print(f"{name}: {found}")
    return found


def both(one: Mishap, two: Mishap) -> Scenario:
    """These two mishaps, over three beats."""
    return Scenario({one: 1, two: 1} if one is not two else {one: 2})


QUICK = {
    "nothing goes wrong": (Scenario({}, most=0), 332),
    "any one mishap in two beats": (Scenario(MOST_KINDS, most=1, beats=2), 18_215),
    "any one mishap as the match ends": (
        Scenario(ONE_OF_EACH, most=1, beats=1, game=LAST_BEATS),
        6_189,
    ),
    "a power cut without syncs": (Scenario({CUT: 1}, most=1, beats=1, game=UNSYNCED), 3_286),
}

FULL: dict[str, tuple[Scenario, int]] = {
    "any one mishap": (Scenario(ONE_OF_EACH, most=1), 113_644),
    "any one mishap from the start": (Scenario(ONE_OF_EACH, most=1, before=()), 88_006),
    "any two mishaps in one beat": (Scenario(ANY, beats=1), 448_610),
    "any two mishaps as the match ends": (Scenario(ANY, beats=1, game=LAST_BEATS), 521_746),
    "three losses in one beat": (Scenario({LOSS: 3}, most=3, beats=1), 661_577),
    "three power cuts in one beat": (Scenario({CUT: 3}, most=3, beats=1), 552_291),
    "two losses": (both(LOSS, LOSS), 672_009),
    "a loss and a power cut": (both(LOSS, CUT), 1_682_631),
    "a loss and a repeat": (both(LOSS, REPEAT), 286_416),
    "a loss and an early timer": (both(LOSS, TIMER), 470_472),
    "a loss and a pause": (both(LOSS, PAUSE), 863_289),
    "two power cuts": (both(CUT, CUT), 1_047_325),
    "a kill and a power cut": (both(KILL, CUT), 1_501_906),
    "a power cut and a repeat": (both(CUT, REPEAT), 345_890),
    "a power cut and an early timer": (both(CUT, TIMER), 486_911),
    "a power cut and a pause": (both(CUT, PAUSE), 1_040_475),
    "repeats and early timers": (Scenario({REPEAT: 2, TIMER: 2}), 97_426),
    "a power cut without syncs in three beats": (
        Scenario({CUT: 1}, most=1, game=UNSYNCED),
        163_048,
    ),
    "a power cut without syncs from the start": (
        Scenario({CUT: 1}, most=1, before=(), game=UNSYNCED),
        115_118,
    ),
    "a loss and a power cut without syncs": (
        Scenario({LOSS: 1, CUT: 1}, beats=2, game=UNSYNCED),
        1_340_714,
    ),
    "two power cuts without syncs": (Scenario({CUT: 2}, beats=2, game=UNSYNCED), 1_937_559),
}
"""A power cut that takes nothing is a kill, so two mishaps of which one is a kill are among these too."""


@pytest.mark.parametrize("name", QUICK)
def test_claims_hold_in_every_state(name: str) -> None:
    """C1–C3, C5–C9, no deadlock, nobody accused: small bounds."""
    scenario, states = QUICK[name]
    assert search(name, scenario).states == states


@pytest.mark.full
@pytest.mark.parametrize("name", FULL)
def test_claims_hold_in_every_state_of_long_searches(name: str) -> None:
    """C1–C3, C5–C9, no deadlock, nobody accused: two mishaps in three beats, and more in fewer."""
    scenario, states = FULL[name]
    assert search(name, scenario).states == states


def test_the_search_meets_contests_and_lost_records() -> None:
    """C8: what would prove nothing if it never came about."""
    assert search("contests", Scenario({}, most=0)).contests > 0
    assert search("lost", Scenario({CUT: 1}, most=1, beats=1, game=UNSYNCED)).lost_records > 0


# The search must be able to fail: faults put into the protocol, each with the claim that it breaks.

Patch = pytest.MonkeyPatch


def changed_effects(patch: Patch, change: Callable[[Effect], Effect]) -> None:
    real = Lockstep.emit
    patch.setattr(Lockstep, "emit", lambda self, *effects: real(self, *map(change, effects)))


def not_synced(record: str) -> Callable[[Patch], None]:
    """A record that a frame depends on isn't on the disk before the frame leaves."""

    def change(effect: Effect) -> Effect:
        if isinstance(effect, Write) and type(effect.record).__name__ == record:
            return structs.replace(effect, durable=False)
        return effect

    return lambda patch: changed_effects(patch, change)


def sent_before_written(patch: Patch) -> None:
    """COMMIT leaves before `proposed` is written."""
    real = Lockstep.emit

    def emit(self: Lockstep, *effects: Effect) -> None:
        first = effects[0]
        swaps = isinstance(first, Write) and isinstance(first.record, Proposed)
        real(self, *(effects[::-1] if swaps else effects))

    patch.setattr(Lockstep, "emit", emit)


def drawn_again(patch: Patch) -> None:
    """A restart makes a new nonce for the proposal that it finds in the journal."""
    real = Lockstep.restore

    def restore(self: Lockstep, record: Record) -> None:
        real(self, record)
        if isinstance(record, Proposed):
            mine = structs.replace(record.mine, nonce=bytes(range(32)))
            self.open = OpenBeat(Stage.PROPOSED, None, mine, self._bind(self.seat, mine))

    patch.setattr(Lockstep, "restore", restore)


def forgotten(patch: Patch) -> None:
    """A restart doesn't take up its proposal."""
    real = Lockstep.restore
    patch.setattr(
        Lockstep,
        "restore",
        lambda self, record: None if isinstance(record, Proposed) else real(self, record),
    )


def offered_late(patch: Patch) -> None:
    """A key that waits is offered after the next frame, not before it."""
    real = Session._settle

    def settle(self: Session, now_s: float) -> None:
        kept = self.waiting if self.lockstep.completed else None
        if kept is not None:
            self.waiting = None
        real(self, now_s)
        self.waiting = self.waiting if kept is None else kept

    patch.setattr(Session, "_settle", settle)


def offered_after_the_commit(patch: Patch) -> None:
    """What waits at the thaw is offered only once the peer's COMMIT in the RESUME has been answered."""
    real = Session._adopt

    def adopt(self: Session, message: Resume, now_s: float) -> None:
        kept, self.waiting = self.waiting, None
        real(self, message, now_s)
        self.waiting = kept

    patch.setattr(Session, "_adopt", adopt)


def offered_unchecked(patch: Patch) -> None:
    """What waits is offered before it is known whether the peer holds a proposal that was lost here."""
    patch.setattr(session_module, "check_open_beat", lambda *_: None)

    def adopt(lockstep: Lockstep, peer: Resume) -> None:
        check_open_beat(lockstep, peer)
        adopt_open_beat(lockstep, peer)

    patch.setattr(session_module, "adopt_open_beat", adopt)


def overtaken(patch: Patch) -> None:
    """Nobody looks whether the COMMIT has come that a PING tells of."""
    patch.setattr(Lockstep, "check_reached", lambda *_: None)


def taken_for_a_fault(patch: Patch) -> None:
    """A frame that was lost counts as the peer's fault."""
    real = Lockstep.take_reveal

    def take_reveal(self: Lockstep, opening: Opening) -> None:
        try:
            real(self, opening)
        except MessageLost as lost:
            raise RemoteFault(Fault.WRONG_OPENING) from lost

    patch.setattr(Lockstep, "take_reveal", take_reveal)


def without_commit(patch: Patch) -> None:
    """RESUME carries the REVEAL without its COMMIT: not the whole state of the beat."""
    patch.setattr(
        session_module, "state_of", lambda *parts: structs.replace(state_of(*parts), commit=None)
    )


def always_asking(patch: Patch) -> None:
    """Every RESUME is answered with one that asks."""
    patch.setattr(
        session_module,
        "state_of",
        lambda *parts: structs.replace(state_of(*parts), resume_id=b"?" * 16),
    )


def without_deadline(patch: Patch) -> None:
    """A beat may stay open for ever, since some losses are never told."""
    patch.setattr(Timeouts, "reply_deadline_s", property(lambda _: float("inf")))


def missing_beat_ignored(patch: Patch) -> None:
    """The opening of the last beat in a RESUME is not looked at."""
    patch.setattr(session_module, "adopt_missing_beat", lambda *_: None)


def unanswered(patch: Patch) -> None:
    """A RESUME gets no answer."""
    real = Session._resume

    def resume(self: Session, message: Resume, now_s: float) -> None:
        real(self, structs.replace(message, resume_id=None), now_s)

    patch.setattr(Session, "_resume", resume)


def crossing_on_purpose(patch: Patch) -> None:
    """A COMMIT is answered with a COMMIT, as if the two had crossed."""
    real = Lockstep.take

    def take(self: Lockstep, message: Commit | Reveal) -> None:
        move = usual_wish(self.match, self.seat)
        if isinstance(message, Commit) and self.open.stage is Stage.IDLE and move is not None:
            self.propose(move)
        real(self, message)

    patch.setattr(Lockstep, "take", take)


def order_of_ones_own(patch: Patch) -> None:
    """Each side applies its own move first."""
    real = Lockstep._complete

    def complete(self: Lockstep, moves: Any, *openings: Any) -> None:
        patch.setattr(beat_module, "_order", lambda *_: (self.seat, 1 - self.seat))
        real(self, moves, *openings)

    patch.setattr(Lockstep, "_complete", complete)


ONE_BEAT = Scenario(dict.fromkeys((LOSS, KILL, CUT, REPEAT, TIMER), 1), most=1, beats=1)
TWO_BEATS = replace(ONE_BEAT, beats=2)
LOSS_AND_TIMER = Scenario({LOSS: 1, TIMER: 1}, most=2, beats=1)

FAULTS: dict[str, tuple[Callable[[Patch], None], str, Scenario]] = {
    "proposed isn't synced": (not_synced("Proposed"), "false accusation", ONE_BEAT),
    "answered isn't synced": (not_synced("Answered"), "false accusation", ONE_BEAT),
    "the last done isn't synced": (not_synced("Done"), "C6", replace(ONE_BEAT, game=LAST_BEATS)),
    "COMMIT is sent before it is written": (sent_before_written, "C9", ONE_BEAT),
    "a restart draws another nonce": (drawn_again, "C9", ONE_BEAT),
    "a restart forgets its proposal": (forgotten, "false accusation", ONE_BEAT),
    "a waiting key is offered late": (offered_late, "C6", TWO_BEATS),
    "a key that waits at the thaw is offered late": (offered_after_the_commit, "C3", ONE_BEAT),
    "a lost proposal isn't asked for": (
        offered_unchecked,
        "false accusation",
        Scenario({CUT: 1}, most=1, beats=1, game=UNSYNCED),
    ),
    "PING may overtake a lost COMMIT": (overtaken, "C2", LOSS_AND_TIMER),
    "a lost frame is a fault": (taken_for_a_fault, "false accusation", ONE_BEAT),
    "RESUME lacks its COMMIT": (without_commit, "false accusation", ONE_BEAT),
    "every RESUME asks": (always_asking, "C6", ONE_BEAT),
    "an open beat has no deadline": (without_deadline, "C6", ONE_BEAT),
    "the missing beat isn't taken": (missing_beat_ignored, "C6", ONE_BEAT),
    "a RESUME isn't answered": (unanswered, "C6", ONE_BEAT),
    "a COMMIT is crossed on purpose": (crossing_on_purpose, "C2", ONE_BEAT),
    "each side has an order of its own": (order_of_ones_own, "C1", ONE_BEAT),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_search_finds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault put into the protocol breaks a claim within a small bound."""
    put_in, claim, scenario = FAULTS[name]
    put_in(monkeypatch)
    with pytest.raises(Violated, match=f"^{claim}"):
        Explorer(scenario).run()
