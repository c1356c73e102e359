"""MUSE: ten tasks of music perception and relational reasoning, asked in a chat that remembers.

`docs/benchmarks/muse.md` is its page.
"""
