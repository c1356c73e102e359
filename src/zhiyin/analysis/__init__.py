"""Analysis of runs that were read: figures, comparisons, health."""
