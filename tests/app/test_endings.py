"""Every way in which a headless run ends: its exit code, its one line of words, and what the other side sees."""

import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zmq
from support.at_work import announcing
from support.pairs import Peer, assert_played, peers
from support.program import run
from support.waiting import until

from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.finder import Finder
from spitnet.net.join_link import JoinLink
from spitnet.net.link import Received, new_keypair
from spitnet.protocol.messages import Hello, encode

QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
SLOWLY = ("--headless", "--delay", "0.2", "--sync", "process")


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    """Loopback, on a discovery port of the test's own."""
    return ("--interface", "lo", "--discovery-port", str(free_port))


@contextmanager
def table_of_version(version: int, discovery_port: int) -> Iterator[int]:
    """A table that says it speaks that protocol version; its port."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
    table = Announcement(version, b"i" * 16, port, b"k" * 32, "later", TableState.OPEN, 0)
    announcer = Announcer(table, time.monotonic(), only="lo", discovery_port=discovery_port)
    with announcing(announcer):
        yield port


def test_nobody_there(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Exit 3, and what to try; the same words for programs."""
    with peers(Peer(tmp_path, ("join", *QUICKLY, *here, "--timeout", "0.5"))) as (joiner,):
        code, message = joiner.finish()
        assert code == 3
        assert "spitnet join HOST:PORT" in message
        assert "firewall" in message
        (line,) = joiner.of("error")
        assert line["code"] == "nobody"
        assert message == f"spitnet: {line['message']}\n"


def test_nobody_of_that_name(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Exit 3, and who is there instead: names are told apart by their case, too."""
    ana = Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--name", "Ana", "--timeout", "30"))
    with peers(ana) as (host,):
        host.wait_for("hosting")
        wanted = ("--table", "ana", "--timeout", "1")
        with peers(Peer(tmp_path / "bram", ("join", *QUICKLY, *here, *wanted))) as (joiner,):
            code, message = joiner.finish()
        assert (code, joiner.of("error")[0]["code"]) == (3, "nobody")
        assert message == "spitnet: there is no table “ana” here, only Ana\n"


def test_nobody_comes(tmp_path: Path, here: tuple[str, ...]) -> None:
    with peers(Peer(tmp_path, ("host", *QUICKLY, *here, "--timeout", "0.5"))) as (host,):
        assert host.finish()[0] == 3
        assert host.of("error")[0]["code"] == "nobody"


@pytest.mark.parametrize("by_address", [False, True])
def test_another_version_is_refused_naming_both(
    tmp_path: Path, here: tuple[str, ...], free_port: int, by_address: bool
) -> None:
    """Exit 5 at once: waiting would not change it."""
    with table_of_version(7, free_port) as port:
        address = [f"127.0.0.1:{port}"] if by_address else []
        with peers(Peer(tmp_path, ("join", *address, *QUICKLY, *here))) as (joiner,):
            code, message = joiner.finish()
    assert code == 5
    assert "version 7" in message
    assert "version 1" in message


def test_a_table_in_play_is_busy(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Exit 5 by address at once, by search when the time is up; the match goes on."""
    with peers(
        Peer(tmp_path / "ana", ("host", *SLOWLY, *here)),
        Peer(tmp_path / "bram", ("join", *SLOWLY, *here)),
    ) as (host, joiner):
        port = host.wait_for("hosting")["port"]
        joiner.wait_for("deal")
        by_address = run(
            tmp_path, "join", f"127.0.0.1:{port}", *QUICKLY, *here, "--journal", str(tmp_path)
        )
        assert by_address.code == 5
        assert "busy" in by_address.err
        searching = run(
            tmp_path, "join", *QUICKLY, *here, "--timeout", "0.5", "--journal", str(tmp_path)
        )
        assert searching.code == 5
        name = host.of("hosting")[0]["name"]
        assert f"the table “{name}” is busy" in searching.err
        host.signal(signal.SIGTERM)
        assert host.finish() == (130, "")
        joiner.signal(signal.SIGTERM)
        assert joiner.finish() == (130, "")


@pytest.mark.parametrize(("typed", "code"), [("1234", 0), ("4321", 5), (None, 5)])
def test_a_code_opens_the_table_or_not(
    tmp_path: Path, here: tuple[str, ...], typed: str | None, code: int
) -> None:
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--code", "1234", "--timeout", "20"))
    ) as (host,):
        host.wait_for("hosting")
        words = () if typed is None else ("--code", typed)
        with peers(Peer(tmp_path / "bram", ("join", *QUICKLY, *here, *words))) as (joiner,):
            if code == 0:
                assert_played(host, joiner)
                return
            ended, message = joiner.finish()
            assert ended == code
            assert "code" in message
            assert joiner.of("error")[0]["code"] == "code"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("leaver", [0, 1])
def test_a_signal_leaves_without_conceding(
    tmp_path: Path, here: tuple[str, ...], number: signal.Signals, leaver: int
) -> None:
    """R22: exit 130; the other side waits, then claims on its own word: exit 4. Both records say so."""
    with peers(
        Peer(tmp_path / "ana", ("host", *SLOWLY, *here, "--grace", "5")),
        Peer(tmp_path / "bram", ("join", *SLOWLY, *here)),
    ) as both:
        gone, stayed = both[leaver], both[1 - leaver]
        gone.wait_for("spit")
        gone.signal(number)
        assert gone.finish() == (130, "")
        code, message = stayed.finish()
        assert code == 4
        assert "didn't come back" in message
        assert stayed.of("opponent_lost")
        (over,) = stayed.of("game_over")
        assert (over["winner"], over["reason"]) == (1 - leaver, "abandoned")
        assert stayed.of("match_over")[0]["winner"] == 1 - leaver
        assert not gone.of("game_over")
        unfinished = run(tmp_path, "verify", str(gone.record()))
        assert (unfinished.code, "unfinished" in unfinished.out) == (6, True)
        claimed = run(tmp_path, "verify", str(stayed.record()))
        assert (claimed.code, "on its word alone" in claimed.out) == (0, True)


def test_a_killed_opponent_is_noticed(tmp_path: Path, here: tuple[str, ...]) -> None:
    """SIGKILL: no goodbye, and still noticed at once."""
    with peers(
        Peer(tmp_path / "ana", ("host", *SLOWLY, *here, "--grace", "5")),
        Peer(tmp_path / "bram", ("join", *SLOWLY, *here)),
    ) as (host, joiner):
        joiner.wait_for("spit")
        joiner.signal(signal.SIGKILL)
        host.wait_for("opponent_lost")
        assert host.finish()[0] == 4


def test_a_stopped_opponent_comes_back(tmp_path: Path, here: tuple[str, ...]) -> None:
    """A laptop asleep: the game waits, and goes on by itself when it wakes."""
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *here)),
        Peer(tmp_path / "bram", ("join", "--headless", "--delay", "0.02", *here)),
    ) as (host, joiner):
        joiner.wait_for("spit")
        joiner.signal(signal.SIGSTOP)
        host.wait_for("opponent_lost")
        joiner.signal(signal.SIGCONT)
        host.wait_for("resumed")
        assert_played(host, joiner)


def test_an_unwritable_journal_is_one_clear_line(tmp_path: Path, here: tuple[str, ...]) -> None:
    (tmp_path / "journals").write_text("a file where the directory should be")
    with peers(Peer(tmp_path, ("solo", *QUICKLY))) as (solo,):
        code, message = solo.finish()
        assert code == 2
        assert "Traceback" not in message
        assert "directory" in message


def test_strangers_who_leave_do_not_freeze_the_match(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Whoever was connected before the seat was taken comes and goes unheard."""
    with peers(Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--games", "9"))) as (host,):
        hosting = host.wait_for("hosting")
        port = hosting["port"]
        with (
            zmq.Context() as context,
            early_strangers(context, port) as leave,
            peers(Peer(tmp_path / "bram", ("join", *QUICKLY, *here))) as (joiner,),
        ):
            joiner.wait_for("deal")
            leave()
            assert_played(host, joiner)
        assert not host.of("opponent_lost")


@contextmanager
def early_strangers(
    context: "zmq.Context[zmq.Socket[bytes]]", port: int
) -> Iterator[Callable[[], None]]:
    """Three who knock at a table and don't sit down; what is yielded makes them leave."""
    finder = Finder(1, time.monotonic(), only="lo", broadcast=False)
    finder.ask("127.0.0.1", port, time.monotonic())
    links: list[JoinLink] = []

    def found() -> bool:
        return bool(finder.answers())

    def look(now_s: float) -> None:
        finder.poll(now_s)
        finder.drain(now_s)

    until(found, {finder: look})
    (table,) = finder.answers()
    finder.close()
    for _ in range(3):
        link = JoinLink(context, new_keypair(), table.key, "127.0.0.1", port, "127.0.0.1")
        links.append(link)
        heard: list[object] = []

        def knock(now_s: float, link: JoinLink = link, heard: list[object] = heard) -> None:
            heard.extend(event for event in link.events(now_s) if isinstance(event, Received))
            link.send(encode(Hello(1, b"n" * 32, "Eve", b"")))

        until(heard.__len__, {link: knock})

    def leave() -> None:
        while links:
            links.pop().close()

    try:
        yield leave
    finally:
        leave()


def test_quiet_and_verbose(tmp_path: Path, here: tuple[str, ...]) -> None:
    """`-q`: the exit code says it all. `-v`: what happens, on stderr and in the log."""
    quiet = run(tmp_path, "join", *QUICKLY, *here, "--timeout", "0.3", "-q")
    assert (quiet.code, quiet.err) == (3, "")
    with peers(Peer(tmp_path, ("solo", *QUICKLY, "-v"))) as (solo,):
        code, said = solo.finish()
        assert code == 0
        assert "session " in said
        assert "Traceback" not in said
        (log,) = (tmp_path / ".local" / "state").rglob("spitnet.log")
        assert "session " in log.read_text(encoding="utf-8")
