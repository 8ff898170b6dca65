"""Whole screens, as a person sees them; what changes here should be looked at as a picture first."""

import pytest
from support.screens import texts
from ui.render.scenes import SCENES

from spitnet.ui.render.drawing import draw
from spitnet.ui.render.look import Look

BEATEN_80 = """\
 Game 2 of 3 · you 1 : 0 Ola                            ping 3 ms · reply 12 ms

        ╭────╮╮╮╮  ╭── Q♣ ─╮  ╭── 2♦ ─╮  ╭── 5♥ ─╮  ╭── A♠ ─╮               Ola
        │░░░░││││  │ ▄▀▀▄  │  │ ▄▀▀▄  │  │ █▀▀▀  │  │ ▄▀▀▄  │  ╌╌╌━━━━━━━━━━━━━
        │ 37 ││││  │ █ ▄█  │  │   ▄▀  │  │ ▀▀▀▄  │  │ █▄▄█  │     41 cards left
        │░░░░││││  │  ▀▀▄▄ │  │ ▄█▄▄  │  │ ▄▄▄▀  │  │ █  █  │       races +2 −3
        ╰────╯╯╯╯  ╰───────╯  ╰───────╯  ╰───────╯  ╰───────╯

                          ╭── J♥ ─╮         ╭── 6♦ ─╮
                          │   ▀█  │         │ ▄▀▀   │
                  spit!   │    █  │         │ █▀▀▄  │   spit!
                          │ ▀▄▄▀  │         │ ▀▄▄▀  │
                          ╰─── 1 ─╯         ╰─── 2 ─╯
                   ✗ beaten   ┏━ 10♥ ━┓             … next ▸
 Robin             ╔══ K♠ ═╗  ┃▄█ ▄▀▄ ┃  ╭── 4♦ ─╮  ╭╌╌ 7♣ ╌╮  ╭────╮╮╮
 ━━━━━━━━━╌╌╌╌╌╌╌  ║ █ ▄▀  ║  ┃ █ █ █ ┃  │ █  █  │  ┆ ▀▀▀█  ┆  │░░░░│││
 29 cards left     ║ ██    ║  ┃ █ ▀▄▀ ┃  │ █▄▄█  │  ┆   █   ┆  │ 25 │││
 races +3 −2       ║ █ ▀▄  ║  ┗━━━━━━━┛  │    █  │  ┆  █    ┆  │░░░░│││
                   ╚═══════╝  ▲ going ◂  ╰───────╯  ╰╌╌╌╌╌╌╌╯  ╰────╯╯╯
                   ◂a  1  j▸  ◂s  2  k▸  ◂d  3  l▸  ◂f  4  ;▸

                   ✗ Your K♠ was beaten by Q♣ and came back.
                Play one up or down: a s d f left, j k l ; right
 ? help   q leave   c concede            both screens show 199540 951665 775326
"""

STUCK_50 = """\
 Game 2 of 3 · 1 : 0      ping 3 ms · reply 12 ms
   ╭──╮╮ ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮      Ola
   │37││ │ Q ♣ │ │ 2 ♦ │ │ 5 ♥ │ │ 10 ♥│  41 left
   ╰──╯╯ ╰─────╯ ╰─────╯ ╰─────╯ ╰─────╯
 races +3 −2   ╭─────╮     ╭─────╮
               │ J ♥ │     │ 6 ♦ │
  ■ stuck      ╰─ 1 ─╯     ╰─ 2 ─╯

 Robin   ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮  ╭──╮╮
 29 left │ 4 ♠ │ │ 4 ♦ │ │ 8 ♣ │ │ 8 ♦ │  │25││
         ╰─────╯ ╰─────╯ ╰─────╯ ╰─────╯  ╰──╯╯
         ◂a 1 j▸ ◂s 2 k▸ ◂d 3 l▸ ◂f 4 ;▸

        You are stuck. Ola can still play.
 ? help  q leave  c concede  199540 951665 775326
"""

ASCII_50 = """\
 Game 2 of 3 | 1 : 0      ping 3 ms | reply 12 ms
   .--.. .-----. .-----. .-----. .-----.      Ola
   |37|| | Q c | | 2 d | | 5 h | | A s |  41 left
   '--'' '-----' '-----' '-----' '-----'
 races +3 -2   .-----.     .-----.
       spit!   | J h |     | 6 d |   spit!
               '- 1 -'     '- 2 -'
            x    #=====#           .. >
 Robin   +=====+ # 10 h# .-----. .:::::.  .--..
 29 left I K s I #=====# | 4 d | : 7 c :  |25||
         +=====+   ^ <   '-----' ':::::'  '--''
         <a 1 j> <s 2 k> <d 3 l> <f 4 ;>
    x Your Ks was beaten by Qc and came back.
 Play one up or down: a s d f left, j k l ; right
 ? help  q leave  c concede  199540 951665 775326
"""

QUIT_50 = """\
 Game 2 of 3 · 1 : 0      ping 3 ms · reply 12 ms
   ╭──╮╮ ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮      Ola
   │37││ │ Q ♣ │ │ 2 ♦ │ │ 5 ♥ │ │ A ♠ │  41 left
   ╰──╯╯ ╰─────╯ ╰─────╯ ╰─────╯ ╰─────╯
 races +3 −╭──────────────────────────╮
           │     Leave the table?     │
           │ That concedes the match. │
           │                          │
 Robin   ╭─│      y yes    n no       │╮  ╭──╮╮
 29 left │ ╰──────────────────────────╯│  │25││
         ╰─────╯ ╰─────╯ ╰─────╯ ╰─────╯  ╰──╯╯
         ◂a 1 j▸ ◂s 2 k▸ ◂d 3 l▸ ◂f 4 ;▸

                  y: yes   n: no
 ? help  q leave  c concede  199540 951665 775326
"""

NOBODY_50 = """\
    ╭─── ♠ ─╮  ╭─── ♥ ─╮  ╭─── ♦ ─╮  ╭─── ♣ ─╮
    │ ▄▀▀▀  │  │ █▀▀▄  │  │  ▀█▀  │  │ ▀▀█▀▀ │
    │  ▀▀▄  │  │ █▄▄▀  │  │   █   │  │   █   │
    │ ▄▄▄▀  │  │ █     │  │  ▄█▄  │  │   █   │
    ╰───────╯  ╰───────╯  ╰───────╯  ╰───────╯


          Looking for open tables… 0:09

    No table yet. What helps:
    Has the other typed “spitnet host”?
    Are both on the same network?
    Try their address: spitnet join HOST:PORT

                     q leave
"""

HOSTING_ASCII = """\



                   .--- s -.  .--- h -.  .--- d -.  .--- c -.
                   |       |  |       |  |       |  |       |
                   |   S   |  |   P   |  |   I   |  |   T   |
                   |       |  |       |  |       |  |       |
                   '-------'  '-------'  '-------'  '-------'


                           The table of Robin is open

                           address  192.168.1.5:47100
                                    10.0.0.2:47100
                              code  tulip-42

                     Waiting for someone to sit down. 0:13
                    They type: spitnet join --code tulip-42
               or: spitnet join --code tulip-42 192.168.1.5:47100

                                    q leave



"""

AFTER_50 = """\
                     You win!
            You played your last card.
               Match: you 2, Ola 1
                You win the match!
 52 |************oooooo
    |           ************ooooooooooo
    |                      ************oooooooooo
    |                                 ***********
  0 |                                           *
                       *** you  ooo Ola
          cards left         0       18
          races won          4        3
          longest run        7        5
            Your fastest play: 0.31 s
   Ola wants a rematch!   r: play on   q: leave
"""


@pytest.mark.parametrize(
    ("screen", "name", "columns", "rows", "plain"),
    [
        (BEATEN_80, "beaten", 80, 24, False),
        (STUCK_50, "stuck", 50, 15, False),
        (ASCII_50, "beaten", 50, 15, True),
        (QUIT_50, "quit", 50, 15, False),
        (NOBODY_50, "nobody", 50, 15, False),
        (HOSTING_ASCII, "hosting", 80, 24, True),
        (AFTER_50, "rematch", 50, 15, True),
    ],
)
def test_the_screen_is_drawn_so(
    screen: str, name: str, columns: int, rows: int, plain: bool
) -> None:
    lines = texts(draw(SCENES[name](), columns, rows, Look(ascii=plain)))
    assert [line.rstrip() for line in lines] == screen.splitlines()
