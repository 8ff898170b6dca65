"""What answers are measured by: the least round trip of the match, which the peer can't make longer by answering late."""

import pytest

from spitnet.protocol.peer_metrics import (
    LATE_CROSSING_S,
    PINGS_AWAITED,
    PINGS_ENOUGH,
    PINGS_KEPT,
    SLOW_REPLY_S,
    UNKNOWN_PING_S,
    PeerMetrics,
)


def pinged(pace: PeerMetrics, round_trips_s: list[float], begin_s: float = 0.0) -> float:
    """One PING a second, each answered after so long; when the last one left."""
    now_s = begin_s
    for round_trip_s in round_trips_s:
        now_s += 1.0
        pace.pong(pace.ping(now_s, lost=False), now_s + round_trip_s)
    return now_s


def test_late_pongs_make_no_answer_punctual() -> None:
    """However many of them: one that was quick shows how quick they can be."""
    pace = PeerMetrics()
    pinged(pace, [0.001] + [0.95] * 100)
    assert pace.ping_s == pytest.approx(0.95)
    assert pace.least_s == pytest.approx(0.001)
    assert pace.answered(0.9, crossed=True, now_s=200.0) == (900_000, 1_000)
    assert pace.answered(0.9, crossed=False, now_s=200.0) == (900_000, 1_000)
    assert (pace.late_crossings, pace.slow_replies) == (1, 1)


def test_who_answers_late_from_the_start_is_found_out_by_the_kernel() -> None:
    pace = PeerMetrics()
    pace.acknowledged(0.002)
    pinged(pace, [0.95] * 20)
    assert pace.answered(0.9, crossed=True, now_s=30.0) == (900_000, 2_000)


def test_one_quick_answer_shows_the_way_too() -> None:
    """Where no kernel tells: nobody passes, or opens, in less than a round trip."""
    pace = PeerMetrics()
    pinged(pace, [0.95] * 20)
    pace.asked(30.0)
    assert pace.answered(0.003, crossed=False, now_s=30.003) is None
    assert pace.least_s == pytest.approx(0.003)
    assert pace.answered(0.9, crossed=True, now_s=40.0) is not None


def test_a_crossing_shows_nothing() -> None:
    """It left before this side's COMMIT arrived; nor does an answer to what an earlier process has asked."""
    pace = PeerMetrics()
    pinged(pace, [0.2] * 3)
    pace.asked(10.0)
    pace.answered(0.001, crossed=True, now_s=10.001)
    assert pace.least_s == pytest.approx(0.2)
    restarted = PeerMetrics()
    restarted.answered(0.001, crossed=False, now_s=10.0)
    assert restarted.least_s is None


@pytest.mark.parametrize(("crossed", "room_s"), [(True, LATE_CROSSING_S), (False, SLOW_REPLY_S)])
def test_how_late_is_late(crossed: bool, room_s: float) -> None:
    for least_s in (None, 0.0002, 0.2):
        pace = PeerMetrics()
        if least_s is not None:
            pinged(pace, [least_s] * 3)
        due_s = (UNKNOWN_PING_S if least_s is None else least_s) + room_s
        assert pace.answered(due_s - 0.001, crossed, 9.0) is None
        assert pace.answered(due_s + 0.001, crossed, 9.0) is not None


def test_a_ping_that_grows_out_of_proportion_is_told_once() -> None:
    pace = PeerMetrics()
    now_s = pinged(pace, [0.001] * PINGS_KEPT)
    told = []
    for _ in range(100):
        now_s = pinged(pace, [0.95], now_s)
        told.append(pace.starts_to_lag())
    (growth,) = [one for one in told if one is not None]
    assert growth == (950_000, 1_000)
    assert pace.lags
    pinged(pace, [0.001] * PINGS_KEPT, now_s)
    assert pace.starts_to_lag() is None
    assert not pace.lags


@pytest.mark.parametrize("round_trip_s", [0.0002, 0.005, 0.2])
def test_a_ping_in_proportion_is_not_told(round_trip_s: float) -> None:
    """It may double, and a slow start is no growth."""
    pace = PeerMetrics()
    now_s = pinged(pace, [1.5] * (PINGS_ENOUGH // 2) + [round_trip_s] * (PINGS_ENOUGH // 2))
    for _ in range(PINGS_KEPT):
        now_s = pinged(pace, [2 * round_trip_s + SLOW_REPLY_S - 0.001], now_s)
        assert pace.starts_to_lag() is None


def test_a_pong_later_than_the_next_ping_counts() -> None:
    """Else whoever answers each after more than a second would have no ping at all."""
    pace = PeerMetrics()
    tokens = [pace.ping(float(second), lost=False) for second in range(6)]
    for second, token in enumerate(tokens):
        pace.pong(token, second + 5.5)
        pace.pong(token, second + 5.6)
    assert pace.ping_s == pytest.approx(5.5)


def test_who_answers_no_ping_has_a_long_one() -> None:
    pace = PeerMetrics()
    pace.acknowledged(0.001)
    told = [pace.starts_to_lag() for second in range(60) if pace.ping(float(second), lost=False)]
    assert sum(one is not None for one in told) == 1
    assert pace.ping_s == PINGS_AWAITED


def test_a_peer_out_of_reach_has_none() -> None:
    """Nobody answers PINGs there, and the way was not that long before."""
    pace = PeerMetrics()
    now_s = pinged(pace, [0.001] * 3)
    for _ in range(60):
        now_s += 1.0
        token = pace.ping(now_s, lost=True)
    pace.pong(token, now_s + 0.001)
    assert pace.starts_to_lag() is None
    assert pace.ping_s == pytest.approx(0.001)


def test_a_pong_to_no_ping_tells_nothing() -> None:
    pace = PeerMetrics()
    pace.pong(1, 0.5)
    token = pace.ping(1.0, lost=False)
    pace.pong(token + 1, 1.0)
    assert pace.least_s is None
    pace.pong(token, 1.2)
    assert pace.least_s == pytest.approx(0.2)
