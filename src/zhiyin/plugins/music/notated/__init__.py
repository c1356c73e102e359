"""Pieces in notation: one source, written and read as ABC, MusicXML, **kern, MIDI and a picture.

A `Piece` knows spelled pitches, exact lengths, key, metre, upbeat and repeat marks. `writing`
turns it into each notation and `reading` back; `playing` makes it sound, `music.engraved` a
picture, and `asking` makes questions whose answers are computed from it.
"""
