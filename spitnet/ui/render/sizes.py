"""How large the table is drawn: a few sizes, each whole, and the largest that a terminal has room for."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Size:
    """Measures in cells. `gap` lies between cards, `side` left and right of a row; `breath`: rows between the parts."""

    card: int
    height: int
    gap: int
    side: int
    breath: int

    @property
    def slot(self) -> int:
        """A card and its share of the gaps."""
        return self.card + self.gap

    @property
    def row(self) -> int:
        """Four slots."""
        return 4 * self.slot

    @property
    def foot_gap(self) -> int:
        """Rows above the foot."""
        return int(self.height > 6)

    @property
    def columns(self) -> int:
        """The whole table."""
        return self.row + 2 * self.side

    @property
    def rows(self) -> int:
        """The whole table: head, three rows of cards, the space to lift one, keys, note, hint, foot."""
        return 3 * self.height + 6 + 3 * self.breath + self.foot_gap


FOOT_FOR_ALL: Final = 80
"""So wide a foot has room for that others may look on; in a smaller one this stands beside a pile."""
SMALLEST: Final = Size(card=7, height=3, gap=1, side=9, breath=0)
SIZES: Final = (
    Size(card=19, height=13, gap=3, side=34, breath=2),
    Size(card=15, height=10, gap=2, side=26, breath=1),
    Size(card=11, height=7, gap=2, side=18, breath=1),
    Size(card=9, height=5, gap=2, side=18, breath=1),
    Size(card=7, height=4, gap=1, side=15, breath=0),
    SMALLEST,
)
"""Largest first."""


def largest(columns: int, rows: int) -> Size | None:
    """The largest size that fits; None: there is no room for any."""
    return next((size for size in SIZES if size.columns <= columns and size.rows <= rows), None)
