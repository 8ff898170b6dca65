"""What is probably in the way, read off the report, the surest first; and what to do. Pure.

What belongs here: the judgement and its sentences. What must not: finding out.
"""

import sys
from collections.abc import Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from spitnet.app.commands.doctor.report import Environment, FindingKind, InterfaceReport, Report
from spitnet.language import gettext as _
from spitnet.net.errors import CurveMissing, NoIPv4

_FORBIDDEN: Final = ("EPERM", "EACCES")
_NO_WAY: Final = "EHOSTUNREACH"


class Cause(StrEnum):
    """What programs read."""

    NO_CURVE = "no_curve"
    UNWRITABLE = "unwritable"
    NO_NETWORK = "no_network"
    NO_IPV4 = "no_ipv4"
    PORT_HELD = "port_held"
    TCP_TAKEN = "tcp_taken"
    MACOS_PERMISSION = "macos_permission"
    FIREWALL_OUT = "firewall_out"
    FIREWALL_IN = "firewall_in"
    WSL2 = "wsl2"
    CONTAINER = "container"
    VPN = "vpn"
    ELSEWHERE = "elsewhere"


class Advice(NamedTuple):
    """A cause, what it is in words, and what to do."""

    cause: Cause
    what: str
    cure: str


def advice(report: Report, system: str = sys.platform) -> tuple[Advice, ...]:
    """Everything that may be in the way, the surest first; nothing where a table was found and all is well."""
    found = [*_of_the_machine(report), *_of_the_network(report, system)]
    if not report.network.tables:
        found.append(_elsewhere(bool(found)))
    return tuple(found)


def _of_the_machine(report: Report) -> Iterator[Advice]:
    if not report.versions.curve:
        what = _("ZeroMQ was built without encryption here, so spitnet can’t play.")
        yield Advice(Cause.NO_CURVE, what, str(CurveMissing()))
    unusable = [one for one in report.places if one.trouble]
    if unusable:
        what = _("spitnet can’t use one of its files or directories: see “Files” above.")
        cure = _("Fix its permissions, or choose another directory for the records: --journal DIR.")
        yield Advice(Cause.UNWRITABLE, what, cure)
    if report.network.tcp_trouble:
        what = _("A table can’t be opened here: {reason}.")
        cure = _("Choose another port with --port, or none at all.")
        yield Advice(Cause.TCP_TAKEN, what.format(reason=report.network.tcp_trouble), cure)


def _of_the_network(report: Report, system: str) -> Iterator[Advice]:
    network = report.network
    used = [one for one in network.interfaces if one.broadcast is not None]
    outside = [one for one in used if one.kind is not FindingKind.LOOPBACK]
    if not outside and report.options.interface is None:
        yield _no_way_out(network.interfaces)
    if network.udp_held or network.udp_trouble:
        yield _port_held(network.port)
    yield from _firewalls(used, report, system)
    if not network.tables:
        yield from _surroundings(report, outside)


def _no_way_out(interfaces: tuple[InterfaceReport, ...]) -> Advice:
    """Nobody outside can be reached: for want of addresses, or of a network."""
    up = [one for one in interfaces if one.up and one.kind is not FindingKind.LOOPBACK]
    lacking = tuple(one.name for one in up if one.address is None)
    if lacking:
        cure = _(
            "Switch IPv4 on for it; where nothing hands out addresses, set one by hand on each "
            "machine, such as 192.168.7.1/24 here and 192.168.7.2/24 there."
        )
        return Advice(Cause.NO_IPV4, str(NoIPv4(lacking)), cure)
    what = _("No network is up except this machine’s own.")
    return Advice(Cause.NO_NETWORK, what, _("Join the Wi-Fi or plug the cable in."))


def _port_held(port: int) -> Advice:
    what = _("Another program holds UDP port {port}, so tables aren’t found automatically.")
    cure = _(
        "End it, or use another --discovery-port on both sides; “spitnet join HOST:PORT” works anyway."
    )
    return Advice(Cause.PORT_HELD, what.format(port=port), cure)


def _firewalls(used: list[InterfaceReport], report: Report, system: str) -> Iterator[Advice]:
    stopped = [one for one in used if one.trouble.startswith(_FORBIDDEN)]
    if system == "darwin" and any(one.trouble.startswith(_NO_WAY) for one in used):
        what = _("macOS blocks this terminal program from the local network.")
        cure = _("System Settings, Privacy & Security, Local Network: allow it, then restart it.")
        yield Advice(Cause.MACOS_PERMISSION, what, cure)
    if stopped:
        what = _("A firewall stops what spitnet sends on {interfaces}.")
        yield Advice(
            Cause.FIREWALL_OUT, what.format(interfaces=_names(stopped)), _open(report, system)
        )
    deaf = [one for one in used if not one.trouble and not one.echoed]
    if deaf and not report.network.udp_trouble:
        what = _(
            "Not even this machine’s own question came back on {interfaces}: a firewall probably "
            "drops what comes in on UDP port {port}."
        )
        text = what.format(interfaces=_names(deaf), port=report.network.port)
        yield Advice(Cause.FIREWALL_IN, text, _open(report, system))


def _open(report: Report, system: str) -> str:
    """How a firewall is told."""
    if system == "win32":
        return _("Windows Security, Firewall: make this network private, and allow Python on it.")
    if system == "darwin":
        return _(
            "System Settings, Network, Firewall, Options: allow incoming connections to Python."
        )
    text = _(
        "Let UDP port {port} through, and the table’s TCP port, which --port sets; "
        "with ufw: sudo ufw allow {port}/udp"
    )
    return text.format(port=report.network.port)


def _surroundings(report: Report, outside: list[InterfaceReport]) -> Iterator[Advice]:
    if Environment.WSL2 in report.surroundings:
        what = _("This is WSL2, a network of its own inside Windows that others can’t reach.")
        cure = _("Play from Windows itself, or set networkingMode=mirrored in .wslconfig.")
        yield Advice(Cause.WSL2, what, cure)
    if Environment.CONTAINER in report.surroundings:
        what = _("This is a container; its broadcasts may not get out.")
        cure = _("Play outside of it, or give it the host’s network.")
        yield Advice(Cause.CONTAINER, what, cure)
    tunnels = [
        one for one in report.network.interfaces if one.kind is FindingKind.TUNNEL and one.up
    ]
    if tunnels:
        what = _("A VPN is up ({interfaces}); it may swallow what is meant for the LAN.")
        lan = next((one for one in outside if one.kind is FindingKind.LAN), None)
        if lan is None:
            cure = _("Switch it off while you play.")
        else:
            cure = _("Switch it off while you play, or try --interface {name}.").format(
                name=lan.name
            )
        yield Advice(Cause.VPN, what.format(interfaces=_names(tunnels)), cure)


def _elsewhere(else_too: bool) -> Advice:
    """Nobody was heard: what can't be seen from here."""
    if else_too:
        what = _("No open table was heard; the cause may also lie elsewhere.")
    else:
        what = _("No open table was heard, and nothing on this machine explains it.")
    cure = _(
        "Is “spitnet host” open on the other machine, on the same network? Guest Wi-Fi often keeps "
        "its guests apart, and the other’s firewall may be in the way: run “spitnet doctor” there "
        "too, and try “spitnet join HOST:PORT” with the address that the host shows."
    )
    return Advice(Cause.ELSEWHERE, what, cure)


def _names(interfaces: list[InterfaceReport]) -> str:
    return ", ".join(dict.fromkeys(one.name for one in interfaces))
