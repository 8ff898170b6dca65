"""Peers that keep the other side waiting: whoever stays may claim the match, and nobody can be kept waiting unawares.

Claims C6 and R22. The record then says that this was one side's word.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.hostile import DEAL, READY, Hostile, Kind, random
from support.hostile_ends import PATIENCE_S, Context
from support.hostile_matches import EAGER, QUIET, Meeting, meeting

from spitnet.cli import main

ASK_S = 0.2
"""How long it hears nothing before it asks again: far more often than an honest side would."""


def freezes(hostile: Hostile) -> None:
    """Makes the other side ask for something that was never sent, and won't answer."""
    hostile.deaf_to = {Kind.RESUME}
    hostile.tell(Kind.PING, proposed=True)
    hostile.hear(Kind.RESUME)


def asks_back(hostile: Hostile) -> None:
    """Only ever asks where the other side stands; each answer that it gets asks again."""
    if hostile.step(ASK_S) is None:
        hostile.tell(Kind.RESUME, resume_id=random(16))


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.full)])
def test_nobody_is_kept_frozen_unawares(context: Context, tmp_path: Path, seat: int) -> None:
    """A peer that asks instead of answering is lost after a second, however often it asks."""
    with meeting(context, tmp_path, seat, QUIET) as two:
        two.hostile.play(DEAL)
        freezes(two.hostile)
        while not two.honest.of("opponent_lost"):
            asks_back(two.hostile)
            assert not two.hostile.said


def never_opens(hostile: Hostile) -> None:
    """Is answered, so it could see what the beat brings, and then opens it never; all else it does as it should."""
    hostile.play(DEAL)
    hostile.deaf_to = {Kind.REVEAL, Kind.RESUME}
    hostile.commit(READY)


def never_answers(hostile: Hostile) -> None:
    """Lets the other side's COMMIT lie; all else it does as it should, and says that it holds nothing."""
    hostile.deaf_to = {Kind.COMMIT, Kind.RESUME}
    hostile.hear(Kind.COMMIT)


def answers_without_it(hostile: Hostile) -> None:
    """Takes part in every resynchronisation, and leaves out what it owes."""
    frame = hostile.step(ASK_S / 10)
    if frame is not None and frame[0] is Kind.RESUME and frame[3] is not None:
        hostile.answer_resume(frame, reveal=None, last=None)


def falls_silent(hostile: Hostile) -> None:
    """Plays a beat and is deaf from then on, with the link standing."""
    hostile.play(DEAL)
    hostile.deaf_to = set(Kind)
    hostile.tell(Kind.PING, proposed=True)


def freezes_after_a_beat(hostile: Hostile) -> None:
    hostile.play(DEAL)
    freezes(hostile)


Act = Callable[[Hostile], object]
WAYS: dict[str, tuple[str, Act, Act]] = {
    "refuses to open": (QUIET, never_opens, answers_without_it),
    "refuses to answer": (EAGER, never_answers, answers_without_it),
    "silence": (QUIET, falls_silent, lambda hostile: hostile.step(ASK_S / 10)),
    "asks for ever": (QUIET, freezes_after_a_beat, asks_back),
}
"""The honest side's delay, how it begins, how it goes on."""


@pytest.mark.full
def test_whoever_stays_may_claim(
    context: Context, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each way, in both roles at once: exit 4 after the grace period, and the record holds, on this side's word."""
    with ExitStack() as all_of_them:
        meetings: list[tuple[Meeting, Act]] = []
        for name, (delay, begin, go_on) in WAYS.items():
            for seat in (0, 1):
                home = tmp_path / f"{name}-{seat}"
                two = all_of_them.enter_context(
                    meeting(context, home, seat, delay, *(("--grace", "5") * seat))
                )
                begin(two.hostile)
                meetings.append((two, go_on))
        end_s = time.monotonic() + PATIENCE_S
        while not all(two.honest.of("error") for two, _ in meetings):
            assert time.monotonic() < end_s
            for two, go_on in meetings:
                go_on(two.hostile)
        for two, _ in meetings:
            code, word, message = two.stopped("abandoned")
            assert (code, word) == (4, "opponent_gone")
            assert "the match is yours, on your word alone" in message
            record = str(two.honest.record())
            capsys.readouterr()
            assert main(["verify", record]) == 0
            assert "where this side claimed the match" in capsys.readouterr().out
