"""The parser of the command line.

What belongs here: which words and flags there are, and their help. What must not: reading values; a flag's text
stays text until it is known whether it counts.
"""

import argparse
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, NoReturn

from spitnet import __version__
from spitnet.app.options import Verbosity
from spitnet.cli import argparse_texts, values
from spitnet.cli.config import nearest
from spitnet.cli.settings import SETTINGS, Group, Setting, settings_of
from spitnet.cli.subcommands import COMMANDS, Argument
from spitnet.cli.values import quoted
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _

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
        known.error(_("a command is missing: {commands}").format(commands=", ".join(COMMANDS)))
    return CommandLine(command, found)


def _misplaced(left: list[str], command: str) -> str:
    """What is wrong with words that nothing takes. A flag of another command is no slip in one of this."""
    keys = {one.key for one in settings_of(command)} - {"verbosity"}
    keys |= {"help", "version", "quiet", "verbose", "lang"}
    slips = (one[2:].partition("=")[0] for one in left if one.startswith("--"))
    for slip in (one for one in slips if one not in SETTINGS):
        near = nearest(slip, sorted(keys))
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
    if word.startswith("-") or word in COMMANDS:
        return
    near = nearest(word, COMMANDS)
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
    for command, row in COMMANDS.items():
        text = str(row.summary)
        one = commands.add_parser(command, prog=f"spitnet {command}", description=text, help=text)
        for argument in row.arguments:
            _add_own(one, argument, completing)
        _add_settings(one, command, completing)
        _add_verbosity(_add_general(one, completing), command)
    _add_completion(_add_general(whole, completing))
    return whole


def _add_own(one: Parser, argument: Argument, completing: Completing | None) -> None:
    shared: dict[str, Any] = {"help": str(argument.help), "default": argparse.SUPPRESS}
    group = one.group(str(argument.heading))
    if argument.read is values.switch:
        group.add_argument(argument.name, action="store_const", const="yes", **shared)
        return
    if not argument.is_flag:
        shared["nargs"] = None if argument.is_required else "?"
    action = group.add_argument(argument.name, metavar=str(argument.sign), **shared)
    if completing and argument.read is values.record:
        vars(action)["complete"] = completing.file


def _add_settings(one: Parser, command: str, completing: Completing | None) -> None:
    """But for the general ones, below their headings."""
    settings = [each for each in settings_of(command) if each.group is not Group.GENERAL]
    for group in Group:
        for setting in settings:
            if setting.group_in.get(command, setting.group) is group:
                _add_flag(one.group(str(group.value)), setting, completing, command)


def _add_general(one: Parser, completing: Completing | None) -> "argparse._ArgumentGroup":
    """What every command takes and the program without a command too."""
    group = one.add_argument_group(_("general"))
    _add_flag(group, SETTINGS["lang"], completing)
    group.add_argument("-h", "--help", action="help", help=_("this help"))
    version = f"spitnet {__version__}"
    group.add_argument("--version", action="version", version=version, help=_("the version"))
    return group


def _add_completion(group: "argparse._ArgumentGroup") -> None:
    text = _("the completion script for {shells}").format(shells=", ".join(SHELLS))
    group.add_argument(
        "--print-completion", dest=COMPLETION, choices=SHELLS, metavar=_("SHELL"), help=text
    )


def _add_flag(
    group: "argparse._ArgumentGroup",
    setting: Setting,
    completing: Completing | None,
    command: str = "",
) -> None:
    shared: dict[str, Any] = {
        "dest": setting.key,
        "help": setting.explained(command),
        "default": argparse.SUPPRESS,
    }
    if setting.is_switch:
        group.add_argument(setting.flag, action="store_const", const="yes", **shared)
        return
    action = group.add_argument(setting.flag, metavar=setting.metavar, **shared)
    if completing:
        # argparse itself would refuse what isn't among the words.
        action.choices = list(setting.words()) or None
        if setting.read is values.directory:
            vars(action)["complete"] = completing.directory


def _add_verbosity(group: "argparse._ArgumentGroup", command: str) -> None:
    """`-q` and `-v` say the same setting; the environment and the config file call it verbosity."""
    quiet = _("no message on stderr when something fails, only the exit code")
    verbose = SETTINGS["verbosity"].explained(command)
    either = group.add_mutually_exclusive_group()
    for letter, word, verbosity, text in (
        ("-q", "--quiet", Verbosity.QUIET, quiet),
        ("-v", "--verbose", Verbosity.VERBOSE, verbose),
    ):
        either.add_argument(
            *(letter, word),
            dest="verbosity",
            action="store_const",
            const=verbosity.value,
            default=argparse.SUPPRESS,
            help=text,
        )
