"""A run that writes to descriptor 2 under its full screen after one key, and ends after another, as its argument says.

`done`; `fails`, with a failure that is to be told; `dies` of an error; `exits` from the screen's own thread.
"""

import os
import subprocess
import sys
import time

from spitnet.app import log
from spitnet.app.console import screen_run
from spitnet.app.console.desk import Desk
from spitnet.app.options import Options
from spitnet.cli import ending
from spitnet.exits import ExitCode, Failure
from spitnet.ui.keys.keymaps import keymap
from spitnet.ui.pages.lobby_pages import KnockingPage, PageWish
from spitnet.ui.pages.table_page import Command
from spitnet.ui.presses import Press

END = sys.argv[1]


class Last(KnockingPage):
    def press(self, press: Press, _now_s: float) -> tuple[PageWish, ...]:
        if END == "exits":
            sys.exit("exits")
        return super().press(press, _now_s)


def wait_for_a_key(desk: Desk) -> None:
    while Command.CLOSE not in desk.inbox.take():
        time.sleep(0.01)


def work(desk: Desk) -> int:
    wait_for_a_key(desk)
    os.write(2, b"written by a library\n")
    print("written by Python", file=sys.stderr)
    subprocess.run(["sh", "-c", "echo written by a child >&2"], check=True)
    desk.show(Last("Last", time.monotonic()))
    wait_for_a_key(desk)
    if END == "fails":
        raise Failure(ExitCode.REFUSED, "it fails", "word")
    if END == "dies":
        raise RuntimeError("it dies")
    return 0


def main() -> int:
    log.start(Options())
    try:
        return screen_run.shown(
            work, screen_run.DisplayOptions(keymap()), KnockingPage("First", time.monotonic())
        )
    except Failure as failure:
        return ending.after(failure)


if __name__ == "__main__":
    sys.exit(main())
