"""The commands that there are: what the help says of each, what stands behind it, what its settings become.

What belongs here: the table. What must not: settings (settings), and carrying a command out (commands).
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from spitnet.app import options
from spitnet.cli import addresses, values
from spitnet.core.state import GAMES_MAX
from spitnet.language import Later
from spitnet.language import Later as _


class Argument(NamedTuple):
    """What one command takes and no setting is, behind it or by a flag; `sign` as in a setting, `heading` of the help."""

    key: str
    read: Callable[[str], Any]
    sign: Later | str
    heading: Later
    help: Later
    is_flag: bool = False
    is_required: bool = False

    @property
    def name(self) -> str:
        """As the parser calls it."""
        return f"--{self.key}" if self.is_flag else self.key


class Subcommand(NamedTuple):
    """`options` is the class whose fields are the command's settings; None where no command line fills one."""

    summary: Later
    options: type[options.Command] | None
    arguments: tuple[Argument, ...] = ()


_WHAT: Final = _("what")
_PLACE: Final = Argument(
    "address",
    addresses.address,
    "HOST[:PORT]",
    _("where"),
    _("where the table is; without it, spitnet looks for tables"),
)
_OWN_RECORD: Final = Argument(
    "file",
    values.record,
    _("FILE"),
    _WHAT,
    _("the record of the match; without it, the newest unfinished one"),
)
_RECORD: Final = _OWN_RECORD._replace(help=_("the record of a match"), is_required=True)
_GAME: Final = Argument(
    "game",
    values.whole(1, GAMES_MAX),
    "N",
    _WHAT,
    _("the game of the match to begin with (default: 1)"),
    is_flag=True,
)
_CREATE: Final = Argument(
    "create",
    values.switch,
    "",
    _WHAT,
    _("write a config file with all settings, each explained"),
    is_flag=True,
)

COMMANDS: Final = {
    "host": Subcommand(_("open a table and wait for an opponent"), options.HostOptions),
    "join": Subcommand(_("sit down at a table on the LAN"), options.JoinOptions, (_PLACE,)),
    "solo": Subcommand(_("play against a bot on this machine"), options.SoloOptions),
    "resume": Subcommand(_("resume an interrupted match"), options.ResumeOptions, (_OWN_RECORD,)),
    "watch": Subcommand(_("watch a match between others"), options.WatchOptions, (_PLACE,)),
    "list": Subcommand(_("show the open tables"), options.ListOptions),
    "verify": Subcommand(_("check the record of a match"), options.VerifyOptions, (_RECORD,)),
    "replay": Subcommand(
        _("watch a recorded match again"), options.ReplayOptions, (_RECORD, _GAME)
    ),
    "rules": Subcommand(_("explain the game in a minute"), options.RulesOptions),
    "stats": Subcommand(_("show your results, by opponent"), options.StatsOptions),
    "doctor": Subcommand(_("find out why nobody is found"), options.DoctorOptions),
    "config": Subcommand(_("show the settings, and where each comes from"), None, (_CREATE,)),
}
PLAYING: Final = ("host", "join", "solo", "resume")
