"""`spitnet host`: opens a table, waits for somebody to sit down, plays."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import TypeAlias

from spitnet.app import identity, log
from spitnet.app.clock import monotonic
from spitnet.app.console import json_lines
from spitnet.app.console.desk import Desk
from spitnet.app.console.screen_run import on_screen
from spitnet.app.loop import Loop, zmq_context
from spitnet.app.match.match_loop import Controls
from spitnet.app.match.opening import open_match, play_headless, prepare
from spitnet.app.match.reminder import remind
from spitnet.app.match.series import MatchSeries, OnceMore
from spitnet.app.options import HostOptions
from spitnet.app.seat.open_table import OpenTable
from spitnet.app.seat.rejections import port_held
from spitnet.app.spectate.launcher import gallery
from spitnet.app.stop_signal import StopSignal
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.net.link import KeyPair
from spitnet.net.socket_options import Context
from spitnet.protocol import DISCOVERY_PORT
from spitnet.protocol.handshake import Seated
from spitnet.ui.pages.lobby_pages import HostingPage, KnockingPage
from spitnet.ui.scene import HostingScene

Reached: TypeAlias = tuple[tuple[str, ...], str]
"""Where others reach a table, as HOST:PORT, and what stands in the way."""
Guest: TypeAlias = Callable[[int, Controls], AbstractContextManager[None]]
"""Somebody who is there while the table on this port is."""


def nobody(_port: int, _stop: Controls) -> AbstractContextManager[None]:
    """No guest of one's own: whoever comes by."""
    return nullcontext()


def run(options: HostOptions, guest: Guest = nobody) -> int:
    """The exit code. `guest` is entered once the table is open, and left when the match has ended.

    Raises:
        Failure: nobody came, or the match ended before its time.
    """
    log.start(options)
    if not options.headless:
        prepare(options)
        if guest is nobody:
            remind(options)
        first = KnockingPage("", monotonic())
        return on_screen(lambda desk: sit_until_enough(options, guest, desk), options, first)
    with json_lines.errors():
        prepare(options)
        return _headless(options, guest)


def _headless(options: HostOptions, guest: Guest) -> int:
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name(keys)
    with (
        zmq_context() as context,
        StopSignal() as stop,
        _table(context, keys, name, options) as hosting,
    ):
        _announce(hosting, name, options)
        with guest(hosting.port, stop):
            seated = _wait(hosting, options, stop)
            if seated is None:
                return ExitCode.INTERRUPTED
            link = hosting.seated_link()
            match = open_match(seated, options)
            return play_headless(match, link, hosting.companion, options, stop)


def sit_until_enough(options: HostOptions, guest: Guest, desk: Desk) -> int:
    """The same with a person, in the match's own thread. A guest of one's own is fetched anew for each rematch."""
    while True:
        try:
            return _at_the_desk(options, guest, desk)
        except OnceMore:
            continue


def _at_the_desk(options: HostOptions, guest: Guest, desk: Desk) -> int:
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name(keys)
    alone = guest is nobody
    with zmq_context() as context, _table(context, keys, name, options) as hosting:
        page = HostingPage(_scene(hosting, name, options), monotonic())
        if alone:
            desk.show(page)
        with guest(hosting.port, desk.inbox):
            seated = _wait(
                hosting,
                options,
                desk.inbox,
                lambda *reached: desk.post(partial(page.reached, *reached)),
            )
            if seated is None:
                return desk.left_code
            link = hosting.seated_link()
            match = open_match(seated, options)
            sitting = MatchSeries(
                match, link, hosting.companion, options, desk, fetches_guest=not alone
            )
            return sitting.play()


@contextmanager
def _table(context: Context, keys: KeyPair, name: str, options: HostOptions) -> Iterator[OpenTable]:
    """An open table, closed in the end."""
    try:
        hosting = OpenTable(context, keys, name, options, monotonic())
    except NetError as error:
        raise UsageFailure(str(error)) from None
    try:
        if options.settings.watchable:
            with gallery(keys, hosting.address, hosting.port, quiet=not options.headless) as seats:
                hosting.open_gallery(seats)
                yield hosting
        else:
            yield hosting
    finally:
        hosting.close()


def _scene(hosting: OpenTable, name: str, options: HostOptions) -> HostingScene:
    places, trouble = _reached(hosting, options)
    return HostingScene(
        name,
        places,
        options.code,
        0.0,
        trouble,
        watchable=options.settings.watchable,
        search=_search(options),
    )


def _reached(hosting: OpenTable, options: HostOptions) -> Reached:
    """Where others reach the table now, as HOST:PORT, and what stands in the way."""
    where = hosting.whereabouts
    places = tuple(f"{address}:{hosting.port}" for address in where.addresses)
    held = hosting.announcer.well_known_port_held
    return places, where.trouble or (port_held(options.discovery_port) if held else "")


def _search(options: HostOptions) -> tuple[str, ...]:
    """What a search for this table has to be told, which it isn't by default."""
    if options.discovery_port == DISCOVERY_PORT:
        return ()
    return ("--discovery-port", str(options.discovery_port))


def _announce(hosting: OpenTable, name: str, options: HostOptions) -> None:
    json_lines.write(
        {
            "event": "hosting",
            "name": name,
            "host": hosting.address,
            "port": hosting.port,
            "discovery_port": options.discovery_port,
            "instance": hosting.instance.hex(),
            "watch_port": None if hosting.gallery is None else hosting.gallery.port,
        }
    )


def _wait(
    hosting: OpenTable,
    options: HostOptions,
    stop: Controls,
    tell: Callable[[tuple[str, ...], str], None] = lambda places, trouble: None,
) -> Seated | None:
    """Whoever sits down; None if asked to stop first. `tell` is told where the table is reached whenever that changes."""
    waiter, timeout_s = Loop(), options.timeout_s
    until_s = None if timeout_s is None else monotonic() + timeout_s
    told = _reached(hosting, options)
    while not stop.wants_out:
        now_s = monotonic()
        seated = hosting.step(now_s)
        if (reached := _reached(hosting, options)) != told:
            told = reached
            tell(*told)
        if seated is not None:
            return seated
        if until_s is not None and now_s >= until_s:
            message = _("nobody sat down within {seconds:g} s").format(seconds=timeout_s)
            raise Failure(ExitCode.NOBODY, message, "nobody")
        waiter.wait((*hosting.sources, stop), until_s, now_s)
    return None
