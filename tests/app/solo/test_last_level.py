"""How the opponent of `solo` plays: kept for its match alone, and nothing that lies there stops a match."""

from pathlib import Path

import pytest
from support.program import variables

from spitnet.app.options import ResumeOptions
from spitnet.app.solo.last_level import BotLevel, file, keep, recalled
from spitnet.bot.levels import Level

SESSION, OTHER = bytes(32), bytes(31) + b"\x01"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, value in variables(tmp_path).items():
        monkeypatch.setenv(name, value)
    return tmp_path


def found(options: ResumeOptions, session: bytes = SESSION) -> tuple[Level | None, float | None]:
    options = recalled(options, session)
    return options.level, options.delay_s


@pytest.mark.parametrize("temper", [BotLevel(Level.EASY, 2.0), BotLevel(Level.HARD, None)])
def test_it_is_recalled_for_its_match_alone(temper: BotLevel) -> None:
    keep(SESSION, temper)
    assert found(ResumeOptions()) == temper
    assert found(ResumeOptions(), OTHER) == (None, None)
    keep(OTHER, BotLevel(Level.EXPERT, 0.0))
    assert found(ResumeOptions()) == (None, None)


def test_what_is_asked_for_now_comes_first() -> None:
    """Of another level the old delay says nothing; the other way round it is the same opponent in a hurry."""
    keep(SESSION, BotLevel(Level.EASY, 2.0))
    assert found(ResumeOptions(level=Level.HARD)) == (Level.HARD, None)
    assert found(ResumeOptions(delay_s=0.0)) == (Level.EASY, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "[]", "{}", "null", '"easy"'),
        f'{{"session": "{SESSION.hex()}"}}',
        f'{{"session": "{SESSION.hex()}", "level": "easiest", "delay_s": null}}',
        f'{{"session": "{SESSION.hex()}", "level": "easy", "delay_s": "soon"}}',
        f'{{"session": "{SESSION.hex()}", "level": "easy", "delay_s": 61}}',
        f'{{"session": "{SESSION.hex()}", "level": "easy", "delay_s": NaN}}',
        f'{{"session": "{SESSION.hex()}", "level": "easy", "delay_s": -1}}',
    ],
)
def test_what_cannot_be_read_is_as_if_it_were_not_there(text: str) -> None:
    file().parent.mkdir(parents=True, exist_ok=True)
    file().write_text(text)
    assert found(ResumeOptions()) == (None, None)


def test_nobody_minds_where_nothing_can_be_kept(home: Path) -> None:
    (home / "spitnet").write_text("no directory")
    keep(SESSION, BotLevel(Level.EASY, 2.0))
    assert found(ResumeOptions()) == (None, None)
