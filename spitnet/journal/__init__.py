"""The record of a match: its bytes, what follows from them, and the file they lie in.

`records`, `replay` and `story` are pure; `store` is the one place that opens files.
"""
