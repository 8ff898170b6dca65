"""C5: with one honest nonce nobody foresees or bends a card or a coin; and every field is bound."""

from hashlib import sha256
from itertools import pairwise

import pytest

from spitnet.core.draw import Randomness
from spitnet.core.state import Settings, new_match
from spitnet.protocol.binding import Opening, commitment, next_chain, session_id, state_digest
from spitnet.protocol.move_codec import PASS

CHAIN, DIGEST, SESSION = b"c" * 32, b"d" * 32, b"s" * 32
ROUNDS = 20_000


def honest(number: int) -> bytes:
    """A nonce that the other side doesn't know; a fixed sequence, so that the figures are fixed."""
    return sha256(b"honest %d" % number).digest()


def randomness(number: int, theirs: bytes) -> Randomness:
    """The beat's, where seat 1 chose its nonce and seat 0 is honest."""
    return Randomness(next_chain(CHAIN, 7, (Opening(PASS, honest(number)), Opening(PASS, theirs))))


@pytest.mark.parametrize("theirs", [bytes(32), b"\xff" * 32, sha256(b"chosen").digest()])
def test_whatever_one_side_chooses_cards_and_coins_stay_fair(theirs: bytes) -> None:
    """C5: over many honest nonces each of 52 cards and both sides of the coin come up as often, within four
    standard deviations.
    """
    cards = [0] * 52
    coins = 0
    for number in range(ROUNDS):
        beat = randomness(number, theirs)
        cards[beat.draws(1).index(52)] += 1
        coins += beat.first
    expected = ROUNDS / 52
    chi_square = sum((count - expected) ** 2 / expected for count in cards)
    assert abs(chi_square - 51) < 4 * (2 * 51) ** 0.5
    assert abs(coins - ROUNDS / 2) < 4 * (ROUNDS / 4) ** 0.5


def test_what_one_side_chooses_moves_nothing_for_good() -> None:
    """C5: two nonces of its own lead to cards that have no more in common than chance, so there is none to prefer."""
    drawn = [
        [randomness(number, theirs).draws(0).index(52) for number in range(2_000)]
        for theirs in (bytes(32), b"\1" * 32)
    ]
    same = sum(one == two for one, two in zip(*drawn, strict=True))
    assert abs(same - 2_000 / 52) < 4 * (2_000 / 52) ** 0.5


def test_a_commitment_binds_every_field() -> None:
    """Session, beat, seat, chain, digest, move, nonce: another of any is another commitment."""
    opening = Opening(b"\x03", b"n" * 32)
    variants = [
        commitment(SESSION, 5, 0, CHAIN, DIGEST, opening),
        commitment(b"t" * 32, 5, 0, CHAIN, DIGEST, opening),
        commitment(SESSION, 6, 0, CHAIN, DIGEST, opening),
        commitment(SESSION, 5, 1, CHAIN, DIGEST, opening),
        commitment(SESSION, 5, 0, b"x" * 32, DIGEST, opening),
        commitment(SESSION, 5, 0, CHAIN, b"x" * 32, opening),
        commitment(SESSION, 5, 0, CHAIN, DIGEST, Opening(b"\x02", b"n" * 32)),
        commitment(SESSION, 5, 0, CHAIN, DIGEST, Opening(b"\x03", b"m" * 32)),
    ]
    assert len(set(variants)) == len(variants)


def test_fields_cannot_run_into_each_other() -> None:
    """A byte moved from one field to the next is another preimage."""
    keys = b"h" * 32, b"j" * 32
    sessions = {session_id(*keys, b"ab"[:cut], b"ab"[cut:]) for cut in range(3)}
    assert len(sessions) == 3
    chains = [
        next_chain(CHAIN, 1, (Opening(b"\1" * size, b"n" * 32), Opening(PASS, b"m" * 32)))
        for size in (1, 2, 3)
    ]
    assert all(one != two for one, two in pairwise(chains))


def test_settings_are_bound_by_the_session_not_the_state() -> None:
    """The state says what lies on the table; the settings travel in WELCOME, which the session id holds."""
    assert state_digest(new_match(Settings(games=1))) == state_digest(new_match(Settings(games=3)))
