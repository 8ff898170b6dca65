"""The full screen through a pipe: which keys count, when it draws, how it ends."""

import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import DummyOutput
from ui.pty_front import FakeFront, plain_drawing

from spitnet.ui.keys.keymaps import keymap
from spitnet.ui.presses import Arrow, CardPress, PileSide, Plain, Press
from spitnet.ui.render.frame import Frame
from spitnet.ui.render.look import Look
from spitnet.ui.scene import Question, Scene, TableScene
from spitnet.ui.screen import shell
from spitnet.ui.screen.full_screen import run
from spitnet.ui.terminal.capabilities import Interrupted

A = CardPress(0, PileSide.LEFT)
J = CardPress(0, PileSide.RIGHT)
END = Plain.REMATCH
"""A fake front is over at this press; its key is r."""


class Sized(DummyOutput):
    def get_size(self) -> Size:
        return Size(rows=24, columns=80)


@dataclass
class Stage:
    """A screen to be run; `frames` are the scenes drawn, and each of `typing` is typed as one more is drawn."""

    keyboard: PipeInput
    front: FakeFront = field(default_factory=FakeFront)
    frames: list[Scene] = field(default_factory=list)
    typing: list[str] = field(default_factory=list)
    draw: Callable[[Scene, int, int], Frame] = plain_drawing
    mouse: bool = False

    def run(self, *typing: str) -> list[Press]:
        """What was pressed by the end."""
        self.typing = [*typing]
        devices = (self.keyboard, Sized())
        run(
            self.front,
            Look(mouse=self.mouse),
            keymap(),
            trouble=self.front.tell,
            drawing=self._draw,
            devices=devices,
        )
        return self.front.pressed

    def _draw(self, scene: Scene, columns: int, rows: int, /) -> Frame:
        self.frames.append(scene)
        if self.typing:
            self.keyboard.send_text(self.typing.pop(0))
        return self.draw(scene, columns, rows)


@pytest.fixture
def stage() -> Iterator[Stage]:
    with create_pipe_input() as keyboard:
        yield Stage(keyboard)


@contextmanager
def elsewhere(work: Callable[[], None]) -> Iterator[None]:
    """Work in another thread, joined at the end."""
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def test_keys_come_one_by_one_in_order(stage: Stage) -> None:
    pressed = stage.run("as4 \x1b[C;r")
    assert pressed == [
        A,
        CardPress(1, PileSide.LEFT),
        CardPress(3, None),
        Plain.SPACE,
        Arrow(PileSide.RIGHT),
        CardPress(3, PileSide.RIGHT),
        END,
    ]


def test_a_burst_is_one_frame(stage: Stage) -> None:
    """Fifty keys are passed on, all of them, and drawn once."""
    assert stage.run("j" * 50, "r") == [J] * 50 + [END]
    assert len(stage.frames) == 2


def test_a_paste_is_nothing(stage: Stage) -> None:
    assert stage.run("\x1b[200~qy\rasdf\x1b[201~r") == [END]


def test_a_paste_in_pieces_is_nothing(stage: Stage) -> None:
    stage.front.tick_s = 0.0
    assert stage.run("\x1b[200~qy", "as", "df\x1b[201~r") == [END]


def test_what_means_nothing_is_not_pressed(stage: Stage) -> None:
    """Ctrl-Z would strand the game; terminals send answers that nobody asked for."""
    assert stage.run("\x1a\x1c\x13\x11\x1b[12;40R\x1b[Z§r") == [END]


def test_letters_after_escape_wait_for_nothing(stage: Stage) -> None:
    assert stage.run("\x1bar") == [Plain.ESCAPE, A, END]


def test_escape_alone(stage: Stage) -> None:
    assert stage.run("\x1b", "r") == [Plain.ESCAPE, END]


def test_typed_before_the_screen_is_dropped(stage: Stage) -> None:
    stage.keyboard.send_text("aaaa")
    assert stage.run("r") == [END]


def test_a_burst_can_ask_but_not_answer(stage: Stage) -> None:
    """The question was not on the screen yet when its answer was typed."""
    assert stage.run("qyyy", "n", "r") == [Plain.QUIT, Plain.NO, END]


def test_answered(stage: Stage) -> None:
    assert stage.run("\x03", "y") == [Plain.QUIT, Plain.YES]


def test_what_follows_an_answer_counts(stage: Stage) -> None:
    assert stage.run("q", "nar") == [Plain.QUIT, Plain.NO, A, END]


def test_what_cannot_be_seen_can_be_neither_asked_nor_answered(stage: Stage) -> None:
    """On a screen that is too small; Ctrl-C asks even there, and what was typed there doesn't answer when it has grown."""

    def draw(scene: Scene, columns: int, rows: int) -> Frame:
        return replace(plain_drawing(scene, columns, rows), blind=len(stage.typing) > 2)

    stage.draw = draw
    stage.front.tick_s = 0.0
    assert stage.run("qycya ?", "q\x03y", "y", "y", "n", "r") == [Plain.QUIT, Plain.NO, END]


def test_keys_typed_ahead_do_not_reach_the_next_game(stage: Stage) -> None:
    """The game ends in the midst of a burst: what came after is dropped, read or not."""

    def next_game(press: Press) -> None:
        if press == CardPress(3, PileSide.LEFT):
            stage.front.generation += 1
            stage.keyboard.send_text("kkkk")

    stage.front.on_press = next_game
    pressed = stage.run("fjjjj", "lr")
    assert pressed == [CardPress(3, PileSide.LEFT), CardPress(2, PileSide.RIGHT), END]


def test_a_change_from_another_thread_is_drawn(stage: Stage) -> None:
    reached = threading.Event()

    def finish() -> None:
        assert reached.wait(15)
        stage.front.finish()

    def draw(scene: Scene, columns: int, rows: int) -> Frame:
        reached.set()
        return plain_drawing(scene, columns, rows)

    stage.draw = draw
    with elsewhere(finish):
        assert stage.run() == []


def test_many_changes_are_few_frames(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others do is drawn at a rate; the last of it is always drawn."""
    monkeypatch.setattr(shell, "FRAME_S", 0.5)
    begun = threading.Event()

    def change() -> None:
        assert begun.wait(15)
        for number in range(1000):
            stage.front.show(races=(number + 1, 0))

    def draw(scene: Scene, columns: int, rows: int) -> Frame:
        begun.set()
        if isinstance(scene, TableScene) and scene.races == (1000, 0):
            stage.keyboard.send_text("r")
        return plain_drawing(scene, columns, rows)

    stage.draw = draw
    with elsewhere(change):
        stage.run()
    assert len(stage.frames) < 100


def test_ones_own_key_is_drawn_at_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long others are made to wait."""
    monkeypatch.setattr(shell, "FRAME_S", 1000.0)
    assert stage.run("a", "a", "r") == [A, A, END]


def test_a_clock_is_drawn(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shell, "TICK_MIN_S", 0.0)
    monkeypatch.setattr(shell, "FRAME_S", 0.0)
    stage.front.tick_s = 0.0
    stage.run("", "", "r")
    assert len(stage.frames) >= 3


def test_over_before_it_began(stage: Stage) -> None:
    stage.front.finish()
    stage.run()
    assert stage.frames == []


def test_keyboard_gone(stage: Stage) -> None:
    """R22: a terminal that closes concedes nothing; keys before that counted."""

    def draw(scene: Scene, columns: int, rows: int) -> Frame:
        stage.keyboard.close()
        return Frame(())

    stage.draw = draw
    with pytest.raises(Interrupted):
        stage.run("as")
    assert stage.front.pressed == [A, CardPress(1, PileSide.LEFT)]


def test_a_key_that_fails_is_a_line(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    """One entry in the log and one line, however often; other keys go on."""

    def fail(press: Press) -> None:
        if press == A:
            raise RuntimeError("no")

    stage.front.on_press = fail
    assert stage.run("aaajr") == [A, A, A, J, END]
    assert len(stage.front.told) == 1
    assert "RuntimeError" in stage.front.told[0]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_drawing_that_fails_is_a_line(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    def draw(scene: Scene, columns: int, rows: int) -> Frame:
        raise RuntimeError("no")

    stage.draw = draw
    assert stage.run("j", "jr") == [J, J, END]
    assert len(stage.front.told) == len(caplog.records) == 1


def test_a_style_that_fails_is_a_line(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    """Raised inside prompt_toolkit's drawing; the question can be answered all the same."""

    def draw(scene: Scene, columns: int, rows: int) -> Frame:
        asked = isinstance(scene, TableScene) and scene.question is Question.QUIT
        return Frame(((("fg:nonsense" if asked else "", "x"),),))

    stage.draw = draw
    assert stage.run("q", "y") == [Plain.QUIT, Plain.YES]
    assert len(stage.front.told) == len(caplog.records) == 1


def test_clicks(stage: Stage) -> None:
    """Left and right button; a release, the wheel, a movement and a place where nothing lies are nobody's."""
    stage.mouse = True
    clicks = ["<0;5;2M", "<0;5;2m", "<2;5;2M", "<64;5;2M", "<35;5;2M", "<0;5;9M", "<0;500;90M"]
    pressed = stage.run("".join(f"\x1b[{click}" for click in clicks) + "r")
    assert pressed == [CardPress(0, None), CardPress(1, None), END]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGTSTP", "SIGCONT"])
def test_signals_are_put_back(stage: Stage, name: str) -> None:
    number = getattr(signal, name)
    before = signal.getsignal(number)
    stage.run("r")
    assert signal.getsignal(number) is before
