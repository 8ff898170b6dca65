"""The ZeroMQ options of every socket that faces the network, each with its reason, and sending without blocking."""

import itertools
from collections.abc import Iterator
from typing import Final, cast

import zmq
from zmq.utils.monitor import recv_monitor_message

from spitnet.net.link import MAX_WIRE_BYTES, KeyPair

Context = zmq.Context[zmq.Socket[bytes]]
Socket = zmq.Socket[bytes]

_OPTIONS: tuple[tuple[int, int], ...] = (
    # The largest frame of the game is far below; the CURVE handshake needs 300 bytes and more.
    (zmq.MAXMSGSIZE, MAX_WIRE_BYTES),
    # Who connects and says nothing is dropped after 2 s instead of 30.
    (zmq.HANDSHAKE_IVL, 2000),
    # No heartbeats: libzmq 4.3.5 aborts (`!_io_error`) where its timer finds a connection that broke while more had come
    # by it than was read, so that any stranger could end this process. Who plays says something once a second anyway;
    # where that isn't acknowledged, the system gives the connection up and libzmq makes it anew.
    (zmq.TCP_MAXRT, 3000),
    # With 1, a joiner loses what the host sent just before it closed, goodbyes above all: measured, a quarter of them
    # when the reader is busy. That nothing waits for a connection that isn't there, `JoinLink.send` sees to.
    (zmq.IMMEDIATE, 0),
    # A few beats' worth. A peer that doesn't read can't make us keep more.
    (zmq.SNDHWM, 64),
    # No bound: libzmq 4.3.5 stops reading at it, and aborts (`!_io_error`) where a connection breaks then and a ping of the
    # peer's lies behind what it has read: any stranger could end this process. What waits for us is bounded by intake.py.
    (zmq.RCVHWM, 0),
    # Closing never waits unless `close` is asked to.
    (zmq.LINGER, 0),
    # A dropped link is back within 0.1 s of the network; a host that is away is tried once a second.
    (zmq.RECONNECT_IVL, 100),
    (zmq.RECONNECT_IVL_MAX, 1000),
    # A SYN that nobody answers (a sleeping laptop) is sent anew instead of waited for by the kernel's minutes.
    (zmq.CONNECT_TIMEOUT, 2000),
    (zmq.BACKLOG, 64),
)
# Events of one socket that nobody has read yet. Beyond, libzmq's own thread would wait for us.
_MOST_EVENTS = 10_000
# As flags, these would cost a third of what is done with them.
_READABLE: Final = int(zmq.POLLIN)
_NOW: Final = int(zmq.NOBLOCK)
_MORE: Final = int(zmq.SNDMORE)
_numbers = itertools.count()


def set_common(socket: Socket, keypair: KeyPair) -> None:
    """Set what both ends have in common."""
    for option, value in _OPTIONS:
        socket.setsockopt(option, value)
    socket.curve_publickey = keypair.public
    socket.curve_secretkey = keypair.secret


def send_within(socket: Socket, parts: list[bytes], wait_ms: int) -> bool:
    """Send, waiting for room that long where the peer reads slowly; False when it isn't there or doesn't read."""
    if send_now(socket, parts):
        return True
    if wait_ms == 0 or socket.closed:
        return False
    socket.setsockopt(zmq.SNDTIMEO, wait_ms)
    try:
        _send(socket, parts, 0)
    except zmq.ZMQError:
        return False
    return True


def send_now(socket: Socket, parts: list[bytes]) -> bool:
    """Send without blocking; False when the peer isn't there or doesn't read."""
    for _ in range(2):
        try:
            _send(socket, parts, _NOW)
        except zmq.ZMQError:
            # libzmq looks at what its own thread did only once in a while: have it look, then try once more.
            if socket.closed:
                return False
            socket.getsockopt(zmq.EVENTS)
        else:
            return True
    return False


def _send(socket: Socket, parts: list[bytes], flags: int) -> None:
    """As `send_multipart`, for half its price. Raises ZMQError."""
    for part in parts[:-1]:
        socket.send(part, flags | _MORE)
    socket.send(parts[-1], flags)


def has_more(socket: Socket) -> bool:
    """Whether a message can be received at once; a third of the price of trying."""
    return bool(cast(int, socket.getsockopt(zmq.EVENTS)) & _READABLE)


class Monitor:
    """What libzmq tells of a socket's connections."""

    def __init__(self, context: Context, socket: Socket, events: int) -> None:
        """Watch `socket` for the events of a bit set."""
        address = f"inproc://spitnet.monitor.{next(_numbers)}"
        socket.monitor(address, events)
        self._watched = socket
        self.socket = context.socket(zmq.PAIR)
        self.socket.setsockopt(zmq.RCVHWM, _MOST_EVENTS)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(address)

    def read(self, most: int) -> Iterator[tuple[zmq.Event, int]]:
        """Take events without blocking: what happened, and its value (a descriptor or a code)."""
        for _ in range(most):
            if not has_more(self.socket):
                return
            told = recv_monitor_message(self.socket, zmq.NOBLOCK)
            yield zmq.Event(told["event"]), int(told["value"])

    def discard(self) -> None:
        """Forget the events that nobody has read yet."""
        for _ in self.read(_MOST_EVENTS):
            pass

    def close(self) -> None:
        """Stop watching; before the watched socket is closed."""
        self._watched.disable_monitor()
        self.socket.close()
