"""`spitnet solo`: a real match on this machine; the opponent is a second spitnet that joins over loopback."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields

from spitnet.net.interfaces import LOOPBACK
from spitnet.runtime import host
from spitnet.runtime.opponent import command
from spitnet.runtime.options import HostOptions, SoloOptions
from spitnet.runtime.playing import Orders

LEAVE_S = 5.0
"""How long the opponent has to finish its own record before it is ended."""


def run(options: SoloOptions) -> int:
    """The exit code. Nothing is announced beyond loopback.

    Raises:
        Failure: as `host.run`.
    """
    common = {one.name: getattr(options, one.name) for one in fields(options)}
    own = {"interface": LOOPBACK, "discovery_port": unused_port()}
    table = HostOptions(**(common | own))
    return host.run(table, lambda port, stop: _opponent(options, port, stop))


def unused_port() -> int:
    """A UDP port that nobody asks: this table is for one guest, who knows its address."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


@contextmanager
def _opponent(options: SoloOptions, port: int, stop: Orders) -> Iterator[None]:
    """A second process at the other seat while this is entered."""
    # Nothing of its own may reach this terminal, which has a table on it.
    quiet = None if options.headless else subprocess.DEVNULL
    bot = subprocess.Popen(command(options, port), stdout=subprocess.DEVNULL, stderr=quiet)  # noqa: S603
    try:
        yield
    finally:
        try:
            bot.wait(0 if stop.wants_out else LEAVE_S)
        except subprocess.TimeoutExpired:
            bot.terminate()
            bot.wait()
