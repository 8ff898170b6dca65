"""A headless run's voice: one JSON object a line on stdout, flushed, UTF-8, and nothing else there."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from spitnet.core.beat import forfeit
from spitnet.core.events import Event, MatchOver
from spitnet.exits import Failure
from spitnet.journal.json_story import Line, match_over, told
from spitnet.protocol.binding import state_digest
from spitnet.protocol.entries import Ended
from spitnet.protocol.lockstep import Completed
from spitnet.protocol.notices import Finished, Notice, PeerBack, PeerLost
from spitnet.protocol.session import Session

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def write(*lines: Line) -> None:
    """Prints lines and flushes them; nothing where stdout was closed from the start."""
    if sys.stdout is None:
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

    def tell(self, notice: Notice, session: Session) -> None:
        match notice:
            case Completed(beat=beat, events=events, digest=digest):
                self._events(beat, events, digest)
            case PeerLost(beat, _) if self._has_connected:
                write({"event": "opponent_lost", "beat": beat})
            case PeerBack(beat):
                if not self._has_connected:
                    self.connect()
                write({"event": "resumed", "beat": beat})
            case Finished(ended) if (winner := ended.winner(session.seat)) is not None:
                match, events = forfeit(session.match, winner, ended.reason)
                self._events(ended.beat, events, state_digest(match), ended)

    def _events(
        self, beat: int, events: tuple[Event, ...], digest: bytes, ended: Ended | None = None
    ) -> None:
        lines = list(told(beat, events, digest))
        lines += [match_over(e, self._journal, ended) for e in events if isinstance(e, MatchOver)]
        if lines:
            write(*lines)
