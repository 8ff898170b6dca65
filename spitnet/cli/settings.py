"""Every setting that can be made: its name, how its text is read, which commands have it.

What belongs here: one table that the command line, the environment and the config file share. What must not:
how they are read, and defaults, which the options have.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from spitnet.bot.levels import Level
from spitnet.cli import addresses, values
from spitnet.core.state import RefillMode, SpitMode
from spitnet.language import gettext as _
from spitnet.runtime.options import Sync, Verbosity


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
    Setting("games", "games", values.whole(values.GAMES)),
    _choice("refill", RefillMode),
    _choice("spit", SpitMode),
    Setting("grace", "grace_s", values.whole(values.GRACE_S)),
    Setting("watchable", "watchable", values.switch),
    Setting("table", "table", values.name),
    Setting("address", "address", addresses.place),
    Setting("name", "name", values.name),
    Setting("code", "code", values.code),
    Setting("headless", "headless", values.switch),
    _choice("level", Level),
    Setting("delay", "delay_s", values.delay_s),
    Setting("seed", "seed", values.whole(values.SEEDS)),
    Setting("timeout", "timeout_s", values.timeout_s),
    Setting("journal", "journal", values.directory),
    _choice("sync", Sync),
    Setting("port", "port", values.whole(values.PORTS)),
    Setting("interface", "interface", values.interface),
    Setting("discovery-port", "discovery_port", values.whole(values.PORTS)),
    Setting("plain", "plain", values.switch),
    Setting("ascii", "ascii", values.switch),
    Setting("no-color", "no_color", values.switch),
    Setting("keys", "keys", values.keys, values.SCHEMES),
    Setting("ranks", "ranks", values.ranks, values.RANKS),
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


def help_of(key: str) -> tuple[str, str]:
    """The sign for the value in the help, and the help's text."""
    return _help_texts()[key]


def _help_texts() -> dict[str, tuple[str, str]]:
    return {
        "games": (
            "N",
            _("at most so many games, 1 to 1000; whoever can’t be caught up has won (default: 1)"),
        ),
        "refill": (
            "auto|manual",
            _("an empty slot is refilled with the play, or when you ask (default: auto)"),
        ),
        "spit": (
            "said|auto",
            _("a player says spit, or the game does once both are ready (default: said)"),
        ),
        "grace": (_("SECONDS"), _("how long a lost opponent may take to come back (default: 60)")),
        "watchable": ("", _("others on the network may look on (spitnet watch)")),
        "address": (
            _("HOST:PORT"),
            _("where the host of the match is, if it isn’t found by itself"),
        ),
        "table": (_("NAME"), _("the table of the host of that name")),
        "name": (_("NAME"), _("your name, as the opponent and the record see it")),
        "code": (_("CODE"), _("a secret word that both sides give; nobody else gets in")),
        "headless": (
            "",
            _("no screen; a bot plays where a person would; one JSON object a line on stdout"),
        ),
        "level": (
            _("LEVEL"),
            _(
                "how the bot plays: easy, normal, hard, expert; solo: your opponent (default: normal)"
            ),
        ),
        "delay": (
            _("SECONDS"),
            _("time between the bot's actions, instead of its level's; 0: none"),
        ),
        "seed": ("N", _("makes the bot's choices and timing repeatable; never the cards")),
        "timeout": (_("SECONDS"), _("how long to look for an opponent (headless: 10)")),
        "journal": (
            _("DIR"),
            _("where the records of matches are (default: journals in the data directory)"),
        ),
        "sync": (
            "always|process",
            _("the record survives a power cut, or only a killed process (default: always)"),
        ),
        "port": (_("PORT"), _("TCP port of the match")),
        "interface": (_("NAME"), _("use this network interface only")),
        "discovery-port": (_("PORT"), _("UDP port on which tables are found (default: 47748)")),
        "plain": ("", _("lines instead of a full screen: for screen readers and slow links")),
        "ascii": ("", _("letters for the suits, and lines of - and |")),
        "no-color": ("", _("no colours (as with NO_COLOR)")),
        "keys": (
            _("KEYS"),
            _("qwerty, qwertz, azerty, dvorak, colemak, or eight keys of your own (asdfjkl;)"),
        ),
        "ranks": (
            _("RANKS"),
            _(
                "the letters on ace, king, queen and jack: english, local (those of the language), "
                "or four of your own (default: english)"
            ),
        ),
        "mouse": ("", _("play with the mouse too: left button left pile, right button right pile")),
        "no-hints": ("", _("nothing explains your first game")),
        "json": ("", _("one JSON object a line")),
        "lang": (_("LANGUAGE"), _("the language of texts, such as en")),
    }
