"""A small CMI-Bench in the published layout: made labels, instructions and clips."""

import gzip
import json
from pathlib import Path

from listening_help import play

LABELS = {
    "GTZAN": ["blues", "hiphop", "jazz", "rock"],
    "VocalSet_tech": ["belt", "lip_trill", "trill", "vocal_fry"],
    "Nsynth_pitch": ["9", "49", "60", "69"],
    "GS_key": ["C major", "A minor", "Ab minor", "Gb major"],
    "EMO_arousal": ["-1.0", "0.5", "1.25", "-0.5"],
    "MTT": ["classical, no vocal", "rock", "", "classical, guitar"],
    "gtzan_beat": ["0.5s,1.0s,5.5s,6.0s,6.5s,7.0s"] * 4,
    "MedleyDB": ["[(0.0, 'A4'), (0.5, 'B4'), (1.0, 'C5')]"] * 4,
    "DSing": ["SOME DAYS I'M RICH", "LA LA", "ONE TWO", "OH"],
    "SDD": [
        "A calm song with a piano and a soft voice.",
        "Fast drums.",
        "A choir sings.",
        "Noise.",
    ],
    "Guzheng_Tech": ["[('0.0', '1.0', 'Vibrato'), ('2.0', '3.0', 'Tremolo')]"] * 4,
}


def entry(task: str, index: int) -> dict:
    return {
        "instruction": f"Do the task {task}.",
        "input": "<AUDIO>",
        "output": LABELS[task][index],
        "uuid": "",
        "split": ["test"],
        "task_type": {"major": ["made"], "minor": ["made"]},
        "domain": "music",
        "audio_path": [f"data/{task}/clip-{index}.wav"],
        "audio_start": 0.0,
        "audio_end": -1,
        "source": "made",
        "other": {"tag": "null"},
    }


def make_cmi(folder: Path, tasks=tuple(LABELS), *, sound: bool = True) -> Path:
    """Question files (one packed), with a line of another split in each, and the clips."""
    (folder / "labels").mkdir(parents=True, exist_ok=True)
    for number, task in enumerate(tasks):
        lines = [entry(task, index) for index in range(4)]
        lines.insert(1, entry(task, 0) | {"split": ["train"]})
        text = "".join(json.dumps(line) + "\n" for line in lines).encode()
        path = folder / "labels" / f"CMI_{task}.jsonl"
        if number == 0:
            path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(text))
        else:
            path.write_bytes(text)
        for index in range(4 if sound else 0):
            play(folder / f"data/{task}/clip-{index}.wav", 200 + 50 * index + number, 0.2)
    return folder


def write_replies(path: Path, task: str, say) -> Path:
    """A reply file as published: one array, though it is named as lines."""
    rows = [
        {
            "question": f"Do the task {task}.",
            "response": say(label, index),
            "correct_answer": int(label) if task == "Nsynth_pitch" else label,
            "audioid": f"../testdata/{task}/clip-{index}.wav",
            "other": "",
        }
        for index, label in enumerate(LABELS[task])
    ]
    path.write_text(json.dumps(rows))
    return path
