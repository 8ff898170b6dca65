"""A third machine does its worst to real tables: nobody's game notices, and an open table takes who is honest."""

import os
import time
from pathlib import Path

import psutil
import pytest
import zmq
from support.at_work import at_work
from support.between import Between, Guest, Host
from support.netns import Lan
from support.pairs import Peer, assert_played, peers
from support.stranger import Stranger
from support.tap import Tap
from support.waiting import until

from spitnet.journal.store import stream
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol.messages import Bye, Farewell, Resume, encode

HERE, EVES = "127.0.0.1", "127.0.0.66"
QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
MEGABYTE = 1_000_000


def steadily(delay_s: float) -> tuple[str, ...]:
    return ("--headless", "--delay", str(delay_s), "--sync", "process", "--interface", "lo")


def key_of(peer: Peer) -> bytes:
    """The public key of a side, as its own file has it."""
    (path,) = peer.home.rglob("key")
    return path.read_bytes()[:32]


def frames_for(session: bytes) -> tuple[bytes, ...]:
    """What somebody would say who wants to take up the joiner's match, or to end it."""
    resume = Resume(session, 1, os.urandom(16), None, 0, session, bytes(32), *(None,) * 4)
    return (encode(resume), encode(Bye(session, 0, Farewell.VIOLATION, "flood")))


def assert_unnoticed(host: Peer, joiner: Peer) -> None:
    """Played to the end without a break, both records hold, both screens show one fingerprint."""
    assert_played(host, joiner)
    assert host.of("connected")[0]["fingerprint"] == joiner.of("connected")[0]["fingerprint"]
    for peer in (host, joiner):
        events = [line["event"] for line in peer.lines]
        assert "opponent_lost" not in events[: events.index("match_over")]
        assert verify(stream(peer.record())).standing is RecordStatus.HOLDS


@pytest.mark.parametrize(
    ("games", "delay_s", "least"),
    [(1, 0.015, 30), pytest.param(15, 0.05, 3000, marks=pytest.mark.full)],
)
def test_nobodys_game_notices_strangers(
    tmp_path: Path, free_port: int, games: int, delay_s: float, least: int
) -> None:
    """Knocks, replays of the joiner's own bytes, its identity, its resume, other protocols, all at once and throughout."""
    here = (*steadily(delay_s), "--discovery-port", str(free_port))
    with peers(Peer(tmp_path / "ana", ("host", *here, "--games", str(games)))) as (host,):
        port = host.wait_for("hosting")["port"]
        with Tap(port) as tap:
            joiner = Peer(tmp_path / "bram", ("join", f"{HERE}:{tap.port}", *here))
            with peers(joiner):
                session = bytes.fromhex(joiner.wait_for("connected")["session"])
                frames = frames_for(session)
                joiner.wait_for("deal")
                stranger = Stranger(HERE, port, key_of(host), EVES)
                stranger.be_stubborn(key_of(joiner), frames)

                def act() -> None:
                    stranger.round(tap.captured)
                    stranger.knock(10, frames)

                with at_work(act):
                    host.finish()
                    joiner.finish()
                stranger.close()
                assert_unnoticed(host, joiner)
        counts = stranger.counts
        assert counts["refused"] >= least
        assert counts["replay"] >= least // 2
        assert counts["other protocol"] >= least // 2
        assert not counts["let in"]


@pytest.mark.full
@pytest.mark.namespaces
def test_a_third_machine_beside_a_match(tmp_path: Path) -> None:
    """The same across machines: the stranger has an address of its own, and was there before the joiner."""
    options = ("--headless", "--delay", "0.1", "--sync", "process")
    with Lan("ana", "bram", "eve") as lan:
        for number, machine in enumerate(("ana", "bram", "eve"), 1):
            lan.plug(machine, "eth0", f"10.77.0.{number}/24")
        with peers(
            Peer(tmp_path / "ana", ("host", *options, "--timeout", "60"), lan.inside("ana"))
        ) as (host,):
            port = host.wait_for("hosting")["port"]
            eve = lan.python("eve", "stranger.py", "10.77.0.1", str(port), key_of(host).hex(), "{}")
            eve.wait_for(event="round", round=2)
            joiner = Peer(tmp_path / "bram", ("join", *options), lan.inside("bram"))
            with peers(joiner):
                joiner.wait_for("deal")
                while eve.wait_for(event="round").get("refused", 0) < 20:
                    pass
                assert_unnoticed(host, joiner)


@pytest.mark.parametrize("code", [None, "correct horse"])
def test_a_crowded_table_takes_who_is_honest(
    tmp_path: Path, free_port: int, code: str | None
) -> None:
    """Many keys that knock again and again, try wrong codes, and speak other protocols: the joiner still sits down."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    with_code, wrong = ((), None) if code is None else (("--code", code), "wrong")
    with peers(Peer(tmp_path / "ana", ("host", *QUICKLY, *here, *with_code))) as (host,):
        port = host.wait_for("hosting")["port"]
        stranger = Stranger(HERE, port, key_of(host), EVES)
        stranger.be_stubborn(None)

        def act() -> None:
            stranger.speak_other_protocols()
            stranger.dawdle()
            stranger.crowd(30 if wrong is None else 8, 20, wrong)

        act()
        with at_work(act):
            joiner = Peer(tmp_path / "bram", ("join", *QUICKLY, *here, *with_code))
            with peers(joiner):
                joiner.wait_for("connected", within_s=20)
                assert_played(host, joiner)
        stranger.close()
        assert stranger.counts["hello"] >= 8
        assert code is None or stranger.counts["accept"] >= 1


def rss(peer: Peer) -> int:
    """Bytes that the process holds in memory now."""
    size: int = psutil.Process(peer.process.pid).memory_info().rss
    return size


@pytest.mark.parametrize(
    ("part", "times"),
    [
        (4000, 1),
        pytest.param(1, 20, marks=pytest.mark.full),
        pytest.param(4000, 40, marks=pytest.mark.full),
    ],
)
def test_messages_without_end_are_ended(
    tmp_path: Path, free_port: int, part: int, times: int
) -> None:
    """By itself libzmq would hold all of each, 300 MB for 75 MB of one-byte parts; the table ends each after a tenth of a second."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    with peers(Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--timeout", "60"))) as (host,):
        port = host.wait_for("hosting")["port"]
        before = rss(host)
        most = [before]

        def look() -> None:
            most.append(rss(host))
            time.sleep(0.01)

        stranger = Stranger(HERE, port, key_of(host), EVES)
        with at_work(look):
            for _ in range(times):
                assert stranger.stuff(part, (200 if part > 1 else 75) * MEGABYTE)
        stranger.close()
        assert max(most) - before < 256 * MEGABYTE, max(most) - before
        with peers(Peer(tmp_path / "bram", ("join", *QUICKLY, *here))) as (joiner,):
            assert_played(host, joiner)


def endless(socket: "zmq.Socket[bytes]", *route: bytes) -> None:
    """One message of 120 MB."""
    for part in (*route, *(bytes(4000) for _ in range(30_000))):
        socket.send(part, zmq.SNDMORE)
    socket.send(b"")


@pytest.mark.parametrize("side", ["host", "join"])
def test_an_opponent_whose_message_never_ends_breaks_the_protocol(
    tmp_path: Path, free_port: int, side: str
) -> None:
    """Memory stays bounded, and the match ends with the reason named, exit 6."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    bad: Host | Guest
    with peers(Peer(tmp_path / side, (side, *QUICKLY, *here, "--timeout", "60"))) as (honest,):
        if side == "host":
            port = honest.wait_for("hosting")["port"]
            bad = Guest(context, port, key_of(honest))
            stuffed = bad.link._dealer
        else:
            bad = Host(context, free_port)
            stuffed = bad.link._router
        until(lambda: bad.seated is not None, bad.steps)
        honest.wait_for("connected")
        before = rss(honest)
        most = [before]
        endless(stuffed, *(bad.link._routes.values() if isinstance(bad, Host) else ()))

        def gone() -> bool:
            if honest.process.poll() is None:
                most.append(rss(honest))
            return honest.process.poll() is not None

        until(gone, bad.steps)
        code, message = honest.finish()
        bad.close()
        context.destroy(linger=0)
    assert code == 6
    assert "malformed" in message
    assert max(most) - before < 100 * MEGABYTE, max(most) - before


def test_both_screens_differ_when_somebody_sits_between(tmp_path: Path, free_port: int) -> None:
    """An open table lets her take both seats; the fingerprints tell, and the first card that she passes on ends it."""
    elsewhere = ("--interface", "lo", "--discovery-port", str(free_port + 1))
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *elsewhere)),
        Peer(tmp_path / "bram", ("join", *QUICKLY, *here)),
    ) as (host, joiner):
        eve = Between(host.wait_for("hosting")["port"], key_of(host), free_port)
        eve.until(lambda: eve.host.seated and eve.guest.seated)
        shown = [peer.wait_for("connected")["fingerprint"] for peer in (host, joiner)]
        assert shown[0] != shown[1]

        def over() -> bool:
            eve.pass_on()
            return host.process.poll() is not None and joiner.process.poll() is not None

        eve.until(over)
        eve.close()
        ends = [peer.finish() for peer in (host, joiner)]
        assert [code for code, _ in ends] == [6, 6]
        assert not host.of("deal")
        assert not joiner.of("deal")


def test_nobody_sits_between_two_who_know_a_code(tmp_path: Path, free_port: int) -> None:
    """She has a guess at the code on either side: neither sits down with her, and the host's table stays open."""
    elsewhere = ("--interface", "lo", "--discovery-port", str(free_port + 1), "--code", "horse")
    here = ("--interface", "lo", "--discovery-port", str(free_port), "--code", "horse")
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *elsewhere)),
        Peer(tmp_path / "bram", ("join", *QUICKLY, *here)),
    ) as (host, joiner):
        port = host.wait_for("hosting")["port"]
        eve = Between(port, key_of(host), free_port, "guessed")
        eve.until(
            lambda: eve.guest.visitor.answer is not None and joiner.process.poll() is not None
        )
        assert eve.guest.seated is None
        assert eve.host.seated is None
        eve.close()
        code, message = joiner.finish()
        assert code == 5
        assert "code" in message
        assert not host.of("connected")
        assert host.process.poll() is None
