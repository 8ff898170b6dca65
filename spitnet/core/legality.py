"""What a seat may do now, and why it may not do the rest.

Questions about a state only: nothing here changes one. A refusal is a word for programs; the text
for people is the screen's.
"""

from enum import StrEnum
from typing import assert_never

from spitnet.core.cards import FITTING, SEATS, Seat, fits
from spitnet.core.moves import Concede, Deal, Leave, Move, Play, Ready, Refill, Spit
from spitnet.core.state import LAYOUT_SIZE, Game, Match, RefillMode


class Refusal(StrEnum):
    """Why a move is not legal now."""

    MATCH_OVER = "match_over"
    NO_GAME = "no_game"
    GAME_UNDER_WAY = "game_under_way"
    NOT_READY_TIME = "not_ready_time"
    ALREADY_READY = "already_ready"
    BOTH_NOT_READY = "both_not_ready"
    NOT_IN_LAYOUT = "not_in_layout"
    NO_PILE = "no_pile"
    WRONG_SIZE = "wrong_size"
    DOES_NOT_FIT = "does_not_fit"
    REFILL_IS_AUTO = "refill_is_auto"
    NO_SLOT = "no_slot"
    SLOT_FULL = "slot_full"
    NO_STOCK = "no_stock"


def why_not(match: Match, seat: Seat, move: Move) -> Refusal | None:
    """Why the seat may not make this move now, or None if it may.

    The fields of the move may hold any numbers, as from a peer. A move that is refused for more
    than one reason is given the first in the order of `Refusal`.
    """
    game = match.game
    if match.result is not None:
        return Refusal.MATCH_OVER
    if isinstance(move, Leave):
        return None
    if game is None or game.outcome is not None:
        return None if isinstance(move, Deal) else Refusal.NO_GAME
    match move:
        case Play():
            return _why_not_play(game, seat, move)
        case Refill():
            return _why_not_refill(match.settings.refill, game, seat, move)
        case Ready():
            return _why_not_ready(game, seat)
        case Spit():
            return None if all(game.ready) else Refusal.BOTH_NOT_READY
        case Deal():
            return Refusal.GAME_UNDER_WAY
        case Concede():
            return None
        case _:
            assert_never(move)


def legal(match: Match, seat: Seat, move: Move) -> bool:
    """Whether the seat may make this move now."""
    return why_not(match, seat, move) is None


def _why_not_play(game: Game, seat: Seat, play: Play) -> Refusal | None:
    """Source: R8, R10."""
    if play.card not in game.layouts[seat]:
        return Refusal.NOT_IN_LAYOUT
    if play.pile not in SEATS or not game.piles[play.pile]:
        return Refusal.NO_PILE
    pile = game.piles[play.pile]
    if play.pile_size != len(pile):
        return Refusal.WRONG_SIZE
    return None if fits(play.card, pile[-1]) else Refusal.DOES_NOT_FIT


def _why_not_refill(mode: RefillMode, game: Game, seat: Seat, refill: Refill) -> Refusal | None:
    """Source: R11, R12."""
    if mode is RefillMode.AUTO:
        return Refusal.REFILL_IS_AUTO
    if refill.slot not in range(LAYOUT_SIZE):
        return Refusal.NO_SLOT
    if game.layouts[seat][refill.slot] is not None:
        return Refusal.SLOT_FULL
    return None if game.stocks[seat] else Refusal.NO_STOCK


def _why_not_ready(game: Game, seat: Seat) -> Refusal | None:
    """Source: R7, R14."""
    if not is_ready_time(game):
        return Refusal.NOT_READY_TIME
    return Refusal.ALREADY_READY if game.ready[seat] else None


def plays(game: Game, seat: Seat) -> tuple[Play, ...]:
    """Every legal play of the seat: pile 0 before pile 1, slots in order within each.

    Source: R8.
    """
    if game.outcome is not None:
        return ()
    layout = game.layouts[seat]
    found: list[Play] = []
    for pile, cards in enumerate(game.piles):
        if cards and not FITTING[cards[-1]].isdisjoint(layout):
            fitting = FITTING[cards[-1]]
            found += [Play(card, pile, len(cards)) for card in layout if card in fitting]
    return tuple(found)


def aimed(game: Game, play: Play) -> Play:
    """The same play, aimed at the pile as it is now; it need not be legal."""
    return Play(play.card, play.pile, len(game.piles[play.pile]))


def can_refill(match: Match, seat: Seat) -> bool:
    """Whether the seat may ask for a card now, into any slot.

    Source: R11.
    """
    game = match.game
    if game is None or game.outcome is not None or match.settings.refill is RefillMode.AUTO:
        return False
    return is_refillable(game, seat)


def stuck(match: Match, seat: Seat) -> bool:
    """Whether a game is under way in which the seat can neither play nor refill.

    Source: R13.
    """
    game = match.game
    return game is not None and game.outcome is None and is_stuck(game, seat)


def owed_by(match: Match) -> Seat | None:
    """The seat that alone has something to do, while the other is stuck or waits; or None.

    Between games, and once both are ready, either can act: then nobody is waited for.

    Source: R22.
    """
    game = match.game
    if game is None or game.outcome is not None:
        return None
    waits = game.ready if is_ready_time(game) else (is_stuck(game, 0), is_stuck(game, 1))
    return None if waits[0] == waits[1] else waits.index(False)


def is_refillable(game: Game, seat: Seat) -> bool:
    """Whether an empty slot and a stock meet; where refills are automatic they never do."""
    return None in game.layouts[seat] and bool(game.stocks[seat])


def is_stuck(game: Game, seat: Seat) -> bool:
    """As `stuck`, whether or not the game has ended.

    Source: R13.
    """
    layout = game.layouts[seat]
    for pile in game.piles:
        if not pile or not FITTING[pile[-1]].isdisjoint(layout):
            return False
    return not is_refillable(game, seat)


def both_stuck(game: Game) -> bool:
    """Whether nobody can play or refill, on the piles that lie there. Source: R13, R14."""
    return is_stuck(game, 0) and is_stuck(game, 1)


def is_ready_time(game: Game) -> bool:
    """Before the first spit, or while both are stuck.

    Source: R7, R14.
    """
    return game.piles == ((), ()) or both_stuck(game)
