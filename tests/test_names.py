"""One name, one meaning: whoever searches for a class or a module finds one."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import spitnet

PACKAGE = Path(spitnet.__path__[0])
COMMANDS = PACKAGE / "app" / "commands"


def classes(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield node.name


def repeated(names: Iterator[tuple[str, Path]]) -> dict[str, list[str]]:
    """The names that stand for more than one thing, with the files that define them."""
    places: dict[str, list[str]] = defaultdict(list)
    for name, file in names:
        places[name].append(str(file.relative_to(PACKAGE)))
    return {name: files for name, files in places.items() if len(files) > 1}


def test_no_class_has_the_name_of_another() -> None:
    files = PACKAGE.rglob("*.py")
    assert not repeated((name, file) for file in files for name in classes(file))


def test_no_module_has_the_name_of_another() -> None:
    """A command's module is called as the command is, whatever else bears that name."""
    files = (file for file in PACKAGE.rglob("*.py") if file.stem != "__init__")
    assert not repeated((file.stem, file) for file in files if file.parent != COMMANDS)


def test_a_second_meaning_is_found() -> None:
    one, two = PACKAGE / "a.py", PACKAGE / "b" / "a.py"
    assert repeated(iter([("Beat", one), ("Card", one), ("Beat", two)])) == {
        "Beat": ["a.py", str(Path("b") / "a.py")]
    }
