"""State to cells: what a scene looks like in a terminal of a given size.

What belongs here: layout, signs, styles. What must not: clocks, entropy, keys, prompt_toolkit, and texts, which
are in `words`. Start reading at `draw`.
"""
