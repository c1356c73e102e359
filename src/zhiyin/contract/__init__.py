"""What a benchmark promises, and what every benchmark may use."""
