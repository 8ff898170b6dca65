"""A match of others on the screen, kept up to date while it is played, and the next one after it.

What belongs here: what the page on the desk is told. What must not: which table it is (watch), how the match comes
(spectating).
"""

from spitnet.app.clock import monotonic
from spitnet.app.console.desk import Desk
from spitnet.app.loop import Loop
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
    SpectatorClient,
    Untrue,
)
from spitnet.exits import ExitCode, Failure
from spitnet.journal.replay import Replay
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.ui.pages.follow_page import FollowPage
from spitnet.ui.pages.table_page import Command


def follower_of(replay: Replay) -> FollowPage:
    """A page for a match that is played now, from behind its host."""
    host, joiner = (shown_name(name) for name in replay.names)
    return FollowPage(replay.seat, (host, joiner), replay.match, "", live=True)


class LivePage:
    """Keeps the page on the desk up to date. It stays when nothing more comes, until the person leaves."""

    def __init__(self, spectating: SpectatorClient, desk: Desk) -> None:
        self._spectating = spectating
        self._desk = desk
        self._follower: FollowPage | None = None
        self._next: FollowPage | None = None
        self._names = ("", "")
        self._failure: Failure | None = None
        self._is_over = False
        self._follows = True

    def run(self) -> int:
        """The exit code.

        Raises:
            Failure: what the host sent doesn't hold, it is gone, or it lets nobody else look on.
        """
        waiter = Loop()
        while not self._desk.inbox.wants_out:
            now_s = monotonic()
            if self._follows:
                self._step(now_s)
            if Command.REMATCH in self._desk.inbox.take() and self._next is not None:
                self._turn(self._next)
            sources = self._spectating.sources if self._follows else ()
            waiter.wait((self._desk.inbox, *sources), None, now_s)
        if self._failure is not None:
            raise self._failure
        return ExitCode.DONE if self._is_over else self._desk.left_code

    def _step(self, now_s: float) -> None:
        try:
            for news in self._spectating.step(now_s):
                self._tell(news)
        except Untrue as error:
            self._fail(outcomes.untrue(error))
        except Failure as failure:
            self._fail(failure)

    def _tell(self, news: News) -> None:
        follower = self._next or self._follower
        match news:
            case Began(replay):
                self._begin(replay)
            case Passed(beats) if follower is not None:
                self._desk.post(lambda: follower.take(beats, monotonic()))
            case Over(ended):
                self._is_over = True
                self._trouble("")
                self._close(
                    outcomes.ending(ended, self._names), broken=ended.how in outcomes.QUARRELS
                )
            case Away() if not self._is_over:
                self._trouble(outcomes.away())
            case Here() if not self._is_over:
                self._say(outcomes.back(self._names[0]))
            case JoinerAway():
                self._trouble(outcomes.joiner_away(self._names[1]))
            case JoinerBack():
                self._say(outcomes.back(self._names[1]))
            case HostGone():
                self._give_up()

    def _begin(self, replay: Replay) -> None:
        """A match; whoever still looks at the one before is not torn away from it."""
        follower, before = follower_of(replay), self._follower
        self._names, self._is_over = replay.names, False
        if before is None:
            self._turn(follower)
            return
        self._next = follower
        text = _("This match is over and the next one has begun. End goes there.")
        self._desk.post(lambda: before.next_begins(text))

    def _turn(self, follower: FollowPage) -> None:
        self._follower, self._next = follower, None
        self._desk.show(follower)

    def _close(self, ending: str, *, broken: bool) -> None:
        follower = self._next or self._follower
        if follower is not None:
            self._desk.post(lambda: follower.close(ending, broken=broken))

    def _fail(self, failure: Failure) -> None:
        """What was seen until now stays; if that is nothing, so does no screen."""
        if self._follower is None:
            raise failure
        self._failure, self._follows = failure, False
        self._close(outcomes.sentence(failure), broken=True)

    def _trouble(self, text: str) -> None:
        follower = self._next or self._follower
        if follower is not None:
            self._desk.post(lambda: follower.trouble(text))

    def _say(self, text: str) -> None:
        follower = self._next or self._follower
        if follower is not None:
            self._desk.post(lambda: follower.say(text))

    def _give_up(self) -> None:
        """After a match that is over nobody minds that the table is closed."""
        self._trouble("")
        self._follows = False
        if not self._is_over:
            self._fail(outcomes.gone())
