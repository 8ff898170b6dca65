"""A run with a person: the screen in the main thread, the match in another, and the end of both.

What belongs here: which screen is used, the two threads, what is left to say once the terminal is given back.
What must not: what is on the screen (ui), what the match's thread does (host, join).
"""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Thread

from spitnet.exits import ExitCode
from spitnet.language import gettext as _
from spitnet.runtime import log
from spitnet.runtime.desk import Desk
from spitnet.runtime.options import PlayOptions
from spitnet.ui import keys
from spitnet.ui.lobby import Page
from spitnet.ui.model import Command
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.terminal import Interrupted, terminal

LEAVE_S = 5.0
"""How long the match's thread may take to say goodbye."""
SWITCH_S = 0.0005
"""How long a drawing thread may keep the interpreter from the one that answers the opponent."""


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
    desk = Desk(first)
    thread = _Work(work, desk)
    sys.setswitchinterval(SWITCH_S)
    thread.start()
    interrupted = False
    try:
        _show(desk, options)
    except Interrupted:
        interrupted = True
    finally:
        desk.inbox.put(Command.CLOSE)
        thread.join(LEAVE_S)
    _say(desk.last_words)
    if thread.error is not None:
        raise thread.error
    return ExitCode.INTERRUPTED if interrupted else thread.code


def _say(lines: list[str]) -> None:
    """What is left to say, if the terminal is still there to be told."""
    with suppress(OSError):
        for line in lines:
            print(line, flush=True)


def _trouble(desk: Desk, problem: str) -> None:
    """An error that was survived: one line on the table, and where the rest of it is."""
    desk.trouble(_("{problem} See {file}").format(problem=problem, file=log.file()))


def _show(desk: Desk, options: PlayOptions) -> None:
    """The full screen where there can be one, lines elsewhere."""
    here = terminal(
        os.environ,
        tty=sys.stdin.isatty() and sys.stdout.isatty(),
        encoding=getattr(sys.stdout, "encoding", None),
    )
    trouble = partial(_trouble, desk)
    keymap = keys.keymap(options.keys)
    labels = keys.labels(keymap)
    if options.plain or not here.full_screen:
        from spitnet.ui import plain

        plain.run(desk, keymap, trouble=trouble)
        return
    from spitnet.ui import app

    look = Look(
        ascii=options.ascii or not here.suits,
        colours=Colours.NONE if options.no_color else here.colours,
        keys=labels,
    )
    # A full collection stops both threads for 12 ms and more; what is there by now stays till the end anyway.
    gc.collect()
    gc.freeze()
    app.run(desk, look, keymap, trouble=trouble, mouse=options.mouse)
