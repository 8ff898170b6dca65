"""A record played again from its entries alone, with every commitment, coin, card and rule derived anew.

The path here is its own: it shares the hashes and the rules with the game, and nothing of the session or the
lockstep that wrote the record. What must not be here: files, text for people.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import assert_never

from spitnet.core.beat import apply_beat
from spitnet.core.cards import Seat, other
from spitnet.core.draw import Randomness
from spitnet.core.legality import legal
from spitnet.core.moves import Move
from spitnet.core.state import new_match
from spitnet.journal.file_format import Entry, Opened
from spitnet.protocol import VERSION
from spitnet.protocol.binding import Opening, commitment, next_chain, state_digest
from spitnet.protocol.entries import (
    FALSE_CLAIM,
    Answered,
    Done,
    Ended,
    Ending,
    Lagging,
    Proposed,
    Record,
    Slow,
    Stop,
    Waited,
)
from spitnet.protocol.messages import Hello, Malformed, Welcome, decode
from spitnet.protocol.move_codec import PASS, MalformedMove, decode_move
from spitnet.protocol.notices import Completed, early_end

BESIDE = (Slow, Stop, Lagging, Waited)
"""What tells of the peer's pace beside the match: of the open beat or of the last one."""
BLAMING = (Ending.VIOLATION, Ending.ACCUSED)
"""Those that name what was wrong."""
FORMAT_OF_FORFEITS = 3
"""Before it, a match that a violation or lost records ended was nobody's."""


class Flaw(StrEnum):
    """What a record got wrong."""

    NO_OPENING_ENTRY = "no_opening_entry"
    BAD_GREETING = "bad_greeting"
    OTHER_PROTOCOL = "other_protocol"
    WRONG_BEAT = "wrong_beat"
    OUT_OF_ORDER = "out_of_order"
    MALFORMED_MOVE = "malformed_move"
    ILLEGAL_MOVE = "illegal_move"
    CHANGED_OPENING = "changed_opening"
    WRONG_OPENING = "wrong_opening"
    MOVE_IN_PASS = "move_in_pass"
    EMPTY_BEAT = "empty_beat"
    WRONG_END = "wrong_end"
    AFTER_THE_END = "after_the_end"


class Broken(Exception):
    """The record contradicts itself or the rules, in the entry that tells of this beat."""

    def __init__(self, flaw: Flaw, beat: int) -> None:
        super().__init__(f"{flaw} at beat {beat}")
        self.flaw = flaw
        self.beat = beat


class Replay:
    """A match as far as the entries taken so far tell it."""

    def __init__(self, opened: Entry) -> None:
        """Raises Broken: the first entry is none, of another protocol, or its greetings don't parse."""
        if not isinstance(opened, Opened):
            raise Broken(Flaw.NO_OPENING_ENTRY, 0)
        if opened.protocol != VERSION:
            raise Broken(Flaw.OTHER_PROTOCOL, 0)
        hello, welcome = _greetings(opened)
        self.opened = opened
        self.seat: Seat = opened.seat
        self.names = (welcome.name, hello.name)
        self.session = opened.session
        self.match = new_match(welcome.settings)
        self.beat = 0
        self.ended: Ended | None = None
        self.late_crossings = 0
        self.slow_replies = 0
        self.stops: tuple[Stop, ...] = ()
        self.lagged = False
        self.spent_us = [0, 0]
        """Of each seat's time bank, as this side counted."""
        self._chain = self.session
        self._digest = state_digest(self.match)
        self._mine: Opening | None = None
        self._theirs: bytes | None = None

    def take(self, record: Entry) -> Completed | None:
        """One more entry; the beat that it completes, if it does.

        Raises:
            Broken: it doesn't follow from those before.
        """
        if self.ended is not None:
            raise Broken(Flaw.AFTER_THE_END, self.beat)
        if isinstance(record, Opened):
            raise Broken(Flaw.OUT_OF_ORDER, self.beat + 1)
        self._expect(record)
        match record:
            case Proposed():
                self._take_proposed(record)
            case Answered():
                self._take_answered(record)
            case Done():
                return self._take_done(record)
            case Slow():
                self.late_crossings += record.crossed
                self.slow_replies += not record.crossed
            case Stop():
                self.stops += (record,)
            case Lagging():
                self.lagged = True
            case Waited():
                self.spent_us[record.seat] += record.spent_us
            case Ended():
                return self._take_ended(record)
            case _:
                assert_never(record)
        return None

    def _expect(self, record: Record) -> None:
        behind = self.beat if isinstance(record, Ended) else self.beat + 1
        told_after = isinstance(record, BESIDE) and record.beat == self.beat
        follows = record.beat == behind or told_after
        self._require(follows, Flaw.WRONG_BEAT)

    def _take_proposed(self, record: Proposed) -> None:
        self._require(self._mine is None, Flaw.OUT_OF_ORDER)
        move = self._move(record.mine)
        lawful = move is not None and legal(self.match, self.seat, move)
        self._require(lawful, Flaw.ILLEGAL_MOVE)
        self._mine = record.mine

    def _take_answered(self, record: Answered) -> None:
        self._require(self._theirs is None, Flaw.OUT_OF_ORDER)
        if self._mine is None:
            self._require(record.mine.move == PASS, Flaw.MOVE_IN_PASS)
        else:
            self._require(record.mine == self._mine, Flaw.CHANGED_OPENING)
        self._mine, self._theirs = record.mine, record.theirs

    def _take_done(self, record: Done) -> Completed:
        mine, theirs = record.openings[self.seat], record.openings[other(self.seat)]
        self._require(self._mine is not None, Flaw.OUT_OF_ORDER)
        self._require(mine == self._mine, Flaw.CHANGED_OPENING)
        self._check_theirs(theirs)
        moves = (self._move(record.openings[0]), self._move(record.openings[1]))
        self._require(moves != (None, None), Flaw.EMPTY_BEAT)
        self.beat += 1
        self._chain = next_chain(self._chain, self.beat, record.openings)
        randomness = Randomness(self._chain)
        self.match, events = apply_beat(self.match, moves, randomness)
        self._digest = state_digest(self.match)
        self._mine, self._theirs = None, None
        return Completed(self.beat, moves, randomness, events, self.match, self._digest)

    def _check_theirs(self, opening: Opening) -> None:
        """The peer's opening is what its COMMIT bound it to, or the pass that needs none."""
        move = self._move(opening)
        if self._theirs is None:
            self._require(move is None, Flaw.MOVE_IN_PASS)
            return
        seat = other(self.seat)
        bound = commitment(self.session, self.beat + 1, seat, self._chain, self._digest, opening)
        self._require(bound == self._theirs, Flaw.WRONG_OPENING)
        lawful = move is not None and legal(self.match, seat, move)
        self._require(lawful, Flaw.ILLEGAL_MOVE)

    def _take_ended(self, record: Ended) -> Completed | None:
        played_out = self.match.result is not None
        self._require((record.how is Ending.OVER) is played_out, Flaw.WRONG_END)
        peer = other(self.seat)
        nobodys = record.by is None and record.how in (Ending.OVER, Ending.LOST_RECORDS)
        the_peers = record.by == peer and record.how is not Ending.OVER
        self._require(nobodys or the_peers, Flaw.WRONG_END)
        left = record.how is Ending.LEFT and record.word == FALSE_CLAIM
        self._require(not record.word or left or record.how in BLAMING, Flaw.WRONG_END)
        self.ended = record
        winner = self._winner(record)
        if winner is None:
            return None
        end = early_end(record, winner, self.match, self._chain)
        self.match, self._digest = end.match, end.digest
        return end

    def _winner(self, ended: Ended) -> Seat | None:
        """Who has won by an end before its time, as was held when the record was begun."""
        held = ended.is_claimed or self.opened.format >= FORMAT_OF_FORFEITS
        return ended.winner(self.seat) if held else None

    def _move(self, opening: Opening) -> Move | None:
        try:
            return decode_move(opening.move)
        except MalformedMove as error:
            raise Broken(Flaw.MALFORMED_MOVE, self.beat + 1) from error

    def _require(self, holds: bool, flaw: Flaw) -> None:
        if not holds:
            raise Broken(flaw, self.beat + 1)


def _greetings(opened: Opened) -> tuple[Hello, Welcome]:
    try:
        hello, welcome = decode(opened.origin.hello), decode(opened.origin.welcome)
    except Malformed as error:
        raise Broken(Flaw.BAD_GREETING, 0) from error
    if not isinstance(hello, Hello) or not isinstance(welcome, Welcome):
        raise Broken(Flaw.BAD_GREETING, 0)
    return hello, welcome


def replayed(record: Iterable[Entry]) -> Iterator[Completed]:
    """Every beat of a record, in order.

    Raises:
        Broken: at the entry that doesn't follow; the beats before it hold.
    """
    stream = iter(record)
    first = next(stream, None)
    if first is None:
        raise Broken(Flaw.NO_OPENING_ENTRY, 0)
    replay = Replay(first)
    for entry in stream:
        beat = replay.take(entry)
        if beat is not None:
            yield beat
