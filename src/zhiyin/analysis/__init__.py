"""What is found out by reading runs: figures, comparisons, health."""
