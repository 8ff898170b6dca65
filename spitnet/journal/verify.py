"""Whether a record holds: derived anew from its bytes, with the first flaw named. Pure.

A record holds up to a beat, and it is finished or not; only a finished one that holds to its end is sound.
"""

from enum import StrEnum
from typing import NamedTuple

from spitnet.core.state import Match
from spitnet.journal.records import CutShort, Damaged, Entry, NewerFormat
from spitnet.journal.replay import Broken, Replay


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


def verify(found: list[Entry], trouble: Damaged | CutShort | NewerFormat | None) -> Verdict:
    """Judges the entries of a journal, and what stopped the reading of them, if anything did."""
    if isinstance(trouble, NewerFormat):
        return Verdict(Standing.NEWER, 0, str(trouble.found), None, None)
    if not found:
        word = "empty" if trouble is None else "damaged_entry"
        return Verdict(Standing.BROKEN, 0, word, None, None)
    try:
        replay = Replay(found[0])
    except Broken as broken:
        return Verdict(Standing.BROKEN, broken.beat, broken.flaw.value, None, None)
    standing, why = _judge(replay, found[1:], trouble)
    return Verdict(standing, replay.beat, why, replay.match, replay.names)


def _judge(
    replay: Replay, found: list[Entry], trouble: Damaged | CutShort | None
) -> tuple[Standing, str]:
    try:
        for entry in found:
            replay.take(entry)
    except Broken as broken:
        return Standing.BROKEN, broken.flaw.value
    if isinstance(trouble, Damaged):
        return Standing.BROKEN, "damaged_entry"
    ended = replay.ended
    if trouble is not None and ended is not None:
        return Standing.BROKEN, "after_the_end"
    if ended is None:
        return Standing.UNFINISHED, "" if trouble is None else "cut_short"
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
