"""Files that are full, closed, damaged, locked or no files: one clear line, nothing lost, nothing written over."""

import errno
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from msgspec import structs
from support.matches import recorded
from support.pairs import Peer, peers
from support.program import Ran, run

from spitnet import private
from spitnet.app import identity
from spitnet.cli import main
from spitnet.exits import UsageFailure
from spitnet.journal.file_format import FORMAT, NO_CHECK, Opened, encode, entries
from spitnet.journal.store import Journal, Read, stream
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol.entries import Slow

QUICKLY = ("--headless", "--delay", "0")
ALONE = ("host", *QUICKLY, "--interface", "lo", "--timeout", "0.1")
# What root may read in spite of its mode, it may no more.
DENIED: tuple[str, ...] = (
    ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
)
can_be_denied = pytest.mark.skipif(
    bool(DENIED) and shutil.which("setpriv") is None, reason="root reads anything, without setpriv"
)


def shell(command: str) -> tuple[str, ...]:
    """Runs the program from a shell, in whose words it is `"$@"`."""
    return ("sh", "-c", command, "sh")


RECORD = recorded(concede=0.05)[0]
ROOM_BLOCKS = 64
SMALL_FILES = shell(f'ulimit -f {ROOM_BLOCKS}; exec "$@"')
"""No file may be larger than 32 or 64 KiB, as the shell has it: what goes beyond fails, as on a full disk."""


def everything(home: Path) -> set[Path]:
    """All that lies in a home, but for the log."""
    return {path for path in home.rglob("*") if ".local" not in path.relative_to(home).parts}


def complaint(ran: Ran) -> str:
    """The one line on stderr; the line for programs says the same."""
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.startswith("spitnet: "), ran.err
    assert ran.err.endswith("\n")
    assert [json.loads(line)["event"] for line in ran.out.splitlines()] in ([], ["error"])
    return ran.err.removeprefix("spitnet: ").rstrip("\n")


# Homes.

Spoil = Callable[[Path], None]


def no_data(home: Path) -> None:
    (home / "spitnet").write_text("")


def no_journals(home: Path) -> None:
    (home / "spitnet").mkdir()
    (home / "spitnet" / "journals").write_text("")


def journals_closed(home: Path) -> None:
    (home / "spitnet" / "journals").mkdir(parents=True)
    (home / "spitnet" / "journals").chmod(0o500)


def read_only(home: Path) -> None:
    home.chmod(0o500)


def key_closed(home: Path) -> None:
    place = home / "spitnet" / "key"
    identity.load_or_make(place)
    place.chmod(0)


def config_closed(home: Path) -> None:
    (home / "spitnet").mkdir()
    (home / "spitnet" / "config.toml").touch(mode=0)


def config_pipe(home: Path) -> None:
    (home / "spitnet").mkdir()
    os.mkfifo(home / "spitnet" / "config.toml")


@can_be_denied
@pytest.mark.parametrize(
    ("spoil", "place", "words"),
    [
        (no_data, "home/spitnet", "Not a directory"),
        (no_journals, "spitnet/journals", "can’t create "),
        (journals_closed, "spitnet/journals", "can’t write to "),
        (read_only, "home/spitnet", "so the match would have no record: Permission"),
        (key_closed, "spitnet/key", "Permission denied"),
        (config_closed, "config.toml", "Permission denied"),
        (config_pipe, "config.toml", "not a file"),
    ],
)
def test_a_home_that_cannot_be_used(tmp_path: Path, spoil: Spoil, place: str, words: str) -> None:
    """Exit 2 before anybody can sit down, and a line that names the file; nothing is written over."""
    home = tmp_path / "home"
    home.mkdir()
    spoil(home)
    before = {path: path.stat() for path in everything(home)}
    ran = run(home, *ALONE, inside=DENIED)
    assert ran.code == 2
    said = complaint(ran)
    assert place in said
    assert words in said
    assert everything(home) - set(before) <= {home / "spitnet" / "journals"}
    for path, was in before.items():
        now = path.stat()
        assert (now.st_ino, now.st_mode) == (was.st_ino, was.st_mode)
        assert (
            now.st_size == was.st_size or path.is_dir()
        )  # which some file systems count entries in


def shorter(place: Path) -> None:
    os.truncate(place, 63)


def emptied(place: Path) -> None:
    os.truncate(place, 0)


def longer(place: Path) -> None:
    place.write_bytes(place.read_bytes() + b"\n")


def turned(place: Path) -> None:
    """One bit of the secret."""
    data = bytearray(place.read_bytes())
    data[40] ^= 4
    place.write_bytes(data)


def directory(place: Path) -> None:
    place.unlink()
    place.mkdir()


def pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def unread(place: Path) -> tuple[object, ...]:
    """All that the system says of it but when it was read last."""
    told = place.stat()
    return (*told[: stat.ST_ATIME], *told[stat.ST_ATIME + 1 :], told.st_mtime_ns, told.st_ctime_ns)


@pytest.mark.parametrize("spoil", [shorter, emptied, longer, turned, directory, pipe])
def test_what_is_no_key_is_not_used_and_not_replaced(tmp_path: Path, spoil: Spoil) -> None:
    place = tmp_path / "key"
    identity.load_or_make(place)
    spoil(place)
    before = unread(place)
    with pytest.raises(UsageFailure, match="this is not a spitnet key"):
        identity.load_or_make(place)
    assert unread(place) == before
    assert everything(tmp_path) == {place}


def test_a_damaged_key_stays_and_the_cure_is_named(tmp_path: Path) -> None:
    """An identity is never silently replaced: the file is as it was, and the line says what to do."""
    place = tmp_path / "spitnet" / "key"
    identity.load_or_make(place)
    place.write_bytes(place.read_bytes()[:63])
    before = place.read_bytes()
    said = complaint(run(tmp_path, *ALONE))
    assert "move it away" in said
    assert place.read_bytes() == before
    place.unlink()
    assert run(tmp_path, *ALONE).code == 3
    assert place.read_bytes() != before


def test_a_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    """Made so whatever the umask, made so again after a copy, and only if it is a file; the same at each start."""
    place = tmp_path / "made" / "key"
    before = os.umask(0)
    try:
        keys = identity.load_or_make(place)
    finally:
        os.umask(before)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    assert list(place.parent.iterdir()) == [place]
    place.chmod(0o644)
    assert identity.load_or_make(place) == keys
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    place.parent.chmod(0o755)
    private.close_to_others(place.parent)
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o755


def test_a_key_that_cannot_be_kept_lasts_for_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    first, second = (identity.load_or_make(tmp_path / "key") for _ in range(2))
    assert first != second
    assert not list(tmp_path.iterdir())
    assert "can't be resumed later" in caplog.text


def nowhere(*_: object, **__: object) -> Path:
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("find", [nowhere, lambda *_, **__: Path("~/.local/share/spitnet")])
def test_without_a_home_nothing_is_made(find: Callable[..., Path]) -> None:
    """A user without an entry in the system's list, and HOME unset: libraries differ in what they say then."""
    with pytest.raises(UsageFailure, match="set HOME"):
        private.place(find)


# What may not be looked at.


@can_be_denied
def test_behind_a_door_that_is_closed(tmp_path: Path) -> None:
    """Pythons differ in what they say of a file that can't be asked for: it isn't there, or an error."""
    shut = tmp_path / "shut"
    shut.mkdir()
    (shut / "match.spit").write_bytes(RECORD)
    shut.chmod(0)
    closed = {"XDG_CONFIG_HOME": str(shut)}
    ran = run(tmp_path, "verify", str(shut / "match.spit"), inside=DENIED)
    assert (ran.code, complaint(ran)) == (2, f"{shut / 'match.spit'}: Permission denied")
    ran = run(tmp_path, "config", extra=closed, inside=DENIED)
    assert (ran.code, complaint(ran._replace(out=""))) == (2, "1 mistake in the config file")
    assert "config.toml: Permission denied" in ran.out
    ran = run(tmp_path, "doctor", "--interface", "lo", extra=closed, inside=DENIED)
    assert (ran.code, ran.err) == (0, "")
    assert "config.toml: Permission denied" in ran.out
    shut.chmod(0o700)


# Homes that are none.

NO_HOMES: dict[str, Callable[[Path], dict[str, str]]] = {
    "a device": lambda file: {"HOME": os.devnull, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""},
    "a file": lambda file: {"HOME": str(file), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": ""},
    "below a file": lambda file: {"XDG_CONFIG_HOME": str(file), "XDG_DATA_HOME": f"{file}/deep"},
}
no_homes = pytest.mark.parametrize("no_home", NO_HOMES)


@pytest.fixture
def lent(tmp_path: Path, no_home: str) -> dict[str, str]:
    """The variables of a user whose directories can't be."""
    file = tmp_path / "a file"
    file.write_text("")
    return NO_HOMES[no_home](file)


@no_homes
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--help",), 0),
        (("rules",), 0),
        (("stats",), 0),
        (("config",), 0),
        (("doctor", "--json", "--interface", "lo"), 0),
        (("list", "--interface", "lo"), 0),
        (("verify", "match.spit"), 0),
        (("replay", "match.spit"), 0),
        (("watch", "--headless", "--interface", "lo", "--timeout", "0.1"), 3),
        (("resume", "--headless", "--interface", "lo"), 2),
        (("host", *ALONE[1:], "--journal", "journals"), 3),
        (("config", "--create"), 2),
        (ALONE, 2),
        (("solo", *QUICKLY), 2),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, tuple) else "",
)
def test_without_a_place_for_files(
    tmp_path: Path, free_port: int, lent: dict[str, str], words: tuple[str, ...], code: int
) -> None:
    """That means no config file and no records; one line says so where a file has to be made, and only there."""
    (tmp_path / "match.spit").write_bytes(RECORD)
    search = ("--discovery-port", str(free_port)) if "--interface" in words else ()
    ran = run(tmp_path, *words, *search, extra=lent)
    assert ran.code == code, ran.err
    told = [line for line in ran.err.splitlines() if os.strerror(errno.ENOTDIR) in line]
    makes_files = words[0] in {"host", "solo"} or "--create" in words
    assert len(told) == makes_files, ran.err
    assert len(ran.err.splitlines()) <= 1 + (words[0] == "host" and code == 3)
    assert everything(tmp_path) <= {
        tmp_path / name for name in ("a file", "match.spit", "journals")
    }


@no_homes
def test_a_match_that_is_recorded_elsewhere(tmp_path: Path, lent: dict[str, str]) -> None:
    """The key lasts for the run, and one line says what that means."""
    ran = run(tmp_path, "solo", *QUICKLY, "--journal", "journals", extra=lent)
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert "can't be resumed later" in ran.err
    assert len(list((tmp_path / "journals").iterdir())) == 2


# A disk that is full.


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 32 KiB."""
    place = tmp_path / "small"
    place.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=32k", "spitnet-test", str(place))
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a file system can be mounted by root alone")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def until_the_disk_is_full(host: Peer, joiner: Peer) -> None:
    """One line and exit 2 on this side; the other is told, and waits. Both records hold as far as they go."""
    code, message = host.finish()
    assert code == 2
    assert message.count("\n") == 1, message
    assert str(host.record()) in message
    assert "spitnet resume" in message
    assert host.of("error")[0]["code"] == "machine"
    joiner.wait_for("opponent_lost")
    joiner.signal(signal.SIGTERM)
    assert joiner.finish() == (130, "")
    for peer in (host, joiner):
        verdict = verify(stream(peer.record()))
        assert (verdict.standing, verdict.why) == (RecordStatus.UNFINISHED, "")
        assert verdict.beat > 20


def until_the_match_is_over(home: Path, here: Sequence[str]) -> None:
    """Both take it up again, and play it to its end."""
    with peers(
        Peer(home / "ana", ("resume", *QUICKLY, *here)),
        Peer(home / "bram", ("resume", *QUICKLY, *here)),
    ) as both:
        for peer in both:
            assert peer.finish() == (0, "")
            assert verify(stream(peer.record())).standing is RecordStatus.HOLDS


def test_a_full_disk_ends_the_run(tmp_path: Path, free_port: int) -> None:
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--games", "9"), SMALL_FILES),
        Peer(tmp_path / "bram", ("join", *QUICKLY, *here)),
    ) as (host, joiner):
        until_the_disk_is_full(host, joiner)


@pytest.mark.full
def test_a_full_disk_does_not_end_the_match(
    tmp_path: Path, small_disk: Path, free_port: int
) -> None:
    """The same on a real one; once it is larger the match goes on from the record that lies there."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "journals").symlink_to(small_disk)
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *here, "--games", "9")),
        Peer(tmp_path / "bram", ("join", *QUICKLY, *here)),
    ) as (host, joiner):
        until_the_disk_is_full(host, joiner)
    subprocess.run(["mount", "-o", "remount,size=2m", str(small_disk)], check=True)
    until_the_match_is_over(tmp_path, here)


@pytest.mark.full
def test_a_file_system_that_is_full_from_the_start(
    tmp_path: Path, small_disk: Path, free_port: int
) -> None:
    """No record can be begun: one line, and nothing half-written lies there."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    (small_disk / "filler").write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096))
    (tmp_path / "ana").mkdir()
    (tmp_path / "ana" / "journals").symlink_to(small_disk)
    with peers(
        Peer(tmp_path / "ana", ("host", *QUICKLY, *here)),
        Peer(tmp_path / "bram", ("join", *QUICKLY, *here)),
    ) as (host, joiner):
        code, message = host.finish()
        assert (code, message.count("\n")) == (2, 1)
        assert "No space left" in message
        joiner.wait_for("opponent_lost")
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


@pytest.mark.full
def test_the_own_opponent_says_nothing_of_a_full_disk(tmp_path: Path) -> None:
    """`solo`: whichever of the two finds it full first, one line tells of it."""
    with peers(Peer(tmp_path, ("solo", *QUICKLY, "--games", "9", "--grace", "5"), SMALL_FILES)) as (
        solo,
    ):
        code, message = solo.finish()
        assert code in (2, 4)
        assert message.count("\n") == 1, message


def test_lines_that_nobody_can_keep_end_the_run(tmp_path: Path) -> None:
    """`spitnet host --headless > FILE` on a full disk."""
    ran = run(tmp_path, *ALONE, inside=shell('exec "$@" >/dev/full'))
    assert ran.code == 2
    assert complaint(ran) == "No space left on device"


def test_a_match_leaves_nothing_that_others_can_read(tmp_path: Path) -> None:
    """Whatever the umask; and a log that can't grow any more stops nobody and says nothing."""
    log = tmp_path / ".local" / "state" / "spitnet" / "log" / "spitnet.log"
    log.parent.mkdir(parents=True)
    log.write_bytes(bytes(ROOM_BLOCKS * 1024))
    log.chmod(0o666)
    inside = shell(f'umask 0; ulimit -f {ROOM_BLOCKS}; exec "$@"')
    ran = run(tmp_path, "solo", *QUICKLY, inside=inside)
    assert (ran.code, ran.err) == (0, "")
    assert log.stat().st_size == ROOM_BLOCKS * 1024
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    made = [*(tmp_path / "spitnet").rglob("*"), tmp_path / "spitnet"]
    assert len([path for path in made if path.suffix == ".spit"]) == 2
    for path in made:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


# A record that is in use.


def test_a_match_that_is_being_played_is_not_taken_up(tmp_path: Path, free_port: int) -> None:
    """A second process at the same seat: exit 2, and the match goes on."""
    here = ("--interface", "lo", "--discovery-port", str(free_port))
    slowly = ("--headless", "--delay", "0.05", *here)
    with peers(
        Peer(tmp_path / "ana", ("host", *slowly)), Peer(tmp_path / "bram", ("join", *slowly))
    ) as (host, joiner):
        host.wait_for("play")
        named = run(tmp_path / "ana", "resume", str(host.record()), "--headless", *here)
        assert named.code == 2
        assert "another spitnet" in complaint(named)
        host.wait_for("play")
        host.signal(signal.SIGKILL)
        host.finish()
        journal, found = Journal.reopened(host.record())
        with journal:
            assert verify(found).standing is RecordStatus.UNFINISHED
        joiner.signal(signal.SIGTERM)
        assert joiner.finish() == (130, "")


def test_time_of_day_is_for_people_only() -> None:
    """A clock that is set back moves no timer: the program reads it where a record is dated, and how old one is."""
    package = Path(private.__file__).parent
    readers = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        for text in (path.read_text(encoding="utf-8"),)
        if "datetime.now(" in text or "time.time(" in text or "from time import time\n" in text
    }
    assert readers <= {"app/match/opening.py", "app/match/unfinished.py"}


# Records that are none.


def newer() -> bytes:
    opened = Read(RECORD).entries[0]
    assert isinstance(opened, Opened)
    return encode(structs.replace(opened, format=FORMAT + 1), NO_CHECK)[0]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        pytest.param(b"", "there is nothing in it", id="empty"),
        pytest.param(b"# Notes\n" * 99, "not a spitnet record", id="text"),
        pytest.param(bytes(5000), "not a spitnet record", id="zeros"),
        pytest.param(RECORD[:150], "not a spitnet record", id="first entry cut"),
        pytest.param(RECORD[:-1], "unfinished", id="cut"),
        pytest.param(RECORD[:900] + b"\xff" + RECORD[901:], "broken", id="damaged"),
        pytest.param(RECORD + b"\0", "it goes on after its end", id="more"),
        pytest.param(newer(), "newer spitnet", id="newer"),
    ],
)
def test_a_file_that_is_no_whole_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, words: str
) -> None:
    """`verify` says what it is in one line, `replay` that something is wrong: exit 6 both."""
    file = tmp_path / "match.spit"
    file.write_bytes(data)
    assert main(["verify", str(file)]) == 6
    said = capsys.readouterr()
    assert (said.out.count("\n"), said.err) == (1, "")
    assert words in said.out
    assert main(["replay", "--json", str(file)]) == 6
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert all(json.loads(line) for line in said.out.splitlines())
    assert file.read_bytes() == data


@can_be_denied
@pytest.mark.parametrize("command", [["verify"], ["replay", "--json"]])
def test_a_record_that_cannot_be_opened(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
) -> None:
    """A directory, a pipe, nothing, and a file that may not be read: exit 2, one line that names it, and no waiting."""
    fifo, none, shut = (tmp_path / name for name in ("pipe", "none", "shut"))
    os.mkfifo(fifo)
    shut.write_bytes(RECORD)
    shut.chmod(0)
    monkeypatch.chdir(tmp_path)
    for file in (".", fifo.name, none.name):
        assert main([*command, file]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1)
        assert repr(file) in said.err
    ran = run(tmp_path, *command, str(shut), inside=DENIED)
    assert ran.code == 2
    assert "shut: Permission denied" in complaint(ran)


@pytest.mark.full
def test_a_record_of_a_hundred_megabytes(tmp_path: Path) -> None:
    """Judged in little memory, in a real process: a record that goes on and on, one of noise, one of nothing."""
    long, noise, nothing = (tmp_path / name for name in ("long", "noise", "nothing"))
    *_, (_, check, end) = list(entries(RECORD))[:1]
    with long.open("wb") as file:
        file.write(RECORD[:end])
        while file.tell() < 100_000_000:
            more, check = encode(Slow(1, True, 2**40, 2**40), check)
            file.write(more)
    with noise.open("wb") as file:
        for _ in range(100):
            file.write(os.urandom(1_000_000))
    nothing.touch()
    os.truncate(nothing, 100_000_000)
    peak = (
        "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)"
    )
    for path, words in ((long, "unfinished"), (noise, "no record"), (nothing, "no record")):
        ran = run(tmp_path, "verify", str(path), inside=(sys.executable, "-c", peak), timeout_s=300)
        told, peak_kib = ran.out.splitlines()
        assert ran.code == 6
        assert words in told
        assert int(peak_kib) < 100_000
        print(f"verify of 100 MB ({words}): at most {int(peak_kib) // 1024} MiB")
