"""The loop of the full screen: when to draw, which keys count, and what ends it.

A key counts for the page that is on the screen. When a frame shows a new page (another game, a question that was
not there), whatever was typed before is dropped; so a burst or a paste can ask to leave, but never answer yes. On
a screen too small to show the page no key counts but Ctrl-C, and none that was typed there once it is seen again.

prompt_toolkit's own key bindings are not used: one binding takes every key at once, so that no key waits for a
second one, and nothing raised here reaches its “Press ENTER to continue”.
"""

import asyncio
import errno
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, NamedTuple

from prompt_toolkit.application import Application
from prompt_toolkit.input.base import Input
from prompt_toolkit.input.typeahead import clear_typeahead
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.bindings.mouse import load_mouse_bindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import BaseStyle

from spitnet.ui.keys.keymaps import Meanings, letters, pasted
from spitnet.ui.presses import Plain, Press
from spitnet.ui.render.frame import Frame
from spitnet.ui.scene import CodeScene, Question, Scene, TableScene
from spitnet.ui.screen.control import Drawing, SceneControl
from spitnet.ui.screen.devices import take_keys
from spitnet.ui.screen.window import SceneWindow
from spitnet.ui.terminal.capabilities import Interrupted
from spitnet.ui.terminal.cell_widths import QUESTION, answers, breaks_rows
from spitnet.ui.terminal.front import Front
from spitnet.ui.terminal.key_sequences import CursorPosition
from spitnet.ui.terminal.sequences import ESCAPE_S
from spitnet.ui.terminal.terminal_signals import SignalSource
from spitnet.ui.terminal.troubles import Troubles

FRAME_S: Final = 1 / 120
"""What others do is drawn so often at most; one's own key is drawn at once.

Measured at 80×24 with 1,000 changes a second: 88 frames a second and 27 % of a core, where no limit makes 467 and 56 %.
A thread beside it wakes no later than beside a screen that stands still (median 0.1 ms), without a limit twice as late.
"""
TICK_MIN_S: Final = 0.02
"""A clock can't ask for more than this."""
INSIST: Final = 5
"""So many Ctrl-C in a row close the screen as a signal would, should nothing else help."""
ANSWER_S: Final = 0.5
"""How long a screen stays up at least for the terminal's answer: later that would be for whoever has the terminal then."""
SIZE_POLL_S: Final = 0.5
"""Where no signal tells of a new size: on Windows, and outside the main thread."""
_HUNG_UP: Final = frozenset({errno.EIO, errno.EPIPE, errno.EBADF, errno.ENXIO})
_DRAIN_READS: Final = 64
"""Of 1,024 characters each: what one page may drop, so that an endless paste can't hold the screen."""


class Paint(NamedTuple):
    """What the styles' names mean, and how many colours are there for them."""

    depth: ColorDepth
    style: BaseStyle


class Devices(NamedTuple):
    """What the screen is on."""

    input: Input
    output: Output
    paint: Paint
    mouse: bool


class _Page(NamedTuple):
    """What keys are meant for: they count only while it is the one on the screen."""

    generation: int
    question: Question | None

    def is_new_after(self, shown: "_Page | None") -> bool:
        """Whether keys typed at `shown` must not count here; a question that is gone takes none away."""
        if shown is None or self.generation != shown.generation:
            return True
        return self.question is not None and self.question is not shown.question


class Shell:
    """One full screen. Every method runs in the loop's thread, but for `signed` and `_changed`."""

    def __init__(
        self,
        front: Front,
        keymap: Meanings,
        drawing: Drawing,
        devices: Devices,
        troubles: Troubles,
        too_wide: Callable[[], None] | None = None,
    ) -> None:
        """`too_wide`: called before everything is drawn anew, if the terminal draws signs wider than they are counted;
        None: it isn't asked.
        """
        self._front = front
        self._keymap = keymap
        self._troubles = troubles
        self._input = devices.input
        self._drawing = drawing
        control = SceneControl(self._scene, self._draw, self._press, troubles.add)
        self._app = _application(control, self._bindings(devices.mouse), devices)
        take_keys(devices.input, self._placed)
        self._too_wide = too_wide
        self._answer_by_s = 0.0
        self._app.after_render += lambda _: self._drawn()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False
        self._insisted = 0
        self._page = _Page(0, None)
        self._shown: _Page | None = None
        self._writes = False  # whether keys are letters of a text
        self._blind = False
        self._drawn_s = 0.0
        self._change_told = False
        self._later: asyncio.TimerHandle | None = None
        self._tick: asyncio.TimerHandle | None = None

    def run(self) -> None:
        """Until the front is over. Raises: Interrupted."""
        try:
            with _dead_threads(self._thread_died):
                self._app.run(self._begin, set_exception_handler=False, handle_sigint=False)
        except EOFError:
            raise Interrupted from None
        except OSError as error:
            if error.errno in _HUNG_UP:
                raise Interrupted from None
            raise
        finally:
            self._loop = None
            clear_typeahead(self._input)

    def _begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(lambda _, context: self._escaped(context))
        self._front.changed(self._changed)
        if self._ended:
            self._end()

    # Keys.

    def _bindings(self, mouse: bool) -> KeyBindings:
        """All keys are one binding's; the mouse comes as keys too, and is prompt_toolkit's to read where it is wanted."""
        bindings = KeyBindings()
        bindings.add(Keys.Any, eager=True)(self._key)
        for binding in load_mouse_bindings().bindings * mouse:
            bindings.add(*binding.keys, eager=True)(binding)
        return bindings

    def _key(self, event: KeyPressEvent) -> None:
        """One key. A paste comes as a key too, that means nothing but where a text is asked for."""
        key = event.key_sequence[0].key
        name = key.value if isinstance(key, Keys) else key
        asked = self._shown is not None and self._shown.question is not None
        if self._writes:
            is_paste = key is Keys.BracketedPaste
            press = pasted(event.key_sequence[0].data) if is_paste else letters(name)
        else:
            press = self._keymap.press(name, asked=asked)
        if name == Keys.ControlC.value:
            self._leave()
        elif name == Keys.ControlL.value:
            self._repaint()
        elif press is not None:
            self._insisted = 0
            self._press(press)

    def _leave(self) -> None:
        """Asks to leave, whatever page there is."""
        self._insisted += 1
        if self._insisted == INSIST:
            self._end()
        else:
            self._front.interrupt()
            self._press(Plain.QUIT, always=True)

    def _press(self, press: Press, always: bool = False) -> None:
        """Passes on what was meant for the page on the screen."""
        if self._blind and not always:
            return
        try:
            if always or not self._now().is_new_after(self._shown):
                self._front.press(press)
            else:
                self._app.key_processor.empty_queue()
            over = self._end_if_over()
        except Exception as error:  # noqa: BLE001 - the next key must find a screen that works
            self._troubles.add(error)
            over = False
        if not over:
            self._app.invalidate()

    def _now(self) -> _Page:
        """The page that the front is at. The generation is asked first: at worst it is too old, and a key is lost."""
        generation = self._front.forget_keys()
        return _Page(generation, _question(self._front.scene()))

    # Drawing.

    def _scene(self) -> Scene:
        if self._shown is None:
            self._ask()
        generation = self._front.forget_keys()
        scene = self._front.scene()
        self._page = _Page(generation, _question(scene))
        self._writes = isinstance(scene, CodeScene)
        if self._page.is_new_after(self._shown):
            self._drain()
        return scene

    def _draw(self, scene: Scene, columns: int, rows: int, /) -> Frame:
        """The frame; what was typed while nothing could be seen is dropped before anything can."""
        was_blind, self._blind = self._blind, False
        frame = self._drawing(scene, columns, rows)
        if was_blind and not frame.blind:
            self._drain()
        self._blind = frame.blind
        return frame

    def _drawn(self) -> None:
        """A frame is on the screen; keys that are read from now on are meant for it."""
        self._shown = self._page
        assert self._loop is not None
        self._drawn_s = self._loop.time()
        for timer in (self._later, self._tick):
            if timer is not None:
                timer.cancel()
        self._later = self._tick = None
        tick_s = self._front.next_tick_s()
        if tick_s is not None:
            self._tick = self._loop.call_later(max(TICK_MIN_S, tick_s), self._changed_here)

    def _drain(self) -> None:
        """Drops what was typed before now, in the terminal's buffer too; read, so that no sequence is torn apart."""
        self._app.key_processor.empty_queue()
        for _ in range(_DRAIN_READS):
            if not self._input.read_keys():
                return

    def _ask(self) -> None:
        """How wide signs are: the answer comes when it comes, and nothing waits for it but the end."""
        if self._too_wide is not None and self._loop is not None and not self._answer_by_s:
            self._app.output.write_raw(QUESTION)
            self._answer_by_s = self._loop.time() + ANSWER_S

    def _placed(self, place: CursorPosition) -> None:
        """The terminal says where its cursor is."""
        if self._loop is None or self._too_wide is None or not answers(place):
            return
        if breaks_rows(place):
            self._too_wide()
            self._loop.call_soon(self._repaint)
        self._too_wide, self._answer_by_s = None, 0.0
        self._end_if_over()

    def _changed(self) -> None:
        """From any thread. Many changes are one wake-up."""
        loop = self._loop
        if loop is None or self._change_told:
            return
        self._change_told = True
        with suppress(RuntimeError):  # closed just now
            loop.call_soon_threadsafe(self._changed_here)

    def _changed_here(self) -> None:
        self._change_told = False
        if self._end_if_over() or self._loop is None or self._later is not None:
            return
        wait_s = self._drawn_s + FRAME_S - self._loop.time()
        if wait_s <= 0:
            self._app.invalidate()
        else:
            self._later = self._loop.call_later(wait_s, self._app.invalidate)

    # Ends.

    def signed(self, sign: SignalSource) -> None:
        """A signal came: between two steps of this thread, at any place."""
        if sign is SignalSource.END:
            self._ended = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._obey, sign)

    def _obey(self, sign: SignalSource) -> None:
        match sign:
            case SignalSource.LEAVE:
                self._leave()
            case SignalSource.END:
                self._end()
            case SignalSource.WOKEN:
                self._wake()

    def _wake(self) -> None:
        """Takes the terminal again, from whoever had it meanwhile."""
        self._input.raw_mode().__enter__()
        self._repaint()

    def _repaint(self) -> None:
        """Begins anew on an empty screen, whatever is on it."""
        self._app.output.erase_screen()
        self._app.output.cursor_goto(0, 0)
        self._app.renderer.reset(leave_alternate_screen=False)
        self._app.invalidate()

    def _escaped(self, context: dict[str, Any]) -> None:
        """Something raised outside a key's handler: in the terminal's output, mostly."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in _HUNG_UP:
            self._end()
        elif isinstance(error, Exception):
            self._shown = self._page
            self._troubles.add(error)

    def _thread_died(self, error: BaseException) -> None:
        """From that thread. What its death means for the game is the front's to say."""
        if self._loop is not None:
            with suppress(RuntimeError):  # closed just now
                self._loop.call_soon_threadsafe(self._troubles.add, error)

    def _end_if_over(self) -> bool:
        over = self._front.over
        if over and self._loop is not None:
            wait_s = self._answer_by_s - self._loop.time()
            if wait_s <= 0:
                self._exit()
            else:
                self._loop.call_later(wait_s, self._exit)
        return over

    def _exit(self) -> None:
        future = self._app.future
        if future is not None and not future.done():
            self._app.exit()

    def _end(self) -> None:
        future = self._app.future
        if future is not None and not future.done():
            self._app.exit(exception=Interrupted())


def _question(scene: Scene) -> Question | None:
    return scene.question if isinstance(scene, TableScene) else None


@contextmanager
def _dead_threads(tell: Callable[[BaseException], None]) -> Iterator[None]:
    """While entered, what a thread dies of is told, and not written over the screen."""
    before = threading.excepthook

    def told(died: threading.ExceptHookArgs) -> None:
        if died.exc_value is not None:
            tell(died.exc_value)

    threading.excepthook = told
    try:
        yield
    finally:
        threading.excepthook = before


def _application(
    control: SceneControl, bindings: KeyBindings, devices: Devices
) -> Application[None]:
    signalled = sys.platform != "win32" and (threading.current_thread() is threading.main_thread())
    app: Application[None] = Application(
        layout=Layout(SceneWindow(control)),
        key_bindings=bindings,
        full_screen=True,
        erase_when_done=True,
        include_default_pygments_style=False,
        style=devices.paint.style,
        color_depth=devices.paint.depth,
        mouse_support=devices.mouse,
        max_render_postpone_time=None,
        terminal_size_polling_interval=None if signalled else SIZE_POLL_S,
        input=devices.input,
        output=devices.output,
    )
    app.ttimeoutlen = ESCAPE_S
    app.timeoutlen = None  # type: ignore[assignment]
    return app
