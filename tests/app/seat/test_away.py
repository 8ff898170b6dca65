"""For how long this side was away, where a match is taken up again: since its record was last written to."""

import os
import time
from pathlib import Path

import pytest

from spitnet.app.match.unfinished import away_s


@pytest.mark.parametrize("ago_s", [0.0, 7200.0])
def test_a_record_tells_when_this_side_was_last_there(tmp_path: Path, ago_s: float) -> None:
    record = tmp_path / "record"
    record.touch()
    os.utime(record, (0.0, time.time() - ago_s))
    assert away_s(record) == pytest.approx(ago_s, abs=60.0)


def test_a_clock_that_was_set_back_tells_nothing(tmp_path: Path) -> None:
    record = tmp_path / "record"
    record.touch()
    os.utime(record, (0.0, time.time() + 7200.0))
    assert away_s(record) == float("inf")
