"""How long this side has waited for the peer, and for what; when it may stop. Times are the session's, in seconds.

What belongs here: since when, and until when. What must not: what is done about it (session.py).
"""

from math import inf

from spitnet.protocol.time_bank import Waits

REPLY_DEADLINE_S = 2.0
"""A beat open for longer is resynchronised: a library may reconnect without telling."""
FAREWELL_LEAST_S = 10.0
"""How long a finished match is kept for a peer that may need its last beat, where the grace period is shorter."""
ASLEEP_S = 5.0
"""Who wasn't called for so long was asleep, and nobody's patience is used up by that."""


class Timeouts:
    """The waits of one session; `claimable` once the peer was waited for too long."""

    def __init__(self, grace_s: float, now_s: float) -> None:
        self.lost_s: float | None = None
        """Since when the peer is out of reach."""
        self.open_s: float | None = None
        """Since when a beat is open, across every resynchronisation."""
        self.over_s: float | None = None
        """Since when the match is decided."""
        self.claimable = False
        self._overdue = False
        self._grace_s = grace_s
        self.progress_s = now_s
        self.unfrozen_s = now_s

    @property
    def reply_deadline_s(self) -> float:
        """When the open beat is overdue; never, if there is none."""
        return inf if self.open_s is None else max(self.open_s, self.unfrozen_s) + REPLY_DEADLINE_S

    def woke(self, now_s: float) -> None:
        """This machine slept: the peer couldn't have been heard meanwhile, so waits begin anew."""
        self.progress_s = now_s
        self.open_s = None if self.open_s is None else now_s
        self.lost_s = None if self.lost_s is None else now_s

    def progressed(self, now_s: float) -> None:
        """A beat was completed."""
        self.progress_s = now_s
        self.open_s = None
        self.claimable = self._overdue = False

    def unfroze(self, now_s: float) -> bool:
        """Both hold the same beats again; whether the peer had been lost."""
        was_lost = self.lost_s is not None
        self.lost_s = None
        self.unfrozen_s = now_s
        self.claimable = False
        self._overdue = self._overdue and not was_lost
        return was_lost

    def waits(self, owes: bool) -> Waits:
        """Since when the peer is waited for. `owes`: it alone has something to do."""
        since = [at for at in (self.lost_s, self.open_s) if at is not None]
        return Waits(min(since, default=None), self.progress_s if owes else None)

    def is_overdue(self, answer_s: float, now_s: float) -> bool:
        """Whether a peer that can be reached has owed an answer for longer than is normal: told once."""
        since_s = None if self.lost_s is not None or self._overdue else self.open_s
        self._overdue = self._overdue or (since_s is not None and now_s >= since_s + answer_s)
        return since_s is not None and self._overdue

    def runs_out(self, left_s: float | None) -> bool:
        """Whether the match may be claimed just now: told once."""
        just_now = left_s == 0.0 and not self.claimable
        self.claimable = left_s == 0.0
        return just_now

    def has_waited_enough(self, now_s: float) -> bool:
        """Whether a finished match was kept long enough for a peer that has not said goodbye."""
        patience_s = max(FAREWELL_LEAST_S, self._grace_s)
        return self.over_s is not None and now_s >= self.over_s + patience_s
