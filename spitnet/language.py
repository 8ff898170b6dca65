"""The user's language: which catalogue is active, and the look-up of texts in it.

What belongs here: gettext under the domain `spitnet`, and the order in which a language is chosen. What must
not: text. The English text is the message id, so English needs no catalogue. Every start of the program pays
for this file: gettext itself is loaded with the first catalogue that is needed.
Call these functions when a text is shown, never at import: the language is chosen after that. A table has `Later`.
"""

from __future__ import annotations

import sys

from spitnet.spelling import SPELLED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import GNUTranslations

DOMAIN = "spitnet"
SOURCE_LANGUAGE = "en"
"""The language of the message ids."""
_POSIX_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
LOCALES = f"{__file__.removesuffix('language.py')}locale"


class _Active:
    """The languages asked for, best first, and their catalogue once a text was looked up."""

    languages: tuple[str, ...] = ()
    catalogue: GNUTranslations | None = None
    looked_up = True
    encoding: str | None = None
    """What texts are written in; None: it has every letter."""


def use(asked: str | None, environ: Mapping[str, str]) -> None:
    """Choose the language of all texts that are looked up from now on.

    The order: `asked` (what the command line says or, where neither it nor the environment does, the config
    file), `SPITNET_LANG`, `LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`, the operating system. One that isn't there is
    passed over.
    """
    wanted = [asked or "", environ.get("SPITNET_LANG", ""), *_of_the_system(environ)]
    _Active.languages = tuple(name for tag in wanted for name in _names(tag))
    _Active.catalogue = None
    _Active.looked_up = False


def write_in(encoding: str) -> None:
    """From now on texts have only what this encoding has: a screen must know what they look like before it draws them."""
    _Active.encoding = None if encoding.lower().replace("-", "") == "utf8" else encoding


def is_there(tag: str) -> bool:
    """Whether there are texts in a language, such as nl or nl_BE."""
    return any(name == SOURCE_LANGUAGE or _read(name) for name in _names(tag))


def gettext(message: str) -> str:
    """The text in the active language."""
    catalogue = _catalogue()
    return _written(catalogue.gettext(message) if catalogue else message)


class Later:
    """A text that is looked up whenever it is shown: for tables, which are made before the language is chosen."""

    __slots__ = ("_message",)

    def __init__(self, message: str) -> None:
        self._message = message

    def __str__(self) -> str:
        return gettext(self._message)

    __call__ = __str__


def ngettext(singular: str, plural: str, number: int) -> str:
    """The text in the plural form that `number` takes in the active language."""
    catalogue = _catalogue()
    if catalogue:
        return _written(catalogue.ngettext(singular, plural, number))
    return _written(singular if number == 1 else plural)


def pgettext(context: str, message: str) -> str:
    """The text in the active language, where one English word has several meanings."""
    catalogue = _catalogue()
    return _written(catalogue.pgettext(context, message) if catalogue else message)


def npgettext(context: str, singular: str, plural: str, number: int) -> str:
    """`ngettext` with the context of `pgettext`."""
    catalogue = _catalogue()
    if catalogue:
        return _written(catalogue.npgettext(context, singular, plural, number))
    return _written(singular if number == 1 else plural)


def decimal(shown: str) -> str:
    """A number that is written with a point, as it is written in the active language. Only what people read has it."""
    return shown.replace(".", pgettext("the sign between 0 and 5 in 0.5", "."))


def _written(text: str) -> str:
    if _Active.encoding is None or text.isascii():
        return text
    return text.encode(_Active.encoding, SPELLED).decode(_Active.encoding)


def _catalogue() -> GNUTranslations | None:
    """The catalogue of the best language that there is; None: the English text itself."""
    if not _Active.looked_up:
        _Active.catalogue = _first_there(_Active.languages)
        _Active.looked_up = True
    return _Active.catalogue


def _first_there(languages: tuple[str, ...]) -> GNUTranslations | None:
    for language in languages:
        if language == SOURCE_LANGUAGE:
            return None
        catalogue = _read(language)
        if catalogue:
            return catalogue
    return None


def _read(language: str) -> GNUTranslations | None:
    try:
        file = open(f"{LOCALES}/{language}/LC_MESSAGES/{DOMAIN}.mo", "rb")  # noqa: SIM115
    except OSError:
        return None
    from gettext import GNUTranslations

    with file:
        return GNUTranslations(file)


def _names(tag: str) -> list[str]:
    """What a catalogue for a language tag may be called, best first: `nl_BE.UTF-8` is nl_BE, then nl."""
    name = tag.partition(".")[0].partition("@")[0].replace("-", "_")
    if name in {"C", "POSIX"}:
        return [SOURCE_LANGUAGE]
    if not name.replace("_", "").isalnum():
        return []
    language = name.partition("_")[0].lower()
    return [language] if name == language else [name, language]


def _of_the_system(environ: Mapping[str, str]) -> list[str]:
    for variable in _POSIX_VARIABLES:
        if environ.get(variable):
            return environ[variable].split(":")
    return _of_windows()


def _of_windows() -> list[str]:
    """The language of the desktop, where there is no variable that says it."""
    if sys.platform == "win32":
        import ctypes
        import locale

        number = ctypes.windll.kernel32.GetUserDefaultUILanguage()
        return [locale.windows_locale.get(number, SOURCE_LANGUAGE)]
    return []
