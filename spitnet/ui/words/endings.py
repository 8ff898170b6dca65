"""How games and matches end, and the page after a game."""

from typing import Final, assert_never

from spitnet.core.cards import Seat, other
from spitnet.core.state import Outcome, Reason
from spitnet.language import decimal
from spitnet.language import gettext as _
from spitnet.protocol.entries import Ended, Ending
from spitnet.ui.pages.due import opponent
from spitnet.ui.scene import TableScene
from spitnet.ui.words.stopped import stopped

SHORTEST_S: Final = 0.01
"""A play that took less is said to have taken less: none takes no time."""


def game_over(scene: TableScene) -> str:
    """Who won the game that was played last, and why; empty while it goes on."""
    outcome = scene.match.game.outcome if scene.match.game else None
    if outcome is None:
        return ""
    return f"{game_result(scene, outcome)} {reason(scene, outcome)}"


def game_result(scene: TableScene, outcome: Outcome) -> str:
    """Who won a game."""
    if outcome.winner is None:
        return _("A draw.")
    return (
        _("You win!")
        if outcome.winner == scene.seat and not scene.looking_on
        else _("{name} wins.").format(name=scene.names[outcome.winner])
    )


def reason(scene: TableScene, outcome: Outcome) -> str:
    """Why a game ended."""
    mine = outcome.winner == scene.seat and not scene.looking_on
    winner = other(scene.seat) if outcome.winner is None else outcome.winner
    if outcome.reason is Reason.CONCEDED:
        return _conceded(scene, outcome)
    match outcome.reason:
        case Reason.OUT:
            text = _("You played your last card.") if mine else _("{name} played the last card.")
        case Reason.FEWEST:
            text = (
                _("Both are stuck, and you hold fewer cards.")
                if mine
                else _("Both are stuck, and {name} holds fewer cards.")
            )
        case Reason.LEVEL:
            text = _("Both are stuck with the same number of cards.")
        case Reason.DEAD_HEAT:
            text = _("Both last cards landed at once: a dead heat.")
        case Reason.ABANDONED if scene.looking_on:
            text = _("{name} says that {opponent} stayed away too long.")
        case Reason.ABANDONED if mine:
            return _("{name} stayed away too long.").format(name=scene.names[other(winner)])
        case Reason.ABANDONED:
            text = _("You were away too long.")
        case Reason.FORFEITED:
            text = _("The match was broken off.")
    return text.format(name=scene.names[winner], opponent=scene.names[other(winner)])


def _conceded(scene: TableScene, outcome: Outcome) -> str:
    """Leaving gives up too, and is what counts then."""
    leavers = scene.summary.left if scene.summary is not None else ()
    if outcome.winner is None:
        return who_left(scene, leavers) if len(leavers) > 1 else _("Both conceded.")
    if leavers:
        return who_left(scene, leavers)
    if outcome.winner == scene.seat or scene.looking_on:
        return _("{name} conceded.").format(name=scene.names[other(outcome.winner)])
    return _("You conceded.")


def match_result(scene: TableScene) -> str:
    """Who won the match; empty while it goes on, and where it was one game that has said so already."""
    result = scene.match.result
    if result is None:
        return ""
    if result.winner is None:
        return _("The match is drawn.")
    if result.winner == scene.seat and not scene.looking_on:
        return _("You win the match!")
    return _("{name} wins the match.").format(name=scene.names[result.winner])


def ended(scene: TableScene) -> str:
    """Why the match ended before its time, and who has won it if that is known; empty if it didn't."""
    end, name = scene.ended, opponent(scene)
    if end is None or end.how is Ending.OVER:
        return ""
    match end.winner(scene.seat):
        case None:
            return _("The match can’t go on: the end of your record is lost.")
        case scene.seat:
            whose = _("You win the match!")
        case _:
            whose = _("{name} wins the match.").format(name=name)
    return f"{_why(end).format(name=name)} {whose}"


def _why(end: Ended) -> str:
    match end.how:
        case Ending.ABANDONED:
            return _("{name} kept you waiting too long.")
        case Ending.CLAIMED:
            return _("{name} claimed the match: nothing came from you for too long.")
        case Ending.LEFT if end.word:
            return _("{name} claimed the match, but you were there.")
        case Ending.LEFT:
            return _("{name} left the match.")
        case Ending.LOST_RECORDS:
            return _("{name} has lost the end of the record.")
        case Ending.ACCUSED:
            return _("Stopped by {name}, who says that you broke the rules.")
        case Ending.VIOLATION:
            return stopped(end.word)
        case Ending.OVER:
            return ""
        case _:
            assert_never(end.how)


def left(scene: TableScene) -> str:
    """Who left the match for good; empty if nobody did, or if that ended the game and is its reason."""
    outcome = scene.match.game.outcome if scene.match.game else None
    conceded = outcome is not None and outcome.reason is Reason.CONCEDED
    told = conceded and scene.summary is not None and scene.summary.left
    return "" if told else who_left(scene, scene.left)


def who_left(scene: TableScene, seats: tuple[Seat, ...]) -> str:
    """Who of these went away for good; empty for nobody."""
    if not seats:
        return ""
    if len(seats) > 1:
        return _("Both left the match.")
    if scene.seat in seats and not scene.looking_on:
        return _("You left the match.")
    return _("{name} left the match.").format(name=scene.names[seats[0]])


def summary_rows() -> tuple[str, str, str]:
    """What the figures of a game are called: cards left, races won, longest run."""
    return _("cards left"), _("races won"), _("longest run")


def fastest(seconds: float | None) -> str:
    """How long this player's fastest play took."""
    if seconds is None:
        return _("You played no card this time.")
    least = "<" if seconds < SHORTEST_S else ""
    figure = decimal(f"{max(SHORTEST_S, seconds):.2f}")
    return _("Your fastest play: {seconds} s").format(seconds=f"{least}{figure}")


def score(scene: TableScene) -> str:
    """The match so far."""
    mine, theirs = scene.match.wins[scene.seat], scene.match.wins[1 - scene.seat]
    if scene.looking_on:
        text = _("Match: {player} {mine}, {name} {theirs}")
    else:
        text = _("Match: you {mine}, {name} {theirs}")
    own = scene.names[scene.seat]
    return text.format(mine=mine, theirs=theirs, name=opponent(scene), player=own)
