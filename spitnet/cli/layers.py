"""Which text of a setting counts: the flag's, the environment's, the config file's, in that order.

What belongs here: the order, and the name of the place in the message about a wrong value.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from spitnet.cli.config import ConfigValue
from spitnet.cli.settings import Setting
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _


class Layers(NamedTuple):
    """The three places, the strongest first."""

    flags: Mapping[str, str]
    environ: Mapping[str, str]
    config: Mapping[str, ConfigValue]


class SettingSource(StrEnum):
    """Where a value comes from."""

    FLAG = "flag"
    ENVIRONMENT = "environment"
    FILE = "file"
    KEPT = "kept"
    """Asked for once, and kept since."""
    DEFAULT = "default"


class Found(NamedTuple):
    """A text of a setting, and its place in words."""

    source: SettingSource
    place: str
    text: str


def resolved(settings: Iterable[Setting], layers: Layers) -> dict[str, Any]:
    """The values of the settings that somebody made, by their field in the options.

    Raises:
        UsageFailure: a text that counts is no value of its setting.
    """
    values = {}
    for setting in settings:
        found = text_of(setting, layers)
        if found is not None:
            values[setting.field] = value(_named(found, setting), setting.read, found.text)
    return values


def value(place: str, read: Callable[[str], Any], text: str) -> Any:
    """What the text means; a wrong one is a UsageFailure that names the place."""
    try:
        return read(text)
    except ValueError as problem:
        raise UsageFailure(_("{place}: {problem}").format(place=place, problem=problem)) from None


def text_of(setting: Setting, layers: Layers) -> Found | None:
    """The text that counts; None where nobody said anything."""
    return next(_texts(setting, layers), None)


def _texts(setting: Setting, layers: Layers) -> Iterator[Found]:
    """Every text that there is for a setting, the one that counts first. An empty variable says nothing."""
    if setting.key in layers.flags:
        yield Found(SettingSource.FLAG, setting.flag, layers.flags[setting.key])
    if layers.environ.get(setting.variable):
        yield Found(SettingSource.ENVIRONMENT, setting.variable, layers.environ[setting.variable])
    if setting.key in layers.config:
        entry = layers.config[setting.key]
        yield Found(SettingSource.FILE, entry.place, entry.text)


def _named(found: Found, setting: Setting) -> str:
    """A file's line doesn't name its setting by itself."""
    if found.source is not SettingSource.FILE:
        return found.place
    return _("{place}: {key}").format(place=found.place, key=setting.key)
