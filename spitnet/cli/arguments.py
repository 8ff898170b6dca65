"""The parser of the command line.

What belongs here: which words and flags there are, and their help. What must not: reading values; a flag's text
stays text until it is known whether it counts.
"""

import argparse
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

from spitnet import __version__
from spitnet.app.options import Verbosity
from spitnet.cli import argparse_texts
from spitnet.cli.config import nearest
from spitnet.cli.help_texts import help_of, help_of_verbose
from spitnet.cli.settings import (
    GENERAL,
    HEADLESS,
    MATCH,
    NETWORK,
    OF_COMMAND,
    OUTPUT,
    SCREEN,
    SEAT,
    SETTINGS,
)
from spitnet.cli.values import languages, quoted
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _

POSITIONALS: Final = {
    "join": "address",
    "watch": "address",
    "resume": "own file",
    "verify": "file",
    "replay": "file",
}
COMPLETION: Final = "print_completion"
SHELLS: Final = ("bash", "zsh", "fish", "tcsh")


class CommandLine(NamedTuple):
    """The command, and the text of every flag and argument that was given, by setting."""

    command: str
    given: dict[str, str]


class Completing(NamedTuple):
    """How a shell completes a file and a directory, in the completion library's terms."""

    file: Any
    directory: Any


class _Formatter(argparse.HelpFormatter):
    """The help in the user's language."""

    def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:
        """As argparse does, with a heading that is looked up when it is shown."""
        super().add_usage(usage, actions, groups, prefix or _("usage: "))


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageFailure instead of printing its usage and exiting."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, add_help=False, formatter_class=_Formatter, **settings)
        self._by_title: dict[str, argparse._ArgumentGroup] = {}

    def group(self, title: str) -> "argparse._ArgumentGroup":
        """The group below that heading, made where there is none yet."""
        if title not in self._by_title:
            self._by_title[title] = self.add_argument_group(title)
        return self._by_title[title]

    def error(self, message: str) -> NoReturn:
        """One line, and where to read on."""
        raise _referring(message, self.prog)


def parse(given: Sequence[str]) -> CommandLine:
    """Take a command line apart.

    Raises:
        UsageFailure: it is none.
        SystemExit: it asked for help or the version, which is on stdout now.
    """
    _require_command(given)
    known = parser()
    read, left = known.parse_known_args(given)
    found = {key: text for key, text in vars(read).items() if text is not None}
    command = found.pop("command", "")
    if left:
        # argparse would refer to the whole program's help, which doesn't say what the command takes.
        raise _referring(_misplaced(left, command), f"{known.prog} {command}".strip())
    if not command and COMPLETION not in found:
        known.error(_("a command is missing: {commands}").format(commands=", ".join(OF_COMMAND)))
    return CommandLine(command, found)


def _misplaced(left: list[str], command: str) -> str:
    """What is wrong with words that nothing takes. A flag of another command is no slip in one of this."""
    keys = {*OF_COMMAND.get(command, GENERAL), "help", "version", "quiet", "verbose"}
    slips = (one[2:].partition("=")[0] for one in left if one.startswith("--"))
    for slip in (one for one in slips if one not in SETTINGS):
        near = nearest(slip, sorted(keys - {"verbosity"}))
        if near is not None:
            problem = _("there is no option {word}; did you mean {near}?")
            return problem.format(word=quoted(f"--{slip}"), near=quoted(f"--{near}"))
    return argparse_texts.unrecognized(left)


def _referring(problem: str, command: str) -> UsageFailure:
    """One line, and where to read on."""
    return UsageFailure(
        _("{problem} (see: {command} --help)").format(problem=problem, command=command)
    )


def _require_command(given: Sequence[str]) -> None:
    """The commonest slip in better words than argparse has, which lists all commands for it."""
    word = given[0] if given else "-"
    if word.startswith("-") or word in OF_COMMAND:
        return
    near = nearest(word, OF_COMMAND)
    if near is None:
        problem = _("there is no command {word} (see: spitnet --help)")
    else:
        problem = _("there is no command {word}; did you mean {near}? (see: spitnet --help)")
    raise UsageFailure(problem.format(word=quoted(word), near=quoted(near or "")))


def parser(completing: Completing | None = None) -> Parser:
    """The whole parser, its texts in the active language; `completing`: what a shell is to be told as well."""
    argparse_texts.route()
    whole = Parser(
        prog="spitnet", description=_("Spit for two on a LAN: no server, provably fair.")
    )
    commands = whole.add_subparsers(dest="command", title=_("commands"), metavar=_("COMMAND"))
    for command, text in _summaries().items():
        one = commands.add_parser(command, prog=f"spitnet {command}", description=text, help=text)
        _add_own(one, command, completing)
        _add_settings(one, command, completing)
        _add_verbosity(_add_general(one, completing), command)
    _add_completion(_add_general(whole, completing))
    return whole


def _summaries() -> dict[str, str]:
    return {
        "host": _("open a table and wait for an opponent"),
        "join": _("sit down at a table on the LAN"),
        "solo": _("play against a bot on this machine"),
        "resume": _("resume an interrupted match"),
        "watch": _("watch a match between others"),
        "list": _("show the open tables"),
        "verify": _("check the record of a match"),
        "replay": _("watch a recorded match again"),
        "rules": _("explain the game in a minute"),
        "stats": _("show your results, by opponent"),
        "doctor": _("find out why nobody is found"),
        "config": _("show the settings, and where each comes from"),
    }


def _add_own(one: Parser, command: str, completing: Completing | None) -> None:
    """What only this command takes, and no setting is."""
    if command == "config":
        text = _("write a config file with all settings, each explained")
        group = one.add_argument_group(_("what"))
        group.add_argument(
            "--create", action="store_const", const="yes", default=argparse.SUPPRESS, help=text
        )
    match POSITIONALS.get(command):
        case "address":
            text = _("where the table is; without it, spitnet looks for tables")
            group = one.group(_("where"))
            group.add_argument("address", nargs="?", metavar="HOST[:PORT]", help=text)
        case "own file":
            text = _("the record of the match; without it, the newest unfinished one")
            group = one.add_argument_group(_("what"))
            file = group.add_argument("file", nargs="?", metavar=_("FILE"), help=text)
            if completing:
                vars(file)["complete"] = completing.file
        case "file":
            group = one.add_argument_group(_("what"))
            file = group.add_argument("file", metavar=_("FILE"), help=_("the record of a match"))
            if completing:
                vars(file)["complete"] = completing.file
            if command == "replay":
                text = _("the game of the match to begin with (default: 1)")
                group.add_argument("--game", metavar="N", default=argparse.SUPPRESS, help=text)


def _add_settings(one: Parser, command: str, completing: Completing | None) -> None:
    left = list(OF_COMMAND[command])
    for title, members in _groups(command):
        for key in members:
            if key in left:
                left.remove(key)
                _complete(_add_flag(one.group(title), key, command), completing)


def _groups(command: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Headings, and what stands below each where the command has it and it doesn't stand above already."""
    usual = (
        (_("match"), MATCH),
        (_("your seat"), SEAT),
        (_("screen"), SCREEN),
        (_("headless play"), HEADLESS),
        (_("network"), NETWORK),
        (_("output"), OUTPUT),
    )
    match command:
        case "solo":
            return ((_("the bot"), ("level", "delay", "seed")), *usual)
        case "resume" | "stats" | "doctor":
            return ((_("where"), ("address", "journal")), *usual)
        case "watch":
            return ((_("where"), ("table", "timeout")), *usual[:3], (_("output"), HEADLESS), *usual)
        case _:
            return usual


def _complete(flag: argparse.Action, completing: Completing | None) -> None:
    """Tells a shell what can stand behind the flag; argparse itself would refuse what isn't among the words."""
    if completing is None:
        return
    if SETTINGS[flag.dest].words:
        flag.choices = SETTINGS[flag.dest].words
    elif flag.dest == "lang":
        flag.choices = languages()
    elif flag.dest == "journal":
        vars(flag)["complete"] = completing.directory


def _add_general(one: Parser, completing: Completing | None) -> "argparse._ArgumentGroup":
    """What every command takes and the program without a command too."""
    group = one.add_argument_group(_("general"))
    _complete(_add_flag(group, "lang"), completing)
    group.add_argument("-h", "--help", action="help", help=_("this help"))
    version = f"spitnet {__version__}"
    group.add_argument("--version", action="version", version=version, help=_("the version"))
    return group


def _add_completion(group: "argparse._ArgumentGroup") -> None:
    text = _("the completion script for {shells}").format(shells=", ".join(SHELLS))
    group.add_argument(
        "--print-completion", dest=COMPLETION, choices=SHELLS, metavar=_("SHELL"), help=text
    )


def _add_flag(group: "argparse._ArgumentGroup", key: str, command: str = "") -> argparse.Action:
    setting = SETTINGS[key]
    sign, text = help_of(key, command)
    shared: dict[str, Any] = {"dest": key, "help": text, "default": argparse.SUPPRESS}
    if setting.is_switch:
        return group.add_argument(setting.flag, action="store_const", const="yes", **shared)
    return group.add_argument(setting.flag, metavar=sign, **shared)


def _add_verbosity(group: "argparse._ArgumentGroup", command: str) -> None:
    """`-q` and `-v` say the same setting; the environment and the config file call it verbosity."""
    either = group.add_mutually_exclusive_group()
    for letter, word, verbosity, text in (
        (
            "-q",
            "--quiet",
            Verbosity.QUIET,
            _("no message on stderr when something fails, only the exit code"),
        ),
        ("-v", "--verbose", Verbosity.VERBOSE, help_of_verbose(command)),
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
