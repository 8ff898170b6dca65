"""Who hoards connections: the match goes on and ends well, its record is written, an honest peer gets in, all comes back.

The table has a hundred and some descriptors in all. The hoarders are programs that open thousands of connections a second.
Not here: what each of the bounds is (tests/net/test_crowds.py), and connections by which much is sent (test_floods.py).
"""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import pytest
from support.comebacks import Seat, check_to_the_end, seats
from support.hoarder import CONNECTS, GREETS, HERE, hoarders, speaker
from support.hostile_matches import free_port
from support.pairs import PATIENCE_S, Peer, peers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors by /proc")
EVES = ("127.0.0.66", "127.0.0.67", "127.0.0.68")
LIMIT = 128
_UNDER_IT = f"""
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({LIMIT}, {LIMIT}))
os.execvp(sys.argv[1], sys.argv[1:])
"""
LIMITED = (sys.executable, "-c", _UNDER_IT)
STRANGERS = LIMIT // 4
"""So many connections may have no seat."""
FEW = 10
SOME = 32
"""More than a match has open itself."""
PAUSE_S = 0.02
"""A thousand a second. Without a pause they come faster than this machine can end them."""
STEADILY = ("--delay", "0.02")


@contextmanager
def table(home: Path, games: int, *more: str) -> Iterator[tuple[Seat, Seat, tuple[str, ...]]]:
    """A match that has begun, whose host has few descriptors; and the words for another process beside it."""
    here = ("--headless", "--interface", "lo", "--discovery-port", str(free_port()))
    ana = Seat(home / "ana", ("host", *here, *STEADILY, "--games", str(games), *more), LIMITED)
    with seats(ana, Seat(home / "bram", ("join", *here, *STEADILY))) as (_, bram):
        for seat in (ana, bram):
            seat.now.wait_for("play")
        yield ana, bram, here


def key_of(seat: Seat) -> Path:
    """The file with its key pair."""
    (path,) = seat.home.rglob("key")
    return path


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


def of_kinds(port: int, kinds: Sequence[str], pause_s: float) -> list[dict[str, Any]]:
    """Options of hoarders that need no key, each at an address of its own."""
    return [
        {"kind": kind, "port": port, "source": source, "pause_s": pause_s}
        for kind, source in zip(kinds, EVES, strict=False)
    ]


@pytest.mark.parametrize(
    ("games", "kinds", "many"),
    [(1, (CONNECTS,), 400), pytest.param(9, (CONNECTS, GREETS), 3000, marks=pytest.mark.full)],
)
def test_strangers_who_only_connect(
    tmp_path: Path, games: int, kinds: tuple[str, ...], many: int
) -> None:
    """Most of the time descriptors are left; no break is seen; what they held is given back while the match goes on."""
    with table(tmp_path, games) as (ana, bram, _):
        descriptors = Open(ana.now.process.pid)
        port = ana.now.of("hosting")[0]["port"]
        with hoarders(*of_kinds(port, kinds, PAUSE_S)) as hoarding:
            for one in hoarding:
                one.wait_for(many)
            assert STRANGERS // 2 < descriptors.usually() <= STRANGERS + FEW
        descriptors.wait_for_all_back()
        assert not ana.now.of("match_over")
        check_to_the_end(ana, bram)
        assert not ana.now.of("opponent_lost")


@pytest.mark.full
@pytest.mark.parametrize("pause_s", [PAUSE_S, 0.0])
@pytest.mark.parametrize("kinds", [(CONNECTS,), (GREETS,), (CONNECTS, GREETS, CONNECTS)])
def test_an_honest_peer_comes_back_among_them(
    tmp_path: Path, kinds: tuple[str, ...], pause_s: float
) -> None:
    """C9: killed and taken up several times while they are at it, as fast as they can too."""
    with table(tmp_path, 9) as (ana, bram, here):
        descriptors = Open(ana.now.process.pid)
        port = ana.now.of("hosting")[0]["port"]
        with hoarders(*of_kinds(port, kinds, pause_s)) as hoarding:
            for one in hoarding:
                one.wait_for(3000)
            for _ in range(4):
                bram.kill()
                bram.resume(*here, *STEADILY)
                ana.now.wait_for("resumed")
                bram.now.wait_for("play")
            assert descriptors.usually() > STRANGERS // 2
        descriptors.wait_for_all_back()
        assert not ana.now.of("match_over")
        check_to_the_end(ana, bram)


@pytest.mark.full
def test_the_opponent_itself(tmp_path: Path) -> None:
    """By its own key it may take its seat away from itself, for as long as it does so; nothing else is lost."""
    with table(tmp_path, 9) as (ana, bram, _):
        descriptors = Open(ana.now.process.pid)
        port = ana.now.of("hosting")[0]["port"]
        table_key = key_of(ana).read_bytes()[:32]
        with hoarders(speaker(port, EVES[0], table_key, key_of(bram))) as (eve,):
            eve.wait_for(200)
            assert 0 < descriptors.usually() < LIMIT - SOME
        descriptors.wait_for_all_back()
        assert not ana.now.of("match_over")
        check_to_the_end(ana, bram)
        assert len(ana.now.of("opponent_lost")) == len(ana.now.of("resumed"))


@pytest.mark.full
def test_at_the_gallery(tmp_path: Path) -> None:
    """The players don't notice; who comes to look on meanwhile gets in, and sees the end."""
    with table(tmp_path, 3, "--watchable") as (ana, bram, here):
        (gallery,) = psutil.Process(ana.now.process.pid).children()
        descriptors, of_the_table = Open(gallery.pid), Open(ana.now.process.pid)
        hosting = ana.now.of("hosting")[0]
        ways = of_kinds(hosting["watch_port"], (CONNECTS, GREETS), PAUSE_S)
        table_key = key_of(ana).read_bytes()[:32]
        speaks = speaker(hosting["watch_port"], EVES[2], table_key, key_of(bram))
        with hoarders(*ways, speaks) as hoarding:
            for one in hoarding:
                one.wait_for(200)
            place = f"{HERE}:{hosting['port']}"
            watcher = Peer(tmp_path / "carl", ("watch", *here, place), plays=False)
            with peers(watcher):
                watcher.wait_for("play")
                assert STRANGERS // 2 < descriptors.usually() <= STRANGERS + FEW
                assert of_the_table.more <= 0
                check_to_the_end(ana, bram)
                assert watcher.finish() == (0, "")
                assert watcher.of("match_over")
        assert not ana.now.of("opponent_lost")
