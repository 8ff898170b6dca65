"""Which text of a setting counts: the flag's, the environment's, the config file's, in that order.

What belongs here: the order, and the name of the place in the message about a wrong value.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from spitnet.cli.config import Entry
from spitnet.cli.settings import SETTINGS, Setting
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _


class Layers(NamedTuple):
    """The three places, the strongest first."""

    flags: Mapping[str, str]
    environ: Mapping[str, str]
    config: Mapping[str, Entry]


def resolved(keys: Iterable[str], layers: Layers) -> dict[str, Any]:
    """The values of the settings that somebody made, by their field in the options.

    Raises:
        UsageFailure: a text that counts is no value of its setting.
    """
    values = {}
    for setting in (SETTINGS[key] for key in keys):
        for place, text in _texts(setting, layers):
            values[setting.field] = value(place, setting.read, text)
            break
    return values


def value(place: str, read: Callable[[str], Any], text: str) -> Any:
    """What the text means; a wrong one is a UsageFailure that names the place."""
    try:
        return read(text)
    except ValueError as problem:
        raise UsageFailure(_("{place}: {problem}").format(place=place, problem=problem)) from None


def _texts(setting: Setting, layers: Layers) -> Iterator[tuple[str, str]]:
    """Every text that there is for a setting, the one that counts first. An empty variable says nothing."""
    if setting.key in layers.flags:
        yield setting.flag, layers.flags[setting.key]
    if layers.environ.get(setting.variable):
        yield setting.variable, layers.environ[setting.variable]
    if setting.key in layers.config:
        entry = layers.config[setting.key]
        place = _("{place}: {key}").format(place=entry.place, key=setting.key)
        yield place, entry.text
