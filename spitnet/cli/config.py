"""The config file: one TOML file of settings, named as on the command line.

What belongs here: where the file is, its settings as text with the line that each stands on, and what is wrong
with it. What must not: which of its settings count. The file is only read, once, before the language is known; it is
judged later, since what is wrong with it is said in words.
"""

import difflib
import re
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from spitnet import private
from spitnet.cli.settings import SETTINGS
from spitnet.cli.values import quoted
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _
from spitnet.language import is_there


class ConfigValue(NamedTuple):
    """A setting's text, and where it stands; the line is unknown where TOML is written in an unusual way."""

    text: str
    file: Path
    line: int | None

    @property
    def place(self) -> str:
        """In words."""
        return _place(self.file, self.line)


class File(NamedTuple):
    """The file as it was read: its settings in the types of TOML, or why there are none."""

    path: Path
    content: str = ""
    values: Mapping[str, Any] = {}
    error: Exception | None = None

    @property
    def language(self) -> str | None:
        """The one that it asks for, if there are texts in it."""
        tag = self.values.get("lang")
        return tag if isinstance(tag, str) and is_there(tag) else None


class _NotAFile(OSError):
    """A pipe or a device, which might be read for ever."""


class Contents(NamedTuple):
    """What the file says: the settings by key, those that can be read; and each thing that is wrong, in words."""

    entries: dict[str, ConfigValue]
    problems: tuple[str, ...] = ()

    def require(self) -> None:
        """Nothing in the file is passed over in silence.

        Raises:
            UsageFailure: something is wrong with it, whether this run would need it or not.
        """
        if self.problems:
            raise UsageFailure(self.problems[0])


def path(environ: Mapping[str, str]) -> Path:
    """Where the config file would be. `XDG_CONFIG_HOME` counts on every system."""
    asked = environ.get("XDG_CONFIG_HOME", "")
    if Path(asked).is_absolute():
        return Path(asked, "spitnet", "config.toml")
    import platformdirs

    return private.place(platformdirs.user_config_path) / "config.toml"


def read(file: Path) -> File:
    """The file; without settings if there is none, nor could be one below what is no directory."""
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):
            return File(file, error=_NotAFile())
        content = file.read_bytes().decode()
        return File(file, content, tomllib.loads(content))
    except (FileNotFoundError, NotADirectoryError):
        return File(file)
    except (OSError, ValueError, RecursionError) as error:
        # Besides its own error, tomllib lets through those of numbers and of nesting beyond all bounds.
        return File(file, error=error)


def judged(file: File) -> Contents:
    """What the file says, in the language of now."""
    if file.error is None:
        return _sorted_out(file)
    place, problem = _broken(file.path, file.error)
    return Contents({}, (_("{place}: {problem}").format(place=place, problem=problem),))


def _broken(file: Path, error: Exception) -> tuple[str, str]:
    """The place, and what is wrong there."""
    match error:
        case _NotAFile():
            return str(file), _("this is not a file")
        case OSError():
            return str(file), error.strerror or str(error)
        case UnicodeDecodeError():
            return str(file), _("the file is not UTF-8; save it as UTF-8")
        case _other:
            return _no_toml(file, str(error))


def _no_toml(file: Path, error: str) -> tuple[str, str]:
    """The place and the cure. Of the parser's own words, which are English, only the place at their end counts."""
    problem = _("this is not TOML; write each setting once, as in {example}")
    found = re.search(r"\(at line (\d+), column (\d+)\)$", error)
    if found:
        place = _("{file}, line {number}, column {column}").format(
            file=file, number=found[1], column=found[2]
        )
    elif error.endswith("(at end of document)"):
        place = _("{file}, at its end").format(file=file)
    else:
        place = str(file)
    return place, problem.format(example='name = "Ada"')


def _sorted_out(file: File) -> Contents:
    entries, problems = {}, []
    for key, value in file.values.items():
        line = _line_of(key, file.content)
        try:
            entries[key] = ConfigValue(_text(key, value), file.path, line)
        except ValueError as problem:
            place = _place(file.path, line)
            problems.append(_("{place}: {problem}").format(place=place, problem=problem))
    return Contents(entries, tuple(problems))


def _text(key: str, value: Any) -> str:
    """The setting as text.

    Raises:
        ValueError: there is no such setting, or it can't have this value; the text says why.
    """
    if key not in SETTINGS:
        raise ValueError(_unknown(key))
    match value:
        case bool():
            text = "true" if value else "false"
        case str() | int() | float():
            text = str(value)
        case _other:
            raise ValueError(_("{key} must be a single value").format(key=key))
    if not SETTINGS[key].is_of_the_machine:
        _try(key, text)
    return text


def _try(key: str, text: str) -> None:
    try:
        SETTINGS[key].read(text)
    except ValueError as problem:
        raise ValueError(_("{key}: {problem}").format(key=key, problem=problem)) from None


def _line_of(key: str, content: str) -> int | None:
    start = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    lines = enumerate(content.splitlines(), start=1)
    return next((number for number, line in lines if start.match(line)), None)


def _place(file: Path, line: int | None) -> str:
    if line is None:
        return str(file)
    return _("{file}, line {number}").format(file=file, number=line)


def _unknown(key: str) -> str:
    near = nearest(key, SETTINGS)
    if near is None:
        return _("there is no setting {key}; “spitnet config” shows them all").format(
            key=quoted(key)
        )
    return _("there is no setting {key}; did you mean {near}?").format(
        key=quoted(key), near=quoted(near)
    )


def nearest(word: str, known: Collection[str]) -> str | None:
    """The known word that was probably meant."""
    return next(iter(difflib.get_close_matches(word, known, n=1)), None)
