"""A terminal is never wrecked: a full screen in a process of its own, on a real pseudo-terminal, ended in every way.

Each end is judged by the bytes that give the screen back and by the line discipline.
"""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.terminals import Pty

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

PROGRAM = Path(__file__).parents[1] / "pty_front.py"
TESTS = PROGRAM.parent.parent
GIVEN_BACK = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?2004l", b"\x1b[?7h")
TAKEN = (b"\x1b[?1049h", b"\x1b[?25l", b"\x1b[?2004h", b"\x1b[?7l")
MOUSE = (b"\x1b[?1000", b"\x1b[?1006")


def started(*wishes: str, columns: int = 80, rows: int = 24) -> Pty:
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color"}
    return Pty([sys.executable, str(PROGRAM), *wishes], columns=columns, rows=rows, env=env)


@pytest.fixture
def pty() -> Iterator[Pty]:
    with started() as one:
        one.until_shows("table 80x24")
        yield one


def assert_given_back(pty: Pty) -> None:
    """Everything that was taken came back, last of all; and the modes are those of before."""
    for taken, given in zip(TAKEN, GIVEN_BACK, strict=True):
        assert 0 <= pty.output.rfind(taken) < pty.output.rfind(given), (taken, given)
    for mode in MOUSE:
        assert pty.output.rfind(mode + b"h") <= pty.output.rfind(mode + b"l"), mode
    assert pty.modes() == pty.modes_before
    assert b"Traceback" not in pty.output
    assert b"ENTER" not in pty.output


def test_left_with_a_key(pty: Pty) -> None:
    pty.send("asdf")
    pty.until_shows("pressed 4")
    pty.send("q")
    pty.until_shows("asked QUIT")
    pty.send("y")
    assert pty.wait() == 0
    assert_given_back(pty)
    assert "table" not in pty.text
    assert "pressed: 6" in pty.text


def test_ctrl_c_asks(pty: Pty) -> None:
    pty.send("\x03")
    pty.until_shows("asked QUIT")
    pty.send("y")
    assert pty.wait() == 0
    assert_given_back(pty)


def test_sigint_asks(pty: Pty) -> None:
    pty.signal(signal.SIGINT)
    pty.until_shows("asked QUIT")
    pty.send("y")
    assert pty.wait() == 0
    assert_given_back(pty)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_told_to_end(pty: Pty, name: str) -> None:
    """At once, without asking. R22"""
    pty.signal(getattr(signal, name))
    assert pty.wait() == 130
    assert_given_back(pty)
    assert "interrupted" in pty.text


def test_sigterm_with_the_mouse_on() -> None:
    with started("mouse") as pty:
        pty.until_shows("table")
        pty.send("\x1b[<0;5;2M")
        pty.until_shows("pressed 1")
        assert b"\x1b[?1003h" not in pty.output, "movements would be a key each"
        pty.signal(signal.SIGTERM)
        assert pty.wait() == 130
        assert_given_back(pty)
        assert MOUSE[0] + b"l" in pty.output


def test_mouse_off_leaves_selecting_alone(pty: Pty) -> None:
    pty.send("r")
    assert pty.wait() == 0
    assert MOUSE[0] not in pty.output


def test_suspending_is_ignored(pty: Pty) -> None:
    """The other side plays on: Ctrl-Z as a key and as a signal."""
    pty.send("\x1a")
    pty.signal(signal.SIGTSTP)
    pty.send("a")
    pty.until_shows("pressed 1")
    pty.send("r")
    assert pty.wait() == 0
    assert_given_back(pty)


def test_stopped_and_woken(pty: Pty) -> None:
    """Stopped all the same, by a signal that can't be ignored; meanwhile somebody else used the terminal."""
    raw = pty.modes()
    pty.signal(signal.SIGSTOP)
    os.waitpid(pty.process.pid, os.WUNTRACED)
    pty.set_modes(pty.modes_before)
    pty.screen.reset()
    pty.signal(signal.SIGCONT)
    pty.until_shows("table 80x24")
    pty.send("a")
    pty.until_shows("pressed 1")
    assert pty.modes() == raw
    pty.send("r")
    assert pty.wait() == 0
    assert_given_back(pty)


def test_a_key_that_fails() -> None:
    with started("crash-key") as pty:
        pty.until_shows("table")
        pty.send("a")
        pty.until_shows("RuntimeError")
        pty.send("jr")
        assert pty.wait() == 0
        assert_given_back(pty)


def test_a_drawing_that_fails() -> None:
    with started("crash-draw") as pty:
        pty.until_shows("table")
        pty.send("j")
        pty.until_shows("The keys still work")
        pty.send("q")
        pty.until_shows("asked QUIT")
        pty.send("y")
        assert pty.wait() == 0
        assert_given_back(pty)


def test_a_thread_that_dies() -> None:
    """Its last words are a line, and not written across the table."""
    with started("crash-thread") as pty:
        pty.until_shows("table")
        pty.send("j")
        pty.until_shows("RuntimeError")
        pty.send("r")
        assert pty.wait() == 0
        assert_given_back(pty)


def test_a_front_that_is_broken() -> None:
    """Nothing can be shown and no key is understood: Ctrl-C again and again ends it all the same."""
    with started("crash-scene") as pty:
        pty.until_shows("The keys still work")
        pty.send("j" + "\x03" * 5)
        assert pty.wait() == 130
        assert_given_back(pty)


@pytest.mark.parametrize("wish", ["crash-style", "crash-exit"])
def test_a_screen_that_dies(wish: str) -> None:
    """prompt_toolkit can't draw at all; a handler ends the interpreter."""
    with started(wish) as pty:
        if wish == "crash-exit":
            pty.until_shows("table")
            pty.send("j")
        assert pty.wait() == 1
        assert pty.modes() == pty.modes_before
        for taken, given in zip(TAKEN, GIVEN_BACK, strict=True):
            assert pty.output.rfind(taken) < pty.output.rfind(given)


def test_any_size_at_any_time(pty: Pty) -> None:
    """1×1 and 400×100 too; keys count at each."""
    sizes = [(1, 1), (400, 100), (50, 15), (2, 300), (300, 2), (80, 24)]
    for number, (columns, rows) in enumerate(sizes, 1):
        pty.resize(columns, rows)
        pty.send("j")
        if columns > 20:
            pty.until_shows(f"table {columns}x{rows}")
            pty.until(lambda: f"pressed {number}" in pty.text, f"pressed {number}")  # noqa: B023
    pty.send("r")
    assert pty.wait() == 0
    assert_given_back(pty)


def test_a_closed_terminal(pty: Pty) -> None:
    """The window is closed: the process ends by itself, as interrupted."""
    pty.close_terminal()
    assert pty.process.wait(20) == 130


def test_a_closed_terminal_without_a_signal() -> None:
    """As when the session lives on elsewhere (nohup): nothing but the reads tells of it."""
    with started("deaf") as pty:
        pty.until_shows("table")
        pty.close_terminal()
        assert pty.process.wait(20) == 130


def test_keys_nobody_read_stay_out_of_the_shell(pty: Pty) -> None:
    """As many as a person types at once: a flood can still be on its way through the kernel when all is flushed."""
    pty.send("r" + "rm -r x\r" * 4)
    assert pty.wait() == 0
    assert_given_back(pty)
    assert pty.unread() == b""
