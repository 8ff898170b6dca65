"""Two match loops in one process, joined by a link in memory that may lose frames, be late with them, or break.

Each loop has a thread, and only one of them runs at a time: a side that would wait hands over to the other. The clock goes on
where a test says so, and by a step each time that both rest. There are no sockets; the records are files.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path
from typing import Any
from unittest import mock

from support.games import naive
from support.matches import recorded

from spitnet.app import loop
from spitnet.app.match import match_loop
from spitnet.app.match.match_loop import MatchLoop
from spitnet.core.cards import Seat
from spitnet.core.moves import Move
from spitnet.core.state import Match, Settings
from spitnet.journal.file_format import Opened
from spitnet.journal.store import Journal, Read
from spitnet.net.link import Down, LinkEvent, Received, Up
from spitnet.protocol.session import Session

BEGUN_S = 1.0
STEP_S = 0.01
"""After so much nobody stays awake for an answer."""
PATIENCE_S = 20.0
"""A side that doesn't get its turn for so long, in real seconds, never will."""


class Turns:
    """Whose turn it is to run, and what time it is."""

    def __init__(self) -> None:
        self.now_s = BEGUN_S
        self._may_run = (threading.Semaphore(0), threading.Semaphore(0))
        self._rest = threading.Semaphore(0)
        self._idle = 0
        self._gone: set[int] = set()

    def go_on(self, seat: int, step_s: float = STEP_S) -> None:
        """Lets the sides run, this one first, until neither has anything to do."""
        self._idle = 0
        self.now_s += step_s
        if len(self._gone) == 2:
            return
        self._may_run[1 - seat if seat in self._gone else seat].release()
        assert self._rest.acquire(timeout=PATIENCE_S)

    def wait_for(self, seat: int) -> None:
        assert self._may_run[seat].acquire(timeout=PATIENCE_S)

    def hand_over(self, seat: int, is_idle: bool) -> None:
        """The other side's turn; nobody's, once both in turn had nothing to do."""
        self._idle = self._idle + 1 if is_idle else 0
        if self._idle > 1 or 1 - seat in self._gone:
            self._rest.release()
        else:
            self._may_run[1 - seat].release()
        self.wait_for(seat)

    def leave(self, seat: int) -> None:
        """This side runs no more."""
        self._gone.add(seat)
        (self._rest if len(self._gone) == 2 else self._may_run[1 - seat]).release()


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


class Naive(Nothing):
    """A player who does at once whatever can be done first."""

    due_s = 0.0

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def act(self, match: Match, now_s: float) -> Move | None:
        return naive(match, self._seat)


class Keys(Nothing):
    """Whoever sits there."""

    def __init__(self) -> None:
        self.pressed: deque[Move] = deque()
        self.wants_out = False

    def carry_out(self, session: Session, now_s: float) -> None:
        while self.pressed:
            session.propose(self.pressed.popleft(), now_s)


class Fate(Enum):
    """What becomes of a frame. What is sent behind a late one is as late."""

    ARRIVES = auto()
    IS_LOST = auto()
    IS_LATE = auto()


class JoinedLink(Nothing):
    """One end of a link; who looks for a frame where there is none hands over to the other side."""

    def __init__(self, seat: int, turns: Turns, keys: Keys, fate: Callable[[], Fate]) -> None:
        self.coming: deque[LinkEvent] = deque([Up(b"")])
        self.other: JoinedLink = self
        self.is_up = True
        self._late: list[LinkEvent] = []
        self._seat, self._turns, self._keys, self._fate = seat, turns, keys, fate

    def has_frame(self) -> bool:
        if not (self.coming or self._keys.pressed or self._keys.wants_out):
            self._turns.hand_over(self._seat, is_idle=not self.other.coming)
        return bool(self.coming)

    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]:
        return [self.coming.popleft()] if self.coming else []

    def send(self, frame: bytes, wait_ms: int = 0) -> bool:
        fate = self._fate() if self.is_up else Fate.IS_LOST
        if self._late or fate is Fate.IS_LATE:
            self._late.append(Received(b"", frame))
        elif fate is Fate.ARRIVES:
            self.other.coming.append(Received(b"", frame))
        return self.is_up

    def bring_late(self) -> None:
        """What was late arrives."""
        self.other.coming.extend(self._late)
        self._late.clear()

    def change(self, *, is_up: bool) -> None:
        """This end breaks, with all that was on its way here, or is joined again."""
        self.is_up = is_up
        self.other._late.clear()
        self.coming.clear()
        self.coming.append(Up(b"") if is_up else Down(b""))


class Joined:
    """Two match loops, each in its thread, from `start` until both have ended or were told to `leave`.

    `plays`: naive players sit there; else only keys move anything. `around` is entered in each thread.
    """

    def __init__(
        self,
        directory: Path,
        *,
        plays: bool = False,
        settings: Settings | None = None,
        fate: Callable[[], Fate] = lambda: Fate.ARRIVES,
        around: Callable[[int], Any] | None = None,
    ) -> None:
        self.turns = Turns()
        self.keys = (Keys(), Keys())
        self.links = tuple(JoinedLink(seat, self.turns, self.keys[seat], fate) for seat in (0, 1))
        self.links[0].other, self.links[1].other = self.links[1], self.links[0]
        self.loops = tuple(
            self._loop(seat, directory, settings or Settings(), plays) for seat in (0, 1)
        )
        self._around = around
        self._threads = tuple(threading.Thread(target=self._run, args=(seat,)) for seat in (0, 1))

    def _loop(self, seat: int, directory: Path, settings: Settings, plays: bool) -> MatchLoop:
        opened = Read(recorded()[seat]).entries[0]
        assert isinstance(opened, Opened)
        return MatchLoop(
            session=Session(seat, opened.session, settings, _entropy(seat), BEGUN_S),
            link=self.links[seat],
            journal=Journal.create(directory, opened, sync=False),
            player=Naive(seat) if plays else Nothing(),
            watcher=Nothing(),
            companion=Nothing(),
            orders=self.keys[seat],
            claims=False,
        )

    def _run(self, seat: int) -> None:
        self.turns.wait_for(seat)
        try:
            with self.loops[seat].journal:
                self.loops[seat].run() if self._around is None else self._around(seat)
        finally:
            self.turns.leave(seat)

    @property
    def sessions(self) -> tuple[Session, ...]:
        return tuple(each.session for each in self.loops)

    @property
    def has_ended(self) -> bool:
        return all(session.ended is not None for session in self.sessions)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()
        self.turns.go_on(0)

    def press(self, seat: int, move: Move) -> None:
        self.keys[seat].pressed.append(move)
        self.turns.go_on(seat)

    def leave(self) -> None:
        for keys in self.keys:
            keys.wants_out = True
        self.turns.go_on(0)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        assert not any(thread.is_alive() for thread in self._threads)


def _entropy(seat: int) -> Callable[[int], bytes]:
    """Bytes that nobody drew."""
    numbers = iter(range(10**6))
    return lambda size: bytes([seat, *next(numbers).to_bytes(4, "big")]).ljust(size, b"\0")


@contextmanager
def begun(joined: Joined) -> Iterator[Joined]:
    """Runs both. The clock is that of the turns, and who would wait at a socket looks at its link, which hands over."""
    links = dict(zip((thread.name for thread in joined._threads), joined.links, strict=True))

    def poll(_poller: object, _timeout: object = None) -> list[object]:
        links[threading.current_thread().name].has_frame()
        return [(0, 1)]

    def clock() -> float:
        return joined.turns.now_s

    with (
        mock.patch.object(loop, "monotonic", clock),
        mock.patch.object(match_loop, "monotonic", clock),
        mock.patch("zmq.Poller.poll", poll),
    ):
        joined.start()
        try:
            yield joined
        finally:
            joined.leave()
