"""Where others look on, a process of its own: `python -m spitnet.app.spectate.server`, started by `watchable`.

It reads the record of the match while it is written, and gives those who ask what of it may leave. Whatever they do, they
do it to this process: the one that plays doesn't hear of it. It is told what to do in lines on its stdin and ends with it;
the first is where to listen, each other the file of the match that is played now, or another address to listen at.
"""

import errno
import json
import logging
import os
import socket
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

from spitnet.app import log
from spitnet.app.clock import monotonic
from spitnet.app.loop import LINGER_MS, Loop, zmq_context
from spitnet.app.options import Options
from spitnet.app.spectate.quota import Spectators
from spitnet.journal.file_format import Damaged, NewerFormat
from spitnet.journal.live import Outgoing
from spitnet.net.errors import NetError
from spitnet.net.host_link import HostLink
from spitnet.net.link import Down, KeyPair, Received
from spitnet.net.socket_options import Context
from spitnet.protocol.spectator import PIECE_BYTES, Piece, Watch, encode

_log = logging.getLogger(__name__)
LOOK_S = 0.04
"""How often to look whether the record has grown, while somebody waits for that."""
SYNC_S = 0.2
"""How often at most what has been added is brought to the disk and shown."""
LAST_S = 2.0
"""How long those who look on have to get the rest, once the table is closed."""
_RECORDS = 2
"""Of the match before, somebody may not have all yet."""
_KINDNESS = 10
"""By so much the system prefers the process that plays."""


class LauncherOrders:
    """What the process that plays says, line by line; a thread reads it, since not every system can poll a pipe."""

    def __init__(self) -> None:
        self.over = False
        """It says nothing more: the table is closed, or the process has died."""
        self._lines: deque[str] = deque()
        self._woken, self._waker = socket.socketpair()
        Thread(target=self._read, daemon=True).start()

    @property
    def sockets(self) -> tuple[object, ...]:
        return (self._woken,)

    def next_deadline_s(self) -> float | None:
        return None

    def take(self) -> Iterator[str]:
        """All lines since the last time."""
        self._woken.setblocking(False)
        with suppress(BlockingIOError):
            while self._woken.recv(64):
                pass
        while self._lines:
            yield self._lines.popleft()

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.append(line)
            self._waker.send(b"!")
        self.over = True
        self._waker.send(b"!")


class SharedRecord:
    """A record that is being written, as far as it may be shown."""

    def __init__(self, path: Path) -> None:
        """Raises OSError: it can't be read."""
        self._file = path.open("rb")
        self._outgoing = Outgoing()
        self._is_sound = True
        self._look_at_s = 0.0

    @property
    def session(self) -> bytes | None:
        """That of the match, once it is known."""
        return self._outgoing.session

    def look(self, now_s: float) -> None:
        """Reads what has been added. What is damaged isn't shown, and nothing behind it.

        It is brought to the disk first, for which the one that plays waits for some of its entries only; seldom enough
        that this one is not in its way.
        """
        if not self._is_sound or now_s < self._look_at_s:
            return
        self._file.seek(self._outgoing.read)
        added = self._file.read()
        if not added:
            return
        self._look_at_s = now_s + SYNC_S
        with suppress(OSError):  # not every system lets a reader do that
            os.fsync(self._file.fileno())
        try:
            self._outgoing.take(added)
        except (Damaged, NewerFormat):
            self._is_sound = False

    def is_behind(self) -> bool:
        """Whether something has been added that wasn't read yet."""
        return self._is_sound and os.fstat(self._file.fileno()).st_size > self._outgoing.read

    def is_told(self, offset: int) -> bool:
        """Whether the match has ended, and nothing comes at this offset any more."""
        return bool(self._outgoing.end) and offset >= self._size()

    def piece(self, offset: int) -> Piece | None:
        """What comes at this offset; None while that isn't known."""
        length, size, session = self._outgoing.length, self._size(), self.session
        if session is None or offset >= size:
            return None
        if offset >= length:
            data = self._outgoing.end[offset - length :][:PIECE_BYTES]
        else:
            self._file.seek(offset)
            data = self._file.read(min(PIECE_BYTES, length - offset))
        return Piece(session, offset, size, data) if data else None

    def close(self) -> None:
        self._file.close()

    def _size(self) -> int:
        return self._outgoing.length + len(self._outgoing.end)


class SpectatorServer:
    """Answers those who look on."""

    def __init__(self, link: HostLink) -> None:
        self._link = link
        self._audience = Spectators()
        self._records: deque[SharedRecord] = deque()
        self._next: Path | None = None

    @property
    def next_look_s(self) -> float | None:
        """In how many seconds to look again; None: when somebody asks."""
        return LOOK_S if self._audience.waits or self._next is not None else None

    def show(self, path: Path) -> None:
        """From now on this match is played."""
        self._next = path

    def step(self, now_s: float) -> None:
        """Hears what is asked, and answers what can be answered."""
        if self._next is not None:
            self._open(self._next)
        for event in self._link.events(now_s):
            match event:
                case Received(key, frame, address):
                    refusal = self._audience.hear(key, address, frame, now_s)
                    if refusal is not None:
                        self._link.send(key, encode(refusal))
                case Down(key):
                    self._audience.left(key)
        if self._audience.waits:
            for record in self._records:
                record.look(now_s)
            self._answer(now_s)

    def has_told_all(self, now_s: float) -> bool:
        """Whether everybody has got everything that there is."""
        behind = len(self._audience) > 0 and any(one.is_behind() for one in self._records)
        answers = (self._find(question) for _, question in self._audience.questions(now_s))
        return self._next is None and self._audience.all_wait and not behind and not any(answers)

    def close(self) -> None:
        for record in self._records:
            record.close()
        self._link.close(LINGER_MS)

    def _open(self, path: Path) -> None:
        """Has the record at hand; at the next step, if those who knock have taken every descriptor for a moment."""
        try:
            self._records.append(SharedRecord(path))
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                return
        self._next = None
        if len(self._records) > _RECORDS:
            self._records.popleft().close()

    def _answer(self, now_s: float) -> None:
        for key, question in self._audience.questions(now_s):
            piece = self._find(question)
            if piece is not None and self._audience.may_have(key, now_s):
                self._link.send(key, encode(piece))
                self._audience.answered(key)

    def _find(self, question: Watch) -> Piece | None:
        """What was asked for; behind the end of a match the next one begins."""
        following: SharedRecord | None = None
        for record in reversed(self._records):
            if record.session == question.session is not None:
                if following is not None and record.is_told(question.offset):
                    return following.piece(0)
                return record.piece(question.offset)
            following = record
        return self._records[-1].piece(0) if self._records else None


def main() -> int:
    """The exit code."""
    log.start(Options())
    if hasattr(os, "nice"):
        os.nice(_KINDNESS)  # before any other thread is there: they have it from this one
    wishes = json.loads(sys.stdin.readline() or "null")
    if wishes is None:
        return 0
    with zmq_context() as context:
        try:
            link = _listening(context, wishes)
        except NetError as error:
            print(json.dumps({"error": str(error)}), flush=True)
            return 1
        print(json.dumps({"port": link.port}), flush=True)
        try:
            _serve(SpectatorServer(link), link)
        except Exception:
            _log.exception("nobody can look on any more")
            raise
    return 0


def _listening(context: Context, wishes: dict[str, str | int]) -> HostLink:
    """At the port that was asked for if that is free, at another one else.

    Raises:
        NetError: the machine can't listen there at all.
    """
    keys = KeyPair(bytes.fromhex(str(wishes["public"])), bytes.fromhex(str(wishes["secret"])))
    address = str(wishes["address"])
    with suppress(NetError):
        return HostLink(context, keys, address, int(wishes["port"]))
    return HostLink(context, keys, address)


def _serve(gallery: SpectatorServer, link: HostLink) -> None:
    """Until the table is closed and everybody has got the rest, or was given time for that."""
    orders, waiter = LauncherOrders(), Loop()
    until_s: float | None = None
    try:
        while True:
            now_s = monotonic()
            for line in orders.take():
                _obey(json.loads(line), gallery, link)
            gallery.step(now_s)
            if orders.over and until_s is None:
                until_s = now_s + LAST_S
            if until_s is not None and (now_s >= until_s or gallery.has_told_all(now_s)):
                return
            look_s = LOOK_S if until_s is not None else gallery.next_look_s
            due_s = None if look_s is None else now_s + look_s
            waiter.wait((link, orders), due_s, now_s)
    finally:
        gallery.close()


def _obey(words: dict[str, str], gallery: SpectatorServer, link: HostLink) -> None:
    if "record" in words:
        gallery.show(Path(words["record"]))
    if "address" in words:
        try:
            link.follow(words["address"])
        except NetError as error:
            _log.warning("can't follow: %s", error)


if __name__ == "__main__":
    sys.exit(main())
