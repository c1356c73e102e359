"""CMI-Bench: music information retrieval asked in words; `docs/benchmarks/cmi.md` is its page."""
