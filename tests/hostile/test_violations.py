"""Every word of WIRE.md's section 16, each by its own lie: exit 6, the reason named on this side and told to the peer.

The honest side is a real process. Its record ends with the word, and verifies up to there.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.hostile import (
    CONCEDE,
    DEAL,
    NO_MOVE,
    PASS,
    READY,
    SPIT,
    Hostile,
    Kind,
    random,
)
from support.hostile_ends import Context, packed
from support.hostile_matches import EAGER, QUIET, meeting

from spitnet.cli import main
from spitnet.protocol.faults import Fault
from spitnet.ui.words import flaws

Lie = Callable[[Hostile], None]


class Case(NamedTuple):
    """A lie, told in beat 2 after an honest deal; or, where `asked`, in answer to the honest side's first COMMIT.

    `seldom`: left to the long run, another lie of the same kind being in the quick one.
    """

    word: str
    lie: Lie
    asked: bool = False
    seldom: bool = False


# Of the wrong place.


def wrong(kind: Kind, **lies: object) -> Lie:
    """A frame with such a field; what it needs is committed to."""

    def lie(hostile: Hostile) -> None:
        hostile.bind(READY)
        hostile.tell(kind, **lies)

    return lie


def ahead(kind: Kind, by: int) -> Lie:
    """A frame of a beat that nobody can be in."""

    def lie(hostile: Hostile) -> None:
        hostile.bind(READY)
        hostile.tell(kind, beat=hostile.beat + by)

    return lie


def wrong_seat(kind: Kind) -> Lie:
    """It speaks for the other side."""
    return lambda hostile: wrong(kind, seat=1 - hostile.seat)(hostile)


# Two faces.


def commits_anew(hostile: Hostile) -> None:
    """Another commitment, once its first was answered."""
    hostile.deaf_to = {Kind.REVEAL}
    hostile.commit(READY)
    hostile.hear(Kind.REVEAL)
    hostile.commit(READY)


def commits_anew_after_the_beat(hostile: Hostile) -> None:
    """Another commitment, for a beat that is over."""
    assert hostile.past is not None
    chain, digest = hostile.past.chain, hostile.past.digest
    hostile.bind(DEAL)
    hostile.tell(Kind.COMMIT, beat=hostile.beat, chain=chain, digest=digest)


def opens_anew_after_the_beat(hostile: Hostile) -> None:
    """Another opening: it would like another card."""
    assert hostile.past is not None
    chain, digest = hostile.past.chain, hostile.past.digest
    opening = (hostile.past.mine[0], random())
    hostile.tell(Kind.REVEAL, beat=hostile.beat, chain=chain, digest=digest, opening=opening)


def opens_otherwise(move: bytes, hostile: Hostile) -> None:
    """Sees the answer, then opens what it had not committed to."""
    hostile.deaf_to = {Kind.REVEAL}
    hostile.commit(READY)
    hostile.hear(Kind.REVEAL)
    hostile.reveal(opening=(move, random()))


def rolls_again(hostile: Hostile) -> None:
    """Looks at the cards that its pass has dealt, then says that it had passed with another nonce."""
    hostile.hear(Kind.COMMIT)
    hostile.until(lambda: hostile.beat == 1)
    assert hostile.past is not None
    assert len(hostile.game.layouts[hostile.seat]) == 4
    past = hostile.past
    lies = {"chain": past.chain, "digest": past.digest, "commit": None, "held": None}
    hostile.tell(Kind.RESUME, beat=0, last=None, reveal=(PASS, random()), **lies)


def copies(hostile: Hostile) -> None:
    """It has no move of its own, so it sends back the other's."""
    hostile.deaf_to = {Kind.COMMIT}
    hostile.tell(Kind.COMMIT, commitment=hostile.hear(Kind.COMMIT)[6])


def looks_ahead(hostile: Hostile) -> None:
    """Crosses the other's COMMIT, so as to see its move before opening; then wants another of its own."""
    hostile.deaf_to = {Kind.COMMIT, Kind.REVEAL}
    hostile.hear(Kind.COMMIT)
    hostile.catch_up(token=7)
    assert not hostile.count(Kind.REVEAL)  # it learns nothing before it is bound
    hostile.commit(DEAL)
    move, _ = hostile.hear(Kind.REVEAL)[6]
    assert move == DEAL
    hostile.reveal(opening=(CONCEDE, random()))


# Against the rules.


def proposes(move: bytes, hostile: Hostile) -> None:
    """Commits to it and opens it as if it were legal."""
    hostile.deaf_to = {Kind.REVEAL}
    hostile.commit(move)
    hostile.hear(Kind.REVEAL)
    hostile.reveal()


def plays_a_card(of: str, hostile: Hostile) -> None:
    """A play where no pile lies yet: of its own card, of the other's, of one that is still in a stock."""
    layouts, stocks = hostile.game.layouts, hostile.game.stocks
    cards = {
        "own": layouts[hostile.seat][0],
        "other's": layouts[1 - hostile.seat][0],
        "hidden": stocks[hostile.seat][0],
    }
    card = cards[of]
    assert card is not None
    proposes(bytes((4, card, 0, 1)), hostile)


def reveals_unasked(hostile: Hostile) -> None:
    hostile.mine = (PASS, random())
    hostile.reveal()


def moves_in_a_pass(hostile: Hostile) -> None:
    """Answers a COMMIT with a move; asked for what is missing, it hands back the move and no COMMIT."""
    hostile.deaf_to = {Kind.COMMIT, Kind.RESUME}
    hostile.hear(Kind.COMMIT)
    hostile.mine = (DEAL, random())
    hostile.reveal()
    ask = hostile.hear(Kind.RESUME)
    hostile.answer_resume(ask, reveal=hostile.mine)


# Of the past.


def invents(hostile: Hostile, **lies: object) -> None:
    """A RESUME that claims what was never written."""
    hostile.tell(Kind.RESUME, **lies)


def invents_a_beat(hostile: Hostile) -> None:
    chain = random()
    opening = (READY, random())
    invents(hostile, beat=hostile.beat + 1, chain=chain, last=opening)


def invents_a_beat_on_its_commit(hostile: Hostile) -> None:
    """A move of the other side's that was never made, after a COMMIT that was."""
    hostile.deaf_to = {Kind.COMMIT}
    hostile.hear(Kind.COMMIT)
    invents(hostile, beat=hostile.beat + 1, chain=random(), last=(DEAL, random()))


def invents_on_another_chain(hostile: Hostile) -> None:
    """Completes the beat rightly, but says that it came to another end."""
    hostile.deaf_to = {Kind.COMMIT}
    hostile.theirs = hostile.hear(Kind.COMMIT)[6]
    hostile.mine = (PASS, random())
    lies = {"reveal": None, "held": None}
    invents(hostile, beat=hostile.beat + 1, chain=random(), last=hostile.mine, **lies)
    hostile.hear(Kind.REVEAL)


def opens_in_two_ways_after_a_break(hostile: Hostile) -> None:
    """Is answered, breaks the link, and opens another move when it is back."""
    hostile.deaf_to = {Kind.REVEAL, Kind.RESUME}
    hostile.commit(READY)
    hostile.hear(Kind.REVEAL)
    hostile.end.reconnect()
    comes_back(hostile, reveal=(CONCEDE, random()))


def commits_in_two_ways_after_a_break(hostile: Hostile) -> None:
    """The same with another commitment."""
    hostile.deaf_to = {Kind.REVEAL, Kind.RESUME}
    hostile.commit(READY)
    hostile.hear(Kind.REVEAL)
    hostile.end.reconnect()
    comes_back(hostile, commit=random())


def comes_back(hostile: Hostile, **lies: object) -> None:
    """Resumes, and answers whenever it is asked in turn, which depends on whether the break was noticed."""
    hostile.tell(Kind.RESUME, resume_id=random(16), **lies)
    while not hostile.said:
        frame = hostile.step()
        if frame is not None and frame[0] is Kind.RESUME and frame[3] is not None:
            hostile.answer_resume(frame, **lies)


# Too much.


def stalls(hostile: Hostile) -> None:
    """Says again and again that a COMMIT was sent which never was."""
    while not hostile.said:
        hostile.tell(Kind.PING, proposed=True)
        hostile.hear_where(lambda frame: frame[0] in (Kind.RESUME, Kind.BYE), "RESUME")


def pauses(hostile: Hostile) -> None:
    """Leaves and comes back, again and again."""
    while not hostile.said:
        hostile.tell(Kind.BYE, farewell="paused")
        hostile.tell(Kind.RESUME, resume_id=random(16))
        hostile.hear_where(lambda frame: frame[0] in (Kind.RESUME, Kind.BYE), "RESUME")


CASES = {
    "a frame of another kind": Case("malformed", lambda h: h.raw(packed(99, h.session))),
    "two parts": Case("malformed", lambda h: h.raw(h.frame(Kind.PING), b"")),
    "an empty message": Case("malformed", lambda h: h.raw(b""), seldom=True),
    "COMMIT of the other seat": Case("wrong_seat", wrong_seat(Kind.COMMIT)),
    "REVEAL of the other seat": Case("wrong_seat", wrong_seat(Kind.REVEAL), seldom=True),
    "RESUME of the other seat": Case("wrong_seat", wrong_seat(Kind.RESUME)),
    "COMMIT ahead": Case("wrong_beat", ahead(Kind.COMMIT, 2)),
    "COMMIT far ahead": Case("wrong_beat", ahead(Kind.COMMIT, 2**40), seldom=True),
    "REVEAL ahead": Case("wrong_beat", ahead(Kind.REVEAL, 2), seldom=True),
    "PING that lies about the beat": Case("wrong_beat", ahead(Kind.PING, 1)),
    "PONG that lies about the beat": Case("wrong_beat", ahead(Kind.PONG, 2), seldom=True),
    "OVER too early": Case("wrong_beat", lambda h: h.tell(Kind.BYE)),
    "COMMIT on another past": Case("wrong_chain", wrong(Kind.COMMIT, chain=random())),
    "RESUME on another past": Case("wrong_chain", wrong(Kind.RESUME, chain=random()), seldom=True),
    "RESUME to another end": Case("wrong_chain", invents_on_another_chain, asked=True),
    "COMMIT on another state": Case("desync", wrong(Kind.COMMIT, digest=random())),
    "RESUME on another state": Case("desync", wrong(Kind.RESUME, digest=random()), seldom=True),
    "copied commitment": Case("copied_commitment", copies, asked=True),
    "second commitment": Case("second_commitment", commits_anew),
    "second commitment afterwards": Case(
        "second_commitment", commits_anew_after_the_beat, seldom=True
    ),
    "second commitment after a break": Case(
        "second_commitment", commits_in_two_ways_after_a_break, seldom=True
    ),
    "second opening": Case("second_opening", opens_anew_after_the_beat),
    "second opening of a pass": Case("second_opening", rolls_again, asked=True),
    "second opening after a break": Case("wrong_opening", opens_in_two_ways_after_a_break),
    "another move": Case("wrong_opening", partial(opens_otherwise, CONCEDE)),
    "another nonce": Case("wrong_opening", partial(opens_otherwise, READY), seldom=True),
    "look-ahead": Case("wrong_opening", looks_ahead, asked=True),
    "a pass in a COMMIT": Case("illegal_move", partial(proposes, PASS)),
    "no move in a COMMIT": Case("illegal_move", partial(proposes, NO_MOVE), seldom=True),
    "a move out of turn": Case("illegal_move", partial(proposes, SPIT), seldom=True),
    "a play onto nothing": Case("illegal_move", partial(plays_a_card, "own")),
    "a card of the other's": Case("illegal_move", partial(plays_a_card, "other's"), seldom=True),
    "a card not yet drawn": Case("illegal_move", partial(plays_a_card, "hidden")),
    "a move in a pass": Case("move_in_pass", moves_in_a_pass, asked=True),
    "a REVEAL of nothing": Case("unasked_opening", reveals_unasked),
    "a beat that never was": Case("invented_past", invents_a_beat),
    "a beat far ahead": Case("invented_past", lambda h: invents(h, beat=h.beat + 2), seldom=True),
    "a COMMIT that was never made": Case("invented_past", lambda h: invents(h, held=random())),
    "a move instead of a pass": Case("invented_past", invents_a_beat_on_its_commit, asked=True),
    "lost frames that never were": Case("stalling", stalls),
    "leaving again and again": Case("stalling", pauses, seldom=True),
}


def turns() -> list[Any]:
    """Each case in one role, turn and turn about; the long run has both."""
    return [
        pytest.param(name, (place + turn) % 2, marks=[pytest.mark.full] * (turn or case.seldom))
        for turn in (0, 1)
        for place, (name, case) in enumerate(CASES.items())
    ]


@pytest.mark.parametrize(("name", "seat"), turns())
def test_a_lie_ends_the_match(
    context: Context, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, seat: int
) -> None:
    """The whole of what must follow: the peer is told, the exit code, the words, the record, its verification."""
    case = CASES[name]
    with meeting(context, tmp_path, seat, EAGER if case.asked else QUIET) as two:
        if not case.asked:
            two.hostile.play(DEAL)
        case.lie(two.hostile)
        two.hostile.until(lambda: two.hostile.said)
        assert two.hostile.said[3:] == ["violation", case.word]
        code, word, message = two.stopped("violation", case.word)
        assert (code, word) == (6, case.word)
        assert case.word in message
        assert main(["verify", str(two.honest.record())]) == 6
        verdict = capsys.readouterr().out
        why = flaws.said(case.word)
        stopped = "where the match was stopped, since the opponent broke the protocol"
        assert f"holds up to beat {two.beat}, {stopped}: {why}; the match goes to " in verdict
        assert two.honest.of("match_over")[0]["winner"] == 1 - seat


def test_every_word_has_its_lie() -> None:
    """`flood` has a test of its own, beside what it may cost."""
    assert {case.word for case in CASES.values()} | {"flood"} == set(Fault)
