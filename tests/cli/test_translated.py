"""What is refused is refused in the user's language, from the first word to the last."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from support import catalogues

from spitnet.cli import commands
from spitnet.exits import UsageFailure

REFUSED = "must be a language that spitnet speaks ({there}), not {text}"
THERE = {
    "nl": {REFUSED: "moet een van {there} zijn, niet {text}", "FILE": "BESTAND"},
    "pl": {REFUSED: "musi być jednym z {there}, nie {text}"},
}


@pytest.fixture(autouse=True)
def _catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variable in ("HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    for variable in ("SPITNET_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    with catalogues.only(tmp_path, THERE):
        yield


@pytest.mark.parametrize("flag", [("--lang", "xx"), ("--lang=xx",)])
@pytest.mark.parametrize(
    ("environ", "config", "said"),
    [
        ({"SPITNET_LANG": "nl"}, "", "--lang: moet een van"),
        ({"SPITNET_LANG": "nl", "LANG": "pl"}, 'lang = "pl"', "--lang: moet een van"),
        ({"LANG": "nl"}, 'lang = "pl"', "--lang: musi być"),
        ({"LANG": "pl_PL.UTF-8"}, "", "--lang: musi być"),
        ({"SPITNET_LANG": "xx", "LANG": "pl"}, "", "--lang: musi być"),
        ({}, "", "--lang: must be a language"),
    ],
)
def test_a_language_that_is_not_there_is_refused_in_the_one_that_would_be_used(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    flag: tuple[str, ...],
    environ: Mapping[str, str],
    config: str,
    said: str,
) -> None:
    (tmp_path / "spitnet").mkdir()
    (tmp_path / "spitnet" / "config.toml").write_text(config)
    for variable, value in environ.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(UsageFailure) as refused:
        commands.run(["rules", *flag])
    assert refused.value.message.startswith(said)


def test_the_place_of_a_mistake_is_called_as_in_the_help() -> None:
    for command in ("verify", "replay", "resume"):
        with pytest.raises(UsageFailure, match=r"^BESTAND: there is no file"):
            commands.run([command, "nowhere", "--lang", "nl"])
