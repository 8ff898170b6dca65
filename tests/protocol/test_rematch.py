"""R21: a rematch is a new match; both ask for it, seats stay, and lost frames don't matter."""

import os

from spitnet.core.moves import Deal
from spitnet.core.state import Settings
from spitnet.protocol.lockstep import Send
from spitnet.protocol.messages import Bye, Farewell, Rematch, encode
from spitnet.protocol.rematch import REPEAT_S, RematchTalk
from spitnet.protocol.session import Session

FINISHED = b"f" * 32


def talks() -> tuple[RematchTalk, RematchTalk]:
    return RematchTalk(FINISHED, 0, os.urandom), RematchTalk(FINISHED, 1, os.urandom)


def test_both_must_ask() -> None:
    """R21"""
    host, joiner = talks()
    joiner.receive(encode(host.ask(0.0)))
    assert joiner.peer_asked
    assert [side.agreed for side in (host, joiner)] == [None, None]
    host.receive(encode(joiner.ask(1.0)))
    assert host.agreed is not None
    assert host.agreed == joiner.agreed != FINISHED
    assert host.nonces == joiner.nonces


def test_it_is_asked_again_until_agreed() -> None:
    host, joiner = talks()
    first = host.ask(0.0)
    assert host.poll(REPEAT_S / 2) is None
    assert host.poll(REPEAT_S) == first
    joiner.receive(encode(first))
    host.receive(encode(joiner.ask(1.5)))
    assert host.poll(10.0) is None
    assert host.next_deadline_s() is None


def test_the_first_nonce_counts() -> None:
    """Nobody picks another nonce after seeing the other's."""
    host, joiner = talks()
    host.ask(0.0)
    host.receive(encode(joiner.ask(0.0)))
    agreed = host.agreed
    host.receive(encode(Rematch(FINISHED, b"x" * 32)))
    assert host.agreed == agreed


def test_leaving_is_noticed_and_nonsense_is_not() -> None:
    host, _ = talks()
    host.receive(b"\xff")
    host.receive(encode(Bye(FINISHED, 9, Farewell.OVER, "")))
    assert not host.peer_left
    host.receive(encode(Bye(FINISHED, 9, Farewell.PAUSED, "")))
    assert host.peer_left


def test_the_next_match_answers_for_a_lost_request() -> None:
    """Who has begun already tells its REMATCH again to who still asks."""
    host, joiner = talks()
    joiner.receive(encode(host.ask(0.0)))
    joiner.ask(0.0)
    assert joiner.agreed is not None
    session = Session(1, joiner.agreed, Settings(), os.urandom, 0.0, before=joiner.mine)
    session.propose(Deal(), 0.0)
    session.take_effects()
    session.receive(encode(host.mine), 1.0)
    assert [effect for effect in session.take_effects() if isinstance(effect, Send)] == [
        Send(joiner.mine)
    ]
    assert session.ended is None
