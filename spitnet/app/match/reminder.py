"""That a match isn't over, said to its player: as they leave it, and when they come for another.

What belongs here: the words, and when they are true. What must not: which match `resume` takes up (interrupted).
"""

import logging
import shlex
import sys
from contextlib import suppress

from spitnet.app import identity
from spitnet.app.match import unfinished
from spitnet.app.match.opening import journals
from spitnet.app.options import PlayOptions, Verbosity
from spitnet.exits import Failure
from spitnet.language import gettext as _
from spitnet.net.names import shown_name
from spitnet.ui.terminal.capabilities import lines_for

_log = logging.getLogger(__name__)


def said(name: str, options: PlayOptions) -> str:
    """That the match that was played last, against somebody of that name, can be taken up; and how."""
    words = [] if options.journal is None else ["--journal", str(options.journal)]
    text = _("Your match with {name} isn’t over: “{command}” resumes it.")
    return text.format(name=shown_name(name), command=shlex.join(["spitnet", "resume", *words]))


def of_last_match(options: PlayOptions) -> str:
    """What to say of the match that this player was in last; nothing if it is over. Stops nobody from playing."""
    try:
        keys = identity.load()
        if keys is None:
            return ""
        name = unfinished.last_left(journals(options), keys.public)
    except (OSError, Failure):
        return ""
    except Exception:  # noqa: BLE001 - whatever is in a record, another match can begin
        _log.warning("the last match can't be looked at", exc_info=True)
        return ""
    return "" if name is None else said(name, options)


def remind(options: PlayOptions) -> None:
    """Says it on stderr, before there is a screen."""
    text = "" if options.verbosity is Verbosity.QUIET else of_last_match(options)
    if text and sys.stderr is not None:
        with suppress(OSError):
            print(*lines_for(sys.stderr, text), sep="\n", file=sys.stderr, flush=True)
