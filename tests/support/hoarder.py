"""A program that holds as many connections to a table as it can get, as fast as it can, with nothing of spitnet's code.

    hoarder.py OPTIONS    OPTIONS is a JSON object: kind, port, source (an address to come from)

Prints {"event": "hoarded", "opened": n} after each hundred that it opened; ends when its stdin does.
"""

import json
import select
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

HERE = "127.0.0.1"
CONNECTS, GREETS = "connects", "greets"
"""Opens a TCP connection and no more; begins ZMTP with CURVE too."""
_GREETING = b"\xff\0\0\0\0\0\0\0\1\x7f\3\1" + b"CURVE".ljust(20, b"\0") + bytes(32)
_HOLDS = 1000
_TOLD = 100


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


def main(options: dict[str, Any]) -> None:
    _connect((HERE, options["port"]), options["source"], options["kind"] == GREETS)


def _connect(place: tuple[str, int], source: str, greets: bool) -> None:
    """Never waits for anything: what isn't accepted yet is held as well. The oldest are left for new ones."""
    held: list[socket.socket] = []
    opened = 0
    while not _is_over(0.0):
        for _ in range(_TOLD):
            one = socket.socket()
            one.bind((source, 0))
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.connect(place)
            held.append(one)
        if greets:
            for one in held[-_TOLD:]:
                with suppress(OSError):
                    one.send(_GREETING)
        opened += _TOLD
        _tell(opened)
        for one in held[:-_HOLDS]:
            one.close()
        del held[:-_HOLDS]
        _is_over(0.002)  # what it did is to be done before it does more: it is fast enough


def _is_over(within_s: float) -> bool:
    return bool(select.select([sys.stdin], [], [], within_s)[0])


def _tell(opened: int) -> None:
    print(json.dumps({"event": "hoarded", "opened": opened}), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
