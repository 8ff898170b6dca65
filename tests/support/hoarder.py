"""A program that holds as many connections to a table as it can get, with nothing of spitnet's code.

    hoarder.py OPTIONS    OPTIONS is a JSON object: kind, port, source (an address to come from), pause_s (between twenty
                          and the next twenty); for SPEAKS also table (the table's key) and keys (a pair), in hexadecimal

Prints {"event": "hoarded", "opened": n} after each twenty that it opened; ends when its stdin does.
"""

import json
import os
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgpack
import zmq
from zmq.utils import z85

HERE = "127.0.0.1"
CONNECTS, GREETS, SPEAKS = "connects", "greets", "speaks"
"""Opens a TCP connection and no more; begins ZMTP with CURVE too; gets in with a key, and says one frame."""
_GREETING = b"\xff\0\0\0\0\0\0\0\1\x7f\3\1" + b"CURVE".ljust(20, b"\0") + bytes(32)
_HOLDS = 1000
_SOCKETS = 200
_AT_ONCE = 20
_HELLO = 1


class Hoarder:
    """The program, running."""

    def __init__(self, options: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, __file__, json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def wait_for(self, opened: int) -> None:
        """Until it has opened so many. Raises AssertionError: it has ended."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if json.loads(line)["opened"] >= opened:
                return
        raise AssertionError("it ended")

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def hoarders(*options: dict[str, Any]) -> Iterator[Sequence[Hoarder]]:
    """One for each, ended in the end, with all their connections."""
    started: list[Hoarder] = []
    try:
        started.extend(map(Hoarder, options))
        yield started
    finally:
        for hoarder in started:
            hoarder.end()


def speaker(port: int, source: str, table: bytes, keys: Path) -> dict[str, Any]:
    """Options of one that has the key pair of this file."""
    named = {"table": table.hex(), "keys": keys.read_bytes().hex()}
    return {"kind": SPEAKS, "port": port, "source": source, "pause_s": 0.05, **named}


def main(options: dict[str, Any]) -> None:
    if options["kind"] == SPEAKS:
        _speak(options)
    else:
        _connect(options)


def _connect(options: dict[str, Any]) -> None:
    """Never waits until it is let in. The oldest are left for new ones."""
    held: list[socket.socket] = []
    opened = 0
    while not _is_over(options["pause_s"]):
        for _ in range(_AT_ONCE):
            one = socket.socket()
            one.bind((options["source"], 0))
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.connect((HERE, options["port"]))
            if options["kind"] == GREETS:
                with suppress(OSError):
                    one.send(_GREETING)
            held.append(one)
        opened += _AT_ONCE
        _tell(opened)
        for one in held[:-_HOLDS]:
            one.close()
        del held[:-_HOLDS]


def _speak(options: dict[str, Any]) -> None:
    """What is ended libzmq makes anew, by itself."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    held: list[zmq.Socket[bytes]] = []
    while not _is_over(options["pause_s"]):
        if len(held) < _SOCKETS:
            held += [_speaking(context, options) for _ in range(_AT_ONCE)]
            _tell(len(held))


def _speaking(
    context: "zmq.Context[zmq.Socket[bytes]]", options: dict[str, Any]
) -> "zmq.Socket[bytes]":
    """One that takes the place of whose key it has, and says what is no violation."""
    pair = bytes.fromhex(options["keys"])
    dealer = context.socket(zmq.DEALER)
    dealer.linger = 0
    dealer.curve_publickey, dealer.curve_secretkey = z85.encode(pair[:32]), z85.encode(pair[32:])
    dealer.curve_serverkey = z85.encode(bytes.fromhex(options["table"]))
    dealer.connect(f"tcp://{options['source']}:0;{HERE}:{options['port']}")
    dealer.send(msgpack.packb([_HELLO, 1, os.urandom(32), "Mallory", b""]))
    return dealer


def _is_over(within_s: float) -> bool:
    return bool(select.select([sys.stdin], [], [], within_s)[0])


def _tell(opened: int) -> None:
    print(json.dumps({"event": "hoarded", "opened": opened}), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
