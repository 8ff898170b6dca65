"""A front that plays nothing: it shows what was pressed, and does what a test asks for by a key. Also a program, for ptys."""

import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from spitnet.core.state import Settings, new_match
from spitnet.ui.presses import CardPress, PileSide, Plain, Press
from spitnet.ui.render.frame import Frame, Hit
from spitnet.ui.scene import Happened, Note, Question, Scene, TableScene
from spitnet.ui.screen.control import Drawing
from spitnet.ui.terminal.lost_stream import drop


class FakeFront:
    """Shows a table without cards, and writes down what is pressed. `q` asks and `y` ends, `r` ends at once."""

    def __init__(self) -> None:
        self.pressed: list[Press] = []
        self.generation = 0
        self.tick_s: float | None = None
        self.on_press: Callable[[Press], None] = lambda press: None
        self.is_over = False
        self.once_drawn: Callable[[], None] = lambda: None
        """Done as the first frame is on the screen."""
        self.told: list[str] = []
        self._scene: Scene = TableScene(0, ("you", "them"), new_match(Settings()))
        self._callback: Callable[[], None] = lambda: None
        self._lock = threading.Lock()

    @property
    def over(self) -> bool:
        return self.is_over

    def scene(self) -> Scene:
        return self._scene

    def press(self, press: Press) -> None:
        self.pressed.append(press)
        self.on_press(press)
        match press:
            case Plain.QUIT:
                self.show(question=Question.QUIT)
            case Plain.NO | Plain.ESCAPE:
                self.show(question=None)
            case Plain.REMATCH:
                self.finish()
            case Plain.YES if self._question() is not None:
                self.finish()
            case _:
                self.show(note=Note(Happened.TROUBLE, text=f"pressed {len(self.pressed)}"))

    def interrupt(self) -> None:
        """Leaving by Ctrl-C is no different here."""

    def changed(self, callback: Callable[[], None]) -> None:
        self._callback = callback

    def next_tick_s(self) -> float | None:
        once, self.once_drawn = self.once_drawn, lambda: None
        once()
        return self.tick_s

    def forget_keys(self) -> int:
        return self.generation

    def show(self, **changes: object) -> None:
        """Changes the scene, and says so; from any thread."""
        with self._lock:
            assert isinstance(self._scene, TableScene)
            self._scene = replace(self._scene, **changes)  # type: ignore[arg-type]
        self._callback()

    def show_scene(self, scene: Scene) -> None:
        """Another one altogether."""
        self._scene = scene
        self._callback()

    def tell(self, text: str) -> None:
        """A trouble."""
        self.told.append(text)
        self.show(note=Note(Happened.TROUBLE, text=text))

    def finish(self) -> None:
        self.is_over = True
        self._callback()

    def _question(self) -> Question | None:
        return self._scene.question if isinstance(self._scene, TableScene) else None


def plain_drawing(scene: Scene, columns: int, rows: int) -> Frame:
    """A frame that says the size, the note and the question, and can be clicked in its second row."""
    assert isinstance(scene, TableScene)
    asked = "" if scene.question is None else f"asked {scene.question.name}"
    texts = [f"table {columns}x{rows}", scene.note.text, asked]
    texts += [f"row {row}" for row in range(3, rows)]
    lines = [(("bold", text[:columns].ljust(columns)),) for text in texts[:rows]]
    hit = Hit(0, 1, columns, 1, CardPress(0, None), CardPress(1, None))
    return Frame(tuple(lines), (hit,))


class _Broken(FakeFront):
    """Has no scene to show."""

    def scene(self) -> Scene:
        raise RuntimeError("no scene")


def main(wish: str) -> None:
    """The program: `mouse`, `deaf` to SIGHUP, a real `table`, in `ascii` too, or one of the crashes of `_WISHES`."""
    from spitnet.ui.keys.keymaps import keymap
    from spitnet.ui.render.look import Look
    from spitnet.ui.screen.full_screen import run
    from spitnet.ui.terminal.capabilities import Interrupted

    front = _Broken() if wish == "crash-scene" else FakeFront()
    if wish == "crash-key":
        front.on_press = _crash_on_first_card
    if wish == "crash-exit":
        front.on_press = lambda press: sys.exit("told to go")
    if wish == "crash-thread":
        front.on_press = lambda press: threading.Thread(target=_die).start()
    if wish == "deaf":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    drawing: Drawing | None = _DRAWINGS.get(wish, plain_drawing)
    if wish in ("table", "ascii"):
        from ui.render.scenes import table

        front.show_scene(table())
        drawing = None
    look = Look(ascii=wish == "ascii", mouse=wish == "mouse")
    try:
        run(front, look, keymap(), trouble=front.tell, drawing=drawing)
    except Interrupted:
        with suppress(OSError):
            os.write(1, b"interrupted\n")
        drop(sys.stdout)  # as the program does: what the screen has left can't be written any more
        sys.exit(130)
    print("pressed:", len(front.pressed))


def _die() -> None:
    raise RuntimeError("a thread that dies")


def _crash_on_first_card(press: Press) -> None:
    if press == CardPress(0, PileSide.LEFT):
        raise RuntimeError("a key that fails")


def _crash_on_a_note(scene: Scene, columns: int, rows: int) -> Frame:
    noted = isinstance(scene, TableScene) and scene.note.happened is not Happened.NOTHING
    if noted and isinstance(scene, TableScene) and scene.question is None:
        raise RuntimeError("a drawing that fails")
    return plain_drawing(scene, columns, rows)


def _bad_style(scene: Scene, columns: int, rows: int) -> Frame:
    return Frame(((("fg:nonsense", "x"),),))


_DRAWINGS = {"crash-draw": _crash_on_a_note, "crash-style": _bad_style}

if __name__ == "__main__":
    main("".join(sys.argv[1:]))
