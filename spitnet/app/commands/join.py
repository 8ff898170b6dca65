"""`spitnet join`: finds a table, sits down, plays."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, TypeAlias

from spitnet.app import identity, log
from spitnet.app.clock import monotonic
from spitnet.app.console import json_lines
from spitnet.app.console.desk import Desk
from spitnet.app.console.screen_run import is_terminal, on_screen
from spitnet.app.loop import Loop, zmq_context
from spitnet.app.match import reminder as reminding
from spitnet.app.match.match_loop import Controls
from spitnet.app.match.opening import OpenMatch, open_match, play_headless, prepare
from spitnet.app.match.series import MatchSeries
from spitnet.app.options import JoinOptions
from spitnet.app.seat import rejections
from spitnet.app.seat.open_table import FLAG_CODE
from spitnet.app.seat.reconnect import HostFinder
from spitnet.app.seat.search import LOOK_S, SeatRequest, TableSearch, choose, named
from spitnet.app.seat.table_list import TableChoice
from spitnet.app.spectate.outcomes import sentence
from spitnet.app.stop_signal import StopSignal
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.net.link import KeyPair
from spitnet.net.names import shown_name
from spitnet.net.socket_options import Context
from spitnet.net.tables import Table
from spitnet.protocol.handshake import Seated, TurnedAway
from spitnet.protocol.messages import Rejection
from spitnet.ui.pages.lobby_pages import CodePage, KnockingPage, LookingPage, Sit, Typed

ReadCode: TypeAlias = Callable[[str], str]
Seat: TypeAlias = tuple[SeatRequest, Seated]
Knock: TypeAlias = Callable[[Table, JoinOptions], Seat]
_ANOTHER_CODE: Final = (Rejection.CODE.value, Rejection.WAIT.value)
"""After these a person is asked for a code once more."""
KNOCK_S = 10.0
"""How long a table that a person chose may take to answer."""


class Stopped(Exception):
    """Asked to stop while on the way to a seat."""


def run(options: JoinOptions, read_code: ReadCode) -> int:
    """The exit code. `read_code`: what was typed as a code, or ValueError.

    Raises:
        Failure: no table was found, it turned us away, or the match ended before its time.
    """
    log.start(options)
    if not options.headless:
        prepare(options)
        work = partial(_at_the_desk, options, read_code)
        return on_screen(work, options, _looking(options))
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
) -> Seat:
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


def _at_the_desk(options: JoinOptions, read_code: ReadCode, desk: Desk) -> int:
    """The same with a person, in the match's own thread: who chooses from a live list, and is asked for a code."""
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name(keys)
    with zmq_context() as context:
        knock = partial(_knock_at_the_desk, context, keys, name, desk)
        try:
            knocking, seated = _seat(options, desk, read_code, knock)
        except NetError as error:
            raise UsageFailure(str(error)) from None
        except Stopped:
            return desk.left_code
        match = open_match(seated, options)
        return MatchSeries(match, knocking.link, listener(knocking, options), options, desk).play()


def _seat(options: JoinOptions, desk: Desk, read_code: ReadCode, knock: Knock) -> Seat:
    """A seat at the table that the person wants; who goes back from a table's code chooses again.

    Raises:
        Failure: turned away for good.
        Stopped: asked to leave meanwhile.
    """
    choosing = False
    while True:
        table = _choose(options, desk, choosing=choosing)
        seat = _seat_at(table, options, desk, read_code, knock)
        if seat is not None:
            return seat
        choosing = True


def _seat_at(
    table: Table, options: JoinOptions, desk: Desk, read_code: ReadCode, knock: Knock
) -> Seat | None:
    """A seat at this table, its code asked for until it is the right one; None: back to the list."""
    code, trouble = options.code, ""
    while True:
        if table.flags & FLAG_CODE and (code is None or trouble):
            code = _ask_code(table, trouble, desk, read_code)
            if code is None:
                return None
        try:
            return knock(table, replace(options, code=code))
        except Failure as failure:
            if failure.word not in _ANOTHER_CODE or not is_terminal():
                raise
            trouble = sentence(failure)


def _knock_at_the_desk(
    context: Context, keys: KeyPair, name: str, desk: Desk, table: Table, options: JoinOptions
) -> Seat:
    """Raises Failure: turned away, or the table is silent; NetError: there is no way to it."""
    desk.show(KnockingPage(table.name, monotonic(), settings=table.settings))
    knocking = SeatRequest(context, keys, name, table, options, monotonic())
    return knocking, _knock(knocking, monotonic() + KNOCK_S, desk.inbox)


def _ask_code(table: Table, trouble: str, desk: Desk, read_code: ReadCode) -> str | None:
    """The code that the person types; None: back to the list.

    Raises:
        Stopped: asked to leave meanwhile.
    """
    waiter = Loop()
    desk.show(CodePage(shown_name(table.name), trouble))
    while not desk.inbox.wants_out:
        for wish in desk.inbox.take():
            if not isinstance(wish, Typed):
                continue
            if not wish.code:
                return None
            try:
                return read_code(wish.code)
            except ValueError as problem:
                said = _("{place}: {problem}").format(place=_("code"), problem=problem)
                desk.show(CodePage(shown_name(table.name), said))
        waiter.wait((desk.inbox,), None, monotonic())
    raise Stopped


def listener(knocking: SeatRequest, options: JoinOptions) -> Callable[[OpenMatch], HostFinder]:
    """What makes the companion of each match at that table."""
    table, port = knocking.table, options.discovery_port
    place = (table.address, table.port)
    return lambda match: HostFinder(
        knocking.link, match.session.id, table.key, place, options.interface, port
    )


def _choose(options: JoinOptions, desk: Desk, *, choosing: bool = False) -> Table:
    """The table that the person wants, or the only open one; not that one if the person is `choosing` already.

    Raises:
        Failure: a table that can't be sat down at.
        Stopped: asked to leave meanwhile.
    """
    page = _looking(options, choosing=choosing)
    desk.show(page)
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    silent_s = monotonic() + rejections.SILENT_S
    searching = TableSearch(options.interface, options.discovery_port, options.address, monotonic())
    look_s = LOOK_S if options.address is None else 0.0
    listing = TableChoice(options.table, look_s, choosing=choosing)
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
                offline = bool(searching.offline)
                desk.post(partial(page.tables, listing.entries, trouble, offline=offline))
            table = listing.wanted(_places(desk)) or listing.only(now_s)
            if table is not None:
                return rejections.checked(table, options, asks=is_terminal())
            if listing.only_at_s is None and until_s is not None and now_s >= until_s:
                raise rejections.nobody(searching.tables(now_s), searching, options)
            due_s = listing.only_at_s or until_s
            waiter.wait((*searching.sources, desk.inbox), due_s, now_s)
    finally:
        searching.close()
    raise Stopped


def _looking(options: JoinOptions, *, choosing: bool = False) -> LookingPage:
    return LookingPage(monotonic(), asked=rejections.written(options.address), choosing=choosing)


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
            raise rejections.silent(knocking)
        waiter.wait((*knocking.sources, stop), until_s, now_s)
    knocking.close()
    raise Stopped
