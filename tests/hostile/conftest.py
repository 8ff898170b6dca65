"""What the tests against hostile peers share."""

from collections.abc import Iterator
from threading import Thread

import pytest
import zmq
from support.hostile_ends import Context

ENDING_S = 5.0


@pytest.fixture(scope="session")
def context() -> Iterator[Context]:
    """The hostile side's sockets.

    Its hosts have nothing but ROUTER_HANDOVER for who comes again, and of what libzmq 4.3.5 then loses it waits for the end
    for ever.
    """
    context: Context = zmq.Context()
    yield context
    ending = Thread(target=context.destroy, kwargs={"linger": 0}, daemon=True)
    ending.start()
    ending.join(ENDING_S)
