"""A record that is shown while it is written: nothing of an open beat leaves, and what leaves is a record that holds."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.matches import recorded

from spitnet.journal.file_format import (
    NO_CHECK,
    PAYLOAD_BYTES_MAX,
    Damaged,
    Entry,
    Opened,
    encode,
    entries,
)
from spitnet.journal.live import Incoming, Outgoing
from spitnet.journal.verify import RecordStatus, verify
from spitnet.protocol.entries import (
    Answered,
    Done,
    Ended,
    Ending,
    Lagging,
    Proposed,
    Slow,
    Stop,
    Waited,
)

WHOLE = recorded()[0]
ENTRIES = [entry for entry, _, _ in entries(WHOLE)]
ENDS = [0, *(end for _, _, end in entries(WHOLE))]


def written(*record: Entry) -> bytes:
    parts, check = [], NO_CHECK
    for entry in record:
        part, check = encode(entry, check)
        parts.append(part)
    return b"".join(parts)


def shown(outgoing: Outgoing, data: bytes) -> bytes:
    """What may leave, put together as those who look on get it."""
    return data[: outgoing.length] + outgoing.end


def entries_of(data: bytes) -> list[Entry]:
    """Raises CutShort or Damaged: it is no whole record."""
    return [entry for entry, _, _ in entries(data)]


def secrets_of(record: list[Entry], last_done: int) -> set[bytes]:
    """What a record holds of beats that aren't complete: nonces, and the commitment of the other."""
    found: set[bytes] = set()
    for entry in record:
        if isinstance(entry, Proposed | Answered) and entry.beat > last_done:
            found.add(entry.mine.nonce)
            found |= {entry.theirs} if isinstance(entry, Answered) else set()
    return found


def last_done(record: list[Entry]) -> int:
    return max((entry.beat for entry in record if isinstance(entry, Done)), default=0)


@given(
    st.integers(0, len(WHOLE)),
    st.lists(st.integers(1, 900), max_size=40),
)
def test_nothing_of_an_open_beat_leaves(cut: int, sizes: list[int]) -> None:
    """C5: wherever the writer is, and in whatever pieces it is read."""
    data, outgoing, at = WHOLE[:cut], Outgoing(), 0
    for size in [*sizes, cut]:
        outgoing.take(data[at : at + size])
        at = min(cut, at + size)
    leaves = shown(outgoing, data)
    told = entries_of(leaves)
    known = [one for one, end in zip(ENTRIES, ENDS[1:], strict=True) if end <= cut]
    complete = last_done(known)
    assert all(entry.beat <= complete for entry in told if not isinstance(entry, Opened))
    assert last_done(told) == complete
    assert not any(secret in leaves for secret in secrets_of(known, complete))


def test_a_finished_match_leaves_byte_for_byte() -> None:
    outgoing = Outgoing()
    outgoing.take(WHOLE)
    assert shown(outgoing, WHOLE) == WHOLE


@pytest.mark.parametrize(
    ("how", "standing"),
    [
        ("abandoned", RecordStatus.CLAIMED),
        ("violation", RecordStatus.STOPPED),
        ("lost_records", RecordStatus.LOST),
        ("left", RecordStatus.LEFT),
    ],
)
def test_a_beat_that_never_completes_never_leaves(how: str, standing: RecordStatus) -> None:
    """Not even after the end; what leaves is a record that holds all the same."""
    at = next(i for i, (a, b) in enumerate(pairwise(ENTRIES)) if i > 40 and _opens(a, b))
    kept = ENTRIES[: at + 2]
    beat = last_done(kept)
    slow = Slow(beat + 1, False, 9, 9)
    data = written(*kept, slow, Ended(beat, Ending(how), 1, "flood" if how == "violation" else ""))
    outgoing = Outgoing()
    outgoing.take(data)
    leaves = shown(outgoing, data)
    secrets = secrets_of(kept, beat)
    assert secrets
    assert not any(secret in leaves for secret in secrets)
    told = entries_of(leaves)
    assert isinstance(told[-1], Ended)
    assert told[:-1] == [e for e in kept if isinstance(e, Opened) or _beat(e) <= beat]
    verdict = verify(told)
    assert verdict.beat == beat
    assert verdict.standing is standing


def _opens(first: Entry, second: Entry) -> bool:
    return isinstance(first, Done) and isinstance(second, Proposed)


def _beat(entry: Entry) -> int:
    assert not isinstance(entry, Opened)
    return entry.beat


def test_what_is_late_of_a_complete_beat_leaves_with_it() -> None:
    """A slow answer or a stop of the beat before goes out at once; one of the open beat waits for that."""
    at = next(i for i, entry in enumerate(ENTRIES) if isinstance(entry, Done))
    beat = _beat(ENTRIES[at])
    for slow_beat, leaves in ((beat, True), (beat + 1, False)):
        beside = (Slow(slow_beat, True, 5, 5), Stop(slow_beat, 1, 5))
        for late in (*beside, Lagging(slow_beat, 5, 5), Waited(slow_beat, 1, 5)):
            data = written(*ENTRIES[: at + 1], late)
            outgoing = Outgoing()
            outgoing.take(data)
            told = entries_of(shown(outgoing, data))
            assert (told[-1] == late) is leaves


@given(st.lists(st.integers(1, 4000), min_size=1))
def test_pieces_of_any_size_are_the_same_entries(sizes: list[int]) -> None:
    incoming, found, at = Incoming(), [], 0
    for size in [*sizes, len(WHOLE)]:
        found += [entry for entry, _ in incoming.take(WHOLE[at : at + size])]
        at = min(at + size, len(WHOLE))
        assert incoming.received == at
    assert found == ENTRIES


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_a_changed_byte_is_found_or_waited_behind_but_never_taken(at: int, flip: int) -> None:
    """What isn't damaged can only be an entry that is said to be longer than what has come."""
    damaged = bytearray(WHOLE)
    damaged[at] ^= flip
    incoming = Incoming()
    found: list[Entry] = []
    try:
        for entry, _ in incoming.take(bytes(damaged)):
            found.append(entry)
    except Damaged:
        pass
    else:
        assert incoming.received > incoming.offset
    assert found == ENTRIES[: len(found)]
    assert len(found) < len(ENTRIES)


def test_zeros_without_end_are_no_entry_that_is_still_to_come() -> None:
    """On a disk they are what a power cut leaves; whoever sends them would fill our memory."""
    incoming = Incoming()
    assert len(list(incoming.take(WHOLE[: ENDS[3]]))) == 3
    assert not list(incoming.take(bytes(19)))
    with pytest.raises(Damaged):
        list(incoming.take(bytes(1)))


def test_an_entry_beyond_all_bounds_is_refused_at_its_length() -> None:
    with pytest.raises(Damaged):
        list(Incoming().take((PAYLOAD_BYTES_MAX + 1).to_bytes(4, "big") + bytes(16)))


def test_what_may_leave_knows_whose_match_it_is() -> None:
    opened = ENTRIES[0]
    assert isinstance(opened, Opened)
    outgoing = Outgoing()
    assert outgoing.session is None
    outgoing.take(WHOLE[: ENDS[1]])
    assert outgoing.session == opened.session
