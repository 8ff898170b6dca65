"""What the tests with real processes share."""

import socket

import pytest


@pytest.fixture
def free_port() -> int:
    """A UDP port for discovery that nobody uses, so that tests don't hear each other."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
