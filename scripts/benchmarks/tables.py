"""How long a beat takes while both sides draw: the same peers as in `beats`, each behind its full screen.

Both terminals ask for a new picture of the whole table 60 times a second, as a window that is dragged larger does, and
the frames for the beats come on top. The two clocks drift against each other, and pauses between proposals are left to
chance, so that proposals fall into every part of a frame on either side. What must not be here: a second screen.
"""

import select
import signal
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.children import LOOPBACK, Run, Trouble, child, finish, free_port, module
from benchmarks.figures import Samples, percentile
from benchmarks.peer import Job, told_after_s
from benchmarks.terminals import USUAL, Terminal, terminal
from spitnet.core.cards import SEATS, Seat

WARM_UP = 30
"""The first beats are not counted."""
PAUSE_S = 0.01
SPREAD = 0.8
RATES: Final = (60.0, 61.0)
"""Full redraws a second, by seat."""
REDRAWN: Final = b"\x1b[?7h"
"""Written once before each picture of the whole."""
MATCH_S = 40.0


LARGE: Final = (200, 60)
NEVER_S = 10.0


class _Way(NamedTuple):
    """A way to share an interpreter between the match and a screen of that size; None: as the game does it."""

    name: str
    size: tuple[int, int]
    switch_s: float | None = None


OWN: Final = _Way("beat_under_tables", USUAL)
USUAL_WAYS: Final = (OWN, _Way("beat_under_tables_5ms", USUAL, 0.005))
LARGE_WAYS: Final = (
    _Way("beat_under_large_tables", LARGE),
    _Way("beat_under_large_tables_5ms", LARGE, 0.005),
    _Way("beat_under_large_tables_held", LARGE, NEVER_S),
)
"""The game's own, Python's default, and a screen that never gives way, as if both were in one loop."""


def under_tables(run: Run) -> Samples:
    """Each way in turn, host and joiner propose in turn; beside them the same match without screens."""
    found: Samples = {}
    ways = _ways(run, USUAL_WAYS)
    count = run.times(300, 120)
    for repetition in range(run.times(2, 1)):
        proposer = repetition % 2
        _note(found, "beat_without_tables", _beats_s(run, proposer, count))
        for way in ways:
            beats, redraws_per_s = _beats_on_screens(run, proposer, count, way)
            _note(found, way.name, beats)
            if way is OWN:
                found.setdefault("table_redraws_per_s", []).append(redraws_per_s)
    return found


def under_large_tables(run: Run) -> Samples:
    """The same once at a size where a whole picture takes longer than Python's own switch interval."""
    found: Samples = {}
    for way in _ways(run, LARGE_WAYS):
        beats, _ = _beats_on_screens(run, 0, run.times(120, 60), way)
        _note(found, way.name, beats)
    return found


def _ways(run: Run, ways: tuple[_Way, ...]) -> tuple[_Way, ...]:
    """In a quick run only the game's own, which is the first."""
    if not run.quick:
        return ways
    for way in ways[1:]:
        names = [f"{way.name}_{share}_ms" for share in ("p50", "p99")]
        run.left_out.update(dict.fromkeys(names, "left out of a quick run"))
    return ways[:1]


def _note(found: Samples, name: str, beats: list[float]) -> None:
    for share, word in ((0.5, "p50"), (0.99, "p99")):
        found.setdefault(f"{name}_{word}_ms", []).append(1e3 * percentile(beats, share))


def _jobs(run: Run, proposer: Seat, count: int, way: _Way | None) -> tuple[Job, Job]:
    home, port = run.home("tables"), free_port()
    switch_s = None if way is None else way.switch_s
    host, joiner = (
        Job(
            seat=seat,
            proposer=proposer,
            proposals=count + WARM_UP,
            pause_s=PAUSE_S,
            synced=False,
            interface=LOOPBACK,
            discovery_port=port,
            directory=str(home),
            spread=SPREAD,
            screen=way is not None,
            switch_s=switch_s,
        )
        for seat in SEATS
    )
    return host, joiner


def _beats_s(run: Run, proposer: Seat, count: int) -> list[float]:
    """At the same pace without a screen."""
    jobs = _jobs(run, proposer, count, None)
    home = Path(jobs[0].directory)
    with ExitStack() as ending:
        peers = [ending.enter_context(child(module("peer", job.text()), home)) for job in jobs]
        finish(peers, home, MATCH_S)
    return told_after_s(jobs[proposer])[WARM_UP:]


def _beats_on_screens(run: Run, proposer: Seat, count: int, way: _Way) -> tuple[list[float], float]:
    """Behind two screens; and how often a second the slower of them was drawn as a whole."""
    jobs = _jobs(run, proposer, count, way)
    home = Path(jobs[0].directory)
    with ExitStack() as ending:
        screens = [
            ending.enter_context(terminal(module("peer", job.text()), home, way.size))
            for job in jobs
        ]
        redraws_per_s = _kept_redrawing(screens)
        finish([shown.process for shown in screens], home, MATCH_S)
    return told_after_s(jobs[proposer])[WARM_UP:], redraws_per_s


class _Window:
    """A terminal that asks for a new picture at its own rate, and keeps what is written."""

    def __init__(self, shown: Terminal, rate: float) -> None:
        self.shown = shown
        self.due_s = 0.0
        self._period_s = 1 / rate
        self._written: list[bytes] = []
        self._began_s = self._last_s = 0.0

    def ask(self, now_s: float) -> None:
        """If it is time for one."""
        if now_s >= self.due_s:
            self.shown.process.send_signal(signal.SIGWINCH)
            self.due_s = max(self.due_s + self._period_s, now_s)

    def take(self, now_s: float) -> None:
        """What is there to be read."""
        part = self.shown.read(0)
        if part:
            self._began_s = self._began_s or now_s
            self._last_s = now_s
            self._written.append(part)

    def redraws_per_s(self) -> float:
        """Raises: Trouble: nothing was drawn."""
        redraws = b"".join(self._written).count(REDRAWN)
        if not redraws:
            raise Trouble("a screen stayed empty")
        return redraws / (self._last_s - self._began_s)


def _kept_redrawing(screens: list[Terminal]) -> float:
    """Asks for pictures and reads them until the programs end; how often a second the slower one drew."""
    windows = [_Window(shown, rate) for shown, rate in zip(screens, RATES, strict=True)]
    until_s = time.monotonic() + MATCH_S
    while None in [shown.process.poll() for shown in screens]:
        if (now_s := time.monotonic()) > until_s:
            break
        for window in windows:
            window.ask(now_s)
        select.select(screens, [], [], max(0.0, min(one.due_s for one in windows) - now_s))
        for window in windows:
            window.take(time.monotonic())
    return min(window.redraws_per_s() for window in windows)
