"""`spitnet replay` as a person meets it: a recorded match on a real terminal, in lines, into a pipe; whole or not."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec import structs
from support.matches import journal_of, recorded
from support.program import PROGRAM, run, variables
from support.terminals import Pty

from spitnet.core.cards import SUITS, face
from spitnet.core.events import Beaten
from spitnet.exits import ExitCode
from spitnet.journal.file_format import Entry, Opened
from spitnet.journal.replay import replayed
from spitnet.journal.store import Read
from spitnet.protocol.entries import Record
from spitnet.protocol.notices import Completed

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

SEAT = 1
SIGNS = dict(zip(SUITS, "♠♥♦♣", strict=True))


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return Read(recorded(games=2)[SEAT]).entries


@pytest.fixture(scope="module")
def match(entries: list[Entry]) -> list[Completed]:
    return list(replayed(entries))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The whole match."""
    return saved(tmp_path, recorded(games=2)[SEAT])


def saved(home: Path, data: bytes) -> Path:
    path = home / "match.spit"
    path.write_bytes(data)
    return path


def changed(entries: list[Entry], records: list[Record]) -> bytes:
    """A record of the same match with these entries, every check right."""
    opened = entries[0]
    assert isinstance(opened, Opened)
    return journal_of(opened.origin, SEAT, records)


def records_of(entries: list[Entry]) -> list[Record]:
    return [entry for entry in entries if not isinstance(entry, Opened)]


@contextmanager
def replaying(record: Path, *flags: str, term: str = "xterm-256color") -> Iterator[Pty]:
    command = [*PROGRAM, "replay", str(record), *flags]
    env = variables(record.parent, {"TERM": term})
    with Pty(command, env=env, cwd=record.parent) as pty:
        yield pty


def first_contest(match: list[Completed]) -> tuple[Completed, Beaten]:
    return next(
        (beat, event) for beat in match for event in beat.events if isinstance(event, Beaten)
    )


def card(event: Beaten) -> str:
    """The card that was beaten, as on the table."""
    name = face(event.card)
    return name[:-1] + SIGNS[name[-1]]


def test_a_match_is_looked_at_on_the_table(record: Path, match: list[Completed]) -> None:
    """Pause, step both ways, the first lost race with its coin, another size, the end, and out."""
    last = match[-1].beat
    contest, event = first_contest(match)
    with replaying(record) as pty:
        pty.until_shows("playing 1×")
        pty.send("++++")
        pty.until_shows("playing 16×")
        pty.until_shows("beat 1 of ")
        pty.send(" ")
        pty.until_shows("paused 16×")
        pty.send("\x1b[H")
        pty.until_shows(f"beat 0 of {last} ")
        pty.send("\x1b[C\x1b[C\x1b[C")
        pty.until_shows(f"beat 3 of {last}, game 1")
        pty.send("\x1b[D")
        pty.until_shows(f"beat 2 of {last}, game 1")
        pty.send("n")
        pty.until_shows(f"beat {contest.beat} of {last}, game 1 · race 1 of ")
        first = contest.randomness.first
        assert f"The coin fell on {first}, the {('host', 'joiner')[first]}: " in pty.text
        assert f"It was drawn from {contest.randomness.value[:4].hex()}…" in pty.text
        own = event.seat == SEAT
        assert (
            f"Your {card(event)} was beaten by" if own else f"beat the {card(event)}"
        ) in pty.text
        pty.resize(50, 15)
        pty.until_shows(f"Coin {first} of {contest.randomness.value[:4].hex()}…")
        pty.send("\x1b[F")
        pty.until_shows(f"beat {last} of {last}")
        assert "The record holds" in pty.text
        pty.send("q")
        assert pty.wait() == ExitCode.DONE
        assert pty.modes() == pty.modes_before
        assert pty.output.rfind(b"\x1b[?1049h") < pty.output.rfind(b"\x1b[?1049l")


def test_without_signs_and_colours(record: Path) -> None:
    with replaying(record, "--ascii", "--no-color") as pty:
        pty.until_shows("> playing 1x")
        pty.send("n")
        pty.until_shows("race 1 of")
        assert pty.text.isascii()
        assert not re.search(rb"\x1b\[[0-9;]*(?:3[0-7]|38;[0-9;]+|9[0-7])m", pty.output)
        pty.signal(signal.SIGINT)
        assert pty.wait() == ExitCode.DONE


def test_in_lines_at_a_terminal(record: Path, match: list[Completed]) -> None:
    """A dumb terminal gets lines, and waits to be asked for each; cards can't be played here."""
    contest, _ = first_contest(match)
    with replaying(record, term="dumb") as pty:
        pty.until_shows("Space: play or pause")
        pty.send("\x1b[C")
        pty.until_shows("1: Game 1 is dealt.")
        pty.send("3")
        pty.until_shows("Not understood.")
        pty.send("n")
        pty.until_shows(f"Beat {contest.beat} of ")  # how many there are may not be known yet
        pty.until_shows(f"{contest.beat}: Both went for ")
        pty.until_shows(f"drawn from {contest.randomness.value[:4].hex()}")
        assert b"\x1b[" not in pty.output
        pty.send("q")
        assert pty.wait() == ExitCode.DONE


def test_into_a_pipe_it_tells_the_whole_match_at_once(
    tmp_path: Path, record: Path, match: list[Completed]
) -> None:
    """From the first beat to the verdict, each once, with every lost race."""
    ran = run(tmp_path, "replay", "--plain", str(record))
    assert (ran.code, ran.err) == (ExitCode.DONE, "")
    lines = ran.out.splitlines()
    assert lines[:2] == ["Bram against Ana", "2026-01-02 03:04 UTC"]
    assert lines[-1].startswith("The record holds: Ana ")
    assert numbers(ran.out) == [beat.beat for beat in match]
    races = sum(isinstance(event, Beaten) for beat in match for event in beat.events)
    assert ran.out.count("The coin fell on ") == races > 0


def test_it_begins_with_the_game_that_is_asked_for(
    tmp_path: Path, record: Path, match: list[Completed]
) -> None:
    """On the table, into a pipe, as lines for programs; one that isn't there is said in one line."""
    second = [beat.beat for beat in match if beat.match.game and beat.match.game.number == 2]
    with replaying(record, "--game", "2") as pty:
        pty.until_shows(f"beat {second[0]} of ")
        pty.send("q")
        assert pty.wait() == ExitCode.DONE
    ran = run(tmp_path, "replay", "--game", "2", str(record))
    assert (ran.code, numbers(ran.out)) == (ExitCode.DONE, second)
    ran = run(tmp_path, "replay", "--game", "2", "--json", str(record))
    told = [json.loads(line) for line in ran.out.splitlines()]
    assert told[0]["event"] == "deal"
    assert {line.get("game", 2) for line in told} == {2}
    for words in ((), ("--json",)):
        ran = run(tmp_path, "replay", "--game", "3", *words, str(record))
        assert ran.code == ExitCode.USAGE
        assert ran.err == "spitnet: --game: there is no game 3 in this match\n"
    ran = run(tmp_path, "replay", "--game", "0", str(record))
    assert "spitnet: --game: must be a whole number from 1 to 1000" in ran.complaint()


def numbers(out: str) -> list[int]:
    """The beats that were told."""
    return [int(found) for found in re.findall(r"^(\d+): ", out, re.MULTILINE)]


def test_a_broken_record_is_shown_as_far_as_it_holds(
    tmp_path: Path, entries: list[Entry], match: list[Completed]
) -> None:
    """Every check is right, and a move was changed: it plays up to there, says why, and the exit code tells."""
    records = records_of(entries)
    half = next(i for i, one in enumerate(records) if one.beat == len(match) // 2)
    lies = [*records[:half], structs.replace(records[half], beat=10**6), *records[half + 1 :]]
    record = saved(tmp_path, changed(entries, lies))
    said = f"broken: it holds up to beat {len(match) // 2 - 1}, then: a beat is"
    why = "a beat is not the next one"
    ran = run(tmp_path, "replay", str(record))
    assert ran.code == ExitCode.VIOLATION
    assert numbers(ran.out) == list(range(1, len(match) // 2))
    assert said in ran.out.splitlines()[-1]
    assert said in ran.err
    assert ran.err.endswith(f"{why}\n")
    assert run(tmp_path, "verify", str(record)).out.endswith(f"{why}\n")
    with replaying(record) as pty:
        pty.until_shows(said)
        pty.send("\x1b[F")
        pty.until_shows(f"beat {len(match) // 2 - 1} of {len(match) // 2 - 1}, game 1")
        assert said in pty.text
        pty.send("q")
        assert pty.wait() == ExitCode.VIOLATION
        assert f"spitnet: the record is {said}" in pty.text


@pytest.mark.parametrize("torn", [0, 5])
def test_a_match_under_way_is_shown_to_where_it_is(
    tmp_path: Path, entries: list[Entry], torn: int
) -> None:
    """Cut between two entries, or within one that is just being written: that is no fault."""
    data = changed(entries, records_of(entries)[:60])
    record = saved(tmp_path, data[: len(data) - torn])
    ran = run(tmp_path, "replay", str(record))
    assert (ran.code, ran.err) == (ExitCode.DONE, "")
    last = numbers(ran.out)[-1]
    assert ran.out.endswith(f"The record is unfinished: it holds up to beat {last}, then ends.\n")


@pytest.mark.parametrize("data", [b"", b"no record at all, but longer than a head"])
def test_what_is_no_record_is_one_line(tmp_path: Path, data: bytes) -> None:
    ran = run(tmp_path, "replay", str(saved(tmp_path, data)))
    assert ran.complaint().startswith("spitnet: ")
    assert ran.code == ExitCode.VIOLATION


def test_a_reader_that_has_enough_is_no_fault(tmp_path: Path, record: Path) -> None:
    """As `spitnet replay FILE | head`: one line is read, and the rest is not missed."""
    command = [*PROGRAM, "replay", str(record)]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=variables(tmp_path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.readline()
        ran.stdout.close()
        assert ran.stderr.read() == b""


def test_the_letters_on_the_cards_are_those_of_the_user(
    record: Path, match: list[Completed]
) -> None:
    """On the table; programs and ears are told as ever."""
    own = dict(zip("KQJ", "HVB", strict=True))
    game = match[0].match.game
    assert game is not None
    dealt = [face(one) for row in game.layouts for one in row if one is not None]
    shown = [own.get(name[:-1], name[:-1]) + SIGNS[name[-1]] for name in dealt]
    assert any(name[0] in own for name in dealt), "one of them has to be dealt for this"
    with replaying(record, "--ranks", "AHVB") as pty:
        pty.until_shows(f" of {match[-1].beat}, game 1")
        pty.send("\x1b[H")
        pty.until_shows("beat 0 of ")
        pty.send("\x1b[C")
        pty.until_shows("beat 1 of ")
        pty.until(lambda: all(f"─ {name} ─" in pty.text for name in shown), "the cards dealt")
        pty.send("q")
        assert pty.wait() == 0
    for flags in ((), ("--json",)):
        with_own = run(record.parent, "replay", str(record), "--ranks", "AHVB", *flags)
        assert with_own == run(record.parent, "replay", str(record), *flags)
