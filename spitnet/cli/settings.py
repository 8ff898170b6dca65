"""Every setting that can be made.

To add one: add a row to the table, and its field to the options of its commands (runtime.options). Its flag, help,
environment variable, place in the config file, line of `config` and completion follow. The tests name what is missing.

What belongs here: all that is known of a setting. What must not: reading its text (values), and whose text counts
(layers).
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from spitnet.app.options import LEVEL, SEARCH_TIMEOUT_S, Sync, Verbosity
from spitnet.bot.levels import Level
from spitnet.cli import addresses, values
from spitnet.cli.subcommands import COMMANDS, PLAYING
from spitnet.core.state import GAMES_MAX, GRACE_S_RANGE, RefillMode, Settings, SpitMode
from spitnet.language import Later, pgettext
from spitnet.language import Later as _
from spitnet.ui.choices import RANK_LETTERS, SCHEMES

_FIGURES: Final = {"games_max": GAMES_MAX, "seconds": SEARCH_TIMEOUT_S}
"""What a text can show, besides the default and the words."""


class Group(Enum):
    """Settings that belong together, by their heading, in the order of the help."""

    WHERE = _("where")
    BOT = _("the bot")
    MATCH = _("match")
    """What the host sets for both: the fields of `core.state.Settings`."""
    SEAT = _("your seat")
    """Each side's own."""
    SCREEN = _("screen")
    HEADLESS = _("headless play")
    WATCHING = _("output")
    """In the place of HEADLESS, where nobody plays. A text looked up later equals no other, so it is no alias."""
    NETWORK = _("network")
    OUTPUT = _("output")  # noqa: PIE796
    GENERAL = _("general")


class Setting(NamedTuple):
    """A row: `key` is the name on the command line and in the config file; the options' has the `unit` behind it.

    `sign` stands for the value in the help, as a rule `words`: the values that there are, where they can be counted.
    `help` may show the `{default}` and the `{words}`. Some commands have a `help_in` and a `group_in` of their own.

    `presumed` is the default where the options leave it open, `unset` says what counts where there is none, and
    `example` stands in a new config file instead of it. The value of `is_secret` is never shown. Whether the value of
    `is_of_the_machine` can be depends on what is plugged in now, so it is checked only where it is used.
    """

    key: str
    group: Group
    read: Callable[[str], Any]
    commands: Iterable[str]
    help: Later
    unit: str = ""
    sign: Later | str = ""
    words: Callable[[], Iterable[str]] = tuple
    presumed: object = None
    unset: Callable[[], str] = lambda: pgettext("setting", "none")
    example: object = None
    help_in: Mapping[str, Later] = {}
    group_in: Mapping[str, Group] = {}
    is_secret: bool = False
    is_of_the_machine: bool = False

    @property
    def field(self) -> str:
        """As in the options."""
        return "_".join(filter(None, (*self.key.split("-"), self.unit)))

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

    @property
    def metavar(self) -> str:
        """What stands for the value in the help."""
        return str(self.sign) or "|".join(self.words())

    @property
    def default(self) -> Any:
        """What counts where nobody says anything; None where that is nothing, or depends."""
        if self.group is Group.MATCH:
            return getattr(Settings(), self.field)
        options = next(filter(None, (COMMANDS[command].options for command in self.commands)))
        found = options.__dataclass_fields__.get(self.field)
        return self.presumed if found is None or found.default is None else found.default

    def explained(self, command: str = "") -> str:
        """What the help says of it: that of a command, or what holds for all."""
        text = str(self.help_in.get(command, self.help))
        return text.format(default=self.default, words=", ".join(self.words()), **_FIGURES)


def _journals() -> str:
    from spitnet.app.identity import data_directory
    from spitnet.app.paths import at_home

    return at_home(data_directory() / "journals")


_SITTING: Final = ("host", "join", "solo")
_FINDING: Final = (*PLAYING, "watch", "list", "doctor")
_DRAWING: Final = (*PLAYING, "watch", "replay")
_BOT: Final = _("how the bot plays: {words} (default: {default})")
_AT_HOME: Final = _("no effect: solo never leaves this machine")
_SOLO: Final = {"solo": Group.BOT}

_TABLE: Final = (
    Setting("games", Group.MATCH, values.whole(1, GAMES_MAX), ("host", "solo"),
        _("play at most this many games, 1 to {games_max}; it ends once one side can’t be caught (default: {default})"),
        sign="N"),
    Setting("refill", Group.MATCH, values.one_of(RefillMode), ("host", "solo"),
        _("an empty slot is refilled at once, or when you ask (default: {default})"),
        words=lambda: RefillMode),
    Setting("spit", Group.MATCH, values.one_of(SpitMode), ("host", "solo"),
        _("a player says spit, or the game does once both are ready (default: {default})"),
        words=lambda: SpitMode),
    Setting("grace", Group.MATCH, values.whole(*GRACE_S_RANGE), ("host", "solo"),
        _("how long a lost opponent may take to come back (default: {default})"),
        unit="s", sign=_("SECONDS")),
    Setting("watchable", Group.MATCH, values.switch, ("host",),
        _("others on the network may watch (spitnet watch)")),

    Setting("table", Group.SEAT, values.name, ("join", "watch"),
        _("the table of the host with this name"),
        sign=_("NAME"), example="Ada", group_in={"watch": Group.WHERE}),
    Setting("address", Group.SEAT, addresses.place, ("resume",),
        _("where the match’s host is, if it isn’t found automatically"),
        sign=_("HOST:PORT"), example="192.168.1.5:47750", group_in={"resume": Group.WHERE}),
    Setting("code", Group.SEAT, values.code, ("host", "join"),
        _("a secret word that both sides give; nobody else gets in"),
        sign=_("CODE"), example="tulip-42", is_secret=True),
    Setting("name", Group.SEAT, values.name, _SITTING,
        _("your name, as the opponent and the record see it"),
        sign=_("NAME"), unset=_("asked for (headless: made up)"), example="Ada"),

    Setting("headless", Group.HEADLESS, values.switch, (*PLAYING, "watch"),
        _("no screen; a bot plays for you; one JSON object a line on stdout"),
        help_in={"watch": _("no screen; one JSON object a line on stdout, like the players’")},
        group_in={"watch": Group.WATCHING}),
    Setting("level", Group.HEADLESS, values.one_of(Level), PLAYING,
        _("how the bot plays: {words}; solo: your opponent (default: {default})"),
        help_in={
            "host": _BOT,
            "join": _BOT,
            "solo": _("how your opponent plays, or with --headless both sides: {words} (default: {default})"),
        },
        sign=_("LEVEL"), words=lambda: Level, presumed=LEVEL, group_in=_SOLO),
    Setting("delay", Group.HEADLESS, values.delay_s, PLAYING,
        _("time between the bot’s actions, instead of its level’s; 0: none"),
        unit="s", sign=_("SECONDS"), unset=_("set by the level"), example=0.5, group_in=_SOLO),
    Setting("seed", Group.HEADLESS, values.whole(0, 2**63 - 1), PLAYING,
        _("makes the bot’s choices and timing repeatable, but never the cards"),
        sign="N", example=7, group_in=_SOLO),
    Setting("timeout", Group.HEADLESS, values.timeout_s, (*PLAYING, "watch"),
        _("how long to look for an opponent (headless: {seconds:g})"),
        help_in={
            "host": _("how long to wait for an opponent (headless: {seconds:g})"),
            "solo": _("how long the bot may take to sit down (headless: {seconds:g})"),
            "resume": _("headless: how long the opponent may take to be back (default: {seconds:g})"),
            "watch": _("how long to look for a table, for a match there, or for a host that has vanished (headless: {seconds:g})"),
        },
        unit="s", sign=_("SECONDS"), unset=lambda: str(_("none (headless: {seconds:g})")).format(**_FIGURES),
        example=30, group_in={"watch": Group.WHERE}),

    Setting("journal", Group.SEAT, values.directory, (*PLAYING, "stats", "doctor"),
        _("where the records of matches are (default: journals in the data directory)"),
        sign=_("DIR"), unset=_journals, example="~/spit", is_of_the_machine=True,
        group_in=dict.fromkeys(("resume", "stats", "doctor"), Group.WHERE)),
    Setting("sync", Group.SEAT, values.one_of(Sync), _SITTING,
        _("the record survives a power cut, or only a killed process (default: {default})"),
        words=lambda: Sync),

    Setting("port", Group.NETWORK, values.port, (*PLAYING, "doctor"),
        _("TCP port of the match"),
        help_in={
            "host": _("TCP port to listen on (default: any free one)"),
            "join": _("TCP port of HOST, if not given with it"),
            "resume": _("TCP port to listen on, if the table is yours (default: any free one)"),
            "doctor": _("TCP port that your table would listen on"),
        },
        sign=_("PORT"), unset=_("any free one"), example=47750),
    Setting("interface", Group.NETWORK, values.interface, _FINDING,
        _("use this network interface only"),
        help_in={"solo": _AT_HOME}, sign=_("NAME"), unset=lambda: pgettext("setting", "all"), example="eth0",
        is_of_the_machine=True),
    Setting("discovery-port", Group.NETWORK, values.port, _FINDING,
        _("UDP port on which tables are found (default: {default})"),
        help_in={"solo": _AT_HOME}, sign=_("PORT")),

    Setting("plain", Group.SCREEN, values.switch, _DRAWING,
        _("lines instead of a full screen: for screen readers and slow links")),
    Setting("ascii", Group.SCREEN, values.switch, (*_DRAWING, "rules", "stats"),
        _("letters for the suits, and lines of - and |"),
        help_in={"rules": _("letters for the suits"), "stats": _("+, = and - for the bars")}),
    Setting("no-color", Group.SCREEN, values.switch, _DRAWING,
        _("no colours (as with NO_COLOR)")),
    Setting("keys", Group.SCREEN, values.keys, (*PLAYING, "rules"),
        _("{words}, or eight keys of your own (asdfjkl;)"),
        sign=_("KEYS"), words=lambda: SCHEMES),
    Setting("ranks", Group.SCREEN, values.ranks, (*_DRAWING, "rules"),
        _(
            "the letters on ace, king, queen and jack: english, local (those of the language), "
            "or four of your own (default: {default})"
        ),
        sign=_("RANKS"), words=lambda: RANK_LETTERS),
    Setting("mouse", Group.SCREEN, values.switch, PLAYING,
        _("play with the mouse too: left button left pile, right button right pile")),
    Setting("no-hints", Group.SCREEN, values.switch, PLAYING,
        _("no hints in your first game")),

    Setting("json", Group.OUTPUT, values.switch, ("list", "replay", "stats", "doctor", "config"),
        _("one JSON object a line")),
    Setting("lang", Group.GENERAL, values.language, COMMANDS,
        _("the language of all texts: {words}"),
        sign=_("LANGUAGE"), words=values.languages, unset=_("the system’s"), example="en"),
    Setting("verbosity", Group.GENERAL, values.one_of(Verbosity), COMMANDS,
        _("how much spitnet says: {words} (as with -q and -v)"),
        help_in={
            **dict.fromkeys(COMMANDS, _("no effect here")),
            **dict.fromkeys(PLAYING, _("more in the log; headless, on stderr too")),
            **dict.fromkeys(("watch", "replay"), _("more in the log")),
        },
        words=lambda: Verbosity),
)  # fmt: skip
SETTINGS: Final = {setting.key: setting for setting in _TABLE}


def settings_of(command: str) -> list[Setting]:
    """Those that a command has."""
    return [setting for setting in _TABLE if command in setting.commands]
