"""Looking on at a match: the gallery that shows it, and the onlooker's side. What must not be here: commands, playing."""
