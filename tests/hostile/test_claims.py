"""A host that writes into its record that it claimed the match: spectators are shown it as its word, and no more.

The record is sound up to there, and so is the claim as far as anybody can check: who was away, no third machine knows.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.galleries import HERE, saved, table_with_gallery
from support.hostile_matches import free_port
from support.pairs import Peer, assert_played, peers
from support.program import PROGRAM, run, variables

from spitnet.exits import ExitCode
from spitnet.journal.file_format import Entry
from spitnet.journal.replay import Replay
from spitnet.journal.store import read
from spitnet.net.link import KeyPair
from spitnet.protocol.entries import Done, Ended, Ending

QUICKLY = ("--headless", "--delay", "0", "--sync", "process", "--interface", "lo")


class Liar:
    """A host's keys, and a true record of its match up to the beat behind which it lies."""

    def __init__(self, keys: KeyPair, entries: list[Entry]) -> None:
        self.keys = keys
        self.names = Replay(entries[0]).names
        beats = [at for at, entry in enumerate(entries) if isinstance(entry, Done)]
        self._true = entries[: beats[30] + 1]

    @contextmanager
    def shows(self, home: Path, how: str) -> Iterator[tuple[str, ...]]:
        """The record ends so; the words that find the table."""
        beat = sum(isinstance(entry, Done) for entry in self._true)
        directory = home / "shown"
        directory.mkdir()
        port = free_port()
        with table_with_gallery(self.keys, free_port(), port) as gallery:
            gallery.show(saved(directory, [*self._true, Ended(beat, Ending(how), 1, "")]))
            yield ("--interface", "lo", "--discovery-port", str(port))


@pytest.fixture(scope="module")
def liar(tmp_path_factory: pytest.TempPathFactory) -> Liar:
    home = tmp_path_factory.mktemp("played")
    with peers(Peer(home / "ana", ("host", *QUICKLY, "--watchable"))) as (host,):
        place = f"{HERE}:{host.wait_for('hosting')['port']}"
        with peers(Peer(home / "bram", ("join", place, *QUICKLY))) as (joiner,):
            assert_played(host, joiner)
            data = next((home / "ana").rglob("key")).read_bytes()
            return Liar(KeyPair(data[:32], data[32:]), read(host.record()).entries)


def test_programs_read_on_whose_word_a_match_was_won(tmp_path: Path, liar: Liar) -> None:
    """In the line that says who won it, where a match that was played out has nobody."""
    with liar.shows(tmp_path, "abandoned") as here:
        watcher = Peer(tmp_path / "carl", ("watch", "--headless", *here), plays=False)
        with peers(watcher):
            assert watcher.finish() == (ExitCode.DONE, "")
            (over,) = watcher.of("match_over")
    assert (over["winner"], over["on_word_of"], over["how"], over["by"]) == (0, 0, "abandoned", 1)


def test_a_match_that_was_played_out_is_on_nobodys_word(tmp_path: Path) -> None:
    with peers(Peer(tmp_path, ("solo", "--headless", "--delay", "0", "--sync", "process"))) as (
        solo,
    ):
        solo.finish()
        (over,) = solo.of("match_over")
        told = run(tmp_path, "replay", "--json", over["journal"]).out.splitlines()[-1]
    assert (over["how"], over["by"], over["word"], over["on_word_of"]) == ("over", None, "", None)
    assert '"on_word_of":null' in told


@pytest.mark.parametrize(("how", "claimant"), [("abandoned", 0), ("claimed", 1)])
def test_lines_say_whose_word_it_is(tmp_path: Path, liar: Liar, how: str, claimant: int) -> None:
    with liar.shows(tmp_path, how) as here:
        ran = run(tmp_path, "watch", *here)
    name, other = liar.names[claimant], liar.names[1 - claimant]
    last = ran.out.splitlines()[-1]
    assert last.startswith(f"{name} claimed the match, on their word alone: ")
    assert f"{name} says that {other} stayed away too long." in ran.out
    assert ran.out.count("stayed away too long") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_screen_says_whose_word_it_is(tmp_path: Path, liar: Liar) -> None:
    from support.terminals import Pty

    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    with (
        liar.shows(tmp_path, "abandoned") as here,
        Pty([*PROGRAM, "watch", *here], env=env, cwd=tmp_path) as pty,
    ):
        host, joiner = liar.names
        pty.until_shows(f"{host} says that {joiner} stayed away too long.")
        pty.until_shows(f"{host} claimed the match, on their word alone")
        pty.send("q")
        assert pty.wait() == ExitCode.DONE
