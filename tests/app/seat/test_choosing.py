"""A person who looks for a table: where they are sat down at once, and what the page says where they aren't."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.pairs import Peer, peers
from support.program import PROGRAM, variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import leave, terminal
from support.terminals import Pty

HOST = ("host", "--headless", "--delay", "0.2", "--sync", "process", "--timeout", "60")
JOIN = ("join", "--headless", "--delay", "0.2", "--sync", "process")


@contextmanager
def looker(home: Path, *words: str) -> Iterator[Pty]:
    """A terminal as for any command: `watch` keeps no records."""
    env = {**variables(home), "SPITNET_NAME": "Zoe", "TERM": "xterm-256color"}
    home.mkdir()
    with Pty([*PROGRAM, *words], env=env, cwd=home) as pty:
        yield pty


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


def test_a_busy_table_is_no_choice(tmp_path: Path, here: tuple[str, ...]) -> None:
    """It is listed, and counted nowhere; beside it the one open table is sat down at."""
    with peers(
        Peer(tmp_path / "bram", (*HOST, *here, "--name", "Bram")),
        Peer(tmp_path / "cas", (*JOIN, *here)),
    ) as (bram, _cas):
        bram.wait_for("deal")
        with terminal(tmp_path / "ana", "join", "--name", "Ana", *here) as pty:
            pty.until(lambda: "Bram" in pty.text and "busy" in pty.text, "the busy table")
            assert "Looking for open tables" in pty.text
            assert "open table\n" not in pty.text
            with peers(Peer(tmp_path / "dora", (*HOST, *here, "--name", "Dora"))) as (dora,):
                assert dora.wait_for("connected")["opponent"] == "Ana"


@pytest.mark.parametrize(
    "words",
    [
        ("join",),
        pytest.param(("join", "--plain"), marks=pytest.mark.full),
        ("watch",),
        pytest.param(("watch", "--plain"), marks=pytest.mark.full),
    ],
    ids=" ".join,
)
def test_the_named_table_is_missed_aloud(
    tmp_path: Path, here: tuple[str, ...], words: tuple[str, ...]
) -> None:
    with peers(Peer(tmp_path / "bram", (*HOST, *here, "--name", "Bram"))) as (bram,):
        bram.wait_for("hosting")
        with looker(tmp_path / "ana", *words, "--table", "Foo", *here) as pty:
            pty.until_shows("There is no table “Foo” here, only Bram.")
            assert leave(pty) == 0
        assert not bram.of("connected")


def test_the_named_table_lets_nobody_look_on(tmp_path: Path, here: tuple[str, ...]) -> None:
    with peers(Peer(tmp_path / "bram", (*HOST, *here, "--name", "Bram"))) as (bram,):
        bram.wait_for("hosting")
        with looker(tmp_path / "ana", "watch", "--table", "Bram", *here) as pty:
            pty.until_shows("The table “Bram” can’t be watched.")
            assert leave(pty) == 0


@pytest.mark.parametrize(
    "words",
    [
        ("join",),
        pytest.param(("join", "--plain"), marks=pytest.mark.full),
        pytest.param(("watch",), marks=pytest.mark.full),
        ("watch", "--plain"),
    ],
    ids=" ".join,
)
def test_an_address_that_does_not_answer_is_named(
    tmp_path: Path, here: tuple[str, ...], free_port: int, words: tuple[str, ...]
) -> None:
    """From the first moment whom it is asked of, then that nothing comes; and no advice to do what was just done."""
    asked = f"127.0.0.1:{free_port + 1}"
    with looker(tmp_path / "ana", *words, asked, *here) as pty:
        pty.until_shows(f"Asking {asked} for its table…")
        pty.until_shows(f"{asked} doesn’t answer.")
        pty.until_shows("Is that the address that the host shows?")
        assert "HOST:PORT" not in pty.text
        assert "Looking for" not in pty.text
        assert leave(pty) == 0
