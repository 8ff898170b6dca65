"""The report in words, to be read and to be pasted; and as one line for programs. Home directories are shown as `~`."""

import os
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, Final

from spitnet.app.commands.doctor.causes import advice
from spitnet.app.commands.doctor.report import FindingKind, InterfaceReport, Place, Report
from spitnet.app.paths import at_home
from spitnet.language import gettext as _
from spitnet.language import ngettext, pgettext
from spitnet.net.beacon import TableState
from spitnet.net.names import shown_name
from spitnet.net.tables import Table
from spitnet.ui.cells import fit, width

COLUMNS: Final = 78
_TABLES_MOST: Final = 10


def page(report: Report) -> Iterator[str]:
    """The lines of the report; what is probably wrong stands last, where it is read first."""
    yield _("This is what spitnet sees here, without secrets: paste it into a bug report.")
    for title, lines in (
        (_("Programs"), _programs(report)),
        (_("Network"), _interfaces(report)),
        (_("Ports"), _ports(report)),
        (_("Heard"), _heard(report)),
        (_("Terminal"), _screen(report)),
        (_("Files"), _places(report)),
        (_("Settings"), _settings(report)),
        (_("What may be wrong, and what to do"), _advice(report)),
    ):
        yield from ("", title, *(f"  {line}" for line in lines))


def line(report: Report) -> dict[str, Any]:
    """The same for programs; never translated but for `problems`, which are messages."""
    network, screen = report.network, report.screen
    return {
        "versions": {one.name: one.version for one in report.versions.programs},
        "system": report.versions.system,
        "curve": report.versions.curve,
        "surroundings": sorted(report.surroundings),
        "interfaces": [_interface_line(one) for one in network.interfaces],
        "discovery_port": network.port,
        "discovery_port_held": network.udp_held,
        "discovery_trouble": network.udp_trouble,
        "table_trouble": network.tcp_trouble,
        "tables": [_table_line(one) for one in network.tables],
        "others_looking": network.others_looking,
        "strange_datagrams": network.strange,
        "listened_s": network.listened_s,
        "terminal": {name: getattr(screen, name) for name in screen.__slots__},
        "places": [_place_line(one) for one in report.places],
        "config": None if report.options.config is None else at_home(report.options.config),
        "problems": [at_home(one) for one in report.options.problems],
        "settings": {one.key: [at_home(one.shown), one.place] for one in report.options.settings},
        "causes": [one.cause for one in advice(report)],
    }


def _interface_line(one: InterfaceReport) -> dict[str, Any]:
    return {
        "name": one.name,
        "kind": one.kind,
        "up": one.up,
        "address": one.address,
        "asked": one.broadcast,
        "trouble": one.trouble,
        "echoed": one.echoed,
    }


def _table_line(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "addresses": list(table.addresses),
        "port": table.port,
        "version": table.version,
        "open": table.state is TableState.OPEN,
    }


def _place_line(one: Place) -> dict[str, Any]:
    path = None if one.path is None else at_home(one.path)
    return {"what": one.what, "path": path, "trouble": one.trouble}


# In words.


def _wrapped(text: str, indent: str = "", cells: int = COLUMNS - 2) -> list[str]:
    return textwrap.wrap(
        text, cells, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def _columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows of texts in columns."""
    table = list(rows)
    wide = [max(map(width, column)) for column in zip(*table, strict=True)]
    for row in table:
        yield "  ".join(fit(text, cells) for text, cells in zip(row, wide, strict=True)).rstrip()


def _program(name: str) -> str:
    """Programs have names; the protocol is a word."""
    return _("protocol") if name == "protocol" else name


def _programs(report: Report) -> list[str]:
    versions = report.versions
    said = [f"{_program(one.name)} {one.version}" for one in versions.programs]
    curve = _("ZeroMQ can encrypt") if versions.curve else _("ZeroMQ can’t encrypt")
    return [*_wrapped(", ".join(said)), *_wrapped(f"{versions.system}, {curve}")]


def _interfaces(report: Report) -> Iterator[str]:
    return _columns(
        (one.name, one.address or "–", _kind(one.kind), _how(one))
        for one in report.network.interfaces
    )


def _kind(kind: FindingKind) -> str:
    match kind:
        case FindingKind.LOOPBACK:
            return pgettext("interface", "this machine only")
        case FindingKind.LAN:
            return pgettext("interface", "LAN")
        case FindingKind.TUNNEL:
            return pgettext("interface", "VPN")
        case FindingKind.INNER:
            return pgettext("interface", "virtual")


def _how(one: InterfaceReport) -> str:
    """What became of the question."""
    if not one.up:
        return pgettext("interface", "down")
    if one.address is None:
        return _("no IPv4 address")
    if one.broadcast is None:
        return _("not asked: no broadcast there")
    if one.trouble:
        return _("asking failed: {reason}").format(reason=one.trouble)
    if one.echoed:
        return _("asked {address}, heard it back").format(address=one.broadcast)
    return _("asked {address}, did not hear it back").format(address=one.broadcast)


def _ports(report: Report) -> Iterator[str]:
    network, port = report.network, report.options.port
    if network.udp_held:
        yield _("UDP {port}: held by another program").format(port=network.port)
    elif network.udp_trouble:
        text = _("UDP {port}: can’t be listened to: {reason}")
        yield text.format(port=network.port, reason=network.udp_trouble)
    else:
        yield _("UDP {port}: listening").format(port=network.port)
    if network.tcp_trouble:
        text = (
            _("TCP: no table can be opened: {reason}")
            if port is None
            else _("TCP {port}: no table can be opened: {reason}")
        )
    elif port is None:
        text = _("TCP: a table can be opened at any free port")
    else:
        text = _("TCP {port}: a table can be opened")
    yield text.format(port=port, reason=network.tcp_trouble)


def _heard(report: Report) -> Iterator[str]:
    network = report.network
    count = len(network.tables)
    if not count:
        yield _("no open table within {seconds:g} s").format(seconds=network.listened_s)
    for table in network.tables[:_TABLES_MOST]:
        yield _table(table)
    if count > _TABLES_MOST:
        more = count - _TABLES_MOST
        yield ngettext("and {count} more", "and {count} more", more).format(count=more)
    for number, text in (
        (
            network.others_looking,
            ngettext(
                "{count} question from somebody else looking for tables",
                "{count} questions from others looking for tables",
                network.others_looking,
            ),
        ),
        (
            network.strange,
            ngettext(
                "{count} datagram not from spitnet",
                "{count} datagrams not from spitnet",
                network.strange,
            ),
        ),
    ):
        if number:
            yield text.format(count=number)


def _table(table: Table) -> str:
    state = (
        pgettext("table", "open") if table.state is TableState.OPEN else pgettext("table", "busy")
    )
    text = _("table {name} at {address}: {state}, protocol {version}")
    return text.format(
        name=shown_name(table.name),
        address=f"{table.address}:{table.port}",
        state=state,
        version=table.version,
    )


def _screen(report: Report) -> Iterator[str]:
    screen = report.screen
    size = f"{screen.columns}×{screen.rows}" if screen.tty else _("no terminal")
    yield f"{size}, TERM={screen.term}, {screen.encoding}, {_colours(screen.colours)}"
    if screen.full_screen:
        yield _("full screen")
    else:
        yield _("no full screen: the game is played in lines")
    if not screen.suits:
        yield _("no suit symbols: letters instead")


def _colours(word: str) -> str:
    match word:
        case "none":
            return _("no colours")
        case "sixteen":
            return _("16 colours")
        case "c256":
            return _("256 colours")
        case _:
            return _("all colours")


def _places(report: Report) -> Iterator[str]:
    names = {
        "records": pgettext("place", "records"),
        "log": pgettext("place", "log"),
        "key": pgettext("place", "key"),
    }
    return _columns(
        (
            names[one.what],
            "–" if one.path is None else at_home(one.path),
            _("not usable: {reason}").format(reason=one.trouble)
            if one.trouble
            else pgettext("place", "good"),
        )
        for one in report.places
    )


def _settings(report: Report) -> Iterator[str]:
    options = report.options
    if options.config is not None:
        path = at_home(options.config)
        there = os.path.exists(options.config)
        text = _("config file: {file}") if there else _("config file: none ({file})")
        yield text.format(file=path)
    yield from _columns((one.key, at_home(one.shown), one.place) for one in options.settings)
    for problem in options.problems:
        yield from _wrapped(at_home(problem), "  ")


def _advice(report: Report) -> Iterator[str]:
    found = advice(report)
    if not found:
        yield _("Nothing: a table was heard, and this machine is in order.")
    for number, one in enumerate(found, start=1):
        yield from _wrapped(f"{number}. {one.what}", "   ")
        yield from (f"   {line}" for line in _wrapped(one.cure, cells=COLUMNS - 5))
