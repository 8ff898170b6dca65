"""When a game or a match is over, and who has won it.

Judges a table as it lies after a whole beat; applying the beat's moves is done in `beat`.
"""

from collections.abc import Sequence

from spitnet.core.cards import Seat, other
from spitnet.core.legality import both_stuck
from spitnet.core.state import Game, Outcome, Reason, Result, Settings, cards_left


def outcome_of(game: Game, conceding: Sequence[Seat]) -> Outcome | None:
    """How the beat ended the game, or None if it goes on; `conceding` gave it up in that beat.

    Source: R16-R20.
    """
    last = None if all(game.stocks) else _by_last_card(game)
    if last is not None:
        return last
    if conceding:
        return Outcome(_survivor(conceding), Reason.CONCEDED)
    return None if any(game.stocks) else _by_standstill(game)


def _by_last_card(game: Game) -> Outcome | None:
    """Source: R16, R19."""
    match cards_left(game):
        case 0, 0:
            return Outcome(None, Reason.DEAD_HEAT)
        case 0, _:
            return Outcome(0, Reason.OUT)
        case _, 0:
            return Outcome(1, Reason.OUT)
    return None


def _by_standstill(game: Game) -> Outcome | None:
    """Source: R17, R18."""
    if not both_stuck(game):
        return None
    left = cards_left(game)
    if left[0] == left[1]:
        return Outcome(None, Reason.LEVEL)
    return Outcome(0 if left[0] < left[1] else 1, Reason.FEWEST)


def score_after(wins: tuple[int, int], draws: int, outcome: Outcome) -> tuple[tuple[int, int], int]:
    """Wins and draws with one more game counted.

    Source: R21.
    """
    match outcome.winner:
        case 0:
            return (wins[0] + 1, wins[1]), draws
        case 1:
            return (wins[0], wins[1] + 1), draws
        case _:
            return wins, draws + 1


def result_of(
    settings: Settings,
    wins: tuple[int, int],
    draws: int,
    leaving: Sequence[Seat] = (),
    *,
    given_up: bool = False,
) -> Result | None:
    """How the match ended, or None if it goes on; `leaving` gave it up after this score.

    The score decides before a seat that leaves does, unless it comes of a game that this seat alone has
    `given_up` with the match.

    Source: R21, R22.
    """
    decided = _by_score(settings, wins, draws)
    if len(leaving) == 1 and (decided is None or given_up):
        return Result(_survivor(leaving))
    return Result(None) if leaving and decided is None else decided


def _by_score(settings: Settings, wins: tuple[int, int], draws: int) -> Result | None:
    """Source: R21."""
    games_left = settings.games - sum(wins) - draws
    lead = wins[0] - wins[1]
    if abs(lead) > games_left:
        return Result(0 if lead > 0 else 1)
    return Result(None) if games_left == 0 else None


def _survivor(gone: Sequence[Seat]) -> Seat | None:
    """The seat that stayed, if one did."""
    return other(gone[0]) if len(gone) == 1 else None
