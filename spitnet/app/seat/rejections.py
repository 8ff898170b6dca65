"""Why nobody sits down at a table: in words, and as exit codes.

What belongs here: every sentence about a table that can't be sat down at, or isn't found. What must not: looking for one.
"""

from collections.abc import Iterable
from typing import Final

from spitnet.app.options import Address, JoinOptions, WatchOptions
from spitnet.app.seat.open_table import FLAG_CODE
from spitnet.app.seat.search import SeatRequest, TableSearch, named
from spitnet.app.seat.table_list import TableChoice
from spitnet.exits import ExitCode, Failure, as_sentence
from spitnet.language import gettext as _
from spitnet.net.beacon import TableState
from spitnet.net.names import shown_name
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import TurnedAway
from spitnet.protocol.messages import Rejection

SILENT_S: Final = 2.0
"""After so long without an answer from an address it is said that there is none."""
_NAMES_MOST: Final = 5
"""So many other tables are named; the rest is a sign that there are more."""


def checked(table: Table, options: JoinOptions, *, asks: bool = False) -> Table:
    """The table. `asks`: a person can still be asked for its code.

    Raises:
        Failure: it asks for a code that nobody gave; or one was given, and it asks for none: none would be right.
    """
    wants_code = bool(table.flags & FLAG_CODE)
    if wants_code and options.code is None and not asks:
        message = _("the table “{name}” asks for a code: add --code CODE")
        raise Failure(ExitCode.REFUSED, message.format(name=shown_name(table.name)), "code")
    if options.code is not None and not wants_code:
        text = _("the table “{name}” has no code: join it without --code")
        raise Failure(ExitCode.REFUSED, text.format(name=shown_name(table.name)), "no_code")
    return table


def require_hope(asked: tuple[Table, ...], options: JoinOptions) -> None:
    """Waiting changes nothing about a table of another version, or a busy one that was asked for by address.

    Raises:
        Failure: of the tables that were asked for, each is such a one.
    """
    if asked and all(table.version != VERSION for table in asked):
        raise turned_away(TurnedAway(asked[0].version, Rejection.VERSION))
    if asked and options.address is not None and asked[0].state is TableState.PLAYING:
        raise turned_away(TurnedAway(VERSION, Rejection.BUSY))


def turned_away(answer: TurnedAway) -> Failure:
    """What a table answered."""
    match answer.reason:
        case Rejection.VERSION:
            text = _("the table speaks protocol version {theirs}, this program version {ours}")
            message = text.format(theirs=answer.version, ours=VERSION)
        case Rejection.CODE:
            message = _("the table wants another code")
        case Rejection.WAIT:
            message = _("somebody tried a wrong code there; try again in a minute")
        case Rejection.BUSY:
            message = _("the table is busy")
        case _:
            message = _("the table doesn’t know us any more; try again")
    return Failure(ExitCode.REFUSED, message, answer.reason.value)


def silent(knocking: SeatRequest) -> Failure:
    """The time is up, and nobody has sat down; a table that only ever put us off isn't silent."""
    if knocking.put_off is not None:
        return turned_away(knocking.put_off)
    text = _("the table “{name}” doesn’t answer any more")
    return Failure(ExitCode.NOBODY, text.format(name=shown_name(knocking.table.name)), "silent")


def nobody(tables: tuple[Table, ...], searching: TableSearch, options: JoinOptions) -> Failure:
    """The time is up; `tables` are all that are known now."""
    asked = [one for one in named(tables, options.table) if one.version == VERSION]
    busy = [one for one in asked if one.state is not TableState.OPEN]
    if len(busy) < len(asked):
        return Failure(ExitCode.NOBODY, _("no table was chosen in time"), "nobody")
    if busy:
        return _all_busy(busy)
    if searching.offline and not tables:
        return Failure(ExitCode.NOBODY, offline(searching), "nobody")
    message = _nobody_there(tables, options)
    held = _held(searching, options)
    return Failure(ExitCode.NOBODY, f"{message} {held}" if held else message, "nobody")


def offline(searching: TableSearch) -> str:
    """No table was found, and none can be."""
    return _("no open table found. {why}").format(why=searching.offline)


def _all_busy(busy: list[Table]) -> Failure:
    if len(busy) == 1:
        message = _("the table “{name}” is busy").format(name=shown_name(busy[0].name))
    else:
        text = _("all tables that were found are busy: {names}")
        message = text.format(names=_names(busy))
    return Failure(ExitCode.REFUSED, message, Rejection.BUSY.value)


def _nobody_there(tables: tuple[Table, ...], options: JoinOptions) -> str:
    if options.address is not None:
        return no_answer(options.address)
    if options.table is not None and tables:
        return other_names(options.table, tables)
    return _(
        "no open table found. Try “spitnet join HOST:PORT” with the address that the host "
        "shows; a firewall, a guest Wi-Fi that keeps its guests apart or a VPN may be in the way"
    )


def no_answer(address: Address) -> str:
    """The address that was asked says nothing."""
    text = _(
        "no table answers at {address}; check the address, and that a firewall lets "
        "UDP and TCP through to that port"
    )
    return text.format(address=written(address))


def trouble(
    listing: TableChoice, searching: TableSearch, options: JoinOptions | WatchOptions, silent: bool
) -> str:
    """What stands in the way, as far as this side knows; `silent`: who was asked has had the time to answer."""
    if searching.offline and not listing.tables:
        return searching.offline
    if silent and not listing.tables:
        if options.address is not None:
            return _("{address} doesn’t answer.").format(address=written(options.address))
        if options.table is not None and listing.others:
            return as_sentence(other_names(options.table, listing.others))
    return _held(searching, options)


def other_names(name: str, others: Iterable[Table]) -> str:
    """No table of that name is here; what others are called."""
    text = _("there is no table “{name}” here, only {others}")
    return text.format(name=name, others=_names(others))


def _names(tables: Iterable[Table]) -> str:
    """A few of them, on one line."""
    names = list(dict.fromkeys(shown_name(one.name) for one in tables))
    more = ["…"] if len(names) > _NAMES_MOST else []
    return ", ".join(names[:_NAMES_MOST] + more)


def written(address: Address | None) -> str:
    """The address as it is typed; empty if there is none."""
    if address is None:
        return ""
    if address.port is None:
        return address.host
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{host}:{address.port}"


def _held(searching: TableSearch, options: JoinOptions | WatchOptions) -> str:
    return port_held(options.discovery_port) if searching.finder.well_known_port_held else ""


def port_held(port: int) -> str:
    """Tables aren't found by themselves here."""
    return _("(another program here holds UDP port {port})").format(port=port)
