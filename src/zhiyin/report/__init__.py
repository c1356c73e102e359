"""Runs as something to read, look at and hear: the HTML report, its figures and tables."""
