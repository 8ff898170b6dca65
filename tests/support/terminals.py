"""A program under a pseudo-terminal, and the screen that a person would see: no sleeping, only waiting for what shows.

`Pty` starts a command as a session of its own, so that it has the terminal's signals too; what it writes goes through
pyte, and is kept as bytes. What must not be here: what the program is.
"""

import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil
import pyte

DEADLINE_S = 20.0
"""Generous: only a failing test waits so long."""
_KILL_AFTER_S = 10.0


class _Answering(pyte.Screen):
    """Says where its cursor is, as terminals do."""

    def __init__(self, columns: int, rows: int, send: Callable[[str], None]) -> None:
        super().__init__(columns, rows)
        self._send = send

    def write_process_input(self, data: str) -> None:
        self._send(data)


class Pty:
    """A running program and its screen, `columns` by `rows`. `answers`: where its cursor is, if that is asked."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 80,
        rows: int = 24,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        answers: bool = True,
    ) -> None:
        self.output = b""
        """All that the program wrote."""
        self.screen = (
            _Answering(columns, rows, self.send) if answers else pyte.Screen(columns, rows)
        )
        self._stream = pyte.ByteStream(self.screen)
        self._master, self._slave = os.openpty()
        self._set_size(columns, rows)
        self.modes_before = termios.tcgetattr(self._slave)
        self.process = subprocess.Popen(
            command,
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=_take_terminal,  # noqa: PLW1509 - it only makes the terminal the session's own
            env=None if env is None else dict(env),
            cwd=cwd,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(_KILL_AFTER_S)
        self.close_terminal()
        if self._slave >= 0:
            os.close(self._slave)

    @property
    def lines(self) -> list[str]:
        """The screen, row by row, without the blanks at the ends."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def modes(self) -> list[Any]:
        """The line discipline as it is now."""
        return termios.tcgetattr(self._slave)

    def set_modes(self, modes: list[Any]) -> None:
        """As when another program uses the terminal meanwhile."""
        termios.tcsetattr(self._slave, termios.TCSANOW, modes)

    def unread(self) -> bytes:
        """What was typed and read by nobody: what a shell would get."""
        ready, _, _ = select.select([self._slave], [], [], 0)
        return os.read(self._slave, 65536) if ready else b""

    def send(self, keys: str | bytes) -> None:
        """Types."""
        os.write(self._master, keys.encode() if isinstance(keys, str) else keys)

    def write_over(self, text: str) -> None:
        """As another program writes on this terminal."""
        os.write(self._slave, text.encode())

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def resize(self, columns: int, rows: int) -> None:
        """As when a window is drawn larger; the program is told by the system."""
        self.screen.resize(rows, columns)
        self._set_size(columns, rows)

    def close_terminal(self) -> None:
        """As when a window is closed: nobody is at the other end any more."""
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def read(self, within_s: float = 0.05) -> bytes:
        """What the program writes next, shown on the screen; nothing if nothing comes in time."""
        ready, _, _ = select.select([self._master], [], [], within_s)
        if not ready:
            return b""
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return b""
        self.output += data
        self._stream.feed(data)
        return data

    def until(
        self,
        reached: Callable[[], object],
        what: str = "",
        within_s: float = DEADLINE_S,
        press: str = "",
    ) -> None:
        """Reads until `reached`; fails with the screen in its message.

        `press`: what to type meanwhile, again and again: a key that comes before the program knows that a page is on the
        screen doesn't count.
        """
        end_s = time.monotonic() + within_s
        while not reached():
            if time.monotonic() > end_s:
                raise AssertionError(f"not within {within_s} s: {what}\n{self.text}")
            if press:
                self.send(press)
            self.read()

    def until_shows(self, text: str) -> None:
        """Reads until the text is on the screen."""
        self.until(lambda: text in self.text, repr(text))

    def until_it_reads(self) -> None:
        """Until the program, which has asked for a line, sleeps: Python raises nothing for a Ctrl-C that comes between its
        prompt and its read before something is typed.
        """
        program = psutil.Process(self.process.pid)
        self.until(lambda: program.status() == psutil.STATUS_SLEEPING, "the program's sleep")

    def wait(self) -> int:
        """Reads to the program's end; its exit code."""
        self.until(lambda: self.process.poll() is not None, "the program's end")
        while self._master >= 0 and self.read(0.0):
            pass
        return self.process.wait(_KILL_AFTER_S)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _take_terminal() -> None:
    """In the new session, before the program starts: the terminal is its controlling one, and Ctrl-C is heard.

    A shell that runs the tests in the background may have them ignore it.
    """
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
