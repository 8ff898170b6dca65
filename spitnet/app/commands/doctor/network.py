"""What the network does: every interface asked as `join` asks, and all that comes back within a second.

What belongs here: sockets and the list of interfaces. What must not: what it means.
"""

import re
import socket
from collections.abc import Iterable
from typing import Final

import psutil

from spitnet.app.clock import monotonic
from spitnet.app.commands.doctor.report import FindingKind, InterfaceReport, Network
from spitnet.app.loop import Loop
from spitnet.net import interfaces
from spitnet.net.beacon import Announcement, Probe, decode, encode
from spitnet.net.datagrams import Datagrams, Heard, SendRate
from spitnet.net.interfaces import address_of, broadcast_interfaces, is_loopback
from spitnet.net.tables import TableList
from spitnet.protocol import VERSION

LISTEN_S: Final = 1.0
"""An open table announces itself about once a second, and answers at once."""
_ASK_AT_S: Final = (0.0, 0.15, 0.5)
_PACE: Final = SendRate(64, 0.01)
"""As the finder's: a flood takes a tenth of a processor."""
_TUNNELS: Final = re.compile(
    r"(tun|tap|wg|utun|ppp|ipsec|tailscale|zt|nordlynx|proton|gpd|cscotun|vpn|warp)", re.IGNORECASE
)
_INNER: Final = re.compile(
    r"(docker|br-|veth|virbr|vmnet|vboxnet|lxc|lxd|podman|cni|vethernet|bridge)", re.IGNORECASE
)


def examined(only: str | None, port: int, match_port: int | None) -> Network:
    """Asks on every interface, or on `only`, and listens; `match_port`: the TCP port that a table would have.

    Raises:
        NetError: there is no such interface, or it is down.
    """
    address = address_of(only)
    asking = _Query(only, port, monotonic())
    try:
        asking.run()
        return Network(
            tuple(_described(only, asking)),
            port,
            asking.listener.held,
            asking.listener.troubles.get("bind", ""),
            _tcp_trouble(address, match_port),
            asking.tables.tables(monotonic()),
            asking.others_looking,
            asking.strange,
            LISTEN_S,
        )
    finally:
        asking.close()


class _Query:
    """The two sockets that a joiner has, and what they heard."""

    def __init__(self, only: str | None, port: int, now_s: float) -> None:
        self._port = port
        self._began_s = now_s
        self._left = list(_ASK_AT_S)
        self.asked = broadcast_interfaces(only)
        self.listener = Datagrams(port, only, now_s, shared=True)
        self.prober = Datagrams(0, only, now_s)
        self.tables = TableList()
        self.echoes: set[str] = set()
        self.troubles: dict[str, str] = {}
        self.others_looking = self.strange = 0

    @property
    def sockets(self) -> tuple[object, ...]:
        return (*self.listener.polled, *self.prober.polled)

    def next_deadline_s(self) -> float | None:
        times = (self.listener.next_deadline_s(), self.prober.next_deadline_s())
        asks = (self._began_s + at_s for at_s in self._left[:1])
        return min((one for one in (*times, *asks) if one is not None), default=None)

    def run(self) -> None:
        waiter, until_s = Loop(), self._began_s + LISTEN_S
        while (now_s := monotonic()) < until_s:
            self._ask(now_s)
            for source in (self.listener, self.prober):
                source.mend(now_s)
                for heard in source.receive(_PACE, now_s):
                    self._hear(heard, now_s)
            waiter.wait((self,), until_s, monotonic())

    def close(self) -> None:
        self.listener.close()
        self.prober.close()

    def _ask(self, now_s: float) -> None:
        if self._left and now_s >= self._began_s + self._left[0]:
            self._left.pop(0)
            self.prober.broadcast(encode(Probe(VERSION)), self._port, self.asked)
            self.troubles |= self.prober.troubles

    def _hear(self, heard: Heard, now_s: float) -> None:
        match decode(heard.data):
            case Announcement() as table:
                self.tables.hear(table, heard.address, now_s)
            case Probe() if heard.port == self.prober.port and self._is_here(heard.address):
                self.echoes.add(heard.address)
            case Probe():
                self.others_looking += 1
            case None:
                self.strange += 1
            case _:
                pass

    def _is_here(self, address: str) -> bool:
        return is_loopback(address) or any(one.address == address for one in self.asked)


def _described(only: str | None, asking: _Query) -> Iterable[InterfaceReport]:
    """Every interface, or `only`; those that were asked with what came of it."""
    stats = psutil.net_if_stats()
    asked = {one.address: one for one in asking.asked}
    for name, entries in psutil.net_if_addrs().items():
        addresses: list[str | None] = [
            one.address for one in entries if one.family == socket.AF_INET
        ]
        if only not in (None, name) and not any(address in asked for address in addresses):
            continue
        up = name in stats and stats[name].isup
        for address in addresses or [None]:
            kind = _kind(name, address, getattr(stats.get(name), "flags", ""))
            target = asked.get(address or "")
            if target is None:
                yield InterfaceReport(name, kind, up, address)
                continue
            trouble = asking.troubles.get(target.name, "")
            echoed = target.address in asking.echoes
            yield InterfaceReport(name, kind, up, address, target.broadcast, trouble, echoed)


def _kind(name: str, address: str | None, flags: str) -> FindingKind:
    if name == interfaces.LOOPBACK or "loopback" in flags or is_loopback(address or ""):
        return FindingKind.LOOPBACK
    if _INNER.match(name):
        return FindingKind.INNER
    return FindingKind.TUNNEL if _TUNNELS.match(name) or "pointopoint" in flags else FindingKind.LAN


def _tcp_trouble(address: str, port: int | None) -> str:
    """Why nobody could listen there, in the system's words; empty if somebody could."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
            trial.bind((address, port or 0))
            trial.listen(1)
    except OSError as error:
        return error.strerror or str(error)
    return ""
