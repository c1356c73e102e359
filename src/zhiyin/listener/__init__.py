"""The reference listener: classical signal processing that answers trials by ear.

`chord.hear_chord`, `rhythm.hear_rhythm` and `melody.hear_melody` transcribe a recording,
`likeness.same_melody` compares two, `model.Listener` answers trials. It sees samples and the
question, never names or targets.
"""
