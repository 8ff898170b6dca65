"""Reaction times: a person's distribution, and faster from level to level."""

from itertools import pairwise
from random import Random
from statistics import mean, median, quantiles

import pytest

from spitnet.bot.levels import Level
from spitnet.bot.timing import REACTIONS

DRAWS = 20_000


@pytest.mark.parametrize("level", list(Level))
def test_times_are_a_persons(level: Level) -> None:
    """Half above the median, none below the least, a tail on the right, no times for ever."""
    random, reactions = Random(1), REACTIONS[level]
    times_s = [reactions.reaction_s(random) for _ in range(DRAWS)]
    tenths = quantiles(times_s, n=10)
    assert median(times_s) == pytest.approx(reactions.median_s, rel=0.02)
    assert min(times_s) > reactions.least_s >= 0.25
    assert mean(times_s) > 1.02 * median(times_s)
    assert tenths[8] - tenths[4] > 1.3 * (tenths[4] - tenths[0])
    assert tenths[8] < 3 * reactions.median_s


def test_each_level_is_faster_than_the_one_below() -> None:
    for below, above in pairwise(Level):
        assert REACTIONS[above].median_s < REACTIONS[below].median_s
        assert REACTIONS[above].least_s <= REACTIONS[below].least_s
