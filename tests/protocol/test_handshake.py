"""The handshake: one session on both sides, refusals by name, codes proved without being told."""

import os

import pytest

from spitnet.core.state import Settings
from spitnet.protocol import VERSION, handshake
from spitnet.protocol.handshake import Doorman, Seated, TurnedAway, Visitor, fingerprint
from spitnet.protocol.messages import (
    Accept,
    Hello,
    Message,
    Refuse,
    Refused,
    Start,
    Welcome,
    decode,
    encode,
)

HOST, JOINER, OTHER = b"h" * 32, b"j" * 32, b"o" * 32
SETTINGS = Settings(games=5)


def doorman(code: str | None = None) -> Doorman:
    return Doorman(HOST, "Ana", SETTINGS, code, os.urandom)


def visitor(code: str | None = None, key: bytes = JOINER) -> Visitor:
    return Visitor(HOST, key, "Bram", code, os.urandom)


def shake(host: Doorman, joiner: Visitor, key: bytes = JOINER, now_s: float = 0.0) -> None:
    """Passes frames back and forth until there is an answer, or nothing more to say."""
    for _ in range(4):
        answer = host.receive(key, joiner.frame, now_s)
        if answer is None or joiner.answer is not None:
            return
        joiner.receive(encode(answer))


def test_both_sides_hold_one_session() -> None:
    host, joiner = doorman(), visitor()
    shake(host, joiner)
    assert isinstance(joiner.answer, Seated)
    assert host.seated is not None
    assert host.seated == joiner.answer._replace(seat=0, start=host.seated.start)
    assert host.seated.names == ("Ana", "Bram")
    assert joiner.answer.settings == SETTINGS
    assert host.seated.origin.session == host.seated.session


def test_session_binds_both_keys_and_greetings() -> None:
    """Whoever sits between has other keys, so the two fingerprints differ."""
    host, joiner = doorman(), visitor()
    shake(host, joiner)
    assert host.seated is not None
    origin = host.seated.origin
    for changed in (
        origin._replace(host_key=OTHER),
        origin._replace(join_key=OTHER),
        origin._replace(hello=origin.hello + b"\0"),
        origin._replace(welcome=origin.welcome + b"\0"),
    ):
        assert fingerprint(changed.session) != fingerprint(origin.session)


def test_repeats_are_answered_alike() -> None:
    """A lost answer costs nothing: the joiner repeats, the host answers as it did before."""
    host, joiner = doorman(), visitor()
    first = host.receive(JOINER, joiner.frame, 0.0)
    assert host.receive(JOINER, joiner.frame, 0.5) == first
    assert isinstance(first, Welcome)
    assert joiner.receive(encode(first))
    assert not joiner.receive(encode(first))
    assert isinstance(host.receive(JOINER, joiner.frame, 1.0), Start)


def test_the_first_to_accept_has_the_seat() -> None:
    """Nobody holds the seat by knocking and falling silent."""
    host, silent, joiner = doorman(), visitor(key=OTHER), visitor()
    host.receive(OTHER, silent.frame, 0.0)
    shake(host, joiner)
    assert isinstance(joiner.answer, Seated)
    answer = host.receive(OTHER, silent.frame, 0.1)
    assert answer == Refuse(VERSION, Refused.BUSY)


def test_a_slow_knock_still_counts_while_there_is_room() -> None:
    """A link that failed for some seconds in mid-handshake must not cost the seat."""
    host, joiner = doorman(), visitor()
    first = host.receive(JOINER, joiner.frame, 0.0)
    late = handshake.KNOCK_S + 0.1
    assert host.receive(JOINER, joiner.frame, late) == first
    shake(host, joiner, now_s=late)
    assert isinstance(joiner.answer, Seated)


def test_a_forgotten_knock_is_refused() -> None:
    host, joiner = doorman(), visitor()
    welcome = host.receive(JOINER, joiner.frame, 0.0)
    assert welcome is not None
    joiner.receive(encode(welcome))
    late = handshake.KNOCK_S + 0.1
    for number in range(handshake.KNOCKS_MOST):
        key = bytes((number,)) * 32
        host.receive(key, visitor(key=key).frame, late)
    assert host.receive(JOINER, joiner.frame, late) == Refuse(VERSION, Refused.UNKNOWN)


def test_knocks_are_bounded() -> None:
    host = doorman()
    for number in range(handshake.KNOCKS_MOST):
        key = bytes((number,)) * 32
        assert isinstance(host.receive(key, visitor(key=key).frame, 0.0), Welcome)
    assert host.receive(OTHER, visitor(key=OTHER).frame, 0.0) == Refuse(VERSION, Refused.BUSY)
    later = handshake.KNOCK_S + 0.1
    assert isinstance(host.receive(OTHER, visitor(key=OTHER).frame, later), Welcome)


def test_another_version_is_named() -> None:
    """Both sides learn the other's version, whatever stands behind it in the greeting."""
    host, joiner = doorman(), visitor()
    hellos = (
        b"\x93\x01\xcd\x02\x00\xa1x",  # [1, 512, "x"]
        b"\x93\x01\xcd\x02\x00\x81\x01\x02",  # [1, 512, {1: 2}]
        b"\x93\x01\xcd\x02\x00\xa1\xff",  # [1, 512, a text that is no UTF-8]
    )
    for hello in hellos:
        assert host.receive(JOINER, hello, 0.0) == Refuse(VERSION, Refused.VERSION)
    joiner.receive(b"\x92\x02\xcd\x02\x00")  # [2, 512]
    assert joiner.answer == TurnedAway(512, Refused.VERSION)
    joiner = visitor()
    joiner.receive(encode(Refuse(512, Refused.VERSION)))
    assert joiner.answer == TurnedAway(512, Refused.VERSION)


@pytest.mark.parametrize("typed", ["1234", " 1234 ", "ABCD"])
def test_the_right_code_opens(typed: str) -> None:
    host, joiner = doorman(typed.strip().lower()), visitor(typed)
    shake(host, joiner)
    assert isinstance(joiner.answer, Seated)
    assert host.seated is not None


@pytest.mark.parametrize(("set_code", "typed"), [("1234", None), (None, "1234"), ("1234", "1235")])
def test_a_wrong_code_is_refused(set_code: str | None, typed: str | None) -> None:
    host, joiner = doorman(set_code), visitor(typed)
    shake(host, joiner)
    assert joiner.answer == TurnedAway(VERSION, Refused.CODE)
    assert host.seated is None


def test_a_wrong_code_costs_everyone_time() -> None:
    """Keys are free, so the wait is the table's, and it doubles."""
    host = doorman("1234")
    shake(host, visitor("0000"))
    assert host.receive(OTHER, visitor("1234", OTHER).frame, 1.0) == Refuse(VERSION, Refused.WAIT)
    soon = handshake.WRONG_CODE_WAIT_S + 0.1
    shake(host, visitor("0001"), now_s=soon)
    again = visitor("1234")
    shake(host, again, now_s=soon + handshake.WRONG_CODE_WAIT_S + 0.1)
    assert again.answer == TurnedAway(VERSION, Refused.WAIT)
    last = visitor("1234")
    shake(host, last, now_s=soon + 3 * handshake.WRONG_CODE_WAIT_S)
    assert isinstance(last.answer, Seated)


def test_a_host_that_does_not_know_the_code_is_found_out() -> None:
    joiner = visitor("1234")
    host = doorman("9999")
    welcome = host.receive(JOINER, joiner.frame, 0.0)
    assert welcome is not None
    joiner.receive(encode(welcome))
    accept = decode(joiner.frame)
    assert isinstance(accept, Accept)
    joiner.receive(encode(Start(accept.session, b"\0" * 32)))
    assert joiner.answer == TurnedAway(VERSION, Refused.CODE)


@pytest.mark.parametrize("element", [b"", b"\0" * 33, b"A" * 33, b"S" + b"\xff" * 32])
def test_a_bad_code_message_is_refused(element: bytes) -> None:
    host = doorman("1234")
    frame = encode(Hello(VERSION, b"n" * 32, "Bram", element))
    assert host.receive(JOINER, frame, 0.0) == Refuse(VERSION, Refused.CODE)


@pytest.mark.parametrize(
    "frame", [b"", b"\xff", b"\x90", b"\x91\x0a", encode(Start(b"s" * 32, b""))]
)
def test_nonsense_seats_nobody(frame: bytes) -> None:
    host = doorman()
    answer: Message | None = host.receive(JOINER, frame, 0.0)
    assert answer in (None, Refuse(VERSION, Refused.UNKNOWN))
    assert host.seated is None
