"""A match without a link: the model of the screen at seat 0, and a naive player at seat 1 who moves when it must or is let."""

from collections.abc import Callable

from support.games import chance, naive

from spitnet.core.beat import apply_beat
from spitnet.core.moves import Deal, Move
from spitnet.core.state import Match, Settings, new_match
from spitnet.protocol.entries import Ended, Ending
from spitnet.protocol.notices import Completed, Finished, MoveProposed
from spitnet.ui.pages.table_page import Command, Propose, TablePage, Wish
from spitnet.ui.presses import Press
from spitnet.ui.scene import Scene


class LocalFront:
    """Each press that proposes is a beat at once, in which the other moves too, one time in `slowness`."""

    def __init__(self, settings: Settings | None = None, slowness: int = 3) -> None:
        self.match: Match = new_match(settings or Settings())
        self.beats: list[Completed] = []
        self.now_s = 0.0
        self._slowness = slowness
        self._model = TablePage(0, ("Ann", "Bob"), self.match, "ab-cd", self.now_s)
        self._callback: Callable[[], None] = lambda: None
        self._over = False
        self._beat((Deal(), None))

    @property
    def over(self) -> bool:
        return self._over

    def scene(self) -> Scene:
        return self._model.scene(self.now_s)

    def press(self, press: Press) -> None:
        self.now_s += 1.0
        for wish in self._model.press(press, self.now_s):
            self._carry_out(wish)
        self._callback()

    def interrupt(self) -> None:
        """Leaving by Ctrl-C is no different here."""

    def changed(self, callback: Callable[[], None]) -> None:
        self._callback = callback

    def next_tick_s(self) -> float | None:
        return None

    def forget_keys(self) -> int:
        return self._model.generation

    def _carry_out(self, wish: Wish) -> None:
        match wish:
            case Propose(move):
                self._model.tell(MoveProposed(move), self.now_s)
                turn = len(self.beats) % self._slowness == 0
                self._beat((move, naive(self.match, 1) if turn else None))
                while naive(self.match, 0) is None and (theirs := naive(self.match, 1)):
                    self._beat((None, theirs))
            case Command.CLOSE:
                self._over = True
            case _:
                pass

    def _beat(self, moves: tuple[Move | None, Move | None]) -> None:
        number = len(self.beats)
        randomness = chance("local", number)
        self.match, events = apply_beat(self.match, moves, randomness)
        done = Completed(number, moves, randomness, events, self.match, b"")
        self.beats.append(done)
        self._model.tell(done, self.now_s)
        if self.match.over:
            ended = Ended(number, Ending.OVER, None, "")
            for wish in self._model.tell(Finished(ended), self.now_s):
                self._carry_out(wish)
