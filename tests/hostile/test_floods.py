"""Endless messages: the match ends as `flood`, or goes on unharmed; memory and disk stay bounded meanwhile.

The bounds are on what grows at the honest side, a real process, while the peer sends the most that it may and more: one
frame after the other, each read before the next, and as much as the wire takes.
"""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from support.hostile import DEAL, READY, Hostile, Kind, random
from support.hostile_ends import Context, JoinerEnd, new_keys, packed
from support.hostile_matches import QUIET, Meeting, meeting, table

from spitnet.cli import main

MEMORY_BYTES = 16 * 2**20
"""How much an honest process may grow, at its peak; it holds 35 MiB from the start."""
FAST_MEMORY_BYTES = 96 * 2**20
"""The same where everything comes at once: it is noticed at the next look, a tenth of a second later. Measured on loopback,
with 100 MB a second: 38 MiB.
"""
VOLUME_BYTES = 400 * 2**20
"""More than may be held of it."""
PARTS_MOST = 1_000_000
"""Of one message; libzmq holds 100 bytes at least of each."""
REFUSED_MOST = 100
"""So many in a row, and the connection has ended for good."""
ENTRY_BYTES = 300
"""More than any entry of a record has, but for the first."""
ALLOWED = 2000
"""Frames that complete no beat, beyond 50 a second. Source: WIRE.md, section 13."""
BATCH = 100


class Growth:
    """What the honest side has grown by since this was made."""

    def __init__(self, two: Meeting) -> None:
        self._two = two
        self._process = psutil.Process(two.honest.process.pid)
        self._memory, self._record = self._process.memory_info().rss, self._written()
        forget_peak(self._process.pid)
        self.memory_bytes = self.record_bytes = 0

    def measure(self) -> None:
        """Keeps the highest."""
        self.memory_bytes = max(self.memory_bytes, peak_bytes(self._process) - self._memory)
        self.record_bytes = max(self.record_bytes, self._written() - self._record)

    def _written(self) -> int:
        records = (self._two.honest.home / "journals").glob("*")
        return sum(one.stat().st_size for one in records)


def forget_peak(process_id: int) -> None:
    """From now on the highest that a process held is counted anew, where the system counts it."""
    with suppress(OSError):
        Path(f"/proc/{process_id}/clear_refs").write_text("5")


def peak_bytes(process: psutil.Process) -> int:
    """The most memory that it held, or what it holds now where the system doesn't tell; 0 once it has ended."""
    with suppress(OSError):
        lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
        return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    with suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


def of_the_beat_before(hostile: Hostile) -> bytes:
    """A RESUME as it was true before the last beat, asking."""
    past = hostile.past
    if past is None:
        return hostile.frame(Kind.RESUME, resume_id=random(16))
    lies = {"chain": past.chain, "digest": past.digest, "last": None}
    return hostile.frame(Kind.RESUME, beat=hostile.beat - 1, resume_id=random(16), **lies)


Flood = Callable[[Hostile], bytes]
FLOODS: dict[str, Flood] = {
    "questions": lambda hostile: hostile.frame(Kind.PING),
    "answers": lambda hostile: hostile.frame(Kind.PONG),
    "resumes": lambda hostile: hostile.frame(Kind.RESUME, resume_id=random(16)),
    "old resumes": of_the_beat_before,
    "repeats": lambda hostile: hostile.sent[2],
    "another session's": lambda hostile: hostile.frame(Kind.BYE, session=random()),
    "greetings": lambda hostile: packed(Kind.HELLO, 7, random(3000)),
}


def sends(hostile: Hostile, make: Flood, number: int) -> None:
    """That many, unless it is stopped before; all of them have been read."""
    for first in range(0, number, BATCH):
        for _ in range(BATCH):
            hostile.raw(make(hostile))
        hostile.catch_up(token=hostile.beat * number + first)
        if hostile.said:
            return


QUICK = {("resumes", 0), ("another session's", 1)}


@pytest.mark.parametrize(
    ("what", "seat"),
    [
        pytest.param(what, seat, marks=[] if (what, seat) in QUICK else pytest.mark.full)
        for what in FLOODS
        for seat in (0, 1)
    ],
)
def test_endless_valid_frames(
    context: Context, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str, seat: int
) -> None:
    """Frames of every sort, answered or ignored, more than an honest peer ever sends: exit 6, and nothing has grown."""
    with meeting(context, tmp_path, seat, QUIET) as two:
        two.hostile.play(DEAL)
        two.hostile.catch_up(token=1)
        growth = Growth(two)
        batches = 0
        while not two.hostile.said and batches < 2 * ALLOWED // BATCH:
            growth.measure()
            sends(two.hostile, FLOODS[what], BATCH)
            batches += 1
        assert batches > ALLOWED // BATCH - 4
        assert growth.memory_bytes < MEMORY_BYTES
        assert growth.record_bytes == 0
        assert two.hostile.said[3:] == ["violation", "flood"]
        code, word, _ = two.stopped("violation", "flood")
        assert (code, word) == (6, "flood")
        assert main(["verify", str(two.honest.record())]) == 6
        assert "far too much was sent; the match goes to " in capsys.readouterr().out


@pytest.mark.parametrize("what", ["greetings", "questions"])
def test_a_flood_at_full_speed(context: Context, tmp_path: Path, what: str) -> None:
    """Nothing waits for an answer: exit 6, before all of it has come."""
    with meeting(context, tmp_path, 1, QUIET) as two:
        two.hostile.play(DEAL)
        growth = Growth(two)
        end = two.hostile.end
        assert isinstance(end, JoinerEnd)
        pour(end, FLOODS[what](two.hostile), growth)
        assert growth.memory_bytes < FAST_MEMORY_BYTES
        assert growth.record_bytes < ENTRY_BYTES
        assert two.honest.finish()[0] == 6


def pour(end: JoinerEnd, frame: bytes, growth: Growth) -> None:
    """As much as is taken, until nothing is taken any more."""
    refused = 0
    for number in range(VOLUME_BYTES // len(frame)):
        refused = 0 if end.offer(frame) else refused + 1
        if refused == REFUSED_MOST:
            return
        if number % BATCH == 0:
            growth.measure()


@pytest.mark.skipif(sys.platform != "linux", reason="what comes by a connection is counted there")
@pytest.mark.parametrize("size", [1, 4000])
@pytest.mark.parametrize("seat", [0, 1])
def test_one_message_without_end(context: Context, tmp_path: Path, size: int, seat: int) -> None:
    """Of parts as small or as large as there are: it ends the match before it ends."""
    with meeting(context, tmp_path, seat, QUIET) as two:
        two.hostile.play(DEAL)
        growth = Growth(two)
        two.hostile.raw(*[bytes(size)] * min(VOLUME_BYTES // size, PARTS_MOST))
        while two.honest.process.poll() is None:
            growth.measure()
            two.hostile.end.receive(0.01)
        assert growth.memory_bytes < FAST_MEMORY_BYTES
        assert two.stopped("violation", "malformed")[:2] == (6, "malformed")


@pytest.mark.parametrize("beats", [2, pytest.param(200, marks=pytest.mark.full)])
def test_as_much_as_is_allowed(context: Context, tmp_path: Path, beats: int) -> None:
    """Just below the bound in every beat, each of which empties the bucket: slow, but it costs neither memory nor disk."""
    with meeting(context, tmp_path, 1, QUIET, "--games", "1000") as two:
        hostile = two.hostile
        growth = Growth(two)
        for beat in range(1, beats + 1):
            kinds = list(FLOODS.values())
            sends(hostile, kinds[beat % len(kinds)], ALLOWED - 2 * BATCH)
            assert not hostile.said
            hostile.play(hostile.any_move())
            growth.measure()
        assert hostile.beat == beats
        assert growth.memory_bytes < MEMORY_BYTES
        assert growth.record_bytes < beats * 2 * ENTRY_BYTES


def test_a_peer_that_never_reads(context: Context, tmp_path: Path) -> None:
    """Questions whose answers nobody takes are dropped, not kept."""
    with meeting(context, tmp_path, 1, QUIET) as two:
        growth = Growth(two)
        ask = two.hostile.frame(Kind.RESUME, resume_id=random(16))
        for _ in range(ALLOWED - BATCH):
            two.hostile.raw(ask)
        two.hostile.catch_up(token=9)
        growth.measure()
        assert growth.memory_bytes < MEMORY_BYTES
        two.hostile.play(DEAL)


@pytest.mark.parametrize("number", [2000, pytest.param(5000, marks=pytest.mark.full)])
def test_rubbish_at_an_open_table(context: Context, tmp_path: Path, number: int) -> None:
    """Before the match nothing is a violation: it is ignored or refused, kept nowhere, and the seat is still free, though
    not by a connection that brought more than is read.
    """
    with table(context, tmp_path, 1, QUIET) as two:
        growth = Growth(two)
        assert isinstance(two.hostile.end, JoinerEnd)
        for place in range(number):
            two.hostile.end.offer(random(1 + place % 4000))
            if place % BATCH == 0:
                growth.measure()
        two.hostile.end.keys = new_keys()
        two.hostile.end.reconnect()
        two.hostile.sit_down()
        two.hostile.play(READY if two.hostile.game.playing else DEAL)
        growth.measure()
        assert growth.memory_bytes < MEMORY_BYTES
