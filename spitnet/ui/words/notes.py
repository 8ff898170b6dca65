"""What just happened: one line for each note."""

from collections.abc import Callable
from typing import TypeAlias

from spitnet.core.cards import SEATS, Card, other
from spitnet.language import gettext as _
from spitnet.language import ngettext
from spitnet.ui.scene import Happened, Note, TableScene
from spitnet.ui.words.endings import game_over, who_left

CardNames: TypeAlias = Callable[[Card], str]
"""How a card is called in a line."""


def note(scene: TableScene, named: CardNames) -> str:
    """The line that says what just happened; empty if nothing did."""
    what = scene.note
    if what.happened is Happened.NOTHING:
        return ""
    if what.happened is Happened.TROUBLE:
        return what.text
    if what.happened is Happened.GAME_OVER:
        return game_over(scene)
    if what.happened is Happened.LEFT:
        return who_left(scene, SEATS if what.seat is None else (what.seat,))
    own = what.seat == scene.seat and not scene.looking_on
    text = _own_note(scene, what) if own or what.happened in _OWN else _note(scene, what)
    seat = other(scene.seat) if what.seat is None else what.seat
    return text.format(
        name=scene.names[seat],
        opponent=scene.names[other(seat)],
        card="" if what.card is None else named(what.card),
        by="" if what.by is None else named(what.by),
        game=scene.match.game.number if scene.match.game else 1,
    )


_OWN = frozenset((Happened.DOES_NOT_FIT, Happened.WHICH_PILE, Happened.TOO_LATE))
"""Only one's own keys do these, whoever `seat` is."""


def stopping(scene: TableScene) -> str:
    """That the game stops again and again; empty where it doesn't."""
    if scene.stopping is None:
        return ""
    number = scene.stopping.count
    text = ngettext(
        "The game stopped {number} time in a minute.",
        "The game stopped {number} times in a minute.",
        number,
    )
    return text.format(number=number)


def _own_note(scene: TableScene, what: Note) -> str:
    """What this player did."""
    left = what.pile != scene.seat
    match what.happened:
        case Happened.SPIT:
            return _("You said “spit!”")
        case Happened.LANDED:
            return (
                _("Your {card} landed on the left.")
                if left
                else _("Your {card} landed on the right.")
            )
        case Happened.BEATEN:
            return _("Your {card} was beaten by {by} and came back.")
        case Happened.REFILLED:
            return _("You drew {card}.")
        case Happened.READY:
            return _("You are ready.")
        case Happened.WHICH_PILE:
            return _("{card} fits both piles: left or right?")
        case Happened.TOO_LATE if what.by is not None:
            return _("Too late: {card} doesn’t fit on {by}.")
        case Happened.TOO_LATE:
            return _("Too late: {card} doesn’t fit any more.")
        case Happened.DOES_NOT_FIT if what.pile is None:
            return _("{card} fits neither pile.")
        case Happened.DOES_NOT_FIT if what.by is not None:
            return _("{card} doesn’t fit on {by}.")
        case Happened.DOES_NOT_FIT:
            return (
                _("{card} doesn’t fit on the left.")
                if left
                else _("{card} doesn’t fit on the right.")
            )
        case _:
            return _note(scene, what)


def _note(scene: TableScene, what: Note) -> str:
    """What the other did, or both."""
    left = what.pile != scene.seat
    match what.happened:
        case Happened.DEALT:
            return _("Game {game} is dealt.")
        case Happened.SPIT:
            return (
                _("Spit! New cards on the piles.")
                if what.seat is None
                else _("{name} said “spit!”")
            )
        case Happened.LANDED:
            return (
                _("{name} played {card} on the left.")
                if left
                else _("{name} played {card} on the right.")
            )
        case Happened.BEATEN:
            return (
                _("{opponent}’s {by} beat {name}’s {card}.")
                if scene.looking_on
                else _("Your {by} beat {name}’s {card}.")
            )
        case Happened.REFILLED:
            return _("{name} drew {card}.")
        case Happened.READY:
            return _("{name} is ready.")
        case Happened.BOTH_STUCK:
            return _("Both are stuck.")
        case Happened.NO_CARD:
            return _("There is no card there.")
        case Happened.NOT_NOW:
            return _("That key does nothing now.")
        case Happened.LOST:
            return _("{name} can’t be reached.")
        case Happened.BACK:
            return _("You are both at the table again.")
        case _:
            return ""
