"""Looking on at matches of others, with real processes: the same story, live, whatever they do who look on."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import takewhile
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import msgpack
import psutil
import pytest
import zmq
from msgspec import structs
from support.galleries import HERE, Onlooker, calling, saved, table_with_gallery
from support.netns import Lan
from support.pairs import Line, Peer, assert_played, peers
from support.program import run, variables

from spitnet.app.solo import opponent
from spitnet.app.spectate import launcher
from spitnet.app.spectate.quota import MOST_OF_ONE_ADDRESS
from spitnet.exits import ExitCode
from spitnet.journal.file_format import Entry, Opened
from spitnet.journal.replay import Replay, replayed
from spitnet.journal.store import read
from spitnet.net.link import KeyPair
from spitnet.protocol import VERSION
from spitnet.protocol.binding import Opening
from spitnet.protocol.entries import Done, Ended, Ending
from spitnet.protocol.spectator import Piece, Watch, busy, decode, encode

EVES = "127.0.0.66"
QUICKLY = ("--headless", "--delay", "0", "--sync", "process")
STEADILY = ("--headless", "--delay", "0.02", "--sync", "process")


@pytest.fixture
def here(free_port: int) -> tuple[str, ...]:
    return ("--interface", "lo", "--discovery-port", str(free_port))


def onlooker(home: Path, here: tuple[str, ...], *more: str) -> Peer:
    return Peer(home, ("watch", "--headless", "--timeout", "60", *here, *more), plays=False)


def assert_told(watcher: Peer, story: list[Line]) -> None:
    """It looked on to the end, and tells what the players tell."""
    assert watcher.finish() == (0, "")
    assert watcher.story() == story
    (first, last) = watcher.lines[0], watcher.lines[-1]
    assert first["event"] == "watching"
    assert last["event"] == "match_over"


def test_a_third_machine_tells_the_story_that_both_players_tell(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """One that was there before the match, and one that comes in its middle, by address; both players know of it."""
    host = Peer(tmp_path / "ana", ("host", *STEADILY, *here, "--watchable", "--name", "Ana"))
    with peers(host):
        hosting = host.wait_for("hosting")
        early = onlooker(tmp_path / "carl", here)
        with peers(early):
            joiner = Peer(tmp_path / "bram", ("join", *STEADILY, *here, "--name", "Bram"))
            with peers(joiner):
                assert joiner.wait_for("connected")["watchable"]
                for _ in range(20):
                    host.wait_for("play")
                late = onlooker(tmp_path / "dora", here, f"{HERE}:{hosting['port']}")
                with peers(late):
                    late.wait_for("play")
                    story = assert_played(host, joiner)
                    for watcher in (early, late):
                        assert_told(watcher, story)
                        (watching,) = watcher.of("watching")
                        assert watching["names"] == ["Ana", "Bram"]
                        assert watching["session"] == host.of("connected")[0]["session"]
                    assert not psutil.Process().children(recursive=True)


@pytest.mark.full
@pytest.mark.namespaces
def test_three_machines_on_one_bridge(tmp_path: Path) -> None:
    """No address typed; the one who looks on comes when the match is under way, and no beacon tells of that."""
    with Lan("ana", "bram", "carl") as lan:
        for number, machine in enumerate(("ana", "bram", "carl"), 1):
            lan.plug(machine, "eth0", f"10.78.0.{number}/24")
        host = Peer(tmp_path / "ana", ("host", *STEADILY, "--watchable"), lan.inside("ana"))
        joiner = Peer(tmp_path / "bram", ("join", *STEADILY), lan.inside("bram"))
        with peers(host, joiner):
            joiner.wait_for("play")
            command = ("watch", "--headless")
            with peers(Peer(tmp_path / "carl", command, lan.inside("carl"), plays=False)) as (
                carl,
            ):
                assert_told(carl, assert_played(host, joiner))


def test_who_does_not_allow_it_is_not_watched(tmp_path: Path, here: tuple[str, ...]) -> None:
    """By broadcast there is nothing to be found; by address it is refused, and the reason given."""
    words = ("host", *QUICKLY, *here, "--name", "Ana", "--timeout", "60")
    with peers(Peer(tmp_path / "ana", words)) as (host,):
        hosting = host.wait_for("hosting")
        assert hosting["watch_port"] is None
        found = run(tmp_path, "watch", "--headless", "--timeout", "0.6", *here)
        assert found.code == ExitCode.NOBODY
        assert "spitnet host --watchable" in found.err
        place = f"{HERE}:{hosting['port']}"
        asked = run(tmp_path, "watch", "--headless", *here, place)
        assert asked.code == ExitCode.REFUSED
        assert "the table “Ana” can’t be watched" in asked.err
        for name, code, problem in (
            ("Ana", ExitCode.REFUSED, "the table “Ana” can’t be watched"),
            ("Bo", ExitCode.NOBODY, "there is no table “Bo” here, only Ana"),
        ):
            found = run(tmp_path, "watch", "--headless", "--timeout", "0.6", *here, "--table", name)
            assert (found.code, problem in found.err) == (code, True), found.err


@pytest.mark.full
def test_a_table_that_may_be_watched_is_listed_as_such(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    with peers(Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--watchable"))) as (host,):
        host.wait_for("hosting")
        assert "(may be watched)" in run(tmp_path, "list", *here).out


# Whoever looks on can do what they like: the match doesn't notice.


class _Mob:
    """Those who look on and mean no good, at work in a thread."""

    def __init__(self, key: bytes, port: int) -> None:
        self._key, self._port = key, port
        self._over = Event()
        self.left = 0
        self.flooded = 0
        self.error: BaseException | None = None

    @contextmanager
    def at_work(self) -> Iterator[None]:
        thread = Thread(target=self._work)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _work(self) -> None:
        context = zmq.Context()
        try:
            while not self._over.is_set():
                self._round(context)
        except BaseException as error:  # noqa: BLE001 - told in the test
            self.error = error
        finally:
            context.destroy(0)

    def _round(self, context: "zmq.Context[zmq.Socket[bytes]]") -> None:
        """One who never reads, one who asks without end, one who talks rubbish; then all leave without a word."""
        crowd = [Onlooker(context, self._key, self._port, EVES) for _ in range(3)]
        deaf, greedy, mad = crowd
        greedy.until(lambda: greedy.up or self._over.is_set())
        for number in range(300):
            deaf.link.events(0.0, most=0)
            deaf.link.send(encode(Watch(VERSION, None, 0)))
            self.flooded += greedy.link.send(encode(Watch(VERSION, os.urandom(32), number)))
            mad.link.events(0.0, most=4)
            mad.link.send(os.urandom(number) or b"\x94\x14")
            mad.link.send(msgpack.packb([20, 1, None, -1]))
        for one in crowd:
            one.link.close()
            self.left += 1


def key_of(home: Path) -> KeyPair:
    data = next(home.rglob("key")).read_bytes()
    return KeyPair(data[:32], data[32:])


@pytest.mark.parametrize(
    ("games", "left"), [("1", 6), pytest.param("40", 300, marks=pytest.mark.full)]
)
def test_no_match_notices_who_looks_on(
    tmp_path: Path, here: tuple[str, ...], games: str, left: int
) -> None:
    """They don't read, flood, talk rubbish, leave a hundred times: beats go on, records hold, others still see it all."""
    words = ("--headless", "--delay", "0.012", "--sync", "process", *here)
    with peers(Peer(tmp_path / "ana", ("host", *words, "--watchable", "--games", games))) as (
        host,
    ):
        port = host.wait_for("hosting")["watch_port"]
        joiner = Peer(tmp_path / "bram", ("join", *words))
        honest = onlooker(tmp_path / "carl", here)
        mob = _Mob(key_of(tmp_path / "ana").public, port)
        with peers(joiner, honest), mob.at_work():
            story = assert_played(host, joiner)
            assert_told(honest, story)
        assert mob.error is None
        assert mob.left >= left
        assert mob.flooded > 10 * left
        for peer in (host, joiner):
            assert not peer.of("opponent_lost")
            assert run(tmp_path, "verify", str(peer.record())).code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_what_the_host_s_keys_say_is_not_for_its_gallery(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """Ctrl-C goes to all of a terminal's foreground group: this one is in another, from its first moment on."""
    with peers(Peer(tmp_path, ("host", *QUICKLY, *here, "--watchable"))) as (host,):
        host.wait_for("hosting")
        (gallery,) = psutil.Process(host.process.pid).children()
        assert os.getpgid(gallery.pid) == gallery.pid


@pytest.mark.full
def test_the_gallery_can_die_and_the_match_goes_on(tmp_path: Path, here: tuple[str, ...]) -> None:
    words = (*STEADILY, *here)
    with peers(Peer(tmp_path / "ana", ("host", *words, "--watchable"))) as (host,):
        host.wait_for("hosting")
        with peers(Peer(tmp_path / "bram", ("join", *words))) as (joiner,):
            host.wait_for("play")
            (gallery,) = psutil.Process(host.process.pid).children()
            gallery.kill()
            code, error = host.finish()
            assert (code, joiner.finish()) == (0, (0, ""))
            assert error == ""


# The host goes, and comes back.


@pytest.mark.full
def test_a_host_that_dies_is_looked_for_and_given_up(tmp_path: Path, here: tuple[str, ...]) -> None:
    """SIGKILL: its gallery goes too; what was seen stays, and the exit code tells."""
    words = (*STEADILY, *here)
    with peers(Peer(tmp_path / "ana", ("host", *words, "--watchable"))) as (host,):
        host.wait_for("hosting")
        watcher = onlooker(tmp_path / "carl", here, "--timeout", "1")
        with peers(Peer(tmp_path / "bram", ("join", *words)), watcher):
            watcher.wait_for("play")
            children = psutil.Process(host.process.pid).children()
            host.signal(signal.SIGKILL)
            watcher.wait_for("host_lost")
            code, error = watcher.finish()
            assert (code, error) == (ExitCode.OPPONENT_GONE, "spitnet: the host is gone\n")
            assert watcher.lines[-1]["code"] == "host_gone"
            psutil.wait_procs(children, timeout=5)
            assert not [one for one in children if one.is_running()]


@pytest.mark.full
def test_a_match_that_is_taken_up_again_is_watched_again(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """The whole story, though its host was killed in its middle; those who look on find it again by themselves."""
    words = (*STEADILY, *here)
    with peers(Peer(tmp_path / "ana", ("host", *words, "--watchable"))) as (host,):
        host.wait_for("hosting")
        watcher = onlooker(tmp_path / "carl", here, "--timeout", "30")
        joiner = Peer(tmp_path / "bram", ("join", *words))
        with peers(watcher, joiner):
            watcher.wait_for("play")
            host.signal(signal.SIGKILL)
            watcher.wait_for("host_lost")
            with peers(Peer(tmp_path / "ana", ("resume", *STEADILY[:3], *here))) as (again,):
                watcher.wait_for("host_back")
                assert [again.finish(), joiner.finish()] == [(0, ""), (0, "")]
                assert_told(watcher, joiner.story())


@pytest.mark.full
def test_a_joiner_that_is_away_is_told_of_and_its_return(
    tmp_path: Path, here: tuple[str, ...]
) -> None:
    """By the calls of its host; who looks on hears them and does nothing, and the story is the same to the end."""
    words = (*STEADILY, *here)
    with peers(Peer(tmp_path / "ana", ("host", *words, "--watchable"))) as (host,):
        host.wait_for("hosting")
        watcher = onlooker(tmp_path / "carl", here)
        joiner = Peer(tmp_path / "bram", ("join", *words))
        with peers(watcher, joiner):
            watcher.wait_for("play")
            joiner.signal(signal.SIGKILL)
            watcher.wait_for("joiner_lost")
            with peers(Peer(tmp_path / "bram", ("resume", *STEADILY[:3], *here))) as (again,):
                watcher.wait_for("joiner_back")
                assert [again.finish(), host.finish()] == [(0, ""), (0, "")]
                assert_told(watcher, host.story())
                kinds = [line["event"] for line in watcher.lines]
                assert (kinds.count("joiner_lost"), kinds.count("joiner_back")) == (1, 1)
                assert not {"host_lost", "host_back"} & set(kinds)


# A host that shows what it should not.


class Played(NamedTuple):
    """A match that may be watched, as its host has it."""

    keys: KeyPair
    entries: list[Entry]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return played_with(tmp_path_factory.mktemp("played"), "--watchable")


def played_with(home: Path, *more: str) -> Played:
    with peers(Peer(home / "ana", ("host", *QUICKLY, "--interface", "lo", *more))) as (host,):
        place = f"{HERE}:{host.wait_for('hosting')['port']}"
        joiner = Peer(home / "bram", ("join", place, *QUICKLY, "--interface", "lo"))
        with peers(joiner):
            assert_played(host, joiner)
            return Played(key_of(home / "ana"), read(host.record()).entries)


def watched(home: Path, port: int, keys: KeyPair, *records: list[Entry]) -> Peer:
    """One who looked on, to the end, while this was shown."""
    (home / "shown").mkdir()
    with table_with_gallery(keys, port + 1, port) as gallery:
        for record in records:
            gallery.show(saved(home / "shown", record))
        watcher = onlooker(home, ("--interface", "lo", "--discovery-port", str(port)))
        with peers(watcher):
            watcher.finish()
            return watcher


def changed(entries: list[Entry], at: int) -> list[Entry]:
    """One bit of a nonce that was opened in the middle of the match."""
    done = [i for i, entry in enumerate(entries) if isinstance(entry, Done)][at]
    entry = entries[done]
    assert isinstance(entry, Done)
    first, second = entry.openings
    nonce = bytes([second.nonce[0] ^ 1]) + second.nonce[1:]
    lie = structs.replace(entry, openings=(first, Opening(second.move, nonce)))
    return [*entries[:done], lie, *entries[done + 1 :]]


@pytest.mark.full
def test_a_match_that_holds_is_told(tmp_path: Path, free_port: int, played: Played) -> None:
    """So that the tests below show what they say."""
    watcher = watched(tmp_path, free_port, played.keys, played.entries)
    assert watcher.lines[-1]["event"] == "match_over"


def test_a_forged_beat_is_found_out(tmp_path: Path, free_port: int, played: Played) -> None:
    """Every check is right and one nonce was changed: the cards that it draws are others than those that were played.

    It is found out where the forged cards can't be played, or where the opponent's commitment shows it; up to there the
    story is the true one.
    """
    watcher = watched(tmp_path, free_port, played.keys, changed(played.entries, 40))
    assert watcher.process.returncode == ExitCode.VIOLATION
    error = watcher.lines[-1]
    assert error["event"] == "error"
    found = re.fullmatch(
        r"what the host sent is broken: it holds up to beat (\d+), then: .+ \(\w+\)",
        error["message"],
    )
    assert found
    assert int(found[1]) >= 40 - 1
    true = [beat for beat in replayed(played.entries) if beat.beat < 40]
    told = [line for line in watcher.story() if line["beat"] < 40]
    assert [line["beat"] for line in told] == [b.beat for b in true for _ in b.events]


@pytest.mark.full
def test_a_record_that_contradicts_itself_is_found_out(
    tmp_path: Path, free_port: int, played: Played
) -> None:
    """A host that makes itself the winner."""
    kept = [*takewhile(lambda entry: not isinstance(entry, Ended), played.entries)][:60]
    lie = Ended(sum(isinstance(entry, Done) for entry in kept), Ending.OVER, None, "")
    watcher = watched(tmp_path, free_port, played.keys, [*kept, lie])
    assert watcher.process.returncode == ExitCode.VIOLATION
    assert watcher.lines[-1]["code"] == "wrong_end"
    assert not watcher.of("match_over")


@pytest.mark.full
def test_another_hosts_match_is_not_taken_for_this_ones(
    tmp_path: Path, free_port: int, played: Played
) -> None:
    """CURVE says whose table it is; the record must say the same, and at which seat."""
    opened = played.entries[0]
    assert isinstance(opened, Opened)
    others = opened.origin._replace(host_key=bytes(32))
    for number, lie in enumerate(
        (structs.replace(opened, origin=others), structs.replace(opened, seat=1))
    ):
        home = tmp_path / str(number)
        home.mkdir()
        watcher = watched(home, free_port, played.keys, [lie, *played.entries[1:]])
        assert watcher.process.returncode == ExitCode.VIOLATION
        assert watcher.lines[-1]["code"] == "another_match"
        assert not watcher.story()


@pytest.mark.full
def test_a_match_whose_players_were_not_told_is_not_shown(tmp_path: Path, free_port: int) -> None:
    """The host's program can send it; ours doesn't show it."""
    secret = played_with(tmp_path / "secret")
    watcher = watched(tmp_path, free_port, secret.keys, secret.entries)
    assert watcher.lines[-1]["code"] == "not_watchable"
    assert not watcher.story()


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("abandoned", ExitCode.DONE),
        ("claimed", ExitCode.OPPONENT_GONE),
        ("left", ExitCode.DONE),
        ("lost_records", ExitCode.OPPONENT_GONE),
        ("violation", ExitCode.VIOLATION),
    ],
)
@pytest.mark.full
def test_a_match_that_ends_before_its_time_ends_it_here_too(
    tmp_path: Path, free_port: int, played: Played, how: str, code: ExitCode
) -> None:
    kept = played.entries[:60]
    beat = sum(isinstance(entry, Done) for entry in kept)
    ended = Ended(beat, Ending(how), 1, "flood" if how == "violation" else "")
    watcher = watched(tmp_path, free_port, played.keys, [*kept, ended])
    assert watcher.process.returncode == code
    (over,) = watcher.of("match_over")
    told = {name: over[name] for name in ("winner", "how", "by", "word")}
    assert told == {"winner": int(how == "claimed"), "how": how, "by": 1, "word": ended.word}


# The gallery itself.


def _is_up(one: Onlooker) -> bool:
    return one.up


def _has_heard(one: Onlooker) -> bool:
    return bool(one.heard)


@contextmanager
def looking_on(
    tmp_path: Path, free_port: int, played: Played, number: int
) -> Iterator[tuple[list[Onlooker], Path]]:
    """So many who are connected to a gallery, and the record that it shows."""
    (tmp_path / "shown").mkdir()
    record = saved(tmp_path / "shown", played.entries)
    context = zmq.Context()
    try:
        with table_with_gallery(played.keys, free_port + 1, free_port) as gallery:
            gallery.show(record)
            crowd = [Onlooker(context, played.keys.public, gallery.port) for _ in range(number)]
            for one in crowd:
                one.until(partial(_is_up, one))
            yield crowd, record
            for one in crowd:
                one.link.close()
    finally:
        context.destroy(0)


def test_pieces_put_together_are_the_record(tmp_path: Path, free_port: int, played: Played) -> None:
    """A match that is over leaves byte for byte; each piece only when it is asked for."""
    opened = played.entries[0]
    assert isinstance(opened, Opened)
    with looking_on(tmp_path, free_port, played, 1) as ((one,), record):
        data, size = b"", 1
        while len(data) < size:
            one.link.send(encode(Watch(VERSION, opened.session if data else None, len(data))))
            one.until(lambda: one.heard)
            (frame,) = one.heard
            one.heard.clear()
            piece = decode(frame)
            assert isinstance(piece, Piece)
            assert (piece.session, piece.offset) == (opened.session, len(data))
            data, size = data + piece.data, piece.size
        assert data == record.read_bytes()


@pytest.mark.full
def test_there_is_room_for_some_of_one_machine(
    tmp_path: Path, free_port: int, played: Played
) -> None:
    """Who is one too many is told so; another version is, too."""
    most = MOST_OF_ONE_ADDRESS
    with looking_on(tmp_path, free_port, played, most + 1) as (crowd, _record):
        for one in crowd[:most]:
            one.link.send(encode(Watch(VERSION, None, 0)))
            one.until(partial(_has_heard, one))
            assert isinstance(decode(one.heard[0]), Piece)
        last = crowd[most]
        last.link.send(encode(Watch(VERSION, None, 0)))
        last.until(lambda: last.heard)
        assert decode(last.heard[0]) == busy()
        here = ("--interface", "lo", "--discovery-port", str(free_port))
        refused = run(tmp_path, "watch", "--headless", *here)
        assert refused.code == ExitCode.REFUSED
        assert "no room for another" in refused.err


# With a person.


def test_what_is_waited_for_is_said_into_a_pipe_too(
    tmp_path: Path, here: tuple[str, ...], free_port: int
) -> None:
    """Looking on needs no keys, so that a stdin with nothing in it ends nothing; but nobody waits before an empty screen."""
    asked = f"{HERE}:{free_port + 1}"
    for words, waiting, problem in (
        ((), "Looking for tables that may be watched… ", "no table found that may be watched"),
        ((asked,), f"Asking {asked} for its table… ", f"no table answers at {asked}"),
    ):
        ran = run(tmp_path, "watch", "--timeout", "0.6", *here, *words)
        assert ran.out.startswith(waiting)
        assert ran.err.startswith(f"spitnet: {problem}")
        assert ran.code == ExitCode.NOBODY


@pytest.mark.full
def test_into_a_pipe_it_tells_the_match_in_sentences(
    tmp_path: Path, free_port: int, played: Played
) -> None:
    (tmp_path / "shown").mkdir()
    with table_with_gallery(played.keys, free_port + 1, free_port) as gallery:
        gallery.show(saved(tmp_path / "shown", played.entries))
        here = ("--interface", "lo", "--discovery-port", str(free_port))
        ran = run(tmp_path, "watch", "--plain", *here)
    assert (ran.code, ran.err) == (0, "")
    told = ran.out.splitlines()
    looking, waiting, head, *_ = told
    assert looking.startswith("Looking for tables that may be watched… ")
    assert waiting.startswith("Waiting for a match at the table of Ana… ")
    assert head.startswith("Spit-")
    assert told[-1] == "The match is over. Every beat was checked here."
    beats = sum(isinstance(entry, Done) for entry in played.entries)
    assert [line for line in told if re.match(r"\d+: ", line)][-1].startswith(f"{beats}: ")
    assert not re.search(r"\b[Yy]ou(r)?\b", ran.out)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_person_looks_on_from_match_to_match(
    tmp_path: Path, free_port: int, played: Played
) -> None:
    """Live, a step back and live again, the end; then the next match begins, and whoever is live goes there."""
    from support.terminals import Pty

    (tmp_path / "shown").mkdir()
    opened = played.entries[0]
    assert isinstance(opened, Opened)
    again = structs.replace(opened, rematches=((bytes(32), bytes(32)),))
    beats = sum(isinstance(entry, Done) for entry in played.entries)
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    command = (sys.executable, "-m", "spitnet", "watch", *here)
    with (
        table_with_gallery(played.keys, free_port + 1, free_port) as gallery,
        Pty(command, env=env, cwd=tmp_path) as pty,
    ):
        pty.until_shows("Waiting for a match at the table of Ana")
        growing = saved(tmp_path / "shown", played.entries[:60])
        gallery.show(growing)
        some = sum(isinstance(entry, Done) for entry in played.entries[:60])
        pty.until_shows(f"live · beat {some} of {some}+, game 1")
        pty.send("\x1b[D")
        pty.until_shows(f"paused 1× · beat {some - 1} of {some}+")
        whole = saved(tmp_path / "shown", played.entries)
        with growing.open("ab") as file:
            file.write(whole.read_bytes()[growing.stat().st_size :])
        pty.until_shows(f"paused 1× · beat {some - 1} of {beats}")
        pty.send("\x1b[F")
        pty.until_shows("The match is over. Every beat was checked here.")
        gallery.show(saved(tmp_path / "shown", [again]))
        pty.until_shows("live · beat 0 of 0+")
        pty.send("q")
        assert pty.wait() == ExitCode.DONE
        assert pty.modes() == pty.modes_before
        assert b"Traceback" not in pty.output


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.full
@pytest.mark.parametrize("manner", [(), ("--plain",)])
def test_a_person_is_told_who_is_away(
    tmp_path: Path, free_port: int, played: Played, manner: tuple[str, ...]
) -> None:
    """On the table and in lines: that the host calls its joiner, and that it is there again once a beat comes."""
    from support.terminals import Pty

    (tmp_path / "shown").mkdir()
    opened = played.entries[0]
    assert isinstance(opened, Opened)
    replay = Replay(opened)
    host, joiner = replay.names
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    command = (sys.executable, "-m", "spitnet", "watch", *here, *manner)
    with (
        table_with_gallery(played.keys, free_port + 1, free_port) as gallery,
        Pty(command, env=env, cwd=tmp_path) as pty,
    ):
        growing = saved(tmp_path / "shown", played.entries[:60])
        gallery.show(growing)
        pty.until_shows(f"{host} against {joiner}" if manner else "live · beat")
        with calling(played.keys.public, replay.session, free_port + 2, free_port):
            pty.until_shows(f"{joiner} can’t be reached.")
        for number in (80, len(played.entries)):
            longer = saved(tmp_path / "shown", played.entries[:number])
            with growing.open("ab") as file:
                file.write(longer.read_bytes()[growing.stat().st_size :])
            pty.until_shows(
                f"{joiner} can be reached again."
                if number == 80
                else "The match is over. Every beat was checked here."
            )
        assert manner or "be reached" not in pty.text
        pty.send("q")
        assert pty.wait() == ExitCode.DONE


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
@pytest.mark.full
def test_a_person_sees_where_the_host_is_found_out(
    tmp_path: Path, free_port: int, played: Played
) -> None:
    """What holds stays on the screen, and the exit code tells."""
    from support.terminals import Pty

    (tmp_path / "shown").mkdir()
    kept = [*played.entries[:60], Ended(1, Ending.OVER, None, "")]
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    env = {**variables(tmp_path), "TERM": "xterm-256color"}
    with (
        table_with_gallery(played.keys, free_port + 1, free_port) as gallery,
        Pty((sys.executable, "-m", "spitnet", "watch", *here), env=env, cwd=tmp_path) as pty,
    ):
        gallery.show(saved(tmp_path / "shown", kept))
        pty.until_shows("What the host sent is broken: it holds up to beat")
        assert "cards left" in pty.text
        pty.send("q")
        assert pty.wait() == ExitCode.VIOLATION


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_people_play_again_and_are_watched_again(tmp_path: Path, here: tuple[str, ...]) -> None:
    """R21: two people, a rematch, and one who looks on at both; the joiner's screen says that this is so."""
    from support.evening import concede, leave, over, terminal, until_both
    from support.terminals import Pty

    env = {**variables(tmp_path / "carl"), "TERM": "xterm-256color"}
    (tmp_path / "carl").mkdir()
    with (
        terminal(tmp_path / "ana", "host", "--watchable", "--name", "Ana", *here) as ana,
        Pty((sys.executable, "-m", "spitnet", "watch", *here), env=env, cwd=tmp_path) as carl,
    ):
        ana.until_shows("Others can watch: spitnet watch")
        carl.until_shows("Waiting for a match at the table of Ana")
        with terminal(tmp_path / "bram", "join", "--name", "Bram", *here) as bram:
            for player in (ana, bram):
                player.until_shows("may be watched")
            concede(ana, bram)
            carl.until_shows("Bram wins. Ana conceded.")
            until_both(ana, bram, lambda: "Ana wants" in bram.text, press=(ana, "r"))
            until_both(ana, bram, lambda: not over(ana) and not over(bram), press=(bram, "r"))
            carl.until(
                lambda: "conceded" not in carl.text and "live" in carl.text, "the next match"
            )
            concede(bram, ana)
            carl.until_shows("Ana wins. Bram conceded.")
            assert [leave(pty) for pty in (ana, bram)] == [0, 0]
            carl.until_shows("The match is over. Every beat was checked here.")
            assert leave(carl) == 0


@pytest.mark.parametrize("module", ["spitnet.app.spectate.server", "spitnet.app.solo.opponent"])
def test_the_programs_own_processes_take_nothing_from_where_they_start(
    tmp_path: Path, module: str
) -> None:
    """A folder with a json.py of its own is no part of the program; one of these is handed the secret key."""
    (tmp_path / "json.py").write_text("raise SystemExit(99)")
    command = {
        "spitnet.app.spectate.server": launcher.COMMAND,
        "spitnet.app.solo.opponent": opponent.COMMAND,
    }[module]
    bare = {name: value for name, value in variables(tmp_path).items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        command, cwd=tmp_path, env=bare, stdin=subprocess.DEVNULL, capture_output=True, timeout=30
    )
    assert done.returncode != 99, done.stderr
