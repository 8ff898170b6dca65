"""Both time banks of a match: what the peer has spent of its own, and what it may say that this side has spent.

The peer counts this side's waits by its own clock, and may claim the match by what it counted. So that a claim that can be
true is known from a false one, this side counts along, a little ahead. Only two things of an honest side let the other
wait: its player, who alone has something to do, and its program, where that didn't run. That a link broke keeps both
waiting alike, and is held against nobody here. Times are the session's.
"""

from math import inf
from typing import TypeGuard

from spitnet.core.cards import Seat, other
from spitnet.protocol.entries import Record, Waited
from spitnet.protocol.time_bank import TimeBank, Waits
from spitnet.protocol.timeouts import ASLEEP_S

COUNT_S = 0.25
"""Time is counted in steps of at least so much: a beat takes a thousandth of it."""
NAP_S = 2.0
"""Whose program runs is called once a second; after a longer gap it wasn't there."""
ON_ITS_WAY_S = 2.0
"""A claim may have left so long before what ended the wait arrived there."""


class Accounts:
    """The two banks; `theirs` and `mine` are whose time is spent.

    `owes`: this side's player alone has something to do, and hasn't proposed it. `games`: so many were dealt.
    """

    def __init__(self, grace_s: float, now_s: float) -> None:
        self.theirs = TimeBank(grace_s, now_s)
        self.mine = TimeBank(grace_s, now_s, ahead=True)
        self._seen_s = self._progress_s = self._turn_s = now_s
        self._opened_s: float | None = None
        """When this side opened the beat that is open: the peer may have completed it since."""
        self._away_s: float | None = None
        """Since when this program can't be said to have been there; None while it can."""
        self._woke_s = -inf
        self._owed = False
        self._games = 0
        self._ended = (Waits(), 0, -inf)
        """What the peer waited for until a moment ago, the games dealt by then, and until when it may not know of the end."""

    def is_due(self, now_s: float) -> bool:
        """Whether it is time to count."""
        return now_s >= self._seen_s + COUNT_S

    def slept(self, now_s: float) -> bool:
        """Whether this side didn't run since it was called last, and so couldn't hear the peer."""
        return now_s > self._seen_s + ASLEEP_S

    def count(self, waits: Waits, owes: bool, games: int, now_s: float) -> None:
        """Time has passed, in which this side waited for the peer like this."""
        if self.slept(now_s):
            self.theirs.skip(now_s)
        else:
            self.theirs.count(waits, games, now_s)
        if now_s > self._seen_s + NAP_S:
            self._away_s = self._seen_s if self._away_s is None else self._away_s
            self._woke_s = now_s
        self.mine.count(self._waits(owes), games, now_s)
        if self._owed and not owes:
            self._ends(now_s)
        self._owed, self._seen_s = owes, now_s

    def opened(self, now_s: float) -> None:
        """This side has opened the beat that is open."""
        self._opened_s = now_s if self._opened_s is None else self._opened_s

    def answered(self, at_s: float | None, now_s: float) -> None:
        """The peer has answered what this side said then: it knows that this program is there."""
        if at_s is not None and at_s >= self._woke_s and self._away_s is not None:
            self._ends(now_s)
            self._away_s = None

    def progressed(self, games: int, now_s: float) -> None:
        """A beat was completed."""
        self._ends(now_s)
        self._progress_s, self._games, self._owed = now_s, games, False
        self._turn_s = now_s if self._opened_s is None else self._opened_s
        self.answered(self._opened_s, now_s)
        self._opened_s = None

    def claimed_at_s(self, owes: bool, games: int) -> float | None:
        """When the peer may claim the match, if its player's turn is all that it waits for; None where it isn't."""
        return self.mine.claim_at_s(Waits(None, self._progress_s if owes else None), games)

    def is_overdrawn(self, owes: bool, games: int, now_s: float) -> bool:
        """Whether a claim of the peer's that comes now can be true by the time bank."""
        ended, dealt, until_s = self._ended
        lately = now_s <= until_s and self.mine.is_spent(ended, dealt, now_s)
        return lately or self.mine.is_spent(self._waits(owes or self._owed), games, now_s)

    def is_short(self, games: int, seat: Seat) -> tuple[bool, bool]:
        """Of each seat, whether a wait for it may not last the whole grace period any more; `seat` is this side's."""
        mine, theirs = self.mine.is_short(games), self.theirs.is_short(games)
        return (theirs, mine) if seat else (mine, theirs)

    def take_spent(self, beat: int, seat: Seat) -> list[Waited]:
        """What was spent since this was asked last, for a side that restarts to know; `seat` is this side's."""
        banks = ((other(seat), self.theirs), (seat, self.mine))
        spent = [(whose, round(bank.take_unwritten_s() * 1e6)) for whose, bank in banks]
        return [Waited(beat, whose, spent_us) for whose, spent_us in spent if spent_us]

    def restore(self, record: Record, seat: Seat) -> None:
        """What was spent before this side restarted; `seat` is its own."""
        if isinstance(record, Waited):
            bank = self.mine if record.seat == seat else self.theirs
            bank.spent_s += record.spent_us / 1e6

    def restarted(self, games: int, opened: bool, now_s: float) -> None:
        """This side was away, for nobody knows how long: that has cost as much as a wait can.

        `opened`: it had opened the beat that is open.
        """
        self.mine.count_whole(games)
        self._games = games
        self._away_s = self._turn_s = -inf
        self._opened_s = -inf if opened else None
        self._woke_s = now_s

    def _waits(self, owes: bool) -> Waits:
        """What the peer may wait for, each since the earliest moment that it can have begun."""
        return Waits(self._away_s, self._turn_s if owes else None)

    def _ends(self, now_s: float) -> None:
        """What the peer waits for now is about to end, if it waits. It may have waited before that for something else."""
        if self._away_s is None and not self._owed:
            return
        ended, _, until_s = self._ended
        waits = [self._waits(self._owed), *[ended] * (now_s <= until_s)]
        first = [min(filter(_known, kind), default=None) for kind in zip(*waits, strict=True)]
        self._ended = (Waits(*first), self._games, now_s + ON_ITS_WAY_S)


def _known(at_s: float | None) -> TypeGuard[float]:
    return at_s is not None
