"""One table of settings: the options, every place where one can be made, and the pages agree with it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import psutil
import pytest

from spitnet import language
from spitnet.cli.arguments import parse
from spitnet.cli.commands import options_of
from spitnet.cli.config import path, read
from spitnet.cli.settings import SETTINGS, Group, Setting, settings_of
from spitnet.cli.subcommands import COMMANDS
from spitnet.core.state import Settings

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "spitnet" / "cli" / "MANUAL.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
OPTIONS = {command: row.options for command, row in COMMANDS.items() if row.options}
NO_SETTINGS = {
    "doctor": {"config", "problems", "settings"},  # what is in the config file
    "resume": {"name", "sync"},  # as the record has it; nobody chose these again
    "solo": {"watchable"},  # there is no network
}
"""Fields that the options of a command share with others, or have for what is no setting."""
NO_OPTION = {"lang"}
"""The whole program speaks it."""


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    language.use("en", {})
    yield
    language.use("en", {})


def fields(command: str) -> dict[str, Any]:
    """The type of each field of a command's options, those of the match's settings among them."""
    types = get_type_hints(OPTIONS[command])
    if types.get("settings") is Settings:
        del types["settings"]
        types |= get_type_hints(Settings)
    return types


def in_options(command: str) -> list[Setting]:
    """The settings that the options of a command have."""
    return [setting for setting in settings_of(command) if setting.key not in NO_OPTION]


def text_for(setting: Setting, there: Path) -> str:
    """A text that says something else than the default."""
    if setting.key == "interface":
        return next(iter(psutil.net_if_addrs()))
    if setting.key == "journal":
        return str(there)
    if setting.is_switch:
        return "true"
    other = setting.default + 1 if isinstance(setting.default, int) else setting.example
    return str([other, *setting.words()][-1])


@pytest.mark.parametrize("command", OPTIONS)
def test_every_setting_is_a_field_and_every_field_a_setting(command: str) -> None:
    others = NO_SETTINGS.get(command, set()) | {one.key for one in COMMANDS[command].arguments}
    rows = {setting.field for setting in in_options(command)}
    assert sorted(rows ^ (set(fields(command)) - others)) == []


def test_every_setting_has_a_command_and_every_command_is_one() -> None:
    assert {setting.key for command in COMMANDS for setting in settings_of(command)} == set(
        SETTINGS
    )
    assert {command for setting in SETTINGS.values() for command in setting.commands} == set(
        COMMANDS
    )


@pytest.mark.parametrize("command", OPTIONS)
def test_a_flag_a_variable_and_a_line_of_the_file_come_to_the_same(
    command: str, tmp_path: Path
) -> None:
    """Each to a value of the type that the options have there."""
    # Of `join` the port belongs to an address.
    made = [one for one in in_options(command) if (command, one.key) != ("join", "port")]
    texts = {setting.key: text_for(setting, tmp_path) for setting in made}
    wanted = {setting.field: setting.read(texts[setting.key]) for setting in made}
    record = tmp_path / "record"
    record.touch()
    behind = [str(record) for one in COMMANDS[command].arguments if one.is_required]
    flags = [word for setting in made for word in words_for(setting, texts[setting.key])]
    variables = {setting.variable: texts[setting.key] for setting in made}
    lines = [f"{key} = {json.dumps(text)}" for key, text in texts.items()]
    for words, environ, content in ((flags, {}, []), ([], variables, []), ([], {}, lines)):
        file = path({"XDG_CONFIG_HOME": str(tmp_path)})
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(content), encoding="utf-8")
        options = options_of(parse([command, *behind, *words]), environ, read(file))
        holders = (options, getattr(options, "settings", None))
        for field, value in wanted.items():
            assert value in [getattr(holder, field, None) for holder in holders], field
            assert isinstance(value, fields(command)[field])


def words_for(setting: Setting, text: str) -> list[str]:
    """What says that on the command line."""
    if setting.key == "verbosity":
        return [f"--{text}"]
    return [setting.flag] if setting.is_switch else [setting.flag, text]


@pytest.mark.parametrize("key", SETTINGS)
def test_a_row_is_whole(key: str) -> None:
    """The same default in every command; a sign for a value; words that can be read; texts without gaps."""
    setting = SETTINGS[key]
    if setting.group is not Group.MATCH and key not in NO_OPTION:
        rows = [
            OPTIONS[command].__dataclass_fields__
            for command in setting.commands
            if command in OPTIONS
        ]
        assert {row[setting.field].default for row in rows} <= {setting.default, None}
    assert setting.is_switch or setting.metavar
    assert all(setting.read(word) == word for word in setting.words())
    for command in ("", *setting.commands):
        assert re.search(r"[{}]|\(\)|None", setting.explained(command)) is None


def row_of(setting: Setting) -> str:
    """The line of the manual: the default is what the help says, else what `config` shows."""
    flag = setting.flag if setting.is_switch else f"{setting.flag} {setting.metavar}"
    if setting.key == "verbosity":
        flag = "-q`, `-v"
    said = setting.explained()
    found = re.search(r" \(default: ([^()]*)\)$", said)
    default = setting.unset() if setting.default is None else str(setting.default).lower()
    cells = (f"`{flag}`", said[: found.start()] if found else said, found[1] if found else default)
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def test_the_manual_lists_every_setting() -> None:
    listed = MANUAL.partition("\n## Settings\n")[2].partition("\n## ")[0].splitlines()
    table = [line for line in listed if line.startswith("| `")]
    wanted = [row_of(setting) for setting in SETTINGS.values()]
    assert table == wanted, "\n".join(["lines of one only:", *sorted({*table} ^ {*wanted})])


def test_the_pages_name_no_flag_that_there_is_not() -> None:
    there = {setting.flag for setting in SETTINGS.values()}
    there |= {"--help", "--version", "--quiet", "--verbose", "--print-completion"}
    there |= {argument.name for row in COMMANDS.values() for argument in row.arguments}
    there |= {"--all", "--pure"}  # of scripts/test
    named = re.findall(r"(?<![\w-])--[a-z][a-z-]+", MANUAL + README)
    assert sorted(set(named) - there) == []
