"""The host's end of a link: a ROUTER that binds, and the gate in front of it.

While the table is open any key may knock, at a bounded rate. Once a key is seated, every other key's handshake is refused
and what others already connected send is dropped. A peer is its public key: frames are believed by the key that libzmq
authenticated, and only under the routing id that belongs to that key.
"""

import contextlib
import errno
import socket

import zmq

from spitnet.net.errors import CannotListen, PortTaken
from spitnet.net.interfaces import WILDCARD
from spitnet.net.limits import Allowance
from spitnet.net.link import Down, KeyPair, LinkEvent, Malformed, Received, Up, routing_id
from spitnet.net.options import Context, Monitor, has_more, send_now, set_common
from spitnet.net.zap import Verdict, ZapGate

_KNOCK_BURST, _KNOCKS_PER_S = (
    6,
    1.0,
)  # of one key: a reconnecting joiner knocks once a second at most
_ADDRESS_BURST, _ADDRESS_PER_S = (
    40,
    8.0,
)  # of one address, behind which there may be several joiners
_PORT_TRIES = 16
_WATCHED = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED


class HostLink:
    """Takes connections of joiners; never blocks."""

    def __init__(
        self,
        context: Context,
        keypair: KeyPair,
        address: str = WILDCARD,
        port: int | None = None,
        gate: ZapGate | None = None,
    ) -> None:
        """Listen at `address`; without a port, on one that is free for TCP and UDP.

        `gate`: that of another link of the same context, whose owner drains it.
        Raises: PortTaken, CannotListen.
        """
        self.gate = gate or ZapGate(context)
        self._owns_gate = gate is None
        self._domain = self.gate.guard(self._judge)
        self._router = context.socket(zmq.ROUTER)
        set_common(self._router, keypair)
        self._router.setsockopt(zmq.CURVE_SERVER, 1)
        self._router.setsockopt(zmq.ZAP_DOMAIN, self._domain)
        self._router.setsockopt(zmq.ROUTER_MANDATORY, 1)
        self._router.setsockopt(zmq.ROUTER_HANDOVER, 1)
        self._router.setsockopt(zmq.IPV6, int(":" in address))
        self._monitor = Monitor(context, self._router, _WATCHED)
        self._seated: bytes | None = None
        self._knocks = Allowance(_KNOCK_BURST, _KNOCKS_PER_S)
        self._addresses = Allowance(_ADDRESS_BURST, _ADDRESS_PER_S)
        self._owners: dict[
            int, bytes | None
        ] = {}  # live connections by descriptor; None: no frame came by it yet
        self._ended: list[
            bytes
        ] = []  # keys whose last connection ended, to be told after their frames
        try:
            self.port = self._bind(address, port)
        except BaseException:
            self.close()
            raise

    @property
    def sockets(self) -> tuple[object, ...]:
        """What to poll for reading."""
        own = (self._router, self._monitor.socket)
        return (*own, self.gate.socket) if self._owns_gate else own

    def next_deadline_s(self) -> None:
        """Nothing here happens by the clock."""

    def seat(self, key: bytes) -> None:
        """From now on hear this key only; all other knocks are refused."""
        self._seated = key

    def unseat(self) -> None:
        """Open the table again."""
        self._seated = None

    def send(self, key: bytes, frame: bytes) -> bool:
        """Send one frame now, to any key that is connected; False when it isn't, or doesn't read."""
        return send_now(self._router, [routing_id(key), frame])

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        """Take what happened: let in who knocks, then at most `most` frames; call again while poll says so.

        `Up` comes with the first frame of a connection, so a joiner has to speak first; before that, libzmq tells of a
        connection but not whose it is. `Down` comes when the last connection that frames of that key came by has ended;
        a connection that was replaced may end later and is not missed. Frames that came before the end are told
        before it. Both are hints: frames that are missed are
        found by the timers of the session.
        """
        if self._owns_gate:
            self.gate.drain(now_s)
        found: list[LinkEvent] = []
        self._watch()
        for _ in range(most):
            if not self._receive(found):
                break
        found += [Down(key) for key in self._ended]
        self._ended.clear()
        return found

    def close(self, linger_ms: int = 0) -> None:
        """Close, giving frames already sent at most `linger_ms` to leave."""
        if self._router.closed:
            return
        self._monitor.close()
        self._router.close(linger_ms)
        self.gate.drop(self._domain)
        if self._owns_gate:
            self.gate.close()

    def _judge(self, key: bytes, address: str, now_s: float) -> Verdict:
        """Decide about a knock."""
        if self._seated is not None:
            return Verdict.WELCOME if key == self._seated else Verdict.TAKEN
        allowed = self._addresses.take(address, now_s) and self._knocks.take(key, now_s)
        return Verdict.WELCOME if allowed else Verdict.LATER

    def _bind(self, address: str, port: int | None) -> int:
        """Bind the router and give the port."""
        host = f"[{address}]" if ":" in address else address
        for chosen in [port] if port else _free_ports(address):
            try:
                self._router.bind(f"tcp://{host}:{chosen}")
            except zmq.ZMQError as error:
                if error.errno != errno.EADDRINUSE:
                    raise CannotListen(f"{address}:{chosen}", str(error)) from None
            else:
                return chosen
        raise PortTaken(port or 0)

    def _receive(self, found: list[LinkEvent]) -> bool:
        """Take one message; False when there is none."""
        if not has_more(self._router):
            return False
        route = self._router.recv(zmq.NOBLOCK, copy=False)
        frame = last = self._router.recv(copy=False) if route.more else route
        while last.more:
            last = self._router.recv(copy=False)
        key = _key_of(frame)
        if key is None or (self._seated is not None and key != self._seated):
            return True
        if frame.more or route.bytes != routing_id(key):
            found.append(Malformed(key))
            return True
        self._note_owner(frame, key, found)
        found.append(Received(key, frame.bytes))
        return True

    def _note_owner(self, frame: zmq.Frame, key: bytes, found: list[LinkEvent]) -> None:
        """Learn whose connection a frame came by."""
        connection = _connection_of(frame)
        if connection not in self._owners:
            self._watch()
        if connection is None or self._owners.get(connection, key) == key:
            return
        news = key not in self._owners.values()
        self._owners[connection] = key
        if key in self._ended:
            self._ended.remove(key)
            found.append(Down(key))
        if news:
            found.append(Up(key))

    def _watch(self) -> None:
        """Learn which connections there are."""
        for event, connection in self._monitor.read(256):
            if event == zmq.EVENT_ACCEPTED:
                self._owners[connection] = None
            elif event == zmq.EVENT_DISCONNECTED:
                key = self._owners.pop(connection, None)
                if key is not None and key not in self._owners.values():
                    self._ended.append(key)


def _key_of(frame: zmq.Frame) -> bytes | None:
    """Read the authenticated key that libzmq attached to a frame."""
    with contextlib.suppress(zmq.ZMQError, ValueError):
        return bytes.fromhex(str(frame.get("User-Id")))
    return None


def _connection_of(frame: zmq.Frame) -> int | None:
    """Read the descriptor of the connection that a frame came by."""
    with contextlib.suppress(zmq.ZMQError, ValueError):
        return int(frame.get(zmq.SRCFD))
    return None


def _free_ports(address: str) -> list[int]:
    """Find some ports free for UDP, whose number discovery needs too; whether TCP has them free, bind tells."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    ports = []
    for _ in range(_PORT_TRIES):
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            try:
                trial.bind((address, 0))
            except OSError as error:
                raise CannotListen(address, error.strerror or str(error)) from None
            ports.append(trial.getsockname()[1])
    return ports
