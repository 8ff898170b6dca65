"""How long a table takes to be known, and beside it how long two other libraries take for the same.

From a Finder's first probe to the answer of an Announcer in another process: on loopback, and in two network namespaces
joined by a veth pair, which are made here and deleted here; that needs root and `ip`. Not in the figure: starting Python,
opening the sockets, and the 0.3 s for which `join` goes on gathering. What pyre and zeroconf do is in `rivals`.

    python -m benchmarks.discovery announce INTERFACE PORT          until it is ended
    python -m benchmarks.discovery find INTERFACE PORT COUNT        prints the times in seconds as JSON
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from subprocess import PIPE
from typing import Final, NamedTuple

from benchmarks.children import (
    LOOK_AGAIN_S,
    LOOPBACK,
    Run,
    Trouble,
    child,
    finish,
    free_port,
    module,
    rival,
)
from benchmarks.figures import Samples
from spitnet.app.loop import Loop
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import INSTANCE_BYTES, KEY_BYTES, Announcement, TableState
from spitnet.net.finder import Finder
from spitnet.protocol import VERSION

MATCH_PORT = 47999
SEARCH_S = 5.0
GAP_S = 0.06
"""Between two searches: a host answers one address some twenty times a second."""
RUN_S = 60.0
UP_S = 5.0
RIVALS: Final = ("pyre", "zeroconf")


class Place(NamedTuple):
    """Where a process runs: what stands before its command, the interface that it keeps to there, and its address."""

    before: tuple[str, ...]
    interface: str
    address: str


def on_loopback(run: Run) -> Samples:
    """Both processes on this machine's loopback."""
    place = Place((), LOOPBACK, "127.0.0.1")
    times_s = _ours_s(run, place, place, free_port(), run.times(41, 11))
    return {"discovery_loopback_p50_ms": [1e3 * took_s for took_s in times_s]}


def in_namespaces(run: Run) -> Samples:
    """Each process in a namespace of its own, a cable between them; spitnet and the others in turn.

    Raises: Trouble where namespaces can't be made.
    """
    others = [name for name in RIVALS if rival(name, run, (f"discovery_{name}_p50_ms",))]
    found: Samples = {}
    with _two_namespaces() as (one, other):
        for _ in range(run.times(3, 1)):
            times_s = _ours_s(run, one, other, MATCH_PORT - 1, run.times(15, 11))
            found.setdefault("discovery_p50_ms", []).extend(1e3 * took_s for took_s in times_s)
            for name in others:
                times_s = _theirs_s(run, name, one, other, run.times(5, 3))
                kept = found.setdefault(f"discovery_{name}_p50_ms", [])
                kept.extend(1e3 * took_s for took_s in times_s)
    return found


def _ours_s(run: Run, host: Place, joiner: Place, port: int, count: int) -> list[float]:
    announced = module("discovery", "announce", host.interface, str(port))
    sought = module("discovery", "find", joiner.interface, str(port), str(count))
    return _found_s(run, (*host.before, *announced), (*joiner.before, *sought))


def _theirs_s(run: Run, name: str, host: Place, joiner: Place, count: int) -> list[float]:
    announced = module("rivals", name, "announce", host.address)
    sought = module("rivals", name, "find", joiner.address, str(count))
    return _found_s(run, (*host.before, *announced), (*joiner.before, *sought))


def _found_s(run: Run, announce: Sequence[str], find: Sequence[str]) -> list[float]:
    """What the seeking side prints while the other one is there."""
    home = run.home("discovery")
    with child(announce, home, PIPE) as table:
        if not table.stdout or not table.stdout.readline():
            raise Trouble("the announcing side did not start")
        with child(find, home, PIPE) as finder:
            text = finder.stdout.read() if finder.stdout else ""
            finish((finder,), home, RUN_S)
    times_s: list[float] = json.loads(text)
    return times_s


@contextmanager
def _two_namespaces() -> Iterator[tuple[Place, Place]]:
    """Two namespaces with an interface each, there while this is entered."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None:
        raise Trouble("left out: namespaces need Linux, root and the ip program")
    names = [f"spitbench-{os.getpid()}-{side}" for side in "ab"]
    places = [
        Place(("ip", "netns", "exec", name), f"ends{number}", f"10.77.0.{number + 1}")
        for number, name in enumerate(names)
    ]
    cable = ("type", "veth", "peer", "ends1", "netns", names[1])
    try:
        for name in names:
            _ip("netns", "add", name)
        _ip("link", "add", "ends0", "netns", names[0], *cable)
        for name, place in zip(names, places, strict=True):
            network = (f"{place.address}/24", "broadcast", "+", "dev", place.interface)
            _ip("-n", name, "address", "add", *network)
            for link in ("lo", place.interface):
                _ip("-n", name, "link", "set", link, "up")
        for name, place in zip(names, places, strict=True):
            _until_up(name, place.interface)
        yield places[0], places[1]
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def _until_up(namespace: str, interface: str) -> None:
    """Wait until the system calls a new cable up: before that, what is sent may be dropped."""
    until_s = time.monotonic() + UP_S
    while "state UP" not in _ip("-n", namespace, "link", "show", interface):
        if time.monotonic() > until_s:
            raise Trouble(f"{interface} did not come up")
        time.sleep(LOOK_AGAIN_S)


def _ip(*arguments: str) -> str:
    done = subprocess.run(["ip", *arguments], capture_output=True, encoding="utf-8")
    if done.returncode:
        raise Trouble(f"left out: ip {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def announce(interface: str, port: int) -> None:
    """An open table, until the process is ended."""
    table = Announcement(
        VERSION,
        os.urandom(INSTANCE_BYTES),
        MATCH_PORT,
        bytes(KEY_BYTES),
        "bench",
        TableState.OPEN,
        0,
    )
    announcer = Announcer(table, time.monotonic(), only=interface, discovery_port=port)
    waiter = Loop()
    print("open", flush=True)
    while True:
        now_s = time.monotonic()
        announcer.poll(now_s)
        announcer.drain(now_s)
        waiter.wait((announcer,), None, now_s)


def find(interface: str, port: int, count: int) -> list[float]:
    """Search so many times, each with sockets of its own; the time of each."""
    found = []
    for _ in range(count):
        time.sleep(GAP_S)
        found.append(_search_s(interface, port))
    return found


def _search_s(interface: str, port: int) -> float:
    waiter = Loop()
    finder = Finder(VERSION, time.monotonic(), only=interface, discovery_port=port)
    try:
        began_s = now_s = time.monotonic()
        while now_s < began_s + SEARCH_S:
            finder.poll(now_s)
            finder.drain(now_s)
            if finder.tables(now_s):
                return time.monotonic() - began_s
            waiter.wait((finder,), began_s + SEARCH_S, now_s)
            now_s = time.monotonic()
    finally:
        finder.close()
    raise Trouble("no table found")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["announce", interface, port]:
            announce(interface, int(port))
        case ["find", interface, port, count]:
            print(json.dumps(find(interface, int(port), int(count))))
