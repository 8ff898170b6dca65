"""What a player can do now, read off the scene: the question that the hint answers."""

from enum import Enum, auto

from spitnet.core.cards import other
from spitnet.core.legality import is_ready_time, is_refillable, is_stuck, plays
from spitnet.core.moves import Ready, Spit
from spitnet.core.state import Game, RefillMode, SpitMode
from spitnet.protocol.rematch import Prospect
from spitnet.ui.scene import TableScene


class Due(Enum):
    """What is due from this player, or what is waited for."""

    WAIT_FOR_DEAL = auto()
    PLAY = auto()
    PLAY_OR_REFILL = auto()
    REFILL = auto()
    CHOOSE_PILE = auto()
    WAIT_STUCK = auto()
    """This player is stuck, the other is not."""
    READY = auto()
    WAIT_FOR_READY = auto()
    SPIT = auto()
    WAIT_FOR_SPIT = auto()
    """The game says spit, or this player's is on its way."""
    WAIT_FOR_OPPONENT = auto()
    """The opponent is gone."""
    CLAIM = auto()
    """The opponent is gone for so long that the match may be claimed."""
    NEXT_GAME = auto()
    REMATCH = auto()
    REMATCH_ASKED = auto()
    REMATCH_OFFERED = auto()
    REMATCH_AWAY = auto()
    """The other can't be reached, and so can't be asked."""
    REMATCH_DECLINED = auto()
    """The other has left the table."""
    LEAVE = auto()
    """Nothing is left to do but to leave: the match has ended before its time, or no other key counts yet."""


_REMATCH = {
    Prospect.NONE: Due.REMATCH,
    Prospect.ASKED: Due.REMATCH_ASKED,
    Prospect.OFFERED: Due.REMATCH_OFFERED,
    Prospect.AWAY: Due.REMATCH_AWAY,
    Prospect.LEFT: Due.REMATCH_DECLINED,
}


def due(scene: TableScene) -> Due:
    """What is due, the most urgent first; a question that stands is not looked at."""
    match = scene.match
    if scene.deaf:
        return Due.LEAVE
    if match.over:
        return _REMATCH[scene.rematch]
    if scene.ended:
        return Due.LEAVE
    if scene.gone is not None:
        return Due.CLAIM if scene.gone.claimable else Due.WAIT_FOR_OPPONENT
    if match.game is None:
        return Due.WAIT_FOR_DEAL
    if match.game.outcome is not None:
        return Due.NEXT_GAME
    if is_ready_time(match.game):
        return _before_a_spit(scene, match.game)
    return _in_play(scene, match.game)


def _before_a_spit(scene: TableScene, game: Game) -> Due:
    """Source: R7, R14."""
    if not (game.ready[scene.seat] or isinstance(scene.hand, Ready)):
        return Due.READY
    if not all(game.ready):
        return Due.WAIT_FOR_READY
    said = scene.match.settings.spit is SpitMode.SAID and not isinstance(scene.hand, Spit)
    return Due.SPIT if said else Due.WAIT_FOR_SPIT


def _in_play(scene: TableScene, game: Game) -> Due:
    """Source: R11, R13."""
    if scene.asked_slot is not None:
        return Due.CHOOSE_PILE
    if is_stuck(game, scene.seat):
        return Due.WAIT_STUCK
    manual = scene.match.settings.refill is RefillMode.MANUAL
    if not (manual and is_refillable(game, scene.seat)):
        return Due.PLAY
    return Due.PLAY_OR_REFILL if plays(game, scene.seat) else Due.REFILL


def is_shown_stuck(scene: TableScene, seat: int) -> bool:
    """Whether to say that the seat is stuck: a game is under way and piles lie there."""
    game = scene.match.game
    return game is not None and game.outcome is None and any(game.piles) and is_stuck(game, seat)


def opponent(scene: TableScene) -> str:
    """The name of the one across the table."""
    return scene.names[other(scene.seat)]
