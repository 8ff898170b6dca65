"""What was wrong with a record, or with what a program sent: in words, for each word that programs read.

What belongs here: one short end of a sentence for each, true whoever reads it, a stranger to the match too. What must not:
the sentences that they end, and what a player reads at the table, who was there (stopped).
"""

from spitnet.journal.replay import Flaw
from spitnet.language import gettext as _
from spitnet.protocol.faults import Fault


def said(word: str) -> str:
    """The end of a sentence; the word itself where this version doesn't know it."""
    return _texts().get(word, word)


def named(word: str) -> str:
    """The same with the word behind it, by which it is found again in logs and by programs."""
    text = _texts().get(word)
    return word if text is None else f"{text} ({word})" if word else text


def _texts() -> dict[str, str]:
    return {
        Flaw.NO_OPENING_ENTRY: _("its beginning is missing"),
        Flaw.BAD_GREETING: _("the greetings make no sense"),
        Flaw.OTHER_PROTOCOL: _("it is from another version of the game"),
        Flaw.WRONG_BEAT: _("a beat is not the next one"),
        Flaw.OUT_OF_ORDER: _("something is missing or out of order"),
        Flaw.MALFORMED_MOVE: _("a move makes no sense"),
        Flaw.ILLEGAL_MOVE: _("a move breaks the rules of Spit"),
        Flaw.CHANGED_OPENING: _("a move is recorded in two ways"),
        Flaw.WRONG_OPENING: _("a sealed move was changed"),
        Flaw.MOVE_IN_PASS: _("a move is hidden in a pass"),
        Flaw.EMPTY_BEAT: _("nobody moves in a beat"),
        Flaw.WRONG_END: _("the end doesn’t follow from the game"),
        Flaw.AFTER_THE_END: _("it goes on after its end"),
        Fault.MALFORMED: _("what was sent makes no sense"),
        Fault.WRONG_SEAT: _("one side spoke for the other"),
        Fault.WRONG_CHAIN: _("what was sent is from another game"),
        Fault.DESYNC: _("the two tables are not the same"),
        Fault.COPIED_COMMITMENT: _("a sealed move was copied"),
        Fault.SECOND_COMMITMENT: _("a move was sealed twice"),
        Fault.SECOND_OPENING: _("a move was shown in two ways"),
        Fault.UNASKED_OPENING: _("a move was shown but never sealed"),
        Fault.INVENTED_PAST: _("a move was made up"),
        Fault.FLOOD: _("far too much was sent"),
        Fault.STALLING: _("the game was held up too often"),
        "empty": _("there is nothing in it"),
        "damaged_entry": _("an entry is damaged"),
        "another_match": _("it is another match"),
        "not_watchable": _("the match may not be watched"),
        "unnamed": _("no reason is given"),
        "": _("no reason is given"),
    }
