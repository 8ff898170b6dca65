"""A seat at a table: found or offered, taken, played from, kept for a rematch. What must not be here: commands, onlookers."""
