"""Replies that other programs wrote: their formats as a table, joined to questions, made runs.

No format has an importer of its own: `formats` says how each is recognised and where in a row
each thing stands; `files` makes rows of files by it, `joining` finds the question of each row,
and `importing` writes the run (docs/rooms/lab.md).
"""
