"""`spitnet rules`: the game explained in a minute, and the keys."""

import os
import shutil
import sys

from spitnet.app.options import RulesOptions
from spitnet.exits import ExitCode
from spitnet.language import gettext as _
from spitnet.ui import words
from spitnet.ui.cells import Line, fit, spelled, width, wrapped
from spitnet.ui.keys import keymaps
from spitnet.ui.render import rules_page
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.terminal.capabilities import terminal
from spitnet.ui.words.ranks import rank_letters

COLUMNS = 76
"""Wider lines are hard to read."""


def run(options: RulesOptions) -> int:
    """The exit code."""
    encoding = getattr(sys.stdout, "encoding", None)
    here = terminal(os.environ, tty=sys.stdout.isatty(), encoding=encoding)
    labels = keymaps.labels(keymaps.keymap(options.keys))
    look = Look(
        ascii=options.ascii or not here.suits,
        colours=Colours.NONE,
        rank_letters=rank_letters(options.ranks, encoding),
        encoding=encoding or "ascii",
        keys=labels,
    )
    cells = min(COLUMNS, max(20, shutil.get_terminal_size().columns - 1))
    for line in (*rules_page.lines(cells, look), (), *_keys(labels, cells)):
        shown = spelled(line, look.encoding) if look.ascii else line
        print("".join(text for _style, text in shown).rstrip())
    return ExitCode.DONE


def _keys(labels: words.KeyLabels, cells: int) -> list[Line]:
    """Every key and what it does, in lines of at most so many cells."""
    pairs = words.key_meanings(labels, manual=False)
    key_cells = max(width(key) for key, _text in pairs)
    found: list[Line] = [(("", _("The keys:")),)]
    for key, text in pairs:
        said = wrapped(text, max(1, cells - key_cells - 4))
        found += [
            (("", f"  {fit('' if number else key, key_cells)}  {line}"),)
            for number, line in enumerate(said)
        ]
    return found
