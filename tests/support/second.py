"""A second implementation of the wire, written from WIRE.md alone: it imports nothing of spitnet.

What belongs here: bytes, hashes, moves and the game as WIRE.md says them, and one check for each section of
vectors.json, which derives every value anew and returns what differs. What must not: time, sockets, sessions.
"""

import hmac
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b, sha256
from itertools import count
from typing import Any

from msgspec import msgpack

# Section 7, hashes.


def h(*parts: bytes) -> bytes:
    return sha256(b"".join(parts)).digest()


def uint(number: int, size: int) -> bytes:
    return number.to_bytes(size, "big")


def sized(data: bytes) -> bytes:
    return uint(len(data), 2) + data


def opened(opening: Any) -> bytes:
    return sized(opening[0]) + bytes(opening[1])


def bound(session: bytes, beat: int, seat: int, chain: bytes, digest: bytes, opening: Any) -> bytes:
    head = (session, uint(beat, 8), uint(seat, 1), chain, digest)
    return h(b"spitnet/1 commit", *head, opened(opening))


def chained(chain: bytes, beat: int, openings: Any) -> bytes:
    return h(b"spitnet/1 beat", chain, uint(beat, 8), opened(openings[0]), opened(openings[1]))


def blocks(head: bytes) -> Iterator[bytes]:
    return (h(head, uint(number, 4)) for number in count())


def draws(randomness: bytes, seat: int) -> Callable[[int], int]:
    stream = (b for block in blocks(b"spitnet/1 draw %d" % seat + randomness) for b in block)
    return lambda below: next(b for b in stream if b < 256 - 256 % whole(1, 256)(below)) % below


def first_of(randomness: bytes) -> int:
    return h(b"spitnet/1 order", randomness)[0] & 1


def pause_ms(randomness: bytes) -> int:
    words = (int.from_bytes(b[:4], "big") for b in blocks(b"spitnet/1 pause" + randomness))
    return 500 + next(word for word in words if word < 2**32 - 2**32 % 1501) % 1501


# Section 6, SPAKE2 on edwards25519; slow and plain: affine points.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
M = "15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312"
N = "f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3"
Point = tuple[int, int]


def add(a: Point, b: Point) -> Point:
    t = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + b[0] * a[1]) * pow(1 + t, -1, P) % P
    return x, (a[1] * b[1] + a[0] * b[0]) * pow(1 - t, -1, P) % P


def times(scalar: int, point: Point) -> Point:
    total = (0, 1)
    while scalar:
        total = add(total, point) if scalar & 1 else total
        scalar, point = scalar >> 1, add(point, point)
    return total


def point(data: bytes) -> Point:
    number = int.from_bytes(data, "little")
    y = number % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert x * x % P == square
    return (x if x & 1 == number >> 255 else P - x), y


def element(place: Point) -> bytes:
    return (place[1] | (place[0] & 1) << 255).to_bytes(32, "little")


def hkdf48(key: bytes, info: bytes) -> bytes:
    secret = hmac.digest(bytes(32), key, "sha256")
    one = hmac.digest(secret, info + b"\1", "sha256")
    return (one + hmac.digest(secret, one + info + b"\2", "sha256"))[:48]


def spake2(code: str, ids: list[bytes], random: list[bytes]) -> tuple[list[bytes], bytes]:
    """Both code messages and the secret, from the 64 random bytes of each side."""
    password = unicodedata.normalize("NFKC", code.strip()).casefold().encode()
    w = int.from_bytes(hkdf48(password, b"SPAKE2 pw"), "big") % L
    base = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
    m, n = point(bytes.fromhex(M)), point(bytes.fromhex(N))
    x, y = (int.from_bytes(each, "big") % L for each in random)
    host, joiner = add(times(x, base), times(w, m)), add(times(y, base), times(w, n))
    k = times(x, add(joiner, times(L - w, n)))
    assert k == times(y, add(host, times(L - w, m)))
    shown = [element(host), element(joiner)]
    secret = h(h(password), h(ids[0]), h(ids[1]), *shown, element(k))
    return [b"A" + shown[0], b"B" + shown[1]], secret


# Section 8, moves.

PLAIN = {0: "pass", 1: "deal", 2: "ready", 3: "spit", 6: "concede", 7: "leave"}


def move_of(data: bytes) -> list[Any] | None:
    """The name of a move and its fields; None for what is no move."""
    if len(data) == 1 and data[0] in PLAIN:
        return [PLAIN[data[0]]]
    if len(data) == 4 and data[0] == 4 and data[1] < 104 and data[2] < 2 and data[3] <= 104:
        return ["play", *data[1:]]
    return ["refill", data[1]] if len(data) == 2 and data[0] == 5 and data[1] < 4 else None


# Section 9, the game.


class Game:
    def __init__(self, settings: list[Any]) -> None:
        self.games, self.refills = settings[0], settings[1]
        self.number = self.draws = 0
        self.wins = [0, 0]
        self.result: int | None = None
        self.outcome: tuple[int, int] | None = None
        self.ready = [False, False]
        self.layouts: list[list[int | None]] = [[], []]
        self.stocks: list[list[int]] = [[], []]
        self.piles: list[list[int]] = [[], []]
        self.events: list[list[Any]] = []

    @property
    def playing(self) -> bool:
        return self.number > 0 and self.outcome is None

    def encoded(self) -> bytes:
        head = b"".join(uint(n, 2) for n in (self.number, *self.wins, self.draws))
        head += b"\0" if self.result is None else bytes((1, self.result))
        if self.number == 0:
            return head
        body = [b"\0" if self.outcome is None else bytes(self.outcome), bytes(self.ready)]
        for layout, stock, pile in zip(self.layouts, self.stocks, self.piles, strict=True):
            body.append(bytes(255 if card is None else card for card in layout))
            body += [bytes((len(stock), *stock)), bytes((len(pile), *pile))]
        return head + b"".join(body)

    @property
    def digest(self) -> bytes:
        return h(b"spitnet/1 state", self.encoded())

    def legal(self, seat: int, move: list[Any]) -> bool:
        if self.result is not None:
            return False
        match move:
            case ["leave"]:
                return True
            case ["deal"]:
                return not self.playing
            case _ if not self.playing:
                return False
            case ["ready"]:
                return self.ready_time() and not self.ready[seat]
            case ["spit"]:
                return all(self.ready)
            case ["play", card, pile, size]:
                there = self.piles[pile]
                return (
                    card in self.layouts[seat] and size == len(there) > 0 and fit(card, there[-1])
                )
            case ["refill", slot]:
                empty = self.layouts[seat][slot] is None and bool(self.stocks[seat])
                return bool(self.refills == "manual") and empty
        return bool(move == ["concede"])

    def stuck(self, seat: int) -> bool:
        row = self.layouts[seat]
        if not all(self.piles) or (None in row and self.stocks[seat]):
            return False
        return not any(fit(c, pile[-1]) for c in row if c is not None for pile in self.piles)

    def ready_time(self) -> bool:
        return not any(self.piles) or (self.stuck(0) and self.stuck(1))

    def apply(self, moves: list[list[Any]], randomness: bytes) -> list[list[Any]]:
        """One beat; what happened in it."""
        self.events = []
        stream = [draws(randomness, seat) for seat in (0, 1)]
        leaving = [seat for seat in (0, 1) if moves[seat] == ["leave"]]
        if ["deal"] in moves:
            self._deal(stream)
        elif self.playing:
            first = first_of(randomness) if ["pass"] not in moves else 0
            for seat in (first, 1 - first):
                self._turn(seat, moves, stream)
        if self.playing:
            self._judge([s for s in (0, 1) if moves[s] in (["leave"], ["concede"])], leaving)
        elif leaving:
            self._end(leaving)
        return self.events

    def _draw(self, seat: int, stream: list[Callable[[int], int]]) -> int:
        return self.stocks[seat].pop(stream[seat](len(self.stocks[seat])))

    def _deal(self, stream: list[Callable[[int], int]]) -> None:
        self.number, self.outcome, self.ready = self.number + 1, None, [False, False]
        self.stocks = [list(range(52)), list(range(52, 104))]
        self.layouts = [[self._draw(seat, stream) for _ in range(4)] for seat in (0, 1)]
        self.piles = [[], []]
        self.events.append(["dealt", [list(row) for row in self.layouts]])

    def _turn(self, seat: int, moves: list[list[Any]], stream: list[Any]) -> None:
        match moves[seat]:
            case ["play", card, pile, size]:
                self._play(seat, card, pile, size, stream)
            case ["refill", slot]:
                self._refill(seat, slot, stream)
            case ["ready"]:
                self.ready[seat] = True
            case ["spit"] if all(self.ready):
                self.ready = [False, False]
                turned = [self._draw(s, stream) if self.stocks[s] else None for s in (0, 1)]
                for owner, card in enumerate(turned):
                    self.piles[owner] += [] if card is None else [card]
                self.events.append(["spat", [s for s in (0, 1) if moves[s] == ["spit"]], turned])

    def _play(self, seat: int, card: int, pile: int, size: int, stream: list[Any]) -> None:
        slot = self.layouts[seat].index(card)
        if len(self.piles[pile]) != size:
            self.events.append(["beaten", seat, slot, card, pile, self.piles[pile][-1]])
            return
        self.piles[pile].append(card)
        self.layouts[seat][slot] = None
        self.events.append(["landed", seat, slot, card, pile])
        if self.refills == "auto" and self.stocks[seat]:
            self._refill(seat, slot, stream)

    def _refill(self, seat: int, slot: int, stream: list[Any]) -> None:
        card = self.layouts[seat][slot] = self._draw(seat, stream)
        self.events.append(["refilled", seat, slot, card, len(self.stocks[seat])])

    def _judge(self, quitting: list[int], leaving: list[int]) -> None:
        left = [
            4 - row.count(None) + len(s) for row, s in zip(self.layouts, self.stocks, strict=True)
        ]
        both_stuck = self.stuck(0) and self.stuck(1)
        if 0 in left:
            self.outcome = (4, 2) if left == [0, 0] else (1, left.index(0))
        elif quitting:
            self.outcome = (5, 2 if len(quitting) == 2 else 1 - quitting[0])
        elif both_stuck and not any(self.stocks):
            self.outcome = (3, 2) if left[0] == left[1] else (2, left.index(min(left)))
        else:
            self.events += [["stuck"]] if self.events and both_stuck else []
            return
        reason, winner = self.outcome
        self.draws += winner == 2
        self.wins = [self.wins[seat] + (winner == seat) for seat in (0, 1)]
        words = ("", "out", "fewest", "level", "dead_heat", "conceded")
        self.events.append(["game_over", words[reason], None if winner == 2 else winner, left])
        self._end(leaving)

    def _end(self, leaving: list[int]) -> None:
        left = self.games - sum(self.wins) - self.draws
        given_up = len(leaving) == 1 and self.outcome == (5, 1 - leaving[0])
        if given_up and self.events and self.events[-1][0] == "game_over":
            self.result = 1 - leaving[0]
        elif abs(self.wins[0] - self.wins[1]) > left:
            self.result = self.wins.index(max(self.wins))
        elif left == 0 or len(leaving) == 2:
            self.result = 2
        elif leaving:
            self.result = 1 - leaving[0]
        if self.result is not None:
            self.events.append(["match_over", None if self.result == 2 else self.result])


def fit(card: int, top: int) -> bool:
    return abs(card % 52 // 4 - top % 52 // 4) in (1, 12)


# Section 4, frames. A reader takes a field to what stands in vectors.json, or raises ValueError.

Reader = Callable[[Any], Any]


def whole(least: int, most: int) -> Reader:
    return lambda v: v if type(v) is int and least <= v <= most else fail()


def raw(*sizes: int) -> Reader:
    return lambda v: v.hex() if type(v) is bytes and len(v) in sizes else fail()


def text(least: int, most: int) -> Reader:
    return lambda v: v if type(v) is str and least <= len(v.encode()) <= most else fail()


def word(*words: str) -> Reader:
    return lambda v: v if type(v) is str and v in words else fail()


def maybe(reader: Reader) -> Reader:
    return lambda v: None if v is None else reader(v)


def row(*readers: Reader) -> Reader:
    def read(v: Any) -> list[Any]:
        return [r(f) for r, f in zip(readers, v, strict=True)] if type(v) is list else fail()

    return read


def fail() -> Any:
    raise ValueError


VERSION, TOKEN, BEAT, SEAT = whole(0, 65535), whole(0, 2**32 - 1), whole(0, 2**48), whole(0, 1)
HASH, ID, OPENING = raw(32), raw(16), row(raw(1, 2, 3, 4), raw(32))
NAME, CODE, PROOF = text(1, 96), raw(0, 33), raw(0, 32)
FLAG: Reader = lambda v: v if type(v) is bool else fail()  # noqa: E731
FOUR = (whole(1, 1000), word("auto", "manual"), word("said", "auto"), whole(5, 3600))
SETTINGS: Reader = lambda v: row(*FOUR, *[FLAG] * (type(v) is list and len(v) == 5))(v)  # noqa: E731
HEAD = (HASH, BEAT, SEAT, HASH, HASH)
OPTIONAL = (maybe(OPENING), maybe(HASH), maybe(OPENING), maybe(HASH))
FRAMES: dict[int, tuple[Reader, ...]] = {
    1: (VERSION, HASH, NAME, CODE),
    2: (VERSION, HASH, NAME, SETTINGS, CODE),
    3: (HASH, PROOF),
    4: (HASH, PROOF),
    5: (VERSION, word("busy", "version", "code", "wait", "unknown")),
    10: (*HEAD, HASH),
    11: (*HEAD, OPENING),
    12: (HASH, SEAT, maybe(ID), maybe(ID), BEAT, HASH, HASH, *OPTIONAL),
    13: (HASH, TOKEN, BEAT, FLAG),
    14: (HASH, TOKEN, BEAT, FLAG),
    15: (
        HASH,
        BEAT,
        word("over", "paused", "abandoned", "lost_records", "violation"),
        text(0, 40),
    ),
    16: (HASH, HASH),
}


# Section 20, the frames of those who look on.

OFFSET = whole(0, 2**48)
BYTES: Reader = lambda v: v.hex() if type(v) is bytes and v else fail()  # noqa: E731
WATCHING: dict[int, tuple[Reader, ...]] = {
    5: FRAMES[5],
    20: (VERSION, maybe(HASH), OFFSET),
    21: (HASH, OFFSET, OFFSET, BYTES),
}


def watching_of(frame: bytes) -> list[Any] | None:
    """As `fields_of`; a question of another version is its kind and version."""
    try:
        if len(frame) > 4063:
            return None
        if question := of_another_version(frame, 20):
            return question
        kind, *fields = array(frame)
        if type(kind) is not int or kind not in WATCHING:
            return None
        read = row(*WATCHING[kind])(fields)
        return None if kind == 21 and read[1] + len(fields[3]) > read[2] else [kind, *read]
    except ValueError:
        return None


def fields_of(frame: bytes) -> list[Any] | None:
    """The kind and fields of a frame, bytes in hexadecimal; None for what is no frame."""
    try:
        if len(frame) > 4063:
            return None
        if greeting := of_another_version(frame, 1, 2):
            return greeting
        kind, *fields = array(frame)
        if type(kind) is not int or kind not in FRAMES:
            return None
        return [kind, *row(*FRAMES[kind])(fields)]
    except ValueError:
        return None


def of_another_version(frame: bytes, *kinds: int) -> list[Any] | None:
    """The kind and the version, whatever stands behind them."""
    try:
        members, kind, version = head_of(frame)
        other = members > 1 and kind in kinds and VERSION(version) != 1
    except ValueError:
        return None
    return [kind, version] if other else None


def head_of(frame: bytes) -> tuple[int, int, int]:
    """How many members an array has, and the first two, which are ints."""
    size = {0xDC: 2, 0xDD: 4}.get(frame[0], 0) if frame else fail()
    if size:
        members = int.from_bytes(frame[1 : 1 + size], "big")
    else:
        members = frame[0] - 0x90 if 0x90 <= frame[0] <= 0x9F else fail()
    kind, at = whole_at(frame, 1 + size)
    return members, kind, whole_at(frame, at)[0]


def whole_at(frame: bytes, at: int) -> tuple[int, int]:
    """The int that begins there, and where it ends."""
    for end in (at + size for size in (1, 2, 3, 5, 9)):
        try:
            return msgpack.decode(frame[at:end], type=int), end
        except ValueError:
            continue
    raise ValueError


def array(data: bytes) -> list[Any]:
    try:
        value = msgpack.decode(data)
    except Exception as error:
        raise ValueError from error
    return value if type(value) is list and value else fail()


def cleaned(name: str) -> str:
    spaced = "".join(" " if c.isspace() else c for c in name[:1024])
    kept = "".join(c for c in spaced if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co"))
    short = " ".join(kept.split())[:32]
    while len(short.encode()) > 96:
        short = short[:-1]
    return short.rstrip()


# Section 2, beacons.

MAGIC, U16, KEY = b"spitnet\0", whole(0, 65535), raw(32)
PLACE = (ID, whole(1, 65535), KEY)
NO_PADDING: Reader = lambda v: None if type(v) is bytes else fail()  # noqa: E731
CLEAN: Reader = lambda v: cleaned(v) if type(v) is str else fail()  # noqa: E731
BEACONS: dict[int, tuple[Reader, ...]] = {
    0: (NO_PADDING,),
    1: (*PLACE, CLEAN, whole(0, 1), U16),
    2: (*PLACE, HASH),
    3: (ID,),
}


def optional(fields: list[Any]) -> list[Any]:
    """The fields of a TABLE behind its flags: watch and settings, each nil where it can't be, none behind the last."""
    watch, told = (*fields, None, None)[:2]
    found = [watch if type(watch) is int and 1 <= watch <= 65535 else None, None]
    if type(told) is list:
        with suppress(ValueError):
            found[1] = row(*FOUR)(told[:4])
    while found and found[-1] is None:
        found.pop()
    return found


def beacon_of(datagram: bytes) -> list[Any] | None:
    if len(datagram) > 512 or not datagram.startswith(MAGIC):
        return None
    try:
        version, kind, *fields = array(datagram[8:])
        readers = BEACONS[U16(kind)]
        if len(fields) > 14:
            return None
        more = optional(fields[6:8]) if kind == 1 else []
        return [U16(version), kind, *row(*readers)(fields[: len(readers)]), *more]
    except (ValueError, KeyError):
        return None


# The checks, one for each section of the vectors: what differs, as words.

Found = Iterator[str]


def unhex(value: Any) -> Any:
    """Bytes for hexadecimal, in a string or in nested lists of them."""
    return bytes.fromhex(value) if isinstance(value, str) else [unhex(each) for each in value]


def differs(name: str, mine: Any, theirs: Any) -> Found:
    mine = mine.hex() if isinstance(mine, bytes) else mine
    if mine != theirs:
        yield f"{name}: {mine} is not {theirs}"


def check_moves(vectors: Any) -> Found:
    for each in vectors:
        yield from differs("move", move_of(unhex(each["bytes"])), each["move"])


def check_no_moves(vectors: Any) -> Found:
    for each in vectors:
        yield from differs("no move", move_of(unhex(each)), None)


def check_names(vectors: Any) -> Found:
    for each in vectors:
        yield from differs("name", cleaned(each["text"]), each["cleaned"])


def session_of(keys: list[bytes], hello: bytes, welcome: bytes) -> bytes:
    return h(b"spitnet/1 session", *keys, sized(hello), sized(welcome))


def check_session(one: Any) -> Found:
    session = session_of(unhex(one["keys"]), unhex(one["hello"]), unhex(one["welcome"]))
    yield from differs("session", session, one["session"])
    number = int.from_bytes(h(b"spitnet/1 fingerprint", session)[:8], "big") % 10**18
    yield from differs("fingerprint", f"{number:018d}", one["fingerprint"])


def check_rematch(one: Any) -> Found:
    made = h(b"spitnet/1 rematch", unhex(one["before"]), *unhex(one["nonces"]))
    yield from differs("rematch", made, one["session"])


def check_code(one: Any) -> Found:
    messages, secret = spake2(one["code"], unhex(one["keys"]), unhex(one["random"]))
    yield from differs("code messages", [each.hex() for each in messages], one["messages"])
    yield from differs("secret", secret, one["secret"])
    for seat in (0, 1):
        what = b"spitnet/1 code" + uint(seat, 1) + unhex(one["session"])
        yield from differs("proof", hmac.digest(secret, what, "sha256"), one["proofs"][seat])


def check_commitments(vectors: Any) -> Found:
    for one in vectors:
        head = (unhex(one["session"]), one["beat"], one["seat"])
        past = (unhex(one["chain"]), unhex(one["digest"]))
        yield from differs("commit", bound(*head, *past, unhex(one["opening"])), one["commitment"])


def check_chains(vectors: Any) -> Found:
    for one in vectors:
        made = chained(unhex(one["chain"]), one["beat"], unhex(one["openings"]))
        yield from differs("chain", made, one["next"])


def check_randomness(vectors: Any) -> Found:
    for one in vectors:
        value = unhex(one["R"])
        yield from differs("first", first_of(value), one["first"])
        yield from differs("pause", pause_ms(value), one["pause_ms"])
        for seat in (0, 1):
            stream = draws(value, seat)
            mine = [[below, stream(below)] for below, _ in one["draws"][seat]]
            yield from differs("draws", mine, one["draws"][seat])


def played(one: Any) -> Iterator[tuple[int, Game, bytes, list[Any]]]:
    """Beat, game, R and events of a match, from its session and openings."""
    game, chain = Game(one["settings"]), unhex(one["session"])
    for beat, line in enumerate(one["beats"], 1):
        openings = unhex(line["openings"])
        moves = [move_of(opening[0]) or fail() for opening in openings]
        if moves == [["pass"], ["pass"]]:
            fail()
        for seat, move in enumerate(moves):
            if move != ["pass"] and not game.legal(seat, move):
                fail()
        chain = chained(chain, beat, openings)
        yield beat, game, chain, game.apply(moves, chain)


def check_matches(vectors: Any) -> Found:
    for name, one in vectors.items():
        yield from differs(f"{name} at first", Game(one["settings"]).digest, one["digest"])
        for beat, game, chain, events in played(one):
            line = one["beats"][beat - 1]
            yield from differs(f"{name} {beat} R", chain, line["R"])
            yield from differs(f"{name} {beat} events", events, line["events"])
            yield from differs(f"{name} {beat} digest", game.digest, line["digest"])


def check_states(vectors: Any, matches: Any) -> Found:
    for name, one in matches.items():
        at = {0: Game(one["settings"]).encoded()}
        at |= {beat: game.encoded() for beat, game, _, _ in played(one)}
        for state in (state for state in vectors if state["match"] == name):
            yield from differs(state["when"], at[state["beat"]], state["encoding"])
            digest = h(b"spitnet/1 state", unhex(state["encoding"]))
            yield from differs(state["when"], digest, state["digest"])


def check_frames(vectors: Any) -> Found:
    for one in vectors:
        yield from differs(one["name"], fields_of(unhex(one["frame"])), one["fields"])


def check_bad_frames(vectors: Any) -> Found:
    for one in vectors:
        yield from differs(one["why"], fields_of(unhex(one["frame"])), None)


def check_watching(vectors: Any) -> Found:
    for one in vectors:
        yield from differs(one["name"], watching_of(unhex(one["frame"])), one["fields"])


def check_bad_watching(vectors: Any) -> Found:
    for one in vectors:
        yield from differs(one["why"], watching_of(unhex(one["frame"])), None)


def check_beacons(vectors: Any) -> Found:
    for one in vectors:
        yield from differs(one["name"], beacon_of(unhex(one["datagram"])), one["fields"])


def check_bad_beacons(vectors: Any) -> Found:
    for one in vectors:
        yield from differs(one["why"], beacon_of(unhex(one["datagram"])), None)


def check_time_bank(vectors: Any) -> Found:
    """In milliseconds, by the table of section 14."""
    for one in vectors:
        grace = 1000 * one["grace"]
        answer = min(6000, grace // 2)
        normal = {"answer": answer, "turn": max(answer, grace // 3)}
        left, found = grace * (2 + one["games"]), []
        for kind, lasted in one["waits"]:
            left -= min(left, max(0, min(lasted, grace) - normal[kind]))
            found.append(left)
        yield from differs("left", found, one["left"])
        claims = [min(grace, normal[kind] + left) for kind in ("answer", "turn")]
        yield from differs("claims", claims, one["claims"])


def check_journal(vectors: Any) -> Found:
    check = bytes(16)
    for one in vectors:
        entry = unhex(one["entry"])
        payload = entry[20:]
        check = blake2b(check + payload, digest_size=16).digest()
        yield from differs("head", uint(len(payload), 4) + check, entry[:20].hex())
        yield from differs("fields", shown(array(payload)), one["fields"])


def shown(value: Any) -> Any:
    if isinstance(value, list):
        return [shown(each) for each in value]
    return value.hex() if isinstance(value, bytes) else value


def check_exchange(one: Any) -> Found:
    """Every frame in order: sessions, commitments, openings, chains and digests must fit together."""
    frames = [(each["from"], unhex(each["frame"])) for each in one["frames"]]
    session = session_of(unhex(one["keys"]), frames[0][1], frames[1][1])
    chain, beat, commits, openings = session, 0, {}, {}
    game = Game((fields_of(frames[1][1]) or fail())[4])
    for seat, frame in frames:
        kind, *fields = fields_of(frame) or fail()
        if kind < 5:
            yield from differs("who greets", kind % 2, seat)
        if kind >= 3:
            yield from differs("session", session, fields[0])
        if kind in (10, 11):
            head = [beat + 1, seat, chain.hex(), game.digest.hex()]
            yield from differs("head", head, fields[1:5])
        if kind == 10:
            commits[seat] = fields[5]
        if kind == 11:
            openings[seat] = unhex(fields[5])
        if kind == 12:
            mine = [seat, beat, chain.hex(), game.digest.hex(), commits.get(seat)]
            yield from differs("resume", mine, [fields[1], *fields[4:7], fields[8]])
            yield from differs("held", commits.get(1 - seat) if fields[3] else None, fields[10])
        if len(openings) == 2:
            beat, moves = beat + 1, [move_of(openings[each][0]) or fail() for each in (0, 1)]
            for each, commit in commits.items():
                past = (chain, game.digest, openings[each])
                yield from differs("commit", bound(session, beat, each, *past), commit)
            chain = chained(chain, beat, openings)
            game.apply(moves, chain)
            commits, openings = {}, {}
    yield from differs("last", [beat, chain.hex(), game.digest.hex()], one["last"])


def check(section: str, vectors: Any) -> list[str]:
    """What differs in a section; an error of this side's is a difference too."""
    try:
        if section == "states":
            return list(check_states(vectors[section], vectors["matches"]))
        return list(CHECKS[section](vectors[section]))
    except (ValueError, TypeError, KeyError, IndexError, AssertionError) as error:
        return [f"{section}: {error!r}"]


CHECKS: dict[str, Callable[[Any], Found]] = {
    name.removeprefix("check_"): value
    for name, value in list(globals().items())
    if name.startswith("check_") and name != "check_states"
}
