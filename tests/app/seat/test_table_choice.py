"""The list that a person chooses a table from, and why nobody sits down: what is said, and with which exit code."""

from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from spitnet.app.commands import join
from spitnet.app.console.desk import Desk
from spitnet.app.options import Address, JoinOptions
from spitnet.app.seat import rejections, table_list
from spitnet.app.seat.search import LOOK_S, TableSearch
from spitnet.app.seat.table_list import TableChoice
from spitnet.cli.addresses import address
from spitnet.exits import ExitCode
from spitnet.net.beacon import TableState
from spitnet.net.tables import MOST_TABLES, Table
from spitnet.protocol import VERSION
from spitnet.ui.pages.lobby_pages import LookingPage
from spitnet.ui.scene import ListedTable

ANA = Table(
    b"a" * 16, "Ana", "10.0.0.1", 4000, b"k" * 32, TableState.OPEN, 0, VERSION, ("10.0.0.1",)
)
BRAM = replace(ANA, instance=b"b" * 16, name="Bram", address="10.0.0.2")
BUSY = replace(BRAM, state=TableState.PLAYING)
OTHER = replace(BRAM, version=VERSION + 1)


def listed(*tables: Table, name: str | None = None) -> TableChoice:
    made = TableChoice(name)
    made.take(tables)
    return made


def searching(*, held: bool = False, offline: str = "") -> TableSearch:
    finder = SimpleNamespace(well_known_port_held=held)
    return cast(TableSearch, SimpleNamespace(finder=finder, offline=offline))


# Who is sat down without being asked.


def settled(listing: TableChoice) -> Table | None:
    """Who is sat down at when nothing more is heard."""
    listing.only(0.0)
    return listing.only(LOOK_S)


def test_the_one_open_table_is_taken_whoever_else_is_busy() -> None:
    assert settled(listed(BUSY, ANA)) == ANA
    assert settled(listed(BUSY)) is None
    assert settled(listed(OTHER)) is None


def test_another_has_time_to_be_heard() -> None:
    """However long nobody was there: it counts from the first sign of the one."""
    found = listed()
    assert (found.only(50.0), found.only_at_s) == (None, None)
    found.take((ANA,))
    assert (found.only(60.0), found.only_at_s) == (None, 60.0 + LOOK_S)
    assert found.only(60.0 + LOOK_S / 2) is None
    found.take((ANA, BRAM))
    assert (found.only(60.0 + LOOK_S), found.only_at_s) == (None, None)


def test_another_that_comes_instead_is_looked_at_anew() -> None:
    found = listed(ANA)
    assert found.only(0.0) is None
    found.take((BRAM,))
    assert found.only(LOOK_S) is None
    assert found.only(2 * LOOK_S) == BRAM


def test_news_of_the_one_does_not_keep_anybody_waiting() -> None:
    found = listed(ANA)
    assert found.only(0.0) is None
    moved = replace(ANA, address="10.0.0.3")
    found.take((moved,))
    assert found.only(LOOK_S) == moved


def test_who_answers_from_the_address_that_was_asked_is_taken_at_once() -> None:
    asked = TableChoice(None, look_s=0.0)
    asked.take((ANA,))
    assert asked.only(7.0) == ANA


@pytest.mark.parametrize("second", [BRAM, OTHER])
def test_where_there_are_several_the_person_chooses(second: Table) -> None:
    """A table of another version is a reason to look twice."""
    assert settled(listed(ANA, second)) is None


def test_who_is_choosing_is_taken_nowhere_by_what_others_do() -> None:
    choosing = listed(ANA, BRAM)
    assert choosing.only(0.0) is None
    for at_s, left in ((1.0, (ANA, BUSY)), (2.0, (ANA,))):
        choosing.take(left)
        assert choosing.only(at_s) is None


def test_a_wish_counts_for_a_table_that_is_free() -> None:
    both = listed(ANA, BUSY)
    assert both.wanted({"10.0.0.1:4000"}) == ANA
    assert both.wanted({"10.0.0.2:4000"}) is None
    assert both.wanted(()) is None


def test_busy_tables_and_those_of_other_versions_are_listed_as_such() -> None:
    assert [one.usable for one in listed(ANA, BUSY, OTHER).entries] == [True, False, False]


def test_only_the_named_ones_are_listed() -> None:
    found = listed(ANA, BUSY, name="Ana")
    assert found.tables == (ANA,)
    assert [one.name for one in found.entries] == ["Ana"]
    assert found.others == (BUSY,)


def test_a_hall_full_of_tables_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks for tables is woken by every datagram of every one of them."""
    made: list[Table] = []
    plain = table_list.entry

    def counted(table: Table) -> ListedTable:
        made.append(table)
        return plain(table)

    monkeypatch.setattr(table_list, "entry", counted)
    hall = tuple(replace(ANA, instance=n.to_bytes(16), port=n) for n in range(1, MOST_TABLES + 1))
    full = TableChoice(None)
    assert full.take(hall)
    for _ in range(100):
        assert not full.take(hall)
        assert full.wanted(()) is None
    assert len(made) == MOST_TABLES
    assert full.take(hall[1:])


# Why nobody sits down.


@pytest.mark.parametrize(
    ("tables", "options", "code", "word", "said"),
    [
        ((), JoinOptions(), ExitCode.NOBODY, "nobody", "no open table found"),
        ((), JoinOptions(table="Foo"), ExitCode.NOBODY, "nobody", "no open table found"),
        (
            (ANA, BUSY, replace(ANA, port=1)),
            JoinOptions(table="Foo"),
            ExitCode.NOBODY,
            "nobody",
            "there is no table “Foo” here, only Ana, Bram",
        ),
        ((BUSY,), JoinOptions(), ExitCode.REFUSED, "busy", "the table “Bram” is busy"),
        (
            (ANA, BUSY),
            JoinOptions(table="Bram"),
            ExitCode.REFUSED,
            "busy",
            "the table “Bram” is busy",
        ),
        (
            (BUSY, replace(BUSY, name="Cas")),
            JoinOptions(),
            ExitCode.REFUSED,
            "busy",
            "all tables that were found are busy: Bram, Cas",
        ),
        ((ANA, BRAM), JoinOptions(), ExitCode.NOBODY, "nobody", "no table was chosen in time"),
        (
            (),
            JoinOptions(address=Address("10.0.0.9", 7)),
            ExitCode.NOBODY,
            "nobody",
            "no table answers at 10.0.0.9:7",
        ),
    ],
)
def test_what_is_said_when_the_time_is_up(
    tables: tuple[Table, ...], options: JoinOptions, code: ExitCode, word: str, said: str
) -> None:
    failure = rejections.nobody(tables, searching(), options)
    assert (failure.code, failure.word) == (code, word)
    assert failure.message.startswith(said)
    assert "\n" not in failure.message


def test_who_has_no_network_is_told_so_and_nothing_that_cant_help() -> None:
    """Unless a table is found all the same, which may be on this machine."""
    why = "e0 has no IPv4 address; spitnet needs one."
    for options in (JoinOptions(), JoinOptions(address=Address("10.0.0.9", 7))):
        offline = searching(offline=why)
        assert rejections.trouble(listed(), offline, options, silent=True) == why
        assert rejections.nobody((), offline, options).message == f"no open table found. {why}"
        assert rejections.trouble(listed(ANA), offline, options, silent=True) == ""
        assert why not in rejections.nobody((BUSY,), offline, options).message


def test_many_other_tables_are_not_all_named() -> None:
    hall = tuple(replace(ANA, name=f"Ana {n}") for n in range(500))
    failure = rejections.nobody(hall, searching(), JoinOptions(table="Foo"))
    assert failure.message.endswith("only Ana 0, Ana 1, Ana 2, Ana 3, Ana 4, …")


@pytest.mark.parametrize("silent", [False, True])
def test_meanwhile_it_is_said_that_the_named_one_is_missing(silent: bool) -> None:
    """Once there was time to answer; the search goes on."""
    options = JoinOptions(table="Foo")
    found = listed(ANA, name="Foo")
    said = rejections.trouble(found, searching(), options, silent)
    assert said == ("There is no table “Foo” here, only Ana." if silent else "")
    assert rejections.trouble(listed(name="Foo"), searching(), options, silent) == ""
    there = listed(replace(ANA, name="Foo"), ANA, name="Foo")
    assert rejections.trouble(there, searching(), options, silent) == ""


def test_an_address_is_said_as_it_is_typed() -> None:
    for text in ("ada.local", "10.0.0.9:7", "[fe80::1]:7", "fe80::1"):
        assert rejections.written(address(text)) == text


def test_who_was_asked_and_answered_is_not_said_to_be_silent() -> None:
    options = JoinOptions(address=Address("10.0.0.9", 7))
    assert rejections.trouble(listed(), searching(), options, silent=True) == (
        "10.0.0.9:7 doesn’t answer."
    )
    assert rejections.trouble(listed(ANA, BRAM), searching(), options, silent=True) == ""


class Street:
    """Stands for looking, waiting and the clock of `join`: the one table is heard at a moment of choice."""

    sources = ()
    offline = ""

    def __init__(self, heard_s: float) -> None:
        self.now_s = 0.0
        self._heard_s = heard_s

    def step(self, now_s: float) -> None: ...
    def close(self) -> None: ...

    def tables(self, now_s: float) -> tuple[Table, ...]:
        return (ANA,) if now_s >= self._heard_s else ()

    def wait(self, _sources: object, due_s: float | None, now_s: float) -> None:
        assert due_s is not None
        later = [at for at in (due_s, self._heard_s) if at > now_s]
        self.now_s = min(later, default=now_s)


@pytest.mark.parametrize("heard_s", [0.2, 0.9])
def test_a_table_heard_as_the_time_runs_out_is_sat_down_at(
    monkeypatch: pytest.MonkeyPatch, heard_s: float
) -> None:
    """Another still has its moment to be heard in."""
    street, desk = Street(heard_s), Desk(LookingPage(0.0))
    monkeypatch.setattr(join, "monotonic", lambda: street.now_s)
    monkeypatch.setattr(join, "TableSearch", lambda *_asked: street)
    monkeypatch.setattr(join, "Loop", lambda: street)
    monkeypatch.setattr(rejections, "trouble", lambda *_known: "")
    options = JoinOptions(interface="lo", timeout_s=1.0)
    with closing(desk.inbox):
        assert join._choose(options, desk) == ANA
    assert street.now_s == pytest.approx(heard_s + LOOK_S)
