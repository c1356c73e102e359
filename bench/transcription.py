"""How much of a melody the listener writes down, by the measures of the field (mir_eval).

    python bench/transcription.py [N]

Each melody of fresh transposition stimuli is transcribed. A note is found where its pitch is within
a quarter tone and its onset within 50 ms of a written one, each used once; with offsets, also where
its end is within 20 % of its length or 50 ms (Raffel et al. 2014, ISMIR: mir_eval).
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import fmean

import numpy as np
from mir_eval.transcription import precision_recall_f1_overlap
from mir_eval.util import midi_to_hz

from zhiyin.plugins.music.listener.melody import hear_melody
from zhiyin.plugins.music.midi import read_midi
from zhiyin.plugins.music.stimuli.folder import make
from zhiyin.sound import read_sound

N = 30


def as_notes(onsets, durations, pitches) -> tuple[np.ndarray, np.ndarray]:
    """Intervals in seconds, shape (n, 2), and frequencies in Hz, shape (n,)."""
    begin = np.asarray(onsets, dtype=float)
    ends = begin + np.maximum(np.asarray(durations, dtype=float), 0.01)
    return np.column_stack([begin, ends]), midi_to_hz(np.asarray(pitches, dtype=float))


def main(count: int) -> None:
    """Transcribe the melodies of `count` items and print the means."""
    found: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for item in make("transposition", count, 21, folder / "new"):
            for sound, score in zip(item.sounds, item.scores, strict=True):
                heard = hear_melody(read_sound(folder / "new" / sound))
                notes = read_midi(folder / "new" / score).notes
                true = as_notes(
                    [n.start for n in notes], [n.duration for n in notes], [n.pitch for n in notes]
                )
                own = as_notes(heard.onsets, heard.durations, heard.pitches)
                for what, ratio in (("onset and pitch", None), ("and offset", 0.2)):
                    found[what].append(precision_recall_f1_overlap(*true, *own, offset_ratio=ratio))
    for what, rows in found.items():
        precision, recall, f1, _ = (100 * fmean(column) for column in zip(*rows, strict=True))
        print(
            f"{what:16} {len(rows)} melodies: P {precision:.1f} %, R {recall:.1f} %, F {f1:.1f} %"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else N)
