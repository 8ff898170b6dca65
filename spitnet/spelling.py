"""What stands for a letter or a sign that an encoding lacks: readable, and never an error. Pure.

What belongs here: the spellings, and the error handlers that use them. What must not: streams, and widths. Every start of
the program pays for this file.
"""

import codecs
from collections.abc import Callable
from typing import Final

SPELLED: Final = "spitnet.spelled"
"""For `str.encode` and for streams: what can't be written is spelled, and else a question mark."""
ESCAPED: Final = "spitnet.escaped"
"""The same, but else a backslash escape, which still tells one file from another."""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split("=") for pair in text.split())


SIGNS: Final = _pairs(
    '…=... −=- –=- —=- ·=| ×=x “=" ”=" „=" «=" »=" ’=\' ‘=\' ←=< →=> ↑=^ ↓=v ♠=s ♥=h ♦=d ♣=c'
)
"""What is no letter."""
_LETTERS: Final = _pairs(
    "а=a б=b в=v г=g д=d е=e ё=yo ж=zh з=z и=i й=y к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts "
    "ч=ch ш=sh щ=shch ъ=' ы=y ь=' э=e ю=yu я=ya і=i ї=yi є=ye ґ=g ў=w ß=ss ł=l đ=d ø=o æ=ae œ=oe ı=i"
)
"""Those that are no Latin letter with a mark."""


def spelled(letter: str) -> str | None:
    """A letter in ASCII, which may be several; none for a mark on another letter; None if nothing stands for it."""
    small = letter.lower()
    found = SIGNS.get(letter) or _LETTERS.get(small)
    if found is not None:
        return found if small == letter else found.capitalize()
    import unicodedata

    if unicodedata.combining(letter):
        return ""
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or None


def _register(name: str, otherwise: Callable[[str], str]) -> None:
    def stand_in(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        found = ((one, spelled(one)) for one in error.object[error.start : error.end])
        text = "".join(otherwise(one) if text is None else text for one, text in found)
        return text, error.end

    codecs.register_error(name, stand_in)


_register(SPELLED, lambda letter: "?")
_register(ESCAPED, lambda letter: letter.encode("ascii", "backslashreplace").decode())
