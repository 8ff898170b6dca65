"""Ranks drawn large, out of half blocks: letters of six dots in height and up to five in width."""

from functools import lru_cache
from typing import Final

_DOTS: Final = {
    "0": (".##.", "#..#", "#..#", "#..#", "#..#", ".##."),
    "1": (".#.", "##.", ".#.", ".#.", ".#.", "###"),
    "2": (".##.", "#..#", "...#", "..#.", ".#..", "####"),
    "3": ("###.", "...#", ".##.", "...#", "...#", "###."),
    "4": ("#..#", "#..#", "#..#", "####", "...#", "...#"),
    "5": ("####", "#...", "###.", "...#", "...#", "###."),
    "6": (".##.", "#...", "###.", "#..#", "#..#", ".##."),
    "7": ("####", "...#", "..#.", "..#.", ".#..", ".#.."),
    "8": (".##.", "#..#", ".##.", "#..#", "#..#", ".##."),
    "9": (".##.", "#..#", "#..#", ".###", "...#", ".##."),
    "10": (".#..#.", "##.#.#", ".#.#.#", ".#.#.#", ".#.#.#", ".#..#."),
    "A": (".##.", "#..#", "#..#", "####", "#..#", "#..#"),
    "B": ("###.", "#..#", "###.", "#..#", "#..#", "###."),
    "D": ("###.", "#..#", "#..#", "#..#", "#..#", "###."),
    "H": ("#..#", "#..#", "#..#", "####", "#..#", "#..#"),
    "J": ("..##", "...#", "...#", "...#", "#..#", ".##."),
    "K": ("#..#", "#.#.", "##..", "##..", "#.#.", "#..#"),
    "I": ("###", ".#.", ".#.", ".#.", ".#.", "###"),
    "P": ("###.", "#..#", "#..#", "###.", "#...", "#..."),
    "Q": (".##..", "#..#.", "#..#.", "#.##.", ".##..", "...##"),
    "R": ("###.", "#..#", "#..#", "###.", "#.#.", "#..#"),
    "S": (".###", "#...", ".##.", "...#", "...#", "###."),
    "T": ("#####", "..#..", "..#..", "..#..", "..#..", "..#.."),
    "V": ("#...#", "#...#", "#...#", ".#.#.", ".#.#.", "..#.."),
    "W": ("#...#", "#...#", "#.#.#", "#.#.#", "#.#.#", ".#.#."),
    "В": ("###.", "#..#", "###.", "#..#", "#..#", "###."),
    "Д": (".###.", ".#.#.", ".#.#.", ".#.#.", "#####", "#...#"),
    "К": ("#..#", "#.#.", "##..", "##..", "#.#.", "#..#"),
    "Т": ("#####", "..#..", "..#..", "..#..", "..#..", "..#.."),
}
_HALVES: Final = {"..": " ", "#.": "▀", ".#": "▄", "##": "█"}


@lru_cache(maxsize=256)
def large(rank: str, scale: int) -> tuple[str, ...] | None:
    """The rank, three rows high at scale 1, six at scale 2; None: there is no drawing of it."""
    dots = _scaled(rank, scale)
    if dots is None:
        return None
    pairs = zip(dots[::2], dots[1::2], strict=True)
    return tuple("".join(_HALVES[a + b] for a, b in zip(*pair, strict=True)) for pair in pairs)


@lru_cache(maxsize=256)
def large_ascii(rank: str) -> tuple[str, ...] | None:
    """The rank, six rows high, out of number signs."""
    dots = _scaled(rank, 1)
    return dots and tuple(row.replace(".", " ") for row in dots)


def _scaled(rank: str, scale: int) -> tuple[str, ...] | None:
    dots = _DOTS.get(rank)
    return dots if dots is None or scale == 1 else _doubled(dots)


def _doubled(dots: tuple[str, ...]) -> tuple[str, ...]:
    """Twice as large, with the inner corners of strokes filled. Source: Scale2x.

    Its outer corners are left as they are: rounded off, a B is an 8.
    """
    wide = len(dots[0])
    framed = ("." * (wide + 2), *(f".{row}." for row in dots), "." * (wide + 2))
    rows: list[str] = []
    for y in range(1, len(dots) + 1):
        fours = [_four(framed, x, y) for x in range(1, wide + 1)]
        rows += ["".join(four[:2] for four in fours), "".join(four[2:] for four in fours)]
    return tuple(rows)


def _four(dots: tuple[str, ...], x: int, y: int) -> str:
    """What one dot becomes: upper left, upper right, lower left, lower right."""
    dot = dots[y][x]
    above, left, right, below = dots[y - 1][x], dots[y][x - 1], dots[y][x + 1], dots[y + 1][x]
    if dot == "#" or above == below or left == right:
        return dot * 4
    return "".join(
        side if side == end else dot
        for side, end in ((left, above), (right, above), (left, below), (right, below))
    )
