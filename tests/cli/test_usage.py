"""Everything wrong that a user can write: one clear line on stderr, exit code 2, no traceback."""

import sys
from pathlib import Path

import pytest
from support.program import PROGRAM, run, variables

from spitnet.exits import ExitCode

WRONG: dict[str, tuple[list[str], str]] = {
    "nothing": ([], "a command is missing"),
    "no such command": (["hots"], "there is no command 'hots'; did you mean 'host'?"),
    "nothing like a command": (["xyzzy"], "there is no command 'xyzzy' ("),
    "no such command behind a flag": (["--lang", "en", "hots"], "'hots'"),
    "a value for a switch": (["host", "--headless=yes"], "'yes'"),
    "a command abbreviated": (["ho"], "'ho'"),
    "a flag abbreviated": (["host", "--gam", "3"], "--gam"),
    "no such flag": (["list", "--games", "3"], "--games 3 (see: spitnet list --help)"),
    "a flag misspelt": (
        ["host", "--gmaes", "3"],
        "there is no option '--gmaes'; did you mean '--games'? (see: spitnet host --help)",
    ),
    "a flag misspelt with its value": (["join", "--tabel=Bo"], "'--tabel'; did you mean '--table'"),
    "a general flag misspelt": (["list", "--verbos"], "'--verbos'; did you mean '--verbose'"),
    "a flag misspelt before any command": (["--lnag"], "'--lang'? (see: spitnet --help)"),
    "a flag of another command": (["solo", "--code", "x"], "unrecognized arguments: --code x ("),
    "a flag without its value": (["host", "--games"], "--games"),
    "too many arguments": (["list", "now"], "now"),
    "a line end in an argument": (["list", "a\nb"], "a\\nb"),
    "no file": (["verify"], "FILE"),
    "no such file": (["verify", "nowhere"], "'nowhere'"),
    "a directory for a file": (["replay", "--json", "."], "'.'"),
    "a very long file name": (["verify", "x" * 5000], "File name too long"),
    "games 0": (["host", "--games", "0"], "1 to 1000"),
    "games 1001": (["solo", "--games", "1001"], "1 to 1000"),
    "games negative": (["host", "--games", "-1"], "1 to 1000"),
    "games a fraction": (["host", "--games", "1.5"], "1 to 1000"),
    "games empty": (["host", "--games", ""], "1 to 1000"),
    "games in other digits": (["host", "--games", "٣"], "1 to 1000"),
    "games with an underscore": (["host", "--games", "1_0"], "1 to 1000"),
    "games endless": (["host", "--games", "9" * 5000], "1 to 1000"),
    "refill": (["host", "--refill", "never"], "auto, manual"),
    "spit": (["host", "--spit", "AUTO"], "said, auto"),
    "grace too short": (["host", "--grace", "4"], "5 to 3600"),
    "grace too long": (["host", "--grace", "3601"], "5 to 3600"),
    "port 0": (["host", "--port", "0"], "1 to 65535"),
    "port 65536": (["host", "--discovery-port", "65536"], "1 to 65535"),
    "level": (["solo", "--level", "god"], "easy, normal, hard, expert"),
    "delay negative": (["host", "--delay", "-0.1"], "0 to 60"),
    "delay too long": (["host", "--delay", "60.1"], "0 to 60"),
    "delay nan": (["host", "--delay", "nan"], "0 to 60"),
    "delay a word": (["host", "--delay", "fast"], "0 to 60"),
    "timeout 0": (["join", "--timeout", "0"], "above 0"),
    "timeout endless": (["join", "--timeout", "inf"], "above 0"),
    "seed negative": (["host", "--seed", "-1"], "--seed"),
    "name empty": (["host", "--name", ""], "--name"),
    "name of blanks": (["host", "--name", " \t\n"], "--name"),
    "name of control characters": (["host", "--name", "\x1b\x07"], "--name"),
    "code empty": (["join", "--code", " "], "--code"),
    "code too long": (["join", "--code", "x" * 65], "--code"),
    "interface": (["host", "--interface", "nosuch0"], "'nosuch0'"),
    "sync": (["host", "--sync", "never"], "always, process"),
    "journal under a file": (["host", "--journal", "file/records"], "directory"),
    "journal a file": (["host", "--journal", "file"], "directory"),
    "language": (["list", "--lang", "tlh"], "'tlh'"),
    "language a path": (["list", "--lang", "../../etc"], "'../../etc'"),
    "quiet and verbose": (["list", "-q", "-v"], "-v"),
    "address without a host": (["join", ":5000"], "HOST is missing"),
    "address empty": (["join", ""], "HOST is missing"),
    "address without a port": (["join", "host:"], "PORT"),
    "address with port 0": (["join", "host:0"], "1 to 65535"),
    "address with a word": (["join", "host:port"], "1 to 65535"),
    "address with a scheme": (
        ["join", "tcp://host"],
        "'tcp://host' is not an address; write HOST or",
    ),
    "address of a web page": (["join", "http://10.0.0.2:555"], "HOST:PORT, as in 10.0.0.2:5000"),
    "address with two ports": (
        ["join", "10.91.0.2:1:2"],
        "'10.91.0.2:1:2' is not an address; write",
    ),
    "address of a network": (["join", "10.0.0.0/24"], "'10.0.0.0/24' is not an address; write"),
    "address of blanks": (["join", "my host"], "'my host'"),
    "address IPv4": (["join", "300.1.1.1"], "IPv4"),
    "address IPv6": (["join", "1:2:3"], "'1:2:3' is not an address; write HOST or HOST:PORT"),
    "address IPv6 open": (["join", "[::1"], "'[::1' is not an address; write"),
    "address IPv6 empty": (["join", "[]:5"], "HOST is missing"),
    "address IPv4 in brackets": (
        ["join", "[10.0.0.1]:5"],
        "'[10.0.0.1]:5' is not an address; write",
    ),
    "two ports": (["join", "host:5000", "--port", "5001"], "--port"),
    "a port without a host": (["join", "--port", "5001"], "HOST"),
    "a host and a table": (["join", "host", "--table", "Ada"], "--table"),
    "no such keys": (["host", "--keys", "asdf"], "spitnet: --keys: must be qwerty, "),
    "a key twice": (["rules", "--keys", "asdf jkla"], "spitnet: --keys: a appears twice"),
    "no such ranks": (["host", "--ranks", "dutch"], "spitnet: --ranks: must be english, local, "),
    "three ranks": (["rules", "--ranks", "AHV"], "--ranks: must be english, local, "),
    "a rank twice": (["watch", "--ranks", "AKQA"], "--ranks: A appears twice"),
    "a rank that is a number": (["solo", "--ranks", "AKQ2"], "--ranks: 2 can’t stand on a card"),
    "a wide rank": (["solo", "--ranks", "AKQ王"], "--ranks: 王 can’t stand on a card"),
}


@pytest.mark.parametrize("case", WRONG)
def test_one_line_and_exit_code_2(tmp_path: Path, case: str) -> None:
    (tmp_path / "file").write_text("not a record")
    arguments, said = WRONG[case]
    ran = run(tmp_path, *arguments)
    complaint = ran.complaint()
    assert ran.code == ExitCode.USAGE
    assert complaint.startswith("spitnet: ")
    assert said in complaint


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('nmae = "Ada"', "line 1: there is no setting 'nmae'; did you mean 'name'?"),
        ("# a remark\n\ngames = 0", "line 3: games: must be a whole number from 1 to 1000"),
        ("games = true", "line 1: games: must be a whole number from 1 to 1000, not 'true'"),
        ("sync = false", "line 1: sync: must be one of always, process, not 'false'"),
        ('keys = "abc"', "line 1: keys: must be qwerty, "),
        ('ranks = "abc"', "line 1: ranks: must be english, local, "),
        ("games = [1]", "line 1: games must be a single value"),
        ("[host]\ngames = 3", "line 1: there is no setting 'host'"),
        ('name = "Ada\n', "line 1, column 12: this is not TOML; "),
        ("games = 1\ngames = 2\n", "line 2, column 10: this is not TOML; "),
        ("name = [1,", "at its end: this is not TOML; "),
        (f"games = {'9' * 5000}", "config.toml: this is not TOML; "),
        (f"games = {'[' * 5000}", "config.toml: this is not TOML; "),
        (b'name = "\xff"', "UTF-8"),
    ],
)
def test_the_config_file_is_named_with_the_line(
    tmp_path: Path, content: str | bytes, said: str
) -> None:
    file = tmp_path / "spitnet" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    ran = run(tmp_path, "host")
    assert ran.code == ExitCode.USAGE
    complaint = ran.complaint()
    assert str(file) in complaint
    assert said in complaint


def test_a_config_file_that_is_a_directory(tmp_path: Path) -> None:
    (tmp_path / "spitnet" / "config.toml").mkdir(parents=True)
    ran = run(tmp_path, "list")
    assert ran.code == ExitCode.USAGE
    assert "config.toml" in ran.complaint()


LONG = "/".join(["a directory with a long name"] * 9)


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", LONG),
        ("replay", f"{LONG}/."),
        ("resume", LONG),
        ("host", "--journal", f"file/{LONG}"),
        ("stats", "--journal", f"file/{LONG}"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_path_is_named_whole(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """So that it can be copied, however long it is."""
    (tmp_path / "file").touch()
    if arguments[0] == "replay":
        (tmp_path / LONG).mkdir(parents=True)
    ran = run(tmp_path, *arguments)
    assert ran.code == ExitCode.USAGE
    assert repr(arguments[-1]) in ran.complaint()


@pytest.mark.parametrize(
    ("variable", "text"),
    [("SPITNET_GAMES", "many"), ("SPITNET_HEADLESS", "perhaps"), ("SPITNET_LANG", "tlh")],
)
def test_an_environment_variable_is_named(tmp_path: Path, variable: str, text: str) -> None:
    ran = run(tmp_path, "host", extra={variable: text})
    assert ran.code == ExitCode.USAGE
    assert repr(text) in ran.complaint()
    assert variable in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_terminal_breaks_no_word_of_it(tmp_path: Path) -> None:
    from support.terminals import Pty

    command = [*PROGRAM, "join", "--discovery-port"]
    told = run(tmp_path, *command[len(PROGRAM) :])[2]
    with Pty(command, columns=50, env=variables(tmp_path), cwd=tmp_path) as pty:
        assert pty.wait() == ExitCode.USAGE
        pty.read()
        lines = [line.rstrip() for line in pty.screen.display if line.strip()]
    assert len(lines) > 1
    assert " ".join(lines) == told.strip()
