"""What a bot wants to do on a table that it sees.

Every move named here is legal on that table. What a table is worth is told in `lookahead`; when a
bot acts is not known here.
"""

from typing import Final

from spitnet.bot.chance import Chance
from spitnet.bot.levels import Level
from spitnet.bot.lookahead import Side, Tops, lead
from spitnet.bot.view import View
from spitnet.core.cards import FITTING, Card, rank
from spitnet.core.moves import Deal, Move, Play, Ready, Refill, Spit
from spitnet.core.state import Layout, RefillMode, SpitMode

FORESIGHT: Final = {Level.NORMAL: 0, Level.HARD: 1, Level.EXPERT: 2}
"""How many plays a level thinks beyond its own; the easy one doesn't think."""


def choose(level: Level, view: View, random: Chance) -> Move | None:
    """The move that a player of this level wants now, or None to wait. Never an illegal one."""
    if not view.playing:
        return None if view.over else Deal()
    plays = plays_of(view)
    if len(plays) > 1:
        return random.choice(plays) if level is Level.EASY else best(level, view, plays)
    if plays:
        return plays[0]
    if view.settings.refill is RefillMode.MANUAL and _is_refillable(view.layout, view.stock):
        return Refill(view.layout.index(None))
    return ready_or_spit(view)


def plays_of(view: View) -> list[Play]:
    """Every play that fits, in the order in which the cards lie. Source: R8."""
    found: list[Play] = []
    for pile, top in enumerate(view.tops):
        if top is not None and not FITTING[top].isdisjoint(view.layout):
            fitting, size = FITTING[top], view.sizes[pile]
            found += [Play(card, pile, size) for card in view.layout if card in fitting]
    return found


def ready_or_spit(view: View) -> Move | None:
    """Ready when it is time, and the shout where players say it; for who can't play or refill.

    Source: R7, R13, R14.
    """
    if view.ready:
        said = view.settings.spit is SpitMode.SAID
        return Spit() if said and view.opposing_ready else None
    return Ready() if _opponent_is_stuck(view) else None


def best(level: Level, view: View, plays: list[Play]) -> Play:
    """The play that promises most to a level that thinks; of equals, the first."""
    foresight = FORESIGHT[level]
    mine, theirs = _side(view.layout, view.stock), _side(view.opposing, view.opposing_stock)
    tops = _tops(view)

    def promise(play: Play) -> float:
        played = rank(play.card)
        after = mine.without(mine.ranks.index(played))
        covered = (played, tops[1]) if play.pile == 0 else (tops[0], played)
        return lead(after, theirs, covered, foresight)

    return max(plays, key=promise)


def _side(layout: Layout, stock: int) -> Side:
    """The ranks of a layout; what its empty slots will take from the stock is hidden."""
    ranks = tuple(sorted([rank(card) for card in layout if card is not None]))
    hidden = min(len(layout) - len(ranks), stock)
    return Side(ranks, hidden, stock - hidden)


def _tops(view: View) -> Tops:
    """The ranks on piles that lie there."""
    one, two = view.tops
    assert one is not None
    assert two is not None
    return rank(one), rank(two)


def _opponent_is_stuck(view: View) -> bool:
    """Also before the first spit, where nobody can play. Source: R7, R13."""
    for top in view.tops:
        if top is None:
            return True
        if not FITTING[top].isdisjoint(view.opposing):
            return False
    return not _is_refillable(view.opposing, view.opposing_stock)


def _is_refillable(layout: tuple[Card | None, ...], stock: int) -> bool:
    return stock > 0 and None in layout
