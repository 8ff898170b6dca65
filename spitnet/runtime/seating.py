"""From a session that both peers agreed on to a match being played: its record, its bot, its end in words."""

import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random
from time import monotonic

from spitnet.bot.bot import Bot
from spitnet.exits import ExitCode, Failure
from spitnet.journal.records import FORMAT, Opened
from spitnet.journal.store import Journal
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import Seated
from spitnet.protocol.records import Ended
from spitnet.protocol.session import Session
from spitnet.runtime import lines
from spitnet.runtime.identity import data_directory
from spitnet.runtime.options import PlayOptions, Sync
from spitnet.runtime.playing import Companion, Link, Playing
from spitnet.runtime.signals import StopSignal

_log = logging.getLogger(__name__)


def open_journal(
    seated: Seated, options: PlayOptions, rematches: tuple[tuple[bytes, bytes], ...] = ()
) -> Journal:
    """A new record of this side's, with its first entry; `rematches` as there."""
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    opened = Opened(FORMAT, VERSION, seated.seat, started, seated.origin, rematches)
    directory = options.journal or data_directory() / "journals"
    journal = Journal.create(directory, opened, options.sync is Sync.ALWAYS)
    _log.info("session %s, seat %d, record %s", opened.session.hex(), seated.seat, journal.path)
    return journal


def play_headless(
    seated: Seated,
    link: Link,
    companion: Callable[[bytes], Companion],
    options: PlayOptions,
    stop: StopSignal,
) -> int:
    """Plays a match with a bot at this seat, told as lines, to its end or until asked to stop.

    Raises:
        Failure: the match ended before its time.
    """
    lines.write(
        {
            "event": "connected",
            "seat": seated.seat,
            "opponent": shown_name(seated.names[1 - seated.seat]),
            "session": seated.session.hex(),
        }
    )
    bot = Bot(seated.seat, options.level, Random(options.seed), options.delay_s)  # noqa: S311 - taste and timing
    session = Session(
        seated.seat, seated.session, seated.settings, os.urandom, monotonic(), seated.start
    )
    with open_journal(seated, options) as journal:
        playing = Playing(
            session=session,
            link=link,
            journal=journal,
            player=bot,
            watcher=lines.Lines(journal.path),
            companion=companion(session.id),
            orders=stop,
            claims=True,
        )
        try:
            ended = playing.run()
        finally:
            playing.leave()
    return ExitCode.INTERRUPTED if ended is None else _said(ended)


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
                    "your opponent ended the match: it says that nothing came from this side for too long"
                ),
            )
        case "abandoned":
            return (
                ExitCode.OPPONENT_GONE,
                "opponent_gone",
                _("your opponent didn't come back; the match is yours, on your word alone"),
            )
        case "lost_records":
            return (
                ExitCode.OPPONENT_GONE,
                "lost_records",
                _("the match can't go on: a power cut has taken the end of one side's record"),
            )
        case "accused":
            message = _(
                "your opponent's program stopped the match and says that this side broke the protocol: {word}"
            )
        case _:
            message = _("the match was stopped, your opponent broke the protocol: {word}")
    word = ended.word or "unnamed"
    return ExitCode.VIOLATION, word, message.format(word=word)
