"""The two rows of four cards: the opponent's, lying still, and one's own, which lift and are marked."""

from spitnet.core.cards import DECK_SIZE, Card, other
from spitnet.core.moves import Refill
from spitnet.core.state import LAYOUT_SIZE, Layout
from spitnet.ui.cells import Block, Fragment, Line, beside, fit, width
from spitnet.ui.presses import CardPress, PileSide
from spitnet.ui.render.faces import Border, Edge, face, place
from spitnet.ui.render.frame import Hit
from spitnet.ui.render.look import Look
from spitnet.ui.render.signs import Mark, mark_of
from spitnet.ui.render.sizes import Size
from spitnet.ui.scene import Happened, TableScene

_EMPTY: Layout = (None,) * LAYOUT_SIZE


def layout_of(scene: TableScene, seat: int) -> Layout:
    """The row of a seat; empty before the first deal."""
    return scene.match.game.layouts[seat] if scene.match.game else _EMPTY


def their_row(scene: TableScene, size: Size, look: Look) -> Block:
    """The opponent's cards, mirrored: their first card lies on the right, as across a table."""
    note = scene.note
    beaten = note.card if note.happened is Happened.BEATEN and note.seat != scene.seat else None
    slots = []
    for card in reversed(layout_of(scene, other(scene.seat))):
        hit = card is not None and card == beaten
        border = (
            Border(Edge.DOUBLE, "class:mark.beaten")
            if hit
            else Border(Edge.ROUND, "class:card.theirs")
        )
        slots.append(_spaced(_card(card, border, size, look), size))
    return beside(*slots)


def own_row(scene: TableScene, size: Size, look: Look) -> Block:
    """This player's cards; the first line is the space that a card is lifted into."""
    layout = layout_of(scene, scene.seat)
    return beside(*(_slot(scene, slot, card, size, look) for slot, card in enumerate(layout)))


def _slot(scene: TableScene, slot: int, card: Card | None, size: Size, look: Look) -> Block:
    """One line higher than a card: the tag above it, or below it while it is lifted."""
    found = None if card is None else mark_of(scene, slot, card)
    if found is None:
        tag = _drawing(scene, slot, size, look)
        border = Border(Edge.ROUND, "class:card.own")
        return (tag, *_spaced(_card(card, border, size, look), size))
    mark, pile = found
    border = Border(mark.value.edge, mark.value.style)
    drawn = _spaced(_card(card, border, size, look), size)
    tag = _tag(mark, None if pile is None else pile != scene.seat, size, look)
    return (*drawn, tag) if mark is Mark.GOING else (tag, *drawn)


def _drawing(scene: TableScene, slot: int, size: Size, look: Look) -> Line:
    """Above a slot that is being refilled stands what a card under way has below it."""
    for move, mark in ((scene.hand, Mark.GOING), (scene.waiting, Mark.NEXT)):
        if isinstance(move, Refill) and move.slot == slot:
            return _tag(mark, None, size, look)
    return (("", " " * size.slot),)


def _tag(mark: Mark, left: bool | None, size: Size, look: Look) -> Line:
    """The sign and the word of a mark, and where the card is meant to go."""
    sign = mark.value.plain if look.ascii else mark.value.sign
    arrows = "<>" if look.ascii else "◂▸"
    arrow = "" if left is None else arrows[0] if left else arrows[1]
    text = " ".join(part for part in (sign, mark.value.word(), arrow) if part)
    if width(text) > size.slot - (size.gap < 2):
        text = f"{sign} {arrow}".rstrip()
    text = fit(text, size.slot, "^")
    return ((mark.value.style, text),)


def _card(card: Card | None, border: Border, size: Size, look: Look) -> Block:
    if card is None:
        return place(size.card, size.height, look.ascii)
    return face(card % DECK_SIZE, size.card, size.height, border, look)


def _spaced(block: Block, size: Size) -> Block:
    """A card with its share of the gaps on both sides."""
    left = size.gap // 2
    before, after = ("", " " * left), ("", " " * (size.gap - left))
    return tuple((before, *line, after) for line in block)


def key_line(size: Size, look: Look) -> Line:
    """Under each card: its key to the left pile, its number, its key to the right pile."""
    line: list[Fragment] = []
    arrows = "<>" if look.ascii else "◂▸"
    keys = look.keys
    for left, digit, right in zip(keys.left, keys.digits, keys.right, strict=True):
        third = size.card // 3
        ends = (size.gap // 2, size.gap - size.gap // 2)
        line += [
            ("", " " * ends[0]),
            ("class:key", fit(f"{arrows[0]}{left}", third)),
            ("class:dim", fit(digit, size.card - 2 * third, "^")),
            ("class:key", fit(f"{right}{arrows[1]}", third, ">")),
            ("", " " * ends[1]),
        ]
    return tuple(line)


def own_hits(size: Size) -> tuple[Hit, ...]:
    """Each slot, lifted or not, with the keys under it: left button left pile, right button right pile."""
    return tuple(
        Hit(
            slot * size.slot,
            0,
            size.slot,
            size.height + 2,
            CardPress(slot, PileSide.LEFT),
            CardPress(slot, PileSide.RIGHT),
        )
        for slot in range(LAYOUT_SIZE)
    )
