"""What the doctor sees, on this machine and in namespaces, and what it makes of it; never a secret in it."""

import json
import os
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.netns import Lan
from support.pairs import Peer, peers
from support.program import PROGRAM, run, variables

from spitnet.app.commands.doctor import machine
from spitnet.app.commands.doctor import words as telling
from spitnet.app.commands.doctor.causes import Cause, advice
from spitnet.app.commands.doctor.report import (
    Environment,
    FindingKind,
    InterfaceReport,
    Network,
    Place,
    Report,
    Screen,
    Version,
    Versions,
)
from spitnet.app.options import DoctorOptions
from spitnet.net.beacon import TableState
from spitnet.net.tables import Table

LO = InterfaceReport("lo", FindingKind.LOOPBACK, True, "127.0.0.1", "127.255.255.255", echoed=True)
LAN = InterfaceReport("eth0", FindingKind.LAN, True, "10.0.0.1", "10.0.0.255", echoed=True)
VPN = InterfaceReport("wg0", FindingKind.TUNNEL, True, "10.8.0.2")
TABLE = Table(b"i" * 16, "Ana", "10.0.0.2", 5000, b"k" * 32, TableState.OPEN, 0, 1, ("10.0.0.2",))


def report(*interfaces: InterfaceReport, tables: tuple[Table, ...] = (), **network: Any) -> Report:
    """A machine in order, with these interfaces."""
    facts: dict[str, Any] = {
        "port": 47748,
        "udp_held": False,
        "udp_trouble": "",
        "tcp_trouble": "",
        "others_looking": 0,
        "strange": 0,
        "listened_s": 1.0,
    }
    return Report(
        Versions((Version("spitnet", "1"),), "Linux", True),
        (Place("records", Path("/records"), ""),),
        Screen(80, 24, "xterm", "utf-8", True, True, "true", True),
        frozenset(),
        Network(interfaces or (LO, LAN), tables=tables, **(facts | network)),
        DoctorOptions(),
    )


def causes(found: Report, system: str = "linux") -> list[Cause]:
    return [one.cause for one in advice(found, system)]


def test_where_all_is_well_there_is_nothing_to_say() -> None:
    assert causes(report(tables=(TABLE,))) == []
    assert causes(report()) == [Cause.ELSEWHERE]


DEAF = replace(LAN, echoed=False)


@pytest.mark.parametrize(
    ("found", "system", "first"),
    [
        (report(LO), "linux", Cause.NO_NETWORK),
        (report(LO, replace(LAN, up=False, broadcast=None)), "linux", Cause.NO_NETWORK),
        (report(LO, replace(LAN, address=None, broadcast=None)), "linux", Cause.NO_IPV4),
        (report(udp_held=True, udp_trouble="EADDRINUSE"), "linux", Cause.PORT_HELD),
        (report(tcp_trouble="Address already in use"), "linux", Cause.TCP_TAKEN),
        (report(LO, DEAF), "linux", Cause.FIREWALL_IN),
        (report(LO, DEAF), "win32", Cause.FIREWALL_IN),
        (report(LO, replace(LAN, trouble="EPERM [Errno 1]")), "linux", Cause.FIREWALL_OUT),
        (
            report(LO, replace(LAN, trouble="EHOSTUNREACH [Errno 65]")),
            "darwin",
            Cause.MACOS_PERMISSION,
        ),
        (report(LO, LAN, VPN), "linux", Cause.VPN),
        (replace(report(), surroundings=frozenset({Environment.WSL2})), "linux", Cause.WSL2),
        (
            replace(report(), surroundings=frozenset({Environment.CONTAINER})),
            "linux",
            Cause.CONTAINER,
        ),
        (replace(report(), versions=Versions((), "", False)), "linux", Cause.NO_CURVE),
        (
            replace(report(), places=(Place("log", Path("/log"), "Read-only file system"),)),
            "linux",
            Cause.UNWRITABLE,
        ),
    ],
)
def test_each_sign_has_its_cause(found: Report, system: str, first: Cause) -> None:
    """And the unknown stays possible as long as nobody was found."""
    assert causes(found, system) == [first, Cause.ELSEWHERE]


def test_a_table_that_was_heard_clears_what_is_only_likely() -> None:
    found = report(LO, LAN, VPN, tables=(TABLE,))
    assert causes(found) == []


def test_a_cure_names_the_interface_of_the_lan() -> None:
    (vpn, _elsewhere) = advice(report(LO, LAN, VPN), "linux")
    assert "wg0" in vpn.what
    assert "--interface eth0" in vpn.cure


@pytest.mark.parametrize("system", ["linux", "win32", "darwin"])
def test_each_system_is_told_about_its_own_firewall(system: str) -> None:
    cures = {one.cure for one in advice(report(LO, DEAF), system) if one.cause is Cause.FIREWALL_IN}
    assert len(cures) == 1
    words = {"linux": "ufw allow 47748/udp", "win32": "private", "darwin": "System Settings"}
    assert [name for name, word in words.items() if word in cures.copy().pop()] == [system]


def test_the_page_is_whole_and_narrow() -> None:
    found = report(LO, DEAF, VPN, tables=(TABLE,) * 12, others_looking=2, strange=1)
    lines = list(telling.page(found))
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    for said in (
        "Ana at 10.0.0.2:5000: open",
        "and 2 more",
        "2 questions from others",
        "1 datagram",
    ):
        assert said in text


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


def examined(home: Path, *arguments: str, extra: dict[str, str] | None = None) -> dict[str, Any]:
    ran = run(home, "doctor", "--json", *arguments, extra=extra)
    assert (ran.code, ran.err) == (0, "")
    (line,) = map(json.loads, ran.out.splitlines())
    return dict(line)


def test_a_table_on_this_machine_is_heard(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Over loopback, asked and answered for real."""
    host = ("host", "--headless", "--name", "Ana", "--timeout", "60", *here)
    with peers(Peer(tmp_path / "ana", host)) as (ana,):
        port = ana.wait_for("hosting")["port"]
        found = examined(tmp_path, *here)
    assert [(one["name"], one["port"], one["open"]) for one in found["tables"]] == [
        ("Ana", port, True)
    ]
    (lo,) = found["interfaces"]
    assert (lo["kind"], lo["up"], lo["trouble"], lo["echoed"]) == ("loopback", True, "", True)
    assert found["causes"] == []
    assert found["versions"]["spitnet"]
    assert found["curve"] is True


@pytest.mark.skipif(
    sys.platform == "win32", reason="who takes a port alone is told otherwise there"
)
def test_a_port_that_somebody_holds_is_named(tmp_path: Path, here: tuple[str, ...]) -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tcp,
    ):
        udp.bind(("", int(here[-1])))
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        port = str(tcp.getsockname()[1])
        found = examined(tmp_path, *here, "--port", port)
    assert found["discovery_port_held"] is True
    assert found["table_trouble"]
    assert found["causes"][:2] == ["tcp_taken", "port_held"]


def test_no_secret_and_no_login_name_is_told(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Neither a code, nor a key, nor whose home it is: not on either stream, in either form."""
    home = tmp_path / "login-name"
    (home / "spitnet").mkdir(parents=True)
    content = f'code = "tulip"\njournal = "{home / "records"}"\nnmae = 1\n'
    (home / "spitnet" / "config.toml").write_text(content)
    elsewhere = {"XDG_CONFIG_HOME": str(tmp_path)}
    assert run(home, "host", "--headless", "--timeout", "0.1", *here, extra=elsewhere).code == 3
    key = (home / "spitnet" / "key").read_bytes()
    for flags in ((), ("--json",)):
        ran = run(home, "doctor", *here, *flags, extra={"SPITNET_CODE": "rose"})
        assert ran.code == 0
        said = ran.out + ran.err
        assert "nmae" in said, "what is wrong in the file is told"
        for secret in ("tulip", "rose", "login-name", key[:32].hex(), key[32:].hex()):
            assert secret not in said
        assert "~" in said


def test_a_directory_that_cant_be_written_is_named(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Not even by root: the system makes none there."""
    found = examined(tmp_path, *here, "--journal", "/proc/closed")
    assert "unwritable" in found["causes"]


def test_a_home_that_is_a_file_is_named(tmp_path: Path, here: tuple[str, ...]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    found = examined(tmp_path, *here, extra={"XDG_DATA_HOME": str(file)})
    assert "unwritable" in found["causes"]


@pytest.mark.namespaces
def test_a_lan_with_all_that_is_on_it(tmp_path: Path) -> None:
    """A table across the LAN is heard; a tunnel, an interface that is down and one without broadcast are told apart."""
    with Lan("ana", "bram") as lan:
        lan.plug("ana", "eth0", "10.77.0.1/24")
        lan.plug("bram", "eth0", "10.77.0.2/24")
        for name, end in (("tun0", "veth0"), ("eth1", "veth1")):
            lan.ip("ana", "link", "add", name, "type", "veth", "peer", "name", end)
        lan.ip("ana", "addr", "add", "10.8.0.1/32", "dev", "tun0")
        for name in ("tun0", "veth0"):
            lan.ip("ana", "link", "set", name, "up")
        host = ("host", "--headless", "--name", "Bram", "--timeout", "60")
        with peers(Peer(tmp_path / "bram", host, lan.inside("bram"))) as (bram,):
            bram.wait_for("hosting")
            found = inside(lan, "ana", tmp_path)
        alone = inside(lan, "ana", tmp_path)
    assert [one["name"] for one in found["tables"]] == ["Bram"]
    assert {one["name"]: (one["kind"], one["up"]) for one in found["interfaces"]} == {
        "lo": ("loopback", True),
        "eth0": ("lan", True),
        "tun0": ("tunnel", True),
        "veth0": ("inner", True),
        "eth1": ("lan", False),
        "veth1": ("inner", False),
    }
    assert {"lo", "eth0"} <= {one["name"] for one in found["interfaces"] if one["echoed"]}
    assert alone["tables"] == []
    assert "vpn" in alone["causes"]
    assert "no_network" not in alone["causes"]


def inside(lan: Lan, machine: str, home: Path) -> dict[str, Any]:
    """The doctor's line there."""
    done = subprocess.run(
        [*lan.inside(machine), *PROGRAM, "doctor", "--json"],
        cwd=home,
        env=variables(home),
        capture_output=True,
        encoding="utf-8",
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return dict(json.loads(done.stdout))


def test_the_system_is_named_without_asking_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library's own question goes to WMI on Windows, which may take seconds."""

    def refuse() -> None:
        raise AssertionError("asked")

    monkeypatch.setattr("platform.uname", refuse)
    found = machine.versions()
    assert found.system.startswith(os.uname().sysname)
    assert os.uname().machine in found.system
    assert ".".join(map(str, sys.version_info[:3])) in [one.version for one in found.programs]
    assert isinstance(machine.surroundings(), frozenset)


def test_windows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Version:
        platform_version = (10, 0, 22631)

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "getwindowsversion", Version, raising=False)
    monkeypatch.setattr("sysconfig.get_platform", lambda: "win-amd64")
    assert machine.versions().system == "Windows 10.0.22631 win-amd64"
    assert machine.surroundings() <= {Environment.CONTAINER}
