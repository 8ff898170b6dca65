"""Every setting that can be made: its name, how its text is read, which commands have it.

What belongs here: one table that the command line, the environment and the config file share. What must not:
how they are read, defaults, which the options have, and help (help_texts).
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from spitnet.app.options import Sync, Verbosity
from spitnet.bot.levels import Level
from spitnet.cli import addresses, values
from spitnet.core.state import GAMES_MAX, GRACE_S_RANGE, RefillMode, SpitMode
from spitnet.ui.choices import RANK_LETTERS, SCHEMES


class Setting(NamedTuple):
    """`key` is the name on the command line and in the config file, `field` the one in the options.

    `words` are the values that there are, where they can be counted.
    """

    key: str
    field: str
    read: Callable[[str], Any]
    words: tuple[str, ...] = ()

    @property
    def flag(self) -> str:
        """As on the command line."""
        return f"--{self.key}"

    @property
    def variable(self) -> str:
        """As in the environment."""
        return f"SPITNET_{self.key.upper().replace('-', '_')}"

    @property
    def is_switch(self) -> bool:
        """Said by the flag alone, without a value."""
        return self.read is values.switch


def _choice(key: str, words: type[StrEnum]) -> Setting:
    return Setting(key, key, values.one_of(words), tuple(words))


_TABLE: Final = (
    Setting("games", "games", values.whole(1, GAMES_MAX)),
    _choice("refill", RefillMode),
    _choice("spit", SpitMode),
    Setting("grace", "grace_s", values.whole(*GRACE_S_RANGE)),
    Setting("watchable", "watchable", values.switch),
    Setting("table", "table", values.name),
    Setting("address", "address", addresses.place),
    Setting("name", "name", values.name),
    Setting("code", "code", values.code),
    Setting("headless", "headless", values.switch),
    _choice("level", Level),
    Setting("delay", "delay_s", values.delay_s),
    Setting("seed", "seed", values.whole(0, 2**63 - 1)),
    Setting("timeout", "timeout_s", values.timeout_s),
    Setting("journal", "journal", values.directory),
    _choice("sync", Sync),
    Setting("port", "port", values.port),
    Setting("interface", "interface", values.interface),
    Setting("discovery-port", "discovery_port", values.port),
    Setting("plain", "plain", values.switch),
    Setting("ascii", "ascii", values.switch),
    Setting("no-color", "no_color", values.switch),
    Setting("keys", "keys", values.keys, tuple(SCHEMES)),
    Setting("ranks", "ranks", values.ranks, RANK_LETTERS),
    Setting("mouse", "mouse", values.switch),
    Setting("no-hints", "no_hints", values.switch),
    Setting("json", "json", values.switch),
    Setting("lang", "lang", values.language),
    _choice("verbosity", Verbosity),
)
SETTINGS: Final = {setting.key: setting for setting in _TABLE}

MATCH: Final = ("games", "refill", "spit", "grace", "watchable")
"""What the host sets for both."""
SEAT: Final = ("table", "address", "code", "name", "journal", "sync")
"""Each side's own."""
HEADLESS: Final = ("headless", "level", "delay", "seed", "timeout")
NETWORK: Final = ("port", "interface", "discovery-port")
SCREEN: Final = ("plain", "ascii", "no-color", "keys", "ranks", "mouse", "no-hints")
OUTPUT: Final = ("json",)
GENERAL: Final = ("lang", "verbosity")
OF_THE_MACHINE: Final = ("interface", "journal")
"""Whether the value can be depends on what is plugged in now: asked only where it is used."""
SECRET: Final = ("code",)
"""Never shown."""
_PLAY: Final = ("name", "journal", "sync", *SCREEN, *HEADLESS, *NETWORK, *GENERAL)

OF_COMMAND: Final[dict[str, tuple[str, ...]]] = {
    "host": (*MATCH, "code", *_PLAY),
    "join": ("table", "code", *_PLAY),
    "solo": (*(key for key in MATCH if key != "watchable"), *_PLAY),
    "resume": ("address", "journal", *SCREEN, *HEADLESS, *NETWORK, *GENERAL),
    "watch": (
        *("table", "headless", "timeout", "plain", "ascii", "no-color", "ranks"),
        *("interface", "discovery-port", *GENERAL),
    ),
    "list": ("json", "interface", "discovery-port", *GENERAL),
    "verify": GENERAL,
    "replay": ("plain", "ascii", "no-color", "ranks", "json", *GENERAL),
    "rules": ("ascii", "keys", "ranks", *GENERAL),
    "stats": ("journal", "ascii", "json", *GENERAL),
    "doctor": ("interface", "discovery-port", "port", "journal", "json", *GENERAL),
    "config": ("json", *GENERAL),
}
"""The commands that there are, each with its settings."""
