"""A run's voice and ear: the screen behind a person, and the JSON lines of a headless run. What must not be here: the match."""
