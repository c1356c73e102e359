"""An exam: a hundred questions of a benchmark that tell most, from a bank of calibrated items.

`docs/how-to/exam.md` is its page.
"""
