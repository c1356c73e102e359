"""Small runs for the tests of the report and the viewer, written as the runner writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from zhiyin.engine.folder import Manifest, Session
from zhiyin.engine.log import RunFolder
from zhiyin.record import Exchange, Record, Reply, State, Turn, Verdict
from zhiyin.sound import audio_part
from zhiyin.trial import Audio, Option, Trial, say

HOSTILE = {
    "script": "<script>document.title='taken'</script>"
    "<img src=x onerror=\"document.title='taken'\">",
    "closing": "</script></pre><!-- ]]> \u2028 \u2029 ${1} `",
    "nul": "before\x00after\x1b[31m",
    "arabic": "الجواب هو \u202eB\u202c ثم A",
    "zalgo": "Z" + "\u0301\u0316\u0489" * 200 + " B",
    "huge": "x" * 999_990 + " Answer: B",
}
LETTERS = "ABCD"


def write_tone(path: Path, seconds: float = 1.0, hertz: float = 440.0) -> Path:
    """A sine as WAV."""
    import soundfile

    time = np.arange(int(8000 * seconds)) / 8000
    soundfile.write(path, 0.5 * np.sin(2 * np.pi * hertz * time), 8000)
    return path


def choice(number: int, stem: str = "", *sounds: Audio, **tags: Any) -> Trial:
    """A four-option trial whose key goes round the letters."""
    options = tuple(Option(letter, f"option {letter} of {number}", letter) for letter in LETTERS)
    group = "rhythm" if number % 2 else "pitch"
    message = say("user", f"{stem or f'Question {number}?'} Answer with a letter.", *sounds)
    return Trial(
        f"{group}/{number}",
        (message,),
        stem or f"Question {number}?",
        options,
        LETTERS[number % 4],
        (group, f"{group}/{'hard' if number % 3 else 'easy'}"),
        None,
        {"category": group, "level": number % 3, **tags},
    )


def answered(trial: Trial, letter: str | None, text: str | None = None) -> Record:
    """A record of a trial that was answered with a letter (None: without an answer)."""
    state: State = (
        "no_answer" if letter is None else "correct" if letter == trial.target else "wrong"
    )
    reply = Reply(letter or "I do not know" if text is None else text)
    return Record(
        trial.id,
        Verdict(state, letter, letter, "the letter alone", "robust@1"),
        trial,
        Exchange((Turn(reply),)),
    )


def write_run(folder: Path, model: str, records: list[Record], **manifest: Any) -> Path:
    """A finished run folder."""
    about = Manifest(
        benchmark=manifest.get("benchmark", "quiz"),
        model=model,
        config={"benchmark": "quiz", "options": {"seed": 1}, "data": "0" * 64, "sampling": None},
        options={},
        planned=manifest.get("planned", len(records)),
        sessions=[
            Session(
                "2026-01-01T00:00:00+00:00",
                asked=len(records),
                elapsed_s=1.0,
                ended="2026-01-01T00:00:01",
            )
        ],
    )
    with RunFolder(folder, about) as log:
        for record in records:
            log.append(record)
    return folder


def hostile_run(folder: Path) -> Path:
    """A run by a model with a hostile name, whose replies are hostile too."""
    records = [
        answered(choice(n, f"{name}: {text[:300]}"), "B", text)
        for n, (name, text) in enumerate(HOSTILE.items())
    ]
    return write_run(folder, "<b>model</b>", records)


def two_runs(root: Path, trials: int = 240, sound: bool = True) -> list[Path]:
    """Two runs on the same trials: one good at pitch, one that likes the letter A."""
    parts = [audio_part(write_tone(root / "secret-answer.wav"))] if sound else []
    asked = [choice(n, "", *parts) for n in range(trials)]
    rng = np.random.default_rng(1)
    good = [
        answered(t, t.target if t.id.startswith("pitch") or rng.random() < 0.3 else LETTERS[n % 3])
        for n, t in enumerate(asked)
    ]
    fond = [answered(t, "A" if rng.random() < 0.8 else "B") for t in asked]
    return [write_run(root / "good", "good", good), write_run(root / "fond", "fond", fond)]


def abc_trial(number: int = 0) -> Trial:
    """A tune in ABC to be continued."""
    stem = "How does it go on?\n\nX:1\nM:4/4\nL:1/8\nK:D\nd2 fa d2 fa|e2 ge c2 A2|\n"
    options = tuple(Option(c, f"d2 {c.lower()}2 f2 a2|d8|]", c) for c in LETTERS)
    return Trial(f"tune/{number}", (say("user", stem),), stem, options, "A", ("tune",))


def heard_trial() -> tuple[Trial, Record]:
    """A LogicLM trial on a chord, with one note missed and one too many."""
    trial = Trial(
        "chords/midi/zero/logiclm/1",
        (say("user", "Transcribe the chord."),),
        "Which quality?",
        tuple(Option(c, w, c) for c, w in zip("AB", ("Major", "Minor"), strict=True)),
        "A",
        ("chords",),
        None,
        {"task": "chords", "transcription": "60 64 67"},
    )
    notes = {"transcription": [[60, 63, 67]], "faults": [], "solver": "B"}
    turn = Turn(Reply("chord(clip1, [60, 63, 67])"), None, "transcribe")
    return trial, Record(
        trial.id,
        Verdict("wrong", "B", "B", "decided by the solver"),
        trial,
        Exchange((turn,), notes),
    )
