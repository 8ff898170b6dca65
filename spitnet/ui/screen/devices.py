"""The terminal as prompt_toolkit's input and output, with what it leaves out.

What belongs here: noticing that a terminal is gone, keys that are told whole, asking for no more mouse than is used. What
must not: what keys mean, frames.
"""

import os
import select
import sys
from collections.abc import Callable
from typing import Final

from prompt_toolkit.input.base import Input
from prompt_toolkit.input.defaults import create_input
from prompt_toolkit.output import Output
from prompt_toolkit.output.defaults import create_output

from spitnet.ui.screen.parser import KeyParser
from spitnet.ui.terminal.key_sequences import CursorPosition

if sys.platform != "win32":
    from prompt_toolkit.input.posix_utils import PosixStdinReader
    from prompt_toolkit.input.vt100 import Vt100Input
    from prompt_toolkit.output.vt100 import Vt100_Output

    class _Reader(PosixStdinReader):
        """Where prompt_toolkit takes a failing read for nothing to read, and asks again for ever, this one ends."""

        def read(self, count: int = 1024) -> str:
            if self.closed:
                return ""
            try:
                ready, _, _ = select.select([self.stdin_fd], [], [], 0)
                if not ready:
                    return ""
                data = os.read(self.stdin_fd, count)
            except BlockingIOError:
                return ""
            except OSError:
                data = b""
            self.closed = not data
            return self._stdin_decoder.decode(data)

    class _Output(Vt100_Output):
        """Reports buttons, and no movements: those would be a key each."""

        def enable_mouse_support(self) -> None:
            self.write_raw(MOUSE_ON)

        def disable_mouse_support(self) -> None:
            self.write_raw(MOUSE_OFF)


MOUSE_ON: Final = "\x1b[?1000h\x1b[?1006h"
MOUSE_OFF: Final = "\x1b[?1006l\x1b[?1000l"


def real_input() -> Input:
    """The keyboard of this process."""
    if sys.platform == "win32":
        return create_input()
    keyboard = Vt100Input(sys.stdin)
    keyboard.stdin_reader = _Reader(sys.stdin.fileno(), encoding=sys.stdin.encoding)
    return keyboard


def take_keys(keyboard: Input, placed: Callable[[CursorPosition], None]) -> None:
    """From now on its sequences are told whole, and `placed` where the cursor is. Windows' console has keys of its own."""
    if sys.platform != "win32" and isinstance(keyboard, Vt100Input):
        tell = keyboard.vt100_parser.feed_key_callback
        keyboard.vt100_parser = KeyParser(tell, placed)


def real_output() -> Output:
    """The screen of this process."""
    if sys.platform == "win32":
        return create_output()
    return _Output.from_pty(sys.stdout, term=os.environ.get("TERM"))
