"""What this side's own clock says to a claim of the peer's: whether it can have waited through the grace period.

A broken link keeps both waiting alike, and an open beat hangs on whoever doesn't answer, which this side always does. So
the peer can have waited for this side alone where this side had something to do and didn't, or wasn't there: its program
didn't run. Everything here errs to the peer's favour: a wait counts from the earliest moment at which it can have begun.
What must not be here: what this side waits for (timeouts.py). Times are the session's, in seconds; its clock must run on
while the machine sleeps. Source: R22.
"""

from math import inf

from spitnet.protocol.time_bank import Waits

NAP_S = 2.0
"""Whose program runs is polled once a second; after a longer gap it wasn't there."""
DRIFT = 0.01
"""Two machines' clocks differ by less than this part of what they count."""


class Alibi:
    """The times of one session by which a claim is judged."""

    def __init__(self, grace_s: float, now_s: float) -> None:
        self._enough_s = grace_s * (1 - DRIFT)
        self._seen_s = now_s
        self._woke_s = -inf
        self._away_s: float | None = None
        """Since when this side can't be said to have been there; None while it can."""
        self._opened_s: float | None = None
        """When this side opened the beat that is open, so that the peer may have completed it since."""
        self._beat_s = now_s
        """Before that the peer can't have completed the last beat."""
        self._owes = False
        self._owed_s = inf
        """Since when this side owed the last beat, if it alone had something to do before it."""

    def restarted(self, since_s: float, now_s: float, owes: bool, opened: bool) -> None:
        """A new process takes the match up; the one before was last there at `since_s`, for all that is known."""
        self._seen_s = self._woke_s = now_s
        self._away_s = self._beat_s = since_s
        self._owes = owes
        self._opened_s = since_s if opened else None

    def awake(self, now_s: float) -> None:
        """This side's program runs; before anything else is done with what has come."""
        if now_s > self._seen_s + NAP_S:
            self._away_s = self._seen_s if self._away_s is None else self._away_s
            self._woke_s = now_s
        self._seen_s = max(self._seen_s, now_s)

    def answered(self, at_s: float) -> None:
        """The peer answered what this side said then: so whatever it had waited for before was over by then."""
        if at_s >= self._woke_s:
            self._away_s = None

    def opened(self, now_s: float) -> None:
        """This side has opened the beat that is open."""
        if self._opened_s is None:
            self._opened_s = now_s

    def progressed(self, owes: bool, now_s: float) -> None:
        """A beat was completed; `owes`: this side alone has something to do now."""
        self._owed_s = self._beat_s if self._owes else inf
        self._beat_s = now_s if self._opened_s is None else self._opened_s
        self._opened_s = None
        self._owes = owes
        if self._beat_s >= self._woke_s:
            self._away_s = None

    def waits(self, behind: bool) -> Waits:
        """What the peer may be waiting for, since the earliest moment that it can have begun.

        `behind`: the peer lacks the last beat, so it may have waited for that.
        """
        turn_s = min(self._beat_s if self._owes else inf, self._owed_s if behind else inf)
        return Waits(self._away_s, None if turn_s == inf else turn_s)

    def admits(self, behind: bool, now_s: float) -> bool:
        """Whether one wait may have lasted for the grace period."""
        since_s = min((at_s for at_s in self.waits(behind) if at_s is not None), default=inf)
        return now_s - since_s >= self._enough_s
