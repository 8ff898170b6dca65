"""One side of a match whose beats are timed: the game's own loop, session, links and journal, in a process of its own.

All that is put in is a player that makes the moves of `turns` and a watcher that looks at the clock when a beat of
one's own was applied, then prints its lines as ever. `python -m benchmarks.peer JOB`, the job as JSON.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic, perf_counter

from benchmarks.children import Trouble
from benchmarks.turns import turn_of
from spitnet.core.cards import Seat
from spitnet.core.moves import Leave, Move
from spitnet.core.state import Match, Settings
from spitnet.net.link import new_keypair
from spitnet.net.options import Context
from spitnet.protocol.handshake import Seated
from spitnet.protocol.lockstep import Completed
from spitnet.protocol.notices import Notice
from spitnet.protocol.session import Session
from spitnet.runtime.companions import Calling, Listening
from spitnet.runtime.hosting import Hosting
from spitnet.runtime.joining import Knocking, Searching, choose
from spitnet.runtime.lines import Lines
from spitnet.runtime.options import HostOptions, JoinOptions, PlayOptions, Sync
from spitnet.runtime.playing import Companion, Link, Playing
from spitnet.runtime.seating import open_journal
from spitnet.runtime.signals import StopSignal
from spitnet.runtime.waiting import Waiter, zmq_context

MEET_S = 20.0
GAMES = 999
"""More than are ever played: the proposer leaves after the beats that were asked for."""


@dataclass(frozen=True, slots=True)
class Job:
    """`proposals` of the seat `proposer` are timed, each made `pause_s` after the table allows it."""

    seat: Seat
    proposer: Seat
    proposals: int
    pause_s: float
    synced: bool
    interface: str
    discovery_port: int
    directory: str

    @property
    def results(self) -> Path:
        """Where the proposer's times go: a JSON list, seconds."""
        return Path(self.directory) / "times.json"

    @property
    def journal(self) -> Path:
        return Path(self.directory) / "journal"

    @property
    def sync(self) -> Sync:
        return Sync.ALWAYS if self.synced else Sync.PROCESS

    def text(self) -> str:
        return json.dumps(asdict(self))


class Hand:
    """The player: acts in its turn only. `times_s` holds proposal → applied of each of its beats, in order."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._move: Move | None = None
        self._proposed_s = 0.0
        self.due_s: float | None = None
        self.times_s: list[float] = []

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        self._move = None if busy or match.over else self._wish(match)
        self.due_s = None if self._move is None else now_s + self._job.pause_s

    def act(self, match: Match, now_s: float) -> Move | None:
        self._proposed_s = perf_counter()
        return self._move

    def applied(self) -> None:
        self.times_s.append(perf_counter() - self._proposed_s)

    def _wish(self, match: Match) -> Move | None:
        seat, move = turn_of(match, self._job.proposer)
        if seat != self._job.seat:
            return None
        return Leave() if len(self.times_s) >= self._job.proposals else move


class Clocked:
    """The watcher: looks at the clock, then tells as a headless run does."""

    def __init__(self, hand: Hand, seat: Seat, lines: Lines) -> None:
        self._hand = hand
        self._seat = seat
        self._lines = lines

    def tell(self, notice: Notice, session: Session) -> None:
        if isinstance(notice, Completed) and notice.moves[self._seat] is not None:
            self._hand.applied()
        self._lines.tell(notice, session)


def main(job: Job) -> None:
    """Meet, play, write down the times if this is the proposer."""
    with zmq_context() as context, StopSignal() as stop:
        if job.seat == 0:
            _host(job, context, stop)
        else:
            _join(job, context, stop)


def _host(job: Job, context: Context, stop: StopSignal) -> None:
    options = HostOptions(
        interface=job.interface,
        discovery_port=job.discovery_port,
        sync=job.sync,
        journal=job.journal,
        settings=Settings(games=GAMES),
    )
    hosting = Hosting(context, new_keypair(), "bench", options, monotonic())
    seated = _hosted(hosting)
    calling = Calling(hosting.announcer, seated.session)
    _play(job, seated, hosting.seated_link(), calling, options, stop)


def _join(job: Job, context: Context, stop: StopSignal) -> None:
    options = JoinOptions(
        interface=job.interface,
        discovery_port=job.discovery_port,
        sync=job.sync,
        journal=job.journal,
    )
    knocking = _knocking(context, options)
    seated = _joined(knocking)
    table, port = knocking.table, job.discovery_port
    listening = Listening(knocking.link, seated.session, table, job.interface, port)
    _play(job, seated, knocking.link, listening, options, stop)


def _play(
    job: Job,
    seated: Seated,
    link: Link,
    companion: Companion,
    options: PlayOptions,
    stop: StopSignal,
) -> None:
    session = Session(
        seated.seat, seated.session, seated.settings, os.urandom, monotonic(), seated.start
    )
    hand = Hand(job)
    with open_journal(seated, options) as journal:
        playing = Playing(
            session=session,
            link=link,
            journal=journal,
            player=hand,
            watcher=Clocked(hand, job.seat, Lines(journal.path)),
            companion=companion,
            orders=stop,
            claims=False,
        )
        playing.run()
    if job.seat == job.proposer:
        job.results.write_text(json.dumps(hand.times_s))


def _hosted(hosting: Hosting) -> Seated:
    waiter, until_s = Waiter(), monotonic() + MEET_S
    while (now_s := monotonic()) < until_s:
        if (seated := hosting.step(now_s)) is not None:
            return seated
        waiter.wait(hosting.sources, until_s, now_s)
    raise Trouble("nobody sat down")


def _knocking(context: Context, options: JoinOptions) -> Knocking:
    searching = Searching(options.interface, options.discovery_port, None, monotonic())
    waiter, until_s = Waiter(), monotonic() + MEET_S
    try:
        while (now_s := monotonic()) < until_s:
            searching.step(now_s)
            if (table := choose(searching.tables(now_s), None)) is not None:
                return Knocking(context, new_keypair(), "bench", table, options, now_s)
            waiter.wait(searching.sources, until_s, now_s)
    finally:
        searching.close()
    raise Trouble("no table found")


def _joined(knocking: Knocking) -> Seated:
    waiter, until_s = Waiter(), monotonic() + MEET_S
    while (now_s := monotonic()) < until_s:
        answer = knocking.step(now_s)
        if isinstance(answer, Seated):
            return answer
        waiter.wait(knocking.sources, until_s, now_s)
    raise Trouble("not seated")


if __name__ == "__main__":
    main(Job(**json.loads(sys.argv[1])))
