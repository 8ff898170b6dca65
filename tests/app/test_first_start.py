"""The first start of all: a name is asked for once, the first game explains itself, a table's code can be typed."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.answers import ANSWERS
from support.pairs import Peer, peers
from support.program import PROGRAM, run, variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.terminals import Pty

BOT = ("--headless", "--delay", "0.5", "--sync", "process")


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


@contextmanager
def started(home: Path, *arguments: str, extra: Mapping[str, str] | None = None) -> Iterator[Pty]:
    home.mkdir(parents=True, exist_ok=True)
    env = {**variables(home, extra), "TERM": "xterm-256color"}
    with Pty([*PROGRAM, *arguments], env=env, cwd=home) as pty:
        yield pty


def leave(pty: Pty) -> None:
    """From an open table, where nothing is at stake."""
    pty.send("q")
    assert pty.wait() == 0


def left(pty: Pty) -> bool:
    """Presses q once more, since a page that has just come up is deaf for a moment; whether the program has ended."""
    pty.send("q")
    return pty.process.poll() is not None


def explained(pty: Pty, text: str) -> bool:
    """Whether the text is there; else turns the help's page once more, since the table may have been deaf to it."""
    if text not in pty.text:
        pty.send("?")
        return False
    return True


def test_the_name_is_asked_for_once_and_kept(tmp_path: Path, here: tuple[str, ...]) -> None:
    with started(tmp_path, "host", *here, extra={"PYTHONIOENCODING": "utf-8:strict"}) as pty:
        pty.until_shows("Your name")
        pty.send(b"\xff\n")
        pty.until_shows("That can’t be read")
        pty.send("\x01\n")
        pty.until_shows("name: must have at least one printable character")
        pty.send("Z" * 33 + "\n")
        pty.until_shows("name: must be shorter; this much fits: 'ZZZ")
        pty.send("  Zoë \t Z\n")
        pty.until_shows("The table of Zoë Z is open")
        leave(pty)
    with started(tmp_path, "host", *here) as pty:
        pty.until_shows("The table of Zoë Z is open")
        leave(pty)
    shown = next(line for line in run(tmp_path, "config").out.splitlines() if "Zoë Z" in line)
    assert "first start" in shown


def test_enter_keeps_the_name_that_was_made_up(tmp_path: Path, here: tuple[str, ...]) -> None:
    with started(tmp_path, "host", *here) as pty:
        pty.until_shows("Enter: spit-")
        name = pty.text.partition("Enter: ")[2].partition(")")[0]
        pty.send("\n")
        pty.until_shows(f"The table of {name} is open")
        leave(pty)
    with started(tmp_path, "host", *here) as pty:
        pty.until_shows(f"The table of {name} is open")
        leave(pty)


def test_what_fits_of_a_long_name_is_offered(tmp_path: Path, here: tuple[str, ...]) -> None:
    """And Enter takes it, also after another try of which nothing can be shown."""
    with started(tmp_path, "host", *here) as pty:
        pty.until_shows("Your name")
        pty.send("Elżbieta {name} Brzęczyszczykiewicz z Chrząszczyżewoszyc\n")
        pty.until_shows("(Enter: Elżbieta {name} Brzęczyszczykiew):")
        pty.send("\x01\n")
        pty.until_shows("at least one printable")
        pty.until(lambda: pty.text.count("Brzęczyszczykiew):") == 2, "the same offer again")
        pty.send("\n")
        pty.until_shows("The table of Elżbieta {name} Brzęczyszczykiew is open")
        leave(pty)
    kept = (tmp_path / "spitnet" / "name").read_text(encoding="utf-8")
    assert kept == "Elżbieta {name} Brzęczyszczykiew\n"


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_the_question_can_be_left(tmp_path: Path, key: str) -> None:
    """By Ctrl-C and Ctrl-D; then nothing is kept, and the shell's prompt gets a line of its own."""
    with started(tmp_path, "solo") as pty:
        pty.until_shows("Your name")
        pty.until_it_reads()
        pty.send(key)
        assert pty.wait() == 130
        assert b"Traceback" not in pty.output
        assert pty.output.endswith(b"\n")
    assert not (tmp_path / "spitnet" / "name").exists()


def test_who_has_said_a_name_is_not_asked(tmp_path: Path, here: tuple[str, ...]) -> None:
    with started(tmp_path, "host", *here, extra={"SPITNET_NAME": "Ada"}) as pty:
        pty.until_shows("The table of Ada is open")
        leave(pty)
    with started(tmp_path, "host", *here, "--plain") as pty:
        pty.until_shows("Your name")


def test_a_headless_run_makes_one_up(tmp_path: Path, here: tuple[str, ...]) -> None:
    with started(tmp_path, "host", "--headless", "--timeout", "0.2", *here) as pty:
        assert pty.wait() == 3
        assert '"name":"spit-' in pty.text
        assert "Your name" not in pty.text


def test_the_first_game_is_explained_and_the_next_is_not(tmp_path: Path) -> None:
    solo = ("solo", "--name", "Ana", "--delay", "0.5")
    with started(tmp_path, *solo) as pty:
        pty.until_shows("Welcome!")
        pty.send(" ")
        pty.until_shows("call “spit!”")
        pty.send(" ")
        # One deal in some leaves nobody a card to play, and the table says that at once.
        said = ("said “spit!”", "Neither can play")
        pty.until(lambda: any(text in pty.text for text in said), "the spit")
        pty.send("c")
        pty.until_shows("Concede this game?")
        pty.send("y")
        pty.until_shows("longest run")
        pty.until(lambda: left(pty), "the end")
    with started(tmp_path, *solo) as pty:
        pty.until_shows("space: ready")
        assert "Welcome!" not in pty.text


def test_hints_can_be_turned_off(tmp_path: Path) -> None:
    with started(tmp_path, "solo", "--name", "Ana", "--delay", "5", "--no-hints") as pty:
        pty.until_shows("space: ready")
        assert "Welcome!" not in pty.text


CODED = ("host", *BOT, "--name", "Bram", "--code", "tulip", "--timeout", "60")
ASKED = "The table “Bram” asks for a code."


def written(pty: Pty, code: str) -> bool:
    """Whether the line to type in ends with that."""
    return any(line.rstrip().rstrip("_").endswith(code) for line in pty.lines)


def clear(pty: Pty) -> None:
    """Waits until letters count, since a page that has just come up is deaf for a moment; then takes them back."""
    pty.until(lambda: written(pty, "zz"), "letters", press="z")
    pty.until(lambda: not written(pty, "z"), "no letters", press="\x7f")


@pytest.mark.parametrize("manner", [(), ("--plain",)], ids=["screen", "lines"])
def test_the_code_of_a_table_is_asked_for_in_the_lobby(
    tmp_path: Path, here: tuple[str, ...], manner: tuple[str, ...]
) -> None:
    """Letters that mean something elsewhere are letters, one can be taken back, and a wrong code is asked for again."""
    with peers(Peer(tmp_path / "bot", (*CODED, *here))) as (bot,):
        bot.wait_for("hosting")
        with started(tmp_path / "ana", "join", "--name", "Ana", *manner, *here) as pty:
            pty.until_shows(ASKED)
            pty.until(lambda: written(pty, "qqq"), "letters", press="q")
            pty.send("?\r")
            pty.until_shows("The table wants another code.")
            clear(pty)
            pty.send("tulipq")
            pty.until(lambda: written(pty, "tulipq"), "the code")
            pty.send("\x7f\r")
            bot.wait_for("connected")
            pty.until_shows("Bram is ready.")
            assert b"Traceback" not in pty.output


@pytest.mark.parametrize("manner", [(), ("--plain",)], ids=["screen", "lines"])
@pytest.mark.parametrize("back", ["\x1b", "\r"], ids=["Esc", "Enter"])
def test_who_knows_no_code_goes_back_to_the_list(
    tmp_path: Path, here: tuple[str, ...], manner: tuple[str, ...], back: str
) -> None:
    """And isn't taken to the only table once more; there the letters are keys again."""
    with peers(Peer(tmp_path / "bot", (*CODED, *here))) as (bot,):
        bot.wait_for("hosting")
        with started(tmp_path / "ana", "join", "--name", "Ana", *manner, *here) as pty:
            pty.until_shows(ASKED)
            clear(pty)
            pty.send(back)
            last = "leave" if manner else "q leave"
            pty.until(lambda: pty.text.rstrip().endswith(last), "the list")
            pty.until(lambda: pty.process.poll() is not None, "the end", press="q")
            assert pty.wait() == 0
        assert not bot.of("connected")


def test_ctrl_c_at_the_code_is_an_interruption(tmp_path: Path, here: tuple[str, ...]) -> None:
    with peers(Peer(tmp_path / "bot", (*CODED, *here))) as (bot,):
        bot.wait_for("hosting")
        with started(tmp_path / "ana", "join", "--name", "Ana", *here) as pty:
            pty.until_shows(ASKED)
            clear(pty)
            pty.send("tul\x03")
            assert pty.wait() == 130
            assert pty.modes() == pty.modes_before


def test_what_a_terminal_answers_is_part_of_no_name_and_no_code(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """To a question of the program before, perhaps; nor are arrows."""
    answers = "".join(one for one in ANSWERS.values() if not one.startswith("\x1b[200~"))
    with peers(Peer(tmp_path / "bot", (*CODED, *here))) as (bot,):
        bot.wait_for("hosting")
        with started(tmp_path / "ana", "join", *here) as pty:
            pty.until_shows("Your name")
            pty.send(f"A{answers}na\x1b[D\n")
            pty.until_shows(ASKED)
            clear(pty)
            pty.send(f"tu\x1b[200~lip\x1b[201~{answers}")
            pty.until(lambda: written(pty, "tulip"), "the code")
            pty.send("\r")
            assert bot.wait_for("connected")["opponent"] == "Ana"


def test_a_code_that_was_given_and_is_wrong_is_asked_for(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """It may be pasted too; what can be no code is told so."""
    with peers(Peer(tmp_path / "bot", (*CODED, *here))) as (bot,):
        bot.wait_for("hosting")
        with started(tmp_path / "ana", "join", "--name", "Ana", "--code", "rose", *here) as pty:
            pty.until_shows("The table wants another code.")
            clear(pty)
            pty.send("x" * 65 + "\r")
            pty.until_shows("must be 1 to 64 printable characters")
            clear(pty)
            pty.send("\x1b[200~tulip\nquit\n\x1b[201~")
            pty.until_shows("code  tulip_")
            pty.send("\r")
            bot.wait_for("connected")


def test_no_code_is_asked_for_where_none_can_be_right(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """A table without a code, looked for or asked by address: one line says what to leave off, person or not."""
    host = ("host", *BOT, *here, "--name", "Bram", "--timeout", "60")
    said = "spitnet: the table “Bram” has no code: join it without --code"
    with peers(Peer(tmp_path / "bot", host)) as (bot,):
        place = f"127.0.0.1:{bot.wait_for('hosting')['port']}"
        for way in ((), (place,)):
            words = ("join", *way, "--name", "Ana", "--code", "rose", *here)
            with started(tmp_path / "ana", *words) as pty:
                assert pty.wait() == 5
                assert said in pty.text
                assert "asks for a code" not in pty.text
            ran = run(tmp_path, *words, "--headless")
            assert (ran.code, ran.err) == (5, f"{said}\n")


def test_a_join_without_a_person_is_refused_as_ever(tmp_path: Path, here: tuple[str, ...]) -> None:
    host = ("host", *BOT, *here, "--name", "Bram", "--code", "tulip", "--timeout", "60")
    with peers(Peer(tmp_path / "bot", host)) as (bot,):
        bot.wait_for("hosting")
        ran = run(tmp_path, "join", "--headless", *here)
        assert ran.code == 5
        assert "add --code CODE" in ran.err


def test_the_letters_on_the_cards_are_those_of_the_user(tmp_path: Path) -> None:
    """At the table too, where the help explains them with cards."""
    with started(tmp_path, "solo", "--name", "Ana", "--no-hints", "--ranks", "XZYW") as pty:
        pty.until_shows("? help")
        pty.until(lambda: explained(pty, "Z♦ and 2♥ fit on X♠"), "the rules")
