"""What a screen shows and whom it tells of keys: the seam between a screen and the run behind it."""

from collections.abc import Callable
from typing import Protocol

from spitnet.ui.presses import Press
from spitnet.ui.scene import Scene


class Front(Protocol):
    """Implemented by the app and by tests; used from the screen's thread, but for `changed`'s callback."""

    @property
    def over(self) -> bool:
        """Whether there is nothing more to show: the screen closes."""
        ...

    def scene(self) -> Scene:
        """What is to be seen now. Cheap; called for every frame."""
        ...

    def press(self, press: Press) -> None:
        """The person pressed something. Never blocks."""
        ...

    def interrupt(self) -> None:
        """The person pressed Ctrl-C: the press of QUIT that comes next is one. Never blocks."""
        ...

    def changed(self, callback: Callable[[], None]) -> None:
        """Registers what is called, from any thread, whenever the scene has changed or is over."""
        ...

    def next_tick_s(self) -> float | None:
        """Seconds until the scene changes by the clock alone (a countdown); None if it doesn't."""
        ...

    def forget_keys(self) -> int:
        """A number that grows whenever keys typed before must not count any more: between games, after a page."""
        ...
