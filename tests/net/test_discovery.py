"""Discovery on this machine's loopback, each test on a port of its own."""

import contextlib
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from support.waiting import Party, during, step, until

from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, Gone, Lost, Probe, TableState, decode, encode
from spitnet.net.finder import Finder
from spitnet.net.tables import MOST_TABLES

Steps = dict[Party, Callable[[float], object]]
_LOOPBACK_BROADCAST = "127.255.255.255"


def free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def table(name: str = "Ana", version: int = 1) -> Announcement:
    instance, key = secrets.token_bytes(16), secrets.token_bytes(32)
    return Announcement(version, instance, free_port(), key, name, TableState.OPEN, 2)


def act(party: Announcer | Finder) -> Callable[[float], None]:
    def both(now_s: float) -> None:
        party.poll(now_s)
        party.drain(now_s)

    return both


class Room:
    """Announcers and finders on one discovery port of loopback."""

    def __init__(self) -> None:
        self.port = free_port()
        self.parties: list[Announcer | Finder] = []

    def host(self, beacon: Announcement) -> Announcer:
        made = Announcer(beacon, time.monotonic(), only="lo", discovery_port=self.port)
        self.parties.append(made)
        return made

    def finder(self, *, broadcast: bool = True) -> Finder:
        made = Finder(1, time.monotonic(), only="lo", discovery_port=self.port, broadcast=broadcast)
        self.parties.append(made)
        return made

    @property
    def steps(self) -> Steps:
        return {party: act(party) for party in self.parties}

    def until(self, reached: Callable[[], object]) -> None:
        until(reached, self.steps)


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    yield made
    for party in made.parties:
        party.close()


@pytest.fixture
def stranger() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        made.bind(("127.0.0.1", 0))
        made.settimeout(5.0)
        yield made


def names(finder: Finder) -> list[str]:
    return [one.name for one in finder.tables(time.monotonic())]


def test_a_joiner_finds_a_table_by_broadcast(room: Room) -> None:
    beacon = table()
    room.host(beacon)
    finder = room.finder()
    room.until(lambda: names(finder))
    (found,) = finder.tables(time.monotonic())
    assert (found.name, found.port, found.key) == ("Ana", beacon.port, beacon.key)
    assert (found.address, found.state, found.flags) == ("127.0.0.1", TableState.OPEN, 2)
    assert not finder.troubles


def test_a_waiting_joiner_hears_a_new_table_and_its_goodbye(room: Room) -> None:
    finder = room.finder()
    act(finder)(time.monotonic())
    host = room.host(table())
    room.until(lambda: names(finder))
    room.parties.remove(host)
    host.close()
    room.until(lambda: not names(finder))


def test_two_tables_of_one_name_are_two_entries(room: Room) -> None:
    room.host(table())
    room.host(table())
    finder = room.finder()
    room.until(lambda: names(finder) == ["Ana", "Ana"])


def test_several_joiners_of_one_machine_find_the_table(room: Room) -> None:
    room.host(table())
    finders = [room.finder() for _ in range(5)]
    room.until(lambda: all(names(one) for one in finders))


@pytest.mark.parametrize(
    ("typed", "shown"),
    [("🃏 Ana", "🃏 Ana"), ("A\x1b[31m\x00\u202ena", "A[31mna"), ("x" * 300, "x" * 32)],
)
def test_names_arrive_clean(room: Room, typed: str, shown: str) -> None:
    room.host(table(typed))
    finder = room.finder()
    room.until(lambda: names(finder) == [shown])


def test_another_version_is_found_and_said(room: Room) -> None:
    room.host(table(version=7))
    finder = room.finder()
    room.until(lambda: [one.version for one in finder.tables(time.monotonic())] == [7])


def test_in_play_nothing_is_broadcast_but_who_asks_is_told(
    room: Room, stranger: socket.socket
) -> None:
    host = room.host(table())
    host.set_playing()
    assert host.next_deadline_s() is None
    stranger.sendto(encode(Probe(1)), (_LOOPBACK_BROADCAST, room.port))
    heard: list[bytes] = []
    stranger.settimeout(0)
    room.until(lambda: receive(stranger, heard))
    answer = decode(heard[0])
    assert isinstance(answer, Announcement)
    assert answer.state is TableState.PLAYING


def receive(source: socket.socket, heard: list[bytes]) -> bool:
    try:
        heard.append(source.recv(2048))
    except BlockingIOError:
        return False
    return True


def test_asking_one_address_needs_neither_broadcast_nor_the_well_known_port(room: Room) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other_program:
        other_program.bind(("0.0.0.0", room.port))
        beacon = table()
        host = room.host(beacon)
        assert host.well_known_port_held
        finder = room.finder(broadcast=False)
        finder.ask("127.0.0.1", beacon.port, time.monotonic())
        room.until(finder.answers)
        (found,) = finder.answers()
        assert (found.key, found.address, found.port) == (beacon.key, "127.0.0.1", beacon.port)
    room.until(lambda: not host.well_known_port_held)
    by_broadcast = room.finder()
    room.until(lambda: names(by_broadcast))


def test_a_joiner_whose_well_known_port_is_held_still_gets_answers(room: Room) -> None:
    """Answers come by unicast to the prober's own port; only hosts need the well-known one."""
    room.host(table())
    finder = room.finder()
    finder._listener.close()  # type: ignore[union-attr]
    room.until(lambda: names(finder))


def test_asking_an_address_without_a_port_reaches_a_host_among_other_listeners(
    room: Room,
) -> None:
    """A unicast datagram to a shared port reaches one listener, chosen by the source port: so ask from several."""
    listening = [room.finder() for _ in range(2)]
    room.host(table())
    finder = room.finder(broadcast=False)
    finder.ask("127.0.0.1", None, time.monotonic())
    room.until(finder.answers)
    assert finder.answers()[0].name == "Ana"
    assert listening


def test_a_lost_opponent_is_called_by_session(room: Room) -> None:
    beacon = table()
    session = secrets.token_bytes(32)
    host = room.host(beacon)
    finder = room.finder()
    finder.look_for(session, beacon.key)
    host.announce_lost(session, time.monotonic())
    room.until(finder.heard_lost)
    assert finder.heard_lost() == (("127.0.0.1", beacon.port),)


def test_a_call_with_another_session_or_key_is_not_heard(
    room: Room, stranger: socket.socket
) -> None:
    session, key = secrets.token_bytes(32), secrets.token_bytes(32)
    finder = room.finder()
    finder.look_for(session, key)
    for forged in (
        Lost(1, bytes(16), 1, bytes(32), session),
        Lost(1, bytes(16), 2, key, bytes(32)),
        Lost(1, bytes(16), 3, key, session),
    ):
        stranger.sendto(encode(forged), (_LOOPBACK_BROADCAST, room.port))
    room.until(finder.heard_lost)
    assert finder.heard_lost() == (("127.0.0.1", 3),)


def test_forged_floods_stay_bounded_and_push_nobody_out(
    room: Room, stranger: socket.socket
) -> None:
    room.host(table())
    finder = room.finder()
    room.until(lambda: names(finder))
    for _ in range(1000):
        stranger.sendto(encode(table_of_a_forger()), (_LOOPBACK_BROADCAST, room.port))
        stranger.sendto(secrets.token_bytes(300), (_LOOPBACK_BROADCAST, room.port))
        stranger.sendto(encode(Gone(1, secrets.token_bytes(16))), (_LOOPBACK_BROADCAST, room.port))
        act(finder)(time.monotonic())
    during(0.1, room.steps)
    assert names(finder)[0] == "Ana"
    assert len(names(finder)) <= MOST_TABLES


class Forger:
    """Sends beacons from many addresses of this machine, a round at a time, and answers nothing."""

    def __init__(self, port: int, real: Announcement, addresses: int) -> None:
        self.sent = 0
        self._port = port
        self._real = real
        self._sockets = []
        for number in range(addresses):
            made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            made.bind((f"127.1.{number // 250}.{1 + number % 250}", 0))
            self._sockets.append(made)

    def send(self, sources: int = 8) -> None:
        """A portion, from the next few addresses: no more at once than a socket's buffer holds."""
        for _ in range(sources):
            source = self._sockets[self.sent // 8 % len(self._sockets)]
            for beacon in self._lies():
                source.sendto(beacon, (_LOOPBACK_BROADCAST, self._port))
                self.sent += 1

    def _lies(self) -> list[bytes]:
        real, other = self._real, table_of_a_forger()
        future = b"spitnet\x00\x94\x01\x09\xc4\x10" + secrets.token_bytes(16) + b"\x00"
        return [
            encode(other),
            encode(replace(other, name="\x1b[2J\u202eAna\u200b" + "🂡" * 200, version=2)),
            encode(replace(other, version=65535, flags=65535, state=TableState.PLAYING)),
            encode(real),
            encode(replace(real, key=secrets.token_bytes(32))),
            encode(replace(real, port=1)),
            encode(Gone(1, real.instance)),
            future,
        ]

    def close(self) -> None:
        for source in self._sockets:
            source.close()


@pytest.mark.parametrize(
    ("addresses", "beacons"), [(80, 10_000), pytest.param(400, 400_000, marks=pytest.mark.full)]
)
def test_a_table_stands_first_amid_forged_ones(room: Room, addresses: int, beacons: int) -> None:
    """By the ten thousand: copies of it from elsewhere, with another key, wrong versions, future kinds, its goodbye."""
    beacon = table()
    forger = Forger(room.port, beacon, addresses)
    finder = room.finder()

    def flood() -> None:
        forger.send()
        step(room.steps)
        assert len(finder.tables(time.monotonic())) <= MOST_TABLES

    def first() -> bool:
        tables = finder.tables(time.monotonic())
        # Not the address: on loopback the real table answers at those of the forger too.
        return bool(tables) and (tables[0].key, tables[0].port) == (beacon.key, beacon.port)

    for _ in range(20):
        flood()
    room.host(beacon)
    end_s = time.monotonic() + 15.0
    while not first():
        assert time.monotonic() < end_s
        flood()
    while forger.sent < beacons:
        flood()
        assert first()
    forger.close()


def test_a_table_with_the_address_of_its_forger_is_seen(
    room: Room, stranger: socket.socket
) -> None:
    """A thousand forged ones under the very address of the real one, and its goodbye; it answers, they don't.

    Their name would come first in the list, so that the real one does only once its address is proved.
    """
    beacon = table()
    finder = room.finder()
    room.host(beacon)

    def seen() -> bool:
        for _ in range(40):
            stranger.sendto(encode(table_of_a_forger()), (_LOOPBACK_BROADCAST, room.port))
        stranger.sendto(encode(Gone(1, beacon.instance)), (_LOOPBACK_BROADCAST, room.port))
        return names(finder)[:1] == ["Ana"]

    room.until(seen)
    for _ in range(10):
        assert seen()
        step(room.steps)


def test_answers_to_a_flood_of_probes_are_bounded_and_a_joiner_still_gets_one(
    room: Room, stranger: socket.socket
) -> None:
    """Two hundred sources ask without end; who asks for the first time is answered among them."""
    beacon = table()
    room.host(beacon)
    floods = []
    for number in range(200):
        made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        made.bind((f"127.2.0.{1 + number}", 0))
        made.setblocking(False)
        floods.append(made)
    finder = room.finder(broadcast=False)
    finder.ask("127.0.0.1", beacon.port, time.monotonic())
    began_s = time.monotonic()

    def answered() -> bool:
        for made in floods:
            made.sendto(encode(Probe(1)), ("127.0.0.1", beacon.port))
        return bool(finder.answers())

    room.until(answered)
    for _ in range(20):
        assert answered()
        step(room.steps, at_most_s=0.01)
    answers = 0
    for made in floods:
        heard: list[bytes] = []
        while receive(made, heard):
            pass
        answers += len(heard)
        made.close()
    assert 0 < answers <= 200 + 200 * (time.monotonic() - began_s)


def test_a_flood_is_read_at_a_bounded_pace(room: Room, stranger: socket.socket) -> None:
    """So many datagrams at a time, then a rest in which nothing wakes the loop; in play fewer, and a longer one."""
    host = room.host(table())
    for playing, most, rest_s in ((False, 128, 0.005), (True, 16, 0.02)):
        if playing:
            host.set_playing()
        for _ in range(150):
            stranger.sendto(b"x" * 500, ("127.0.0.1", host._door.port))
        source = host._door.socket
        assert source in host.sockets
        host.drain(1000.0)
        assert source not in host.sockets
        deadline_s = host._door.next_deadline_s()
        assert deadline_s == 1000.0 + rest_s
        assert 150 - left_of(host) == most
        host.drain(1000.0 + rest_s / 2)
        assert source not in host.sockets
        host.poll(1000.0 + rest_s)
        assert source in host.sockets


def left_of(host: Announcer) -> int:
    """How many datagrams wait at a host's door; takes them."""
    left = 0
    assert host._door.socket is not None
    with contextlib.suppress(BlockingIOError):
        while True:
            host._door.socket.recv(2048)
            left += 1
    return left


def table_of_a_forger() -> Announcement:
    return Announcement(
        1, secrets.token_bytes(16), 9, secrets.token_bytes(32), "A forged one", TableState.OPEN, 0
    )


def test_answers_are_never_larger_than_the_question_and_rationed(
    room: Room, stranger: socket.socket
) -> None:
    host = room.host(table())
    host.set_playing()
    short = encode(Probe(1))
    short = short[:8] + b"\x93\x01\x00\xc4\x00"
    assert decode(short) == Probe(1)
    stranger.sendto(short, ("127.0.0.1", host._door.port))
    for _ in range(60):
        stranger.sendto(encode(Probe(1)), ("127.0.0.1", host._door.port))
    for number in range(5):
        host.drain(1000.0 + number / 40)
    heard: list[bytes] = []
    stranger.settimeout(0)
    while receive(stranger, heard):
        pass
    assert 40 <= len(heard) <= 42


def test_what_comes_by_another_interface_does_not_count(room: Room) -> None:
    """A source beyond loopback, and an interface that is not the one we keep to, are both left out."""
    from spitnet.net.datagrams import Datagrams

    kept = Datagrams(0, "lo", 0.0)
    assert kept._ours("127.0.0.1", socket.if_nametoindex("lo"), socket.if_nametoindex("lo"))
    assert not kept._ours("10.0.0.9", 1, 1)
    assert not kept._ours("127.0.0.1", 2, 1)
    assert not kept._ours("127.0.0.1", 2, None)
    kept.close()


def test_a_broken_socket_is_replaced(room: Room) -> None:
    host = room.host(table())
    finder = room.finder()
    room.until(lambda: names(finder))
    for one in (host._listener, host._door):
        assert one.socket is not None
        one.socket.close()
        one._judge("test", OSError(9, "Bad file descriptor"))
    finder_again = room.finder()
    room.until(lambda: names(finder_again))
    assert not host._listener._broken


def test_backoff_grows_to_five_seconds(room: Room) -> None:
    from spitnet.net.datagrams import Datagrams

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other_program:
        other_program.bind(("0.0.0.0", room.port))
        waiting = Datagrams(room.port, "lo", 0.0, shared=True)
        now_s, gaps = 0.0, []
        for _ in range(9):
            deadline_s = waiting.next_deadline_s()
            assert deadline_s is not None
            gaps.append(round(deadline_s - now_s, 3))
            now_s = deadline_s
            waiting.mend(now_s)
        held = waiting.held
    assert held
    assert gaps == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]
    deadline_s = waiting.next_deadline_s()
    assert deadline_s is not None
    waiting.mend(deadline_s)
    assert not waiting.held
    assert waiting.socket is not None
    waiting.close()


def test_announcements_come_as_a_burst_then_about_once_a_second(room: Room) -> None:
    host = Announcer(table(), 100.0, only="lo", discovery_port=room.port)
    times, now_s = [], 100.0
    for _ in range(8):
        now_s = host.next_deadline_s() or 0.0
        times.append(now_s - 100.0)
        host.poll(now_s)
    host.close()
    assert [round(at, 3) for at in times[:3]] == [0.0, 0.1, 0.3]
    gaps = [later - earlier for earlier, later in pairwise(times[2:])]
    assert all(0.9 <= gap <= 1.1 for gap in gaps)


def test_probes_come_quickly_at_first_then_twice_a_second(room: Room) -> None:
    finder = Finder(1, 100.0, only="lo", discovery_port=room.port)
    times, now_s = [], 100.0
    for _ in range(5):
        now_s = finder.next_deadline_s() or 0.0
        times.append(round(now_s - 100.0, 3))
        finder.poll(now_s)
    finder.close()
    assert times == [0.0, 0.05, 0.15, 0.65, 1.15]
