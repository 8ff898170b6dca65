"""A joiner that its host misses, as those learn who look on: by calls that count for this match, and for a while."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
import zmq

from spitnet.app.spectate.absence import CALLED_S, STILL_S, JoinerAbsence
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, Beacon, Gone, Lost, Probe, TableState, encode
from spitnet.net.datagrams import Datagrams
from spitnet.protocol import VERSION

KEY, SESSION = b"k" * 32, b"s" * 32
CALL = Lost(VERSION, bytes(16), 4711, KEY, SESSION)
PLAYING = Announcement(VERSION, bytes(16), 4711, KEY, "Ana", TableState.PLAYING, 0)
OF_OTHERS = (
    Lost(VERSION, bytes(16), 4711, KEY, bytes(32)),
    Lost(VERSION, bytes(16), 4711, bytes(32), SESSION),
    Gone(VERSION, bytes(16)),
    Probe(VERSION),
)


class Hearing:
    """A joiner looked after on a clock of the test's own, which starts with a beat at 0."""

    def __init__(self, port: int) -> None:
        self.missed = JoinerAbsence(KEY, "lo", port)
        self._port = port
        self._sender = Datagrams(0, "lo", 0.0)
        self.missed.played(SESSION, 0.0)

    def at(self, now_s: float) -> bool:
        self.missed.step(now_s)
        return bool(self.missed)

    def called(self, now_s: float, *calls: Beacon) -> bool:
        """Whether it is missed once all of these have come in."""
        for one in calls:
            self._sender.send(encode(one), "127.255.255.255", self._port)
            self.hear(now_s)
        return bool(self.missed)

    def hear(self, now_s: float) -> None:
        """What comes in next."""
        poller = zmq.Poller()
        for socket in self.missed.sockets:
            poller.register(socket, zmq.POLLIN)
        assert poller.poll(10_000)
        self.missed.step(now_s)

    def close(self) -> None:
        self.missed.forget()
        self._sender.close()


@pytest.fixture
def hearing(free_port: int) -> Iterator[Hearing]:
    one = Hearing(free_port)
    yield one
    one.close()


def test_nobody_listens_while_beats_come(hearing: Hearing) -> None:
    """The well-known port is shared with those whose business it is."""
    assert not hearing.at(STILL_S - 0.1)
    assert hearing.missed.sockets == ()
    assert hearing.missed.next_deadline_s() == STILL_S
    hearing.at(STILL_S)
    assert hearing.missed.sockets


def test_calls_count_until_they_stop(hearing: Hearing) -> None:
    hearing.at(STILL_S)
    assert hearing.called(3.0, CALL)
    assert hearing.called(4.0, CALL)
    assert hearing.missed.next_deadline_s() == 4.0 + CALLED_S
    assert hearing.at(4.0 + CALLED_S - 0.1)
    assert not hearing.at(4.0 + CALLED_S)
    assert hearing.called(60.0, CALL), "away once more"


def test_a_beat_shows_that_both_are_there(hearing: Hearing) -> None:
    hearing.at(STILL_S)
    assert hearing.called(3.0, CALL)
    hearing.missed.played(SESSION, 3.1)
    assert not hearing.at(3.1)


def test_a_host_that_says_it_plays_misses_nobody(hearing: Hearing) -> None:
    """At once, whenever its last call was; an open table of its key, or another's in play, says nothing of that."""
    hearing.at(STILL_S)
    assert hearing.called(3.0, CALL)
    others = replace(PLAYING, key=bytes(32)), replace(PLAYING, state=TableState.OPEN)
    assert hearing.called(3.0, *others)
    assert not hearing.called(3.0, PLAYING)
    assert hearing.called(3.0, CALL), "away once more"


def test_a_host_says_that_its_opponent_is_back(hearing: Hearing, free_port: int) -> None:
    """Three times, in case that one is lost; then it is silent. No time passes for those who listen."""
    hearing.at(STILL_S)
    host = Announcer(PLAYING, 0.0, only="lo", discovery_port=free_port)
    host.announce_lost(SESSION, 0.0)
    host.poll(0.0)
    hearing.hear(3.0)
    assert hearing.missed
    host.announce_back(1.0)
    sent = []
    while (at_s := host.next_deadline_s()) is not None:
        host.poll(at_s)
        sent.append(round(at_s, 3))
        hearing.hear(3.0)
        assert not hearing.missed
    assert sent == [1.0, 1.1, 1.3]
    host.announce_lost(SESSION, 2.0)
    for at_s in (2.0, 2.1, 2.3, 3.4):
        host.poll(at_s)
    assert host.next_deadline_s() is not None, "a lost one is called for as long as it takes"
    host.close()


def test_calls_of_others_are_passed_over(hearing: Hearing) -> None:
    hearing.at(STILL_S)
    assert not hearing.called(3.0, *OF_OTHERS)
    assert hearing.called(3.0, CALL)


def test_where_nobody_can_know_nobody_is_missed(hearing: Hearing) -> None:
    hearing.at(STILL_S)
    assert hearing.called(3.0, CALL)
    hearing.missed.forget()
    assert not hearing.at(100.0)
    assert hearing.missed.next_deadline_s() is None
