"""How often the game has stopped lately. Pure; times are the caller's seconds.

One stop is a bad link. Many in a minute may be a peer that chooses when the game goes on: both players are told, and judge.
"""

from typing import Final

from spitnet.ui.scene import Stopping

MANY: Final = 5
LATELY_S: Final = 60.0
SHOUTED_S: Final = 5.0
"""For so long after a stop that makes many the line for news says so; the head of the table does for the whole minute."""


class RecentStops:
    """When the stops of the last minute ended."""

    def __init__(self) -> None:
        self._ended_s: tuple[float, ...] = ()

    def add(self, now_s: float) -> None:
        """One more has ended."""
        self._ended_s = (*self._within(now_s), now_s)

    def many(self, now_s: float) -> Stopping | None:
        """How many there were, where they are many."""
        recent = self._within(now_s)
        if len(recent) < MANY:
            return None
        return Stopping(len(recent), shouted=now_s < recent[-1] + SHOUTED_S)

    def next_change_s(self, now_s: float) -> float | None:
        """Seconds until `many` says something else by the clock alone."""
        if self.many(now_s) is None:
            return None
        changes_s = (self._within(now_s)[0] + LATELY_S, self._ended_s[-1] + SHOUTED_S)
        return min(at_s - now_s for at_s in changes_s if at_s > now_s)

    def _within(self, now_s: float) -> tuple[float, ...]:
        return tuple(at_s for at_s in self._ended_s if now_s < at_s + LATELY_S)
