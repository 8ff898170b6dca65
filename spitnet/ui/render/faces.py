"""Cards as blocks of cells: faces, backs, empty places. Cached: there are few of them, drawn again and again."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from spitnet.core.cards import DECK_SIZE, SUITS
from spitnet.ui.cells import Block, Fragment, Line, fit, width
from spitnet.ui.render.glyphs import large, large_ascii
from spitnet.ui.render.look import SUIT_LETTERS, SUIT_SIGNS, Look


class Outline(NamedTuple):
    """The letters that an outline is made of."""

    upper_left: str
    upper_right: str
    lower_left: str
    lower_right: str
    across: str
    side: str


class Edge(Enum):
    """How something is outlined: with line drawing, and without."""

    ROUND = (Outline(*"╭╮╰╯─│"), Outline(*"..''-|"))
    HEAVY = (Outline(*"┏┓┗┛━┃"), Outline(*"####=#"))
    DASHED = (Outline(*"╭╮╰╯╌┆"), Outline(*"..''::"))
    DOUBLE = (Outline(*"╔╗╚╝═║"), Outline(*"++++=I"))

    def outline(self, plain: bool) -> Outline:
        """The letters; `plain`: ASCII ones."""
        return self.value[plain]


@dataclass(frozen=True, slots=True)
class Border:
    """The outline of one card: its edge, its style, what is written in the lower edge."""

    edge: Edge
    style: str
    foot: str = ""


SUIT_STYLES: Final = (
    "class:suit.spade",
    "class:suit.heart",
    "class:suit.diamond",
    "class:suit.club",
)
_DIM: Final = "class:dim"


@lru_cache(maxsize=4096)
def face(number: int, columns: int, rows: int, border: Border, look: Look) -> Block:
    """A card that lies open; `number` is 0..51, for rank and suit."""
    rank = look.rank_letters[number % DECK_SIZE // len(SUITS)]
    suit = number % len(SUITS)
    ink = SUIT_STYLES[suit]
    sign = (SUIT_LETTERS if look.ascii else SUIT_SIGNS)[suit]
    wide, high = columns - 2, rows - 2
    drawn = _drawn(rank, wide, high, look.ascii)
    if drawn is None:
        inside = _written(rank, sign, wide, high)
        return bordered(inside, ink, columns, border, look.ascii)
    inside = _centred(drawn, wide, high)
    return bordered(inside, ink, columns, border, look.ascii, f"{rank}{sign}", sign)


def _written(rank: str, sign: str, columns: int, rows: int) -> tuple[str, ...]:
    """The rank and the suit in letters."""
    between = " " * max(1, columns - 2 - width(rank) - width(sign))
    if rows < 3:
        return _centred((fit(f" {rank}{between}{sign}", columns),), columns, rows)
    middle = _centred((sign,), columns, rows - 2)
    return (fit(f" {rank}", columns), *middle, fit(f"{rank} ", columns, ">"))


def _drawn(rank: str, columns: int, rows: int, plain: bool) -> tuple[str, ...] | None:
    """The largest drawing of the rank that has room."""
    drawings = [large_ascii(rank)] if plain else [large(rank, scale) for scale in (2, 1)]
    for dots in drawings:
        if dots and len(dots) <= rows and len(dots[0]) <= columns:
            return dots
    return None


def _centred(lines: tuple[str, ...], columns: int, rows: int) -> tuple[str, ...]:
    above = max(0, rows - len(lines)) // 2
    below = max(0, rows - len(lines) - above)
    empty = " " * columns
    return (
        (empty,) * above
        + tuple(fit(line, columns, "^") for line in lines[:rows])
        + (empty,) * below
    )


def bordered(
    inside: tuple[str, ...],
    ink: str,
    columns: int,
    border: Border,
    plain: bool,
    corner: str = "",
    opposite: str = "",
) -> Block:
    """Lines in an outline; `corner` is written in the upper edge, `opposite` across from it on a large card."""
    outline = border.edge.outline(plain)
    style, across = border.style, outline.across
    opposite = opposite if len(inside) > 4 else ""
    top = _edge(columns, across, ("", ink), (corner, ink))
    bottom = _edge(columns, across, (opposite, ink), (border.foot, style))
    side: Fragment = (style, outline.side)
    return (
        ((style, outline.upper_left), *_styled(top, style), (style, outline.upper_right)),
        *((side, (ink, text), side) for text in inside),
        ((style, outline.lower_left), *_styled(bottom, style), (style, outline.lower_right)),
    )


def _edge(columns: int, across: str, left: tuple[str, str], right: tuple[str, str]) -> Line:
    """An upper or lower edge without its corners; a word near its left and its right end, each with its ink."""
    before, after = _label(left[0], across), _label(right[0], across)[::-1]
    room = columns - 2 - width("".join((*before, *after)))
    if room < 0:
        return (("", across * (columns - 2)),)
    return (
        ("", before[0]),
        (left[1], before[1]),
        ("", across * room),
        (right[1], after[0]),
        ("", after[1]),
    )


def _label(word: str, across: str) -> tuple[str, str]:
    """A piece of the edge, and the word; nothing at all for no word."""
    return (across, f" {word} ") if word else ("", "")


def _styled(line: Line, style: str) -> Line:
    """The line without empty fragments; what has no style yet gets this one."""
    return tuple((own or style, text) for own, text in line if text)


@lru_cache(maxsize=256)
def place(columns: int, rows: int, plain: bool, text: str = "") -> Block:
    """Where no card lies."""
    inside = _centred((text,) if text else (), columns - 2, rows - 2)
    return bordered(inside, _DIM, columns, Border(Edge.DASHED, "class:place"), plain)


@lru_cache(maxsize=1024)
def stock(number: int, columns: int, rows: int, plain: bool) -> Block:
    """A stock: the back of its first card, the edges of those below it, how many there are."""
    under = (
        (number > 1) + (number > 16) + (number > 32) if columns > 6 else min(1, max(0, number - 1))
    )
    room = 3 if columns > 6 else 1
    card = columns - room
    if not number:
        return tuple((*line, ("", " " * room)) for line in place(card, rows, plain, "0"))
    edge = Edge.ROUND.outline(plain)
    edges = (edge.upper_right, edge.side, edge.lower_right)
    border = Border(Edge.ROUND, "class:back.edge")
    back = bordered(_back(number, card - 2, rows - 2, plain), "class:back", card, border, plain)
    sides = (edges[0], *(edges[1],) * (rows - 2), edges[2])
    return tuple(
        (*line, ("class:back.edge", side * under + " " * (room - under)))
        for line, side in zip(back, sides, strict=True)
    )


def _back(number: int, columns: int, rows: int, plain: bool) -> tuple[str, ...]:
    """The pattern of a back with the number in it."""
    dot = ":" if plain else "░"
    label = str(number) if columns < 4 else f" {number} "
    spare = columns - len(label)
    middle = dot * (spare // 2) + label + dot * (spare - spare // 2)
    return tuple(middle if row == rows // 2 else dot * columns for row in range(rows))
