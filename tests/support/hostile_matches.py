"""An honest `spitnet` as a process of its own against a hostile peer, and what its end and its record must be.

The record is read and derived anew here, with nothing of spitnet's code. What must not be here: the lies.
"""

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import msgpack
from support import second
from support.hostile import SETTINGS, Frame, Hostile
from support.hostile_ends import HERE, Context, HostEnd, JoinerEnd, Keys, new_keys
from support.pairs import Peer, peers

HEADLESS = ("--headless", "--sync", "process", "--interface", "lo")
QUIET = "60"
"""Seconds before its bot first moves: it only answers."""
EAGER = "0"
"""It proposes whatever it can at once."""


class Meeting(NamedTuple):
    """The two of a match, seated."""

    honest: Peer
    hostile: Hostile

    def stopped(self, how: str, word: str = "") -> tuple[int, str, str]:
        """How the honest side ended: exit code, the word for programs, the line for people.

        Its record must end with that, and derive to there; nothing is printed but one plain line.
        """
        self.hostile.end.close()
        code, message = self.honest.finish()
        assert "Traceback" not in message
        assert message.startswith("spitnet: ")
        assert message.count("\n") == 1
        (error,) = self.honest.of("error")
        assert message == f"spitnet: {error['message']}\n"
        record = self.honest.record()
        assert entries_of(record)[-1] == [5, self.beat, how, self.hostile.seat, word]
        assert_derives(record, self.hostile.chains)
        return code, error["code"], message

    @property
    def beat(self) -> int:
        """The clock of the hostile side, which the honest side must have come to as well."""
        return self.hostile.beat


def free_port() -> int:
    """A UDP port for discovery that nobody uses."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind((HERE, 0))
        port: int = trial.getsockname()[1]
        return port


@contextmanager
def meeting(
    context: Context,
    home: Path,
    hostile_seat: int,
    delay: str,
    *options: str,
    keys: Keys | None = None,
    hello: bytes | None = None,
    grace_s: int | None = None,
) -> Iterator[Meeting]:
    """A match on loopback between an honest process and a hostile peer at that seat; `options` are a host's.

    `grace_s`: the match's, whoever hosts.
    """
    if grace_s is not None:
        options = (*options, "--grace", str(grace_s))
    with table(context, home, hostile_seat, delay, *options, keys=keys) as two:
        if grace_s is not None:
            two.hostile.settings = (*SETTINGS[:3], grace_s)
        two.hostile.sit_down(hello)
        yield two


@contextmanager
def table(
    context: Context,
    home: Path,
    hostile_seat: int,
    delay: str,
    *options: str,
    keys: Keys | None = None,
    peer: Callable[[JoinerEnd | HostEnd], Hostile] = Hostile,
) -> Iterator[Meeting]:
    """The same before anybody has sat down; `peer` makes the hostile one."""
    arguments = (*HEADLESS, "--delay", delay, "--discovery-port", str(free_port()))
    keys = keys or new_keys()
    if hostile_seat == 0:
        host = HostEnd(context, keys)
        with peers(Peer(home, ("join", f"{HERE}:{host.port}", *arguments))) as (honest,):
            yield from _between(honest, peer(host))
    else:
        with peers(Peer(home, ("host", *arguments, *options))) as (honest,):
            port = honest.wait_for("hosting")["port"]
            yield from _between(honest, peer(JoinerEnd(context, keys, port)))


def _between(honest: Peer, hostile: Hostile) -> Iterator[Meeting]:
    try:
        yield Meeting(honest, hostile)
    finally:
        hostile.end.close()


def entries_of(record: Path) -> list[Frame]:
    """Every entry of a journal; its checks must hold. Source: WIRE.md, section 19."""
    data, check, found = record.read_bytes(), bytes(16), []
    while data:
        length = int.from_bytes(data[:4], "big")
        payload, own = data[20 : 20 + length], data[4:20]
        assert len(payload) == length, "cut short"
        check = blake2b(check + payload, digest_size=16).digest()
        assert check == own, "damaged"
        found.append(msgpack.unpackb(payload))
        data = data[20 + length :]
    return found


def assert_derives(record: Path, chains: list[bytes]) -> None:
    """The record's beats, derived anew from its bytes, are those that the other side knows."""
    (_, _, _, seat, _, (host, joiner, hello, welcome), *_), *rest = entries_of(record)
    chain = second.session_of([host, joiner], hello, welcome)
    game = second.Game(msgpack.unpackb(welcome)[4])
    beat, commits = 0, {}
    assert chain == chains[0]
    for entry in rest:
        head = (chains[0], beat + 1)
        past = (chain, game.digest)
        match entry:
            case [1, number, opening]:
                assert number == beat + 1
                commits[seat] = second.bound(*head, seat, *past, opening)
            case [2, number, theirs, _]:
                assert number == beat + 1
                commits[1 - seat] = theirs
            case [3, number, openings]:
                assert number == beat + 1
                for each, commitment in commits.items():
                    assert second.bound(*head, each, *past, openings[each]) == commitment
                chain = second.chained(chain, number, openings)
                game.apply([second.move_of(move) or [] for move, _ in openings], chain)
                beat, commits = number, {}
                assert chain == chains[beat]
