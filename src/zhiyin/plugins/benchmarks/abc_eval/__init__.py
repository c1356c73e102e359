"""ABC-Eval: ten tasks on scores in ABC notation. `docs/benchmarks/abc-eval.md` is its page."""
