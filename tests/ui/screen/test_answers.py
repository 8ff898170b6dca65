"""What terminals send besides keys presses nothing: on any page, on the full screen and in lines, whole and in pieces."""

import io
from collections.abc import Iterator

import pytest
from prompt_toolkit.input import create_pipe_input
from support.answers import ANSWERS
from ui.pty_front import FakeFront
from ui.render.scenes import SCENES
from ui.screen.test_full_screen import Sized

from spitnet.ui.keys.keymaps import Meanings, keymap
from spitnet.ui.keys.playback_keys import PlaybackKeys
from spitnet.ui.lines import line_mode
from spitnet.ui.presses import Arrow, Letters, PileSide, Plain, Press
from spitnet.ui.render.frame import Frame
from spitnet.ui.render.look import Look
from spitnet.ui.scene import FollowScene, Scene
from spitnet.ui.screen import full_screen, shell
from spitnet.ui.terminal import sequences
from spitnet.ui.terminal.troubles import Troubles

PAGES = [
    "calm",
    "beaten",
    "which",
    "manual",
    "ready",
    "quit",
    "concede",
    "claim",
    "gone",
    "help",
    "rules",
    "next game",
    "rematch",
    "ended",
    "hosting",
    "crowd",
    "looking for others",
    "knocking",
    "follow contest",
    "follow help",
    "looking on",
]
"""The race, each dialog, the pages of the help, after a game and after the match, before one, and looking at one."""
LAST = "\x1b[C\x1bOP"
"""A key that every page knows, with one before it that shows that none is stuck."""


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly this runs, nothing is given up, and no Escape stands alone."""
    for name in ("ESCAPE_S", "SILENCE_S", "PASTE_SILENCE_S"):
        monkeypatch.setattr(sequences, name, 1000.0)
    monkeypatch.setattr(shell, "ESCAPE_S", 1000.0)
    monkeypatch.setattr(shell, "TICK_MIN_S", 0.0)
    monkeypatch.setattr(shell, "FRAME_S", 0.0)


def pieces(pastes: bool = True) -> Iterator[str]:
    """Each answer whole, then in two at each place."""
    for answer in ANSWERS.values():
        if answer.startswith("\x1b[200~") and not pastes:
            continue
        yield answer
        for end in range(1, len(answer)):
            yield answer[:end]
            yield answer[end:]


class Page(FakeFront):
    """One scene, that stays; over once the help is asked for."""

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.show_scene(scene)
        self.tick_s = 0.0

    def press(self, press: Press) -> None:
        self.pressed.append(press)
        self.is_over = press in (Plain.HELP, Plain.ENTER)


def keys_for(scene: Scene) -> tuple[Meanings, list[Press]]:
    """The keys of a page, and what the last ones mean there."""
    if not isinstance(scene, FollowScene):
        return keymap(), [Arrow(PileSide.RIGHT), Plain.HELP]
    keys = PlaybackKeys()
    return keys, [press for name in ("right", "f1") if (press := keys.press(name)) is not None]


@pytest.mark.parametrize("name", PAGES)
def test_on_the_full_screen(name: str) -> None:
    """Without the mouse, which nobody has asked for: its reports are nothing either."""
    front = Page(SCENES[name]())
    keys, last = keys_for(front.scene())
    type_on_screen(front, keys, [*pieces(), LAST])
    assert front.pressed == last
    assert front.told == []


def type_on_screen(front: Page, keys: Meanings, typed: list[str]) -> None:
    """One piece as each frame is drawn, until the front is over."""
    typing = iter(typed)
    with create_pipe_input() as keyboard:

        def draw(scene: Scene, columns: int, rows: int, /) -> Frame:
            keyboard.send_bytes(next(typing, "").encode())
            return Frame(())

        look, devices = Look(), (keyboard, Sized())
        full_screen.run(front, look, keys, trouble=front.tell, drawing=draw, devices=devices)


CODE = ["tu", "\x1b[200~li\nqy\x1b[201~", "\x1b[Dpx\x7f", "\x1b[13u"]
"""A code, in letters, a paste and keys that are none; with Enter as kitty sends it."""
TYPED = [*map(Letters, "tu"), Letters("li"), *map(Letters, "px"), Plain.BACKSPACE, Plain.ENTER]


def test_where_a_code_is_asked_for_on_the_full_screen() -> None:
    front = Page(SCENES["code"]())
    type_on_screen(front, keymap(), [*pieces(pastes=False), *CODE])
    assert front.pressed == TYPED


def test_where_a_code_is_asked_for_in_lines() -> None:
    front, sink = Page(SCENES["code"]()), _Sink()
    front.tick_s = None
    sink.typed = [*pieces(pastes=False), *CODE]
    sink.talk = line_mode._Talk(front, keymap(), Troubles(front.tell), sink, lambda: None)
    sink.talk.run()
    assert front.pressed == TYPED


class _Sink(io.StringIO):
    """Types once something is told: before that nothing counts."""

    talk: line_mode._Talk

    def __init__(self) -> None:
        super().__init__()
        self.typed = [*pieces(), LAST]

    def flush(self) -> None:
        for piece in self.typed:
            self.talk.take(piece)
        self.flush = lambda: None  # type: ignore[method-assign]


@pytest.mark.parametrize("name", PAGES)
def test_in_lines(name: str) -> None:
    front, sink = Page(SCENES[name]()), _Sink()
    front.tick_s = None
    keys, last = keys_for(front.scene())
    sink.talk = line_mode._Talk(front, keys, Troubles(front.tell), sink, lambda: None)

    def help_lines(scene: Scene) -> Iterator[str]:
        front.finish()
        return iter(["helped"])

    sink.talk._teller.help = help_lines  # type: ignore[method-assign]
    sink.talk.run()
    assert front.pressed == last[:1]
    assert sink.getvalue().endswith("helped\n")
    assert "Not understood" not in sink.getvalue()
