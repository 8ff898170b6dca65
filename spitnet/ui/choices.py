"""What the settings `keys` and `ranks` can be by name.

What belongs here: names and plain values. What must not: anything that takes long to import. Each start of the program
reads them, `--help` too.
"""

from typing import Final

QWERTY: Final = "qwerty"
SCHEMES: Final = {
    QWERTY: "asdf jkl;",
    "qwertz": "asdf jklö",
    "azerty": "qsdf jklm",
    "dvorak": "aoeu htns",
    "colemak": "arst neio",
}
"""The four keys for the left pile and the four for the right, cards 1 to 4 in each. Qwerty is the default."""

ENGLISH: Final = "english"
LOCAL: Final = "local"
RANK_LETTERS: Final = (ENGLISH, LOCAL)
"""Whose letters are on the cards: the default, or those of the language."""
