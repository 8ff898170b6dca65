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
    """How the match ended, as its host wrote it down, and who has won one that wasn't played out."""
    host, joiner = shown = tuple(shown_name(name) for name in names)
    word, name = flaws.said(ended.word), shown[ended.by or 0]
    why = _why(ended).format(host=host, joiner=joiner, name=name, word=word)
    winner = ended.winner(0)
    if winner is None:
        return why
    return f"{why} {_('{name} wins the match.').format(name=shown[winner])}"


def _why(ended: Ended) -> str:
    """`name` is by whose doing."""
    match ended.how:
        case "over":
            return _("The match is over. Every beat was checked here.")
        case "abandoned":
            return _("{host} claimed the match, on their word alone: {joiner} didn’t come back.")
        case "claimed":
            return _(
                "{joiner} claimed the match, on their word alone: nothing came from {host} for too long."
            )
        case "left" if ended.word:
            return _("{joiner} left, claiming the match though {host} was there.")
        case "left":
            return _("{name} left the match.")
        case "lost_records":
            return _("{name} has lost the end of the record.")
        case "violation":
            return _(
                "{host}’s program stopped the match and says that {joiner}’s broke the rules: {word}."
            )
        case _:
            return _(
                "{joiner}’s program stopped the match and says that {host}’s broke the rules: {word}."
            )


def code_of(ended: Ended) -> int:
    """What looking on at a match that ended so comes to.

    Raises:
        Failure: it didn't come to a result.
    """
    if ended.how in ("over", "abandoned", "left"):
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
