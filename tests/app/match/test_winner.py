"""Who has won a match that ended before its time, as the last words say it."""

import pytest
from msgspec import structs

from spitnet.app.match.series import _winner
from spitnet.core.cards import Seat
from spitnet.core.state import Result, Settings, new_match
from spitnet.protocol.entries import Ended, Ending


@pytest.mark.parametrize(
    ("end", "winner"),
    [
        (("abandoned", 0), 1),
        (("claimed", 0), 0),
        (("left", 0), 1),
        (("violation", 0), 1),
        (("accused", 0), 1),
        (("lost_records", 0), 1),
        (("lost_records", None), None),
    ],
)
def test_whoever_stayed_has_won(end: tuple[str, Seat | None], winner: Seat | None) -> None:
    """R22, seen from seat 1. Whose own record has lost its end can't tell."""
    how, by = end
    assert _winner(new_match(Settings()), Ended(7, Ending(how), by, ""), 1) == winner


@pytest.mark.parametrize("winner", [0, 1, None])
def test_a_match_that_has_a_result_needs_no_claim(winner: Seat | None) -> None:
    over = structs.replace(new_match(Settings()), result=Result(winner))
    assert _winner(over, Ended(7, Ending.OVER, 0, ""), 1) == winner
    assert _winner(over, None, 1) == winner


def test_nobody_has_won_a_match_that_goes_on() -> None:
    assert _winner(new_match(Settings()), None, 0) is None
