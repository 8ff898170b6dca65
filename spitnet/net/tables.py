"""What a joiner has heard of tables: entries, their addresses, their age. Pure; time comes in.

Forged beacons cost nothing to send, so an entry that is there can't be pushed out or taken over by others: a full list
takes nobody new, one source fills only a part of it, and an instance keeps the key and port that it was first heard with.
"""

from dataclasses import dataclass, field

from spitnet.net.beacon import Announcement, TableState
from spitnet.net.interfaces import is_loopback

EXPIRY_S = 5.0
MOST_TABLES = 512
_MOST_OF_ONE_SOURCE = 64
_MOST_ADDRESSES = 8
_EXPIRE_EVERY_S = (
    0.25  # while the list is full: a flood must not make us search it for every datagram
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a joiner sees it; `address` is the best of `addresses`, `version` that of its protocol."""

    instance: bytes
    name: str
    address: str
    port: int
    key: bytes
    state: TableState
    flags: int
    version: int
    addresses: tuple[str, ...]


@dataclass(slots=True)
class _Entry:
    """The newest announcement of an instance, and when each of its addresses was last heard, in order of the first time."""

    beacon: Announcement
    first_source: str
    heard_s: dict[str, float] = field(default_factory=dict)


def table_at(beacon: Announcement, addresses: tuple[str, ...], port: int | None = None) -> Table:
    """Make the table of an announcement heard from `addresses`, best first; `port`: another than it says."""
    return Table(
        beacon.instance,
        beacon.name,
        addresses[0],
        port or beacon.port,
        beacon.key,
        beacon.state,
        beacon.flags,
        beacon.version,
        addresses,
    )


class TableList:
    """Tables by instance id, each forgotten five seconds after it was last heard."""

    def __init__(self) -> None:
        self._entries: dict[bytes, _Entry] = {}
        self._expired_at_s = 0.0

    def __len__(self) -> int:
        return len(self._entries)

    def hear(self, beacon: Announcement, address: str, now_s: float) -> None:
        """Take in an announcement or answer."""
        entry = self._entries.get(beacon.instance) or self._admit(beacon, address, now_s)
        if entry is None or (entry.beacon.key, entry.beacon.port) != (beacon.key, beacon.port):
            return
        if address not in entry.heard_s and len(entry.heard_s) >= _MOST_ADDRESSES:
            return
        entry.beacon = beacon
        entry.heard_s[address] = now_s

    def forget(self, instance: bytes, address: str) -> None:
        """Take in a goodbye, believed from an address that the table was heard from."""
        entry = self._entries.get(instance)
        if entry is not None and address in entry.heard_s:
            del self._entries[instance]

    def tables(self, now_s: float) -> tuple[Table, ...]:
        """List the tables in the order in which they were first heard."""
        self._expire(now_s)
        return tuple(
            table_at(one.beacon, _best_first(tuple(one.heard_s))) for one in self._entries.values()
        )

    def _admit(self, beacon: Announcement, address: str, now_s: float) -> _Entry | None:
        """Make an entry, if there is room."""
        if len(self._entries) >= MOST_TABLES and now_s >= self._expired_at_s + _EXPIRE_EVERY_S:
            self._expire(now_s)
        if len(self._entries) >= MOST_TABLES:
            return None
        if (
            sum(one.first_source == address for one in self._entries.values())
            >= _MOST_OF_ONE_SOURCE
        ):
            return None
        entry = self._entries[beacon.instance] = _Entry(beacon, address)
        return entry

    def _expire(self, now_s: float) -> None:
        self._expired_at_s = now_s
        for instance, entry in list(self._entries.items()):
            fresh = {one: at for one, at in entry.heard_s.items() if now_s - at < EXPIRY_S}
            entry.heard_s = fresh
            if not fresh:
                del self._entries[instance]


def _best_first(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Loopback first: it proves that the table is on this machine, and outlives every cable; then as first heard."""
    return tuple(sorted(addresses, key=lambda one: not is_loopback(one)))
