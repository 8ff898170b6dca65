"""The list of tables and the rates: time passed in, floods bounded, nobody pushed out."""

import random
from dataclasses import replace
from typing import Any

import pytest

from spitnet.core.state import Settings
from spitnet.net.beacon import Announcement, TableState
from spitnet.net.tables import EXPIRY_S, GONE_S, MOST_TABLES, TableList, table_at
from spitnet.protocol.limits import Allowance, Rate, SharedAllowance

_ANA = Announcement(1, b"a" * 16, 4000, b"k" * 32, "Ana", TableState.OPEN, 0)
_BEN = replace(_ANA, instance=b"b" * 16, name="Ben", port=5000)


def test_one_entry_for_each_instance() -> None:
    tables = TableList()
    tables.hear(_BEN, "10.0.0.2", 0.0)
    tables.hear(_ANA, "10.0.0.1", 1.0)
    tables.hear(_BEN, "10.1.0.2", 2.0)
    found = tables.tables(2.0)
    assert [one.name for one in found] == ["Ana", "Ben"]
    assert found[1].addresses == ("10.0.0.2", "10.1.0.2")
    assert (found[1].address, found[1].port) == ("10.0.0.2", 5000)


def test_everybody_sees_the_tables_in_one_order() -> None:
    """By name, however it is written, then by address; whoever was heard first, and whatever else runs there."""
    known = [
        (_BEN, "10.0.0.9"),
        (replace(_ANA, name="ana", instance=b"1" * 16), "10.0.0.1"),
        (replace(_ANA, instance=b"2" * 16), "10.0.0.10"),
        (replace(_ANA, instance=b"3" * 16), "10.0.0.9"),
        (replace(_ANA, instance=b"4" * 16, port=3999), "10.0.0.10"),
        (replace(_ANA, name="zoe", instance=b"5" * 16), "10.0.0.9"),
    ]
    wanted = [
        ("Ana", "10.0.0.9", 4000),
        ("Ana", "10.0.0.10", 3999),
        ("Ana", "10.0.0.10", 4000),
        ("ana", "10.0.0.1", 4000),
        ("Ben", "10.0.0.9", 5000),
        ("zoe", "10.0.0.9", 4000),
    ]
    chance = random.Random(3)
    for _ in range(50):
        chance.shuffle(known)
        tables = TableList()
        for beacon, address in known:
            tables.hear(beacon, address, 0.0, proved=True)
        assert [(one.name, one.address, one.port) for one in tables.tables(0.0)] == wanted


def test_loopback_is_the_best_address() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    tables.hear(_ANA, "127.0.0.1", 0.0)
    assert tables.tables(0.0)[0].addresses == ("127.0.0.1", "10.0.0.1")


def test_addresses_and_entries_expire() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    tables.hear(_ANA, "10.1.0.1", 3.0)
    assert tables.tables(EXPIRY_S)[0].addresses == ("10.1.0.1",)
    assert tables.tables(EXPIRY_S + 3.0) == ()


def test_the_list_follows_every_change_between_two_looks() -> None:
    """What is looked at again and again is what a list shows that is made anew for each look."""
    chance = random.Random(2)
    looked, anew = TableList(), TableList()
    for step in range(5000):
        now_s, number = step / 50, chance.randrange(8)
        state = chance.choice(list(TableState)) if number < 2 else TableState.OPEN
        beacon = replace(_ANA, instance=bytes([number]) * 16, state=state)
        address, proved = f"10.0.{chance.randrange(3)}.{number}", chance.random() < 0.2
        what = chance.random()
        for tables in (looked, anew):
            if what < 0.1:
                tables.hear(beacon, address, now_s, proved=proved)
            elif what < 0.11:
                tables.forget(beacon.instance, address, now_s)
        anew._listed_until_s = 0.0
        assert looked.tables(now_s) == anew.tables(now_s)


def names(tables: TableList, now_s: float) -> list[str]:
    return [one.name for one in tables.tables(now_s)]


def test_a_goodbye_counts_from_a_known_address_only() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    tables.forget(_ANA.instance, "10.0.0.66", 0.0)
    assert names(tables, GONE_S + 0.1) == ["Ana"]
    tables.forget(_ANA.instance, "10.0.0.1", 1.0)
    assert names(tables, 1.0 + GONE_S) == []


def test_a_forged_goodbye_hides_no_table_that_still_answers() -> None:
    tables = TableList()
    for tenth in range(100):
        if tenth % 5 == 0:
            tables.hear(_ANA, "10.0.0.1", tenth / 10)
        tables.forget(_ANA.instance, "10.0.0.1", tenth / 10)
        assert names(tables, tenth / 10) == ["Ana"]


def test_nobody_takes_over_an_instance() -> None:
    """Who copies it with another key or port makes an entry of its own, before or after; the real one stays itself."""
    for order in (1, -1):
        tables = TableList()
        beacons = [
            (_ANA, "10.0.0.1"),
            (replace(_ANA, key=b"x" * 32, name="Eve"), "10.0.0.66"),
            (replace(_ANA, port=1, name="Eve"), "10.0.0.66"),
        ]
        for beacon, address in beacons[::order]:
            tables.hear(beacon, address, 0.0)
        found = tables.tables(0.0)
        assert sorted(one.name for one in found) == ["Ana", "Eve", "Eve"]
        assert (found[0].name, found[0].key, found[0].addresses) == ("Ana", _ANA.key, ("10.0.0.1",))


@pytest.mark.parametrize(
    "lie",
    [
        {"state": TableState.PLAYING},
        {"flags": 1},
        {"name": "Eve"},
        {"settings": Settings(1000)},
        {"version": 2},
    ],
)
def test_nobody_speaks_for_a_table_that_answered(lie: dict[str, Any]) -> None:
    """Before, anybody could say under its name that it is busy; from then on the address that answered has the word."""
    tables = TableList()
    forged = replace(_ANA, **lie)
    tables.hear(_ANA, "10.0.0.1", 0.0, proved=True)
    tables.hear(forged, "10.0.0.66", 0.1)
    assert tables.tables(0.1)[0] == replace(
        table_at(_ANA, ("10.0.0.1",)), addresses=("10.0.0.1", "10.0.0.66")
    )
    tables.hear(forged, "10.0.0.1", 0.2)
    assert tables.tables(0.2)[0].settings == forged.settings
    assert tables.tables(0.2)[0].state == forged.state


def test_forged_beacons_are_bounded_and_push_nobody_out() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    chance = random.Random(1)
    for number in range(4000):
        forged = replace(_ANA, instance=chance.randbytes(16), name=f"forged {number}")
        tables.hear(forged, f"10.0.1.{number % 40}", number / 1000)
        tables.hear(forged, "10.0.0.9", number / 1000)
        assert len(tables) <= MOST_TABLES
    assert names(tables, 4.0)[0] == "Ana"


@pytest.mark.parametrize("sources", [1, 8, 40, 200, 400, 1000])
def test_a_table_that_comes_amid_ten_thousand_forged_ones_is_seen(sources: int) -> None:
    """One table from its own address, proved or not; once forged sources have but one place or two each, only proved."""
    tables = TableList()
    chance = random.Random(1)
    for number in range(10_000):
        forged = replace(_ANA, instance=chance.randbytes(16), name="forged")
        tables.hear(
            forged, f"10.0.{1 + number % sources // 250}.{number % sources % 250}", number / 5000
        )
        if number == 5000:
            tables.hear(_BEN, "10.0.0.2", number / 5000, proved=2 * sources > MOST_TABLES)
        assert len(tables) <= MOST_TABLES
    assert names(tables, 2.0)[0] == "Ben"


def test_forgers_who_answer_probes_share_the_list_by_address() -> None:
    """Machines that fill the list with proved tables, all that each may: the one of another is there, and first."""
    tables = TableList()
    for number in range(1000):
        forged = replace(_ANA, instance=number.to_bytes(16, "big"))
        tables.hear(forged, f"10.0.1.{number % 32}", 0.0, proved=True)
    assert len(tables) == MOST_TABLES
    tables.hear(_BEN, "10.0.0.2", 0.0, proved=True)
    assert names(tables, 0.0)[0] == "Ben"
    assert len(tables) == MOST_TABLES


def test_a_real_table_gets_in_where_its_own_address_was_forged() -> None:
    """Under its source's name a thousand others came first; its answer to a probe of its own displaces one of them."""
    tables = TableList()
    for number in range(1000):
        tables.hear(replace(_ANA, instance=number.to_bytes(16, "big")), "10.0.0.2", 0.0)
    tables.hear(_BEN, "10.0.0.2", 0.0, proved=True)
    for number in range(1000, 2000):
        tables.hear(replace(_ANA, instance=number.to_bytes(16, "big")), "10.0.0.2", 0.0)
    assert names(tables, 0.0)[0] == "Ben"


def test_false_addresses_of_a_table_come_after_the_one_that_answers() -> None:
    tables = TableList()
    for number in range(20):
        tables.hear(_ANA, f"10.0.1.{number}", number / 100)
    tables.hear(_ANA, "10.0.0.1", 1.0, proved=True)
    for number in range(20):
        tables.hear(_ANA, f"10.0.2.{number}", 1.0)
    (found,) = tables.tables(1.0)
    assert found.address == "10.0.0.1"
    assert len(found.addresses) == 8


def test_five_hundred_tables_with_an_address_each_are_all_there() -> None:
    """Unproved too, and amid what a few forgers send; who comes last is there as well as who came first."""
    tables = TableList()
    for number in range(500):
        forged = replace(_ANA, instance=b"forged" + number.to_bytes(10, "big"), name="forged")
        tables.hear(forged, f"10.0.9.{number % 8}", 0.0)
        real = replace(_ANA, instance=number.to_bytes(16, "big"), name=f"table {number}")
        tables.hear(real, f"10.0.{1 + number // 250}.{number % 250}", 0.0)
    found = set(names(tables, 0.0))
    assert {f"table {number}" for number in range(500)} <= found
    assert len(tables) == MOST_TABLES


def test_one_source_fills_only_a_part_of_the_list() -> None:
    tables = TableList()
    for number in range(1000):
        tables.hear(replace(_ANA, instance=number.to_bytes(16, "big")), "10.0.0.66", 0.0)
    tables.hear(_BEN, "10.0.0.2", 0.0)
    assert names(tables, 0.0)[0] == "Ben"
    assert len(tables) <= 17


def test_one_instance_has_few_addresses() -> None:
    tables = TableList()
    for number in range(100):
        tables.hear(_ANA, f"10.0.0.{number}", 0.0)
    assert len(tables.tables(0.0)[0].addresses) == 8


def test_an_allowance_gives_a_burst_then_a_rate() -> None:
    allowance = Allowance(Rate(burst=3, per_s=2))
    assert [allowance.take("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert allowance.take("b", 0.0)
    assert not allowance.take("a", 0.4)
    assert allowance.take("a", 0.9)
    assert [allowance.take("a", 100.0) for _ in range(4)] == [True, True, True, False]


def test_an_allowance_is_bounded_and_survives_a_clock_that_stands_or_steps_back() -> None:
    allowance = Allowance(Rate(burst=1, per_s=1), most=10)
    for number in range(1000):
        assert allowance.take(number, 5.0)
    assert len(allowance) == 10
    assert not allowance.take(999, 1.0)


def test_a_shared_allowance_serves_who_took_little_before_who_took_much() -> None:
    """Few that ask without end never empty it for another; one alone has all of its own; together they are bounded."""
    shared = SharedAllowance(Rate(5, 1), Rate(20, 2))
    assert [shared.take("alone", 0.0) for _ in range(6)] == [True] * 5 + [False]
    shared = SharedAllowance(Rate(5, 0.5), Rate(20, 2))
    taken = sum(shared.take(number % 3, number / 100) for number in range(10_000))
    assert taken <= 20 + 100 * 2
    assert shared.take("late", 100.0)
    assert sum(shared.take(number, 100.0) for number in range(1000)) <= 20
