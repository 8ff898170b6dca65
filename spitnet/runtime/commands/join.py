"""`spitnet join`: finds a table, sits down, plays."""

from collections.abc import Callable
from time import monotonic

from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.errors import NetError
from spitnet.net.link import KeyPair
from spitnet.net.options import Context
from spitnet.net.tables import Table
from spitnet.protocol.handshake import Seated, TurnedAway
from spitnet.runtime import identity, lines, log
from spitnet.runtime.commands import refusals
from spitnet.runtime.commands.listing import Listing
from spitnet.runtime.desk import Desk
from spitnet.runtime.options import JoinOptions
from spitnet.runtime.screen import on_screen
from spitnet.runtime.seat import reminding
from spitnet.runtime.seat.companions import Listening
from spitnet.runtime.seat.joining import LOOK_S, Knocking, Searching, choose, named
from spitnet.runtime.seat.playing import Orders
from spitnet.runtime.seat.seating import Ready, play_headless, prepare, ready
from spitnet.runtime.seat.table import Sitting
from spitnet.runtime.signals import StopSignal
from spitnet.runtime.waiting import Waiter, zmq_context
from spitnet.ui.lobby import KnockingPage, LookingPage, Sit
from spitnet.ui.scene import Entry

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
            desk.show(KnockingPage(table.name, monotonic(), settings=table.settings))
            knocking = Knocking(context, keys, name, table, options, monotonic())
            seated = _knock(knocking, monotonic() + KNOCK_S, desk.inbox)
        except NetError as error:
            raise UsageFailure(str(error)) from None
        except Stopped:
            return desk.left_code
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
    """The table that the person wants, or the only open one.

    Raises:
        Failure: a table asked for by address that can't be sat down at.
    """
    page = _looking(options)
    desk.show(page)
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    silent_s = monotonic() + refusals.SILENT_S
    searching = Searching(options.interface, options.discovery_port, options.address, monotonic())
    listing = Listing(options.table, LOOK_S if options.address is None else 0.0)
    waiter = Waiter()
    reminder = reminding.of_last_match(options)
    said = ""
    try:
        while not desk.inbox.wants_out:
            now_s = monotonic()
            searching.step(now_s)
            news = listing.take(searching.tables(now_s))
            if options.address is not None:
                refusals.require_hope(listing.tables, options)
            trouble = refusals.trouble(listing, searching, options, now_s >= silent_s) or reminder
            if news or trouble != said:
                said = trouble
                _post_tables(desk, page, listing.entries, trouble)
            table = listing.wanted(_places(desk)) or listing.only(now_s)
            if table is not None:
                return refusals.checked(table, options)
            if listing.only_at_s is None and until_s is not None and now_s >= until_s:
                raise refusals.nobody(searching.tables(now_s), searching, options)
            due_s = listing.only_at_s or until_s
            waiter.wait((*searching.sources, desk.inbox), due_s, now_s)
    finally:
        searching.close()
    raise Stopped


def _looking(options: JoinOptions) -> LookingPage:
    return LookingPage(monotonic(), asked=refusals.written(options.address))


def _post_tables(desk: Desk, page: LookingPage, entries: tuple[Entry, ...], trouble: str) -> None:
    desk.post(lambda: page.tables(entries, trouble))


def _places(desk: Desk) -> frozenset[str]:
    """Where the person wants to sit down."""
    return frozenset(wish.entry.address for wish in desk.inbox.take() if isinstance(wish, Sit))


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
                    return refusals.checked(table, options)
                refusals.require_hope(named(tables, options.table), options)
            if until_s is not None and now_s >= until_s:
                raise refusals.nobody(tables, searching, options)
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
            raise refusals.turned_away(answer)
        if until_s is not None and now_s >= until_s:
            knocking.close()
            message = _("the table “{name}” doesn’t answer any more").format(
                name=knocking.table.name
            )
            raise Failure(ExitCode.NOBODY, message, "silent")
        waiter.wait((*knocking.sources, stop), until_s, now_s)
    knocking.close()
    raise Stopped
