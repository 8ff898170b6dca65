"""What a bot wants to do on a table that it sees.

Every move named here is legal on that table. What a table is worth is told in `lookahead`; when a
bot acts is not known here.
"""

from dataclasses import dataclass
from typing import Final

from spitnet.bot.chance import Chance
from spitnet.bot.levels import Level
from spitnet.bot.lookahead import Half, lead
from spitnet.bot.view import View
from spitnet.core.cards import FITTING, rank
from spitnet.core.moves import Deal, Move, Play, Ready, Refill, Spit
from spitnet.core.state import Layout, RefillMode, SpitMode


@dataclass(frozen=True, slots=True)
class Mind:
    """How a level chooses.

    `care` is the share of choices that are thought about; the others take any play that fits.
    `foresight` is how many plays beyond the own one are weighed. Who `takes_time` asks for cards,
    where that is done by hand, while the opponent can't play, and plays first otherwise: measured
    to win about 55 of 100 games between equals, where refilling first at any time wins 30.
    """

    care: float
    foresight: int
    takes_time: bool


MINDS: Final = {
    Level.EASY: Mind(0.0, 0, takes_time=False),
    Level.NORMAL: Mind(0.5, 0, takes_time=False),
    Level.HARD: Mind(0.8, 1, takes_time=True),
    Level.EXPERT: Mind(1.0, 2, takes_time=True),
}
"""The easy level's choice is uniform over what is legal; looking further than two wins no more."""


def choose(level: Level, view: View, random: Chance) -> Move | None:
    """The move that a player of this level wants now, or None to wait. Never an illegal one."""
    if not view.playing:
        return None if view.over else Deal()
    mind, plays = MINDS[level], plays_of(view)
    refillable = view.settings.refill is RefillMode.MANUAL and _is_refillable(
        view.layout, view.stock
    )
    if refillable and (not plays or (mind.takes_time and not _can_play(view, view.opposing))):
        return Refill(view.layout.index(None))
    if not plays:
        return _ready_or_spit(view)
    if len(plays) == 1:
        return plays[0]
    careful = mind.care and random.random() < mind.care
    return best(view, plays, mind.foresight) if careful else random.choice(plays)


def plays_of(view: View) -> list[Play]:
    """Every play that fits: pile 0 before pile 1, slots in order within each. Source: R8."""
    found: list[Play] = []
    for pile, top in enumerate(view.tops):
        if top is not None and not FITTING[top].isdisjoint(view.layout):
            fitting, size = FITTING[top], view.sizes[pile]
            found += [Play(card, pile, size) for card in view.layout if card in fitting]
    return found


def best(view: View, plays: list[Play], foresight: int) -> Play:
    """The play that promises most; of equals, the first. Piles must lie there."""
    mine, theirs = _side(view.layout, view.stock), _side(view.opposing, view.opposing_stock)
    one, two = (rank(top) for top in view.tops if top is not None)

    def promise(play: Play) -> float:
        played = rank(play.card)
        tops = (played, two) if play.pile == 0 else (one, played)
        return lead(mine.without(mine.ranks.index(played)), theirs, tops, foresight)

    return max(plays, key=promise)


def _ready_or_spit(view: View) -> Move | None:
    """Ready when it is time, and the shout where players say it; for who can't play or refill.

    Source: R7, R13, R14.
    """
    if view.ready:
        said = view.settings.spit is SpitMode.SAID
        return Spit() if said and view.opposing_ready else None
    moving = _can_play(view, view.opposing) or _is_refillable(view.opposing, view.opposing_stock)
    return None if moving and view.tops != (None, None) else Ready()


def _can_play(view: View, layout: Layout) -> bool:
    """Whether a card of this layout fits on a pile."""
    return any(top is not None and not FITTING[top].isdisjoint(layout) for top in view.tops)


def _is_refillable(layout: Layout, stock: int) -> bool:
    return stock > 0 and None in layout


def _side(layout: Layout, stock: int) -> Half:
    """The ranks of a layout; what its empty slots can take from the stock is hidden."""
    ranks = tuple(sorted([rank(card) for card in layout if card is not None]))
    hidden = min(len(layout) - len(ranks), stock)
    return Half(ranks, hidden, stock - hidden)
