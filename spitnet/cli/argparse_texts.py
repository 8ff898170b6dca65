"""What argparse itself says, in the user's language.

argparse looks its texts up in the domain of the Python library, which has no catalogues. What belongs here: that
it looks them up in ours, and which texts they are, so that ours have them.
"""

import argparse

from spitnet.language import gettext as _
from spitnet.language import ngettext


def route() -> None:
    """From now on argparse looks its texts up as we do, in the language that is active then."""
    vars(argparse).update(_=_looked_up, ngettext=ngettext)


def _looked_up(text: str | None) -> str | None:
    """Argparse also looks up what it was given, as a description, and that may be none."""
    return None if text is None else _(text)


def unrecognized(words: list[str]) -> str:
    """What argparse says of words that it can't place."""
    return _("unrecognized arguments: %s") % " ".join(words)


def known() -> tuple[str, ...]:
    """Every text that a command line of ours can bring about in any Python, translated.

    They stand here so that they are found when texts are gathered for the catalogues. The suggestion is Python 3.15's.
    """
    return (
        _("argument %(argument_name)s: %(message)s"),
        _("expected one argument"),
        _("ignored explicit argument %r"),
        _("invalid choice: %(value)r (choose from %(choices)s)"),
        _("invalid choice: %(value)r, maybe you meant %(closest)r? (choose from %(choices)s)"),
        _("not allowed with argument %s"),
        _("the following arguments are required: %s"),
        _("unrecognized arguments: %s"),
    )
