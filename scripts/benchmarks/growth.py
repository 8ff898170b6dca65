"""What a beat costs late in a match: the time it takes and the memory that it needs, over those of an early one.

Two sessions with a journal each, in a process of their own. One match waits at beat EARLY while another is played to its
last beat but WINDOW; then both go on in turns, a few beats each, so that whatever else the machine does hits both. The
times are medians; the memory is the process's own, after all of it over before the long match.

    python -m benchmarks.growth BEATS DIRECTORY      prints a `Burden` as JSON
"""

import gc
import json
import sys
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from subprocess import PIPE
from time import perf_counter
from typing import Final, NamedTuple

import psutil

from benchmarks.children import Run, child, finish, module
from benchmarks.figures import Samples
from benchmarks.pairs import Pair, seated
from benchmarks.plots import Curve
from spitnet.core.cards import Seat
from spitnet.journal.file_format import FORMAT, Opened
from spitnet.journal.store import Journal
from spitnet.protocol import VERSION
from spitnet.protocol.lockstep import Write

EARLY: Final = 100
WINDOW: Final = 2000
"""Beats of either match whose times are compared: some twenty games, which differ."""
TURN: Final = 50
GAMES: Final = 999
"""The longest match that there is: with these moves it lasts some 110,000 beats."""
LOOKS: Final = 10
"""Points of the curves."""
STARTED: Final = "2026-01-01T00:00:00Z"
RUN_S: Final = 200.0


class Burden(NamedTuple):
    """By beats played: times in µs for both sides together, memory in MiB. `curve` has (beat, time, memory)."""

    early_us: float
    late_us: float
    early_mib: float
    late_mib: float
    curve: tuple[tuple[int, float, float], ...]


def flat(run: Run) -> Samples:
    """Late over early."""
    home, beats = run.home("growth"), run.times(100_000, 5_000)
    with child(module("growth", str(beats), str(home)), home, PIPE) as process:
        written = process.stdout.read() if process.stdout else ""
        finish((process,), home, RUN_S)
    found = Burden(**json.loads(written))
    run.curves.extend(
        [
            Curve(
                "beat_by_length",
                "a beat of both sides, by the length of the match",
                "beats",
                "µs",
                tuple((beat, took_us) for beat, took_us, _ in found.curve),
            ),
            Curve(
                "memory_by_length",
                "memory of both sides, by the length of the match",
                "beats",
                "MiB",
                tuple((beat, resident) for beat, _, resident in found.curve),
            ),
        ]
    )
    time_growth, memory_growth = found.late_us / found.early_us, found.late_mib / found.early_mib
    return {
        "beat_early_us": [found.early_us],
        "beat_late_us": [found.late_us],
        "memory_early_mib": [found.early_mib],
        "memory_late_mib": [found.late_mib],
        "growth_time": [time_growth],
        "growth_memory": [memory_growth],
        "growth": [max(time_growth, memory_growth)],
    }


class _Match:
    """A match that is recorded on the disk, both sides of it, and the times of its beats."""

    def __init__(self, directory: Path, ending: ExitStack) -> None:
        both = seated(GAMES)
        self._journals = [
            ending.enter_context(
                Journal.create(
                    directory,
                    Opened(FORMAT, VERSION, one.seat, STARTED, one.origin, ()),
                    sync=False,
                )
            )
            for one in both
        ]
        self.pair = Pair(both, self._write)

    def played_s(self, until: int) -> list[float]:
        """Goes on to that beat; the time of each."""
        times_s = []
        while self.pair.beat < until:
            before_s = perf_counter()
            self.pair.play()
            times_s.append(perf_counter() - before_s)
        return times_s

    def _write(self, seat: Seat, effect: Write) -> None:
        self._journals[seat].append(effect.record, effect.durable)


def measured(beats: int, directory: Path) -> Burden:
    """One match at its beginning beside one that has gone on for so many beats."""
    with ExitStack() as ending:
        early = _Match(directory / "early", ending)
        late = _Match(directory / "late", ending)
        early.played_s(EARLY)
        curve = [_look(late, EARLY)]
        early_mib = _resident_mib()
        looks = [number * (beats - WINDOW) // LOOKS for number in range(1, LOOKS + 1)]
        curve += [_look(late, until) for until in looks]
        late_mib = _resident_mib()
        early_s: list[float] = []
        late_s: list[float] = []
        for _ in range(WINDOW // TURN):
            early_s += early.played_s(early.pair.beat + TURN)
            late_s += late.played_s(late.pair.beat + TURN)
    return Burden(1e6 * median(early_s), 1e6 * median(late_s), early_mib, late_mib, tuple(curve))


def _look(match: _Match, until: int) -> tuple[int, float, float]:
    took_s = match.played_s(until)[-WINDOW:]
    return until, 1e6 * median(took_s), _resident_mib()


def _resident_mib() -> float:
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 2**20


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]), Path(sys.argv[2]))._asdict()))
