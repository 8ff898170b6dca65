"""A full screen is nobody else's to write on: what others say goes to the log, or is painted over; what is said at the end is read."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.program import variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import terminal
from support.terminals import Pty

PROGRAM = Path(__file__).with_name("screen_program.py")
WRITTEN = ("written by a library", "written by Python", "written by a child")


@contextmanager
def started(home: Path, end: str, log: str) -> Iterator[Pty]:
    state = home / log
    env = {**variables(home), "XDG_STATE_HOME": str(state), "TERM": "xterm-256color"}
    with Pty([sys.executable, str(PROGRAM), end], env=env, cwd=home) as pty:
        pty.until_shows("First")
        pty.send("q")
        pty.until_shows("Last")
        yield pty


@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        ("done", 0, ""),
        ("fails", 5, "spitnet: it fails"),
        ("dies", 1, "RuntimeError: it dies"),
        ("exits", 1, "exits"),
    ],
)
def test_what_others_write_goes_to_the_log(tmp_path: Path, end: str, code: int, said: str) -> None:
    with started(tmp_path, end, "state") as pty:
        pty.send("q")
        assert pty.wait() == code
        after = pty.output.decode().partition("\x1b[?1049l")[2]
        assert said in re.sub(r"\x1b\[[0-9;]*m", "", after)  # since 3.13 a traceback has colours
        assert not [text for text in WRITTEN if text.encode() in pty.output]
    (log,) = tmp_path.rglob("spitnet.log")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line in WRITTEN] == list(WRITTEN)
    assert said not in lines


def test_without_a_log_it_goes_nowhere(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with started(tmp_path, "fails", "file") as pty:
        pty.send("q")
        assert pty.wait() == 5
        assert "spitnet: it fails" in pty.text
        assert "written" not in pty.text


def test_errors_that_go_elsewhere_already_still_do(tmp_path: Path) -> None:
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    errors = tmp_path / "errors"
    words = ["sh", "-c", f'exec "$@" 2>{errors}', "sh", sys.executable, str(PROGRAM), "fails"]
    with Pty(words, env=env, cwd=tmp_path) as pty:
        pty.until_shows("First")
        pty.send("q")
        pty.until_shows("Last")
        pty.send("q")
        assert pty.wait() == 5
    assert errors.read_text().splitlines() == [*WRITTEN, "spitnet: it fails"]


def test_ctrl_l_paints_over_what_others_wrote(tmp_path: Path) -> None:
    """As `wall` does, which writes to the terminal itself; each row is as it was."""
    with terminal(tmp_path, "solo", "--delay", "60") as pty:
        pty.until_shows("ready")
        before = pty.text
        pty.write_over("\x1b[3;1H\x07Broadcast message from root: \r\n" + "down in a minute" * 9)
        pty.until_shows("Broadcast message")
        pty.send("\x0c")
        pty.until(lambda: pty.text == before, "the table as before")
        assert "down" not in pty.text
