"""The live list that a person chooses a table from.

What belongs here: which tables are on it, how each is shown, and when nobody needs to choose. What must not: looking for
them (joining), and the page (ui).
"""

from collections.abc import Callable, Collection

from spitnet.app.seat.open_table import FLAG_CODE
from spitnet.app.seat.search import LOOK_S, is_open, named
from spitnet.net.beacon import TableState
from spitnet.net.tables import Table
from spitnet.protocol import VERSION
from spitnet.ui.scene import ListedTable


class TableChoice:
    """The tables that were asked for, and their entries. Hundreds may be known, and each datagram asks: it is made anew only
    when they have changed.
    """

    def __init__(
        self,
        name: str | None,
        look_s: float = LOOK_S,
        free: Callable[[Table], bool] = lambda table: table.state is TableState.OPEN,
        *,
        choosing: bool = False,
    ) -> None:
        """`name`: that of the tables that are asked for, if only one will do; `look_s`: how long to look for a second.

        `free`: whether there is a place at a table, if one speaks its version. `choosing`: a person is, whatever there is.
        """
        self.tables: tuple[Table, ...] = ()
        self.entries: tuple[ListedTable, ...] = ()
        self._name = name
        self._known: tuple[Table, ...] = ()
        self._look_s = look_s
        self._free = free
        self._alone: tuple[bytes, float] | None = None
        self._left_to_choose = choosing

    def take(self, known: tuple[Table, ...]) -> bool:
        """Every table known now; whether the list is another one."""
        if known == self._known:
            return False
        self._known = known
        self.tables = named(known, self._name)
        entries = tuple(map(entry, self.tables))
        news = entries != self.entries
        self.entries = entries
        return news

    @property
    def others(self) -> tuple[Table, ...]:
        """Those that weren't asked for."""
        return tuple(one for one in self._known if one not in self.tables)

    def wanted(self, places: Collection[str]) -> Table | None:
        """The table at one of these places, if nothing keeps anybody from sitting down there."""
        if not places:
            return None
        both = zip(self.tables, self.entries, strict=True)
        return next((one for one, shown in both if shown.usable and shown.address in places), None)

    def only(self, now_s: float) -> Table | None:
        """The one table with a place, once it has been that for so long that another would have been heard.

        That counts from its own first sign: two that answer together, or open together, aren't heard in the same instant.
        Where there were several, the person is choosing: what others do takes nobody to a table.
        """
        free = tuple(filter(self._free, self.tables))
        self._left_to_choose |= len(free) > 1
        ours = () if self._left_to_choose else free
        table = next((one for one in ours if one.version == VERSION), None)
        if table is None:
            self._alone = None
        elif self._alone is None or self._alone[0] != table.instance:
            self._alone = table.instance, now_s + self._look_s
        return table if self._alone is not None and now_s >= self._alone[1] else None

    @property
    def only_at_s(self) -> float | None:
        """When the one table with a place is to be taken; None while there is none."""
        return None if self._alone is None else self._alone[1]


def entry(table: Table) -> ListedTable:
    """A table as it is shown."""
    return ListedTable(
        table.name,
        f"{table.address}:{table.port}",
        is_open(table),
        bool(table.flags & FLAG_CODE),
        table.version,
        table.watch_port is not None,
        table.settings,
    )
