"""`spitnet solo`: whatever keeps it from beginning is said at once, and the opponent never outstays its match."""

import re
import signal
import sys
from pathlib import Path

import psutil
import pytest
from support.program import run, variables

from spitnet.app.commands import solo
from spitnet.app.options import SoloOptions
from spitnet.app.stop_signal import StopSignal
from spitnet.exits import ExitCode, Failure

WAITS = [sys.executable, "-c", "import threading; threading.Event().wait()"]
"""An opponent that waits for a match that doesn't come."""


def spoil_key(home: Path) -> None:
    """The opponent's own: it says nothing, so that the player's side has to."""
    (home / "spitnet").mkdir()
    (home / "spitnet" / "guest-key").write_text("no key")


def test_a_damaged_key_of_the_opponent_is_said(tmp_path: Path) -> None:
    spoil_key(tmp_path)
    ran = run(tmp_path, "solo", "--headless", "--delay", "0")
    assert ran.code == ExitCode.USAGE
    assert ran.err.count("\n") == 1
    assert "guest-key: this is not a spitnet key" in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_at_a_terminal_too(tmp_path: Path) -> None:
    from support.evening import terminal

    spoil_key(tmp_path)
    with terminal(tmp_path, "solo") as pty:
        assert pty.wait() == ExitCode.USAGE
        assert "guest-key:thisisnotaspitnetkey" in "".join(
            pty.text.split()
        )  # wherever its lines end


@pytest.mark.parametrize(
    "error",
    [OSError("no space left"), Failure(ExitCode.NOBODY, "nobody sat down", "nobody")],
    ids=["its record can't begin", "nobody sat down"],
)
def test_nothing_is_waited_for_that_cannot_come(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception
) -> None:
    """It would be waited for until the test is given up."""
    monkeypatch.setattr(solo, "LEAVE_S", 10_000.0)
    for name, value in variables(tmp_path).items():
        monkeypatch.setenv(name, value)
    with (
        StopSignal() as stop,
        pytest.raises(type(error)),
        solo._opponent(WAITS, SoloOptions(headless=True), stop),
    ):
        raise error


# At a terminal, whose keys are signals for everybody in it.


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_ctrl_c_is_for_the_player_alone(tmp_path: Path) -> None:
    """It asks; whoever says no plays on against the same opponent, which was not interrupted."""
    from support.evening import terminal

    with terminal(tmp_path, "solo", "--plain", "--delay", "5") as pty:
        pty.until_shows("Space: ready")
        playing = psutil.Process(pty.process.pid).children()
        assert len(playing) == 1
        pty.send("\x03")
        pty.until_shows("Leave the table?")
        pty.send("n")
        pty.until(lambda: "You are ready." in pty.text, "an answer to ready", press=" ")
        assert "has closed" not in pty.text
        assert psutil.Process(pty.process.pid).children() == playing


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_the_opponent_goes_with_the_player(tmp_path: Path, number: signal.Signals) -> None:
    """However the player's side ends, what it has started doesn't outlive it."""
    from support.evening import terminal

    with terminal(tmp_path, "solo", "--plain", "--delay", "5") as pty:
        pty.until_shows("Space: ready")
        playing = psutil.Process(pty.process.pid).children()
        pty.signal(number)
        pty.process.wait(20)
        _, left = psutil.wait_procs(playing, timeout=20)
        assert (len(playing), left) == (1, [])


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_the_own_opponent_waits_without_a_clock(tmp_path: Path) -> None:
    """It never claims, so nothing is said of that; with so short a grace it would be said at once."""
    from support.evening import terminal

    with terminal(tmp_path, "solo", "--plain", "--delay", "0.05", "--grace", "5") as pty:
        pty.until_shows("Spitbot is ready.")
        pty.send("\n")
        pty.until(lambda: "Match: you 0" in pty.text.partition("is ready.")[2], "the table")
        assert not re.search(r"waits for you\. \d", pty.text)
