"""Everything that can be wrong with a record or a message has words of its own, wherever a person reads of it."""

import pytest

from spitnet.app.commands.verify import sentence
from spitnet.core.state import Settings, new_match
from spitnet.journal.replay import Flaw
from spitnet.journal.verify import RecordStatus, Verdict
from spitnet.protocol.faults import Fault
from spitnet.ui.words.flaws import named, said

WORDS = sorted({*Flaw, *Fault, "empty", "damaged_entry", "another_match", "not_watchable"})
ENDING = 40
"""Letters that the end of a sentence may have in English; on the smallest screen the whole has some 140."""


@pytest.mark.parametrize("word", WORDS)
def test_each_word_has_its_own_text(word: str) -> None:
    text = said(word)
    assert text != word
    assert "_" not in text
    assert len(text) <= ENDING
    assert [other for other in WORDS if said(other) == text] == [word]
    assert named(word) == f"{text} ({word})"


def test_a_word_of_a_newer_version_is_said_as_it_is() -> None:
    assert said("unheard_of") == named("unheard_of") == "unheard_of"


def test_no_reason_is_said_so_too() -> None:
    assert said("") == named("") == said("unnamed") == "no reason is given"
    assert named("unnamed") == "no reason is given (unnamed)"


@pytest.mark.parametrize(
    "standing", [RecordStatus.BROKEN, RecordStatus.STOPPED, RecordStatus.ACCUSED]
)
@pytest.mark.parametrize("word", WORDS)
def test_a_verdict_says_what_is_wrong(standing: RecordStatus, word: str) -> None:
    verdict = Verdict(standing, 7, word, new_match(Settings()), ("Ana", "Bram"))
    assert sentence(verdict).endswith(f": {said(word)}")


def test_a_format_is_no_flaw() -> None:
    verdict = Verdict(RecordStatus.NEWER, 0, "99", None, None)
    assert sentence(verdict).endswith("(format 99)")
