"""How a beat changes a match: its moves are applied, then its end is judged.

What a move does to the cards is in `table`, what is legal in `legality`, who has won in `judging`.
Nothing here knows which seat is local.
"""

from collections.abc import Sequence
from typing import assert_never

from msgspec import structs

from spitnet.core.board import Board, dealt
from spitnet.core.cards import SEATS, Seat, other
from spitnet.core.draw import Randomness
from spitnet.core.events import BothStuck, Dealt, Event, GameOver, MatchOver
from spitnet.core.judging import outcome_of, result_of, score_after
from spitnet.core.legality import both_stuck
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves, Play, Ready, Refill, Spit
from spitnet.core.state import Game, Match, Outcome, Reason, RefillMode, Result, cards_left


def apply_beat(
    match: Match, moves: Moves, randomness: Randomness
) -> tuple[Match, tuple[Event, ...]]:
    """The match after a beat, and what happened in it, in order.

    `moves` by seat; None is a pass. Each must be legal in `match`: that is not checked again, and
    what an illegal move does is not defined. They are applied in the order that `randomness`
    tosses; giving up comes after the rest of the beat.

    Source: R7-R22.
    """
    game, events = _after_moves(match, moves, randomness)
    if game is None or game.outcome is not None:
        leaving = _seats_that(moves, (Leave,))
        result = result_of(match.settings, match.wins, match.draws, leaving)
        return _closed(structs.replace(match, result=result), events)
    outcome = outcome_of(game, _seats_that(moves, (Concede, Leave)))
    if outcome is not None:
        leaving = _seats_that(moves, (Leave,))
        return _closed(_ended(match, game, outcome, leaving, events), events)
    if events and both_stuck(game):
        events.append(BothStuck(game.number))
    return Match(match.settings, game, match.wins, match.draws, None), tuple(events)


def forfeit(match: Match, winner: Seat, reason: Reason) -> tuple[Match, tuple[Event, ...]]:
    """The match as one seat wins it, and its game, because of what the other did or didn't do outside of all beats.

    `reason`: abandoned where it was claimed, else forfeited. Whether that is due is for those who see the clock and the
    frames. No beat ever does this.

    Raises: ValueError if the match is over.
    Source: R22.
    """
    if match.over:
        raise ValueError("a match that is over can't be forfeited")
    events: list[Event] = []
    if match.game is not None and match.playing:
        outcome = Outcome(winner, reason)
        match = _ended(match, match.game, outcome, (other(winner),), events)
    return _closed(structs.replace(match, result=Result(winner)), events)


def _after_moves(
    match: Match, moves: Moves, randomness: Randomness
) -> tuple[Game | None, list[Event]]:
    """The game as the moves leave it before anybody gives up, and what they did."""
    game = match.game
    if isinstance(moves[0], Deal) or isinstance(moves[1], Deal):
        game = dealt(1 if game is None else game.number + 1, randomness)
        return game, [Dealt(game.number, game.layouts)]
    if game is None or game.outcome is not None:
        return game, []
    table = Board(game, randomness)
    refills = match.settings.refill is RefillMode.AUTO
    for seat in _order(moves, randomness):
        if moves[seat] is not None:
            _take_turn(table, seat, moves, refills=refills)
    return table.game(), table.events


def _order(moves: Moves, randomness: Randomness) -> tuple[Seat, Seat]:
    """Who is applied first: a toss, unless one of them passes. Source: R10."""
    if moves[0] is None or moves[1] is None:
        return SEATS
    first = randomness.first
    return first, other(first)


def _take_turn(table: Board, seat: Seat, moves: Moves, *, refills: bool) -> None:
    """Carries out the seat's move, after what the other may have done first in the same beat."""
    match moves[seat]:
        case None:
            pass
        case Play() as move:
            table.play(seat, move, refills=refills)
        case Refill(slot):
            table.refill(seat, slot)
        case Ready():
            table.get_ready(seat)
        case Spit():
            table.spit(by=_seats_that(moves, (Spit,)))
        case Deal() | Concede() | Leave():
            pass
        case move:
            assert_never(move)


def _seats_that(moves: Moves, do: tuple[type[Move], ...]) -> tuple[Seat, ...]:
    """The seats, ascending, that make a move of one of these kinds."""
    return tuple([seat for seat in SEATS if type(moves[seat]) in do])


def _ended(
    match: Match, game: Game, outcome: Outcome, leaving: Sequence[Seat], events: list[Event]
) -> Match:
    """The match with its game ended and counted; adds the game's end to `events`."""
    events.append(GameOver(game.number, outcome, cards_left(game)))
    wins, draws = score_after(match.wins, match.draws, outcome)
    given_up = outcome.reason is Reason.CONCEDED and outcome.winner is not None
    result = result_of(match.settings, wins, draws, leaving, given_up=given_up)
    return Match(match.settings, structs.replace(game, outcome=outcome), wins, draws, result)


def _closed(match: Match, events: list[Event]) -> tuple[Match, tuple[Event, ...]]:
    """The match, and the beat's events with the match's end told last, if it has ended."""
    if match.result is not None:
        events.append(MatchOver(match.wins, match.draws, match.result.winner))
    return match, tuple(events)
