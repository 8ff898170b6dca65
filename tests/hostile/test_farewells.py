"""What a peer says as it leaves is its word alone: it ends the match here, and the record says whose word it was."""

from pathlib import Path
from typing import NamedTuple

import pytest
from support.hostile import CONCEDE, DEAL, Kind
from support.hostile_ends import Context
from support.hostile_matches import QUIET, entries_of, meeting

from spitnet.cli import main


class Said(NamedTuple):
    """A BYE, and what is made of it here."""

    farewell: str
    word: str
    how: str
    code: int
    message: str
    verified: int
    verdict: str


STOPPED = "where the opponent stopped the match, saying that this side broke the protocol:"
SAYINGS = {
    "an early claim": Said(
        *("abandoned", "", "claimed", 4, "claimed the match: it says that nothing came"),
        *(0, "where the opponent claimed the match"),
    ),
    "a false accusation": Said(
        *(
            "violation",
            "flood",
            "accused",
            6,
            "says that this side broke the protocol: far too much",
        ),
        *(
            6,
            f"{STOPPED} far too much was sent\n",
        ),
    ),
    "an accusation of nothing": Said(
        *("violation", "", "accused", 6, "says that this side broke the protocol: no reason"),
        *(
            6,
            f"{STOPPED} no reason is given",
        ),
    ),
    "records that are not lost": Said(
        *("lost_records", "", "lost_records", 4, "has taken the end of one side's record"),
        *(6, "where the match was stopped: the end of a record is lost"),
    ),
}


@pytest.mark.parametrize("seat", [0, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", SAYINGS)
def test_it_is_the_peers_word(
    context: Context, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, seat: int
) -> None:
    """A hundred frames behind it change nothing, an accusation, a claim and broken ones among them."""
    said = SAYINGS[name]
    with meeting(context, tmp_path, seat, QUIET) as two:
        hostile = two.hostile
        hostile.play(DEAL)
        hostile.tell(Kind.BYE, farewell=said.farewell, word=said.word)
        for _ in range(25):
            hostile.tell(Kind.BYE, farewell="violation", word="desync")
            hostile.tell(Kind.BYE, farewell="abandoned")
            hostile.tell(Kind.COMMIT, commitment=bytes(32))
            hostile.raw(b"\xc1")
        hostile.until(lambda: two.honest.of("error"))
        code, _, message = two.stopped(said.how, said.word)
        assert code == said.code
        assert said.message in message
        assert two.honest.of("error")[0]["code"] == said.how
        assert not hostile.said  # to a farewell there is no answer
        record = two.honest.record()
        assert [entry[0] for entry in entries_of(record)].count(5) == 1
        assert main(["verify", str(record)]) == said.verified
        assert f"holds up to beat 1, {said.verdict}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "farewell",
    [
        "violation",
        *(
            pytest.param(one, marks=pytest.mark.full)
            for one in ("abandoned", "lost_records", "paused")
        ),
    ],
)
def test_a_decided_match_stays_decided(context: Context, tmp_path: Path, farewell: str) -> None:
    """Whoever has lost and says something else instead of goodbye has lost."""
    with meeting(context, tmp_path, 0, QUIET) as two:
        hostile = two.hostile
        hostile.play(DEAL)
        hostile.deaf_to = {Kind.BYE}
        hostile.play(CONCEDE)
        hostile.hear(Kind.BYE)
        hostile.tell(Kind.BYE, farewell=farewell, word="desync")
        hostile.raw(b"\xc1")
        hostile.end.close()
        assert two.honest.finish() == (0, "")
        assert two.honest.of("match_over")[0]["winner"] == 1
        assert entries_of(two.honest.record())[-1][2] == "over"
