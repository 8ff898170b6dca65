"""One bot at a table: it looks when something happens, and acts when its time has come.

What it does is chosen in `strategy`, how fast it is stands in `timing`; here is when a reaction
starts and what disturbs it. Times are seconds of any one monotonic clock of the caller's.
"""

from typing import Final

from spitnet.bot.chance import Chance
from spitnet.bot.levels import Level
from spitnet.bot.strategy import choose
from spitnet.bot.timing import REACTIONS
from spitnet.bot.view import View, view_of
from spitnet.core.cards import Card, Seat, fits
from spitnet.core.moves import Move, Play
from spitnet.core.state import Match

SECOND_LOOK: Final = 0.6
"""The share of a reaction for finding another play when the one in mind no longer fits."""
BEATEN: Final = 0.3
"""The share of a reaction that is lost over a card that came back."""
RESULT_S: Final = 2.0
"""How long the result of a game is looked at before the next deal."""


class Bot:
    """A player of a level in a seat.

    `delay_s` replaces the level's reaction time by a constant; with 0 it acts whenever it is
    asked. `speed` gives it the reaction times of another level.
    """

    def __init__(
        self,
        seat: Seat,
        level: Level,
        random: Chance,
        delay_s: float | None = None,
        *,
        speed: Level | None = None,
    ) -> None:
        self._seat = seat
        self._level = level
        self._random = random
        self._delay_s = delay_s
        self._reactions = REACTIONS[speed or level]
        self._seen: View | None = None
        self._intent: Move | None = None
        self._played: Card | None = None
        self.due_s: float | None = None
        """When `act` is to be called next; None while there is nothing to wait for."""

    def look(self, match: Match, busy: bool, now_s: float) -> None:
        """To be called after all that happens; `busy` while a move of the bot's is under way.

        A reaction that has begun goes on, whatever the opponent does: the new card is seen
        meanwhile. Only the play in mind is reconsidered, if it no longer fits.
        """
        if busy or match.over:
            self._forget()
        elif self._delay_s == 0:
            self.due_s = now_s
        elif self.due_s is None:
            self._begin(view_of(match, self._seat), now_s)
        else:
            self._reconsider(view_of(match, self._seat), now_s)

    def act(self, match: Match, now_s: float) -> Move | None:
        """The move for the table as it is, once `due_s` has come; None before that, or to wait."""
        if self.due_s is None or now_s < self.due_s:
            return None
        view = view_of(match, self._seat)
        move = self._intent if view == self._seen else self._choice(view)
        self._forget()
        self._played = move.card if isinstance(move, Play) else None
        return move

    def _begin(self, view: View, now_s: float) -> None:
        """Starts a reaction, if the table offers anything to do."""
        beaten = self._played is not None and self._played in view.layout
        self._played = None
        self._intend(view)
        if self._intent is None:
            return
        self.due_s = now_s + self._reaction_s() * (1 + BEATEN * beaten)
        if not view.playing and view.games and self._delay_s is None:
            self.due_s += RESULT_S

    def _reconsider(self, view: View, now_s: float) -> None:
        """Keeps what is in mind while it can be done; else looks again, which takes a while."""
        if view == self._seen or self._still_fits(view):
            return
        before = self._intent
        self._intend(view)
        if self._intent is None:
            self._forget()
        elif type(self._intent) is not type(before) or isinstance(before, Play):
            again_s = now_s + SECOND_LOOK * self._reaction_s()
            self.due_s = max(again_s, self.due_s or again_s)

    def _still_fits(self, view: View) -> bool:
        match self._intent:
            case Play(card, pile, _):
                top = view.tops[pile]
                return card in view.layout and top is not None and fits(card, top)
            case _:
                return False

    def _intend(self, view: View) -> None:
        self._seen, self._intent = view, self._choice(view)

    def _choice(self, view: View) -> Move | None:
        return choose(self._level, view, self._random)

    def _forget(self) -> None:
        self.due_s = self._seen = self._intent = None

    def _reaction_s(self) -> float:
        """One reaction time, in seconds."""
        if self._delay_s is not None:
            return self._delay_s
        return self._reactions.reaction_s(self._random)
