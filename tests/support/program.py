"""The program as a user starts it: a process of its own, away from the user's settings and from the sources."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

PROGRAM = (sys.executable, "-m", "spitnet")
KEPT = ("PATH", "SYSTEMROOT", "PYTHONPATH", "PYTHONSAFEPATH", "TMPDIR", "TEMP")


class Ran(NamedTuple):
    """How a run ended, and what it printed."""

    code: int
    out: str
    err: str

    def complaint(self) -> str:
        """The one line on stderr; asserts that it is one, and that stdout is empty."""
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err
        assert self.out == ""
        return self.err.rstrip("\n")


def variables(home: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """A bare environment whose home is a directory of the test's own."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    own = {name: str(home) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    return {**kept, **own, "LANG": "C.UTF-8", **(extra or {})}


def run(
    home: Path,
    *arguments: str,
    extra: Mapping[str, str] | None = None,
    timeout_s: float = 30,
    inside: Sequence[str] = (),
) -> Ran:
    """Run `python -m spitnet` to its end, in a directory where there is nothing to import.

    `inside` are the words of a command that runs what follows them.
    """
    done = subprocess.run(
        [*inside, *PROGRAM, *arguments],
        cwd=home,
        env=variables(home, extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=timeout_s,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
