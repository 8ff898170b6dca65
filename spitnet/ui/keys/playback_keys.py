"""The keys for looking at a match, and the words that mean the same in lines; fixed, since none of them plays a card.

What belongs here: which key is which `Press` while a match is looked at. What must not: keys of the game (`keys`).
"""

from collections.abc import Mapping
from typing import Final

from spitnet.language import pgettext
from spitnet.ui.keys.alphabets import PLACE_OF
from spitnet.ui.presses import Plain, Playback, Press
from spitnet.ui.words import KeyLabels

_LETTERS: Final[Mapping[str, Press]] = {
    "n": Playback.LATER_CONTEST,
    "p": Playback.EARLIER_CONTEST,
    "g": Playback.LATER_GAME,
    "G": Playback.EARLIER_GAME,
    "q": Plain.QUIT,
}
"""Found by their place on a Cyrillic keyboard too."""
_MEANINGS: Final[Mapping[str, Press]] = {
    **_LETTERS,
    "N": Playback.LATER_CONTEST,
    "P": Playback.EARLIER_CONTEST,
    "Q": Plain.QUIT,
    " ": Playback.PLAY,
    "right": Playback.FORWARD,
    "left": Playback.BACK,
    "up": Playback.FASTER,
    "+": Playback.FASTER,
    "=": Playback.FASTER,
    "down": Playback.SLOWER,
    "-": Playback.SLOWER,
    "enter": Plain.ENTER,
    "home": Playback.START,
    "end": Playback.END,
    "?": Plain.HELP,
    "f1": Plain.HELP,
    "f10": Plain.QUIT,
    "c-c": Plain.QUIT,
    "escape": Plain.ESCAPE,
}


class PlaybackKeys:
    """What a `Keymap` is for the game."""

    def press(self, key: str, *, asked: bool = False) -> Press | None:
        """What a key means, None if nothing. There are no questions here."""
        del asked
        if key in _MEANINGS:
            return _MEANINGS[key]
        place = PLACE_OF.get(key.lower(), "")
        return _LETTERS.get(place.upper() if key.isupper() else place)

    def labels(self) -> KeyLabels:
        """What the keys are called that do the same everywhere."""
        return KeyLabels()

    def words(self) -> Mapping[str, Press]:
        """The English words, and those of the active language."""
        english: dict[str, Press] = {
            "play": Playback.PLAY,
            "pause": Playback.PLAY,
            "next": Playback.FORWARD,
            "back": Playback.BACK,
            "faster": Playback.FASTER,
            "slower": Playback.SLOWER,
            "race": Playback.LATER_CONTEST,
            "game": Playback.LATER_GAME,
            "start": Playback.START,
            "end": Playback.END,
            "help": Plain.HELP,
            "quit": Plain.QUIT,
        }
        own: dict[str, Press] = {
            pgettext("command", "play"): Playback.PLAY,
            pgettext("command", "pause"): Playback.PLAY,
            pgettext("command", "next"): Playback.FORWARD,
            pgettext("command", "back"): Playback.BACK,
            pgettext("command", "faster"): Playback.FASTER,
            pgettext("command", "slower"): Playback.SLOWER,
            pgettext("command", "race"): Playback.LATER_CONTEST,
            pgettext("command", "game"): Playback.LATER_GAME,
            pgettext("command", "start"): Playback.START,
            pgettext("command", "end"): Playback.END,
            pgettext("command", "help"): Plain.HELP,
            pgettext("command", "quit"): Plain.QUIT,
        }
        return english | own
