"""Compiles the catalogues whenever a wheel or an sdist is built, or the checkout is installed for work on it. As a program
it does so at once.

What belongs here: the hook that hatchling calls. What must not: texts, and how catalogues are kept (catalogues).
"""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> None:
    """Put each compiled catalogue beside its source; a text that isn't translated stays English."""
    for source in root.glob("spitnet/locale/*/LC_MESSAGES/spitnet.po"):
        language = source.parent.parent.name
        with source.open("rb") as file:
            catalogue = read_po(file, locale=language, abort_invalid=True)
        with source.with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles them first."""

    def initialize(self, _version: str, _build_data: "dict[str, Any]") -> None:
        compile_catalogues(Path(self.root))


if __name__ == "__main__":
    compile_catalogues(Path(__file__).resolve().parent.parent)
