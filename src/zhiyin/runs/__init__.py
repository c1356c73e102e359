"""Reading of runs: a log in columns, decoded once."""
