"""The state of a match: settings, the game that was begun last, and the score.

Values and what can be read off them at once. How a state changes is in `beat`.
"""

from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct

from spitnet.core.cards import Card, Seat

LAYOUT_SIZE: Final = 4
"""Slots in a layout. Source: R3, R12."""
GAMES_MAX: Final = 1000
GRACE_S_RANGE: Final = (5, 3600)

Layout: TypeAlias = tuple[Card | None, ...]
"""Four slots; None is an empty one."""


class RefillMode(StrEnum):
    """How an empty slot is filled: with the play, or when the player asks. Source: R11."""

    AUTO = "auto"
    MANUAL = "manual"


class SpitMode(StrEnum):
    """Who says spit once both are ready: a player, or the game for both. Source: R7."""

    SAID = "said"
    AUTO = "auto"


class Reason(StrEnum):
    """Why a game ended. Source: R16-R20, R22."""

    OUT = "out"
    FEWEST = "fewest"
    LEVEL = "level"
    DEAD_HEAT = "dead_heat"
    CONCEDED = "conceded"
    ABANDONED = "abandoned"
    FORFEITED = "forfeited"


class Settings(Struct, frozen=True):
    """What the host sets for a match: `games` 1 to `GAMES_MAX`, `grace_s` in seconds, within `GRACE_S_RANGE`.

    `watchable`: others may look on. `spit`, `grace_s` and `watchable` change no rule here; they are for those who drive
    the match.

    Source: R7, R11, R21, R22.
    """

    games: int = 1
    refill: RefillMode = RefillMode.AUTO
    spit: SpitMode = SpitMode.SAID
    grace_s: int = 60
    watchable: bool = False


class Outcome(Struct, frozen=True):
    """How a game ended; no winner is a draw."""

    winner: Seat | None
    reason: Reason


class Result(Struct, frozen=True):
    """How a match ended; no winner is a drawn match."""

    winner: Seat | None


class Game(Struct, frozen=True):
    """One game. Pairs are by seat; pile p is the one that seat p started.

    A stock has no order: its cards are listed ascending, and each draw is uniform over them.
    Piles are listed from the bottom, so the top is the last card. Source: R3, R4, R7.
    """

    number: int
    layouts: tuple[Layout, Layout]
    stocks: tuple[tuple[Card, ...], tuple[Card, ...]]
    piles: tuple[tuple[Card, ...], tuple[Card, ...]]
    ready: tuple[bool, bool]
    outcome: Outcome | None


class Match(Struct, frozen=True):
    """A match. `game` is the one begun last and is kept after its end, until the next deal."""

    settings: Settings
    game: Game | None
    wins: tuple[int, int]
    draws: int
    result: Result | None

    @property
    def over(self) -> bool:
        """Whether the match has ended: nothing is legal any more."""
        return self.result is not None

    @property
    def playing(self) -> bool:
        """Whether a game is under way."""
        return self.game is not None and self.game.outcome is None


def new_match(settings: Settings) -> Match:
    """A match before its first deal."""
    return Match(settings, None, (0, 0), 0, None)


def cards_left(game: Game) -> tuple[int, int]:
    """Cards in layout and stock, by seat. Source: R5."""
    return _in_layout_and_stock(game, 0), _in_layout_and_stock(game, 1)


def _in_layout_and_stock(game: Game, seat: Seat) -> int:
    layout = game.layouts[seat]
    return len(layout) - layout.count(None) + len(game.stocks[seat])
