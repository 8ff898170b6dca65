"""A person's whole evening through a real terminal: the program under a pty, its screen read, keys pressed."""

import json
import signal
import sys
from pathlib import Path

import pytest
from support.pairs import Peer, peers
from support.program import PROGRAM, run, variables
from support.terminals import Pty

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import concede, leave, over, play, terminal, until_both

BOT = ("--headless", "--delay", "0.02", "--sync", "process")


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


def test_solo_from_the_command_to_the_end(tmp_path: Path) -> None:
    """One command, and a game: played to its end, left with a key, the terminal given back."""
    with terminal(tmp_path, "solo", "--delay", "0.05", "--name", "Ana") as pty:
        pty.until_shows("Spitbot")
        play(pty)
        assert leave(pty) == 0
        assert b"\x1b[?1049l" in pty.output
        assert b"Traceback" not in pty.output
    for record in (tmp_path / "journals").iterdir():
        assert run(tmp_path, "verify", str(record)).code == 0


def test_a_person_hosts_and_a_bot_joins(tmp_path: Path, here: tuple[str, ...]) -> None:
    """The open table is shown, and reacts the moment somebody sits down; three games with a page between."""
    with terminal(tmp_path / "ana", "host", "--games", "3", "--name", "Ana", *here) as pty:
        pty.until_shows("127.0.0.1:")
        with peers(Peer(tmp_path / "bot", ("join", *BOT, *here, "--name", "Bram"))) as (bot,):
            pty.until_shows("Bram")
            play(pty)
            assert leave(pty) == 0
            assert bot.finish() == (0, "")
            assert 2 <= len(bot.of("game_over")) <= 3


def test_a_person_joins_a_bot(tmp_path: Path, here: tuple[str, ...]) -> None:
    with (
        peers(Peer(tmp_path / "bot", ("host", *BOT, *here, "--name", "Bram"))) as (bot,),
        terminal(tmp_path / "ana", "join", *here) as pty,
    ):
        pty.until_shows("Bram")
        play(pty)
        assert leave(pty) == 0
        assert bot.finish() == (0, "")


def test_two_people_and_a_rematch(tmp_path: Path, here: tuple[str, ...]) -> None:
    """R21: both press the key, seats stay, and the new match has a record of its own."""
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as ana,
        terminal(tmp_path / "bram", "join", "--name", "Bram", *here) as bram,
    ):
        ana.until_shows("Bram")
        bram.until_shows("Ana")
        concede(ana, bram)
        until_both(ana, bram, lambda: "Ana wants" in bram.text, press=(ana, "r"))
        until_both(ana, bram, lambda: not over(ana) and not over(bram), press=(bram, "r"))
        concede(bram, ana)
        assert [leave(pty) for pty in (ana, bram)] == [0, 0]
    for name in ("ana", "bram"):
        records = sorted((tmp_path / name / "journals").iterdir())
        assert len(records) == 2
        for record in records:
            verified = run(tmp_path, "verify", str(record))
            assert (verified.code, verified.err) == (0, ""), verified.out


def test_leaving_in_the_middle_concedes(tmp_path: Path, here: tuple[str, ...]) -> None:
    """R22: asked first; the other side is told at once and has won."""
    with (
        peers(Peer(tmp_path / "bot", ("host", *BOT, *here))) as (bot,),
        terminal(tmp_path / "ana", "join", *here) as pty,
    ):
        bot.wait_for("deal")
        pty.until_shows("races")
        pty.send("q")
        pty.until_shows("y yes")
        pty.send("y")
        assert pty.wait() == 0
        assert bot.finish() == (0, "")
        (game,) = bot.of("game_over")
        assert (game["winner"], game["reason"]) == (0, "conceded")


@pytest.mark.parametrize("leaver", [0, 1], ids=["the host leaves", "the joiner leaves"])
def test_whoever_has_left_is_not_asked_for_a_rematch(
    tmp_path: Path, here: tuple[str, ...], leaver: int
) -> None:
    """R21, R22: in mid-match, by q and y. The other reads that, is offered nothing, and leaves a table that is then gone."""
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as ana,
        terminal(tmp_path / "bram", "join", "--name", "Bram", *here) as bram,
    ):
        both = (ana, bram)
        gone, stays, name = both[leaver], both[1 - leaver], ("Ana", "Bram")[leaver]
        until_both(ana, bram, lambda: all("space: ready" in pty.text for pty in both))
        until_both(ana, bram, lambda: "y yes" in gone.text, press=(gone, "q"))
        gone.send("y")
        until_both(ana, bram, lambda: f"{name} has left" in stays.text)
        assert gone.wait() == 0
        stays.until(lambda: stays.process.poll() is not None, "the end", press="rq")
        assert stays.wait() == 0
        assert "rematch" not in stays.text
    assert run(tmp_path, "list", *here).out == "no open table\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back_and_concedes_nothing(
    tmp_path: Path, here: tuple[str, ...], number: signal.Signals
) -> None:
    with (
        peers(Peer(tmp_path / "bot", ("host", *BOT, *here, "--grace", "5"))) as (bot,),
        terminal(tmp_path / "ana", "join", *here) as pty,
    ):
        bot.wait_for("deal")
        pty.until_shows("leave")
        pty.signal(number)
        assert pty.wait() == 130
        assert b"\x1b[?1049l" in pty.output
        assert pty.modes() == pty.modes_before
        bot.wait_for("opponent_lost")
        assert bot.finish()[0] == 4


@pytest.mark.parametrize("words", [("solo",), ("solo", "--plain"), ("host",)], ids=" ".join)
def test_a_window_that_is_closed(
    tmp_path: Path, here: tuple[str, ...], words: tuple[str, ...]
) -> None:
    """R22: interrupted, whatever was left to say to a terminal that is gone; said twice, as by the kernel and a shell."""
    network = here if words == ("host",) else ()
    with terminal(tmp_path, *words, *network) as pty:
        pty.until(lambda: "address" in pty.text or "Spitbot" in pty.text, "the first page")
        pty.close_terminal()
        pty.signal(signal.SIGHUP)
        assert pty.process.wait(20) == 130


@pytest.mark.parametrize(("key", "code"), [("q", 0), ("\x03", 130)], ids=["q", "ctrl-c"])
@pytest.mark.parametrize("manner", [(), ("--plain",)], ids=["full", "plain"])
@pytest.mark.parametrize(
    ("command", "shown"),
    [("host", "Waiting for"), ("join", "Looking for"), ("watch", "Looking for")],
    ids=["host", "join", "watch"],
)
def test_ctrl_c_before_there_is_a_match_is_an_interruption(
    tmp_path: Path,
    here: tuple[str, ...],
    command: str,
    shown: str,
    manner: tuple[str, ...],
    key: str,
    code: int,
) -> None:
    """And q is none: it leaves, where nothing is at stake. On either screen."""
    env = {**variables(tmp_path), "SPITNET_NAME": "Zoe", "TERM": "xterm-256color"}
    with Pty([*PROGRAM, command, *here, *manner], env=env, cwd=tmp_path) as pty:
        pty.until_shows(shown)
        pty.send(key)
        assert pty.wait() == code


def claim(pty: Pty) -> None:
    """Once the match may be claimed, does so."""
    pty.until(lambda: "claim" in pty.text.lower(), "the claim")
    pty.send("q")
    pty.until_shows("y yes")
    pty.send("y")
    pty.until(lambda: "y yes" not in pty.text)


def test_a_lost_opponent_is_said_with_the_time_left(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Then the match may be claimed, which asks, and ends it: won, in the last words and in the results. R22"""
    with (
        terminal(tmp_path / "ana", "host", "--grace", "5", *here) as pty,
        peers(Peer(tmp_path / "bot", ("join", *BOT, *here, "--name", "Bram"))) as (bot,),
    ):
        pty.until_shows("Bram")
        bot.wait_for("deal")
        bot.signal(signal.SIGKILL)
        claim(pty)
        assert leave(pty) == 4
        assert "Zoe 0:0 Bram; the match goes to Zoe. The record: " in " ".join(pty.text.split())
    stats = run(tmp_path / "ana", "stats", "--json", "--journal", str(tmp_path / "ana/journals"))
    told = json.loads(stats.out)
    assert (told["matches"]["won"], told["claimed"]) == (1, {"won": 1, "lost": 0})


def test_who_comes_back_too_late_is_told(tmp_path: Path, here: tuple[str, ...]) -> None:
    """The one who claimed the match still looks at how it ended."""
    bram = tmp_path / "bram"
    with (
        terminal(tmp_path / "ana", "host", "--grace", "5", *here) as pty,
        peers(Peer(bram, ("join", *BOT, *here, "--name", "Bram"))) as (bot,),
    ):
        bot.wait_for("deal")
        bot.signal(signal.SIGKILL)
        claim(pty)
        with peers(Peer(bram, ("resume", "--headless", *here))) as (late,):
            code, message = late.finish()
            assert code == 4
            assert "your opponent claimed the match" in message
        assert leave(pty) == 4


def test_any_size_during_play(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Down to one cell and up again, the game goes on."""
    with (
        peers(Peer(tmp_path / "bot", ("host", *BOT, *here, "--name", "Bram"))) as (bot,),
        terminal(tmp_path / "ana", "join", *here) as pty,
    ):
        pty.until_shows("Bram")
        for columns, rows in ((1, 1), (400, 100), (50, 15), (20, 5), (120, 40), (80, 24)):
            pty.resize(columns, rows)
            pty.send(" ")
            pty.read(0.1)
        pty.until_shows("Bram")
        play(pty)
        assert leave(pty) == 0
        assert bot.finish() == (0, "")


def test_a_screen_too_small_to_ask_gives_nothing_away(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """R22: leaving is asked first, which needs room for the question; Ctrl-C asks it, and it stands there once there is."""
    with (
        peers(Peer(tmp_path / "bot", ("host", *BOT, *here))) as (bot,),
        terminal(tmp_path / "ana", "join", *here) as pty,
    ):
        pty.until_shows("space: ready")  # the deal is over, which takes a question away
        pty.resize(44, 12)
        pty.until_shows("Needs 50×15, has 44×12")
        for key in "qycy":
            pty.send(key)
            pty.read(0.1)
        pty.signal(signal.SIGINT)
        pty.resize(80, 24)
        pty.until_shows("y yes")
        assert not bot.of("game_over")
        pty.until(lambda: "y yes" not in pty.text, "no question any more", press="n")
        pty.until(lambda: "y yes" in pty.text, "the question", press="q")
        pty.until(lambda: pty.process.poll() is not None, "the end", press="y")
        assert pty.wait() == 0
        assert bot.finish() == (0, "")


def test_lines_against_a_full_screen(tmp_path: Path, here: tuple[str, ...]) -> None:
    """`--plain`: the whole game as lines, nothing that moves the cursor."""
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as ana,
        terminal(tmp_path / "bram", "join", "--name", "Bram", "--plain", *here) as bram,
    ):
        ana.until_shows("Bram")
        until_both(ana, bram, lambda: "Ana" in bram.text)
        concede(ana, ana)
        until_both(ana, bram, lambda: "won" in bram.text.lower() or "wins" in bram.text.lower())
        assert b"\x1b[" not in bram.output


def test_a_rematch_needs_one_press_each(tmp_path: Path, here: tuple[str, ...]) -> None:
    """R21: whoever presses second starts the game on both screens."""
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as ana,
        terminal(tmp_path / "bram", "join", "--name", "Bram", *here) as bram,
    ):
        ana.until_shows("Bram")
        bram.until_shows("Ana")
        concede(ana, bram)
        until_both(ana, bram, lambda: "Ana wants" in bram.text, press=(ana, "r"))
        bram.send("r")
        until_both(ana, bram, lambda: not over(ana) and not over(bram))


def test_solo_is_not_for_others_on_this_machine(tmp_path: Path) -> None:
    """Whoever looks for tables here doesn't find it, and can't take the bot's seat."""
    with terminal(tmp_path / "ana", "solo", "--delay", "5", "--name", "Ana") as pty:
        pty.until_shows("Spitbot")
        listed = run(tmp_path, "list", "--interface", "lo")
        assert listed.out == "no open table\n"


def test_the_score_and_the_record_are_said_at_the_end(tmp_path: Path) -> None:
    with terminal(tmp_path, "solo", "--delay", "0.05", "--name", "Ana") as pty:
        pty.until_shows("Spitbot")
        concede(pty, pty)
        assert leave(pty) == 0
        assert "Ana 0:1 Spitbot" in pty.text
        record = next((tmp_path / "journals").glob("*-0.spit"))
        assert record.name in pty.text.replace("\n", "")
