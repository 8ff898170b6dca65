"""`spitnet list`: the open tables of this network, now."""

from typing import Any

from spitnet.app.clock import monotonic
from spitnet.app.console import json_lines
from spitnet.app.loop import Loop
from spitnet.app.options import ListOptions
from spitnet.app.seat.open_table import FLAG_CODE
from spitnet.app.seat.search import TableSearch
from spitnet.app.stop_signal import StopSignal
from spitnet.core.state import Settings
from spitnet.exits import ExitCode, UsageFailure
from spitnet.language import gettext as _
from spitnet.net.beacon import TableState
from spitnet.net.errors import NetError
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.ui.words import plays


def run(options: ListOptions) -> int:
    """The exit code: looking and finding nothing is an answer too."""
    try:
        with StopSignal() as stop:
            tables, offline = _look(options, stop)
    except NetError as error:
        raise UsageFailure(str(error)) from None
    if options.json:
        json_lines.write(*(_line(table) for table in tables))
    else:
        nothing = (_("no open table"), *([offline] if offline else []))
        print("\n".join(map(_sentence, tables)) or "\n".join(nothing))
    return ExitCode.INTERRUPTED if stop.wants_out else ExitCode.DONE


def _look(options: ListOptions, stop: StopSignal) -> tuple[tuple[Table, ...], str]:
    """The open tables, and why none on other machines can be found, if so."""
    searching = TableSearch(options.interface, options.discovery_port, None, monotonic())
    waiter = Loop()
    try:
        while True:
            now_s = monotonic()
            searching.step(now_s)
            if searching.settled(now_s) or stop.wants_out:
                tables = searching.tables(now_s)
                found = tuple(one for one in tables if one.state is TableState.OPEN)
                return found, searching.offline
            waiter.wait((*searching.sources, stop), searching.settles_at_s(now_s), now_s)
    finally:
        searching.close()


def _line(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "host": table.address,
        "port": table.port,
        "instance": table.instance.hex(),
        "version": table.version,
        "code": bool(table.flags & FLAG_CODE),
        "addresses": list(table.addresses),
        "watch_port": table.watch_port,
        **_settings(table.settings),
    }


def _settings(told: Settings | None) -> dict[str, Any]:
    """What the table says that it plays, each null if it doesn't."""
    return {
        "games": None if told is None else told.games,
        "refill": None if told is None else told.refill.value,
        "spit": None if told is None else told.spit.value,
        "grace": None if told is None else told.grace_s,
    }


def _sentence(table: Table) -> str:
    parts = [f"{table.name}  {table.address}:{table.port}"]
    if table.settings is not None:
        parts.append(f"({plays(table.settings)})")
    if table.flags & FLAG_CODE:
        parts.append(_("(asks for a code)"))
    if table.watch_port is not None:
        parts.append(_("(may be watched)"))
    if table.version != VERSION:
        parts.append(_("(protocol version {version})").format(version=table.version))
    return "  ".join(parts)
