"""The floor: round trips of a bare echo over ZeroMQ, as little as a beat could ever take.

A ROUTER that sends back what it gets and a DEALER that waits for it, in two processes, both blocking, CURVE between
them, nothing else set. A message is as long as the average frame of a beat. What is not here: monitoring,
heartbeats, ZAP, hashing, msgpack, a journal, rules, all of which a beat pays for.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import fmean
from subprocess import PIPE

import zmq

from benchmarks.children import Run, Trouble, child, keep_to, module
from spitnet.core.cards import Card
from spitnet.core.moves import Play
from spitnet.protocol.binding import Opening
from spitnet.protocol.fields import HASH_BYTES, NONCE_BYTES
from spitnet.protocol.messages import Commit, Reveal, encode
from spitnet.protocol.move_codec import PASS, encode_move

ANSWER_MS = 10_000
"""An echo that takes longer is an error, not a figure."""


def message_bytes() -> int:
    """The average length of the frames of a beat: a COMMIT, the pass that answers it, and its own opening."""
    head = (bytes(HASH_BYTES), 1000, 0, bytes(HASH_BYTES), bytes(HASH_BYTES))
    moves = (PASS, encode_move(Play(Card(50), 1, 30)))
    frames = [encode(Commit(*head, bytes(HASH_BYTES)))]
    frames += [encode(Reveal(*head, Opening(move, bytes(NONCE_BYTES)))) for move in moves]
    return round(fmean(len(frame) for frame in frames))


class Echo:
    """The asking side."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], port: int, key: bytes) -> None:
        self._dealer = context.socket(zmq.DEALER)
        self._dealer.curve_publickey, self._dealer.curve_secretkey = zmq.curve_keypair()
        self._dealer.curve_serverkey = key
        self._dealer.setsockopt(zmq.LINGER, 0)
        self._dealer.setsockopt(zmq.RCVTIMEO, ANSWER_MS)
        self._dealer.connect(f"tcp://127.0.0.1:{port}")
        self._message = bytes(message_bytes())

    def round_trips_s(self, count: int, pause_s: float = 0.0) -> list[float]:
        """The time of each of so many round trips, with a pause before each."""
        dealer, message, found = self._dealer, self._message, []
        for _ in range(count):
            if pause_s:
                time.sleep(pause_s)
            before_s = time.perf_counter()
            dealer.send(message)
            dealer.recv()
            found.append(time.perf_counter() - before_s)
        return found

    def close(self) -> None:
        self._dealer.close()


@contextmanager
def echo(run: Run) -> Iterator[Echo]:
    """An echo that stands and has warmed up, while this is entered."""
    home = run.home("echo")
    with (
        child(module("echo"), home, PIPE, core=1) as process,
        _here_on_one_core(),
        zmq.Context() as context,
    ):
        port, key = (process.stdout.readline() if process.stdout else "").split() or ("", "")
        if not port:
            raise Trouble("the echo's answering side did not start")
        asking = Echo(context, int(port), key.encode())
        try:
            asking.round_trips_s(200)
            yield asking
        finally:
            asking.close()


@contextmanager
def _here_on_one_core() -> Iterator[None]:
    """The asking side keeps to a core of its own; ZeroMQ's threads are made after that."""
    keep_to(0)
    try:
        yield
    finally:
        keep_to(None)


def answer() -> None:
    """The answering side, until it is ended from outside."""
    public, secret = zmq.curve_keypair()
    router: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.ROUTER)
    router.curve_server = True
    router.curve_publickey, router.curve_secretkey = public, secret
    port = router.bind_to_random_port("tcp://127.0.0.1")
    print(port, public.decode(), flush=True)
    while True:
        router.send_multipart(router.recv_multipart())


if __name__ == "__main__":
    answer()
