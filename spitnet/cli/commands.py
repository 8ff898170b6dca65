"""From a command line to the options of its command, and on to the app.

What belongs here: one short path for each command. What must not: carrying it out.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, assert_never

from spitnet import language
from spitnet.app.options import (
    SEARCH_TIMEOUT_S,
    Command,
    DoctorOptions,
    HostOptions,
    JoinOptions,
    ListOptions,
    PlayOptions,
    ReplayOptions,
    ResumeOptions,
    RulesOptions,
    SoloOptions,
    StatsOptions,
    Verbosity,
    VerifyOptions,
    WatchOptions,
)
from spitnet.cli import arguments, config, ending, streams, values
from spitnet.cli.arguments import CommandLine
from spitnet.cli.layers import Layers, resolved, value
from spitnet.cli.settings import SETTINGS, Group, settings_of
from spitnet.cli.subcommands import COMMANDS
from spitnet.core.state import Settings
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _


def run(given: Sequence[str]) -> int:
    """Do what a command line asks for and return the exit code.

    Raises:
        Failure: it was not to be; the code and the words are in it.
    """
    streams.fill_gaps()
    streams.for_people()
    file = cache(lambda: config.read(config.path(os.environ)))
    language.use(_wanted_language(given, os.environ, file), os.environ)
    try:
        line = arguments.parse(given)
    except SystemExit:
        return ExitCode.DONE
    if arguments.COMPLETION in line.given:
        from spitnet.cli import completion

        print(completion.script(line.given[arguments.COMPLETION]))
        return ExitCode.DONE
    if line.command == "config":
        from spitnet.cli import configuring

        quiet = line.given.get("verbosity") == Verbosity.QUIET
        return _ended(lambda: configuring.run(line.given, os.environ, file()), quiet)
    options = options_of(line, os.environ, file())
    return _ended(lambda: _carry_out(options), options.verbosity is Verbosity.QUIET)


def _ended(carry_out: Callable[[], int], quiet: bool) -> int:
    """The exit code; `quiet`: it is all that is said of a failure."""
    try:
        code = carry_out()
        sys.stdout.flush()
    except (Failure, OSError) as error:
        if not quiet:
            raise
        return ending.after(error, quiet=True)
    return code


def options_of(line: CommandLine, environ: Mapping[str, str], file: config.File) -> Command:
    """The options of a command, from its flags, the environment and the config file.

    Raises:
        UsageFailure: one of them is wrong.
    """
    contents = config.judged(file)
    if line.command != "doctor":
        contents.require()
    layers = Layers(line.given, environ, contents.entries)
    found = resolved(settings_of(line.command), layers)
    language.use(found.pop("lang", None), environ)
    if found.get("headless"):
        # A person decides for themselves when to give up.
        found.setdefault("timeout_s", SEARCH_TIMEOUT_S)
    match line.command:
        case "host" | "solo":
            found = _with_settings(found)
        case "join" | "watch":
            found = _placed(line, found)
        case "resume" | "verify" | "replay":
            found |= _arguments(line)
        case "doctor":
            found |= _of_doctor(layers, file, contents)
    chosen = COMMANDS[line.command].options
    assert chosen, line.command
    return chosen(**found)


def _wanted_language(
    given: Sequence[str], environ: Mapping[str, str], file: Callable[[], config.File]
) -> str | None:
    """What `--lang` says, or the config file: help and errors need it before the command line is taken apart.

    A language that there is not is passed over, so that it is refused in one that the user reads. That it is refused
    is seen to with all other settings.
    """
    flag = _language_flag(given)
    if flag is not None and language.is_there(flag):
        return flag
    if environ.get("SPITNET_LANG"):
        return None
    return file().language


def _language_flag(given: Sequence[str]) -> str | None:
    for flag, follower in zip(given, [*given[1:], ""], strict=False):
        if flag == "--lang":
            return follower
        if flag.startswith("--lang="):
            return flag.removeprefix("--lang=")
    return None


def _with_settings(found: dict[str, Any]) -> dict[str, Any]:
    """What was found, the match's settings gathered into one value."""
    of_the_match = {one.field for one in SETTINGS.values() if one.group is Group.MATCH}
    chosen = {field: found.pop(field) for field in of_the_match & set(found)}
    return {**found, "settings": Settings(**chosen)}


def _arguments(line: CommandLine) -> dict[str, Any]:
    """What the command was given besides settings."""
    return {
        one.key: value(one.name if one.is_flag else str(one.sign), one.read, line.given[one.key])
        for one in COMMANDS[line.command].arguments
        if one.key in line.given
    }


def _placed(line: CommandLine, found: dict[str, Any]) -> dict[str, Any]:
    """What was found, with the place of the table if one was given."""
    port = found.pop("port", None)
    where = _arguments(line).get("address")
    if where is None:
        if "port" in line.given:
            raise UsageFailure(_("--port: needs HOST"))
        return found
    for key, taken in (("table", True), ("port", where.port is not None)):
        if taken and key in line.given:
            raise UsageFailure(
                _("--{key}: not together with {text}").format(
                    key=key, text=values.quoted(line.given["address"])
                )
            )
    found.pop("table", None)
    return {**found, "address": where if where.port else where._replace(port=port)}


def _of_doctor(layers: Layers, file: config.File, contents: config.Contents) -> dict[str, Any]:
    from spitnet.cli import configuring

    return {
        "config": file.path,
        "problems": contents.problems,
        "settings": configuring.made(layers),
    }


def _is_read_by_programs(options: Command) -> bool:
    if isinstance(options, PlayOptions | WatchOptions):
        return options.headless
    return not isinstance(options, RulesOptions | VerifyOptions) and options.json


def _carry_out(options: Command) -> int:
    if _is_read_by_programs(options):
        streams.for_programs()
    match options:
        case HostOptions():
            from spitnet.app import prompts
            from spitnet.app.commands import host

            return host.run(prompts.with_name(options, values.name))
        case JoinOptions():
            from spitnet.app import prompts
            from spitnet.app.commands import join

            return join.run(prompts.with_name(options, values.name), values.code)
        case SoloOptions():
            from spitnet.app import prompts
            from spitnet.app.commands import solo

            return solo.run(prompts.with_name(options, values.name))
        case ResumeOptions():
            from spitnet.app.commands import resume

            return resume.run(options)
        case WatchOptions():
            from spitnet.app.commands import watch

            return watch.run(options)
        case ListOptions():
            from spitnet.app.commands import list_tables

            return list_tables.run(options)
        case VerifyOptions():
            from spitnet.app.commands import verify

            return verify.run(options)
        case ReplayOptions():
            from spitnet.app.commands import replay

            return replay.run(options)
        case RulesOptions():
            from spitnet.app.commands import rules

            return rules.run(options)
        case StatsOptions():
            from spitnet.app.commands import stats

            return stats.run(options)
        case DoctorOptions():
            from spitnet.app.commands import doctor

            return doctor.run(options)
    assert_never(options)
