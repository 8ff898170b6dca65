"""Tests are bound to what the rooms offer: what is private may change, so fewer and fewer of them know of it."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

import spitnet

PACKAGE, TESTS = Path(spitnet.__path__[0]), Path(__file__).parent
MOST = 60
"""Pairs of a file and a private name of spitnet's that it reads, sets, imports or replaces."""


Trees: TypeAlias = Mapping[Path, ast.AST]


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name.strip("_") != ""


def defined(tree: ast.AST) -> Iterator[str]:
    """The names of functions, classes, variables and attributes that are made there."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()) if _is_own(node):
                yield name


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def named(tree: ast.AST) -> Iterator[str]:
    """What is read or set of other objects, imported, or named in a string, as who replaces it does."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) if not _is_own(node):
                yield name
            case ast.ImportFrom(names=names):
                yield from (one.name for one in names)
            case ast.Constant(value=str(text)):
                yield text.rpartition(".")[2]


def trees(root: Path) -> Trees:
    return {
        file.relative_to(root): ast.parse(file.read_text(encoding="utf-8"))
        for file in root.rglob("*.py")
    }


def bound(package: Trees, tests: Trees) -> set[tuple[str, str]]:
    """Each file of the tests with a name that is private to the package and isn't made in that file."""
    theirs = {name for tree in package.values() for name in defined(tree) if is_private(name)}
    return {
        (file.as_posix(), name)
        for file, tree in tests.items()
        for name in set(named(tree)) - set(defined(tree))
        if name in theirs
    }


def test_few_tests_know_what_is_private() -> None:
    pairs = bound(trees(PACKAGE), trees(TESTS))
    assert len(pairs) <= MOST, "\n".join(f"{file}: {name}" for file, name in sorted(pairs))


@pytest.mark.parametrize(
    "test",
    [
        "thing._hidden",
        "from spitnet.room import _hidden",
        "patch.setattr(room, '_hidden', 1)",
        "patch('spitnet.room._hidden')",
    ],
)
def test_what_is_private_is_found(test: str) -> None:
    room = {
        Path("room.py"): ast.parse(
            "class Room:\n  def __init__(self): self._hidden = 1\n_hidden = 2"
        )
    }
    assert bound(room, {Path("test_room.py"): ast.parse(test)}) == {("test_room.py", "_hidden")}


def test_what_is_a_tests_own_is_not_counted() -> None:
    room = {Path("room.py"): ast.parse("def _hidden(): pass")}
    own = ast.parse("class Part:\n  def _hidden(self): pass\npart._hidden()")
    assert not bound(room, {Path("test_room.py"): own})
