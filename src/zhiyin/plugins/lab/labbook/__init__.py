"""A folder of runs as a lab book: list, notes, progress, comparison, history; served here alone."""
