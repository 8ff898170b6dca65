"""Interrupted matches: which there are, and one of them made ready to be played on from its record.

What belongs here: choosing the record, judging it, restoring the session. What must not: finding the peer (resume.py).
"""

import logging
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from math import inf
from pathlib import Path
from time import time

from spitnet.app.clock import monotonic
from spitnet.app.match.opening import OpenMatch
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.journal.file_format import Damaged, Entry, NewerFormat, Opened
from spitnet.journal.replay import Broken, Replay
from spitnet.journal.store import InUse, Journal, Read, newest_first, read
from spitnet.language import gettext as _
from spitnet.protocol.entries import Ended
from spitnet.protocol.handshake import Seated
from spitnet.protocol.messages import Malformed, Rematch, Start, Welcome, decode
from spitnet.protocol.notices import Completed
from spitnet.protocol.session import Session
from spitnet.ui.words import flaws

_log = logging.getLogger(__name__)
_NEWEST = 4
"""Of so many records one is this player's own; beside it may lie that of the opponent in `solo`."""


def newest(directory: Path, keys: Collection[bytes]) -> OpenMatch:
    """The match of this directory that was played last, isn't over, and was begun with one of these public keys.

    Raises:
        UsageFailure: there is none, or each is being played.
    """
    in_use = False
    decided: OpenMatch | None = (
        None  # played out, but for the goodbyes: the opponent may still need its last beat
    )
    for path, found in _candidates(directory, lambda opened: _own_key(opened) in keys):
        try:
            match = taken_up(path, keys, found)
        except InUse:
            in_use = True
        except OSError as problem:
            _log.warning("%s: %s", path, problem.strerror)
        except Failure as failure:
            _log.warning("%s: %s", path, failure.message)
        else:
            if not match.session.over:
                _put_back(decided)
                return match
            if decided is None:
                decided = match
            else:
                _put_back(match)
    if decided is not None:
        return decided
    if in_use:
        raise UsageFailure(_("the interrupted match is being played by another spitnet"))
    raise UsageFailure(
        _("there is no interrupted match in {directory}").format(directory=directory)
    )


def _put_back(match: OpenMatch | None) -> None:
    """Somebody else may take it up."""
    if match is not None:
        match.journal.close()


def of_session(directory: Path, session: bytes, keys: Collection[bytes]) -> OpenMatch | None:
    """The match of that session at the seat of one of these keys, if it is there and can be taken up.

    Raises:
        InUse: another process plays it.
    """

    def is_wanted(opened: Opened) -> bool:
        return opened.session == session and _own_key(opened) in keys

    for path, found in _candidates(directory, is_wanted):
        try:
            return taken_up(path, keys, found)
        except InUse:
            raise
        except Failure:
            return None
    return None


def last_left(directory: Path, key: bytes) -> str | None:
    """Against whom the holder of this public key has played last; None if that match is over, or goes on.

    Records are left as they are, and only the newest looked at: this is for those who came for something else.

    Raises:
        OSError: a record can't be read or written.
        Failure: the match can't be taken up.
    """
    for path in newest_first(directory)[:_NEWEST]:
        found = _found(path, lambda opened: _own_key(opened) == key)
        if found is not None:
            try:
                journal, found = Journal.reopened(path, found)
            except InUse:
                return None
            with journal:
                if isinstance(found.entries[-1], Ended):
                    return None
                replay, _past = _replayed(path, found)
            return None if replay.match.over else replay.names[1 - replay.seat]
    return None


def taken_up(path: Path, keys: Collection[bytes], found: Read | None = None) -> OpenMatch:
    """The match of that record, where it ends; `found`: what was read of it already.

    Raises:
        InUse: another process plays it.
        Failure: it can't be taken up; why is in it.
        OSError: the record can't be read or written.
    """
    journal, found = Journal.reopened(path, found)
    try:
        match = _ready(journal, found, keys)
        journal.cut_off()  # who looks on may read it before the next entry is there
        return match
    except BaseException:
        journal.close()
        raise


def _candidates(
    directory: Path, is_wanted: Callable[[Opened], bool]
) -> Iterator[tuple[Path, Read]]:
    """Records of unfinished matches that begin as is wanted, the one that was played last first; each is read once."""
    for path in newest_first(directory):
        found = _found(path, is_wanted)
        if found is None or isinstance(found.trouble, Damaged | NewerFormat):
            continue
        if not isinstance(found.entries[-1], Ended):
            yield path, found


def _found(path: Path, is_wanted: Callable[[Opened], bool]) -> Read | None:
    """What a record holds that begins as is wanted; None if it doesn't, or there is no telling."""

    def begins(first: Entry) -> bool:
        return isinstance(first, Opened) and is_wanted(first)

    with suppress(OSError):
        found = read(path, begins)
        return found if found.entries and begins(found.entries[0]) else None
    return None


def _own_key(opened: Opened) -> bytes:
    return opened.origin.join_key if opened.seat else opened.origin.host_key


def _ready(journal: Journal, found: Read, keys: Collection[bytes]) -> OpenMatch:
    replay, past = _replayed(journal.path, found)
    opened = replay.opened
    if _own_key(opened) not in keys:
        message = _("{file}: the match was started with a different key than this installation’s")
        raise UsageFailure(message.format(file=journal.path))
    settings = replay.match.settings
    start, before = _last_words(opened)
    origin = opened.origin
    seated = Seated(opened.seat, origin.session, settings, replay.names, origin, start)
    now_s = monotonic()
    session = Session(opened.seat, opened.session, settings, os.urandom, now_s, start, before)
    records = (entry for entry in found.entries if not isinstance(entry, Opened))
    session.restore(
        records, may_have_lost=not opened.synced, now_s=now_s, away_s=away_s(journal.path)
    )
    _log.info("session %s is taken up at beat %d", session.id.hex(), session.beat)
    return OpenMatch(seated, opened.rematches, session, journal, past)


def away_s(path: Path) -> float:
    """For how long nothing was written to a record, by the one clock that goes on without this program."""
    away_s = time() - path.stat().st_mtime
    return away_s if away_s >= 0 else inf  # the clock was set back, so there is no telling


def _replayed(path: Path, found: Read) -> tuple[Replay, tuple[Completed, ...]]:
    """The record derived anew: nothing is played on that doesn't hold.

    Raises:
        Failure: it doesn't hold, or is over.
    """
    if isinstance(found.trouble, NewerFormat):
        raise UsageFailure(_("{file}: written by a newer spitnet").format(file=path))
    if not found.entries:
        message = _("{file}: this is not a spitnet record")
        raise Failure(ExitCode.VIOLATION, message.format(file=path), "damaged_entry")
    if isinstance(found.trouble, Damaged):
        raise _damaged(path, "damaged_entry")
    try:
        replay = Replay(found.entries[0])
        beats = [replay.take(entry) for entry in found.entries[1:]]
    except Broken as broken:
        raise _damaged(path, broken.flaw.value) from None
    if replay.ended is not None:
        raise UsageFailure(_("{file}: this match has ended").format(file=path))
    return replay, tuple(beat for beat in beats if beat is not None)


def _damaged(path: Path, why: str) -> Failure:
    message = _("{file}: the record doesn’t hold, so the match can’t be resumed: {why}")
    return Failure(ExitCode.VIOLATION, message.format(file=path, why=flaws.said(why)), why)


def _last_words(opened: Opened) -> tuple[Start | None, Rematch | None]:
    """What this side said last before the match, for a peer that it didn't reach.

    The proof of a code can't be made again: its secret is nowhere written.
    """
    if opened.session_before is not None:
        return None, Rematch(opened.session_before, opened.rematches[-1][opened.seat])
    if opened.seat == 1 or _asks_for_a_code(opened.origin.welcome):
        return None, None
    return Start(opened.session, b""), None


def _asks_for_a_code(welcome: bytes) -> bool:
    try:
        message = decode(welcome)
    except Malformed:
        return True
    return not isinstance(message, Welcome) or bool(message.code_message)
