"""Runs where a group already looks: in its experiment tracker, and calls as spans of a trace."""
