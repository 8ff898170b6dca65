"""Costs that grow with something, drawn: as text in the table's company, or as an SVG file for each.

What belongs here: drawing. What must not: measuring. Both axes begin at zero, so that flat looks flat.
"""

from pathlib import Path
from typing import Final, NamedTuple
from xml.sax.saxutils import escape

COLUMNS: Final = 44
"""The longest bar of a text plot."""
WIDTH: Final = 640
HEIGHT: Final = 320
MARGIN: Final = 60


class Curve(NamedTuple):
    """`points` are (x, y) in the order of x; `name` is that of the file too."""

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


def svg(curve: Curve) -> str:
    """A line through the points."""
    right = max((x for x, _ in curve.points), default=0.0) or 1.0
    top = max((y for _, y in curve.points), default=0.0) or 1.0
    places = [
        (
            MARGIN + (WIDTH - 2 * MARGIN) * x / right,
            HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * y / top,
        )
        for x, y in curve.points
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    floor, far = HEIGHT - MARGIN, WIDTH - MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{MARGIN}" y="24" font-size="14">{escape(curve.what)}</text>',
        f'<path d="M{MARGIN} {MARGIN}V{floor}H{far}" fill="none" stroke="#888"/>',
        f'<text x="{MARGIN - 6}" y="{MARGIN + 4}" text-anchor="end">{top:,.4g}</text>',
        f'<text x="{MARGIN - 6}" y="{floor}" text-anchor="end">0</text>',
        f'<text x="{MARGIN}" y="{MARGIN - 10}">{escape(curve.y_unit)}</text>',
        f'<text x="{far}" y="{floor + 20}" text-anchor="end">{right:,.0f} {escape(curve.x_unit)}</text>',
        f'<polyline points="{line}" fill="none" stroke="#2563a8" stroke-width="2"/>',
        *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#2563a8"/>' for x, y in places),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def write(directory: Path, curves: list[Curve]) -> None:
    """An SVG file for each.

    Raises: OSError: they can't be written there.
    """
    directory.mkdir(parents=True, exist_ok=True)
    for curve in curves:
        (directory / f"{curve.name}.svg").write_text(svg(curve), encoding="utf-8")
