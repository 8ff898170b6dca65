"""`spitnet replay --json`: the whole story of a record, as the lines that its match printed."""

from spitnet.core.events import MatchOver
from spitnet.exits import ExitCode, Failure
from spitnet.journal.replay import Broken, replayed
from spitnet.journal.store import read
from spitnet.journal.story import match_over, told
from spitnet.language import gettext as _
from spitnet.runtime import lines
from spitnet.runtime.options import ReplayOptions


def run(options: ReplayOptions) -> int:
    """The exit code.

    Raises:
        Failure: the record breaks off in a way that it should not; what holds has been printed.
    """
    found = read(options.file)
    try:
        for beat in replayed(found.entries):
            lines.write(*told(beat.beat, beat.events, beat.digest))
            for event in beat.events:
                if isinstance(event, MatchOver):
                    lines.write(match_over(event, str(options.file)))
    except Broken as broken:
        message = _("the record is broken at beat {beat}: {why}")
        text = message.format(beat=broken.beat, why=broken.flaw.value)
        raise Failure(ExitCode.VIOLATION, text) from None
    if found.trouble is not None:
        raise Failure(ExitCode.VIOLATION, _("the record is damaged or cut short at its end"))
    return ExitCode.DONE
