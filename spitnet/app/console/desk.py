"""Between two threads: the match's, which must answer at once, and the screen's, which draws and waits for keys.

Pages live in the screen's thread. The match's thread posts what happened; the person's wishes go the other way and
wake the match's loop through a socket. Neither ever waits for the other.
"""

import socket
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

from spitnet.app.clock import monotonic
from spitnet.exits import ExitCode
from spitnet.protocol.faults import LocalError
from spitnet.protocol.session import Session
from spitnet.ui.pages.follow_page import FollowPage
from spitnet.ui.pages.lobby_pages import Page, PageWish
from spitnet.ui.pages.table_page import Command, Propose, TablePage
from spitnet.ui.presses import Press
from spitnet.ui.scene import Scene

Change: TypeAlias = Callable[[], tuple[PageWish, ...] | None]
"""Done to a page in the screen's thread."""


class ScreenControls:
    """Wishes on their way to the match's thread."""

    def __init__(self) -> None:
        self._wishes: deque[PageWish] = deque()
        self._receiver, self._sender = socket.socketpair()
        for end in (self._receiver, self._sender):
            end.setblocking(False)
        self.wants_out = False
        """Whether the person wants to leave the screen; set in the screen's thread, read in the other."""

    @property
    def sockets(self) -> tuple[object, ...]:
        return (self._receiver,)

    def next_deadline_s(self) -> float | None:
        return None

    def put(self, wish: PageWish) -> None:
        """From the screen's thread."""
        if wish is Command.CLOSE:
            self.wants_out = True
        self._wishes.append(wish)
        self._wake()

    def take(self) -> tuple[PageWish, ...]:
        """Everything that was wished for since the last time, in order. From the match's thread."""
        self._rest()
        taken = []
        while self._wishes:
            taken.append(self._wishes.popleft())
        return tuple(taken)

    def carry_out(self, session: Session, now_s: float) -> None:
        """Passes on what the person wants of the match under way."""
        for wish in self.take():
            match wish:
                case Propose(move):
                    session.propose(move, now_s)
                case Command.CLAIM:
                    _claim(session)
                case Command.REMATCH:
                    session.ask_rematch(now_s)
                case _:
                    pass  # a page that is gone already asked for it

    def close(self) -> None:
        self._receiver.close()
        self._sender.close()

    def _wake(self) -> None:
        with suppress(BlockingIOError):  # then it is awake already
            self._sender.send(b"!")

    def _rest(self) -> None:
        with suppress(BlockingIOError):
            while self._receiver.recv(4096):
                pass


def _claim(session: Session) -> None:
    with suppress(LocalError):  # the opponent came back while the question stood
        session.claim()


class Desk:
    """The screen's end: a `Front` that shows one page after the other."""

    def __init__(self, first: Page) -> None:
        self.inbox = ScreenControls()
        self.last_words: list[str] = []
        """Lines for the terminal once the screen is gone; from the match's thread."""
        self.left_code = ExitCode.DONE
        """What a run comes to that the person has left before there was a match; set in the screen's thread."""
        self._over = False
        self._page = first
        self._pages = 0
        self._changes: deque[Change] = deque()
        self._tell: Callable[[], None] | None = None

    # The match's thread.

    def post(self, change: Change) -> None:
        """Something changed; `change` is applied to its page in the screen's thread, in order."""
        self._changes.append(change)
        if self._tell is not None:
            self._tell()

    def show(self, page: Page) -> None:
        """From now on this page is on the screen."""

        def turn() -> None:
            self._page = page
            self._pages += 1

        self.post(turn)

    def close(self) -> None:
        """There is nothing more to show."""

        def end() -> None:
            self._over = True

        self.post(end)

    # The screen's thread.

    @property
    def over(self) -> bool:
        self._catch_up()
        return self._over

    def scene(self) -> Scene:
        self._catch_up()
        return self._page.scene(monotonic())

    def press(self, press: Press) -> None:
        self._catch_up()
        for wish in self._page.press(press, monotonic()):
            self.inbox.put(wish)

    def interrupt(self) -> None:
        self.left_code = ExitCode.INTERRUPTED

    def changed(self, callback: Callable[[], None]) -> None:
        self._tell = callback

    def trouble(self, text: str) -> None:
        """An error on this side that was survived; shown where a match is on the screen."""
        if isinstance(self._page, TablePage | FollowPage):
            self._page.trouble(text)

    def next_tick_s(self) -> float | None:
        return self._page.next_tick_s(monotonic())

    def forget_keys(self) -> int:
        return self._pages * 1_000_000 + self._page.generation

    def _catch_up(self) -> None:
        while self._changes:
            for wish in self._changes.popleft()() or ():
                self.inbox.put(wish)
