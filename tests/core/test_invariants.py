"""Invariants: a sound state breaks none, and each is named when it is broken on purpose."""

from collections.abc import Callable

import pytest
from msgspec import structs
from support.games import cards, game_of, lay
from support.invariants import violated

from spitnet.core.cards import card_of
from spitnet.core.state import Match, Outcome, Reason, RefillMode, Result, Settings, new_match

SOUND = lay(("8H 3S 4H 5S", "8D 3C 4D 5C"), ("9H", "9D"), ("KS QS", "KH QH"))
STUCK = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), ("KS QS", "KH QH"))
LEVEL = lay(("2H 3S 4H 5S", "2D 3C 4D 5C"), ("9H", "9D"), ("", ""))
FEWEST = lay(("2H 3S 4H -", "2D 3C 4D 5C"), ("9H", "9D"), ("", ""))
OUT = lay(("- - - -", "2D 3C 4D 5C"), ("9H", "9D"), ("", ""))
HEAT = lay(("- - - -", "- - - -"), ("9H", "9D"), ("", ""))

Change = Callable[[Match], Match]


def game(**fields: object) -> Change:
    return lambda match: structs.replace(match, game=structs.replace(game_of(match), **fields))


def ended(match: Match, winner: int | None, reason: Reason) -> Match:
    """The match of one game, ended and counted as claimed."""
    wins = (int(winner == 0), int(winner == 1))
    ended_game = structs.replace(game_of(match), outcome=Outcome(winner, reason))
    return Match(match.settings, ended_game, wins, int(winner is None), Result(winner))


def test_sound_states_break_nothing() -> None:
    assert violated(new_match(Settings())) == ()
    assert violated(SOUND) == violated(STUCK) == ()
    assert violated(game(ready=(True, False))(STUCK)) == ()


@pytest.mark.parametrize(
    ("broken", "names"),
    [
        pytest.param(
            game(stocks=(cards(0, "QS KS")[:1], cards(1, "QH KH")))(SOUND),
            ("card_missing",),
            id="R1 a card is gone",
        ),
        pytest.param(
            game(stocks=(cards(0, "5S QS KS"), cards(1, "QH KH")))(SOUND),
            ("card_twice",),
            id="R1 a card lies twice",
        ),
        pytest.param(
            game(stocks=((*cards(0, "QS KS"), card_of("KS", 2)), cards(1, "QH KH")))(SOUND),
            ("card_unknown", "own_cards"),
            id="R1 a card of no deck",
        ),
        pytest.param(
            game(stocks=(cards(0, "QS KS")[:0] + cards(1, "QH KH"), cards(0, "QS KS")))(SOUND),
            ("own_cards",),
            id="R1 stocks changed hands",
        ),
        pytest.param(
            game(layouts=(cards(0, "8H 3S 4H 5S QS"), cards(1, "8D 3C 4D 5C")),
                 stocks=(cards(0, "KS"), cards(1, "QH KH")))(SOUND),
            ("layout_size",),
            id="R12 five cards in a layout",
        ),
        pytest.param(
            game(stocks=(cards(0, "KS QS"), cards(1, "QH KH")))(SOUND),
            ("stock_order",),
            id="R4 a stock in an order of its own",
        ),
        pytest.param(
            game(piles=((), game_of(SOUND).piles[0]))(SOUND),
            ("card_missing", "pile_start", "pile_run"),
            id="R7 one pile without the other",
        ),
        pytest.param(
            game(stocks=(cards(0, "QS"), cards(1, "QH KH")),
                 piles=(game_of(SOUND).piles[0], game_of(SOUND).piles[1] + cards(0, "KS")))(SOUND),
            ("pile_run",),
            id="R8 a card on a pile that it doesn't fit",
        ),
        pytest.param(
            lay(("8H 3S 4H -", "8D 3C 4D 5C"), ("9H", "9D"), ("KS", "KH")),
            ("auto_refill",),
            id="R11 an empty slot beside a stock",
        ),
        pytest.param(game(ready=(True, False))(SOUND), ("ready",), id="R7 ready while one can play"),
        pytest.param(HEAT, ("ended",), id="R19 both out and no end"),
        pytest.param(OUT, ("ended",), id="R16 one out and no end"),
        pytest.param(LEVEL, ("ended",), id="R17 stuck for good and no end"),
        pytest.param(ended(SOUND, 0, Reason.OUT), ("outcome",), id="R16 out with cards"),
        pytest.param(ended(OUT, 1, Reason.OUT), ("outcome",), id="R16 the wrong seat out"),
        pytest.param(ended(OUT, 0, Reason.CONCEDED), ("outcome",), id="R20 conceded to one out"),
        pytest.param(ended(STUCK, 0, Reason.FEWEST), ("outcome",), id="R17 with a stock left"),
        pytest.param(ended(FEWEST, 1, Reason.FEWEST), ("outcome",), id="R17 more cards win"),
        pytest.param(ended(FEWEST, None, Reason.LEVEL), ("outcome",), id="R18 level and isn't"),
        pytest.param(
            ended(LEVEL, None, Reason.DEAD_HEAT), ("outcome",), id="R19 a dead heat with cards"
        ),
        pytest.param(ended(SOUND, None, Reason.ABANDONED), ("outcome",), id="R22 by nobody"),
        pytest.param(structs.replace(SOUND, wins=(1, 0)), ("score", "result"), id="R21 a win too many"),
        pytest.param(structs.replace(SOUND, draws=-1), ("score",), id="R21 less than no draws"),
        pytest.param(game(number=2)(SOUND), ("score",), id="R21 a game left out"),
        pytest.param(structs.replace(SOUND, result=Result(0)), ("result",), id="R21 over during a game"),
        pytest.param(
            structs.replace(ended(SOUND, 0, Reason.CONCEDED), result=None), ("result",), id="R21 no result"
        ),
        pytest.param(
            structs.replace(ended(SOUND, 0, Reason.CONCEDED), result=Result(1)),
            ("result",),
            id="R21 the wrong winner",
        ),
        pytest.param(
            structs.replace(ended(SOUND, 0, Reason.ABANDONED), result=Result(1)),
            ("result",),
            id="R22 the claimant lost",
        ),
    ],
)  # fmt: skip
def test_each_broken_invariant_is_named(broken: Match, names: tuple[str, ...]) -> None:
    assert violated(broken) == names


@pytest.mark.parametrize(
    "sound",
    [
        ended(HEAT, None, Reason.DEAD_HEAT),
        ended(OUT, 0, Reason.OUT),
        ended(LEVEL, None, Reason.LEVEL),
        ended(FEWEST, 0, Reason.FEWEST),
        ended(SOUND, 1, Reason.CONCEDED),
        ended(SOUND, None, Reason.CONCEDED),
        ended(LEVEL, 0, Reason.CONCEDED),
        ended(SOUND, 1, Reason.ABANDONED),
        lay(("8H 3S 4H -", "8D 3C 4D 5C"), ("9H", "9D"), ("KS", "KH"),
            settings=Settings(refill=RefillMode.MANUAL)),
    ],
)  # fmt: skip
def test_what_the_rules_allow_is_sound(sound: Match) -> None:
    """R11, R16-R20, R22"""
    assert violated(sound) == ()
