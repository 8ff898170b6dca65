"""Where the letters of other keyboards lie, told by the US keyboard's character in the same place.

What belongs here: letters that lie in one place wherever they occur. Serbian and Bulgarian have Russian letters
in other places; they are played with a map of one's own.
"""

from typing import Final

_US: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
_RUSSIAN: Final = "йцукенгшщзхъфывапролджэячсмитьбю"
_UKRAINIAN: Final = {"і": "s", "ї": "]", "є": "'"}
_BELARUSIAN: Final = {"ў": "o"}

PLACE_OF: Final = dict(zip(_RUSSIAN, _US, strict=True)) | _UKRAINIAN | _BELARUSIAN
"""A Cyrillic small letter → the US character of its key."""

BESIDE_L: Final = "öøæñçòéůłčôșşõ"
"""Latin letters that lie right of L where a US keyboard has the semicolon: German, Nordic, Spanish, Romanian …"""
