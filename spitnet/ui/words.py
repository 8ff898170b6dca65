"""The texts of the scenes, in the user's language: what happened, what can be done, questions, pages.

What belongs here: sentences, for the full screen and for the game in lines alike. What must not: layout, styles,
keys (they come in as labels). Every text has room to grow by 40 per cent in another language.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from spitnet.core.cards import SEATS, Card, Seat
from spitnet.core.state import Outcome, Reason, RefillMode
from spitnet.language import gettext as _
from spitnet.language import ngettext, pgettext
from spitnet.ui.render.due import Due, due, opponent
from spitnet.ui.scene import Happened, LookingScene, Note, Question, TableScene

CardNames: TypeAlias = Callable[[Card], str]
"""How a card is called in a line."""


@dataclass(frozen=True, slots=True)
class KeyLabels:
    """What the keys are called, as printed on them. `left` and `right` play slots 1 to 4 onto that pile."""

    left: tuple[str, str, str, str] = ("a", "s", "d", "f")
    right: tuple[str, str, str, str] = ("j", "k", "l", ";")
    digits: tuple[str, str, str, str] = ("1", "2", "3", "4")
    help: str = "?"
    quit: str = "q"
    concede: str = "c"
    rematch: str = "r"
    yes: str = "y"
    no: str = "n"


def space_key() -> str:
    """What the long key is called."""
    return pgettext("key", "space")


def enter_key() -> str:
    """What the key that takes a choice is called."""
    return pgettext("key", "Enter")


def shout() -> str:
    """What a player says."""
    return _("spit!")


# What just happened.


def note(scene: TableScene, named: CardNames) -> str:
    """The line that says what just happened; empty if nothing did."""
    what = scene.note
    if what.happened is Happened.NOTHING:
        return ""
    if what.happened is Happened.TROUBLE:
        return what.text
    if what.happened is Happened.GAME_OVER:
        return game_over(scene)
    if what.happened is Happened.LEFT:
        return _left(scene, SEATS if what.seat is None else (what.seat,))
    if what.seat == scene.seat or what.happened in _OWN:
        text = _own_note(scene, what)
    else:
        text = _note(scene, what)
    return text.format(
        name=opponent(scene),
        card="" if what.card is None else named(what.card),
        by="" if what.by is None else named(what.by),
        game=scene.match.game.number if scene.match.game else 1,
    )


_OWN = frozenset((Happened.DOES_NOT_FIT, Happened.WHICH_PILE, Happened.TOO_LATE))
"""Only one's own keys do these, whoever `seat` is."""


def _own_note(scene: TableScene, what: Note) -> str:
    """What this player did."""
    left = what.pile != scene.seat
    match what.happened:
        case Happened.SPIT:
            return _("You said “spit!”")
        case Happened.LANDED:
            return (
                _("Your {card} landed on the left.")
                if left
                else _("Your {card} landed on the right.")
            )
        case Happened.BEATEN:
            return _("Your {card} was beaten by {by} and came back.")
        case Happened.REFILLED:
            return _("You drew {card}.")
        case Happened.READY:
            return _("You are ready.")
        case Happened.WHICH_PILE:
            return _("{card} fits both piles: left or right?")
        case Happened.TOO_LATE if what.by is not None:
            return _("Too late: {card} doesn’t fit on {by}.")
        case Happened.TOO_LATE:
            return _("Too late: {card} doesn’t fit any more.")
        case Happened.DOES_NOT_FIT if what.pile is None:
            return _("{card} fits neither pile.")
        case Happened.DOES_NOT_FIT if what.by is not None:
            return _("{card} doesn’t fit on {by}.")
        case Happened.DOES_NOT_FIT:
            return (
                _("{card} doesn’t fit on the left.")
                if left
                else _("{card} doesn’t fit on the right.")
            )
        case _:
            return _note(scene, what)


def _note(scene: TableScene, what: Note) -> str:
    """What the other did, or both."""
    left = what.pile != scene.seat
    match what.happened:
        case Happened.DEALT:
            return _("Game {game} is dealt.")
        case Happened.SPIT:
            return (
                _("Spit! New cards on the piles.")
                if what.seat is None
                else _("{name} said “spit!”")
            )
        case Happened.LANDED:
            return (
                _("{name} played {card} on the left.")
                if left
                else _("{name} played {card} on the right.")
            )
        case Happened.BEATEN:
            return _("Your {by} beat the {card} of {name}.")
        case Happened.REFILLED:
            return _("{name} drew {card}.")
        case Happened.READY:
            return _("{name} is ready.")
        case Happened.BOTH_STUCK:
            return _("Both are stuck.")
        case Happened.NO_CARD:
            return _("No card lies there.")
        case Happened.NOT_NOW:
            return _("That key does nothing now.")
        case Happened.LOST:
            return _("{name} can’t be reached.")
        case Happened.BACK:
            return _("{name} is back.")
        case _:
            return ""


# How games and matches end.


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
        if outcome.winner == scene.seat
        else _("{name} wins.").format(name=opponent(scene))
    )


def reason(scene: TableScene, outcome: Outcome) -> str:
    """Why a game ended."""
    mine = outcome.winner == scene.seat
    if outcome.reason is Reason.CONCEDED:
        return _conceded(scene, outcome)
    match outcome.reason:
        case Reason.OUT:
            text = _("Your last card is played.") if mine else _("{name} played the last card.")
        case Reason.FEWEST:
            text = (
                _("Both are stuck, and you hold fewer.")
                if mine
                else _("Both are stuck, and {name} holds fewer.")
            )
        case Reason.LEVEL:
            text = _("Both are stuck and hold as many cards.")
        case Reason.DEAD_HEAT:
            text = _("Both last cards landed at once: a dead heat.")
        case Reason.ABANDONED:
            text = _("{name} stayed away too long.") if mine else _("You were away too long.")
    return text.format(name=opponent(scene))


def _conceded(scene: TableScene, outcome: Outcome) -> str:
    """Leaving gives up too, and is what counts then."""
    leavers = scene.summary.left if scene.summary is not None else ()
    if outcome.winner is None:
        return _left(scene, leavers) if len(leavers) > 1 else _("Both conceded.")
    if leavers:
        return _left(scene, leavers)
    if outcome.winner == scene.seat:
        return _("{name} conceded.").format(name=opponent(scene))
    return _("You conceded.")


def match_result(scene: TableScene) -> str:
    """Who won the match; empty while it goes on, and where it was one game that has said so already."""
    result = scene.match.result
    if result is None:
        return ""
    if result.winner is None:
        return _("The match is drawn.")
    if result.winner == scene.seat:
        return _("You win the match!")
    return _("{name} wins the match.").format(name=opponent(scene))


def ended(scene: TableScene) -> str:
    """Why the match ended before its time; empty if it didn't."""
    match scene.ended:
        case "":
            return ""
        case "abandoned":
            text = _("{name} didn’t come back. The match is yours.")
        case "claimed":
            text = _("{name} ended the match: nothing came from you for too long.")
        case "lost_records":
            text = _("The match can’t go on: the end of a record is lost.")
        case _:
            text = _("The match was stopped: {word}.")
    return text.format(name=opponent(scene), word=scene.ended)


def left(scene: TableScene) -> str:
    """Who left the match for good; empty if nobody did, or if that ended the game and is its reason."""
    outcome = scene.match.game.outcome if scene.match.game else None
    conceded = outcome is not None and outcome.reason is Reason.CONCEDED
    told = conceded and scene.summary is not None and scene.summary.left
    return "" if told else _left(scene, scene.left)


def _left(scene: TableScene, seats: tuple[Seat, ...]) -> str:
    if not seats:
        return ""
    if len(seats) > 1:
        return _("Both left the match.")
    if scene.seat in seats:
        return _("You left the match.")
    return _("{name} left the match.").format(name=opponent(scene))


# What can be done now.


def hint(scene: TableScene, keys: KeyLabels) -> str:
    """The line that says what this player can do now, or what is waited for."""
    if scene.question is not None:
        return yes_or_no(keys)
    text = _hint(due(scene), scene)
    return text.format(
        name=opponent(scene),
        space=space_key(),
        left=" ".join(keys.left),
        right=" ".join(keys.right),
        rematch=keys.rematch,
        quit=keys.quit,
    )


def _hint(what: Due, scene: TableScene) -> str:
    match what:
        case Due.WAIT_FOR_DEAL:
            return _("The cards are being dealt.")
        case Due.PLAY:
            return _("Play one up or down: {left} left, {right} right")
        case Due.PLAY_OR_REFILL:
            return _("Play one up or down, or {space}: next card")
        case Due.REFILL:
            return _("{space}: next card")
        case Due.CHOOSE_PILE:
            return _("← left pile, → right pile")
        case Due.WAIT_STUCK:
            return _("You are stuck. {name} can still play.")
        case _:
            return _hint_between(what, scene)


def _hint_between(what: Due, scene: TableScene) -> str:
    """Hints while no card can be played."""
    match what:
        case Due.READY:
            other_ready = scene.match.game is not None and scene.match.game.ready[1 - scene.seat]
            return (
                _("{space}: ready. {name} waits for you.") if other_ready else _("{space}: ready")
            )
        case Due.WAIT_FOR_READY:
            return _("You are ready. Waiting for {name}.")
        case Due.SPIT:
            return _("{space}: spit!")
        case Due.WAIT_FOR_SPIT:
            return _("Ready… watch the piles!")
        case Due.WAIT_FOR_OPPONENT:
            return _("Waiting for {name}. {quit}: leave")
        case Due.CLAIM:
            return _("{quit}: claim the match, or go on waiting")
        case Due.NEXT_GAME:
            return _("{space}: next game   {quit}: leave")
        case Due.REMATCH:
            return _("{rematch}: rematch   {quit}: leave")
        case Due.REMATCH_ASKED:
            return _("You asked for a rematch. Waiting for {name}.   {quit}: leave")
        case Due.REMATCH_OFFERED:
            return _("{name} wants a rematch!   {rematch}: play on   {quit}: leave")
        case Due.REMATCH_DECLINED:
            return _("{name} has left.   {quit}: leave")
        case _:
            return _("{quit}: leave")


# Facts of the table, as short as they can be.


def cards_left(number: int) -> str:
    """How many cards a player has still to play."""
    return ngettext("{number} card left", "{number} cards left", number).format(number=number)


def you() -> str:
    """This player, in a score."""
    return _("you")


def ping(milliseconds: float | None) -> str:
    """The way to the opponent and back."""
    return _("ping {ms} ms").format(ms=in_milliseconds(milliseconds))


def in_milliseconds(number: float | None) -> str:
    """A short time; a dash before the first one is known."""
    if number is None:
        return "–"
    return f"{number:.0f}" if number >= 1 else "<1"


def link(fingerprint: str) -> str:
    """What both screens show alike."""
    return _("link {fingerprint}").format(fingerprint=fingerprint)


# Questions.


def question(scene: TableScene, asked: Question) -> tuple[str, str]:
    """What is asked, and what it means to say yes."""
    match asked:
        case Question.QUIT if scene.match.over or scene.ended:
            return _("Leave the table?"), ""
        case Question.QUIT if scene.gone is not None:
            return _("Leave the table?"), _("That concedes nothing.")
        case Question.QUIT:
            return _("Leave the table?"), _("That concedes the match.")
        case Question.CONCEDE:
            return _("Concede this game?"), _("{name} wins it then.").format(name=opponent(scene))
        case Question.CLAIM:
            text = _("{name} has been away too long.").format(name=opponent(scene))
            return text, _("Claim the match? “No” goes on waiting.")


def yes_or_no(keys: KeyLabels) -> str:
    """How to answer."""
    return _("{yes}: yes   {no}: no").format(yes=keys.yes, no=keys.no)


def gone(scene: TableScene) -> tuple[str, str]:
    """That the opponent is waited for, and for how long."""
    away_now = scene.gone
    if away_now is None:
        return "", ""
    if away_now.on_purpose:
        title = _("{name} has closed the game.")
    else:
        title = _("{name} can’t be reached.")
    if away_now.claimable:
        text = _("You may claim the match now, or go on waiting.")
    else:
        text = (
            _("Waiting for {name}: {time}.")
            if away_now.on_purpose
            else _("Waiting for {name}: {time}. Nothing is lost.")
        )
    left = clock(away_now.grace_left_s)
    return title.format(name=opponent(scene)), text.format(name=opponent(scene), time=left)


def clock(seconds: float) -> str:
    """Minutes and seconds, rounded up."""
    whole = max(0, -int(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02d}"


# Before a match.


def hosting_title(name: str) -> str:
    """An open table."""
    return _("The table of {name} is open").format(name=name)


def address() -> str:
    """What stands before HOST:PORT."""
    return _("address")


def code() -> str:
    """What stands before the code of a table."""
    return _("code")


def waiting_for_someone(waited_s: float) -> str:
    """Nobody has sat down yet."""
    return _("Waiting for someone to sit down… {time}").format(time=clock(waited_s))


def how_to_join(address_shown: str, code_shown: str | None) -> tuple[str, str]:
    """What the other has to type, and what else if that finds nothing."""
    command = "spitnet join" if code_shown is None else f"spitnet join --code {code_shown}"
    return (
        _("They type: {command}").format(command=command),
        _("or: {command}").format(command=f"{command} {address_shown}"),
    )


def looking_title(scene: LookingScene) -> str:
    """How many tables there are."""
    number = len(scene.entries)
    if not number:
        return _("Looking for open tables… {time}").format(time=clock(scene.waited_s))
    return ngettext("{number} open table", "{number} open tables", number).format(number=number)


def looking_tips() -> tuple[str, ...]:
    """What to try when no table is found."""
    return (
        _("No table yet. What helps:"),
        _("Has the other typed “spitnet host”?"),
        _("Are both on the same network?"),
        _("Try their address: spitnet join HOST:PORT"),
    )


def asks_code() -> str:
    """A table that lets nobody sit down without its code."""
    return _("asks for a code")


def not_usable() -> str:
    """A table that is busy or speaks another version."""
    return _("busy or another version")


def knocking(name: str, waited_s: float) -> str:
    """Sitting down."""
    return _("Sitting down at the table of {name}… {time}").format(name=name, time=clock(waited_s))


# After a game.


def longest_run(number: int) -> str:
    """Cards in a row."""
    return ngettext("{number} card", "{number} cards", number).format(number=number)


def summary_rows() -> tuple[str, str, str]:
    """What the figures of a game are called: cards left, races won, longest run."""
    return _("cards left"), _("races won"), _("longest run")


def fastest(seconds: float | None) -> str:
    """How long this player's fastest play took."""
    if seconds is None:
        return _("You played no card this time.")
    return _("Your fastest play: {seconds} s").format(seconds=f"{seconds:.2f}")


def score(scene: TableScene) -> str:
    """The match so far."""
    mine, theirs = scene.match.wins[scene.seat], scene.match.wins[1 - scene.seat]
    text = _("Match: you {mine}, {name} {theirs}")
    return text.format(mine=mine, theirs=theirs, name=opponent(scene))


# Help.


def help_sentences(scene: TableScene) -> tuple[str, ...]:
    """What matters at this moment, then the rules in short."""
    match due(scene):
        case Due.READY | Due.WAIT_FOR_READY | Due.SPIT | Due.WAIT_FOR_SPIT:
            now = _("Both get ready; then “spit!” turns a card onto each pile.")
        case Due.REMATCH | Due.REMATCH_ASKED | Due.REMATCH_OFFERED:
            now = _("A rematch starts once both have asked for it.")
        case _:
            now = _("A card fits a pile if it is one above or one below.")
    return (
        now,
        _("Ace is next to king and two; suits don’t matter."),
        _("Each has a full deck of 52. No turns: first out of cards wins."),
        _("Both stuck, no stock left: fewer cards wins."),
    )


def help_keys(scene: TableScene, keys: KeyLabels) -> tuple[tuple[str, str], ...]:
    """Keys and what they do."""
    manual = scene.match.settings.refill is RefillMode.MANUAL
    return (
        (" ".join(keys.left), _("card 1–4 to the left pile")),
        (" ".join(keys.right), _("card 1–4 to the right pile")),
        (" ".join(keys.digits), _("card 1–4 to the pile it fits")),
        (space_key(), _("next card, ready, spit!") if manual else _("ready, spit!")),
        (keys.concede, _("concede this game")),
        (keys.quit, _("leave (asks first)")),
    )


def help_lines(scene: TableScene, keys: KeyLabels) -> tuple[tuple[str, str], ...]:
    """The help as rows of a key and what it does; a row without a key is a sentence."""
    return (*(("", sentence) for sentence in help_sentences(scene)), *help_keys(scene, keys))


# When the screen is too small.
