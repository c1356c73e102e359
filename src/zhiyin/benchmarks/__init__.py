"""The benchmarks: one folder each. `zhiyin.contract` says what a benchmark is.

Others stand in `zhiyin.plugins`. Commands that one adds are declared in the ``__init__.py`` of its
folder, which imports nothing heavy.
"""
