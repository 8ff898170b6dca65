"""A run with a person: the screen in the main thread, the match in another, and the end of both.

What belongs here: which screen is used, the two threads, what is left to say once the terminal is given back.
What must not: what is on the screen (ui), what the match's thread does (host, join).
"""

import gc
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import Thread

from spitnet.app import log
from spitnet.app.console.desk import Desk
from spitnet.app.options import PlayOptions
from spitnet.exits import ExitCode, Failure
from spitnet.language import gettext as _
from spitnet.ui.choices import ENGLISH
from spitnet.ui.keys import keymaps
from spitnet.ui.pages.lobby_pages import Page
from spitnet.ui.pages.table_page import Command
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.terminal.capabilities import InputEnded, Interrupted, Terminal, lines_for, terminal
from spitnet.ui.terminal.lost_stream import drop
from spitnet.ui.words.ranks import rank_letters

LEAVE_S = 5.0
"""How long the match's thread may take to say goodbye."""
SWITCH_S = 0.0005
"""How long a drawing thread may keep the interpreter from the one that answers the opponent."""


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """How the screen is to be; `keymaps` are what keys mean on it, `ranks` as in the options."""

    keys: keymaps.Meanings
    plain: bool = False
    ascii: bool = False
    no_color: bool = False
    ranks: str = ENGLISH
    mouse: bool = False


class _Work(Thread):
    """The match's thread. What it came to, or died of, is told in the main thread."""

    def __init__(self, work: Callable[[Desk], int], desk: Desk) -> None:
        super().__init__(name="match", daemon=True)
        self._work = work
        self._desk = desk
        self.code: int = ExitCode.INTERRUPTED
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.code = self._work(self._desk)
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody sees it
            self.error = error
        finally:
            self._desk.close()


def on_screen(work: Callable[[Desk], int], options: PlayOptions, first: Page) -> int:
    """Runs `work` behind a screen that shows `first` until it shows something else; the exit code.

    Raises:
        Failure: and whatever else `work` raised, once the terminal is given back.
    """
    manner = DisplayOptions(
        keymaps.keymap(options.keys),
        plain=options.plain,
        ascii=options.ascii,
        no_color=options.no_color,
        ranks=options.ranks,
        mouse=options.mouse,
    )
    return shown(work, manner, first)


def shown(work: Callable[[Desk], int], manner: DisplayOptions, first: Page) -> int:
    """The same for any work whose pages are looked at in this manner."""
    desk = Desk(first)
    thread = _Work(work, desk)
    sys.setswitchinterval(SWITCH_S)
    thread.start()
    interrupted: Interrupted | None = None
    try:
        _show(desk, manner)
    except InputEnded as why:
        interrupted = None if desk.inbox.wants_out else why  # who said goodbye has no more to type
    except Interrupted as why:
        interrupted = why
    finally:
        desk.inbox.put(Command.CLOSE)
        thread.join(LEAVE_S)
    _say(desk.last_words)
    if thread.error is not None:
        raise thread.error
    if isinstance(interrupted, InputEnded) and not sys.stdin.isatty():  # else it went away
        raise _input_ended()
    return thread.code if interrupted is None else ExitCode.INTERRUPTED


def _input_ended() -> Failure:
    message = _("stdin has ended, so nobody can type; with --headless a bot plays")
    return Failure(ExitCode.INTERRUPTED, message, "input_ended")


def _say(lines: list[str]) -> None:
    """What is left to say, if the terminal is still there to be told; else nor is what the screen had left."""
    try:
        for line in lines:
            print(*lines_for(sys.stdout, line), sep="\n")
        sys.stdout.flush()
    except OSError:
        drop(sys.stdout)


def _trouble(desk: Desk, problem: str) -> None:
    """An error that was survived: one line on the table, and where the rest of it is."""
    desk.trouble(_("{problem} See {file}").format(problem=problem, file=log.file()))


def here() -> Terminal:
    """What can be done where this run is."""
    return terminal(
        os.environ,
        tty=is_terminal(),
        encoding=_encoding(),
    )


def _encoding() -> str | None:
    return getattr(sys.stdout, "encoding", None)


def is_terminal() -> bool:
    """Whether a person is at both ends, and no pipe or file."""
    return all(one is not None and one.isatty() for one in (sys.stdin, sys.stdout))


def _show(desk: Desk, manner: DisplayOptions) -> None:
    """The full screen where there can be one, lines elsewhere."""
    place = here()
    trouble = partial(_trouble, desk)
    if manner.plain or not place.full_screen:
        from spitnet.ui.lines import line_mode

        line_mode.run(desk, manner.keys, trouble=trouble)
        return
    from spitnet.ui.screen import full_screen

    look = Look(
        ascii=manner.ascii or not place.suits,
        colours=Colours.NONE if manner.no_color else place.colours,
        rank_letters=rank_letters(manner.ranks, _encoding()),
        encoding=_encoding() or "ascii",
        keys=manner.keys.labels(),
        mouse=manner.mouse,
    )
    # A full collection stops both threads for 12 ms and more; what is there by now stays till the end anyway.
    gc.collect()
    gc.freeze()
    with log.in_place_of_terminal():
        full_screen.run(desk, look, manner.keys, trouble=trouble)
