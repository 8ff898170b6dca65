"""A program for ptys: a match against a naive player, in lines."""

import sys

from ui.local_front import LocalFront

from spitnet.ui.keys.keymaps import keymap
from spitnet.ui.lines import line_mode
from spitnet.ui.terminal.capabilities import Interrupted

if __name__ == "__main__":
    try:
        line_mode.run(LocalFront(), keymap(), trouble=lambda text: None)
    except Interrupted:
        sys.exit(130)
