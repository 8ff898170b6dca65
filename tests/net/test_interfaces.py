"""Interfaces of this machine, with psutil's answers replaced where a machine can't be changed."""

import socket
from types import SimpleNamespace as Box

import psutil
import pytest

from spitnet.net.errors import (
    InterfaceDown,
    NetError,
    NoIPv4,
    NoNetwork,
    UnknownHost,
    UnknownInterface,
)
from spitnet.net.interfaces import (
    Interface,
    address_of,
    broadcast_interfaces,
    own_addresses,
    resolve,
    source_of,
)
from spitnet.net.whereabouts import LOOK_EVERY_S, Whereabouts

_LO = Interface("lo", "127.0.0.1", "127.255.255.255")


def entry(
    address: str,
    broadcast: str | None = None,
    ptp: str | None = None,
    netmask: str | None = None,
) -> Box:
    return Box(
        family=socket.AF_INET, address=address, netmask=netmask, broadcast=broadcast, ptp=ptp
    )


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    up = {"lo": True, "eth0": True, "wlan0": False, "tun0": True, "br0": True, "empty0": True}
    addresses = {
        "lo": [entry("127.0.0.1"), Box(family=socket.AF_INET6, address="::1")],
        "eth0": [
            entry("10.0.0.1", "10.0.0.255"),
            entry("10.0.0.2", "10.0.0.255"),
            entry("192.168.7.1", "192.168.7.127"),
        ],
        "wlan0": [entry("10.9.0.1", "10.9.0.255")],
        "tun0": [entry("10.8.0.2", None, "10.8.0.1", "255.255.255.0")],
        "br0": [entry("172.17.0.1")],
    }
    monkeypatch.setattr(
        psutil, "net_if_stats", lambda: {name: Box(isup=is_up) for name, is_up in up.items()}
    )
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: addresses)


def test_loopback_is_there_and_named() -> None:
    assert broadcast_interfaces("lo") == (_LO,)
    assert _LO in broadcast_interfaces()
    assert address_of("lo") == "127.0.0.1"
    assert address_of() == "0.0.0.0"


@pytest.mark.usefixtures("machine")
def test_each_network_that_can_be_broadcast_to_is_listed_once() -> None:
    assert broadcast_interfaces() == (
        _LO,
        Interface("eth0", "10.0.0.1", "10.0.0.255"),
        Interface("eth0", "192.168.7.1", "192.168.7.127"),
    )


@pytest.mark.usefixtures("machine")
def test_an_interface_that_is_named_need_not_broadcast() -> None:
    assert broadcast_interfaces("tun0") == (Interface("tun0", "10.8.0.2", "10.8.0.1"),)
    assert broadcast_interfaces("br0") == (Interface("br0", "172.17.0.1", "255.255.255.255"),)
    assert [one.name for one in broadcast_interfaces("eth0")] == ["eth0", "eth0"]


@pytest.mark.parametrize(
    ("netmask", "told", "asked"),
    [
        ("255.255.255.0", "10.91.0.2", "10.91.0.255"),
        ("255.255.255.0", None, "10.91.0.255"),
        ("255.255.240.0", "10.91.0.2", "10.91.15.255"),
        ("255.255.255.252", "10.91.0.2", "10.91.0.3"),
        ("255.255.255.0", "10.91.0.127", "10.91.0.127"),
        ("255.255.255.254", "10.91.0.2", "255.255.255.255"),
        ("255.255.255.255", "10.91.0.2", "255.255.255.255"),
        ("255.0.255.0", "10.91.0.2", "255.255.255.255"),
        (None, "10.91.0.2", "255.255.255.255"),
        ("255.255.255.254", None, None),
        ("255.0.255.0", None, None),
    ],
)
def test_a_broadcast_address_that_was_not_set(
    monkeypatch: pytest.MonkeyPatch, netmask: str | None, told: str | None, asked: str | None
) -> None:
    """Linux tells the own address then: the netmask says better, or everybody on the link is asked."""
    addresses = {"eth0": [entry("10.91.0.2", told, netmask=netmask)]}
    monkeypatch.setattr(psutil, "net_if_stats", lambda: {"eth0": Box(isup=True)})
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: addresses)
    expected = () if asked is None else (Interface("eth0", "10.91.0.2", asked),)
    assert broadcast_interfaces() == expected


@pytest.mark.usefixtures("machine")
def test_what_is_down_or_unknown_is_said_in_one_line() -> None:
    assert broadcast_interfaces("wlan0") == ()
    with pytest.raises(InterfaceDown, match="wlan0"):
        address_of("wlan0")
    with pytest.raises(NoIPv4, match=r"^empty0 has no IPv4 address; spitnet needs one\.$"):
        address_of("empty0")
    assert source_of("wlan0") is source_of("eth9") is source_of(None) is None
    assert source_of("eth0") == "10.0.0.1"
    with pytest.raises(UnknownInterface, match=r"eth9.*eth0, lo, tun0") as error:
        broadcast_interfaces("eth9")
    assert "\n" not in str(error.value)


V6 = Box(family=socket.AF_INET6, address="fe80::1")
LOOP = {"lo": [entry("127.0.0.1")]}


@pytest.mark.parametrize(
    ("addresses", "only", "expected"),
    [
        (LOOP, None, NoNetwork),
        (LOOP, "lo", ("127.0.0.1",)),
        ({**LOOP, "e0": [entry("10.0.0.1", "10.0.0.255"), V6]}, None, ("10.0.0.1",)),
        ({**LOOP, "e0": [entry("10.0.0.1", "10.0.0.255")], "e1": [V6]}, None, ("10.0.0.1",)),
        ({**LOOP, "e0": [entry("10.0.0.1", "10.0.0.255")]}, "lo", ("127.0.0.1",)),
        ({**LOOP, "e0": [V6]}, None, NoIPv4),
        ({**LOOP, "e0": []}, None, NoIPv4),
        ({**LOOP, "e0": [V6], "down0": [entry("10.0.0.1", "10.0.0.255")]}, None, NoIPv4),
        ({**LOOP, "down0": [entry("10.0.0.1", "10.0.0.255")]}, None, NoNetwork),
        ({**LOOP, "down0": [entry("10.0.0.1", "10.0.0.255")]}, "down0", InterfaceDown),
        ({**LOOP, "tun0": [entry("10.8.0.2", None, "10.8.0.1")]}, None, ("10.8.0.2",)),
        ({**LOOP, "e0": [V6], "tun0": [entry("10.8.0.2", None, "10.8.0.1")]}, None, ("10.8.0.2",)),
    ],
)
def test_where_others_reach_this_machine_or_why_they_cant(
    monkeypatch: pytest.MonkeyPatch,
    addresses: dict[str, list[Box]],
    only: str | None,
    expected: tuple[str, ...] | type[NetError],
) -> None:
    """Loopback is an answer to who asked for it alone, a tunnel to who has nothing else."""
    states = {name: Box(isup="down" not in name, flags="") for name in addresses}
    monkeypatch.setattr(psutil, "net_if_stats", lambda: states)
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: addresses)
    if isinstance(expected, tuple):
        assert own_addresses(only) == expected
    else:
        with pytest.raises(expected):
            own_addresses(only)


def test_several_interfaces_without_ipv4_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("e0", "e1", "e2", "e3")
    monkeypatch.setattr(psutil, "net_if_stats", lambda: dict.fromkeys(names, Box(isup=True)))
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: {name: [V6] for name in names})
    with pytest.raises(NoIPv4, match=r"^e0, e1, e2 have no IPv4 address; spitnet needs one\.$"):
        own_addresses()


def test_whereabouts_are_looked_at_seldom_and_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An interface that is taken out is no error, nor one that the system can't tell of just now."""
    now: dict[str, list[Box]] = {"e0": [entry("10.0.0.1", "10.0.0.255")]}
    asked: list[None] = []

    def told() -> dict[str, list[Box]]:
        asked.append(None)
        if "broken" in now:
            raise OSError("out of descriptors")
        return now

    monkeypatch.setattr(psutil, "net_if_stats", lambda: dict.fromkeys(now, Box(isup=True)))
    monkeypatch.setattr(psutil, "net_if_addrs", told)
    where = Whereabouts("e0")
    for step in range(100):
        where.look(step / 100)
    assert (where.addresses, where.trouble, len(asked)) == (("10.0.0.1",), "", 1)
    at_s = LOOK_EVERY_S
    for change, trouble in (
        ({"e0": [V6]}, "e0 has no IPv4 address; spitnet needs one."),
        ({"w0": []}, "There is no network interface “e0” here; there is: w0."),
        ({"broken": []}, "out of descriptors"),
    ):
        now.clear()
        now.update(change)
        assert where.look(at_s)
        assert (where.addresses, where.trouble) == ((), trouble)
        at_s += LOOK_EVERY_S


def test_hosts_are_looked_up_to_ipv4() -> None:
    assert resolve("127.0.0.1") == ("127.0.0.1",)
    for host in ("::1", "a" * 70, "\udc80", ""):
        with pytest.raises(UnknownHost):
            resolve(host)
