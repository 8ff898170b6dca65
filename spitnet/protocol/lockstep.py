"""One seat's side of the lockstep: the open beat, and the chain of those before it.

What belongs here: which contribution may be made or taken when, and what must be written before what is
sent. What must not: time, resynchronisation, farewells (session.py), the game's rules (core).

    stage      own proposal    the peer's COMMIT    the peer's REVEAL
    IDLE       PROPOSED        PASSED               a fault
    PROPOSED   -               CROSSED              a pass completes; a move: its COMMIT was lost
    PASSED     -               -                    completes
    CROSSED    -               -                    completes

A repeat of what is already held is ignored at every stage; anything else for the same beat is a fault.
Source: WIRE.md, section 10.
"""

from enum import Enum, auto
from typing import Final, TypeAlias

from msgspec import Struct

from spitnet.core.beat import apply_beat
from spitnet.core.cards import Seat, other
from spitnet.core.draw import Randomness
from spitnet.core.legality import legal
from spitnet.core.moves import Move, Moves
from spitnet.core.state import Settings, new_match
from spitnet.protocol.binding import Opening, commitment, next_chain, state_digest
from spitnet.protocol.entries import (
    Answered,
    Done,
    Ended,
    Lagging,
    Proposed,
    Record,
    Slow,
    Stop,
    Waited,
)
from spitnet.protocol.faults import Fault, LocalError, MessageLost, RemoteFault
from spitnet.protocol.fields import NONCE_BYTES, Entropy
from spitnet.protocol.messages import Commit, Message, Reveal
from spitnet.protocol.move_codec import PASS, MalformedMove, decode_move, encode_move
from spitnet.protocol.notices import Completed, early_end


class Write(Struct, frozen=True):
    """Append this record to the journal; `durable` ones reach the disk before the next effect."""

    record: Record
    durable: bool


class Send(Struct, frozen=True):
    message: Message


Effect: TypeAlias = Write | Send
"""What must be done, in the order given, before anything else is."""


class Stage(Enum):
    """How far the open beat has come on this side."""

    IDLE = auto()
    PROPOSED = auto()
    PASSED = auto()
    CROSSED = auto()


OPENED: Final = (Stage.PASSED, Stage.CROSSED)
"""When this side's part in the open beat is known to the peer, or on its way."""


class OpenBeat(Struct, frozen=True):
    """The contributions to the open beat that this side has made or seen; `move` is what `mine` says."""

    stage: Stage = Stage.IDLE
    move: Move | None = None
    mine: Opening | None = None
    commit: bytes | None = None
    theirs: bytes | None = None


class Past(Struct, frozen=True):
    """The last complete beat: what came before it, and both sides of it."""

    chain: bytes
    digest: bytes
    mine: Opening
    commit: bytes | None
    opening: Opening
    theirs: bytes | None


class Lockstep:
    """The beats of one session as one seat knows them.

    Every attribute is an immutable value, so that a shallow copy is a snapshot. Effects gather in
    `effects` and completed beats in `completed`, for the session to take.
    """

    def __init__(self, seat: Seat, session: bytes, settings: Settings, entropy: Entropy) -> None:
        self.seat, self.peer = seat, other(seat)
        self.session = session
        self.match = new_match(settings)
        self.beat = 0
        self.chain = session
        self.digest = state_digest(self.match)
        self.open = OpenBeat()
        self.past: Past | None = None
        self.may_have_lost = False
        self.effects: tuple[Effect, ...] = ()
        self.completed: tuple[Completed, ...] = ()
        self.entropy = entropy

    def propose(self, move: Move) -> bool:
        """Puts a move into the open beat, if it is legal: the moment that a proposal happens.

        Returns:
            Whether it is.

        Raises:
            LocalError: something is under way already.
        """
        if self.open.stage is not Stage.IDLE:
            raise LocalError(f"{move} can't be proposed now")
        if not legal(self.match, self.seat, move):
            return False
        mine = Opening(encode_move(move), self.entropy(NONCE_BYTES))
        self.open = OpenBeat(Stage.PROPOSED, move, mine, self._bind(self.seat, mine))
        self.emit(Write(Proposed(self.beat + 1, mine), durable=True), Send(self.my_commit()))
        return True

    def take_commit(self, theirs: bytes) -> None:
        """The peer's COMMIT of the open beat: answered at once, with a pass or with the proposal it crossed.

        Raises:
            RemoteFault: a copy of one's own, or another than before.
        """
        held = self.open
        if held.theirs == theirs:
            return
        if held.theirs is not None:
            raise RemoteFault(Fault.SECOND_COMMITMENT)
        if theirs == held.commit:
            raise RemoteFault(Fault.COPIED_COMMITMENT)
        mine = held.mine
        if mine is None:
            mine = Opening(PASS, self.entropy(NONCE_BYTES))
            self.open = OpenBeat(Stage.PASSED, None, mine, None, theirs)
        else:
            self.open = OpenBeat(Stage.CROSSED, held.move, mine, held.commit, theirs)
        answered = Write(Answered(self.beat + 1, theirs, mine), durable=True)
        self.emit(answered, Send(self.my_reveal()))

    def take_reveal(self, opening: Opening) -> None:
        """The peer's REVEAL of the open beat, which completes it.

        Raises:
            MessageLost: a move whose COMMIT never came.
            RemoteFault: not what was committed to, not legal at the beat's start, or not asked for.
        """
        stage, mine, theirs = self.open.stage, self.open.mine, self.open.theirs
        if mine is None:
            raise RemoteFault(Fault.UNASKED_OPENING)
        if theirs is None and opening.move != PASS:
            raise MessageLost
        if theirs is not None and self._bind(self.peer, opening) != theirs:
            raise RemoteFault(Fault.WRONG_OPENING)
        move = None if theirs is None else self._their_move(opening)
        my_move = self.open.move
        in_seat_order = (move, my_move) if self.seat else (my_move, move)
        openings = (opening, mine) if self.seat else (mine, opening)
        answer = (Send(self.my_reveal()),) if stage is Stage.PROPOSED else ()
        self._complete(in_seat_order, openings, opening)
        # Once a match is decided the peer may leave, so nobody could give back the last beat after a power cut.
        done = Write(Done(self.beat, openings), durable=self.match.result is not None)
        self.emit(done, *answer)

    def take(self, message: Commit | Reveal) -> None:
        """The peer's frame of the open beat.

        Raises:
            RemoteFault, MessageLost: as `take_commit` and `take_reveal`; or it stands on another past.
        """
        if message.chain != self.chain or message.digest != self.digest:
            self.check_head(message.chain, message.digest)
        if isinstance(message, Commit):
            self.take_commit(message.commitment)
        else:
            self.take_reveal(message.opening)

    def check_head(self, chain: bytes, digest: bytes) -> None:
        """The peer's chain and state after the last complete beat must be this side's (C1)."""
        if chain != self.chain:
            raise RemoteFault(Fault.WRONG_CHAIN)
        if digest != self.digest:
            raise RemoteFault(Fault.DESYNC)

    def check_again(self, message: Commit | Reveal) -> None:
        """A frame for the last complete beat: a repeat of what was held then, or a fault."""
        past = self.past
        if past is None or message.chain != past.chain:
            raise RemoteFault(Fault.WRONG_CHAIN)
        if isinstance(message, Commit):
            if message.commitment != past.theirs:
                raise RemoteFault(Fault.SECOND_COMMITMENT)
        elif message.opening != past.opening:
            raise RemoteFault(Fault.SECOND_OPENING)

    def check_reached(self, beat: int, proposed: bool) -> None:
        """The peer is in the beat after `beat`, and has `proposed` in it: did all of that arrive?

        Nothing may happen here that knows of a later frame but not of a lost earlier one (C3).

        Raises:
            MessageLost: a COMMIT or a REVEAL that was sent before never came.
            RemoteFault: it can't be where it says without this side's part in it.
        """
        if beat > self.beat + 1 or (beat > self.beat and self.open.stage is Stage.IDLE):
            raise RemoteFault(Fault.WRONG_BEAT)
        if beat > self.beat or (proposed and beat == self.beat and self.open.theirs is None):
            raise MessageLost

    def restore(self, record: Record) -> None:
        """Takes up one record of this side's own journal, in the journal's order."""
        match record:
            case Proposed(_, mine):
                move, commit = decode_move(mine.move), self._bind(self.seat, mine)
                self.open = OpenBeat(Stage.PROPOSED, move, mine, commit)
            case Answered(_, theirs, mine):
                passed = self.open.mine is None
                stage = Stage.PASSED if passed else Stage.CROSSED
                self.open = OpenBeat(stage, self.open.move, mine, self.open.commit, theirs)
            case Done(_, openings):
                opening = openings[self.peer]
                first, second = (decode_move(each.move) for each in openings)
                self._complete((first, second), openings, opening)
            case Slow() | Stop() | Lagging() | Waited() | Ended():
                pass

    @property
    def has_proposed(self) -> bool:
        """True while a COMMIT of this side's is out in the open beat."""
        return self.open.commit is not None

    @property
    def has_opened(self) -> bool:
        """True while this side's part in the open beat is known to the peer, or on its way."""
        return self.open.stage in OPENED

    def my_commit(self) -> Commit:
        if self.open.commit is None:
            raise LocalError("no proposal is under way")
        return Commit(
            self.session, self.beat + 1, self.seat, self.chain, self.digest, self.open.commit
        )

    def my_reveal(self) -> Reveal:
        if self.open.mine is None:
            raise LocalError("nothing to reveal")
        return Reveal(
            self.session, self.beat + 1, self.seat, self.chain, self.digest, self.open.mine
        )

    def _complete(
        self,
        moves: Moves,
        openings: tuple[Opening, Opening],
        opening: Opening,
    ) -> None:
        mine = openings[self.seat]
        self.past = Past(self.chain, self.digest, mine, self.open.commit, opening, self.open.theirs)
        self.beat += 1
        self.chain = next_chain(self.chain, self.beat, openings)
        randomness = Randomness(self.chain)
        self.match, events = apply_beat(self.match, moves, randomness)
        self.digest = state_digest(self.match)
        self.open = OpenBeat()
        done = Completed(self.beat, moves, randomness, events, self.match, self.digest)
        self.completed += (done,)

    def _their_move(self, opening: Opening) -> Move:
        try:
            move = decode_move(opening.move)
        except MalformedMove as error:
            raise RemoteFault(Fault.ILLEGAL_MOVE) from error
        if move is None or not legal(self.match, self.peer, move):
            raise RemoteFault(Fault.ILLEGAL_MOVE)
        return move

    def _bind(self, seat: Seat, opening: Opening) -> bytes:
        return commitment(self.session, self.beat + 1, seat, self.chain, self.digest, opening)

    def forfeited(self, ended: Ended) -> Completed | None:
        """What such an end comes of, if it is one before its time and this side knows who has won."""
        winner = ended.winner(self.seat)
        return None if winner is None else early_end(ended, winner, self.match, self.chain)

    def emit(self, *effects: Effect) -> None:
        """Appends to what must be done."""
        self.effects += effects
