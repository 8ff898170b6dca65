"""Whole matches in namespaces while the network does what networks do: wrong routes, noise, cables pulled."""

import json
from pathlib import Path

import pytest
from support.netns import Lan
from support.pairs import Peer, assert_played, peers
from support.program import PROGRAM, variables

pytestmark = pytest.mark.namespaces

QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
STEADILY = ("--headless", "--delay", "0.05", "--sync", "process")


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


def test_two_tables_of_one_name_are_two(tmp_path: Path) -> None:
    """Told apart by address; headless sits down at the first, and the other stays open."""
    import subprocess

    with Lan("ana", "ben", "cas") as lan:
        for number, machine in enumerate(("ana", "ben", "cas"), 1):
            lan.plug(machine, "eth0", f"10.77.0.{number}/24")
        name = ("--name", "Same 🂡 " + "x" * 300)
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
