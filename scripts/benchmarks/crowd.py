"""A segment with hundreds of open tables: how soon the list is full, and what looking costs.

The tables are made beacons: one process on loopback with an address and a socket for each, which announces and answers
as a host does (WIRE.md, section 2), each at its own time. Who looks is a loop around `TableSearch` as `join` has it, for the
time to a full list; and `join` itself, with its list on a terminal, for its share of a core and its memory.

    python -m benchmarks.crowd open COUNT PORT          that many tables, until it is ended
    python -m benchmarks.crowd look COUNT PORT          prints the seconds until that many are known
"""

import selectors
import socket
import struct
import sys
import time
from heapq import heapify, heapreplace
from random import Random
from subprocess import PIPE
from typing import Final

import psutil

from benchmarks.children import (
    LOOPBACK,
    Run,
    Trouble,
    child,
    cpu_s,
    eavesdropper,
    finish,
    free_port,
    module,
    program,
)
from benchmarks.figures import Samples, note
from benchmarks.plots import Curve
from benchmarks.terminals import Terminal, terminal
from spitnet.app.loop import Loop
from spitnet.app.seat.search import TableSearch
from spitnet.net.beacon import (
    INSTANCE_BYTES,
    KEY_BYTES,
    Announcement,
    Probe,
    TableState,
    decode,
    encode,
)
from spitnet.protocol import VERSION

COUNT: Final = 500
BROADCAST: Final = "127.255.255.255"
PERIOD_S: Final = 1.0
PKTINFO: Final = 8
"""Linux's number of IP_PKTINFO, which Python 3.11 does not name."""
SETTLE_S: Final = 2.0
WATCHED_S, WATCHED_QUICK_S = 4, 2
FULL_S: Final = 20.0
"""A list that isn't full by then never is."""


def five_hundred(run: Run) -> Samples:
    """Times to a full list for a growing number of tables, then `join` among all of them."""
    if sys.platform != "linux":
        raise Trouble("left out: other systems have one address on loopback")
    found: Samples = {}
    counts = (COUNT,) if run.quick else (1, 50, 125, 250, COUNT)
    fulls: list[tuple[float, float]] = []
    shares: list[tuple[float, float]] = []
    for count in counts:
        times_s, share, resident = _looked(run, count, run.times(3, 1))
        fulls.append((count, sorted(times_s)[len(times_s) // 2]))
        shares.append((count, share))
        if count == COUNT:
            found["tables_500"] = times_s
            note(found, "tables_500_cpu_percent", share)
            note(found, "tables_500_rss_mib", resident)
    run.curves.extend(
        [
            Curve("list_by_tables", "until every table is listed", "tables", "s", tuple(fulls)),
            Curve(
                "looking_by_tables", "join while it looks", "tables", "% of a core", tuple(shares)
            ),
        ]
    )
    return found


def _looked(run: Run, count: int, times: int) -> tuple[list[float], float, float]:
    """The times to a full list, and join's share of a core (percent) and memory (MiB)."""
    home, port = run.home("crowd"), free_port()
    with child(module("crowd", "open", str(count), str(port)), home, PIPE) as crowd:
        if not crowd.stdout or not crowd.stdout.readline():
            raise Trouble("the tables did not open")
        times_s = []
        for _ in range(times):
            with child(module("crowd", "look", str(count), str(port)), home, PIPE) as looker:
                text = looker.stdout.read() if looker.stdout else ""
                finish((looker,), home, FULL_S)
            times_s.append(float(text))
        return times_s, *_joining(run, count, port)


def _joining(run: Run, count: int, port: int) -> tuple[float, float]:
    """`join` behind its list; where there is but one table, it is told to look for another."""
    other = ("--table", "nobody's") if count == 1 else ()
    command = (program(), "join", "--name", "bench", "--interface", LOOPBACK, *other)
    with terminal((*command, "--discovery-port", str(port)), run.home("looking")) as shown:
        _watch(shown, SETTLE_S)
        before_s, began_s = cpu_s(shown.process.pid), time.monotonic()
        _watch(shown, run.times(WATCHED_S, WATCHED_QUICK_S))
        used_s, took_s = cpu_s(shown.process.pid) - before_s, time.monotonic() - began_s
        resident = psutil.Process(shown.process.pid).memory_info().rss
        if shown.process.poll() is not None:
            raise Trouble("join ended instead of looking")
    return 100 * used_s / took_s, resident / 2**20


def _watch(shown: Terminal, for_s: float) -> None:
    until_s = time.monotonic() + for_s
    while (left_s := until_s - time.monotonic()) > 0:
        shown.read(left_s)


class _Crowd:
    """Tables with a door each, and the one listener that they share as hosts of one machine do."""

    def __init__(self, count: int, port: int) -> None:
        chance = Random(1)
        self._port = port
        self._doors = [_door(number) for number in range(count)]
        self._tables = [_table(door, chance) for door in self._doors]
        self._listener = eavesdropper(port)
        self._listener.setsockopt(socket.IPPROTO_IP, PKTINFO, 1)
        now_s = time.monotonic()
        self._due = [(now_s + chance.uniform(0, PERIOD_S), number) for number in range(count)]
        heapify(self._due)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)
        for number, door in enumerate(self._doors):
            self._selector.register(door, selectors.EVENT_READ, number)

    def step(self) -> None:
        """Whatever comes, or is due next."""
        wait_s = max(0.0, self._due[0][0] - time.monotonic())
        for key, _ in self._selector.select(wait_s):
            if key.data is None:
                self._answer_all()
            else:
                self._answer_one(key.data)
        while self._due[0][0] <= time.monotonic():
            due_s, number = self._due[0]
            self._doors[number].sendto(self._tables[number], (BROADCAST, self._port))
            heapreplace(self._due, (due_s + PERIOD_S, number))

    def _answer_all(self) -> None:
        """A probe to everybody; one that went to a single address is left to that one's door."""
        data, extras, _, source = self._listener.recvmsg(1024, 128)
        (info,) = (content for _, kind, content in extras if kind == PKTINFO)
        _, _, reached = struct.unpack("=I4s4s", info)
        if isinstance(decode(data), Probe) and socket.inet_ntoa(reached) == BROADCAST:
            for door, table in zip(self._doors, self._tables, strict=True):
                door.sendto(table, source)

    def _answer_one(self, number: int) -> None:
        data, source = self._doors[number].recvfrom(1024)
        if isinstance(decode(data), Probe):
            self._doors[number].sendto(self._tables[number], source)


def _door(number: int) -> socket.socket:
    """A socket at an address of its own."""
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    made.setblocking(False)
    made.bind((f"127.9.{number // 250}.{1 + number % 250}", 0))
    return made


def _table(door: socket.socket, chance: Random) -> bytes:
    instance, key = chance.randbytes(INSTANCE_BYTES), chance.randbytes(KEY_BYTES)
    port = door.getsockname()[1]
    name = f"table {port}"
    return encode(Announcement(VERSION, instance, port, key, name, TableState.OPEN, 0))


def open_tables(count: int, port: int) -> None:
    """Tables, until the process is ended."""
    crowd = _Crowd(count, port)
    print("open", flush=True)
    while True:
        crowd.step()


def full_s(count: int, port: int) -> float:
    """From the first probe until that many are listed."""
    began_s = now_s = time.monotonic()
    searching, waiter = TableSearch(LOOPBACK, port, None, now_s), Loop()
    try:
        while now_s < began_s + FULL_S:
            searching.step(now_s)
            if (known := len(searching.tables(now_s))) >= count:
                return time.monotonic() - began_s
            waiter.wait(searching.sources, began_s + FULL_S, now_s)
            now_s = time.monotonic()
    finally:
        searching.close()
    raise SystemExit(f"only {known} of {count} tables are listed")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["open", count, port]:
            open_tables(int(count), int(port))
        case ["look", count, port]:
            print(full_s(int(count), int(port)))
