"""From a session that both peers agreed on to a match being played: its record, its bot, its end in words."""

import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import NamedTuple

from spitnet.app.clock import monotonic
from spitnet.app.console import json_lines
from spitnet.app.identity import data_directory
from spitnet.app.match.match_loop import Companion, Controls, Link, MatchLoop
from spitnet.app.options import LEVEL, PlayOptions, Sync
from spitnet.bot.bot import Bot
from spitnet.exits import ExitCode, Failure
from spitnet.journal import store
from spitnet.journal.file_format import FORMAT, Opened
from spitnet.journal.json_story import Line
from spitnet.journal.store import Journal
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.protocol import VERSION
from spitnet.protocol.entries import FALSE_CLAIM, Ended
from spitnet.protocol.handshake import Seated, fingerprint
from spitnet.protocol.messages import Rematch
from spitnet.protocol.notices import Completed
from spitnet.protocol.session import Session
from spitnet.ui.words import flaws

_log = logging.getLogger(__name__)


class OpenMatch(NamedTuple):
    """A match at this side's seat whose record is open: it can be played, or played on.

    `rematches` as in the record's first entry; `past` are the beats that were played before an interruption.
    """

    seated: Seated
    rematches: tuple[tuple[bytes, bytes], ...]
    session: Session
    journal: Journal
    past: tuple[Completed, ...] = ()


def open_match(
    seated: Seated,
    options: PlayOptions,
    rematches: tuple[tuple[bytes, bytes], ...] = (),
    before: Rematch | None = None,
) -> OpenMatch:
    """A new match and its record; of a rematch, `before` is what this side said to agree on it.

    Raises:
        OSError: there can't be a record.
    """
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    synced = options.sync is Sync.ALWAYS
    opened = Opened(FORMAT, VERSION, seated.seat, started, seated.origin, rematches, synced)
    session = Session(
        seated.seat,
        opened.session,
        seated.settings,
        os.urandom,
        monotonic(),
        seated.start if before is None else None,
        before,
    )
    journal = Journal.create(journals(options), opened, synced)
    _log.info("session %s, seat %d, record %s", session.id.hex(), seated.seat, journal.path)
    return OpenMatch(seated, rematches, session, journal)


def prepare(options: PlayOptions) -> None:
    """Nobody should sit down with a side that then can't begin a record.

    Raises:
        Failure: it can't.
    """
    directory = journals(options)
    try:
        store.prepare(directory)
    except OSError as problem:
        text = (
            _("can’t write to {directory}, so the match would have no record: {problem}")
            if os.path.isdir(directory)
            else _("can’t create {directory}, so the match would have no record: {problem}")
        )
        message = text.format(directory=problem.filename or directory, problem=problem.strerror)
        raise Failure(ExitCode.USAGE, message, "machine") from None


def journals(options: PlayOptions) -> Path:
    """The directory of this side's records."""
    return options.journal or data_directory() / "journals"


def play_headless(
    match: OpenMatch,
    link: Link,
    companion: Callable[[OpenMatch], Companion],
    options: PlayOptions,
    orders: Controls,
) -> int:
    """Plays a match with a bot at this seat, told as lines, to its end or until asked to stop.

    Raises:
        Failure: the match ended before its time.
    """
    seated, session = match.seated, match.session
    told = json_lines.Lines(match.journal.path, _connected(match))
    if not session.frozen:
        told.connect()
    random = Random(options.seed)  # noqa: S311 - taste and timing
    bot = Bot(seated.seat, options.level or LEVEL, random, options.delay_s)
    with match.journal as journal:
        playing = MatchLoop(
            session=session,
            link=link,
            journal=journal,
            player=bot,
            watcher=told,
            companion=companion(match),
            orders=orders,
            claims=True,
        )
        try:
            ended = playing.run()
        finally:
            playing.leave()
    return ExitCode.INTERRUPTED if ended is None else _said(ended)


def _connected(match: OpenMatch) -> Line:
    seated = match.seated
    return {
        "event": "connected",
        "seat": seated.seat,
        "opponent": shown_name(seated.names[1 - seated.seat]),
        "session": match.session.id.hex(),
        "fingerprint": fingerprint(match.session.id),
        "watchable": seated.settings.watchable,
    }


def _said(ended: Ended) -> int:
    """The exit code of a finished match.

    Raises:
        Failure: it didn't come to its end.
    """
    if ended.how == "over":
        return ExitCode.DONE
    code, word, message = _bad_end(ended)
    raise Failure(code, message, word)


def _bad_end(ended: Ended) -> tuple[ExitCode, str, str]:
    match ended.how:
        case "claimed":
            return (
                ExitCode.OPPONENT_GONE,
                "claimed",
                _(
                    "your opponent claimed the match: it says that nothing came from this side for too long"
                ),
            )
        case "abandoned":
            return (
                ExitCode.OPPONENT_GONE,
                "opponent_gone",
                _("your opponent didn't come back; the match is yours, on your word alone"),
            )
        case "left":
            return ExitCode.OPPONENT_GONE, "left", _left(ended)
        case "lost_records":
            return ExitCode.OPPONENT_GONE, "lost_records", _lost(ended)
        case "accused":
            message = _(
                "your opponent's program stopped the match and says that this side broke the protocol: {word}; "
                "the match is yours"
            )
        case _:
            message = _(
                "the match was stopped, your opponent broke the protocol: {word}; the match is yours"
            )
    named = ended.word or "unnamed"
    # An accusation is the peer's word, and so is what it names; the code must be this side's.
    code = ended.how if ended.how == "accused" else named
    return ExitCode.VIOLATION, code, message.format(word=flaws.named(named))


def _left(ended: Ended) -> str:
    if ended.word == FALSE_CLAIM:
        return _(
            "your opponent left, claiming the match though this side was there; the match is yours"
        )
    return _("your opponent left; the match is yours")


def _lost(ended: Ended) -> str:
    """Whose record has lost its end, and what that means."""
    if ended.by is None:
        return _(
            "the match can't go on: the end of this side's record is lost, as a power cut can cause; "
            "your opponent's says who has won"
        )
    return _(
        "the match can't go on: your opponent says that the end of its record is lost; "
        "the match is yours"
    )
