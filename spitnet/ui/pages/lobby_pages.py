"""The pages before a match: an open table, the live list of tables, a table's code, and sitting down. Pure."""

from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from spitnet.core.state import Settings
from spitnet.ui.pages.table_page import Command, Wish
from spitnet.ui.presses import Letters, Plain, Playback, Press
from spitnet.ui.scene import (
    CodeScene,
    HostingScene,
    KnockingScene,
    ListedTable,
    LookingScene,
    Scene,
)

NOBODY_AFTER_S = 30.0
"""After so long at an open table it is said what to try. Who is told where to come needs some of that to type."""
TYPED_MOST = 100
"""Characters: somewhat more than a code can have, so that one that is too long is told so and not cut."""
HINT_AFTER_S = 3.0
"""After so long with nobody there, or no answer, it is said what to try."""


@dataclass(frozen=True, slots=True)
class Sit:
    """The player wants to sit down at this entry of the list."""

    entry: ListedTable


@dataclass(frozen=True, slots=True)
class Typed:
    """The player has typed the code that was asked for; empty: back to the list."""

    code: str


PageWish: TypeAlias = Wish | Sit | Typed


class Page(Protocol):
    """Whatever is on the screen: drawn as a scene, told of keys."""

    generation: int

    def scene(self, now_s: float) -> Scene: ...
    def press(self, press: Press, now_s: float) -> tuple[PageWish, ...]: ...
    def next_tick_s(self, now_s: float) -> float | None: ...


class HostingPage:
    """An open table, until somebody sits down."""

    generation = 0

    def __init__(self, scene: HostingScene, now_s: float) -> None:
        self._scene = scene
        self._since_s = now_s

    def reached(self, addresses: tuple[str, ...], trouble: str) -> None:
        """Where others reach this table now, and what stands in the way."""
        self._scene = replace(self._scene, addresses=addresses, trouble=trouble)

    def scene(self, now_s: float) -> HostingScene:
        waited_s = now_s - self._since_s
        return replace(self._scene, waited_s=waited_s, hint=waited_s > NOBODY_AFTER_S)

    def press(self, press: Press, _now_s: float) -> tuple[PageWish, ...]:
        return _leaves(press)

    def next_tick_s(self, _now_s: float) -> float | None:
        return 1.0


class LookingPage:
    """The list of open tables, live; what is chosen stays chosen when others come and go.

    `looking_on`: they are there to look on at. Then the keys are those for looking at a match. `asked`: the address that
    they are looked for at, if they aren't looked for everywhere. `choosing`: nobody is taken to the only one.
    """

    generation = 0

    def __init__(
        self,
        now_s: float,
        *,
        looking_on: bool = False,
        asked: str = "",
        choosing: bool = False,
    ) -> None:
        self._looking_on = looking_on
        self._choosing = choosing
        self._asked = asked
        self._entries: tuple[ListedTable, ...] = ()
        self._chosen: ListedTable | None = None
        self._since_s = now_s
        self._trouble = ""
        self._offline = False

    def tables(
        self, entries: tuple[ListedTable, ...], trouble: str, *, offline: bool = False
    ) -> None:
        """The tables that are known now, in a stable order. `offline`: this machine has no network, as `trouble` says."""
        self._entries, self._trouble, self._offline = entries, trouble, offline
        index = self._index()
        if index is not None:
            self._chosen = entries[index]  # it may be busy by now
        else:
            self._chosen = next((one for one in entries if one.usable), next(iter(entries), None))

    def scene(self, now_s: float) -> LookingScene:
        waited_s = now_s - self._since_s
        hint = not self._entries and waited_s > HINT_AFTER_S and not self._offline
        return LookingScene(
            self._entries,
            self._index() or 0,
            waited_s,
            hint,
            self._trouble,
            self._looking_on,
            self._asked,
            self._choosing,
        )

    def press(self, press: Press, _now_s: float) -> tuple[PageWish, ...]:
        index = self._index()
        match press:
            case Plain.UP | Playback.FASTER if index is not None:
                self._chosen = self._entries[max(0, index - 1)]
            case Plain.DOWN | Playback.SLOWER if index is not None:
                self._chosen = self._entries[min(len(self._entries) - 1, index + 1)]
            case Plain.ENTER | Plain.SPACE | Playback.PLAY if (
                self._chosen is not None and self._chosen.usable
            ):
                return (Sit(self._chosen),)
            case _:
                return _leaves(press)
        return ()

    def next_tick_s(self, _now_s: float) -> float | None:
        return 1.0

    def _index(self) -> int | None:
        """Where the chosen table stands now; a table is known by its address."""
        if self._chosen is None:
            return None
        places = [entry.address for entry in self._entries]
        address = self._chosen.address
        return places.index(address) if address in places else None


class CodePage:
    """A table asks for a code. It is shown as it is typed, as the host's screen shows it too."""

    generation = 0

    def __init__(self, name: str, trouble: str = "") -> None:
        self._name = name
        self._trouble = trouble
        self._typed = ""

    def scene(self, _now_s: float) -> CodeScene:
        return CodeScene(self._name, self._typed, self._trouble)

    def press(self, press: Press, _now_s: float) -> tuple[PageWish, ...]:
        match press:
            case Letters(text):
                self._typed = (self._typed + text)[:TYPED_MOST]
            case Plain.BACKSPACE:
                self._typed = self._typed[:-1]
            case Plain.ENTER:
                return (Typed(self._typed.strip()),)
            case Plain.ESCAPE:
                return (Typed(""),)
            case Plain.QUIT:  # by Ctrl-C: q is a letter here
                return (Command.CLOSE,)
            case _:
                pass
        return ()

    def next_tick_s(self, _now_s: float) -> float | None:
        return None


class KnockingPage:
    """Sitting down; `looking_on`: waiting for the match to begin that is to be looked at. `settings`: as the table says."""

    generation = 0

    def __init__(
        self,
        name: str,
        now_s: float,
        *,
        looking_on: bool = False,
        settings: Settings | None = None,
    ) -> None:
        self._looking_on = looking_on
        self._name = name
        self._since_s = now_s
        self._settings = settings

    def scene(self, now_s: float) -> KnockingScene:
        waited_s = now_s - self._since_s
        hint = bool(self._name) and waited_s > HINT_AFTER_S
        return KnockingScene(self._name, waited_s, self._looking_on, self._settings, hint)

    def press(self, press: Press, _now_s: float) -> tuple[PageWish, ...]:
        return _leaves(press)

    def next_tick_s(self, _now_s: float) -> float | None:
        return 1.0


def _leaves(press: Press) -> tuple[PageWish, ...]:
    """Before anybody has sat down nothing is at stake: leaving needs no question."""
    return (Command.CLOSE,) if press in (Plain.QUIT, Plain.ESCAPE) else ()
