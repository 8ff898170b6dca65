"""`spitnet resume` for a person: what both screens say while one side is gone, and the table as it was afterwards."""

import contextlib
import json
import re
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest
from support.comebacks import Seat, free_tcp_port, seats
from support.pairs import PATIENCE_S
from support.program import run, variables

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from support.evening import concede, leave, over, play, terminal, until_both
from support.terminals import Pty

BOT = ("--headless", "--delay", "0.02")
SLOW = ("--headless", "--delay", "0.5")


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


@pytest.mark.full
def test_the_survivor_is_told_and_goes_on(tmp_path: Path, here: tuple[str, ...]) -> None:
    """The opponent is killed: the time left counts down, and the game goes on by itself once it is back."""
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as pty,
        seats(Seat(tmp_path / "bram", ("join", *BOT, *here, "--name", "Bram"))) as (bram,),
    ):
        pty.until_shows("Bram")
        bram.now.wait_for("deal")
        bram.kill()
        pty.until_shows("Waiting for Bram: 0:58. Nothing is lost.")
        pty.until_shows("Waiting for Bram: 0:57. Nothing is lost.")
        bram.resume(*BOT, *here)
        pty.until(lambda: "Waiting for" not in pty.text, "the game goes on")
        play(pty)
        assert leave(pty) == 0
        assert bram.now.finish() == (0, "")


def layout_and_link(pty: Pty) -> tuple[list[str], str]:
    """What lies face up before Ana, and the link's short name; empty where there is none yet."""
    row = next((line for line in pty.lines if line.startswith(" Ana")), "")
    link = re.search(r"both screens show ([0-9]{6} [0-9]{6} [0-9]{6})", pty.text)
    return re.findall(r"(?:10|[2-9JQKA])[♠♥♦♣]", row), "" if link is None else link[1]


def until_dealt(pty: Pty) -> None:
    def dealt() -> bool:
        layout, link = layout_and_link(pty)
        return len(layout) == 4 and link != ""

    pty.until(dealt, "four cards")


@pytest.mark.parametrize("role", ["host", pytest.param("join", marks=pytest.mark.full)])
def test_the_table_is_as_it_was(tmp_path: Path, here: tuple[str, ...], role: str) -> None:
    """After SIGKILL: the score, one's own cards, the link's short name; and the game can be played on."""
    other = "join" if role == "host" else "host"
    games = ("--games", "3") if role == "host" else ()
    theirs = ("--games", "3") if role == "join" else ()
    with seats(Seat(tmp_path / "bram", (other, *SLOW, *here, "--name", "Bram", *theirs))) as (
        bram,
    ):
        with terminal(tmp_path / "ana", role, "--name", "Ana", *here, *games) as pty:
            pty.until_shows("Bram")
            until_dealt(pty)
            give_up(pty)
            pty.until_shows("you 0 : 1 Bram")
            pty.until(lambda: next_game(pty), "the next game")
            until_dealt(pty)
            before = layout_and_link(pty)
            pty.signal(signal.SIGKILL)
        bram.now.wait_for("opponent_lost")
        with terminal(tmp_path / "ana", "resume", *here) as pty:
            pty.until_shows("you 0 : 1 Bram")
            pty.until(lambda: layout_and_link(pty) == before, "the table as it was")
            bram.now.wait_for("resumed")
            give_up(pty)
            pty.until(lambda: over(pty), "the end of the match")
            assert leave(pty) == 0
        assert bram.now.finish() == (0, "")
        assert bram.now.of("match_over")[0]["wins"] == ([0, 2] if role == "host" else [2, 0])
        for home in ("ana", "bram"):
            (record,) = records_of(tmp_path / home)
            assert run(tmp_path, "verify", str(record)).code == 0


def give_up(pty: Pty) -> None:
    """Concedes the game, as soon as the page takes keys."""
    pty.until(lambda: "c concede" in pty.text, "something to give up")
    end_s = time.monotonic() + PATIENCE_S
    while "Concede this game?" not in pty.text:
        assert time.monotonic() < end_s, f"deaf\n{pty.text}"
        pty.send("c")
        pty.read(0.1)
    pty.send("y")
    pty.until(lambda: "Concede this game?" not in pty.text)


def next_game(pty: Pty) -> bool:
    """Deals, once the page between two games takes keys; whether it has been dealt."""
    if "space" in pty.text and "longest run" in pty.text:
        pty.send(" ")
    return "longest run" not in pty.text


def test_in_lines_only_where_things_stand_is_told(tmp_path: Path, here: tuple[str, ...]) -> None:
    """After SIGKILL in mid-game: no play of the past, but the table as it lies, and that both are there again."""
    plain = ("--plain", *here)
    with seats(Seat(tmp_path / "bram", ("join", *SLOW, *here, "--name", "Bram"))) as (bram,):
        with terminal(tmp_path / "ana", "host", "--name", "Ana", *plain) as pty:
            pty.until_shows("Space: ready")
            pty.send(" ")
            pty.until_shows("spit!”")
            bram.now.wait_for("spit")
            pty.signal(signal.SIGKILL)
        bram.now.wait_for("opponent_lost")
        with terminal(tmp_path / "ana", "resume", *plain, columns=200) as pty:
            pty.until_shows("You are both at the table again.")
            told, _, _ = pty.text.partition("You are both")
            assert "Match: you 0, Bram 0" in told
            assert re.search(r"Left \w+, right \w+\.\nCard 1: ", told)
            assert not re.search("dealt|spit!”", told)
            pty.send("q")
            pty.until_shows("Leave the table?")


def test_who_left_a_match_is_told_of_resume(tmp_path: Path, here: tuple[str, ...]) -> None:
    """As they leave, under the list of tables, and before a table of their own is open. It concedes nothing."""
    ana = tmp_path / "ana"
    with seats(Seat(tmp_path / "bram", ("host", *SLOW, *here, "--name", "Bram"))) as (bram,):
        with terminal(ana, "join", *here, columns=200) as pty:
            bram.now.wait_for("deal")
            pty.until_shows("q leave")
            pty.signal(signal.SIGTERM)
            assert pty.wait() == 130
            how = f"spitnet resume --journal {ana / 'journals'}"
            said = f"Your match with Bram isn’t over: “{how}” resumes it."
            assert pty.lines[pty.lines.index(said) - 1].startswith("Bram 0:0 Zoe. The record: ")
        with terminal(ana, "join", *here, columns=200) as pty:
            pty.until_shows("busy")
            pty.until_shows("Your match with Bram isn’t over: “spitnet resume")
        with terminal(ana, "host", *here, "--plain", columns=200) as pty:
            pty.until_shows("127.0.0.1:")
            assert pty.lines[0] == said


@pytest.mark.full
def test_two_people_are_both_killed(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Both come back, in any order, and find each other."""
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as ana,
        terminal(tmp_path / "bram", "join", "--name", "Bram", *here) as bram,
    ):
        until_both(ana, bram, lambda: "ready" in ana.text and "ready" in bram.text)
        for pty in (ana, bram):
            pty.signal(signal.SIGKILL)
    with (
        terminal(tmp_path / "bram", "resume", *here) as bram,
        terminal(tmp_path / "ana", "resume", *here) as ana,
    ):
        until_both(ana, bram, lambda: here_again(ana, "Bram") and here_again(bram, "Ana"))
        concede(ana, bram)
        assert [leave(pty) for pty in (ana, bram)] == [0, 0]


def here_again(pty: Pty, name: str) -> bool:
    return name in pty.text and "can’t be reached" not in pty.text and "concede" in pty.text


@pytest.mark.full
@pytest.mark.parametrize("killed", [("ana",), ("bram",), ("ana", "bram")])
def test_a_rematch_is_taken_up(
    tmp_path: Path, here: tuple[str, ...], killed: tuple[str, ...]
) -> None:
    """R21: its session comes from the first match's, and both seats agree on that after a kill too."""
    with contextlib.ExitStack() as stack:
        ptys = rematch_of(tmp_path, here, stack)
        ana, bram = ptys.values()
        until_both(ana, bram, lambda: "ready" in ana.text and "ready" in bram.text)
        for name in killed:
            ptys[name].signal(signal.SIGKILL)
        for name in killed:
            ptys[name] = stack.enter_context(terminal(tmp_path / name, "resume", *here))
        ana, bram = ptys.values()
        until_both(ana, bram, lambda: here_again(ana, "Bram") and here_again(bram, "Ana"))
        concede(ana, bram)
        assert [leave(pty) for pty in (ana, bram)] == [0, 0]
    check_two_matches(tmp_path)


def rematch_of(
    tmp_path: Path, here: tuple[str, ...], stack: contextlib.ExitStack, *host: str
) -> dict[str, Pty]:
    """Ana and Bram, who have played a match and both want another."""
    ana = stack.enter_context(terminal(tmp_path / "ana", "host", "--name", "Ana", *here, *host))
    bram = stack.enter_context(terminal(tmp_path / "bram", "join", "--name", "Bram", *here))
    concede(ana, bram)
    until_both(ana, bram, lambda: "Ana wants" in bram.text, press=(ana, "r"))
    bram.send("r")
    return {"ana": ana, "bram": bram}


def records_of(home: Path) -> list[Path]:
    return list((home / "journals").iterdir())


def check_two_matches(tmp_path: Path) -> None:
    for name in ("ana", "bram"):
        records = records_of(tmp_path / name)
        assert len(records) == 2
        for record in records:
            verified = run(tmp_path, "verify", str(record))
            assert (verified.code, verified.err) == (0, ""), verified.out


@pytest.mark.full
@pytest.mark.parametrize("killed", ["ana", "bram"])
@pytest.mark.parametrize("watched", ["ana", "bram"])
def test_killed_between_rematch_and_the_first_beat(
    tmp_path: Path, here: tuple[str, ...], killed: str, watched: str
) -> None:
    """The moment one of them has a second record; the other side may still be waiting for the answer."""
    port = str(free_tcp_port())
    with contextlib.ExitStack() as stack:
        ptys = rematch_of(tmp_path, here, stack, "--port", port)
        ana, bram = ptys.values()
        until_both(ana, bram, lambda: len(records_of(tmp_path / watched)) == 2)
        ptys[killed].signal(signal.SIGKILL)
        has_begun = len(records_of(tmp_path / killed)) == 2
        where = ("--port", port) if killed == "ana" else ()
        again = stack.enter_context(terminal(tmp_path / killed, "resume", *here, *where))
        if not has_begun:
            assert again.wait() == 2
            assert "no interrupted match" in again.text
            return
        ptys[killed] = again
        ana, bram = ptys.values()
        until_both(ana, bram, lambda: here_again(ana, "Bram") and here_again(bram, "Ana"))
        concede(ana, bram)
        assert [leave(pty) for pty in (ana, bram)] == [0, 0]
    check_two_matches(tmp_path)


UNHEARD = """
import sys
from spitnet.cli import main
from spitnet.net.join_link import JoinLink
from spitnet.protocol.messages import Rematch, decode
send = JoinLink.send
JoinLink.send = lambda link, frame: not isinstance(decode(frame), Rematch) and send(link, frame)
sys.exit(main(sys.argv[1:]))
"""
"""A joiner whose wish for another match is in its record and never reaches the host."""


@pytest.mark.full
def test_killed_before_the_host_heard_of_the_rematch(tmp_path: Path, here: tuple[str, ...]) -> None:
    """It has no address to go to and isn't called: the host still waits for the wish. Its table is found by its key."""
    home = tmp_path / "bram"
    home.mkdir()
    env = {**variables(home), "SPITNET_NO_HINTS": "1", "TERM": "xterm-256color"}
    words = ("join", "--name", "Bram", *here, "--journal", str(home / "journals"))
    with (
        terminal(tmp_path / "ana", "host", "--name", "Ana", *here) as ana,
        Pty([sys.executable, "-c", UNHEARD, *words], env=env, cwd=home) as unheard,
    ):
        concede(ana, unheard)
        until_both(ana, unheard, lambda: "Ana wants" in unheard.text, press=(ana, "r"))
        unheard.send("r")
        until_both(ana, unheard, lambda: len(records_of(home)) == 2)
        unheard.signal(signal.SIGKILL)
        assert len(records_of(tmp_path / "ana")) == 1
        with terminal(home, "resume", *here) as bram:
            until_both(ana, bram, lambda: here_again(ana, "Bram") and here_again(bram, "Ana"))
            concede(ana, bram)
            assert [leave(pty) for pty in (ana, bram)] == [0, 0]
    check_two_matches(tmp_path)


# Alone.


@pytest.mark.full
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_solo_is_taken_up_with_its_bot(tmp_path: Path, number: signal.Signals) -> None:
    """The bot comes back under its own key; after the match `r` gives another."""
    with terminal(tmp_path, "solo", "--delay", "0.05", "--name", "Ana") as pty:
        pty.until_shows("Spitbot")
        pty.until_shows("ready")
        pty.signal(number)
        assert pty.wait() == (-9 if number == signal.SIGKILL else 130)
    with terminal(tmp_path, "resume", "--delay", "0.05") as pty:
        pty.until(lambda: here_again(pty, "Spitbot"), "the bot")
        play(pty)
        pty.until(lambda: another(pty), "another match")
        give_up(pty)
        pty.until(lambda: over(pty), "the end of the match")
        assert leave(pty) == 0
    records = records_of(tmp_path)
    assert len(records) == 4
    for record in records:
        assert run(tmp_path, "verify", str(record)).code == 0


def bots_wishes(pty: Pty) -> tuple[str, float | None]:
    """Level and delay that the opponent of this run was started with."""
    (bot,) = psutil.Process(pty.process.pid).children()
    wishes = json.loads(bot.cmdline()[-1])
    return wishes["level"], wishes["delay_s"]


def test_the_same_opponent_comes_back(tmp_path: Path) -> None:
    """As slow and as careless as it was, unless another is asked for."""
    with terminal(tmp_path, "solo", "--level", "easy", "--delay", "0.05", "--name", "Ana") as pty:
        pty.until_shows("ready")
        pty.signal(signal.SIGKILL)
    for words, wishes in (((), ("easy", 0.05)), (("--level", "expert"), ("expert", None))):
        with terminal(tmp_path, "resume", *words) as pty:
            pty.until(lambda: here_again(pty, "Spitbot"), "the bot")
            assert bots_wishes(pty) == wishes
            pty.signal(signal.SIGTERM)
            assert pty.wait() == 130


def test_a_match_in_lines_is_taken_up_in_lines(tmp_path: Path) -> None:
    """With the flags that it was begun with; nothing that moves the cursor."""
    looks = ("--plain", "--ascii", "--ranks", "XZYW", "--delay", "5")
    with terminal(tmp_path, "solo", *looks, "--name", "Ana") as pty:
        pty.until_shows("Spitbot")
        pty.until_shows("ready")
        pty.signal(signal.SIGKILL)
    with terminal(tmp_path, "resume", *looks) as pty:
        pty.until_shows("Spitbot")
        pty.until_shows("ready")
        assert b"\x1b" not in pty.output


def another(pty: Pty) -> bool:
    """Asks for a rematch, as soon as the page takes keys; whether it has begun."""
    if over(pty):
        pty.send("r")
    return not over(pty) and "concede" in pty.text


def test_a_solo_record_is_taken_up_wherever_it_lies(tmp_path: Path) -> None:
    """The bot's half lies beside it, not where records go by default."""
    with seats(Seat(tmp_path, ("solo", *BOT))) as (solo,):
        solo.now.wait_for("play")
        solo.kill()
        own = next(path for path in records_of(tmp_path) if path.stem.endswith("-0"))
        ran = run(tmp_path, "resume", str(own), *BOT, "--timeout", "30")
    assert (ran.code, ran.err) == (0, "")


def test_headless_solo_is_taken_up(tmp_path: Path) -> None:
    """Two bots, one command; on another port too, while the first bot may still wait at the old one."""
    start = ("solo", *BOT, "--port", str(free_tcp_port()))
    with seats(Seat(tmp_path, start)) as (solo,):
        solo.now.wait_for("play")
        solo.kill()
        solo.resume(*BOT, "--timeout", "30")
        assert solo.now.finish() == (0, "")
        for record in records_of(tmp_path):
            assert run(tmp_path, "verify", str(record)).code == 0
