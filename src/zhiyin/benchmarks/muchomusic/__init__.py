"""MuChoMusic: what does an audio model understand of a recording, and does it listen at all?

Questions with four options about real tracks. `docs/benchmarks/muchomusic.md` is its page.
"""
