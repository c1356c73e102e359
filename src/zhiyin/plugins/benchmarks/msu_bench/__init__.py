"""MSU-Bench: free questions on whole scores.

`docs/benchmarks/msu-bench.md` is its page.
"""
