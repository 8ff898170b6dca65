"""The texts of a match that is looked at: what a beat did, how a race was lost, where one is, the keys.

What belongs here: sentences, for the full screen and for lines alike. What must not: layout, and texts that the game
itself has too, which are in `words`.
"""

from bisect import bisect_left
from dataclasses import replace
from typing import NamedTuple

from spitnet.core.cards import SEATS, Seat, other
from spitnet.journal.story import Contest, Moment
from spitnet.language import decimal, pgettext
from spitnet.language import gettext as _
from spitnet.ui import words
from spitnet.ui.scene import FollowScene, Happened, Lack, TableScene, notes_of
from spitnet.ui.words import CardNames

COIN_BYTES = 4
"""So many of the 32 random bytes are shown: enough to find them again in another telling of the same match."""


class Caption(NamedTuple):
    """One thing that a beat did, in full and in less room.

    `beaten` is the seat whose card it says was beaten, `ends` whether it says that a game is over; `follows`: it says what
    follows from the cards that lie there.
    """

    text: str
    short: str
    beaten: Seat | None = None
    ends: bool = False
    follows: bool = False


def title(scene: FollowScene) -> str:
    """Whose match it is."""
    names = scene.names
    text = _("{name} against {opponent}")
    return text.format(name=names[scene.seat], opponent=names[other(scene.seat)])


def said(scene: FollowScene, moment: Moment, named: CardNames) -> tuple[Caption, ...]:
    """All that a beat did, in order; a contest takes three."""
    table = scene.table(moment)
    notes = notes_of(moment)
    told = [_note(replace(table, note=note), named) for note in notes]
    if moment.contest is None:
        return tuple(told)
    # Who was beaten by what says what landed, too.
    rest = [
        text for text, note in zip(told, notes, strict=True) if note.happened is not Happened.LANDED
    ]
    return (_rivals(table, moment.contest, named), _coin(table, moment.contest), *rest)


def _note(table: TableScene, named: CardNames) -> Caption:
    text, note = words.note(table, named), table.note
    result = words.match_result(table) if table.match.settings.games > 1 else ""
    if note.happened is Happened.GAME_OVER:
        return Caption(f"{text} {result}".rstrip(), result or text, ends=True, follows=True)
    beaten = note.seat if note.happened is Happened.BEATEN else None
    return Caption(text, text, beaten, follows=note.happened is Happened.BOTH_STUCK)


def _rivals(table: TableScene, contest: Contest, named: CardNames) -> Caption:
    """Who proposed what, onto what."""
    if table.looking_on:
        return _rivals_of_others(table, contest, named)
    left = contest.pile != table.seat
    long = (
        _("Both went for {top} on the left: you with {mine}, {name} with {theirs}.")
        if left
        else _("Both went for {top} on the right: you with {mine}, {name} with {theirs}.")
    )
    short = _("Both on {top}: you {mine}, {name} {theirs}.")
    facts = {
        "top": named(contest.top),
        "mine": named(contest.cards[table.seat]),
        "theirs": named(contest.cards[other(table.seat)]),
        "name": table.names[other(table.seat)],
    }
    return Caption(long.format(**facts), short.format(**facts))


def _rivals_of_others(table: TableScene, contest: Contest, named: CardNames) -> Caption:
    """The same where neither is the one who reads it."""
    left = contest.pile != table.seat
    long = (
        _("Both went for {top} on the left: {player} with {mine}, {name} with {theirs}.")
        if left
        else _("Both went for {top} on the right: {player} with {mine}, {name} with {theirs}.")
    )
    short = _("Both on {top}: {player} {mine}, {name} {theirs}.")
    facts = {
        "top": named(contest.top),
        "mine": named(contest.cards[table.seat]),
        "theirs": named(contest.cards[other(table.seat)]),
        "player": table.names[table.seat],
        "name": table.names[other(table.seat)],
    }
    return Caption(long.format(**facts), short.format(**facts))


def _coin(table: TableScene, contest: Contest) -> Caption:
    """How the coin fell: 0 puts the host first, 1 the joiner. Source: R10, WIRE.md."""
    if contest.first == table.seat and not table.looking_on:
        long, short = _coin_for_you(contest.first)
    else:
        long, short = _coin_for_them(contest.first)
    facts = {
        "name": table.names[contest.first],
        "random": contest.randomness[:COIN_BYTES].hex(),
    }
    return Caption(long.format(**facts), short.format(**facts))


def _coin_for_you(first: Seat) -> tuple[str, str]:
    if first == SEATS[0]:
        return (
            _("The coin fell on 0, the host: you were first. It was drawn from {random}…"),
            _("Coin 0 of {random}…: you were first."),
        )
    return (
        _("The coin fell on 1, the joiner: you were first. It was drawn from {random}…"),
        _("Coin 1 of {random}…: you were first."),
    )


def _coin_for_them(first: Seat) -> tuple[str, str]:
    if first == SEATS[0]:
        return (
            _("The coin fell on 0, the host: {name} was first. It was drawn from {random}…"),
            _("Coin 0 of {random}…: {name} was first."),
        )
    return (
        _("The coin fell on 1, the joiner: {name} was first. It was drawn from {random}…"),
        _("Coin 1 of {random}…: {name} was first."),
    )


def position(scene: FollowScene) -> str:
    """Which beat of how many so far, and of which game."""
    moment, last = scene.moment, scene.moments[-1].beat
    beats = f"{last}" if scene.ending else f"{last}+"
    game = moment.match.game
    if game is None:
        return _("beat {beat} of {beats}").format(beat=moment.beat, beats=beats)
    text = _("beat {beat} of {beats}, game {game}")
    return text.format(beat=moment.beat, beats=beats, game=game.number)


def contest_number(scene: FollowScene) -> str:
    """Which of the contests this is; empty at any other beat."""
    if scene.moment.contest is None:
        return ""
    number = bisect_left(scene.contests, scene.index) + 1
    return _("race {number} of {all}").format(number=number, all=len(scene.contests))


def running(scene: FollowScene) -> str:
    """Whether it plays, and how fast."""
    if scene.live:
        return _("live")
    speed = decimal(f"{scene.speed:g}×")
    if scene.playing:
        return _("playing {speed}").format(speed=speed)
    return _("paused {speed}").format(speed=speed)


def races(won: int, lost: int) -> str:
    """Contested plays of the one whose row lies below."""
    return _("races: won {won}, lost {lost}").format(won=won, lost=lost)


def lack(what: Lack) -> str:
    """What was asked for and isn't there."""
    match what:
        case Lack.LATER_BEAT:
            return _("This is the last beat.")
        case Lack.EARLIER_BEAT:
            return _("This is the start.")
        case Lack.LATER_CONTEST:
            return _("No race comes after this beat.")
        case Lack.EARLIER_CONTEST:
            return _("No race came before this beat.")
        case Lack.LATER_GAME:
            return _("No game comes after this one.")
        case Lack.EARLIER_GAME:
            return _("No game came before this one.")


def hint(scene: FollowScene) -> Caption:
    """The keys that matter most."""
    if scene.looking_on:
        long = _("← →: step   n p: races   {end}: live   ?: all keys")
        short = _("{end}: live   ?: all keys")
        end = pgettext("key", "End")
        return Caption(long.format(end=end), short.format(end=end))
    long = _("{space}: play or pause   ← →: step   n p: races   ?: all keys")
    short = _("{space}: play or pause   ?: all keys")
    space = words.space_key()
    return Caption(long.format(space=space), short.format(space=space))


def help_sentences(scene: FollowScene) -> tuple[str, ...]:
    """What is looked at."""
    return (
        _("In each beat either side makes one move or passes. Each beat was checked here.")
        if scene.looking_on
        else _("In each beat either side makes one move or passes. Records contain no times."),
        _(
            "A race: both went for one pile in the same beat. A coin that neither can steer decides."
        ),
    )


def help_keys(scene: FollowScene) -> tuple[tuple[str, str], ...]:
    """Keys and what they do."""
    return (
        (words.space_key(), _("play or pause")),
        ("← →", _("one beat back or on")),
        ("↑ ↓  + -", _("faster or slower")),
        ("n p", _("next or previous race")),
        ("g G", _("next or previous game")),
        (
            _("Home End"),
            _("the start or live") if scene.looking_on else _("the start or the end"),
        ),
        ("q", _("leave")),
    )
