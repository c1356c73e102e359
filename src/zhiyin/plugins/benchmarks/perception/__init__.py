"""Core music perception: syncopation, transposition and chord quality, by ear and from MIDI."""

from zhiyin.extensions import Command

COMMANDS = {
    "stimuli": Command(
        "fresh perception items: sound, MIDI, truth; check a folder",
        "zhiyin.plugins.benchmarks.perception.stimuli_command",
        group="make",
    )
}
