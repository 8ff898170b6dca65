"""What this terminal can do, and giving it back as it was.

What belongs here: reading the environment's word on colours, size of character set and cleverness; how wide lines can
be; the last resort that resets a terminal when a full screen has died on it. What must not: drawing, prompt_toolkit.
"""

import atexit
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self, TextIO

from spitnet.ui.cells import folded
from spitnet.ui.render.look import Colours

if sys.platform != "win32":
    import termios

GIVE_BACK: Final = (
    "\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1000l"  # mouse
    "\x1b[?2004l"  # bracketed paste
    "\x1b[0m\x1b[?7h"  # colours, and lines that wrap again
    "\x1b[?1049l"  # the screen that was there before, with its cursor's place
    "\x1b[?25h"  # cursor
)
"""Undoes all that a full screen does to a terminal. It may come twice, with nothing printed between."""


class Interrupted(Exception):
    """The terminal went away or the process was told to end. Nothing is conceded by that. Source: R22."""


class InputEnded(Interrupted):
    """Nothing more can be typed."""


@dataclass(frozen=True, slots=True)
class Terminal:
    """What can be done here. Without `full_screen` the game is played in lines."""

    full_screen: bool
    colours: Colours
    suits: bool
    """Whether the signs of the suits and box lines can be written at all."""


def terminal(
    environ: Mapping[str, str],
    *,
    tty: bool,
    encoding: str | None,
    windows: bool = sys.platform == "win32",
) -> Terminal:
    """Judges by the environment; `tty`: both input and output are terminals; `encoding`: the output's."""
    name = environ.get("TERM", "")
    clever = tty and name != "dumb" and (windows or bool(name))
    return Terminal(
        full_screen=clever,
        colours=_colours(environ, name, windows) if clever else Colours.NONE,
        suits=(encoding or "").lower().replace("-", "").replace("_", "") in {"utf8", "utf16le"},
    )


def _colours(environ: Mapping[str, str], name: str, windows: bool) -> Colours:
    """NO_COLOR wins if it isn't empty (no-color.org). GNU screen hands COLORTERM on, but can't do what it says."""
    if environ.get("NO_COLOR") or name.startswith("vt"):
        return Colours.NONE
    screen = name.startswith("screen") and "TMUX" not in environ
    if environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"} and not screen:
        return Colours.TRUE
    if name.endswith(("-direct", "-truecolor")) or "WT_SESSION" in environ:
        return Colours.TRUE
    return Colours.C256 if "256color" in name or windows else Colours.SIXTEEN


def lines_for(stream: TextIO, text: str) -> list[str]:
    """The text as it is to be written there: one line, which a terminal must not break within a word."""
    columns = _columns(stream)
    # One less: where a line is exactly as wide, some terminals show an empty one behind it.
    return [text] if columns is None or not text else folded(text, columns - 1)


def _columns(stream: TextIO) -> int | None:
    """Of a terminal, as wide as it is now; None where there is none, or it doesn't know."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return None


class Guard:
    """While entered, the terminal is given back whatever happens: in `finally`, else when the program exits.

    `clean` is to be set by whoever has put the screen back already; the line discipline is restored in any case,
    and keys that nobody read are dropped, so that none of them reaches the shell.
    """

    def __init__(self, input_fd: int, output_fd: int) -> None:
        self.clean = False
        self._input_fd = input_fd
        self._output_fd = output_fd
        self._modes = _modes(input_fd)

    def __enter__(self) -> Self:
        atexit.register(self.give_back)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        atexit.unregister(self.give_back)
        self.give_back()

    def give_back(self) -> None:
        """At most once does something; a terminal that is gone is no error."""
        modes, self._modes = self._modes, None
        if sys.platform == "win32" or modes is None:
            return
        try:
            if not self.clean:
                os.write(self._output_fd, GIVE_BACK.encode())
            termios.tcsetattr(self._input_fd, termios.TCSAFLUSH, modes)
        except (OSError, termios.error):
            return


def _modes(fd: int) -> list[Any] | None:
    """The line discipline, None where there is none; Windows keeps it per call."""
    if sys.platform == "win32":
        return None
    try:
        return termios.tcgetattr(fd)
    except termios.error:
        return None
