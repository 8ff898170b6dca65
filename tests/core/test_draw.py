"""Draws: what the bytes of a beat decide, against the description written a second time."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.games import chance

from spitnet.core.draw import PAUSE_MAX_MS, PAUSE_MIN_MS, Draws, Randomness

ZERO = Randomness(bytes(32))


def described(seat: int, value: bytes, belows: list[int]) -> list[int]:
    """Each draw from the whole stream of bytes, as the wire description has it."""
    head = b"spitnet/1 draw " + str(seat).encode() + value
    stream = b"".join(sha256(head + bytes([0, 0, 0, i])).digest() for i in range(32))
    drawn, at = [], 0
    for below in belows:
        while stream[at] >= 256 // below * below:
            at += 1
        drawn.append(stream[at] % below)
        at += 1
    return drawn


@settings(deadline=None)
@given(st.binary(min_size=32, max_size=32), st.lists(st.integers(1, 52), max_size=200))
def test_draws_are_as_described(value: bytes, belows: list[int]) -> None:
    """R4, C5: bytes of SHA-256 blocks in order, the incomplete run at the end thrown away."""
    for seat in (0, 1):
        draws = Randomness(value).draws(seat)
        assert [draws.index(below) for below in belows] == described(seat, value, belows)


def test_draws_are_pinned() -> None:
    draws = ZERO.draws(0), ZERO.draws(1)
    assert [draws[0].index(52) for _ in range(8)] == [29, 17, 16, 3, 13, 19, 44, 18]
    assert [draws[1].index(52) for _ in range(8)] == [42, 49, 23, 31, 4, 4, 38, 35]


def test_draws_are_reproducible_and_differ_by_seat_and_beat() -> None:
    """C1, C5"""

    def some(draws: Draws) -> list[int]:
        return [draws.index(52) for _ in range(40)]

    here = chance("here")
    assert some(here.draws(0)) == some(here.draws(0))
    assert some(here.draws(0)) != some(here.draws(1))
    assert some(here.draws(0)) != some(chance("there").draws(0))


def chi_square(index: Callable[[int], int], below: int, times: int) -> float:
    seen = Counter(index(below) for _ in range(times))
    expected = times / below
    return sum((seen[value] - expected) ** 2 for value in range(below)) / expected


def limit(below: int) -> float:
    """Four standard deviations above what uniform draws give on average."""
    freedom = below - 1
    return freedom + 4 * sqrt(2 * freedom)


@pytest.mark.parametrize("below", [2, 3, 5, 7, 13, 30, 47, 48, 49, 51, 52])
@pytest.mark.parametrize("seat", [0, 1])
def test_draws_are_uniform(below: int, seat: int) -> None:
    """R4, C4: on one fixed stream, so that this can't fail by chance later on."""
    assert chi_square(chance("uniform").draws(seat).index, below, 50_000) < limit(below)


def test_first_draws_of_many_beats_are_uniform() -> None:
    """R4: a beat draws one card or two, always from the start of its stream."""
    beats = count()

    def first_draw(below: int) -> int:
        return chance("beats", next(beats)).draws(1).index(below)

    assert chi_square(first_draw, 52, 50_000) < limit(52)


def test_the_measure_finds_modulo_bias() -> None:
    """The test above can fail: bytes taken modulo 52 without rejection don't pass it."""
    stream = iter(b"".join(chance("biased", n).value for n in range(2_000)))
    assert chi_square(lambda below: next(stream) % below, 52, 50_000) > limit(52)


def test_the_toss_is_as_described_and_fair() -> None:
    """R10, C4"""
    beats = [chance("toss", number) for number in range(20_000)]
    firsts = [beat.first for beat in beats]
    described = [sha256(b"spitnet/1 order" + beat.value).digest()[0] & 1 for beat in beats]
    assert firsts == described
    assert abs(sum(firsts) - 10_000) < 4 * 71  # the standard deviation is 70.7


def test_the_pause_is_as_described_and_within_bounds() -> None:
    """R7: half a second to two, the same for both since it comes from the beat."""

    def described(value: bytes) -> int:
        for number in count():
            block = sha256(b"spitnet/1 pause" + value + number.to_bytes(4, "big")).digest()
            word = int.from_bytes(block[:4], "big")
            if word < 2**32 // 1501 * 1501:
                return 500 + word % 1501
        raise AssertionError

    beats = [chance("pause", number) for number in range(20_000)]
    pauses = [beat.pause_ms for beat in beats]
    assert pauses == [described(beat.value) for beat in beats]
    assert (min(pauses), max(pauses)) == (PAUSE_MIN_MS, PAUSE_MAX_MS) == (500, 2000)


def test_a_draw_from_one_card_takes_a_byte_all_the_same() -> None:
    """R4: a stock of one has no secret, yet every draw moves the stream on alike."""
    draws, again = ZERO.draws(0), ZERO.draws(0)
    assert draws.index(1) == 0
    again.index(256)
    assert [draws.index(256) for _ in range(40)] == [again.index(256) for _ in range(40)]
