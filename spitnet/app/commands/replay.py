"""`spitnet replay`: a record looked at, or with `--json` told as the lines that its match printed."""

from spitnet.app.console import json_lines
from spitnet.app.options import ReplayOptions
from spitnet.core.events import MatchOver
from spitnet.exits import ExitCode, Failure
from spitnet.journal.file_format import CutShort, Damaged, NewerFormat
from spitnet.journal.json_story import match_over, told
from spitnet.journal.replay import Broken, replayed
from spitnet.journal.store import stream
from spitnet.language import gettext as _
from spitnet.ui.words import flaws


def run(options: ReplayOptions) -> int:
    """The exit code.

    Raises:
        Failure: the record breaks off in a way that it should not; what holds has been printed.
    """
    if not options.json:
        from spitnet.app.commands import replay_page

        return replay_page.run(options)
    try:
        for beat in replayed(stream(options.file)):
            json_lines.write(*told(beat.beat, beat.events, beat.digest))
            for event in beat.events:
                if isinstance(event, MatchOver):
                    json_lines.write(match_over(event, str(options.file)))
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
