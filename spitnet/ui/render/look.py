"""What a terminal can show and what its user likes: everything about drawing that is not the scene."""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from spitnet.core.cards import RANKS, Card, rank, suit
from spitnet.ui.words import KeyLabels

SUIT_SIGNS: Final = ("♠", "♥", "♦", "♣")
SUIT_LETTERS: Final = ("s", "h", "d", "c")
"""Small, so that no suit is taken for a rank; in the order of `SUITS`."""


class Colours(Enum):
    """How many colours there are."""

    NONE = auto()
    """Bold, underline and reverse only."""
    SIXTEEN = auto()
    C256 = auto()
    TRUE = auto()


@dataclass(frozen=True, slots=True)
class Look:
    """How to draw. `rank_letters` in the order of `RANKS`; `mouse`: it plays too.

    `encoding` is the screen's: with `ascii`, letters that it lacks are spelled too.
    """

    ascii: bool = False
    colours: Colours = Colours.TRUE
    four_colour: bool = True
    rank_letters: tuple[str, ...] = RANKS
    encoding: str = "utf-8"
    keys: KeyLabels = field(default_factory=KeyLabels)
    mouse: bool = False

    def card_name(self, card: Card) -> str:
        """The card in a line of text, as `10♥`."""
        signs = SUIT_LETTERS if self.ascii else SUIT_SIGNS
        return self.rank_letters[rank(card)] + signs[suit(card)]
