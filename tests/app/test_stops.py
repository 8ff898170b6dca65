"""A link that breaks again and again, between two people at real terminals: both are told, and a key isn't lost."""

import sys
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import terminal, until_both
from support.hostile_ends import HERE
from support.hostile_matches import entries_of, free_port
from support.passage import passage

MANY = 5
STOP = 6


def test_many_stops_are_pointed_out_to_both(tmp_path: Path) -> None:
    """Each counts them by itself, and each record has them, as nobody's doing."""
    port = free_port()
    ways = [("--interface", "lo", "--discovery-port", str(free_port())) for _ in (0, 1)]
    with (
        terminal(tmp_path / "ana", "host", "--port", str(port), *ways[0]) as ana,
        passage(port) as way,
        terminal(tmp_path / "bram", "join", f"{HERE}:{way.port}", *ways[1]) as bram,
    ):

        def both_show(text: str) -> bool:
            return all(text in pty.text for pty in (ana, bram))

        until_both(ana, bram, partial(both_show, "space: ready"))
        for number in range(1, MANY):
            way.cut()
            until_both(ana, bram, partial(both_show, f"{number} stop"))
            assert "in a minute" not in ana.text + bram.text
        way.cut()
        until_both(ana, bram, partial(both_show, f"{MANY} stops in a minute"))
        until_both(ana, bram, partial(both_show, f"The game stopped {MANY} times in a minute."))
    for name in ("ana", "bram"):
        (record,) = (tmp_path / name / "journals").iterdir()
        stops = [entry for entry in entries_of(record) if entry[0] == STOP]
        assert [whose for _, _, whose, _ in stops] == [None] * MANY
