"""Markdown pages and the citations of them in code: headings, anchors, links; rules, claims and documents that are cited.

Everything here reads texts; what must hold of them is said in test_documents.py.
"""

import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_FENCE: Final = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_CODE: Final = re.compile(r"`[^`\n]*`")
_HEADING: Final = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_RULE: Final = re.compile(r"(?<![\w.])([RC])([1-9]\d*)\b")
_RANGE: Final = re.compile(r"\b([RC])([1-9]\d*)(?:-|–| to )([RC])?([1-9]\d*)\b")
_DOCUMENT: Final = re.compile(r"(?<![\w/.-])(?:[\w.-]+/)*[\w-]+\.md\b")
_SECTION: Final = re.compile(r"\b([\w-]+\.md)(?:'s|,)? \(?sections? (\d+)(?:(?:,| and) (\d+))*")
_TITLE: Final = re.compile(r'\b([\w-]+\.md)(?:\'s|,)? "([^"]+)"')
_PATH: Final = re.compile(r"`((?:spitnet|tests|scripts)/[\w./-]*)`")
_PROSE: Final = {"COMMENT", "STRING", "FSTRING_MIDDLE"}


class Citation(NamedTuple):
    """What a text names, and the title or section of it that is meant; the latter may be empty."""

    name: str
    part: str = ""


def prose_of(file: Path) -> str:
    """What people read in a file: comments and strings of Python, everything of other files."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py" or text.startswith("#!/usr/bin/env python3"):
        return prose_of_python(text)
    return text


def prose_of_python(text: str) -> str:
    """Comments and strings, each on lines of its own."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return "\n".join(token.string for token in tokens if tokenize.tok_name[token.type] in _PROSE)


def rules_cited(prose: str) -> set[str]:
    """Rules and claims, as `R7`; a range names all between its ends."""
    found = {letter + number for letter, number in _RULE.findall(prose)}
    for letter, first, _, last in _RANGE.findall(prose):
        found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found


def documents_cited(prose: str) -> Iterator[Citation]:
    """Markdown files, with the title or the section that stands behind them."""
    flowing = re.sub(r"[\s#]+", " ", prose)
    for name in _DOCUMENT.findall(flowing):
        yield Citation(name.replace("../", ""))
    for name, title in _TITLE.findall(flowing):
        yield Citation(name, title)
    for match in _SECTION.finditer(flowing):
        for number in re.findall(r"\d+", match[0][len(match[1]) :]):
            yield Citation(match[1], number)


def paths_cited(page: str) -> set[str]:
    """Files and directories of the project that a page names as code."""
    return set(_PATH.findall(page))


def headings(page: str) -> list[str]:
    """The titles of a page, in order."""
    return _HEADING.findall(_FENCE.sub("", page))


def anchors(page: str) -> set[str]:
    """What a link into the page may name, as GitHub makes it of the titles."""
    seen: Counter[str] = Counter()
    found = set()
    for title in headings(page):
        kept = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        found.add(f"{kept}-{seen[kept]}" if seen[kept] else kept)
        seen[kept] += 1
    return found


def links(page: str) -> list[str]:
    """The targets of all links and pictures that lead to no other machine."""
    targets = _LINK.findall(_CODE.sub("", _FENCE.sub("", page)))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def broken_links(file: Path, within: Path) -> list[str]:
    """Links of a page whose file isn't there or lies outside of `within`, or whose anchor its page doesn't have."""
    return [
        link for link in links(file.read_text(encoding="utf-8")) if not _holds(file, link, within)
    ]


def _holds(file: Path, link: str, within: Path) -> bool:
    path, _, anchor = link.partition("#")
    target = (file.parent / path).resolve() if path else file.resolve()
    if not target.exists() or not target.is_relative_to(within.resolve()):
        return False
    return not anchor or anchor in anchors(target.read_text(encoding="utf-8"))
