"""Whole headless matches by the real command line: beats per second, and how long `join` takes to sit down.

Two processes that find each other on loopback. Not in the rate: start, meeting and farewell; it runs from the first
record of the host's journal to its last.
"""

import os
import select
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from benchmarks import crossing
from benchmarks.children import (
    LOOPBACK,
    Run,
    Trouble,
    child,
    eavesdropper,
    finish,
    free_port,
    line_of,
    program,
)
from benchmarks.echo import echo
from benchmarks.figures import Samples, note
from spitnet.app.seat.search import LOOK_S
from spitnet.journal.store import read
from spitnet.net.beacon import Probe, decode
from spitnet.protocol.entries import Done, Ended

MATCH_S = 90.0
LOOK_AGAIN_S = 0.0005
IN_PLAY_S, IN_PLAY_QUICK_S = 5, 2


def rate(run: Run) -> Samples:
    """A match as fast as it goes, with the echo before and after it, and what its frames alone would take."""
    found: Samples = {}
    count, games = run.times(2000, 800), run.times(41, 9)
    with echo(run) as floor:
        for _ in range(run.times(5, 2)):
            echoes = floor.round_trips_s(count)
            beats_per_s = _beats_per_s(run, games)
            echoes += floor.round_trips_s(count)
            echo_per_s = len(echoes) / sum(echoes)
            note(found, "echo_per_s", echo_per_s)
            note(found, "crossing_over_echo_rate", crossing.per_s(run, 2 * count) / echo_per_s)
            note(found, "headless_beats_per_s", beats_per_s)
            note(found, "headless_beats_over_echo_rate", beats_per_s / echo_per_s)
    return found


def joining(run: Run) -> Samples:
    """From the start of `join`, and from its first probe, to `connected`; LOOK_S of it is spent gathering tables."""
    found: Samples = {"join_to_connected_ms": [], "probe_to_connected_ms": []}
    for _ in range(run.times(9, 2)):
        started_s, probed_s, connected_s = _joined_once(run)
        found["join_to_connected_ms"].append(1e3 * (connected_s - started_s))
        found["probe_to_connected_ms"].append(1e3 * (connected_s - probed_s))
    return found


def in_play(run: Run) -> Samples:
    """What is broadcast while a match is played at a human pace; a listener counts."""
    home, port = run.home("play"), free_port()
    play = (*_common(port, home), "--delay", "0.2")
    with ExitStack() as ending:
        ending.enter_context(child((program(), "host", *play, "--games", "999"), home))
        command = (program(), "join", *play, "--name", "joiner")
        joiner = ending.enter_context(child(command, home, PIPE))
        line_of(joiner, "connected", home)
        line_of(joiner, "play", home)
        watched_s = run.times(IN_PLAY_S, IN_PLAY_QUICK_S)
        with eavesdropper(port) as listener:
            time.sleep(watched_s)
            heard = received_bytes(listener)
        if joiner.poll() is not None:
            raise Trouble("the match ended too early")
    return {"beacon_in_play_bytes_per_s": [heard / watched_s]}


def received_bytes(listener: socket.socket) -> int:
    """How many bytes wait at a socket that doesn't block."""
    total = 0
    while True:
        try:
            total += len(listener.recv(4096))
        except BlockingIOError:
            return total


def _beats_per_s(run: Run, games: int) -> float:
    home, port = run.home("match"), free_port()
    play = (*_common(port, home), "--delay", "0")
    with ExitStack() as ending:
        command = (program(), "host", *play, "--games", str(games))
        host = ending.enter_context(child(command, home, core=0))
        joiner = ending.enter_context(child((program(), "join", *play), home, core=1))
        record = _appears(home / "journal", host)
        began_s = time.time()
        finish((host, joiner), home, MATCH_S)
    entries = read(record).entries
    if not isinstance(entries[-1], Ended) or entries[-1].how != "over":
        raise Trouble("the match did not come to its end")
    beats = sum(isinstance(entry, Done) for entry in entries)
    return beats / (record.stat().st_mtime - began_s)


def _appears(directory: Path, host: "Popen[str]") -> Path:
    """The host's record, as soon as it is there."""
    until_s = time.monotonic() + MATCH_S
    while time.monotonic() < until_s and host.poll() is None:
        for record in directory.glob("*-0.spit"):
            return record
        time.sleep(LOOK_AGAIN_S)
    raise Trouble("no match began")


def _joined_once(run: Run) -> tuple[float, float, float]:
    """When `join` was started, when its first probe came by, and when it said that it was connected."""
    home, port = run.home("join"), free_port()
    common = _common(port, home)
    with ExitStack() as ending:
        command = (program(), "host", *common, "--delay", "0")
        host = ending.enter_context(child(command, home, PIPE))
        line_of(host, "hosting", home)
        listener = ending.enter_context(eavesdropper(port))
        started_s = time.monotonic()
        command = (program(), "join", *common, "--delay", "0")
        joiner = ending.enter_context(child(command, home, PIPE))
        probed_s, connected_s = _first_signs(listener, joiner)
    if connected_s - probed_s < LOOK_S:
        raise Trouble("what was taken for the first probe was none")
    return started_s, probed_s, connected_s


def _first_signs(listener: socket.socket, joiner: "Popen[str]") -> tuple[float, float]:
    """When the first probe and the first line of the joiner's came."""
    assert joiner.stdout is not None
    probed_s, until_s = None, time.monotonic() + MATCH_S
    sources: list[Any] = [listener, joiner.stdout]
    while (left_s := until_s - time.monotonic()) > 0:
        ready, _, _ = select.select(sources, [], [], left_s)
        if probed_s is None and listener in ready:
            # The host's announcements come by too.
            probed_s = time.monotonic() if _has_probe(listener) else None
        if joiner.stdout in ready:
            now_s = time.monotonic()
            if '"connected"' in joiner.stdout.readline() and probed_s is not None:
                return probed_s, now_s
            break
    raise Trouble("the joiner did not connect")


def _has_probe(listener: socket.socket) -> bool:
    return isinstance(decode(listener.recv(4096)), Probe)


def _common(port: int, home: Path) -> tuple[str, ...]:
    return (
        *("--headless", "--interface", LOOPBACK, "--discovery-port", str(port)),
        *("--sync", "process", "--timeout", "20", "--journal", os.fspath(home / "journal")),
    )
