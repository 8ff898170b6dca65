"""What a seat can ask for in a beat. A pass is None, not a move.

Moves are plain values: whether one is legal is told in `legality`, what it does in `table`.
"""

from typing import TypeAlias

from msgspec import Struct

from spitnet.core.cards import Card


class Deal(Struct, frozen=True):
    """Begin the next game. Both asking in one beat is one deal. Source: R3, R21."""


class Ready(Struct, frozen=True):
    """Say that one is ready for a spit. Source: R7, R14."""


class Spit(Struct, frozen=True):
    """Say spit. Both saying it in one beat is one spit. Source: R7."""


class Play(Struct, frozen=True):
    """Play a layout card on a centre pile.

    `pile` is the seat that started the pile; `pile_size` is the number of cards that lay there when
    the play was aimed, so that it can't land on a top that its player did not see. Source: R8, R10.
    """

    card: Card
    pile: int
    pile_size: int


class Refill(Struct, frozen=True):
    """Fill an empty slot, 0..3, from the own stock; only where refills are manual. Source: R11."""

    slot: int


class Concede(Struct, frozen=True):
    """Give up the game under way. Source: R20."""


class Leave(Struct, frozen=True):
    """Give up the match, and the game under way if there is one. Source: R22."""


Move: TypeAlias = Deal | Ready | Spit | Play | Refill | Concede | Leave
Moves: TypeAlias = tuple[Move | None, Move | None]
"""What each seat does in one beat; None is a pass."""
