"""The network interfaces of this machine, as they are now.

Read on every call: laptops sleep, cables and VPNs come and go. A broadcast address that the system tells is taken, and
one that it lacks is worked out from the netmask. No sockets here.
"""

import contextlib
import socket
import sys
from dataclasses import dataclass, field
from ipaddress import IPv4Interface
from typing import Any

import psutil

from spitnet.net.errors import (
    InterfaceDown,
    NetError,
    NoIPv4,
    NoNetwork,
    UnknownHost,
    UnknownInterface,
)

LOOPBACK = "lo"
WILDCARD = "0.0.0.0"  # noqa: S104
# Measured: on Linux this reaches every listener of this machine, offline too. Other systems don't broadcast on loopback.
_LOOPBACK_BROADCAST = "127.255.255.255" if sys.platform == "linux" else "127.0.0.1"
_EVERYBODY = "255.255.255.255"
_NAMED_MOST = 3
_PREFIX_MOST = 30
"""Bits of the longest prefix with a broadcast address. Source: RFC 3021."""


@dataclass(frozen=True, slots=True)
class Interface:
    """One IPv4 address of an interface, and where a datagram to all its neighbours goes.

    `index`: the system's number for it when it was read; 0 where it had none any more.
    """

    name: str
    address: str
    broadcast: str
    index: int = field(default=0, compare=False)


def is_loopback(address: str) -> bool:
    """Whether the address is one of this machine's own that no cable ever sees."""
    return address.startswith("127.")


def broadcast_interfaces(only: str | None = None) -> tuple[Interface, ...]:
    """List the interfaces that are up and can broadcast, loopback among them, in the system's order.

    With `only` given: that interface alone, which need not be able to broadcast (a tunnel); none while it is down.
    Raises: UnknownInterface when no interface bears the name `only`.
    """
    stats = psutil.net_if_stats()
    addresses = psutil.net_if_addrs()
    if only is not None and only != LOOPBACK and only not in addresses and only not in stats:
        raise UnknownInterface(only, tuple(sorted(addresses)))
    found: list[Interface] = []
    for name, entries in addresses.items():
        if name not in stats or not stats[name].isup:
            continue
        for entry in entries:
            if entry.family == socket.AF_INET:
                broadcast = _broadcast(entry.address, entry.netmask, entry.broadcast, entry.ptp)
                known = _interface(name, entry.address, broadcast, entry.ptp, only)
                if known is not None and not any(_same_reach(known, other) for other in found):
                    found.append(known)
    return tuple(found)


def address_of(only: str | None = None) -> str:
    """Give the local address to bind to: the wildcard, or that of the interface `only`.

    Raises: UnknownInterface, InterfaceDown, NoIPv4.
    """
    if only is None:
        return WILDCARD
    interfaces = broadcast_interfaces(only)
    if not interfaces:
        raise _lack(only)
    return interfaces[0].address


def source_of(only: str | None) -> str | None:
    """Give the local address to leave from now; None: as before, any will do, or there is none now."""
    with contextlib.suppress(NetError, OSError):
        return None if only is None else address_of(only)
    return None


def own_addresses(only: str | None = None) -> tuple[str, ...]:
    """List the addresses under which others reach this machine; loopback only if `only` says so.

    Raises: UnknownInterface, InterfaceDown, NoIPv4, NoNetwork: there are none.
    """
    found = [interface.address for interface in broadcast_interfaces(only)]
    away = [one for one in found if not is_loopback(one)] or _without_broadcast(only)
    if only is not None and not away:
        away = found
    if not away:
        raise _lack(only)
    return tuple(dict.fromkeys(away))


def _without_broadcast(only: str | None) -> list[str]:
    """List the addresses of tunnels: nobody is found by them, but who knows one gets through."""
    if only is not None:
        return []
    return [
        entry.address
        for entries in _up(None).values()
        for entry in entries
        if entry.family == socket.AF_INET and not is_loopback(entry.address)
    ]


def _lack(only: str | None) -> NetError:
    """Say why there is no address."""
    lacking = tuple(
        name
        for name, entries in _up(only).items()
        if not any(entry.family == socket.AF_INET for entry in entries)
    )
    if lacking:
        return NoIPv4(lacking[:_NAMED_MOST])
    return NoNetwork() if only is None else InterfaceDown(only)


def _up(only: str | None) -> dict[str, list[Any]]:
    """List the interfaces that are up, or `only` if it is, with what the system says of their addresses; never loopback."""
    stats, addresses = psutil.net_if_stats(), psutil.net_if_addrs()
    return {
        name: addresses.get(name, [])
        for name, state in stats.items()
        if state.isup and only in (None, name) and name != LOOPBACK and not _loops(state)
    }


def _loops(state: Any) -> bool:
    return "loopback" in getattr(state, "flags", "")


def index_of(name: str | None) -> int | None:
    """Look up the number that the system gives an interface; None while it has none."""
    with contextlib.suppress(OSError):
        return socket.if_nametoindex(name) if name else None
    return None


def resolve(host: str) -> tuple[str, ...]:
    """Look up the IPv4 addresses of a host name or numeric address, at most eight. May block for seconds.

    Raises: UnknownHost.
    """
    try:
        answers = socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_DGRAM)
    except (OSError, UnicodeError):
        raise UnknownHost(host) from None
    addresses = tuple(dict.fromkeys(str(answer[4][0]) for answer in answers))[:8]
    if not addresses:
        raise UnknownHost(host)
    return addresses


def _broadcast(
    address: str, netmask: str | None, told: str | None, far_end: str | None
) -> str | None:
    """Where all neighbours hear it; None for what can't broadcast.

    Where none was set Linux tells the own address, which nobody else hears: then the netmask says it, or all on the
    link are asked.
    """
    if told is not None and told != address:
        return told
    if far_end is not None:
        return None
    with contextlib.suppress(ValueError):
        network = IPv4Interface(f"{address}/{netmask}").network
        if network.prefixlen <= _PREFIX_MOST:
            return str(network.broadcast_address)
    return None if told is None else _EVERYBODY


def _interface(
    name: str, address: str, broadcast: str | None, far_end: str | None, only: str | None
) -> Interface | None:
    """Make the entry of one address; None when it is not asked for or reaches nobody."""
    if is_loopback(address):
        # psutil shows no flag and no broadcast address for it, and other systems name it otherwise: so it is named here.
        asked = only in (None, LOOPBACK, name)
        return _read(LOOPBACK, address, _LOOPBACK_BROADCAST) if asked else None
    if only not in (None, name):
        return None
    if broadcast is None and only is None and sys.platform != "win32":
        return None
    # Older psutil tells no broadcast address on Windows, and a tunnel has none: there, the far end, or all on the link.
    return _read(name, address, broadcast or far_end or _EVERYBODY)


def _read(name: str, address: str, broadcast: str) -> Interface:
    return Interface(name, address, broadcast, index_of(name) or 0)


def _same_reach(one: Interface, other: Interface) -> bool:
    """Whether two addresses reach the same neighbours by the same way."""
    return one.name == other.name and one.broadcast == other.broadcast
