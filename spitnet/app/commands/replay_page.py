"""A record looked at by a person: on the table, in lines at a terminal, or all at once into a pipe or a file.

What belongs here: reading the record, handing its beats on, and what the run comes to. It is derived anew meanwhile: what
is shown holds. What must not be here: what a beat looks like (ui).
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from spitnet.app import log
from spitnet.app.clock import monotonic
from spitnet.app.commands.replay import is_in, require_game
from spitnet.app.commands.verify import sentence
from spitnet.app.console import screen_run
from spitnet.app.console.desk import Desk
from spitnet.app.loop import Loop
from spitnet.app.options import ReplayOptions
from spitnet.exits import ExitCode, Failure, as_sentence
from spitnet.journal.file_format import CutShort, Damaged, NewerFormat
from spitnet.journal.replay import Broken, Replay
from spitnet.journal.store import stream
from spitnet.journal.verify import RecordStatus, Verdict, verify
from spitnet.net.names import shown_name
from spitnet.protocol.notices import Completed
from spitnet.ui.keys.playback_keys import PlaybackKeys
from spitnet.ui.lines import follow_narrator
from spitnet.ui.pages.follow_page import FollowPage

_BATCH = 128
"""So many beats are handed to the screen at once, some ten milliseconds' worth."""


def run(options: ReplayOptions) -> int:
    """The exit code. An unfinished record, such as that of a match under way, is shown as far as it goes.

    Raises:
        Failure: the record is broken, or there is nothing in it; what holds has been shown.
    """
    opening = _opening(options.file)
    if not screen_run.is_terminal():
        return _told_at_once(options, _follower(opening, playing=False))
    log.start(options)
    in_lines = options.plain or not screen_run.here().full_screen
    # In lines it waits to be asked for: nobody can listen to one beat while the next is being told.
    follower = _follower(opening, playing=not in_lines, first_game=options.game)
    manner = screen_run.DisplayOptions(
        PlaybackKeys(),
        plain=in_lines,
        ascii=options.ascii,
        no_color=options.no_color,
        ranks=options.ranks,
    )
    return screen_run.shown(
        lambda desk: _Feeding(desk, follower).run(options.file), manner, follower
    )


def _opening(file: Path) -> Replay:
    """The match as the first entry tells it."""
    with suppress(StopIteration, Damaged, CutShort, NewerFormat, Broken):
        return Replay(next(stream(file)))
    raise Failure(ExitCode.VIOLATION, sentence(verify(stream(file))))


def _follower(opening: Replay, *, playing: bool, first_game: int = 1) -> FollowPage:
    host, joiner = (shown_name(name) for name in opening.names)
    return FollowPage(
        opening.seat,
        (host, joiner),
        opening.match,
        _date(opening.opened.started),
        playing=playing,
        first_game=first_game,
    )


def _date(started: str) -> str:
    """As a person reads it; nothing where the record has no date there."""
    with suppress(ValueError):
        return f"{datetime.fromisoformat(started):%Y-%m-%d %H:%M} UTC"
    return ""


def _result(verdict: Verdict) -> int:
    """What the run comes to: a record may be unfinished, or end in a quarrel, but not be broken."""
    if _is_broken(verdict):
        raise Failure(ExitCode.VIOLATION, sentence(verdict))
    return ExitCode.DONE


def _is_broken(verdict: Verdict) -> bool:
    return verdict.standing in (RecordStatus.BROKEN, RecordStatus.NEWER)


def _ending(verdict: Verdict) -> str:
    """The verdict as a sentence of its own, for a small screen."""
    return as_sentence(sentence(verdict))


def _told_at_once(options: ReplayOptions, follower: FollowPage) -> int:
    """Every beat in lines, without pauses."""
    last: Completed | None = None
    _print(follow_narrator.head(follower.scene(0.0)))

    def tell(beat: Completed) -> None:
        nonlocal last
        last = beat
        follower.take((beat,), 0.0)
        scene = follower.scene(0.0)
        if is_in(beat, options.game):
            _print(follow_narrator.beats(scene, scene.moments[-1:]))

    verdict = verify(stream(options.file), tell)
    _print(iter((_ending(verdict),)))
    code = _result(verdict)
    require_game(last, options.game)
    return code


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


class _Left(Exception):
    """The person has seen enough."""


class _Feeding:
    """Reads the record beside the screen, so that the first beats of a long match are there at once."""

    def __init__(self, desk: Desk, follower: FollowPage) -> None:
        self._desk = desk
        self._follower = follower
        self._beats: list[Completed] = []

    def run(self, file: Path) -> int:
        """Feeds all there is, then waits until the person leaves; the exit code."""
        try:
            verdict = verify(stream(file), self._take)
        except _Left:
            return ExitCode.DONE
        self._hand_over()
        ending, broken = _ending(verdict), _is_broken(verdict)
        self._desk.post(lambda: self._follower.close(ending, broken=broken))
        waiter = Loop()
        while not self._desk.inbox.wants_out:
            waiter.wait((self._desk.inbox,), None, monotonic())
            self._desk.inbox.take()
        return _result(verdict)

    def _take(self, beat: Completed) -> None:
        self._beats.append(beat)
        if len(self._beats) == _BATCH:
            self._hand_over()
            if self._desk.inbox.wants_out:
                raise _Left

    def _hand_over(self) -> None:
        beats, self._beats = self._beats, []
        self._desk.post(lambda: self._follower.take(beats, monotonic()))
