"""A person at the program under a pseudo-terminal: starts it, plays, gives up, leaves, by what is on the screen."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

from support.pairs import PATIENCE_S
from support.program import PROGRAM, variables
from support.terminals import Pty

HAND = "asdfjkl; "
"""Every key that plays, one after the other: whatever fits lands, the rest is refused."""


@contextmanager
def terminal(
    home: Path, *arguments: str, columns: int = 80, rows: int = 24, inside: Sequence[str] = ()
) -> Iterator[Pty]:
    """The program on a terminal of its own, in a home of its own, as for somebody who is no newcomer.

    `inside` are the words of a command that runs what follows them.
    """
    home.mkdir(parents=True, exist_ok=True)
    known = {"SPITNET_NAME": "Zoe", "SPITNET_NO_HINTS": "1"}
    env = {**variables(home), **known, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    words = [*inside, *PROGRAM, *arguments, "--journal", str(home / "journals")]
    with Pty(words, columns=columns, rows=rows, env=env, cwd=home) as pty:
        yield pty


def over(pty: Pty) -> bool:
    """Whether the page after the match is up: the last game's, with nothing to deal any more."""
    told = ("rematch", "has left")
    return "longest run" in pty.text and any(text in pty.text for text in told)


def play(pty: Pty) -> None:
    """Presses every key in turn until the match is over."""
    end_s = time.monotonic() + PATIENCE_S
    for key in cycle(HAND):
        if over(pty):
            return
        assert time.monotonic() < end_s, f"no end in sight\n{pty.text}"
        pty.send(key)
        pty.read(0.01)


def leave(pty: Pty) -> int:
    """Presses q until the program ends, since a page that has just come up is deaf for a moment; the exit code."""
    end_s = time.monotonic() + PATIENCE_S
    press_s = time.monotonic()
    while pty.process.poll() is None:
        assert time.monotonic() < end_s, f"it stays\n{pty.text}"
        if time.monotonic() >= press_s:
            pty.send("q")
            press_s += 0.5
        pty.read(0.1)
    return pty.wait()


def until_both(
    one: Pty, two: Pty, reached: Callable[[], bool], press: tuple[Pty, str] | None = None
) -> None:
    """Reads both terminals until something is so, pressing a key meanwhile where a page may be deaf at first."""
    end_s = time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < end_s, f"{one.text}\n{two.text}"
        if press is not None:
            press[0].send(press[1])
        one.read(0.05)
        two.read(0.05)


def concede(loser: Pty, winner: Pty) -> None:
    """One gives the game up, which ends the match on both screens; then a moment for both farewells."""
    until_both(loser, winner, lambda: "ready" in loser.text)
    until_both(loser, winner, lambda: "Concede this game?" in loser.text, press=(loser, "c"))
    loser.send("y")
    until_both(loser, winner, lambda: over(loser) and over(winner))
