"""Whole matches played in memory, with both journals as bytes: what tests of records start from."""

from functools import cache

from support.oracle import Oracle
from support.simulator import Simulation, World

from spitnet.core.state import RefillMode
from spitnet.journal.file_format import FORMAT, NO_CHECK, Opened, encode
from spitnet.protocol import VERSION
from spitnet.protocol.entries import Record
from spitnet.protocol.handshake import Doorman, Origin, Visitor
from spitnet.protocol.messages import encode as frame_of


class Recorded(Simulation):
    """A simulated match whose session comes from a real handshake, so that its journals are whole."""

    def __init__(self, world: World) -> None:
        super().__init__(world, Oracle())
        self.origin = shaken(self)
        for session in self.sessions:
            session.lockstep.session = session.lockstep.chain = self.origin.session


def shaken(simulation: Simulation) -> Origin:
    """What a handshake about this simulation's settings leads to."""
    host, joiner = b"h" * 32, b"j" * 32
    entropy = simulation.random.randbytes
    doorman = Doorman(host, "Ana", simulation.settings, None, entropy)
    visitor = Visitor(host, joiner, "Bram", None, entropy)
    for _ in range(2):
        answer = doorman.receive(joiner, visitor.frame, 0.0)
        assert answer is not None
        visitor.receive(frame_of(answer))
    assert doorman.seated is not None
    return doorman.seated.origin


def journal_of(origin: Origin, seat: int, records: list[Record]) -> bytes:
    """The bytes of one side's journal."""
    opened = Opened(FORMAT, VERSION, seat, "2026-01-02T03:04:05Z", origin, ())
    parts, check = [], NO_CHECK
    for entry in (opened, *records):
        part, check = encode(entry, check)
        parts.append(part)
    return b"".join(parts)


@cache
def recorded(
    seed: int = 7, games: int = 1, manual: bool = False, concede: float = 0.0
) -> tuple[bytes, bytes]:
    """Both journals of a match played to its end, by seat. `concede` makes it a short one."""
    refill = RefillMode.MANUAL if manual else RefillMode.AUTO
    world = World(seed, games=games, refill=refill, impatience=0.2, concede=concede)
    simulation = Recorded(world)
    simulation.run()
    first, second = simulation.journals
    return (
        journal_of(simulation.origin, 0, first),
        journal_of(simulation.origin, 1, second),
    )
