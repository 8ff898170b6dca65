"""What a session has to remember before it may speak: the journal's records, as values.

`Write` effects carry them; each is an array that begins with its number, and the journal's room knows what stands around
it. Source: WIRE.md, section 11.
"""

from enum import StrEnum
from typing import TypeAlias, assert_never

from msgspec import Struct

from spitnet.core.cards import Seat, other
from spitnet.core.state import Reason
from spitnet.protocol.binding import Opening
from spitnet.protocol.fields import Count, Hash, SeatNumber, Word


class Numbered(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The number that tells what it is, then the fields in their order."""


class Proposed(Numbered, frozen=True, tag=1):
    """Written before COMMIT(beat) leaves."""

    beat: Count
    mine: Opening


class Answered(Numbered, frozen=True, tag=2):
    """Written before REVEAL(beat) leaves in answer to the peer's COMMIT: a pass, or a move that crossed it."""

    beat: Count
    theirs: Hash
    mine: Opening


class Done(Numbered, frozen=True, tag=3):
    """Written before the REVEAL that completes the beat for the peer; openings in seat order."""

    beat: Count
    openings: tuple[Opening, Opening]


class Slow(Numbered, frozen=True, tag=4):
    """The peer's answer to this beat's COMMIT took long against the least round trip, which nobody can prove.

    `crossed` tells a COMMIT in answer (a late crossing) from a REVEAL (a slow reply). `least_us`: the least round trip of
    the match so far, 0 where none was measured.
    """

    beat: Count
    crossed: bool
    waited_us: Count
    least_us: Count


class Stop(Numbered, frozen=True, tag=6):
    """The game stood still on this side for so long, and goes on; `beat` was open when it stopped. Since format 3.

    `seat` is whose stop it was, as far as this side can tell: its own after a restart; the other's where that said so
    itself, or was there and kept an open beat waiting; None where the link broke, which tells nobody's part in it.
    """

    beat: Count
    seat: SeatNumber | None
    lasted_ms: Count


FALSE_CLAIM = "claim"
"""The word of who left with a claim that isn't true."""


class Ending(StrEnum):
    """How a match ended on the side whose record it is. Source: WIRE.md, section 19."""

    OVER = "over"
    ABANDONED = "abandoned"
    """Claimed by this side, against `by`."""
    CLAIMED = "claimed"
    """By the peer, and this side knows that it was away or owed a move."""
    LEFT = "left"
    """`by` is gone for good: with a claim that this side knows to be false, or from a rematch that it had asked for. Since
    format 3."""
    VIOLATION = "violation"
    """Found here, done by `by`."""
    ACCUSED = "accused"
    """The peer says so."""
    LOST_RECORDS = "lost_records"
    """`by`'s, or this side's where it is None."""


class Ended(Numbered, frozen=True, tag=5):
    """The last record: how the match ended on this side, `by` whose doing or on whose word (a seat, or None).

    `word` names the violation, or the false claim.
    """

    beat: Count
    how: Ending
    by: SeatNumber | None
    word: Word

    def winner(self, seat: Seat) -> Seat | None:
        """Who has won a match that ended so before its time. `seat`: whose record this is.

        None if it was played out, or if this side's record lacks its end and so can't tell. Nobody wins by a word: the
        peer's counts against this side only where this side itself knows that it may be true.

        Source: R22.
        """
        match self.how:
            case Ending.OVER:
                return None
            case Ending.CLAIMED:
                return other(seat)
            case Ending.LOST_RECORDS:
                return None if self.by is None else seat
            case Ending.ABANDONED | Ending.LEFT | Ending.VIOLATION | Ending.ACCUSED:
                return seat
            case _:
                assert_never(self.how)

    @property
    def reason(self) -> Reason:
        """Why the game under way ended, if this ended one."""
        return Reason.ABANDONED if self.is_claimed else Reason.FORFEITED

    @property
    def is_claimed(self) -> bool:
        """Whether it is on the word of one side alone that the other was waited for too long."""
        return self.how in (Ending.ABANDONED, Ending.CLAIMED)


class Lagging(Numbered, frozen=True, tag=7):
    """The ping has grown out of proportion to the least round trip of the match, while this beat was open. Since format 3."""

    beat: Count
    ping_us: Count
    least_us: Count


class Waited(Numbered, frozen=True, tag=8):
    """So much of the time bank of `seat` was spent by a wait that ended with this beat, or within it. Since format 3."""

    beat: Count
    seat: SeatNumber
    spent_us: Count


Record: TypeAlias = Proposed | Answered | Done | Slow | Stop | Lagging | Waited | Ended
