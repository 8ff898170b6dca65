"""The two centre piles, and what is said across them."""

from spitnet.core.cards import DECK_SIZE, Seat, other
from spitnet.ui import words
from spitnet.ui.cells import Block, Line, aligned, beside, blank, fit, width
from spitnet.ui.presses import Arrow, PileSide
from spitnet.ui.render import labels
from spitnet.ui.render.faces import Border, Edge, face, place
from spitnet.ui.render.frame import Hit
from spitnet.ui.render.look import Look
from spitnet.ui.render.panels import badge, first_fitting
from spitnet.ui.render.sizes import FOOT_FOR_ALL, SMALLEST, Size
from spitnet.ui.scene import Happened, TableScene


def centre(scene: TableScene, size: Size, look: Look) -> Block:
    """The opponent's pile on the left, one's own on the right; what they said on their sides."""
    left, middle = _measures(size)
    seat = scene.seat
    return beside(
        _side(scene, other(seat), left, size, look),
        _pile(scene, other(seat), size, look),
        blank(middle, size.height),
        _pile(scene, seat, size, look),
        _side(scene, seat, size.columns - left - middle - 2 * size.card, size, look),
    )


def _measures(size: Size) -> tuple[int, int]:
    """Cells left of the piles, and between them."""
    middle = size.card if size.height > 3 else 5
    return (size.columns - 2 * size.card - middle) // 2, middle


def centre_hits(size: Size) -> tuple[Hit, ...]:
    """A click on a pile answers which one."""
    left, middle = _measures(size)
    right = left + size.card + middle
    return (
        Hit(left, 0, size.card, size.height, Arrow(PileSide.LEFT), Arrow(PileSide.LEFT)),
        Hit(right, 0, size.card, size.height, Arrow(PileSide.RIGHT), Arrow(PileSide.RIGHT)),
    )


def _pile(scene: TableScene, pile: int, size: Size, look: Look) -> Block:
    game = scene.match.game
    cards = game.piles[pile] if game else ()
    if not cards:
        return place(size.card, size.height, look.ascii)
    fresh = scene.note.happened is Happened.LANDED and scene.note.pile == pile
    fresh = fresh or scene.note.happened is Happened.SPIT or pile in scene.fresh
    style = "class:pile.fresh" if fresh else "class:pile"
    border = Border(Edge.HEAVY if fresh else Edge.ROUND, style, str(len(cards)))
    return face(cards[-1] % DECK_SIZE, size.card, size.height, border, look)


def _side(scene: TableScene, seat: Seat, cells: int, size: Size, look: Look) -> Block:
    """Beside a pile: the shout of the player whose pile it is; in a small size what has no room elsewhere."""
    lines: list[Line] = list(blank(cells, size.height))
    own = seat == scene.seat
    if size.height == SMALLEST.height:
        _fill_small(lines, scene, cells, own, look)
    if own and scene.may_be_watched and size.columns < FOOT_FOR_ALL:
        lines[-1] = (("class:dim", fit(f"{words.may_be_watched()} ", cells, ">")),)
    if seat in scene.shout:
        room = max(0, cells - 2)
        text = fit(f" {words.shout()} ", min(room, width(words.shout()) + 2))
        line = aligned((("class:shout", text), ("", " " * min(2, cells - room))), cells, ">")
        lines[size.height // 2] = line[::-1] if own else line
    return tuple(lines)


def _fill_small(lines: list[Line], scene: TableScene, cells: int, own: bool, look: Look) -> None:
    """Below the opponent's panel their badge; above one's own the races and the badge."""
    if own:
        lines[0] = aligned((*badge(scene, other(scene.seat), look), ("", " ")), cells, ">")
        return
    won, lost = scene.races[scene.seat], scene.races[other(scene.seat)]
    text = first_fitting((labels.races(won, lost), labels.races_short(won, lost)), cells - 1)
    lines[0] = (("class:text", fit(f" {text}", cells)),)
    lines[-1] = aligned((("", " "), *badge(scene, scene.seat, look)), cells, "<")
