"""Who may try the code of a table now. Pure; time comes in.

Each try shows whether one code is right, so all of them together must be few; but whoever tries wrong codes must not keep
out the one who knows it. Keys cost nothing, so what counts is the address. Source: WIRE.md,
section 6.
"""

from collections import OrderedDict
from typing import NamedTuple

from spitnet.protocol.limits import Allowance, Rate

WAIT_S = 2.0
"""After a wrong code its address isn't heard for so long, twice as long after each further one."""
WAIT_MOST_S = 60.0
TOGETHER = Rate(12, 4 / 60)
"""Wrong codes of all addresses together. Four digits take a day and a half of trying, by how many machines ever."""
_LEVEL_MOST = 8
_ADDRESSES_MOST = 1024


class _Tries(NamedTuple):
    """The wrong codes of one address."""

    wrong: int
    deaf_until_s: float


class Guesses:
    """Counts wrong codes by the address that they came from."""

    def __init__(self) -> None:
        self.tries: OrderedDict[str, _Tries] = OrderedDict()
        self._together = Allowance(TOGETHER, most=1)

    def may_try(self, address: str, now_s: float) -> bool:
        """Whether a code from there is looked at now.

        Of what is left to all together, an address that was wrong before leaves the more to others the more often it was:
        the last one is for those that never were.
        """
        wrong, deaf_until_s = self.tries.get(address, _Tries(0, now_s))
        left = self._together.left(None, now_s)
        return now_s >= deaf_until_s and left >= 1 + min(wrong, _LEVEL_MOST)

    def wrong(self, address: str, now_s: float) -> None:
        """The code that was tried from there was wrong."""
        before = self.tries.pop(address, _Tries(0, now_s)).wrong
        wait_s = min(WAIT_S * 2.0 ** min(before, _LEVEL_MOST), WAIT_MOST_S)
        self.tries[address] = _Tries(before + 1, now_s + wait_s)
        self._together.take(None, now_s)
        if len(self.tries) > _ADDRESSES_MOST:
            self.tries.popitem(last=False)
