"""What a table is worth to a player: the lead in cards that is to be expected from it.

Only ranks count here. A lead is cards got rid of, own minus opposing, so that what is good for one
player is as bad for the other: `lead` from the other side is its negative. Moves are not known
here; `strategy` makes tables out of them.

The weights are round numbers near a least-squares fit to the outcomes of random play over the next
fourteen plays, from 300,000 tables; strength hardly changes with them.
"""

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from spitnet.core.cards import RANKS

Tops: TypeAlias = tuple[int, int]
"""The ranks on the two piles."""

FITTING_WORTH: Final = (0.0, 0.45, 0.75, 0.95, 1.0)
"""For that many cards that fit: the first is worth most, for it keeps the hand moving."""
STUCK_WORTH: Final = 0.45
"""For being the only one who can play: nobody takes the piles away."""
PAIR_WORTH: Final = (-0.36, 0.36, -0.09)
"""For two layout cards 0, 1, 2 ranks apart: neighbours make runs, equals get into each other's way."""
HIDDEN_WORTH: Final = 0.1
"""For a card that is still to be turned up into the layout."""
HIDDEN_FITS: Final = (0.0, 0.28, 0.48, 0.63, 0.73)
"""The chance that one of so many cards, not yet seen, fits on one of the piles."""

_CIRCLE: Final = len(RANKS)
_NEXT: Final = tuple(1 << (r + 1) % _CIRCLE | 1 << (r - 1) % _CIRCLE for r in range(_CIRCLE))
"""For each rank on a pile, the ranks that fit on it, as bits."""


class Half(NamedTuple):
    """One player's cards: the ranks in the layout, ascending, and how many more will come.

    `hidden` cards are on their way into the layout, unseen; `stock` lie behind them.
    """

    ranks: tuple[int, ...]
    hidden: int
    stock: int

    def without(self, index: int) -> "Half":
        """After the card at this index was played: the next one, if there is one, comes up."""
        ranks = self.ranks[:index] + self.ranks[index + 1 :]
        if self.stock:
            return Half(ranks, self.hidden + 1, self.stock - 1)
        return Half(ranks, self.hidden, 0)


def lead(mine: Half, theirs: Half, tops: Tops, plays: int) -> float:
    """The lead to be expected, looking so many plays ahead.

    Whoever can act is as likely to be first as the other, and then makes any of the plays that
    fit: players differ, and a plan that needs one certain answer was measured to be no better.
    """
    if not plays:
        return at_rest(mine, theirs, tops)
    my_chance, my_lead = _acting(mine, theirs, tops, plays)
    their_chance, their_lead = _acting(theirs, mine, tops, plays)
    total = my_chance * (1 - their_chance / 2) * my_lead
    total -= their_chance * (1 - my_chance / 2) * their_lead
    neither = (1 - my_chance) * (1 - their_chance)
    return total + neither * at_rest(mine, theirs, tops) if neither else total


def _acting(mover: Half, waiting: Half, tops: Tops, plays: int) -> tuple[float, float]:
    """The chance that the mover has something to play, and the mover's lead after it."""
    one, two = tops
    total, count = 0.0, 0
    for index, rank in enumerate(mover.ranks):
        on_one, on_two = _NEXT[one] >> rank & 1, _NEXT[two] >> rank & 1
        if on_one:
            total += 1 - lead(waiting, mover.without(index), (rank, two), plays - 1)
            count += 1
        if on_two:
            total += 1 - lead(waiting, mover.without(index), (one, rank), plays - 1)
            count += 1
    if count:
        return 1.0, total / count
    if not mover.hidden:
        return 0.0, 0.0
    return HIDDEN_FITS[mover.hidden], 1 + at_rest(mover, waiting, tops)


def at_rest(mine: Half, theirs: Half, tops: Tops) -> float:
    """The lead that the table promises as it lies, without looking ahead."""
    reach = _NEXT[tops[0]] | _NEXT[tops[1]]
    my_chance, my_worth = _standing(mine, reach)
    their_chance, their_worth = _standing(theirs, reach)
    return my_worth - their_worth + STUCK_WORTH * (my_chance - their_chance)


def _standing(side: Half, reach: int) -> tuple[float, float]:
    """The chance that a side can play on piles that these ranks fit, and what its cards promise."""
    fitting = 0
    for rank in side.ranks:
        fitting += reach >> rank & 1
    worth = pairs_worth(side.ranks) + side.hidden * HIDDEN_WORTH
    if fitting:
        return 1.0, worth + FITTING_WORTH[fitting]
    chance = HIDDEN_FITS[side.hidden]
    return chance, worth + chance * FITTING_WORTH[1]


@cache
def pairs_worth(ranks: tuple[int, ...]) -> float:
    """What the ranks of a layout, ascending, are worth to each other."""
    worth = 0.0
    for index, rank in enumerate(ranks):
        for lower in ranks[:index]:
            distance = min(rank - lower, _CIRCLE - rank + lower)
            worth += PAIR_WORTH[distance] if distance < len(PAIR_WORTH) else 0.0
    return worth
