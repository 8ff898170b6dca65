"""What a key or a click means, whichever layout it was typed on; `keys` makes them, the model obeys them."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias


class PileSide(Enum):
    """Left or right on this player's screen; one's own pile is on the right."""

    LEFT = auto()
    RIGHT = auto()


@dataclass(frozen=True, slots=True)
class CardPress:
    """Play the card in this slot (0..3) onto that pile; None: onto the one that it fits."""

    slot: int
    side: PileSide | None


@dataclass(frozen=True, slots=True)
class Arrow:
    """Left or right: answers which pile, or moves on a page."""

    side: PileSide


class Plain(Enum):
    """Keys that mean one thing everywhere, or nothing where there is nothing to do."""

    SPACE = auto()
    """Refill, ready, spit, next game: whatever is due."""
    ENTER = auto()
    """Takes the chosen table of a list. Never a play key."""
    UP = auto()
    DOWN = auto()
    HELP = auto()
    QUIT = auto()
    CONCEDE = auto()
    REMATCH = auto()
    YES = auto()
    NO = auto()
    ESCAPE = auto()
    """Closes help, answers no. Never needed in the race."""
    BACKSPACE = auto()
    """Where a text is asked for: takes its last letter away."""


class Playback(Enum):
    """Looking at a match: what is shown next."""

    PLAY = auto()
    """Play or pause; at the end, once more from the start."""
    FORWARD = auto()
    BACK = auto()
    FASTER = auto()
    SLOWER = auto()
    LATER_CONTEST = auto()
    EARLIER_CONTEST = auto()
    LATER_GAME = auto()
    EARLIER_GAME = auto()
    START = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Letters:
    """Where a text is asked for: more of it."""

    text: str


Press: TypeAlias = CardPress | Arrow | Plain | Playback | Letters
