"""The letters of the ranks: the English ones, those of the language, or four of a player's own.

What belongs here: which letters there are to be on the cards, and which can't be. What must not: drawing; how ranks are
called by ear (by_ear). Wire, journal and JSON always have the English ones.
"""

import unicodedata

from spitnet.core.cards import RANKS
from spitnet.language import gettext, pgettext
from spitnet.ui.cells import width
from spitnet.ui.choices import ENGLISH, LOCAL


class RanksClash(ValueError):
    """Letters that can't be played with; its text is for the user."""


def rank_letters(setting: str = ENGLISH, encoding: str | None = "utf-8") -> tuple[str, ...]:
    """What is on the cards, in the order of `RANKS`; the setting is one of `RANK_LETTERS`, or letters such as `"AKQJ"`.

    A screen in whose encoding they can't be written has the English ones: all would be question marks there.

    Raises: RanksClash, in the user's words.
    """
    word = setting.strip().lower()
    if word == ENGLISH:
        return RANKS
    letters = _local() if word == LOCAL else _own(setting)
    return letters if _can_be_written(letters, encoding) else RANKS


def _local() -> tuple[str, ...]:
    """Those of the active language; a catalogue with letters that clash spoils no game."""
    try:
        return _own(pgettext("the letters on ace, king, queen and jack, in this order", "AKQJ"))
    except RanksClash:
        return RANKS


def _own(setting: str) -> tuple[str, ...]:
    four = unicodedata.normalize("NFC", "".join(setting.split()))
    if len(four) != 4:
        text = gettext(
            "must be english, local, or four letters for ace, king, queen and jack (AKQJ), not {text}"
        )
        raise RanksClash(text.format(text=repr(setting)))
    for letter in four:
        if four.casefold().count(letter.casefold()) > 1:
            raise RanksClash(gettext("{letter} appears twice").format(letter=letter))
        if not _is_letter(letter):
            text = gettext("{letter} can’t stand on a card: it must be a letter, one column wide")
            raise RanksClash(text.format(letter=letter if letter.isprintable() else repr(letter)))
    ace, king, queen, jack = tuple(four)
    return (ace, *RANKS[1:10], jack, queen, king)


def _is_letter(one: str) -> bool:
    """Digits are the other ranks'; letters that are written from the right would turn the card's text round."""
    return one.isalpha() and width(one) == 1 and unicodedata.bidirectional(one) == "L"


def _can_be_written(letters: tuple[str, ...], encoding: str | None) -> bool:
    try:
        "".join(letters).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
