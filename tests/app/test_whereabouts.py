"""What a waiting host shows and says as its network comes, goes and changes; and where there is none to use.

Each in a network namespace of the test's own, with a person at a terminal.
"""

import re
import sys
from pathlib import Path

import pytest
from support.netns import Lan
from support.pairs import Peer, assert_played, peers
from support.program import PROGRAM, run, variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import leave, terminal
from support.terminals import Pty

pytestmark = pytest.mark.namespaces

QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
STEADILY = ("--headless", "--delay", "0.05", "--sync", "process", "--timeout", "60")
MANNERS = pytest.mark.parametrize("manner", [(), ("--plain",)], ids=["screen", "lines"])
OFFLINE = "There is no network yet except this machine’s own."


def places(pty: Pty) -> set[str]:
    """The addresses on the screen."""
    return set(re.findall(r"\d+\.\d+\.\d+\.\d+(?=:\d{4,5}\b)", pty.text))


def readdress(lan: Lan, machine: str, address: str) -> None:
    lan.ip(machine, "addr", "flush", "dev", "e0")
    lan.ip(machine, "addr", "add", address, "broadcast", "+", "dev", "e0")


def sits_down(lan: Lan, home: Path, ana: Pty, *words: str) -> None:
    """Bram comes, and is there."""
    joiner = Peer(home, ("join", "--name", "Bram", *STEADILY, *words), lan.inside("bram"))
    with peers(joiner):
        joiner.wait_for("connected")
        ana.until_shows("Bram")


def lan_of_two(lan: Lan) -> None:
    lan.plug("ana", "e0", "10.77.0.1/24")
    lan.plug("bram", "e0", "10.77.0.2/24")


@MANNERS
def test_a_network_that_comes_later(tmp_path: Path, manner: tuple[str, ...]) -> None:
    """Before, no address is shown that nobody can use, but what this machine's own players type; then the real one."""
    with Lan("ana", "bram") as lan:
        lan_of_two(lan)
        lan.ip("ana", "link", "set", "e0", "down")
        words = ("host", "--name", "Ana", *manner)
        with terminal(tmp_path / "ana", *words, inside=lan.inside("ana")) as ana:
            ana.until_shows(OFFLINE)
            ana.until_shows("They type: spitnet join")
            assert not places(ana)
            lan.ip("ana", "link", "set", "e0", "up")
            ana.until(lambda: places(ana) == {"10.77.0.1"}, "the address")
            assert manner or OFFLINE not in ana.text
            (place,) = set(re.findall(r"10\.77\.0\.1:\d+", ana.text))
            sits_down(lan, tmp_path / "bram", ana, place)


@MANNERS
def test_an_address_that_changes(tmp_path: Path, manner: tuple[str, ...]) -> None:
    """The screen has the new one and not the old one; in lines the new one is said, and nothing else again."""
    with Lan("ana", "bram") as lan:
        lan_of_two(lan)
        words = ("host", "--name", "Ana", "--code", "tulip", *manner)
        with terminal(tmp_path / "ana", *words, inside=lan.inside("ana")) as ana:
            ana.until(lambda: places(ana) == {"10.77.0.1"}, "the address")
            readdress(lan, "ana", "10.77.0.9/24")
            ana.until(lambda: "10.77.0.9" in places(ana), "the new address")
            if manner:
                said = ana.text.partition("10.77.0.9")[2]
                assert "10.77.0.1:" not in said
                assert ana.text.count("The table of Ana is open") == 1
                assert ana.text.count("Code: tulip") == 1
            else:
                assert places(ana) == {"10.77.0.9"}
            sits_down(lan, tmp_path / "bram", ana, "--code", "tulip")


def test_of_two_interfaces_one_goes_and_one_comes(tmp_path: Path) -> None:
    """All that can be typed is shown, and no more; one without IPv4 is no trouble beside one that has it."""
    with Lan("ana") as lan:
        lan.plug("ana", "e0", "10.77.0.1/24")
        lan.plug("ana", "w0", "10.78.0.1/24", "other")
        lan.plug("ana", "x0", "fd00::1/64", "third", broadcast=False)
        with terminal(tmp_path, "host", "--name", "Ana", inside=lan.inside("ana")) as ana:
            ana.until(lambda: places(ana) == {"10.77.0.1", "10.78.0.1"}, "both")
            assert "IPv4" not in ana.text
            lan.ip("ana", "link", "delete", "e0")
            ana.until(lambda: places(ana) == {"10.78.0.1"}, "the other")
            lan.plug("ana", "e1", "10.79.0.1/24")
            ana.until(lambda: places(ana) == {"10.78.0.1", "10.79.0.1"}, "the new one too")
            assert leave(ana) == 0


def test_loopback_is_right_where_it_was_asked_for(tmp_path: Path) -> None:
    with Lan("ana") as lan:
        lan.plug("ana", "e0", "10.77.0.1/24")
        words = ("host", "--name", "Ana", "--interface", "lo")
        with terminal(tmp_path, *words, inside=lan.inside("ana")) as ana:
            ana.until(lambda: places(ana) == {"127.0.0.1"}, "loopback")
            assert OFFLINE not in ana.text


@pytest.mark.parametrize("where", ["open", "match"])
def test_a_host_kept_to_an_interface_follows_it(tmp_path: Path, where: str) -> None:
    """Its sockets were bound to the address that it had; the joiner's left from one that may change too."""
    pinned = ("--interface", "e0")
    with Lan("ana", "bram") as lan:
        lan_of_two(lan)
        host = Peer(tmp_path / "ana", ("host", *STEADILY, *pinned), lan.inside("ana"))
        place: tuple[str, ...] = ()
        with peers(host):
            port = host.wait_for("hosting")["port"]
            if where == "open":
                readdress(lan, "ana", "10.77.0.9/24")
                place = (f"10.77.0.9:{port}",)
            joiner = ("join", *place, *STEADILY, *pinned)
            with peers(Peer(tmp_path / "bram", joiner, lan.inside("bram"))) as (bram,):
                bram.wait_for("deal")
                if where == "match":
                    readdress(lan, "ana", "10.77.0.9/24")
                    readdress(lan, "bram", "10.77.0.8/24")
                    bram.wait_for("opponent_lost")
                    bram.wait_for("resumed")
                assert_played(host, bram)


@pytest.mark.full
def test_spectators_find_a_host_kept_to_an_interface_that_moved(tmp_path: Path) -> None:
    """They are served by another process, which has to follow as well."""
    with Lan("ana", "bram", "carl") as lan:
        lan_of_two(lan)
        lan.plug("carl", "e0", "10.77.0.3/24")
        words = ("host", *STEADILY, "--interface", "e0", "--watchable")
        with peers(Peer(tmp_path / "ana", words, lan.inside("ana"))) as (host,):
            host.wait_for("hosting")
            command = ("watch", "--headless", "--timeout", "60")
            watcher = Peer(tmp_path / "carl", command, lan.inside("carl"), plays=False)
            joiner = Peer(tmp_path / "bram", ("join", *STEADILY), lan.inside("bram"))
            with peers(watcher, joiner):
                watcher.wait_for("play")
                readdress(lan, "ana", "10.77.0.9/24")
                watcher.wait_for("host_lost")
                watcher.wait_for("host_back")
                story = assert_played(host, joiner)
                assert watcher.finish() == (0, "")
                assert watcher.story() == story


NO_IPV4 = {
    "en": "e0 has no IPv4 address; spitnet needs one.",
    "nl": "e0 heeft geen IPv4-adres; spitnet heeft er een nodig.",
    "ro": "e0 nu are adresă IPv4; spitnet are nevoie de una.",
    "ru": "У e0 нет адреса IPv4, а spitnet он нужен.",
    "pl": "e0 nie ma adresu IPv4, a spitnet go potrzebuje.",
}


@pytest.mark.parametrize(
    "lang",
    [pytest.param(one, marks=pytest.mark.full) if one != "en" else one for one in NO_IPV4],
)
def test_a_network_without_ipv4(tmp_path: Path, lang: str) -> None:
    """Whoever hosts, looks for tables or asks why is told what is missing, and not to do what can't help."""
    said = NO_IPV4[lang]
    with Lan("ana") as lan:
        lan.plug("ana", "e0", "fd00::1/64", broadcast=False)
        inside = lan.inside("ana")
        for words in (("host",), ("join",), ("join", "--plain"), ("watch",), ("join", "10.9.9.9")):
            env = {**variables(tmp_path), "SPITNET_NAME": "Zoe", "TERM": "xterm-256color"}
            command = [*inside, *PROGRAM, *words, "--lang", lang]
            with Pty(command, env=env, cwd=tmp_path) as pty:
                pty.until_shows(said)
                if lang == "en":
                    pty.read(4.0)
                    assert "same network" not in pty.text
                    assert not places(pty)
        for words in (("list",), ("doctor",)):
            ran = run(tmp_path, *words, "--lang", lang, inside=inside)
            assert (ran.code, said in ran.out) == (0, True), ran.out
        for word in ("join", "watch"):
            headless = (word, "--headless", "--timeout", "0.4", "--lang", lang)
            ran = run(tmp_path, *headless, inside=inside)
            assert (ran.code, said in ran.err) == (3, True), ran.err
        for word in ("host", "join", "watch", "list", "doctor"):
            ran = run(tmp_path, word, "--interface", "e0", "--lang", lang, inside=inside)
            assert (ran.code, said in ran.err) == (2, True), ran.err


@pytest.mark.full
def test_ipv4_that_comes_later(tmp_path: Path) -> None:
    """As when the lease takes its time: what was said is taken back."""
    with Lan("ana", "bram") as lan:
        lan.plug("bram", "e0", "10.77.0.2/24")
        lan.plug("ana", "e0", "fd00::1/64", broadcast=False)
        with terminal(tmp_path / "ana", "host", "--name", "Ana", inside=lan.inside("ana")) as ana:
            ana.until_shows(NO_IPV4["en"])
            lan.ip("ana", "addr", "add", "10.77.0.1/24", "broadcast", "+", "dev", "e0")
            ana.until(lambda: places(ana) == {"10.77.0.1"}, "the address")
            assert "IPv4" not in ana.text
            sits_down(lan, tmp_path / "bram", ana)


def test_two_on_one_machine_need_no_network(tmp_path: Path) -> None:
    with Lan("ana") as lan:
        host = Peer(tmp_path / "ana", ("host", *QUICKLY), lan.inside("ana"))
        with peers(host, Peer(tmp_path / "bram", ("join", *QUICKLY), lan.inside("ana"))) as two:
            assert_played(*two)
        ran = run(tmp_path, "list", inside=lan.inside("ana"))
        assert ran.out == f"no open table\n{OFFLINE}\n"
