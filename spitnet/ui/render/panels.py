"""Beside the rows: who sits there, how far they are, what they say; and their stock."""

from collections.abc import Sequence

from spitnet.core.cards import DECK_SIZE, Seat, other
from spitnet.core.moves import Ready
from spitnet.core.state import cards_left
from spitnet.ui import words
from spitnet.ui.cells import Block, Fragment, Line, aligned, blank, cut, width
from spitnet.ui.pages.due import is_shown_stuck
from spitnet.ui.render import labels
from spitnet.ui.render.faces import stock
from spitnet.ui.render.look import Look
from spitnet.ui.render.sizes import SMALLEST, Size
from spitnet.ui.scene import TableScene

_MARGIN = 1


def panel(scene: TableScene, seat: Seat, size: Size, look: Look) -> Block:
    """The facts of a player; one's own are aligned left, the opponent's right."""
    cells = size.side - _MARGIN * 2
    own = seat == scene.seat
    lines = _facts(scene, seat, cells, size, look)
    above = (size.height - len(lines)) // 2
    drawn = (*blank(cells, above), *lines, *blank(cells, size.height - above - len(lines)))
    edge: Fragment = ("", " " * _MARGIN)
    return tuple((edge, *aligned(line, cells, "<" if own else ">"), edge) for line in drawn)


def _facts(scene: TableScene, seat: Seat, cells: int, size: Size, look: Look) -> list[Line]:
    """As many as the height of a card has room for; what is left out then stands beside the piles."""
    own = seat == scene.seat
    left = cards_left(scene.match.game)[seat] if scene.match.game else DECK_SIZE
    name: Line = (
        ("class:name.own" if own else "class:name.theirs", cut(scene.names[seat], cells)),
    )
    if size.height == SMALLEST.height:
        return [name, _counted(left, cells)]
    won, lost = scene.races[seat], scene.races[other(seat)]
    text = first_fitting((labels.races(won, lost), labels.races_short(won, lost)), cells)
    races: Line = (("class:text", cut(text, cells)),)
    bar = [_bar(left, cells, own, look)] if size.height > 4 else []
    return [name, *bar, _counted(left, cells), races, badge(scene, seat, look)]


def _counted(left: int, cells: int) -> Line:
    text = first_fitting((words.cards_left(left), labels.cards_left_short(left), str(left)), cells)
    return (("class:count", cut(text, cells)),)


def first_fitting(texts: Sequence[str], cells: int) -> str:
    """The first of the texts that has room; the last if none has."""
    return next((text for text in texts if width(text) <= cells), texts[-1])


def _bar(left: int, cells: int, own: bool, look: Look) -> Line:
    """How much of the deck is left, as a line that gets shorter."""
    full, empty = ("=", ".") if look.ascii else ("━", "╌")
    filled = -(-left * cells // DECK_SIZE)
    style = "class:bar.own" if own else "class:bar.theirs"
    parts = ((style, full * filled), ("class:bar.empty", empty * (cells - filled)))
    return parts if own else parts[::-1]


def badge(scene: TableScene, seat: Seat, look: Look) -> Line:
    """Ready, stuck or away: a sign and a word; else, and once the match has been stopped, nothing."""
    if scene.ended:
        return ()
    game = scene.match.game
    signs = ("*", "#", "?", "..") if look.ascii else ("✓", "■", "…", "…")
    if scene.gone is not None and scene.gone.away and seat != scene.seat:
        return (("class:badge.away", f" {signs[2]} {labels.away()} "),)
    if game is None or game.outcome is not None:
        return ()
    if game.ready[seat]:
        return (("class:badge.ready", f" {signs[0]} {labels.ready()} "),)
    if seat == scene.seat and isinstance(scene.hand, Ready):
        return (("class:mark.next", f" {signs[3]} {labels.ready()} "),)
    if is_shown_stuck(scene, seat):
        return (("class:badge.stuck", f" {signs[1]} {labels.stuck()} "),)
    return ()


def stock_beside(scene: TableScene, seat: Seat, size: Size, look: Look) -> Block:
    """A stock, next to its row: on the right of one's own, on the left of the opponent's."""
    game = scene.match.game
    number = len(game.stocks[seat]) if game else DECK_SIZE  # nothing is dealt yet
    columns = 5 if size.height == 3 else min(size.card, size.side - 2)
    drawn = stock(number, columns, size.height, look.ascii)
    near, far = ("", " " * _MARGIN), ("", " " * (size.side - columns - _MARGIN))
    own = seat == scene.seat
    return tuple((near, *line, far) if own else (far, *line, near) for line in drawn)
