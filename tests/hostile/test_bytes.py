"""Bytes that are no frame: whatever the kind, the match ends as `malformed`; before the match they mean nothing.

Each frame is a true one of the match, damaged by chance (the seeds are fixed, the long run has more of them). Whether what
came of it is still a frame is judged by the second implementation, not by the one under test.
"""

from pathlib import Path
from random import Random
from typing import Any

import msgpack
import pytest
from support import second
from support.hostile import DEAL, READY, Hostile, Kind, random
from support.hostile_ends import Context, JoinerEnd, new_keys, packed
from support.hostile_matches import QUIET, meeting, table

LONGEST = 4063
QUICK = (Kind.COMMIT, Kind.REVEAL, Kind.RESUME)
SCALARS: tuple[Any, ...] = (None, True, -1, 2**48 + 1, 1.0, "", b"", [], {}, "seat", bytes(33))
HUGE = (b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\x91" * 2000)
"""Lengths that promise more than there is, and arrays within arrays."""


def frames_of(hostile: Hostile) -> dict[Kind, bytes]:
    """A true frame of each kind."""
    hostile.bind(READY)
    found = {
        Kind.HELLO: packed(Kind.HELLO, 1, random(), "Mallory", b""),
        Kind.WELCOME: packed(Kind.WELCOME, 1, random(), "Mallory", [1, "auto", "said", 60], b""),
        Kind.ACCEPT: packed(Kind.ACCEPT, hostile.session, b""),
        Kind.START: packed(Kind.START, hostile.session, b""),
        Kind.REFUSE: packed(Kind.REFUSE, 1, "busy"),
        Kind.COMMIT: hostile.frame(Kind.COMMIT),
        Kind.REVEAL: hostile.frame(Kind.REVEAL),
        Kind.RESUME: hostile.frame(Kind.RESUME, resume_id=random(16)),
        Kind.PING: hostile.frame(Kind.PING),
        Kind.PONG: hostile.frame(Kind.PONG),
        Kind.BYE: hostile.frame(Kind.BYE),
        Kind.REMATCH: hostile.frame(Kind.REMATCH),
    }
    assert set(found) == set(Kind)
    return found


def damaged(frame: bytes, chance: Random) -> bytes:
    """The frame with one thing wrong, of every sort."""
    fields = msgpack.unpackb(frame)
    place = chance.randrange(len(fields))
    at = chance.randrange(len(frame))
    match chance.randrange(8):
        case 0:
            return frame[:at]
        case 1:
            return frame + chance.randbytes(1 + chance.randrange(LONGEST - len(frame)))
        case 2:
            return frame[:at] + chance.randbytes(1) + frame[at + 1 :]
        case 3:
            return packed(*fields[:place], chance.choice(SCALARS), *fields[place + 1 :])
        case 4:
            return packed(*fields[:place], *fields[place + 1 :])
        case 5:
            return packed(*fields[:place], chance.choice(SCALARS), *fields[place:])
        case 6:
            return frame[:at] + chance.choice(HUGE) + frame[at:]
        case _:
            return chance.randbytes(chance.randrange(LONGEST))


def broken(frame: bytes, chance: Random) -> bytes:
    """Damaged until it is no frame any more."""
    while second.fields_of(found := damaged(frame, chance)) is not None:
        pass
    return found


@pytest.mark.parametrize(
    ("seed", "kind"),
    [
        pytest.param(seed, kind, marks=[pytest.mark.full] * (seed > 0 or kind not in QUICK))
        for seed in range(12)
        for kind in Kind
    ],
)
def test_in_the_match(context: Context, tmp_path: Path, seed: int, kind: Kind) -> None:
    """Exit 6 at the first of them, in either role."""
    chance = Random(1000 * seed + kind)
    with meeting(context, tmp_path, (seed + kind) % 2, QUIET) as two:
        two.hostile.play(DEAL)
        bad = broken(frames_of(two.hostile)[kind], chance)
        two.hostile.raw(bad)
        two.hostile.until(lambda: two.hostile.said)
        assert two.hostile.said[3:] == ["violation", "malformed"], bad.hex()
        code, word, _ = two.stopped("violation", "malformed")
        assert (code, word) == (6, "malformed")


@pytest.mark.parametrize("number", [1500, pytest.param(5000, marks=pytest.mark.full)])
def test_at_an_open_table(context: Context, tmp_path: Path, number: int) -> None:
    """Frames of all kinds, damaged: the table stays open to all, this knocker too."""
    chance = Random(4)
    with table(context, tmp_path, 1, QUIET) as two:
        hostile = two.hostile
        assert isinstance(hostile.end, JoinerEnd)
        hostile.sit_down_at_nothing()
        frames = list(frames_of(hostile).values())
        for _ in range(number):
            hostile.end.offer(broken(chance.choice(frames), chance))
        hostile.end.keys = new_keys()
        hostile.end.reconnect()
        hostile.sit_down()
        hostile.play(DEAL)


@pytest.mark.parametrize("number", [50, pytest.param(20_000, marks=pytest.mark.full)])
def test_at_a_joiner_that_waits_for_its_seat(context: Context, tmp_path: Path, number: int) -> None:
    """A host that talks rubbish before START is only slow."""
    chance = Random(5)
    with table(context, tmp_path, 0, QUIET) as two:
        hostile = two.hostile
        hostile.sit_down_at_nothing()
        frames = list(frames_of(hostile).values())

        def rubbish() -> None:
            for _ in range(number):
                hostile.raw(broken(chance.choice(frames), chance))

        hostile.sit_down(before_start=rubbish)
        hostile.play(DEAL)
