"""`spitnet verify`: one line that says whether a record holds and, if not, at which beat and why; then how often the game stopped."""

from spitnet.app.options import VerifyOptions
from spitnet.exits import ExitCode
from spitnet.journal.store import stream
from spitnet.journal.verify import RecordStatus, Verdict, verify
from spitnet.language import gettext as _
from spitnet.language import ngettext
from spitnet.net.names import shown_name
from spitnet.ui.words import flaws, stops_in_all


def run(options: VerifyOptions) -> int:
    """The exit code."""
    verdict = verify(stream(options.file))
    print(sentence(verdict))
    if verdict.stops:
        seconds = sum(stop.lasted_ms for stop in verdict.stops) / 1000
        print(stops_in_all(len(verdict.stops), seconds))
    return ExitCode.DONE if verdict.sound else ExitCode.VIOLATION


def sentence(verdict: Verdict) -> str:
    """The verdict in words, one line: how far the record holds, what ended the match, who has won it."""
    if verdict.standing is RecordStatus.HOLDS:
        return _("the record holds: {result}").format(result=_result(verdict))
    why = verdict.why if verdict.standing is RecordStatus.NEWER else flaws.said(verdict.why)
    text = (_ended_early(verdict) or _not_whole(verdict)).format(beat=verdict.beat, why=why)
    winner = _winner(verdict)
    if winner is None:
        return text
    return _("{verdict}; the match goes to {name}").format(verdict=text, name=shown_name(winner))


def _winner(verdict: Verdict) -> str | None:
    """Who has won a match that ended before its time; None if nobody has."""
    match, names = verdict.match, verdict.names
    if match is None or names is None or match.result is None or not _ended_early(verdict):
        return None
    return None if match.result.winner is None else names[match.result.winner]


def _ended_early(verdict: Verdict) -> str:
    """Where a match ended before its time, and by whose doing; empty if it didn't."""
    match verdict.standing:
        case RecordStatus.CLAIMED if verdict.why:
            return _("the record holds up to beat {beat}, where the opponent claimed the match")
        case RecordStatus.CLAIMED:
            return _(
                "the record holds up to beat {beat}, where this side claimed the match, "
                "on its word alone"
            )
        case RecordStatus.LEFT if verdict.why:
            return _(
                "the record holds up to beat {beat}, where the opponent left, "
                "claiming the match though this side was there"
            )
        case RecordStatus.LEFT:
            return _("the record holds up to beat {beat}, where the opponent left")
        case RecordStatus.LOST if verdict.why:
            return _(
                "the record holds up to beat {beat}, where the match can't go on: "
                "the end of this record is lost, as the opponent's shows"
            )
        case RecordStatus.LOST:
            return _(
                "the record holds up to beat {beat}, where the match can't go on: "
                "the opponent says that the end of its record is lost"
            )
        case RecordStatus.STOPPED:
            return _(
                "the record holds up to beat {beat}, where the match was stopped, "
                "since the opponent broke the protocol: {why}"
            )
        case RecordStatus.ACCUSED:
            return _(
                "the record holds up to beat {beat}, where the opponent stopped the match, "
                "saying that this side broke the protocol: {why}"
            )
        case _:
            return ""


def _not_whole(verdict: Verdict) -> str:
    """What is wrong with a record that doesn't hold to an end."""
    match verdict.standing:
        case RecordStatus.UNFINISHED:
            return _("the record is unfinished: it holds up to beat {beat}, then ends")
        case RecordStatus.NEWER:
            return _("the record was written by a newer spitnet (format {why})")
        case _ if verdict.match is None and verdict.why == "damaged_entry":
            return _("this is not a spitnet record")
        case _:
            return _("the record is broken: it holds up to beat {beat}, then: {why}")


def _result(verdict: Verdict) -> str:
    match, names = verdict.match, verdict.names
    if match is None or names is None:
        raise ValueError("a record that holds has a match and names")
    beats = ngettext("{count} beat", "{count} beats", verdict.beat).format(count=verdict.beat)
    score = _("{host} {wins}:{losses} {joiner}, {draws} drawn, {beats}")
    return score.format(
        host=shown_name(names[0]),
        wins=match.wins[0],
        losses=match.wins[1],
        joiner=shown_name(names[1]),
        draws=match.draws,
        beats=beats,
    )
