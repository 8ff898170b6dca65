"""The seeded generator that a bot is given: what the room asks of it, and no more."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    """Random numbers; a `random.Random` is one."""

    def random(self) -> float:
        """Uniform in [0, 1)."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of them, uniformly; never of none."""

    def lognormvariate(self, mu: float, sigma: float, /) -> float:
        """A number whose logarithm is normal with this mean and deviation."""
