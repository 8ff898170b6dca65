"""What a terminal emulator shows of a frame that prompt_toolkit writes: the same letters, on its own background."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.screens import DARK, LIGHT, Paper, emulated, svg, texts
from ui.render.scenes import SCENES

from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Colours, Look

PICTURES = Path(__file__).resolve().parents[3] / "scripts" / "pictures"


@pytest.mark.parametrize("colours", list(Colours))
@pytest.mark.parametrize("name", ["beaten", "looking", "quit", "rematch"])
def test_the_terminal_shows_what_was_drawn(name: str, colours: Colours) -> None:
    look = Look(colours=colours)
    frame = draw(SCENES[name](), 80, 24, look)
    screen = emulated(frame, 80, look)
    assert [line.rstrip() for line in screen.display] == [line.rstrip() for line in texts(frame)]


@pytest.mark.parametrize("colours", list(Colours))
def test_the_terminal_keeps_its_background(colours: Colours) -> None:
    look = Look(colours=colours)
    screen = emulated(draw(SCENES["beaten"](), 80, 24, look), 80, look)
    cells = [screen.buffer[row][column] for row in range(24) for column in range(80)]
    assert {cell.bg for cell in cells} == {"default"}
    if colours is Colours.NONE:
        assert {cell.fg for cell in cells} == {"default"}


@pytest.mark.parametrize("paper", [DARK, LIGHT], ids=["dark", "light"])
def test_a_picture_is_well_formed(paper: Paper) -> None:
    look = Look()
    for name in ("beaten", "looking", "rematch"):
        screen = emulated(draw(SCENES[name](), 80, 24, look), 80, look)
        assert len(ET.fromstring(svg(screen, paper))) == 2


@pytest.mark.processes
def test_the_script_writes_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    subprocess.run([sys.executable, str(PICTURES), str(file)], check=True)
    assert ET.parse(file).getroot().tag.endswith("svg")
