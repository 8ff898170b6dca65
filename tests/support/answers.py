"""All that terminals send besides keys: answers, reports, and keys in other protocols, by what they are.

Letters that play cards, leave and concede stand in them wherever they may. Source: xterm's ctlseqs, kitty's keyboard
protocol, Windows Terminal's win32-input-mode.
"""

from typing import Final

_DEVICE: Final = {
    "DA1": "\x1b[?64;1;2;6;9;15;18;21;22c",
    "DA1 of a VT100": "\x1b[?1;2c",
    "DA2": "\x1b[>41;354;0c",
    "DA3": "\x1bP!|7E565445\x1b\\",
    "XTVERSION of tmux": "\x1bP>|tmux 3.4\x1b\\",
    "XTVERSION of xterm": "\x1bP>|XTerm(367)\x1b\\",
    "DSR": "\x1b[0n",
    "DECRQM, private": "\x1b[?2026;2$y",
    "DECRQM": "\x1b[4;2$y",
    "DECRQSS": "\x1bP1$r0;1;4q\x1b\\",
    "XTGETTCAP": "\x1bP1+r544e=787465726d\x1b\\",
    "XTSMGRAPHICS": "\x1b[?1;0;256S",
    "CPR": "\x1b[24;80R",
    "CPR of a corner": "\x1b[1;1R",
    "DECXCPR": "\x1b[?24;80;1R",
    "the colour scheme": "\x1b[?997;1n",
    "kitty's flags": "\x1b[?1u",
    "kitty's graphics": "\x1b_Gi=31,s=1;qyadsf;OK\x1b\\",
}
_SIZES: Final = {
    "size in characters": "\x1b[8;24;80t",
    "size in pixels": "\x1b[4;600;800t",
    "size of a cell": "\x1b[6;17;8t",
    "place of the window": "\x1b[3;0;0t",
    "state of the window": "\x1b[1t",
    "a new size": "\x1b[48;24;80;600;800t",
    "the title": "\x1b]lqy asdf jkl;\x1b\\",
    "the icon's title": "\x1b]Lqy asdf jkl;\x1b\\",
}
_COLOURS: Final = {
    "OSC 4": "\x1b]4;1;rgb:cdcd/0000/adad\x1b\\",
    "OSC 4, BEL": "\x1b]4;1;rgb:cdcd/0000/adad\x07",
    "OSC 10": "\x1b]10;rgb:dada/dada/dada\x1b\\",
    "OSC 11": "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
    "OSC 11, BEL": "\x1b]11;rgba:fafa/ffff/0000/dddd\x07",
    "OSC 12": "\x1b]12;rgb:ffff/ffff/ffff\x1b\\",
    "OSC 52": "\x1b]52;c;cXkgYXNkZiBqa2w7IGNxcnk=\x1b\\",
    "PM": "\x1b^qy asdf jkl;\x1b\\",
    "SOS": "\x1bXqy asdf jkl;\x1b\\",
}
_MOUSE: Final = {
    "focus": "\x1b[I",
    "focus lost": "\x1b[O",
    "a paste": "\x1b[200~qy\rasdf\x03jkl;\x1b[D\x1b[201~",
    "an empty paste": "\x1b[200~\x1b[201~",
    "mouse as of X10": "\x1b[M qy",
    "mouse as of X10, let go": "\x1b[M#ca",
    "mouse as of X10, with Shift": "\x1b[M$ca",
    "mouse in UTF-8": "\x1b[M q\u0431",
    "mouse in SGR": "\x1b[<0;5;2M",
    "mouse in SGR, let go": "\x1b[<0;5;2m",
    "mouse as of urxvt": "\x1b[32;5;2M",
    "wheel": "\x1b[<64;5;2M",
}
_KEYS: Final = {
    "kitty: a": "\x1b[97u",
    "kitty: a, let go": "\x1b[97;1:3u",
    "kitty: a, held": "\x1b[97;1:2u",
    "kitty: Ctrl+a": "\x1b[97;5u",
    "kitty: a with all that belongs to it": "\x1b[97:65:97;2:1;65u",
    "kitty: Shift+Enter": "\x1b[13;2u",
    "kitty: Enter, let go": "\x1b[13;1:3u",
    "kitty: Escape, let go": "\x1b[27;1:3u",
    "kitty: left, let go": "\x1b[1;1:3D",
    "kitty: F1, let go": "\x1b[1;1:3P",
    "kitty: Shift alone": "\x1b[57441;2u",
    "modifyOtherKeys: Ctrl+1": "\x1b[27;5;49~",
    "modifyOtherKeys: Shift+a": "\x1b[27;2;65~",
    "win32: a": "\x1b[65;30;97;1;0;1_",
    "win32: a, let go": "\x1b[65;30;97;0;0;1_",
    "win32: Shift": "\x1b[16;42;0;1;16;1_",
    "rxvt: Shift+up": "\x1b[a",
    "rxvt: Ctrl+up": "\x1bOa",
    "keypad: 1": "\x1bOq",
    "keypad: *": "\x1bOj",
    "keypad: Enter": "\x1bOM",
    "Shift+left": "\x1b[1;2D",
    "Alt+left": "\x1b[1;3D",
    "Ctrl+right": "\x1b[1;5C",
    "Ctrl+left, otherwise": "\x1b[5D",
    "Ctrl+F1": "\x1b[1;5P",
    "Ctrl+F1, otherwise": "\x1bO5P",
    "Insert": "\x1b[2~",
    "page down": "\x1b[6~",
    "Alt+Insert": "\x1b[2;3~",
    "no such key": "\x1b[99~",
    "Shift+Tab": "\x1b[Z",
    "keypad 5": "\x1b[E",
}
ANSWERS: Final = {**_DEVICE, **_SIZES, **_COLOURS, **_MOUSE, **_KEYS}

_SHORT: Final = {
    f"\x1b{end}": chr(ord(end) + 0x40) for end in "OPX[\\]^_"
}  # ECMA-48, 5.3: the 8-bit form of a control


def in_8_bits(answer: str) -> str:
    """The same with the controls that are one character each."""
    for long, short in _SHORT.items():
        answer = answer.replace(long, short)
    return answer
