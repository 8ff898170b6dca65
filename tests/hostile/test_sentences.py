"""Why a match was stopped, for a person: a plain sentence for each violation, and on the screen of a real program."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from support.hostile import READY, Hostile, Kind, random
from support.hostile_ends import Context, JoinerEnd, new_keys
from support.hostile_matches import entries_of, free_port
from support.program import PROGRAM, variables

from spitnet.core.state import Settings, new_match
from spitnet.protocol.entries import Ended, Ending
from spitnet.protocol.faults import Fault
from spitnet.protocol.notices import Finished
from spitnet.ui import words
from spitnet.ui.pages.table_page import TablePage
from spitnet.ui.scene import TableScene
from spitnet.ui.words.stopped import stopped

NAMES = ("Ana", "Mallory")
ROOM = 57
"""Characters, so that a longer language still fits into a line of 80."""


def sentence(fault: Fault) -> str:
    """What the table says under the piles."""
    scene = TableScene(0, NAMES, new_match(Settings()), "1")
    return words.ended(replace(scene, ended=Ended(3, Ending.VIOLATION, 1, fault.value)))


@pytest.mark.parametrize("fault", Fault)
def test_every_violation_has_a_sentence_of_its_own(fault: Fault) -> None:
    """None is the word that travels, nor what is said of a word that this version doesn't know."""
    text = stopped(fault.value)
    assert text != stopped("unheard_of").replace("unheard_of", fault.value)
    assert [other for other in Fault if stopped(other.value) == text] == [fault]
    assert "_" not in text
    assert len(text) <= ROOM
    assert text.endswith(".")


def test_an_accusation_is_not_shown_as_the_opponents_doing() -> None:
    """Whoever is accused reads who says so, not that the other side did it."""
    page = TablePage(0, NAMES, new_match(Settings()), "1", 0.0)
    page.tell(Finished(Ended(3, Ending.ACCUSED, 1, Fault.FLOOD.value)), 1.0)
    text = words.ended(page.scene(1.0))
    assert "Mallory" in text
    assert text != sentence(Fault.FLOOD)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_reason_is_on_the_screen(context: Context, tmp_path: Path) -> None:
    """A person hosts, the opponent opens what it had not promised: the reason stands there until it was read; exit 6."""
    from support.terminals import Pty

    port = ("--interface", "lo", "--discovery-port", str(free_port()))
    command = (*PROGRAM, "host", "--name", "Ana", *port, "--journal", str(tmp_path / "journals"))
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    with Pty(command, env=env, cwd=tmp_path) as pty:
        pty.until(lambda: re.search(r"127\.0\.0\.1:(\d+)", pty.text), "an address")
        found = re.search(r"127\.0\.0\.1:(\d+)", pty.text)
        assert found is not None
        hostile = Hostile(JoinerEnd(context, new_keys(), int(found[1])))
        hostile.sit_down()
        hostile.until(lambda: hostile.beat == 1)
        hostile.deaf_to = {Kind.REVEAL}
        hostile.commit(READY)
        hostile.hear(Kind.REVEAL)
        hostile.reveal(opening=(READY, random()))
        hostile.until(lambda: hostile.said)
        hostile.end.close()
        pty.until_shows(sentence(Fault.WRONG_OPENING))
        pty.send("q")
        assert pty.wait() == 6
        assert b"Traceback" not in pty.output
    (record,) = (tmp_path / "journals").iterdir()
    assert entries_of(record)[-1] == [5, 1, "violation", 1, "wrong_opening"]
