"""Thresholds: how small a difference is heard, by adaptive methods of psychophysics.

`docs/benchmarks/thresholds.md` is its page.
"""
