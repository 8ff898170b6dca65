"""R21: a rematch is a new match; both ask for it, seats stay, and lost frames don't matter."""

import os

import pytest
from support.rematches import asked

from spitnet.core.moves import Deal
from spitnet.core.state import Settings
from spitnet.protocol.entries import Ended, Ending
from spitnet.protocol.lockstep import Send
from spitnet.protocol.messages import Bye, Farewell, Hello, Message, Ping, Rematch, Resume, encode
from spitnet.protocol.rematch import REPEAT_S, Prospect, RematchTalk
from spitnet.protocol.session import Session

FINISHED = b"f" * 32
OTHER = b"o" * 32


def talks() -> tuple[RematchTalk, RematchTalk]:
    return RematchTalk(FINISHED, 0, os.urandom), RematchTalk(FINISHED, 1, os.urandom)


def test_both_must_ask() -> None:
    """R21"""
    host, joiner = talks()
    joiner.take(asked(host))
    assert (host.prospect, joiner.prospect) == (Prospect.ASKED, Prospect.OFFERED)
    assert [side.agreed for side in (host, joiner)] == [None, None]
    host.take(asked(joiner))
    assert host.agreed is not None
    assert host.agreed == joiner.agreed != FINISHED
    assert host.nonces == joiner.nonces


def test_it_is_asked_again_until_agreed() -> None:
    """Once a second, and at once when the link is back: whatever was said before may be lost."""
    host, _ = talks()
    assert host.next_deadline_s() is None
    first = asked(host)
    assert host.due(REPEAT_S / 2) is None
    assert host.next_deadline_s() == REPEAT_S
    assert host.due(REPEAT_S) == first
    host.down()
    host.up()
    assert host.due(REPEAT_S) == first


def test_the_first_nonce_counts() -> None:
    """Nobody picks another nonce after seeing the other's."""
    host, joiner = talks()
    asked(host)
    host.take(asked(joiner))
    agreed = host.agreed
    host.take(Rematch(FINISHED, b"x" * 32))
    assert host.agreed == agreed


GOODBYES = [farewell for farewell in Farewell if farewell is not Farewell.OVER]


@pytest.mark.parametrize(
    "message",
    [*(Bye(FINISHED, 9, goodbye, "") for goodbye in GOODBYES), Hello(1, b"n" * 32, "Bram", b"")],
)
def test_who_has_left_is_not_asked(message: Message) -> None:
    """A goodbye, or a greeting: then its program has begun anew."""
    host, joiner = talks()
    host.take(asked(joiner))
    host.take(message)
    assert host.prospect is Prospect.LEFT
    host.ask()
    assert (host.due(0.0), host.agreed) == (None, None)


@pytest.mark.parametrize(
    "message",
    [
        Bye(FINISHED, 9, Farewell.OVER, ""),
        Ping(FINISHED, 1, 9, False),
        Resume(FINISHED, 1, None, None, 9, b"c" * 32, b"d" * 32, None, None, None, None),
    ],
)
def test_who_says_something_is_there(message: Message) -> None:
    """Also who had paused and is back, and where nothing told that the link is."""
    host, _ = talks()
    seen = []
    for happens in (
        host.down,
        lambda: host.take(message),
        lambda: host.take(Bye(FINISHED, 9, Farewell.PAUSED, "")),
        lambda: host.take(message),
    ):
        happens()
        seen.append(host.prospect)
    assert seen == [Prospect.AWAY, Prospect.NONE, Prospect.LEFT, Prospect.NONE]


def test_another_match_says_nothing_of_this_one() -> None:
    host, _ = talks()
    host.take(Bye(OTHER, 9, Farewell.PAUSED, ""))
    host.take(Rematch(OTHER, b"x" * 32))
    assert host.prospect is Prospect.NONE


@pytest.mark.parametrize("goodbye", GOODBYES)
def test_who_asked_for_a_match_and_goes_has_left_it(goodbye: Farewell) -> None:
    """R22: its goodbye to the match before and this side's answer crossed. Once it has begun this one, that is old news."""
    ends = []
    for heard in (False, True):
        host = RematchTalk(FINISHED, 0, os.urandom)
        said = asked(host)
        session = Session(0, OTHER, Settings(), os.urandom, 0.0, before=said)
        if heard:
            session.receive(encode(Ping(OTHER, 1, 0, False)), 0.0)
        session.receive(encode(Bye(FINISHED, 9, goodbye, "")), 0.0)
        ends.append(session.ended)
    assert ends == [Ended(0, Ending.LEFT, 1, ""), None]


def test_the_next_match_answers_for_a_lost_request() -> None:
    """Who has begun already tells its REMATCH again to who still asks."""
    host, joiner = talks()
    asks = asked(host)
    joiner.take(asks)
    said = asked(joiner)
    assert joiner.agreed is not None
    session = Session(1, joiner.agreed, Settings(), os.urandom, 0.0, before=said)
    session.propose(Deal(), 0.0)
    session.take_effects()
    session.receive(encode(asks), 1.0)
    assert [effect for effect in session.take_effects() if isinstance(effect, Send)] == [Send(said)]
    assert session.ended is None
