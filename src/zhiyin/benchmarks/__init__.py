"""The benchmarks: one folder each. `zhiyin.contract` says what a benchmark is.

What must be known before any of them is opened stands in the ``__init__.py`` of its folder, which
imports nothing heavy: ``COMMANDS``, and ``POLICIES``, the module with its policies of reading.
`plugins.of_benchmarks` finds it.
"""
