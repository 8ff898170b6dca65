"""From a key to what it means: the keymaps, and the letters of other alphabets by their place on the keyboard.

What belongs here: which key is which `Press`, in every scheme, and what is written under the cards. What must
not: terminals, escape sequences, the state of a game.

A key is one character, or a name of more than one letter: `left right up down enter escape f1 … c-c`. Terminals
send characters and not places, so a letter that no map knows is looked up where it lies on a US keyboard.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from spitnet.language import gettext, pgettext
from spitnet.ui.choices import QWERTY, SCHEMES
from spitnet.ui.keys.alphabets import BESIDE_L, PLACE_OF
from spitnet.ui.presses import Arrow, CardPress, Letters, PileSide, Plain, Press
from spitnet.ui.words import KeyLabels

_BESIDES: Final[dict[str, dict[str, Press]]] = {
    QWERTY: dict.fromkeys(BESIDE_L, CardPress(3, PileSide.RIGHT)),
    "qwertz": dict.fromkeys(BESIDE_L + ";", CardPress(3, PileSide.RIGHT)),
    "azerty": {key: CardPress(slot, None) for slot, key in enumerate("&é\"'")},
}
"""What else a scheme knows: the key right of L in other languages, and 1 to 4 where digits need Shift."""

_FUNCTIONS: Final = (
    (Plain.QUIT, "qx", "f10"),
    (Plain.CONCEDE, "cv", "f9"),
    (Plain.REMATCH, "rg", "f5"),
    (Plain.HELP, "?", "f1"),
)
"""The letter, then the one that stands in where a map plays a card with it; and a key that is free in every map."""
TABLE_KEY: Final = "t"
"""In lines it tells the table, in every map that means nothing else by it."""
_ANSWERS: Final[Mapping[str, Plain]] = {"y": Plain.YES, "n": Plain.NO}
"""Understood in every language."""
_RESERVED: Final = frozenset("?0123456789")
_NAMED: Final[dict[str, Press]] = {
    " ": Plain.SPACE,
    "left": Arrow(PileSide.LEFT),
    "right": Arrow(PileSide.RIGHT),
    "up": Plain.UP,
    "down": Plain.DOWN,
    "enter": Plain.ENTER,
    "c-m": Plain.ENTER,
    "c-j": Plain.ENTER,
    "escape": Plain.ESCAPE,
    "c-c": Plain.QUIT,
    **{key: press for press, _, key in _FUNCTIONS},
    **{str(slot + 1): CardPress(slot, None) for slot in range(4)},
}


_EDITING: Final[Mapping[str, Plain]] = {
    **dict.fromkeys(("enter", "c-m", "c-j", "\r", "\n"), Plain.ENTER),
    **dict.fromkeys(("escape", "\x1b"), Plain.ESCAPE),
    **dict.fromkeys(("c-h", "\b", "\x7f"), Plain.BACKSPACE),
    "c-c": Plain.QUIT,
}


def letters(key: str) -> Press | None:
    """What a key, or the character that it sends, means where a text is asked for."""
    if key in _EDITING:
        return _EDITING[key]
    return Letters(key) if len(key) == 1 and key.isprintable() else None


def pasted(text: str) -> Press | None:
    """What a paste means there: its first line, so that nothing is sent off unread."""
    lines = text.strip().splitlines()
    kept = "".join(one for one in lines[0] if one.isprintable()) if lines else ""
    return Letters(kept) if kept else None


class KeysClash(ValueError):
    """A map that can't be played with; its text is for the user."""


class Meanings(Protocol):
    """What a screen, or the game in lines, has to know about keys."""

    def press(self, key: str, *, asked: bool = False) -> Press | None:
        """What a key means, None if nothing. While `asked`, a question stands, and letters may answer it."""
        ...

    def labels(self) -> KeyLabels:
        """What the keys are called."""
        ...

    def words(self) -> Mapping[str, Press]:
        """What may be typed instead, in lines: small letters, in English and in the active language."""
        ...


@dataclass(frozen=True, slots=True)
class Keymap:
    """One scheme, ready for look-ups; made by `keymap`.

    `cards` are the eight keys, `functions` the letters of those that aren't cards. `meanings` is by key, `places`
    by the US character in whose place a Cyrillic letter lies.
    """

    cards: str
    functions: Mapping[Plain, str]
    meanings: Mapping[str, Press]
    places: Mapping[str, Press]

    def press(self, key: str, *, asked: bool = False) -> Press | None:
        """What a key means, None if nothing. While `asked`, a question stands, and letters may answer it."""
        if asked and key == _shifted_yes(self):
            return Plain.YES
        key = key.lower()
        if asked and key in (known := _answers(self)):
            return known[key]
        if key in self.meanings:
            return self.meanings[key]
        place = PLACE_OF.get(key, "")
        if asked and place in _ANSWERS:
            return _ANSWERS[place]
        return self.places.get(place)

    def labels(self) -> KeyLabels:
        return labels(self)

    def words(self) -> Mapping[str, Press]:
        return _words()


def keymap(setting: str = QWERTY) -> Keymap:
    """The map of a scheme's name, or a map of one's own: eight characters, as `"asdf jkl;"`.

    Raises: KeysClash, in the user's words.
    """
    name = setting.strip().lower()
    cards = _joined(SCHEMES[name]) if name in SCHEMES else _own(setting)
    functions = _functions(cards)
    meanings = _NAMED | _BESIDES.get(name, {}) | _lettered(functions, cards)
    if name not in SCHEMES:
        return Keymap(cards, functions, meanings, meanings)
    places = _joined(SCHEMES[QWERTY])
    return Keymap(cards, functions, meanings, _lettered(_functions(places), places))


def labels(keys: Keymap) -> KeyLabels:
    """What is written under the cards, in the help and with questions."""
    a, s, d, f, j, k, l, semicolon = tuple(keys.cards)  # noqa: E741
    yes, no = _answer_keys(keys)
    return KeyLabels(
        left=(a, s, d, f),
        right=(j, k, l, semicolon),
        help=keys.functions[Plain.HELP],
        quit=keys.functions[Plain.QUIT],
        concede=keys.functions[Plain.CONCEDE],
        rematch=keys.functions[Plain.REMATCH],
        yes=yes,
        no=no,
    )


def _answer_keys(keymap: Keymap) -> tuple[str, str]:
    """What yes and no are called."""
    shifted = _shifted_yes(keymap)
    yes, no = _answer_letters()
    return yes if shifted is None else f"Shift+{shifted}", no


def _answer_letters() -> tuple[str, str]:
    """Yes and no in the active language."""
    yes = pgettext("the key that answers yes: one small letter", "y")
    no = pgettext("the key that answers no: one small letter", "n")
    return yes, no


def _shifted_yes(keymap: Keymap) -> str | None:
    """The capital that says yes where the language's letter plays a card: what was meant for the race gives nothing up."""
    yes, _no = _answer_letters()
    return yes.upper() if isinstance(keymap.press(yes), CardPress) else None


def _answers(keymap: Keymap) -> Mapping[str, Plain]:
    """The language's own letters come first: the Russian н says no, although it lies on the y."""
    yes, no = _answer_letters()
    own = {no: Plain.NO} if _shifted_yes(keymap) else {yes: Plain.YES, no: Plain.NO}
    return {**_ANSWERS, **own}


def _words() -> Mapping[str, Press]:
    english: dict[str, Press] = {
        "ready": Plain.SPACE,
        "spit": Plain.SPACE,
        "refill": Plain.SPACE,
        "next": Plain.SPACE,
        "left": Arrow(PileSide.LEFT),
        "right": Arrow(PileSide.RIGHT),
        "up": Plain.UP,
        "down": Plain.DOWN,
        "help": Plain.HELP,
        "quit": Plain.QUIT,
        "concede": Plain.CONCEDE,
        "rematch": Plain.REMATCH,
        "yes": Plain.YES,
        "no": Plain.NO,
    }
    own: dict[str, Press] = {
        pgettext("command", "ready"): Plain.SPACE,
        pgettext("command", "spit"): Plain.SPACE,
        pgettext("command", "refill"): Plain.SPACE,
        pgettext("command", "next"): Plain.SPACE,
        pgettext("command", "left"): Arrow(PileSide.LEFT),
        pgettext("command", "right"): Arrow(PileSide.RIGHT),
        pgettext("command", "help"): Plain.HELP,
        pgettext("command", "quit"): Plain.QUIT,
        pgettext("command", "concede"): Plain.CONCEDE,
        pgettext("command", "rematch"): Plain.REMATCH,
        pgettext("command", "yes"): Plain.YES,
        pgettext("command", "no"): Plain.NO,
    }
    return english | own


def _joined(setting: str) -> str:
    return "".join(setting.split())


def _own(setting: str) -> str:
    cards = _joined(setting.lower())
    if len(cards) != 8:
        text = gettext("must be {names}, or eight keys (as in asdf jkl;), not {setting}")
        raise KeysClash(text.format(names=", ".join(SCHEMES), setting=repr(setting)))
    for key in cards:
        if cards.count(key) > 1:
            raise KeysClash(gettext("{key} appears twice").format(key=key))
        if key in _RESERVED or not key.isprintable():
            text = gettext("{key} can’t play a card: its meaning is fixed")
            raise KeysClash(text.format(key=key if key.isprintable() else repr(key)))
    return cards


def _functions(cards: str) -> dict[Plain, str]:
    """Each function's letter: the first that plays no card, or the key that never does."""
    return {
        press: next((letter for letter in letters if letter not in cards), key.upper())
        for press, letters, key in _FUNCTIONS
    }


def _lettered(functions: Mapping[Plain, str], cards: str) -> dict[str, Press]:
    found: dict[str, Press] = {letter: press for press, letter in functions.items()}
    for number, key in enumerate(cards):
        found[key] = CardPress(number % 4, PileSide.LEFT if number < 4 else PileSide.RIGHT)
    return found
