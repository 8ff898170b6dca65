"""The story of a match: what each beat did, and what all beats amount to so far. Pure.

The one fold of events: the table, the game in lines, a replay, spectators and the statistics read from it. What must not
be here: words, clocks, where in a match somebody is looking.
"""

from typing import TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from spitnet.core.cards import Card, Seat, other
from spitnet.core.events import (
    Beaten,
    BothStuck,
    Dealt,
    GameOver,
    Landed,
    MatchOver,
    Refilled,
    Spat,
)
from spitnet.core.moves import Leave
from spitnet.core.state import Match
from spitnet.protocol.notices import Completed

Pair: TypeAlias = tuple[int, int]
"""A number for each seat."""


class Contest(Struct, frozen=True):
    """Both went for `pile` in one beat, with `top` on it; `cards` by seat. A coin tossed from `randomness` put `first` first.

    Source: R10.
    """

    pile: int
    top: Card
    cards: tuple[Card, Card]
    first: Seat
    randomness: bytes


class Summary(Struct, frozen=True):
    """What a game amounts to, over or not. Pairs are by seat.

    `cards_left` holds a pair after every beat that changed it, from (52, 52) on. `run` counts the cards landed in a row
    without one of the other's between, until now; `longest_run` is the longest of them. `fastest_s` is the shortest time
    from the change that made a card playable to its landing, None if there was none. `left`: who ended the game by leaving.
    """

    game: int = 0
    cards_left: tuple[Pair, ...] = ((52, 52),)
    races: Pair = (0, 0)
    longest_run: Pair = (0, 0)
    fastest_s: tuple[float | None, float | None] = (None, None)
    left: tuple[Seat, ...] = ()
    run: Pair = (0, 0)


class Moment(Struct, frozen=True):
    """A match after one of its beats, which is `done`; None before the first.

    `races` won and cards `landed` until now are by seat, `games` those that have ended; `summary` is that of the game which
    was begun last.
    """

    match: Match
    done: Completed | None = None
    races: Pair = (0, 0)
    landed: Pair = (0, 0)
    games: tuple[GameOver, ...] = ()
    summary: Summary = Summary()

    @property
    def beat(self) -> int:
        return 0 if self.done is None else self.done.beat

    @property
    def contest(self) -> Contest | None:
        """A play that was beaten met another for its pile in the same beat, and the coin decided."""
        done, game = self.done, self.match.game
        beaten = () if done is None else [one for one in done.events if isinstance(one, Beaten)]
        if done is None or game is None or not beaten:
            return None
        (lost,) = beaten
        cards = (lost.by, lost.card) if lost.seat else (lost.card, lost.by)
        top = game.piles[lost.pile][-2]
        return Contest(lost.pile, top, cards, other(lost.seat), done.randomness.value)

    @property
    def shout(self) -> tuple[Seat, ...]:
        """Who said spit in this beat."""
        events = () if self.done is None else self.done.events
        return next((event.by for event in events if isinstance(event, Spat)), ())

    @property
    def leaving(self) -> tuple[Seat, ...]:
        """Who left for good in this beat."""
        return () if self.done is None else _leaving(self.done)

    @property
    def fresh(self) -> tuple[int, ...]:
        """The piles that got a card in this beat."""
        piles: list[int] = []
        for event in () if self.done is None else self.done.events:
            match event:
                case Landed(pile=pile):
                    piles.append(pile)
                case Spat(cards=cards):
                    piles += [pile for pile, card in enumerate(cards) if card is not None]
                case _:
                    pass
        return tuple(piles)


def after(before: Moment, done: Completed, took_s: float | None = None) -> Moment:
    """The moment that a beat leads to; `took_s` after the change before it, where that is known."""
    races, landed, games, summary = before.races, before.landed, before.games, before.summary
    for event in done.events:
        match event:
            case Dealt(game):
                summary = Summary(game)
            case Landed(seat=seat):
                landed = _more(landed, seat)
                summary = _landed(summary, seat, took_s)
            case Spat(cards=cards):
                left = summary.cards_left
                for seat in (seat for seat, card in enumerate(cards) if card is not None):
                    left = _one_less(left, seat)
                summary = replace(summary, cards_left=left)
            case Beaten(seat=loser):
                races = _more(races, other(loser))
                summary = replace(summary, races=_more(summary.races, other(loser)))
            case GameOver():
                games = (*games, event)
                summary = replace(summary, left=_leaving(done))
            case Refilled() | BothStuck() | MatchOver():
                pass
            case _:
                assert_never(event)
    return Moment(done.match, done, races, landed, games, summary)


def _landed(summary: Summary, seat: Seat, took_s: float | None) -> Summary:
    run = _more(summary.run if summary.run[seat] else (0, 0), seat)
    longest = (max(summary.longest_run[0], run[0]), max(summary.longest_run[1], run[1]))
    fastest_s, own_s = summary.fastest_s, summary.fastest_s[seat]
    if took_s is not None and (own_s is None or took_s < own_s):
        fastest_s = (fastest_s[0], took_s) if seat else (took_s, fastest_s[1])
    left = _one_less(summary.cards_left, seat)
    return replace(summary, run=run, longest_run=longest, fastest_s=fastest_s, cards_left=left)


def _one_less(cards_left: tuple[Pair, ...], seat: Seat) -> tuple[Pair, ...]:
    return (*cards_left, _more(cards_left[-1], seat, -1))


def _leaving(done: Completed) -> tuple[Seat, ...]:
    return tuple(seat for seat, move in enumerate(done.moves) if isinstance(move, Leave))


def _more(pair: Pair, seat: Seat, by: int = 1) -> Pair:
    return (pair[0], pair[1] + by) if seat else (pair[0] + by, pair[1])
