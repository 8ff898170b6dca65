"""Costs that grow with something, drawn as bars below the table. They begin at zero, so that flat looks flat."""

from typing import Final, NamedTuple

COLUMNS: Final = 44
"""The longest bar of a text plot."""


class Curve(NamedTuple):
    """`points` are (x, y) in the order of x; `name` is its key in the JSON file."""

    name: str
    what: str
    x_unit: str
    y_unit: str
    points: tuple[tuple[float, float], ...]


def text(curve: Curve) -> str:
    """A bar for each point."""
    top = max((y for _, y in curve.points), default=0.0) or 1.0
    rows = [f"{curve.what} ({curve.y_unit} by {curve.x_unit})"]
    for x, y in curve.points:
        bar = "█" * max(1, round(COLUMNS * y / top))
        rows.append(f"  {x:>9,.0f} {bar:<{COLUMNS}} {y:,.4g}")
    return "\n".join(rows)
