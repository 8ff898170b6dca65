"""`spitnet join`: finds a table, sits down, plays."""

from collections.abc import Callable
from time import monotonic

from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.beacon import TableState
from spitnet.net.errors import NetError
from spitnet.net.link import KeyPair
from spitnet.net.options import Context
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import Seated, TurnedAway
from spitnet.protocol.messages import Refused
from spitnet.runtime import identity, lines, log
from spitnet.runtime.companions import Listening
from spitnet.runtime.desk import Desk
from spitnet.runtime.hosting import FLAG_CODE
from spitnet.runtime.joining import Knocking, Searching, choose
from spitnet.runtime.options import Address, JoinOptions
from spitnet.runtime.playing import Orders
from spitnet.runtime.screen import on_screen
from spitnet.runtime.seating import Ready, play_headless, prepare, ready
from spitnet.runtime.signals import StopSignal
from spitnet.runtime.table import Sitting
from spitnet.runtime.waiting import Waiter, zmq_context
from spitnet.ui.lobby import KnockingPage, LookingPage, Sit
from spitnet.ui.scene import Entry

SILENT_S = 2.0
"""After so long without an answer from an address it is said that there is none."""
KNOCK_S = 10.0
"""How long a table that a person chose may take to answer."""


class Stopped(Exception):
    """Asked to stop while on the way to a seat."""


class CodeWanted(Failure):
    """Nobody sits down at this table without its code, and none was given."""

    def __init__(self, table: Table) -> None:
        message = _("the table “{name}” asks for a code: add --code CODE")
        super().__init__(ExitCode.REFUSED, message.format(name=table.name), "code")
        self.name = table.name
        self.address = Address(table.address, table.port)


def run(options: JoinOptions) -> int:
    """The exit code.

    Raises:
        Failure: no table was found, it turned us away, or the match ended before its time.
    """
    log.start(options)
    if not options.headless:
        prepare(options)
        return on_screen(
            lambda desk: _at_the_desk(options, desk), options, LookingPage(monotonic())
        )
    with lines.errors():
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
        match = ready(seated, options)
        return play_headless(match, knocking.link, listener(knocking, options), options, stop)


def sit_down(
    context: Context, keys: KeyPair, name: str, options: JoinOptions, orders: Orders
) -> tuple[Knocking, Seated]:
    """Finds a table and sits down at it.

    Raises:
        Failure: none in time, or it turned us away.
        Stopped: asked to leave meanwhile.
    """
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    try:
        table = _find(options, until_s, orders)
        knocking = Knocking(context, keys, name, table, options, monotonic())
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
            desk.show(KnockingPage(table.name, monotonic()))
            knocking = Knocking(context, keys, name, table, options, monotonic())
            seated = _knock(knocking, monotonic() + KNOCK_S, desk.inbox)
        except NetError as error:
            raise UsageFailure(str(error)) from None
        except Stopped:
            return ExitCode.DONE
        match = ready(seated, options)
        return Sitting(match, knocking.link, listener(knocking, options), options, desk).play()


def listener(knocking: Knocking, options: JoinOptions) -> Callable[[Ready], Listening]:
    """What makes the companion of each match at that table."""
    table, port = knocking.table, options.discovery_port
    place = (table.address, table.port)
    return lambda match: Listening(
        knocking.link, match.session.id, table.key, place, options.interface, port
    )


def _choose(options: JoinOptions, desk: Desk) -> Table:
    """The table that the person wants, or the only one there is.

    Raises:
        Failure: a table asked for by address that can't be sat down at.
    """
    page = LookingPage(monotonic())
    desk.show(page)
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    silent_s = monotonic() + SILENT_S
    searching = Searching(options.interface, options.discovery_port, options.address, monotonic())
    waiter = Waiter()
    shown: tuple[tuple[Entry, ...], str] = ((), "")
    try:
        while not desk.inbox.wants_out:
            now_s = monotonic()
            searching.step(now_s)
            tables = tuple(
                one for one in searching.tables(now_s) if options.table in (None, one.name)
            )
            if options.address is not None:
                _refuse_hopeless(tables, options)
            if until_s is not None and now_s >= until_s:
                raise _nobody(tables, searching, options)
            told = tuple(map(_entry, tables)), _trouble(searching, options, now_s >= silent_s)
            if told != shown:
                shown = told
                _post_tables(desk, page, *told)
            table = _wanted(tables, desk) or _only(tables, searching.settled(now_s))
            if table is not None:
                return _checked(table, options)
            due_s = searching.settles_at_s(now_s) or until_s
            waiter.wait((*searching.sources, desk.inbox), due_s, now_s)
    finally:
        searching.close()
    raise Stopped


def _post_tables(desk: Desk, page: LookingPage, entries: tuple[Entry, ...], trouble: str) -> None:
    desk.post(lambda: page.tables(entries, trouble))


def _wanted(tables: tuple[Table, ...], desk: Desk) -> Table | None:
    """The table that was chosen from the list, if one was."""
    places = {wish.entry.address for wish in desk.inbox.take() if isinstance(wish, Sit)}
    return next((one for one in tables if _entry(one).address in places), None)


def _only(tables: tuple[Table, ...], settled: bool) -> Table | None:
    """The one table there is, once there was time for another to be heard."""
    return choose(tables, None) if settled and len(tables) == 1 else None


def _entry(table: Table) -> Entry:
    usable = table.version == VERSION and table.state is TableState.OPEN
    place = f"{table.address}:{table.port}"
    return Entry(
        table.name,
        place,
        usable,
        bool(table.flags & FLAG_CODE),
        table.version,
        table.watch_port is not None,
    )


def _trouble(searching: Searching, options: JoinOptions, silent: bool) -> str:
    """What stands in the way, as far as this side knows."""
    if options.address is not None and silent:
        return _("{address} doesn’t answer.").format(address=_written(options.address))
    return _held(searching, options)


def _written(address: Address) -> str:
    return address.host if address.port is None else f"{address.host}:{address.port}"


def _held(searching: Searching, options: JoinOptions) -> str:
    if not searching.finder.well_known_port_held:
        return ""
    text = _("(another program here holds UDP port {port})")
    return text.format(port=options.discovery_port)


def _find(options: JoinOptions, until_s: float | None, stop: Orders) -> Table:
    """The table to sit down at.

    Raises:
        Failure: none in time, or none that could be sat down at.
    """
    searching = Searching(options.interface, options.discovery_port, options.address, monotonic())
    waiter = Waiter()
    try:
        while not stop.wants_out:
            now_s = monotonic()
            searching.step(now_s)
            tables = searching.tables(now_s)
            if searching.settled(now_s):
                table = choose(tables, options.table)
                if table is not None:
                    return _checked(table, options)
                _refuse_hopeless(tables, options)
            if until_s is not None and now_s >= until_s:
                raise _nobody(tables, searching, options)
            due_s = searching.settles_at_s(now_s) or until_s
            waiter.wait((*searching.sources, stop), due_s, now_s)
    finally:
        searching.close()
    raise Stopped


def _knock(knocking: Knocking, until_s: float | None, stop: Orders) -> Seated:
    """The session agreed on with the table.

    Raises:
        Failure: turned away, or the table fell silent.
    """
    waiter = Waiter()
    while not stop.wants_out:
        now_s = monotonic()
        answer = knocking.step(now_s)
        if isinstance(answer, Seated):
            return answer
        if isinstance(answer, TurnedAway):
            knocking.close()
            raise _turned_away(answer)
        if until_s is not None and now_s >= until_s:
            knocking.close()
            message = _("the table “{name}” doesn't answer any more").format(
                name=knocking.table.name
            )
            raise Failure(ExitCode.NOBODY, message, "silent")
        waiter.wait((*knocking.sources, stop), until_s, now_s)
    knocking.close()
    raise Stopped


def _checked(table: Table, options: JoinOptions) -> Table:
    if table.flags & FLAG_CODE and options.code is None:
        raise CodeWanted(table)
    return table


def _refuse_hopeless(tables: tuple[Table, ...], options: JoinOptions) -> None:
    """Waiting changes nothing about a table of another version, or a busy one that was asked for by address."""
    asked = [table for table in tables if options.table in (None, table.name)]
    if asked and all(table.version != VERSION for table in asked):
        raise _turned_away(TurnedAway(asked[0].version, Refused.VERSION))
    if asked and options.address is not None and asked[0].state is TableState.PLAYING:
        raise _turned_away(TurnedAway(VERSION, Refused.BUSY))


def _turned_away(answer: TurnedAway) -> Failure:
    match answer.reason:
        case Refused.VERSION:
            text = _("the table speaks protocol version {theirs}, this program version {ours}")
            message = text.format(theirs=answer.version, ours=VERSION)
        case Refused.CODE:
            message = _("the table wants another code")
        case Refused.WAIT:
            message = _("somebody tried a wrong code there; try again in a minute")
        case Refused.BUSY:
            message = _("the table is busy")
        case _:
            message = _("the table had forgotten us; try again")
    return Failure(ExitCode.REFUSED, message, answer.reason.value)


def _nobody(tables: tuple[Table, ...], searching: Searching, options: JoinOptions) -> Failure:
    if any(table.version == VERSION for table in tables) and options.table is None:
        return _turned_away(TurnedAway(VERSION, Refused.BUSY))
    where = options.address
    if where is not None:
        message = _(
            "no table answers at {address}; check the address, and that a firewall lets "
            "UDP and TCP through to that port"
        ).format(address=_written(where))
    else:
        message = _(
            "no open table found. Try “spitnet join HOST:PORT” with the address that the host "
            "shows; a firewall, a guest Wi-Fi that keeps its guests apart or a VPN may be in the way"
        )
    held = _held(searching, options)
    return Failure(ExitCode.NOBODY, f"{message} {held}" if held else message, "nobody")
