"""Whether a record holds: derived anew from its bytes, with the first flaw named. Pure.

A record holds up to a beat, and it is finished or not; only a finished one that holds to its end is sound.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from spitnet.core.state import Match
from spitnet.journal.file_format import CutShort, Damaged, Entry, NewerFormat
from spitnet.journal.replay import Broken, Replay, ReplayedBeat
from spitnet.protocol.entries import Stop


class RecordStatus(StrEnum):
    """What a record is worth."""

    HOLDS = "holds"
    CLAIMED = "claimed"
    STOPPED = "stopped"
    ACCUSED = "accused"
    UNFINISHED = "unfinished"
    BROKEN = "broken"
    NEWER = "newer"


class Verdict(NamedTuple):
    """`beat` is the last one that holds; `why` is the flaw's word, the violation's, or empty.

    HOLDS is a match played to its end; CLAIMED ended as abandoned on one side's word alone; STOPPED is
    sound up to a violation of the opponent's or to lost records, which `why` names; ACCUSED up to where the opponent
    says that this side broke the protocol; UNFINISHED ends without an end. `stops` are those of this side as far as it holds.
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
        return self.standing in (RecordStatus.HOLDS, RecordStatus.CLAIMED)


def verify(record: Iterable[Entry], tell: Callable[[ReplayedBeat], None] | None = None) -> Verdict:
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
    replay: Replay, entries: Iterator[Entry], tell: Callable[[ReplayedBeat], None] | None
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
    match ended.how:
        case "over":
            return RecordStatus.HOLDS, ""
        case "abandoned":
            return RecordStatus.CLAIMED, ""
        case "claimed":
            return RecordStatus.CLAIMED, "claimed_by_opponent"
        case "accused":
            return RecordStatus.ACCUSED, ended.word
        case _:
            return RecordStatus.STOPPED, ended.word or ended.how
