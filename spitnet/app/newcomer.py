"""Whether this person has ever played: until the end of their first game the table leads them.

An empty file remembers it. The records can't: a bot's are of the same kind, and they may be anywhere.
"""

import os
from contextlib import suppress
from pathlib import Path

from spitnet.app.identity import data_directory
from spitnet.app.options import PlayOptions
from spitnet.core.state import Match
from spitnet.private import make_directory


def file() -> Path:
    """There once a person has ended a game."""
    return data_directory() / "played"


def wants_lessons(options: PlayOptions) -> bool:
    """Whether to lead whoever plays now."""
    return not options.no_hints and not os.path.exists(file())


def has_played(match: Match) -> None:
    """Remembers it, if a game with cards on the piles came to its end; where nothing can be written, nobody minds."""
    game = match.game
    if game is None or (game.number == 1 and (game.outcome is None or not any(game.piles))):
        return
    with suppress(OSError):
        make_directory(file().parent)
        file().touch()
