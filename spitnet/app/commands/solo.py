"""`spitnet solo`: a real match on this machine; the opponent is a second spitnet that joins over loopback."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields
from typing import Any

from spitnet.app.commands import host
from spitnet.app.console.desk import Desk
from spitnet.app.match.match_loop import Controls
from spitnet.app.options import HostOptions, PlayOptions, SoloOptions
from spitnet.app.solo.opponent import command, keys
from spitnet.app.stop_signal import APART
from spitnet.core.state import Settings
from spitnet.exits import ExitCode, Failure
from spitnet.net.interfaces import LOOPBACK

LEAVE_S = 5.0
"""How long the opponent has to finish its own record before it is ended."""


def run(options: SoloOptions) -> int:
    """The exit code. Nothing is announced beyond loopback.

    Raises:
        Failure: as `host.run`.
    """
    return host.run(
        _table(options), lambda port, stop: _opponent(command(options, port), options, stop)
    )


def again(options: PlayOptions, settings: Settings, desk: Desk) -> int:
    """Further matches at a desk where one was resumed; the exit code."""
    wanted = SoloOptions(**_common(options, SoloOptions), settings=settings)
    return host.sit_until_enough(
        _table(wanted), lambda port, stop: _opponent(command(wanted, port), wanted, stop), desk
    )


def guest_again(
    options: PlayOptions, port: int, session: bytes, stop: Controls
) -> AbstractContextManager[None]:
    """The opponent of an interrupted match, back at the table on this port."""
    return _opponent(command(options, port, session), options, stop)


def _table(options: SoloOptions) -> HostOptions:
    own = {"interface": LOOPBACK, "discovery_port": unused_port()}
    return HostOptions(**(_common(options, HostOptions) | own))


def _common(options: PlayOptions, kind: type[PlayOptions]) -> dict[str, Any]:
    """What these options say that those of the other kind have too."""
    wanted = {one.name for one in fields(kind)}
    return {one.name: getattr(options, one.name) for one in fields(options) if one.name in wanted}


def unused_port() -> int:
    """A UDP port that nobody asks: this table is for one guest, who knows its address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


@contextmanager
def _opponent(start: list[str], options: PlayOptions, stop: Controls) -> Iterator[None]:
    """A second process at the other seat while this is entered.

    Raises:
        Failure: it couldn't begin, or whatever comes up meanwhile.
    """
    keys()  # what is wrong with its key it can't say itself
    # Nothing of its own may reach this terminal, which has a table on it.
    quiet = None if options.headless else subprocess.DEVNULL
    bot = subprocess.Popen(start, stdout=subprocess.DEVNULL, stderr=quiet, **APART)  # noqa: S603
    leave_s = LEAVE_S
    try:
        yield
    except (OSError, Failure) as error:
        if isinstance(error, OSError) or error.code is ExitCode.NOBODY:
            leave_s = 0.0  # no match has come to its end: there is nothing for it to finish
        raise
    finally:
        try:
            bot.wait(0 if stop.wants_out else leave_s)
        except subprocess.TimeoutExpired:
            bot.terminate()
            bot.wait()
