"""Minimal pairs: one fact of a sound is changed, or something that says nothing of it.

`docs/benchmarks/pairs.md` is its page.
"""
