"""MMAU-Pro: choices, open answers and instructions about one recording or several.

`docs/benchmarks/mmau-pro.md` is its page.
"""
