"""From the text of a setting to its value.

What belongs here: one reader for each kind of value. A reader returns the value or raises ValueError, whose text
goes on after the name of the setting: "must be ...". What must not: where the text came from.
"""

import math
import os
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from stat import S_ISREG
from typing import Final, TypeVar

from spitnet import language as catalogues
from spitnet.language import gettext as _

DELAY_S_MAX: Final = 60.0
TIMEOUT_S_MAX: Final = 7 * 86400.0
"""A week; far beyond it, sums of times lose their meaning."""
CODE_LENGTH_MAX: Final = 64
_SHOWN_MAX: Final = 60

Choice = TypeVar("Choice", bound=StrEnum)


def quoted(text: str) -> str:
    """The text as a message shows it: in quotes, on one line, not too long. A path is never cut: it may be copied."""
    shown = text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…"
    return repr(shown)


def whole(lowest: int, highest: int) -> Callable[[str], int]:
    """A reader of whole numbers."""

    def read(text: str) -> int:
        # int() alone would take other scripts' digits and underscores, and balk at thousands of digits.
        if text.isascii() and text.isdigit() and len(text.lstrip("0")) <= len(str(highest)):
            value = int(text)
            if lowest <= value <= highest:
                return value
        problem = _("must be a whole number from {lowest} to {highest}, not {text}")
        raise ValueError(problem.format(lowest=lowest, highest=highest, text=quoted(text)))

    return read


port: Final = whole(1, 65535)


def delay_s(text: str) -> float:
    """Seconds between two actions of a bot, 0 to 60."""
    value = _decimal(text)
    if value is not None and 0 <= value <= DELAY_S_MAX:
        return value
    problem = _("must be a number of seconds from 0 to {highest:g}, not {text}")
    raise ValueError(problem.format(highest=DELAY_S_MAX, text=quoted(text)))


def timeout_s(text: str) -> float:
    """Seconds to look for an opponent, more than 0."""
    value = _decimal(text)
    if value is not None and 0 < value <= TIMEOUT_S_MAX:
        return value
    problem = _("must be a number of seconds above 0, {highest:.0f} at most, not {text}")
    raise ValueError(problem.format(highest=TIMEOUT_S_MAX, text=quoted(text)))


def _decimal(text: str) -> float | None:
    if not text.isascii() or "_" in text:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def one_of(choices: type[Choice]) -> Callable[[str], Choice]:
    """A reader of the words of an enum."""

    def read(text: str) -> Choice:
        if text in list(choices):
            return choices(text)
        problem = _("must be one of {words}, not {text}")
        raise ValueError(problem.format(words=", ".join(choices), text=quoted(text)))

    return read


def keys(text: str) -> str:
    """A scheme's name, or eight keys of one's own; whether they can be played with, the screen's room knows."""
    from spitnet.ui.keys.keymaps import KeysClash, keymap

    try:
        keymap(text)
    except KeysClash as clash:
        raise ValueError(str(clash)) from None
    return text


def ranks(text: str) -> str:
    """Whose letters are on the cards, or four of one's own; whether they can be, the screen's room knows."""
    from spitnet.ui.words.ranks import RanksClash, rank_letters

    try:
        rank_letters(text)
    except RanksClash as clash:
        raise ValueError(str(clash)) from None
    return text


def switch(text: str) -> bool:
    """Yes or no, in the words that environments and config files use."""
    match text.lower():
        case "1" | "true" | "yes" | "on":
            return True
        case "0" | "false" | "no" | "off":
            return False
        case _other:
            raise ValueError(
                _("must be yes or no (in the config file: true or false), not {text}").format(
                    text=quoted(text)
                )
            )


def name(text: str) -> str:
    """A name that is safe to show on one line, short enough to travel whole."""
    from spitnet.net.names import clean_name

    composed = _composed(text)
    cleaned = clean_name(composed)
    if not cleaned:
        problem = _("must have at least one printable character, not {text}")
        raise ValueError(problem.format(text=quoted(text)))
    if cleaned.replace(" ", "") != "".join(map(clean_name, composed)):
        # How many letters fit depends on their bytes too: the part that does says more than two figures.
        raise ValueError(_("must be shorter; this much fits: {name}").format(name=quoted(cleaned)))
    return cleaned


def _composed(text: str) -> str:
    """The letters that were typed, also in UTF-8 where the locale isn't: Python keeps those bytes as surrogates.

    Source: PEP 383; Unicode Standard Annex 15.
    """
    with suppress(UnicodeError):
        text = os.fsencode(text).decode()
    return unicodedata.normalize("NFC", text)


def code(text: str) -> str:
    """A table's code, the same whichever way its letters were composed."""
    cleaned = _composed(text).strip()
    if cleaned and cleaned.isprintable() and len(cleaned) <= CODE_LENGTH_MAX:
        return cleaned
    problem = _("must be 1 to {highest} printable characters")
    raise ValueError(problem.format(highest=CODE_LENGTH_MAX))


def language(text: str) -> str:
    """The tag of a language that there are texts in."""
    if catalogues.is_there(text):
        return text
    problem = _("must be a language that spitnet speaks ({there}), not {text}")
    raise ValueError(problem.format(there=", ".join(languages()), text=quoted(text)))


def languages() -> list[str]:
    """Those whose texts travel with the program, and that of the texts themselves."""
    found = Path(catalogues.__file__).parent.glob(f"locale/*/LC_MESSAGES/{catalogues.DOMAIN}.mo")
    return [catalogues.SOURCE_LANGUAGE, *sorted(path.parts[-3] for path in found)]


def interface(text: str) -> str:
    """The name of a network interface of this machine."""
    import psutil

    there = sorted(psutil.net_if_addrs())
    if text in there:
        return text
    problem = _("must be an interface of this machine ({there}), not {text}")
    raise ValueError(problem.format(there=", ".join(there), text=quoted(text)))


def directory(text: str) -> Path:
    """A directory that is there or can be made."""
    path = Path(os.path.expanduser(text))
    nearest = next((place for place in (path, *path.parents) if os.path.exists(place)), path)
    if text and "\0" not in text and os.path.isdir(nearest):
        return path
    raise ValueError(_("must be a directory, not {text}").format(text=repr(text)))


def record(text: str) -> Path:
    """A file that can be read.

    Raises: besides ValueError, OSError: it can't be. What pathlib says of such a file depends on the Python.
    """
    try:
        mode = os.stat(text).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise ValueError(_("there is no file {text}").format(text=repr(text))) from None
    if not S_ISREG(mode):
        raise ValueError(_("{text} is not a file").format(text=repr(text)))
    path = Path(text)
    path.open("rb").close()
    return path
