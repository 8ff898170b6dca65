"""How looking on at a match ends: in words, and as exit codes.

What belongs here: every sentence about the host and its match that a watcher is told. What must not: when it is told.
"""

from typing import Final

from spitnet.app.spectate.client import Untrue, turned_away
from spitnet.exits import ExitCode, Failure, as_sentence
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.entries import Ended
from spitnet.protocol.messages import Rejection
from spitnet.ui.words import flaws

QUARRELS: Final = ("violation", "accused")


def ending(ended: Ended, names: tuple[str, str]) -> str:
    """How the match ended, as its host wrote it down."""
    match ended.how:
        case "over":
            text = _("The match is over. Every beat was checked here.")
        case "abandoned":
            text = _("{host} claimed the match, on their word alone: {joiner} didn’t come back.")
        case "claimed":
            text = _(
                "{joiner} claimed the match, on their word alone: nothing came from {host} for too long."
            )
        case "lost_records":
            text = _("The match can’t go on: the end of a record is lost.")
        case "violation":
            text = _(
                "{host}’s program stopped the match and says that {joiner}’s broke the rules: {word}."
            )
        case _:
            text = _(
                "{joiner}’s program stopped the match and says that {host}’s broke the rules: {word}."
            )
    host, joiner = (shown_name(name) for name in names)
    return text.format(host=host, joiner=joiner, word=flaws.said(ended.word))


def code_of(ended: Ended) -> int:
    """What looking on at a match that ended so comes to.

    Raises:
        Failure: it didn't come to a result.
    """
    if ended.how in ("over", "abandoned"):
        return ExitCode.DONE
    if ended.how in QUARRELS:
        message = _("the match was stopped for a violation: {word}")
        word = ended.word or "unnamed"
        raise Failure(ExitCode.VIOLATION, message.format(word=flaws.named(word)), word)
    raise Failure(ExitCode.OPPONENT_GONE, _("the match ended early"), ended.how)


def sentence(failure: Failure) -> str:
    """A failure as a sentence of its own."""
    return as_sentence(failure.message)


def away() -> str:
    """The host can’t be reached now."""
    return _("The host can’t be reached. Looking for it…")


def joiner_away(name: str) -> str:
    """The one at the other side can’t be reached by the host."""
    return _("{name} can’t be reached.").format(name=shown_name(name))


def back(name: str) -> str:
    """Whoever was away, host or joiner."""
    return _("{name} can be reached again.").format(name=shown_name(name))


def gone() -> Failure:
    """It couldn’t for too long."""
    return Failure(ExitCode.OPPONENT_GONE, _("the host is gone"), "host_gone")


def untrue(error: Untrue) -> Failure:
    """What the host sent doesn’t hold."""
    text = _("what the host sent is broken: it holds up to beat {beat}, then: {why}")
    message = text.format(beat=error.beat, why=flaws.named(error.why))
    return Failure(ExitCode.VIOLATION, message, error.why)


def not_allowed(table: Table) -> Failure:
    """The table that was asked for lets nobody look on, or none of this version."""
    if table.version != VERSION:
        return turned_away(Rejection.VERSION)
    text = _("the table “{name}” can’t be watched")
    return Failure(ExitCode.REFUSED, text.format(name=table.name), "not_watchable")


def nothing() -> Failure:
    """No table was found in time."""
    message = _(
        "no table found that may be watched. The host has to allow it: “spitnet host --watchable”; "
        "try “spitnet watch HOST:PORT” with the address that the host shows"
    )
    return Failure(ExitCode.NOBODY, message, "nobody")
