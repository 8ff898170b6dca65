"""What a person types in the game in lines: single keys as on the full screen, or words with Enter. Pure.

What belongs here: text to presses. What must not: reading, printing.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, TypeAlias

from spitnet.language import pgettext
from spitnet.ui.keys.keymaps import TABLE_KEY, Meanings
from spitnet.ui.presses import Arrow, CardPress, PileSide, Press
from spitnet.ui.terminal.key_sequences import name


class Ask(Enum):
    """What is answered here and not by the game."""

    TABLE = auto()
    """Tell everything that lies there. Also Enter by itself."""
    WHAT = auto()
    """That word was not understood."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number by itself, from 1: a card, or a table of a list."""

    number: int


Typed: TypeAlias = Press | Ask | Number

_NEW_LINES: Final = "\r\n"
_TABLE_UNITS: Final = (*_NEW_LINES, "\f")
"""Enter, and Ctrl-L, which a terminal's programs draw anew for."""


def keys(units: Iterable[str], keymap: Meanings, asked: bool) -> Iterator[Typed]:
    """What keys mean that came without waiting for Enter; those that mean nothing are left out."""
    for unit in units:
        if unit in _TABLE_UNITS:
            yield Ask.TABLE
        elif (meaning := _key(unit, keymap, asked)) is not None:
            yield meaning


def words(line: str, keymap: Meanings, asked: bool) -> Iterator[Typed]:
    """What a line means: keys and words with blanks between; a line of blanks is the long key, an empty one Enter."""
    line = line.rstrip(_NEW_LINES)
    if not line:
        yield Ask.TABLE
    elif line.isspace():
        yield keymap.press(" ") or Ask.TABLE
    known = _known_words(keymap)
    pending: Number | None = None
    for raw in line.split():
        word = raw.lower()
        meaning = (
            known.get(word)
            or known.get(_bare(word))
            or _card(word)
            or _key(raw, keymap, asked)
            or Ask.WHAT
        )
        if pending is not None and isinstance(meaning, Arrow):
            meaning, pending = CardPress(pending.number - 1, meaning.side), None
        if pending is not None:
            yield pending
        pending = meaning if isinstance(meaning, Number) and meaning.number <= 4 else None
        if pending is None:
            yield meaning
    if pending is not None:
        yield pending


def _bare(word: str) -> str:
    """Without accents, which not every keyboard has: iesi for ieși."""
    apart = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def _key(text: str, keymap: Meanings, asked: bool) -> Typed | None:
    if text.isascii() and text.isdigit():
        return Number(int(text))
    press = keymap.press(name(text) or "", asked=asked)
    return Ask.TABLE if press is None and text.lower() == TABLE_KEY else press


def _card(word: str) -> CardPress | None:
    """`2l`: the second card to the left pile."""
    sides = {"l": PileSide.LEFT, "r": PileSide.RIGHT, "<": PileSide.LEFT, ">": PileSide.RIGHT}
    sides[pgettext("command: a card to the left, as in 2l", "l")] = PileSide.LEFT
    sides[pgettext("command: a card to the right, as in 2r", "r")] = PileSide.RIGHT
    side = sides.get(word[1:])
    return CardPress(int(word[0]) - 1, side) if side and word[0] in "1234" else None


def _known_words(keys: Meanings) -> Mapping[str, Typed]:
    """The words of the keys, and the one that is answered here."""
    words = {"table": Ask.TABLE, pgettext("command", "table"): Ask.TABLE, **keys.words()}
    return {**{_bare(word): meaning for word, meaning in words.items()}, **words}
