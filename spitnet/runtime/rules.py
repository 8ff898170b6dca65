"""`spitnet rules`: the game explained in a minute, and the keys."""

import os
import shutil
import sys

from spitnet.exits import ExitCode
from spitnet.language import gettext as _
from spitnet.runtime.options import RulesOptions
from spitnet.ui import keys, words
from spitnet.ui.ranks import rank_letters
from spitnet.ui.render import rules
from spitnet.ui.render.cells import Line, fit, spelled, width
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.terminal import terminal

COLUMNS = 76
"""Wider lines are hard to read."""


def run(options: RulesOptions) -> int:
    """The exit code."""
    encoding = getattr(sys.stdout, "encoding", None)
    here = terminal(os.environ, tty=sys.stdout.isatty(), encoding=encoding)
    labels = keys.labels(keys.keymap(options.keys))
    look = Look(
        ascii=options.ascii or not here.suits,
        colours=Colours.NONE,
        rank_letters=rank_letters(options.ranks, encoding),
        keys=labels,
    )
    cells = min(COLUMNS, max(20, shutil.get_terminal_size().columns - 1))
    for line in (*rules.lines(cells, look), (), *_keys(labels)):
        shown = spelled(line) if look.ascii else line
        print("".join(text for _style, text in shown).rstrip())
    return ExitCode.DONE


def _keys(labels: words.KeyLabels) -> list[Line]:
    """Every key and what it does."""
    pairs = words.key_meanings(labels, manual=False)
    cells = max(width(key) for key, _text in pairs)
    head: Line = (("", _("The keys:")),)
    return [head, *((("", f"  {fit(key, cells)}  {text}"),) for key, text in pairs)]
