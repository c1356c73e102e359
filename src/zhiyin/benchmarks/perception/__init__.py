"""Core music perception: syncopation, transposition and chord quality, by ear and from MIDI."""

from zhiyin.plugins import Command

COMMANDS = {
    "stimuli": Command(
        "make fresh perception items (sound, MIDI and truth), or check a folder of them",
        "zhiyin.benchmarks.perception.stimuli_command",
    )
}
