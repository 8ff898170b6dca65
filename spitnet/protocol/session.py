"""One peer's side of a match, sans-IO: moves, frames and time go in; effects and notices come out.

What belongs here: what a frame means now, the waiting move, resynchronisation, timers, farewells, and who is still there
afterwards. What must not: what a beat is (lockstep.py), sockets, clocks. The effects must be carried out in their order; the
notices are for a screen and may be dropped. All times are seconds of one monotonic clock of the caller's.
"""

from collections.abc import Iterable
from math import inf
from typing import assert_never

from spitnet.core.cards import Seat, other
from spitnet.core.legality import aimed, owed_by
from spitnet.core.moves import Move, Play
from spitnet.core.state import Match, Settings
from spitnet.protocol.accounts import Accounts
from spitnet.protocol.alibi import Alibi
from spitnet.protocol.entries import FALSE_CLAIM, Ended, Ending, Lagging, Record, Slow, Stop
from spitnet.protocol.faults import Fault, LocalError, MessageLost, RecordsLost, RemoteFault
from spitnet.protocol.fields import RESUME_ID_BYTES, Entropy
from spitnet.protocol.lockstep import OPENED, Effect, Lockstep, OpenBeat, Send, Stage, Write
from spitnet.protocol.messages import (
    Accept,
    Bye,
    Commit,
    Farewell,
    InMatch,
    Malformed,
    Message,
    OtherVersion,
    Ping,
    Pong,
    Rematch,
    Resume,
    Reveal,
    Start,
    decode,
)
from spitnet.protocol.notices import (
    Ahead,
    AnswerOverdue,
    Claimable,
    Displaced,
    Finished,
    MoveProposed,
    Notice,
    NotLegal,
    PeerBack,
    PeerLost,
    PingGrew,
    StopEnded,
)
from spitnet.protocol.peer_metrics import PeerMetrics
from spitnet.protocol.rematch import ANSWER_S, Prospect, RematchTalk
from spitnet.protocol.resume import adopt_missing_beat, adopt_open_beat, check_open_beat, state_of
from spitnet.protocol.stops import Stops
from spitnet.protocol.time_bank import Waits
from spitnet.protocol.timeouts import Timeouts

RESUME_EVERY_S = 1.0
"""How often an unanswered RESUME is sent again."""
PING_EVERY_S = 1.0
FAREWELL_EVERY_S = 0.5
"""How often the farewell of a finished match is repeated until the peer's has come."""


class Session:
    """A match from its session id to its end, and until both want another or leave, for one seat.

    `start` is the host's answer to the joiner's ACCEPT, given again to a repeat of it; `before` is this side's
    REMATCH that led here, given again to a peer that still asks.

    Call `propose`, `receive`, `link_up`, `link_down` and `poll` as things happen, then carry out
    `take_effects()` in order, and call `poll` again no later than `next_deadline_s()`.
    """

    def __init__(
        self,
        seat: Seat,
        session: bytes,
        settings: Settings,
        entropy: Entropy,
        now_s: float,
        start: Start | None = None,
        before: Rematch | None = None,
    ) -> None:
        self.seat = seat
        self.lockstep = Lockstep(seat, session, settings, entropy)
        self.settings = settings
        self.entropy = entropy
        self._start = start
        self._before = before
        self.before_at_s = -inf
        self._heard = False
        self.pace = PeerMetrics()
        self.stops = Stops()
        self.patience = Timeouts(settings.grace_s, now_s)
        self.accounts = Accounts(settings.grace_s, now_s)
        self.alibi = Alibi(settings.grace_s, now_s)
        self.waiting: Move | None = None
        self.ended: Ended | None = None
        self._peer_is_done = False
        self.frozen = False
        """True from a lost link or a restart until both peers hold the same beats."""
        self._resume_id: bytes | None = None
        self.resume_at_s = 0.0
        self.farewell_at_s: float | None = None
        self.farewell: Bye | None = None
        self.talk = RematchTalk(session, seat, entropy)
        self.prospect = Prospect.NONE
        self.notices: tuple[Notice, ...] = ()

    def restore(
        self, records: Iterable[Record], may_have_lost: bool, now_s: float, away_s: float = inf
    ) -> None:
        """Takes up this side's own journal, before anything else: frozen until the peer has answered.

        `may_have_lost` says that a power cut can have taken records (`--sync process`); `away_s`, for how long this side
        was away at most.
        """
        for record in records:
            self.lockstep.restore(record)
            self.stops.count += isinstance(record, Stop)
            self.accounts.restore(record, self.seat)
            self.ended = record if isinstance(record, Ended) else None
        self.lockstep.completed = ()
        self.lockstep.may_have_lost = may_have_lost
        self._freeze(self.seat, now_s)
        self.patience.lost_s = now_s
        self.accounts.mine.count_whole(self.games)
        self.alibi.restarted(now_s - away_s, now_s, self._owes, self.lockstep.has_opened)

    @property
    def id(self) -> bytes:
        return self.lockstep.session

    @property
    def match(self) -> "Match":
        return self.lockstep.match

    @property
    def beat(self) -> int:
        """The Lamport clock: the number of the last complete beat."""
        return self.lockstep.beat

    @property
    def busy(self) -> bool:
        """True while a move of this seat is under way or waits (R9)."""
        own = self.lockstep.open.stage in (Stage.PROPOSED, Stage.CROSSED)
        return own or self.waiting is not None

    @property
    def expecting(self) -> bool:
        """True while a beat is open that the peer knows of, or is about to: its frame is a round trip away."""
        return self.lockstep.open.stage is not Stage.IDLE and not self.frozen

    @property
    def over(self) -> bool:
        """True once nothing more can be proposed here."""
        return self.ended is not None or self.lockstep.match.result is not None

    @property
    def wants_rematch(self) -> bool:
        """Whether this side's player has asked for another match."""
        return self.talk.mine is not None

    @property
    def agreed(self) -> tuple[tuple[bytes, bytes], Rematch] | None:
        """Once both want another match and this one has ended: both nonces in seat order, and what this side said."""
        nonces, mine = self.talk.nonces, self.talk.mine
        return None if self.ended is None or nonces is None or mine is None else (nonces, mine)

    def grace_left_s(self, now_s: float) -> float | None:
        """Seconds until this side may claim the match, or None while nobody is waited for."""
        at_s = None if self.over else self.accounts.theirs.claim_at_s(self.waits(), self.games)
        return None if at_s is None else max(0.0, at_s - now_s)

    def peers_grace_left_s(self, now_s: float) -> float | None:
        """Seconds until the peer may claim the match since this player alone has something to do; None while it isn't so."""
        if self.over:
            return None
        owes = self._owes and not self.lockstep.has_proposed
        turn = Waits(None, self.patience.waits(owes).turn_s)
        at_s = self.accounts.mine.claim_at_s(turn, self.games)
        return None if at_s is None else max(0.0, at_s - now_s)

    @property
    def is_short(self) -> tuple[bool, bool]:
        """Of each seat, whether so much of its time bank is spent that a wait for it may not last the whole grace period."""
        return self.accounts.is_short(self.games, self.seat)

    def take_effects(self) -> tuple[Effect, ...]:
        """What to do, in order; each is handed out once."""
        effects, self.lockstep.effects = self.lockstep.effects, ()
        return effects

    def take_notices(self) -> tuple[Notice, ...]:
        """What happened since the last call, in order."""
        notices, self.notices = self.notices, ()
        return notices

    def propose(self, move: Move, now_s: float) -> None:
        """The player wants this. While a beat is under way the newest wish waits for the next one."""
        self._pass(now_s)
        if self.over:
            return
        if self.frozen or self.lockstep.open.stage is not Stage.IDLE:
            if self.waiting is not None:
                self._notify(Displaced(self.waiting))
            self.waiting = move
        else:
            self._propose(move, now_s, waited=False)

    def receive(self, frame: bytes, now_s: float) -> None:
        """One frame of the peer's. Whatever it holds, this never raises."""
        if self.ended is not None:
            self._hear_afterwards(frame, now_s)
            return
        self._pass(now_s)
        try:
            if self.pace.floods(now_s):
                raise RemoteFault(Fault.FLOOD)
            message = decode(frame)
            self.talk.take(message)
            self._dispatch(message, now_s)
        except Malformed:
            self._end_by_fault(Fault.MALFORMED)
        except RemoteFault as found:
            self._end_by_fault(found.fault)
        except RecordsLost:
            self._end(Ended(self.beat, Ending.LOST_RECORDS, None, ""), Farewell.LOST_RECORDS)
        except MessageLost:
            self._stalled(now_s)
            self._resynchronise(other(self.seat), now_s)
        self._settle(now_s)

    def link_down(self, now_s: float) -> None:
        """The link says that the peer can't be reached now."""
        self.talk.down()
        if self.ended is None:
            self._pass(now_s)
            self._freeze(None, now_s)
            self._lose(now_s, on_purpose=False)
        self._look_ahead(now_s)

    def link_up(self, now_s: float) -> None:
        """The link can reach the peer again; what was sent before may be lost."""
        self.talk.up()
        if self.ended is None:
            self._pass(now_s)
            self._resynchronise(None, now_s)
        elif self.farewell is not None:
            self._send(self.farewell)
        elif not self.wants_rematch:
            self._send(self._over())  # a host knows whose a connection is by its first frame only
        self._look_ahead(now_s)

    def poll(self, now_s: float) -> None:
        """Does what is due."""
        if self.ended is not None:
            self._look_ahead(now_s)
            return
        self._pass(now_s)
        if self.farewell_at_s is not None and now_s >= self.farewell_at_s:
            self._say_over(now_s)
        if self.frozen and now_s >= self.resume_at_s:
            self._lose(now_s, on_purpose=False)
            self._send_resume(now_s, answers=None)
        elif not self.frozen and now_s >= self.patience.reply_deadline_s:
            self._resynchronise(self._who_keeps_waiting(), now_s)
        if now_s >= self.pace.pinged_s + PING_EVERY_S:
            token = self.pace.ping(now_s, lost=self.patience.lost_s is not None)
            self._send(Ping(self.id, token, self.beat, self.lockstep.has_proposed))
            self._watch_the_ping()
        if self.patience.is_overdue(self.accounts.theirs.answer_s, now_s):
            self._notify(AnswerOverdue(self.beat))
        if self.patience.runs_out(self.grace_left_s(now_s)):
            self._notify(Claimable(self.beat))
        self._settle(now_s)

    def next_deadline_s(self) -> float | None:
        """When `poll` is due at the latest; None once the session has ended and nothing is asked for."""
        if self.ended is not None:
            return self.talk.next_deadline_s()
        due_s = min(
            self.pace.pinged_s + PING_EVERY_S,
            self.resume_at_s if self.frozen else self.patience.reply_deadline_s,
        )
        return due_s if self.farewell_at_s is None else min(due_s, self.farewell_at_s)

    def acknowledged(self, round_trip_s: float | None) -> None:
        """The least round trip of the link as this machine's kernel has it, in seconds; None where it doesn't tell.

        It is measured by acknowledgements, which the peer's kernel sends whatever the peer's program does.
        """
        if round_trip_s is not None:
            self.pace.acknowledged(round_trip_s)

    def pause(self) -> None:
        """This side leaves without conceding; the match can be resumed (R22), unless it is decided."""
        if self.match.over:
            self._end(Ended(self.beat, Ending.OVER, None, ""), None)
        elif self.ended is None:
            self._send(Bye(self.id, self.beat, Farewell.PAUSED, ""))

    def claim(self) -> None:
        """Ends the match as abandoned, on this side's word.

        Raises:
            LocalError: the peer wasn't waited for so long.
        """
        if self.ended is not None or not self.patience.claimable:
            raise LocalError("there is nothing to claim")
        self._end(Ended(self.beat, Ending.ABANDONED, other(self.seat), ""), Farewell.ABANDONED)

    def ask_rematch(self, now_s: float) -> None:
        """This side's player wants another match; it counts once this one is decided, and is said once it has ended."""
        if self.match.over:
            self.talk.ask()
            self._look_ahead(now_s)

    def leave(self) -> None:
        """This side's player goes after the match, which the peer is told: there will be no other."""
        if self._is_over:
            self._send(Bye(self.id, self.beat, Farewell.PAUSED, ""))

    # What a frame means.

    def _dispatch(self, message: Message | OtherVersion, now_s: float) -> None:
        if not isinstance(message, InMatch):
            self._left_over(message)
            return
        if message.session != self.lockstep.session:
            self._of_another_match(message, now_s)
            return
        self._heard = True
        match message:
            case Commit() | Reveal():
                self._contribution(message, now_s)
            case Resume():
                self._resume(message, now_s)
            case Ping(_, token):
                self._send(Pong(self.id, token, self.beat, self.lockstep.has_proposed))
                self._reached(message)
            case Pong(_, token):
                self.pace.pong(token, now_s)
                if self.pace.answered_s is not None:
                    self.alibi.answered(self.pace.answered_s)
                self._watch_the_ping()
                self._reached(message)
            case Bye():
                self._bye(message, now_s)
            case Rematch():
                # Who asks for another match has ended this one.
                self._peer_is_done = self._peer_is_done or self.match.over
            case _:
                assert_never(message)

    def _left_over(self, message: Message | OtherVersion) -> None:
        """From the handshake: only the joiner's last word may still want an answer."""
        if isinstance(message, Accept) and self._start is not None and message.session == self.id:
            self._send(self._start)

    def _of_another_match(self, message: InMatch, now_s: float) -> None:
        """Of another match, so it says nothing of this one: an older process with the same key may still be about.

        Of the match that this is the rematch of, a REMATCH asks for ours, which was lost; but not once the peer has
        begun this one, when it is only a late repeat: two would answer each other. A goodbye leaves this one too, which
        the peer had asked for.
        """
        before = self._before
        if self._heard or before is None or message.session != before.session:
            return
        if isinstance(message, Rematch) and now_s >= self.before_at_s:
            self.before_at_s = now_s + ANSWER_S
            self._send(before)
        elif isinstance(message, Bye) and message.farewell is not Farewell.OVER and not self.beat:
            self._end(Ended(self.beat, Ending.LEFT, other(self.seat), ""), None)

    def _contribution(self, message: Commit | Reveal, now_s: float) -> None:
        if message.seat == self.seat:
            raise RemoteFault(Fault.WRONG_SEAT)
        if self.frozen:
            return
        lockstep = self.lockstep
        before, beat = lockstep.open, lockstep.beat
        match message.beat - beat:
            case 1:
                lockstep.take(message)
                self._time(before, beat, now_s)
            case 0:
                lockstep.check_again(message)
            case 2 if before.stage is not Stage.IDLE and type(message) is Commit:
                raise MessageLost
            case ahead if ahead > 0:
                raise RemoteFault(Fault.WRONG_BEAT)
            case _:
                return  # an old repeat: it can change nothing any more

    def _time(self, before: OpenBeat, beat: int, now_s: float) -> None:
        """If the peer has just answered this side's COMMIT, or opened its own, notes how long that took."""
        now = self.lockstep.open.stage
        if before.stage is Stage.IDLE:
            if now is not Stage.IDLE:
                self.pace.asked(now_s)
            return
        crossed = before.stage is Stage.PROPOSED and now is Stage.CROSSED
        since_s = self.patience.open_s
        if since_s is not None and (crossed or self.lockstep.beat > beat):
            late = self.pace.answered(now_s - since_s, crossed, now_s)
            if late is not None:
                self._write(Slow(beat + 1, crossed, *late))

    def _watch_the_ping(self) -> None:
        """Writes down a ping that has grown out of proportion, once."""
        lagging = self.pace.starts_to_lag()
        if lagging is not None:
            self._write(Lagging(self.beat + 1, *lagging))
            self._notify(PingGrew(self.beat))

    def _reached(self, message: Ping | Pong) -> None:
        if not self.frozen:
            self.lockstep.check_reached(message.beat, message.proposed)

    def _resume(self, message: Resume, now_s: float) -> None:
        if message.seat != other(self.seat):
            raise RemoteFault(Fault.WRONG_SEAT)
        if not self.frozen or message.answers == self._resume_id:
            self._adopt(message, now_s)
        if message.resume_id is not None:
            self._send_resume(now_s, answers=message.resume_id)

    def _adopt(self, message: Resume, now_s: float) -> None:
        """Takes in the peer's state. A move that waits is offered before the peer's next COMMIT is looked at: what was
        discarded while frozen was never received, so neither knew of the other, whenever the key was pressed (C3).

        Otherwise a peer that stops the game after each beat, to go on with its next move, would have every beat to
        itself (C6).
        """
        before = self.lockstep.open, self.beat
        adopt_missing_beat(self.lockstep, message)
        self._time(*before, now_s)
        if self.frozen:
            self._unfreeze(before[1], now_s)
        check_open_beat(self.lockstep, message)
        before = self.lockstep.open, self.beat
        self._settle(now_s)
        if self.over:
            return  # there is no next beat
        adopt_open_beat(self.lockstep, message)
        self._time(*before, now_s)

    def _bye(self, message: Bye, now_s: float) -> None:
        match message.farewell:
            case Farewell.OVER:
                self._peer_is_over(message.beat)
            case Farewell.PAUSED:
                self._stalled(now_s)
                self._pause_of_the_peer(now_s)
            case Farewell.ABANDONED:
                true = self.admits(message.beat < self.beat, now_s)
                how, word = (Ending.CLAIMED, "") if true else (Ending.LEFT, FALSE_CLAIM)
                self._end(Ended(self.beat, how, other(self.seat), word), None)
            case Farewell.VIOLATION:
                self._end(Ended(self.beat, Ending.ACCUSED, other(self.seat), message.word), None)
            case Farewell.LOST_RECORDS:
                self._end(Ended(self.beat, Ending.LOST_RECORDS, other(self.seat), ""), None)
            case _:
                assert_never(message.farewell)

    def _pause_of_the_peer(self, now_s: float) -> None:
        if self.ended is None:
            self._freeze(other(self.seat), now_s)
            self._lose(now_s, on_purpose=True)

    def _peer_is_over(self, beat: int) -> None:
        if self.match.result is not None and beat == self.beat:
            self._peer_is_done = True
        elif self.frozen:
            return
        elif beat == self.beat + 1 and self.lockstep.open.stage is not Stage.IDLE:
            raise MessageLost
        else:
            raise RemoteFault(Fault.WRONG_BEAT)

    @property
    def _owes(self) -> bool:
        """Whether this side alone has something to do."""
        return owed_by(self.match) == self.seat

    # What follows from it.

    def _settle(self, now_s: float) -> None:
        """After every input: tells what was completed, and offers the waiting move."""
        lockstep, patience = self.lockstep, self.patience
        if lockstep.completed:
            self.notices += lockstep.completed
            lockstep.completed = ()
            patience.progressed(now_s)
            self.alibi.progressed(owed_by(lockstep.match) == self.seat, now_s)
            self.pace.beat()
            if self.accounts.mine.unwritten_s or self.accounts.theirs.unwritten_s:
                self._write_waits()
        stage, is_decided = lockstep.open.stage, lockstep.match.result is not None
        if stage in OPENED:
            self.alibi.opened(now_s)
        if patience.open_s is None and stage is not Stage.IDLE:
            patience.open_s = now_s
        if is_decided and self.ended is None:
            self._take_leave(now_s)
        if self.waiting is not None and not self.frozen and self.ended is None:
            self._offer_waiting(now_s)
        if is_decided:
            self._look_ahead(now_s)

    def _offer_waiting(self, now_s: float) -> None:
        if self.lockstep.open.stage is Stage.IDLE and self.waiting is not None:
            move, self.waiting = self.waiting, None
            if isinstance(move, Play) and self.match.game is not None:
                move = aimed(self.match.game, move)
            self._propose(move, now_s, waited=True)

    def _propose(self, move: Move, now_s: float, waited: bool) -> None:
        if self.lockstep.propose(move):
            self.patience.open_s = now_s
            self.pace.asked(now_s)
            self._notify(MoveProposed(move))
        else:
            self._notify(NotLegal(move, waited))

    def _take_leave(self, now_s: float) -> None:
        if self.farewell_at_s is None:
            self.patience.over_s = now_s
            self._say_over(now_s)
        if self._peer_is_done or self.patience.has_waited_enough(now_s):
            self._end(Ended(self.beat, Ending.OVER, None, ""), None)

    def _say_over(self, now_s: float) -> None:
        self.farewell_at_s = now_s + FAREWELL_EVERY_S
        self._send(self._over())

    def _over(self) -> Bye:
        return Bye(self.id, self.beat, Farewell.OVER, "")

    # Resynchronisation.

    def _resynchronise(self, whose: Seat | None, now_s: float) -> None:
        if self.ended is not None:
            return
        self._freeze(whose, now_s)
        self._send_resume(now_s, answers=None)

    def _freeze(self, whose: Seat | None, now_s: float) -> None:
        """`whose` stop it is, if that can be told; freezing anew changes nothing of it."""
        if not self.frozen and not self.match.over:
            self.stops.begin(self.beat + 1, whose, now_s)
        self.frozen = True
        self._resume_id = self.entropy(RESUME_ID_BYTES)
        self.resume_at_s = now_s + RESUME_EVERY_S

    def _stalled(self, now_s: float) -> None:
        """Something that the peer said stops the game. Often enough, that is a way to keep this side from playing.

        A link that breaks is bounded by nothing: no side can tell whose doing it is, and bad Wi-Fi must lose no match.
        """
        if self.pace.stalls(now_s) and self.ended is None:
            self._end_by_fault(Fault.STALLING)

    def _unfreeze(self, beat: int, now_s: float) -> None:
        """`beat` is where this side was: what the peer has just given back is told after `PeerBack`."""
        self.frozen = False
        self._resume_id = None
        self._write_waits()
        if self.patience.unfroze(now_s):
            self._notify(PeerBack(beat))
        stop = self.stops.end(now_s)
        if stop is not None:
            self._write(stop)
            self._notify(StopEnded(stop))

    def _who_keeps_waiting(self) -> Seat | None:
        """Whose doing it is that the open beat stays open. If the peer has answered a PING that left after this side's
        part in it, then that has arrived too, and the peer keeps its own back; else the link may be to blame.
        """
        opened_s, answered_s = self.patience.open_s, self.pace.answered_s
        there = opened_s is not None and answered_s is not None and answered_s > opened_s
        return other(self.seat) if there else None

    def _send_resume(self, now_s: float, answers: bytes | None) -> None:
        self._send(state_of(self.lockstep, self._resume_id, answers))
        # An answer doesn't put off the next question: a peer that only asks would never be found lost.
        if answers is None:
            self.resume_at_s = now_s + RESUME_EVERY_S

    def _lose(self, now_s: float, on_purpose: bool) -> None:
        if self.patience.lost_s is None and self.match.result is None:
            self.patience.lost_s = now_s
            self._notify(PeerLost(self.beat, on_purpose))

    # How long who waited.

    @property
    def games(self) -> int:
        """So many were dealt."""
        return 0 if self.match.game is None else self.match.game.number

    def waits(self) -> Waits:
        """Since when this side waits for the peer."""
        return self.patience.waits(owed_by(self.match) == other(self.seat))

    def _pass(self, now_s: float) -> None:
        """Before anything else at this moment: what was waited for until now is counted."""
        self.alibi.awake(now_s)
        if now_s < self.accounts.due_s or self.over:
            return
        if self.accounts.count(self.waits(), self.alibi.waits(False), self.games, now_s):
            self.patience.woke(now_s)

    def admits(self, behind: bool, now_s: float) -> bool:
        """Whether a claim of the peer's may be true: by the length of one wait, or by the sum of all.

        `behind`: the peer lacks the last beat, so it may have waited for that, and not know of its deal.
        """
        waits, games = self.alibi.waits(behind), self.games - behind
        return self.alibi.admits(behind, now_s) or self.accounts.mine.is_spent(
            waits, max(0, games), now_s
        )

    def _write_waits(self) -> None:
        """What a wait that is over has cost."""
        for spent in self.accounts.take_spent(self.beat, self.seat):
            self._write(spent)

    # The end.

    def _end_by_fault(self, fault: Fault) -> None:
        self._end(
            Ended(self.beat, Ending.VIOLATION, other(self.seat), fault.value), Farewell.VIOLATION
        )

    def _end(self, ended: Ended, farewell: Farewell | None) -> None:
        """Nothing that a peer says or does after a match is decided changes how it ended."""
        if self.match.over:
            ended, farewell = Ended(self.beat, Ending.OVER, None, ""), None
        self._write_waits()
        self.ended = ended
        self.waiting = None
        self.lockstep.emit(Write(ended, durable=True))
        if farewell is not None:
            self.farewell = Bye(self.id, self.beat, farewell, ended.word)
            self._send(self.farewell)
        self._notify(Finished(ended, self.lockstep.forfeited(ended)))

    # Afterwards.

    @property
    def _is_over(self) -> bool:
        """Whether the session has ended with the match's result."""
        return self.ended is not None and self.match.over

    def _hear_afterwards(self, frame: bytes, now_s: float) -> None:
        """A peer that comes back to a match that has ended here is told so again, and gets what it lacks of it."""
        try:
            message = decode(frame)
        except Malformed:
            return
        self.talk.take(message)
        if type(message) is Resume and message.session == self.id:
            if self.farewell is not None:
                self._send(self.farewell)
            elif self._is_over:
                self._give_last_beat(message)
        self._look_ahead(now_s)

    def _give_last_beat(self, asked: Resume) -> None:
        if asked.resume_id is not None:
            self._send(state_of(self.lockstep, None, asked.resume_id))
        self._send(self._over())

    def _look_ahead(self, now_s: float) -> None:
        """Once the match is decided: says that this side wants another, if so; tells what has become of that."""
        if not self.match.over:
            return
        message = self.talk.due(now_s) if self.ended is not None else None
        if message is not None:
            self._send(message)
        if self.talk.prospect is not self.prospect:
            self.prospect = self.talk.prospect
            self._notify(Ahead(self.prospect))

    def _write(self, record: Record) -> None:
        self.lockstep.emit(Write(record, durable=False))

    def _send(self, message: Message) -> None:
        self.lockstep.emit(Send(message))

    def _notify(self, notice: Notice) -> None:
        self.notices += (notice,)
