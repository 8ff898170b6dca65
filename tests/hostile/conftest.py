"""What the tests against hostile peers share."""

from collections.abc import Iterator

import pytest
import zmq
from support.hostile_ends import Context


@pytest.fixture(scope="session")
def context() -> Iterator[Context]:
    """The hostile side's sockets."""
    context: Context = zmq.Context()
    yield context
    context.destroy(linger=0)
