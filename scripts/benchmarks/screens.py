"""From a key to the screen, what a frame costs in bytes, and how soon there is a table: the real program on a terminal.

A person who presses every play key in turn sits at a table against a headless host, 80×24 and all colours. Before each
key the screen has been still for a moment; the same keys go to a bare prompt_toolkit program in turn. The time runs from
the key's write to the first byte of a frame that changes something; keys that change nothing are not counted.
"""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.children import LOOPBACK, Run, Trouble, child, free_port, module, program
from benchmarks.figures import Samples, percentile
from benchmarks.terminals import Terminal, terminal

HAND = b"asdfjkl; "
"""Every key that plays, and space for whatever is due."""
RIVAL_S = "0.3"
"""The host's reaction: slow enough that most frames stand alone."""
QUIET_S = 0.02
"""Two frames that belong together come closer than this."""
ANSWER_S = 0.1
"""A key that has changed nothing by then changes nothing."""
UNCHANGED = b"\x1b[0m"
"""All that prompt_toolkit writes for a frame that is like the last."""
FULL_SCREEN = "\x1b[?1049h"
SHOWN_S = 20.0
MATCH_S = 12.0
READY = "space: ready"
"""Stands under the first cards of a game, in the last row of the table that changes."""


class _Answer(NamedTuple):
    """`took_s` is None where nothing changed; `written` is all that came until the screen stood still."""

    took_s: float | None
    written: int


class _Story:
    """What a headless peer has printed into a file."""

    def __init__(self, file: Path) -> None:
        self._file = file.open(encoding="utf-8")
        self._rest = ""

    def news(self) -> list[dict[str, Any]]:
        """Its lines since the last time."""
        *whole, self._rest = (self._rest + self._file.read()).split("\n")
        return [json.loads(line) for line in whole]

    def close(self) -> None:
        self._file.close()


def keys(run: Run) -> Samples:
    """A match in each repetition; the ratio is of its two medians."""
    found: Samples = {}
    for _ in range(run.times(2, 1)):
        with _match(run) as (table, story), terminal(module("bare"), run.home("bare")) as bare:
            ours, bares, landings = _pressed(table, story, bare, run.times(140, 40))
        ours_ms, bare_ms = percentile(ours, 0.5) * 1e3, percentile(bares, 0.5) * 1e3
        for name, value in (
            ("bare_key_to_frame_p50_ms", bare_ms),
            ("key_to_frame_p50_ms", ours_ms),
            ("key_to_frame_over_bare_p50", ours_ms / bare_ms),
            ("bare_key_to_frame_p99_ms", percentile(bares, 0.99) * 1e3),
            ("key_to_frame_p99_ms", percentile(ours, 0.99) * 1e3),
        ):
            found.setdefault(name, []).append(value)
        # In a short match it may be that no card of somebody's landed while nothing else happened.
        for name, sizes in (
            ("frame_bytes_p50", landings.theirs),
            ("own_card_bytes_p50", landings.own),
        ):
            if sizes:
                found.setdefault(name, []).append(percentile(sizes, 0.5))
    return found


def solo(run: Run) -> Samples:
    """From the start of the process to a table with cards on it, by the frame's last row."""
    found = []
    for _ in range(run.times(7, 2)):
        home = run.home("solo")
        own = ("--name", "bench", "--no-hints", "--journal", str(home / "journal"))
        command = (program(), "solo", *own)
        began_s = time.perf_counter()
        with terminal(command, home) as shown:
            shown.until_shows(("Spitbot", READY), SHOWN_S)
            found.append(1e3 * (time.perf_counter() - began_s))
    return {"solo_first_frame_ms": found}


class _Landings(NamedTuple):
    """Bytes written for a card that landed while nothing else did: the rival's, and one's own, lifted before."""

    theirs: list[float]
    own: list[float]


@contextmanager
def _match(run: Run) -> Iterator[tuple[Terminal, _Story]]:
    """A person's table in a match that doesn't end, and what its rival prints."""
    home, port = run.home("keys"), free_port()
    common = ("--interface", LOOPBACK, "--discovery-port", str(port), "--sync", "process")
    rival = (program(), "host", *common, "--headless", "--delay", RIVAL_S, "--games", "999")
    person = (program(), "join", *common, "--name", "bench", "--no-hints")
    lines = home / "lines"
    with ExitStack() as ending:
        file = ending.enter_context(lines.open("w", encoding="utf-8"))
        journals = ("--journal", str(home / "journal"))
        ending.enter_context(child((*rival, *journals), home, file))
        story = _Story(lines)
        ending.callback(story.close)
        table = ending.enter_context(terminal((*person, *journals), home))
        table.until_shows((READY,), SHOWN_S)
        yield table, story


def _pressed(
    table: Terminal, story: _Story, bare: Terminal, count: int
) -> tuple[list[float], list[float], _Landings]:
    """Times of so many keys that changed something, here and there."""
    ours: list[float] = []
    bares: list[float] = []
    landings = _Landings([], [])
    until_s = time.monotonic() + MATCH_S * count / 100
    bare.until_shows((FULL_SCREEN,), SHOWN_S)
    bare.until_quiet(QUIET_S)
    for key in cycle(HAND):
        if len(ours) >= count:
            break
        if time.monotonic() > until_s:
            raise Trouble("too few keys changed anything")
        _note_landing(landings.theirs, 0, len(table.until_quiet(QUIET_S)), story)
        answer = _answer(table, key)
        if answer.took_s is not None:
            ours.append(answer.took_s)
        _note_landing(landings.own, 1, answer.written, story)
        floor = _answer(bare, key)
        if floor.took_s is not None:
            bares.append(floor.took_s)
    if bare.process.poll() is not None:
        raise Trouble("the bare program ended too early")
    return ours, bares, landings


def _answer(shown: Terminal, key: int) -> _Answer:
    """Presses a key, and reads until the screen stands still."""
    before_s = time.perf_counter()
    shown.send(bytes((key,)))
    first = shown.read(ANSWER_S)
    took_s = time.perf_counter() - before_s
    written = first + shown.until_quiet(QUIET_S)
    return _Answer(took_s if first not in (b"", UNCHANGED) else None, len(written))


def _note_landing(sizes: list[float], seat: int, written: int, story: _Story) -> None:
    """If one card of that seat's is all that has changed the table."""
    news = [line for line in story.news() if line["event"] != "refill"]
    told = [(line["event"], line.get("seat"), line.get("result")) for line in news]
    if written and told == [("play", seat, "landed")]:
        sizes.append(written)
