"""What must hold of every state of a match, whatever was played.

For tests, the simulator and the reading of records. Nothing is played here: these are the
properties that the other modules must keep, said a second time.
"""

from collections import Counter
from itertools import chain, pairwise

from spitnet.core.cards import DECK_SIZE, SEATS, Card, deck, fits, owner
from spitnet.core.judging import result_of
from spitnet.core.legality import both_stuck, is_ready_time, is_refillable
from spitnet.core.state import (
    LAYOUT_SIZE,
    Game,
    Match,
    Outcome,
    Reason,
    RefillMode,
    Result,
    cards_left,
)

_OUTSIDE = (Reason.ABANDONED, Reason.FORFEITED)
"""Of no beat: whoever won so has won the match too."""


def violated(match: Match) -> tuple[str, ...]:
    """The names of all invariants that the state breaks, in a fixed order; none if it is sound.

    Source: R1-R4, R7, R8, R11, R12, R15-R22; RULES.md, "Conservation".
    """
    checks = {"score": _score_holds(match), "result": _result_holds(match)}
    game = match.game
    if game is not None:
        checks |= _table_checks(game, match.settings.refill) | _end_checks(game)
    return tuple(name for name, holds in checks.items() if not holds)


def _table_checks(game: Game, mode: RefillMode) -> dict[str, bool]:
    seen = Counter(_all_cards(game))
    return {
        "card_missing": set(deck(0) + deck(1)) <= set(seen),
        "card_twice": max(seen.values(), default=0) <= 1,
        "card_unknown": all(0 <= card < 2 * DECK_SIZE for card in seen),
        "own_cards": all(_holds_own_cards(game, seat) for seat in SEATS),
        "layout_size": all(len(layout) == LAYOUT_SIZE for layout in game.layouts),
        "stock_order": all(list(stock) == sorted(stock) for stock in game.stocks),
        "pile_start": bool(game.piles[0]) == bool(game.piles[1]),
        "pile_run": all(_is_run(pile, seat) for seat, pile in enumerate(game.piles)),
        "auto_refill": mode is RefillMode.MANUAL or not any(is_refillable(game, s) for s in SEATS),
        "ready": not any(game.ready) or is_ready_time(game),
    }


def _all_cards(game: Game) -> list[Card]:
    held = chain(*game.layouts, *game.stocks, *game.piles)
    return [card for card in held if card is not None]


def _holds_own_cards(game: Game, seat: int) -> bool:
    """Layout and stock hold cards of the seat's own deck only. Source: R1, R10."""
    held = chain(game.layouts[seat], game.stocks[seat])
    return all(owner(card) == seat for card in held if card is not None)


def _is_run(pile: tuple[Card, ...], starter: int) -> bool:
    """Each card fits the one below it, or else was turned up by the seat that started the pile.

    Source: R7, R8, R15.
    """
    if pile and owner(pile[0]) != starter:
        return False
    return all(fits(card, below) or owner(card) == starter for below, card in pairwise(pile))


def _end_checks(game: Game) -> dict[str, bool]:
    left = cards_left(game)
    standstill = not any(game.stocks) and both_stuck(game)
    if game.outcome is None:
        return {"ended": 0 not in left and not standstill}
    return {"outcome": game.outcome in _possible_outcomes(left, standstill)}


def _possible_outcomes(left: tuple[int, int], standstill: bool) -> tuple[Outcome, ...]:
    """The outcomes that a game can have ended with, as its table lies.

    Source: R16-R20, R22.
    """
    if left == (0, 0):
        return (Outcome(None, Reason.DEAD_HEAT),)
    if 0 in left:
        return (Outcome(left.index(0), Reason.OUT),)
    given_up = (
        *(Outcome(winner, Reason.CONCEDED) for winner in (0, 1, None)),
        *(Outcome(winner, reason) for winner in SEATS for reason in _OUTSIDE),
    )
    if not standstill:
        return given_up
    if left[0] == left[1]:
        return (Outcome(None, Reason.LEVEL), *given_up)
    return (Outcome(left.index(min(left)), Reason.FEWEST), *given_up)


def _score_holds(match: Match) -> bool:
    """All games begun are counted, but for the one under way. Source: R21."""
    begun = 0 if match.game is None else match.game.number
    ended = sum(match.wins) + match.draws
    counted = min(*match.wins, match.draws) >= 0 and ended == begun - match.playing
    return counted and begun <= match.settings.games


def _result_holds(match: Match) -> bool:
    """No result with a game under way; else the one that the score decides, or one of no beat.

    Both sides may also have left before the score decides; and who left in the last game has lost.

    Source: R21, R22.
    """
    decided = result_of(match.settings, match.wins, match.draws)
    outcome = None if match.game is None else match.game.outcome
    if match.playing:
        return match.result is None and decided is None
    if outcome is not None and outcome.reason in _OUTSIDE:
        return match.result == Result(outcome.winner)
    if outcome is not None and outcome.reason is Reason.CONCEDED and outcome.winner is not None:
        return decided is None or match.result in (decided, Result(outcome.winner))
    return decided is None or match.result == decided
