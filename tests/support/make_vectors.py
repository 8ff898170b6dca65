"""The vectors of WIRE.md, made by the game's own code from fixed nonces: the same bytes on every run.

    python tests/support/make_vectors.py          writes tests/protocol/vectors.json anew

A change of what it writes is a change of the wire: other programs, records and peers no longer agree.
"""

import json
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack
from msgspec import structs

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support.games import legal_moves  # noqa: E402

from spitnet.core.beat import apply_beat  # noqa: E402
from spitnet.core.cards import Card  # noqa: E402
from spitnet.core.draw import Randomness  # noqa: E402
from spitnet.core.events import (  # noqa: E402
    Beaten,
    BothStuck,
    Dealt,
    Event,
    GameOver,
    Landed,
    MatchOver,
    Refilled,
    Spat,
)
from spitnet.core.moves import Concede, Deal, Leave, Move, Moves, Play, Ready, Refill, Spit  # noqa: E402
from spitnet.core.state import Match, RefillMode, Settings, SpitMode, new_match  # noqa: E402
from spitnet.journal import file_format as journal  # noqa: E402
from spitnet.net import beacon  # noqa: E402
from spitnet.net.names import clean_name  # noqa: E402
from spitnet.protocol import binding, messages, pake, spectator  # noqa: E402
from spitnet.protocol import entries as records  # noqa: E402
from spitnet.protocol.binding import Opening  # noqa: E402
from spitnet.protocol.fields import BEAT_MAX  # noqa: E402
from spitnet.protocol.handshake import Doorman, Origin, Seated, Visitor, fingerprint  # noqa: E402
from spitnet.protocol.lockstep import Send  # noqa: E402
from spitnet.protocol.move_codec import MalformedMove, decode_move, encode_move  # noqa: E402
from spitnet.protocol.session import Session  # noqa: E402
from spitnet.protocol.time_bank import TimeBank, Waits  # noqa: E402

VECTORS = ROOT / "tests" / "protocol" / "vectors.json"
MOVES: tuple[Move | None, ...] = (
    None,
    Deal(),
    Ready(),
    Spit(),
    *(Play(Card(card), pile, size) for card, pile, size in ((0, 0, 1), (103, 1, 104))),
    *(Refill(slot) for slot in range(4)),
    Concede(),
    Leave(),
)
NO_MOVES: tuple[str, ...] = (
    "",
    "08",
    "04",
    "0400",
    "040000",
    "04680001",
    "04000201",
    "04000069",
    "05",
    "0504",
)
NO_MOVES += ("0000", "0100", "0500ff", "0400000100")
FOREIGN = {
    "no msgpack behind": (1, 2, b"\x93\x01\x02\xc1"),
    "cut short": (2, 65535, b"\xdc\xff\xff\x02\xcd\xff\xff"),
    "something behind": (1, 0, b"\x92\x01\x00more"),
    "an ext behind": (2, 2, b"\x93\x02\x02\xc7\x00\x05"),
    "a map with an array for a key behind": (1, 3, b"\x93\x01\x03\x81\x90\x90"),
    "in four bytes": (1, 2, b"\x92\x01\xce\x00\x00\x00\x02"),
    "with a sign": (2, 300, b"\xdd\x00\x00\x00\x02\xcc\x02\xd1\x01\x2c"),
}
NAMES: tuple[str, ...] = (
    "Ana",
    "  a \t\n b  ",
    "\x1b[31mred\u202e\x00",
    "Ж" * 40,
    "🂡" * 32,
    "\u200b",
    "x" * 33,
)
NAMES += ("a\x85\xa0\u2028b\u180ec\ufeffd\x1f", "e\u0301" * 17)
KINDS = {
    Deal: "deal",
    Ready: "ready",
    Spit: "spit",
    Play: "play",
    Refill: "refill",
    Concede: "concede",
    Leave: "leave",
}


def fixed(name: str, size: int = 32) -> bytes:
    """Bytes that are a function of a name."""
    blocks = (sha256(f"{name} {number}".encode()).digest() for number in range(size // 32 + 1))
    return b"".join(blocks)[:size]


def entropy(name: str) -> Callable[[int], bytes]:
    """A source of such bytes, other ones at each call."""
    calls = iter(range(1_000_000))
    return lambda size: fixed(f"{name} call {next(calls)}", size)


def plain(value: Any) -> Any:
    """As it stands in the vectors: bytes in hexadecimal, tuples and settings as lists."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Settings | messages.Terms):
        fields = [value.games, value.refill.value, value.spit.value, value.grace_s]
        return [*fields, True] if value.watchable else fields
    if isinstance(value, Opening):
        return [value.move.hex(), value.nonce.hex()]
    if isinstance(value, (tuple, list)):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return getattr(value, "value", value)


def vectors() -> dict[str, Any]:
    """All sections, in the order of the file."""
    matches = {name: match_of(name, settings, chooser) for name, settings, chooser in MATCHES}
    made = {
        "version": 1,
        "moves": [{"move": fields_of(move), "bytes": encode_move(move)} for move in MOVES],
        "no_moves": list(no_moves()),
        "names": [{"text": text, "cleaned": clean_name(text)} for text in NAMES],
        "session": session(),
        "rematch": rematch(),
        "code": code(),
        "commitments": [commitment(move, number) for number, move in enumerate(MOVES[1:])],
        "chains": [chain(number) for number in range(4)],
        "randomness": [randomness(fixed(f"R {number}")) for number in range(8)],
        "states": states(matches),
        "frames": frames(),
        "bad_frames": bad_frames(),
        "beacons": beacons(),
        "bad_beacons": bad_beacons(),
        "exchange": exchange(),
        "time_bank": [time_bank(*one) for one in BANKS],
        "journal": journal_entries(),
        "watching": watching_frames(),
        "bad_watching": bad_watching(),
        "matches": matches,
    }
    return {name: plain(section) for name, section in made.items()}


def fields_of(move: Move | None) -> list[Any]:
    match move:
        case None:
            return ["pass"]
        case Play(card, pile, size):
            return ["play", card, pile, size]
        case Refill(slot):
            return ["refill", slot]
        case _:
            return [KINDS[type(move)]]


def no_moves() -> Iterator[bytes]:
    for text in NO_MOVES:
        try:
            decode_move(bytes.fromhex(text))
        except MalformedMove:
            yield bytes.fromhex(text)
        else:
            raise AssertionError(f"{text} is a move")


# Hashes.


def terms(**chosen: Any) -> messages.Terms:
    return messages.Terms(*structs.astuple(Settings(**chosen)))


def greetings() -> tuple[messages.Hello, messages.Welcome]:
    chosen = messages.Terms(3, RefillMode.MANUAL, SpitMode.AUTO, 90)
    hello = messages.Hello(1, fixed("hello"), "Żółw", b"")
    return hello, messages.Welcome(1, fixed("welcome"), "Ана", chosen, b"")


def session() -> dict[str, Any]:
    hello, welcome = (messages.encode(each) for each in greetings())
    keys = (fixed("host key"), fixed("join key"))
    made = binding.session_id(*keys, hello, welcome)
    shown = fingerprint(made).replace(" ", "")
    return {"keys": keys, "hello": hello, "welcome": welcome, "session": made, "fingerprint": shown}


def rematch() -> dict[str, Any]:
    before, nonces = fixed("session"), (fixed("rematch 0"), fixed("rematch 1"))
    return {"before": before, "nonces": nonces, "session": binding.rematch_id(before, nonces)}


def code() -> dict[str, Any]:
    keys, text = (fixed("host key"), fixed("join key")), "  Grüße 42 "
    random = (fixed("x", 64), fixed("y", 64))
    host = pake.start(0, text, keys, lambda size: random[0][:size])
    joiner = pake.start(1, text.upper(), keys, lambda size: random[1][:size])
    sent = (host.start(), joiner.start())
    secret = host.finish(sent[1])
    assert secret == joiner.finish(sent[0])
    seated, proofs = seat(text)
    return {
        "code": text,
        "keys": keys,
        "random": random,
        "messages": sent,
        "secret": secret,
        "session": seated.session,
        "proofs": proofs,
    }


def seat(text: str) -> tuple[Seated, tuple[bytes, bytes]]:
    """A whole handshake with a code, and the proofs that travelled, by seat."""
    keys = (fixed("host key"), fixed("join key"))
    random = {64: fixed("x", 64), 32: fixed("welcome")}
    doorman = Doorman(keys[0], "Ana", Settings(), text, lambda size: random[size])
    random_1 = {64: fixed("y", 64), 32: fixed("hello")}
    visitor = Visitor(*keys, "Bo", text, lambda size: random_1[size])
    welcome = doorman.receive(keys[1], visitor.frame, 0.0)
    assert isinstance(welcome, messages.Welcome)
    visitor.receive(messages.encode(welcome))
    accept = messages.decode(visitor.frame)
    start = doorman.receive(keys[1], visitor.frame, 0.0)
    assert isinstance(accept, messages.Accept)
    assert isinstance(start, messages.Start)
    assert doorman.seated is not None
    return doorman.seated, (start.confirmation, accept.confirmation)


def commitment(move: Move | None, number: int) -> dict[str, Any]:
    opening = Opening(encode_move(move), fixed(f"nonce {number}"))
    beat, seat = 2 ** (4 * number), number % 2
    past = (fixed("chain"), fixed("digest"))
    made = binding.commitment(fixed("session"), beat, seat, *past, opening)
    return {
        "session": fixed("session"),
        "beat": beat,
        "seat": seat,
        "chain": past[0],
        "digest": past[1],
        "opening": opening,
        "commitment": made,
    }


def chain(number: int) -> dict[str, Any]:
    before, beat = fixed(f"chain {number}"), 1 + 300**number
    moves = (MOVES[number + 1], MOVES[(number * 5) % len(MOVES)])
    first, second = (
        Opening(encode_move(move), fixed(f"chain {number} nonce {seat}"))
        for seat, move in enumerate(moves)
    )
    made = binding.next_chain(before, beat, (first, second))
    return {"chain": before, "beat": beat, "openings": (first, second), "next": made}


def randomness(value: bytes) -> dict[str, Any]:
    chance = Randomness(value)
    belows = (52, 51, 50, 49, *range(48, 0, -3), 1, 2, 129, 200, 255, 256, *[33] * 40)
    draws = []
    for seat in (0, 1):
        stream = chance.draws(seat)
        draws.append([[below, stream.index(below)] for below in belows])
    return {"R": value, "first": chance.first, "pause_ms": chance.pause_ms, "draws": draws}


# Matches.

Chooser = Callable[[Match, int], Moves]


def told(event: Event) -> list[Any]:
    match event:
        case Dealt(_, layouts):
            return ["dealt", layouts]
        case Spat(_, by, cards):
            return ["spat", by, cards]
        case Landed(_, seat, slot, card, pile):
            return ["landed", seat, slot, card, pile]
        case Beaten(_, seat, slot, card, pile, by_card):
            return ["beaten", seat, slot, card, pile, by_card]
        case Refilled(_, seat, slot, card, stock):
            return ["refilled", seat, slot, card, stock]
        case BothStuck():
            return ["stuck"]
        case GameOver(_, outcome, cards_left):
            return ["game_over", outcome.reason, outcome.winner, cards_left]
        case MatchOver(_, _, winner):
            return ["match_over", winner]


def eager(name: str) -> Chooser:
    """Two players who do something legal most of the time, and give nothing up.

    What they do is a function of the name, chosen so that the match ends as the vectors should show.
    """

    def choose(match: Match, beat: int) -> Moves:
        byte = fixed(f"{name} wish {beat}")
        wishes = [
            tame[byte[2 + s] % len(tame)] if (tame := tame_moves(match, s)) else None
            for s in (0, 1)
        ]
        hesitant = 0 if byte[0] < 40 else 1 if byte[0] < 80 else None
        if hesitant is not None and wishes[1 - hesitant] is not None:
            wishes[hesitant] = None
        return wishes[0], wishes[1]

    return choose


def tame_moves(match: Match, seat: int) -> list[Move]:
    return [m for m in legal_moves(match, seat) if not isinstance(m, Concede | Leave)]


def scripted(*lines: Moves) -> Chooser:
    return lambda _, beat: lines[beat - 1]


MATCHES: tuple[tuple[str, Settings, Chooser], ...] = (
    ("auto 86", Settings(), eager("auto 86")),  # out
    ("auto 325", Settings(), eager("auto 325")),  # level
    ("manual 290", Settings(refill=RefillMode.MANUAL), eager("manual 290")),  # fewest
    ("manual 262", Settings(refill=RefillMode.MANUAL), eager("manual 262")),  # dead heat
    (
        "given_up",
        Settings(games=3),
        scripted(
            (Deal(), Deal()),
            (Concede(), Concede()),
            (None, Deal()),
            (Ready(), Concede()),
            (Deal(), Leave()),
        ),
    ),
    (
        "left_between_games",
        Settings(games=5, spit=SpitMode.AUTO),
        scripted((Deal(), None), (None, Concede()), (Leave(), None)),
    ),
    ("both_left", Settings(games=2), scripted((Leave(), Leave()))),
)


def match_of(name: str, settings: Settings, chooser: Chooser) -> dict[str, Any]:
    """A whole match, each beat by the functions that a session uses."""
    match = new_match(settings)
    beats: list[dict[str, Any]] = []
    chain = session = fixed(f"session {name}")
    first_digest = binding.state_digest(match)
    while not match.over:
        beat = len(beats) + 1
        moves = chooser(match, beat)
        first, second = (
            Opening(encode_move(move), fixed(f"{name} {beat} {seat}"))
            for seat, move in enumerate(moves)
        )
        chain = binding.next_chain(chain, beat, (first, second))
        match, events = apply_beat(match, moves, Randomness(chain))
        line = {
            "openings": (first, second),
            "R": chain,
            "events": [told(event) for event in events],
            "digest": binding.state_digest(match),
            "_state": binding.encode_state(match),
        }
        beats.append(line)
    return {
        "settings": settings,
        "session": session,
        "digest": first_digest,
        "beats": beats,
    }


def states(matches: dict[str, Any]) -> list[dict[str, Any]]:
    """The encoding of some states of the matches, which lose theirs here."""
    fresh = binding.encode_state(new_match(Settings()))
    found = [("new match", next(iter(matches)), 0, fresh)]
    for name, one in matches.items():
        encodings = [line.pop("_state") for line in one["beats"]]
        kinds = [[event[0] for event in line["events"]] for line in one["beats"]]
        moments = {"after the end": len(encodings)}
        if len(kinds) > 20:
            moments["after the deal"] = 1
            moments["after the first spit"] = 1 + next(
                n for n, k in enumerate(kinds) if "spat" in k
            )
            moments["in the middle"] = len(encodings) // 2
        found += [(when, name, beat, encodings[beat - 1]) for when, beat in moments.items()]
    return [
        {
            "when": when,
            "match": name,
            "beat": beat,
            "encoding": encoding,
            "digest": sha256(b"spitnet/1 state" + encoding).digest(),
        }
        for when, name, beat, encoding in found
    ]


# Frames.


def one_of_each() -> Iterator[messages.Message]:
    name, chain, digest = fixed("session"), fixed("chain"), fixed("digest")
    opening = Opening(encode_move(MOVES[4]), fixed("nonce"))
    with_code = b"A" + fixed("element")
    yield from greetings()
    yield structs.replace(greetings()[0], code_message=with_code)
    yield structs.replace(
        greetings()[1], code_message=with_code, terms=terms(games=1000, grace_s=3600)
    )
    yield structs.replace(greetings()[1], terms=terms(watchable=True))
    yield messages.Accept(name, b"")
    yield messages.Start(name, fixed("proof"))
    yield from (messages.Refuse(1, reason) for reason in messages.Rejection)
    yield messages.Commit(name, 1, 0, chain, digest, fixed("commit"))
    yield messages.Commit(name, BEAT_MAX, 1, chain, digest, fixed("commit"))
    yield messages.Reveal(name, 70_000, 1, chain, digest, opening)
    yield messages.Reveal(name, 200, 0, chain, digest, Opening(b"\0", fixed("nonce")))
    ids = (fixed("asks", 16), fixed("answers", 16))
    yield messages.Resume(name, 0, ids[0], None, 0, chain, digest, None, None, None, None)
    full = (opening, fixed("commit"), Opening(b"\2", fixed("next")), fixed("held"))
    yield messages.Resume(name, 1, ids[0], ids[1], 128, chain, digest, *full)
    yield messages.Ping(name, 2**32 - 1, 5, True)
    yield messages.Pong(name, 0, 5, False)
    yield from (messages.Bye(name, 9, why, "") for why in messages.Farewell)
    yield messages.Bye(name, 9, messages.Farewell.VIOLATION, "desync")
    yield messages.Rematch(name, fixed("rematch 0"))


def frames() -> list[dict[str, Any]]:
    found = []
    for message in one_of_each():
        frame = messages.encode(message)
        assert messages.decode(frame) == message
        name = type(message).__name__.upper()
        kind = messages.FrameKind[name]
        found.append({"name": name, "fields": [kind, *structs.astuple(message)], "frame": frame})
    for greeting in (1, 2):
        frame = msgpack.packb([greeting, 2, {"what": "ever"}])
        assert messages.decode(frame) == messages.OtherVersion(2)
        found.append({"name": "other version", "fields": [greeting, 2], "frame": frame})
    for behind, (greeting, version, frame) in FOREIGN.items():
        assert messages.decode(frame) == messages.OtherVersion(version), behind
        fields = [greeting, version]
        found.append({"name": f"other version, {behind}", "fields": fields, "frame": frame})
    frame = b"\x95\xcd\x00\x0d\xc5\x00\x20" + fixed("session") + b"\xcf" + bytes(8) + b"\x00\xc2"
    assert messages.decode(frame) == messages.Ping(fixed("session"), 0, 0, False)
    found.append(
        {"name": "long forms", "fields": [13, fixed("session"), 0, 0, False], "frame": frame}
    )
    nonce = fixed("joiner's nonce")
    frame = b"\xdd\0\0\0\5\xd3" + bytes(7) + b"\1\xd2\0\0\0\1\xc6\0\0\0\x20" + nonce
    frame += b"\xdb\0\0\0\4\0Bo " + b"\xc5\0\0"
    assert messages.decode(frame) == messages.Hello(1, nonce, "\0Bo ", b"")
    found.append({"name": "longest forms", "fields": [1, 1, nonce, "\0Bo ", b""], "frame": frame})
    return found


def bad_frames() -> list[dict[str, Any]]:
    name, h = fixed("session"), fixed("chain")
    hello: list[Any] = [1, 1, h, "Ana", b""]
    welcome: list[Any] = [2, 1, h, "Ana", [1, "auto", "said", 60], b""]
    reveal: list[Any] = [11, name, 1, 0, h, h, [b"\0", h]]
    odd: dict[str, Any] = {
        "no array": 13,
        "a map": {13: name},
        "empty array": [],
        "no settings": [*welcome[:4], [], b""],
        "three settings": [*welcome[:4], [1, "auto", "said"], b""],
        "unknown kind": [9, name],
        "kind is a bool": [True, 1, h, "Ana", b""],
        "kind is text": ["13", name, 1, 1, False],
        "field missing": [13, name, 1, 1],
        "field too many": [13, name, 1, 1, False, None],
        "a float": [13, name, 1, 1.0, False],
        "a bool for a number": [13, name, True, 1, False],
        "a number for a bool": [13, name, 1, 1, 0],
        "nil": [13, None, 1, 1, False],
        "text for bytes": [16, "a" * 32, h],
        "base64 text for bytes": [16, b64encode(name).decode(), h],
        "bytes for text": [1, 1, h, b"Ana", b""],
        "bytes for a word": [5, 1, b"busy"],
        "a bool for bytes": [13, True, 1, 1, False],
        "kind is a float": [13.0, name, 1, 1, False],
        "kind is an array": [[13], name, 1, 1, False],
        "ext for bytes": [16, msgpack.ExtType(5, name), h],
        "empty ext": [13, msgpack.ExtType(5, b""), 1, 1, False],
        "ext for an array": [1, 1, h, "Ana", msgpack.ExtType(1, b"")],
        "a time for a number": [13, name, msgpack.Timestamp(1), 1, False],
        "a map for settings": [*welcome[:4], {}, b""],
        "a map with a nil for key": [*welcome[:4], {None: 1}, b""],
        "the largest int": [13, name, 2**64 - 1, 1, False],
        "short hash": [16, name[:31], h],
        "negative": [13, name, -1, 1, False],
        "token too large": [13, name, 2**32, 1, False],
        "beat too large": [13, name, 1, BEAT_MAX + 1, False],
        "seat 2": [11, name, 1, 2, h, h, [b"\0", h]],
        "empty move": [*reveal[:6], [b"", h]],
        "long move": [*reveal[:6], [bytes(5), h]],
        "opening without nonce": [*reveal[:6], [b"\0"]],
        "empty name": [*hello[:3], "", b""],
        "long name": [*hello[:3], "é" * 49, b""],
        "code message of 32 bytes": [*hello[:4], h],
        "version too large": [1, 65536],
        "no game": [*welcome[:4], [0, "auto", "said", 60], b""],
        "too many games": [*welcome[:4], [1001, "auto", "said", 60], b""],
        "unknown refill": [*welcome[:4], [1, "never", "said", 60], b""],
        "unknown spit": [*welcome[:4], [1, "auto", "manual", 60], b""],
        "short grace": [*welcome[:4], [1, "auto", "said", 4], b""],
        "long grace": [*welcome[:4], [1, "auto", "said", 3601], b""],
        "unknown refusal": [5, 1, "never"],
        "unknown farewell": [15, name, 1, "adieu", ""],
        "long word": [15, name, 1, "violation", "x" * 41],
        "short resume id": [12, name, 0, h[:15], None, 0, h, h, None, None, None, None],
    }
    good = msgpack.packb(hello)
    made = {why: msgpack.packb(value) for why, value in odd.items()}
    made |= {"nothing": b"", "something behind": good + b"\0", "cut short": good[:-1]}
    made |= {
        "version 1, no msgpack behind": b"\x93\x01\x01\xc1",
        "cut in its head": b"\x93\x01\xcd",
    }
    made |= {
        "half a surrogate": good.replace(b"Ana", b"\xed\xa0\x80"),
        "arrays within arrays": b"\x91" * 4063,
        "endless array": b"\xdd\xff\xff\xff\xff\x0d",
        "endless array in a field": b"\x93\x10\xdd\xff\xff\xff\xff",
        "endless bytes": b"\x93\x10\xc6\xff\xff\xff\xff" + name,
        "endless text": b"\x95\x01\x01\xc4\x20" + h + b"\xdb\xff\xff\xff\xffAna",
        "endless map": b"\x95\x0d\xdf\xff\xff\xff\xff",
        "endless ext": b"\x95\x0d\xc9\xff\xff\xff\xff\x05",
        "no byte of msgpack's": b"\x95\x0d\xc1",
        "an ext alone": b"\xd4\x0d\x00",
        "a time alone": b"\xd6\xff\x00\x00\x00\x00",
    }
    made |= {
        "no greeting, cut short": b"\x93\x03\x02\xc1",
        "other version of one field": b"\x91\x01\x02",
        "other version, too large": b"\x92\x01\xce\x00\x01\x00\x00",
    }
    made |= {"no UTF-8": good.replace(b"Ana", b"\xff\xff\xff"), "too long": bytes(4097)}
    for why, frame in made.items():
        assert is_malformed(frame), why
    return [{"why": why, "frame": frame} for why, frame in made.items() if why != "too long"]


def is_malformed(frame: bytes) -> bool:
    try:
        messages.decode(frame)
    except messages.Malformed:
        return True
    return False


# Looking on.


def watching_frames() -> list[dict[str, Any]]:
    name = fixed("session")
    made: tuple[tuple[str, spectator.SpectatorFrame], ...] = (
        ("WATCH", spectator.Watch(1, None, 0)),
        ("WATCH", spectator.Watch(1, name, spectator.OFFSET_MAX)),
        ("PIECE", spectator.Piece(name, 0, 70_000, fixed("piece", 300))),
        ("PIECE", spectator.Piece(name, 7, 8, b"x")),
        ("REFUSE", spectator.busy()),
        ("REFUSE", spectator.other_version()),
    )
    found = []
    for kind, one in made:
        frame = spectator.encode(one)
        assert spectator.decode(frame) == one
        fields = [spectator.SpectatorFrameKind[kind], *structs.astuple(one)]
        found.append({"name": kind, "fields": fields, "frame": frame})
    frame = msgpack.packb([20, 2, {"what": "ever"}])
    assert spectator.decode(frame) == spectator.Watch(2, None, 0)
    found.append({"name": "other version", "fields": [20, 2], "frame": frame})
    return found


def bad_watching() -> list[dict[str, Any]]:
    name = fixed("session")
    odd: dict[str, Any] = {
        "a frame of the match": [13, name, 1, 1, False],
        "field missing": [20, 1, name],
        "field too many": [20, 1, name, 0, 0],
        "short session": [20, 1, name[:31], 0],
        "negative": [20, 1, name, -1],
        "offset too large": [20, 1, name, spectator.OFFSET_MAX + 1],
        "version is a bool": [20, True, name, 0],
        "no session": [21, None, 0, 1, b"x"],
        "no data": [21, name, 0, 1, b""],
        "text for data": [21, name, 0, 1, "x"],
        "more than there is": [21, name, 5, 5, b"x"],
    }
    made = {why: msgpack.packb(value) for why, value in odd.items()}
    made |= {"nothing": b"", "something behind": msgpack.packb([20, 1, None, 0]) + b"\0"}
    for why, frame in made.items():
        assert is_no_watching(frame), why
    return [{"why": why, "frame": frame} for why, frame in made.items()]


def is_no_watching(frame: bytes) -> bool:
    try:
        spectator.decode(frame)
    except messages.Malformed:
        return True
    return False


# Beacons.


def beacons() -> list[dict[str, Any]]:
    instance, key = fixed("instance", 16), fixed("host key")
    table = beacon.Announcement(1, instance, 40123, key, "Ана", beacon.TableState.OPEN, 1)
    watched = replace(table, watch_port=40124)
    settings = Settings(3, RefillMode.MANUAL, SpitMode.AUTO, 90)
    plays = [3, "manual", "auto", 90]
    playing = replace(table, version=2, name="", state=beacon.TableState.PLAYING, flags=65535)
    lost = beacon.Lost(1, instance, 1, key, fixed("session"))
    place = [instance, 40123, key]
    fields: dict[str, tuple[beacon.Beacon, list[Any]]] = {
        "PROBE": (beacon.Probe(1), [1, 0, None]),
        "TABLE": (table, [1, 1, *place, "Ана", 0, 1]),
        "TABLE of another version": (playing, [2, 1, *place, "", 1, 65535]),
        "TABLE that may be watched": (watched, [1, 1, *place, "Ана", 0, 1, 40124]),
        "TABLE that says what it plays": (
            replace(table, settings=settings),
            [1, 1, *place, "Ана", 0, 1, None, plays],
        ),
        "TABLE that says all": (
            replace(watched, settings=settings),
            [1, 1, *place, "Ана", 0, 1, 40124, plays],
        ),
        "LOST": (lost, [1, 2, instance, 1, key, fixed("session")]),
        "GONE": (beacon.Gone(1, instance), [1, 3, instance]),
    }
    found = []
    for name, (one, values) in fields.items():
        datagram = beacon.encode(one)
        assert beacon.decode(datagram) == one
        found.append({"name": name, "fields": values, "datagram": datagram})
    later = beacon.MAGIC + msgpack.packb([7, 3, instance, "more", 1.5])
    assert beacon.decode(later) == beacon.Gone(7, instance)
    found.append({"name": "GONE with more", "fields": [7, 3, instance], "datagram": later})
    more: Any
    for more in ({1: [2], None: True}, [[[]]] * 3, b"\xff", 2**64 - 1, {"a": {b"b": 1.5}}):
        later = beacon.MAGIC + msgpack.packb([7, 3, instance, more])
        assert beacon.decode(later) == beacon.Gone(7, instance)
        name = f"GONE with {more!r}"
        found.append({"name": name, "fields": [7, 3, instance], "datagram": later})
    return [*found, *odd_optional([1, 1, *place, "Ана", 0, 1], table, plays)]


def odd_optional(
    head: list[Any], table: beacon.Announcement, plays: list[Any]
) -> Iterator[dict[str, Any]]:
    """A TABLE whose fields that may be missing are none, or more than asked for."""
    settings = Settings(3, RefillMode.MANUAL, SpitMode.AUTO, 90)
    whole = replace(table, settings=settings)
    for name, behind, read, fields in (
        ("settings with more", [None, [*plays, True, {"more": 1}]], whole, [None, plays]),
        ("no port, then settings", [0, plays], whole, [None, plays]),
        ("a port that is a bool", [True, plays, 1.5], whole, [None, plays]),
        ("two times nil", [None, None], table, []),
        ("settings in the place of watch", [plays], table, []),
        ("three settings", [None, plays[:3]], table, []),
        ("settings that are a map", [None, dict(enumerate(plays))], table, []),
        ("settings that are text", [None, "1, auto, said, 60"], table, []),
        ("no game", [None, [0, *plays[1:]]], table, []),
        ("too many games", [None, [1001, *plays[1:]]], table, []),
        ("games are a bool", [None, [True, *plays[1:]]], table, []),
        ("unknown refill", [None, [3, "\x1b[2J", *plays[2:]]], table, []),
        ("unknown spit", [None, [*plays[:2], "manual", 90]], table, []),
        ("short grace", [None, [*plays[:3], 4]], table, []),
        ("long grace", [None, [*plays[:3], 3601]], table, []),
    ):
        datagram = beacon.MAGIC + msgpack.packb([*head, *behind])
        assert beacon.decode(datagram) == read, name
        yield {"name": f"TABLE, {name}", "fields": [*head, *fields], "datagram": datagram}


def bad_beacons() -> list[dict[str, Any]]:
    good: list[Any] = [1, 1, fixed("instance", 16), 40123, fixed("host key"), "Ana", 0, 0]
    changes: tuple[tuple[str, int, Any], ...] = (
        ("unknown kind", 1, 4),
        ("version too large", 0, 65536),
        ("version is a bool", 0, True),
        ("short instance", 2, bytes(15)),
        ("port 0", 3, 0),
        ("port too large", 3, 65536),
        ("long key", 4, bytes(33)),
        ("name is bytes", 5, b"Ana"),
        ("unknown state", 6, 2),
        ("flags are negative", 7, -1),
    )
    odd: dict[str, bytes] = {
        why: msgpack.packb([*good[:at], value, *good[at + 1 :]]) for why, at, value in changes
    }
    whole = msgpack.packb(good)
    odd |= {"field missing": msgpack.packb(good[:7]), "something behind": whole + b"\0"}
    odd |= {"17 fields": msgpack.packb(good + [0] * 9), "no array": msgpack.packb(1)}
    odd |= {"no padding": msgpack.packb([1, 0]), "nothing": b""}
    odd |= {
        "no UTF-8": whole.replace(b"Ana", b"\xff\xff\xff"),
        "no UTF-8 behind": b"\x94\x01\x03\xc4\x10" + fixed("instance", 16) + b"\xa1\xff",
        "ext for the instance": msgpack.packb([1, 3, msgpack.ExtType(5, fixed("instance", 16))]),
        "arrays within arrays": b"\x91" * 504,
        "endless array": b"\xdd\xff\xff\xff\xff",
        "endless bytes": b"\x93\x01\x03\xc6\xff\xff\xff\xff",
        "a map for a key": b"\x94\x01\x03\xc4\x10" + fixed("instance", 16) + b"\x81\x80\xc0",
        "an ext alone": b"\xd4\x01\x00",
    }
    made = {why: beacon.MAGIC + data for why, data in odd.items()}
    made |= {"another magic": b"spitnet\1" + whole}
    made |= {"too long": beacon.MAGIC + msgpack.packb([1, 0, bytes(500)])}
    assert all(beacon.decode(datagram) is None for datagram in made.values())
    return [{"why": why, "datagram": datagram} for why, datagram in made.items()]


# An exchange between the game's own machines.


class Wire:
    """Two peers, and every frame that passes between them."""

    def __init__(self) -> None:
        self.keys = (fixed("host key"), fixed("join key"))
        self.frames: list[dict[str, Any]] = []
        doorman = Doorman(self.keys[0], "Ana", Settings(), None, entropy("doorman"))
        visitor = Visitor(*self.keys, "Bo", None, entropy("visitor"))
        for _ in range(2):
            self.note(1, visitor.frame)
            answer = doorman.receive(self.keys[1], visitor.frame, 0.0)
            assert answer is not None
            self.note(0, messages.encode(answer))
            visitor.receive(messages.encode(answer))
        assert isinstance(visitor.answer, Seated)
        session, settings = visitor.answer.session, visitor.answer.settings
        self.peers = [Session(s, session, settings, entropy(f"peer {s}"), 0.0) for s in (0, 1)]

    def note(self, seat: int, frame: bytes) -> None:
        kind = messages.decode(frame)
        self.frames.append({"from": seat, "is": type(kind).__name__.upper(), "frame": frame})

    def sent(self, seat: int, *, lost: bool = False) -> list[bytes]:
        effects = self.peers[seat].take_effects()
        made = [messages.encode(one.message) for one in effects if isinstance(one, Send)]
        for frame in made:
            self.note(seat, frame)
        return [] if lost else made

    def settle(self) -> None:
        """Delivers frames until nobody has any more to send."""
        under_way = [(seat, frame) for seat in (0, 1) for frame in self.sent(seat)]
        while under_way:
            seat, frame = under_way.pop(0)
            self.peers[1 - seat].receive(frame, 0.0)
            under_way += [(1 - seat, answer) for answer in self.sent(1 - seat)]


def exchange() -> dict[str, Any]:
    """A handshake, a deal, two readies that cross, and a spit whose COMMIT is lost and resumed."""
    wire = Wire()
    host, joiner = wire.peers
    host.propose(Deal(), 0.0)
    wire.settle()
    host.propose(Ready(), 0.0)
    joiner.propose(Ready(), 0.0)
    wire.settle()
    host.propose(Spit(), 0.0)
    wire.sent(0, lost=True)
    host.link_up(0.0)
    wire.settle()
    assert (host.beat, joiner.beat, host.frozen, joiner.frozen) == (3, 3, False, False)
    last = host.lockstep
    assert last.chain == joiner.lockstep.chain
    return {
        "keys": wire.keys,
        "frames": wire.frames,
        "last": [last.beat, last.chain, last.digest],
    }


def example(frames: list[dict[str, Any]]) -> str:
    """The exchange as it stands in WIRE.md: greetings in full, of the rest the first four bytes of each field."""
    lines = []
    for each in frames:
        _, *fields = msgpack.unpackb(bytes.fromhex(each["frame"]))
        short = " ".join(shortened(field) for field in fields)
        greeting = each["is"] in ("HELLO", "WELCOME", "ACCEPT", "START")
        told = each["frame"] if greeting else short
        lines.append(f"{('host', 'joiner')[each['from']]:6} {each['is']:7} {told}")
    return "\n".join(lines)


def first_beat(one: dict[str, Any]) -> str:
    """All that beat 1 of the exchange is made of, uncut, as it stands in WIRE.md."""
    keys = [plain(key) for key in one["keys"]]
    sent = [(each["is"], msgpack.unpackb(bytes.fromhex(each["frame"]))) for each in one["frames"]]
    commit, later = [fields for kind, fields in sent if kind == "COMMIT"][:2]
    theirs, mine = [fields[6] for kind, fields in sent if kind == "REVEAL"][:2]
    before = new_match(Settings())
    moves = decode_move(mine[0]), decode_move(theirs[0])
    after, _ = apply_beat(before, moves, Randomness(later[4]))
    assert [later[2], later[5]] == [2, binding.state_digest(after)]
    state = binding.encode_state(after).hex()
    lines = {
        "host's key": keys[0],
        "joiner's key": keys[1],
        "session": commit[1].hex(),
        "seat 0's nonce": mine[1].hex(),
        "seat 1's nonce": theirs[1].hex(),
        "state before": binding.encode_state(before).hex(),
        "digest before": commit[5].hex(),
        "seat 0's commitment": commit[6].hex(),
        "chain after, and R": later[4].hex(),
        "state after": "\n".join(
            (" " * 20 if at else "") + state[at : at + 64] for at in range(0, len(state), 64)
        ),
        "digest after": later[5].hex(),
    }
    return "\n".join(f"{name:20}{value}" for name, value in lines.items())


def shortened(field: Any) -> str:
    if isinstance(field, list):
        return "[" + " ".join(shortened(each) for each in field) + "]"
    if isinstance(field, bytes):
        return field[:4].hex()
    return "nil" if field is None else str(field)


# The time bank.

Wait = tuple[str, int]
"""What is waited for, an answer or a turn, and for how many milliseconds."""
BANKS: tuple[tuple[int, int, tuple[Wait, ...]], ...] = (
    (60, 1, (("answer", 51_600), ("turn", 51_600), ("answer", 10_000), ("answer", 3_600_000))),
    (60, 0, (("turn", 20_000), ("turn", 20_001), ("answer", 6_000), ("answer", 60_000))),
    (5, 1, (("answer", 4_300),) * 9),
    (3600, 4, (("turn", 1_200_000), ("answer", 7_000), ("turn", 3_000_000))),
)


def time_bank(grace_s: int, games: int, waits: tuple[Wait, ...]) -> dict[str, Any]:
    """What waits one after the other leave, and how long the next may last; in milliseconds."""
    bank, now_s, left = TimeBank(grace_s, 0.0), 0.0, []
    for kind, lasted_ms in waits:
        since = Waits(**{f"{kind}_s": now_s})
        now_s += lasted_ms / 1000
        bank.count(since, games, now_s)
        left.append(round(bank.left_s(games) * 1000))
    at_s = [bank.claim_at_s(each, games) for each in (Waits(answer_s=now_s), Waits(turn_s=now_s))]
    claims = [round((at - now_s) * 1000) for at in at_s if at is not None]
    return {"grace": grace_s, "games": games, "waits": waits, "left": left, "claims": claims}


# The journal.


def journal_entries() -> list[dict[str, Any]]:
    hello, welcome = (messages.encode(each) for each in greetings())
    origin = Origin(fixed("host key"), fixed("join key"), hello, welcome)
    pair = (fixed("rematch 0"), fixed("rematch 1"))
    mine, theirs = Opening(b"\1", fixed("mine")), Opening(b"\0", fixed("theirs"))
    entries: tuple[journal.Entry, ...] = (
        journal.Opened(3, 1, 0, "2026-01-02T03:04:05Z", origin, (pair,), True),
        records.Proposed(1, mine),
        records.Answered(1, fixed("commit"), mine),
        records.Done(1, (mine, theirs)),
        records.Slow(1, True, 12_345, 678),
        records.Stop(1, None, 345),
        records.Stop(2, 1, 2_003),
        records.Lagging(2, 950_000, 1_234),
        records.Waited(1, 0, 45_600_000),
        records.Ended(1, records.Ending.VIOLATION, 1, "desync"),
    )
    found: list[dict[str, Any]] = []
    check = journal.NO_CHECK
    for entry in entries:
        data, check = journal.encode(entry, check)
        code = type(entry).__struct_config__.tag
        found.append({"fields": [code, *structs.astuple(entry)], "entry": data})
    written = b"".join(each["entry"] for each in found)
    assert [entry for entry, _, _ in journal.entries(written)] == list(entries)
    return found


def written(made: dict[str, Any]) -> str:
    """The file: JSON with one line for each vector."""

    def lines(value: Any, depth: int) -> str:
        inner = value.values() if isinstance(value, dict) else value
        if (
            depth == 0
            or not isinstance(value, (dict, list))
            or all(not isinstance(each, (dict, list)) for each in inner)
        ):
            return json.dumps(value, ensure_ascii=True)
        pad = "\n" + " " * (5 - depth)
        if isinstance(value, dict):
            body = [f"{json.dumps(name)}: {lines(each, depth - 1)}" for name, each in value.items()]
            return "{" + pad + f",{pad}".join(body) + pad[:-1] + "}"
        body = [json.dumps(each) for each in value]
        return "[" + pad + f",{pad}".join(body) + pad[:-1] + "]"

    return lines(made, 4) + "\n"


if __name__ == "__main__":
    VECTORS.write_text(written(vectors()), encoding="utf-8")
    print(f"{VECTORS}: {VECTORS.stat().st_size} bytes")
