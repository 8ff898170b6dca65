"""How often a source may ask something of us: token buckets in bounded memory. Pure; time comes in."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import NamedTuple


class Rate(NamedTuple):
    """`burst` at once, `per_s` in the long run."""

    burst: float
    per_s: float


class Allowance:
    """One token bucket for each source.

    At most `most` sources are remembered; the one not heard for longest is forgotten first, so who sends under ever new
    names is held by a second allowance for all together, not by this one.
    """

    def __init__(self, rate: Rate, most: int = 1024) -> None:
        self._rate = rate
        self._most = most
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def left(self, source: Hashable, now_s: float) -> float:
        """How many tokens this source has now."""
        tokens, since_s = self._buckets.get(source, (self._rate.burst, now_s))
        return min(self._rate.burst, tokens + max(0.0, now_s - since_s) * self._rate.per_s)

    def take(self, source: Hashable, now_s: float) -> bool:
        """Take one token of this source's; False when it has none left."""
        tokens = self.left(source, now_s)
        allowed = tokens >= 1.0
        self._buckets.pop(source, None)
        self._buckets[source] = (tokens - 1.0 if allowed else tokens, now_s)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return allowed


class SharedAllowance:
    """A bucket for all sources together, from which who took little lately is served before who took much.

    A source may draw on the common bucket only down to a level that rises with what it took itself. So sources
    that ask without end don't empty it for one that asks for the first time, as long as they are fewer than the quotient of
    the two rates. Alone, a source has all that `each` says.
    """

    def __init__(self, each: Rate, together: Rate) -> None:
        self._burst = each.burst
        self._reserve = together.burst - each.burst
        self._each = Allowance(each)
        self._together = Allowance(together, most=1)

    def take(self, source: Hashable, now_s: float) -> bool:
        """Take one token of this source's and one of everybody's; False when either can't be had."""
        taken = 1.0 - self._each.left(source, now_s) / self._burst
        needed = 1.0 + taken * self._reserve
        if self._together.left(None, now_s) < needed or not self._each.take(source, now_s):
            return False
        return self._together.take(None, now_s)
