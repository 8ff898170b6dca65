"""A match in which one seat at a time wants something, so that no beat is contested: the moves of all measured games.

Both peers work out the same turn from the same table. Nothing here is random, clever or a bot.
"""

from typing import NamedTuple

from spitnet.core.cards import Seat, other
from spitnet.core.legality import plays
from spitnet.core.moves import Deal, Move, Ready, Spit
from spitnet.core.state import Match


class Turn(NamedTuple):
    seat: Seat
    move: Move


def turn_of(match: Match, first: Seat) -> Turn:
    """Who does what next in a match with automatic refills that isn't over: the seat `first` whatever it can."""
    game = match.game
    if game is None or game.outcome is not None:
        return Turn(first, Deal())
    order = (first, other(first))
    for seat in order:
        if possible := plays(game, seat):
            return Turn(seat, possible[0])
    for seat in order:
        if not game.ready[seat]:
            return Turn(seat, Ready())
    return Turn(first, Spit())
