"""The shortcut past prompt_toolkit's comparison is sound: however frames follow each other, the same bytes come out."""

import io
from random import Random

import pyte
import pytest
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from ui.pty_front import FakeFront

from spitnet.ui.cells import Line
from spitnet.ui.keys.keymaps import keymap
from spitnet.ui.render.frame import Frame
from spitnet.ui.screen.control import SceneControl
from spitnet.ui.screen.shell import Devices, Paint, Shell
from spitnet.ui.terminal.troubles import Troubles

WORDS = ("", " ", "x", "♠♥♦♣", "│ 10 │", "漢字", "e\u0301", "░░░", "   ", "END")
STYLES = (" ", "bold", "reverse", "fg:#ff0000", "class:none", "bg:#00ff00")


def random_line(generator: Random, columns: int) -> Line:
    """Exactly so many cells. No style is a blank one: after an empty one prompt_toolkit writes more than is needed."""
    line = [(generator.choice(STYLES), generator.choice(WORDS)) for _ in range(3)]
    used = sum(2 if ord(one) > 0x2FFF else one != "\u0301" for _, text in line for one in text)
    return (*line, (" ", "·" * (columns - used))) if used < columns else ((" ", "=" * columns),)


class Stage:
    """A shell that draws what it is given, on an emulated terminal."""

    def __init__(self, columns: int, rows: int, plain: bool = False) -> None:
        self.size = Size(rows, columns)
        self.frame = Frame(())
        self.written = io.StringIO()
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        output = Vt100_Output(self.written, lambda: self.size, term="xterm")
        paint = Paint(ColorDepth.DEPTH_24_BIT, Style([]))
        devices = Devices(DummyInput(), output, paint, False)
        troubles = Troubles(self.fail)
        self.app = Shell(FakeFront(), keymap(), lambda *_: self.frame, devices, troubles)._app
        if plain:
            control = SceneControl(FakeFront().scene, lambda *_: self.frame, print, print)
            self.app.layout = Layout(Window(control, always_hide_cursor=True))

    def fail(self, text: str) -> None:
        raise AssertionError(text)

    def show(self, frame: Frame) -> str:
        """What was written."""
        self.frame = frame
        with set_app(self.app):
            self.app.renderer.render(self.app, self.app.layout)
        written = self.written.getvalue()
        self.written.truncate(0)
        self.written.seek(0)
        self.stream.feed(written)
        return written

    def resize(self, columns: int, rows: int) -> None:
        self.size = Size(rows, columns)
        self.screen.resize(rows, columns)


@pytest.mark.parametrize("seed", range(30))
def test_as_prompt_toolkit_does_it(seed: int) -> None:
    """Frames with lines in common, wide letters, marks, styles, and sizes that change."""
    generator = Random(seed)
    columns, rows = 30, 6
    stage, pattern = Stage(columns, rows), Stage(columns, rows, plain=True)
    lines = [random_line(generator, columns) for _ in range(8)]
    for number in range(40):
        if number % 15 == 14:
            columns, rows = generator.choice([(30, 6), (20, 9), (41, 3)])
            lines = [random_line(generator, columns) for _ in range(8)]
            stage.resize(columns, rows)
            pattern.resize(columns, rows)
        frame = Frame(tuple(generator.choice(lines) for _ in range(rows)))
        assert stage.show(frame) == pattern.show(frame), number


def test_a_fresh_screen_shows_the_frame() -> None:
    stage = Stage(10, 3)
    stage.show(Frame(((("", "left"), ("bold", " 漢 ok")), (("", "x" * 10),), ())))
    assert [row.rstrip() for row in stage.screen.display] == ["left 漢 ok", "x" * 10, ""]


def test_fewer_lines_than_rows() -> None:
    """Nothing is left of a longer frame, unchanged in between or not."""
    stage = Stage(10, 3)
    longer, shorter = Frame(((("", "one"),), (("", "two"),))), Frame(((("", "one"),),))
    for frame in (longer, longer, shorter, longer, shorter, shorter):
        stage.show(frame)
        shown = [row.rstrip() for row in stage.screen.display]
        assert shown == ["one", "two" if frame is longer else "", ""]


def test_the_same_frame_costs_nothing() -> None:
    stage = Stage(80, 24)
    frame = Frame(tuple((("bold", f"{row}".ljust(80)),) for row in range(24)))
    stage.show(frame)
    assert len(stage.show(frame)) < 10
