"""What the tests against hostile peers share."""

from collections.abc import Iterator

import pytest
import zmq
import zmq.auth
from support.hostile_ends import Context
from zmq.auth.thread import ThreadAuthenticator


@pytest.fixture(scope="session")
def context() -> Iterator[Context]:
    """The hostile side's sockets; its hosts let everybody in."""
    context: Context = zmq.Context()
    gate = ThreadAuthenticator(context)
    gate.start()
    gate.configure_curve(domain="*", location=zmq.auth.CURVE_ALLOW_ANY)
    yield context
    gate.stop()
    context.destroy(linger=0)
