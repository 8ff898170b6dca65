"""Discovery and link between machines: namespaces on bridges, made and deleted by each test."""

import socket

import pytest
from support.netns import Child, Lan

pytestmark = pytest.mark.namespaces


def start(lan: Lan, machine: str, role: str, **options: object) -> Child:
    import json

    return lan.python(machine, "net_peer.py", role, json.dumps(options))


def plays(joiner: Child) -> None:
    """Frames go there and come back."""
    joiner.wait_for(event="received")
    joiner.wait_for(event="received")


def test_two_machines_find_each_other_and_talk() -> None:
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        host = start(lan, "host", "host")
        port = host.wait_for(event="hosting")["port"]
        joiner = start(lan, "join", "join")
        joiner.wait_for(event="connecting", address="10.77.0.1", port=port)
        plays(joiner)


@pytest.mark.parametrize("prefix", [24, 31])
@pytest.mark.parametrize("pinned", [False, True])
def test_addresses_that_were_set_without_a_broadcast_address(prefix: int, pinned: bool) -> None:
    """The netmask tells it, or there is none: either is found."""
    only = "eth0" if pinned else None
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", f"10.77.0.2/{prefix}", broadcast=False)
        lan.plug("join", "eth0", f"10.77.0.3/{prefix}", broadcast=False)
        start(lan, "host", "host", only=only).wait_for(event="hosting")
        joiner = start(lan, "join", "join", only=only)
        joiner.wait_for(event="connecting", address="10.77.0.2")
        plays(joiner)


def test_of_two_interfaces_the_default_route_is_the_wrong_one() -> None:
    with Lan("host", "join", "elsewhere") as lan:
        lan.plug("host", "wan0", "10.1.0.1/24", "elsewhere")
        lan.plug("elsewhere", "eth0", "10.1.0.254/24", "elsewhere")
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        lan.ip("host", "route", "add", "default", "via", "10.1.0.254")
        start(lan, "host", "host").wait_for(event="hosting")
        joiner = start(lan, "join", "join")
        joiner.wait_for(event="connecting", address="10.77.0.1")
        plays(joiner)


def test_two_interfaces_on_one_segment_are_one_table() -> None:
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("host", "wlan0", "10.78.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        lan.plug("join", "wlan0", "10.78.0.2/24")
        start(lan, "host", "host", name="Ana").wait_for(event="hosting")
        lister = start(lan, "join", "list")
        line = lister.wait_for(event="tables", names=["Ana"])
        while len(line["tables"][0]["addresses"]) < 2:
            line = lister.wait_for(event="tables", names=["Ana"])
        assert sorted(line["tables"][0]["addresses"]) == ["10.77.0.1", "10.78.0.1"]


def test_a_pinned_pair_keeps_to_its_interface() -> None:
    """The host is pinned to a segment that the first lister is not on; the second, on both, hears it there only."""
    with Lan("host", "near", "far") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("host", "eth1", "10.78.0.1/24", "other")
        lan.plug("near", "eth0", "10.77.0.2/24")
        lan.plug("near", "eth1", "10.78.0.2/24", "other")
        lan.plug("far", "eth1", "10.78.0.3/24", "other")
        start(lan, "host", "host", name="Ana", only="eth0").wait_for(event="hosting")
        far = start(lan, "far", "list")
        near = start(lan, "near", "join")
        near.wait_for(event="connecting", address="10.77.0.1")
        plays(near)
        start(lan, "host", "host", name="Ben", only="eth1").wait_for(event="hosting")
        far.wait_for(event="tables", names=["Ben"])
        pinned = start(lan, "near", "list", only="eth1")
        assert pinned.wait_for(event="tables")["names"] == ["Ben"]


def test_two_processes_of_one_machine_pinned_to_its_interface() -> None:
    with Lan("host") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        start(lan, "host", "host", only="eth0").wait_for(event="hosting")
        joiner = start(lan, "host", "join", only="eth0")
        joiner.wait_for(event="connecting", address="10.77.0.1")
        plays(joiner)


def test_loopback_alone_is_enough() -> None:
    with Lan("host") as lan:
        start(lan, "host", "host").wait_for(event="hosting")
        joiner = start(lan, "host", "join")
        joiner.wait_for(event="connecting", address="127.0.0.1")
        plays(joiner)


def test_pinned_to_loopback_nothing_leaves() -> None:
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        start(lan, "host", "host", name="Ana", only="lo").wait_for(event="hosting")
        lister = start(lan, "join", "list")
        start(lan, "host", "list").wait_for(event="tables", names=["Ana"])
        start(lan, "host", "host", name="Ben").wait_for(event="hosting")
        assert lister.wait_for(event="tables")["names"] == ["Ben"]
        assert start(lan, "join", "host", only="lo", name="Cas").wait_for(event="hosting")
        inside = start(lan, "host", "list", only="lo")
        while len(names := inside.wait_for(event="tables")["names"]) < 2:
            pass
        assert sorted(names) == ["Ana", "Ben"]


@pytest.mark.parametrize("with_port", [True, False])
def test_asking_an_address_works_across_a_router(with_port: bool) -> None:
    with Lan("host", "router", "join") as lan:
        lan.plug("host", "eth0", "10.1.0.1/24", "west")
        lan.plug("router", "west0", "10.1.0.254/24", "west")
        lan.plug("router", "east0", "10.2.0.254/24", "east")
        lan.plug("join", "eth0", "10.2.0.1/24", "east")
        lan.forward("router")
        lan.ip("host", "route", "add", "default", "via", "10.1.0.254")
        lan.ip("join", "route", "add", "default", "via", "10.2.0.254")
        host = start(lan, "host", "host", name="Ana", only="eth0")
        port = host.wait_for(event="hosting")["port"]
        ask = ["10.1.0.1", port if with_port else None]
        joiner = start(lan, "join", "join", ask=ask, only="eth0")
        joiner.wait_for(event="connecting", address="10.1.0.1", port=port)
        plays(joiner)
        start(lan, "join", "host", name="Ben").wait_for(event="hosting")
        lister = start(lan, "join", "list")
        assert lister.wait_for(event="tables")["names"] == ["Ben"]


def test_an_answer_comes_from_the_address_that_was_asked() -> None:
    """A host with two addresses, asked at the one that the way back does not lead from."""
    with Lan("host", "router", "join") as lan:
        lan.plug("host", "eth0", "10.1.0.1/24", "west")
        lan.plug("host", "eth1", "10.3.0.1/24", "south")
        lan.plug("router", "west0", "10.1.0.254/24", "west")
        lan.plug("router", "east0", "10.2.0.254/24", "east")
        lan.plug("join", "eth0", "10.2.0.1/24", "east")
        lan.forward("router")
        lan.ip("router", "route", "add", "10.3.0.0/24", "via", "10.1.0.1")
        lan.ip("host", "route", "add", "default", "via", "10.1.0.254")
        lan.ip("join", "route", "add", "default", "via", "10.2.0.254")
        port = start(lan, "host", "host").wait_for(event="hosting")["port"]
        joiner = start(lan, "join", "join", ask=["10.3.0.1", port])
        joiner.wait_for(event="connecting", address="10.3.0.1")
        plays(joiner)


@pytest.mark.parametrize("flapping", ["host", "join"])
def test_an_interface_goes_down_and_comes_back(flapping: str) -> None:
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        start(lan, "host", "host", name="Ana").wait_for(event="hosting")
        joiner, lister = start(lan, "join", "join"), start(lan, "join", "list")
        plays(joiner)
        lister.wait_for(event="tables", names=["Ana"])
        lan.ip(flapping, "link", "set", "eth0", "down")
        joiner.wait_for(event="down")
        lister.wait_for(event="tables", names=[])
        lan.ip(flapping, "link", "set", "eth0", "up")
        joiner.wait_for(event="up")
        plays(joiner)
        lister.wait_for(event="tables", names=["Ana"])


def test_an_interface_is_taken_out_and_a_new_one_put_in() -> None:
    """Another index, another address: as a USB adapter or a VPN does; the joiner is pinned to the name."""
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        start(lan, "host", "host", name="Ana").wait_for(event="hosting")
        lister = start(lan, "join", "list", only="eth0")
        lister.wait_for(event="tables", names=["Ana"])
        lan.ip("join", "link", "delete", "eth0")
        lister.wait_for(event="tables", names=[])
        lan.plug("join", "eth0", "10.77.0.9/24")
        lister.wait_for(event="tables", names=["Ana"])


def test_a_host_that_starts_without_a_network_is_found_when_it_comes() -> None:
    with Lan("host", "join") as lan:
        start(lan, "host", "host", name="Ana").wait_for(event="hosting")
        lan.plug("join", "eth0", "10.77.0.2/24")
        lister = start(lan, "join", "list")
        lan.plug("host", "eth0", "10.77.0.1/24")
        lister.wait_for(event="tables", names=["Ana"])


def test_another_program_holds_the_well_known_port() -> None:
    """The host says so; who knows the address still gets in."""
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        lan.python("host", "hold_port.py", "47748").wait_for(event="holding")
        port = start(lan, "host", "host").wait_for(event="hosting", held=True)["port"]
        joiner = start(lan, "join", "join", ask=["10.77.0.1", port])
        plays(joiner)
        by_broadcast = start(lan, "join", "join")
        plays(by_broadcast)


def test_garbage_on_every_port_throughout() -> None:
    with Lan("host", "join", "noise") as lan:
        for number, machine in enumerate(("host", "join", "noise"), 1):
            lan.plug(machine, "eth0", f"10.77.0.{number}/24")
        port = start(lan, "host", "host").wait_for(event="hosting")["port"]
        joiner = start(lan, "join", "join")
        plays(joiner)
        noise = lan.python("noise", "noise.py", "10.77.0.1", "10.77.0.255", str(port))
        noise.wait_for(event="noise", round=1)
        for _ in range(20):
            joiner.wait_for(event="received")
        late = start(lan, "join", "join")
        plays(late)
        noise.wait_for(event="noise")
        assert not any(line["event"] == "down" for line in joiner.lines)


def test_a_stranger_is_told_that_the_seat_is_taken() -> None:
    with Lan("host", "join", "late") as lan:
        for number, machine in enumerate(("host", "join", "late"), 1):
            lan.plug(machine, "eth0", f"10.77.0.{number}/24")
        host = start(lan, "host", "host")
        port = host.wait_for(event="hosting")["port"]
        joiner = start(lan, "join", "join")
        plays(joiner)
        host.tell("seat")
        host.tell("playing")
        stranger = start(lan, "late", "join", ask=["10.77.0.1", port])
        stranger.wait_for(event="refused")
        plays(joiner)


def test_a_host_with_a_new_address_is_heard_by_its_session() -> None:
    with Lan("host", "join") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        lan.plug("join", "eth0", "10.77.0.2/24")
        host = start(lan, "host", "host")
        hosting = host.wait_for(event="hosting")
        host.tell("lost")
        lan.ip("host", "addr", "delete", "10.77.0.1/24", "dev", "eth0")
        lan.ip("host", "addr", "add", "10.77.0.5/24", "broadcast", "+", "dev", "eth0")
        lister = start(lan, "join", "list", key=hosting["key"])
        assert lister.wait_for(event="lost")["places"] == [["10.77.0.5", hosting["port"]]]


def test_nothing_is_left_in_the_machines_own_network() -> None:
    before = set(socket.if_nameindex())
    with Lan("host") as lan:
        lan.plug("host", "eth0", "10.77.0.1/24")
        assert set(socket.if_nameindex()) == before
    assert set(socket.if_nameindex()) == before
