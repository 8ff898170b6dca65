"""Looking on at a match: a link to the host's gallery, by which its record comes piece by piece and is checked.

What belongs here: asking, checking, what is new, finding a host again that is away. What must not: finding a table at first,
showing (watch). Nothing but questions is ever sent, so nothing here can change a match.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from spitnet.app.options import NetworkOptions
from spitnet.app.spectate.absence import JoinerAbsence
from spitnet.exits import ExitCode, Failure
from spitnet.journal.file_format import Damaged, Entry, NewerFormat
from spitnet.journal.live import Incoming
from spitnet.journal.replay import Broken, Replay
from spitnet.language import gettext as _
from spitnet.net.beacon import TableState
from spitnet.net.finder import Finder, Place
from spitnet.net.interfaces import address_of, source_of
from spitnet.net.join_link import JoinLink
from spitnet.net.link import Down, Failed, Received, Refused, Up, new_keypair
from spitnet.net.names import shown_name
from spitnet.net.socket_options import Context
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.protocol.entries import Ended
from spitnet.protocol.messages import Malformed, Refuse
from spitnet.protocol.messages import Rejection as Reason
from spitnet.protocol.notices import Completed
from spitnet.protocol.spectator import Piece, Watch, decode, encode

AGAIN_S: Final = 2.0
"""A question that isn't answered is asked again: it may be lost, and whoever is silent for long loses the seat."""

TRY_S: Final = 1.5
"""How long one place is tried where a host may be that was away."""

SILENT_S: Final = 3.0
"""After so long without a match it is said that nothing comes."""

QUIET_S: Final = 10.0
"""After so long without anything new it is asked for what must be there: a match that stands still has no other sign of life."""

ANSWER_S: Final = 6.0
"""How long the answer to that may take. The process that gives it is the least urgent one of a busy machine."""


class Untrue(Exception):
    """What the host sent is no record of a match at its table; `beat` is the last one that holds."""

    def __init__(self, why: str, beat: int) -> None:
        super().__init__(f"{why} after beat {beat}")
        self.why = why
        self.beat = beat


class Began(NamedTuple):
    """Another match: its first entry has come."""

    replay: Replay


class Passed(NamedTuple):
    """Beats that hold, in order, up to the newest that there is."""

    beats: tuple[Completed, ...]


class Over(NamedTuple):
    """The match has ended, as its host wrote it down."""

    ended: Ended


@dataclass(frozen=True, slots=True)
class Silent:
    """The host is there, and nothing of a match has come for a while."""


@dataclass(frozen=True, slots=True)
class Away:
    """The host can't be reached."""


@dataclass(frozen=True, slots=True)
class Here:
    """It can be again."""


@dataclass(frozen=True, slots=True)
class HostGone:
    """It couldn't for so long that it isn't tried any more."""


@dataclass(frozen=True, slots=True)
class JoinerAway:
    """The host can't reach its joiner, it says."""


@dataclass(frozen=True, slots=True)
class JoinerBack:
    """It has stopped saying so, or something was played."""


News: TypeAlias = Began | Passed | Over | Silent | Away | Here | HostGone | JoinerAway | JoinerBack


class SpectatorClient:
    """Call `step` whenever one of `sources` may have something, until it has told of `HostGone`."""

    def __init__(
        self,
        context: Context,
        table: Table,
        options: NetworkOptions,
        patience_s: float,
        begins_within_s: float | None,
        now_s: float,
    ) -> None:
        """`patience_s`: how long a host that is away is looked for; `begins_within_s`: how long a match may take to begin.

        Raises:
            NetError: there is no way to that address.
        """
        self._table = table
        self._options = options
        self._patience_s = patience_s
        self._place: Place = (table.address, table.watch_port or table.port)
        source = address_of(options.interface)
        self._link = JoinLink(context, new_keypair(), table.key, *self._place, source)
        self._finder: Finder | None = None
        self._missed = JoinerAbsence(table.key, options.interface, options.discovery_port)
        self._joiner_is_away = False
        self._goes_on = False
        self._session: bytes | None = None
        self._incoming = Incoming()
        self._replay: Replay | None = None
        self._fresh: list[Completed] = []
        self._untrue: Untrue | None = None
        self._away_s: float | None = now_s
        self._was_here = False
        self._ask_at_s = now_s + AGAIN_S
        self._try_at_s = now_s + TRY_S
        self._heard_s = now_s
        self._doubt_s: float | None = None  # since when a sign of life is waited for
        self._say_silent_s: float | None = now_s + SILENT_S
        self._begins_within_s = begins_within_s
        self._begins_by_s = None if begins_within_s is None else now_s + begins_within_s

    @property
    def sources(self) -> tuple["JoinLink | Finder | JoinerAbsence | SpectatorClient", ...]:
        """What to wait for."""
        finder = () if self._finder is None else (self._finder,)
        return (self._link, *finder, self._missed, self)

    @property
    def sockets(self) -> tuple[object, ...]:
        return ()

    @property
    def beat(self) -> int:
        """The last one that holds."""
        return 0 if self._replay is None else self._replay.beat

    def next_deadline_s(self) -> float | None:
        """When to ask again, or to stop trying."""
        if self._untrue is not None:
            return 0.0
        if self._away_s is None:
            times = (self._ask_at_s, self._begins_by_s, self._say_silent_s)
            return min(at for at in times if at is not None)
        given_up_s = self._away_s + self._patience_s
        return given_up_s if self._finder is None else min(self._try_at_s, given_up_s)

    def step(self, now_s: float) -> list[News]:
        """What is new.

        Raises:
            Untrue: the host sent what doesn't hold; all that does was told the time before.
            Failure: the table lets nobody else look on, or no match has begun there in time.
        """
        if self._untrue is not None:
            raise self._untrue
        news: list[News] = []
        for event in self._link.events(now_s):
            match event:
                case Up():
                    self._arrive(news, now_s)
                case Received(_, frame):
                    self._hear(frame, news, now_s)
                case Down() | Failed() if self._away_s is None:
                    self._lose(news, now_s)
                case Down():
                    self._try_at_s = now_s + TRY_S
                case Refused():
                    raise turned_away(Reason.BUSY)
        if self._away_s is not None:
            self._look(news, now_s)
        elif self._session is None:
            self._wait_for_a_match(news, now_s)
        elif self._doubt_s is not None and now_s >= self._doubt_s + ANSWER_S:
            self._lose(news, now_s)  # the link stands, and nobody answers by it
        elif now_s >= self._ask_at_s:
            self._ask(now_s)
        self._mind_the_joiner(news, now_s)
        return news

    def close(self) -> None:
        self._stop_looking()
        self._missed.forget()
        self._link.close()

    # The way to the host.

    def _arrive(self, news: list[News], now_s: float) -> None:
        """The link stands. During a match that is not enough: something has to come by it."""
        if self._session is None:
            self._settle(news)
        self._try_at_s = now_s + ANSWER_S
        self._ask(now_s)

    def _settle(self, news: list[News]) -> None:
        """The host is there."""
        if self._away_s is None:
            return
        self._away_s = None
        self._stop_looking()
        if self._was_here:
            news.append(Here())
        self._was_here = True

    def _wait_for_a_match(self, news: list[News], now_s: float) -> None:
        """Nobody has to answer before there is one. Raises Failure: it takes too long."""
        if self._begins_by_s is not None and now_s >= self._begins_by_s:
            raise no_match(self._table, self._begins_within_s)
        if self._say_silent_s is not None and now_s >= self._say_silent_s:
            self._say_silent_s = None
            news.append(Silent())
        if now_s >= self._ask_at_s:
            self._ask(now_s)

    def _lose(self, news: list[News], now_s: float) -> None:
        self._doubt_s = None
        self._away_s = now_s
        self._try_at_s = now_s + TRY_S
        news.append(Away())

    def _look(self, news: list[News], now_s: float) -> None:
        """The host may come back at another address or port; libzmq tries the old one by itself."""
        if self._away_s is not None and now_s >= self._away_s + self._patience_s:
            self._stop_looking()
            news.append(HostGone())
            return
        if self._finder is None and self._was_here:
            only, port = self._options.interface, self._options.discovery_port
            self._finder = Finder(VERSION, now_s, only=only, discovery_port=port)
            self._finder.ask(self._table.address, self._table.port, now_s)
        if self._finder is not None:
            self._finder.poll(now_s)
            self._finder.drain(now_s)
            if now_s >= self._try_at_s:
                self._try_at_s = now_s + TRY_S
                place = self._next_place(self._finder, now_s)
                self._link.redirect(*place, source_of(self._options.interface))

    def _next_place(self, finder: Finder, now_s: float) -> Place:
        """Where to try: in turn, for anybody can forge a beacon, and only CURVE proves the key."""
        heard = (*finder.tables(now_s), *finder.answers())
        places = [
            (table.address, table.watch_port)
            for table in heard
            if table.key == self._table.key and table.watch_port is not None
        ]
        if places:
            after = places.index(self._place) + 1 if self._place in places else 0
            self._place = places[after % len(places)]
        return self._place

    def _stop_looking(self) -> None:
        if self._finder is not None:
            self._finder.close()
            self._finder = None

    def _ask(self, now_s: float) -> None:
        """For what comes next; after a silence for the record's beginning, which can be given at once."""
        if self._untrue is not None:
            return
        if self._doubt_s is None and now_s >= self._heard_s + QUIET_S:
            self._doubt_s = now_s
        is_sure = self._away_s is None and self._doubt_s is None
        offset = self._incoming.received if is_sure else 0
        self._link.send(encode(Watch(VERSION, self._session, offset)))
        self._ask_at_s = now_s + AGAIN_S

    # Who plays.

    def _mind_the_joiner(self, news: list[News], now_s: float) -> None:
        """Says whether it is away, once; while the host is, nobody knows."""
        kinds = {type(one) for one in news}
        if self._away_s is not None or self._session is None or not self._goes_on:
            self._missed.forget()
        elif kinds & {Began, Passed, Here}:
            self._missed.played(self._session, now_s)
        self._missed.step(now_s)
        if kinds & {Began, Over, Away}:
            self._joiner_is_away = False
        if bool(self._missed) is not self._joiner_is_away:
            self._joiner_is_away = bool(self._missed)
            news.append(JoinerAway() if self._joiner_is_away else JoinerBack())

    # What comes.

    def _hear(self, frame: bytes, news: list[News], now_s: float) -> None:
        """A frame that is none of ours, or that answers no question of ours, is passed over."""
        try:
            message = decode(frame)
        except Malformed:
            return
        match message:
            case Refuse(_, reason):
                raise turned_away(reason)
            case Piece(session, 0) if session != self._session:
                self._session, self._incoming, self._replay = session, Incoming(), None
                self._begins_by_s = self._say_silent_s = None
                self._answered(message, news, now_s)
            case Piece(self._session, self._incoming.received):
                self._answered(message, news, now_s)
            case Piece(self._session, 0):  # known already: a sign of life
                self._answered(None, news, now_s)

    def _answered(self, piece: Piece | None, news: list[News], now_s: float) -> None:
        self._settle(news)
        self._heard_s, self._doubt_s = now_s, None
        if piece is not None:
            self._take(piece, news)
        self._ask(now_s)

    def _take(self, piece: Piece, news: list[News]) -> None:
        """Takes in what was asked for. Behind what doesn't hold nothing is asked for."""
        try:
            for entry, _offset in self._incoming.take(piece.data):
                self._read(entry, news)
        except Untrue as untrue:
            self._untrue = untrue
        except Broken as broken:
            self._untrue = Untrue(broken.flaw.value, self.beat)
        except (Damaged, NewerFormat):
            self._untrue = Untrue("damaged_entry", self.beat)
        if self._untrue is not None or piece.offset + len(piece.data) == piece.size:
            self._hand_over(news)

    def _read(self, entry: Entry, news: list[News]) -> None:
        """One entry, which must follow from those before."""
        if self._replay is None:
            self._replay = self._begun(entry)
            news.append(Began(self._replay))
            self._goes_on = True
            return
        beat = self._replay.take(entry)
        if beat is not None:
            self._fresh.append(beat)
        if isinstance(entry, Ended):
            self._hand_over(news)
            news.append(Over(entry))
            self._goes_on = False

    def _begun(self, entry: Entry) -> Replay:
        """The match as its first entry tells it: one of this host's, that both players knew may be watched.

        Raises:
            Untrue: it is another.
        """
        replay = Replay(entry)
        is_ours = replay.opened.origin.host_key == self._table.key and replay.seat == 0
        if not is_ours or replay.session != self._session:
            raise Untrue("another_match", 0)
        if not replay.match.settings.watchable:
            raise Untrue("not_watchable", 0)
        return replay

    def _hand_over(self, news: list[News]) -> None:
        if self._fresh:
            news.append(Passed(tuple(self._fresh)))
            self._fresh = []


def no_match(table: Table, within_s: float | None) -> Failure:
    """Whoever waited for one to begin there has waited long enough."""
    if table.state is TableState.PLAYING:
        text = _("the table “{name}” doesn’t answer any more")
        message, word = text.format(name=shown_name(table.name)), "silent"
    else:
        text = _("no match has begun at the table “{name}” within {seconds:g} s")
        message, word = text.format(name=shown_name(table.name), seconds=within_s), "nobody"
    return Failure(ExitCode.NOBODY, message, word)


def turned_away(reason: Reason) -> Failure:
    """Why nobody else may look on, in words."""
    if reason is Reason.VERSION:
        text = _("the table speaks another protocol version")
    else:
        text = _("this table has no room for another spectator")
    return Failure(ExitCode.REFUSED, text, reason.value)
