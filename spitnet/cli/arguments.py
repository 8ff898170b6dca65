"""The parser of the command line.

What belongs here: which words and flags there are, and their help. What must not: reading values; a flag's text
stays text until it is known whether it counts.
"""

import argparse
from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from spitnet import __version__
from spitnet.cli.settings import (
    HEADLESS,
    MATCH,
    NETWORK,
    OF_COMMAND,
    OUTPUT,
    SCREEN,
    SEAT,
    SETTINGS,
    help_of,
)
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _
from spitnet.runtime.options import Verbosity

POSITIONALS: Final = {"join": "address", "verify": "file", "replay": "file"}
COMPLETION: Final = "print_completion"
SHELLS: Final = ("bash", "zsh", "tcsh")


class CommandLine(NamedTuple):
    """The command, and the text of every flag and argument that was given, by setting."""

    command: str
    given: dict[str, str]


class _Formatter(argparse.HelpFormatter):
    """The help in the user's language."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """As argparse does, with a heading that is looked up when it is shown."""
        super().add_usage(usage, actions, groups, prefix or _("usage: "))


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageFailure instead of printing its usage and exiting."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=_Formatter, **settings)

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on."""
        raise UsageFailure(
            _("{problem} (see: {command} --help)").format(problem=message, command=self.prog)
        )


def parse(given: Sequence[str]) -> CommandLine:
    """Take a command line apart.

    Raises:
        UsageFailure: it is none.
        SystemExit: it asked for help or the version, which is on stdout now.
    """
    known = parser()
    found = {key: text for key, text in vars(known.parse_args(given)).items() if text is not None}
    command = found.pop("command", "")
    if not command and COMPLETION not in found:
        known.error(_("a command is missing: {commands}").format(commands=", ".join(OF_COMMAND)))
    return CommandLine(command, found)


def parser(files: Any = None) -> Parser:
    """The whole parser, its texts in the active language; `files` tells a shell how to complete FILE."""
    whole = Parser(
        prog="spitnet", description=_("Spit for two on a LAN: no server, provably fair.")
    )
    commands = whole.add_subparsers(dest="command", title=_("commands"), metavar=_("COMMAND"))
    for command, text in _summaries().items():
        one = commands.add_parser(command, prog=f"spitnet {command}", description=text, help=text)
        _add_positional(one, command, files)
        _add_settings(one, OF_COMMAND[command])
        _add_verbosity(_add_general(one))
    _add_completion(_add_general(whole))
    return whole


def _summaries() -> dict[str, str]:
    return {
        "host": _("open a table and wait for an opponent"),
        "join": _("sit down at a table of the LAN"),
        "solo": _("play against a bot on this machine"),
        "list": _("show the open tables"),
        "verify": _("check the record of a match"),
        "replay": _("tell a recorded match again"),
    }


def _add_positional(one: Parser, command: str, files: Any) -> None:
    match POSITIONALS.get(command):
        case "address":
            text = _("where the table is; without it, tables are looked for")
            group = one.add_argument_group(_("where"))
            group.add_argument("address", nargs="?", metavar="HOST[:PORT]", help=text)
        case "file":
            group = one.add_argument_group(_("what"))
            file = group.add_argument("file", metavar="FILE", help=_("the record of a match"))
            vars(file)["complete"] = files


def _add_settings(one: Parser, keys: Collection[str]) -> None:
    groups = {
        _("match"): MATCH,
        _("your seat"): SEAT,
        _("screen"): SCREEN,
        _("headless play"): HEADLESS,
        _("network"): NETWORK,
        _("output"): OUTPUT,
    }
    for title, members in groups.items():
        wanted = [key for key in members if key in keys]
        if wanted:
            group = one.add_argument_group(title)
            for key in wanted:
                _add_flag(group, key)


def _add_general(one: Parser) -> "argparse._ArgumentGroup":
    """What every command takes and the program without a command too."""
    group = one.add_argument_group(_("general"))
    _add_flag(group, "lang")
    group.add_argument("-h", "--help", action="help", help=_("this help"))
    version = f"spitnet {__version__}"
    group.add_argument("--version", action="version", version=version, help=_("the version"))
    return group


def _add_completion(group: "argparse._ArgumentGroup") -> None:
    text = _("the completion script for bash, zsh or tcsh")
    group.add_argument(
        "--print-completion", dest=COMPLETION, choices=SHELLS, metavar="SHELL", help=text
    )


def _add_flag(group: "argparse._ArgumentGroup", key: str) -> None:
    setting = SETTINGS[key]
    sign, text = help_of(key)
    shared: dict[str, Any] = {"dest": key, "help": text, "default": argparse.SUPPRESS}
    if setting.is_switch:
        group.add_argument(setting.flag, action="store_const", const="yes", **shared)
    else:
        group.add_argument(setting.flag, metavar=sign, **shared)


def _add_verbosity(group: "argparse._ArgumentGroup") -> None:
    """`-q` and `-v` say the same setting; the environment and the config file call it verbosity."""
    either = group.add_mutually_exclusive_group()
    for letter, word, verbosity, text in (
        (
            "-q",
            "--quiet",
            Verbosity.QUIET,
            _("say nothing on stderr when a run fails; the exit code tells"),
        ),
        ("-v", "--verbose", Verbosity.VERBOSE, _("more in the log; headless, on stderr too")),
    ):
        either.add_argument(
            letter,
            word,
            dest="verbosity",
            action="store_const",
            const=verbosity.value,
            default=argparse.SUPPRESS,
            help=text,
        )
