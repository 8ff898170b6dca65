"""One module for each command that does something, and what several of them ask and say."""
