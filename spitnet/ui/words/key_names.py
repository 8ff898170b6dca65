"""What keys are called in texts."""

from dataclasses import dataclass

from spitnet.language import pgettext


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


def escape_key() -> str:
    """What the key that takes one back is called."""
    return pgettext("key", "Esc")


def enter_key() -> str:
    """What the key that takes a choice is called."""
    return pgettext("key", "Enter")
