"""How many descriptors connections may hold: of one key, of strangers, and when none is left at all."""

import os
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import pytest
import zmq
from support.waiting import until

from spitnet.net import connections
from spitnet.net.connections import MOST_STRANGERS, Connections
from spitnet.net.host_link import HostLink
from spitnet.net.intake import Intake, spare
from spitnet.net.link import Down, LinkEvent, Received, new_keypair
from spitnet.net.socket_options import Context, set_common

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="there libzmq's descriptors aren't Python's"
)
_HERE = "127.0.0.1"
MANY = 24
FEW = 2


class Table:
    """A table, and sockets that come to it with one key: the opponent's, once that has the seat."""

    def __init__(self, *, seated: bool) -> None:
        self.context: Context = zmq.Context()
        self.pair, self.ana = new_keypair(), new_keypair()
        self.host = HostLink(self.context, self.pair, _HERE)
        if seated:
            self.host.seat(self.ana.public)
        self.told: list[LinkEvent] = []
        self._dealers: list[zmq.Socket[bytes]] = []

    def connect(
        self, port: int | None = None, *, again: bool = True, name: bytes = b""
    ) -> "zmq.Socket[bytes]":
        """One more, by way of another port where one stands between; `again`: when it ends too; `name`: its routing id."""
        dealer = self.context.socket(zmq.DEALER)
        self._dealers.append(dealer)
        set_common(dealer, self.ana)
        dealer.curve_serverkey = self.pair.public
        if name:
            dealer.routing_id = name
        if not again:
            dealer.reconnect_ivl = -1
        dealer.connect(f"tcp://{_HERE}:{port or self.host.port}")
        return dealer

    def join(self, word: bytes, port: int | None = None) -> "zmq.Socket[bytes]":
        """Connect, and be heard."""
        dealer = self.connect(port)
        dealer.send(word)
        self.until(lambda: Received(self.ana.public, word) in self.told)
        return dealer

    def until(self, reached: Callable[[], object]) -> None:
        until(reached, {self.host: self._hear})

    @property
    def held(self) -> int:
        """Connections that it holds."""
        return len(self.host._connections)

    def answers(self, dealer: "zmq.Socket[bytes]") -> bool:
        """Whether what the table says to its opponent comes by this one."""
        assert self.host.send(self.ana.public, b"your turn")
        return bool(dealer.poll(5000)) and dealer.recv() == b"your turn"

    def close(self) -> None:
        for dealer in self._dealers:
            dealer.close()
        self.host.close()
        self.context.destroy(linger=0)

    def _hear(self, now_s: float) -> None:
        self.told += self.host.events(now_s)


@pytest.fixture(params=[True, False])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    made = Table(seated=request.param)
    yield made
    made.close()


@pytest.fixture
def seat() -> Iterator[Table]:
    """One whose seat is taken."""
    made = Table(seated=True)
    yield made
    made.close()


@contextmanager
def forgetful(port: int) -> Iterator[int]:
    """A way to that port that passes on what comes, but never tells the far side that the near one is gone."""
    server = socket.create_server((_HERE, 0))
    kept = [server]
    threads: list[Thread] = []

    def start(work: Thread) -> None:
        work.start()
        threads.append(work)

    def carry(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)

    def serve() -> None:
        with suppress(OSError):
            while True:
                near, _ = server.accept()
                far = socket.create_connection((_HERE, port))
                kept.extend((near, far))
                start(Thread(target=carry, args=(near, far)))
                start(Thread(target=carry, args=(far, near)))

    start(Thread(target=serve))
    try:
        yield server.getsockname()[1]
    finally:
        for one in kept:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
        for one in kept:
            one.close()


@contextmanager
def none_left() -> Iterator[None]:
    """This process has as many descriptors as it may have."""
    taken: list[int] = []
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(spare_numbers()) + 20, before[1]))
    try:
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        with pytest.raises(OSError, match="Too many open files"):
            os.dup(0)
        yield
    finally:
        for one in taken:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def spare_numbers() -> tuple[int, int]:
    """Of the descriptors that are kept to end others with: a process can't have a lower limit than those."""
    return spare()._nothing, spare()._own


def connected(server: socket.socket, times: int) -> Iterator[tuple[socket.socket, socket.socket]]:
    """Both ends of connections."""
    for _ in range(times):
        client = socket.create_connection(server.getsockname())
        yield client, server.accept()[0]


def ended(pairs: list[tuple[socket.socket, socket.socket]]) -> list[bool]:
    """Which of them have been ended; closes both ends of all."""
    found = []
    for near, far in pairs:
        near.setblocking(False)
        try:
            found.append(near.recv(1) == b"")
        except BlockingIOError:
            found.append(False)
        near.close()
        far.close()
    return found


def test_a_reconnect_gets_in_whatever_is_left_half_open_behind_it(seat: Table) -> None:
    """By way of a router that forgets: a process that was killed and started anew, again and again within seconds."""
    with forgetful(seat.host.port) as port:
        for number in range(MANY // 4):
            dealer = seat.join(b"%d" % number, port)
            assert seat.answers(dealer)
            seat.until(lambda: seat.held == 1)
            dealer.close()
        straight = seat.join(b"straight")
        assert seat.answers(straight)
        seat.until(lambda: seat.held == 1)


def test_one_that_is_killed_and_started_anew_gets_in_each_time(seat: Table) -> None:
    """As fast as it can; what it leaves behind is closed, and nothing of it is counted against it."""
    for number in range(MANY):
        seat.join(b"%d" % number).close()
    seat.until(lambda: seat.held == 0)
    assert not seat.host._routes


def test_nothing_is_lost_to_connections_of_one_key(table: Table) -> None:
    """The one that spoke before is ended when another speaks, whatever comes by it then."""
    for number in range(FEW):
        first = table.connect(again=False)
        first.send(b"first")
        table.until(lambda: Received(table.ana.public, b"first") in table.told)
        second = table.join(b"second %d" % number)
        with suppress(zmq.Again):  # it has been ended
            for _ in range(5):
                first.send(b"and more", zmq.NOBLOCK)
        second.send(b"and more")
        table.until(lambda: Received(table.ana.public, b"and more") in table.told)
        assert table.answers(second)
        for dealer in (first, second):
            dealer.close()
        table.told.clear()
        table.until(lambda: table.held == 0)


def test_nothing_is_lost_to_keys_that_call_themselves_alike() -> None:
    """Under one routing id, each of them with something to say after the next has come."""
    table = Table(seated=False)
    dealers = []
    for _ in range(MANY // 4):
        table.ana = new_keypair()
        dealer = table.connect(again=False, name=b"Kate")
        dealer.send(b"word")
        dealers.append(dealer)
    table.until(lambda: table.held == len(dealers))
    table.until(lambda: any(isinstance(one, Received) for one in table.told))
    for dealer in dealers:
        dealer.send(b"and more")
        dealer.close()
    table.until(lambda: table.held == 0)
    assert not table.host._routes
    table.close()


def test_who_comes_again_ends_no_connection_but_its_own() -> None:
    """From one address, too."""
    table = Table(seated=False)
    bram = table.ana
    table.join(b"bram")
    table.ana = new_keypair()
    for number in range(FEW):
        table.join(b"eve %d" % number).close()
    assert Down(bram.public) not in table.told
    assert table.host.send(bram.public, b"your turn")
    table.close()


def test_connections_can_be_ended_with_no_descriptor_left() -> None:
    """Just then they must be: whoever comes beyond the bound, and whoever was noticed only now."""
    with socket.create_server((_HERE, 0)) as server:
        pairs = list(connected(server, 2))
        known = Intake(pairs[0][1].fileno(), 0.0)
        with none_left():
            noticed = Intake(pairs[1][1].fileno(), 0.0)
            for one in (known, noticed):
                one.cut()
        assert noticed.address == _HERE
        assert ended(pairs) == [True, True]


@pytest.mark.parametrize("descriptors", [64, 128, 1024, sys.maxsize])
def test_strangers_have_a_share_of_the_descriptors(
    monkeypatch: pytest.MonkeyPatch, descriptors: int
) -> None:
    """A quarter, and never more than is good for a table: the rest is for the match, its record and its opponent."""
    monkeypatch.setattr(connections, "descriptors", lambda: descriptors)
    share = min(descriptors // 4, MOST_STRANGERS)
    with socket.create_server((_HERE, 0)) as server:
        table = Connections()
        pairs = list(connected(server, share + 5))
        for _, ours in pairs:
            table.opened(ours.fileno(), 0.0)
        assert ended(pairs) == [True] * 5 + [False] * share
