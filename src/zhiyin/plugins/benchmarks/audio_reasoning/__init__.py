"""MMAU and MMAR: choices about music, sound and speech that are read by string match.

Their pages are `docs/benchmarks/mmau.md` and `docs/benchmarks/mmar.md`.
"""
