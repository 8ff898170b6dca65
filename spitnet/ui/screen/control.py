"""The one control of the full screen: a scene becomes a frame, a click becomes a press.

What belongs here: calling the drawing, surviving it, and handing its lines to prompt_toolkit. What must not: keys,
signals, layout.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType

from spitnet.language import gettext
from spitnet.ui.presses import Press
from spitnet.ui.render.frame import Frame
from spitnet.ui.scene import Scene

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


class Drawing(Protocol):
    """Makes a frame of a scene for so many columns and rows."""

    def __call__(self, scene: Scene, columns: int, rows: int, /) -> Frame: ...


class SceneControl(UIControl):
    """Draws `scene()` with `drawing`; `pressed` is told of clicks, `failed` of what the drawing raised."""

    def __init__(
        self,
        scene: Callable[[], Scene],
        drawing: Drawing,
        pressed: Callable[[Press], None],
        failed: Callable[[Exception], None],
    ) -> None:
        self._scene = scene
        self._drawing = drawing
        self._pressed = pressed
        self._failed = failed
        self._frame = Frame(())

    def frame(self, width: int, height: int) -> Frame:
        """What is to be seen now; clicks are judged by it until the next."""
        try:
            self._frame = self._drawing(self._scene(), width, height)
        except Exception as error:  # noqa: BLE001 - a table that can't be drawn must not end the match
            self._failed(error)
            text = gettext("This can’t be drawn ({error}). The keys still work.")
            text = text.format(error=type(error).__name__)
            self._frame = Frame(((("", text[:width]),),))
        return self._frame

    def create_content(self, width: int, height: int) -> UIContent:
        """The frame as prompt_toolkit's own windows want it."""
        lines = self.frame(width, height).lines
        return UIContent(lambda row: [*lines[row]], line_count=len(lines), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> "NotImplementedOrNone":
        """A button that goes down; everything else is nobody's."""
        if mouse_event.event_type is not MouseEventType.MOUSE_DOWN:
            return NotImplemented
        right = mouse_event.button is MouseButton.RIGHT
        if not right and mouse_event.button is not MouseButton.LEFT:
            return NotImplemented
        spot = mouse_event.position
        press = self._frame.press_at(spot.x, spot.y, right)
        if press is None:
            return NotImplemented
        self._pressed(press)
        return None
