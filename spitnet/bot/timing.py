"""How long a player takes from seeing something to acting on it.

What is done after that time is chosen in `strategy`; when the time starts is known in `bot`.
"""

from dataclasses import dataclass
from math import log
from typing import Final

from spitnet.bot.chance import Chance
from spitnet.bot.levels import Level


@dataclass(frozen=True, slots=True)
class Reactions:
    """A player's reaction times: a shifted lognormal, seconds.

    Nobody is faster than `least_s`, half of the times are above `median_s`, and `spread`, the
    deviation of the logarithm, makes the long tail on the right that measured times have.

    Source: R. D. Luce, Response Times (1986); R. Ulrich and J. Miller, Information processing
    models generating lognormally distributed reaction times, J. Math. Psychology 37 (1993).
    """

    median_s: float
    least_s: float
    spread: float

    def reaction_s(self, random: Chance) -> float:
        """One reaction time, in seconds."""
        return self.least_s + random.lognormvariate(log(self.median_s - self.least_s), self.spread)


REACTIONS: Final = {
    Level.EASY: Reactions(2.8, 0.6, 0.5),
    Level.NORMAL: Reactions(1.9, 0.45, 0.45),
    Level.HARD: Reactions(1.3, 0.35, 0.4),
    Level.EXPERT: Reactions(0.9, 0.3, 0.35),
}
"""Seeing a card that fits among eight places and pressing its key: a beginner's to a fast player's."""
