"""What a seat can ask for in a beat. A pass is None, not a move.

Moves are plain values: whether one is legal is told in `legality`, what it does in `table`.
"""

from dataclasses import dataclass
from typing import TypeAlias

from spitnet.core.cards import Card


@dataclass(frozen=True, slots=True)
class Deal:
    """Begin the next game. Both asking in one beat is one deal. Source: R3, R21."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Say that one is ready for a spit. Source: R7, R14."""


@dataclass(frozen=True, slots=True)
class Spit:
    """Say spit. Both saying it in one beat is one spit. Source: R7."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a layout card on a centre pile.

    `pile` is the seat that started the pile; `pile_size` is the number of cards that lay there when
    the play was aimed, so that it can't land on a top that its player did not see. Source: R8, R10.
    """

    card: Card
    pile: int
    pile_size: int


@dataclass(frozen=True, slots=True)
class Refill:
    """Fill an empty slot, 0..3, from the own stock; only where refills are manual. Source: R11."""

    slot: int


@dataclass(frozen=True, slots=True)
class Concede:
    """Give up the game under way. Source: R20."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Give up the match, and the game under way if there is one. Source: R22."""


Move: TypeAlias = Deal | Ready | Spit | Play | Refill | Concede | Leave
Moves: TypeAlias = tuple[Move | None, Move | None]
"""What each seat does in one beat; None is a pass."""
