"""The terminal game: draws any game's table and lets one person play it."""
