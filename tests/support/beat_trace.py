"""The calls of one beat: what each of two match loops calls from the key that begins it until both rest. Drawing isn't there.

As a program it writes anew what `tests/app/match/test_beat_trace.py` compares with.
"""

import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

from support.joined import Joined, begun

from spitnet.core.moves import Deal, Ready

GOLDEN = Path(__file__).parents[1] / "app" / "match" / "beat.trace"


class Recorder:
    """Each call of a function of spitnet's, indented by how deep it lies; comprehensions are left out."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.on = False
        self._depth = 0

    def __call__(self, frame: FrameType, event: str, _argument: Any) -> None:
        name, code = frame.f_globals.get("__name__", ""), frame.f_code
        if not name.startswith("spitnet.") or code.co_name.startswith("<"):
            return
        if code.co_filename.startswith("<"):
            return  # a class that was made, of which a frame out of the link is one
        if event == "call":
            if self.on:
                self.lines.append(f"{'  ' * self._depth}{name[8:]}.{code.co_qualname}")
            self._depth += 1
        elif event == "return":
            self._depth -= 1


def traced(directory: Path) -> tuple[str, str]:
    """What each side calls in a beat in which the host gets ready, and the joiner passes."""
    recorders = (Recorder(), Recorder())

    def run(seat: int) -> None:
        sys.setprofile(recorders[seat])
        try:
            joined.loops[seat].run()
        finally:
            sys.setprofile(None)

    joined = Joined(directory, around=run)
    with begun(joined):
        joined.press(0, Deal())
        for recorder in recorders:
            recorder.on = True
        joined.press(0, Ready())
        for recorder in recorders:
            recorder.on = False
        assert [session.beat for session in joined.sessions] == [2, 2]
    host, joiner = ("\n".join(recorder.lines) for recorder in recorders)
    return host, joiner


def whole(host: str, joiner: str) -> str:
    """Both, as they are kept."""
    return "".join(
        f"# {side}: {len(calls.splitlines())} calls\n{calls}\n"
        for side, calls in (("the host, who gets ready", host), ("the joiner, who passes", joiner))
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        GOLDEN.write_text(whole(*traced(Path(place))), encoding="utf-8")
