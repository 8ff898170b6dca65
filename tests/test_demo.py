"""scripts/demo: the main job, told in a few lines; at a terminal the last game on the table at its end."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.program import variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.terminals import Pty

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
HERE = f"""
import runpy, sys
from pathlib import Path
sys.path.insert(0, {str(SCRIPTS)!r})
import environment
environment.prepared = lambda *names: environment.Environment(Path(sys.prefix))
environment.with_wheel = lambda prepared: prepared
sys.argv[1:] = []
runpy.run_path({str(SCRIPTS / "demo")!r}, run_name="__main__")
"""
"""The demo in the environment that there is already: making one takes a network."""
DEMO = (sys.executable, "-c", HERE)
LONG_S = 120.0


def test_at_a_terminal_it_ends_with_the_last_game(tmp_path: Path) -> None:
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    with Pty(DEMO, env=env, cwd=tmp_path) as pty:
        pty.until(lambda: "of 3" in pty.text and "q leave" in pty.text, "the table", LONG_S)
        pty.until(lambda: re.search(r"Game [23] of 3", pty.text), "the last game")
        pty.send("q")
        assert pty.wait() == 0
        assert pty.modes() == pty.modes_before
        told, table, _rest = pty.output.partition(b"\x1b[?1049h")
    assert table
    lines = told.decode().split("\r\n")
    took = r"All of it took [0-9.]+ s, [0-9.]+ s of that to prepare the environment\."
    assert re.fullmatch(took, lines[-3])
    assert re.fullmatch(r"Game [23] is on the table now; q leaves\.", lines[-2])


@pytest.mark.full
def test_in_a_pipe_it_only_tells(tmp_path: Path) -> None:
    done = subprocess.run(
        DEMO,
        cwd=tmp_path,
        env=variables(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LONG_S,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = done.stdout.splitlines()
    assert told[-1].startswith("All of it took ")
    assert sum("record: the record holds" in line for line in told) == 2
    assert "\x1b" not in done.stdout
