"""Reading what a person types, while something else may happen: a thread that reads, and a terminal that sends keys.

What belongs here: file descriptors, and the line discipline for single keys. What must not: what is typed.
"""

import codecs
import os
import select
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TextIO

if sys.platform == "win32":
    import msvcrt
else:
    import termios

READ_BYTES: Final = 4096


@contextmanager
def reading(stream: TextIO, tell: Callable[[str | None], None]) -> Iterator[None]:
    """While entered, `tell` gets what is typed, from another thread, as it comes; None at its end."""
    stop_read, stop_write = os.pipe()
    thread = threading.Thread(
        target=_read, args=(stream, stop_read, tell), name="reader", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        os.close(stop_write)
        if sys.platform != "win32":
            thread.join()
            os.close(stop_read)


def _read(stream: TextIO, stop: int, tell: Callable[[str | None], None]) -> None:
    decoder = codecs.getincrementaldecoder(stream.encoding or "utf-8")(errors="replace")
    while True:
        try:
            data = _some(stream, stop)
        except OSError:
            data = b""
        if data is None:
            return
        tell(decoder.decode(data) if data else None)
        if not data:
            return


if sys.platform == "win32":

    def _some(stream: TextIO, stop: int) -> bytes | None:
        """Windows can't wait for two things here: the thread is left behind at its last read."""
        del stop
        if stream.isatty():
            return msvcrt.getwch().encode(stream.encoding or "utf-8")
        return os.read(stream.fileno(), READ_BYTES)

else:

    def _some(stream: TextIO, stop: int) -> bytes | None:
        """What comes next; nothing at the end, None once asked to stop."""
        ready, _, _ = select.select([stream.fileno(), stop], [], [])
        return None if stop in ready else os.read(stream.fileno(), READ_BYTES)


@contextmanager
def single_keys(stream: TextIO) -> Iterator[Callable[[], None] | None]:
    """While entered, a terminal sends each key at once and shows none; yields what drops those not read yet.

    Ctrl-C stays a signal. Where there is no terminal nothing is changed, and None is yielded.
    """
    if sys.platform == "win32" or not stream.isatty():
        yield (lambda: None) if stream.isatty() else None
        return
    fd = stream.fileno()
    before = termios.tcgetattr(fd)
    modes = termios.tcgetattr(fd)
    modes[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(fd, termios.TCSADRAIN, modes)
    try:
        yield lambda: termios.tcflush(fd, termios.TCIFLUSH)
    finally:
        with suppress(termios.error):  # the terminal may be gone
            termios.tcsetattr(fd, termios.TCSAFLUSH, before)
