"""Completion in each shell that is installed here: the script is read, and a half-typed line gets its rest."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.program import run, variables

from spitnet.bot.levels import Level
from spitnet.cli.arguments import SHELLS
from spitnet.cli.settings import SETTINGS, settings_of
from spitnet.cli.subcommands import COMMANDS
from spitnet.cli.values import languages

BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
"$(complete -p spitnet | sed 's/.*-F \\([^ ]*\\).*/\\1/')" spitnet "${!#}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = "source $argv[1]; complete -C (string join ' ' -- $argv[2..])"
WITH_WORDS = [
    one
    for one in settings_of("solo")
    if any(one.words()) and one.key != "verbosity"  # which is said by -q and -v
]
CASES: list[tuple[list[str], set[str]]] = [
    (["spitnet", "so"], {"solo"}),
    (["spitnet", ""], set(COMMANDS)),
    (["spitnet", "solo", "--level", ""], set(Level)),
    (["spitnet", "config", "--cr"], {"--create"}),
    (["spitnet", "--lang", ""], set(languages())),
    (["spitnet", "join", "--lang", ""], set(languages())),
    *((["spitnet", "solo", one.flag, ""], set(one.words())) for one in WITH_WORDS),
    (["spitnet", "--print-completion", ""], set(SHELLS)),
]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the script of every shell."""
    home = tmp_path_factory.mktemp("scripts")
    for shell in SHELLS:
        ran = run(home, "--print-completion", shell)
        assert (ran.code, ran.err) == (0, "")
        (home / shell).write_text(ran.out, encoding="utf-8")
    return home


def needs(shell: str) -> str:
    """The shell's program; skips where it is not installed."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed here")
    return program


def answer(home: Path, *command: str) -> str:
    done = subprocess.run(
        command, cwd=home, env=variables(home), capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one(scripts: Path, shell: str) -> None:
    answer(scripts, needs(shell), "-n", str(scripts / shell))


@pytest.mark.parametrize(("words", "found"), CASES)
def test_bash(scripts: Path, words: list[str], found: set[str]) -> None:
    said = answer(scripts, needs("bash"), "-c", BASH, "bash", str(scripts / "bash"), *words)
    assert set(said.split()) == found


@pytest.mark.parametrize(("words", "found"), CASES)
def test_fish(scripts: Path, words: list[str], found: set[str]) -> None:
    said = answer(scripts, needs("fish"), "-c", FISH, str(scripts / "fish"), *words)
    assert {line.split("\t")[0] for line in said.splitlines()} >= found


def test_bash_completes_a_file(scripts: Path) -> None:
    for command in ("verify", "replay", "resume"):
        words = ["spitnet", command, str(scripts / "fi")]
        said = answer(scripts, needs("bash"), "-c", BASH, "bash", str(scripts / "bash"), *words)
        assert said.split() == [str(scripts / "fish")]


@pytest.mark.parametrize("command", SETTINGS["journal"].commands)
def test_bash_completes_a_directory(scripts: Path, command: str) -> None:
    (scripts / "finally").mkdir(exist_ok=True)
    words = ["spitnet", command, "--journal", str(scripts / "fi")]
    said = answer(scripts, needs("bash"), "-c", BASH, "bash", str(scripts / "bash"), *words)
    assert said.split() == [str(scripts / "finally")]


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.parametrize(
    ("typed", "shown"),
    [("spitnet so", "spitnet solo"), ("spitnet solo --level ha", "--level hard")],
)
def test_zsh(scripts: Path, typed: str, shown: str) -> None:
    from support.terminals import Pty

    env = {**variables(scripts), "TERM": "xterm"}
    with Pty([needs("zsh"), "-f", "-i"], env=env, cwd=scripts) as pty:
        pty.send('autoload -U compinit && compinit -u; eval "$(cat zsh)"; echo rea""dy\n')
        pty.until_shows("ready")
        pty.send(typed + "\t")
        pty.until_shows(shown)
