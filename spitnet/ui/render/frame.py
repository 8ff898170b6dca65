"""What drawing makes: lines of cells, and what a click on them means."""

from collections.abc import Sequence
from dataclasses import dataclass

from spitnet.ui.cells import Line
from spitnet.ui.presses import Press


@dataclass(frozen=True, slots=True)
class Hit:
    """A rectangle that can be clicked: what the left and the right button mean there."""

    left: int
    top: int
    columns: int
    rows: int
    press: Press
    right_press: Press | None = None

    def moved(self, columns: int, rows: int) -> "Hit":
        """The same rectangle somewhere else."""
        left, top = self.left + columns, self.top + rows
        return Hit(left, top, self.columns, self.rows, self.press, self.right_press)

    def holds(self, column: int, row: int) -> bool:
        """Whether that cell is in it."""
        across = self.left <= column < self.left + self.columns
        return across and self.top <= row < self.top + self.rows


@dataclass(frozen=True, slots=True)
class Frame:
    """A full screen: as many lines as it has rows, each as wide as it is. Of two hits the later lies on top.

    `blind`: nothing is to be seen of a match that one plays in, so that no key can be meant for it.
    """

    lines: tuple[Line, ...]
    hits: tuple[Hit, ...] = ()
    blind: bool = False

    def press_at(self, column: int, row: int, right: bool = False) -> Press | None:
        """What a click there means; None: nothing."""
        for hit in reversed(self.hits):
            if hit.holds(column, row):
                return hit.right_press if right else hit.press
        return None


@dataclass(frozen=True, slots=True)
class Picture:
    """A part of a frame: lines of one width, and hits counted from its corner."""

    lines: Sequence[Line]
    columns: int
    hits: tuple[Hit, ...] = ()
