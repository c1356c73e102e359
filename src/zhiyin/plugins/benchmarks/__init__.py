"""Published sets of questions."""
