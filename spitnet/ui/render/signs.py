"""What a card of this player's row is marked with: a sign, a word, an outline; none of them colour alone."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from spitnet.core.cards import Card
from spitnet.core.moves import Move, Play
from spitnet.ui.render import labels
from spitnet.ui.render.faces import Edge
from spitnet.ui.scene import Happened, TableScene


@dataclass(frozen=True, slots=True)
class Sign:
    """How a mark looks. `word` is looked up when it is drawn: the language may change."""

    sign: str
    plain: str
    word: Callable[[], str]
    edge: Edge
    style: str


class Mark(Enum):
    """What goes on with a card."""

    GOING = Sign("▲", "^", labels.going, Edge.HEAVY, "class:mark.going")
    NEXT = Sign("…", "..", labels.next_up, Edge.DASHED, "class:mark.next")
    BEATEN = Sign("✗", "x", labels.beaten, Edge.DOUBLE, "class:mark.beaten")
    NO_FIT = Sign("≠", "!=", labels.no_fit, Edge.ROUND, "class:mark.nofit")
    TOO_LATE = Sign("»", ">>", labels.too_late, Edge.ROUND, "class:mark.late")
    WHICH = Sign("?", "?", labels.which, Edge.HEAVY, "class:mark.which")


NOTE_MARKS: Final = {
    Happened.BEATEN: Mark.BEATEN,
    Happened.DOES_NOT_FIT: Mark.NO_FIT,
    Happened.TOO_LATE: Mark.TOO_LATE,
}


def mark_of(scene: TableScene, slot: int, card: Card) -> tuple[Mark, int | None] | None:
    """The mark of a card of this player, and the pile that it is meant for."""
    for move, mark in ((scene.hand, Mark.GOING), (scene.waiting, Mark.NEXT)):
        if _plays(move, card):
            assert isinstance(move, Play)
            return mark, move.pile
    if scene.asked_slot == slot:
        return Mark.WHICH, None
    note = scene.note
    if note.card != card or note.happened not in NOTE_MARKS:
        return None
    theirs = note.happened is Happened.BEATEN and note.seat != scene.seat
    return None if theirs else (NOTE_MARKS[note.happened], None)


def _plays(move: Move | None, card: Card) -> bool:
    return isinstance(move, Play) and move.card == card
