"""Both ends of the transport as WIRE.md says them (sections 2 and 3), for peers that may cheat.

What must not be here: what a frame means, and anything of spitnet's own code.
"""

import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import msgpack
import zmq
from support import second
from zmq.utils import z85

HERE = "127.0.0.1"
PATIENCE_S = 20.0
"""Generous: only a failing test waits so long."""
OFFER_MS = 10
LINGER_MS = 500
"""How long its last frames may take to leave."""

Context: TypeAlias = zmq.Context[zmq.Socket[bytes]]


def packed(*fields: Any) -> bytes:
    """One msgpack array."""
    return bytes(msgpack.packb(fields))


_PROBE = second.MAGIC + packed(1, 0, bytes(386))


class Keys(NamedTuple):
    """A CURVE key pair, raw."""

    public: bytes
    secret: bytes


def new_keys() -> Keys:
    """An identity of its own."""
    public, secret = zmq.curve_keypair()
    return Keys(z85.decode(public), z85.decode(secret))


class JoinerEnd:
    """A DEALER, at the table on this port."""

    def __init__(self, context: Context, keys: Keys, port: int) -> None:
        self.seat, self.keys, self.port = 1, keys, port
        self._context = context
        self.peer_key = key_at(port)
        self._socket = self._connected()

    def send(self, *parts: bytes) -> None:
        _send(self._socket, parts)

    def offer(self, frame: bytes) -> bool:
        """Sends it if there is room for it soon: who says too much loses its connection, and must wait for the next."""
        has_room = bool(self._socket.poll(OFFER_MS, zmq.POLLOUT))
        if has_room:
            self.send(frame)
        return has_room

    def receive(self, within_s: float) -> bytes | None:
        """The next frame."""
        if not self._socket.poll(max(0, round(within_s * 1000))):
            return None
        (frame,) = self._socket.recv_multipart()
        return frame

    def reconnect(self) -> None:
        """The link breaks and is made anew; what was on its way is gone."""
        self._socket.close(0)
        self._socket = self._connected()

    def close(self) -> None:
        self._socket.close(LINGER_MS)

    def _connected(self) -> "zmq.Socket[bytes]":
        dealer = self._context.socket(zmq.DEALER)
        _set_common(dealer, self.keys)
        dealer.setsockopt(zmq.CURVE_SERVERKEY, self.peer_key)
        dealer.connect(f"tcp://{HERE}:{self.port}")
        return dealer


class HostEnd:
    """A ROUTER, and the door that answers PROBE. It lets anybody in: no honest side can mind."""

    def __init__(self, context: Context, keys: Keys) -> None:
        self.seat, self.keys = 0, keys
        self._context = context
        self._door = free_door()
        self.port: int = self._door.getsockname()[1]
        self._socket = self._bound()
        self._route = self.peer_key = b""

    def send(self, *parts: bytes) -> None:
        _send(self._socket, (self._route, *parts))

    def receive(self, within_s: float) -> bytes | None:
        """The next frame; meanwhile whoever asks is told of the table."""
        end_s = time.monotonic() + within_s
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(self._door, zmq.POLLIN)
        while True:
            ready = dict(poller.poll(max(0, round((end_s - time.monotonic()) * 1000))))
            if self._door.fileno() in ready:
                self._tell()
            if self._socket in ready:
                route, frame = self._socket.recv_multipart(copy=False)
                self._route = route.bytes
                self.peer_key = z85.decode(str(frame.get("User-Id")))
                return frame.bytes
            if not ready:
                return None

    def reconnect(self) -> None:
        """As above; the joiner connects again by itself."""
        self._socket.close(0)
        self._socket = self._bound()

    def close(self) -> None:
        self._socket.close(LINGER_MS)
        self._door.close()

    def _bound(self) -> "zmq.Socket[bytes]":
        router = self._context.socket(zmq.ROUTER)
        _set_common(router, self.keys)
        router.setsockopt(zmq.CURVE_SERVER, 1)
        end_s = time.monotonic() + PATIENCE_S
        while True:  # a socket that was closed gives its port back some time later
            try:
                router.bind(f"tcp://{HERE}:{self.port}")
            except zmq.ZMQError:
                assert time.monotonic() < end_s, "the port stays taken"
            else:
                return router

    def _tell(self) -> None:
        _, asker = self._door.recvfrom(1024)
        table = (1, 1, self.keys.public[:16], self.port, self.keys.public, "Mallory", 0, 0)
        self._door.sendto(second.MAGIC + packed(*table), asker)


def _send(one: "zmq.Socket[bytes]", parts: Sequence[bytes]) -> None:
    """A million parts take a second; `send_multipart` takes ten."""
    *first, last = parts
    more = int(zmq.SNDMORE)
    for part in first:
        one.send(part, more)
    one.send(last)


def _set_common(one: "zmq.Socket[bytes]", keys: Keys) -> None:
    one.curve_publickey = keys.public
    one.curve_secretkey = keys.secret
    # No heartbeats of its own: with them libzmq 4.3 aborts the process when a connection ends in the middle of a flood.
    one.setsockopt(zmq.RCVHWM, 0)
    one.setsockopt(zmq.SNDTIMEO, round(PATIENCE_S * 1000))
    one.setsockopt(zmq.RECONNECT_IVL, 10)
    one.setsockopt(zmq.LINGER, 0)


def free_door() -> socket.socket:
    """A UDP socket whose port is free for TCP too."""
    for _ in range(16):
        door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        door.bind((HERE, 0))
        with suppress(OSError), socket.create_server(door.getsockname()):
            return door
        door.close()
    raise AssertionError("no port is free for both")


def key_at(port: int) -> bytes:
    """The key of the table on this port, by PROBE."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(0.2)
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            asker.sendto(_PROBE, (HERE, port))
            with suppress(TimeoutError):
                found = second.beacon_of(asker.recv(1024))
                if found is not None:
                    return bytes.fromhex(found[4])
    raise AssertionError(f"no table at {port}")
