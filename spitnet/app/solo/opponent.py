"""The opponent of `spitnet solo`, a process of its own: `python -m spitnet.app.solo.opponent PORT OPTIONS`.

It joins like anybody else, and is a guest: it says nothing, claims nothing however long the person thinks, and
leaves soon after the person's side is gone. OPTIONS is a JSON object, see `command`.
"""

import json
import logging
import os
import sys
from pathlib import Path
from random import Random
from typing import Any, Final

from spitnet.app import identity
from spitnet.app.clock import monotonic
from spitnet.app.commands.join import Stopped, sit_down
from spitnet.app.loop import Loop, zmq_context
from spitnet.app.match import unfinished
from spitnet.app.match.match_loop import MatchLoop
from spitnet.app.match.opening import OpenMatch, journals, open_match
from spitnet.app.options import LEVEL, Address, JoinOptions, PlayOptions, Sync
from spitnet.app.seat.reconnect import HostFinder
from spitnet.app.solo.last_level import BotLevel, keep
from spitnet.app.stop_signal import StopSignal
from spitnet.bot.bot import Bot
from spitnet.bot.levels import Level
from spitnet.exits import ExitCode, Failure
from spitnet.journal.store import InUse
from spitnet.net.interfaces import LOOPBACK
from spitnet.net.join_link import JoinLink
from spitnet.net.link import KeyPair
from spitnet.net.socket_options import Context
from spitnet.protocol import DISCOVERY_PORT
from spitnet.protocol.notices import Notice, PeerBack, PeerLost
from spitnet.protocol.session import Session

NAME = "Spitbot"
COMMAND: Final = (sys.executable, "-P", "-m", "spitnet.app.solo.opponent")
"""Whatever lies in the directory where the program was started is no part of it."""
FIND_S = 30.0
GONE_S = 10.0
"""How long a guest stays when its host can't be heard; one whose host's process is gone leaves at once."""
ANEW_S = 0.2
"""How long until a record that another guest still has is asked for again."""


def keys() -> KeyPair:
    """The guest's own, kept: it comes back to an interrupted match under the key that it was begun with.

    Where it can't be, the player's own can't be either, and that is said.
    """
    return identity.load_or_make(identity.data_directory() / "guest-key", logging.INFO)


def command(options: PlayOptions, port: int, session: bytes | None = None) -> list[str]:
    """What starts the opponent that these options ask for, at the table on this port, or back in that session."""
    wishes = {
        "level": options.level or LEVEL,
        "sync": options.sync,
        "journal": None if options.journal is None else str(options.journal),
        "delay_s": options.delay_s,
        "seed": None if options.seed is None else options.seed + 1,
        "session": None if session is None else session.hex(),
    }
    return [*COMMAND, str(port), json.dumps(wishes)]


class OpponentSignal(StopSignal):
    """Hears whether the host is still there; wants out some time after it isn't."""

    def __init__(self) -> None:
        super().__init__()
        self.lost_s: float | None = None
        self._host = os.getppid()

    def tell(self, notice: Notice, session: Session) -> None:
        if isinstance(notice, PeerLost):
            self.lost_s = monotonic()
        elif isinstance(notice, PeerBack):
            self.lost_s = None

    def carry_out(self, session: Session, now_s: float) -> None:
        if self.lost_s is None:
            return
        # The system gives an orphan another parent; Windows doesn't.
        if now_s >= self.lost_s + GONE_S or os.getppid() != self._host:
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
    random = Random(wishes["seed"])  # noqa: S311 - taste and timing
    temper = BotLevel(Level(wishes["level"]), wishes["delay_s"])
    bot = Bot(1, temper.level, random, temper.delay_s)
    with zmq_context() as context, OpponentSignal() as guest:
        if wishes["session"] is None:
            knocking, seated = sit_down(context, keys(), NAME, options, guest)
            keep(seated.session, temper)
            _play(open_match(seated, options), knocking.link, port, bot, guest)
        else:
            keep(bytes.fromhex(wishes["session"]), temper)
            _play_on(context, bytes.fromhex(wishes["session"]), port, options, bot, guest)
    return ExitCode.DONE


def _play_on(
    context: Context,
    session: bytes,
    port: int,
    options: JoinOptions,
    bot: Bot,
    guest: OpponentSignal,
) -> None:
    """Back in an interrupted match, unless its record is gone or another guest stays there."""
    match = _taken_up(session, options, guest)
    if match is not None:
        host_key = match.seated.origin.host_key
        link = JoinLink(context, keys(), host_key, "127.0.0.1", port)
        _play(match, link, port, bot, guest)


def _taken_up(session: bytes, options: JoinOptions, guest: OpponentSignal) -> OpenMatch | None:
    """The match, where need be once the guest before has noticed that its host is gone."""
    waiter = Loop()
    until_s = monotonic() + 2 * GONE_S
    while (now_s := monotonic()) < until_s and not guest.wants_out:
        try:
            return unfinished.of_session(journals(options), session, {keys().public})
        except InUse:
            waiter.wait((guest,), now_s + ANEW_S, now_s)
    return None


def _play(match: OpenMatch, link: JoinLink, port: int, bot: Bot, guest: OpponentSignal) -> None:
    key, place = match.seated.origin.host_key, ("127.0.0.1", port)
    listening = HostFinder(link, match.session.id, key, place, LOOPBACK, DISCOVERY_PORT)
    with match.journal as journal:
        playing = MatchLoop(
            session=match.session,
            link=link,
            journal=journal,
            player=bot,
            watcher=guest,
            companion=listening,
            orders=guest,
            claims=False,
        )
        try:
            playing.run()
        finally:
            playing.leave()


if __name__ == "__main__":
    logging.getLogger("spitnet").addHandler(logging.NullHandler())
    try:
        sys.exit(main(int(sys.argv[1]), json.loads(sys.argv[2])))
    except Failure as failure:
        sys.exit(failure.code)
    except Stopped:
        sys.exit(ExitCode.INTERRUPTED)
    except OSError:  # its own record can't be written any more; it says nothing, and whoever plays against it is told
        sys.exit(ExitCode.USAGE)
