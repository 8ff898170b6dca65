"""What there is to show, as values: one scene for each moment, drawn by `render`, spoken by `plain`.

What belongs here: everything that is on the screen, and nothing about how it looks. What must not: text, styles,
keys, clocks. Seats and piles are those of the rules; who sits in front of this screen is `seat`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TypeAlias, assert_never

from spitnet.core.cards import Card, Seat
from spitnet.core.events import (
    Beaten,
    BothStuck,
    Dealt,
    Event,
    GameOver,
    Landed,
    MatchOver,
    Refilled,
    Spat,
)
from spitnet.core.moves import Leave, Move, Ready, Refill
from spitnet.core.state import Match, Settings
from spitnet.journal.story import Moment, Summary
from spitnet.protocol.entries import Ended
from spitnet.protocol.notices import Completed
from spitnet.protocol.rematch import Prospect


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


def notes_of(moment: Moment) -> tuple[Note, ...]:
    """What a beat is told as, in order."""
    return () if moment.done is None else tuple(_notes(moment.done))


def _notes(done: Completed) -> Iterator[Note]:
    for seat, move in enumerate(done.moves):
        if isinstance(move, Ready):
            yield Note(Happened.READY, seat)
    leaving = [seat for seat, move in enumerate(done.moves) if isinstance(move, Leave)]
    if leaving and not any(isinstance(event, GameOver) for event in done.events):
        yield Note(Happened.LEFT, leaving[0] if len(leaving) == 1 else None)
    yield from (note for event in done.events if (note := _note(event, done)) is not None)


def _note(event: Event, done: Completed) -> Note | None:
    match event:
        case Dealt():
            return Note(Happened.DEALT)
        case Spat(by=by):
            return Note(Happened.SPIT, by[0] if len(by) == 1 else None)
        case Landed(seat=seat, card=card, pile=pile):
            return Note(Happened.LANDED, seat, card, pile)
        case Beaten(seat=seat, card=card, pile=pile, by=winner):
            return Note(Happened.BEATEN, seat, card, pile, winner)
        case Refilled(seat=seat, card=card):
            # A card that comes with a play needs no word (R11).
            asked = isinstance(done.moves[seat], Refill)
            return Note(Happened.REFILLED, seat, card) if asked else None
        case BothStuck():
            return Note(Happened.BOTH_STUCK)
        case GameOver():
            return Note(Happened.GAME_OVER)
        case MatchOver():
            return None
        case _:
            assert_never(event)


class Question(Enum):
    """What the player is being asked; keys answer it while it stands."""

    QUIT = auto()
    """Really leave? That concedes the match while one is under way."""
    CONCEDE = auto()
    """Concede this game?"""
    CLAIM = auto()
    """The opponent has been away for the whole grace period: claim the match, or go on waiting?"""


class Help(Enum):
    """Which page of the help lies over the table."""

    KEYS = auto()
    RULES = auto()


@dataclass(frozen=True, slots=True)
class LinkQuality:
    """How fast the opponent answers, measured here: milliseconds, None before the first; and how often the game stopped.

    `least_ms`: the least round trip of the match; `lags`: the ping is out of proportion to it.
    """

    ping_ms: float | None = None
    reply_ms: float | None = None
    late_crossings: int = 0
    slow_replies: int = 0
    stops: int = 0
    least_ms: float | None = None
    lags: bool = False


@dataclass(frozen=True, slots=True)
class Claims:
    """When the match may be claimed, if the wait of now goes on: by this player and by the opponent, None while nobody waits.

    `short`: of each seat, whether its waits of this match are so many that the next can't last the whole grace period.
    """

    own_at_s: float | None = None
    their_at_s: float | None = None
    short: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class Stopping:
    """The game has stopped so often within a minute that both should know; `shouted`: the last time just now."""

    count: int
    shouted: bool


@dataclass(frozen=True, slots=True)
class Absence:
    """The opponent is waited for. `grace_left_s` counts down to when the match may be claimed. `idle`: the opponent is there,
    and has done nothing for so long. `overdue`: the opponent is there, and the program doesn't answer. `short`: the opponent's
    waits add up to too much.
    """

    grace_left_s: float
    on_purpose: bool
    claimable: bool
    idle: bool = False
    overdue: bool = False
    short: bool = False

    @property
    def away(self) -> bool:
        """Whether the opponent isn't there."""
        return not self.idle and not self.overdue


@dataclass(frozen=True, slots=True)
class Idle:
    """A seat that alone has something to do, and does nothing; `left_s` counts down to when the match may be claimed. `short`:
    that is sooner than the grace period is over, since its waits add up.
    """

    seat: Seat
    left_s: float
    short: bool = False


@dataclass(frozen=True, slots=True)
class TableScene:
    """A match at this seat. `names` by seat.

    `hand` is this player's move under way (the card is lifted), `waiting` the one that comes next. `note` is the last
    thing that happened, `asked_slot` the slot whose card fits both piles while `WHICH_PILE` stands. `races` are
    contested plays won by seat, in this match. `shout` is who said spit a moment ago. `fresh` are the piles that are shown
    as new whatever the note says. `summary` is set from the
    end of a game until the next deal; `left` is who left the match for good. `fingerprint` is the link's; there is none
    where a match is looked at. `moments` are those of the latest beats, for who tells every beat.

    `refused`: the note says why a key did nothing, a moment ago; it is seen even where the line says who is waited for.

    `deaf`: the page has just come up, and no key counts yet but the one that leaves.

    `stopping`: the game stops again and again.

    `lessons`: this player has never played, and is led through the first moves.

    `ended` is set where the match has ended before its time.

    `looking_on`: nobody sits at this screen; `seat` is the lower row's, and both are called by their names.
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
    fresh: tuple[int, ...] = ()
    pace: LinkQuality = field(default_factory=LinkQuality)
    stopping: Stopping | None = None
    gone: Absence | None = None
    idle: Idle | None = None
    refused: bool = False
    deaf: bool = False
    question: Question | None = None
    help: Help | None = None
    lessons: bool = False
    summary: Summary | None = None
    rematch: Prospect = Prospect.NONE
    left: tuple[Seat, ...] = ()
    moments: tuple[Moment, ...] = ()
    ended: Ended | None = None
    looking_on: bool = False

    @property
    def may_be_watched(self) -> bool:
        """Whether to say that others may look on: to those who play, not to whoever looks at a match."""
        return self.match.settings.watchable and bool(self.fingerprint)

    @property
    def concedable(self) -> bool:
        """Whether there is a game to give up: one is under way, and the match hasn't been stopped."""
        return self.match.playing and not self.ended


class Lack(Enum):
    """What was asked for and isn't there."""

    LATER_BEAT = auto()
    EARLIER_BEAT = auto()
    LATER_CONTEST = auto()
    EARLIER_CONTEST = auto()
    LATER_GAME = auto()
    EARLIER_GAME = auto()


@dataclass(frozen=True, slots=True)
class FollowScene:
    """A match that is looked at, beat by beat, from behind `seat`.

    `moments` only ever grows; `index` is the one on the screen. `games` and `contests` are the indices of the moments
    with a deal or a contest, ascending. `jumps` grows whenever `index` moves otherwise than to the next one, or can't: then `lack` says why. `ending`
    is set once no more can come: in words, what the match or its record came to; `broken`: that is nothing good. `trouble`
    is what is wrong now, `said` what else there is to say beside the beats, until the next comes; both in words.

    `looking_on`: it is played by others while it is looked at; `live`: the newest moment is on the screen, and stays.
    """

    seat: Seat
    names: tuple[str, str]
    started: str
    moments: Sequence[Moment]
    index: int = 0
    games: tuple[int, ...] = ()
    contests: tuple[int, ...] = ()
    playing: bool = False
    speed: float = 1.0
    jumps: int = 0
    ending: str = ""
    broken: bool = False
    lack: Lack | None = None
    trouble: str = ""
    said: str = ""
    help: bool = False
    looking_on: bool = False
    live: bool = False

    @property
    def moment(self) -> Moment:
        """The one on the screen."""
        return self.moments[self.index]

    @property
    def at_end(self) -> bool:
        """Whether there is no later moment; there may be one soon where `ending` is empty."""
        return self.index == len(self.moments) - 1

    def table(self, moment: Moment) -> TableScene:
        """The table at a moment; its note is a lost race, else the last thing that the beat did."""
        notes = notes_of(moment)
        beaten = (note for note in notes if note.happened is Happened.BEATEN)
        last = notes[-1] if notes else Note()
        return TableScene(
            self.seat,
            self.names,
            moment.match,
            note=next(beaten, last),
            races=moment.races,
            shout=moment.shout,
            fresh=moment.fresh,
            summary=moment.summary,
            left=moment.leaving,
            looking_on=self.looking_on,
        )


@dataclass(frozen=True, slots=True)
class HostingScene:
    """An open table: nobody has sat down yet. `addresses` are HOST:PORT, best first, as they are now; `waited_s` counts up.

    `watchable`: others may look on. `search`: what those who look for it have to say besides, as it is typed. `hint`: it
    has been long, say what to try.
    """

    name: str
    addresses: tuple[str, ...]
    code: str | None
    waited_s: float
    trouble: str = ""
    watchable: bool = False
    search: tuple[str, ...] = ()
    hint: bool = False


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A table in a list. `usable` is False for another version, and where it is too late to sit down; `watchable`:
    others may look on there. `settings`: what it says that it plays, None if it doesn't.
    """

    name: str
    address: str
    usable: bool
    asks_code: bool
    version: int
    watchable: bool = False
    settings: Settings | None = None


@dataclass(frozen=True, slots=True)
class LookingScene:
    """Looking for tables: the live list, which one is chosen, and for how long it has been. `hint`: nobody yet, say
    what to try. `looking_on`: for tables to look on at, not to sit down. `asked`: the address that they are looked for at,
    as it is typed; empty where they are looked for everywhere. `choosing`: nobody is taken to the only one.
    """

    entries: tuple[ListedTable, ...]
    chosen: int
    waited_s: float
    hint: bool
    trouble: str = ""
    looking_on: bool = False
    asked: str = ""
    choosing: bool = False


@dataclass(frozen=True, slots=True)
class CodeScene:
    """The code of the table by this name is asked for; `typed` is what there is of it. Here keys are letters.

    `trouble`: why the last one was none, in words.
    """

    name: str
    typed: str = ""
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class KnockingScene:
    """Sitting down at a table by this name, at one's own without; `looking_on`: waiting there for a match to look at.

    `settings` as in `ListedTable`. `hint`: it takes long, say why that may be.
    """

    name: str
    waited_s: float
    looking_on: bool = False
    settings: Settings | None = None
    hint: bool = False


Scene: TypeAlias = (
    TableScene | FollowScene | HostingScene | LookingScene | CodeScene | KnockingScene
)
