"""`spitnet replay`: a record looked at, or with `--json` told as the lines that its match printed."""

from spitnet.core.events import MatchOver
from spitnet.exits import ExitCode, Failure
from spitnet.journal.records import CutShort, Damaged, NewerFormat
from spitnet.journal.replay import Broken, replayed
from spitnet.journal.store import stream
from spitnet.journal.story import match_over, told
from spitnet.language import gettext as _
from spitnet.runtime import lines
from spitnet.runtime.options import ReplayOptions
from spitnet.ui import flaws


def run(options: ReplayOptions) -> int:
    """The exit code.

    Raises:
        Failure: the record breaks off in a way that it should not; what holds has been printed.
    """
    if not options.json:
        from spitnet.runtime.commands import looking

        return looking.run(options)
    try:
        for beat in replayed(stream(options.file)):
            lines.write(*told(beat.beat, beat.events, beat.digest))
            for event in beat.events:
                if isinstance(event, MatchOver):
                    lines.write(match_over(event, str(options.file)))
    except Broken as broken:
        message = _("the record is broken at beat {beat}: {why}")
        text = message.format(beat=broken.beat, why=flaws.named(broken.flaw.value))
        raise Failure(ExitCode.VIOLATION, text) from None
    except NewerFormat as newer:
        text = _("the record was written by a newer spitnet (format {why})")
        raise Failure(ExitCode.VIOLATION, text.format(why=newer.found)) from None
    except (Damaged, CutShort):
        text = _("the record is damaged or cut short at its end")
        raise Failure(ExitCode.VIOLATION, text) from None
    return ExitCode.DONE
