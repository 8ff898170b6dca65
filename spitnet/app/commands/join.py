"""`spitnet join`: finds a table, sits down, plays."""

from collections.abc import Callable
from time import monotonic

from spitnet.app import identity, log
from spitnet.app.console import json_lines
from spitnet.app.console.desk import Desk
from spitnet.app.console.full_screen import on_screen
from spitnet.app.loop import Loop, zmq_context
from spitnet.app.match import reminder as reminding
from spitnet.app.match.match_loop import Controls
from spitnet.app.match.opening import OpenMatch, open_match, play_headless, prepare
from spitnet.app.match.series import MatchSeries
from spitnet.app.options import JoinOptions
from spitnet.app.seat import rejections
from spitnet.app.seat.reconnect import HostFinder
from spitnet.app.seat.search import LOOK_S, SeatRequest, TableSearch, choose, named
from spitnet.app.seat.table_list import TableChoice
from spitnet.app.stop_signal import StopSignal
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.net.link import KeyPair
from spitnet.net.socket_options import Context
from spitnet.net.tables import Table
from spitnet.protocol.handshake import Seated, TurnedAway
from spitnet.ui.pages.lobby_pages import KnockingPage, LookingPage, Sit
from spitnet.ui.scene import ListedTable

KNOCK_S = 10.0
"""How long a table that a person chose may take to answer."""


class Stopped(Exception):
    """Asked to stop while on the way to a seat."""


def run(options: JoinOptions) -> int:
    """The exit code.

    Raises:
        Failure: no table was found, it turned us away, or the match ended before its time.
    """
    log.start(options)
    if not options.headless:
        prepare(options)
        return on_screen(lambda desk: _at_the_desk(options, desk), options, _looking(options))
    with json_lines.errors():
        prepare(options)
        return _headless(options)


def _headless(options: JoinOptions) -> int:
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name(keys)
    with zmq_context() as context, StopSignal() as stop:
        try:
            knocking, seated = sit_down(context, keys, name, options, stop)
        except Stopped:
            return ExitCode.INTERRUPTED
        match = open_match(seated, options)
        return play_headless(match, knocking.link, listener(knocking, options), options, stop)


def sit_down(
    context: Context, keys: KeyPair, name: str, options: JoinOptions, orders: Controls
) -> tuple[SeatRequest, Seated]:
    """Finds a table and sits down at it.

    Raises:
        Failure: none in time, or it turned us away.
        Stopped: asked to leave meanwhile.
    """
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    try:
        table = _find(options, until_s, orders)
        knocking = SeatRequest(context, keys, name, table, options, monotonic())
        return knocking, _knock(knocking, until_s, orders)
    except NetError as error:
        raise UsageFailure(str(error)) from None


def _at_the_desk(options: JoinOptions, desk: Desk) -> int:
    """The same with a person, in the match's own thread: who chooses from a live list."""
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name(keys)
    with zmq_context() as context:
        try:
            table = _choose(options, desk)
            desk.show(KnockingPage(table.name, monotonic(), settings=table.settings))
            knocking = SeatRequest(context, keys, name, table, options, monotonic())
            seated = _knock(knocking, monotonic() + KNOCK_S, desk.inbox)
        except NetError as error:
            raise UsageFailure(str(error)) from None
        except Stopped:
            return desk.left_code
        match = open_match(seated, options)
        return MatchSeries(match, knocking.link, listener(knocking, options), options, desk).play()


def listener(knocking: SeatRequest, options: JoinOptions) -> Callable[[OpenMatch], HostFinder]:
    """What makes the companion of each match at that table."""
    table, port = knocking.table, options.discovery_port
    place = (table.address, table.port)
    return lambda match: HostFinder(
        knocking.link, match.session.id, table.key, place, options.interface, port
    )


def _choose(options: JoinOptions, desk: Desk) -> Table:
    """The table that the person wants, or the only open one.

    Raises:
        Failure: a table asked for by address that can't be sat down at.
    """
    page = _looking(options)
    desk.show(page)
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    silent_s = monotonic() + rejections.SILENT_S
    searching = TableSearch(options.interface, options.discovery_port, options.address, monotonic())
    listing = TableChoice(options.table, LOOK_S if options.address is None else 0.0)
    waiter = Loop()
    reminder = reminding.of_last_match(options)
    said = ""
    try:
        while not desk.inbox.wants_out:
            now_s = monotonic()
            searching.step(now_s)
            news = listing.take(searching.tables(now_s))
            if options.address is not None:
                rejections.require_hope(listing.tables, options)
            trouble = rejections.trouble(listing, searching, options, now_s >= silent_s) or reminder
            if news or trouble != said:
                said = trouble
                _post_tables(desk, page, listing.entries, trouble)
            table = listing.wanted(_places(desk)) or listing.only(now_s)
            if table is not None:
                return rejections.checked(table, options)
            if listing.only_at_s is None and until_s is not None and now_s >= until_s:
                raise rejections.nobody(searching.tables(now_s), searching, options)
            due_s = listing.only_at_s or until_s
            waiter.wait((*searching.sources, desk.inbox), due_s, now_s)
    finally:
        searching.close()
    raise Stopped


def _looking(options: JoinOptions) -> LookingPage:
    return LookingPage(monotonic(), asked=rejections.written(options.address))


def _post_tables(
    desk: Desk, page: LookingPage, entries: tuple[ListedTable, ...], trouble: str
) -> None:
    desk.post(lambda: page.tables(entries, trouble))


def _places(desk: Desk) -> frozenset[str]:
    """Where the person wants to sit down."""
    return frozenset(wish.entry.address for wish in desk.inbox.take() if isinstance(wish, Sit))


def _find(options: JoinOptions, until_s: float | None, stop: Controls) -> Table:
    """The table to sit down at.

    Raises:
        Failure: none in time, or none that could be sat down at.
    """
    searching = TableSearch(options.interface, options.discovery_port, options.address, monotonic())
    waiter = Loop()
    try:
        while not stop.wants_out:
            now_s = monotonic()
            searching.step(now_s)
            tables = searching.tables(now_s)
            if searching.settled(now_s):
                table = choose(tables, options.table)
                if table is not None:
                    return rejections.checked(table, options)
                rejections.require_hope(named(tables, options.table), options)
            if until_s is not None and now_s >= until_s:
                raise rejections.nobody(tables, searching, options)
            due_s = searching.settles_at_s(now_s) or until_s
            waiter.wait((*searching.sources, stop), due_s, now_s)
    finally:
        searching.close()
    raise Stopped


def _knock(knocking: SeatRequest, until_s: float | None, stop: Controls) -> Seated:
    """The session agreed on with the table.

    Raises:
        Failure: turned away, or the table fell silent.
    """
    waiter = Loop()
    while not stop.wants_out:
        now_s = monotonic()
        answer = knocking.step(now_s)
        if isinstance(answer, Seated):
            return answer
        if isinstance(answer, TurnedAway):
            knocking.close()
            raise rejections.turned_away(answer)
        if until_s is not None and now_s >= until_s:
            knocking.close()
            message = _("the table “{name}” doesn’t answer any more").format(
                name=knocking.table.name
            )
            raise Failure(ExitCode.NOBODY, message, "silent")
        waiter.wait((*knocking.sources, stop), until_s, now_s)
    knocking.close()
    raise Stopped
