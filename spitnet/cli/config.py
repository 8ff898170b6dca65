"""The config file: one TOML file of settings, named as on the command line.

What belongs here: where the file is, and its settings as text with the line that each stands on. What must not:
what a setting means. The file is only read.
"""

import difflib
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from spitnet.cli.settings import SETTINGS
from spitnet.cli.values import quoted
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _


class Entry(NamedTuple):
    """A setting's text, and where it stands, in words."""

    text: str
    place: str


def path(environ: Mapping[str, str]) -> Path:
    """Where the config file would be. `XDG_CONFIG_HOME` counts on every system."""
    asked = environ.get("XDG_CONFIG_HOME", "")
    if Path(asked).is_absolute():
        return Path(asked, "spitnet", "config.toml")
    import platformdirs

    return platformdirs.user_config_path("spitnet", appauthor=False) / "config.toml"


def read(file: Path) -> dict[str, Entry]:
    """The settings by key; none if there is no file.

    Raises:
        UsageFailure: the file can't be read, or names a setting that there isn't.
    """
    try:
        content = file.read_bytes().decode()
        values = tomllib.loads(content)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise _failure(str(file), error.strerror or str(error)) from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _failure(str(file), str(error)) from None
    return {key: _entry(file, content, key, value) for key, value in values.items()}


def _entry(file: Path, content: str, key: str, value: Any) -> Entry:
    place = _place(file, content, key)
    if key not in SETTINGS:
        raise _failure(place, _unknown(key))
    match value:
        case bool():
            return Entry("yes" if value else "no", place)
        case str() | int() | float():
            return Entry(str(value), place)
        case _other:
            raise _failure(place, _("{key} must be a single value").format(key=key))


def _place(file: Path, content: str, key: str) -> str:
    start = re.compile(rf"""\s*\[*\s*["']?{re.escape(key)}["']?\s*[=.\]]""")
    for number, line in enumerate(content.splitlines(), start=1):
        if start.match(line):
            return _("{file}, line {number}").format(file=file, number=number)
    return str(file)


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key, SETTINGS, n=1)
    if near:
        return _("there is no setting {key}; {near} there is").format(
            key=quoted(key), near=quoted(near[0])
        )
    return _("there is no setting {key}").format(key=quoted(key))


def _failure(place: str, problem: str) -> UsageFailure:
    return UsageFailure(_("{place}: {problem}").format(place=place, problem=problem))
