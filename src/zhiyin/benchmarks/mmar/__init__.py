"""MMAR: deep reasoning about speech, sound, music and their mix; `docs/benchmarks/mmar.md`."""
