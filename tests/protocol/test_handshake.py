"""The handshake: one session on both sides, refusals by name, codes proved without being told."""

import os

import pytest

from spitnet.core.state import Settings
from spitnet.protocol import VERSION, handshake
from spitnet.protocol.guesses import TOGETHER, Guesses
from spitnet.protocol.handshake import CodeProof, Doorman, Seated, TurnedAway, Visitor, fingerprint
from spitnet.protocol.messages import (
    Accept,
    Hello,
    Message,
    Refuse,
    Rejection,
    Start,
    Welcome,
    decode,
    encode,
)

HOST, JOINER, OTHER = b"h" * 32, b"j" * 32, b"o" * 32
HOME, EVES = "10.0.0.2", "10.0.0.66"
SETTINGS = Settings(games=5)


def doorman(code: str | None = None) -> Doorman:
    return Doorman(HOST, "Ana", SETTINGS, code, os.urandom)


def visitor(code: str | None = None, key: bytes = JOINER) -> Visitor:
    return Visitor(HOST, key, "Bram", code, os.urandom)


def shake(
    host: Doorman, joiner: Visitor, key: bytes = JOINER, now_s: float = 0.0, address: str = ""
) -> None:
    """Passes frames back and forth until there is an answer, or nothing more to say."""
    for _ in range(4):
        answer = host.receive(key, joiner.frame, now_s, address)
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
    assert answer == Refuse(VERSION, Rejection.BUSY)


def test_a_slow_knock_still_counts_while_there_is_room() -> None:
    """A link that failed for some seconds in mid-handshake must not cost the seat."""
    host, joiner = doorman(), visitor()
    first = host.receive(JOINER, joiner.frame, 0.0)
    late = 60.0
    assert host.receive(JOINER, joiner.frame, late) == first
    shake(host, joiner, now_s=late)
    assert isinstance(joiner.answer, Seated)


def knock(host: Doorman, number: int, now_s: float, address: str) -> Message | None:
    """A fresh HELLO of stranger `number`, who never accepts."""
    key = number.to_bytes(32, "big")
    return host.receive(key, encode(Hello(VERSION, os.urandom(32), "Eve", b"")), now_s, address)


def test_knocks_are_bounded_and_the_oldest_of_a_crowd_gives_way() -> None:
    host, joiner = doorman(), visitor()
    welcome = host.receive(JOINER, joiner.frame, 0.0, EVES)
    assert welcome is not None
    joiner.receive(encode(welcome))
    for number in range(500):
        assert isinstance(knock(host, number, 0.0, EVES), Welcome)
        assert len(host.knocks) <= handshake.KNOCKS_MOST
    assert host.receive(JOINER, joiner.frame, 0.0, EVES) == Refuse(VERSION, Rejection.UNKNOWN)


@pytest.mark.parametrize(("keys", "addresses"), [(16, 1), (16, 16), (400, 1), (4000, 40)])
def test_a_crowd_that_never_accepts_keeps_nobody_from_the_seat(keys: int, addresses: int) -> None:
    """Whoever comes from an address that isn't crowded is seated by two frames, whatever others send between them."""
    host, joiner = doorman(), visitor()

    def crowd(now_s: float) -> None:
        for number in range(keys):
            assert isinstance(knock(host, number, now_s, f"10.0.1.{number % addresses}"), Welcome)

    crowd(0.0)
    welcome = host.receive(JOINER, joiner.frame, 0.1, HOME)
    assert isinstance(welcome, Welcome)
    crowd(0.2)
    joiner.receive(encode(welcome))
    assert isinstance(host.receive(JOINER, joiner.frame, 0.3, HOME), Start)


def test_who_knocks_again_does_not_become_younger() -> None:
    """A key that knocks without end goes before the one that came after it, at the same address too."""
    host, joiner = doorman(), visitor()
    strangers = handshake.KNOCKS_MOST - 1
    for number in range(strangers):
        knock(host, number, 0.0, EVES)
    welcome = host.receive(JOINER, joiner.frame, 0.1, EVES)
    for number in range(strangers):
        knock(host, number, 0.2, EVES)
    for number in range(strangers, 2 * strangers):
        knock(host, number, 0.3, EVES)
    assert welcome is not None
    joiner.receive(encode(welcome))
    assert isinstance(host.receive(JOINER, joiner.frame, 0.4, EVES), Start)


def test_another_version_is_named() -> None:
    """Both sides learn the other's version, whatever stands behind it in the greeting."""
    host, joiner = doorman(), visitor()
    hellos = (
        b"\x93\x01\xcd\x02\x00\xa1x",  # [1, 512, "x"]
        b"\x93\x01\xcd\x02\x00\x81\x01\x02",  # [1, 512, {1: 2}]
        b"\x93\x01\xcd\x02\x00\xa1\xff",  # [1, 512, a text that is no UTF-8]
    )
    for hello in hellos:
        assert host.receive(JOINER, hello, 0.0) == Refuse(VERSION, Rejection.VERSION)
    joiner.receive(b"\x92\x02\xcd\x02\x00")  # [2, 512]
    assert joiner.answer == TurnedAway(512, Rejection.VERSION)
    joiner = visitor()
    joiner.receive(encode(Refuse(512, Rejection.VERSION)))
    assert joiner.answer == TurnedAway(512, Rejection.VERSION)


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
    assert joiner.answer == TurnedAway(VERSION, Rejection.CODE)
    assert host.seated is None


def test_a_wrong_code_costs_its_address_time() -> None:
    """Keys are free, so the wait is the address's, and it doubles."""
    host = doorman("1234")
    shake(host, visitor("0000"), address=EVES)
    again = host.receive(OTHER, visitor("1234", OTHER).frame, 1.9, EVES)
    assert again == Refuse(VERSION, Rejection.WAIT)
    shake(host, visitor("0001"), now_s=2.1, address=EVES)
    again = host.receive(OTHER, visitor("1234", OTHER).frame, 6.0, EVES)
    assert again == Refuse(VERSION, Rejection.WAIT)
    last = visitor("1234")
    shake(host, last, now_s=6.2, address=EVES)
    assert isinstance(last.answer, Seated)


def test_exchanges_begun_before_a_wrong_code_are_no_further_tries() -> None:
    host = doorman("1234")
    begun = []
    for number, code in enumerate(("0000", "0001", "1234")):
        key = bytes((number,)) * 32
        joiner = visitor(code, key)
        welcome = host.receive(key, joiner.frame, 0.0, EVES)
        assert welcome is not None
        joiner.receive(encode(welcome))
        begun.append((key, joiner))
    answers = [host.receive(key, joiner.frame, 0.1, EVES) for key, joiner in begun]
    wait = Refuse(VERSION, Rejection.WAIT)
    assert answers == [Refuse(VERSION, Rejection.CODE), wait, wait]
    key, joiner = begun[0]
    assert host.receive(key, joiner.frame, 9.0, EVES) == Refuse(VERSION, Rejection.UNKNOWN)


def test_a_wrong_code_leaves_others_knocks_alone() -> None:
    host, joiner = doorman("1234"), visitor("1234")
    welcome = host.receive(JOINER, joiner.frame, 0.0, HOME)
    shake(host, visitor("0000", OTHER), OTHER, 0.0, EVES)
    assert welcome is not None
    joiner.receive(encode(welcome))
    assert isinstance(host.receive(JOINER, joiner.frame, 0.1, HOME), Start)


@pytest.mark.parametrize("addresses", [1, 8, 40])
def test_guessers_neither_try_much_nor_keep_out_who_knows_the_code(addresses: int) -> None:
    """An hour of guessing with ever new keys. A few addresses never take the last try from one that wasn't wrong yet."""
    guesses = Guesses()
    tried = 0
    for second in range(3600):
        now_s = float(second)
        for number in range(addresses):
            if guesses.may_try(f"10.0.1.{number}", now_s):
                guesses.wrong(f"10.0.1.{number}", now_s)
                tried += 1
        if addresses <= 8:
            assert guesses.may_try(HOME, now_s)
    assert tried <= TOGETHER.burst + 3600 * TOGETHER.per_s + 1
    assert guesses.may_try(HOME, 3600.0)


def test_wrong_codes_of_ever_new_addresses_stay_few_and_are_remembered_in_bounded_room() -> None:
    guesses = Guesses()
    tried = 0
    for number in range(36_000):
        address = f"address {number}"
        if guesses.may_try(address, number / 10):
            guesses.wrong(address, number / 10)
            tried += 1
    assert tried <= TOGETHER.burst + 3600 * TOGETHER.per_s + 1
    for number in range(5000):
        guesses.wrong(f"address {number}", 9999.0)
    assert len(guesses.tries) <= 1024


def test_endless_knocks_at_a_table_with_a_code_keep_nobody_out() -> None:
    """Each exchange costs the host milliseconds, so they are rationed; who asks for the first time has one."""
    host = doorman("1234")
    element = CodeProof(1, "0000", (HOST, OTHER), os.urandom).message
    began = 0
    for tick in range(600):
        key = tick.to_bytes(32, "big")
        hello = encode(Hello(VERSION, os.urandom(32), "Eve", element))
        answer = host.receive(key, hello, tick / 300, f"10.0.1.{tick % 8}")
        began += isinstance(answer, Welcome)
    assert 8 <= began <= 8 * (handshake.CODES_EACH.burst + 2 * handshake.CODES_EACH.per_s)
    joiner = visitor("1234")
    shake(host, joiner, now_s=2.0, address=HOME)
    assert isinstance(joiner.answer, Seated)


def test_a_proof_at_a_table_without_a_code_costs_nobody_anything() -> None:
    host = doorman()
    for number in range(50):
        key = bytes((number,)) * 32
        welcome = knock(host, number, 0.0, EVES)
        assert isinstance(welcome, Welcome)
        joiner = visitor(key=key)
        greeted = host.receive(key, joiner.frame, 0.0, EVES)
        assert greeted is not None
        joiner.receive(encode(greeted))
        accept = decode(joiner.frame)
        assert isinstance(accept, Accept)
        wrong = encode(Accept(accept.session, b"p" * 32))
        assert host.receive(key, wrong, 0.0, EVES) == Refuse(VERSION, Rejection.CODE)
    joiner = visitor()
    shake(host, joiner, address=EVES)
    assert isinstance(joiner.answer, Seated)


def test_without_the_code_the_host_proves_nothing() -> None:
    """What it answers to who doesn't know the code: its element, then a refusal; its proof comes only after theirs."""
    host, joiner = doorman("1234"), visitor("0000")
    welcome = host.receive(JOINER, joiner.frame, 0.0)
    assert isinstance(welcome, Welcome)
    joiner.receive(encode(welcome))
    exchange = host.knocks[JOINER]
    proofs = [exchange.code.proof(seat, exchange.session) for seat in (0, 1)]
    sent = [encode(welcome)]
    for frame in (joiner.frame, encode(Accept(exchange.session, b"")), joiner.frame):
        answer = host.receive(JOINER, frame, 0.0)
        assert isinstance(answer, Refuse)
        sent.append(encode(answer))
    assert not any(proof in frame for proof in proofs for frame in sent)


def test_what_travels_is_alike_whatever_the_code_is() -> None:
    """Same frames of the same lengths, and the element is a new one each time: nothing to compare a guess with."""
    seen: set[bytes] = set()
    shapes = set()
    for code in ("1234", "1234", "0000", "another code, and a long one"):
        host, joiner = doorman(code), visitor(code)
        welcome = host.receive(JOINER, joiner.frame, 0.0)
        assert isinstance(welcome, Welcome)
        hello = joiner.frame
        joiner.receive(encode(welcome))
        shapes.add((len(hello), len(encode(welcome)), len(joiner.frame)))
        seen |= {welcome.code_message, hello, joiner.frame}
    assert len(shapes) == 1
    assert len(seen) == 12


def test_who_relays_between_two_that_know_the_code_fails_on_both_sides() -> None:
    """The code's proof is bound to both CURVE keys of a link, and a relay has other keys than the two."""
    eve = b"e" * 32
    host = doorman("1234")
    joiner = Visitor(eve, JOINER, "Bram", "1234", os.urandom)  # found Eve's table
    welcome = host.receive(eve, joiner.frame, 0.0)  # her knock, with the joiner's own words
    assert isinstance(welcome, Welcome)
    assert joiner.receive(encode(welcome))
    accept = decode(joiner.frame)
    assert isinstance(accept, Accept)
    assert host.receive(eve, joiner.frame, 0.0) == Refuse(VERSION, Rejection.UNKNOWN)
    session = host.knocks[eve].session
    forged = encode(Accept(session, accept.confirmation))
    assert host.receive(eve, forged, 0.0) == Refuse(VERSION, Rejection.CODE)
    joiner.receive(encode(Start(accept.session, accept.confirmation)))
    assert joiner.answer == TurnedAway(VERSION, Rejection.CODE)
    assert host.seated is None


def test_a_proof_is_worth_nothing_on_another_link_even_for_the_same_session() -> None:
    ours = (
        CodeProof(0, "1234", (HOST, OTHER), os.urandom),
        CodeProof(1, "1234", (OTHER, JOINER), os.urandom),
    )
    for one, other in (ours, ours[::-1]):
        assert one.meet(other.message)
    session = b"s" * 32
    assert not ours[0].holds(1, session, ours[1].proof(1, session))
    assert not ours[1].holds(0, session, ours[0].proof(0, session))


def test_a_host_that_does_not_know_the_code_is_found_out() -> None:
    joiner = visitor("1234")
    host = doorman("9999")
    welcome = host.receive(JOINER, joiner.frame, 0.0)
    assert welcome is not None
    joiner.receive(encode(welcome))
    accept = decode(joiner.frame)
    assert isinstance(accept, Accept)
    joiner.receive(encode(Start(accept.session, b"\0" * 32)))
    assert joiner.answer == TurnedAway(VERSION, Rejection.CODE)


@pytest.mark.parametrize("element", [b"", b"\0" * 33, b"A" * 33, b"S" + b"\xff" * 32])
def test_a_bad_code_message_is_refused(element: bytes) -> None:
    host = doorman("1234")
    frame = encode(Hello(VERSION, b"n" * 32, "Bram", element))
    assert host.receive(JOINER, frame, 0.0) == Refuse(VERSION, Rejection.CODE)


@pytest.mark.parametrize(
    "frame", [b"", b"\xff", b"\x90", b"\x91\x0a", encode(Start(b"s" * 32, b""))]
)
def test_nonsense_seats_nobody(frame: bytes) -> None:
    host = doorman()
    answer: Message | None = host.receive(JOINER, frame, 0.0)
    assert answer in (None, Refuse(VERSION, Rejection.UNKNOWN))
    assert host.seated is None
