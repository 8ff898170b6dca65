"""Names of tables and players: one function that makes any text safe to show in one line. Pure."""

import unicodedata

NAME_CHARACTERS = 32
NAME_BYTES = 96
# Read no further in a longer text: enough for any name with junk in it, little work for a flood of junk.
_READ_CHARACTERS = 1024
# Control, format (bidirectional marks among them), surrogate, private use.
_DROPPED = frozenset(("Cc", "Cf", "Cs", "Co"))


def shown_name(text: str) -> str:
    """A name as it is shown: clean, and never empty."""
    return clean_name(text) or "?"


def clean_name(text: str) -> str:
    """Strip what could disturb a screen, make runs of white space one space, cut; the result may be empty.

    At most 32 characters and 96 bytes of UTF-8. Cleaning a clean name changes nothing.
    """
    spaced = "".join(" " if one.isspace() else one for one in text[:_READ_CHARACTERS])
    shown = "".join(one for one in spaced if unicodedata.category(one) not in _DROPPED)
    short = " ".join(shown.split())[:NAME_CHARACTERS]
    return short.encode()[:NAME_BYTES].decode(errors="ignore").rstrip()
