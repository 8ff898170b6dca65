"""What a whole table costs by the size of the terminal: processor time of `solo` for each time it is asked to redraw.

A redraw is asked for as a window that changes asks for it. Not in it: what a card that lands costs, which is a part of the
screen; see `screens`.
"""

import signal
from typing import Final

from benchmarks.children import Run, Trouble, cpu_s, program
from benchmarks.figures import Samples
from benchmarks.plots import Curve
from benchmarks.screens import QUIET_S, READY, SHOWN_S
from benchmarks.terminals import terminal

SIZES: Final = ((80, 24), (120, 40), (160, 50), (200, 60), (300, 100))
ENDS: Final = (SIZES[0], SIZES[-1])
REDRAWN: Final = b"\x1b[?7h"
"""Written once before each picture of the whole."""


def redraws(run: Run) -> Samples:
    """Each size once; the smallest and the largest are figures, all of them the curve."""
    took_ms = {
        size: _redraw_ms(run, size, run.times(40, 8)) for size in (ENDS if run.quick else SIZES)
    }
    points = tuple((columns * rows, took) for (columns, rows), took in took_ms.items())
    run.curves.append(
        Curve("redraw_by_size", "a whole table on the screen", "cells", "ms of processor", points)
    )
    return {f"redraw_{columns}x{rows}_ms": [took_ms[columns, rows]] for columns, rows in ENDS}


def _redraw_ms(run: Run, size: tuple[int, int], count: int) -> float:
    home = run.home("sizes")
    own = ("--name", "bench", "--no-hints", "--journal", str(home / "journal"))
    with terminal((program(), "solo", *own), home, size) as shown:
        shown.until_shows(("Spitbot", READY), SHOWN_S)
        shown.until_quiet(QUIET_S)
        before_s = cpu_s(shown.process.pid)
        drawn = 0
        for _ in range(count):
            shown.process.send_signal(signal.SIGWINCH)
            written = shown.read(1.0) + shown.until_quiet(QUIET_S)
            drawn += written.count(REDRAWN)
        used_s = cpu_s(shown.process.pid) - before_s
    if drawn < count:
        raise Trouble(f"only {drawn} of {count} redraws came")
    return 1e3 * used_s / drawn
