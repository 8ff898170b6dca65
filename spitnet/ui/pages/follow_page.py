"""Looking at a match: a page that is fed beats and shows them at one's own pace, back and forth. Pure.

What belongs here: where in the match one is, and what takes one elsewhere. What must not: where the beats come from (a
record, a match under way), drawing, words. Nothing here can change a match. Times are the caller's seconds.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from typing import Final, assert_never

from spitnet.core.cards import Seat
from spitnet.core.state import Match
from spitnet.journal.story import Moment, after
from spitnet.protocol.notices import Completed
from spitnet.ui.pages.lobby_pages import PageWish
from spitnet.ui.pages.table_page import Command
from spitnet.ui.presses import Plain, Playback, Press
from spitnet.ui.scene import FollowScene, Happened, Lack, notes_of

BEAT_S: Final = 0.7
"""How long a beat that changed the table is shown, at the first speed. A record knows the order, not the times."""
SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
QUIET: Final = 0.3
"""A beat that changed no card is passed so much sooner; the next two are there to be read."""
LINGERING: Final = 3.0
BURST: Final = 8
"""More beats at once than that are no play but a record that is caught up with."""

_ASKED: Final = {
    Lack.LATER_BEAT: Playback.FORWARD,
    Lack.LATER_CONTEST: Playback.LATER_CONTEST,
    Lack.LATER_GAME: Playback.LATER_GAME,
}
"""What leads to what may yet come."""


class FollowPage:
    """One match, from behind one seat. States are kept, so that every step is at once, however long the match."""

    generation = 0
    """Keys typed ahead always count: nothing here can be done by mistake."""

    def __init__(
        self,
        seat: Seat,
        names: tuple[str, str],
        match: Match,
        started: str,
        *,
        playing: bool = False,
        live: bool = False,
        first_game: int = 1,
    ) -> None:
        """`match` is the one before its first beat; `started` is shown as it is. `first_game` is gone to once it is there.

        `live`: others play it now, and the newest beat is shown until something else is asked for.
        """
        self._seat, self._names, self._started = seat, names, started
        self._moments = [Moment(match)]
        self._games: tuple[int, ...] = ()
        self._contests: tuple[int, ...] = ()
        self._index = 0
        self._jumps = 0
        self._playing = playing
        self._looks_on = self._sticks = live
        self._has_next = False
        self._speed = SPEEDS.index(1.0)
        self._due_s: float | None = None
        self._ending, self._broken = "", False
        self._awaited = first_game if first_game > 1 else 0
        self._lack: Lack | None = None
        self._owed: Lack | None = None
        self._trouble = self._said = ""
        self._help = False

    # What it is fed.

    def take(self, beats: Iterable[Completed], now_s: float) -> None:
        """Beats that come next, in order. Who plays and has seen all before sees the next at once; who is live, the last."""
        first = len(self._moments)
        for beat in beats:
            self._moments.append(after(self._moments[-1], beat))
        new = range(first, len(self._moments))
        self._said = "" if new else self._said
        self._games += tuple(i for i in new if _is_deal(self._moments[i]))
        self._contests += tuple(i for i in new if self._moments[i].contest is not None)
        if self._sticks and new:
            self._jumps += len(new) > BURST
            self._index = new[-1]
        elif 0 < self._awaited <= len(self._games):
            self._jump(self._games[self._awaited - 1])
            self._awaited = 0
            self._go_on(now_s)
        elif self._playing and self._due_s is None and new and not self._awaited:
            self._due_s = now_s + (self._wait_s() if self._index == 0 else 0.0)
        if self._owed is not None and new:
            owed, self._owed = self._owed, None
            self._obey(_ASKED[owed], now_s)

    def close(self, ending: str, *, broken: bool) -> None:
        """No more will come; `ending` says in words why, `broken` that something is wrong."""
        self._ending, self._broken, self._said = ending, broken, ""
        self._playing = self._playing and not self._is_at_end()
        if self._owed is not None:
            self._fail(self._owed)
        if self._awaited:
            self._awaited, self._playing = 0, False
            self._fail(Lack.LATER_GAME)

    def next_begins(self, ending: str) -> tuple[PageWish, ...]:
        """Those two play another match; `ending` says so too. Whoever is live goes there at once, others when asked."""
        self._ending, self._has_next = ending, True
        return (Command.REMATCH,) if self._sticks else ()

    def trouble(self, text: str) -> None:
        """An error on this side that was survived; already in words."""
        self._trouble = text

    def say(self, text: str) -> None:
        """What was wrong isn't any more; in words, for as long as no other beat comes."""
        self._trouble, self._said = "", text

    # What is seen.

    def scene(self, now_s: float) -> FollowScene:
        """The match now; while it plays, at most one beat further than last time."""
        if self._due_s is not None and now_s >= self._due_s:
            self._index += 1
            self._lack = None
            self._go_on(now_s)
        return FollowScene(
            self._seat,
            self._names,
            self._started,
            self._moments,
            self._index,
            self._games,
            self._contests,
            self._playing,
            SPEEDS[self._speed],
            self._jumps,
            self._ending,
            self._broken,
            self._lack,
            self._trouble,
            self._said,
            self._help,
            self._looks_on,
            self._sticks and not self._ending,
        )

    def next_tick_s(self, now_s: float) -> float | None:
        """Seconds until the next beat is shown by itself."""
        return None if self._due_s is None else max(0.0, self._due_s - now_s)

    # What is pressed.

    def press(self, press: Press, now_s: float) -> tuple[PageWish, ...]:
        """Leaving needs no question: nothing is at stake."""
        self._lack = self._owed = None
        self._said, self._awaited = "", 0
        match press:
            case Playback.END if self._has_next:
                return (Command.REMATCH,)
            case Playback():
                self._obey(press, now_s)
            case Plain.HELP:
                self._help = not self._help
                self._playing, self._due_s = False, None  # nothing passes unseen below it
            case Plain.ESCAPE:
                self._help = False
            case Plain.QUIT:
                return (Command.CLOSE,)
            case _:
                pass
        return ()

    def _obey(self, press: Playback, now_s: float) -> None:
        was_live, self._sticks = self._sticks, False
        match press:
            case Playback.PLAY if was_live:
                pass  # that is a pause
            case Playback.PLAY:
                self._play_or_pause()
            case Playback.FORWARD:
                self._step()
            case Playback.BACK:
                self._back()
            case Playback.FASTER | Playback.SLOWER:
                change = 1 if press is Playback.FASTER else -1
                self._speed = min(max(0, self._speed + change), len(SPEEDS) - 1)
                self._sticks = was_live
            case Playback.LATER_CONTEST:
                self._later(self._contests, Lack.LATER_CONTEST, pauses=True)
            case Playback.EARLIER_CONTEST:
                self._earlier(self._contests, Lack.EARLIER_CONTEST, pauses=True)
            case Playback.LATER_GAME:
                self._later(self._games, Lack.LATER_GAME)
            case Playback.EARLIER_GAME:
                self._earlier(self._games, Lack.EARLIER_GAME)
            case Playback.START:
                self._jump(0)
            case Playback.END:
                self._jump(len(self._moments) - 1)
                self._sticks = self._looks_on
            case _:
                assert_never(press)
        self._sticks |= was_live and self._lack is not None
        self._go_on(now_s)

    def _play_or_pause(self) -> None:
        if self._is_at_end() and self._ending:
            self._jump(0)
            self._playing = True
        else:
            self._playing = not self._playing

    def _step(self) -> None:
        """To the next beat, which is no jump."""
        self._playing = False
        if self._is_at_end():
            self._fail(Lack.LATER_BEAT)
        else:
            self._index += 1

    def _back(self) -> None:
        self._playing = False
        if self._index == 0:
            self._fail(Lack.EARLIER_BEAT)
        else:
            self._jump(self._index - 1)

    def _later(self, places: tuple[int, ...], lack: Lack, *, pauses: bool = False) -> None:
        """To the next of these places; a contest is there to be looked at."""
        at = bisect_right(places, self._index)
        if at == len(places):
            self._fail(lack)
            return
        self._playing = self._playing and not pauses
        self._jump(places[at])

    def _earlier(self, places: tuple[int, ...], lack: Lack, *, pauses: bool = False) -> None:
        at = bisect_left(places, self._index)
        if at == 0:
            self._fail(lack)
            return
        self._playing = self._playing and not pauses
        self._jump(places[at - 1])

    def _jump(self, index: int) -> None:
        self._index = index
        self._jumps += 1

    def _fail(self, lack: Lack) -> None:
        """What is still being read may hold it: then it is gone to once it has come."""
        if lack in _ASKED and not (self._ending or self._looks_on):
            self._owed = lack
            return
        self._lack = lack
        self._jumps += 1

    # Time.

    def _go_on(self, now_s: float) -> None:
        """Plans the next beat from now; at the end of what may still grow it waits."""
        if self._is_at_end():
            self._sticks |= self._playing and self._looks_on
            self._playing = self._playing and not (self._ending or self._looks_on)
            self._due_s = None
        else:
            self._due_s = now_s + self._wait_s() if self._playing else None

    def _wait_s(self) -> float:
        return BEAT_S * _weight(self._moments[self._index]) / SPEEDS[self._speed]

    def _is_at_end(self) -> bool:
        return self._index == len(self._moments) - 1


def _is_deal(moment: Moment) -> bool:
    return any(note.happened is Happened.DEALT for note in notes_of(moment))


def _weight(moment: Moment) -> float:
    """How long a moment is shown, in beats."""
    kinds = {note.happened for note in notes_of(moment)}
    if moment.contest is not None or not kinds or Happened.GAME_OVER in kinds:
        return LINGERING
    return QUIET if kinds == {Happened.READY} else 1.0
