"""The game in lines, for screen readers, slow links and logs: what is said, and reading what is typed."""
