"""The floor of a match as fast as it goes: what passes between two sides that both act in every beat, and nothing else.

Each sends a frame and takes the other's, twice over: the two COMMITs that cross, then the two openings. The frames are as
long as the average one of a beat, under CURVE; before each one is hashed and written to a file, as no promise may do
without. Like the game, each side looks for the next frame before it sleeps. What is not here: what the frames say, rules,
a record that could be read again, bots, lines.
"""

import hashlib
import os
import sys
import time
from subprocess import PIPE

import zmq

from benchmarks.children import Run, Trouble, child, module
from benchmarks.echo import message_bytes
from spitnet.app.clock import monotonic
from spitnet.app.loop import comes
from spitnet.net.socket_options import Context, Socket, has_more

ANSWER_S = 10.0
"""A frame that takes longer is an error, not a figure."""


class Side:
    """One of the two. `head`: what goes before a frame on its socket."""

    def __init__(self, socket: Socket, head: list[bytes], file: int) -> None:
        self._socket = socket
        self._parts = [*head, bytes(message_bytes())]
        self._file = file

    def crossings(self, count: int) -> None:
        """As many beats, on this side."""
        for _ in range(2 * count):
            self._send()
            self._take()

    def _send(self) -> None:
        os.write(self._file, hashlib.sha256(self._parts[-1]).digest())
        self._socket.send_multipart(self._parts)

    def _take(self) -> None:
        if not comes(lambda: has_more(self._socket), monotonic() + ANSWER_S):
            raise Trouble("the other side fell silent")
        self._socket.recv_multipart()


def per_s(run: Run, count: int) -> float:
    """How many in a second, once they go. This side has a core of its own where its caller keeps to one."""
    home = run.home("crossing")
    command = module("crossing", str(count))
    with child(command, home, PIPE, core=1) as process, zmq.Context() as context:
        port, key = (process.stdout.readline() if process.stdout else "").split() or ("", "")
        if not port:
            raise Trouble("the other side did not start")
        with _dealer(context, int(port), key.encode()) as dealer:
            file = os.open(home / "file", os.O_WRONLY | os.O_CREAT)
            try:
                dealer.send(b"here")
                began_s = time.perf_counter()
                Side(dealer, [], file).crossings(count)
                return count / (time.perf_counter() - began_s)
            finally:
                os.close(file)


def _dealer(context: Context, port: int, key: bytes) -> Socket:
    dealer = context.socket(zmq.DEALER)
    dealer.curve_publickey, dealer.curve_secretkey = zmq.curve_keypair()
    dealer.curve_serverkey = key
    dealer.setsockopt(zmq.LINGER, 0)
    dealer.connect(f"tcp://127.0.0.1:{port}")
    return dealer


def other_side(count: int) -> None:
    """Waits for the first frame, which only says who is there."""
    public, secret = zmq.curve_keypair()
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.curve_server = True
        router.curve_publickey, router.curve_secretkey = public, secret
        port = router.bind_to_random_port("tcp://127.0.0.1")
        print(port, public.decode(), flush=True)
        who, _here = router.recv_multipart()
        file = os.open("file-of-the-other", os.O_WRONLY | os.O_CREAT)
        try:
            Side(router, [who], file).crossings(count)
        finally:
            os.close(file)


if __name__ == "__main__":
    other_side(int(sys.argv[1]))
