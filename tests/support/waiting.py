"""Waiting for something to happen, without sleeping: poll the sockets of all parties until it has, or time is up."""

import math
import time
from collections.abc import Callable
from typing import Protocol

import zmq


class Party(Protocol):
    """Whatever has sockets and something to do with them."""

    @property
    def sockets(self) -> tuple[object, ...]: ...

    def next_deadline_s(self) -> float | None: ...


def step(steps: dict[Party, Callable[[float], object]], at_most_s: float = 0.05) -> None:
    """Wait for the next thing that happens to any party, then let each act."""
    poller = zmq.Poller()
    deadlines = [time.monotonic() + at_most_s]
    for party in steps:
        for socket in party.sockets:
            poller.register(socket, zmq.POLLIN)
        deadline = party.next_deadline_s()
        if deadline is not None:
            deadlines.append(deadline)
    poller.poll(math.ceil(max(0.0, min(deadlines) - time.monotonic()) * 1000))
    for act in steps.values():
        act(time.monotonic())


def until(
    reached: Callable[[], object],
    steps: dict[Party, Callable[[float], object]],
    within_s: float = 15.0,
) -> None:
    """Run the parties until `reached` says so; fail the test after a generous time."""
    end_s = time.monotonic() + within_s
    while not reached():
        if time.monotonic() > end_s:
            raise AssertionError(f"not within {within_s} s: {reached}")
        step(steps)


def during(seconds: float, steps: dict[Party, Callable[[float], object]]) -> None:
    """Run the parties for a time, to show that something does not happen."""
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        step(steps, at_most_s=max(0.0, min(0.05, end_s - time.monotonic())))
