"""Whether a record holds: derived anew from its bytes, with the first flaw named. Pure.

A record holds up to a beat, and it is finished or not; only a finished one that holds to its end is sound.
"""

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from spitnet.core.state import Match
from spitnet.journal.records import CutShort, Damaged, Entry, NewerFormat
from spitnet.journal.replay import Beat, Broken, Replay


class Standing(StrEnum):
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
    says that this side broke the protocol; UNFINISHED ends without an end.
    """

    standing: Standing
    beat: int
    why: str
    match: Match | None
    names: tuple[str, str] | None

    @property
    def sound(self) -> bool:
        """A finished record that holds to its end."""
        return self.standing in (Standing.HOLDS, Standing.CLAIMED)


def verify(record: Iterable[Entry], tell: Callable[[Beat], None] | None = None) -> Verdict:
    """Judges the entries of a journal, which may end in what stopped the reading of them: they are taken one by one.

    `tell` is told of each beat that holds, before the next entry is taken.
    """
    entries = iter(record)
    try:
        replay = Replay(next(entries))
    except StopIteration:
        return _nothing(Standing.BROKEN, "empty")
    except NewerFormat as newer:
        return _nothing(Standing.NEWER, str(newer.found))
    except (Damaged, CutShort):
        return _nothing(Standing.BROKEN, "damaged_entry")
    except Broken as broken:
        return _nothing(Standing.BROKEN, broken.flaw.value)
    standing, why = _judge(replay, entries, tell)
    return Verdict(standing, replay.beat, why, replay.match, replay.names)


def _nothing(standing: Standing, why: str) -> Verdict:
    return Verdict(standing, 0, why, None, None)


def _judge(
    replay: Replay, entries: Iterator[Entry], tell: Callable[[Beat], None] | None
) -> tuple[Standing, str]:
    cut_short = False
    try:
        for entry in entries:
            beat = replay.take(entry)
            if beat is not None and tell is not None:
                tell(beat)
    except Broken as broken:
        return Standing.BROKEN, broken.flaw.value
    except Damaged:
        return Standing.BROKEN, "damaged_entry"
    except CutShort:
        cut_short = True
    ended = replay.ended
    if ended is None:
        return Standing.UNFINISHED, "cut_short" if cut_short else ""
    if cut_short:
        return Standing.BROKEN, "after_the_end"
    match ended.how:
        case "over":
            return Standing.HOLDS, ""
        case "abandoned":
            return Standing.CLAIMED, ""
        case "claimed":
            return Standing.CLAIMED, "claimed_by_opponent"
        case "accused":
            return Standing.ACCUSED, ended.word
        case _:
            return Standing.STOPPED, ended.word or ended.how
