"""Every setting that can be made: its name, how its text is read, which commands have it.

What belongs here: one table that the command line, the environment and the config file share. What must not:
how they are read, and defaults, which the options have.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from spitnet.bot.levels import Level
from spitnet.cli import values
from spitnet.core.state import RefillMode, SpitMode
from spitnet.language import gettext as _
from spitnet.runtime.options import Sync, Verbosity


class Setting(NamedTuple):
    """`key` is the name on the command line and in the config file, `field` the one in the options."""

    key: str
    field: str
    read: Callable[[str], Any]

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


_TABLE: Final = (
    Setting("games", "games", values.whole(values.GAMES)),
    Setting("refill", "refill", values.one_of(RefillMode)),
    Setting("spit", "spit", values.one_of(SpitMode)),
    Setting("grace", "grace_s", values.whole(values.GRACE_S)),
    Setting("table", "table", values.name),
    Setting("name", "name", values.name),
    Setting("code", "code", values.code),
    Setting("headless", "headless", values.switch),
    Setting("level", "level", values.one_of(Level)),
    Setting("delay", "delay_s", values.delay_s),
    Setting("seed", "seed", values.whole(values.SEEDS)),
    Setting("timeout", "timeout_s", values.timeout_s),
    Setting("journal", "journal", values.directory),
    Setting("sync", "sync", values.one_of(Sync)),
    Setting("port", "port", values.whole(values.PORTS)),
    Setting("interface", "interface", values.interface),
    Setting("discovery-port", "discovery_port", values.whole(values.PORTS)),
    Setting("plain", "plain", values.switch),
    Setting("ascii", "ascii", values.switch),
    Setting("no-color", "no_color", values.switch),
    Setting("keys", "keys", values.keys),
    Setting("mouse", "mouse", values.switch),
    Setting("json", "json", values.switch),
    Setting("lang", "lang", values.language),
    Setting("verbosity", "verbosity", values.one_of(Verbosity)),
)
SETTINGS: Final = {setting.key: setting for setting in _TABLE}

MATCH: Final = ("games", "refill", "spit", "grace")
"""What the host sets for both."""
SEAT: Final = ("table", "code", "name", "journal", "sync")
"""Each side's own."""
HEADLESS: Final = ("headless", "level", "delay", "seed", "timeout")
NETWORK: Final = ("port", "interface", "discovery-port")
SCREEN: Final = ("plain", "ascii", "no-color", "keys", "mouse")
OUTPUT: Final = ("json",)
GENERAL: Final = ("lang", "verbosity")
_PLAY: Final = ("name", "journal", "sync", *SCREEN, *HEADLESS, *NETWORK, *GENERAL)

OF_COMMAND: Final[dict[str, tuple[str, ...]]] = {
    "host": (*MATCH, "code", *_PLAY),
    "join": ("table", "code", *_PLAY),
    "solo": (*MATCH, *_PLAY),
    "list": ("json", "interface", "discovery-port", *GENERAL),
    "verify": GENERAL,
    "replay": ("json", *GENERAL),
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
        "grace": ("SECONDS", _("how long a lost opponent may take to come back (default: 60)")),
        "table": ("NAME", _("the table of the host of that name")),
        "name": ("NAME", _("your name, as the opponent and the record see it")),
        "code": ("CODE", _("a secret word that both sides give; nobody else gets in")),
        "headless": ("", _("a bot plays; one JSON object a line on stdout")),
        "level": (
            "LEVEL",
            _(
                "how the bot plays: easy, normal, hard, expert; solo: your opponent (default: normal)"
            ),
        ),
        "delay": ("SECONDS", _("time between the bot's actions, instead of its level's; 0: none")),
        "seed": ("N", _("makes the bot's choices and timing repeatable; never the cards")),
        "timeout": ("SECONDS", _("how long to look for an opponent (headless: 10)")),
        "journal": (
            "DIR",
            _("where the record of the match goes (default: journals in the data directory)"),
        ),
        "sync": (
            "always|process",
            _("the record survives a power cut, or only a killed process (default: always)"),
        ),
        "port": ("PORT", _("TCP port of the match")),
        "interface": ("NAME", _("use this network interface only")),
        "discovery-port": ("PORT", _("UDP port on which tables are found (default: 47748)")),
        "plain": ("", _("lines instead of a full screen: for screen readers and slow links")),
        "ascii": ("", _("letters for the suits, and lines of - and |")),
        "no-color": ("", _("no colours (as with NO_COLOR)")),
        "keys": (
            "KEYS",
            _("qwerty, qwertz, azerty, dvorak, colemak, or eight keys of your own (asdfjkl;)"),
        ),
        "mouse": ("", _("play with the mouse too: left button left pile, right button right pile")),
        "json": ("", _("one JSON object a line")),
        "lang": ("LANGUAGE", _("the language of texts, such as en")),
    }
