"""`spitnet replay`: a record looked at, or with `--json` told as the lines that its match printed."""

from spitnet.app.console import json_lines
from spitnet.app.options import ReplayOptions
from spitnet.exits import ExitCode, Failure, UsageFailure
from spitnet.journal.file_format import CutShort, Damaged, NewerFormat
from spitnet.journal.json_story import told
from spitnet.journal.replay import Broken, replayed
from spitnet.journal.store import stream
from spitnet.language import gettext as _
from spitnet.protocol.notices import Completed
from spitnet.ui.words import flaws


def run(options: ReplayOptions) -> int:
    """The exit code.

    Raises:
        Failure: the record breaks off in a way that it should not; what holds has been printed.
    """
    if not options.json:
        from spitnet.app.commands import replay_page

        return replay_page.run(options)
    beat = None
    try:
        for beat in replayed(stream(options.file)):
            if not is_in(beat, options.game):
                continue
            json_lines.write(*told(beat, str(options.file)))
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
    require_game(beat, options.game)
    return ExitCode.DONE


def is_in(beat: Completed | None, game: int) -> bool:
    """Whether a beat is of this game or a later one."""
    match = beat.match.game if beat is not None else None
    return game == 1 or (match is not None and match.number >= game)


def require_game(last: Completed | None, game: int) -> None:
    """Raises UsageFailure: the match ends before that game; `last` is its last beat, if it has any."""
    if not is_in(last, game):
        text = _("--game: there is no game {number} in this match")
        raise UsageFailure(text.format(number=game))
