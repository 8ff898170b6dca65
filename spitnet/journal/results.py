"""What a record amounts to for the one whose it is: games, races, cards. Pure.

Everything is derived anew from the entries, as `verify` does it: a record that doesn't hold has no result.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from spitnet.core.cards import Seat, other
from spitnet.core.events import GameOver
from spitnet.core.state import Outcome, Reason
from spitnet.core.state import Result as MatchResult
from spitnet.journal.file_format import Entry
from spitnet.journal.replay import Broken, Flaw, Replay
from spitnet.journal.story import Moment, after
from spitnet.protocol.entries import Ending, Stop

NOT_PLAYED_OUT = (Reason.ABANDONED, Reason.FORFEITED)
"""A game that ended so is nobody's result."""


class MatchStatus(StrEnum):
    """How far a match came."""

    OVER = "over"
    """It was played to its end."""
    CLAIMED = "claimed"
    """One side claimed it, on its word alone, and has won it. Source: R22."""
    FORFEITED = "forfeited"
    """The other side left for good, broke the protocol, accused this one or lost its record: it is won. Source: R22."""
    BROKEN_OFF = "broken_off"
    """This record has lost its end; or it is of a format in which nobody had won what was forfeited."""
    UNFINISHED = "unfinished"


class Score(StrEnum):
    """What a game or a match was for the one whose record it is."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game that came to its end; `cards_left` are one's own and the opponent's."""

    score: Score
    cards_left: tuple[int, int]


@dataclass(frozen=True, slots=True)
class StopTotals:
    """How often the game stood still: by this side's own doing, by the opponent's, and where that can't be told."""

    own: int = 0
    opponent: int = 0
    unknown: int = 0
    seconds: float = 0.0

    @property
    def times(self) -> int:
        return self.own + self.opponent + self.unknown


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """One match. Keys are the public ones; `name` is what the opponent called themselves, as it travelled.

    `started` is UTC, ISO 8601. `score` is None unless somebody has won the match, or drawn it. `races` are contested cards, won
    and lost; `cards` those of one's own that landed; `stops` those of the game on this side. `late`: late crossings and slow
    replies of the opponent's; `lagged`: its ping grew out of proportion.
    """

    session: bytes
    started: str
    own_key: bytes
    opponent: bytes
    name: str
    standing: MatchStatus
    score: Score | None
    games: tuple[GameResult, ...]
    races: tuple[int, int]
    cards: int
    stops: StopTotals
    late: tuple[int, int] = (0, 0)
    lagged: bool = False


def result_of(record: Iterable[Entry]) -> MatchRecord:
    """The result of a whole record.

    Raises:
        Broken: at the entry that doesn't follow from those before.
    """
    stream = iter(record)
    first = next(stream, None)
    if first is None:
        raise Broken(Flaw.NO_OPENING_ENTRY, 0)
    replay = Replay(first)
    last = Moment(replay.match)
    for entry in stream:
        beat = replay.take(entry)
        if beat is not None:
            last = after(last, beat)
    return _result(replay, last)


def _result(replay: Replay, last: Moment) -> MatchRecord:
    origin = replay.opened.origin
    keys = (origin.host_key, origin.join_key)
    seat, peer = replay.seat, other(replay.seat)
    standing, score = _end(replay)
    return MatchRecord(
        replay.session,
        replay.opened.started,
        keys[seat],
        keys[peer],
        replay.names[peer],
        standing,
        score,
        tuple(_game(one, seat) for one in last.games if one.outcome.reason not in NOT_PLAYED_OUT),
        (last.races[seat], last.races[peer]),
        last.landed[seat],
        totals_of(replay.stops, seat),
        (replay.late_crossings, replay.slow_replies),
        replay.lagged,
    )


def _game(over: GameOver, seat: Seat) -> GameResult:
    left = (over.cards_left[seat], over.cards_left[other(seat)])
    return GameResult(_score(over.outcome, seat), left)


def totals_of(stops: Sequence[Stop], seat: Seat) -> StopTotals:
    """What the stops in a record amount to for the one in that seat, whose it is."""
    whose = [stop.seat for stop in stops]
    seconds = sum(stop.lasted_ms for stop in stops) / 1000
    return StopTotals(whose.count(seat), whose.count(other(seat)), whose.count(None), seconds)


def _end(replay: Replay) -> tuple[MatchStatus, Score | None]:
    """How far the match came, and what it was; nobody is asked for more than their word."""
    ended, result = replay.ended, replay.match.result
    if ended is None:
        return MatchStatus.UNFINISHED, None
    if result is None:
        return MatchStatus.BROKEN_OFF, None
    score = _score(result, replay.seat)
    if ended.how is Ending.OVER:
        return MatchStatus.OVER, score
    return MatchStatus.CLAIMED if ended.is_claimed else MatchStatus.FORFEITED, score


def _score(outcome: Outcome | MatchResult, seat: Seat) -> Score:
    if outcome.winner is None:
        return Score.DRAWN
    return Score.WON if outcome.winner == seat else Score.LOST
