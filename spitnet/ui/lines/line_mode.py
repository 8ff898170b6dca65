"""The whole game as lines: nothing is repainted, coloured or framed. For screen readers, slow links and logs.

What belongs here: the loop that joins a `Front`, what is typed and what is told. What must not: prompt_toolkit.

At a terminal each key counts at once, as on the full screen, and is not echoed; Enter tells the whole table. What comes
with Enter, and all that comes through a pipe, is read as lines of words and keys. Keys count for the page that was told
last, as in `shell`; lines count always, since who writes lines ahead means them.
"""

import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Final, TextIO

from spitnet.language import gettext
from spitnet.spelling import SPELLED
from spitnet.ui.cells import clean
from spitnet.ui.keys.keymaps import Meanings, letters, pasted
from spitnet.ui.lines import typed
from spitnet.ui.lines.narrator import Narrator
from spitnet.ui.presses import CardPress, Letters, Plain, Press
from spitnet.ui.scene import CodeScene, FollowScene, LookingScene, Question, Scene, TableScene
from spitnet.ui.terminal import sequences
from spitnet.ui.terminal.capabilities import InputEnded, Interrupted, lines_for
from spitnet.ui.terminal.front import Front
from spitnet.ui.terminal.key_sequences import name
from spitnet.ui.terminal.reader import reading, single_keys
from spitnet.ui.terminal.sequences import ESCAPE_S, Sequences
from spitnet.ui.terminal.terminal_signals import SignalSource, signs
from spitnet.ui.terminal.troubles import Troubles

TICK_MIN_S: Final = 0.1
"""A clock can't ask for more than this; what is told by the clock is told by the second."""


def run(
    front: Front,
    keymap: Meanings,
    *,
    trouble: Callable[[str], None],
    source: TextIO | None = None,
    sink: TextIO | None = None,
) -> None:
    """Tells the front until it is over. In the main thread signals are ours meanwhile, and put back after.

    `front` and `trouble` are called from this thread only. `trouble` is told, in words, of an error that was survived
    and is in the log. `source` and `sink` stand in for stdin and stdout.

    Raises: InputEnded if what is typed has; Interrupted if nobody reads what is told, or a signal said to end.
    """
    source, sink = source or sys.stdin, sink or sys.stdout
    with ExitStack() as stack:
        drop = stack.enter_context(single_keys(source))
        talk = _Talk(front, keymap, Troubles(trouble), sink, drop)
        stack.enter_context(signs(talk.happenings.put))
        stack.enter_context(reading(source, talk.take))
        front.changed(talk.changed)
        try:
            talk.run()
        except (BrokenPipeError, OSError):
            raise Interrupted from None


class _Changed:
    """The front has something new."""


class _Talk:
    """One conversation. What happens elsewhere is put into `happenings`; everything else is the main thread's."""

    def __init__(
        self,
        front: Front,
        keymap: Meanings,
        troubles: Troubles,
        sink: TextIO,
        drop: Callable[[], None] | None,
    ) -> None:
        self.happenings: SimpleQueue[str | SignalSource | _Changed | None] = SimpleQueue()
        self._front = front
        self._keymap = keymap
        self._troubles = troubles
        self._sink = sink
        self._drop = drop or (lambda: None)
        self._by_key = drop is not None
        self._teller = Narrator(keymap.labels(), self._by_key)
        self._told: tuple[int, Question | None] | None = None
        self._change_put = False
        self._unfinished = ""
        self._sequences = Sequences()

    def take(self, text: str | None) -> None:
        """From the reader's thread: what was typed, None at its end."""
        self.happenings.put(text)

    def changed(self) -> None:
        """From any thread. Many changes are one wake-up."""
        if not self._change_put:
            self._change_put = True
            self.happenings.put(_Changed())

    def run(self) -> None:
        """Until the front is over."""
        self._tell_news()
        while not self._front.over:
            try:
                happening = self.happenings.get(timeout=self._patience_s())
            except Empty:
                self._units(self._sequences.flush(monotonic()))
                happening = _Changed()
            match happening:
                case _Changed():
                    self._change_put = False
                    self._tell_news()
                case SignalSource.LEAVE:
                    self._front.interrupt()
                    self._press(Plain.QUIT)
                case SignalSource.WOKEN:
                    pass
                case SignalSource.END:
                    raise Interrupted
                case None:
                    raise InputEnded
                case str() if self._by_key:
                    self._typed(happening)
                case str() if isinstance(self._front.scene(), CodeScene):
                    self._letters(Sequences().feed(happening, monotonic()))
                case str():
                    self._lines(happening)
        self._tell_news()

    def _patience_s(self) -> float | None:
        tick_s = self._front.next_tick_s()
        waits_s = [] if tick_s is None else [max(TICK_MIN_S, tick_s)]
        return min([*waits_s, ESCAPE_S] if self._sequences.waits else waits_s, default=None)

    # What is typed.

    def _typed(self, text: str) -> None:
        """What a terminal has sent: keys, or a line where it edits lines itself."""
        self._units(self._sequences.feed(text, monotonic()))

    def _units(self, units: list[str]) -> None:
        if isinstance(self._front.scene(), CodeScene):
            self._letters(units)
            return
        known = [unit for unit in units if name(unit) is not None]
        if len(known) > 1 and known[-1] in ("\n", "\r"):
            self._lines("".join(known))
        else:
            self._keys(known)

    def _keys(self, units: list[str]) -> None:
        """Keys that came together; what follows one that turned the page is dropped."""
        for one in typed.keys(units, self._keymap, self._asked()):
            if self._page_turns():
                self._tell_news()
                return
            self._obey(one)

    def _letters(self, units: list[str]) -> None:
        """What is typed where a text is asked for; a terminal that sends single keys doesn't echo them."""
        for unit in units:
            if self._page_turns():
                self._tell_news()
                return
            paste, before = sequences.pasted(unit), _typed_at(self._front.scene())
            press = letters(name(unit) or "") if paste is None else pasted(paste)
            if press in (Plain.ENTER, Plain.ESCAPE):
                self._echo("\n")
            if press is not None:
                self._press(press)
            if isinstance(press, Letters) or press is Plain.BACKSPACE:
                after = _typed_at(self._front.scene())
                self._echo("\b \b" if len(after) < len(before) else after[len(before) :])

    def _echo(self, text: str) -> None:
        if self._by_key:
            self._sink.write(text)
            self._sink.flush()

    def _lines(self, text: str) -> None:
        lines = (self._unfinished + text).splitlines(keepends=True)
        whole = not lines or lines[-1].endswith(("\n", "\r"))
        self._unfinished = "" if whole else lines.pop()
        for line in lines:
            for one in typed.words(line, self._keymap, self._asked()):
                self._obey(one)
                if self._front.over:
                    return

    def _obey(self, one: typed.Typed) -> None:
        scene = self._front.scene()
        match one:
            case typed.Ask.TABLE:
                self._tell(self._teller.table(scene))
            case typed.Ask.WHAT:
                self._tell([gettext("Not understood. Type ? for help.")])
            case Plain.HELP:
                self._tell(self._teller.help(scene))
            case typed.Number() | CardPress() if isinstance(scene, FollowScene):
                self._obey(typed.Ask.WHAT)
            case typed.Number(number):
                self._number(number)
            case Plain.NO | Plain.ESCAPE if self._asked():
                self._press(one)
                self._tell(self._teller.what_is_due(self._front.scene()))
            case _:
                self._press(one)

    def _number(self, number: int) -> None:
        """A table of the list, or a card."""
        scene = self._front.scene()
        if not isinstance(scene, LookingScene):
            if 1 <= number <= 4:
                self._press(CardPress(number - 1, None))
        elif 1 <= number <= len(scene.entries):
            steps = number - 1 - scene.chosen
            for _ in range(abs(steps)):
                self._press(Plain.DOWN if steps > 0 else Plain.UP)
            self._press(Plain.ENTER)

    def _press(self, press: Press) -> None:
        try:
            self._front.press(press)
        except Exception as error:  # noqa: BLE001 - the next key must find a game that goes on
            self._troubles.add(error)
        self._tell_news()

    def _asked(self) -> bool:
        return self._page()[1] is not None

    def _page(self) -> tuple[int, Question | None]:
        generation = self._front.forget_keys()
        scene = self._front.scene()
        return generation, scene.question if isinstance(scene, TableScene) else None

    def _page_turns(self) -> bool:
        """Whether keys typed at what was told last must not count now."""
        generation, question = self._page()
        if self._told is None or self._told[0] != generation:
            return True
        return question is not None and question is not self._told[1]

    def _forget(self) -> None:
        """Drops what was typed before now: what is not read yet, and what is not obeyed yet."""
        self._drop()
        kept = []
        while not self.happenings.empty():
            kept.append(self.happenings.get())
        for one in kept:
            if isinstance(one, str):
                self._sequences.feed(one, monotonic())  # so that none is torn apart
            else:
                self.happenings.put(one)

    # What is told.

    def _tell_news(self) -> None:
        if self._by_key and self._page_turns():
            self._forget()
        self._told = self._page()
        try:
            lines = [*self._teller.news(self._front.scene())]
        except Exception as error:  # noqa: BLE001 - what can't be told must not end the match
            self._troubles.add(error)
            lines = []
        self._tell(lines)

    def _tell(self, lines: Iterable[str]) -> None:
        encoding = self._sink.encoding or "utf-8"
        for line in lines:
            text = clean(line).encode(encoding, SPELLED).decode(encoding)
            self._sink.write("".join(f"{one}\n" for one in lines_for(self._sink, text)))
            self._sink.flush()


def _typed_at(scene: Scene) -> str:
    return scene.typed if isinstance(scene, CodeScene) else ""
