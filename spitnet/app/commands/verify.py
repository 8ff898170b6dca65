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
    """The verdict in words, one line."""
    match verdict.standing:
        case RecordStatus.HOLDS:
            return _("the record holds: {result}").format(result=_result(verdict))
        case RecordStatus.CLAIMED if verdict.why:
            text = _("the record holds up to beat {beat}, where the opponent claimed the match")
        case RecordStatus.CLAIMED:
            text = _(
                "the record holds up to beat {beat}, where this side claimed the match, "
                "on its word alone"
            )
        case RecordStatus.STOPPED:
            text = _("the record holds up to beat {beat}, where the match was stopped: {why}")
        case RecordStatus.ACCUSED:
            text = _(
                "the record holds up to beat {beat}, where the opponent stopped the match, "
                "saying that this side broke the protocol: {why}"
            )
        case RecordStatus.UNFINISHED:
            text = _("the record is unfinished: it holds up to beat {beat}, then ends")
        case RecordStatus.NEWER:
            text = _("the record was written by a newer spitnet (format {why})")
        case _ if verdict.match is None and verdict.why == "damaged_entry":
            text = _("this is not a spitnet record")
        case _:
            text = _("the record is broken: it holds up to beat {beat}, then: {why}")
    why = verdict.why if verdict.standing is RecordStatus.NEWER else flaws.said(verdict.why)
    return text.format(beat=verdict.beat, why=why)


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
