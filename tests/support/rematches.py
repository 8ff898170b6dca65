"""Asking for another match, by hand."""

from spitnet.protocol.messages import Rematch
from spitnet.protocol.rematch import RematchTalk


def asked(talk: RematchTalk) -> Rematch:
    """Asks for one; what is said then."""
    talk.ask()
    message = talk.due(0.0)
    assert message is not None
    return message
