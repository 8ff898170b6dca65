"""Whether a record holds: derived anew from its bytes, with the first flaw named. Pure.

A record holds up to a beat, and it is finished or not; only a finished one that holds to its end is sound.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple, assert_never

from spitnet.core.state import Match
from spitnet.journal.file_format import CutShort, Damaged, Entry, NewerFormat
from spitnet.journal.replay import Broken, Replay
from spitnet.protocol.entries import Ended, Ending, Stop
from spitnet.protocol.notices import Completed


class RecordStatus(StrEnum):
    """What a record is worth."""

    HOLDS = "holds"
    CLAIMED = "claimed"
    LEFT = "left"
    STOPPED = "stopped"
    ACCUSED = "accused"
    LOST = "lost"
    UNFINISHED = "unfinished"
    BROKEN = "broken"
    NEWER = "newer"


class Verdict(NamedTuple):
    """`beat` is the last one that holds; `why` is the flaw's word, the violation's, or empty.

    HOLDS is a match played to its end; CLAIMED ended as abandoned on one side's word alone; LEFT is sound up to where the
    opponent went for good; STOPPED up to a violation of the opponent's, which `why` names; ACCUSED up to where the opponent
    says that this side broke the protocol; LOST up to where one side's record lacks what follows; UNFINISHED ends without
    an end. `why` says "claimed_by_opponent" where that claimed, "claim" where it left with a claim that isn't true, "own" where this
    side's record lacks something. `stops` are those of this side as far as it holds.
    """

    standing: RecordStatus
    beat: int
    why: str
    match: Match | None
    names: tuple[str, str] | None
    stops: tuple[Stop, ...] = ()

    @property
    def sound(self) -> bool:
        """A finished record that holds to its end."""
        return self.standing in (RecordStatus.HOLDS, RecordStatus.CLAIMED, RecordStatus.LEFT)


def verify(record: Iterable[Entry], tell: Callable[[Completed], None] | None = None) -> Verdict:
    """Judges the entries of a journal, which may end in what stopped the reading of them: they are taken one by one.

    `tell` is told of each beat that holds, before the next entry is taken.
    """
    entries = iter(record)
    try:
        replay = Replay(next(entries))
    except StopIteration:
        return _nothing(RecordStatus.BROKEN, "empty")
    except NewerFormat as newer:
        return _nothing(RecordStatus.NEWER, str(newer.found))
    except (Damaged, CutShort):
        return _nothing(RecordStatus.BROKEN, "damaged_entry")
    except Broken as broken:
        return _nothing(RecordStatus.BROKEN, broken.flaw.value)
    standing, why = _judge(replay, entries, tell)
    return Verdict(standing, replay.beat, why, replay.match, replay.names, replay.stops)


def _nothing(standing: RecordStatus, why: str) -> Verdict:
    return Verdict(standing, 0, why, None, None)


def _judge(
    replay: Replay, entries: Iterator[Entry], tell: Callable[[Completed], None] | None
) -> tuple[RecordStatus, str]:
    cut_short = False
    try:
        for entry in entries:
            beat = replay.take(entry)
            if beat is not None and tell is not None:
                tell(beat)
    except Broken as broken:
        return RecordStatus.BROKEN, broken.flaw.value
    except Damaged:
        return RecordStatus.BROKEN, "damaged_entry"
    except CutShort:
        cut_short = True
    ended = replay.ended
    if ended is None:
        return RecordStatus.UNFINISHED, "cut_short" if cut_short else ""
    if cut_short:
        return RecordStatus.BROKEN, "after_the_end"
    return _end(ended)


def _end(ended: Ended) -> tuple[RecordStatus, str]:
    """What a record is worth that holds to this end."""
    match ended.how:
        case Ending.OVER:
            return RecordStatus.HOLDS, ""
        case Ending.ABANDONED:
            return RecordStatus.CLAIMED, ""
        case Ending.CLAIMED:
            return RecordStatus.CLAIMED, "claimed_by_opponent"
        case Ending.LEFT:
            return RecordStatus.LEFT, ended.word
        case Ending.LOST_RECORDS:
            return RecordStatus.LOST, "" if ended.by is not None else "own"
        case Ending.ACCUSED:
            return RecordStatus.ACCUSED, ended.word
        case Ending.VIOLATION:
            return RecordStatus.STOPPED, ended.word
        case _:
            assert_never(ended.how)
