"""A peer that always comes back just in time: the game's own session, whose words leave late.

What belongs here: two sessions, and the clock between them. What must not: judgement.
"""

import os
from collections.abc import Callable, Iterator

from support.slow_evening import SESSION, wish

from spitnet.core.state import Settings
from spitnet.protocol.entries import Record
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import Commit, Message, Ping, Pong, Resume, Reveal, encode
from spitnet.protocol.notices import Notice
from spitnet.protocol.session import Session

STEP_S = 0.05
THINKS_S = 0.5
"""How long the honest side looks at the table before it acts."""

Delay = Callable[["Evasion", Message], float]
"""How late a message of the evasive side leaves, in seconds."""


class Evasion:
    """One match; `steps()` yields the time, until it is over or for so long.

    `delay` keeps words back. `acts_after_s`: how long the evasive side's player does nothing where it alone can act.
    """

    def __init__(
        self, evasive: int, grace_s: int, delay: Delay, acts_after_s: float = 0.2, games: int = 1
    ) -> None:
        self.now_s = 0.0
        self.evasive = evasive
        self.grace_s = grace_s
        settings = Settings(games=games, grace_s=grace_s)
        self.sessions = [Session(seat, SESSION, settings, os.urandom, 0.0) for seat in (0, 1)]
        self.records: list[Record] = []
        """Of the honest side."""
        self.notices: list[Notice] = []
        self._delay = delay
        self._acts_after_s = acts_after_s
        self._on_their_way: list[tuple[float, bytes]] = []
        self._changed_s = 0.0
        self._beat = 0

    @property
    def honest(self) -> Session:
        return self.sessions[1 - self.evasive]

    def steps(self, most_s: float) -> Iterator[float]:
        while self.now_s < most_s and not any(session.over for session in self.sessions):
            self.now_s = round(self.now_s + STEP_S, 3)
            due = [frame for at_s, frame in self._on_their_way if at_s <= self.now_s]
            self._on_their_way = [one for one in self._on_their_way if one[0] > self.now_s]
            for frame in due:
                self.honest.receive(frame, self.now_s)
                self._carry_out(1 - self.evasive)
            for seat in (0, 1):
                self._run(seat)
            yield self.now_s

    def _run(self, seat: int) -> None:
        session = self.sessions[seat]
        due_s = session.next_deadline_s()
        if due_s is not None and self.now_s >= due_s:
            session.poll(self.now_s)
        if session.beat != self._beat:
            self._beat, self._changed_s = session.beat, self.now_s
        after_s = self._acts_after_s if seat == self.evasive else THINKS_S
        move = wish(session.match, seat)
        if move is not None and not session.busy and self.now_s >= self._changed_s + after_s:
            session.propose(move, self.now_s)
        self._carry_out(seat)

    def _carry_out(self, seat: int) -> None:
        session = self.sessions[seat]
        for effect in session.take_effects():
            match effect:
                case Write(record) if seat != self.evasive:
                    self.records.append(record)
                case Send(message) if seat == self.evasive:
                    self._keep_back(message)
                case Send(message):
                    self.sessions[self.evasive].receive(encode(message), self.now_s)
                    self._carry_out(self.evasive)
        notices = session.take_notices()
        self.notices += notices if seat != self.evasive else ()

    def _keep_back(self, message: Message) -> None:
        """In order, but for PING and PONG."""
        at_s = self.now_s + self._delay(self, message)
        if not isinstance(message, Ping | Pong):
            at_s = max([at_s, *(each_s for each_s, _ in self._on_their_way)])
        self._on_their_way.append((at_s, encode(message)))


def every_answer(share: float) -> Delay:
    """All that the honest side waits for leaves after that share of the grace period, though PONGs come at once."""

    def delay(evasion: Evasion, message: Message) -> float:
        kept_back = isinstance(message, Commit | Reveal | Resume)
        return share * evasion.grace_s if kept_back else 0.0

    return delay


def nothing(_evasion: Evasion, _message: Message) -> float:
    """It answers as anybody."""
    return 0.0
