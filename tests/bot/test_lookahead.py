"""What a table is worth: fair to both sides, and telling good tables from bad ones."""

from hypothesis import given
from hypothesis import strategies as st

from spitnet.bot.lookahead import Half, lead, pairs_worth

PLAYS = 2
ranks = st.integers(0, 12)
sides = st.builds(
    lambda layout, hidden, stock: Half(tuple(sorted(layout)), min(hidden, 4 - len(layout)), stock),
    st.lists(ranks, max_size=4),
    st.integers(0, 4),
    st.integers(0, 48),
)


@given(sides, sides, st.tuples(ranks, ranks), st.integers(0, 3))
def test_what_one_side_leads_by_the_other_is_behind(
    mine: Half, theirs: Half, tops: tuple[int, int], plays: int
) -> None:
    assert abs(lead(mine, theirs, tops, plays) + lead(theirs, mine, tops, plays)) < 1e-9


@given(sides, sides, st.tuples(ranks, ranks), st.integers(0, 2), st.integers(1, 12))
def test_ranks_are_a_circle_and_piles_have_no_order(
    mine: Half, theirs: Half, tops: tuple[int, int], plays: int, turn: int
) -> None:
    """R2."""
    one, two = ((top + turn) % 13 for top in tops)
    turned = lead(_turned(mine, turn), _turned(theirs, turn), (two, one), plays)
    assert abs(turned - lead(mine, theirs, tops, plays)) < 1e-9


def _turned(side: Half, turn: int) -> Half:
    return side._replace(ranks=tuple(sorted((rank + turn) % 13 for rank in side.ranks)))


def test_to_move_alone_is_better_than_together_than_never() -> None:
    fits, does_not = Half((4, 4, 9, 9), 0, 20), Half((1, 1, 9, 9), 0, 20)
    tops = (5, 5)
    assert lead(fits, does_not, tops, PLAYS) > lead(fits, fits, tops, PLAYS)
    assert lead(fits, fits, tops, PLAYS) > lead(does_not, fits, tops, PLAYS)


def test_neighbours_are_worth_more_than_strangers_than_equals() -> None:
    """King and ace are neighbours too."""
    assert pairs_worth((0, 12)) == pairs_worth((4, 5)) > pairs_worth((4, 9)) > pairs_worth((4, 4))
