"""Child processes of a run: started, waited for within a bound, ended whatever happens.

What belongs here: how a child is started and stopped, and where it lives. What must not: what it measures.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import environment
import psutil

from benchmarks.plots import Curve

LOOPBACK = "lo" if sys.platform == "linux" else "lo0"
LOOK_AGAIN_S = 0.02
_CORES: "set[int]" = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
END_S = 5.0
"""How long a child that was asked to end may take."""


class Trouble(Exception):
    """A figure can't be measured; the text is for the user."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of the bench. `directory` is on the checkout's disk and is removed at its end.

    `left_out` has a reason for each figure that can't be measured here; `curves` are what is to be plotted.
    """

    directory: Path
    quick: bool
    left_out: dict[str, str] = field(default_factory=dict)
    curves: list[Curve] = field(default_factory=list)

    def times(self, full: int, quick: int) -> int:
        """How often to do something in a full run, and in a quick one."""
        return quick if self.quick else full

    def home(self, name: str) -> Path:
        """A fresh directory of that name."""
        for number in range(10_000):
            path = self.directory / f"{name}-{number}"
            if not path.exists():
                path.mkdir()
                return path
        raise Trouble("too many directories")


def rival(package: str, run: Run, figures: Sequence[str]) -> Any:
    """Somebody else's package to compare with; None, and its figures left out, where it couldn't be installed."""
    try:
        return import_module(package)
    except ImportError as error:
        run.left_out.update(dict.fromkeys(figures, f"left out: {error}"))
        return None


def program() -> str:
    """The installed `spitnet`."""
    name = "spitnet.exe" if sys.platform == "win32" else "spitnet"
    return str(Path(sys.executable).parent / name)


def module(name: str, *arguments: str) -> list[str]:
    """The command that runs a module of this package."""
    return [sys.executable, "-m", f"benchmarks.{name}", *arguments]


def keep_to(core: int | None, process: int = 0) -> None:
    """Keep a process (0: this one), and the threads it will have, to one of the machine's cores; None: to all.

    Two peers that are measured have a core each, as two machines would: else the system may keep both sides of an echo on
    one core, where nobody ever has to be woken, and never does so with two programs that compute.
    """
    if hasattr(os, "sched_setaffinity"):
        wanted = _CORES if core is None else {sorted(_CORES)[core % len(_CORES)]}
        os.sched_setaffinity(process, wanted)


@contextlib.contextmanager
def child(
    command: Sequence[str],
    home: Path,
    stdout: int | IO[Any] = subprocess.DEVNULL,
    stdin: int = subprocess.DEVNULL,
    core: int | None = None,
) -> Iterator[subprocess.Popen[str]]:
    """A process that is there while this is entered, and gone afterwards; with `core`, it keeps to that one."""
    with (home / "stderr").open("a", encoding="utf-8") as complaints:
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=complaints,
            cwd=home,
            env=_variables(home),
            encoding="utf-8",
        )
        try:
            if core is not None:
                keep_to(core, process.pid)
            yield process
        finally:
            _end(process)


def finish(processes: Sequence[subprocess.Popen[str]], home: Path, within_s: float) -> None:
    """Wait for children to end well, or for the first that doesn't.

    Raises: Trouble, with its last words.
    """
    until_s = time.monotonic() + within_s
    while True:
        codes = [process.poll() for process in processes]
        if any(codes):
            raise Trouble(f"ended with exit codes {codes}: {_last_words(home)}")
        if None not in codes:
            return
        if time.monotonic() > until_s:
            raise Trouble(f"not finished within {within_s:g} s: {_last_words(home)}")
        time.sleep(LOOK_AGAIN_S)


def line_of(process: subprocess.Popen[str], event: str, home: Path) -> dict[str, Any]:
    """Read a child's lines up to the one that tells of this event."""
    for text in process.stdout or ():
        line: dict[str, Any] = json.loads(text)
        if line.get("event") == event:
            return line
    raise Trouble(f"no line of the kind {event}: {_last_words(home)}")


def free_port() -> int:
    """A UDP port that nobody has at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eavesdropper(port: int) -> socket.socket:
    """A socket that hears every broadcast to a discovery port, beside those who listen there already."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for name in ("SO_REUSEADDR", "SO_REUSEPORT"):
        if hasattr(socket, name):
            listener.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)
    listener.bind(("", port))
    listener.setblocking(False)
    return listener


def cpu_s(process: int) -> float:
    """Processor time of all its threads so far; to the nanosecond where the system tells, else to 10 ms."""
    tasks = [*Path(f"/proc/{process}/task").glob("*/schedstat")]
    if tasks:
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9
    times = psutil.Process(process).cpu_times()
    return float(times.user + times.system)


def _variables(home: Path) -> dict[str, str]:
    """Nobody's settings, keys or records, and a terminal with all colours; this package stays importable."""
    look = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": ""}
    own = {name: str(home) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    kept = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return {**environment.variables(), **kept, **own, **look, "PYTHONUTF8": "1", "LANGUAGE": "en"}


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _last_words(home: Path) -> str:
    lines = (home / "stderr").read_text(encoding="utf-8").splitlines()
    return lines[-1] if lines else "no word on stderr"
