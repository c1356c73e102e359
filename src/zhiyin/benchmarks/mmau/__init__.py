"""MMAU: questions on music, sound and speech, scored by string match; `docs/benchmarks/mmau.md`."""
