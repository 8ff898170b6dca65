"""The terminal itself: what it can do, its signals, reading from it, giving it back. What must not be here: prompt_toolkit."""
