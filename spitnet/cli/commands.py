"""From a command line to the options of its command, and on to the runtime.

What belongs here: one short path for each command. What must not: carrying it out.
"""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from spitnet import language
from spitnet.cli import addresses, arguments, config, values
from spitnet.cli.arguments import CommandLine
from spitnet.cli.layers import Layers, resolved, value
from spitnet.cli.settings import OF_COMMAND
from spitnet.core.state import Settings
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.runtime.options import (
    SEARCH_TIMEOUT_S,
    Command,
    HostOptions,
    JoinOptions,
    ListOptions,
    PlayOptions,
    ReplayOptions,
    SoloOptions,
    Verbosity,
    VerifyOptions,
)


def run(given: Sequence[str]) -> int:
    """Do what a command line asks for and return the exit code.

    Raises:
        Failure: it was not to be; the code and the words are in it.
    """
    _speak(_asked_language(given), os.environ)
    try:
        line = arguments.parse(given)
    except SystemExit:
        return ExitCode.DONE
    if arguments.COMPLETION in line.given:
        from spitnet.cli import completion

        print(completion.script(line.given[arguments.COMPLETION]))
        return ExitCode.DONE
    options = options_of(line, os.environ)
    try:
        return _carry_out(options)
    except Failure as failure:
        if options.verbosity is Verbosity.QUIET:
            return failure.code
        raise


def options_of(line: CommandLine, environ: Mapping[str, str]) -> Command:
    """The options of a command, from its flags, the environment and the config file.

    Raises:
        UsageFailure: one of them is wrong.
    """
    layers = Layers(line.given, environ, config.read(config.path(environ)))
    found = resolved(OF_COMMAND[line.command], layers)
    _speak(found.pop("lang", None), environ)
    match line.command:
        case "host":
            return HostOptions(**_with_settings(_waiting(found)))
        case "join":
            return _join(line, _waiting(found))
        case "solo":
            return SoloOptions(**_with_settings(_waiting(found)))
        case "list":
            return ListOptions(**found)
        case "verify":
            return VerifyOptions(**found, file=_file(line))
        case "replay":
            return ReplayOptions(**found, file=_file(line))
        case other:
            raise AssertionError(other)


def _asked_language(given: Sequence[str]) -> str | None:
    """What `--lang` says: help and errors need it before the command line is taken apart."""
    followers = [*given[1:], ""]
    for flag, follower in zip(given, followers, strict=False):
        if flag == "--lang":
            return follower
        if flag.startswith("--lang="):
            return flag.removeprefix("--lang=")
    return None


def _speak(asked: str | None, environ: Mapping[str, str]) -> None:
    if not language.use(asked, environ):
        named = asked or environ["SPITNET_LANG"]
        raise UsageFailure(
            _("there are no texts in the language {name}").format(name=values.quoted(named))
        )


def _waiting(found: dict[str, Any]) -> dict[str, Any]:
    """A headless run gives up after a while; a person decides for themselves."""
    if found.get("headless"):
        found.setdefault("timeout_s", SEARCH_TIMEOUT_S)
    return found


def _with_settings(found: dict[str, Any]) -> dict[str, Any]:
    """What was found, the match's settings gathered into one value."""
    names = ("games", "refill", "spit", "grace_s")
    chosen = {name: found.pop(name) for name in names if name in found}
    return {**found, "settings": Settings(**chosen)}


def _join(line: CommandLine, found: dict[str, Any]) -> JoinOptions:
    port = found.pop("port", None)
    if "address" not in line.given:
        if "port" in line.given:
            raise UsageFailure(_("--port: needs HOST"))
        return JoinOptions(**found)
    where = value("HOST[:PORT]", addresses.address, line.given["address"])
    for key, taken in (("table", True), ("port", where.port is not None)):
        if taken and key in line.given:
            raise UsageFailure(
                _("--{key}: not together with {text}").format(
                    key=key, text=values.quoted(line.given["address"])
                )
            )
    found.pop("table", None)
    return JoinOptions(**found, address=where if where.port else where._replace(port=port))


def _file(line: CommandLine) -> Any:
    return value("FILE", values.record, line.given["file"])


def _refuse_what_is_missing(options: Command) -> None:
    """Say plainly what this version can't do yet."""
    match options:
        case ReplayOptions(json=False):
            raise UsageFailure(_("watching a record is not part of this version; add --json"))
        case _other:
            return


def _carry_out(options: Command) -> int:
    _refuse_what_is_missing(options)
    if isinstance(options, PlayOptions | ReplayOptions) or (
        isinstance(options, ListOptions) and options.json
    ):
        _settle_output()
    match options:
        case HostOptions():
            from spitnet.runtime import host

            return host.run(options)
        case JoinOptions():
            from spitnet.runtime import join

            return join.run(options)
        case SoloOptions():
            from spitnet.runtime import solo

            return solo.run(options)
        case ListOptions():
            from spitnet.runtime import list_tables

            return list_tables.run(options)
        case VerifyOptions():
            from spitnet.runtime import verify

            return verify.run(options)
        case ReplayOptions():
            from spitnet.runtime import replay

            return replay.run(options)
    assert_never(options)


def _settle_output() -> None:
    """What programs read is UTF-8 with plain line ends, whatever the system's habits."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
