"""The game itself, pure: cards, moves and states go in, new states and events come out.

Here belong the rules of Spit and how a beat's randomness becomes cards. No clock, no entropy, no
file, no socket, no text for people, and nothing about who is local or remote: both peers, the
replay and the simulator run this very code and must get the same results. RULES.md, beside this
file, holds the rules and claims that are cited everywhere as R1, R2, … and C1, C2, …
"""
