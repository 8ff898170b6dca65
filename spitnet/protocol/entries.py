"""What a session has to remember before it may speak: the journal's records, as values.

`Write` effects carry them; each is an array that begins with its number, and the journal's room knows what stands around
it. Source: WIRE.md, section 11.
"""

from typing import TypeAlias

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


class Ended(Numbered, frozen=True, tag=5):
    """The last record: how the match ended on this side, `by` whose doing or on whose word (a seat, or None).

    `how` is "over"; "abandoned" (claimed by this side, against `by`) or "claimed" (by the peer, and this side knows that
    it was away or owed a move); "left" (`by` is gone for good: with a claim that this side knows to be false, or from a
    rematch that it had asked for; since format 3); "violation" (found here, done by `by`) or "accused" (the peer says
    so); "lost_records" (`by`'s, or this side's where it is None). `word` names the violation, or the false claim.
    """

    beat: Count
    how: str
    by: SeatNumber | None
    word: Word

    def winner(self, seat: Seat) -> Seat | None:
        """Who has won a match that ended so before its time. `seat`: whose record this is.

        None if it was played out, or if this side's record lacks its end and so can't tell. Nobody wins by a word: the
        peer's counts against this side only where this side itself knows that it may be true.

        Source: R22.
        """
        match self.how:
            case "over":
                return None
            case "claimed":
                return other(seat)
            case "lost_records" if self.by is None:
                return None
            case _:
                return seat

    @property
    def reason(self) -> Reason:
        """Why the game under way ended, if this ended one."""
        return Reason.ABANDONED if self.how in ("abandoned", "claimed") else Reason.FORFEITED


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
