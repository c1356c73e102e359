"""People's answers: read, set apart by declared rules, and made into runs and tables."""
