"""Sentences that name the players, where there is little room: a long name gives way before what is said."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeVar

from spitnet.ui.cells import cut, width
from spitnet.ui.scene import FollowScene, TableScene

Named = TypeVar("Named", TableScene, FollowScene)

SHORTER: Final = (16, 10, 5)
"""Cells of a name, where it has to be cut."""


def said(scene: Named, cells: int, say: Callable[[Named], str]) -> str:
    """What `say` says of the scene, with the names as long as they can be; longer than there is room for if it must."""
    text = ""
    for one in with_names_cut(scene):
        text = say(one)
        if width(text) <= cells:
            break
    return text


def with_names_cut(scene: Named) -> Iterator[Named]:
    """The scene as it is, then with ever shorter names."""
    yield scene
    host, joiner = scene.names
    for most in SHORTER:
        yield replace(scene, names=(cut(host, most), cut(joiner, most)))
