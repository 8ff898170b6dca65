"""What a player reads where a match was stopped: one sentence for each thing that the other program did wrong.

What belongs here: those sentences, short enough for a line in any language. What must not: how else a match ends
(words.py).
"""

from spitnet.language import gettext as _
from spitnet.protocol.faults import Fault


def stopped(word: str) -> str:
    """Why the match was stopped; also for a word that this version doesn't know."""
    text = _sentences().get(word)
    return _("The match was stopped: {word}.").format(word=word) if text is None else text


def _sentences() -> dict[str, str]:
    return {
        Fault.MALFORMED: _("Stopped: the other program sent nonsense."),
        Fault.WRONG_SEAT: _("Stopped: the other program spoke in your name."),
        Fault.WRONG_BEAT: _("Stopped: the other program was ahead of the game."),
        Fault.WRONG_CHAIN: _("Stopped: the other program plays another game."),
        Fault.DESYNC: _("Stopped: the two tables are not the same."),
        Fault.COPIED_COMMITMENT: _("Stopped: the other program copied your sealed move."),
        Fault.SECOND_COMMITMENT: _("Stopped: the other program sealed a move twice."),
        Fault.SECOND_OPENING: _("Stopped: the other program showed a move in two ways."),
        Fault.WRONG_OPENING: _("Stopped: the other program changed a sealed move."),
        Fault.ILLEGAL_MOVE: _("Stopped: the other program broke the rules of Spit."),
        Fault.MOVE_IN_PASS: _("Stopped: the other program hid a move in a pass."),
        Fault.UNASKED_OPENING: _("Stopped: the other program showed a move never sealed."),
        Fault.INVENTED_PAST: _("Stopped: the other program made up a move."),
        Fault.FLOOD: _("Stopped: the other program sent far too much."),
        Fault.STALLING: _("Stopped: the other program held up the game too often."),
    }
