"""How many cards each player had left over a game, as two lines in a small plot."""

from typing import Final

from spitnet.core.cards import DECK_SIZE
from spitnet.ui.cells import Block, Fragment, Line

_DOTS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of a braille letter: two columns of four dots, from the top."""


def plot(
    mine: tuple[int, ...], theirs: tuple[int, ...], columns: int, rows: int, plain: bool
) -> Block:
    """One's own cards as a full line, the opponent's as a dotted one, from 52 at the top to 0."""
    across, down = (1, 1) if plain else (2, 4)
    own = _points(mine, columns * across, rows * down, 1)
    other = _points(theirs, columns * across, rows * down, 1 if plain else 3)
    grid = [[_cell(own, other, x, y, plain) for x in range(columns)] for y in range(rows)]
    return tuple(_joined(cells) for cells in grid)


def samples(plain: bool) -> tuple[str, str]:
    """A piece of either line, level: what a legend shows."""
    return ("***", "ooo") if plain else ("⠤⠤⠤⠤", "⠄⠠ ⠄")


def _points(left: tuple[int, ...], wide: int, high: int, every: int) -> set[tuple[int, int]]:
    """Dots of a line, joined upright where it falls by more than one."""
    found: set[tuple[int, int]] = set()
    before: int | None = None
    for x in range(wide):
        number = left[x * (len(left) - 1) // max(1, wide - 1)]
        y = (DECK_SIZE - min(number, DECK_SIZE)) * (high - 1) // DECK_SIZE
        low, top = (y, y) if before is None else (max(before, y), min(before, y))
        if x % every == 0:
            found.update((x, between) for between in range(top, low + 1))
            before = y
    return found


def _cell(
    own: set[tuple[int, int]], other: set[tuple[int, int]], x: int, y: int, plain: bool
) -> Fragment:
    if plain:
        mine, theirs = (x, y) in own, (x, y) in other
        letter = "*" if mine else "o" if theirs else " "
    else:
        dots = [(2 * x + i, 4 * y + j, _DOTS[i][j]) for i in range(2) for j in range(4)]
        mine = any((i, j) in own for i, j, _bit in dots)
        theirs = any((i, j) in other for i, j, _bit in dots)
        bits = sum(bit for i, j, bit in dots if (i, j) in own or (i, j) in other)
        letter = chr(0x2800 + bits) if bits else " "
    return ("class:plot.own" if mine else "class:plot.theirs" if theirs else "", letter)


def _joined(cells: list[Fragment]) -> Line:
    """Neighbours of one style in one fragment."""
    line: list[Fragment] = []
    for style, letter in cells:
        if line and line[-1][0] == style:
            line[-1] = (style, line[-1][1] + letter)
        else:
            line.append((style, letter))
    return tuple(line)
