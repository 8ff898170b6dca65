"""Starting the program: questions are answered at once, on the right stream, with the right code."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.program import PROGRAM, run, variables

from spitnet import __version__
from spitnet.cli import main
from spitnet.cli.subcommands import COMMANDS
from spitnet.exits import ExitCode

HEAVY = ("zmq", "prompt_toolkit", "psutil", "platformdirs", "shtab", "spake2", "asyncio")
PROBE = """
import sys
from spitnet.cli import main
code = main(sys.argv[1:])
print(code, *sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def modules_after(home: Path, *arguments: str) -> tuple[int, set[str]]:
    """The exit code of a command line, and the top-level modules that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=home,
        env=variables(home),
        capture_output=True,
        text=True,
        check=True,
    )
    code, *names = done.stderr.splitlines()[-1].split()
    return int(code), set(names)


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["--help"], *([command, "--help"] for command in COMMANDS)],
    ids=" ".join,
)
def test_questions_import_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    code, names = modules_after(tmp_path, *arguments)
    assert code == 0
    assert not names & set(HEAVY)


def here() -> tuple[str, ...]:
    """Loopback, on a discovery port that nobody uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    return ("--interface", "lo", "--discovery-port", port)


@pytest.mark.skipif(not Path("/sys/class/net/lo").exists(), reason="the loopback is not called lo")
@pytest.mark.parametrize("arguments", [["list", "--json"], ["solo", "--headless", "--delay", "0"]])
def test_headless_runs_never_import_the_screen(tmp_path: Path, arguments: list[str]) -> None:
    code, names = modules_after(tmp_path, *arguments, *here())
    assert code == 0
    assert "zmq" in names or arguments[0] == "list"
    assert "prompt_toolkit" not in names


def test_the_version_needs_no_parser(tmp_path: Path) -> None:
    _code, names = modules_after(tmp_path, "--version")
    assert not names & {"argparse", "msgspec", "dataclasses", "typing", "inspect", "gettext"}


@pytest.mark.parametrize("arguments", [["--version"], ["host", "--version"]], ids=" ".join)
def test_version(tmp_path: Path, arguments: list[str]) -> None:
    assert run(tmp_path, *arguments) == (0, f"spitnet {__version__}\n", "")


def test_help_names_every_command(tmp_path: Path) -> None:
    ran = run(tmp_path, "--help")
    assert ran.code == 0
    assert ran.err == ""
    for command in COMMANDS:
        assert f"\n    {command} " in ran.out


def test_the_installed_command_is_the_same_program(tmp_path: Path) -> None:
    command = Path(sys.executable).parent / "spitnet"
    if not command.exists():
        pytest.skip("spitnet is not installed here")
    done = subprocess.run([command, "--version"], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"spitnet {__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], ["rules"], ["stats"], ["config"]])
def test_a_terminal_without_our_signs_ends_no_run(tmp_path: Path, arguments: list[str]) -> None:
    ran = run(tmp_path, *arguments, extra={"PYTHONIOENCODING": "ascii"})
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.isascii()


@pytest.mark.skipif(os.name != "posix", reason="a pipe that closes early is a POSIX matter")
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, "--print-completion", "bash"],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=variables(tmp_path),
    )
    os.close(writing)
    assert done.stderr == b""
    assert done.returncode == ExitCode.INTERRUPTED


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("question", ["--version", "--help"])
def test_a_full_disk_is_one_line(tmp_path: Path, question: str) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*PROGRAM, question],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env=variables(tmp_path),
        )
    assert done.returncode == ExitCode.USAGE
    assert done.stderr.count("\n") == 1


CLOSED = """
import os, sys
for number in map(int, sys.argv[1].split(",")):
    os.close(number)
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.mark.skipif(os.name != "posix", reason="closed descriptors are a POSIX matter")
@pytest.mark.parametrize("closed", ["0", "1", "2", "0,1", "0,1,2"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--version"], 0),
        (["--help"], 0),
        (["rules"], 0),
        (["stats"], 0),
        (["config"], 0),
        (["verify", "nowhere"], 2),
        (["host", "--name", "Ana", *here()], 130),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_a_stream_that_was_closed_from_the_start_ends_no_run(
    tmp_path: Path, closed: str, arguments: list[str], code: int
) -> None:
    """What goes to the others is as ever: no traceback, and the same exit code."""
    done = subprocess.run(
        [sys.executable, "-c", CLOSED, closed, *PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=variables(tmp_path),
        timeout=30,
    )
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") <= 1


def test_an_interrupt_is_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_given: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("spitnet.cli._run", interrupted)
    assert main([]) == ExitCode.INTERRUPTED


@pytest.mark.parametrize("command", ["host", "join", "solo"])
def test_a_person_who_can_type_nothing_is_told(tmp_path: Path, command: str) -> None:
    """Where stdin is no terminal and at its end, as in a service."""
    ran = run(tmp_path, command, "--name", "Ana", *here())
    assert ran.code == ExitCode.INTERRUPTED
    assert ran.err.count("\n") == 1
    assert "stdin has ended" in ran.err
    assert "--headless" in ran.err


def test_whoever_has_said_goodbye_needs_to_type_no_more(tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "host", "--name", "Ana", *here()],
        input=b"q\n",
        capture_output=True,
        cwd=tmp_path,
        env=variables(tmp_path),
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
@pytest.mark.parametrize("arguments", [["rules"], ["config", "--create"]], ids=" ".join)
def test_quiet_is_quiet_whatever_fails(tmp_path: Path, arguments: list[str]) -> None:
    """A full disk, and a file that is there already."""
    assert run(tmp_path, "config", "--create").code == 0
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments, "-q"],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env=variables(tmp_path),
        )
    assert (done.returncode, done.stderr) == (ExitCode.USAGE, b"")


def test_the_readme_explains_every_exit_code() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in readme.splitlines() if line.startswith("|")]
    explained = [int(row[1]) for row in rows if row[1].strip().isdigit()]
    assert explained == list(ExitCode)
