"""What a player sees of a match: all that a bot may know.

Everything here lies face up or can be counted at a glance. The order of a stock is nobody's, and
which cards it hides is left out too: a player could remember what has been turned up, but weighing
it was measured to win nothing. What to do with a view is for `strategy`.
"""

from typing import Final, NamedTuple

from spitnet.core.cards import Card, Seat, other
from spitnet.core.state import LAYOUT_SIZE, Layout, Match, Settings

_NO_LAYOUT: Final[Layout] = (None,) * LAYOUT_SIZE


class View(NamedTuple):
    """A match from one seat; between games, and before the first, the table is empty.

    `tops` and `sizes` are by pile: pile p was started by seat p. `stock` and `opposing_stock` are
    numbers of cards. `games` counts the games begun so far. Source: R3, R4, R7
    """

    seat: Seat
    settings: Settings
    over: bool
    playing: bool
    games: int
    layout: Layout
    opposing: Layout
    tops: tuple[Card | None, Card | None]
    sizes: tuple[int, int]
    stock: int
    opposing_stock: int
    ready: bool
    opposing_ready: bool


def view_of(match: Match, seat: Seat) -> View:
    """The match as the player in this seat sees it."""
    game = match.game
    if game is None or game.outcome is not None:
        return _between_games(match, seat, 0 if game is None else game.number)
    opponent = other(seat)
    one, two = game.piles
    return View(
        seat,
        match.settings,
        over=False,
        playing=True,
        games=game.number,
        layout=game.layouts[seat],
        opposing=game.layouts[opponent],
        tops=(one[-1] if one else None, two[-1] if two else None),
        sizes=(len(one), len(two)),
        stock=len(game.stocks[seat]),
        opposing_stock=len(game.stocks[opponent]),
        ready=game.ready[seat],
        opposing_ready=game.ready[opponent],
    )


def _between_games(match: Match, seat: Seat, games: int) -> View:
    return View(
        seat,
        match.settings,
        over=match.over,
        playing=False,
        games=games,
        layout=_NO_LAYOUT,
        opposing=_NO_LAYOUT,
        tops=(None, None),
        sizes=(0, 0),
        stock=0,
        opposing_stock=0,
        ready=False,
        opposing_ready=False,
    )
