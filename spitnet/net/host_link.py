"""The host's end of a link: a ROUTER that binds, and the gate in front of it.

While the table is open any key may knock, at a bounded rate. Once a key is seated, every other key's handshake is refused,
what others already connected send is dropped, and their connections are ended. A peer is its public key, which
libzmq authenticated, and is spoken to by the connection that it came by last. How much anybody may make us hold is
connections.py's.
"""

import errno
import socket

import zmq

from spitnet.net.connections import Connections
from spitnet.net.errors import CannotListen, PortTaken
from spitnet.net.interfaces import WILDCARD
from spitnet.net.link import BadMessage, Down, KeyPair, LinkEvent, Received, Up
from spitnet.net.socket_options import Context, Monitor, has_more, send_within, set_common
from spitnet.net.zap import DOMAIN, Admission, ZapGate
from spitnet.protocol.limits import Allowance, Rate

_KEY_RATE = Rate(6, 1)  # a reconnecting joiner knocks once a second at most
_ADDRESS_RATE = Rate(40, 8)  # there may be several joiners behind one
_SEAT_RATE = Rate(40, 10)  # whose libzmq knocks every 0.1 s at most is let in each time
_PORT_TRIES = 16
_MOST_ADDRESSES = 64  # that one interface may have had while a link listens there
_MOST_NEWS = 32  # of connections, in one go: strangers make as much of it as they like
_LOOK_ASIDE_S = 0.05  # however many frames there are
_MOST_PARTS = 256  # of a message that is none of ours, thrown away in one go
_FIRST_PORT = 49152  # the first of those that nobody is given for good (RFC 6335)
_WATCHED = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED


class HostLink:
    """Takes connections of joiners; never blocks."""

    def __init__(
        self,
        context: Context,
        keypair: KeyPair,
        address: str = WILDCARD,
        port: int | None = None,
    ) -> None:
        """Listen at `address`; without a port, on one that is free for TCP and UDP.

        Raises: PortTaken, CannotListen.
        """
        self._gate = ZapGate(context, self._judge)
        self._router = context.socket(zmq.ROUTER)
        set_common(self._router, keypair)
        self._router.setsockopt(zmq.CURVE_SERVER, 1)
        self._router.setsockopt(zmq.ZAP_DOMAIN, DOMAIN)
        # Without it, libzmq lets everybody in where no gate answers: while we close, for one.
        self._router.setsockopt(zmq.ZAP_ENFORCE_DOMAIN, 1)
        self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._router.setsockopt(zmq.IPV6, int(":" in address))
        self._monitor = Monitor(context, self._router, _WATCHED)
        self._seated: bytes | None = None
        self._knocks = Allowance(_KEY_RATE)
        self._addresses = Allowance(_ADDRESS_RATE)
        self._reconnects = Allowance(_SEAT_RATE, most=1)
        # What libzmq calls the connection that a key speaks by. It chooses that itself: to a name of the peer's choice any
        # other may lay claim, and libzmq 4.3.5 never closes a connection that lost its name so.
        self._routes: dict[bytes, bytes] = {}
        self._connections = Connections()
        self._look_at_s = 0.0
        self._discarding = False  # the rest of a message that is none of ours
        self._listening: set[str] = set()
        self._is_there = False  # a message, as was seen; to look again costs as much as to take it
        # Keys whose last connection ended, to be told after their frames.
        self._ended: list[bytes] = []
        try:
            self.port = self._bind(address, [port] if port else _ports(address, keypair.public))
        except BaseException:
            self.close()
            raise

    @property
    def sockets(self) -> tuple[object, ...]:
        """What to poll for reading."""
        return (self._router, self._monitor.socket, self._gate.socket)

    def next_deadline_s(self) -> float | None:
        """When `events` has to look whether somebody stuffs us; never, while nobody is connected."""
        return self._connections.check_at_s if len(self._connections) else None

    def follow(self, address: str) -> None:
        """Listen at another address of this machine too, at the same port.

        Not instead of the one before, which the machine has lost: libzmq ends the connections of an endpoint that it leaves
        without telling of them.

        Raises: CannotListen, PortTaken.
        """
        if address not in self._listening and len(self._listening) < _MOST_ADDRESSES:
            self._bind(address, [self.port])

    def seat(self, key: bytes) -> None:
        """From now on hear this key only; all other knocks are refused, and others' connections soon end."""
        self._seated = self._connections.seated = key

    def send(self, key: bytes, frame: bytes, wait_ms: int = 0) -> bool:
        """Send one frame to any key that is connected; False when it isn't, or doesn't read.

        `wait_ms`: how long to wait where it has yet to read what was sent before.
        """
        route = self._routes.get(key)
        return route is not None and send_within(self._router, [route, frame], wait_ms)

    def round_trip_s(self, key: bytes) -> float | None:
        """The least to that key by its present connection, as the system knows it; None where it doesn't tell."""
        return self._connections.round_trip_s(key)

    def has_frame(self) -> bool:
        """Whether one can be taken at once; it may be a stranger's."""
        self._is_there = has_more(self._router)
        return self._is_there

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        """Take what happened: let in who knocks, then at most `most` frames; call again while poll says so.

        Once a key is seated, nothing is told of others. `Up` comes with the first frame of a connection, so a joiner has to
        speak first; before that, libzmq tells of a connection but not whose it is. `Down` comes when the last connection
        that frames of that key came by has ended; frames that came before the end are told before it. Both are hints:
        frames that are missed are found by the timers of the session. `BadMessage` is told too when much comes and never is
        a whole frame.
        """
        found: list[LinkEvent] = []
        for _ in range(most):
            if not self._receive(found, now_s):
                break
        # Frames first: who waits for an answer needn't wait for strangers.
        if not found or now_s >= self._look_at_s:
            self._look_aside(found, now_s)
        return found

    def close(self, linger_ms: int = 0) -> None:
        """Close, giving frames already sent at most `linger_ms` to leave."""
        if self._router.closed:
            return
        self._monitor.close()
        self._router.close(linger_ms)
        self._gate.close()

    def _look_aside(self, found: list[LinkEvent], now_s: float) -> None:
        """Let in who knocks, and see to the connections."""
        self._look_at_s = now_s + _LOOK_ASIDE_S
        self._gate.drain(now_s)
        self._watch(now_s, _MOST_NEWS)
        stuffed = now_s >= self._connections.check_at_s and self._connections.check(now_s)
        if stuffed and self._seated is not None:
            found.append(BadMessage(self._seated))
        if self._ended and not has_more(self._router):  # no frame of theirs is left
            found += [Down(key) for key in self._ended if self._seated in (None, key)]
            self._ended.clear()

    def _judge(self, key: bytes, address: str, now_s: float) -> Admission:
        """Decide about a knock."""
        if self._seated is not None and key != self._seated:
            return Admission.TAKEN
        if self._seated is not None:
            return Admission.WELCOME if self._reconnects.take(key, now_s) else Admission.LATER
        allowed = self._addresses.take(address, now_s) and self._knocks.take(key, now_s)
        return Admission.WELCOME if allowed else Admission.LATER

    def _bind(self, address: str, ports: list[int]) -> int:
        """Bind the router to the first of these ports that is free, and give it."""
        host = f"[{address}]" if ":" in address else address
        for chosen in ports:
            try:
                self._router.bind(f"tcp://{host}:{chosen}")
            except zmq.ZMQError as error:
                if error.errno != errno.EADDRINUSE:
                    raise CannotListen(f"{address}:{chosen}", str(error)) from None
            else:
                self._listening.add(address)
                return chosen
        raise PortTaken(ports[-1])

    def _receive(self, found: list[LinkEvent], now_s: float) -> bool:
        """Take one message; False when there is none."""
        if self._discarding:
            self._discard()
            return True
        if not (self._is_there or has_more(self._router)):
            return False
        self._is_there = False
        try:
            route = self._router.recv(zmq.NOBLOCK, copy=False)
        except zmq.Again:  # it went with its connection
            return False
        frame = self._router.recv(copy=False) if route.more else route
        self._discarding = frame.more
        key, connection = _key_of(frame), _connection_of(frame)
        if key is None or (self._seated is not None and key != self._seated):
            return True
        # It is new, or its number has become another's.
        if not self._connections.stands(connection):
            self._watch(now_s, 10 * _MOST_NEWS)
        if self._connections.has_ended(connection):
            return True
        if frame.more:
            self._connections.malformed(connection)
            found.append(BadMessage(key))
            return True
        data = frame.bytes
        self._note_owner(connection, key, len(data), found)
        # What is still to be read of a connection that is gone must leave nothing behind.
        if connection < 0 or self._connections.stands(connection):
            self._routes[key] = route.bytes
        address = "" if self._seated is not None else _address_of(frame)
        found.append(Received(key, data, address))
        return True

    def _discard(self) -> None:
        """Throw away more of a message that is none of ours; all of it would take seconds, if somebody wants that."""
        for _ in range(_MOST_PARTS):
            self._discarding = self._router.recv(copy=False).more
            if not self._discarding:
                break

    def _note_owner(self, connection: int, key: bytes, size: int, found: list[LinkEvent]) -> None:
        """Learn whose connection a frame of that many bytes came by."""
        news = self._connections.frame(connection, key, size)
        if news and key in self._ended:
            self._ended.remove(key)
            found.append(Down(key))
        if news:
            found.append(Up(key))

    def _watch(self, now_s: float, most: int) -> None:
        """Learn which connections there are."""
        for event, connection in self._monitor.read(most):
            if event == zmq.EVENT_ACCEPTED:
                self._connections.opened(connection, now_s)
            elif event == zmq.EVENT_DISCONNECTED:
                key = self._connections.closed(connection)
                if key is not None:
                    self._ended.append(key)
                    self._routes.pop(key, None)


def _key_of(frame: zmq.Frame) -> bytes | None:
    """Read the authenticated key that libzmq attached to a frame."""
    try:
        return bytes.fromhex(str(frame.get("User-Id")))
    except (zmq.ZMQError, ValueError):
        return None


def _connection_of(frame: zmq.Frame) -> int:
    """Read the descriptor of the connection that a frame came by; -1, which is none, where libzmq doesn't say."""
    try:
        return int(frame.get(zmq.SRCFD))
    except (zmq.ZMQError, ValueError):
        return -1


def _address_of(frame: zmq.Frame) -> str:
    """Read the numeric address that a frame came from; empty where libzmq doesn't say."""
    try:
        return str(frame.get("Peer-Address"))
    except (zmq.ZMQError, ValueError):
        return ""


def _ports(address: str, key: bytes) -> list[int]:
    """Find some ports free for UDP, whose number discovery needs too; whether TCP has them free, bind tells.

    First the key's own, so that a host that comes back is where its opponent saw it last.
    """
    own = _FIRST_PORT + int.from_bytes(key[:2], "big") % (2**16 - _FIRST_PORT)
    found = []
    for wanted in (own, *(0,) * _PORT_TRIES):
        try:
            found.append(_free_port(address, wanted))
        except OSError as error:
            if not wanted:
                raise CannotListen(address, error.strerror or str(error)) from None
    return found


def _free_port(address: str, wanted: int) -> int:
    """Give that port if it is free for UDP, any free one for 0. Raises OSError: it isn't."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        trial.bind((address, wanted))
        port: int = trial.getsockname()[1]
        return port
