"""The joiner's end of a link: a DEALER that connects, and connects again for ever until the host refuses it."""

import contextlib

import zmq

from spitnet.net.errors import BadAddress
from spitnet.net.intake import CHECK_S, OPPONENT_BYTES, Intake
from spitnet.net.interfaces import WILDCARD
from spitnet.net.link import (
    BadMessage,
    Down,
    Failed,
    KeyPair,
    LinkEvent,
    LinkFailure,
    Received,
    Refused,
    Up,
)
from spitnet.net.socket_options import Context, Monitor, has_more, send_within, set_common

_LOOK_ASIDE_S = 0.05  # however many frames there are
_MOST_PARTS = 256  # of a message that is none of ours, thrown away in one go
_WATCHED = (
    zmq.EVENT_CONNECTED
    | zmq.EVENT_CLOSED
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
)


class JoinLink:
    """Keeps a connection to the host of one table; never blocks."""

    def __init__(
        self,
        context: Context,
        keypair: KeyPair,
        server_key: bytes,
        host: str | None,
        port: int | None,
        source: str = WILDCARD,
    ) -> None:
        """Connect to `host`, by way of the local address `source` (what `address_of(only)` gives).

        Where the host isn't known yet, `redirect` connects once it is.

        Raises: BadAddress.
        """
        self._server_key = server_key
        self._source = source
        self._dealer = context.socket(zmq.DEALER)
        set_common(self._dealer, keypair)
        self._dealer.setsockopt(zmq.CURVE_SERVERKEY, server_key)
        self._monitor = Monitor(context, self._dealer, _WATCHED)
        self._endpoint = ""
        self._connection: int | None = None
        self._intake: Intake | None = None
        self._look_at_s = 0.0
        self._check_at_s = 0.0
        self._discarding = False  # the rest of a message that is none of ours
        self._is_there = False  # a message, as was seen; to look again costs as much as to take it
        self._up = False
        self._ended = False  # not told yet
        try:
            if host is not None and port is not None:
                self.redirect(host, port)
        except BaseException:
            self.close()
            raise

    @property
    def sockets(self) -> tuple[object, ...]:
        """What to poll for reading."""
        return (self._dealer, self._monitor.socket)

    @property
    def up(self) -> bool:
        """Whether the link stands, as far as events have told."""
        return self._up

    def next_deadline_s(self) -> float | None:
        """When `events` has to look whether the host stuffs us. libzmq reconnects by itself."""
        return self._check_at_s if self._intake is not None else None

    def redirect(self, host: str, port: int, source: str | None = None) -> None:
        """Leave the present address for another, or try the same one anew; no `Down` is told.

        The same one: after a refusal, and when frames go unanswered though the link seems up. A host that heard another
        process under our key has forgotten this connection, and libzmq keeps it alive without telling.
        Raises: BadAddress.
        """
        if self._endpoint:
            with contextlib.suppress(zmq.ZMQError):  # After a refusal libzmq has left it already.
                self._dealer.disconnect(self._endpoint)
            # Events don't tell old from new: libzmq writes the endpoint of a reconnect differently.
            self._monitor.discard()
            self._connection = None
            self._intake = None
            self._up = self._ended = False
        self._source = source or self._source
        self._endpoint = _endpoint(host, port, self._source)
        self._dealer.setsockopt(zmq.IPV6, int(":" in host))
        try:
            self._dealer.connect(self._endpoint)
        except zmq.ZMQError:
            raise BadAddress(f"{host}:{port}") from None

    def send(self, frame: bytes, wait_ms: int = 0) -> bool:
        """Send one frame; False when the link isn't up, as far as events have told, or the host doesn't read.

        `wait_ms`: how long to wait where it has yet to read what was sent before.
        What is sent in the moment between a connection's end and its `Down` may arrive by the next connection.
        """
        return self._up and send_within(self._dealer, [frame], wait_ms)

    @property
    def round_trip_s(self) -> float | None:
        """The least by the present connection, as the system knows it; None where it doesn't tell."""
        return None if self._intake is None else self._intake.round_trip_s

    def has_frame(self) -> bool:
        """Whether one can be taken at once."""
        self._is_there = has_more(self._dealer)
        return self._is_there

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        """Take what happened: at most `most` frames; call again while poll says so.

        `Down` is a hint, told after the frames that came before it; a link may also be dead without it.
        """
        found: list[LinkEvent] = []
        for _ in range(most if self._up else 0):
            if not self._receive(found):
                break
        if not found or now_s >= self._look_at_s:
            self._look_at_s = now_s + _LOOK_ASIDE_S
            for event, value in self._monitor.read(256):
                self._tell(event, value, found, now_s)
            self._check(found, now_s)
        if self._ended and not has_more(self._dealer):  # no frame of it is left
            self._end(found)
        return found

    def close(self, linger_ms: int = 0) -> None:
        """Close, giving frames already sent at most `linger_ms` to leave."""
        if self._dealer.closed:
            return
        self._monitor.close()
        self._dealer.close(linger_ms)

    def _receive(self, found: list[LinkEvent]) -> bool:
        """Take one message; False when there is none."""
        if self._discarding:
            self._discard()
            return True
        if not (self._is_there or has_more(self._dealer)):
            return False
        self._is_there = False
        try:
            frame = self._dealer.recv(zmq.NOBLOCK, copy=False)
        except zmq.Again:  # it went with its connection
            return False
        self._discarding = frame.more
        if frame.more:
            found.append(BadMessage(self._server_key))
            return True
        data = frame.bytes
        if self._intake is not None:
            self._intake.frame(len(data))
        found.append(Received(self._server_key, data))
        return True

    def _discard(self) -> None:
        """Throw away more of a message that is none of ours; all of it would take seconds, if the host wants that."""
        for _ in range(_MOST_PARTS):
            self._discarding = self._dealer.recv(copy=False).more
            if not self._discarding:
                break

    def _check(self, found: list[LinkEvent], now_s: float) -> None:
        """End a connection by which much comes that never is a whole frame."""
        if now_s < self._check_at_s:
            return
        self._check_at_s = now_s + CHECK_S
        if self._intake is not None and self._intake.stuffs(OPPONENT_BYTES, now_s):
            self._intake.cut()
            self._intake = None
            found.append(BadMessage(self._server_key))

    def _tell(self, event: zmq.Event, value: int, found: list[LinkEvent], now_s: float) -> None:
        """Put into our words what libzmq tells."""
        match event:
            case zmq.Event.CONNECTED:
                self._connection = value
                self._intake = Intake(value, now_s)
            case zmq.Event.HANDSHAKE_SUCCEEDED:
                self._end(found)
                self._up = True
                found.append(Up(self._server_key))
            case zmq.Event.HANDSHAKE_FAILED_AUTH:
                found.append(Refused(value))
            case zmq.Event.CLOSED:
                found.append(Failed(LinkFailure.UNREACHABLE))
            case zmq.Event.HANDSHAKE_FAILED_PROTOCOL | zmq.Event.HANDSHAKE_FAILED_NO_DETAIL:
                found.append(Failed(LinkFailure.NOT_A_TABLE))
            case zmq.Event.DISCONNECTED if value == self._connection and self._up:
                self._ended = True

    def _end(self, found: list[LinkEvent]) -> None:
        """Tell that the connection has ended, if it has."""
        if self._ended:
            self._ended = self._up = False
            found.append(Down(self._server_key))


def _endpoint(host: str, port: int, source: str) -> str:
    """Write a ZeroMQ endpoint, with the local address to leave from where it matters."""
    remote = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"tcp://{remote}" if source == WILDCARD else f"tcp://{source}:0;{remote}"
