"""The one clock of a run: monotonic, in seconds, and it runs on while the machine sleeps.

Who slept must be told apart from who was there and did nothing: a match can be claimed against either, and a claim that this
side knows to be false against neither. Python's own `monotonic` stands still in sleep on Linux and macOS.
"""

import sys
import time
from collections.abc import Callable
from functools import partial


def _clock() -> Callable[[], float]:
    if sys.platform == "win32":
        return time.monotonic  # there it counts sleep
    for name in ("CLOCK_BOOTTIME",) if sys.platform == "linux" else ("CLOCK_MONOTONIC",):
        number = getattr(time, name, None)
        if number is not None:
            return partial(time.clock_gettime, number)
    return time.monotonic


monotonic = _clock()
