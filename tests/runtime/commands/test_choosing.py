"""A person who looks for a table: where they are sat down at once, and what the page says where they aren't."""

import sys
from pathlib import Path

import pytest
from support.pairs import Peer, peers

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import leave, terminal

HOST = ("host", "--headless", "--delay", "0.2", "--sync", "process", "--timeout", "60")
JOIN = ("join", "--headless", "--delay", "0.2", "--sync", "process")


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


@pytest.mark.parametrize("plain", [(), ("--plain",)])
def test_the_named_table_is_missed_aloud(
    tmp_path: Path, here: tuple[str, ...], plain: tuple[str, ...]
) -> None:
    with peers(Peer(tmp_path / "bram", (*HOST, *here, "--name", "Bram"))) as (bram,):
        bram.wait_for("hosting")
        with terminal(tmp_path / "ana", "join", "--table", "Foo", *plain, *here) as pty:
            pty.until_shows("No table “Foo” is here, only Bram.")
            assert leave(pty) == 0
        assert not bram.of("connected")
