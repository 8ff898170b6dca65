"""`spitnet resume` with real processes: whatever was killed, however often, one match goes on to its end."""

import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from msgspec import structs
from support.comebacks import Seat, check_to_the_end, free_tcp_port, seats
from support.pairs import Peer, assert_played, peers
from support.program import run

from spitnet.journal.file_format import FORMAT, NO_CHECK, Opened, encode
from spitnet.journal.store import read

BOT = ("--headless", "--delay", "0.005")
SIDES = ("host", "joiner", "both")
A_MATCH = 30
"""Kills before a match may go on to its end."""


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    """Loopback, on a discovery port of the test's own."""
    return ("--interface", "lo", "--discovery-port", str(free_port))


@contextmanager
def table(
    home: Path, here: tuple[str, ...], *host: str, joiner: tuple[str, ...] = ()
) -> Iterator[tuple[Seat, Seat]]:
    """A host and a joiner who play."""
    with seats(
        Seat(home / "ana", ("host", *BOT, *here, *host)),
        Seat(home / "bram", ("join", *BOT, *here, *joiner)),
    ) as (ana, bram):
        yield ana, bram


def of_side(side: str, pair: tuple[Seat, Seat]) -> tuple[Seat, ...]:
    return {"host": pair[:1], "joiner": pair[1:], "both": pair}[side]


@pytest.mark.parametrize("side", [*SIDES[:2], pytest.param(SIDES[2], marks=pytest.mark.full)])
def test_killed_and_taken_up(tmp_path: Path, here: tuple[str, ...], side: str) -> None:
    """C9: SIGKILL in mid-game, and `spitnet resume` is all it takes. The survivor waits, and goes on by itself."""
    moment = Random(side)
    with table(tmp_path, here) as pair:
        for _ in range(moment.randrange(1, 12)):
            moment.choice(pair).now.wait_for("play")
        gone = of_side(side, pair)
        for seat in gone:
            seat.kill()
        for seat in gone:
            seat.resume(*BOT, *here)
        check_to_the_end(*pair)
        for seat in pair:
            if seat not in gone:
                assert seat.now.of("opponent_lost")
                assert seat.now.of("resumed")


@pytest.mark.full
@pytest.mark.parametrize("sync", ["always", "process"])
def test_killed_some_hundred_times(tmp_path: Path, here: tuple[str, ...], sync: str) -> None:
    """C9: either side or both, in mid-game, on the way back and in mid-resynchronisation; every match ends well."""
    moments = Random(sync)
    kills = matches = 0
    while kills < 150:
        matches += 1
        words = ("--sync", sync)
        with table(tmp_path / str(matches), here, "--games", "9", *words, joiner=words) as pair:
            for seat in pair:
                seat.now.wait_for("connected")
            kill_at_random(pair, moments, here)
            check_to_the_end(*pair)
            kills += sum(seat.killed for seat in pair)
    print(f"{kills} kills in {matches} matches")


def kill_at_random(pair: tuple[Seat, Seat], moments: Random, here: tuple[str, ...]) -> None:
    """Kills and takes up again, until there were enough kills or the match is over."""
    while sum(seat.killed for seat in pair) < A_MATCH:
        watched = moments.choice(pair).now
        if moments.random() < 0.5:
            watched.ends_within(moments.uniform(0, 0.6))
        else:
            watched.tells_more(moments.randrange(1, 8))
        if any(seat.now.of("match_over") for seat in pair):
            return
        gone = of_side(moments.choice(SIDES), pair)
        for seat in gone:
            seat.kill()
        for seat in moments.sample(gone, len(gone)):
            if not seat.has_ended:
                seat.resume(*BOT, *here)


@pytest.mark.full
@pytest.mark.parametrize("seat", [0, 1])
def test_killed_before_the_first_beat(tmp_path: Path, here: tuple[str, ...], seat: int) -> None:
    """The moment its `connected` is out: the other may not know yet that it has sat down."""
    for number in range(10):
        with table(tmp_path / str(number), here) as pair:
            pair[seat].now.wait_for("connected")
            pair[seat].kill()
            pair[seat].resume(*BOT, *here)
            check_to_the_end(*pair)


@pytest.mark.full
@pytest.mark.parametrize("side", SIDES)
def test_killed_at_the_end(tmp_path: Path, here: tuple[str, ...], side: str) -> None:
    """Behind the last beat, before both have said goodbye: the match is decided, and stays so."""
    for number in range(4):
        # A finished match is kept for ten seconds then, for whoever isn't coming back, instead of sixty.
        with table(tmp_path / str(number), here, "--grace", "5") as pair:
            of_side(side, pair)[0].now.wait_for("game_over")
            for seat in of_side(side, pair):
                seat.kill()
            for seat in of_side(side, pair):
                if not seat.has_ended:
                    seat.resume(*BOT, *here)
            check_to_the_end(*pair)


@pytest.mark.full
@pytest.mark.parametrize("first", [0, 1])
def test_both_left_and_both_are_back(tmp_path: Path, here: tuple[str, ...], first: int) -> None:
    """R22: SIGTERM concedes nothing; exit 130, and later the match goes on."""
    with table(tmp_path, here) as pair:
        pair[first].now.wait_for("play")
        for seat in (pair[first], pair[1 - first]):
            seat.now.signal(signal.SIGTERM)
            assert seat.now.finish() == (130, "")
        for seat in (pair[first], pair[1 - first]):
            seat.resume(*BOT, *here)
        check_to_the_end(*pair)


@pytest.mark.full
def test_a_host_is_back_on_another_port(tmp_path: Path, here: tuple[str, ...]) -> None:
    """The waiting joiner follows it there."""
    with table(tmp_path, here) as (ana, bram):
        before = ana.now.wait_for("hosting")["port"]
        bram.now.wait_for("spit")
        ana.kill()
        other = free_tcp_port()
        assert other != before
        ana.resume(*BOT, *here, "--port", str(other))
        bram.now.wait_for("resumed")
        check_to_the_end(ana, bram)


@pytest.mark.full
@pytest.mark.parametrize("side", ["joiner", "both"])
def test_a_joiner_is_told_where_the_host_is(
    tmp_path: Path, here: tuple[str, ...], side: str
) -> None:
    """`--address`, where nothing is heard of the host: on another discovery port here."""
    deaf = ("--interface", "lo", "--discovery-port", str(free_tcp_port()))
    port = str(free_tcp_port())
    with table(tmp_path, here, "--port", port) as pair:
        pair[1].now.wait_for("spit")
        for seat in of_side(side, pair):
            seat.kill()
        if side == "both":
            pair[0].resume(*BOT, *here, "--port", port)
        pair[1].resume(*BOT, *deaf, "--address", f"localhost:{port}")
        check_to_the_end(*pair)


@pytest.mark.full
def test_a_table_with_a_code_is_taken_up_without(tmp_path: Path, here: tuple[str, ...]) -> None:
    """The code let the opponent in; its key is what it is known by since."""
    code = ("--code", "1234")
    with table(tmp_path, here, *code, joiner=code) as pair:
        pair[1].now.wait_for("spit")
        for seat in pair:
            seat.kill()
        for seat in pair:
            seat.resume(*BOT, *here)
        check_to_the_end(*pair)


@pytest.mark.full
def test_of_two_interrupted_matches_the_newest(tmp_path: Path, here: tuple[str, ...]) -> None:
    """And the other one by its file."""
    with table(tmp_path, here) as first:
        first[1].now.wait_for("spit")
        for seat in first:
            seat.kill()
        older = [seat.now.record() for seat in first]
        with table(tmp_path, here) as second:
            session = second[1].now.wait_for("connected")["session"]
            second[1].now.wait_for("spit")
            for seat in second:
                seat.kill()
            again = [seat.resume(*BOT, *here) for seat in second]
            assert [peer.wait_for("connected")["session"] for peer in again] == [session] * 2
            assert [peer.finish() for peer in again] == [(0, "")] * 2
        for seat, record in zip(first, older, strict=True):
            seat.resume(str(record), *BOT, *here)
        assert [seat.now.finish() for seat in first] == [(0, "")] * 2
        for seat in first:
            records = list((seat.home / "journals").iterdir())
            assert len(records) == 2
            assert {run(tmp_path, "verify", str(record)).code for record in records} == {0}


@pytest.mark.full
def test_two_friends_on_one_laptop(tmp_path: Path, here: tuple[str, ...]) -> None:
    """One home, one directory, one key: two `resume`s take a seat each, and a third finds none."""
    home = tmp_path / "home"
    start = ("--headless", "--delay", "0.1", *here)
    with peers(Peer(home, ("host", *start)), Peer(home, ("join", *start))) as both:
        both[1].wait_for("spit")
        for peer in both:
            peer.end()
    slowly = ("--headless", "--delay", "0.1", *here)
    with peers(Peer(home, ("resume", *slowly)), Peer(home, ("resume", *slowly))) as both:
        seats_taken = {peer.wait_for("connected")["seat"] for peer in both}
        assert seats_taken == {0, 1}
        third = run(home, "resume", *slowly, "--journal", str(home / "journals"))
        assert third.code == 2
        assert "being played by another" in third.err
        assert [peer.finish() for peer in both] == [(0, "")] * 2
        assert both[0].of("game_over") == both[1].of("game_over")


# What can't be taken up.


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the homes of two seats are, `ana` and `bram`, whose processes were killed in the middle of a match."""
    place = tmp_path_factory.mktemp("killed")
    here = ("--interface", "lo", "--discovery-port", str(free_tcp_port()))
    with table(place, here) as pair:
        pair[1].now.wait_for("play")
        for seat in pair:
            seat.kill()
    return place


@pytest.fixture
def interrupted(tmp_path: Path, killed: Path) -> tuple[Path, Path]:
    """Both homes, to be spoilt."""
    shutil.copytree(killed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "ana", tmp_path / "bram"


def record_of(home: Path) -> Path:
    (record,) = (home / "journals").iterdir()
    return record


def refusal(peer: Peer, code: int) -> str:
    """One clear line on stderr, the same for programs, and that exit code; the line."""
    ended, message = peer.finish()
    assert ended == code, message
    (error,) = peer.of("error")
    assert message == f"spitnet: {error['message']}\n"
    return message


def test_nothing_to_take_up(tmp_path: Path, here: tuple[str, ...]) -> None:
    with peers(Peer(tmp_path, ("resume", *BOT, *here))) as (peer,):
        message = refusal(peer, 2)
        assert "no interrupted match" in message
        assert str(tmp_path / "journals") in message
    at_the_screen = run(tmp_path, "resume", *here, "--journal", str(tmp_path / "journals"))
    assert (at_the_screen.code, at_the_screen.complaint() + "\n") == (2, message)


@pytest.mark.full
def test_a_match_that_has_ended(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Neither by its file nor as the newest."""
    with table(tmp_path, here) as pair:
        assert_played(pair[0].now, pair[1].now)
        record = pair[0].now.record()
        before = record.read_bytes()
        assert "has ended" in refusal(pair[0].resume(str(record), *BOT, *here), 2)
        assert "no interrupted match" in refusal(pair[0].resume(*BOT, *here), 2)
        assert record.read_bytes() == before
        record.write_bytes(before + bytes(3))  # a fault that it has is not taken out of it either
        assert "has ended" in refusal(pair[0].resume(str(record), *BOT, *here), 2)
        assert record.read_bytes() == before + bytes(3)


def test_a_match_of_another_key(interrupted: tuple[Path, Path], here: tuple[str, ...]) -> None:
    """A record that was copied from somebody else."""
    ana, bram = interrupted
    record = record_of(ana)
    before = record.read_bytes()
    with peers(Peer(bram, ("resume", str(record), *BOT, *here))) as (peer,):
        assert "a different key" in refusal(peer, 2)
        assert record.read_bytes() == before


def test_a_damaged_record(interrupted: tuple[Path, Path], here: tuple[str, ...]) -> None:
    """A flipped bit: named by its file it is refused and left as it is, and as the newest it isn't taken."""
    record = record_of(interrupted[0])
    data = bytearray(record.read_bytes())
    data[len(data) // 2] ^= 1
    record.write_bytes(data)
    with peers(Peer(interrupted[0], ("resume", str(record), *BOT, *here))) as (peer,):
        message = refusal(peer, 6)
        assert "doesn’t hold" in message
        assert "an entry is damaged" in message
        assert peer.of("error")[0]["code"] == "damaged_entry"
    with peers(Peer(interrupted[0], ("resume", *BOT, *here))) as (peer,):
        assert "no interrupted match" in refusal(peer, 2)
    assert record.read_bytes() == data


@pytest.mark.parametrize("holds", [b"", b"no record at all", bytes(4096)])
def test_what_is_no_record(tmp_path: Path, here: tuple[str, ...], holds: bytes) -> None:
    stray = tmp_path / "stray.spit"
    stray.write_bytes(holds)
    with peers(Peer(tmp_path, ("resume", str(stray), *BOT, *here))) as (peer,):
        assert refusal(peer, 6) == f"spitnet: {stray}: this is not a spitnet record\n"
        assert stray.read_bytes() == holds


def test_a_record_of_a_newer_spitnet(interrupted: tuple[Path, Path], here: tuple[str, ...]) -> None:
    """It is left as it is; that one has to be used."""
    record = record_of(interrupted[0])
    first = read(record).entries[0]
    assert isinstance(first, Opened)
    newer, _ = encode(structs.replace(first, format=FORMAT + 1), NO_CHECK)
    record.write_bytes(newer)
    with peers(Peer(interrupted[0], ("resume", str(record), *BOT, *here))) as (peer,):
        assert "newer spitnet" in refusal(peer, 2)
    assert record.read_bytes() == newer


@pytest.mark.full
def test_a_match_that_is_being_played(tmp_path: Path, here: tuple[str, ...]) -> None:
    """Its record belongs to the process that plays it, which doesn't notice."""
    slowly = ("--delay", "0.1")
    with table(tmp_path, here, *slowly, joiner=slowly) as pair:
        pair[0].now.wait_for("spit")
        playing = pair[0].now
        for words in ((), (str(playing.record()),)):
            with peers(Peer(pair[0].home, ("resume", *words, *BOT, *here))) as (peer,):
                assert "another spitnet" in refusal(peer, 2)
        assert_played(*(seat.now for seat in pair))
        assert not pair[1].now.of("opponent_lost")


@pytest.mark.full
@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_is_back_in_time(tmp_path: Path, here: tuple[str, ...], seat: int) -> None:
    """Exit 3, nothing of the match told; it can be taken up all the same afterwards."""
    with table(tmp_path, here) as pair:
        pair[1].now.wait_for("play")
        for one in pair:
            one.kill()
        with peers(Peer(pair[seat].home, ("resume", *BOT, *here, "--timeout", "0.5"))) as (alone,):
            assert "isn’t back after 0.5 s" in refusal(alone, 3)
            assert [line["event"] for line in alone.lines] == ["error"]
        for one in pair:
            one.resume(*BOT, *here)
        check_to_the_end(*pair)


@pytest.mark.full
@pytest.mark.parametrize("seat", [0, 1])
def test_nobody_is_back_in_ten_seconds(
    interrupted: tuple[Path, Path], here: tuple[str, ...], seat: int
) -> None:
    """What a headless run waits when it isn't told otherwise."""
    with peers(Peer(interrupted[seat], ("resume", *BOT, *here))) as (alone,):
        assert "after 10 s" in refusal(alone, 3)
