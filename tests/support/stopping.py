"""A seat that stops the game where both could play, thinks, and lets it go on once it has a move of its own.

What belongs here: what such a peer does in simulated time, and who was first. What must not: judgement (oracle.py). The
other seat is honest, and has pressed its key by the time that the game goes on.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import Any

from support import second
from support.oracle import Oracle
from support.simulator import Simulation, World

from spitnet.core.legality import plays
from spitnet.core.state import Match
from spitnet.protocol.messages import Ping, encode

COMMIT, RESUME = 10, 12
KNOWN_S = 0.002
"""After a beat both sides know of it by then."""
STOPS_S = 0.6
LOOKS_S = (0.1, 0.5)
"""How long a player looks at the table before pressing a key."""
LIES_AT_ONCE, LIE_EVERY_S = 15, 6.0
"""Lies told this often stay below the bound of `stalling`."""


class Way(Enum):
    """How the game is stopped."""

    NOT = auto()
    """It isn't."""
    CUT = auto()
    """The link is cut after the beat, and made anew with the next COMMIT inside the RESUME."""
    CLAIM = auto()
    """PING says that there is a COMMIT which never left; the RESUME that asks for it is answered later."""
    WITHHOLD = auto()
    """The REVEAL that ends the beat stays back, and no PING tells of it; the RESUME brings it with the next COMMIT."""


def both_can_play(match: Match) -> bool:
    game = match.game
    return game is not None and game.outcome is None and all(plays(game, seat) for seat in (0, 1))


class Firsts(Oracle):
    """Judges as ever, and counts by seat who was first where both could play. Of two that crossed the coin's choice is."""

    def __init__(self) -> None:
        super().__init__()
        self.first: dict[int, int] = {}
        """The seat, by the beat that ended such a state."""
        self.crossed: set[int] = set()
        self._match: Match | None = None

    def noticed(self, seat: int, notice: Any) -> None:
        super().noticed(seat, notice)
        if seat == 0 and type(notice).__name__ == "Completed":
            if self._match is not None and both_can_play(self._match):
                self._count(notice)
            self._match = notice.match

    def _count(self, told: Any) -> None:
        moved = [seat for seat in (0, 1) if told.moves[seat] is not None]
        if len(moved) == 2:
            self.crossed.add(told.beat)
            moved = [second.first_of(told.randomness.value)]
        self.first[told.beat] = moved[0]


class Stopping(Simulation):
    """One match against a seat that stops the game; `stopped` are the beats that it stopped before they began."""

    def __init__(self, world: World, observer: Firsts, cheat: int, way: Way) -> None:
        super().__init__(world, observer)
        self.stopped: list[int] = []
        self._cheat, self._way = cheat, way
        self._seen = 0
        self._stopping = False
        self._silent = False
        self._held: list[Callable[[], None]] = []
        self._lied_s = 0.0

    def _thought_s(self, seat: int) -> float:
        return self.random.uniform(*LOOKS_S)

    def _player(self, seat: int) -> Callable[[], None]:
        """While the game is stopped the cheat's next move comes at the end."""
        act = super()._player(seat)
        if seat != self._cheat:
            return act

        def wait() -> None:
            if self._stopping or self._silent:
                self._after(KNOWN_S, wait)
            else:
                act()

        return wait

    def _carry_out(self, seat: int) -> None:
        super()._carry_out(seat)
        beat = self.sessions[self._cheat].beat
        if seat == self._cheat and beat > self._seen:
            self._seen = beat
            if self._way in (Way.CUT, Way.CLAIM) and self._is_worth_it():
                self._stopping = True
                self._after(KNOWN_S, lambda: self._stop(beat))

    def _is_worth_it(self) -> bool:
        may_lie = len(self.stopped) < LIES_AT_ONCE or self.now_s > self._lied_s + LIE_EVERY_S
        return both_can_play(self.sessions[self._cheat].match) and (
            self._way is not Way.CLAIM or may_lie
        )

    def _stop(self, beat: int) -> None:
        session = self.sessions[self._cheat]
        if session.beat != beat or session.expecting:
            self._stopping = self._stopping and session.beat != beat
            return  # the other was very quick
        self.stopped.append(beat + 1)
        if self._way is Way.CUT:
            self._cut()
        else:
            self._lied_s = self.now_s
            self._send(self._cheat, encode(Ping(session.id, 7, beat, proposed=True)))
        self._after(STOPS_S, self._go_on)

    def _cut(self) -> None:
        for wire in self._wires:
            wire.epoch += 1
            wire.down = True
        self._tell_of_link(1 - self._cheat, back=False)

    def _go_on(self) -> None:
        self._decide()
        self._stopping = False
        if self._way is Way.CUT:
            for wire in self._wires:
                wire.down, wire.last_s = False, self.now_s
            self._tell_of_link(1 - self._cheat, back=True)
        held, self._held = self._held, []
        for deliver in held:
            deliver()

    def _decide(self) -> None:
        """Its COMMIT reaches nobody that would look at it; the RESUME says it again."""
        move = self._wish(self.sessions[self._cheat].match, self._cheat)
        if move is not None and not self.sessions[self._cheat].busy:
            self.sessions[self._cheat].propose(move, self.now_s)
            self._carry_out(self._cheat)

    # Its frames.

    def _send(self, seat: int, frame: bytes) -> None:
        if seat == self._cheat and self._silent:
            self.observer.sent(seat, frame)
        else:
            super()._send(seat, frame)
        if seat == self._cheat and self._way is Way.WITHHOLD and frame[1] == COMMIT:
            self._silent = True

    def _delivery(
        self, sender: int, frame: bytes, stamp: object, epoch: int | None
    ) -> Callable[[], None]:
        deliver = super()._delivery(sender, frame, stamp, epoch)
        if sender == self._cheat:
            return deliver

        def arrive() -> None:
            if self._stopping and self._way is Way.CLAIM:
                self._held.append(deliver)
                return
            if self._silent and frame[1] == RESUME:
                self.stopped.append(self.sessions[self._cheat].beat + 1)
                self._decide()
                self._silent = False
            deliver()

        return arrive
