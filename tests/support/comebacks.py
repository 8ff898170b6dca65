"""A match that is interrupted and taken up again: the processes that sat at each seat, one after the other.

`check_one_story` judges the whole: what each of them printed, and both records. What must not be here: when a process is
killed, and how it comes back.
"""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from support.pairs import Line, Peer
from support.program import run

from spitnet.journal.store import read
from spitnet.protocol.entries import Done, Ended


class Seat:
    """One side of a match over all its processes, which share a home."""

    def __init__(self, home: Path, start: Sequence[str], inside: Sequence[str] = ()) -> None:
        self.home = home
        self._inside = inside
        self.processes = [Peer(home, start, inside)]
        self.killed = 0

    @property
    def now(self) -> Peer:
        """The process that sits there now, or sat there last."""
        return self.processes[-1]

    @property
    def has_ended(self) -> bool:
        """Whether its record has an end: then there is nothing to take up."""
        return isinstance(read(self.now.record()).entries[-1], Ended)

    def kill(self) -> None:
        """SIGKILL; what was printed until then is read to its end."""
        self.now.end()
        self.killed += 1

    def resume(self, *arguments: str) -> Peer:
        """Another process takes the match up."""
        self.processes.append(Peer(self.home, ("resume", *arguments), self._inside))
        return self.now

    def end(self) -> None:
        for peer in self.processes:
            peer.end()


def free_tcp_port() -> int:
    """A port that nobody listens at."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


@contextmanager
def seats(*taken: Seat) -> Iterator[tuple[Seat, ...]]:
    """Ends every process of the test's own, however the test went."""
    try:
        yield taken
    finally:
        for seat in taken:
            seat.end()


def check_to_the_end(host: Seat, joiner: Seat) -> list[Line]:
    """Both go on to the end of the match, without a fault; then as `check_one_story`."""
    ends = [seat.now.finish() for seat in (host, joiner) if not _was_killed(seat)]
    assert set(ends) <= {(0, "")}, ends
    return check_one_story(host, joiner)


def check_one_story(host: Seat, joiner: Seat) -> list[Line]:
    """Nothing lost, nothing told twice or in two ways, and both records hold; the story, from the records."""
    stories = [_replayed(seat.now.record()) for seat in (host, joiner)]
    assert stories[0] == stories[1]
    assert _beats(host) == _beats(joiner)
    for seat in (host, joiner):
        _check_told(seat, stories[0])
    return stories[0]


def _was_killed(seat: Seat) -> bool:
    return seat.killed == len(seat.processes)


def _replayed(record: Path) -> list[Line]:
    """A sound record's story; its `match_over` names the record, and is checked and left out."""
    verified = run(record.parent, "verify", str(record))
    assert (verified.code, verified.err) == (0, ""), verified
    told = run(record.parent, "replay", "--json", str(record))
    assert (told.code, told.err) == (0, "")
    *story, over = [json.loads(line) for line in told.out.splitlines()]
    assert over["event"] == "match_over"
    return story


def _beats(seat: Seat) -> list[Done]:
    """Every opened beat, to the byte."""
    return [entry for entry in read(seat.now.record()).entries if isinstance(entry, Done)]


def _check_told(seat: Seat, story: list[Line]) -> None:
    """Each process told an unbroken part of the story, and none began before the end of what was told before it.

    The beat during which a process was killed may be in its record and told by nobody; so may no other.
    """
    told = untold_beats = 0
    for number, peer in enumerate(seat.processes):
        lines = peer.story()
        if number > 0:
            _check_comes_back(peer)
            untold_beats += 1
        if lines:
            first = story.index(lines[0])
            assert story[first : first + len(lines)] == lines
            assert first >= told, f"told again: {lines[0]}"
            assert len({line["beat"] for line in story[told:first]}) <= untold_beats
            told, untold_beats = first + len(lines), 0
    if seat.now.of("match_over"):
        assert told == len(story), "it went on to the end, and said so"


def _check_comes_back(peer: Peer) -> None:
    """The first words of a process that takes a match up, and that it goes on right behind them."""
    if not peer.lines:
        return  # killed before its opponent was back
    connected, *rest = peer.lines
    assert connected["event"] == "connected"
    if rest:
        resumed, *beats = rest
        assert resumed["event"] == "resumed"
        assert all(line["beat"] >= resumed["beat"] for line in beats if "beat" in line)
