"""Rhythm ability: an item bank calibrated on people, asked adaptively.

`docs/benchmarks/rhythm-ability.md` is its page.
"""
