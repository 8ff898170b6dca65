"""What holds for every test: which spitnet is tested, and which tests this machine can't run."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import hypothesis
import pytest

import spitnet

pytest.register_assert_rewrite("support")
hypothesis.settings.register_profile("steady", derandomize=True)
hypothesis.settings.register_profile("searching", print_blob=True)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse to test another spitnet than the one that was asked for. Only the long run tries new examples."""
    everything = config.getoption("markexpr") == ""
    hypothesis.settings.load_profile("searching" if everything else "steady")
    asked = os.environ.get("TESTED_PACKAGE")
    if asked and Path(asked).resolve() != Path(spitnet.__path__[0]).resolve():
        raise pytest.UsageError(f"spitnet comes from {spitnet.__path__[0]}, not from {asked}")


def pytest_report_header(config: pytest.Config) -> str:
    return f"spitnet: {spitnet.__version__} from {spitnet.__path__[0]}"


@pytest.fixture(autouse=True)
def _starts_nothing(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where tests that start another program are left out, whichever does so all the same fails."""
    if "not processes" in request.config.getoption("markexpr"):
        monkeypatch.delattr(subprocess, "Popen")


LONG_S = 3600
"""How long one of the long runs may take: thousands of matches, on a machine that may be busy."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(pytest.mark.timeout(LONG_S))
    if os.environ.get("CI"):
        return  # there they must run: a namespace that can't be made fails the test
    skip = pytest.mark.skip(reason="network namespaces need root and the ip program")
    for item in items:
        if item.get_closest_marker("namespaces") and not _namespaces_work():
            item.add_marker(skip)


@cache
def _namespaces_work() -> bool:
    """Whether this process may make network namespaces: tried out, since being root is not always enough."""
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("ip"):
        return False
    name = f"spitnet-try-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode:
        return False
    return subprocess.run(["ip", "netns", "delete", name], capture_output=True).returncode == 0
