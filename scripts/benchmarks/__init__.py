"""What `scripts/bench` runs inside its environment: one module for each group of figures.

What belongs here: measuring the installed spitnet and, beside it in the same run, the floor that it is compared
with. What must not: figures written down, a second match loop, anything that the game itself needs.
"""
