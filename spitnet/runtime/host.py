"""`spitnet host`: opens a table, waits for somebody to sit down, plays."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from time import monotonic
from typing import TypeAlias

from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.protocol.handshake import Seated
from spitnet.runtime import identity, lines
from spitnet.runtime.companions import Calling
from spitnet.runtime.hosting import Hosting
from spitnet.runtime.options import HostOptions
from spitnet.runtime.seating import play_headless
from spitnet.runtime.signals import StopSignal
from spitnet.runtime.waiting import Waiter, zmq_context

Guest: TypeAlias = Callable[[int, StopSignal], AbstractContextManager[None]]
"""Somebody who is there while the table on this port is."""


def nobody(_port: int, _stop: StopSignal) -> AbstractContextManager[None]:
    """No guest of one's own: whoever comes by."""
    return nullcontext()


def run(options: HostOptions, guest: Guest = nobody) -> int:
    """The exit code. `guest` is entered once the table is open, and left when the match has ended.

    Raises:
        Failure: nobody came, or the match ended before its time.
    """
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name()
    with zmq_context() as context, StopSignal() as stop:
        try:
            hosting = Hosting(context, keys, name, options, monotonic())
        except NetError as error:
            raise UsageFailure(str(error)) from None
        _announce(hosting, name, options)
        with guest(hosting.port, stop):
            seated = _wait(hosting, options.timeout_s, stop)
            if seated is None:
                hosting.close()
                return ExitCode.INTERRUPTED
            return play_headless(
                seated,
                hosting.seated_link(),
                lambda session: Calling(hosting.announcer, session),
                options,
                stop,
            )


def _announce(hosting: Hosting, name: str, options: HostOptions) -> None:
    lines.write(
        {
            "event": "hosting",
            "name": name,
            "host": hosting.address,
            "port": hosting.port,
            "discovery_port": options.discovery_port,
            "instance": hosting.instance.hex(),
        }
    )


def _wait(hosting: Hosting, timeout_s: float | None, stop: StopSignal) -> Seated | None:
    """Whoever sits down; None if asked to stop first."""
    waiter = Waiter((stop.socket,))
    until_s = None if timeout_s is None else monotonic() + timeout_s
    while not stop.stopped:
        now_s = monotonic()
        seated = hosting.step(now_s)
        if seated is not None:
            return seated
        if until_s is not None and now_s >= until_s:
            hosting.close()
            message = _("nobody sat down within {seconds:g} seconds").format(seconds=timeout_s)
            lines.error("nobody", message)
            raise Failure(ExitCode.NOBODY, message)
        waiter.wait(hosting.sources, until_s, now_s)
    return None
