"""Who may connect: the ZAP handler (ZeroMQ RFC 27), in the loop that polls everything else.

Until somebody drains the gate, handshakes wait.
"""

from collections.abc import Callable
from enum import IntEnum

import zmq

from spitnet.net.socket_options import Context, has_more

DOMAIN = b"spitnet"
_ENDPOINT = "inproc://zeromq.zap.01"
_VERSION = b"1.0"
_FRAMES = 7  # version, request, domain, address, routing id, mechanism, key


class Admission(IntEnum):
    """ZAP status codes. LATER: the peer is left waiting and tries again; TAKEN: it is told, and gives up."""

    WELCOME = 200
    LATER = 300
    TAKEN = 400


Judge = Callable[[bytes, str, float], Admission]
"""Decides about a public key (32 bytes) at an address, at a time."""


class ZapGate:
    """Answers the handshakes of a context's CURVE server as `judge` decides."""

    def __init__(self, context: Context, judge: Judge) -> None:
        """Take the context's only ZAP endpoint."""
        self.socket = context.socket(zmq.REP)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.bind(_ENDPOINT)
        self._judge = judge

    def drain(self, now_s: float, most: int = 64) -> None:
        """Decide about the handshakes that wait."""
        for _ in range(most):
            if not has_more(self.socket):
                return
            request = self.socket.recv_multipart(zmq.NOBLOCK)
            verdict, user = self._decide(request, now_s)
            number = request[1] if len(request) > 1 else b""
            code = str(verdict.value).encode()
            self.socket.send_multipart([_VERSION, number, code, verdict.name.encode(), user, b""])

    def close(self) -> None:
        """Give the endpoint back, at once: closing alone would do so some time later."""
        if not self.socket.closed:
            self.socket.unbind(_ENDPOINT)
        self.socket.close()

    def _decide(self, request: list[bytes], now_s: float) -> tuple[Admission, bytes]:
        """Decide about one request; the user id, which libzmq attaches to each message, is the key in hexadecimal."""
        if len(request) != _FRAMES or request[2] != DOMAIN or request[5] != b"CURVE":
            return Admission.TAKEN, b""
        key = request[6]
        verdict = self._judge(key, request[3].decode(errors="replace"), now_s)
        return verdict, key.hex().encode() if verdict is Admission.WELCOME else b""
