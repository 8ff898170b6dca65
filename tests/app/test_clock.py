"""The clock of a run goes on while the machine sleeps, and there is no other."""

import re
import sys
import time
from pathlib import Path

import pytest

import spitnet.app
from spitnet.app.clock import monotonic

OTHERS = re.compile(r"from time import .*(monotonic|perf_counter)|time\.(monotonic|perf_counter)")


@pytest.mark.skipif(sys.platform != "linux", reason="each system has a name of its own for it")
def test_it_counts_sleep() -> None:
    """What Linux counts since it was started, asleep or not."""
    before_s = time.clock_gettime(time.CLOCK_BOOTTIME)
    assert before_s <= monotonic() <= time.clock_gettime(time.CLOCK_BOOTTIME)


def test_no_room_of_the_runtime_reads_another() -> None:
    """Times of two clocks can't be compared: they are hours apart on a machine that has slept."""
    (directory,) = map(Path, spitnet.app.__path__)
    files = [path for path in directory.rglob("*.py") if path.name != "clock.py"]
    assert len(files) > 20
    assert [path for path in files if OTHERS.search(path.read_text(encoding="utf-8"))] == []
