"""How fast the peer answers, and how much it says: measured on this side, proof of nothing.

A true crossing comes within one ping: the peer's COMMIT left before ours arrived. One that comes later, and
a reply that takes much longer than the ping, may be a peer that waits until it has a move. One side can't
prove that, so it is counted and shown. Source: WIRE.md, section 13; FAIRNESS.md, "What
it does not prevent".
"""

from collections import deque

PINGS_KEPT = 16
"""The ping is the median of the last so many: a figure to compare with, not to react to."""
LATE_CROSSING_S = 0.010
"""A crossing this much later than a ping is late: ten times the noise of a busy process."""
SLOW_REPLY_S = 0.050
"""A reply this much later than a ping is slow."""
UNKNOWN_PING_S = 0.25
"""What stands for the ping of a peer that answers none: no LAN is slower."""
IDLE_FRAMES_PER_S = 50.0
IDLE_FRAMES_MOST = 2_000.0
"""Frames that complete no beat may come this often and pile up this far; an honest peer sends a handful."""
STALLS_PER_S = 0.2
STALLS_MOST = 20.0
"""How often what the peer says may stop the game: each time this side must resynchronise, and can't play."""


class PeerMetrics:
    """Pings, replies and the flood bound of one session. Times are the session's, in seconds."""

    def __init__(self) -> None:
        self.late_crossings = 0
        self.slow_replies = 0
        self.reply_s: float | None = None
        self.ping_s: float | None = None
        """The median round trip, or None before the first."""
        self.pinged_s = float("-inf")
        self.answered_s: float | None = None
        """When the last PING left that was answered."""
        self._token = 0
        self._awaits_pong = False
        self._idle_frames = 0.0
        self._counted_s = 0.0
        self._stalls = 0.0
        self._stalled_s = 0.0
        self._pings_s: deque[float] = deque(maxlen=PINGS_KEPT)

    def ping(self, now_s: float) -> int:
        """The token of a PING that leaves now."""
        self.pinged_s = now_s
        self._token = (self._token + 1) % 2**32
        self._awaits_pong = True
        return self._token

    def pong(self, token: int, now_s: float) -> None:
        """The answer to a PING; one to an older PING, to none, or a second one tells nothing."""
        if token == self._token and self._awaits_pong:
            self._awaits_pong = False
            self.answered_s = self.pinged_s
            self._pings_s.append(now_s - self.pinged_s)
            self.ping_s = sorted(self._pings_s)[len(self._pings_s) // 2]

    def answered(self, waited_s: float, crossed: bool) -> bool:
        """Notes the peer's answer to a COMMIT; True where it came late against the ping."""
        self.reply_s = waited_s
        ping_s = UNKNOWN_PING_S if self.ping_s is None else self.ping_s
        late = waited_s > ping_s + (LATE_CROSSING_S if crossed else SLOW_REPLY_S)
        if late and crossed:
            self.late_crossings += 1
        elif late:
            self.slow_replies += 1
        return late

    def in_us(self, waited_s: float) -> tuple[int, int]:
        """The wait and the ping beside it, in microseconds."""
        return round(waited_s * 1e6), round((self.ping_s or 0.0) * 1e6)

    def floods(self, now_s: float) -> bool:
        """Counts one more frame; True where there were too many since a beat was completed."""
        drained = (now_s - self._counted_s) * IDLE_FRAMES_PER_S
        self._counted_s = now_s
        self._idle_frames = max(0.0, self._idle_frames - drained) + 1
        return self._idle_frames > IDLE_FRAMES_MOST

    def stalls(self, now_s: float) -> bool:
        """Counts one more resynchronisation that the peer caused; True where there were too many."""
        drained = (now_s - self._stalled_s) * STALLS_PER_S
        self._stalled_s = now_s
        self._stalls = max(0.0, self._stalls - drained) + 1
        return self._stalls > STALLS_MOST

    def beat(self) -> None:
        """A beat was completed: what led to it was no flood."""
        self._idle_frames = 0.0
