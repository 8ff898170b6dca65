"""`spitnet config`: every setting with its source, a new file that works, and all that is wrong in one that doesn't."""

import json
import stat
import sys
import tomllib
from pathlib import Path
from unittest.mock import Mock

import pytest
from support.program import run

from spitnet.cli import commands, config
from spitnet.cli.configuring import new_file
from spitnet.cli.settings import SETTINGS
from spitnet.exits import ExitCode, UsageFailure
from spitnet.ui.cells import width


def file_in(home: Path) -> Path:
    return home / "spitnet" / "config.toml"


def configure(home: Path, content: str) -> None:
    file_in(home).parent.mkdir()
    file_in(home).write_text(content, encoding="utf-8")


def sources(home: Path, *arguments: str, **extra: str) -> dict[str, tuple[object, str]]:
    """Each setting's value and source."""
    ran = run(home, "config", "--json", *arguments, extra=extra)
    assert ran.code == 0, ran
    lines = map(json.loads, ran.out.splitlines())
    return {line["setting"]: (line["value"], line["source"]) for line in lines}


def test_each_source_is_named(tmp_path: Path) -> None:
    configure(tmp_path, 'games = 5\nname = "file"\n')
    found = sources(tmp_path, "--lang", "en", SPITNET_NAME="Ada")
    assert set(found) == set(SETTINGS)
    assert found["name"] == ("Ada", "environment")
    assert found["games"] == ("5", "file")
    assert found["lang"] == ("en", "flag")
    assert found["level"] == ("normal", "default")
    assert found["discovery-port"] == (47748, "default")


def test_people_see_every_setting_and_the_line(tmp_path: Path) -> None:
    configure(tmp_path, "# mine\ngames = 5\n")
    ran = run(tmp_path, "config")
    shown = {line.split()[0]: line for line in ran.out.splitlines() if line[:1].isalpha()}
    assert set(SETTINGS) <= set(shown)
    assert shown["games"].split()[1] == "5"
    assert "line 2" in shown["games"]
    assert all(len(line) <= 80 for line in ran.out.splitlines()[2:])


def test_places_stand_in_one_column(tmp_path: Path) -> None:
    """By cells, not letters; a value that is too long for its column has its place below it."""
    long = "/somewhere/" + "deep/" * 12
    extra = {"SPITNET_NAME": "李 Zoë 🎲", "SPITNET_JOURNAL": long, "PYTHONIOENCODING": "utf-8"}
    lines = run(tmp_path, "config", extra=extra).out.splitlines()
    places = ("SPITNET_NAME", "SPITNET_JOURNAL", "default")
    found = [line for line in lines if line.endswith(places)]
    assert len(found) == len(SETTINGS)
    columns = {width(line[: -len(place)]) for line in found for place in places if place in line}
    assert len(columns) == 1
    below = next(line for line in lines if "SPITNET_JOURNAL" in line)
    assert below.split() == ["SPITNET_JOURNAL"]
    assert lines[lines.index(below) - 1].split() == ["journal", long]


def test_switches_are_shown_as_the_file_has_them(tmp_path: Path) -> None:
    configure(tmp_path, "watchable = true\n")
    lines = run(tmp_path, "config", extra={"SPITNET_MOUSE": "off", "SPITNET_PLAIN": "so"}).out
    shown = {line.split()[0]: line.split()[1] for line in lines.splitlines() if line[:1].isalpha()}
    assert {key: shown[key] for key in ("watchable", "mouse", "ascii", "plain")} == {
        "watchable": "true",
        "mouse": "false",
        "ascii": "false",
        "plain": "so",  # what is wrong is shown as it is
    }


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_code_is_never_shown(tmp_path: Path, flags: tuple[str, ...]) -> None:
    configure(tmp_path, 'code = "tulip-file"')
    for extra in ({}, {"SPITNET_CODE": "tulip-environment"}):
        ran = run(tmp_path, "config", *flags, extra=extra)
        assert "code" in ran.out
        assert "tulip" not in ran.out + ran.err


def test_a_new_file_changes_nothing_and_names_everything(tmp_path: Path) -> None:
    before = sources(tmp_path)
    assert run(tmp_path, "config", "--create").code == 0
    assert sources(tmp_path) == before
    text = file_in(tmp_path).read_text(encoding="utf-8")
    for key in SETTINGS:
        assert f"\n#{key} = " in text
    if sys.platform != "win32":
        assert stat.S_IMODE(file_in(tmp_path).stat().st_mode) == 0o600, "it may come to hold a code"


def test_every_example_of_a_new_file_can_be_used(tmp_path: Path) -> None:
    lines = [line.removeprefix("#") for line in new_file() if not line.startswith("# ")]
    file = tmp_path / "config.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert set(tomllib.loads("\n".join(lines))) == set(SETTINGS)
    contents = config.judged(config.read(file))
    assert contents.problems == ()
    assert set(contents.entries) == set(SETTINGS)


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    configure(tmp_path, "games = 5")
    ran = run(tmp_path, "config", "--create")
    assert ran.code == ExitCode.USAGE
    assert str(file_in(tmp_path)) in ran.complaint()
    assert file_in(tmp_path).read_text() == "games = 5"


def test_everything_wrong_is_shown_at_once(tmp_path: Path) -> None:
    configure(tmp_path, 'nmae = "Ada"\ngames = 0\ncode = [1]\nlevel = "hard"\n')
    ran = run(tmp_path, "config")
    assert ran.code == ExitCode.USAGE
    assert ran.err == "spitnet: 3 mistakes in the config file\n"
    for line, said in ((1, "did you mean 'name'?"), (2, "from 1 to 1000"), (3, "a single value")):
        assert any(f"line {line}: " in one and said in one for one in ran.out.splitlines())
    assert "config file, line 4" in ran.out


@pytest.mark.parametrize("command", [["list"], ["rules"], ["stats"]])
def test_a_wrong_value_is_never_passed_over(tmp_path: Path, command: list[str]) -> None:
    """Not even by a command that has no use for the setting."""
    configure(tmp_path, "games = 0")
    ran = run(tmp_path, *command)
    assert ran.code == ExitCode.USAGE
    assert "line 1: games: " in ran.complaint()


def test_a_language_in_the_file_counts_for_mistakes_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known before the command line is taken apart; `--lang` and SPITNET_LANG are stronger."""
    used: list[str | None] = []
    monkeypatch.setattr("spitnet.language.use", lambda asked, _environ: used.append(asked))
    monkeypatch.setattr("spitnet.cli.values.catalogues.is_there", lambda _text: True)
    configure(tmp_path, 'lang = "nl"')
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    for given, variable, asked in (([], "", "nl"), (["--lang", "pl"], "", "pl"), ([], "ro", None)):
        monkeypatch.setenv("SPITNET_LANG", variable)
        with pytest.raises(UsageFailure):
            commands.run([*given, "hots"])
        assert used.pop() == asked


def test_a_language_that_is_not_there_is_named_with_its_place(tmp_path: Path) -> None:
    configure(tmp_path, 'lang = "tlh"')
    assert "line 1: lang: must be a language" in run(tmp_path, "list").complaint()


QUESTIONS = (["rules"], ["stats"], ["config"], ["config", "--json"], ["--help"], ["list", "--help"])


@pytest.mark.parametrize("arguments", QUESTIONS, ids=" ".join)
def test_the_file_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    configure(tmp_path, 'lang = "nl"\nname = "Ada"\n')
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.delenv("SPITNET_LANG", raising=False)
    monkeypatch.setattr("spitnet.language.use", Mock())
    loads = Mock(wraps=tomllib.loads)
    monkeypatch.setattr(tomllib, "loads", loads)
    assert commands.run(arguments) == 0
    loads.assert_called_once()


@pytest.mark.parametrize("arguments", QUESTIONS, ids=" ".join)
def test_a_question_leaves_no_file_behind(tmp_path: Path, arguments: list[str]) -> None:
    assert run(tmp_path, *arguments).code == 0
    assert list(tmp_path.iterdir()) == []


def test_what_depends_on_the_machine_is_asked_where_it_is_used(tmp_path: Path) -> None:
    """A cable that is unplugged keeps nobody from reading the rules."""
    configure(tmp_path, 'interface = "nosuch0"')
    assert run(tmp_path, "rules").code == 0
    assert "'nosuch0'" in run(tmp_path, "list").complaint()
