"""Whatever bytes come, each decoder returns what it is declared to return or raises what it is declared to raise.

Every run states how many inputs it tried; the long one (`full`) tries some millions. What is wrong with an input is
checked too, where that can be known: nothing damaged is taken for whole, and what is read can be written again.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple, get_args, get_type_hints

import pytest
from msgspec import structs
from support import reading
from support.matches import recorded
from support.mutation import Check, Mutator, attacked, packed

from spitnet.cli import config, layers, settings
from spitnet.cli.ending import one_line
from spitnet.core.cards import card_of
from spitnet.core.moves import Concede, Deal, Leave, Play, Ready, Refill, Spit
from spitnet.core.state import RefillMode, Settings, SpitMode
from spitnet.exits import UsageFailure
from spitnet.journal import file_format, replay
from spitnet.journal.file_format import (
    CHECK_BYTES,
    LENGTH_BYTES,
    NO_CHECK,
    CutShort,
    Damaged,
    NewerFormat,
    chained,
    entries,
)
from spitnet.journal.store import Read
from spitnet.journal.verify import RecordStatus, verify
from spitnet.net import beacon
from spitnet.net.beacon import Announcement, Gone, Lost, Probe, TableState
from spitnet.protocol import VERSION, codec, messages, move_codec, spectator
from spitnet.protocol.binding import Opening
from spitnet.protocol.messages import (
    FRAME_BYTES_MAX,
    Accept,
    Bye,
    Commit,
    Farewell,
    Hello,
    Message,
    OtherVersion,
    Ping,
    Pong,
    Refuse,
    Rejection,
    Rematch,
    Resume,
    Reveal,
    Start,
    Terms,
    Welcome,
)
from spitnet.protocol.move_codec import MalformedMove, decode_move, encode_move


class Campaign(NamedTuple):
    """How many broken inputs; the first `guided` of them choose what the others are made of."""

    many: int
    guided: int
    seed: int


QUICK, FULL = 1, 250
"""How many times its share each decoder is given."""


def campaigns(share: int, most_guided: int) -> pytest.MarkDecorator:
    """The quick run's inputs, always the same; and the long run's."""
    quick = Campaign(share * QUICK, min(share // 2, most_guided), seed=1)
    full = Campaign(share * FULL, most_guided, seed=2)
    return pytest.mark.parametrize(
        "campaign",
        [pytest.param(quick, id="quick"), pytest.param(full, id="full", marks=pytest.mark.full)],
    )


def attack(
    campaign: Campaign,
    corpus: Sequence[bytes],
    check: Check,
    *modules: object,
    is_packed: bool = True,
) -> None:
    from types import ModuleType

    count = attacked(
        corpus,
        check,
        seed=campaign.seed,
        many=campaign.many,
        modules=[module for module in modules if isinstance(module, ModuleType)],
        guided=campaign.guided,
        packed=is_packed,
    )
    assert count >= campaign.many
    print(f"{check.__name__}: {count} inputs")


# Beacons.

HASH, OTHER = bytes(range(32)), bytes(range(32, 64))
BEACONS = (
    Probe(VERSION),
    Announcement(VERSION, bytes(16), 40000, HASH, "Zoë ♠", TableState.OPEN, 1),
    Announcement(VERSION, bytes(16), 1, HASH, "Bo", TableState.PLAYING, 0, settings=Settings(3)),
    Announcement(VERSION, bytes(16), 1, HASH, "", TableState.OPEN, 0, 7, Settings(grace_s=300)),
    Lost(VERSION, bytes(16), 1, HASH, OTHER),
    Gone(65535, bytes(16)),
)


def check_beacon(data: bytes) -> None:
    """To both readers None, or a beacon, which says the same again when it is written."""
    found = reading.a_beacon(data)
    if found is not None:
        assert beacon.decode(beacon.encode(found)) == found


def check_beacon_body(data: bytes) -> None:
    check_beacon(beacon.MAGIC + data)


@campaigns(2000, 40_000)
def test_beacons(campaign: Campaign) -> None:
    whole = [beacon.encode(one) for one in BEACONS]
    attack(campaign, whole, check_beacon, codec, beacon)
    bodies = [data.removeprefix(beacon.MAGIC) for data in whole]
    attack(campaign, bodies, check_beacon_body, codec, beacon)


# The wire.

OPENING = Opening(b"\x04\x07\x01\x09", OTHER)
MESSAGES: tuple[Message, ...] = (
    Hello(VERSION, HASH, "Ana", b""),
    Hello(VERSION, HASH, "Ana", bytes(33)),
    Welcome(VERSION, HASH, "Bram", Terms(3, RefillMode.AUTO, SpitMode.SAID, 60), bytes(33)),
    Accept(HASH, b""),
    Accept(HASH, OTHER),
    Start(HASH, OTHER),
    Refuse(VERSION, Rejection.BUSY),
    Commit(HASH, 9, 0, HASH, OTHER, HASH),
    Reveal(HASH, 9, 1, HASH, OTHER, OPENING),
    Resume(HASH, 1, bytes(16), None, 0, HASH, OTHER, None, None, None, None),
    Resume(HASH, 0, bytes(16), bytes(16), 9, HASH, OTHER, OPENING, HASH, OPENING, OTHER),
    Ping(HASH, 7, 9, True),
    Pong(HASH, 7, 9, False),
    Bye(HASH, 9, Farewell.VIOLATION, "wrong_opening"),
    Rematch(HASH, OTHER),
)
FRAMES = [messages.encode(message) for message in MESSAGES]


def is_typed(message: Message | OtherVersion) -> bool:
    """Whether every field is of the type that it is declared with, a truth value no number."""
    hints = get_type_hints(type(message))
    return all(
        type(field) in (get_args(hints[name]) or (hints[name],))
        for name, field in structs.asdict(message).items()
    )


def check_frame(data: bytes) -> None:
    """To both readers malformed, or a message, which is the same when it was sent again; never one that is too long."""
    found = reading.message(data)
    if found is None:
        return
    assert len(data) <= FRAME_BYTES_MAX
    assert is_typed(found)
    if not isinstance(found, OtherVersion):
        assert messages.decode(messages.encode(found)) == found


@campaigns(4000, 60_000)
def test_frames(campaign: Campaign) -> None:
    attack(campaign, FRAMES, check_frame, codec, messages)


WATCHING = (
    spectator.Watch(VERSION, None, 0),
    spectator.Watch(VERSION, HASH, 70_000),
    spectator.Piece(HASH, 1, 99, OTHER),
    spectator.busy(),
)


def check_watching(data: bytes) -> None:
    """As `check_frame`, of what goes to a spectator and comes from one."""
    found = reading.watch_frame(data)
    assert found is None or len(data) <= FRAME_BYTES_MAX
    if found is not None and getattr(found, "version", VERSION) == VERSION:
        assert reading.watch_frame(spectator.encode(found)) == found


@campaigns(1000, 10_000)
def test_watching(campaign: Campaign) -> None:
    frames = [spectator.encode(one) for one in WATCHING]
    attack(campaign, frames, check_watching, codec, spectator)


def check_move(data: bytes) -> None:
    """One move has one encoding."""
    try:
        found = decode_move(data)
    except MalformedMove:
        return
    assert encode_move(found) == data


@campaigns(1000, 10_000)
def test_moves(campaign: Campaign) -> None:
    card = card_of("QH", 1)
    known = (None, Deal(), Ready(), Spit(), Play(card, 1, 104), Refill(3), Concede(), Leave())
    whole = [encode_move(move) for move in known]
    attack(campaign, whole, check_move, move_codec, is_packed=False)


# Journals.


@cache
def short_record() -> bytes:
    return recorded(concede=0.05)[0]


@cache
def long_record() -> bytes:
    return recorded(games=2, manual=True)[1]


def boundaries(data: bytes) -> list[int]:
    return [end for _, _, end in entries(data)]


def common(one: bytes, other: bytes) -> int:
    """How many bytes two strings have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def journal_check(whole: bytes) -> Check:
    """What was read must be the entries that weren't touched, and all of them; and the rest must be noticed."""
    entries_of_whole, ends = Read(whole).entries, boundaries(whole)

    def check_journal(data: bytes) -> None:
        found = Read(data)
        untouched = common(whole, data)
        left = sum(end <= untouched for end in ends)
        assert found.entries == entries_of_whole[:left]
        assert found.length == ([0, *ends])[left]
        assert (found.trouble is None) == (found.length == len(data))
        if found.trouble is not None:
            assert isinstance(found.trouble, Damaged | CutShort)
            assert found.trouble.offset == found.length

    return check_journal


@campaigns(500, 4_000)
def test_damaged_journals(campaign: Campaign) -> None:
    whole = short_record()
    check = journal_check(whole)
    check(b"")
    attack(campaign, [whole], check, file_format, is_packed=False)


@pytest.mark.full
def test_a_long_journal_cut_or_flipped_anywhere() -> None:
    """Every byte of a whole match: cut there, and changed there."""
    whole = long_record()
    check = journal_check(whole)
    step = max(1, len(whole) // 1000)
    for at in range(0, len(whole), step):
        check(whole[:at])
        check(whole[:at] + bytes((whole[at] ^ 0x10,)) + whole[at + 1 :])
        check(whole[:at] + bytes(len(whole) - at))
    print(f"a long journal: {3 * len(range(0, len(whole), step))} inputs")


def payloads(data: bytes) -> list[bytes]:
    head = LENGTH_BYTES + CHECK_BYTES
    return [data[start + head : end] for start, end in pairwise((0, *boundaries(data)))]


def sealed(parts: Sequence[bytes]) -> bytes:
    """A journal of these payloads, with every check as it should be: anyone can make one."""
    journal, check = b"", NO_CHECK
    for part in parts:
        check = chained(check, part)
        journal += len(part).to_bytes(LENGTH_BYTES, "big") + check + part
    return journal


def check_forged(data: bytes) -> None:
    """Whoever made it, reading it ends in one of the ways there are, and so does judging it."""
    found = Read(data)
    assert isinstance(found.trouble, Damaged | CutShort | NewerFormat | None)
    assert verify(found).standing in RecordStatus


@campaigns(120, 2_000)
def test_forged_journals(campaign: Campaign) -> None:
    """Each check is right, so what lies behind it may be anything."""
    whole = payloads(short_record())
    places = {payload: index for index, payload in enumerate(whole)}
    random = Random(campaign.seed)

    def check_forged_entry(payload: bytes) -> None:
        at = places.get(payload, random.randrange(len(whole)))
        reading.entry(payload, first=at == 0)
        check_forged(sealed([*whole[:at], payload, *whole[at + 1 :]]))

    attack(campaign, whole, check_forged_entry, codec, file_format, replay)


# The config file.

CONFIGS = (
    'name = "Ada"\ngames = 3\nrefill = "manual"\nspit = "auto"\ngrace = 60\n',
    '# mine\nlevel = "expert"\ndelay = 0.25\nseed = 7\nheadless = true\nport = 47000\ndiscovery-port = 47001\n',
    'keys = "asdfjkl;"\nmouse = true\nascii = false\nplain = no\nlang = "en"\nverbosity = "quiet"\n',
    'journal = "~/records"\nsync = "process"\ncode = "wörd"\ntable = """Zoë ♠"""\ntimeout = 1e1\n',
    '[games]\nx = 1\n[[name]]\nname.x = [1, {a = 2020-02-30}]\n"\\u00e9" = 07:32:00\n',
)


def config_check(file: Path) -> Check:
    """Each thing that is wrong is said in one line that names the file; what isn't is a value."""

    def check_config(data: bytes) -> None:
        file.write_bytes(data)
        contents = config.judged(config.read(file))
        for problem in contents.problems:
            assert problem.startswith(str(file))
            assert len(one_line(problem).splitlines()) == 1
        made = [settings.SETTINGS[key] for key in contents.entries]
        complaint = str(file)
        try:
            layers.resolved(made, layers.Layers({}, {}, contents.entries))
        except UsageFailure as failure:
            complaint = failure.message
        assert complaint.startswith(str(file))

    return check_config


@campaigns(300, 6_000)
def test_config_files(campaign: Campaign, tmp_path: Path) -> None:
    check = config_check(tmp_path / "config.toml")
    whole = [text.encode() for text in CONFIGS]
    attack(campaign, whole, check, config, tomllib._parser, is_packed=False)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("games = " + "[" * 100_000, id="deep"),
        pytest.param("games = " + "9" * 5000, id="many digits"),
        pytest.param("games = 0x" + "f" * 5000, id="many hex digits"),
        pytest.param("delay = 1e999", id="infinite"),
        pytest.param("delay = nan", id="nan"),
        pytest.param("a." * 2000 + "b = 1", id="dotted"),
        pytest.param('journal = "\\u0000"', id="nul"),
        pytest.param(f'journal = "/{"x" * 300}"', id="long name"),
        pytest.param('name = "\\ud800"', id="surrogate"),
        pytest.param('"\\u001b[2J" = 1', id="escape"),
    ],
)
def test_odd_config_files(tmp_path: Path, text: str) -> None:
    config_check(tmp_path / "config.toml")(text.encode())


def test_the_mutator_makes_what_it_says() -> None:
    """Most broken inputs differ from the whole one, many are msgpack still, and the seed decides."""
    whole = FRAMES[10]
    made = [Mutator(Random(3)).broken(whole, FRAMES[0]) for _ in range(2)]
    assert made[0] == made[1]
    mutator = Mutator(Random(4))
    many = [mutator.broken(whole, FRAMES[0]) for _ in range(500)]
    assert sum(data != whole for data in many) > 480
    assert len(set(many)) > 400
    assert packed(["\ud800", 2**64]) == b"\xc0"
