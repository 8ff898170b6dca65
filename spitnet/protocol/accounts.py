"""Both time banks of a match: what the peer has spent of its own, and what it may say that this side has spent.

The peer counts this side's waits by its own clock, and may claim the match by what it counted. So that a claim that can be
true is known from a false one, this side counts along, a little ahead, from the earliest moment at which the peer can have
begun to wait (alibi.py). Times are the session's.
"""

from spitnet.core.cards import Seat, other
from spitnet.protocol.entries import Record, Waited
from spitnet.protocol.time_bank import TimeBank, Waits
from spitnet.protocol.timeouts import ASLEEP_S

COUNT_S = 0.25
"""Time is counted in steps of at least so much: a beat takes a thousandth of it."""


class Accounts:
    """The two banks; `theirs` and `mine` are whose time is spent."""

    def __init__(self, grace_s: float, now_s: float) -> None:
        self.theirs = TimeBank(grace_s, now_s)
        self.mine = TimeBank(grace_s, now_s, ahead=True)
        self.due_s = now_s + COUNT_S
        """When it is time to count."""

    def count(self, theirs: Waits, mine: Waits, games: int, now_s: float) -> bool:
        """Time has passed, in which each side waited for the other like this; `games`: so many were dealt.

        Returns:
            Whether this side slept: it didn't run since it was called last, and so couldn't hear the peer.
        """
        slept = now_s > self.due_s - COUNT_S + ASLEEP_S
        if slept:
            self.theirs.skip(now_s)
        else:
            self.theirs.count(theirs, games, now_s)
        self.mine.count(mine, games, now_s)
        self.due_s = now_s + COUNT_S
        return slept

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
