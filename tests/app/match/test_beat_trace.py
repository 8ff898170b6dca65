"""The calls of one beat, from the key that begins it until both sides rest: what they were, so that a detour shows in a diff."""

from difflib import unified_diff
from pathlib import Path

from support.beat_trace import GOLDEN, traced, whole

MOST = 190
"""Calls of both sides together, without drawing."""


def test_a_beat_makes_these_calls_and_no_others(tmp_path: Path) -> None:
    """If a change is meant: `python -m support.beat_trace`, in `tests`, writes what is compared with anew."""
    host, joiner = traced(tmp_path)
    before, now = GOLDEN.read_text(encoding="utf-8"), whole(host, joiner)
    changed = unified_diff(before.splitlines(), now.splitlines(), "before", "now", lineterm="", n=1)
    assert now == before, "\n".join(changed)
    assert len(host.splitlines()) + len(joiner.splitlines()) <= MOST
