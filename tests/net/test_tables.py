"""The list of tables and the rates: time passed in, floods bounded, nobody pushed out."""

import random
from dataclasses import replace

from spitnet.net.beacon import Announcement, TableState
from spitnet.net.limits import Allowance
from spitnet.net.tables import EXPIRY_S, MOST_TABLES, TableList

_ANA = Announcement(1, b"a" * 16, 4000, b"k" * 32, "Ana", TableState.OPEN, 0)
_BEN = replace(_ANA, instance=b"b" * 16, name="Ben", port=5000)


def test_one_entry_for_each_instance_in_the_order_first_heard() -> None:
    tables = TableList()
    tables.hear(_BEN, "10.0.0.2", 0.0)
    tables.hear(_ANA, "10.0.0.1", 1.0)
    tables.hear(_BEN, "10.1.0.2", 2.0)
    found = tables.tables(2.0)
    assert [one.name for one in found] == ["Ben", "Ana"]
    assert found[0].addresses == ("10.0.0.2", "10.1.0.2")
    assert (found[0].address, found[0].port) == ("10.0.0.2", 5000)


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


def test_a_goodbye_counts_from_a_known_address_only() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    tables.forget(_ANA.instance, "10.0.0.66")
    assert len(tables) == 1
    tables.forget(_ANA.instance, "10.0.0.1")
    assert len(tables) == 0


def test_nobody_takes_over_an_instance() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    tables.hear(replace(_ANA, key=b"x" * 32, name="Eve"), "10.0.0.66", 0.0)
    tables.hear(replace(_ANA, port=1, name="Eve"), "10.0.0.66", 0.0)
    (found,) = tables.tables(0.0)
    assert (found.name, found.addresses) == ("Ana", ("10.0.0.1",))


def test_forged_beacons_are_bounded_and_push_nobody_out() -> None:
    tables = TableList()
    tables.hear(_ANA, "10.0.0.1", 0.0)
    chance = random.Random(1)
    for number in range(4000):
        forged = replace(_ANA, instance=chance.randbytes(16), name=f"forged {number}")
        tables.hear(forged, f"10.0.{number % 40}.9", number / 1000)
        tables.hear(forged, "10.0.0.9", number / 1000)
    assert len(tables) == MOST_TABLES
    assert tables.tables(4.0)[0].name == "Ana"


def test_one_source_fills_only_a_part_of_the_list() -> None:
    tables = TableList()
    for number in range(1000):
        tables.hear(replace(_ANA, instance=number.to_bytes(16)), "10.0.0.66", 0.0)
    tables.hear(_BEN, "10.0.0.2", 0.0)
    assert tables.tables(0.0)[-1].name == "Ben"
    assert len(tables) < 100


def test_one_instance_has_few_addresses() -> None:
    tables = TableList()
    for number in range(100):
        tables.hear(_ANA, f"10.0.0.{number}", 0.0)
    assert len(tables.tables(0.0)[0].addresses) == 8


def test_an_allowance_gives_a_burst_then_a_rate() -> None:
    allowance = Allowance(burst=3, per_s=2)
    assert [allowance.take("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert allowance.take("b", 0.0)
    assert not allowance.take("a", 0.4)
    assert allowance.take("a", 0.9)
    assert [allowance.take("a", 100.0) for _ in range(4)] == [True, True, True, False]


def test_an_allowance_is_bounded_and_survives_a_clock_that_stands_or_steps_back() -> None:
    allowance = Allowance(burst=1, per_s=1, most=10)
    for number in range(1000):
        assert allowance.take(number, 5.0)
    assert len(allowance) == 10
    assert not allowance.take(999, 1.0)
