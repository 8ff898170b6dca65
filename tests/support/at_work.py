"""What goes on beside a test, in a thread of its own, until the test is done with it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

from support.waiting import step

from spitnet.net.announcer import Announcer


@contextmanager
def at_work(act: Callable[[], object]) -> Iterator[None]:
    """Does it over and over."""
    over = Event()

    def work() -> None:
        while not over.is_set():
            act()

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def announcing(announcer: Announcer) -> Iterator[None]:
    """A table is made known, and closed in the end."""

    def announce() -> None:
        announcer.poll(monotonic())
        step({announcer: announcer.drain}, at_most_s=0.02)

    try:
        with at_work(announce):
            yield
    finally:
        announcer.close()
