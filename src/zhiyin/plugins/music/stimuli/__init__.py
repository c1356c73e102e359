"""Fresh, seeded items: sound, MIDI and the truth about them.

`make` and `make_exemplars` write a folder, `load` reads one, `verify` checks it against its own
MIDI and sound files.
"""

from zhiyin.plugins.music.stimuli.folder import make, make_exemplars, verify
from zhiyin.plugins.music.stimuli.item import TASKS, Difficulty, Item, load

__all__ = ["TASKS", "Difficulty", "Item", "load", "make", "make_exemplars", "verify"]
