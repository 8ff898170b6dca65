"""The floor of a key's way to the screen: a full screen of prompt_toolkit's in which each key changes one cell."""

from itertools import cycle

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl
from prompt_toolkit.output import ColorDepth


def main() -> None:
    """Until it is ended from outside."""
    letters = cycle("ab")
    shown = FormattedTextControl(next(letters))
    bindings = KeyBindings()

    @bindings.add(Keys.Any)
    def change(_event: KeyPressEvent) -> None:
        shown.text = next(letters)

    Application[None](
        layout=Layout(Window(shown)),
        key_bindings=bindings,
        full_screen=True,
        color_depth=ColorDepth.DEPTH_24_BIT,
    ).run()


if __name__ == "__main__":
    main()
