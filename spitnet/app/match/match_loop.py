"""A match being played: one blocking loop that feeds the session and carries out what it says.

Journal, then send, then tell; and a beat's completion lets the player act before the next frame is read, so
that nobody is starved (C4). What must not be here: printing, drawing, the rules.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from spitnet.app.clock import monotonic
from spitnet.app.loop import LINGER_MS, Loop, Source, comes
from spitnet.core.draw import PAUSE_MAX_MS
from spitnet.core.legality import legal
from spitnet.core.moves import Move, Spit
from spitnet.core.state import Match, SpitMode
from spitnet.exits import ExitCode, Failure
from spitnet.journal.store import Journal
from spitnet.language import gettext as _
from spitnet.net.link import BadMessage, Down, LinkEvent, Received, Up
from spitnet.protocol.entries import Ended
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import Bye, Contribution, Farewell, Message, encode
from spitnet.protocol.notices import (
    Claimable,
    Completed,
    Finished,
    Notice,
    NotLegal,
    PeerBack,
    PeerLost,
    StopEnded,
)
from spitnet.protocol.session import Session

_log = logging.getLogger(__name__)
SILENT_S = 2.5
"""A peer of which nothing comes for so long can't be reached: it PINGs once a second."""
EVENTS_A_TURN = 16
"""However much the peer says, the player and the clock have their turn in between."""
BROKEN_OFF = ("abandoned", "violation", "lost_records")
"""Ends that this side has told the other; where it was away, it doesn't know yet."""
AWAKE_S = 0.001
"""How long after a frame of a beat to look for the answer before sleeping: to wake up takes as long as a frame does on a
quick network. Counted from what this side says, so that nobody can keep it awake.
"""
NO_FRAME = b""
"""What stands for a message that was no frame at all; it decodes to nothing, as it should."""


class Link(Source, Protocol):
    """A way to the one peer; frames may get lost, and it says so when it knows."""

    @property
    def round_trip_s(self) -> float | None:
        """The least, as this machine's system knows it; None where it doesn't tell."""
        ...

    def has_frame(self) -> bool: ...
    def send(self, frame: bytes, wait_ms: int = 0) -> bool: ...
    def events(self, now_s: float, most: int = 64) -> list[LinkEvent]: ...
    def close(self, linger_ms: int) -> None: ...


def say(link: Link, message: Message) -> None:
    """Sends it. A last word waits for room where the peer reads slowly: once this side has gone, nobody says it again."""
    is_last = isinstance(message, Bye) and message.farewell is not Farewell.OVER
    link.send(encode(message), LINGER_MS if is_last else 0)


class Player(Protocol):
    """Whoever sits at this table: looks at it after every change, and acts when due."""

    @property
    def due_s(self) -> float | None: ...
    def look(self, match: Match, busy: bool, now_s: float) -> None: ...
    def act(self, match: Match, now_s: float) -> Move | None: ...


class Observer(Protocol):
    """Is told what happened."""

    def tell(self, notice: Notice, session: Session) -> None: ...


class Companion(Source, Protocol):
    """Looks after the peer's whereabouts while the match goes on, whenever there is nothing else to do."""

    def tell(self, notice: Notice, now_s: float) -> None: ...
    def step(self, now_s: float) -> None: ...
    def close(self) -> None: ...


class Controls(Source, Protocol):
    """What somebody outside this loop wants, from whichever thread; `sockets` wake the loop."""

    @property
    def wants_out(self) -> bool:
        """Whether to leave, without conceding."""
        ...

    def carry_out(self, session: Session, now_s: float) -> None: ...


def leaves(_session: Session) -> bool:
    """Whoever has nothing to wait for once the match has ended."""
    return False


@dataclass(kw_only=True)
class MatchLoop:
    """One match on one link, and what comes after it for as long as this side `stays`.

    `claims` lets it claim an abandoned match by itself, as soon as it may.
    """

    session: Session
    link: Link
    journal: Journal
    player: Player
    watcher: Observer
    companion: Companion
    orders: Controls
    claims: bool
    stays: Callable[[Session], bool] = leaves
    _woken: bool = field(default=True, init=False)
    _heard_s: float = field(default_factory=monotonic, init=False)
    _spit_at_s: float | None = field(default=None, init=False)
    _awake_until_s: float = field(default=0.0, init=False)
    _waiter: Loop = field(default_factory=Loop, init=False)

    def run(self) -> Ended | None:
        """Plays until the session ends and this side doesn't stay, or until asked to stop.

        Returns:
            How the match ended; None where it hasn't: it can be resumed.

        Raises:
            Failure: the record can't be written any more; the peer has been told that this side leaves.
            OSError: nor can lines be, with the same consequence.
        """
        try:
            return self._run()
        except OSError as problem:
            self.session.pause()
            self._say_goodbye()
            if problem.filename != str(self.journal.path):
                raise
            text = _(
                "the record can’t be written any more: {file}: {problem}. "
                "Once it can, “spitnet resume” resumes the match"
            )
            message = text.format(file=problem.filename, problem=problem.strerror)
            raise Failure(ExitCode.USAGE, message, "machine") from None

    def _run(self) -> Ended | None:
        lost = PeerLost(self.session.beat, on_purpose=False)
        self._tell(
            (lost,) if self.session.frozen else ()
        )  # taken up again, its peer has yet to be found
        self._carry_out()
        goes_on = self.session.ended is None or self.stays(self.session)
        while goes_on and not self.orders.wants_out:
            more = self._take_in()
            self._woken = self._woken or more
            self._do_what_is_due()
            goes_on = self.session.ended is None or self.stays(self.session)
            if goes_on and not more:
                self._wait()
        if self.session.ended is None:
            self.session.pause()
            self._carry_out()
        return self.session.ended

    def leave(self) -> None:
        """Says goodbye, then closes the link and whoever looks after it."""
        self.session.leave()
        self._say_goodbye()
        self.link.close(LINGER_MS)
        self.companion.close()

    def _say_goodbye(self) -> None:
        """Of all that is still to be done only that: nothing more is written."""
        for effect in self.session.take_effects():
            if isinstance(effect, Send) and isinstance(effect.message, Bye):
                say(self.link, effect.message)

    def _take_in(self) -> bool:
        """A bounded part of what the link has, each answered before the next is looked for; whether there may be more."""
        for _turn in range(EVENTS_A_TURN):
            now_s = monotonic()
            events = self.link.events(now_s, most=1)
            for event in events:
                self._hear(event, now_s)
                self._carry_out()
            is_over = self.session.ended is not None and not self.stays(self.session)
            if (
                is_over or not events
            ):  # what comes behind is for the next match, or for whoever closes the link
                return False
        return True

    def _hear(self, event: LinkEvent, now_s: float) -> None:
        if not isinstance(event, Received):
            _log.debug("link: %s", type(event).__name__)
        if self.session.frozen:  # what was pressed by now knows nothing of what has come (C3)
            self._want(now_s)
        match event:
            case Received(_, frame):
                self._heard_s = now_s
                self.session.receive(frame, now_s)
            case BadMessage():
                self.session.receive(NO_FRAME, now_s)
            case Up():
                self.session.link_up(now_s)
            case Down():
                self.session.link_down(now_s)

    def _do_what_is_due(self) -> None:
        """What is due by the clock, what the player wants, and looking after the peer's whereabouts."""
        now_s = monotonic()
        silent = now_s >= self._heard_s + SILENT_S and not self.session.frozen
        if silent and self.session.ended is None:  # afterwards nobody need say anything
            self.session.link_down(now_s)
        deadline_s = self.session.next_deadline_s()
        if deadline_s is not None and now_s >= deadline_s:
            self.session.acknowledged(self.link.round_trip_s)
            self.session.poll(now_s)
        if self._spit_at_s is not None:
            self._say_spit(now_s)
        if self._woken:
            self.companion.step(now_s)
        self._want(now_s)
        self._carry_out()

    def _want(self, now_s: float) -> None:
        """Tells the session what the player wants by now."""
        self.orders.carry_out(self.session, now_s)
        if self.player.due_s is not None:
            self._act(self.player.due_s, now_s)

    def _wait(self) -> None:
        """Until something comes, or is due."""
        if comes(self.link.has_frame, self._awake_until_s):
            self._woken = False
            return
        due_s = [self.session.next_deadline_s(), self.player.due_s, self._spit_at_s]
        until_s = min((at for at in due_s if at is not None), default=None)
        sources = (self.link, self.companion, self.orders)
        self._woken = self._waiter.wait(sources, until_s, monotonic())

    def _carry_out(self) -> None:
        """Does what the session says, and tells of it, until it has nothing more to say."""
        session = self.session
        while session.lockstep.effects or session.notices:
            for effect in session.take_effects():
                match effect:
                    case Write(record, durable):
                        self.journal.append(record, durable)
                    case Send(message):
                        say(self.link, message)
                        if isinstance(message, Contribution) and session.expecting:
                            self._awake_until_s = monotonic() + AWAKE_S
            if session.notices:
                self._tell(session.take_notices())

    def _tell(self, notices: tuple[Notice, ...]) -> None:
        """Passes on what happened, and lets the player look at it and act."""
        session, now_s = self.session, monotonic()
        for notice in notices:
            if isinstance(notice, PeerLost | PeerBack | StopEnded | Claimable | Finished):
                _log.info("%s", notice)
            self.watcher.tell(notice, session)
            self.companion.tell(notice, now_s)
            if session.settings.spit is SpitMode.AUTO:
                self._plan_spit(notice, now_s)
            if isinstance(notice, Claimable) and self.claims:
                session.claim()
            elif (
                isinstance(notice, Finished)
                and notice.ended.how in BROKEN_OFF
                and self.stays(session)
            ):
                self.companion.tell(PeerLost(notice.ended.beat, on_purpose=False), now_s)
        self.player.look(session.lockstep.match, session.busy, now_s)
        if self.player.due_s is not None:
            self._act(self.player.due_s, now_s)

    def _act(self, due_s: float, now_s: float) -> None:
        """The player's move, if it is time for one."""
        if now_s < due_s or self.session.busy or self.session.over:
            return
        move = self.player.act(self.session.match, now_s)
        if move is not None:
            self.session.propose(move, now_s)

    def _plan_spit(self, notice: Notice, now_s: float) -> None:
        """`--spit auto`: once both are ready the game says spit, after a pause that both draw alike (R7).

        Where the other was away, after the longest one. What came due while something else was under way, or the game had
        stopped, is said as soon as it can be: it takes no key's place.
        """
        match notice:
            case Completed():
                pause_ms = notice.randomness.pause_ms
            case PeerBack():
                pause_ms = PAUSE_MAX_MS
            case StopEnded() | NotLegal() if self._spit_at_s is None:
                pause_ms = 0
            case _:
                return
        game = self.session.match
        due = legal(game, self.session.seat, Spit())
        self._spit_at_s = now_s + pause_ms / 1000 if due else None

    def _say_spit(self, now_s: float) -> None:
        if self._spit_at_s is not None and now_s >= self._spit_at_s:
            self._spit_at_s = None
            if not (self.session.frozen or self.session.busy):
                self.session.propose(Spit(), now_s)
