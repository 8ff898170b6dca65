"""What a beat did to the table, in the order in which it was applied.

Plain values that both peers derive alike. A change of the table is always an event; getting ready
changes nothing on the table and is none. `game` is the game's number, from 1.
"""

from typing import TypeAlias

from msgspec import Struct

from spitnet.core.cards import Card, Seat
from spitnet.core.state import Layout, Outcome


class Dealt(Struct, frozen=True):
    """A game began; `layouts` by seat. Source: R3."""

    game: int
    layouts: tuple[Layout, Layout]


class Spat(Struct, frozen=True):
    """Cards were turned onto the piles.

    `by`: the seats that said spit, ascending. `cards`: what each seat turned up, None for a seat
    without stock. Source: R7, R15.
    """

    game: int
    by: tuple[Seat, ...]
    cards: tuple[Card | None, Card | None]


class Landed(Struct, frozen=True):
    """A play took its pile. Source: R8."""

    game: int
    seat: Seat
    slot: int
    card: Card
    pile: int


class Beaten(Struct, frozen=True):
    """A play lost its race: the card is back in its slot, `by` lies on the pile. Source: R10."""

    game: int
    seat: Seat
    slot: int
    card: Card
    pile: int
    by: Card


class Refilled(Struct, frozen=True):
    """A card was turned up into a slot; `stock` cards are left. Source: R11."""

    game: int
    seat: Seat
    slot: int
    card: Card
    stock: int


class BothStuck(Struct, frozen=True):
    """Neither seat can play or refill, and a stock is left. Source: R13, R14."""

    game: int


class GameOver(Struct, frozen=True):
    """A game ended; `cards_left` is layout and stock of each seat. Source: R16-R20, R22."""

    game: int
    outcome: Outcome
    cards_left: tuple[int, int]


class MatchOver(Struct, frozen=True):
    """The match ended; no winner is a drawn match. Source: R21, R22."""

    wins: tuple[int, int]
    draws: int
    winner: Seat | None


Event: TypeAlias = Dealt | Spat | Landed | Beaten | Refilled | BothStuck | GameOver | MatchOver
