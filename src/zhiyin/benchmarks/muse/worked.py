"""Worked examples in words: what a reply with steps would have said."""

from __future__ import annotations

from zhiyin.benchmarks.muse.tasks import TASKS, TaskName

_STEPS: dict[tuple[TaskName, str], tuple[str, ...]] = {
    ("transposition", "A"): (
        "Both excerpts have the same number of notes.",
        "From note to note their intervals are equal; only the key differs.",
    ),
    ("transposition", "B"): (
        "The intervals from note to note of the two excerpts were compared.",
        "They do not agree, so one is no transposition of the other.",
    ),
    ("rhythm_matching", "A"): (
        "Both excerpts have the same cycle.",
        "Kick, snare and cymbals are struck at the same moments of it.",
    ),
    ("rhythm_matching", "B"): (
        "The strokes of kick, snare and cymbals were compared over the cycle.",
        "They do not fall at the same moments in both excerpts.",
    ),
    ("oddballs", "A"): (
        "The notes were compared place by place.",
        "Every note has the same pitch in both excerpts.",
    ),
    ("oddballs", "B"): (
        "The notes were compared place by place.",
        "At least one pitch differs, and does not belong to the key.",
    ),
    ("instrumentID", "A"): (
        "Pitched notes are heard.",
        "Each begins with the stroke of a hammer and dies away: a piano.",
    ),
    ("instrumentID", "B"): (
        "Pitched notes are heard.",
        "Each begins with a plucked string in the middle register: a guitar.",
    ),
    ("instrumentID", "C"): (
        "Pitched notes are heard.",
        "They are plucked and lie very low: a bass.",
    ),
    ("instrumentID", "D"): ("No pitched notes are heard.", "Drums and cymbals are struck."),
    ("contourID", "A"): ("The pitch goes up at first.", "Then it turns and goes down."),
    ("contourID", "B"): ("The pitch goes down at first.", "Then it turns and goes up."),
    ("contourID", "C"): ("Each note is higher than the one before.", "There is no turn."),
    ("contourID", "D"): ("Each note is lower than the one before.", "There is no turn."),
    ("chord_quality", "A"): (
        "The lowest note is taken as the root.",
        "The third above it has four semitones.",
    ),
    ("chord_quality", "B"): (
        "The lowest note is taken as the root.",
        "The third above it has three semitones.",
    ),
    ("key_modulation", "A"): (
        "One tonal centre is heard at the beginning.",
        "Another one is established later, and stays.",
    ),
    ("key_modulation", "B"): (
        "One tonal centre is heard at the beginning.",
        "It remains the centre to the end.",
    ),
    ("chord_progression_matching", "A"): (
        "The chords of both excerpts were written as functions of their key.",
        "The same functions come in the same order.",
    ),
    ("chord_progression_matching", "B"): (
        "The chords of both excerpts were written as functions of their key.",
        "The two rows differ.",
    ),
    ("syncopation", "A"): (
        "Strokes of kick and snare off the beat were counted in both excerpts.",
        "Excerpt 1 has more of them.",
    ),
    ("syncopation", "B"): (
        "Strokes of kick and snare off the beat were counted in both excerpts.",
        "Excerpt 2 has more of them.",
    ),
    ("meter_identification", "A"): (
        "Counted from accent to accent.",
        "Three beats make a group.",
    ),
    ("meter_identification", "B"): (
        "Counted from accent to accent.",
        "Four beats make a group.",
    ),
    ("meter_identification", "C"): (
        "Counted from accent to accent.",
        "Five beats make a group.",
    ),
}
ALONE = {
    "syncopation-ex1": "This rhythm is not syncopated at all.",
    "syncopation-ex2": "This rhythm is highly syncopated.",
}
"""What is said of the two examples that are played alone, without an answer."""


def reasoned(task: TaskName, key: str) -> str:
    """Two short steps and the answer line, as a reply in the mode with steps."""
    steps = [f"Step {n}: {text}" for n, text in enumerate(_STEPS[task, key], 1)]
    return "\n".join([*steps, TASKS[task].answer(key)])
