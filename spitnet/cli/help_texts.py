"""What the help says of each setting.

What belongs here: one text for each setting, as the config file has it too, and another where a command means something
else by it. What must not: which commands have which settings (settings).
"""

from typing import Final

from spitnet.cli.settings import OF_COMMAND
from spitnet.cli.values import languages
from spitnet.language import gettext as _

_LOGGING: Final = ("host", "join", "solo", "resume", "watch", "replay")
"""The commands that keep a log; what the others do, they say."""


def help_of(key: str, command: str = "") -> tuple[str, str]:
    """The sign for the value in the help, and the help's text: that of the command, or what holds for all."""
    sign, text = _help_texts()[key]
    return sign, _of_command().get((command, key), text)


def help_of_verbose(command: str) -> str:
    """What `-v` does there."""
    if command not in _LOGGING:
        return _("no effect here")
    if "level" in OF_COMMAND[command]:
        return _("more in the log; headless, on stderr too")
    return _("more in the log")


def _of_command() -> dict[tuple[str, str], str]:
    """Where a command means something else, by command and setting."""
    at_home = _("no effect: solo never leaves this machine")
    bot = _("how the bot plays: easy, normal, hard, expert (default: normal)")
    return {
        ("host", "level"): bot,
        ("host", "timeout"): _("how long to wait for an opponent (headless: 10)"),
        ("host", "port"): _("TCP port to listen on (default: any free one)"),
        ("join", "level"): bot,
        ("join", "port"): _("TCP port of HOST, if not given with it"),
        ("solo", "level"): _(
            "how your opponent plays, or with --headless both sides: easy, normal, hard, expert (default: normal)"
        ),
        ("solo", "timeout"): _("how long the bot may take to sit down (headless: 10)"),
        ("solo", "interface"): at_home,
        ("solo", "discovery-port"): at_home,
        ("resume", "timeout"): _(
            "headless: how long the opponent may take to be back (default: 10)"
        ),
        ("resume", "port"): _(
            "TCP port to listen on, if the table is yours (default: any free one)"
        ),
        ("watch", "headless"): _("no screen; one JSON object a line on stdout, like the players’"),
        ("watch", "timeout"): _(
            "how long to look for a table, or for one that has vanished (headless: 10)"
        ),
        ("rules", "ascii"): _("letters for the suits"),
        ("stats", "ascii"): _("+, = and - for the bars"),
        ("doctor", "port"): _("TCP port that your table would listen on"),
    }


def _help_texts() -> dict[str, tuple[str, str]]:
    return {
        "games": (
            "N",
            _(
                "play at most this many games, 1 to 1000; it ends once one side can’t be caught (default: 1)"
            ),
        ),
        "refill": (
            "auto|manual",
            _("an empty slot is refilled at once, or when you ask (default: auto)"),
        ),
        "spit": (
            "said|auto",
            _("a player says spit, or the game does once both are ready (default: said)"),
        ),
        "grace": (_("SECONDS"), _("how long a lost opponent may take to come back (default: 60)")),
        "watchable": ("", _("others on the network may watch (spitnet watch)")),
        "address": (
            _("HOST:PORT"),
            _("where the match’s host is, if it isn’t found automatically"),
        ),
        "table": (_("NAME"), _("the table of the host with this name")),
        "name": (_("NAME"), _("your name, as the opponent and the record see it")),
        "code": (_("CODE"), _("a secret word that both sides give; nobody else gets in")),
        "headless": (
            "",
            _("no screen; a bot plays for you; one JSON object a line on stdout"),
        ),
        "level": (
            _("LEVEL"),
            _(
                "how the bot plays: easy, normal, hard, expert; solo: your opponent (default: normal)"
            ),
        ),
        "delay": (
            _("SECONDS"),
            _("time between the bot’s actions, instead of its level’s; 0: none"),
        ),
        "seed": ("N", _("makes the bot’s choices and timing repeatable, but never the cards")),
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
        "no-hints": ("", _("no hints in your first game")),
        "json": ("", _("one JSON object a line")),
        "lang": (
            _("LANGUAGE"),
            _("the language of all texts: {there}").format(there=", ".join(languages())),
        ),
    }
