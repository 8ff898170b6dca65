"""`spitnet join`: finds a table, sits down, plays."""

from time import monotonic

from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.beacon import TableState
from spitnet.net.errors import NetError
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import Seated, TurnedAway
from spitnet.protocol.messages import Refused
from spitnet.runtime import identity, lines
from spitnet.runtime.companions import Listening
from spitnet.runtime.hosting import FLAG_CODE
from spitnet.runtime.joining import Knocking, Searching, choose
from spitnet.runtime.options import JoinOptions
from spitnet.runtime.seating import play_headless
from spitnet.runtime.signals import StopSignal
from spitnet.runtime.waiting import Waiter, zmq_context


class _Stopped(Exception):
    """Asked to stop while on the way to a seat."""


def run(options: JoinOptions) -> int:
    """The exit code.

    Raises:
        Failure: no table was found, it turned us away, or the match ended before its time.
    """
    keys = identity.load_or_make()
    name = options.name or identity.made_up_name()
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    with zmq_context() as context, StopSignal() as stop:
        try:
            table = _find(options, until_s, stop)
            knocking = Knocking(context, keys, name, table, options, monotonic())
            seated = _knock(knocking, until_s, stop)
        except NetError as error:
            raise UsageFailure(str(error)) from None
        except _Stopped:
            return ExitCode.INTERRUPTED
        return play_headless(
            seated,
            knocking.link,
            lambda session: Listening(
                knocking.link, session, table.key, options.interface, options.discovery_port
            ),
            options,
            stop,
        )


def _find(options: JoinOptions, until_s: float | None, stop: StopSignal) -> Table:
    """The table to sit down at.

    Raises:
        Failure: none in time, or none that could be sat down at.
    """
    searching = Searching(options.interface, options.discovery_port, options.address, monotonic())
    waiter = Waiter((stop.socket,))
    try:
        while not stop.stopped:
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
            waiter.wait(searching.sources, due_s, now_s)
    finally:
        searching.close()
    raise _Stopped


def _knock(knocking: Knocking, until_s: float | None, stop: StopSignal) -> Seated:
    """The session agreed on with the table.

    Raises:
        Failure: turned away, or the table fell silent.
    """
    waiter = Waiter((stop.socket,))
    while not stop.stopped:
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
            raise _failure(ExitCode.NOBODY, "silent", message)
        waiter.wait(knocking.sources, until_s, now_s)
    knocking.close()
    raise _Stopped


def _checked(table: Table, options: JoinOptions) -> Table:
    if table.flags & FLAG_CODE and options.code is None:
        message = _("the table “{name}” asks for a code: add --code CODE")
        raise _failure(ExitCode.REFUSED, "code", message.format(name=table.name))
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
    return _failure(ExitCode.REFUSED, answer.reason.value, message)


def _nobody(tables: tuple[Table, ...], searching: Searching, options: JoinOptions) -> Failure:
    if any(table.version == VERSION for table in tables) and options.table is None:
        return _turned_away(TurnedAway(VERSION, Refused.BUSY))
    where = options.address
    if where is not None:
        message = _(
            "no table answers at {address}; check the address, and that a firewall lets "
            "UDP and TCP through to that port"
        ).format(address=where.host if where.port is None else f"{where.host}:{where.port}")
    else:
        message = _(
            "no open table found. Try “spitnet join HOST:PORT” with the address that the host "
            "shows; a firewall, a guest Wi-Fi that keeps its guests apart or a VPN may be in the way"
        )
    if searching.finder.well_known_port_held:
        message += " " + _("(another program here holds UDP port {port})").format(
            port=options.discovery_port
        )
    return _failure(ExitCode.NOBODY, "nobody", message)


def _failure(code: ExitCode, word: str, message: str) -> Failure:
    lines.error(word, message)
    return Failure(code, message)
