"""What a joiner has heard of tables: entries, their addresses, their age. Pure; time comes in.

Forged beacons cost nothing to send, from forged addresses too. So the list is bounded; an address that answered a probe sent
to it alone is *proved*, and proved tables come first; where room is short, those give way whose source fills most of it.
Everybody sees them in the same order otherwise: by name, then address.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from spitnet.core.state import Settings
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.interfaces import is_loopback

EXPIRY_S = 5.0
GONE_S = 0.7
"""How long a goodbye may be proved wrong by a sign of life: who looks for tables asks twice a second."""
MOST_TABLES = 512
"""A hall full of real ones, an address each."""
_MOST_OF_ONE_SOURCE = 16
_FEW_OF_ONE_SOURCE = 4
"""So many tables of one address are no crowd: they stand in the list like those of any other."""
_MOST_ADDRESSES = 8
_EXPIRE_EVERY_S = (
    0.25  # while the list is full: a flood must not make us search it for every datagram
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table as a joiner sees it; `address` is the best of `addresses`, `version` that of its protocol.

    `watch_port`: None where nobody may look on. `settings`: what the table says that it plays, None if it doesn't; anybody
    can forge that, and a WELCOME tells.
    """

    instance: bytes
    name: str
    address: str
    port: int
    key: bytes
    state: TableState
    flags: int
    version: int
    addresses: tuple[str, ...]
    watch_port: int | None = None
    settings: Settings | None = None


_Identity: TypeAlias = tuple[bytes, bytes, int]
"""Instance, key, port: a forger who copies one of them makes another entry, and takes over none."""


_Place: TypeAlias = tuple[str, str, bytes, int, bytes]
"""What tables are sorted by: a name however it is written, then where it is."""


@dataclass(slots=True)
class _Entry:
    """The newest announcement of a table, and when each of its addresses was last heard, in order of the first time."""

    beacon: Announcement
    source: str
    heard_s: dict[str, float] = field(default_factory=dict)
    proved: set[str] = field(default_factory=set)
    _shown: tuple[_Place, Table] | None = None

    def hear(self, beacon: Announcement, address: str, now_s: float, proved: bool) -> bool:
        """Take in an announcement; beyond a few addresses, the one that was silent for longest and isn't proved makes room.

        Once an address is proved, what the table says is taken from such alone: anybody can say under another's name that
        it is busy, or plays something else.

        Returns:
            Whether that is news, and not just another sign of life.
        """
        known = address in self.heard_s and (address in self.proved or not proved)
        if not self._has_room(address):
            return False
        self.heard_s[address] = now_s
        if proved:
            self.proved.add(address)
        if self.beacon == beacon or (self.proved and address not in self.proved):
            is_news = not known
        else:
            self.beacon, is_news = beacon, True
        if is_news:
            self._shown = None
        return is_news

    def _has_room(self, address: str) -> bool:
        if address in self.heard_s or len(self.heard_s) < _MOST_ADDRESSES:
            return True
        doubtful = [one for one in self.heard_s if one not in self.proved]
        if doubtful:
            del self.heard_s[min(doubtful, key=lambda one: self.heard_s[one])]
            self._shown = None
        return bool(doubtful)

    def expire(self, now_s: float) -> None:
        known = len(self.heard_s)
        self.heard_s = {one: at for one, at in self.heard_s.items() if now_s - at < EXPIRY_S}
        self.proved &= self.heard_s.keys()
        if len(self.heard_s) < known:
            self._shown = None

    def shown(self) -> tuple[_Place, Table]:
        """The table, and its place among others; made anew only when something has changed."""
        if self._shown is None:
            table = table_at(self.beacon, self._best_first())
            numbers = bytes(map(int, table.address.split(".")))
            place = table.name.casefold(), table.name, numbers, table.port, table.instance
            self._shown = place, table
        return self._shown

    def _best_first(self) -> tuple[str, ...]:
        """Proved ones first; then loopback, which outlives every cable; then as first heard."""
        return tuple(
            sorted(self.heard_s, key=lambda one: (one not in self.proved, not is_loopback(one)))
        )


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
        beacon.watch_port,
        beacon.settings,
    )


class TableList:
    """Tables, each forgotten five seconds after it was last heard."""

    def __init__(self) -> None:
        self._entries: dict[_Identity, _Entry] = {}
        self._of_source: dict[str, dict[_Identity, _Entry]] = {}
        self._expired_at_s = 0.0
        self._listed: tuple[Table, ...] = ()
        # Until then the list is what it was, unless there is news: who looks asks for it with every datagram.
        self._listed_until_s = 0.0

    def __len__(self) -> int:
        return len(self._entries)

    def hear(
        self, beacon: Announcement, address: str, now_s: float, *, proved: bool = False
    ) -> None:
        """Take in an announcement or answer; `proved`: the answer to a probe that went to this address alone."""
        identity = beacon.instance, beacon.key, beacon.port
        entry = self._entries.get(identity)
        if entry is None:
            if not self._make_room(address, now_s, proved):
                return
            entry = self._entries[identity] = _Entry(beacon, address)
            self._of_source.setdefault(address, {})[identity] = entry
        if entry.hear(beacon, address, now_s, proved):
            self._listed_until_s = 0.0

    def forget(self, instance: bytes, address: str, now_s: float) -> None:
        """Take in a goodbye, which may be forged: whoever says nothing more soon is forgotten."""
        for (one, _, _), entry in self._entries.items():
            if one == instance and address in entry.heard_s:
                last_s = now_s - EXPIRY_S + GONE_S
                entry.heard_s = {at: min(last_s, heard) for at, heard in entry.heard_s.items()}
                self._listed_until_s = 0.0

    def tables(self, now_s: float) -> tuple[Table, ...]:
        """List the tables: the proved first, and those of a crowded source last; else by name, then address."""
        if now_s >= self._listed_until_s:
            self._expire(now_s)
            ranked = sorted(
                self._entries.values(), key=lambda one: (self._rank(one), one.shown()[0])
            )
            self._listed = tuple(one.shown()[1] for one in ranked)
            heard_s = (at for one in self._entries.values() for at in one.heard_s.values())
            self._listed_until_s = min(heard_s, default=now_s) + EXPIRY_S
        return self._listed

    def proved(self, beacon: Announcement, address: str) -> bool:
        """Whether this table has answered from that address to a probe of its own."""
        entry = self._entries.get((beacon.instance, beacon.key, beacon.port))
        return entry is not None and address in entry.proved

    def _rank(self, entry: _Entry) -> tuple[bool, int]:
        """How likely a table is to be forged, the least likely first; a few of one address that answer are as good as one."""
        crowd = len(self._of_source[entry.source])
        crowded = not entry.proved or crowd > _FEW_OF_ONE_SOURCE
        return not entry.proved, crowd if crowded else 0

    def _make_room(self, source: str, now_s: float, proved: bool) -> bool:
        """See to it that there is room for one more of a source; False when others have the better right to it."""
        if len(self._entries) >= MOST_TABLES and now_s >= self._expired_at_s + _EXPIRE_EVERY_S:
            self._expire(now_s)
        own = len(self._of_source.get(source, ()))
        if own >= _MOST_OF_ONE_SOURCE:
            return self._displace(self._of_source[source], among_proved=False)
        if len(self._entries) < MOST_TABLES:
            return True
        crowd = max(self._of_source.values(), key=len)
        if own + 1 < len(crowd):
            return self._displace(crowd, among_proved=True)
        return proved and self._displace(self._entries, among_proved=False)

    def _displace(self, entries: dict[_Identity, _Entry], *, among_proved: bool) -> bool:
        """Take the newest of these off the list, a doubtful one if there is one."""
        newest_first = reversed(entries.items())
        doubtful = next((identity for identity, one in newest_first if not one.proved), None)
        if doubtful is None and not among_proved:
            return False
        self._remove(next(reversed(entries)) if doubtful is None else doubtful)
        return True

    def _expire(self, now_s: float) -> None:
        self._expired_at_s = now_s
        self._listed_until_s = 0.0
        for identity, entry in list(self._entries.items()):
            entry.expire(now_s)
            if not entry.heard_s:
                self._remove(identity)

    def _remove(self, identity: _Identity) -> None:
        source = self._entries.pop(identity).source
        del self._of_source[source][identity]
        if not self._of_source[source]:
            del self._of_source[source]
