"""The first game of all: the bottom line names the very key that does the next thing, instead of all that could be done.

What belongs here: when there is something to teach, and the sentence. What must not: who is new (the app knows).
"""

from typing import Final

from spitnet.core.cards import Seat, owner
from spitnet.core.legality import plays
from spitnet.core.state import Game
from spitnet.language import gettext as _
from spitnet.ui.pages.due import Due, due, opponent
from spitnet.ui.render.look import Look
from spitnet.ui.scene import TableScene
from spitnet.ui.words import space_key

LED: Final = 4
"""So many cards are led, the one that was turned up among them; then the hand knows the keys."""
PRAISED: Final = LED + 2
"""From then on the usual line is enough."""


def lesson(scene: TableScene, look: Look) -> str:
    """What to do now, for somebody who has never played; empty where the usual line says it as well."""
    game = scene.match.game
    if not scene.lessons or game is None or scene.question is not None:
        return ""
    if due(scene) is Due.PLAY:
        return _play(scene, game, look)
    return _between(scene, game).format(space=space_key(), name=opponent(scene))


def _between(scene: TableScene, game: Game) -> str:
    begun = any(game.piles)
    match due(scene):
        case Due.READY if begun:
            return _("Neither can play: press {space} to get ready for new cards.")
        case Due.READY:
            return _("Welcome! Look at your four cards, then press {space} to be ready.")
        case Due.WAIT_FOR_READY:
            return _("It begins once {name} is ready too.")
        case Due.SPIT:
            return _("Both are ready: press {space} to call “spit!” before {name} does.")
        case Due.WAIT_STUCK:
            return _("None of your cards fits. Wait: {name} can still play.")
        case Due.PLAY_OR_REFILL | Due.REFILL:
            return _("There is room in your row: press {space} for a new card.")
        case _:
            return ""


def _play(scene: TableScene, game: Game, look: Look) -> str:
    """A play that is possible, card, pile and key; later only what it is all about."""
    if scene.hand is not None:
        return ""
    played = _own_cards(game, scene.seat)
    if played >= LED:
        text = _("Well played! Go on as fast as you can: {name} doesn’t wait.")
        return text.format(name=opponent(scene)) if played < PRAISED else ""
    play = plays(game, scene.seat)[0]
    left = play.pile != scene.seat
    slot = game.layouts[scene.seat].index(play.card)
    text = (
        _("{card} fits on {top}, on the left: press {key}")
        if left
        else _("{card} fits on {top}, on the right: press {key}")
    )
    return text.format(
        card=look.card_name(play.card),
        top=look.card_name(game.piles[play.pile][-1]),
        key=(look.keys.left if left else look.keys.right)[slot],
    )


def _own_cards(game: Game, seat: Seat) -> int:
    """How many of a seat's cards lie on the piles."""
    return sum(owner(card) == seat for pile in game.piles for card in pile)
