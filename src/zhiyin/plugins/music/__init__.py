"""Music itself: theory, MIDI and its text form, synthesis, stimuli, and the solvers."""
