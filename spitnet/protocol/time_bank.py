"""How long a seat may let the other wait, over a whole match: its time bank. Pure; times are seconds of the session's clock.

A wait may last as long as the grace period, and each one costs what it lasts beyond what is normal. Once less is left in
the bank than that, a wait may only last until the bank is used up. Otherwise a peer that always comes back just in time
could keep the other waiting for ever. Source: WIRE.md, section 14.
"""

from math import inf
from typing import NamedTuple

GRACES = 2
"""What a seat has in the bank before the first deal, in grace periods."""
GRACES_A_GAME = 1
"""What each deal adds: a long match may have more interruptions than a short one."""
ANSWER_S = 6.0
"""A program answers at once, and within this on the worst of networks."""
ANSWER_SHARE = 2
"""But no longer is free than the grace period divided by this."""
TURN_SHARE = 3
"""A person who alone has something to do may think as long as the grace period divided by this."""
EARLY_S = 2.0
"""What this side takes from its own bank begins so much earlier: the peer may have noticed the same wait so much before."""
EARLY_SHARE = 1 / 3
"""But it is no more than this share of what is free."""


class Waits(NamedTuple):
    """Since when one seat waits for the other; None where it doesn't."""

    answer_s: float | None = None
    """For what the other's program does by itself: a frame, or being there at all."""
    turn_s: float | None = None
    """For what the other player alone can do."""


class TimeBank:
    """What one seat has spent of its time, as the other counts it; or `ahead`, as the seat itself does.

    Then it counts never less than the other, though neither has the other's clock.
    """

    def __init__(self, grace_s: float, now_s: float, *, ahead: bool = False) -> None:
        self._grace_s = grace_s
        self.answer_s = min(ANSWER_S, grace_s / ANSWER_SHARE)
        """What an answer may take for nothing."""
        self.turn_s = max(self.answer_s, grace_s / TURN_SHARE)
        """The same of a turn."""
        self.early_s = min(EARLY_S, EARLY_SHARE * self.answer_s) if ahead else 0.0
        """By how much it is ahead."""
        self.spent_s = 0.0
        self.unwritten_s = 0.0
        """What was spent since it was taken last, for a side that restarts to know."""
        self._counted_s = now_s

    def left_s(self, games: int) -> float:
        """What is left; `games`: so many were dealt."""
        return max(0.0, (GRACES + GRACES_A_GAME * games) * self._grace_s - self.spent_s)

    def is_short(self, games: int) -> bool:
        """Whether a wait may not last the whole grace period any more."""
        return self.left_s(games) < self._grace_s - self.answer_s

    def count(self, waits: Waits, games: int, now_s: float) -> None:
        """Time has passed, in which the seat was waited for like this. Beyond what can be claimed a wait costs nothing."""
        since_s, self._counted_s = self._counted_s, now_s
        begins_s, ends_s = self._normal_until_s(waits), self._grace_until_s(waits)
        if begins_s is not None and ends_s is not None:
            lasted_s = min(now_s, ends_s) - max(since_s, begins_s - self.early_s)
            self._spend(min(max(0.0, lasted_s), self.left_s(games)))

    def skip(self, now_s: float) -> None:
        """Time has passed that is nobody's fault."""
        self._counted_s = now_s

    def count_whole(self, games: int) -> None:
        """The seat was away for nobody knows how long: the most that a wait can cost."""
        self._spend(min(self._grace_s - self.answer_s + self.early_s, self.left_s(games)))

    def claim_at_s(self, waits: Waits, games: int) -> float | None:
        """When the other may claim the match, if this wait goes on; None where nobody is waited for."""
        begins_s, ends_s = self._normal_until_s(waits), self._grace_until_s(waits)
        if begins_s is None or ends_s is None:
            return None
        return min(ends_s, max(begins_s, self._counted_s) + self.left_s(games))

    def is_spent(self, waits: Waits, games: int, now_s: float) -> bool:
        """Whether the bank is used up, or may be by the other's count, while this wait is longer than is normal."""
        begins_s = self._normal_until_s(waits)
        at_s = inf if begins_s is None else max(begins_s, self._counted_s) + self.left_s(games)
        return now_s >= at_s - self.early_s

    def take_unwritten_s(self) -> float:
        """What was spent since this was asked last."""
        unwritten_s, self.unwritten_s = self.unwritten_s, 0.0
        return unwritten_s

    def _spend(self, seconds: float) -> None:
        self.spent_s += seconds
        self.unwritten_s += seconds

    def _normal_until_s(self, waits: Waits) -> float | None:
        """Until when it costs nothing."""
        answer_s = None if waits.answer_s is None else waits.answer_s + self.answer_s
        turn_s = None if waits.turn_s is None else waits.turn_s + self.turn_s
        return min((at_s for at_s in (answer_s, turn_s) if at_s is not None), default=None)

    def _grace_until_s(self, waits: Waits) -> float | None:
        since_s = min((at_s for at_s in waits if at_s is not None), default=None)
        return None if since_s is None else since_s + self._grace_s
