"""Fresh stimuli for the ten tasks: what is to be played, by seed and number."""

from zhiyin.benchmarks.muse.fresh.made import make

__all__ = ["make"]
