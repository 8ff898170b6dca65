"""Those who look on: a bounded number, each with one question, none served at the cost of another."""

from spitnet.app.spectate.quota import MOST, MOST_OF_ONE_ADDRESS, SILENT_S, Spectators
from spitnet.protocol import VERSION
from spitnet.protocol.spectator import Watch, busy, encode, other_version

QUESTION = encode(Watch(VERSION, None, 0))


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def asked(audience: Spectators, now_s: float = 0.0) -> list[bytes]:
    return [key for key, _ in audience.questions(now_s)]


def test_one_machine_alone_cant_take_all_the_seats() -> None:
    audience = Spectators()
    answers = [audience.hear(key(n), "10.0.0.1", QUESTION, 0.0) for n in range(20)]
    assert answers.count(busy()) == 20 - MOST_OF_ONE_ADDRESS
    for n in range(100, 200):
        audience.hear(key(n), f"10.0.0.{n}", QUESTION, 0.0)
    assert len(audience) == MOST
    assert audience.hear(key(300), "10.0.9.9", QUESTION, 0.0) == busy()
    audience.left(key(0))
    assert audience.hear(key(300), "10.0.9.9", QUESTION, 0.0) is None


def test_whoever_says_nothing_any_more_makes_room() -> None:
    audience = Spectators()
    audience.hear(key(1), "", QUESTION, 0.0)
    audience.hear(key(2), "", QUESTION, SILENT_S)
    assert asked(audience, SILENT_S) == [key(2)]
    assert len(audience) == 1


def test_a_full_house_empties_though_nobody_waits() -> None:
    """All were answered, and have said no more."""
    audience = Spectators()
    for n in range(MOST):
        audience.hear(key(n), f"10.0.0.{n}", QUESTION, 0.0)
    assert audience.hear(key(300), "10.0.9.9", QUESTION, SILENT_S - 1) == busy()
    assert audience.hear(key(300), "10.0.9.9", QUESTION, SILENT_S) is None


def test_the_last_question_counts_and_rubbish_is_passed_over() -> None:
    """A flood of questions is one question; one of another version is told so."""
    audience = Spectators()
    for offset in range(1000):
        frame = encode(Watch(VERSION, None, offset))
        assert audience.hear(key(1), "", frame, 0.0) is None
        assert audience.hear(key(2), "", b"\xff" * 99, 0.0) is None
    assert list(audience.questions(0.0)) == [(key(1), Watch(VERSION, None, 999))]
    assert audience.hear(key(3), "", encode(Watch(2, None, 0)), 0.0) == other_version()
    assert len(audience) == 1


def test_who_was_answered_stands_last_in_the_line() -> None:
    audience = Spectators()
    for number in (1, 2, 3):
        audience.hear(key(number), "", QUESTION, 0.0)
    audience.answered(key(1))
    assert asked(audience) == [key(2), key(3)]
    assert not audience.all_wait
    audience.hear(key(1), "", QUESTION, 0.0)
    assert asked(audience) == [key(2), key(3), key(1)]
    assert audience.all_wait


def test_one_who_asks_without_end_leaves_something_for_the_others() -> None:
    audience = Spectators()
    for number, address in ((1, "10.0.0.1"), (2, "10.0.0.2")):
        audience.hear(key(number), address, QUESTION, 0.0)
    greedy = sum(audience.may_have(key(1), 0.0) for _ in range(1000))
    assert 0 < greedy < 100
    assert audience.may_have(key(2), 0.0)
    assert not audience.may_have(key(1), 0.0)
    assert audience.may_have(key(1), 1.0)
