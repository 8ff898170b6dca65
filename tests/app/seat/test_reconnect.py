"""Who looks after the peer's whereabouts: a host's call is followed, and forged ones lead astray by turns only."""

import secrets
import socket
import time
from collections.abc import Callable, Iterator
from typing import cast

import pytest
from support.waiting import Party, during, until

from spitnet.app.seat.reconnect import ANEW_S, TURN_S, HostFinder
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, Lost, TableState, encode
from spitnet.net.finder import Place
from spitnet.net.join_link import JoinLink
from spitnet.protocol.notices import PeerBack
from spitnet.protocol.notices import PeerLost as LostNotice

SESSION, KEY = secrets.token_bytes(32), secrets.token_bytes(32)
HOME = ("127.0.0.1", 4000)


class NoLink:
    """A link that never comes up, and remembers where it was sent."""

    def __init__(self) -> None:
        self.up = False
        self.went: list[tuple[str, int]] = []

    def redirect(self, host: str, port: int, source: str | None = None) -> None:
        self.went.append((host, port))


class Scene:
    """A joiner whose host is lost, and those who call on its discovery port; the clock is the test's."""

    def __init__(self, port: int, place: Place | None = HOME) -> None:
        self.link = NoLink()
        link = cast(JoinLink, self.link)
        self.listening = HostFinder(link, SESSION, KEY, place, "lo", port)
        self.now_s = 0.0
        self.listening.tell(LostNotice(1, False), self.now_s)
        self._port = port
        self._callers: dict[str, socket.socket] = {}

    def call(self, address: str, port: int) -> None:
        """Call as the host, from an address."""
        if address not in self._callers:
            made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            made.bind((address, 0))
            self._callers[address] = made
        beacon = encode(Lost(1, bytes(16), port, KEY, SESSION))
        self._callers[address].sendto(beacon, ("127.255.255.255", self._port))

    def step(self, seconds: float) -> None:
        self.now_s += seconds
        self.listening.step(self.now_s)

    def close(self) -> None:
        self.listening.close()
        for made in self._callers.values():
            made.close()


@pytest.fixture
def scene(free_port: int) -> Iterator[Scene]:
    made = Scene(free_port)
    yield made
    made.close()


def test_a_call_is_followed_at_once(scene: Scene) -> None:
    scene.call("127.0.0.2", 5000)
    scene.step(0.01)
    assert scene.link.went == [("127.0.0.2", 5000)]


def test_without_a_call_the_old_place_is_tried_anew(scene: Scene) -> None:
    scene.step(ANEW_S - 0.1)
    assert not scene.link.went
    scene.step(0.2)
    assert scene.link.went == [HOME]


def test_forged_calls_keep_nobody_from_the_old_place_nor_from_the_new_one(scene: Scene) -> None:
    """A forger calls a hundred times as often as the host, from an address of its own, naming ever new ports."""
    for number in range(120):
        for forged in range(5):
            scene.call("127.0.0.66", 1000 + 5 * number + forged)
        if number % 10 == 0:
            scene.call("127.0.0.2", 5000)
        scene.step(0.1)
    went = scene.link.went
    assert len(went) <= 12 / TURN_S + 1
    assert went.count(HOME) >= 3
    assert went.count(("127.0.0.2", 5000)) >= 1


@pytest.mark.parametrize(
    ("own", "state", "found"),
    [
        (True, TableState.PLAYING, True),
        (True, TableState.OPEN, False),
        (False, TableState.PLAYING, False),
    ],
)
def test_a_host_that_misses_nobody_is_found_by_its_key(
    free_port: int, own: bool, state: TableState, found: bool
) -> None:
    """Who was killed between the wish for a rematch and its first beat has no place to go to, and isn't called.

    An open table of the same key is another one, and others play under other keys.
    """
    key = KEY if own else secrets.token_bytes(32)
    table = Announcement(1, bytes(16), 5000, key, "Ana", state, 0)
    announcer = Announcer(table, time.monotonic(), only="lo", discovery_port=free_port)
    if state is TableState.PLAYING:
        announcer.set_playing()
    scene = Scene(free_port, place=None)

    def answer(now_s: float) -> None:
        announcer.poll(now_s)
        announcer.drain(now_s)

    finder = scene.listening
    steps: dict[Party, Callable[[float], object]] = {announcer: answer, finder: finder.step}
    try:
        if found:
            until(lambda: scene.link.went, steps)
            assert scene.link.went[0][1] == 5000
        else:
            during(0.5, steps)
            assert scene.link.went == []
    finally:
        scene.close()
        announcer.close()


def test_a_call_is_believed_before_a_table(free_port: int) -> None:
    """The table may be another of that host's; the call names the match."""
    table = Announcement(1, bytes(16), 5000, KEY, "Ana", TableState.PLAYING, 0)
    announcer = Announcer(table, time.monotonic(), only="lo", discovery_port=free_port)
    announcer.set_playing()
    scene = Scene(free_port, place=None)

    def answer_and_call(now_s: float) -> None:
        announcer.poll(now_s)
        announcer.drain(now_s)
        scene.call("127.0.0.2", 6000)

    finder = scene.listening
    try:
        until(
            lambda: ("127.0.0.2", 6000) in scene.link.went,
            {announcer: answer_and_call, finder: finder.step},
        )
    finally:
        scene.close()
        announcer.close()


def test_where_the_link_stood_last_is_the_place_to_come_back_to(scene: Scene) -> None:
    scene.call("127.0.0.2", 5000)
    scene.step(0.01)
    scene.link.up = True
    scene.step(0.1)
    scene.listening.tell(PeerBack(1), scene.now_s)
    scene.link.up = False
    scene.listening.tell(LostNotice(2, False), scene.now_s)
    scene.step(ANEW_S + 0.1)
    assert scene.link.went == [("127.0.0.2", 5000)] * 2


def test_who_passes_on_the_handshake_alone_is_left_again(scene: Scene) -> None:
    """A link that is up proves nothing but that the host could be reached once: only its answer does."""
    scene.call("127.0.0.66", 5000)
    scene.step(0.01)
    scene.link.up = True
    for _ in range(30):
        scene.call("127.0.0.66", 5000)
        scene.step(ANEW_S / 4 + 0.1)
    assert scene.link.went.count(HOME) >= 3
