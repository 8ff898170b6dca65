"""The help of the moment: what matters now, and every key. The rules as a whole are in `render.rules`."""

from collections.abc import Iterator

from spitnet.core.state import RefillMode
from spitnet.language import gettext as _
from spitnet.language import pgettext
from spitnet.ui.pages.due import Due, due, opponent
from spitnet.ui.scene import TableScene
from spitnet.ui.words.facts import stops
from spitnet.ui.words.key_names import KeyLabels, space_key


def help_sentences(scene: TableScene) -> tuple[str, ...]:
    """What matters at this moment, what the figures on the table mean, then the rules in short."""
    return (
        *help_now(scene),
        _("Ace is next to king and two; suits don’t matter."),
        _("Each has a full deck of 52. No turns: first out of cards wins."),
        _("Both stuck, no stock left: fewer cards wins."),
    )


def help_now(scene: TableScene) -> tuple[str, ...]:
    """What matters at this moment, and what the figures on the table mean."""
    return (_now(scene), *_figures(scene))


def _now(scene: TableScene) -> str:
    match due(scene):
        case Due.READY | Due.WAIT_FOR_READY | Due.SPIT | Due.WAIT_FOR_SPIT:
            return _("Both get ready; then “spit!” turns a card onto each pile.")
        case Due.REMATCH | Due.REMATCH_ASKED | Due.REMATCH_OFFERED:
            return _("A rematch starts once both have asked for it.")
        case _:
            return _("A card fits a pile if it is one above or one below.")


def _figures(scene: TableScene) -> Iterator[str]:
    """Those that are shown now and don't explain themselves."""
    if scene.fingerprint:
        text = _("Both screens show {number}, or somebody sits between you.")
        yield text.format(number=scene.fingerprint)
    if scene.pace.late_crossings or scene.pace.slow_replies:
        yield _(
            "Late or slow answers took longer than the best ping explains: "
            "a busy machine, or a wait on purpose."
        )
    if scene.pace.lags:
        yield _("The ping has grown: the network is slower now, or {name}’s program is.").format(
            name=opponent(scene)
        )
    if scene.pace.stops:
        yield stops(scene.pace.stops)


def help_keys(
    scene: TableScene, keys: KeyLabels, mouse: bool = False
) -> tuple[tuple[str, str], ...]:
    """Keys, and the mouse where it is on, and what they do in this match."""
    meanings = key_meanings(keys, scene.match.settings.refill is RefillMode.MANUAL)
    clicks = (pgettext("key", "mouse"), _("left button: left pile, right: right"))
    return (*meanings[:3], clicks, *meanings[3:]) if mouse else meanings


def key_meanings(keys: KeyLabels, manual: bool) -> tuple[tuple[str, str], ...]:
    """Keys and what they do; `manual`: cards of the stock are asked for."""
    return (
        (" ".join(keys.left), _("card 1–4 to the left pile")),
        (" ".join(keys.right), _("card 1–4 to the right pile")),
        (" ".join(keys.digits), _("card 1–4 to the pile it fits")),
        (space_key(), _("next card, ready, spit!") if manual else _("ready, spit!")),
        (keys.concede, _("concede this game")),
        (keys.quit, _("leave (asks first)")),
    )
