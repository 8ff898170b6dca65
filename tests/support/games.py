"""Tables laid by hand and games played by machine, for any room's tests.

`lay` builds a sound match around the few cards that a test is about; `played` runs a match between
two choosers on randomness that is a function of a name, so that nothing here varies.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random
from typing import NamedTuple

from spitnet.core.beat import apply_beat
from spitnet.core.cards import SEATS, Card, Seat, card_of, deck
from spitnet.core.draw import Randomness
from spitnet.core.events import Event
from spitnet.core.legality import is_stuck, legal, plays
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves, Play, Ready, Refill, Spit
from spitnet.core.state import LAYOUT_SIZE, Game, Match, Settings, new_match

_WITHOUT_CHOICE: tuple[Move, ...] = (
    Spit(),
    Ready(),
    Deal(),
    *(Refill(slot) for slot in range(LAYOUT_SIZE)),
)

Chooser = Callable[[Match, Seat], Move | None]


class Beat(NamedTuple):
    """One beat of a played match: the state before, the moves, what came of them."""

    before: Match
    moves: Moves
    randomness: Randomness
    after: Match
    events: tuple[Event, ...]


def chance(name: str, number: int = 0) -> Randomness:
    """The randomness of a beat, as a function of a chain's name and the beat's number."""
    return Randomness(sha256(f"{name} {number}".encode()).digest())


def stuck(match: Match, seat: Seat) -> bool:
    """Whether a game is under way in which the seat can neither play nor refill. Source: R13."""
    return match.playing and is_stuck(game_of(match), seat)


def tossing(first: Seat) -> Randomness:
    """Randomness that applies this seat first."""
    return next(found for n in range(99) if (found := chance("toss", n)).first == first)


def cards(seat: Seat, faces: str) -> tuple[Card, ...]:
    """The seat's cards of these faces, as `"AH 10S"`."""
    return tuple(card_of(face, seat) for face in faces.split())


def lay(
    layouts: tuple[str, str],
    piles: tuple[str, str],
    stocks: tuple[str | None, str | None] = (None, None),
    *,
    ready: tuple[bool, bool] = (False, False),
    settings: Settings | None = None,
    wins: tuple[int, int] = (0, 0),
    draws: int = 0,
) -> Match:
    """A match with a game under way, in which every card lies somewhere.

    Layouts are four faces each, `-` for an empty slot. Piles are the faces on top, all from the
    deck of the seat that started the pile. Stocks are faces too, and what is named nowhere is
    buried in the own pile; or None, for all that is named nowhere.
    """
    rows = [_row(seat, layouts[seat]) for seat in SEATS]
    tops = [cards(seat, piles[seat]) for seat in SEATS]
    stocked: list[tuple[Card, ...]] = []
    buried: list[tuple[Card, ...]] = []
    for seat in SEATS:
        named = cards(seat, stocks[seat] or "")
        rest = tuple(c for c in deck(seat) if c not in {*rows[seat], *tops[seat], *named})
        stocked.append(rest if stocks[seat] is None else tuple(sorted(named)))
        buried.append(() if stocks[seat] is None else rest)
    game = Game(
        number=sum(wins) + draws + 1,
        layouts=(rows[0], rows[1]),
        stocks=(stocked[0], stocked[1]),
        piles=(buried[0] + tops[0], buried[1] + tops[1]),
        ready=ready,
        outcome=None,
    )
    return Match(settings or Settings(), game, wins, draws, None)


def _row(seat: Seat, faces: str) -> tuple[Card | None, ...]:
    return tuple(None if face == "-" else card_of(face, seat) for face in faces.split())


def game_of(match: Match) -> Game:
    """The game of a match that has one."""
    assert match.game is not None
    return match.game


def play(match: Match, seat: Seat, face: str, pile: int) -> Play:
    """A play of the seat's card, aimed at the pile as it lies."""
    return Play(card_of(face, seat), pile, len(game_of(match).piles[pile]))


def legal_moves(match: Match, seat: Seat) -> tuple[Move, ...]:
    """Every move that the seat may make, giving up included."""
    slots = [Refill(slot) for slot in range(LAYOUT_SIZE)]
    plain: tuple[Move, ...] = (Deal(), Ready(), Spit(), *slots, Concede(), Leave())
    found = plays(match.game, seat) if match.game is not None and not match.over else ()
    return (*found, *(move for move in plain if legal(match, seat, move)))


def naive(match: Match, seat: Seat) -> Move | None:
    """The first legal play; else a spit, a ready, a deal or a refill if legal; else a pass."""
    found = plays(match.game, seat) if match.game is not None else ()
    if found:
        return found[0]
    return next((move for move in _WITHOUT_CHOICE if legal(match, seat, move)), None)


def acting(seed: int) -> Chooser:
    """A player who always does something that can be done, but gives nothing up."""
    generator = Random(seed)

    def choose(match: Match, seat: Seat) -> Move | None:
        moves = [m for m in legal_moves(match, seat) if not isinstance(m, Concede | Leave)]
        return generator.choice(moves) if moves else None

    return choose


def wilful(seed: int) -> Chooser:
    """A player who may do anything that is legal: hesitate, and at times concede or leave."""
    generator = Random(seed)

    def choose(match: Match, seat: Seat) -> Move | None:
        moves = legal_moves(match, seat)
        tame = [move for move in moves if not isinstance(move, Concede | Leave)]
        if generator.random() < 0.004:
            return generator.choice(moves)
        return generator.choice(tame) if tame and generator.random() < 0.8 else None

    return choose


def played(
    name: str,
    settings: Settings | None = None,
    choosers: tuple[Chooser, Chooser] = (naive, naive),
    most: int = 5_000,
) -> Iterator[Beat]:
    """The beats of a match, until it is over or `most` turns have come; those that both pass are
    no beats.
    """
    match = new_match(settings or Settings())
    for number in range(most):
        if match.over:
            return
        moves = (choosers[0](match, 0), choosers[1](match, 1))
        if moves == (None, None):
            continue
        randomness = chance(name, number)
        after, events = apply_beat(match, moves, randomness)
        yield Beat(match, moves, randomness, after, events)
        match = after
