"""Two peers as real processes, headless, each in a home of its own; their lines and their records."""

import json
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread
from typing import Any

from support.program import PROGRAM, variables

STORY = ("deal", "spit", "play", "refill", "stuck", "game_over")
"""The kinds of line that both peers print alike."""
PATIENCE_S = 90.0

Line = dict[str, Any]


class Peer:
    """A running `spitnet`. A thread reads its stdout, so that one peer never waits for the other's reader."""

    def __init__(
        self,
        home: Path,
        arguments: Sequence[str],
        inside: Sequence[str] = (),
        *,
        plays: bool = True,
    ) -> None:
        """`plays`: it keeps a record, and is told where."""
        home.mkdir(parents=True, exist_ok=True)
        self.home = home
        self.lines: list[Line] = []
        self._next = 0
        self._news = Condition()
        self._at_end = False
        self.process = subprocess.Popen(
            [*inside, *PROGRAM, *arguments, *(("--journal", str(home / "journals")) * plays)],
            cwd=home,
            env=variables(home),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait_for(self, event: str, within_s: float = PATIENCE_S) -> Line:
        """The next line of that kind that wasn't waited for before."""
        with self._news:
            assert self._news.wait_for(lambda: self._has(event) or self._at_end, within_s), event
            assert self._has(event), f"it ended without {event}: {self.lines[-5:]}"
            self._next += 1
            return self.lines[self._next - 1]

    def ends_within(self, seconds: float) -> bool:
        """Waits for the end, but no longer than that; whether it has come."""
        with self._news:
            return self._news.wait_for(lambda: self._at_end, seconds)

    def tells_more(self, lines: int, within_s: float = PATIENCE_S) -> bool:
        """Waits for so many further lines; False if it ends before."""
        with self._news:
            wanted = len(self.lines) + lines
            assert self._news.wait_for(lambda: self._at_end or len(self.lines) >= wanted, within_s)
            return len(self.lines) >= wanted

    def says_nothing(self, for_s: float) -> bool:
        """Whether it prints nothing for so long, nor ends: something that doesn't happen can only be waited for."""
        with self._news:
            told = len(self.lines)
            return not self._news.wait_for(lambda: self._at_end or len(self.lines) > told, for_s)

    def finish(self, within_s: float = PATIENCE_S) -> tuple[int, str]:
        """Waits for the end; the exit code and stderr."""
        self._reader.join(within_s)
        assert not self._reader.is_alive(), f"silent for too long after {self.lines[-5:]}"
        assert self.process.stderr is not None
        error = self.process.stderr.read().decode()
        return self.process.wait(within_s), error

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def story(self) -> list[Line]:
        """The lines that both peers must print alike."""
        return [line for line in self.lines if line["event"] in STORY]

    def of(self, event: str) -> list[Line]:
        return [line for line in self.lines if line["event"] == event]

    def record(self) -> Path:
        """The one journal of this side."""
        (path,) = (self.home / "journals").iterdir()
        return path

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def _has(self, event: str) -> bool:
        """Whether a line of that kind is there; steps over those before it."""
        while self._next < len(self.lines) and self.lines[self._next]["event"] != event:
            self._next += 1
        return self._next < len(self.lines)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self.lines.append(json.loads(line))
                self._news.notify_all()
        with self._news:
            self._at_end = True
            self._news.notify_all()


@contextmanager
def peers(*started: Peer) -> Iterator[tuple[Peer, ...]]:
    """Ends every process of the test's own, however the test went."""
    try:
        yield started
    finally:
        for peer in started:
            peer.end()


def assert_played(host: Peer, joiner: Peer) -> list[Line]:
    """Both played to the end and tell one story, which is returned."""
    ends = [peer.finish() for peer in (host, joiner)]
    assert ends == [(0, ""), (0, "")], ends
    assert host.story() == joiner.story()
    (session,) = {line["session"] for peer in (host, joiner) for line in peer.of("connected")}
    assert len(session) == 64
    (over,), (theirs,) = host.of("match_over"), joiner.of("match_over")
    assert {**over, "journal": ""} == {**theirs, "journal": ""}
    assert Path(over["journal"]) == host.record()
    return host.story()
