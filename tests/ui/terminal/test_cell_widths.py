"""A terminal that draws signs wider than they are counted gets rows that hold; every other one is drawn on as ever."""

import asyncio
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from unicodedata import east_asian_width

import pyte
import pytest
from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from wcwidth import wcwidth

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.terminals import Pty
from ui.pty_front import FakeFront

from spitnet.ui.keys.keymaps import keymap
from spitnet.ui.presses import CardPress, PileSide, Plain
from spitnet.ui.render.look import Look
from spitnet.ui.screen import shell
from spitnet.ui.screen.full_screen import run
from spitnet.ui.terminal.cell_widths import QUESTION, SIGNS, answers, breaks_rows
from spitnet.ui.terminal.key_sequences import CursorPosition

PROGRAM = Path(__file__).parents[1] / "pty_front.py"
TESTS = PROGRAM.parent.parent
AS_COUNTED, TWICE = CursorPosition(2, 10 + len(SIGNS)), CursorPosition(2, 10 + 2 * len(SIGNS))


def started(wish: str, answers: bool = True) -> Pty:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    return Pty([sys.executable, str(PROGRAM), wish], env=env, answers=answers)


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Emulated terminals draw signs of ambiguous width in two cells."""

    @lru_cache
    def width(letter: str) -> int:
        return 2 if east_asian_width(letter) == "A" else wcwidth(letter)

    monkeypatch.setattr(pyte.screens, "wcwidth", width)


@pytest.mark.usefixtures("wide")
def test_where_signs_are_wide_the_table_is_ascii() -> None:
    """Cell by cell as with --ascii."""
    with started("ascii") as pty:
        pty.until_shows("leave")
        expected = pty.lines
    with started("table") as pty:
        pty.until(lambda: pty.lines == expected, "the table in ASCII")
        assert QUESTION.encode() in pty.output
        pty.send("r")
        assert pty.wait() == 0
        assert pty.unread() == b""


@pytest.mark.parametrize("answering", [True, False])
def test_where_signs_are_as_counted_or_nobody_knows_nothing_changes(answering: bool) -> None:
    with started("table", answering) as pty:
        pty.until_shows("leave")
        pty.send("a")
        pty.until_shows("pressed 1")
        assert "♠" in pty.text
        assert "╭" in pty.text
        pty.send("r")
        assert pty.wait() == 0


@pytest.mark.parametrize(
    ("place", "ours", "breaks"),
    [
        (AS_COUNTED, True, False),
        (TWICE, True, True),
        (CursorPosition(2, AS_COUNTED.column + 1), True, True),
        (CursorPosition(2, AS_COUNTED.column - 1), False, False),  # too narrow a screen
        (CursorPosition(1, TWICE.column), False, False),  # an F3 with Shift, or too low a screen
        (CursorPosition(24, 80), False, False),
    ],
)
def test_what_an_answer_means(place: CursorPosition, ours: bool, breaks: bool) -> None:
    assert answers(place) is ours
    assert breaks_rows(place) is breaks


class Asked(DummyOutput):
    """Answers with `place`, and what is typed at the same time, at once or when it is told to."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def get_size(self) -> Size:
        return Size(rows=24, columns=80)

    def write_raw(self, data: str) -> None:
        self.written.append(data)


@pytest.fixture
def front() -> Iterator[FakeFront]:
    made = FakeFront()
    yield made
    assert made.told == []


def test_keys_typed_around_the_answer_count(front: FakeFront) -> None:
    """In one read with it; and no second answer is waited for or taken."""
    output = Asked()
    with create_pipe_input() as keyboard:

        def answer() -> None:
            keyboard.send_text(f"a\x1b[2;{TWICE.column}Rs\x1b[2;{TWICE.column}Rr")

        front.once_drawn = answer
        run(front, Look(), keymap(), trouble=front.tell, devices=(keyboard, output))
    assert front.pressed == [
        CardPress(0, PileSide.LEFT),
        CardPress(1, PileSide.LEFT),
        Plain.REMATCH,
    ]
    assert output.written.count(QUESTION) == 1


def test_the_end_waits_for_an_answer_that_is_due(
    front: FakeFront, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be typed at whoever has the terminal then."""
    monkeypatch.setattr(shell, "ANSWER_S", 1000.0)
    ended: list[bool] = []
    with create_pipe_input() as keyboard:

        def answer() -> None:
            ended.append(get_app().is_done)
            keyboard.send_text(f"\x1b[2;{AS_COUNTED.column}R")

        def finish() -> None:
            front.finish()
            asyncio.get_running_loop().call_soon(answer)

        front.once_drawn = finish
        run(front, Look(), keymap(), trouble=front.tell, devices=(keyboard, Asked()))
    assert ended == [False]
    assert front.pressed == []


def test_but_not_for_ever(front: FakeFront, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "ANSWER_S", 0.01)
    with create_pipe_input() as keyboard:
        front.once_drawn = front.finish
        run(front, Look(), keymap(), trouble=front.tell, devices=(keyboard, Asked()))


def test_who_wants_ascii_is_asked_nothing(front: FakeFront) -> None:
    output = Asked()
    with create_pipe_input() as keyboard:
        front.once_drawn = front.finish
        devices = (keyboard, output)
        run(front, Look(ascii=True), keymap(), trouble=front.tell, devices=devices)
    assert QUESTION not in output.written
