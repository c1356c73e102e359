"""Fresh, seeded items: sound, MIDI and the truth about them.

`make` and `make_exemplars` write a folder, `load` reads one, `verify` checks it against its own
MIDI and sound files.
"""

from zhiyin.music.stimuli.checking import verify
from zhiyin.music.stimuli.item import TASKS, Difficulty, Item, load
from zhiyin.music.stimuli.making import make, make_exemplars

__all__ = ["TASKS", "Difficulty", "Item", "load", "make", "make_exemplars", "verify"]
