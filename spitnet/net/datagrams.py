"""One UDP socket that outlives sleep, flapping interfaces and Windows: it is rebound for ever, and never raises.

Keeps to one interface when told to. On Linux each datagram names the interface that it leaves by, and tells the one that
it came by (IP_PKTINFO, which needs no privilege and, other than SO_BINDTODEVICE, still reaches a second process of this
machine). Elsewhere the address that a socket is bound to, and the source's address, have to do.

A flood is read at a bounded pace, so that it takes a bounded part of this machine's time; the system drops the rest.
"""

import contextlib
import errno
import socket
import struct
import sys
from collections.abc import Iterable
from math import inf
from typing import NamedTuple

from spitnet.net.beacon import DATAGRAM_BYTES
from spitnet.net.errors import NetError
from spitnet.net.interfaces import (
    LOOPBACK,
    WILDCARD,
    Interface,
    address_of,
    broadcast_interfaces,
    index_of,
    is_loopback,
)

_LINUX = sys.platform == "linux"
_IP_PKTINFO = 8  # Linux's number, which the socket module of Python 3.11 does not name.
_PKTINFO = struct.Struct("=I4s4s")  # interface, local address, destination of the datagram
_FIRST_BACKOFF_S = 0.1
_LAST_BACKOFF_S = 5.0
_MOST_TROUBLES = 32
READ_EVERY_S = 3.0  # measured: reading the interfaces takes up to 20 ms of processor time after a second of rest
# After these the socket itself is as good as before. Everything else but "nothing there" makes a new one.
_HARMLESS = frozenset(
    (
        errno.ECONNREFUSED,
        errno.ECONNRESET,
        errno.EMSGSIZE,
        errno.EINTR,
        errno.ENETUNREACH,
        errno.EHOSTUNREACH,
        errno.ENETDOWN,
        errno.EHOSTDOWN,
        errno.EPERM,
        errno.EACCES,
        errno.EADDRNOTAVAIL,
        errno.ENOBUFS,
        errno.EINVAL,
        errno.ENODEV,
        errno.ENXIO,
        # Windows' own: 10013 forbidden, 10040 too long, 10049 no such address, 10050 to 10055 unreachable, reset, no room.
        *(10013, 10040, 10049, 10050, 10051, 10052, 10054, 10055, 10065),
    )
)
_NOTHING = frozenset((errno.EAGAIN, errno.EWOULDBLOCK))


class SendRate(NamedTuple):
    """How many datagrams are looked at in one go, and how long the socket rests where there were as many."""

    most: int
    rest_s: float


class Heard(NamedTuple):
    """A datagram, who sent it, and the local address that it reached ('' when unknown)."""

    data: bytes
    address: str
    port: int
    reached: str


class Datagrams:
    """A UDP socket on `port` (0: any) that rebinds itself; `shared` lets other processes listen on the port too."""

    def __init__(self, port: int, only: str | None, now_s: float, *, shared: bool = False) -> None:
        """Bind; on failure try again later. `held` says that another program has the port."""
        self.socket: socket.socket | None = None
        self.held = False
        self.troubles: dict[str, str] = {}
        self._port = port
        self._only = only
        self._shared = shared
        self._loopback = only == LOOPBACK
        self._broken = False
        self._backoff_s = _FIRST_BACKOFF_S
        self._retry_at_s = now_s
        self._resting = False
        self._rests_until_s = now_s
        self.mend(now_s)

    @property
    def polled(self) -> tuple[object, ...]:
        """What to poll for reading: nothing while the socket rests or is missing."""
        return () if self.socket is None or self._resting else (self.socket,)

    @property
    def port(self) -> int:
        """The port that the socket has, or wants."""
        return self.socket.getsockname()[1] if self.socket else self._port

    def next_deadline_s(self) -> float | None:
        """When `mend` has something to do; None while all is well."""
        if self._broken:
            return 0.0
        if self.socket is None:
            return self._retry_at_s
        return self._rests_until_s if self._resting else None

    def mend(self, now_s: float) -> None:
        """Replace a broken socket, or try again to bind one, ever less often up to every five seconds; end a rest."""
        self._resting = self._resting and now_s < self._rests_until_s
        if self._broken:
            self.close()
            self._wait(now_s)
        if self.socket is not None or now_s < self._retry_at_s:
            return
        try:
            self.socket = self._open()
        except (OSError, NetError) as error:
            self.held = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
            self._note("bind", error)
            self._wait(now_s)
        else:
            self.held = False
            self.troubles.pop("bind", None)

    def receive(self, pace: SendRate, now_s: float) -> list[Heard]:
        """Take what has arrived, those of other interfaces left out, and no more than the pace allows."""
        heard: list[Heard] = []
        if self._resting and now_s < self._rests_until_s:
            return heard
        pinned = index_of(self._only)
        for _ in range(pace.most):
            if self.socket is None or self._broken:
                return heard
            try:
                one, index = self._receive_one(self.socket)
            except OSError as error:
                if error.errno in _NOTHING:
                    return heard
                self._judge("receive", error)
                continue
            self._backoff_s = _FIRST_BACKOFF_S
            if len(one.data) <= DATAGRAM_BYTES and self._ours(one.address, index, pinned):
                heard.append(one)
        self._resting = True
        self._rests_until_s = now_s + pace.rest_s
        return heard

    def broadcast(self, data: bytes, port: int, interfaces: Iterable[Interface]) -> None:
        """Send to all neighbours on each interface; one that fails stops no other."""
        for interface in interfaces:
            to = (interface.broadcast, port)
            self._send(data, to, interface.index, "", interface.name)

    def send(self, data: bytes, address: str, port: int) -> None:
        """Send to one numeric address."""
        index = index_of(self._only) or 0
        self._send(data, (address, port), index, "", address)

    def answer(self, heard: Heard, data: bytes) -> None:
        """Send back to where a datagram came from, from the very address that it reached."""
        index = index_of(self._only) or 0
        self._send(data, (heard.address, heard.port), index, heard.reached, "answers")

    def close(self) -> None:
        """Close the socket; `mend` would open it again."""
        if self.socket is not None:
            self.socket.close()
        self.socket = None
        self._broken = False
        self._resting = False

    def _open(self) -> socket.socket:
        address = WILDCARD  # A listener bound to one address hears no broadcast.
        if self._only is not None and not _LINUX:
            own = address_of(self._only)
            self._loopback = is_loopback(own)
            address = address if self._shared else own
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            made.settimeout(0)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            if self._shared:
                for name in ("SO_REUSEADDR", "SO_REUSEPORT"):
                    if hasattr(socket, name):
                        made.setsockopt(socket.SOL_SOCKET, getattr(socket, name), 1)
            if _LINUX:
                made.setsockopt(socket.IPPROTO_IP, _IP_PKTINFO, 1)
            made.bind((address, self._port))
        except BaseException:
            made.close()
            raise
        return made

    def _receive_one(self, source: socket.socket) -> tuple[Heard, int]:
        """Take one datagram and the number of the interface that it came by (0: unknown)."""
        if not _LINUX:
            data, (address, port) = source.recvfrom(4 * DATAGRAM_BYTES)
            return Heard(data, address, port, ""), 0
        data, extras, _, (address, port) = source.recvmsg(DATAGRAM_BYTES + 1, 128)
        for level, kind, content in extras:
            if level == socket.IPPROTO_IP and kind == _IP_PKTINFO:
                index, reached, _destination = _PKTINFO.unpack(content[: _PKTINFO.size])
                return Heard(data, address, port, socket.inet_ntoa(reached)), index
        return Heard(data, address, port, ""), 0

    def _ours(self, source: str, index: int, pinned: int | None) -> bool:
        """Whether a datagram came by the interface that we keep to."""
        if self._only is None:
            return True
        return is_loopback(source) == self._loopback and (not _LINUX or index == pinned)

    def _send(self, data: bytes, to: tuple[str, int], index: int, source: str, label: str) -> None:
        if self.socket is None or self._broken:
            return
        if _LINUX and self._only is not None and not index:
            return  # The interface is not there; the routing table would choose another.
        try:
            if _LINUX and (index or source):
                local = socket.inet_aton(source or WILDCARD)
                info = _PKTINFO.pack(index, local, bytes(4))
                self.socket.sendmsg([data], [(socket.IPPROTO_IP, _IP_PKTINFO, info)], 0, to)
            else:
                self.socket.sendto(data, to)
        except OSError as error:
            if error.errno not in _NOTHING:
                self._judge(label, error)
        else:
            self._backoff_s = _FIRST_BACKOFF_S
            self.troubles.pop(label, None)

    def _judge(self, label: str, error: OSError) -> None:
        """Note an error; none is fatal, but some socket is not worth keeping."""
        self._note(label, error)
        self._broken = error.errno not in _HARMLESS

    def _note(self, label: str, error: Exception) -> None:
        name = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
        self.troubles.pop(label, None)
        self.troubles[label] = f"{name} {error}".strip()
        while len(self.troubles) > _MOST_TROUBLES:
            del self.troubles[next(iter(self.troubles))]

    def _wait(self, now_s: float) -> None:
        self._retry_at_s = now_s + self._backoff_s
        self._backoff_s = min(_LAST_BACKOFF_S, 2 * self._backoff_s)


class Surroundings:
    """The interfaces as they were a moment ago."""

    def __init__(self, only: str | None) -> None:
        self.known: tuple[Interface, ...] = ()
        """As they were read last; none when the one that we keep to wasn't there."""
        self._only = only
        self._read_s = -inf

    def now(self, now_s: float, every_s: float = READ_EVERY_S) -> tuple[Interface, ...]:
        """List them, read anew if that was so long ago, or if there was none."""
        if not self.known or now_s >= self._read_s + every_s:
            self._read_s = now_s
            self.known = ()
            with contextlib.suppress(NetError, OSError):
                self.known = broadcast_interfaces(self._only)
        return self.known
