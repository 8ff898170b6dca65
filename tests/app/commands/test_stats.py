"""Results by opponent, from records alone: who is told apart how, what counts, and that no file keeps others from counting."""

import json
import os
from collections.abc import Iterator
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from random import Random

import pytest
from msgspec import structs
from support import catalogues
from support.matches import Recorded, journal_of
from support.program import run
from support.simulator import World

from spitnet import language
from spitnet.app.commands.stats import _account, _line, _pace, gather
from spitnet.core.cards import other
from spitnet.journal.file_format import FORMAT, NO_CHECK, Entry, Opened, encode, entries
from spitnet.journal.results import (
    GameResult,
    MatchRecord,
    MatchStatus,
    Score,
    StopTotals,
    result_of,
)
from spitnet.journal.standings import Streak, Timed, altogether, by_opponent
from spitnet.protocol.entries import Done, Ended, Ending, Lagging, Slow, Stop, Waited
from spitnet.protocol.handshake import Doorman, Origin, Visitor
from spitnet.protocol.messages import encode as frame_of

ME, ANA, BRAM = (letter * 32 for letter in (b"m", b"a", b"b"))
"""Keys."""


@cache
def played(seed: int, seat: int, opponent: bytes, name: str, started: str) -> bytes:
    """My record of a match of three games against somebody."""
    simulation = Recorded(World(seed, games=3, impatience=0.2))
    simulation.origin = greeted(seed, seat, opponent, name, simulation)
    for session in simulation.sessions:
        session.lockstep.session = session.lockstep.chain = simulation.origin.session
    simulation.run()
    data = journal_of(simulation.origin, seat, simulation.journals[seat])
    return restarted(data, started)


def greeted(seed: int, seat: int, opponent: bytes, name: str, simulation: Recorded) -> Origin:
    """The handshake of that match."""
    keys, names = ((ME, opponent), ("Me", name)) if seat == 0 else ((opponent, ME), (name, "Me"))
    entropy = Random(seed).randbytes
    doorman = Doorman(keys[0], names[0], simulation.settings, None, entropy)
    visitor = Visitor(keys[0], keys[1], names[1], None, entropy)
    for _ in range(2):
        answer = doorman.receive(keys[1], visitor.frame, 0.0)
        assert answer is not None
        visitor.receive(frame_of(answer))
    assert doorman.seated is not None
    return doorman.seated.origin


def restarted(data: bytes, started: str) -> bytes:
    """The same record, of a match that began then."""
    found = [entry for entry, _check, _end in entries(data)]
    parts, check = [], NO_CHECK
    for entry in (structs.replace(found[0], started=started), *found[1:]):
        part, check = encode(entry, check)
        parts.append(part)
    return b"".join(parts)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two matches against Ana, who has changed her name and her seat, and one against another of that name."""
    directory = tmp_path / "journals"
    directory.mkdir()
    for number, (seed, seat, key, name) in enumerate(
        [(1, 0, ANA, "Ana"), (2, 1, ANA, "Anna"), (3, 0, BRAM, "Ana")]
    ):
        data = played(seed, seat, key, name, f"2026-01-0{number + 1}T00:00:00Z")
        (directory / f"{number}.spit").write_bytes(data)
    return directory


def results(directory: Path) -> list[MatchRecord]:
    return [one.result for one in gather(directory, ME).matches]


def test_opponents_are_told_apart_by_key_and_not_by_name(records: Path) -> None:
    one, two = by_opponent(gather(records, ME).matches)
    assert (one.opponent, one.names, len(one.results)) == (BRAM, ("Ana",), 1)
    assert (two.opponent, two.names, len(two.results)) == (ANA, ("Anna", "Ana"), 2)


def test_both_sides_of_a_match_come_to_the_same() -> None:
    """Won here is lost there, for games, races and the match."""
    simulation = Recorded(World(5, games=3, impatience=0.2))
    simulation.run()
    mine, theirs = (
        result_of(entry for entry, _c, _e in entries(journal_of(simulation.origin, seat, records)))
        for seat, records in enumerate(simulation.journals)
    )
    turned = {Score.WON: Score.LOST, Score.LOST: Score.WON, Score.DRAWN: Score.DRAWN}
    assert [turned[game.score] for game in mine.games] == [game.score for game in theirs.games]
    assert [game.cards_left[::-1] for game in mine.games] == [
        game.cards_left for game in theirs.games
    ]
    assert mine.races == theirs.races[::-1]
    assert mine.score is not None
    assert turned[mine.score] is theirs.score
    assert sum(mine.races) > 0
    assert (mine.own_key, mine.opponent) == (theirs.opponent, theirs.own_key)


def test_late_answers_and_grown_pings_are_counted(records: Path) -> None:
    path = records / "2.spit"
    first, *rest = [entry for entry, _check, _end in entries(path.read_bytes())]
    at, done = next((at, one) for at, one in enumerate(rest, 1) if isinstance(one, Done))
    late = (Slow(done.beat, crossed, 90_000, 400) for crossed in (True, False, False))
    more: list[Entry] = [
        *late,
        Lagging(done.beat + 1, 950_000, 400),
        Waited(done.beat, 1, 9_000_000),
    ]
    path.write_bytes(b"".join(chained([first, *rest[:at], *more, *rest[at:]])))
    one, two = sorted(by_opponent(gather(records, ME).matches), key=lambda each: sum(each.late))
    assert (_line(one)["late"], _line(one)["lagged"]) == ({"crossings": 0, "replies": 0}, 0)
    assert (_line(two)["late"], _line(two)["lagged"]) == ({"crossings": 1, "replies": 2}, 1)
    told = "\n".join(_account(two, plain=True))
    assert "3 late answers" in told
    assert "1 match in which the ping grew out of proportion" in told
    assert "late" not in "\n".join(_account(one, plain=True))


def test_stops_are_counted_by_whose_they_were(records: Path) -> None:
    """Of this side, of the opponent, of neither as far as it can be told; and how long the games stood still in all."""
    path = records / "0.spit"
    first, *rest = [entry for entry, _check, _end in entries(path.read_bytes())]
    at = next(i for i, entry in enumerate(rest) if isinstance(entry, Done)) + 1
    done = rest[at - 1]
    assert isinstance(done, Done)
    stops = [Stop(done.beat, whose, 1500) for whose in (0, 1, 1, None, None, None)]
    path.write_bytes(b"".join(chained([first, *rest[:at], *stops, *rest[at:]])))
    one, two = by_opponent(gather(records, ME).matches)
    assert _line(one)["stops"] == {"own": 0, "opponent": 0, "unknown": 0, "seconds": 0.0}
    assert _line(two)["stops"] == {"own": 1, "opponent": 2, "unknown": 3, "seconds": 9.0}
    assert "  the game stopped 6 times, for 0:09 in all" in list(_account(two, False))
    assert not [line for line in _account(one, False) if "stopped" in line]


def test_a_match_counts_once_however_many_copies_there_are(records: Path) -> None:
    before = altogether(gather(records, ME).matches)
    (records / "copy.spit").write_bytes((records / "0.spit").read_bytes())
    assert altogether(gather(records, ME).matches) == before


def test_the_other_sides_records_are_not_mine(records: Path) -> None:
    found = gather(records, ANA)
    assert (found.matches, found.others) == ([], 3)


def test_whatever_lies_there_the_rest_still_counts(records: Path) -> None:
    """Damaged, cut short, newer, foreign, unreadable: each named, none fatal."""
    whole = (records / "0.spit").read_bytes()
    first = next(iter(entries(whole)))
    newer, _check = encode(structs.replace(first[0], format=99), NO_CHECK)
    broken = [entry for entry, _c, _e in entries(whole)]
    del broken[len(broken) // 2]
    wrong = {
        "damaged": whole[:-40] + b"?" + whole[-39:],
        "no_record": b"holiday.jpg" * 9,
        "no_record_empty": b"\0" * 3,
        "newer": newer,
        "out_of_order": b"".join(chained(broken)),
    }
    for name, data in wrong.items():
        (records / f"x-{name}.spit").write_bytes(data)
    (records / "x-no_file.spit").mkdir()
    (records / "notes.txt").write_text("not a record, and none is claimed")
    found = gather(records, ME)
    assert len(found.matches) == 3
    named = {one.path.stem.removeprefix("x-"): one.word for one in found.left_out}
    assert named.pop("no_record_empty") == "no_record"
    assert named.pop("out_of_order") in {"out_of_order", "wrong_beat", "changed_opening"}
    assert named == {name: name for name in named}
    assert set(named) == {"damaged", "no_record", "newer", "no_file"}


def chained(found: list[Entry]) -> Iterator[bytes]:
    """Entries with good checks, whatever they tell."""
    check = NO_CHECK
    for entry in found:
        part, check = encode(entry, check)
        yield part


@pytest.mark.parametrize("kept", [0.2, 0.6, 0.99])
def test_a_match_without_an_end_is_counted_apart(records: Path, kept: float) -> None:
    data = (records / "0.spit").read_bytes()
    (records / "0.spit").write_bytes(data[: int(kept * len(data))])
    two = by_opponent(gather(records, ME).matches)[1]
    assert two.standing(MatchStatus.UNFINISHED) == 1
    assert two.standing(MatchStatus.OVER) == 1
    assert sum(two.matches(score) for score in Score) == 1


def ended(data: bytes, how: str, number: int = FORMAT) -> bytes:
    """The same record, whose match ended so after some beats."""
    found = [entry for entry, _check, _end in entries(data)]
    dones = [at for at, entry in enumerate(found) if isinstance(entry, Done)]
    last = found[dones[len(dones) // 2]]
    assert isinstance(last, Done)
    kept = found[: dones[len(dones) // 2] + 1]
    first = found[0]
    assert isinstance(first, Opened)
    by = None if how == "own_records" else other(first.seat)
    opened = structs.replace(first, format=number)
    return b"".join(
        chained([opened, *kept[1:], Ended(last.beat, Ending(HOWS.get(how, how)), by, "")])
    )


HOWS = {"own_records": "lost_records"}


@pytest.mark.parametrize(("how", "score"), [("abandoned", Score.WON), ("claimed", Score.LOST)])
def test_a_claim_decides_the_match(records: Path, how: str, score: Score) -> None:
    """R22: won for whoever claimed, lost for the other; the game that it broke off counts for nobody."""
    (records / "2.spit").write_bytes(ended((records / "2.spit").read_bytes(), how))
    bram = by_opponent(gather(records, ME).matches)[0]
    assert bram.opponent == BRAM
    (claimed,) = bram.results
    assert (claimed.standing, claimed.score) == (MatchStatus.CLAIMED, score)
    assert [bram.matches(one) for one in Score] == [one is score for one in Score]
    assert [bram.claimed(one) for one in Score] == [one is score for one in Score]
    assert not bram.standing(MatchStatus.BROKEN_OFF)
    played_out = result_of(entry for entry, _c, _e in entries(played(3, 0, BRAM, "Ana", "")))
    assert claimed.games == played_out.games[: len(claimed.games)]
    assert len(claimed.games) < len(played_out.games)


@pytest.mark.parametrize("how", ["left", "violation", "accused", "lost_records"])
def test_a_match_that_the_opponent_broke_off_is_won(records: Path, how: str) -> None:
    """R22: however it went, it gains nothing; the game that it broke off counts for nobody."""
    (records / "2.spit").write_bytes(ended((records / "2.spit").read_bytes(), how))
    bram = by_opponent(gather(records, ME).matches)[0]
    assert [bram.matches(one) for one in Score] == [1, 0, 0]
    assert bram.standing(MatchStatus.FORFEITED) == 1
    assert not any(bram.claimed(one) for one in Score)
    told = [" ".join(line.split()) for line in _account(bram, plain=True)]
    assert "1 match won since the opponent broke it off" in told
    assert _line(bram)["forfeited"] == {"won": 1}


@pytest.mark.parametrize(
    ("how", "number"),
    [("own_records", FORMAT), *((how, 2) for how in ("violation", "accused", "lost_records"))],
)
def test_a_match_that_was_broken_off_is_won_by_nobody(records: Path, how: str, number: int) -> None:
    """Where this side's record can't tell, or by what was held when the record was begun."""
    (records / "2.spit").write_bytes(ended((records / "2.spit").read_bytes(), how, number))
    bram = by_opponent(gather(records, ME).matches)[0]
    assert bram.standing(MatchStatus.BROKEN_OFF) == 1
    assert not any(bram.matches(one) or bram.claimed(one) for one in Score)
    assert _line(bram)["forfeited"] == {"won": 0}


def test_claims_are_told_apart(records: Path) -> None:
    """They count as matches, and whose word it was is said; for programs in a field of its own."""
    for number, how in ((0, "abandoned"), (1, "claimed")):
        file = records / f"{number}.spit"
        file.write_bytes(ended(file.read_bytes(), how))
    ana = by_opponent(gather(records, ME).matches)[1]
    told = [" ".join(line.split()) for line in _account(ana, plain=True)]
    assert "matches 1 1 0" in told
    assert "1 match won by a claim" in told
    assert "1 match lost to a claim" in told
    line = _line(ana)
    assert line["matches"] == {"won": 1, "lost": 1, "drawn": 0, "unfinished": 0, "broken_off": 0}
    assert line["claimed"] == {"won": 1, "lost": 1}


def result(day: int, scores: str) -> Timed:
    """A match of games won, lost and drawn."""
    kinds = {"w": Score.WON, "l": Score.LOST, "d": Score.DRAWN}
    games = tuple(GameResult(kinds[one], (1, 2)) for one in scores)
    started = f"2026-01-{day:02}T00:00:00Z"
    session = bytes([day]) * 32
    return Timed(
        MatchRecord(
            session,
            started,
            ME,
            ANA,
            "Ana",
            MatchStatus.OVER,
            None,
            games,
            (2, 1),
            30,
            StopTotals(),
        ),
        60.0,
    )


@pytest.mark.parametrize(
    ("scores", "streak", "longest"),
    [
        (("ww", "w", "lw"), Streak(Score.WON, 1), 3),
        (("w", "ll"), Streak(Score.LOST, 2), 1),
        (("d", "d"), Streak(Score.DRAWN, 2), 0),
        (("", ""), None, 0),
    ],
)
def test_streaks_go_on_from_match_to_match(
    scores: tuple[str, ...], streak: Streak | None, longest: int
) -> None:
    """In the order of time, whatever the order of the files."""
    matches = [result(day, games) for day, games in enumerate(scores, start=1)]
    for order in (matches, matches[::-1]):
        record = altogether(order)
        assert (record.streak, record.longest_won) == (streak, longest)


def test_the_time_of_a_card_is_that_of_matches_whose_time_is_known() -> None:
    unknown = Timed(result(2, "l").result, None)
    assert altogether([result(1, "w"), unknown]).per_card_s == 2.0
    assert altogether([unknown]).per_card_s is None


def test_seconds_have_the_sign_of_the_language(tmp_path: Path) -> None:
    told = partial(_pace, altogether([result(1, "w")]))
    assert list(told()) == ["about 2.00 s for each card of yours"]
    with catalogues.only(tmp_path, {"nl": {"the sign between 0 and 5 in 0.5\x04.": ","}}):
        language.use("nl", {})
        assert list(told()) == ["about 2,00 s for each card of yours"]


@pytest.mark.parametrize(("per_card_s", "known"), [(2.0, True), (61.0, False), (-0.1, False)])
def test_the_time_of_a_file_counts_where_it_can_be_the_matchs(
    records: Path, per_card_s: float, known: bool
) -> None:
    """A copy has another: longer than a minute for each card nobody plays."""
    path = records / "2.spit"
    cards = result_of(entry for entry, _c, _e in entries(path.read_bytes())).cards
    began_s = datetime.fromisoformat("2026-01-03T00:00:00Z").timestamp()
    os.utime(path, (began_s, began_s + per_card_s * cards))
    (bram,) = (one for one in by_opponent(gather(records, ME).matches) if one.opponent == BRAM)
    assert bram.per_card_s == (pytest.approx(per_card_s) if known else None)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which two matches were played against the bot, and something else lies among the records."""
    home = tmp_path_factory.mktemp("home")
    solo = ("solo", "--headless", "--delay", "0", "--games", "3", "--sync", "process")
    for seed in ("1", "2"):
        assert run(home, *solo, "--seed", seed).code == 0
    (home / "spitnet" / "journals" / "odd\n.spit").write_text("?")
    return home


def test_the_program_tells_it_to_programs(home: Path) -> None:
    ran = run(home, "stats", "--json")
    assert (ran.code, ran.err) == (0, "")
    bot, odd = map(json.loads, ran.out.splitlines())
    assert bot["names"] == ["Spitbot"]
    assert len(bytes.fromhex(bot["opponent"])) == 32
    assert sum(bot["matches"].values()) == 2
    assert sum(bot["games"].values()) == len(bot["form"])
    assert set(bot["races"]) == {"won", "lost"}
    assert bot["cards"] > 0
    assert odd == {
        "left_out": str(home / "spitnet" / "journals" / "odd\n.spit"),
        "why": "no_record",
    }


@pytest.mark.parametrize("flags", [(), ("--ascii",)])
def test_the_program_tells_it_to_people(home: Path, flags: tuple[str, ...]) -> None:
    ran = run(home, "stats", *flags)
    assert (ran.code, ran.err) == (0, "")
    bot = json.loads(run(home, "stats", "--json").out.splitlines()[0])
    assert f"Spitbot   (key {bot['opponent'][:8]})" in ran.out
    games = next(line.split() for line in ran.out.splitlines() if line.startswith("  games"))
    assert games[1:] == [str(bot["games"][score]) for score in ("won", "lost", "drawn")]
    assert "2 records by other players or bots are not counted." in ran.out
    assert "odd\\n.spit: it is not a spitnet record" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    form = next(line for line in ran.out.splitlines() if line.startswith("  form "))
    assert len(form.split()[-1]) == len(bot["form"])
    assert form.isascii() is bool(flags)


def test_nothing_played_is_an_answer(tmp_path: Path) -> None:
    ran = run(tmp_path, "stats")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("There is no match of yours in ")
    assert not (tmp_path / "spitnet" / "key").exists(), "asking makes no key"
    assert run(tmp_path, "stats", "--json").out == ""
