"""MusicTheoryBench: choices on knowledge of music and on reasoning about it, scores in ABC.

`docs/benchmarks/musictheorybench.md` is its page.
"""
