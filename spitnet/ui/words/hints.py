"""What can be done now, what is waited for, and what is asked."""

from typing import Literal, TypeAlias, assert_never

from spitnet.language import gettext as _
from spitnet.ui.pages.due import Due, due, opponent
from spitnet.ui.scene import Question, TableScene
from spitnet.ui.words.facts import clock
from spitnet.ui.words.key_names import KeyLabels, space_key

_Afterwards: TypeAlias = Literal[
    Due.REMATCH,
    Due.REMATCH_ASKED,
    Due.REMATCH_OFFERED,
    Due.REMATCH_AWAY,
    Due.REMATCH_DECLINED,
    Due.LEAVE,
]
_NoCard: TypeAlias = Literal[
    Due.READY,
    Due.WAIT_FOR_READY,
    Due.SPIT,
    Due.WAIT_FOR_SPIT,
    Due.WAIT_FOR_OPPONENT,
    Due.CLAIM,
    Due.NEXT_GAME,
    _Afterwards,
]


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


def _hint_between(what: _NoCard, scene: TableScene) -> str:
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
        case _:
            return _hint_afterwards(what)


def _hint_afterwards(what: _Afterwards) -> str:
    """Hints once the match is over."""
    match what:
        case Due.REMATCH:
            return _("{rematch}: rematch   {quit}: leave")
        case Due.REMATCH_ASKED:
            return _("You asked for a rematch. Waiting for {name}.   {quit}: leave")
        case Due.REMATCH_OFFERED:
            return _("{name} wants a rematch!   {rematch}: play on   {quit}: leave")
        case Due.REMATCH_AWAY:
            return _("{name} can’t be reached.   {quit}: leave")
        case Due.REMATCH_DECLINED:
            return _("{name} has left.   {quit}: leave")
        case Due.LEAVE:
            return _("{quit}: leave")
        case _:
            assert_never(what)


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
            return _waited_too_long(scene), _("Claim the match? “No” goes on waiting.")


def yes_or_no(keys: KeyLabels) -> str:
    """How to answer."""
    return _("{yes}: yes   {no}: no").format(yes=keys.yes, no=keys.no)


def gone(scene: TableScene) -> tuple[str, str]:
    """That the opponent is waited for, and for how long."""
    away_now = scene.gone
    if away_now is None:
        return "", ""
    if away_now.idle:
        title = _waited_too_long(scene)
    elif away_now.overdue:
        title = _("{name}’s program isn’t answering.").format(name=opponent(scene))
    elif away_now.on_purpose:
        title = _("{name} has closed the game.").format(name=opponent(scene))
    else:
        title = _("{name} can’t be reached.").format(name=opponent(scene))
    if away_now.claimable:
        text = _("You may claim the match now, or go on waiting.")
    elif away_now.short:
        text = _("You may claim the match in {time}: {name} has used up the long breaks.")
    elif away_now.on_purpose or away_now.overdue:
        text = _("Waiting for {name}: {time}.")
    else:
        text = _("Waiting for {name}: {time}. Nothing is lost.")
    return title, text.format(name=opponent(scene), time=_until_told(away_now.grace_left_s))


def _waited_too_long(scene: TableScene) -> str:
    """Why the match may be claimed."""
    gone_now = scene.gone
    if gone_now is not None and gone_now.short:
        text = _("{name} has used up the long breaks.")
    elif gone_now is not None and gone_now.idle:
        text = _("{name} hasn’t moved for {time}.")
    else:
        text = _("{name} has been away too long.")
    return text.format(name=opponent(scene), time=clock(scene.match.settings.grace_s))


def idle(scene: TableScene) -> str:
    """That somebody who is there is waited for, to both; empty while nobody is, or not for long."""
    waited_for = scene.idle
    if waited_for is None:
        return ""
    if waited_for.seat != scene.seat:
        text = (
            _("You may claim the match in {time}: {name} has used up the long breaks.")
            if waited_for.short
            else _("You may claim the match in {time}.")
        )
    elif waited_for.left_s > 0:
        text = (
            _("{name} waits for you. {time} left: you have used up the long breaks.")
            if waited_for.short
            else _("{name} waits for you. {time} left.")
        )
    else:
        text = _("{name} may claim the match now.")
    return text.format(name=opponent(scene), time=_until_told(waited_for.left_s))


def _until_told(left_s: float) -> str:
    """A countdown to what this side is told of: it isn't over before that, which may take a moment."""
    return clock(max(1.0, left_s))
