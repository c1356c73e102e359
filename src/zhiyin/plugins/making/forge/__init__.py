"""Making benchmarks: questions from captions, harder wrong answers, and sister sets."""
