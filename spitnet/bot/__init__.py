"""Players that nobody moves: what a bot sees, what it wants to do, and when.

Here belong choice and timing, pure: a table as its player sees it, a seeded generator and the time
go in, a move comes out. No clock, no entropy, no session: a bot proposes its moves to whoever runs
it, on the same path as a person's keys.
"""
