"""Reading music from pictures of scores: a published set, and fresh ones; its page is in the docs.

`docs/benchmarks/scores.md`.
"""
