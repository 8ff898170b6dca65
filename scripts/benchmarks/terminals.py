"""A program on a pseudo-terminal with all colours, and what it writes there, as bytes.

What belongs here: starting it, typing, reading. What must not: what is measured; a terminal emulator.
"""

import contextlib
import os
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from benchmarks.children import END_S, Trouble, child

if sys.platform != "win32":
    import fcntl
    import termios

USUAL: Final = (80, 24)
"""Columns and rows."""


class Terminal:
    """The far end of a pseudo-terminal, and the program at the near end."""

    def __init__(self, end: int, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self._end = end

    def fileno(self) -> int:
        return self._end

    def send(self, keys: bytes) -> None:
        """Types."""
        os.write(self._end, keys)

    def read(self, within_s: float) -> bytes:
        """What the program writes next; nothing if nothing comes in time."""
        ready, _, _ = select.select([self._end], [], [], within_s)
        if not ready:
            return b""
        try:
            return os.read(self._end, 65536)
        except OSError:  # nobody has the near end any more
            return b""

    def until_quiet(self, quiet_s: float, most_s: float = 1.0) -> bytes:
        """All that comes until nothing came for so long."""
        parts, until_s = [], time.monotonic() + most_s
        while time.monotonic() < until_s and (part := self.read(quiet_s)):
            parts.append(part)
        return b"".join(parts)

    def until_shows(self, texts: Sequence[str], within_s: float) -> bytes:
        """All that comes until each text has been written in one piece.

        Raises: Trouble: it isn't.
        """
        written, wanted = b"", [text.encode() for text in texts]
        until_s = time.monotonic() + within_s
        while not all(text in written for text in wanted):
            if time.monotonic() > until_s or self.process.poll() is not None:
                raise Trouble(f"the screen didn't show all of {texts}")
            written += self.read(0.05)
        return written


@contextlib.contextmanager
def terminal(
    command: Sequence[str], home: Path, size: tuple[int, int] = USUAL
) -> Iterator[Terminal]:
    """A program on a terminal of its own while this is entered; gone afterwards.

    Raises: Trouble: there are no pseudo-terminals here.
    """
    if sys.platform == "win32":
        raise Trouble("left out, no pseudo-terminals here")
    far, near = os.openpty()
    try:
        columns, rows = size
        fcntl.ioctl(near, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        with child(command, home, stdout=near, stdin=near) as process:
            shown = Terminal(far, process)
            try:
                yield shown
            finally:
                _end(shown)
    finally:
        os.close(far)
        os.close(near)


def _end(shown: Terminal) -> None:
    """Asks the program to end, and reads its last words, since it may wait for that."""
    until_s = time.monotonic() + END_S
    if shown.process.poll() is None:
        shown.process.terminate()
    while shown.process.poll() is None and time.monotonic() < until_s:
        shown.read(0.02)
