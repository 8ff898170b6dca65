"""How long a table takes to be known: from a Finder's first probe to the answer of an Announcer in another process.

On loopback, and in two network namespaces joined by a veth pair, which are made here and deleted here; that needs
root and `ip`. Not in the figure: starting Python, and the 0.3 s for which `join` goes on gathering.

    python -m benchmarks.discovery announce INTERFACE PORT          until it is ended
    python -m benchmarks.discovery find INTERFACE PORT COUNT        prints the times in seconds as JSON
"""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from subprocess import PIPE
from typing import NamedTuple

from benchmarks.children import LOOPBACK, Run, Trouble, child, finish, free_port, module
from benchmarks.figures import Samples
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import INSTANCE_BYTES, KEY_BYTES, Announcement, TableState
from spitnet.net.finder import Finder
from spitnet.protocol import VERSION
from spitnet.runtime.waiting import Waiter

MATCH_PORT = 47999
SEARCH_S = 5.0
GAP_S = 0.06
"""Between two searches: a host answers one address some twenty times a second."""
RUN_S = 60.0


class Place(NamedTuple):
    """Where a process runs: what stands before its command, and the interface that it keeps to there."""

    before: tuple[str, ...]
    interface: str


def on_loopback(run: Run) -> Samples:
    """Both processes on this machine's loopback."""
    place = Place((), LOOPBACK)
    times_s = _found_s(run, place, place, free_port())
    return {"discovery_loopback_p50_ms": [1e3 * took_s for took_s in times_s]}


def in_namespaces(run: Run) -> Samples:
    """Each process in a namespace of its own, a cable between them.

    Raises: Trouble where namespaces can't be made.
    """
    with _two_namespaces() as (one, other):
        times_s = _found_s(run, one, other, MATCH_PORT - 1)
    return {"discovery_p50_ms": [1e3 * took_s for took_s in times_s]}


def _found_s(run: Run, host: Place, joiner: Place, port: int) -> list[float]:
    home = run.home("discovery")
    announce = module("discovery", "announce", host.interface, str(port))
    count = str(run.times(40, 15))
    find = module("discovery", "find", joiner.interface, str(port), count)
    with child([*host.before, *announce], home, PIPE) as table:
        if not table.stdout or not table.stdout.readline():
            raise Trouble("the announcing side did not start")
        with child([*joiner.before, *find], home, PIPE) as finder:
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
    try:
        for name in names:
            _ip("netns", "add", name)
        _ip(
            "link",
            "add",
            "ends0",
            "netns",
            names[0],
            "type",
            "veth",
            "peer",
            "ends1",
            "netns",
            names[1],
        )
        for number, name in enumerate(names):
            address = f"10.77.0.{number + 1}/24"
            _ip("-n", name, "address", "add", address, "broadcast", "+", "dev", f"ends{number}")
            for link in ("lo", f"ends{number}"):
                _ip("-n", name, "link", "set", link, "up")
        yield tuple(  # type: ignore[misc]
            Place(("ip", "netns", "exec", name), f"ends{number}")
            for number, name in enumerate(names)
        )
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True)


def _ip(*arguments: str) -> None:
    done = subprocess.run(["ip", *arguments], capture_output=True, encoding="utf-8")
    if done.returncode:
        raise Trouble(f"left out: ip {' '.join(arguments)}: {done.stderr.strip()}")


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
    waiter = Waiter()
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
    waiter = Waiter()
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
