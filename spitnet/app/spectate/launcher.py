"""A table at which others may look on: starts the process that serves them, and tells it which match is played.

What must not be here: what they get (gallery). Nothing here ever waits for that process once the table is open.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from spitnet.app.stop_signal import APART
from spitnet.exits import UsageFailure
from spitnet.language import gettext as _
from spitnet.net.link import KeyPair

LEAVE_S: Final = 4.0
"""How long the process may take to give everybody the rest; it takes two seconds at most by itself."""
COMMAND: Final = (sys.executable, "-P", "-m", "spitnet.app.spectate.server")
_HIGHEST_PORT: Final = 65535


class SpectatorPort:
    """The process that serves those who look on; `port` is theirs."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self._process = process
        self.port = port

    def follow(self, address: str) -> None:
        """Its machine is at another address now."""
        with suppress(OSError):
            _say(self._process, {"address": address})

    def show(self, record: Path) -> None:
        """From now on the match of this record is played. If the process has died, nobody looks on any more."""
        with suppress(OSError):
            _say(self._process, {"record": str(record.absolute())})


@contextmanager
def gallery(
    keys: KeyPair, address: str, match_port: int, *, quiet: bool
) -> Iterator[SpectatorPort]:
    """A gallery while this is entered, at the port behind that of the match if it is free.

    `quiet`: nothing of it may reach this terminal, which has a table on it.

    Raises:
        UsageFailure: nobody can be let in.
    """
    process = subprocess.Popen(  # noqa: S603
        COMMAND,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        encoding="utf-8",
        **APART,
    )
    try:
        wishes = {
            "public": keys.public.hex(),
            "secret": keys.secret.hex(),
            "address": address,
            "port": min(match_port + 1, _HIGHEST_PORT),
        }
        yield SpectatorPort(process, _port(process, wishes))
    finally:
        _end(process)


def _port(process: "subprocess.Popen[str]", wishes: dict[str, Any]) -> int:
    """Where it listens."""
    told: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        _say(process, wishes)
        told = json.loads(process.stdout.readline() if process.stdout else "")
    if "port" not in told:
        why = told.get("error", _("its process has ended"))
        raise UsageFailure(_("--watchable: spectators can’t get in: {why}").format(why=why))
    return int(told["port"])


def _say(process: "subprocess.Popen[str]", words: dict[str, Any]) -> None:
    if process.stdin is not None:
        process.stdin.write(json.dumps(words) + "\n")
        process.stdin.flush()


def _end(process: "subprocess.Popen[str]") -> None:
    """It ends by itself once it hears no more."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    try:
        process.wait(LEAVE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
