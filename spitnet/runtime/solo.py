"""`spitnet solo`: a real match on this machine; the opponent is a second spitnet that joins over loopback."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields

from spitnet.net.interfaces import LOOPBACK
from spitnet.runtime import host
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
    table = HostOptions(**(common | {"interface": LOOPBACK}))
    return host.run(table, lambda port, stop: _opponent(options, port, stop))


@contextmanager
def _opponent(options: SoloOptions, port: int, stop: Orders) -> Iterator[None]:
    """A second process at the other seat while this is entered."""
    bot = subprocess.Popen(_command(options, port), stdout=subprocess.DEVNULL)  # noqa: S603 - our own words only
    try:
        yield
    finally:
        try:
            bot.wait(0 if stop.wants_out else LEAVE_S)
        except subprocess.TimeoutExpired:
            bot.terminate()
            bot.wait()


def _command(options: SoloOptions, port: int) -> list[str]:
    command = [sys.executable, "-m", "spitnet", "join", f"127.0.0.1:{port}", "--headless"]
    command += ["--interface", LOOPBACK, "--level", options.level.value, "--name", "Spitbot"]
    command += ["--sync", options.sync.value]
    if options.journal is not None:
        command += ["--journal", str(options.journal)]
    if options.delay_s is not None:
        command += ["--delay", str(options.delay_s)]
    if options.seed is not None:
        command += ["--seed", str(options.seed + 1)]
    return command
