"""WIRE.md's vectors: they are what the code gives, and a second implementation of the text agrees (C1, C5)."""

import ast
import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from support import make_vectors, second
from support.games import played, wilful

from spitnet import protocol
from spitnet.core.legality import legal
from spitnet.core.state import RefillMode, Settings
from spitnet.protocol.binding import state_digest
from spitnet.protocol.move_codec import decode_move, encode_move

VECTORS: dict[str, Any] = json.loads(make_vectors.VECTORS.read_text(encoding="utf-8"))
SECTIONS = [name for name in VECTORS if name != "version"]
WIRE = Path(protocol.__file__).with_name("WIRE.md")
TRIED = [(seat, bytes((code,))) for seat in (0, 1) for code in (1, 2, 3, 6, 7)]
TRIED += [(seat, bytes((5, slot))) for seat in (0, 1) for slot in range(4)]
TRIED += [
    (seat, bytes((4, card, pile, size)))
    for seat in (0, 1)
    for card in range(seat, 104, 7)
    for pile in (0, 1)
    for size in (0, 1, 2, 3)
]
MODES = [(mode, seed) for mode in RefillMode for seed in range(12)]


def test_the_vectors_are_what_the_code_gives() -> None:
    """A change of the wire never passes unseen; `python tests/support/make_vectors.py` writes them anew."""
    text = make_vectors.VECTORS.read_text(encoding="utf-8")
    assert make_vectors.written(make_vectors.vectors()) == text


@pytest.mark.parametrize("section", SECTIONS)
def test_a_second_implementation_agrees(section: str) -> None:
    """Whoever follows WIRE.md gets the same bytes, cards and coins."""
    assert second.check(section, VECTORS) == []


@pytest.mark.parametrize(("mode", "seed"), MODES)
def test_it_agrees_on_matches_that_nobody_has_chosen(mode: RefillMode, seed: int) -> None:
    """R7-R22, C1: what is legal before each beat, and every digest, with giving up at any time."""
    settings = Settings(games=7, refill=mode)
    game = second.Game(make_vectors.plain(settings))
    for beat in played(f"second {seed}", settings, (wilful(seed), wilful(seed + 100)), most=600):
        for seat, data in TRIED:
            mine, theirs = second.move_of(data), decode_move(data)
            assert mine is not None
            assert theirs is not None
            assert game.legal(seat, mine) == legal(beat.before, seat, theirs), (seat, mine)
        moves = [second.move_of(encode_move(move)) or [] for move in beat.moves]
        game.apply(moves, beat.randomness.value)
        assert game.digest == state_digest(beat.after)


def test_no_check_is_without_vectors() -> None:
    assert set(SECTIONS) == {*second.CHECKS, "states"}


@pytest.mark.long
@pytest.mark.parametrize(
    "section", [name for name in SECTIONS if not name.startswith(("bad", "no"))]
)
def test_the_second_implementation_can_disagree(section: str) -> None:
    """Any value that is changed is found out, so agreeing means something."""
    places = list(leaves(VECTORS[section]))
    for path in places[:: max(1, len(places) // 40)]:
        changed = VECTORS | {section: copy.deepcopy(VECTORS[section])}
        if change(changed[section], path):
            assert second.check(section, changed), path


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """The paths of all texts and numbers in nested lists and dictionaries."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in items:
        if isinstance(each, (dict, list)):
            yield from leaves(each, (*path, name))
        else:
            yield (*path, name)


def change(value: Any, path: tuple[Any, ...]) -> bool:
    """Changes the text or number at a path; False where the change is of a label, or there is nothing."""
    *way, last = path
    if "draws" in path and last == 0:
        return False  # an index below a little more is often the same
    if "waits" in path:
        return False  # one that is short or very long costs the same
    for name in way:
        value = value[name]
    old = value[last]
    if last in ("name", "when", "why", "is", "text", "code", "match") or isinstance(old, bool):
        return False
    if not isinstance(old, (str, int)) or old == "":
        return False
    if isinstance(old, int):
        value[last] = old + 1
    else:
        value[last] = ("1" if old[0] == "0" else "0") + old[1:]
    return True


def test_the_second_implementation_is_one() -> None:
    """It imports the standard library and msgspec, nothing of spitnet's and nothing of the tests': it reads msgpack with
    another library than the program.
    """
    tree = ast.parse(Path(second.__file__).read_text(encoding="utf-8"))
    names = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    tops = {name.split(".")[0] for name in names}
    assert tops - {"msgspec"} <= sys.stdlib_module_names
    assert not {"importlib", "runpy"} & tops


def test_the_text_names_every_section_and_every_number() -> None:
    """WIRE.md doesn't fall behind: sections of the vectors, kinds of frames, words of violations."""
    from spitnet.protocol.faults import Fault
    from spitnet.protocol.messages import Farewell, FrameKind, Rejection

    text = WIRE.read_text(encoding="utf-8")
    words = [*SECTIONS, *Fault, *Farewell, *Rejection]
    assert [word for word in words if f"`{word}`" not in text] == []
    assert [kind for kind in FrameKind if f"| {kind.value} | {kind.name} |" not in text] == []


def test_the_example_of_the_text_is_the_exchange() -> None:
    text = WIRE.read_text(encoding="utf-8")
    assert make_vectors.example(VECTORS["exchange"]["frames"]) in text
    assert make_vectors.first_beat(VECTORS["exchange"]) in text
