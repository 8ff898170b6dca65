"""The full screen of a terminal: sets it up, shows a `Front` on it, and gives it back. Start reading at `run`.

What belongs here: how the parts of a full screen are joined, and how it ends. What must not: when to draw and which
keys count (`shell`), what keys mean (`keys`), what a scene looks like (`render`).
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from prompt_toolkit.input.base import Input
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from spitnet.ui.keys.keymaps import Meanings
from spitnet.ui.render.drawing import draw as draw_scene
from spitnet.ui.render.frame import Frame
from spitnet.ui.render.look import Colours, Look
from spitnet.ui.render.styles import rules
from spitnet.ui.scene import Scene
from spitnet.ui.screen.control import Drawing
from spitnet.ui.screen.devices import real_input, real_output
from spitnet.ui.screen.shell import Devices, Paint, Shell
from spitnet.ui.terminal.capabilities import Guard
from spitnet.ui.terminal.front import Front
from spitnet.ui.terminal.terminal_signals import signs
from spitnet.ui.terminal.troubles import Troubles

_DEPTHS: Final = {
    Colours.NONE: ColorDepth.DEPTH_1_BIT,
    Colours.SIXTEEN: ColorDepth.DEPTH_4_BIT,
    Colours.C256: ColorDepth.DEPTH_8_BIT,
    Colours.TRUE: ColorDepth.DEPTH_24_BIT,
}
_ASKED: Final = sys.platform != "win32"
"""Whether terminals are asked how wide signs are. Windows' console draws on a grid of its own."""


def run(
    front: Front,
    look: Look,
    keymap: Meanings,
    *,
    trouble: Callable[[str], None],
    drawing: Drawing | None = None,
    devices: tuple[Input, Output] | None = None,
) -> None:
    """Shows the front until it is over. In the main thread signals are ours meanwhile, and put back after.

    `front` and `trouble` are called from this thread only. `trouble` is told, in words, of an error that was survived
    and is in the log. `drawing` stands in for `render.draw`, `devices` for the
    terminal.

    Raises: Interrupted if the terminal went away or a signal said to end; the terminal is given back before.
    """
    if front.over:
        return
    troubles, artist = Troubles(trouble), _Artist(look)
    draw = drawing or artist.draw
    too_wide = artist.spell if drawing is None and not look.ascii and _ASKED else None
    paint = Paint(_DEPTHS[look.colours], Style.from_dict(rules(look)))
    if devices is not None:
        _show(Shell(front, keymap, draw, Devices(*devices, paint, look.mouse), troubles, too_wide))
        return
    with Guard(sys.stdin.fileno(), sys.stdout.fileno()) as guard:
        own = Devices(real_input(), real_output(), paint, look.mouse)
        _show(Shell(front, keymap, draw, own, troubles, too_wide))
        guard.clean = True


class _Artist:
    """Draws in the look that is wanted, until that can't be seen."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def draw(self, scene: Scene, columns: int, rows: int, /) -> Frame:
        return draw_scene(scene, columns, rows, self._look)

    def spell(self) -> None:
        """From now on everything is ASCII but names."""
        self._look = replace(self._look, ascii=True)


def _show(shell: Shell) -> None:
    with signs(shell.signed):
        shell.run()
