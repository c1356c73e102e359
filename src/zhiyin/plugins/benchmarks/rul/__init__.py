"""RUListening: questions on recordings that cannot be answered from their text alone.

`docs/benchmarks/rul.md` is its page.
"""
