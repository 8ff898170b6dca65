"""The link on loopback: who gets in, who is refused, what survives, what never gets through."""

import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial

import pytest
import zmq
from support.waiting import Party, during, until

from spitnet.net.errors import BadAddress, CannotListen, CurveMissing, PortTaken
from spitnet.net.host_link import HostLink
from spitnet.net.join_link import JoinLink
from spitnet.net.link import (
    MAX_WIRE_BYTES,
    BadMessage,
    Down,
    Failed,
    KeyPair,
    LinkEvent,
    LinkFailure,
    Received,
    Refused,
    Up,
    new_keypair,
    require_curve,
)
from spitnet.net.socket_options import Context, set_common
from spitnet.net.zap import Admission

_HERE = "127.0.0.1"
CURVE_BYTES = 33
"""What CURVE puts around a frame (command name, nonce, flags, authenticator); libzmq counts them in."""
_AGES_MS = 15_000


class Line:
    """A host and joiners on one context, and all that they were told."""

    def __init__(self) -> None:
        self.context: Context = zmq.Context()
        self.most = 64
        self.later_s = 0.0
        self.host_pair = new_keypair()
        self.host = HostLink(self.context, self.host_pair, _HERE)
        self.told: dict[HostLink | JoinLink, list[LinkEvent]] = {self.host: []}

    def join(self, pair: KeyPair | None = None, source: str = "0.0.0.0") -> JoinLink:
        pair = pair or new_keypair()
        link = JoinLink(self.context, pair, self.host_pair.public, _HERE, self.host.port, source)
        self.told[link] = []
        return link

    def until(self, reached: Callable[[], object]) -> None:
        until(reached, self.steps)

    def during(self, seconds: float) -> None:
        during(seconds, self.steps)

    def until_told(self, link: HostLink | JoinLink, event: LinkEvent, times: int = 1) -> None:
        self.until(lambda: self.told[link].count(event) >= times)

    def connect(self, pair: KeyPair, source: str = "0.0.0.0") -> JoinLink:
        """Join, and be heard."""
        link = self.join(pair, source)
        self.until_told(link, Up(self.host_pair.public))
        assert link.send(b"knock")
        self.until_told(self.host, Received(pair.public, b"knock"))
        return link

    @property
    def steps(self) -> dict[Party, Callable[[float], object]]:
        return {link: self._collect(link) for link in self.told}

    def _collect(self, link: HostLink | JoinLink) -> Callable[[float], None]:
        return lambda now_s: self.told[link].extend(link.events(now_s + self.later_s, self.most))

    def drop(self, link: HostLink | JoinLink) -> None:
        del self.told[link]
        link.close()

    def close(self) -> None:
        for link in list(self.told):
            self.drop(link)
        self.context.destroy()  # Sockets that a failed test left open must not keep us here.


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


def test_frames_go_both_ways(line: Line) -> None:
    ana = new_keypair()
    link = line.connect(ana)
    assert line.told[line.host][:2] == [Up(ana.public), Received(ana.public, b"knock")]
    assert line.host.send(ana.public, b"welcome")
    line.until_told(link, Received(line.host_pair.public, b"welcome"))


def test_the_longest_frame_passes_and_one_byte_more_does_not(line: Line) -> None:
    ana = new_keypair()
    link = line.connect(ana)
    longest = bytes(MAX_WIRE_BYTES - CURVE_BYTES)
    assert link.send(longest)
    line.until_told(line.host, Received(ana.public, longest))
    assert link.send(longest + b"x")
    line.until_told(line.host, Down(ana.public))
    line.until_told(link, Up(line.host_pair.public), times=2)
    assert Received(ana.public, longest + b"x") not in line.told[line.host]


def test_any_key_may_knock_at_an_open_table(line: Line) -> None:
    for pair in (new_keypair(), new_keypair(), new_keypair()):
        line.connect(pair)


def test_a_seat_refuses_strangers_before_and_after(line: Line) -> None:
    ana, early = new_keypair(), new_keypair()
    ana_link = line.connect(ana)
    early_link = line.connect(early)
    line.host.seat(ana.public)
    assert line.host.send(early.public, b"taken")
    line.until_told(early_link, Received(line.host_pair.public, b"taken"))
    line.until_told(early_link, Refused(400))
    late_link = line.join()
    line.until_told(late_link, Refused(400))
    assert ana_link.send(b"play")
    line.until_told(line.host, Received(ana.public, b"play"))
    line.until(lambda: len(line.host._connections) == 1)
    assert not {Down(ana.public), Down(early.public)} & {*line.told[line.host]}


def test_a_refused_joiner_does_not_try_again_by_itself(line: Line) -> None:
    line.host.seat(new_keypair().public)
    link = line.join()
    line.until_told(link, Refused(400))
    line.during(0.5)
    assert [*line.told[link]].count(Refused(400)) == 1


def test_a_reconnect_under_the_same_key_takes_over(line: Line) -> None:
    ana = new_keypair()
    line.connect(ana)
    line.host.seat(ana.public)
    again = line.join(ana)
    line.until_told(again, Up(line.host_pair.public))
    assert again.send(b"again")
    line.until_told(line.host, Received(ana.public, b"again"))
    assert line.host.send(ana.public, b"to the new one")
    line.until_told(again, Received(line.host_pair.public, b"to the new one"))


def test_a_connection_that_was_taken_over_can_take_over_again(line: Line) -> None:
    ana = new_keypair()
    first = line.connect(ana)
    line.drop(line.connect(ana))
    line.until(lambda: not line.host.send(ana.public, b"?"))
    first.redirect(_HERE, line.host.port)
    line.until_told(first, Up(line.host_pair.public), times=2)
    assert first.send(b"back")
    line.until_told(line.host, Received(ana.public, b"back"))


def test_the_end_of_a_connection_is_told(line: Line) -> None:
    ana = new_keypair()
    line.drop(line.connect(ana))
    line.until_told(line.host, Down(ana.public))
    line.until(lambda: not line.host.send(ana.public, b"anyone?"))
    line.connect(ana)
    line.until_told(line.host, Up(ana.public), times=2)


@pytest.mark.parametrize("source", ["0.0.0.0", _HERE])
def test_a_host_that_comes_back_is_found_again(line: Line, source: str) -> None:
    ana = new_keypair()
    link = line.connect(ana, source)
    port = line.host.port
    line.drop(line.host)
    line.until_told(link, Down(line.host_pair.public))
    line.until_told(link, Failed(LinkFailure.UNREACHABLE))
    assert not link.up
    assert not link.send(b"nobody")
    line.host = HostLink(line.context, line.host_pair, _HERE, port)
    line.told[line.host] = []
    line.host.seat(ana.public)
    line.until_told(link, Up(line.host_pair.public), times=2)
    assert link.send(b"again")
    line.until_told(line.host, Received(ana.public, b"again"))


def test_a_link_is_led_to_another_address(line: Line) -> None:
    ana = new_keypair()
    link = line.connect(ana)
    line.host.follow("127.0.0.2")
    link.redirect("127.0.0.2", line.host.port)
    line.until_told(link, Up(line.host_pair.public), times=2)
    assert link.send(b"here")
    line.until_told(line.host, Received(ana.public, b"here"))


def test_another_key_than_the_tables_fails(line: Line) -> None:
    link = JoinLink(line.context, new_keypair(), new_keypair().public, _HERE, line.host.port)
    line.told[link] = []
    line.until_told(link, Failed(LinkFailure.NOT_A_TABLE), times=2)


def test_a_listener_that_is_no_table_fails(line: Line) -> None:
    with socket.create_server((_HERE, 0)) as server:
        port = server.getsockname()[1]
        link = JoinLink(line.context, new_keypair(), new_keypair().public, _HERE, port)
        line.told[link] = []
        line.until_told(link, Failed(LinkFailure.NOT_A_TABLE))


def raw(line: Line, kind: int, pair: KeyPair | None, identity: bytes | None) -> zmq.Socket[bytes]:
    """Make a socket of a program that isn't ours."""
    made = line.context.socket(kind)
    made.linger = 0
    if pair is not None:
        set_common(made, pair)
        made.curve_serverkey = line.host_pair.public
    if identity is not None:
        made.routing_id = identity
    made.connect(f"tcp://{_HERE}:{line.host.port}")
    return made


def test_without_curve_nothing_gets_through(line: Line) -> None:
    plain = raw(line, zmq.DEALER, None, None)
    plain.send(b"hello")
    with socket.create_connection((_HERE, line.host.port)) as stream:
        stream.sendall(b"\x01\x00\x05hello")
        line.connect(new_keypair())
        line.during(0.3)
    plain.close()
    assert [type(one) for one in line.told[line.host]] == [Up, Received]


def test_more_than_one_part_is_malformed(line: Line) -> None:
    ana = new_keypair()
    parts = raw(line, zmq.DEALER, ana, None)
    parts.send_multipart([b"a"] * 5)
    line.until_told(line.host, BadMessage(ana.public))

    def heard() -> bool:
        """Who has no seat loses its connection with such a message, and what it sent meanwhile."""
        parts.send(b"one")
        return Received(ana.public, b"one") in line.told[line.host]

    line.until(heard)
    parts.close()


def test_what_a_peer_calls_itself_makes_it_nobody_else(line: Line) -> None:
    """By any routing id it is its key, and is answered by its own connection; nobody is kept out by one."""
    ana, eve, mallory = new_keypair(), new_keypair(), new_keypair()
    name = b"K" + ana.public
    first, second = raw(line, zmq.DEALER, eve, name), raw(line, zmq.DEALER, mallory, name)
    first.send(b"I am Ana")
    second.send(b"I am Ana")
    line.until(
        lambda: (
            {Received(one.public, b"I am Ana") for one in (eve, mallory)} & {*line.told[line.host]}
        )
    )
    link = line.connect(ana)
    assert line.host.send(ana.public, b"welcome")
    line.until_told(link, Received(line.host_pair.public, b"welcome"))
    assert not first.poll(0)
    assert not second.poll(0)
    first.close()
    second.close()


def test_sending_never_blocks_and_says_when_nobody_reads(line: Line) -> None:
    ana = new_keypair()
    link = line.connect(ana)
    line.told.pop(link)
    sent = 0
    while line.host.send(ana.public, bytes(4000)):
        sent += 1
        assert sent < 100_000
    link.close()


def test_a_last_word_waits_for_room(line: Line) -> None:
    """More than libzmq keeps has been said at once: it leaves all the same, behind what was kept, from either side."""
    ana = new_keypair()
    link = line.connect(ana)
    for told, key, send in (
        (link, line.host_pair.public, partial(line.host.send, ana.public)),
        (line.host, ana.public, link.send),
    ):
        line.told[told].clear()
        while send(b"more"):
            pass
        assert send(b"last", _AGES_MS)
        line.until_told(told, Received(key, b"last"))
        assert line.told[told][-1] == Received(key, b"last")


def test_a_last_word_to_nobody_waits_for_nothing(line: Line) -> None:
    link = line.join()
    assert not link.send(b"last", _AGES_MS)
    assert not line.host.send(new_keypair().public, b"last", _AGES_MS)


def test_the_host_keeps_draining_under_a_flood(line: Line) -> None:
    """The router serves connections in turn: a stranger who floods does not starve the opponent."""
    ana, eve = new_keypair(), new_keypair()
    link, flood = line.connect(ana), line.connect(eve)
    line.host.seat(ana.public)

    def flood_on(now_s: float) -> None:
        for _ in range(200):
            flood.send(bytes(1000))

    line.told.pop(flood)
    steps = line.steps | {flood: flood_on}
    for number in range(20):
        assert link.send(b"%d" % number)
        wanted = Received(ana.public, b"%d" % number)
        until(lambda wanted=wanted: wanted in line.told[line.host], steps, 5.0)  # type: ignore[misc]
    flood.close()


def test_one_call_takes_a_bounded_number_of_frames(line: Line) -> None:
    ana = new_keypair()
    link = line.connect(ana)
    line.told.pop(line.host)
    for _ in range(20):
        assert link.send(b"x")
    assert zmq.select([line.host._router], [], [], 5.0)[0]
    counts: list[int] = []
    until(
        lambda: sum(counts) == 20,
        {line.host: lambda now_s: counts.append(len(line.host.events(now_s, most=3)))},
    )
    assert max(counts) <= 3
    line.host.close()
    link.close()
    line.told.clear()


def test_knocks_are_rationed_by_key_and_by_address(line: Line) -> None:
    judge = line.host._judge
    one = [judge(b"k" * 32, "10.0.0.1", 0.0) for _ in range(8)]
    assert one == [Admission.WELCOME] * 6 + [Admission.LATER] * 2
    many = [judge(bytes([number] * 32), "10.0.0.2", 0.0) for number in range(60)]
    assert many.count(Admission.WELCOME) == 40
    assert judge(b"k" * 32, "10.0.0.1", 2.0) is Admission.WELCOME
    line.host.seat(b"k" * 32)
    seated = [judge(b"k" * 32, "10.0.0.1", 2.0) for _ in range(99)]
    assert seated == [Admission.WELCOME] * 40 + [Admission.LATER] * 59
    assert judge(b"k" * 32, "10.0.0.1", 2.1) is Admission.WELCOME
    assert judge(b"e" * 32, "10.0.0.3", 9.0) is Admission.TAKEN


def test_an_exchange_amid_garbage_on_its_tcp_port(line: Line) -> None:
    ana = new_keypair()
    link = line.connect(ana)
    rubbish = [
        b"GET / HTTP/1.1\r\n\r\n",
        bytes(2000),
        b"\xff" * 2000,
        b"\xff\0\0\0\0\0\0\0\1\x7f\3\1CURVE",
    ]
    streams: list[socket.socket] = []
    for number in range(60):
        stream = socket.create_connection((_HERE, line.host.port))
        stream.sendall(rubbish[number % len(rubbish)])
        streams.append(stream)
        assert link.send(b"%d" % number)
        line.until_told(line.host, Received(ana.public, b"%d" % number))
    for stream in streams:
        stream.close()
    assert Down(ana.public) not in line.told[line.host]


def test_a_taken_port_and_a_bad_address_are_said(line: Line) -> None:
    context: Context = zmq.Context()
    with pytest.raises(PortTaken, match=str(line.host.port)):
        HostLink(context, line.host_pair, _HERE, line.host.port)
    with pytest.raises(CannotListen, match=r"192\.0\.2\.77"):
        HostLink(context, line.host_pair, "192.0.2.77")
    with pytest.raises(BadAddress, match="no such"):
        JoinLink(context, new_keypair(), line.host_pair.public, "no such", 99999)
    context.term()


def test_a_link_can_be_closed_twice_and_made_anew_at_once(line: Line) -> None:
    for _ in range(20):
        line.drop(line.host)
        line.host.close()
        line.host = HostLink(line.context, line.host_pair, _HERE)
        line.told[line.host] = []
    line.connect(new_keypair())


def test_the_hosts_port_is_free_for_udp_too(line: Line) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind((_HERE, line.host.port))


@pytest.mark.parametrize("most", [1, 64])
@pytest.mark.parametrize("number", range(12))
def test_a_goodbye_is_read_after_the_connection_has_ended(
    line: Line, number: int, most: int
) -> None:
    """Either side may be busy while the other says its last and closes, and may read one by one."""
    ana = new_keypair()
    link = line.connect(ana)
    line.most, line.later_s = most, 1.0
    if number % 2:
        assert line.host.send(ana.public, b"almost")
        assert line.host.send(ana.public, b"goodbye")
        line.told.pop(line.host)
        line.host.close(linger_ms=500)
        assert zmq.select([link._monitor.socket], [], [], 5.0)[0]
        line.until_told(link, Down(line.host_pair.public))
        goodbye = Received(line.host_pair.public, b"goodbye")
        assert goodbye in line.told[link][: line.told[link].index(Down(line.host_pair.public))]
    else:
        assert link.send(b"almost")
        assert link.send(b"goodbye")
        line.told.pop(link)
        link.close(linger_ms=500)
        assert zmq.select([line.host._monitor.socket], [], [], 5.0)[0]
        line.until_told(line.host, Down(ana.public))
        assert line.told[line.host][-2:] == [Received(ana.public, b"goodbye"), Down(ana.public)]


def test_without_curve_the_cure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    require_curve()
    monkeypatch.setattr(zmq, "has", lambda what: False)
    with pytest.raises(CurveMissing, match="pip install"):
        require_curve()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
def test_the_system_tells_the_way_to_the_peer(line: Line) -> None:
    """At both ends, of whoever is connected, by acknowledgements: nothing has to be answered."""
    pair = new_keypair()
    link = line.connect(pair)
    for told in (line.host.round_trip_s(pair.public), link.round_trip_s):
        assert told is not None
        assert 0 < told < 0.05
    assert line.host.round_trip_s(new_keypair().public) is None
    assert line.join().round_trip_s is None


def test_no_round_trip_is_made_up_where_the_system_does_not_tell(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spitnet.net.intake._LINUX", False)
    pair = new_keypair()
    assert line.connect(pair).round_trip_s is None
    assert line.host.round_trip_s(pair.public) is None
