"""Frames as a terminal shows them: through prompt_toolkit's own output and a terminal emulator; and as pictures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from io import StringIO
from itertools import groupby
from typing import Any, Final

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import print_formatted_text
from prompt_toolkit.styles import Style

from spitnet.ui.render.frame import Frame
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.render.styles import rules

DEPTHS: Final = {
    Colours.NONE: ColorDepth.MONOCHROME,
    Colours.SIXTEEN: ColorDepth.ANSI_COLORS_ONLY,
    Colours.C256: ColorDepth.DEFAULT,
    Colours.TRUE: ColorDepth.TRUE_COLOR,
}


def texts(frame: Frame) -> list[str]:
    """The lines of a frame without their styles."""
    return ["".join(text for _style, text in line) for line in frame.lines]


def emulated(frame: Frame, columns: int, look: Look) -> Any:
    """A pyte screen that shows the frame as prompt_toolkit writes it for the colours of `look`."""
    rows = len(frame.lines)
    written = StringIO()
    output = Vt100_Output(written, lambda: Size(rows=rows, columns=columns), term="xterm-256color")
    style = Style.from_dict(rules(look))
    screen = pyte.Screen(columns, rows)
    stream = pyte.Stream(screen)
    for row, line in enumerate(frame.lines):
        stream.feed(f"\x1b[{row + 1};1H")
        print_formatted_text(output, FormattedText(line), style, color_depth=DEPTHS[look.colours])
        stream.feed(written.getvalue())
        written.seek(0)
        written.truncate()
    return screen


@dataclass(frozen=True, slots=True)
class Paper:
    """What a terminal's theme looks like: its two own colours, and the sixteen."""

    ground: str
    ink: str
    palette: tuple[str, ...]


def _colours(hexes: str) -> tuple[str, ...]:
    return tuple(f"#{one}" for one in hexes.split())


_NAMES: Final = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
DARK: Final = Paper(
    "#16181d",
    "#d6d9e0",
    _colours(
        "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5"
        " 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff"
    ),
)
LIGHT: Final = Paper(
    "#fbfbf8",
    "#2a2c33",
    _colours(
        "000000 cd3131 00bc00 949800 0451a5 bc05bc 0598bc 555555"
        " 666666 cd3131 14ce14 b5ba00 0451a5 bc05bc 0598bc a5a5a5"
    ),
)
CELL: Final = (10.0, 20.0)
_FONT: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"


def svg(screen: Any, paper: Paper, margin: float = 14.0) -> str:
    """The screen as an SVG picture; lines and blocks are drawn, so that no font leaves gaps in them."""
    columns, rows = screen.columns, screen.lines
    high, wide = rows * CELL[1] + 2 * margin, columns * CELL[0] + 2 * margin
    size = f'viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{_FONT}" font-size="16.5">',
        f'<rect width="100%" height="100%" rx="8" fill="{paper.ground}"/>',
        f'<g transform="translate({margin},{margin})" shape-rendering="geometricPrecision">',
    ]
    for row in range(rows):
        for column, text, char in _runs(screen, row):
            parts += _run(column, row, text, char, paper)
    return "\n".join((*parts, "</g></svg>\n"))


def _runs(screen: Any, row: int) -> Iterator[tuple[int, str, Any]]:
    """Cells of one look in a row, from left to right; the empty cell after a wide letter is left out."""
    line = [screen.buffer[row][column] for column in range(screen.columns)]
    column = 0
    for _key, group in groupby(line, key=lambda char: char._replace(data="")):
        cells = list(group)
        start = 0
        for position, char in enumerate(cells):
            drawn = char.data in _SHAPES
            if drawn or not char.data or not char.data.isascii():
                yield column + start, "".join(one.data for one in cells[start:position]), cells[0]
                yield column + position, char.data, char
                start = position + 1
        yield column + start, "".join(one.data for one in cells[start:]), cells[0]
        column += len(cells)


def _colour(name: str, default: str, bold: bool, paper: Paper) -> str:
    if name == "default":
        return default
    bright = name.startswith("bright")
    plain = name.removeprefix("bright").replace("yellow", "brown")
    if plain in _NAMES:
        return paper.palette[_NAMES.index(plain) + 8 * bright]
    return f"#{name}"


def _run(column: int, row: int, text: str, char: Any, paper: Paper) -> Iterator[str]:
    ink = _colour(char.fg, paper.ink, char.bold, paper)
    ground = _colour(char.bg, paper.ground, False, paper)
    if char.reverse:
        ink, ground = ground, ink
    x, y = column * CELL[0], row * CELL[1]
    cells = len(text)
    if text and ground != paper.ground:
        yield f'<rect x="{x:.1f}" y="{y:.1f}" width="{cells * CELL[0]:.1f}" height="{CELL[1]}" fill="{ground}"/>'
    if text in _SHAPES:
        yield _shape(text, x, y, ink, 1.7 if char.bold else 1.3)
    elif text.strip():
        weight = ' font-weight="bold"' if char.bold else ""
        under = ' text-decoration="underline"' if char.underscore else ""
        length = f' textLength="{cells * CELL[0]:.1f}"' if cells > 1 else ""
        yield (
            f'<text x="{x:.1f}" y="{y + 15.4:.1f}" fill="{ink}"{weight}{under}{length}'
            f' xml:space="preserve">{escape(text)}</text>'
        )


_SHAPES: Final = {
    "─": "M0 .5H1", "━": "M0 .5H1", "│": "M.5 0V1", "┃": "M.5 0V1",
    "╭": "M.5 1V.8Q.5 .5 1 .5", "╮": "M0 .5Q.5 .5 .5 .8V1",
    "╰": "M.5 0V.2Q.5 .5 1 .5", "╯": "M0 .5Q.5 .5 .5 .2V0",
    "┏": "M.5 1V.5H1", "┓": "M0 .5H.5V1", "┗": "M.5 0V.5H1", "┛": "M0 .5H.5V0",
    "╌": "M.08 .5H.42M.58 .5H.92", "┆": "M.5 .05V.28M.5 .38V.62M.5 .72V.95",
    "═": "M0 .42H1M0 .58H1", "║": "M.35 0V1M.65 0V1",
    "╔": "M.35 1V.42H1M.65 1V.58H1", "╗": "M0 .42H.65V1M0 .58H.35V1",
    "╚": "M.35 0V.58H1M.65 0V.42H1", "╝": "M0 .58H.65V0M0 .42H.35V0",
    "█": "0 0 1 1", "▀": "0 0 1 .5", "▄": "0 .5 1 .5", "░": "", "▒": "",
}  # fmt: skip
"""Strokes, or a rectangle, in parts of a cell."""
_HEAVY: Final = "━┃┏┓┗┛"


def _shape(letter: str, x: float, y: float, ink: str, stroke: float) -> str:
    if letter in "░▒":
        share = 0.22 if letter == "░" else 0.45
        return f'<rect x="{x:.2f}" y="{y:.2f}" width="{CELL[0]}" height="{CELL[1]}" fill="{ink}" opacity="{share}" shape-rendering="crispEdges"/>'
    if letter in "█▀▄":
        left, top, wide, high = (float(part) for part in _SHAPES[letter].split())
        return (
            f'<rect x="{x + left * CELL[0]:.2f}" y="{y + top * CELL[1]:.2f}" width="{wide * CELL[0]:.2f}"'
            f' height="{high * CELL[1]:.2f}" fill="{ink}" shape-rendering="crispEdges"/>'
        )
    heavy = 2.2 if letter in _HEAVY else 1.0
    return f'<path d="{_scaled(letter, x, y)}" fill="none" stroke="{ink}" stroke-width="{stroke * heavy}"/>'


def _scaled(letter: str, x: float, y: float) -> str:
    """The strokes of a letter in the picture's own measures."""
    path, at = "", [0.0, 0.0]
    for command, numbers in re.findall(r"([MHVQ])([\d. ]+)", _SHAPES[letter]):
        values = [float(number) for number in numbers.split()]
        if command == "H":
            at = [values[0], at[1]]
            points = at
        elif command == "V":
            at = [at[0], values[0]]
            points = at
        else:
            points, at = values, values[-2:]
        where = zip(points[::2], points[1::2], strict=True)
        path += ("L" if command in "HV" else command) + " ".join(
            f"{x + across * CELL[0]:.2f} {y + down * CELL[1]:.2f}" for across, down in where
        )
    return path
