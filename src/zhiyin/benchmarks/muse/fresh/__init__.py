"""Fresh stimuli for the ten tasks: what is to be played, by seed and number."""

from zhiyin.benchmarks.muse.fresh.making import make_items, read_items

__all__ = ["make_items", "read_items"]
