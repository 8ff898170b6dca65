"""A headless run's voice: one JSON object a line on stdout, flushed, UTF-8, and nothing else there."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spitnet.exits import Failure
from spitnet.journal.json_story import Line, told
from spitnet.protocol.notices import Completed, Finished, Notice, PeerBack, PeerLost
from spitnet.protocol.session import Session

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def write(*lines: Line) -> None:
    """Prints lines and flushes them; nothing where stdout was closed from the start."""
    if sys.stdout is None or not lines:
        return
    sys.stdout.write("".join(f"{_encode(line)}\n" for line in lines))
    sys.stdout.flush()


@contextmanager
def errors() -> Iterator[None]:
    """Whatever ends a run early within this is told as a line too, for programs; people read stderr."""
    try:
        yield
    except Failure as failure:
        write({"event": "error", "code": failure.word, "message": failure.message})
        raise
    except BrokenPipeError:
        raise
    except OSError as problem:
        write({"event": "error", "code": "machine", "message": str(problem)})
        raise


class Lines:
    """Tells a match as lines. `connected` is told by `connect`, or when a resumed match goes on."""

    def __init__(self, journal: Path, connected: Line) -> None:
        self._journal = str(journal)
        self._connected = connected
        self._has_connected = False

    def connect(self) -> None:
        self._has_connected = True
        write(self._connected)

    def tell(self, notice: Notice, _session: Session) -> None:
        match notice:
            case Completed() as done:
                write(*told(done, self._journal))
            case PeerLost(beat, _) if self._has_connected:
                write({"event": "opponent_lost", "beat": beat})
            case PeerBack(beat):
                if not self._has_connected:
                    self.connect()
                write({"event": "resumed", "beat": beat})
            case Finished(_, Completed() as end):
                write(*told(end, self._journal))
            case _:
                pass
