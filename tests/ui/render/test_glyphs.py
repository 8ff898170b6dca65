"""Ranks drawn large: what tells a letter from another is there at every scale."""

import pytest

from spitnet.ui.render.glyphs import large, large_ascii

DOTS = {" ": "..", "▀": "#.", "▄": ".#", "█": "##"}
HOLES = {
    **dict.fromkeys(("10", *"069ADPQRД"), 1),
    **dict.fromkeys("8BВ", 2),
    **dict.fromkeys("123457HIJKSTVWКТ", 0),
}
"""Of each letter: what it shuts in. The 4 is drawn open."""


def dots(lines: tuple[str, ...]) -> list[str]:
    """The dots of a drawing out of half blocks, in rows."""
    return ["".join(DOTS[letter][half] for letter in line) for line in lines for half in (0, 1)]


def holes(rows: list[str]) -> int:
    """Empty places that can't be reached from the edge without crossing a stroke."""
    wide, high = len(rows[0]) + 2, len(rows) + 2
    empty = {
        (x, y)
        for y in range(high)
        for x in range(wide)
        if not (0 < y < high - 1 and 0 < x < wide - 1) or rows[y - 1][x - 1] != "#"
    }
    found = -1
    while empty:
        found += 1
        edge = [empty.pop()]
        while edge:
            x, y = edge.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & empty
            empty -= near
            edge += near
    return found


@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("rank", sorted(HOLES))
def test_every_letter_has_its_holes(rank: str, scale: int) -> None:
    """A Д that shuts nothing in is a blot."""
    drawn = large(rank, scale)
    assert drawn is not None
    assert holes(dots(drawn)) == HOLES[rank]


@pytest.mark.parametrize("rank", sorted(HOLES))
def test_outer_corners_stay_square_when_it_grows(rank: str) -> None:
    """Rounded off, a B is an 8; every dot becomes a whole square."""
    small, grown = large_ascii(rank), large(rank, 2)
    assert small is not None
    assert grown is not None
    rows = dots(grown)
    for y, row in enumerate(small):
        for x, dot in enumerate(row):
            block = rows[2 * y][2 * x : 2 * x + 2] + rows[2 * y + 1][2 * x : 2 * x + 2]
            assert dot == " " or block == "####"
