"""When the game stands still on this side: from where it freezes to where it plays on. Times are the session's, in seconds.

A broken link is honest as a rule. But a peer that breaks it on purpose chooses when the game goes on, and no side can prove
that, so every stop is recorded, counted and shown. What must not be here: what freezes a side (session.py).
"""

from msgspec import Struct

from spitnet.core.cards import Seat
from spitnet.protocol.entries import Stop


class Begun(Struct, frozen=True):
    """A stop under way: since when, in which beat, and whose it is as far as this side can tell."""

    since_s: float
    beat: int
    seat: Seat | None


class Stops:
    """The stops of one session: how many there were, and the one under way. Immutable values: a copy is a snapshot."""

    def __init__(self) -> None:
        self.count = 0
        self._begun: Begun | None = None

    def begin(self, beat: int, seat: Seat | None, now_s: float) -> None:
        """The game stops in this open beat."""
        self._begun = Begun(now_s, beat, seat)

    def end(self, now_s: float) -> Stop | None:
        """The game goes on; the stop that this ends, if one had begun."""
        begun, self._begun = self._begun, None
        if begun is None:
            return None
        self.count += 1
        return Stop(begun.beat, begun.seat, round((now_s - begun.since_s) * 1000))
