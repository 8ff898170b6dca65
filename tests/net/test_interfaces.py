"""Interfaces of this machine, with psutil's answers replaced where a machine can't be changed."""

import socket
from types import SimpleNamespace as Box

import psutil
import pytest

from spitnet.net.errors import InterfaceDown, UnknownHost, UnknownInterface
from spitnet.net.interfaces import Interface, address_of, broadcast_interfaces, resolve

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
    with pytest.raises(InterfaceDown, match="empty0"):
        address_of("empty0")
    with pytest.raises(UnknownInterface, match=r"eth9.*eth0, lo, tun0") as error:
        broadcast_interfaces("eth9")
    assert "\n" not in str(error.value)


def test_hosts_are_looked_up_to_ipv4() -> None:
    assert resolve("127.0.0.1") == ("127.0.0.1",)
    for host in ("::1", "a" * 70, "\udc80", ""):
        with pytest.raises(UnknownHost):
            resolve(host)
