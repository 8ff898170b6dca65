"""The opponent of `spitnet solo`, a process of its own: `python -m spitnet.runtime.opponent PORT OPTIONS`.

It joins like anybody else, and is a guest: it says nothing, claims nothing however long the person thinks, and
leaves soon after the person's side is gone. OPTIONS is a JSON object, see `command`.
"""

import json
import os
import sys
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from spitnet.bot.bot import Bot
from spitnet.bot.levels import Level
from spitnet.exits import ExitCode, Failure
from spitnet.net.interfaces import LOOPBACK
from spitnet.net.link import new_keypair
from spitnet.protocol.notices import Back, Lost, Notice
from spitnet.protocol.session import Session
from spitnet.runtime.join import listener, sit_down
from spitnet.runtime.options import Address, JoinOptions, SoloOptions, Sync
from spitnet.runtime.playing import Playing
from spitnet.runtime.seating import open_journal
from spitnet.runtime.signals import StopSignal
from spitnet.runtime.waiting import zmq_context

NAME = "Spitbot"
FIND_S = 30.0
GONE_S = 10.0
"""How long a guest stays when its host can't be heard."""


def command(options: SoloOptions, port: int) -> list[str]:
    """What starts the opponent that these options ask for, at the table on this port."""
    wishes = {
        "level": options.level,
        "sync": options.sync,
        "journal": None if options.journal is None else str(options.journal),
        "delay_s": options.delay_s,
        "seed": None if options.seed is None else options.seed + 1,
    }
    return [sys.executable, "-m", "spitnet.runtime.opponent", str(port), json.dumps(wishes)]


class Guest(StopSignal):
    """Hears whether the host is still there; wants out some time after it isn't."""

    def __init__(self) -> None:
        super().__init__()
        self.lost_s: float | None = None

    def tell(self, notice: Notice, session: Session) -> None:
        if isinstance(notice, Lost):
            self.lost_s = monotonic()
        elif isinstance(notice, Back):
            self.lost_s = None

    def carry_out(self, session: Session, now_s: float) -> None:
        if self.lost_s is not None and now_s >= self.lost_s + GONE_S:
            self.wants_out = True


def main(port: int, wishes: dict[str, Any]) -> int:
    """The exit code."""
    options = JoinOptions(
        name=NAME,
        headless=True,
        interface=LOOPBACK,
        address=Address("127.0.0.1", port),
        journal=None if wishes["journal"] is None else Path(wishes["journal"]),
        sync=Sync(wishes["sync"]),
        timeout_s=FIND_S,
    )
    with zmq_context() as context, Guest() as guest:
        knocking, seated = sit_down(context, new_keypair(), NAME, options, guest)
        random = Random(wishes["seed"])  # noqa: S311 - taste and timing
        bot = Bot(1, Level(wishes["level"]), random, wishes["delay_s"])
        session = Session(1, seated.session, seated.settings, os.urandom, monotonic())
        with open_journal(seated, options) as journal:
            playing = Playing(
                session=session,
                link=knocking.link,
                journal=journal,
                player=bot,
                watcher=guest,
                companion=listener(knocking, options)(session.id),
                orders=guest,
                claims=False,
            )
            try:
                playing.run()
            finally:
                playing.leave()
    return ExitCode.DONE


if __name__ == "__main__":
    try:
        sys.exit(main(int(sys.argv[1]), json.loads(sys.argv[2])))
    except Failure as failure:
        sys.exit(failure.code)
