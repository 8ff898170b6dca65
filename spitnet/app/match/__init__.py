"""A match at this seat: opened or restored, played, followed by a rematch. What must not be here: how the seat was found."""
