"""The one window of the full screen: a frame's lines become the renderer's rows, and only those that changed.

What belongs here: the shortest way from a frame to prompt_toolkit's renderer. What must not: drawing, keys.

prompt_toolkit makes a new screen for each frame and compares every cell of it with the last one, in Python. A frame here
differs from the last in a few lines; so lines that are the same are left out of both screens before they are compared.
"""

from collections import defaultdict
from functools import lru_cache
from itertools import zip_longest
from typing import Final, TypeAlias

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, Transparent, WritePosition
from prompt_toolkit.utils import get_cwidth

from spitnet.ui.cells import Line
from spitnet.ui.screen.control import SceneControl

Row: TypeAlias = defaultdict[int, Char]
"""Cells by column; those that are not there are blank."""

_BLANK: Final = Char(" ", Transparent)
"""As the cells of a row that isn't there."""
_PLAIN: Final = " "
"""No style. An empty one the renderer takes for one it doesn't know yet, and sets again."""
_char: Final = lru_cache(maxsize=8192)(Char)


class SceneWindow(Window):
    """Shows a control over the whole screen."""

    def __init__(self, control: SceneControl) -> None:
        super().__init__(control, always_hide_cursor=True)
        self._control = control
        self._lines: tuple[Line, ...] = ()

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """One frame."""
        width, height = write_position.width, write_position.height
        frame = self._control.frame(width, height)
        last = get_app().renderer.last_rendered_screen
        screen.width, screen.height = width, height
        lines = frame.lines[:height]
        pairs = zip_longest(lines, self._lines if last else (), fillvalue=())
        for number, (line, old) in enumerate(pairs):
            if last is None:
                screen.data_buffer[number] = _row(line)
            elif line == old:
                last.data_buffer.pop(number, None)
            else:
                screen.data_buffer[number] = _row(line)
                last.data_buffer[number] = _row(old)
        self._lines = lines
        screen.visible_windows_to_write_positions[self] = write_position
        handler = self._control.mouse_handler
        mouse_handlers.mouse_handlers = defaultdict(lambda: defaultdict(lambda: handler))


def _empty() -> Row:
    return defaultdict(lambda: _BLANK)


@lru_cache(maxsize=2048)
def _row(line: Line) -> Row:
    """The cells of a line: a wide letter takes two, a mark without width joins the letter before it."""
    row = _empty()
    column = 0
    for named, text in line:
        style = named or _PLAIN
        for letter in text:
            cells = get_cwidth(letter)
            if cells == 0 and column:
                row[column - 1] = _char(row[column - 1].char + letter, style)
                continue
            row[column] = _char(letter, style)
            for after in range(column + 1, column + cells):
                row[after] = _char("", style)
            column += cells
    return row
