"""How fast the peer answers, and how much it says: measured on this side, proof of nothing.

A true crossing comes within one round trip: the peer's COMMIT left before ours arrived. One that comes later, and
a reply that takes much longer, may be a peer that waits until it has a move. One side can't prove that, so it is
counted and shown. The yardstick is the least round trip of the match. The peer's program can't make it longer once
one answer was quick, nor where the peer's kernel tells it: that acknowledges what comes whatever the program does.
Source: WIRE.md, section 13; FAIRNESS.md, "What it does not prevent".
"""

from collections import deque
from math import inf

PINGS_KEPT = 16
"""The ping is the median of the last so many: a figure to show, not to react to."""
PINGS_ENOUGH = 8
"""With fewer, one slow start would be half of them."""
PINGS_AWAITED = 16
"""Of so many PINGs the answer is waited for; one that isn't answered by then takes at least so long."""
LATE_CROSSING_S = 0.010
"""A crossing this much later than the least round trip is late: ten times the noise of a busy process."""
SLOW_REPLY_S = 0.050
"""A reply this much later than the least round trip is slow."""
OUT_OF_PROPORTION = 2.0
"""A ping of more than so many least round trips, and SLOW_REPLY_S more, is out of proportion to them."""
UNKNOWN_PING_S = 0.25
"""What stands for the round trip where none was measured: no LAN is slower."""
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
        """The median round trip of PING and PONG, or None before the first."""
        self.least_s: float | None = None
        """The least round trip so far, whichever way it was measured; None before the first."""
        self.lags = False
        """Whether the ping is out of proportion to the least round trip."""
        self.pinged_s = -inf
        self.answered_s: float | None = None
        """When the last PING left that was answered."""
        self._token = 0
        self.awaited_s: dict[int, float] = {}
        self._asked_s: float | None = None
        self._idle_frames = 0.0
        self._counted_s = 0.0
        self._stalls = 0.0
        self._stalled_s = 0.0
        self.pings_s: deque[float] = deque(maxlen=PINGS_KEPT)

    def ping(self, now_s: float, lost: bool) -> int:
        """The token of a PING that leaves now; while the peer is lost, no answer to an older one is missed."""
        self.pinged_s = now_s
        self._token = (self._token + 1) % 2**32
        if lost:
            self.awaited_s.clear()
        elif len(self.awaited_s) == PINGS_AWAITED:
            oldest = next(iter(self.awaited_s))
            self._took(now_s - self.awaited_s.pop(oldest))
        self.awaited_s[self._token] = now_s
        return self._token

    def pong(self, token: int, now_s: float) -> None:
        """The answer to a PING; one to none, or a second one, tells nothing. Those to older PINGs won't come any more."""
        pinged_s = self.awaited_s.get(token)
        if pinged_s is None:
            return
        self.answered_s = pinged_s
        self._took(now_s - pinged_s)
        self.awaited_s = {one: at for one, at in self.awaited_s.items() if at > pinged_s}

    def acknowledged(self, round_trip_s: float) -> None:
        """The least round trip as the kernel has it, from acknowledgements that the peer's own kernel sends."""
        self._reaches(round_trip_s)

    def asked(self, now_s: float) -> None:
        """This side has just begun its part of a beat, so the peer's answer takes a round trip at least."""
        self._asked_s = now_s

    def answered(self, waited_s: float, crossed: bool, now_s: float) -> tuple[int, int] | None:
        """Notes the peer's answer in a beat, `waited_s` after it was due.

        Returns:
            Where it came late, that wait and the least round trip that it was compared with, or 0, in microseconds.
        """
        self.reply_s = waited_s
        least_s = UNKNOWN_PING_S if self.least_s is None else self.least_s
        late = waited_s > least_s + (LATE_CROSSING_S if crossed else SLOW_REPLY_S)
        measured = self._in_us(waited_s) if late else None
        if late and crossed:
            self.late_crossings += 1
        elif late:
            self.slow_replies += 1
        if not crossed and self._asked_s is not None:
            self._reaches(now_s - self._asked_s)
            self._asked_s = None
        return measured

    def starts_to_lag(self) -> tuple[int, int] | None:
        """Where the ping is out of proportion now, and wasn't when this was asked last: the ping and the least round
        trip, in microseconds.
        """
        lagged, self.lags = self.lags, self._is_out_of_proportion()
        return self._in_us(self.ping_s or 0.0) if self.lags and not lagged else None

    def _is_out_of_proportion(self) -> bool:
        if self.ping_s is None or self.least_s is None or len(self.pings_s) < PINGS_ENOUGH:
            return False
        return self.ping_s > OUT_OF_PROPORTION * self.least_s + SLOW_REPLY_S

    def _took(self, round_trip_s: float) -> None:
        """A PONG took so long, or takes at least so long."""
        self.pings_s.append(round_trip_s)
        self.ping_s = sorted(self.pings_s)[len(self.pings_s) // 2]
        self._reaches(round_trip_s)

    def _reaches(self, round_trip_s: float) -> None:
        self.least_s = round_trip_s if self.least_s is None else min(self.least_s, round_trip_s)

    def _in_us(self, measured_s: float) -> tuple[int, int]:
        """What was measured, and the least round trip beside it, or 0."""
        return round(measured_s * 1e6), round((self.least_s or 0.0) * 1e6)

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
