"""A program for ptys: a match against a naive player, in lines."""

import sys

from ui.local_front import LocalFront

from spitnet.ui import plain
from spitnet.ui.keys import keymap
from spitnet.ui.terminal import Interrupted

if __name__ == "__main__":
    try:
        plain.run(LocalFront(), keymap(), trouble=lambda text: None)
    except Interrupted:
        sys.exit(130)
