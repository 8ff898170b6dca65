"""A match with a person at this seat: the loop of `playing` in its own thread, the page on the desk.

After a match that came to its end the two may agree on another, on the same link. What must not be here: how the
seat was found (host, join), drawing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spitnet.app import newcomer
from spitnet.app.clock import monotonic
from spitnet.app.console.desk import Desk
from spitnet.app.loop import LINGER_MS
from spitnet.app.match import reminder
from spitnet.app.match.match_loop import Companion, Link, MatchLoop, say
from spitnet.app.match.opening import OpenMatch, open_match
from spitnet.app.options import PlayOptions
from spitnet.core.cards import Seat, other
from spitnet.core.moves import Deal, Move
from spitnet.core.state import Match, new_match
from spitnet.exits import ExitCode
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.protocol.entries import Ended
from spitnet.protocol.handshake import Seated, fingerprint
from spitnet.protocol.lockstep import Send
from spitnet.protocol.notices import Ahead, Notice, PeerLost
from spitnet.protocol.session import Session
from spitnet.ui.pages.table_page import Command, TablePage
from spitnet.ui.scene import Claims, LinkQuality


class Person:
    """At this seat nobody acts by the clock, but for the host's first deal: wishes come through the desk."""

    def __init__(self, seat: int) -> None:
        self.due_s: float | None = None
        self._deals = seat == 0

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        """A person looks at the screen."""
        first = self._deals and match.game is None and not busy and not match.over
        self.due_s = now_s if first else None

    def act(self, match: Match, now_s: float) -> Move | None:
        self.due_s = None
        return Deal()


class Reporter:
    """Passes everything that happens to the page on the desk."""

    def __init__(self, desk: Desk, page: TablePage) -> None:
        self._desk = desk
        self._page = page

    def tell(self, notice: Notice, session: Session) -> None:
        now_s = monotonic()
        pace, claims = _pace(session), _claims(session, now_s)

        def show() -> tuple[Command, ...]:
            self._page.pace(pace)
            self._page.claims(claims)
            wishes = self._page.tell(notice, now_s)
            return tuple(wish for wish in wishes if isinstance(wish, Command))

        self._desk.post(show)


class GuestReporter(Reporter):
    """The same against a guest of one's own, which leaves after each match and can always be fetched anew."""

    def tell(self, notice: Notice, session: Session) -> None:
        if not isinstance(notice, Ahead):
            super().tell(notice, session)


class OnceMore(Exception):
    """A rematch is wanted, against a guest that has to be fetched anew."""


@dataclass(frozen=True)
class MatchSeries:
    """Where a person sits, for as many matches as the two want to play.

    `fetches_guest`: the opponent is this run's own: it claims nothing, and leaves after each match; `OnceMore` asks for
    another.
    """

    first: OpenMatch
    link: Link
    companion: Callable[[OpenMatch], Companion]
    options: PlayOptions
    desk: Desk
    fetches_guest: bool = False

    @property
    def seated(self) -> Seated:
        return self.first.seated

    def play(self) -> int:
        """Matches until the person leaves; the exit code."""
        match = self.first
        while True:
            ended = self._match(match)
            agreed = match.session.agreed
            if self.desk.inbox.wants_out or agreed is None:
                return self._leave(match, ended)
            nonces, said = agreed
            match = open_match(self.seated, self.options, (*match.rematches, nonces), said)

    def _stays(self, session: Session) -> bool:
        """Until both want another match; a guest of one's own needn't be asked."""
        return not session.wants_rematch if self.fetches_guest else session.agreed is None

    def _page(self, match: OpenMatch) -> TablePage:
        """The page of a match, with what was played of it already."""
        host, joiner = (shown_name(name) for name in self.seated.names)
        begun = new_match(self.seated.settings)
        page = TablePage(
            self.seated.seat,
            (host, joiner),
            begun,
            fingerprint(match.session.id),
            monotonic(),
            lessons=newcomer.wants_lessons(self.options),
            claimed_against=not self.fetches_guest,
        )
        page.recall(match.past, monotonic())
        if match.session.frozen:  # taken up again: nobody is there yet
            page.tell(PeerLost(match.session.beat, on_purpose=False), monotonic())
        self.desk.show(page)
        return page

    def _match(self, match: OpenMatch) -> Ended | None:
        """One match, and how it ended; None where the person left it without conceding.

        Raises:
            OnceMore: its guest is wanted once more.
        """
        session, page, companion = match.session, self._page(match), self.companion(match)
        reporter = (GuestReporter if self.fetches_guest else Reporter)(self.desk, page)
        try:
            with match.journal as journal:
                ended = MatchLoop(
                    session=session,
                    link=self.link,
                    journal=journal,
                    player=Person(self.seated.seat),
                    watcher=reporter,
                    companion=companion,
                    orders=self.desk.inbox,
                    claims=False,
                    stays=self._stays,
                ).run()
        finally:
            companion.close()
        newcomer.has_played(session.match)
        self.desk.last_words.append(self._account(session.match, ended, match.journal.path))
        if ended is None and not session.match.over:
            peer = self.seated.names[1 - self.seated.seat]
            self.desk.last_words.append(reminder.said(peer, self.options))
        if self.fetches_guest and session.wants_rematch:
            self.link.close(0)
            raise OnceMore
        return ended

    def _account(self, match: Match, ended: Ended | None, record: Path) -> str:
        """What is left of a match once the screen is gone: its score, and where its record lies.

        And who has won, where another has as many games or more: who left, or was claimed against, has lost the match,
        and so has who broke it off.
        """
        names = tuple(shown_name(name) for name in self.seated.names)
        winner = _winner(match, ended, self.seated.seat)
        if winner is None or match.wins[winner] > match.wins[other(winner)]:
            text, name = _("{host} {wins}:{losses} {joiner}. The record: {file}"), ""
        else:
            text, name = (
                _("{host} {wins}:{losses} {joiner}; the match goes to {name}. The record: {file}"),
                names[winner],
            )
        host, joiner = names
        return text.format(
            host=host,
            wins=match.wins[0],
            losses=match.wins[1],
            joiner=joiner,
            name=name,
            file=record,
        )

    def _leave(self, match: OpenMatch, ended: Ended | None) -> int:
        """Says goodbye, closes; the exit code."""
        self.desk.close()  # the rest takes a while, and what is typed meanwhile is for the shell
        match.session.leave()
        for effect in match.session.take_effects():
            if isinstance(effect, Send):
                say(self.link, effect.message)
        self.link.close(LINGER_MS)
        return _exit_code(ended)


def _winner(match: Match, ended: Ended | None, seat: Seat) -> Seat | None:
    """Who has won the match, however it ended; None while nobody has."""
    if match.result is not None:
        return match.result.winner
    return None if ended is None else ended.winner(seat)


def _pace(session: Session) -> LinkQuality:
    pace = session.pace
    return LinkQuality(
        None if pace.ping_s is None else pace.ping_s * 1000,
        None if pace.reply_s is None else pace.reply_s * 1000,
        pace.late_crossings,
        pace.slow_replies,
        session.stops.count,
        None if pace.least_s is None else pace.least_s * 1000,
        pace.lags,
    )


def _claims(session: Session, now_s: float) -> Claims:
    own_s, theirs_s = session.grace_left_s(now_s), session.peers_grace_left_s(now_s)
    return Claims(
        None if own_s is None else now_s + own_s,
        None if theirs_s is None else now_s + theirs_s,
        session.is_short,
    )


def _exit_code(ended: Ended | None) -> int:
    match ended:
        case None:
            return ExitCode.INTERRUPTED
        case Ended(how="over"):
            return ExitCode.DONE
        case Ended(how="violation" | "accused"):
            return ExitCode.VIOLATION
        case _:
            return ExitCode.OPPONENT_GONE
