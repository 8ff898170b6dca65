"""A peer whose frames take longer than the way: some kinds wait here before they leave, and so does what comes behind them.

What belongs here: the waiting, and how it plays meanwhile. What must not: what is made of it (tests/hostile).
"""

import time
from collections.abc import Mapping

from support.hostile import CONCEDE, PASS, Frame, Hostile, Kind
from support.hostile_ends import HostEnd, JoinerEnd

STEP_S = 0.02
QUIET_S = 0.5
"""How long it waits for the other side to begin a beat."""


class Laggard(Hostile):
    """Keeps the protocol, but frames of these kinds wait so many seconds before they leave. Passes never do.

    PONGs wait beside the others; of these none overtakes another.
    """

    def __init__(self, end: JoinerEnd | HostEnd, lags_s: Mapping[Kind, float]) -> None:
        super().__init__(end)
        self.lags_s = dict(lags_s)
        self.late = 0
        """So many frames of the match have waited."""
        self._waiting: list[tuple[float, bytes]] = []
        self._pongs: list[tuple[float, bytes]] = []

    def raw(self, *parts: bytes) -> None:
        kind = parts[0][1] if len(parts[0]) > 1 else 0
        lag_s = self.lags_s.get(Kind(kind), 0.0) if kind in set(Kind) else 0.0
        if kind == Kind.PONG and lag_s:
            self._pongs.append((time.monotonic() + lag_s, parts[0]))
            return
        if kind == Kind.REVEAL and self.mine is not None and self.mine[0] == PASS:
            lag_s = 0.0
        if kind in (Kind.COMMIT, Kind.REVEAL) and (lag_s or self._waiting):
            self.late += lag_s > 0
            behind_s = max((at for at, _ in self._waiting), default=0.0)
            self._waiting.append((max(behind_s, time.monotonic() + lag_s), parts[0]))
            return
        super().raw(*parts)

    def step(self, within_s: float = 0.1) -> Frame | None:
        for queue in (self._waiting, self._pongs):
            while queue and queue[0][0] <= time.monotonic():
                super().raw(queue.pop(0)[1])
        return super().step(min(within_s, STEP_S) if self._waiting or self._pongs else within_s)

    @property
    def idle(self) -> bool:
        """Whether the beat is nobody's yet, as far as is known here."""
        return self.mine is None and self.theirs is None and not self._waiting

    def take_turn(self) -> None:
        """Whatever it does next; not for long."""
        self.step(STEP_S)

    def wish(self) -> bytes | None:
        """A move that goes on with the game; None where it has none."""
        move = self.legal_move()
        return None if move == CONCEDE else move


class LateOpener(Laggard):
    """Commits whenever it can, and opens late: by then it knows whether it would rather not."""

    def take_turn(self) -> None:
        move = self.wish() if self.idle else None
        if move is not None:
            self.commit(move)
        self.step(STEP_S)


class LateCrosser(Laggard):
    """Answers a COMMIT with one of its own, long after, as if the two had crossed. It begins a beat where nobody else does."""

    _quiet_since_s = 0.0

    def take_commit(self, commitment: bytes) -> None:
        move = self.wish() if self.mine is None else None
        if move is not None:
            self.commit(move)
        super().take_commit(commitment)

    def take_turn(self) -> None:
        if self.step(STEP_S) is not None or not self.idle:
            self._quiet_since_s = time.monotonic()
        elif time.monotonic() > self._quiet_since_s + QUIET_S:
            self.play_at_once()

    def play_at_once(self) -> None:
        """A proposal that doesn't wait: it crosses nothing."""
        lags_s, self.lags_s = self.lags_s, {}
        move = self.wish()
        if move is not None:
            self.commit(move)
        self.lags_s = lags_s
