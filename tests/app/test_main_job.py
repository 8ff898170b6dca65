"""The main job with real processes and real sockets: two peers find each other, play, and tell one story."""

import json
import signal
from pathlib import Path

import pytest
from support.netns import Lan
from support.pairs import Line, Peer, assert_played, peers
from support.program import run

QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
REFILLS = pytest.mark.parametrize("refill", ["auto", "manual"])


def check_story(story: list[Line], games: int) -> None:
    """What any complete story has, whoever won."""
    beats = [line["beat"] for line in story]
    assert beats == sorted(beats)
    assert beats[0] == 1
    over = [line for line in story if line["event"] == "game_over"]
    assert 1 <= len(over) <= games
    assert [line["game"] for line in over] == list(range(1, len(over) + 1))
    for line in over:
        assert line["reason"] in ("out", "fewest", "level", "dead_heat")
        assert len(line["digest"]) == 64
    landed = [line for line in story if line.get("result") == "landed"]
    assert len(landed) > 10 * len(over)


@pytest.mark.namespaces
@REFILLS
def test_two_hosts_on_one_bridge(tmp_path: Path, refill: str) -> None:
    """No address typed, five games, exit 0, the same lines, and both records hold."""
    with Lan("ana", "bram") as lan:
        lan.plug("ana", "eth0", "10.1.1.1/24")
        lan.plug("bram", "eth0", "10.1.1.2/24")
        with peers(
            Peer(
                tmp_path / "ana",
                ("host", *QUICKLY, "--games", "5", "--grace", "10", "--refill", refill),
                lan.inside("ana"),
            ),
            Peer(tmp_path / "bram", ("join", *QUICKLY), lan.inside("bram")),
        ) as (host, joiner):
            check_story(assert_played(host, joiner), games=5)
            for peer in (host, joiner):
                verified = run(tmp_path, "verify", str(peer.record()))
                assert (verified.code, verified.err) == (0, "")
                assert verified.out.startswith("the record holds: ")


@REFILLS
def test_on_loopback(tmp_path: Path, free_port: int, refill: str) -> None:
    """Two peers on one machine, kept to loopback."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    with peers(
        Peer(
            tmp_path / "ana",
            ("host", *QUICKLY, *here, "--games", "5", "--grace", "10", "--refill", refill),
        ),
        Peer(tmp_path / "bram", ("join", *QUICKLY, *here)),
    ) as (host, joiner):
        check_story(assert_played(host, joiner), games=5)
        assert host.of("hosting")[0]["discovery_port"] == free_port


@pytest.mark.namespaces
def test_by_address_across_a_router(tmp_path: Path) -> None:
    """A router passes no broadcast; an address is enough."""
    with Lan("ana", "router", "bram") as lan:
        lan.plug("ana", "eth0", "10.2.1.1/24", "left")
        lan.plug("router", "eth0", "10.2.1.254/24", "left")
        lan.plug("router", "eth1", "10.2.2.254/24", "right")
        lan.plug("bram", "eth0", "10.2.2.1/24", "right")
        lan.forward("router")
        lan.ip("ana", "route", "add", "default", "via", "10.2.1.254")
        lan.ip("bram", "route", "add", "default", "via", "10.2.2.254")
        with peers(
            Peer(tmp_path / "ana", ("host", *QUICKLY, "--timeout", "60"), lan.inside("ana"))
        ) as (host,):
            port = host.wait_for("hosting")["port"]
            lost = Peer(tmp_path / "carl", ("join", *QUICKLY, "--timeout", "1"), lan.inside("bram"))
            found = Peer(
                tmp_path / "bram", ("join", f"10.2.1.1:{port}", *QUICKLY), lan.inside("bram")
            )
            with peers(lost, found):
                code, message = lost.finish()
                assert code == 3
                assert "spitnet join HOST:PORT" in message
                check_story(assert_played(host, found), games=1)


def test_solo_is_a_match_of_two_peers(tmp_path: Path) -> None:
    """The same code as on a LAN: two sides, two records."""
    with peers(Peer(tmp_path, ("solo", *QUICKLY, "--games", "3"))) as (solo,):
        assert solo.finish() == (0, "")
        check_story(solo.story(), games=3)
        records = sorted((tmp_path / "journals").iterdir())
        assert [path.stem[-1] for path in records] == ["0", "1"]
        for record in records:
            assert run(tmp_path, "verify", str(record)).code == 0


def test_the_replay_tells_the_same_story(tmp_path: Path) -> None:
    """`replay --json` prints every line of the match, from the record alone."""
    with peers(Peer(tmp_path, ("solo", *QUICKLY, "--games", "3"))) as (solo,):
        assert solo.finish() == (0, "")
        for record in (tmp_path / "journals").iterdir():
            told = [
                json.loads(line)
                for line in run(tmp_path, "replay", "--json", str(record)).out.splitlines()
            ]
            assert [line for line in told if line["event"] != "match_over"] == solo.story()
            assert told[-1]["event"] == "match_over"


@pytest.mark.parametrize("spit", ["said", "auto"])
def test_spit_is_said_or_comes_by_itself(tmp_path: Path, spit: str) -> None:
    """R7: in one mode a player says it, in the other the game does, for both, after a pause."""
    with peers(Peer(tmp_path, ("solo", *QUICKLY, "--spit", spit))) as (solo,):
        for _ in range(2):
            solo.wait_for("spit")
        solo.signal(signal.SIGTERM)
        assert solo.finish() == (130, "")


def test_open_tables_are_listed(tmp_path: Path, free_port: int) -> None:
    """As sentences and as JSON; none is an answer too."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    assert run(tmp_path, "list", *here) == (0, "no open table\n", "")
    assert run(tmp_path, "list", "--json", *here) == (0, "", "")
    with peers(
        Peer(
            tmp_path / "ana",
            ("host", *QUICKLY, *here, "--name", "Zoë ♠", "--code", "1234", "--games", "3"),
        )
    ) as (host,):
        hosting = host.wait_for("hosting")
        listed = json.loads(run(tmp_path, "list", "--json", *here).out)
        assert listed["name"] == "Zoë ♠"
        assert listed["port"] == hosting["port"]
        assert listed["instance"] == hosting["instance"]
        assert listed["code"] is True
        played = {key: listed[key] for key in ("games", "refill", "spit", "grace")}
        assert played == {"games": 3, "refill": "auto", "spit": "said", "grace": 60}
        sentence = run(tmp_path, "list", *here).out
        assert "Zoë ♠" in sentence
        assert (
            "(best of 3 games, automatic refill, a player says spit, 1:00 to come back)" in sentence
        )
        assert "asks for a code" in sentence
