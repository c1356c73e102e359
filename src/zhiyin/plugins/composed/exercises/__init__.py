"""Fresh exercises by seed: theory, Chinese traditional music, continuing a tune.

Its page in the docs is `docs/benchmarks/exercises.md`.
"""
