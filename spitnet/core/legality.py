"""What a seat may do now. Questions about a state only: nothing here changes one."""

from typing import assert_never

from spitnet.core.cards import FITTING, SEATS, Card, Seat, fits
from spitnet.core.moves import Concede, Deal, Leave, Move, Play, Ready, Refill, Spit
from spitnet.core.state import LAYOUT_SIZE, Game, Match, RefillMode


def legal(match: Match, seat: Seat, move: Move) -> bool:
    """Whether the seat may make this move now. The fields of the move may hold any numbers, as from a peer."""
    game = match.game
    if match.result is not None:
        return False
    if isinstance(move, Leave):
        return True
    if game is None or game.outcome is not None:
        return isinstance(move, Deal)
    match move:
        case Play(card, pile, size):
            return _can_play(game, seat, card, pile, size)
        case Refill(slot):
            return match.settings.refill is RefillMode.MANUAL and _can_fill(game, seat, slot)
        case Ready():
            return not game.ready[seat] and is_ready_time(game)
        case Spit():
            return all(game.ready)
        case Deal():
            return False
        case Concede():
            return True
        case _:
            assert_never(move)


def _can_play(game: Game, seat: Seat, card: Card, pile: int, size: int) -> bool:
    """Source: R8, R10."""
    if card not in game.layouts[seat] or pile not in SEATS:
        return False
    cards = game.piles[pile]
    return bool(cards) and size == len(cards) and fits(card, cards[-1])


def _can_fill(game: Game, seat: Seat, slot: int) -> bool:
    """Source: R11, R12."""
    empty = slot in range(LAYOUT_SIZE) and game.layouts[seat][slot] is None
    return empty and bool(game.stocks[seat])


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
    """Whether the seat can neither play nor refill, on the piles that lie there.

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
