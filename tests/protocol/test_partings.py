"""R21, R22: how two people part, or play on, in every order of leaving, breaking, asking and answering, last beat included.

From every world that can come about, the rest is played out as if nothing more happened. Then nobody may wait for somebody
who has left, and whoever is there and wants another match has it. The numbers of worlds are golden, as in test_exhaustive.
"""

from collections.abc import Callable, Hashable
from math import inf

import pytest
from support import partings
from support.partings import Event, Left, Side, World

from spitnet.protocol import session as session_module
from spitnet.protocol.messages import Bye, Farewell, Message, OtherVersion, Rematch
from spitnet.protocol.rematch import Prospect, RematchTalk
from spitnet.protocol.session import Session

pytestmark = pytest.mark.long

GIVE_UP, ASK, CLOSE, DIE, BREAK = Event
BOTH_ASK: Left = ((ASK, 0), (ASK, 1))
BOTH_CLOSE: Left = ((CLOSE, 0), (CLOSE, 1))
BROKEN = (BREAK, None)


class Wrong(AssertionError):
    """Somebody is left in the dark."""


def judge(world: World, known: tuple[Prospect, ...]) -> None:
    """What must be so once nothing more happens. `known`: what whoever is alone may see of the other.

    Both may ask in each search, so whoever may still do so hasn't.
    """
    one, two = world.sides
    if one.gone and two.gone:
        return
    if one.gone or two.gone:
        _knows(two if one.gone else one, known)
        return
    _must(one.session.id == two.session.id, "they are in two matches")
    if one.session.over or two.session.over:
        asked = ((ASK, 0) not in world.left, (ASK, 1) not in world.left)
        _agree((one.session, two.session), asked)


def _knows(side: Side, known: tuple[Prospect, ...]) -> None:
    """Whoever is alone is told so, and is offered nothing."""
    session = side.session
    if session.match.over:
        _must(session.ended is not None, "it waits for a goodbye")
        _must(session.prospect in known, f"it sees {session.prospect}")
    elif session.ended is None:
        _must(session.patience.lost_s is not None, "it plays with nobody")


def _agree(sides: tuple[Session, Session], asked: tuple[bool, bool]) -> None:
    """Both are there: they are in the same match, or see alike who has asked for another."""
    _must(all(each.match.over for each in sides), "the match is decided on one side")
    _must(all(each.ended is not None for each in sides), "one waits for a goodbye")
    expected = {
        (False, False): (Prospect.NONE, Prospect.NONE),
        (True, False): (Prospect.ASKED, Prospect.OFFERED),
        (False, True): (Prospect.OFFERED, Prospect.ASKED),
    }
    seen = tuple(each.prospect for each in sides)
    _must(seen == expected.get(asked), f"asked {asked}, seen {seen}")


def _must(holds: bool, what: str) -> None:
    if not holds:
        raise Wrong(what)


class Search:
    """All worlds from one, each with the way there; `ends` are those where nothing more happens."""

    def __init__(self, events: Left) -> None:
        goodbyes = all(event not in (Event.BREAK, Event.DIE) for event, _ in events)
        self._known = (Prospect.LEFT,) if goodbyes else (Prospect.LEFT, Prospect.AWAY)
        self._ways: dict[Hashable, tuple[Hashable, str]] = {}
        self._settled: set[Hashable] = set()
        self.ends: dict[Hashable, World] = {}
        start = partings.begun(events)
        pending, known = [start], {start.key}
        while pending:
            world = pending.pop()
            self._settle(world)
            for name, after in partings.steps(world):
                if after.key not in known:
                    known.add(after.key)
                    self._ways[after.key] = world.key, name
                    pending.append(after)
        self.worlds = len(known)

    def _settle(self, world: World) -> None:
        """Plays it out. Raises Wrong where that goes on for ever, or ends badly."""
        first, path = world.key, {}
        after: World | None = world
        while after is not None and after.key not in self._settled:
            if after.key in path:
                raise Wrong(f"they go on for ever; {self._way(first)}")
            path[after.key] = last = after
            after = partings.quieter(after)
        if after is None:
            self.ends[last.key] = last
            try:
                judge(last, self._known)
            except Wrong as wrong:
                raise Wrong(f"{wrong}; after {self._way(first)}") from None
        self._settled.update(path)

    def _way(self, key: Hashable) -> str:
        names: list[str] = []
        while key in self._ways:
            key, name = self._ways[key]
            names.append(name)
        return " / ".join(reversed(names))


Searches = dict[str, tuple[Left, int]]
ALL: Left = (*BOTH_ASK, *BOTH_CLOSE)
QUICK: Searches = {
    "the joiner gives up": (((GIVE_UP, 1), *ALL), 289),
    "both give up": (((GIVE_UP, 0), (GIVE_UP, 1), *ALL), 1_111),
    "the joiner gives up, a break": (((GIVE_UP, 1), *ALL, BROKEN), 7_734),
    "the host dies, a break": (((GIVE_UP, 0), *BOTH_ASK, (DIE, 0), BROKEN), 8_212),
}
FULL: Searches = {
    "the host gives up, a break": (((GIVE_UP, 0), *ALL, BROKEN), 7_527),
    "the joiner dies, a break": (((GIVE_UP, 0), *BOTH_ASK, (DIE, 1), BROKEN), 8_240),
    "both give up, a break": (((GIVE_UP, 0), (GIVE_UP, 1), *ALL, BROKEN), 32_733),
    "the joiner gives up, two breaks": (((GIVE_UP, 1), *ALL, BROKEN, BROKEN), 84_805),
    "the host gives up, two breaks": (((GIVE_UP, 0), *ALL, BROKEN, BROKEN), 81_888),
    "the host dies, two breaks": (((GIVE_UP, 1), *ALL, (DIE, 0), BROKEN, BROKEN), 104_272),
    "the joiner dies, two breaks": (((GIVE_UP, 1), *ALL, (DIE, 1), BROKEN, BROKEN), 107_497),
}


def check(name: str, searches: Searches) -> None:
    events, worlds = searches[name]
    found = Search(events)
    print(f"{name}: {found.worlds} worlds, {len(found.ends)} ends")
    assert found.worlds == worlds


@pytest.mark.parametrize("name", QUICK)
def test_nobody_waits_for_whoever_has_left(name: str) -> None:
    check(name, QUICK)


@pytest.mark.full
@pytest.mark.parametrize("name", FULL)
def test_nobody_waits_in_long_searches(name: str) -> None:
    check(name, FULL)


def test_the_search_meets_everything() -> None:
    """What would prove nothing if it never came about: another match, one that is asked for, one that nobody wants."""
    ends = list(Search(((GIVE_UP, 1), *BOTH_ASK, (CLOSE, 1), BROKEN)).ends.values())
    met = {side.session.prospect for world in ends for side in world.sides if not side.gone}
    assert met == set(Prospect)
    assert any(all(side.next_match for side in world.sides) for world in ends)


# The search must be able to fail: faults put into the talk, each with what comes of it.

Patch = pytest.MonkeyPatch


def goodbyes_unheard(patch: Patch) -> None:
    """A goodbye is no more than the break that follows it."""
    real = RematchTalk.take

    def take(self: RematchTalk, message: Message | OtherVersion) -> None:
        if not isinstance(message, Bye):
            real(self, message)

    patch.setattr(RematchTalk, "take", take)


def nothing_heard_at_the_end(patch: Patch) -> None:
    """What comes once the match has ended, but before another is thought of, is thrown away."""
    patch.setattr(Session, "_hear_afterwards", lambda *_: None)
    patch.setattr(RematchTalk, "down", lambda _: None)


def breaks_unheard(patch: Patch) -> None:
    patch.setattr(RematchTalk, "down", lambda _: None)


def asked_too_early(patch: Patch) -> None:
    """Asking counts only once the last goodbye has come."""
    real = Session.ask_rematch

    def ask(self: Session, now_s: float) -> None:
        if self.ended is not None:
            real(self, now_s)

    patch.setattr(Session, "ask_rematch", ask)


def never_back(patch: Patch) -> None:
    """Whoever was cut off stays away."""
    patch.setattr(RematchTalk, "up", lambda _: None)
    patch.setattr(Session, "_over", lambda self: Bye(b"?" * 32, 0, Farewell.OVER, ""))


def asked_once(patch: Patch) -> None:
    """Nobody asks again, though nothing tells that a frame was lost."""
    real = RematchTalk.due

    def due(self: RematchTalk, now_s: float) -> Rematch | None:
        return None if self.next_deadline_s() == -inf else real(self, now_s)

    def ask(self: RematchTalk) -> None:
        real_ask(self)
        self.repeat_at_s = 0.0

    real_ask = RematchTalk.ask
    patch.setattr(RematchTalk, "ask", ask)
    patch.setattr(RematchTalk, "due", due)


def begun_alone(patch: Patch) -> None:
    """Another match begins though the other can't be reached."""

    def nonces(self: RematchTalk) -> tuple[bytes, bytes] | None:
        if self.mine is None or self._theirs is None:
            return None
        mine = self.mine.nonce
        return (self._theirs, mine) if self._seat else (mine, self._theirs)

    patch.setattr(RematchTalk, "nonces", property(nonces))


def answered_always(patch: Patch) -> None:
    patch.setattr(session_module, "ANSWER_S", 0.0)


def last_beat_kept(patch: Patch) -> None:
    """Who has ended the match gives nothing back of it."""
    patch.setattr(Session, "_give_last_beat", lambda *_: None)


def joiner_silent(patch: Patch) -> None:
    """The joiner says nothing by a new connection, so the host can't know whose it is."""
    real = Session.link_up

    def link_up(self: Session, now_s: float) -> None:
        before = self.lockstep.effects
        real(self, now_s)
        if self.ended is not None:
            self.lockstep.effects = before

    patch.setattr(Session, "link_up", link_up)


A_BREAK = "the joiner gives up, a break"
FAULTS: dict[str, tuple[Callable[[Patch], None], str, str]] = {
    "goodbyes are unheard": (goodbyes_unheard, "it sees Prospect.AWAY", "the joiner gives up"),
    "nothing is heard at the end": (
        nothing_heard_at_the_end,
        "it sees Prospect.NONE",
        "the joiner gives up",
    ),
    "breaks are unheard": (breaks_unheard, "it sees Prospect.NONE", "the host dies, a break"),
    "asked too early": (asked_too_early, "asked", A_BREAK),
    "never back": (never_back, "asked", A_BREAK),
    "asked once": (asked_once, "asked", A_BREAK),
    "begun alone": (begun_alone, "it plays with nobody", "the host dies, a break"),
    "answered always": (answered_always, "they go on for ever", A_BREAK),
    "the last beat is kept": (last_beat_kept, "the match is decided on one side", A_BREAK),
    "the joiner is silent": (joiner_silent, "the match is decided on one side", A_BREAK),
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_search_finds(name: str, monkeypatch: Patch) -> None:
    put_in, what, search = FAULTS[name]
    put_in(monkeypatch)
    with pytest.raises(Wrong, match=f"^{what}"):
        Search(QUICK[search][0])
