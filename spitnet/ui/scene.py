"""What there is to show, as values: one scene for each moment, drawn by `render`, spoken by `plain`.

What belongs here: everything that is on the screen, and nothing about how it looks. What must not: text, styles,
keys, clocks. Seats and piles are those of the rules; who sits in front of this screen is `seat`.
"""

from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias

from spitnet.core.cards import Card, Seat
from spitnet.core.moves import Move
from spitnet.core.state import Match


class Happened(Enum):
    """What the last thing was that the player should know of; fields of `Note` say more."""

    NOTHING = auto()
    DEALT = auto()
    SPIT = auto()
    """`seat` said it; None: both in one beat, or the game for both."""
    LANDED = auto()
    """`seat` played `card` onto `pile`."""
    BEATEN = auto()
    """`seat`'s `card` lost the race for `pile` to `by` and is back in its slot."""
    REFILLED = auto()
    READY = auto()
    """`seat` is ready."""
    BOTH_STUCK = auto()
    DOES_NOT_FIT = auto()
    """This player's `card` doesn't fit `pile` (None: neither pile)."""
    WHICH_PILE = auto()
    """This player's `card` fits both piles: left or right?"""
    TOO_LATE = auto()
    """This player's waiting `card` no longer fitted when its turn came."""
    NO_CARD = auto()
    """There is no card in the slot whose key was pressed."""
    NOT_NOW = auto()
    """That key does nothing at this moment."""
    GAME_OVER = auto()
    LEFT = auto()
    """`seat` left the match for good while no game was under way; None: both."""
    LOST = auto()
    """The opponent is out of reach, or left without conceding."""
    BACK = auto()
    TROUBLE = auto()
    """Something went wrong here; `text` is the line, already in words."""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that happened; which fields are set depends on `happened`."""

    happened: Happened = Happened.NOTHING
    seat: Seat | None = None
    card: Card | None = None
    pile: int | None = None
    by: Card | None = None
    text: str = ""


class Question(Enum):
    """What the player is being asked; keys answer it while it stands."""

    QUIT = auto()
    """Really leave? That concedes the match while one is under way."""
    CONCEDE = auto()
    """Concede this game?"""
    CLAIM = auto()
    """The opponent has been away for the whole grace period: claim the match, or go on waiting?"""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast the opponent answers, measured here: milliseconds, None before the first."""

    ping_ms: float | None = None
    reply_ms: float | None = None
    late_crossings: int = 0
    slow_replies: int = 0


@dataclass(frozen=True, slots=True)
class Gone:
    """The opponent is waited for. `grace_left_s` counts down to when the match may be claimed."""

    grace_left_s: float
    on_purpose: bool
    claimable: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished game, for the page after it. Pairs are by seat.

    `cards_left` holds a pair after every beat that changed it, from (52, 52) on. `longest_run` counts cards
    landed in a row without one of the other's between. `fastest_s` is this player's shortest time from the
    change that made a card playable to its landing, None if there was none. `left`: who ended the game by leaving.
    """

    game: int
    cards_left: tuple[tuple[int, int], ...] = ((52, 52),)
    races: tuple[int, int] = (0, 0)
    longest_run: tuple[int, int] = (0, 0)
    fastest_s: float | None = None
    left: tuple[Seat, ...] = ()


class Rematch(Enum):
    """How far the two have agreed on one more match."""

    NONE = auto()
    ASKED = auto()
    """This player wants it and waits for the other."""
    OFFERED = auto()
    """The other wants it."""
    DECLINED = auto()
    """The other has left."""


@dataclass(frozen=True, slots=True)
class TableScene:
    """A match at this seat. `names` by seat.

    `hand` is this player's move under way (the card is lifted), `waiting` the one that comes next. `note` is the last
    thing that happened, `asked_slot` the slot whose card fits both piles while `WHICH_PILE` stands. `races` are
    contested plays won by seat, in this match. `shout` is who said spit a moment ago. `summary` is set from the
    end of a game until the next deal; `left` is who left the match for good.

    `ended` says why the match ended before its time: "abandoned" (claimed on this side), "claimed" (by the opponent),
    "lost_records", "accused", or the word of a violation.
    """

    seat: Seat
    names: tuple[str, str]
    match: Match
    fingerprint: str = ""
    hand: Move | None = None
    waiting: Move | None = None
    note: Note = field(default_factory=Note)
    asked_slot: int | None = None
    races: tuple[int, int] = (0, 0)
    shout: tuple[Seat, ...] = ()
    pace: Pace = field(default_factory=Pace)
    gone: Gone | None = None
    question: Question | None = None
    help: bool = False
    summary: Summary | None = None
    rematch: Rematch = Rematch.NONE
    left: tuple[Seat, ...] = ()
    ended: str = ""


@dataclass(frozen=True, slots=True)
class HostingScene:
    """An open table: nobody has sat down yet. `addresses` are HOST:PORT, best first; `waited_s` counts up."""

    name: str
    addresses: tuple[str, ...]
    code: str | None
    waited_s: float
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table in the list of those that are open. `usable` is False for another version or a busy one."""

    name: str
    address: str
    usable: bool
    asks_code: bool
    version: int


@dataclass(frozen=True, slots=True)
class LookingScene:
    """Looking for tables: the live list, which one is chosen, and for how long it has been. `hint`: nobody yet, say
    what to try.
    """

    entries: tuple[Entry, ...]
    chosen: int
    waited_s: float
    hint: bool
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class KnockingScene:
    """Sitting down at a table by this name."""

    name: str
    waited_s: float


Scene: TypeAlias = TableScene | HostingScene | LookingScene | KnockingScene
