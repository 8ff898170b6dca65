"""Spit, the card game without turns, for two players on a LAN.

What belongs here: the version, and nothing else; every start of the program pays for this file.
"""

__version__ = "0.1.0"
