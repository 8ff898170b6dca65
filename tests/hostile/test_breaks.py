"""Bursts that break off in the middle, again and again: whoever sends them, this side's process lives.

Real sockets only can show this: what breaks is inside the transport's library.
"""

from pathlib import Path

import pytest
from support.hostile import DEAL, Hostile, Kind, random
from support.hostile_ends import Context, JoinerEnd, new_keys, packed
from support.hostile_matches import QUIET, meeting, table

BURST = 300
"""Frames; more than the other side's queue holds."""
ROUNDS = 50
TRIES = 5
"""How often one key may knock within a moment."""


def breaks_off(hostile: Hostile, frame: bytes) -> None:
    """Sends more than is read at once, hangs up and is back at once."""
    for _ in range(BURST):
        hostile.raw(frame)
    hostile.end.close()
    hostile.end.reconnect()


@pytest.mark.full
@pytest.mark.parametrize("size", [50, 3900])
def test_a_stranger_at_an_open_table(context: Context, tmp_path: Path, size: int) -> None:
    """The table stays open, and whoever comes next sits down."""
    with table(context, tmp_path, 1, QUIET, "--timeout", "60") as two:
        hostile = two.hostile
        for number in range(ROUNDS):
            if number % TRIES == 0:
                hostile.end.keys = new_keys()
                hostile.end.reconnect()
            hostile.raw(packed(Kind.HELLO, 7))
            hostile.end.receive(within_s=0.3)
            breaks_off(hostile, random(size))
            assert two.honest.process.poll() is None
        hostile.end.close()
        hostile.end = JoinerEnd(context, new_keys(), hostile.end.port)
        hostile.sit_down()
        hostile.play(DEAL)


@pytest.mark.full
def test_whoever_is_seated(context: Context, tmp_path: Path) -> None:
    """It may be stopped for what it sends; it may not stop this side."""
    with meeting(context, tmp_path, 1, QUIET) as two:
        hostile = two.hostile
        hostile.play(DEAL)
        for _ in range(ROUNDS):
            breaks_off(hostile, hostile.frame(Kind.PING))
            hostile.tell(Kind.PING)
            hostile.end.receive(within_s=0.1)
        hostile.end.close()
        code, error = two.honest.finish()
        assert code == 6
        assert "broke the protocol" in error
