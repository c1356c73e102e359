"""Worked examples: what a perfect participant would have replied, in each strategy's form."""

from __future__ import annotations

from collections.abc import Sequence

from zhiyin.benchmarks.perception.tasks import TASKS, Stimulus
from zhiyin.errors import InputError
from zhiyin.music import solvers
from zhiyin.music.solvers import write_schema

_INTERVALS = {
    "major": "a major third and a perfect fifth",
    "minor": "a minor third and a perfect fifth",
    "dominant": "a major third, a perfect fifth and a minor seventh",
    "diminished": "a minor third and a diminished fifth",
}


def solve(stimulus: Stimulus, strategy: str, ids: Sequence[str]) -> str:
    """The right reply to a stimulus.

    Parameters
    ----------
    stimulus : Stimulus
    strategy : {"standalone", "cot", "logiclm"}
    ids : sequence of str
        The identifiers under which its sounds were introduced.

    Raises
    ------
    InputError
        For LogicLM where the transcription is not known.
    """
    task = TASKS[stimulus.task]
    if strategy == "logiclm":
        if stimulus.transcription is None:
            raise InputError(
                f"the transcription of the worked example {stimulus.facts.get('recording')} is not "
                "known: put its MIDI file beside it"
            )
        return write_schema(task.kind, stimulus.transcription, ids)
    option = next(option for option in task.options if option.key == stimulus.answer)
    answer = option.text if stimulus.task == "transposition" else option.letter
    if strategy == "cot":
        return f"{_REASONS[stimulus.task](stimulus)}\nFinal Answer: {answer}"
    return answer if stimulus.task == "transposition" else f"Final Answer: {answer}"


def _reason_syncopation(stimulus: Stimulus) -> str:
    level = solvers.LEVELS[stimulus.answer]
    (slots,) = stimulus.transcription or ((),)
    off = [slot for slot in slots if solvers.is_offbeat(slot)]
    # Sync3_A's level is not what its notes say: a reason that contradicts its answer teaches none.
    if stimulus.transcription is None or len(off) != level:
        return f"Hits of the kick and the snare halfway between the beats: {level}."
    return (
        f"Counting the eighth notes from 1, the kick and the snare sound on {_list(slots)}. "
        f"Even numbers are off-beats: {_list(off)}. Off-beat hits: {len(off)}."
    )


def _reason_transposition(stimulus: Stimulus) -> str:
    same = stimulus.answer == "Yes"
    if stimulus.transcription is None:
        verdict = "the same" if same else "not the same"
        return f"From note to note, the intervals of the two melodies are {verdict}."
    first, second = (
        ", ".join(f"{step:+d}" for step in solvers.intervals(row)) for row in stimulus.transcription
    )
    verdict = "They agree at every step." if same else "They do not agree."
    return (
        f"In semitones from note to note, the first melody moves {first}; the second melody "
        f"moves {second}. {verdict}"
    )


def _reason_chords(stimulus: Stimulus) -> str:
    letters = solvers.CHORD_LETTERS.items()
    quality = next(quality for quality, letter in letters if letter == stimulus.answer)
    classes = _list(sorted(solvers.CHORDS[quality]))
    return (
        f"Above the lowest note, the root, the chord has {_INTERVALS[quality]}: "
        f"pitch classes {classes}."
    )


_REASONS = {
    "syncopation": _reason_syncopation,
    "transposition": _reason_transposition,
    "chords": _reason_chords,
}


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
