"""Matches to look at: played by machine, fed to a follower."""

from support.games import Chooser, naive, played

from spitnet.core.state import Settings, new_match
from spitnet.protocol.notices import Completed
from spitnet.ui.pages.follow_page import FollowPage

NAMES = ("Ana", "Bram")
ENDING = "The record holds."


def beats(
    games: int = 2,
    settings: Settings | None = None,
    choosers: tuple[Chooser, Chooser] = (naive, naive),
    name: str = "looked at",
) -> list[Completed]:
    """All beats of a match; two naive players meet on the piles again and again."""
    settings = settings or Settings(games=games)
    return [
        Completed(number, one.moves, one.randomness, one.events, one.after, b"")
        for number, one in enumerate(played(name, settings, choosers), 1)
    ]


def follower(seen: list[Completed], seat: int = 0, *, playing: bool = False) -> FollowPage:
    """One that has them all, before the first."""
    match = new_match(seen[0].match.settings)
    page = FollowPage(seat, NAMES, match, "2026-01-02 03:04 UTC", playing=playing)
    page.take(seen, 0.0)
    page.close(ENDING, broken=False)
    return page
