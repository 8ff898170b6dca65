"""Who hoards connections: the match goes on and ends well, its record is written, an honest peer gets in, all comes back.

The table has a hundred and some descriptors in all. The hoarders are programs that open thousands of connections a second.
Not here: what each of the bounds is (tests/net/test_crowds.py), and connections by which much is sent (test_floods.py).
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import pytest
from support.comebacks import Seat, check_to_the_end, seats
from support.hoarder import CONNECTS, GREETS, hoarders
from support.hostile_matches import free_port
from support.pairs import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors by /proc")
EVES = ("127.0.0.66", "127.0.0.67", "127.0.0.68")
LIMIT = 128
LIMITING = (
    f"import os, resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, ({LIMIT}, {LIMIT})); "
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
LIMITED = (sys.executable, "-c", LIMITING)
MANY = 3000


@contextmanager
def table(home: Path, *more: str) -> Iterator[tuple[Seat, Seat, tuple[str, ...]]]:
    """A match that has begun, whose host has few descriptors; and the words that start a process at it."""
    words: tuple[str, ...] = ("--headless", "--delay", "0.03", "--interface", "lo")
    words = (*words, "--discovery-port", str(free_port()))
    ana = Seat(home / "ana", ("host", *words, "--games", "3", *more), LIMITED)
    with seats(ana, Seat(home / "bram", ("join", *words))) as (_, bram):
        for seat in (ana, bram):
            seat.now.wait_for("play")
        yield ana, bram, words


class Open:
    """The descriptors of a process, against those that it had when this was made."""

    def __init__(self, process_id: int) -> None:
        self._process = psutil.Process(process_id)
        self._before = self._process.num_fds()

    @property
    def more(self) -> int:
        """How many more it has now."""
        number: int = self._process.num_fds() - self._before
        return number

    def usually(self) -> int:
        """The median of how many more it has, over a second."""
        found = []
        for _ in range(100):
            found.append(self.more)
            time.sleep(0.01)
        return round(median(found))

    def wait_for_all_back(self) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while self.more > 0:
            assert time.monotonic() < end_s, self.more
            time.sleep(0.01)


def of_kinds(port: int, *kinds: str) -> list[dict[str, Any]]:
    """Options of hoarders that need no key, each at an address of its own."""
    return [
        {"kind": kind, "port": port, "source": source}
        for kind, source in zip(kinds, EVES, strict=False)
    ]


def test_strangers_who_only_connect(tmp_path: Path) -> None:
    """No break is seen, and what they held is given back while the match goes on."""
    with table(tmp_path) as (ana, bram, _):
        descriptors = Open(ana.now.process.pid)
        port = ana.now.of("hosting")[0]["port"]
        with hoarders(*of_kinds(port, CONNECTS, GREETS)) as hoarding:
            for one in hoarding:
                one.wait_for(MANY)
            assert descriptors.usually() > 0
        descriptors.wait_for_all_back()
        assert not ana.now.of("match_over")
        check_to_the_end(ana, bram)
        assert not ana.now.of("opponent_lost")


@pytest.mark.full
@pytest.mark.parametrize("kinds", [(CONNECTS,), (GREETS,), (CONNECTS, GREETS, CONNECTS)])
def test_an_honest_peer_comes_back_among_them(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    """C9: killed and taken up several times while strangers hoard, from another address and from theirs."""
    with table(tmp_path, "--games", "4") as (ana, bram, words):
        descriptors = Open(ana.now.process.pid)
        port = ana.now.of("hosting")[0]["port"]
        with hoarders(*of_kinds(port, *kinds)) as hoarding:
            for one in hoarding:
                one.wait_for(MANY)
            for _ in range(4):
                bram.kill()
                bram.resume(*words)
                ana.now.wait_for("resumed")
                bram.now.wait_for("play")
            assert descriptors.usually() > 0
        descriptors.wait_for_all_back()
        check_to_the_end(ana, bram)
