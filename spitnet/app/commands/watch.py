"""`spitnet watch`: finds a table at which others may look on, and shows the match as it is played.

What belongs here: which table, the three ways of showing, what the run comes to. What must not: how the match comes and is
checked (spectating), what a beat looks like (ui).
"""

import sys
from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from spitnet.app import log
from spitnet.app.clock import monotonic
from spitnet.app.console import json_lines, screen_run
from spitnet.app.console.desk import Desk
from spitnet.app.loop import Loop, zmq_context
from spitnet.app.match.match_loop import Controls
from spitnet.app.options import WatchOptions
from spitnet.app.seat import rejections
from spitnet.app.seat.search import LOOK_S, TableSearch, named
from spitnet.app.seat.table_list import TableChoice
from spitnet.app.spectate import outcomes
from spitnet.app.spectate.client import (
    Away,
    Began,
    Here,
    HostGone,
    JoinerAway,
    JoinerBack,
    News,
    Over,
    Passed,
    Silent,
    SpectatorClient,
    Untrue,
)
from spitnet.app.spectate.live_page import LivePage, follower_of
from spitnet.app.stop_signal import StopSignal
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.journal.json_story import Line, told
from spitnet.journal.replay import Replay
from spitnet.net.beacon import TableState
from spitnet.net.errors import NetError
from spitnet.net.link import require_curve
from spitnet.net.names import shown_name
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.handshake import fingerprint
from spitnet.ui.keys.playback_keys import PlaybackKeys
from spitnet.ui.lines import follow_narrator
from spitnet.ui.lines.narrator import Narrator
from spitnet.ui.pages.follow_page import FollowPage
from spitnet.ui.pages.lobby_pages import KnockingPage, LookingPage, Sit
from spitnet.ui.scene import ListedTable

AWAY_S: Final = 60.0
"""How long a host that is away is looked for while a person waits."""

Listener = Callable[[News], int | None]
"""Is told what is new; the exit code if that is enough."""


class _Found(NamedTuple):
    """The tables that may be watched; the only one, once another would have been heard; whether others had time to answer,
    too; what stands in the way, in words; whether that is that this machine has no network.
    """

    tables: tuple[Table, ...]
    only: Table | None
    settled: bool
    trouble: str
    offline: bool = False


Choice = Callable[[_Found], Table | None]
"""Is told what is found, again and again; the table to look on at, once there is one."""


def run(options: WatchOptions) -> int:
    """The exit code.

    Raises:
        Failure: nothing is there to look on at, the host is gone, or what it sent doesn't hold.
    """
    log.start(options)
    try:
        require_curve()
        if options.headless:
            with json_lines.errors():
                return _told(options, _first, _Lines())
        page = _looking(options)
        if not screen_run.is_terminal():
            sentences = _Sentences(page)
            return _told(options, sentences.choose, sentences)
        manner = screen_run.DisplayOptions(
            PlaybackKeys(),
            plain=options.plain,
            ascii=options.ascii,
            no_color=options.no_color,
            ranks=options.ranks,
        )
        return screen_run.shown(lambda desk: _at_the_desk(options, desk, page), manner, page)
    except NetError as error:
        raise UsageFailure(str(error)) from None


def _looking(options: WatchOptions) -> LookingPage:
    return LookingPage(monotonic(), looking_on=True, asked=rejections.written(options.address))


def _waiting_at(table: Table) -> KnockingPage:
    return KnockingPage(table.name, monotonic(), looking_on=True, settings=table.settings)


def _begins_within_s(table: Table, options: WatchOptions) -> float | None:
    """How long to wait there for a match. One that is played comes at once; who opened a table may wait for long."""
    if options.timeout_s is None and table.state is TableState.PLAYING:
        return AWAY_S
    return options.timeout_s


# Without a person at a screen.


def _told(options: WatchOptions, choose: Choice, tell: Listener) -> int:
    """One match, told as it is played."""
    patience_s = AWAY_S if options.timeout_s is None else options.timeout_s
    with StopSignal() as stop:
        table = _find(options, stop, choose)
        if table is None:
            return ExitCode.INTERRUPTED
        with zmq_context() as context:
            begins_s = _begins_within_s(table, options)
            spectating = SpectatorClient(context, table, options, patience_s, begins_s, monotonic())
            try:
                return _watch(spectating, stop, tell)
            except Untrue as error:
                raise outcomes.untrue(error) from None
            finally:
                spectating.close()


def _watch(spectating: SpectatorClient, orders: Controls, tell: Listener) -> int:
    waiter = Loop()
    while not orders.wants_out:
        now_s = monotonic()
        for news in spectating.step(now_s):
            code = tell(news)
            if code is not None:
                return code
        waiter.wait((*spectating.sources, orders), None, now_s)
    return ExitCode.INTERRUPTED


class _Lines:
    """Tells a match as lines for programs; the same as its players print."""

    def __call__(self, news: News) -> int | None:
        match news:
            case Began(replay):
                json_lines.write(_watching(replay))
            case Passed(beats):
                json_lines.write(*(line for beat in beats for line in told(beat)))
            case Away():
                json_lines.write({"event": "host_lost"})
            case Here():
                json_lines.write({"event": "host_back"})
            case JoinerAway():
                json_lines.write({"event": "joiner_lost"})
            case JoinerBack():
                json_lines.write({"event": "joiner_back"})
            case Over(ended):
                return outcomes.code_of(ended)
            case HostGone():
                raise outcomes.gone()
        return None


def _watching(replay: Replay) -> Line:
    host, joiner = (shown_name(name) for name in replay.names)
    session = replay.session
    return {
        "event": "watching",
        "names": [host, joiner],
        "session": session.hex(),
        "fingerprint": fingerprint(session),
    }


class _Sentences:
    """Tells a match in lines for people, into a pipe or a file; no key is needed, and what is waited for is said."""

    def __init__(self, page: LookingPage) -> None:
        self._looking = page
        self._page: LookingPage | KnockingPage = page
        self._waiting = Narrator(PlaybackKeys().labels())
        self._follower: FollowPage | None = None
        self._names = ("", "")

    def choose(self, found: _Found) -> Table | None:
        """The first table; nobody is there to choose another."""
        now_s = monotonic()
        self._looking.tables((), found.trouble, offline=found.offline)
        _print(*self._waiting.news(self._looking.scene(now_s)))
        table = _first(found)
        if table is not None:
            self._page = _waiting_at(table)
            _print(*self._waiting.news(self._page.scene(now_s)))
        return table

    def __call__(self, news: News) -> int | None:
        match news:
            case Began(replay):
                self._follower, self._names = follower_of(replay), replay.names
                _print(*follow_narrator.head(self._follower.scene(0.0)))
            case Passed(beats) if self._follower is not None:
                self._follower.take(beats, 0.0)
                scene = self._follower.scene(0.0)
                _print(*follow_narrator.beats(scene, scene.moments[-len(beats) :]))
            case Silent():
                _print(*self._waiting.news(self._page.scene(monotonic())))
            case Over(ended):
                _print(outcomes.ending(ended, self._names))
                return outcomes.code_of(ended)
            case Away():
                _print(outcomes.away())
            case Here():
                _print(outcomes.back(self._names[0]))
            case JoinerAway():
                _print(outcomes.joiner_away(self._names[1]))
            case JoinerBack():
                _print(outcomes.back(self._names[1]))
            case HostGone():
                raise outcomes.gone()
        return None


def _print(*sentences: str) -> None:
    for sentence in sentences:
        print(sentence)
    sys.stdout.flush()


# At a screen.


def _at_the_desk(options: WatchOptions, desk: Desk, page: LookingPage) -> int:
    """Matches at one table until the person leaves."""
    table = _find(options, desk.inbox, lambda found: _chosen(found, desk, page))
    if table is None:
        return desk.left_code
    desk.show(_waiting_at(table))
    with zmq_context() as context:
        begins_s = _begins_within_s(table, options)
        spectating = SpectatorClient(context, table, options, AWAY_S, begins_s, monotonic())
        try:
            return LivePage(spectating, desk).run()
        finally:
            spectating.close()


def _chosen(found: _Found, desk: Desk, page: LookingPage) -> Table | None:
    """The table that the person chose, or the only one there is."""
    entries = tuple(map(_entry, found.tables))
    desk.post(partial(page.tables, entries, found.trouble, offline=found.offline))
    places = {wish.entry.address for wish in desk.inbox.take() if isinstance(wish, Sit)}
    both = zip(found.tables, entries, strict=True)
    return next((one for one, entry in both if entry.address in places), found.only)


def _entry(table: Table) -> ListedTable:
    place = f"{table.address}:{table.port}"
    usable = table.version == VERSION
    return ListedTable(table.name, place, usable, False, table.version, settings=table.settings)


# Which table.


def _find(options: WatchOptions, orders: Controls, choose: Choice) -> Table | None:
    """The table to look on at; None if asked to stop first.

    Raises:
        Failure: none in time, or the one that was asked for lets nobody look on.
    """
    until_s = None if options.timeout_s is None else monotonic() + options.timeout_s
    silent_s = monotonic() + rejections.SILENT_S
    searching = TableSearch(options.interface, options.discovery_port, options.address, monotonic())
    look_s = LOOK_S if options.address is None else 0.0
    listing = TableChoice(options.table, look_s, _is_watchable)
    waiter = Loop()
    try:
        while not orders.wants_out:
            now_s = monotonic()
            searching.step(now_s)
            known = searching.tables(now_s)
            listing.take(known)
            watchable = tuple(one for one in listing.tables if _is_watchable(one))
            if listing.tables and options.address is not None and not watchable:
                raise outcomes.not_allowed(listing.tables[0])
            trouble = _trouble(listing, searching, options, now_s >= silent_s)
            only, settled = listing.only(now_s), searching.settled(now_s)
            offline = bool(searching.offline)
            table = choose(_Found(watchable, only, settled, trouble, offline))
            if table is not None:
                return table
            if until_s is not None and now_s >= until_s:
                raise _in_vain(known, searching, options)
            due_s = listing.only_at_s or searching.settles_at_s(now_s) or until_s
            waiter.wait((*searching.sources, orders), due_s, now_s)
    finally:
        searching.close()
    return None


def _trouble(
    listing: TableChoice, searching: TableSearch, options: WatchOptions, silent: bool
) -> str:
    """What stands in the way, as far as this side knows; `silent`: who was asked has had the time to answer."""
    named_ones = listing.tables if options.table is not None else ()
    if silent and named_ones and not any(map(_is_watchable, named_ones)):
        return outcomes.sentence(outcomes.not_allowed(named_ones[0]))
    return rejections.trouble(listing, searching, options, silent)


def _in_vain(known: tuple[Table, ...], searching: TableSearch, options: WatchOptions) -> Failure:
    """The time is up, and none of the tables that are known now will do."""
    if searching.offline and not known:
        return Failure(ExitCode.NOBODY, rejections.offline(searching), "nobody")
    if options.address is not None and not known:
        return Failure(ExitCode.NOBODY, rejections.no_answer(options.address), "nobody")
    if options.table is None or not known:
        return outcomes.nothing()
    wanted = named(known, options.table)
    if wanted:
        return outcomes.not_allowed(wanted[0])
    return Failure(ExitCode.NOBODY, rejections.other_names(options.table, known), "nobody")


def _first(found: _Found) -> Table | None:
    return found.tables[0] if found.settled and found.tables else None


def _is_watchable(table: Table) -> bool:
    return table.version == VERSION and table.watch_port is not None
