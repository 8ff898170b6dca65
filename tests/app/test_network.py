"""Whole matches in namespaces while the network does what networks do: wrong routes, noise, cables pulled."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.comebacks import Seat, check_to_the_end, seats
from support.netns import Lan
from support.pairs import Peer, assert_played, peers
from support.program import PROGRAM, run, variables

pytestmark = pytest.mark.namespaces

QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
STEADILY = ("--headless", "--delay", "0.05", "--sync", "process")
SHORT_S, LONG_S = 1.5, 3.5
"""Longer than the reply deadline (2 s), and than a link may be silent (2.5 s)."""


def test_two_interfaces_and_the_default_route_is_the_wrong_one(tmp_path: Path) -> None:
    """A laptop with a VPN or a second card: the opponent is found on the other one."""
    with Lan("ana", "bram", "elsewhere") as lan:
        lan.plug("ana", "wan0", "10.1.0.1/24", "elsewhere")
        lan.plug("elsewhere", "eth0", "10.1.0.254/24", "elsewhere")
        lan.plug("ana", "eth0", "10.77.0.1/24")
        lan.plug("bram", "eth0", "10.77.0.2/24")
        lan.ip("ana", "route", "add", "default", "via", "10.1.0.254")
        with peers(
            Peer(tmp_path / "ana", ("host", *QUICKLY), lan.inside("ana")),
            Peer(tmp_path / "bram", ("join", *QUICKLY), lan.inside("bram")),
        ) as (host, joiner):
            assert_played(host, joiner)


def test_garbage_on_every_port_throughout_a_match(tmp_path: Path) -> None:
    """A third machine shouts at both UDP ports and at the match's TCP port; nobody's game notices."""
    with Lan("ana", "bram", "eve") as lan:
        lan.plug("ana", "eth0", "10.77.0.1/24")
        lan.plug("bram", "eth0", "10.77.0.2/24")
        lan.plug("eve", "eth0", "10.77.0.3/24")
        with peers(
            Peer(tmp_path / "ana", ("host", *STEADILY, "--timeout", "60"), lan.inside("ana"))
        ) as (host,):
            port = host.wait_for("hosting")["port"]
            noise = lan.python("eve", "noise.py", "10.77.0.1", "10.77.0.255", str(port))
            noise.wait_for(event="noise", round=3)
            with peers(Peer(tmp_path / "bram", ("join", *STEADILY), lan.inside("bram"))) as (
                joiner,
            ):
                joiner.wait_for("deal")
                before = noise.wait_for(event="noise")["round"]
                assert_played(host, joiner)
                assert noise.wait_for(event="noise")["round"] > before
                assert not host.of("opponent_lost")


@pytest.mark.parametrize("side", ["ana", "bram"])
def test_a_cable_is_pulled_and_put_back(tmp_path: Path, side: str) -> None:
    """The game waits, says so on both sides, and goes on by itself."""
    with Lan("ana", "bram") as lan:
        lan.plug("ana", "eth0", "10.77.0.1/24")
        lan.plug("bram", "eth0", "10.77.0.2/24")
        with peers(
            Peer(tmp_path / "ana", ("host", *STEADILY), lan.inside("ana")),
            Peer(tmp_path / "bram", ("join", *STEADILY), lan.inside("bram")),
        ) as (host, joiner):
            joiner.wait_for("spit")
            lan.ip(side, "link", "set", "eth0", "down")
            host.wait_for("opponent_lost")
            joiner.wait_for("opponent_lost")
            lan.ip(side, "link", "set", "eth0", "up")
            host.wait_for("resumed")
            joiner.wait_for("resumed")
            assert_played(host, joiner)


@pytest.mark.full
@pytest.mark.parametrize("side", ["ana", "bram"])
@pytest.mark.parametrize("change", ["interface", "address"])
def test_an_address_changes_in_mid_match(tmp_path: Path, side: str, change: str) -> None:
    """One card is pulled out and another plugged in, or the same one gets another address: the game goes on there."""
    with lan_of_two() as lan, playing(lan, tmp_path) as (host, joiner):
        joiner.wait_for("spit")
        if change == "interface":
            lan.ip(side, "link", "delete", "eth0")
            lan.plug(side, "eth1", "10.77.0.9/24")
        else:
            lan.ip(side, "addr", "flush", "dev", "eth0")
            lan.ip(side, "addr", "add", "10.77.0.9/24", "broadcast", "+", "dev", "eth0")
        joiner.wait_for("opponent_lost")
        joiner.wait_for("resumed")
        assert_played(host, joiner)
        # A joiner that is back before its host has missed it has taken over from itself.
        assert len(host.of("opponent_lost")) == len(host.of("resumed"))


@pytest.mark.full
@pytest.mark.parametrize("side", ["ana", "bram"])
@pytest.mark.parametrize("kind", ["refused", "into the void"])
def test_one_direction_drops(tmp_path: Path, side: str, kind: str) -> None:
    """What one side sends doesn't arrive, what the other sends does: a route that refuses, or a silent hole."""
    other = "10.77.0.2" if side == "ana" else "10.77.0.1"
    nobody = ("lladdr", "02:00:00:00:00:99", "dev", "eth0", "nud", "permanent")
    with lan_of_two() as lan, playing(lan, tmp_path) as (host, joiner):
        joiner.wait_for("spit")
        if kind == "refused":
            lan.ip(side, "route", "add", "blackhole", f"{other}/32")
        else:
            lan.ip(side, "neigh", "replace", other, *nobody)
        host.wait_for("opponent_lost")
        joiner.wait_for("opponent_lost")
        if kind == "refused":
            lan.ip(side, "route", "delete", "blackhole", f"{other}/32")
        else:
            lan.ip(side, "neigh", "delete", other, "dev", "eth0")
        host.wait_for("resumed")
        joiner.wait_for("resumed")
        assert_played(host, joiner)


@pytest.mark.full
@pytest.mark.parametrize("asleep", ["ana", "bram", "both"])
@pytest.mark.parametrize("long", [False, True])
def test_a_laptop_sleeps(tmp_path: Path, asleep: str, long: bool) -> None:
    """For longer than the reply deadline, or than a link may be silent: the game waits, and goes on when it wakes."""
    with lan_of_two() as lan, playing(lan, tmp_path) as (host, joiner):
        joiner.wait_for("spit")
        sleepers = {"ana": (host,), "bram": (joiner,), "both": (host, joiner)}[asleep]
        for sleeper in sleepers:
            sleeper.signal(signal.SIGSTOP)
        for awake in {host, joiner} - set(sleepers):
            awake.wait_for("opponent_lost")
            assert not long or awake.says_nothing(LONG_S)
        if asleep == "both":
            for sleeper in sleepers:  # what was printed before may still be on its way
                assert any(sleeper.says_nothing(LONG_S if long else SHORT_S) for _ in range(3))
        for sleeper in sleepers:
            sleeper.signal(signal.SIGCONT)
        assert_played(host, joiner)
        for awake in {host, joiner} - set(sleepers):
            assert awake.of("resumed")


@pytest.mark.full
def test_a_relay_is_late_in_both_directions(tmp_path: Path) -> None:
    """200 ms each way, with jitter: as a whole match, by address, that nobody takes for a lost one."""
    with Lan("ana", "relay", "bram") as lan:
        lan.plug("ana", "eth0", "10.78.1.1/24", "left")
        lan.plug("relay", "eth0", "10.78.1.254/24", "left")
        lan.plug("relay", "eth1", "10.78.2.254/24", "right")
        lan.plug("bram", "eth0", "10.78.2.1/24", "right")
        with peers(
            Peer(tmp_path / "ana", ("host", *QUICKLY, "--timeout", "60"), lan.inside("ana"))
        ) as (host,):
            port = host.wait_for("hosting")["port"]
            relay = lan.python("relay", "relay.py", str(port), "10.78.1.1", "200", "50")
            relay.wait_for(event="relaying")
            where = f"10.78.2.254:{port}"
            with peers(Peer(tmp_path / "bram", ("join", where, *QUICKLY), lan.inside("bram"))) as (
                joiner,
            ):
                assert_played(host, joiner)
                for peer in (host, joiner):
                    assert not peer.of("opponent_lost")


@pytest.mark.full
@pytest.mark.parametrize("side", ["ana", "bram"])
def test_beyond_the_grace_period_each_may_claim(tmp_path: Path, side: str) -> None:
    """Who is cut off can't know which side of the cut it is on: each ends it on its own word, and its record says so."""
    with lan_of_two() as lan, playing(lan, tmp_path, "--grace", "5") as both:
        both[1].wait_for("spit")
        lan.ip(side, "link", "set", "eth0", "down")
        for seat, peer in enumerate(both):
            peer.wait_for("opponent_lost")
            check_claimed(peer, seat)


@pytest.mark.full
@pytest.mark.parametrize("seat", [0, 1])
def test_who_sleeps_too_long_has_lost_it(tmp_path: Path, seat: int) -> None:
    """The one who stayed claims, and says so; the sleeper reads that when it wakes, and records whose word it is."""
    with lan_of_two() as lan, playing(lan, tmp_path, "--grace", "5") as both:
        both[1].wait_for("spit")
        sleeper, awake = both[seat], both[1 - seat]
        sleeper.signal(signal.SIGSTOP)
        check_claimed(awake, 1 - seat)
        sleeper.signal(signal.SIGCONT)
        code, message = sleeper.finish()
        assert code == 4
        assert "your opponent claimed the match" in message
        assert (
            "where the opponent claimed the match"
            in run(tmp_path, "verify", str(sleeper.record())).out
        )


@pytest.mark.full
@pytest.mark.parametrize("side", ["ana", "bram", "both"])
def test_taken_up_at_another_address(tmp_path: Path, side: str) -> None:
    """Its machine got another address while the process was dead; for the joiner, the host's counts as well."""
    with (
        lan_of_two() as lan,
        seats(
            Seat(tmp_path / "ana", ("host", *STEADILY), lan.inside("ana")),
            Seat(tmp_path / "bram", ("join", *STEADILY), lan.inside("bram")),
        ) as (ana, bram),
    ):
        gone = {"ana": {"ana": ana}, "bram": {"bram": bram}, "both": {"ana": ana, "bram": bram}}[
            side
        ]
        bram.now.wait_for("spit")
        for seat in gone.values():
            seat.kill()
        for number, machine in enumerate(gone, 8):
            lan.ip(machine, "addr", "flush", "dev", "eth0")
            lan.ip(machine, "addr", "add", f"10.77.0.{number}/24", "broadcast", "+", "dev", "eth0")
        for seat in gone.values():
            seat.resume("--headless", "--delay", "0.05")
        check_to_the_end(ana, bram)


@contextmanager
def lan_of_two() -> Iterator[Lan]:
    """Ana and Bram on one segment."""
    with Lan("ana", "bram") as lan:
        lan.plug("ana", "eth0", "10.77.0.1/24")
        lan.plug("bram", "eth0", "10.77.0.2/24")
        yield lan


@contextmanager
def playing(lan: Lan, tmp_path: Path, *words: str) -> Iterator[tuple[Peer, Peer]]:
    """Ana hosts and Bram joins; `words` are the host's further ones."""
    host = Peer(tmp_path / "ana", ("host", *STEADILY, *words), lan.inside("ana"))
    joiner = Peer(tmp_path / "bram", ("join", *STEADILY), lan.inside("bram"))
    with peers(host, joiner):
        yield host, joiner


def check_claimed(peer: Peer, seat: int) -> None:
    """It ended the match on its own word: so says its exit, its story and its record."""
    code, message = peer.finish()
    assert code == 4
    assert "on your word alone" in message
    (over,) = peer.of("game_over")
    assert (over["winner"], over["reason"]) == (seat, "abandoned")
    verified = run(peer.home, "verify", str(peer.record()))
    assert (verified.code, "on its word alone" in verified.out) == (0, True), verified.out


def test_two_tables_of_one_name_are_two(tmp_path: Path) -> None:
    """Told apart by address; headless sits down at the first, and the other stays open."""
    import subprocess

    with Lan("ana", "ben", "cas") as lan:
        for number, machine in enumerate(("ana", "ben", "cas"), 1):
            lan.plug(machine, "eth0", f"10.77.0.{number}/24")
        name = ("--name", "Same 🂡 " + "x" * 25)
        with peers(
            Peer(tmp_path / "ana", ("host", *QUICKLY, *name), lan.inside("ana")),
            Peer(tmp_path / "ben", ("host", *QUICKLY, *name), lan.inside("ben")),
        ) as hosts:
            for host in hosts:
                host.wait_for("hosting")
            listed = subprocess.run(
                [*lan.inside("cas"), *PROGRAM, "list", "--json"],
                capture_output=True,
                cwd=tmp_path,
                env=variables(tmp_path),
                timeout=30,
                check=True,
            )
            tables = [json.loads(line) for line in listed.stdout.splitlines()]
            assert sorted(table["host"] for table in tables) == ["10.77.0.1", "10.77.0.2"]
            assert len({table["name"] for table in tables}) == 1
            assert len(tables[0]["name"]) == 32
            with peers(Peer(tmp_path / "cas", ("join", *QUICKLY), lan.inside("cas"))) as (cas,):
                assert cas.finish() == (0, "")
