"""Two sessions in one process whose frames reach each other at once: a match without a network.

What belongs here: seating them and letting them settle. What must not: what is measured, a link, a clock.
"""

import random
from collections import deque
from collections.abc import Callable
from typing import TypeAlias

from benchmarks.children import Trouble
from benchmarks.turns import turn_of
from spitnet.core.cards import SEATS, Seat
from spitnet.core.moves import Leave, Move
from spitnet.core.state import Settings
from spitnet.protocol.handshake import Doorman, Seated, Visitor
from spitnet.protocol.lockstep import Write
from spitnet.protocol.messages import encode
from spitnet.protocol.session import Session

TICK_S = 0.001

Writer: TypeAlias = Callable[[Seat, Write], None]
"""What becomes of a record that a side wants written."""


class Pair:
    """Both sides of a match; what they want written goes to `write`."""

    def __init__(self, seated: tuple[Seated, Seated], write: Writer) -> None:
        entropy = random.Random(1).randbytes
        self.sessions = tuple(
            Session(one.seat, one.session, one.settings, entropy, 0.0, one.start) for one in seated
        )
        self._write = write
        self._now_s = 0.0
        self._frames: deque[tuple[Seat, bytes]] = deque()

    @property
    def beat(self) -> int:
        """The number of the last beat that both have applied."""
        return self.sessions[0].beat

    def play(self) -> None:
        """One beat, proposed by whoever can do something, the two having the first right in turn.

        Raises: Trouble: the match is over.
        """
        first = self.sessions[0]
        if first.over:
            raise Trouble(f"the match was over after {first.beat} beats")
        self._propose(*turn_of(first.match, first.beat % 2))

    def leave(self) -> None:
        """The last beat."""
        self._propose(0, Leave())

    def _propose(self, seat: Seat, move: Move) -> None:
        self._now_s += TICK_S
        self.sessions[seat].propose(move, self._now_s)
        self._carry_out()
        while self._frames:
            to, frame = self._frames.popleft()
            self.sessions[to].receive(frame, self._now_s)
            self._carry_out()

    def _carry_out(self) -> None:
        for seat in SEATS:
            for effect in self.sessions[seat].take_effects():
                if isinstance(effect, Write):
                    self._write(seat, effect)
                else:
                    self._frames.append((1 - seat, encode(effect.message)))
            self.sessions[seat].take_notices()


def seated(games: int) -> tuple[Seated, Seated]:
    """What a handshake gives each side of a match of so many games."""
    entropy, (host, joiner) = random.Random(0).randbytes, (b"h" * 32, b"j" * 32)
    doorman = Doorman(host, "Ada", Settings(games=games), None, entropy)
    visitor = Visitor(host, joiner, "Ben", None, entropy)
    for _ in range(2):
        answer = doorman.receive(joiner, visitor.frame, 0.0)
        if answer is not None:
            visitor.receive(encode(answer))
    if doorman.seated is None or not isinstance(visitor.answer, Seated):
        raise Trouble("the handshake failed")
    return doorman.seated, visitor.answer
