"""What reads runs: a log in columns, decoded once."""
