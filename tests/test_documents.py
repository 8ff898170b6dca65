"""The texts of the project hold together: what is cited exists, links lead somewhere, and the pages travel with the code."""

import subprocess
import sys
import tarfile
from itertools import chain
from pathlib import Path

import pytest
from support.documents import (
    Citation,
    anchors,
    broken_links,
    documents_cited,
    headings,
    links,
    paths_cited,
    prose_of,
    prose_of_python,
    rules_cited,
)

import spitnet
from spitnet.cli.subcommands import COMMANDS

ROOT = Path(__file__).parents[1]
PACKAGE = Path(spitnet.__path__[0])
HERE = Path(__file__)
README_LINES_MOST = 120
"""More than a newcomer reads; the manual has the rest."""
READ = {".py", ".md", ".po", ""}
"""Suffixes of files with prose in them; the scripts have none."""


def sources() -> list[Path]:
    """Every file that may cite something, but for this one, whose examples are wrong on purpose."""
    below = chain.from_iterable(
        (ROOT / room).rglob("*") for room in ("spitnet", "tests", "scripts")
    )
    files = [ROOT / "README.md", ROOT / "pyproject.toml", *below]
    return [
        file
        for file in files
        if file.is_file()
        and (file.suffix in READ or file.parent == ROOT)
        and "__pycache__" not in file.parts
        and file != HERE
    ]


PAGES = {file.relative_to(ROOT).as_posix(): file for file in sources() if file.suffix == ".md"}
TITLES = {name: headings(file.read_text(encoding="utf-8")) for name, file in PAGES.items()}
RULES = [
    title.partition(" ")[0]
    for title in TITLES["spitnet/core/RULES.md"]
    if title.partition(" ")[0] in rules_cited(title)
]


def missing(citation: Citation) -> bool:
    """Whether there is no such page, or none of its titles is the one cited; of a section the number is enough."""
    titles = [
        title
        for name, of_page in TITLES.items()
        if f"/{name}".endswith(f"/{citation.name}")
        for title in of_page
    ]
    if citation.part.isdigit():
        return not any(title.startswith(f"{citation.part} ") for title in titles)
    return not any(citation.part in ("", title, title.lstrip("0123456789 ")) for title in titles)


def test_the_readme_is_a_page_that_names_every_command() -> None:
    readme = PAGES["README.md"].read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= README_LINES_MOST
    assert [command for command in COMMANDS if f"| `spitnet {command}" not in readme] == []


def test_rules_and_claims_are_numbered_without_a_gap() -> None:
    counts = {letter: sum(rule[0] == letter for rule in RULES) for letter in "RC"}
    assert [f"{letter}{at}" for letter in "RC" for at in range(1, counts[letter] + 1)] == RULES
    assert min(counts.values()) > 0


def test_every_rule_and_claim_that_is_cited_exists() -> None:
    cited = {
        f"{file.relative_to(ROOT)}: {rule}"
        for file in sources()
        if file.suffix != ".toml"
        for rule in rules_cited(prose_of(file)) - set(RULES)
    }
    assert sorted(cited) == []


def test_every_rule_and_claim_is_cited_by_a_test() -> None:
    cited = set().union(
        *(rules_cited(prose_of(file)) for file in sources() if file.is_relative_to(ROOT / "tests"))
    )
    assert [rule for rule in RULES if rule not in cited] == []


def test_every_document_that_is_cited_exists() -> None:
    """Its title or section too, where one is named."""
    cited = {
        f"{file.relative_to(ROOT)}: {' '.join(citation)}"
        for file in sources()
        for citation in documents_cited(prose_of(file))
        if missing(citation)
    }
    assert sorted(cited) == []


@pytest.mark.parametrize("name", PAGES)
def test_every_path_that_a_page_names_exists(name: str) -> None:
    page = PAGES[name].read_text(encoding="utf-8")
    assert [path for path in sorted(paths_cited(page)) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", PAGES)
def test_links_hold(name: str) -> None:
    """Files and anchors. The package's pages are read without the rest of the project too, so they lead nowhere else."""
    within = ROOT / "spitnet" if name.startswith("spitnet/") else ROOT
    assert broken_links(PAGES[name], within) == []


def test_the_pages_travel_with_the_package() -> None:
    """In whatever is tested, which is the built wheel in scripts/test."""
    installed = {file.relative_to(PACKAGE).as_posix() for file in PACKAGE.rglob("*.md")}
    assert {f"spitnet/{name}" for name in installed} == set(PAGES) - {"README.md"}


def test_links_hold_in_the_source_distribution(tmp_path: Path) -> None:
    """The README's picture too."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(tmp_path, filter="data")
    (unpacked,) = tmp_path.glob("spitnet-*/")
    broken = {name: broken_links(unpacked / name, unpacked) for name in PAGES}
    assert not any(broken.values()), broken


# What finds citations and links must be able to find wrong ones.


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Source: R7, R14.", {"R7", "R14"}),
        ("R16-R19 and C1–C3", {"R16", "R17", "R18", "R19", "C1", "C2", "C3"}),
        ("R20 to R22", {"R20", "R21", "R22"}),
        ("(C99)", {"C99"}),
        ("C0 controls, Colours.C256, AC1, 10C, RFC 9382, R0", set()),
    ],
)
def test_rules_are_found_in_prose(text: str, found: set[str]) -> None:
    assert rules_cited(text) == found


def test_of_code_only_prose_is_read() -> None:
    code = 'C256 = auto()\n"""R8"""\nx = R99  # C4\n'
    assert rules_cited(prose_of_python(code)) == {"R8", "C4"}


@pytest.mark.parametrize(
    "text",
    [
        "Source: nowhere.md.",
        'Source: WIRE.md, "No such\n    title".',
        "WIRE.md, section 99",
        "WIRE.md's section 99",
        "(WIRE.md, sections 3 and 99)",
        "core/WIRE.md",
    ],
)
def test_a_document_that_is_not_there_is_noticed(text: str) -> None:
    assert any(missing(citation) for citation in documents_cited(text))


@pytest.mark.parametrize(
    "text",
    ['WIRE.md, "The\n# beat"', "WIRE.md, sections 3 and 4", "protocol/WIRE.md, section 16: 17", ""],
)
def test_a_document_that_is_there_is_found(text: str) -> None:
    assert not any(missing(citation) for citation in documents_cited(text))


def test_broken_links_are_noticed(tmp_path: Path) -> None:
    page = tmp_path / "pages" / "page.md"
    page.parent.mkdir()
    page.write_text(
        "# One `two`, three!\n## Four\n## Four\n```\n# no title\n[no](link.md)\n```\n`[no](link.md)`\n"
        "[a](#one-two-three) [b](#four-1) [c](page.md#four) [![d](page.md)](page.md) [e](https://example.org/x)\n"
        "[f](#no-title) [g](other.md) [h](page.md#five) [i](../outside.md) [`j`](gone.md)\n",
        encoding="utf-8",
    )
    (tmp_path / "outside.md").touch()
    assert anchors(page.read_text(encoding="utf-8")) == {"one-two-three", "four", "four-1"}
    assert "https://example.org/x" not in links(page.read_text(encoding="utf-8"))
    assert broken_links(page, page.parent) == [
        "#no-title",
        "other.md",
        "page.md#five",
        "../outside.md",
        "gone.md",
    ]
