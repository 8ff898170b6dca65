"""What a terminal is judged to be able to do, and a guard that gives it back once."""

import os
import select
import termios

import pytest

from spitnet.ui.render.look import Colours
from spitnet.ui.terminal.capabilities import GIVE_BACK, Guard, Terminal, terminal


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"TERM": "xterm"}, Colours.SIXTEEN),
        ({"TERM": "linux"}, Colours.SIXTEEN),
        ({"TERM": "xterm-256color"}, Colours.C256),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "24bit"}, Colours.TRUE),
        ({"TERM": "xterm-direct"}, Colours.TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "yes"}, Colours.C256),
        ({"TERM": "screen-256color", "COLORTERM": "truecolor"}, Colours.C256),
        ({"TERM": "screen-256color", "COLORTERM": "truecolor", "TMUX": "/x"}, Colours.TRUE),
        ({"TERM": "xterm", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Colours.NONE),
        ({"TERM": "xterm", "NO_COLOR": ""}, Colours.SIXTEEN),
        ({"TERM": "vt100"}, Colours.NONE),
    ],
)
def test_colours(environ: dict[str, str], colours: Colours) -> None:
    found = terminal(environ, tty=True, encoding="utf-8", windows=False)
    assert found == Terminal(True, colours, True)


@pytest.mark.parametrize(
    ("environ", "tty"), [({"TERM": "dumb"}, True), ({}, True), ({"TERM": "xterm"}, False)]
)
def test_lines_where_nothing_can_be_painted(environ: dict[str, str], tty: bool) -> None:
    found = terminal(environ, tty=tty, encoding="utf-8", windows=False)
    assert not found.full_screen
    assert found.colours is Colours.NONE


def test_windows_names_no_terminal() -> None:
    assert terminal({}, tty=True, encoding="utf-8", windows=True) == Terminal(
        True, Colours.C256, True
    )


@pytest.mark.parametrize(
    ("encoding", "suits"), [("UTF-8", True), ("utf8", True), ("ascii", False), (None, False)]
)
def test_suits(encoding: str | None, suits: bool) -> None:
    assert terminal({"TERM": "xterm"}, tty=True, encoding=encoding).suits is suits


def read_to(master: int, last: bytes) -> bytes:
    """All that was written up to these bytes: a terminal may hand it over in pieces."""
    data = b""
    while not data.endswith(last):
        ready, _, _ = select.select([master], [], [], 10.0)
        assert ready, data
        data += os.read(master, 4096)
    return data


@pytest.mark.parametrize("clean", [False, True])
def test_given_back_once(clean: bool) -> None:
    master, slave = os.openpty()
    try:
        before = termios.tcgetattr(slave)
        with Guard(slave, slave) as guard:
            modes = termios.tcgetattr(slave)
            modes[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(slave, termios.TCSANOW, modes)
            guard.clean = clean
        assert termios.tcgetattr(slave) == before
        guard.give_back()
        os.write(slave, b"after")
        expected = (b"" if clean else GIVE_BACK.encode()) + b"after"
        assert read_to(master, b"after") == expected
    finally:
        os.close(master)
        os.close(slave)


def test_a_terminal_that_is_gone() -> None:
    master, slave = os.openpty()
    with Guard(slave, slave):
        os.close(master)
    os.close(slave)
