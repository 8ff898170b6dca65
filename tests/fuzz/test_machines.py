"""The machines that hear a peer never raise, whatever frames come, and say only what they may: session, door, rematch.

Frames are broken as bytes, as msgpack, and as messages whose every field is of its right type: those get past the
decoder.
"""

from collections.abc import Sequence
from copy import copy
from functools import cache
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from msgspec import structs
from support import reading
from support.mutation import Mutator
from support.simulator import Simulation, World

from spitnet.core.moves import Move
from spitnet.core.state import Settings, SpitMode
from spitnet.protocol.binding import Opening
from spitnet.protocol.entries import Ending, Record
from spitnet.protocol.handshake import Doorman, Seated, TurnedAway, Visitor
from spitnet.protocol.lockstep import Send, Write
from spitnet.protocol.messages import (
    FRAME_BYTES_MAX,
    Bye,
    Hello,
    Message,
    OtherVersion,
    Ping,
    Pong,
    Rematch,
    Reveal,
    decode,
    encode,
)
from spitnet.protocol.notices import Notice
from spitnet.protocol.rematch import Prospect, RematchTalk
from spitnet.protocol.session import Session

KINDS = 6
"""COMMIT, REVEAL, RESUME, PING, PONG, BYE: all that is said in a match."""
EFFECTS_MOST = 8
"""What one frame can make a side do: an answer, a record, a goodbye, not more than a few of each."""
WORLDS = (
    World(11, concede=0.03, impatience=0.3),
    World(12, concede=0.03, impatience=0.3, breaks=30, repeats=0.2, heal_s=5),
    World(13, spit=SpitMode.AUTO, concede=0.03, breaks=60, unnoticed=1.0, heal_s=5, jitter_s=0.003),
)


class Scene(NamedTuple):
    """A session in the middle of a match, the frame that came next, and when."""

    session: Session
    frame: bytes
    now_s: float


class Camera:
    """An observer that keeps a copy of each session just before a frame arrives."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []
        self.simulation: Simulation | None = None

    def sent(self, seat: int, frame: bytes) -> bytes:
        return frame

    def arrived(self, seat: int, stamp: object) -> None:
        simulation = self.simulation
        assert simulation is not None
        assert isinstance(stamp, bytes)
        self.scenes.append(Scene(twin(simulation.sessions[seat]), stamp, simulation.now_s))

    def wrote(self, seat: int, record: Record) -> None: ...
    def noticed(self, seat: int, notice: Notice) -> None: ...
    def pressed(self, seat: int, move: Move) -> None: ...
    def settled(self, seat: int, session: Session) -> None: ...
    def restarted(self, seat: int, records: object) -> None: ...


def twin(session: Session) -> Session:
    """A session of its own: all that it holds is immutable, but for these objects."""
    other = copy(session)
    other.lockstep = copy(session.lockstep)
    other.patience = copy(session.patience)
    other.pace = copy(session.pace)
    other.pace.pings_s = copy(session.pace.pings_s)
    other.pace.awaited_s = copy(session.pace.awaited_s)
    other.accounts = copy(session.accounts)
    other.accounts.theirs = copy(session.accounts.theirs)
    other.accounts.mine = copy(session.accounts.mine)
    return other


@cache
def scenes() -> dict[str, list[Scene]]:
    """Every moment at which a frame arrived, of some short matches with and without faults, by the frame's kind."""
    found: dict[str, list[Scene]] = {}
    for world in WORLDS:
        camera = Camera()
        camera.simulation = Simulation(world, camera)
        camera.simulation.run()
        for scene in camera.scenes:
            found.setdefault(type(decode(scene.frame)).__name__, []).append(scene)
    assert len(found) == KINDS
    return found


def some_scene(random: Random) -> Scene:
    """Each kind of frame as often as the others, though some are rare."""
    return random.choice(random.choice(list(scenes().values())))


class Forger:
    """Makes messages of right types and wrong content, out of what was really said."""

    def __init__(self, random: Random, frames: Sequence[bytes]) -> None:
        self._random = random
        self._messages = [decode(frame) for frame in frames]
        fields = [field for message in self._messages for field in structs.astuple(message)]
        self._hashes = [field for field in fields if isinstance(field, bytes)]
        self._openings = [field for field in fields if isinstance(field, Opening)]

    def forged(self, scene: Scene) -> Message | OtherVersion:
        """A message with one or two fields changed: to another's, to this session's own, or by one."""
        message = decode(scene.frame)
        if self._random.random() < 0.2:
            message = self._random.choice(self._messages)
        for _ in range(self._random.choice((1, 1, 2))):
            name = self._random.choice(message.__struct_fields__)
            fields = {name: self._other(getattr(message, name), scene.session)}
            message = structs.replace(message, **fields)
        return message

    def _other(self, field: object, session: Session) -> object:
        lockstep = session.lockstep
        match field:
            case bool():
                return not field
            case int():
                return self._random.choice(
                    (field + 1, max(0, field - 1), session.beat, session.beat + 1, 2**48)
                )
            case bytes():
                own = (
                    session.id,
                    lockstep.chain,
                    lockstep.digest,
                    lockstep.open.commit,
                    lockstep.open.theirs,
                )
                return self._random.choice((*own, self._random.choice(self._hashes)))
            case Opening():
                open_beat = lockstep.open
                past = None if lockstep.past is None else lockstep.past.opening
                return self._random.choice(
                    (open_beat.mine, past, self._random.choice(self._openings))
                )
            case None:
                return self._random.choice((*self._hashes[:9], *self._openings[:9]))
            case _:
                return field


class Overheard:
    """What a session said, checked as it says it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._openings: dict[int, Opening] = {}

    def check(self) -> None:
        effects = self._session.take_effects()
        assert len(effects) <= EFFECTS_MOST, effects
        for effect in effects:
            assert isinstance(effect, Write | Send)
            if isinstance(effect, Send):
                assert len(encode(effect.message)) <= FRAME_BYTES_MAX
                if isinstance(effect.message, Reveal):
                    self._revealed(effect.message)
        assert len(self._session.take_notices()) <= EFFECTS_MOST
        ended = self._session.ended
        assert (ended is None) == (self._session.next_deadline_s() is not None)
        assert ended is None or isinstance(ended.how, Ending)

    def _revealed(self, reveal: Reveal) -> None:
        """No beat is opened in two ways (C2)."""
        assert self._openings.setdefault(reveal.beat, reveal.opening) == reveal.opening


def hear(scene: Scene, frames: Sequence[bytes]) -> None:
    """The session is told all of this, the frame that was due, and that time goes by."""
    session = twin(scene.session)
    overheard = Overheard(session)
    for frame in (*frames, scene.frame):
        reading.message(frame)
        session.receive(frame, scene.now_s)
        overheard.check()
    for later_s in (0.0, 1.0, 3.0, 100.0):
        session.poll(scene.now_s + later_s)
        overheard.check()


MANY = pytest.mark.parametrize(
    ("many", "seed"),
    [
        pytest.param(1_500, 1, id="quick"),
        pytest.param(150_000, 2, id="full", marks=pytest.mark.full),
    ],
)


@MANY
def test_a_session_hears_anything(many: int, seed: int) -> None:
    random = Random(seed)
    frames = sorted({scene.frame for same in scenes().values() for scene in same})
    mutator, forger = Mutator(random), Forger(random, frames)
    live = 0
    for _ in range(many):
        scene = some_scene(random)
        if random.random() < 0.5:
            told = [mutator.broken(scene.frame, random.choice(frames))]
        else:
            told = [_sent(forger.forged(scene)) for _ in range(random.choice((1, 1, 2, 3)))]
        live += _decodes(told[0])
        hear(scene, told)
    assert live > many // 3
    print(f"session: {many} inputs, {live} of which are messages")


def _sent(message: Message | OtherVersion) -> bytes:
    """The frame, even of a message that can't be one."""
    try:
        return encode(cast(Any, message))
    except (OverflowError, TypeError):
        return b""


def _decodes(frame: bytes) -> bool:
    return reading.message(frame) is not None


@MANY
def test_what_a_session_came_to_stays(many: int, seed: int) -> None:
    """Once it has ended nothing more is written, and nothing is said but goodbye."""
    random = Random(seed)
    mutator = Mutator(random)
    for _ in range(many // 10):
        scene = some_scene(random)
        session = twin(scene.session)
        session.receive(b"", scene.now_s)
        ended = session.ended
        session.take_effects()
        session.receive(mutator.broken(scene.frame, scene.frame), scene.now_s)
        assert session.ended is ended
        assert ended is not None
        effects = session.take_effects()
        assert all(isinstance(one, Send) and isinstance(one.message, Bye) for one in effects)


HOST, JOINER, VISITOR = b"h" * 32, b"j" * 32, b"v" * 32


def greetings(code: str | None, entropy: Random) -> tuple[list[bytes], list[bytes]]:
    """What a joiner and a host really say."""
    doorman = Doorman(HOST, "Ana", Settings(3), code, entropy.randbytes)
    visitor = Visitor(HOST, JOINER, "Bram", code, entropy.randbytes)
    asked, answered = [], []
    for _ in range(2):
        asked.append(visitor.frame)
        answer = doorman.receive(JOINER, visitor.frame, 0.0)
        assert answer is not None
        answered.append(encode(answer))
        visitor.receive(answered[-1])
    assert isinstance(visitor.answer, Seated)
    return asked, answered


@MANY
@pytest.mark.parametrize("code", [None, "1234"])
def test_a_door_hears_anything(many: int, seed: int, code: str | None) -> None:
    """The host answers with a message or not at all, and seats nobody whose ACCEPT isn't whole; who knocks as one
    should is seated still.
    """
    random = Random(seed)
    entropy = Random(seed)
    asked, answered = greetings(code, entropy)
    mutator = Mutator(random)
    many = many if code is None else many // 10
    for number in range(many):
        if number % 50 == 0:
            doorman = Doorman(HOST, "Ana", Settings(3), code, entropy.randbytes)
            visitor = Visitor(HOST, VISITOR, "Bram", code, entropy.randbytes)
        known = random.choice((*asked, *answered))
        frame = mutator.broken(known, random.choice(asked))
        reading.message(frame)
        answer = doorman.receive(random.choice((JOINER, HOST)), frame, float(number))
        assert answer is None or len(encode(answer)) <= FRAME_BYTES_MAX
        assert doorman.seated is None
        assert len(doorman.knocks) <= 2
        if number % 50 == 49:
            for step in range(2):
                answer = doorman.receive(VISITOR, visitor.frame, number + 100.0 + step)
                assert answer is not None
                visitor.receive(encode(answer))
            assert isinstance(visitor.answer, Seated)
    print(f"door {'without' if code is None else 'with'} a code: {many} inputs")


@MANY
@pytest.mark.parametrize("code", [None, "1234"])
def test_a_visitor_hears_anything(many: int, seed: int, code: str | None) -> None:
    """The joiner is turned away, or goes on knocking; it is seated by a START that is whole, and by nothing else."""
    random = Random(seed)
    many = many if code is None else many // 30
    mutator = Mutator(random)
    _, answered = greetings(code, Random(seed))
    start = decode(answered[1])
    for _ in range(many):
        visitor = Visitor(HOST, JOINER, "Bram", code, Random(1).randbytes)
        for known in answered:
            frame = mutator.broken(known, random.choice(answered))
            visitor.receive(frame)
            whole = _decodes(frame) and decode(frame) == start
            assert whole or visitor.answer is None or isinstance(visitor.answer, TurnedAway)
            assert len(visitor.frame) <= FRAME_BYTES_MAX
    print(f"visitor {'without' if code is None else 'with'} a code: {2 * many} inputs")


@MANY
def test_a_rematch_is_agreed_by_a_whole_message_only(many: int, seed: int) -> None:
    random = Random(seed)
    mutator = Mutator(random)
    session = bytes(range(32))
    asks = Rematch(session, b"n" * 32)
    others = [encode(one) for one in (Ping(session, 1, 2, False), Pong(session, 1, 2, True))]
    for _ in range(many):
        talk = RematchTalk(session, 0, random.randbytes)
        talk.ask()
        frame = mutator.broken(encode(asks), random.choice(others))
        said = reading.message(frame)
        if said is None:
            continue
        talk.take(said)
        is_one = isinstance(said, Rematch) and said.session == session
        assert (talk.agreed is not None) == is_one
        assert talk.prospect is not Prospect.LEFT or isinstance(said, Bye | Hello)
    print(f"rematch: {many} inputs")
