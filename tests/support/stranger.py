"""A third machine that does its worst to a table, in rounds: other protocols, half handshakes, ever new keys, replayed bytes.

    stranger.py HOST PORT KEY OPTIONS    as a program, for namespaces: rounds until a word comes, each told as JSON

KEY is the host's, in hexadecimal; OPTIONS a JSON object: seated (the key of who has the seat), frames (to send in its name).
"""

import contextlib
import json
import os
import random
import select
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable

import zmq
from support.waiting import Party, step, until

from spitnet.net.join_link import JoinLink
from spitnet.net.link import Received, Refused, Up, new_keypair
from spitnet.net.socket_options import Context, set_common
from spitnet.protocol.handshake import Visitor

GREETING = b"\xff\0\0\0\0\0\0\0\1\x7f\3\1"
"""How every ZMTP connection begins, up to its mechanism."""
_SLOW = 40
_MECHANISMS = (b"CURVE", b"NULL", b"PLAIN", b"GSSAPI", b"\xff" * 20)


class Stranger:
    """Somebody at an address of this machine who knows where a table is, and its key."""

    def __init__(self, host: str, port: int, key: bytes, source: str = "0.0.0.0") -> None:
        self.counts: Counter[str] = Counter()
        """How often each thing was done, and what came of knocks."""
        self._place = (host, port)
        self._endpoint = f"tcp://{source}:0;{host}:{port}"
        self._source = source
        self._key = key
        self._chance = random.Random(1)
        self._context: Context = zmq.Context()
        self._slow: list[socket.socket] = []
        self._stubborn: list[zmq.Socket[bytes]] = []

    def speak_other_protocols(self, times: int = 10) -> None:
        """Raw TCP: web browsers, random bytes, ZMTP of every mechanism that stops or goes on with rubbish."""
        for _ in range(times):
            junk = self._chance.randbytes(self._chance.randrange(1, 4000))
            mechanism = self._chance.choice(_MECHANISMS).ljust(20, b"\0")
            said = self._chance.choice(
                (
                    b"GET / HTTP/1.1\r\nHost: table\r\n\r\n",
                    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + junk,
                    junk,
                    GREETING + mechanism + bytes(32) + junk,
                    GREETING + mechanism + bytes(32) + b"\x04\x26\x05READY" + junk,
                    (GREETING + b"CURVE".ljust(20, b"\0") + bytes(32))[
                        : self._chance.randrange(64)
                    ],
                    b"\xff" + b"\xff" * 8 + b"\x7f",
                )
            )
            self.say(said, "other protocol")

    def say(self, data: bytes, what: str) -> None:
        """Connect, send bytes, go."""
        with (
            contextlib.suppress(OSError),
            self._connection() as stream,
        ):
            self.counts[what] += 1
            stream.sendall(data)

    def replay(self, captured: bytes, times: int = 10) -> None:
        """Send what a client once sent, as a whole or cut short."""
        for number in range(times):
            end = len(captured) if number % 2 else self._chance.randrange(1, len(captured))
            self.say(captured[:end], "replay")

    def dawdle(self) -> None:
        """Hold connections open, a byte of a handshake now and then."""
        for stream in self._slow:
            with contextlib.suppress(OSError):
                stream.send(GREETING[:1])
        with contextlib.suppress(OSError):
            self._slow.append(self._connection())
            self.counts["slow"] += 1
        if len(self._slow) > _SLOW:
            self._slow.pop(0).close()

    def knock(self, times: int = 10, frames: tuple[bytes, ...] = (b"\xff",)) -> None:
        """As many knocks at once, each with a fresh key; frames for whoever lets us in."""
        links = [
            JoinLink(self._context, new_keypair(), self._key, *self._place, self._source)
            for _ in range(times)
        ]
        told: dict[JoinLink, str] = {}

        def hear(link: JoinLink, now_s: float) -> None:
            for event in link.events(now_s):
                match event:
                    case Up():
                        for frame in frames:
                            link.send(frame)
                        told[link] = "let in"
                    case Refused():
                        told[link] = "refused"
                    case Received():
                        told[link] = "answered"

        def hearing(link: JoinLink) -> Callable[[float], None]:
            return lambda now_s: hear(link, now_s)

        with contextlib.suppress(AssertionError):  # put off: there were too many
            until(lambda: len(told) == len(links), {link: hearing(link) for link in links}, 1.0)
        for link in links:
            self.counts[told.get(link, "put off")] += 1
            link.close()

    def be_stubborn(self, seated: bytes | None, frames: tuple[bytes, ...] = ()) -> None:
        """Sockets that libzmq connects again a thousand times a second: no encryption, a password, another's identity."""
        for number in range(6):
            made = self._context.socket(zmq.DEALER)
            made.linger = 0
            made.reconnect_ivl = 1
            if number % 3 == 0:
                made.plain_username, made.plain_password = b"admin", b"admin"
            elif number % 3 == 1:
                set_common(made, new_keypair())
                made.reconnect_ivl = 1
                made.curve_serverkey = self._key
            if seated is not None:
                made.routing_id = b"K" + seated
            made.connect(self._endpoint)
            for frame in frames:
                made.send(frame)
            self._stubborn.append(made)

    def stuff(self, size: int, bytes_in_all: int, within_s: float = 10.0) -> bool:
        """One message without end, in parts of `size` bytes, with a fresh key; whether the table ended it."""
        pair = new_keypair()
        dealer = self._context.socket(zmq.DEALER)
        set_common(dealer, pair)
        dealer.curve_serverkey = self._key
        dealer.sndhwm = 0
        monitor = dealer.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        dealer.connect(self._endpoint)
        body = bytes(size)
        for _ in range(bytes_in_all // (size + 35)):
            dealer.send(body, zmq.SNDMORE)
        dealer.send(body)
        ended = bool(monitor.poll(round(within_s * 1000)))
        dealer.disable_monitor()
        monitor.close()
        dealer.close()
        self.counts["stuffed"] += 1
        return ended

    def crowd(self, names: int, steps: int, code: str | None = None) -> None:
        """So many keys that knock again and again, with a fresh HELLO each time, and accept where they are welcomed."""
        visitors = []
        for _ in range(names):
            pair = new_keypair()
            link = JoinLink(self._context, pair, self._key, *self._place, self._source)
            visitors.append((link, pair.public))
        current: dict[JoinLink, Visitor] = {}

        def act(link: JoinLink, key: bytes) -> None:
            for event in link.events(time.monotonic()):
                if isinstance(event, Received) and code and current[link].receive(event.frame):
                    link.send(current[link].frame)
                    self.counts["accept"] += 1
            if link.up and (link not in current or not code or current[link].answer is not None):
                current[link] = Visitor(self._key, key, "Eve", code, os.urandom)
                link.send(current[link].frame)
                self.counts["hello"] += 1

        def acting(link: JoinLink, key: bytes) -> Callable[[float], None]:
            return lambda now_s: act(link, key)

        together: dict[Party, Callable[[float], object]] = {
            link: acting(link, key) for link, key in visitors
        }
        for _ in range(steps):
            step(together, 0.01)
        for link, _ in visitors:
            link.close()

    def round(self, captured: bytes = b"") -> None:
        """One of everything that is quick."""
        self.speak_other_protocols()
        self.dawdle()
        self.knock()
        if captured:
            self.replay(captured)
        self.counts["round"] += 1

    def _connection(self) -> socket.socket:
        return socket.create_connection(self._place, 1.0, (self._source, 0))

    def close(self) -> None:
        for stream in self._slow:
            stream.close()
        self._context.destroy(linger=0)


def main() -> None:
    host, port, key, options = sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.argv[4])
    stranger = Stranger(host, port, bytes.fromhex(key))
    frames = tuple(map(bytes.fromhex, options.get("frames", ())))
    stranger.be_stubborn(bytes.fromhex(options.get("seated", "")) or None, frames)
    end_s = time.monotonic() + 120
    while not select.select([sys.stdin], [], [], 0)[0] and time.monotonic() < end_s:
        stranger.round()
        print(json.dumps({"event": "round", **stranger.counts}), flush=True)
    stranger.close()


if __name__ == "__main__":
    main()
