"""Core music perception: syncopation, transposition and chord quality, by ear and from MIDI."""
