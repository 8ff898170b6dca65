"""How the opponent of `spitnet solo` plays, kept for whoever takes the match up again: no record tells it.

What belongs here: a small file, of the match of this user's that was begun last. What must not: playing.
"""

import json
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from spitnet.app.identity import data_directory
from spitnet.app.options import ResumeOptions
from spitnet.bot.levels import Level
from spitnet.exits import UsageFailure
from spitnet.private import write_whole

_DELAY_S_MOST: Final = 60.0
"""As on the command line."""


class BotLevel(NamedTuple):
    """`delay_s` as in `PlayOptions`."""

    level: Level
    delay_s: float | None


def file() -> Path:
    """Where it is kept.

    Raises:
        UsageFailure: this user has no home.
    """
    return data_directory() / "opponent"


def keep(session: bytes, temper: BotLevel) -> None:
    """For the match of that session; where nothing can be written, another opponent comes back."""
    words = {"session": session.hex(), "level": temper.level, "delay_s": temper.delay_s}
    with suppress(OSError, UsageFailure):
        write_whole(file(), json.dumps(words) + "\n")


def recalled(options: ResumeOptions, session: bytes) -> ResumeOptions:
    """The options, with what they leave open about the opponent as it was when that match was begun."""
    kept = _kept(session)
    if kept is None or options.level is not None:
        return options
    delay_s = kept.delay_s if options.delay_s is None else options.delay_s
    return replace(options, level=kept.level, delay_s=delay_s)


def _kept(session: bytes) -> BotLevel | None:
    """What is kept of that match; None if that is nothing that can be used."""
    try:
        words: Any = json.loads(file().read_text(encoding="utf-8"))
        if words["session"] != session.hex():
            return None
        delay_s = None if words["delay_s"] is None else float(words["delay_s"])
        if delay_s is not None and not 0 <= delay_s <= _DELAY_S_MOST:
            return None
        return BotLevel(Level(words["level"]), delay_s)
    except (OSError, UsageFailure, ValueError, TypeError, KeyError):
        return None
