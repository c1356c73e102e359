"""The benchmarks: one folder each. `zhiyin.contract` says what a benchmark is."""
