"""The reference listener: classical signal processing that answers trials by ear.

`chords.hear_chord`, `rhythm.hear_rhythm` and `melody.hear_melody` transcribe a recording,
`melody.same_melody` compares two, `model.Listener` answers trials. It sees samples and the
question, never names or targets.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zhiyin.errors import InputError
from zhiyin.files import Place

FILES = {"syncopation": 1, "transposition": 2, "chords": 1}
"""What can be listened for, and in how many recordings at once."""


def hear(task: str, files: Sequence[Place]) -> dict[str, Any]:
    """Listen to files; return a flat object with a line ``why`` for people.

    Parameters
    ----------
    task : str
        One of `FILES`.
    files : sequence of path

    Raises
    ------
    InputError
        For a file that cannot be read, or another number of files than the task needs.
    """
    if len(files) != FILES[task]:
        needed = "one FILE" if FILES[task] == 1 else "two FILEs"
        raise InputError(f"--task {task} needs {needed}, got {len(files)}")
    from dataclasses import asdict

    from zhiyin.plugins.music.listener.chords import hear_chord
    from zhiyin.plugins.music.listener.melody import hear_melody, same_melody
    from zhiyin.plugins.music.listener.rhythm import hear_rhythm
    from zhiyin.plugins.music.listener.spectrum import one_core
    from zhiyin.sound import read_sound

    with one_core():
        sounds = [read_sound(Path(file)) for file in files]
        if task == "chords":
            return asdict(hear_chord(sounds[0]))
        if task == "syncopation":
            return asdict(hear_rhythm(sounds[0]))
        melodies = [hear_melody(sound) for sound in sounds]
        match = same_melody(*melodies)
        return {**asdict(match), "melodies": [asdict(melody) for melody in melodies]}
