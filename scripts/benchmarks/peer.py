"""One side of a match whose beats are timed: the game's own loop, session, links and journal, in a process of its own.

All that is put in is a player that makes the moves of `turns`, a record that looks at the clock when a beat was applied
and written there, and a watcher that does so when it is told, and passes on what happened: to the lines of a headless run,
or to the table of a full screen, with the two threads that the game itself has there. Between the two moments the side
that proposed sends the frame that lets the other apply the beat. `python -m benchmarks.peer JOB`, the job as JSON.
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from time import perf_counter, sleep
from typing import NamedTuple

from benchmarks.children import Trouble
from benchmarks.turns import turn_of
from spitnet.app.clock import monotonic
from spitnet.app.console.desk import Desk
from spitnet.app.console.json_lines import Lines
from spitnet.app.console.screen_run import on_screen
from spitnet.app.loop import Loop, zmq_context
from spitnet.app.match.match_loop import Companion, Controls, Link, MatchLoop, Observer
from spitnet.app.match.opening import open_match
from spitnet.app.match.series import Reporter
from spitnet.app.options import HostOptions, JoinOptions, PlayOptions, Sync
from spitnet.app.seat.open_table import OpenTable
from spitnet.app.seat.reconnect import HostFinder, LostCaller
from spitnet.app.seat.search import SeatRequest, TableSearch, choose
from spitnet.app.stop_signal import StopSignal
from spitnet.core.cards import Seat, other
from spitnet.core.moves import Leave, Move
from spitnet.core.state import Match, Settings, new_match
from spitnet.journal.file_format import Entry
from spitnet.journal.store import Journal
from spitnet.net.link import new_keypair
from spitnet.net.socket_options import Context
from spitnet.protocol.entries import Done
from spitnet.protocol.handshake import Seated, fingerprint
from spitnet.protocol.notices import Completed, Notice
from spitnet.protocol.session import Session
from spitnet.ui.pages.lobby_pages import KnockingPage
from spitnet.ui.pages.table_page import TablePage

MEET_S = 20.0
GAMES = 999
"""More than are ever played: the proposer leaves after the beats that were asked for."""


@dataclass(frozen=True, slots=True)
class Job:
    """`proposals` of the seat `proposer` are timed, each made `pause_s` after the table allows it.

    With `spread`, that share of a pause is left to chance. For `gap_s` before each proposal the whole loop sleeps in one
    call, as the asking side of the echo does: for gaps that a poll can't measure. `screen` asks for the full screen, and
    `switch_s` overrides for how long a thread may keep the interpreter from the others there.
    """

    seat: Seat
    proposer: Seat
    proposals: int
    pause_s: float
    synced: bool
    interface: str
    discovery_port: int
    directory: str
    spread: float = 0.0
    gap_s: float = 0.0
    screen: bool = False
    switch_s: float | None = None

    def results(self, seat: Seat) -> Path:
        """Where the times of that side go."""
        return Path(self.directory) / f"times-{seat}.json"

    @property
    def journal(self) -> Path:
        return Path(self.directory) / "journal"

    @property
    def sync(self) -> Sync:
        return Sync.ALWAYS if self.synced else Sync.PROCESS

    def text(self) -> str:
        return json.dumps(asdict(self))


class Beat(NamedTuple):
    """When a beat was proposed (None: not by this side), applied here and told, on the system's one clock, in seconds."""

    number: int
    proposed_s: float | None
    applied_s: float
    told_s: float


class Hand:
    """The player: acts in its turn only. `beats` are all of the match, in order."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._move: Move | None = None
        self._proposed_s = 0.0
        self._proposals = 0
        self._applied_s = 0.0
        self._chance = Random(1)
        self.due_s: float | None = None
        self.beats: list[Beat] = []

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        self._move = None if busy or match.over else self._wish(match)
        self.due_s = None if self._move is None else now_s + self._pause_s()

    def act(self, match: Match, now_s: float) -> Move | None:
        if self._job.gap_s:
            sleep(self._job.gap_s)
        self._proposals += 1
        self._proposed_s = perf_counter()
        return self._move

    def applied(self) -> None:
        self._applied_s = perf_counter()

    def told(self, number: int, own: bool) -> None:
        proposed_s = self._proposed_s if own else None
        self.beats.append(Beat(number, proposed_s, self._applied_s, perf_counter()))

    def _pause_s(self) -> float:
        spread = self._job.spread
        return self._job.pause_s * self._chance.uniform(1 - spread, 1 + spread)

    def _wish(self, match: Match) -> Move | None:
        seat, move = turn_of(match, self._job.proposer)
        if seat != self._job.seat:
            return None
        own_last = seat == self._job.proposer and self._proposals >= self._job.proposals
        return Leave() if own_last else move


class Clocked:
    """The watcher: looks at the clock, then tells whoever would be told without it."""

    def __init__(self, hand: Hand, seat: Seat, told: Observer) -> None:
        self._hand = hand
        self._seat = seat
        self._told = told

    def tell(self, notice: Notice, session: Session) -> None:
        if isinstance(notice, Completed):
            self._hand.told(notice.beat, notice.moves[self._seat] is not None)
        self._told.tell(notice, session)


class ClockedJournal(Journal):
    """The record of a match: looks at the clock once a beat is written."""

    def __init__(self, journal: Journal, hand: Hand) -> None:
        vars(self).update(vars(journal))
        self._hand = hand

    def append(self, entry: Entry, durable: bool) -> None:
        super().append(entry, durable)
        if isinstance(entry, Done):
            self._hand.applied()


def beats_of(job: Job, seat: Seat) -> list[Beat]:
    """What that side has written down."""
    return [Beat(*one) for one in json.loads(job.results(seat).read_text())]


def took_s(job: Job) -> list[float]:
    """Proposal → applied of each beat that the proposer made, in order."""
    beats = beats_of(job, job.proposer)
    return [one.applied_s - one.proposed_s for one in beats if one.proposed_s is not None]


def told_after_s(job: Job) -> list[float]:
    """Proposal → told of the same."""
    beats = beats_of(job, job.proposer)
    return [one.told_s - one.proposed_s for one in beats if one.proposed_s is not None]


def were_alone(job: Job) -> list[bool]:
    """Of the same, whether each was proposed when the other side had the beat before behind it."""
    other_s = {one.number: one.told_s for one in beats_of(job, other(job.proposer))}
    return [
        other_s.get(one.number - 1, 0.0) < one.proposed_s
        for one in beats_of(job, job.proposer)
        if one.proposed_s is not None
    ]


def main(job: Job) -> int:
    """Meet, play, write down the times."""
    if job.screen:
        first = KnockingPage("bench", monotonic())
        return on_screen(lambda desk: _at_the_desk(job, desk), _join_options(job), first)
    with StopSignal() as stop:
        _meet_and_play(job, stop, None)
    return 0


def _at_the_desk(job: Job, desk: Desk) -> int:
    """In the match's own thread."""
    if job.switch_s is not None:
        sys.setswitchinterval(job.switch_s)
    _meet_and_play(job, desk.inbox, desk)
    return 0


def _meet_and_play(job: Job, orders: Controls, desk: Desk | None) -> None:
    with zmq_context() as context:
        if job.seat == 0:
            _host(job, context, orders, desk)
        else:
            _join(job, context, orders, desk)


def _host(job: Job, context: Context, orders: Controls, desk: Desk | None) -> None:
    options = HostOptions(
        interface=job.interface,
        discovery_port=job.discovery_port,
        sync=job.sync,
        journal=job.journal,
        settings=Settings(games=GAMES),
    )
    hosting = OpenTable(context, new_keypair(), "bench", options, monotonic())
    seated = _hosted(hosting)
    calling = LostCaller(hosting.announcer, seated.session)
    table = _Table(seated, hosting.seated_link(), calling, options)
    _play(job, table, orders, desk)


def _join(job: Job, context: Context, orders: Controls, desk: Desk | None) -> None:
    options = _join_options(job)
    knocking = _knocking(context, options)
    seated = _joined(knocking)
    table, port = knocking.table, job.discovery_port
    place = (table.address, table.port)
    listening = HostFinder(knocking.link, seated.session, table.key, place, job.interface, port)
    _play(job, _Table(seated, knocking.link, listening, options), orders, desk)


def _join_options(job: Job) -> JoinOptions:
    return JoinOptions(
        interface=job.interface,
        discovery_port=job.discovery_port,
        sync=job.sync,
        journal=job.journal,
    )


class _Table(NamedTuple):
    """Where this side sits."""

    seated: Seated
    link: Link
    companion: Companion
    options: PlayOptions


def _play(job: Job, table: _Table, orders: Controls, desk: Desk | None) -> None:
    seated = table.seated
    hand = Hand(job)
    match = open_match(seated, table.options)
    with match.journal as journal:
        playing = MatchLoop(
            session=match.session,
            link=table.link,
            journal=ClockedJournal(journal, hand),
            player=hand,
            watcher=Clocked(hand, job.seat, _watcher(seated, journal, desk)),
            companion=table.companion,
            orders=orders,
            claims=False,
        )
        playing.run()
    job.results(job.seat).write_text(json.dumps(hand.beats))


def _watcher(seated: Seated, journal: Journal, desk: Desk | None) -> Observer:
    """Who is told of a match here: lines, or the page that is now on the screen."""
    if desk is None:
        return Lines(journal.path, {})
    match, words = new_match(seated.settings), fingerprint(seated.session)
    page = TablePage(seated.seat, seated.names, match, words, monotonic())
    desk.show(page)
    return Reporter(desk, page)


def _hosted(hosting: OpenTable) -> Seated:
    waiter, until_s = Loop(), monotonic() + MEET_S
    while (now_s := monotonic()) < until_s:
        if (seated := hosting.step(now_s)) is not None:
            return seated
        waiter.wait(hosting.sources, until_s, now_s)
    raise Trouble("nobody sat down")


def _knocking(context: Context, options: JoinOptions) -> SeatRequest:
    searching = TableSearch(options.interface, options.discovery_port, None, monotonic())
    waiter, until_s = Loop(), monotonic() + MEET_S
    try:
        while (now_s := monotonic()) < until_s:
            searching.step(now_s)
            if (table := choose(searching.tables(now_s), None)) is not None:
                return SeatRequest(context, new_keypair(), "bench", table, options, now_s)
            waiter.wait(searching.sources, until_s, now_s)
    finally:
        searching.close()
    raise Trouble("no table found")


def _joined(knocking: SeatRequest) -> Seated:
    waiter, until_s = Loop(), monotonic() + MEET_S
    while (now_s := monotonic()) < until_s:
        answer = knocking.step(now_s)
        if isinstance(answer, Seated):
            return answer
        waiter.wait(knocking.sources, until_s, now_s)
    raise Trouble("not seated")


if __name__ == "__main__":
    sys.exit(main(Job(**json.loads(sys.argv[1]))))
