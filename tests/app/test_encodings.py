"""A terminal without our letters: a person sees what it can show, in lines and on the full screen; programs read UTF-8."""

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.comebacks import Seat, seats
from support.pairs import Peer, peers
from support.program import PROGRAM, run, variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.terminals import Pty

ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
NAME = "Żaneta Щ"
SHOWN = "Zaneta "
"""As much of it as is alike in lines, where a letter may become several, and on the full screen."""
BOT = ("--headless", "--delay", "0.5", "--sync", "process")
MANNERS = pytest.mark.parametrize("manner", [(), ("--plain",)], ids=["full screen", "lines"])


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


@contextlib.contextmanager
def started(home: Path, *arguments: str) -> Iterator[Pty]:
    """Ends with nothing on the terminal that it can't show."""
    named(home)
    env = {**variables(home, ASCII), "TERM": "xterm-256color"}
    with Pty([*PROGRAM, *arguments], env=env, cwd=home) as pty:
        yield pty
        assert pty.output.isascii()


def named(home: Path) -> None:
    """The config file is UTF-8 everywhere."""
    (home / "spitnet").mkdir(parents=True, exist_ok=True)
    (home / "spitnet" / "config.toml").write_text(f'name = "{NAME}"\n', encoding="utf-8")


def at_the_table(pty: Pty, manner: tuple[str, ...]) -> bool:
    return ("card 4: " if manner else ".-------.") in pty.text


@MANNERS
def test_a_host(tmp_path: Path, here: tuple[str, ...], manner: tuple[str, ...]) -> None:
    with started(tmp_path, "host", "--no-hints", *here, *manner) as pty:
        pty.until_shows(f"The table of {SHOWN}")
        pty.until_shows("Waiting for someone to sit down.")


@MANNERS
def test_a_joiner(tmp_path: Path, here: tuple[str, ...], manner: tuple[str, ...]) -> None:
    host = ("host", *BOT, *here, "--name", "Ольга", "--timeout", "60")
    with peers(Peer(tmp_path / "bot", host)) as (bot,):
        bot.wait_for("hosting")
        with started(tmp_path / "ana", "join", *here, *manner) as pty:
            pty.until(lambda: at_the_table(pty, manner), "the table")
            pty.until_shows("Ol'ga")
            assert bot.wait_for("connected")["opponent"] == NAME


@MANNERS
@pytest.mark.parametrize("language", ["en", "ru"])
def test_solo(tmp_path: Path, manner: tuple[str, ...], language: str) -> None:
    ready = {"en": "space: ready", "ru": "probel: gotovo"}[language]
    with started(tmp_path, "solo", "--lang", language, "--no-hints", *manner) as pty:
        pty.until(lambda: ready in pty.text.replace("Space", "space").replace("Probel", "probel"))


@MANNERS
def test_taken_up(tmp_path: Path, here: tuple[str, ...], manner: tuple[str, ...]) -> None:
    named(tmp_path / "ana")
    with seats(Seat(tmp_path / "bram", ("join", *BOT, *here, "--name", "Bram"))) as (bram,):
        with started(tmp_path / "ana", "host", "--no-hints", *here, *manner) as pty:
            pty.until(lambda: at_the_table(pty, manner), "the table")
            pty.process.kill()
        bram.now.wait_for("opponent_lost")
        with started(tmp_path / "ana", "resume", *here, *manner) as pty:
            pty.until(lambda: at_the_table(pty, manner), "the table")
            bram.now.wait_for("resumed")


@pytest.mark.parametrize("command", ["host", "solo", "join", "watch"])
def test_programs_read_utf_8(tmp_path: Path, here: tuple[str, ...], command: str) -> None:
    named(tmp_path)
    ours = ("--delay", "0") if command == "solo" else (*here, "--timeout", "0.2")
    done = subprocess.run(
        [*PROGRAM, command, "--headless", "--lang", "ru", *ours],
        cwd=tmp_path,
        env=variables(tmp_path, ASCII),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    assert lines
    assert not done.stdout.isascii()
    assert done.stderr.isascii()
    if command == "host":
        assert lines[0]["name"] == NAME


def test_an_error_names_the_file(tmp_path: Path) -> None:
    ran = run(tmp_path, "verify", "nowhere/Ж李.spit", extra={"PYTHONIOENCODING": "ascii"})
    assert ran.complaint() == r"spitnet: FILE: there is no file 'nowhere/Zh\u674e.spit'"


def test_a_name_that_was_typed_there_has_all_its_letters(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """Terminals send UTF-8 whatever the locale says."""
    typed = ("host", "--headless", *here, "--timeout", "0.2", "--name", NAME)
    ran = run(tmp_path, *typed, extra=ASCII)
    assert json.loads(ran.out.splitlines()[0])["name"] == NAME
    with started(tmp_path / "ana", "host", *here, "--name", "Ola", "--code", "tuliпан") as pty:
        pty.until_shows("tulipan")
