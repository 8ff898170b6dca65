"""Resynchronisation: one peer's whole state of the open beat in one frame, and what the other makes of it.

What the peer says adds to what is held here and can contradict nothing of it; a beat is never adopted on
the peer's word alone. The parts count as the frames that they repeat, in this order: the missing beat, the echo
of one's own COMMIT, the peer's COMMIT, its REVEAL. Between the echo and the COMMIT comes what waits here (session.py).
Source: WIRE.md, section 12; claim C9.
"""

from spitnet.protocol.faults import Fault, RecordsLost, RemoteFault
from spitnet.protocol.lockstep import Lockstep, Past, Stage
from spitnet.protocol.messages import Resume
from spitnet.protocol.move_codec import PASS

_REVEALED = (Stage.PASSED, Stage.CROSSED)


def state_of(lockstep: Lockstep, resume_id: bytes | None, answers: bytes | None) -> Resume:
    """This side's RESUME. It asks for one in turn exactly while it has an id of its own."""
    held = lockstep.open
    return Resume(
        lockstep.session,
        lockstep.seat,
        resume_id,
        answers,
        lockstep.beat,
        lockstep.chain,
        lockstep.digest,
        None if lockstep.past is None else lockstep.past.mine,
        held.commit,
        held.mine if held.stage in _REVEALED else None,
        held.theirs,
    )


def adopt_missing_beat(lockstep: Lockstep, peer: Resume) -> None:
    """Where the peer has completed the beat that is open here, takes its opening, which is all that is missing.

    The chain that it names holds one's own opening of that beat, so an invented beat is found out. Where only
    one's own proposal is known, the peer has passed: its `done` was lost here in a power cut, or its pass was.

    Raises:
        RemoteFault: it contradicts what this side wrote, sent or received.
        RecordsLost: the same, where a power cut can have taken this side's records.
    """
    if peer.beat > lockstep.beat + 1:
        raise _unknown_past(lockstep)
    if peer.beat <= lockstep.beat:
        return
    stage = lockstep.open.stage
    passed = stage is Stage.PROPOSED and peer.last is not None and peer.last.move == PASS
    if peer.last is None or not (passed or stage in _REVEALED):
        raise _unknown_past(lockstep)
    lockstep.take_reveal(peer.last)
    lockstep.check_head(peer.chain, peer.digest)


def check_open_beat(lockstep: Lockstep, peer: Resume) -> None:
    """The missing beat being there, both must stand alike, and the peer may hold of this side only what it sent.

    It comes before this side proposes anything: one whose proposal was lost in a power cut must not make another (C9).

    Raises:
        RemoteFault, RecordsLost: as above.
    """
    if peer.commit is None and peer.reveal is not None and peer.reveal.move != PASS:
        raise RemoteFault(Fault.MOVE_IN_PASS)
    if peer.beat == lockstep.beat:
        lockstep.check_head(peer.chain, peer.digest)
        if peer.held is not None and peer.held != lockstep.open.commit:
            raise _unknown_past(lockstep)
        if lockstep.open.stage is Stage.IDLE and peer.reveal is not None and peer.commit is None:
            raise RemoteFault(Fault.UNASKED_OPENING)
    elif peer.beat == lockstep.beat - 1 and lockstep.past is not None:
        _check_past(lockstep.past, peer)


def adopt_open_beat(lockstep: Lockstep, peer: Resume) -> None:
    """Takes from the peer's state of the open beat, which was checked, whatever this side lacks.

    A stale RESUME, of any age, holds less than is known here and changes nothing.

    Raises:
        RemoteFault, MessageLost: as the COMMIT and REVEAL that it repeats.
    """
    if peer.beat != lockstep.beat:
        return
    if peer.commit is not None:
        lockstep.take_commit(peer.commit)
    if peer.reveal is not None:
        lockstep.take_reveal(peer.reveal)


def _check_past(past: Past, peer: Resume) -> None:
    """The peer is still in the beat that is complete here."""
    if peer.chain != past.chain or peer.digest != past.digest:
        raise RemoteFault(Fault.WRONG_CHAIN)
    if peer.held is not None and peer.held != past.commit:
        raise RemoteFault(Fault.INVENTED_PAST)
    if peer.commit is not None and peer.commit != past.theirs:
        raise RemoteFault(Fault.SECOND_COMMITMENT)
    if peer.reveal is not None and peer.reveal != past.opening:
        raise RemoteFault(Fault.SECOND_OPENING)


def _unknown_past(lockstep: Lockstep) -> RemoteFault | RecordsLost:
    return RecordsLost() if lockstep.may_have_lost else RemoteFault(Fault.INVENTED_PAST)
