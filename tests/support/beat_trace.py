"""The calls of one beat: two match loops in one process, joined by a link in memory, and what each side calls on the way.

Each loop has a thread, and only one of them runs at a time: a side that would wait hands over to the other. Drawing isn't
there, nor are sockets; the records are files.

As a program it writes anew what `tests/app/match/test_beat_trace.py` compares with.
"""

import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from unittest import mock

from support.matches import recorded

from spitnet.app import loop
from spitnet.app.match import match_loop
from spitnet.app.match.match_loop import MatchLoop
from spitnet.core.moves import Deal, Move, Ready
from spitnet.core.state import Match, Settings
from spitnet.journal.file_format import Opened
from spitnet.journal.store import Journal, Read
from spitnet.net.link import LinkEvent, Received, Up
from spitnet.protocol.session import Session

GOLDEN = Path(__file__).parents[1] / "app" / "match" / "beat.trace"
BEGUN_S = 1.0
STEP_S = 0.01
"""The clock stands still but for so much, after which nobody stays awake for an answer, each time that both had nothing to do."""
PATIENCE_S = 20.0
"""A side that doesn't get its turn for so long never will."""


class Turns:
    """Whose turn it is to run."""

    def __init__(self) -> None:
        self._may_run = (threading.Semaphore(0), threading.Semaphore(0))
        self.parked = threading.Semaphore(0)
        """Released each time that neither side has anything to do."""
        self._idle = 0
        self.now_s = BEGUN_S

    def start(self, seat: int) -> None:
        self._idle = 0
        self.now_s += STEP_S
        self._may_run[seat].release()

    def wait_for(self, seat: int) -> None:
        assert self._may_run[seat].acquire(timeout=PATIENCE_S)

    def hand_over(self, seat: int, is_idle: bool) -> None:
        """The other side's turn; nobody's, once both in turn had nothing to do."""
        self._idle = self._idle + 1 if is_idle else 0
        if self._idle > 1:
            self.parked.release()
        else:
            self._may_run[1 - seat].release()
        self.wait_for(seat)


class Nothing:
    """A part of a match that has no deadline, and nothing to say."""

    sockets: tuple[object, ...] = ()
    round_trip_s: float | None = None
    due_s: float | None = None

    def next_deadline_s(self) -> float | None:
        return None

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        pass

    def act(self, match: Match, now_s: float) -> Move | None:
        return None

    def step(self, now_s: float) -> None:
        pass

    def tell(self, *told: object) -> None:
        pass

    def close(self, linger_ms: int = 0) -> None:
        pass


class Keys(Nothing):
    """Whoever sits there."""

    def __init__(self) -> None:
        self.pressed: deque[Move] = deque()
        self.wants_out = False

    def carry_out(self, session: Session, now_s: float) -> None:
        while self.pressed:
            session.propose(self.pressed.popleft(), now_s)


class JoinedLink(Nothing):
    """One end of a link; who looks for a frame where there is none hands over to the other side."""

    def __init__(self, seat: int, turns: Turns, keys: Keys) -> None:
        self.coming: deque[LinkEvent] = deque([Up(b"")])
        self.other: JoinedLink = self
        self._seat, self._turns, self._keys = seat, turns, keys

    def has_frame(self) -> bool:
        if not (self.coming or self._keys.pressed or self._keys.wants_out):
            self._turns.hand_over(self._seat, is_idle=not self.other.coming)
        return bool(self.coming)

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        return [self.coming.popleft()] if self.coming else []

    def send(self, frame: bytes, wait_ms: int = 0) -> bool:
        self.other.coming.append(Received(b"", frame))
        return True


class Recorder:
    """Each call of a function of spitnet's, indented by how deep it lies; comprehensions are left out."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.on = False
        self._depth = 0

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        code = frame.f_code
        if not name.startswith("spitnet.") or code.co_filename.startswith("<"):
            return  # a class that was made, of which a frame out of the link is one
        if code.co_name.startswith("<"):
            return
        if event == "call":
            if self.on:
                self.lines.append(f"{'  ' * self._depth}{name[8:]}.{code.co_qualname}")
            self._depth += 1
        elif event == "return":
            self._depth -= 1


class Joined:
    """Two match loops, each in its thread, until the match is left."""

    def __init__(self, directory: Path) -> None:
        self.turns = Turns()
        self.keys = (Keys(), Keys())
        self.recorders = (Recorder(), Recorder())
        self._links = tuple(JoinedLink(seat, self.turns, self.keys[seat]) for seat in (0, 1))
        self._links[0].other, self._links[1].other = self._links[1], self._links[0]
        self.loops = tuple(self._loop(seat, directory) for seat in (0, 1))
        self._threads = tuple(threading.Thread(target=self._run, args=(seat,)) for seat in (0, 1))

    def _loop(self, seat: int, directory: Path) -> MatchLoop:
        opened = Read(recorded()[seat]).entries[0]
        assert isinstance(opened, Opened)
        session = Session(seat, opened.session, Settings(), _entropy(seat), BEGUN_S)
        return MatchLoop(
            session=session,
            link=self._links[seat],
            journal=Journal.create(directory, opened, sync=False),
            player=Nothing(),
            watcher=Nothing(),
            companion=Nothing(),
            orders=self.keys[seat],
            claims=False,
        )

    def _run(self, seat: int) -> None:
        self.turns.wait_for(seat)
        sys.setprofile(self.recorders[seat])
        with self.loops[seat].journal:
            self.loops[seat].run()
        sys.setprofile(None)
        self.turns.start(1 - seat)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self.until_parked(0)

    def until_parked(self, seat: int) -> None:
        """This side goes on, until neither has anything more to do."""
        self.turns.start(seat)
        assert self.turns.parked.acquire(timeout=PATIENCE_S)

    def press(self, seat: int, move: Move) -> None:
        self.keys[seat].pressed.append(move)
        self.until_parked(seat)

    def leave(self) -> None:
        for keys in self.keys:
            keys.wants_out = True
        self.turns.start(0)
        for thread in self._threads:
            thread.join(PATIENCE_S)


def _entropy(seat: int) -> Any:
    """Bytes that nobody drew."""
    numbers = iter(range(10**6))
    return lambda size: bytes([seat, *next(numbers).to_bytes(4, "big")]).ljust(size, b"\0")


@contextmanager
def standing_still(joined: Joined) -> Iterator[None]:
    """The clock is that of the turns, and who would wait at a socket looks at its link, which hands over."""
    by_thread = dict(zip((thread.name for thread in joined._threads), joined._links, strict=True))

    def poll(_poller: object, _timeout: object = None) -> list[object]:
        by_thread[threading.current_thread().name].has_frame()
        return [(0, 1)]

    def clock() -> float:
        return joined.turns.now_s

    with (
        mock.patch.object(loop, "monotonic", clock),
        mock.patch.object(match_loop, "monotonic", clock),
        mock.patch("zmq.Poller.poll", poll),
    ):
        yield


def traced(directory: Path) -> tuple[str, str]:
    """What each side calls in a beat in which the host gets ready, and the joiner passes."""
    joined = Joined(directory)
    with standing_still(joined):
        joined.start()
        joined.press(0, Deal())
        for recorder in joined.recorders:
            recorder.on = True
        joined.press(0, Ready())
        for recorder in joined.recorders:
            recorder.on = False
        beats = [each.session.beat for each in joined.loops]
        joined.leave()
    assert beats == [2, 2]
    host, joiner = ("\n".join(recorder.lines) for recorder in joined.recorders)
    return host, joiner


def whole(host: str, joiner: str) -> str:
    """Both, as they are kept."""
    return "".join(
        f"# {side}: {len(calls.splitlines())} calls\n{calls}\n"
        for side, calls in (("the host, who gets ready", host), ("the joiner, who passes", joiner))
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        GOLDEN.write_text(whole(*traced(Path(place))), encoding="utf-8")
