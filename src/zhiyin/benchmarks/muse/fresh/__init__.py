"""Fresh stimuli for the ten tasks: what is to be played, by seed and number."""
