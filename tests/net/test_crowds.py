"""What strangers and a hostile opponent can make a link hold: connections, bytes, time. All of it is bounded."""

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import zmq
from support.waiting import Party, step, until

from spitnet.net import intake
from spitnet.net.connections import MOST_STRANGERS, Connections
from spitnet.net.host_link import HostLink
from spitnet.net.intake import OPPONENT_BYTES, SILENT_S, STRANGER_BYTES, Intake
from spitnet.net.join_link import JoinLink
from spitnet.net.link import BadMessage, Down, KeyPair, LinkEvent, Received, Up, new_keypair
from spitnet.net.socket_options import Context

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the system's counts aren't known"
)
_HERE, _EVES = "127.0.0.1", "127.0.0.66"


class Room:
    """A table, whoever connects to it, and what each was told. `later_s` moves the table's clock."""

    def __init__(self) -> None:
        self.context: Context = zmq.Context()
        self.pair = new_keypair()
        self.host = HostLink(self.context, self.pair, _HERE)
        self.told: list[LinkEvent] = []
        self.links: dict[JoinLink, list[LinkEvent]] = {}
        self.later_s = 0.0

    def join(self, pair: KeyPair, source: str = _HERE) -> JoinLink:
        """Connect, and be heard."""
        link = JoinLink(self.context, pair, self.pair.public, _HERE, self.host.port, source)
        self.links[link] = []
        self.until(lambda: link.up)
        assert link.send(b"knock")
        self.until(lambda: Received(pair.public, b"knock") in self.told)
        return link

    def until(self, reached: Callable[[], object]) -> None:
        until(reached, self._steps())

    def step(self) -> None:
        step(self._steps())

    def forget_frames(self) -> None:
        """Until the table has looked at every connection since the last frame."""
        self.until(
            lambda: not any(one.intake.frames for one in self.host._connections._all.values())
        )

    def _steps(self) -> dict[Party, Callable[[float], object]]:
        def act(link: JoinLink) -> Callable[[float], object]:
            return lambda now_s: self.links[link].extend(link.events(now_s))

        steps: dict[Party, Callable[[float], object]] = {link: act(link) for link in self.links}
        steps[self.host] = lambda now_s: self.told.extend(self.host.events(now_s + self.later_s))
        return steps

    def strangers(self) -> int:
        """Connections that the table holds."""
        return len(self.host._connections._all)

    def close(self) -> None:
        for link in self.links:
            link.close()
        self.host.close()
        self.context.destroy(linger=0)


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    yield made
    made.close()


def endless(dealer: "zmq.Socket[bytes]", route: list[bytes], parts: int, size: int) -> None:
    """One message of many parts."""
    for part in (*route, *(bytes(size) for _ in range(parts))):
        dealer.send(part, zmq.SNDMORE)
    dealer.send(b"")


def test_connections_of_strangers_are_few_and_the_crowded_address_gives_way(room: Room) -> None:
    """Hundreds that only connect: the opponent's stands, a newcomer from elsewhere gets in, descriptors don't run out."""
    ana, bram = new_keypair(), new_keypair()
    opponent = room.join(ana)
    held, most = [], 0
    for _ in range(5 * MOST_STRANGERS):
        held.append(socket.create_connection((_HERE, room.host.port), 5.0, (_EVES, 0)))
        room.step()
        most = max(most, room.strangers())
    assert MOST_STRANGERS // 2 < most < MOST_STRANGERS + 16
    late = room.join(bram)
    assert opponent.send(b"still here")
    room.until(lambda: Received(ana.public, b"still here") in room.told)
    assert late.send(b"here")
    room.until(lambda: Received(bram.public, b"here") in room.told)
    assert not [event for event in room.told if isinstance(event, Down)]
    for stream in held:
        stream.close()


def test_nothing_is_kept_of_connections_that_ended(room: Room) -> None:
    for number in range(200):
        with socket.create_connection((_HERE, room.host.port)) as stream:
            stream.sendall((b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64, b"")[number % 3])
        room.step()
    room.until(lambda: room.strangers() == 0)


def test_the_one_who_has_the_seat_may_be_silent_and_strangers_lose_their_connections(
    room: Room,
) -> None:
    ana, eve = new_keypair(), new_keypair()
    room.join(ana)
    room.join(eve, _EVES)
    room.host.seat(ana.public)
    room.until(lambda: room.strangers() == 1)
    room.forget_frames()
    room.later_s = SILENT_S + 1.0
    for _ in range(5):
        room.step()
    assert Down(ana.public) not in room.told


def test_a_stranger_who_knocked_once_and_fell_silent_is_ended(room: Room) -> None:
    eve = new_keypair()
    room.join(eve, _EVES)
    room.forget_frames()
    room.later_s = SILENT_S + 1.0
    room.until(lambda: Down(eve.public) in room.told)


@pytest.mark.parametrize("seated", [False, True])
def test_a_message_without_end_is_ended_at_the_host(room: Room, seated: bool) -> None:
    """A stranger loses its connection; of the opponent it is told as malformed, which ends the match."""
    ana = new_keypair()
    link = room.join(ana)
    if seated:
        room.host.seat(ana.public)
    endless(link._dealer, [], parts=20_000, size=4000)
    room.until(lambda: Down(ana.public) in room.told)
    assert (BadMessage(ana.public) in room.told) is seated
    assert room.links[link].count(Up(room.pair.public)) <= 2


def test_a_message_without_end_is_ended_at_the_joiner(room: Room) -> None:
    ana = new_keypair()
    link = room.join(ana)
    endless(room.host._router, [room.host._routes[ana.public]], parts=20_000, size=4000)
    room.until(lambda: BadMessage(room.pair.public) in room.links[link])
    room.until(lambda: Down(ana.public) in room.told)


def test_a_long_message_that_ends_is_thrown_away_in_portions(room: Room) -> None:
    """A hundred thousand parts would take the loop a tenth of a second and more; what others send comes in between."""
    ana, eve = new_keypair(), new_keypair()
    link = room.join(ana)
    other = room.join(eve, _EVES)
    assert link.send(b"before")
    endless(other._dealer, [], parts=1500, size=0)
    assert zmq.select([room.host._router], [], [], 5.0)[0]
    portions = 0
    end_s = time.monotonic() + 15.0
    while BadMessage(eve.public) not in room.told or room.host._discarding:
        assert time.monotonic() < end_s
        room.told.extend(room.host.events(time.monotonic(), most=1))
        portions += room.host._discarding
    assert portions >= 5
    assert link.send(b"after")
    room.until(lambda: Received(ana.public, b"after") in room.told)


def test_heartbeats_alone_are_no_stuffing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A day of them, as between two who read the score of their match and press no key."""
    watched = Intake(0, 0.0)
    for second in range(0, 86_400, 60):
        monkeypatch.setattr(watched, "_look", lambda second=second: (400 * second, None))
        assert not watched.stuffs(OPPONENT_BYTES, float(second))


@pytest.mark.parametrize("most", [STRANGER_BYTES, OPPONENT_BYTES])
def test_what_was_taken_as_frames_does_not_count(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """However many frames; and one of them is no leave to send as much again that is none."""
    watched = Intake(0, 0.0)
    for frames in range(1, 1000):
        watched.frame(800)
        told = frames * (800 + 33 + 9) + most
        monkeypatch.setattr(watched, "_look", lambda told=told: (told, None))
        assert not watched.stuffs(most, 0.0)
    watched.frame(100)
    monkeypatch.setattr(watched, "_look", lambda: (1000 * (800 + 33 + 9) + most, None))
    assert watched.stuffs(most, 0.0)


def test_a_descriptor_that_was_given_to_something_else_is_left_alone(tmp_path: Path) -> None:
    """Between libzmq's close and its telling of it, the number may be another connection's, or a file's."""
    with socket.create_server((_HERE, 0)) as server:
        first = socket.create_connection(server.getsockname())
        watched = Intake(first.fileno(), 0.0)
        assert watched.address == _HERE
        number = first.fileno()
        first.close()
        second = socket.create_connection(server.getsockname())
        if second.fileno() != number:
            os.dup2(second.fileno(), number)
        watched.cut()
        assert not watched.stuffs(0, 1.0)
        server.accept()[0].close()
        peer, _ = server.accept()
        second.sendall(b"stands")
        assert peer.recv(16) == b"stands"
        with (tmp_path / "record").open("wb") as file:
            os.dup2(file.fileno(), number)
            watched.cut()
            file.write(b"written")
        peer.close()
        if second.fileno() != number:
            os.close(number)
            second.close()
        else:
            second.detach()
            os.close(number)


@pytest.mark.parametrize("can_end", [True, False])
def test_where_little_is_known_little_is_ended(
    monkeypatch: pytest.MonkeyPatch, can_end: bool
) -> None:
    """On another system than Linux: no exception, no connection ended for what it sent; for its silence, on a POSIX one."""
    monkeypatch.setattr(intake, "_LINUX", False)
    monkeypatch.setattr(intake, "_POSIX", can_end)
    with socket.create_server((_HERE, 0)) as server:
        client = socket.create_connection(server.getsockname())
        ours, _ = server.accept()
        connections = Connections()
        connections.opened(ours.fileno(), 0.0)
        client.sendall(bytes(2 * STRANGER_BYTES))
        client.setblocking(False)
        connections.check(1.0)
        with pytest.raises(BlockingIOError):
            client.recv(1)
        connections.check(SILENT_S + 1.0)
        if can_end:
            assert client.recv(1) == b""
        else:
            with pytest.raises(BlockingIOError):
                client.recv(1)
        client.close()
        ours.close()
