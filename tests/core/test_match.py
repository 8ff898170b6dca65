"""Matches: the score over games, leaving, and a claim against a seat that stays away."""

import pytest
from msgspec import structs
from support.games import chance, game_of, lay, play
from support.invariants import violated

from spitnet.core.beat import apply_beat, forfeit
from spitnet.core.cards import Seat, other
from spitnet.core.events import Dealt, Event, GameOver, MatchOver
from spitnet.core.legality import legal
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves
from spitnet.core.state import Match, Outcome, Reason, Result, Settings, new_match

HERE = chance("match")
PLAIN = ("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D")


def beat(match: Match, moves: Moves) -> tuple[Match, tuple[Event, ...]]:
    """The beat, once it is sure that its moves are legal and that it leaves nothing broken."""
    for seat, move in enumerate(moves):
        assert move is None or legal(match, seat, move)
    after, events = apply_beat(match, moves, HERE)
    assert violated(after) == ()
    return after, events


def after_games(games: int, winners: str) -> Match:
    """A match in which these seats won in turn; `-` is a drawn game."""
    match = new_match(Settings(games=games))
    lose: dict[str, Moves] = {
        "0": (None, Concede()),
        "1": (Concede(), None),
        "-": (Concede(), Concede()),
    }
    for winner in winners:
        match, _ = beat(match, (Deal(), None))
        match, _ = beat(match, lose[winner])
    return match


@pytest.mark.parametrize(
    ("games", "winners", "result"),
    [
        (1, "", None),
        (1, "0", Result(0)),
        (1, "-", Result(None)),
        (2, "1", None),
        (2, "1-", Result(1)),
        (2, "10", Result(None)),
        (3, "0", None),
        (3, "00", Result(0)),
        (3, "01", None),
        (3, "0-", None),
        (3, "0-1", Result(None)),
        (3, "0--", Result(0)),
        (3, "---", Result(None)),
        (3, "--1", Result(1)),
        (4, "11", None),
        (4, "111", Result(1)),
        (4, "11-", Result(1)),
        (5, "0-0", None),
        (5, "0-00", Result(0)),
        (5, "0-0-", Result(0)),
        (5, "01010", Result(0)),
    ],
)
def test_a_match_ends_once_it_is_decided(games: int, winners: str, result: Result | None) -> None:
    """R21: more wins than the other can still reach; drawn games count for neither."""
    match = after_games(games, winners)
    assert match.result == result
    assert match.over is (result is not None)
    assert match.wins == (winners.count("0"), winners.count("1"))
    assert match.draws == winners.count("-")
    assert legal(match, 0, Deal()) is not match.over


def test_each_game_begins_with_a_deal_and_the_last_stays_until_then() -> None:
    """R21"""
    match = after_games(3, "0")
    ended = game_of(match)
    assert ended.outcome == Outcome(0, Reason.CONCEDED)
    assert not match.playing
    match, events = beat(match, (None, Deal()))
    game = game_of(match)
    assert events == (Dealt(2, game.layouts),)
    assert (game.number, game.piles, game.ready) == (2, ((), ()), (False, False))
    assert match.playing


def test_game_over_comes_before_match_over() -> None:
    """R21: and only the last game's is followed by it."""
    match, _ = beat(after_games(3, "0"), (Deal(), None))
    match, events = beat(match, (None, Concede()))
    assert events == (
        GameOver(2, Outcome(0, Reason.CONCEDED), (52, 52)),
        MatchOver((2, 0), 0, 0),
    )
    match, _ = beat(after_games(3, "1"), (Deal(), None))
    _, events = beat(match, (None, Concede()))
    assert [type(event) for event in events] == [GameOver]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("winners", ["", "0", "1", "-"])
def test_leaving_between_games_gives_the_match_away(winners: str, seat: Seat) -> None:
    """R22: no game was under way, so none is over."""
    match = after_games(3, winners)
    left, events = beat(match, (Leave(), None) if seat == 0 else (None, Leave()))
    assert events == (MatchOver(match.wins, match.draws, other(seat)),)
    assert left.result == Result(other(seat))
    assert left.game == match.game


@pytest.mark.parametrize("winners", ["", "1", "0-"])
def test_leaving_during_a_game_gives_the_game_and_the_match_away(winners: str) -> None:
    """R22: whatever the score, while games are left."""
    match, _ = beat(after_games(5, winners), (Deal(), None))
    left, events = beat(match, (None, Leave()))
    wins = (match.wins[0] + 1, match.wins[1])
    number = len(winners) + 1
    assert events == (
        GameOver(number, Outcome(0, Reason.CONCEDED), (52, 52)),
        MatchOver(wins, match.draws, 0),
    )
    assert left.result == Result(0)


def test_leaving_in_the_last_game_loses_the_match_whatever_the_score() -> None:
    """R21, R22: level by games, but leaving concedes the match."""
    match, _ = beat(after_games(3, "1-"), (Deal(), None))
    left, events = beat(match, (None, Leave()))
    assert events[-1] == MatchOver((1, 1), 1, 0)
    assert left.result == Result(0)


@pytest.mark.parametrize("winners", ["", "0"])
def test_both_leaving_is_a_drawn_match(winners: str) -> None:
    """R22: between games, and during one while games are left."""
    match = after_games(3, winners)
    left, events = beat(match, (Leave(), Leave()))
    assert events == (MatchOver(match.wins, 0, None),)
    assert left.result == Result(None)
    match, _ = beat(match, (Deal(), None))
    left, events = beat(match, (Leave(), Leave()))
    number = len(winners) + 1
    assert events == (
        GameOver(number, Outcome(None, Reason.CONCEDED), (52, 52)),
        MatchOver(match.wins, 1, None),
    )


def test_conceding_meets_leaving() -> None:
    """R20, R22: the game is drawn, the match is the one's who stays."""
    match, _ = beat(after_games(3, ""), (Deal(), None))
    left, events = beat(match, (Concede(), Leave()))
    assert events[0] == GameOver(1, Outcome(None, Reason.CONCEDED), (52, 52))
    assert events[1:] == (MatchOver((0, 0), 1, 0),)
    assert left.result == Result(0)


@pytest.mark.parametrize("moves", [(Deal(), Leave()), (Leave(), Deal())])
def test_dealing_meets_leaving(moves: tuple[Move, Move]) -> None:
    """R20, R21, R22: the rest of the beat comes first, so the new game is given away too."""
    dealer = 0 if isinstance(moves[0], Deal) else 1
    left, events = beat(after_games(3, "-"), moves)
    assert [type(event) for event in events] == [Dealt, GameOver, MatchOver]
    assert events[1] == GameOver(2, Outcome(dealer, Reason.CONCEDED), (52, 52))
    assert left.result == Result(dealer)


def test_leaving_meets_a_last_card() -> None:
    """R16, R20, R22: the game is won by the card, the match by staying."""
    match = lay(
        ("- - 8H -", PLAIN[0][1]), PLAIN[1], ("", None), settings=Settings(games=5), wins=(0, 2)
    )
    left, events = beat(match, (play(match, 0, "8H", 0), Leave()))
    assert events[1] == GameOver(3, Outcome(0, Reason.OUT), (0, 51))
    assert events[2] == MatchOver((1, 2), 0, 0)
    assert left.result == Result(0)


@pytest.mark.parametrize("reason", [Reason.ABANDONED, Reason.FORFEITED])
@pytest.mark.parametrize("claimant", [0, 1])
def test_a_claim_wins_the_game_under_way_and_the_match(claimant: Seat, reason: Reason) -> None:
    """R22: abandoned or forfeited, whatever the score."""
    wins = (0, 1) if claimant == 0 else (1, 0)
    match = lay(*PLAIN, ("KS", "KH"), settings=Settings(games=3), wins=wins, draws=1)
    after, events = forfeit(match, claimant, reason)
    assert events == (
        GameOver(3, Outcome(claimant, reason), (5, 5)),
        MatchOver((1, 1), 1, claimant),
    )
    assert after.result == Result(claimant)
    assert game_of(after).outcome == Outcome(claimant, reason)
    assert violated(after) == ()


@pytest.mark.parametrize("winners", ["", "1"])
def test_a_claim_between_games_ends_the_match_alone(winners: str) -> None:
    """R22"""
    match = after_games(3, winners)
    after, events = forfeit(match, 0, Reason.ABANDONED)
    assert events == (MatchOver(match.wins, 0, 0),)
    assert after == structs.replace(match, result=Result(0))
    assert violated(after) == ()


def test_a_match_that_is_over_cannot_be_forfeited() -> None:
    """R22"""
    with pytest.raises(ValueError, match="over"):
        forfeit(after_games(1, "0"), 1, Reason.FORFEITED)
