"""What many results amount to: one standing for each opponent, told apart by key. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from spitnet.journal.results import GameResult, MatchRecord, MatchStatus, Score, StopTotals


@dataclass(frozen=True, slots=True)
class Timed:
    """A result, and how long the match took in seconds; None where that isn't known."""

    result: MatchRecord
    took_s: float | None


@dataclass(frozen=True, slots=True)
class Streak:
    """So many games of one score, one after the other."""

    score: Score
    length: int


@dataclass(frozen=True, slots=True)
class Series:
    """All matches against one opponent, or against all. `names`: the newest first, each once.

    `per_card_s`: seconds of a match for each own card that landed; None where no time is known.
    """

    opponent: bytes | None
    names: tuple[str, ...]
    results: tuple[MatchRecord, ...]
    per_card_s: float | None

    @property
    def games(self) -> tuple[GameResult, ...]:
        """In the order in which they were played."""
        return tuple(game for result in self.results for game in result.games)

    @property
    def races(self) -> tuple[int, int]:
        """Won and lost."""
        won, lost = zip(*(result.races for result in self.results), strict=True)
        return sum(won), sum(lost)

    @property
    def cards(self) -> int:
        return sum(result.cards for result in self.results)

    @property
    def stops(self) -> StopTotals:
        """Of all matches."""
        each = [result.stops for result in self.results]
        return StopTotals(
            sum(one.own for one in each),
            sum(one.opponent for one in each),
            sum(one.unknown for one in each),
            sum(one.seconds for one in each),
        )

    @property
    def late(self) -> tuple[int, int]:
        """Late crossings and slow replies of the opponent's."""
        crossings, replies = zip(*(result.late for result in self.results), strict=True)
        return sum(crossings), sum(replies)

    @property
    def lagged(self) -> int:
        """In how many matches the opponent's ping grew out of proportion."""
        return sum(result.lagged for result in self.results)

    def matches(self, score: Score) -> int:
        """How many matches came to that."""
        return sum(result.score is score for result in self.results)

    def standing(self, standing: MatchStatus) -> int:
        """How many matches came so far."""
        return sum(result.standing is standing for result in self.results)

    def claimed(self, score: Score) -> int:
        """How many of the matches that came to that did so by a claim."""
        claims = (result for result in self.results if result.standing is MatchStatus.CLAIMED)
        return sum(result.score is score for result in claims)

    def games_of(self, score: Score) -> int:
        """How many games came to that."""
        return sum(game.score is score for game in self.games)

    @property
    def streak(self) -> Streak | None:
        """The games played last, as far back as they have one score."""
        return next(reversed(self._streaks()), None)

    @property
    def longest_won(self) -> int:
        """The most games won one after the other."""
        won = (one.length for one in self._streaks() if one.score is Score.WON)
        return max(won, default=0)

    def _streaks(self) -> list[Streak]:
        runs = groupby(game.score for game in self.games)
        return [Streak(score, len(list(run))) for score, run in runs]


def by_opponent(matches: Iterable[Timed]) -> tuple[Series, ...]:
    """One record for each key, the one played last first."""
    sides: dict[bytes, list[Timed]] = {}
    for one in _in_order(matches):
        sides.setdefault(one.result.opponent, []).append(one)
    records = [_record(key, timed) for key, timed in sides.items()]
    return tuple(sorted(records, key=lambda one: one.results[-1].started, reverse=True))


def altogether(matches: Iterable[Timed]) -> Series:
    """One record of all."""
    return _record(None, _in_order(matches))


def _in_order(matches: Iterable[Timed]) -> list[Timed]:
    """By time, and each match once, however many copies of its record there are."""
    once = {(one.result.session, one.result.own_key): one for one in matches}
    return sorted(once.values(), key=lambda one: (one.result.started, one.result.session))


def _record(opponent: bytes | None, timed: list[Timed]) -> Series:
    results = tuple(one.result for one in timed)
    names = dict.fromkeys(result.name for result in reversed(results))
    return Series(opponent, tuple(names), results, _per_card_s(timed))


def _per_card_s(timed: list[Timed]) -> float | None:
    known = [(one.took_s, one.result.cards) for one in timed if one.took_s is not None]
    cards = sum(number for _took_s, number in known)
    return sum(took_s for took_s, _number in known) / cards if cards else None
