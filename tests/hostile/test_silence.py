"""Hosts that accept a link and then say nothing, or no more: whoever came to play or to look on isn't kept for ever.

What they say by beacon may be anything; what comes by the link is what counts.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
import zmq
from support.at_work import announcing, at_work
from support.galleries import HERE, record_of
from support.hostile_matches import free_port
from support.pairs import Peer, assert_played, peers
from support.program import PROGRAM, run, variables
from support.waiting import step

from spitnet.app.spectate.client import AGAIN_S, ANSWER_S, QUIET_S
from spitnet.exits import ExitCode
from spitnet.journal.file_format import Entry, Opened
from spitnet.journal.store import read
from spitnet.net.announcer import Announcer
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.host_link import HostLink
from spitnet.net.link import KeyPair, Received, new_keypair
from spitnet.protocol import VERSION
from spitnet.protocol.spectator import PIECE_BYTES, Piece, Watch, decode, encode

QUICKLY = ("--headless", "--delay", "0", "--sync", "process", "--interface", "lo")
STATES = pytest.mark.parametrize("state", TableState, ids=["open", "playing"])


class Mute:
    """Lets everybody in and hears them; answers who asks for what stands in the record before `most` bytes of it."""

    def __init__(self, link: HostLink, entries: list[Entry], most: int) -> None:
        self.link = link
        self.heard = 0
        self._record = record_of(entries) if entries else b""
        self._session = entries[0].session if entries and isinstance(entries[0], Opened) else b""
        self.most = most

    def hear(self, now_s: float) -> None:
        for event in self.link.events(now_s):
            if isinstance(event, Received):
                self.heard += 1
                self._answer(event.key, event.frame)

    def _answer(self, key: bytes, frame: bytes) -> None:
        asked = decode(frame) if self.most else None
        if isinstance(asked, Watch) and asked.offset < self.most:
            data = self._record[asked.offset : asked.offset + PIECE_BYTES]
            size = len(self._record)
            self.link.send(key, encode(Piece(self._session, asked.offset, size, data)))


@contextmanager
def mute(
    state: TableState,
    port: int,
    keys: KeyPair | None = None,
    entries: tuple[Entry, ...] = (),
    most: int = 0,
) -> Iterator[Mute]:
    """A table that can be found on this discovery port, with such a host at both its TCP ports."""
    keys = keys or new_keypair()
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        host = Mute(HostLink(context, keys, HERE), [*entries], most)
        port_tcp = host.link.port
        table = Announcement(VERSION, bytes(16), port_tcp, keys.public, "Mal", TableState.OPEN, 0)
        announcer = Announcer(table, monotonic(), only="lo", discovery_port=port)
        announcer.set_watchable(port_tcp)
        if state is TableState.PLAYING:
            announcer.set_playing()
        with (
            announcing(announcer),
            at_work(lambda: step({host.link: host.hear}, at_most_s=0.02)),
        ):
            yield host
        host.link.close()
    finally:
        context.destroy(0)


def here(port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(port))


SAID = {
    TableState.OPEN: ("no match has begun at the table “Mal” within 1.5 s", "nobody"),
    TableState.PLAYING: ("the table “Mal” doesn’t answer any more", "silent"),
}


@STATES
def test_a_spectator_is_not_kept_waiting(tmp_path: Path, state: TableState) -> None:
    """Longer than was asked for; for programs, and into a pipe, where it is said meanwhile that nothing comes."""
    port = free_port()
    with mute(state, port) as host:
        said, word = SAID[state]
        ran = run(tmp_path, "watch", "--headless", "--timeout", "1.5", *here(port))
        assert (ran.code, ran.err) == (ExitCode.NOBODY, f"spitnet: {said}\n")
        assert json.loads(ran.out)["code"] == word
        ran = run(tmp_path, "watch", "--timeout", "4", *here(port))
        assert ran.code == ExitCode.NOBODY
        assert "Nothing has come from there yet" in ran.out
        assert host.heard


def test_a_spectator_who_names_the_address_is_not_kept_either(tmp_path: Path) -> None:
    port = free_port()
    with mute(TableState.PLAYING, port) as host:
        where = f"{HERE}:{host.link.port}"
        ran = run(tmp_path, "watch", where, "--headless", "--timeout", "1.5", *here(port))
        assert ran.code == ExitCode.NOBODY, ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("manner", [(), ("--plain",)], ids=["screen", "lines"])
def test_a_person_is_told_that_nothing_comes(tmp_path: Path, manner: tuple[str, ...]) -> None:
    """And may leave; one who came to play is sent away after a while."""
    from support.evening import leave, terminal
    from support.terminals import Pty

    port = free_port()
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    with mute(TableState.OPEN, port):
        with Pty([*PROGRAM, "watch", *manner, *here(port)], env=env, cwd=tmp_path) as carl:
            carl.until_shows("Nothing has come from there yet")
            assert leave(carl) == ExitCode.DONE
        with terminal(tmp_path, "join", "--name", "Bram", *manner, *here(port)) as bram:
            bram.until_shows("The table doesn’t answer yet.")
            assert bram.wait() == ExitCode.NOBODY
            assert "doesn’t answer any more" in bram.text


def test_a_joiner_is_not_kept_waiting(tmp_path: Path) -> None:
    port = free_port()
    with mute(TableState.OPEN, port) as host:
        ran = run(tmp_path, "join", "--headless", "--timeout", "1.5", *here(port))
        assert (ran.code, host.heard > 0) == (ExitCode.NOBODY, True)
        assert "doesn’t answer any more" in ran.err


def played(home: Path) -> tuple[KeyPair, list[Entry]]:
    """A whole match that may be watched, and its host's keys."""
    with peers(Peer(home / "ana", ("host", *QUICKLY, "--watchable"))) as (host,):
        place = f"{HERE}:{host.wait_for('hosting')['port']}"
        with peers(Peer(home / "bram", ("join", place, *QUICKLY))) as (joiner,):
            assert_played(host, joiner)
            data = next((home / "ana").rglob("key")).read_bytes()
            return KeyPair(data[:32], data[32:]), read(host.record()).entries


@pytest.mark.full
@pytest.mark.parametrize("answers", [True, False])
def test_a_match_may_stand_still_but_not_its_host(tmp_path: Path, answers: bool) -> None:
    """One that says nothing more, though its link stands, is away, and given up; one whose players think is not."""
    keys, entries = played(tmp_path)
    port = free_port()
    still = (*entries[:60],)
    with mute(TableState.PLAYING, port, keys, still, len(record_of([*still]))) as host:
        command = ("watch", "--headless", "--timeout", "2", *here(port))
        with peers(Peer(tmp_path / "carl", command, plays=False)) as (carl,):
            carl.wait_for("watching")
            if answers:
                long_s = QUIET_S + ANSWER_S + 2 * AGAIN_S
                assert any(carl.says_nothing(long_s) for _ in range(3))
                assert not carl.of("host_lost")
            else:
                host.most = 0
                carl.wait_for("host_lost")
                code, error = carl.finish()
                assert (code, error) == (ExitCode.OPPONENT_GONE, "spitnet: the host is gone\n")
