"""How often a source may ask something of us: token buckets in bounded memory. Pure; time comes in."""

from collections import OrderedDict
from collections.abc import Hashable


class Allowance:
    """One token bucket for each source: `burst` at once, `per_s` in the long run.

    At most `most` sources are remembered; the one not heard for longest is forgotten first, so who sends under ever new
    names is held by a second allowance for all together, not by this one.
    """

    def __init__(self, burst: float, per_s: float, most: int = 1024) -> None:
        self._burst = burst
        self._per_s = per_s
        self._most = most
        self._buckets: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, source: Hashable, now_s: float) -> bool:
        """Take one token of this source's; False when it has none left."""
        tokens, since_s = self._buckets.pop(source, (self._burst, now_s))
        tokens = min(self._burst, tokens + max(0.0, now_s - since_s) * self._per_s)
        allowed = tokens >= 1.0
        self._buckets[source] = (tokens - 1.0 if allowed else tokens, now_s)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return allowed
