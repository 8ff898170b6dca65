"""Text measured in cells: cleaned, cut, padded. Widths are counted as prompt_toolkit counts them, letter by letter."""

import textwrap
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, TypeAlias

from wcwidth import wcwidth

from spitnet import spelling

Fragment: TypeAlias = tuple[str, str]
"""A style and a text that has it."""
Line: TypeAlias = tuple[Fragment, ...]
Block: TypeAlias = tuple[Line, ...]
"""Lines of one width."""

_DROPPED: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Zl", "Zp"))
_JOINED: Final = frozenset((0xFE0E, 0xFE0F, *range(0x1F3FB, 0x1F400)))
"""Marks that change the width of the letter before them in some terminals and not in others."""
_PAD: Final = "\0"
"""Stands behind a wide letter for its second cell, where letters are counted; no clean text has it."""


@lru_cache(maxsize=8192)
def clean(text: str) -> str:
    """The text without anything that could move the cursor or that terminals measure differently."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one for one in text if _is_steady(one))


def _is_steady(letter: str) -> bool:
    return unicodedata.category(letter) not in _DROPPED and ord(letter) not in _JOINED


@lru_cache(maxsize=8192)
def width(text: str) -> int:
    """Cells of a clean text."""
    return len(text) if text.isascii() else sum(max(0, wcwidth(one)) for one in text)


@lru_cache(maxsize=8192)
def cut(text: str, cells: int, more: str = "…") -> str:
    """The text, cleaned, in at most so many cells; `more` stands for what is left out."""
    text = clean(text)
    if width(text) <= cells:
        return text
    room = cells - width(more)
    if room < 0:
        return ""
    kept = ""
    for letter in text:
        room -= max(0, wcwidth(letter))
        if room < 0:
            break
        kept += letter
    return kept.rstrip() + more


@lru_cache(maxsize=8192)
def fit(text: str, cells: int, align: str = "<", more: str = "…") -> str:
    """The text in exactly so many cells: `<` left, `>` right, `^` in the middle."""
    text = cut(text, cells, more)
    spare = max(0, cells - width(text))
    if align == "<":
        return text + " " * spare
    left = spare if align == ">" else spare // 2
    return " " * left + text + " " * (spare - left)


def line_width(line: Iterable[Fragment]) -> int:
    """Cells of a line."""
    return sum(width(text) for _style, text in line)


def part(line: Line, start: int, cells: int) -> Line:
    """The cells from `start` on, exactly `cells` of them; half of a wide letter becomes a space."""
    found: list[Fragment] = []
    at, end = 0, start + cells
    for style, text in line:
        after = at + width(text)
        if after > start and at < end:
            found.append((style, _slice(text, start - at, end - at)))
        at = after
    missing = cells - max(0, min(at, end) - start)
    return (*found, ("", " " * missing)) if missing > 0 else tuple(found)


def _slice(text: str, start: int, end: int) -> str:
    if text.isascii():
        return text[max(0, start) : end]
    kept, at = "", 0
    for letter in text:
        after = at + max(0, wcwidth(letter))
        if at >= start and after <= end:
            kept += letter
        elif after > start and at < end:
            kept += " " * (min(after, end) - max(at, start))
        at = after
    return kept


def aligned(line: Line, cells: int, align: str = "^") -> Line:
    """The line in exactly so many cells; cut if it is longer."""
    spare = cells - line_width(line)
    if spare < 0:
        return part(line, 0, cells)
    left = {"<": 0, "^": spare // 2, ">": spare}[align]
    return (("", " " * left), *line, ("", " " * (spare - left)))


def spelled(line: Line, encoding: str = "utf-8") -> Line:
    """The line in as many cells, with punctuation that is ASCII, and with letters that the encoding has."""
    return tuple((style, _written(text, encoding)) for style, text in line)


@lru_cache(maxsize=8192)
def _written(text: str, encoding: str) -> str:
    if text.isascii():
        return text
    return "".join(one if _has(encoding, one) else _in_its_cells(one) for one in text)


def _has(encoding: str, letter: str) -> bool:
    if letter in spelling.SIGNS:
        return False
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _in_its_cells(letter: str) -> str:
    cells, text = width(letter), spelling.spelled(letter)
    return "?" * cells if text is None else text[:cells].ljust(cells)


def blank(cells: int, rows: int = 1) -> Block:
    """Empty lines."""
    return ((("", " " * cells),),) * rows


def beside(*blocks: Block) -> Block:
    """Blocks of one height, from left to right."""
    return tuple(
        tuple(one for line in lines for one in line) for lines in zip(*blocks, strict=True)
    )


def wrapped(text: str, cells: int) -> list[str]:
    """The text in lines of at most so many cells, broken between words; a word too long is cut."""
    return [cut(line, cells) for line in folded(" ".join(text.split()), cells)]


def folded(text: str, cells: int) -> list[str]:
    """The same, but a word too long, such as a path, stays whole on its own line, and so do spaces between words."""
    padded = "".join(one + _PAD * (width(one) - 1) for one in clean(text))
    lines = textwrap.wrap(padded, max(1, cells), break_long_words=False, break_on_hyphens=False)
    return [line.replace(_PAD, "") for line in lines]
