"""Small data in the published layouts of benchmarks that ask about recordings: made, not theirs."""

import csv
import json
from pathlib import Path

import soundfile
from PIL import Image as Picture

from muchomusic_help import RATE, heard_pitch, pitch, tone
from zhiyin.cli import main


def zhiyin(capsys, *arguments):
    """Exit status and the JSON that a command prints; its complaint where it prints none."""
    status = main([str(a) for a in arguments] + ["--json"])
    out, err = capsys.readouterr()
    told = json.loads(out) if out.strip() else {"error": err}
    return status, err if status and "error" in told else told


def complaint(capsys, *arguments):
    """The one line of a command that is refused."""
    status, said = zhiyin(capsys, *arguments)
    assert status == 2, said
    lines = [line for line in said.splitlines() if line.strip()]
    assert len(lines) == 1, said
    assert "Traceback" not in said
    return lines[0]


def play(path: Path, hz: float, seconds: float = 1.0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, tone(hz, seconds), RATE, format="WAV")


def section(summary, title):
    """A further table: rows by their first cell, and its notes."""
    found = next(s for s in summary["details"] if s["title"].startswith(title))
    rows = {row[0]: dict(zip(found["columns"], row, strict=True)) for row in found["rows"]}
    return rows, found["notes"]


def rul_entry(index: int, count: int) -> dict:
    return {
        "question": f"Which tone is heard in piece {index}?",
        "caption": f"A tone of {pitch(index)} Hz.",
        "correct_answer": f"One of {pitch(index)} Hz",
        "distractors": [f"One of {pitch(index + count * k)} Hz" for k in (1, 2, 3, 4)],
        "PI": round(0.1 + 0.8 * index / count, 4),
    }


def make_rul(folder: Path, count: int = 8, *, sound: bool = True) -> Path:
    """Questions by number, recordings by the same numbers, and the questions before."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = {str(1010 + index): rul_entry(index, count) for index in range(count)}
    (folder / "RUL-MuchoMusic.json").write_text(json.dumps(entries))
    columns = ("question", "correct_answer", *(f"distractor_{k}_answer" for k in (1, 2, 3)))
    with (folder / "muchomusic.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*columns, "dataset", "dataset_identifier"])
        for index, entry in enumerate(entries.values()):
            wrong = ["A choir", "A drum", "Silence"]
            rows.writerow(
                [entry["question"], entry["correct_answer"], *wrong, "sdd", f"{index // 2}.json"]
            )
    if sound:
        for index in range(count):
            play(folder / f"{1010 + index}.mp3", pitch(index))
    return folder


def mmau_entry(index: int, count: int) -> dict:
    task = ("speech", "music", "sound")[index % 3]
    right = f"One of {pitch(index)} Hz"
    choices = [f"One of {pitch(index + count * k)} Hz" for k in (1, 2, 3)]
    choices.insert(index % 4, right)
    return {
        "id": f"item-{index}",
        "audio_id": f"./test-mini-audios/item-{index}.wav",
        "question": f"Which tone is heard in clip {index}?",
        "choices": choices,
        "answer": right,
        "dataset": "made",
        "task": task,
        "split": "test-mini",
        "category": ["Reasoning"] if index == 1 else "Reasoning",
        "sub-category": ("Instrumentation", "Lyrical Reasoning")[index // 3 % 2],
        "difficulty": ("easy", "hard")[index % 2],
    }


def make_mmau(folder: Path, count: int = 12, *, sound: bool = True) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    entries = [mmau_entry(index, count) for index in range(count)]
    (folder / "mmau-test-mini.json").write_text(json.dumps(entries))
    for index, entry in enumerate(entries if sound else []):
        play(folder / entry["audio_id"], pitch(index))
    return folder


def mmar_entry(index: int, count: int) -> dict:
    entry = mmau_entry(index, count)
    return {
        "id": f"video{index}_00-00-01_00-00-02",
        "audio_path": f"./audio/video{index}_00-00-01_00-00-02.wav",
        "question": entry["question"],
        "choices": entry["choices"],
        "answer": entry["answer"],
        "modality": ("speech", "music", "mix-sound-music")[index % 3],
        "category": ("Signal Layer", "Semantic Layer")[index % 2],
        "sub-category": "Content Analysis",
        "language": None,
        "source": "youtube",
        "url": "https://example.org/watch",
        "timestamp": "00:00:01,00:00:02",
        "thinking": "The tone is high.",
        "cue": ["tone"],
        "rubric": [
            {"name": f"Point {k}", "scoring_point": f"Says {k}.", "note": "", "choices": [0, 1]}
            for k in range(5)
        ],
    }


def make_mmar(folder: Path, count: int = 12, *, sound: bool = True) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    entries = [mmar_entry(index, count) for index in range(count)]
    (folder / "MMAR-meta.jsonl").write_text("".join(json.dumps(e) + "\n" for e in entries))
    for index, entry in enumerate(entries if sound else []):
        play(folder / entry["audio_path"], pitch(index))
    return folder


def by_ear(call) -> str:
    """Answers with the words of the option whose pitch is heard; without sound, with none."""
    import re

    pitches = [heard_pitch(samples, rate) for samples, rate in call.waves()]
    for said in re.finditer(r"One of (\d+) Hz", call.text):
        if any(hz and abs(hz / int(said[1]) - 1) < 0.03 for hz in pitches):
            letter = re.search(rf"([A-H])[.)] {said[0]}(?!\d)", call.text)
            return f"Answer: {letter[1]}" if letter else said[0]
    return "I cannot hear it."


def pro_row(name, category, **fields):
    return {
        "id": name, "audio_path": [f"data/{name}.wav"], "question": f"What is heard in {name}?",
        "answer": "a flute", "choices": ["a drum", "a flute", "a harp"], "category": category,
        "length_type": "short", "task_identifier": None, "kwargs": None, "sub-cat": None,
    } | fields  # fmt: skip


def pro_rule(name, identifier, **kwargs):
    return pro_row(name, "instruction following", choices=[], answer=None,
               task_identifier=identifier, kwargs=kwargs)  # fmt: skip


def pro_entries():
    return [
        pro_row("m1", "music", **{"sub-cat": "Western"}, perceptual_skills=["Instrument", "Tempo"]),
        pro_row(
            "m2", "music", audio_path=["data/m2.wav", "data/m2b.wav"], length_type="ultra-long"
        ),
        pro_row("s1", "sound", answer="a drum"),
        pro_row("o1", "open", choices=[]),
        pro_row("o2", "open"),
        pro_row("x1", "multi", choices=["a flute"]),
        pro_rule("i1", "No Commas"),
        pro_rule("i2", "Number Words (at least)", N=3),
        pro_rule("i3", "Sing Along"),
    ]


def make_mmau_pro(folder: Path, rows=None, *, sound: bool = True) -> Path:
    """Rows of every kind: several clips, open answers, one choice, instructions."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = rows or pro_entries()
    (folder / "test.jsonl").write_text("".join(json.dumps(each) + "\n" for each in rows))
    clips = [clip for each in rows for clip in each["audio_path"]]
    for index, clip in enumerate(clips if sound else []):
        play(folder / clip, pitch(index % 24), 0.2)
    return folder


_ABC = "X:1\nM:3/4\nK:{}\nC2 D E|"
SCORE_LINKS = [f"https://example.org/user/7/scores/90{n}" for n in range(3)]
SCORE_QUESTIONS = [
    ("1", "Who is the composer?", "Edvard Grieg"),
    ("1", "What is the initial time signature?", "3/4 time"),
    ("2", "What are the dynamics in measure 2?", "None"),
    ("2", "Which clefs are used?", "Treble clef; Bass clef"),
    ("3", "Is there a perfect cadence in measure 4?", "No"),
    ("4", "What is the structure of the motif? ", "Broken chord with repeated notes"),
]


def msu_rows():
    return [(link, *asked) for link in SCORE_LINKS for asked in SCORE_QUESTIONS]


def make_msu(folder: Path) -> Path:
    """Questions on three scores, whose notation, and pages of two, lie in a folder beside."""
    data, scores = folder / "msu", folder / "scores"
    data.mkdir(parents=True)
    scores.mkdir()
    with (data / "questions.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("Link", "Level", "Question", "Answer"), *msu_rows()])
    facts = [f"{SCORE_LINKS[0]},Edvard Grieg,Day", f"{SCORE_LINKS[1]},Grieg ,Night"]
    (data / "scores.csv").write_text("\n".join(["score,composer,title", *facts]))
    for number, link in enumerate(SCORE_LINKS):
        (scores / f"{link[-3:]}.abc").write_text(_ABC.format("CDG"[number]))
        for page in (2, 10, 1) if number else ():
            Picture.new("L", (8, page + 3), 255).save(scores / f"{link[-3:]}-{page}.png")
    return data


def make_desk(folder: Path) -> None:
    """The data and replies that the pages of these benchmarks speak of."""
    from cmi_help import make_cmi, write_replies  # which builds on this file

    make_rul(folder / "data" / "rul")
    make_mmau(folder / "data" / "mmau")
    make_mmar(folder / "data" / "mmar")
    make_mmau_pro(folder / "data" / "mmau-pro")
    make_msu(folder / "data")
    (folder / "data" / "scores").rename(folder / "my-scores")
    replies = [each | {"model_output": "a flute"} for each in pro_entries()]
    (folder / "mmau-pro-replies.jsonl").write_text("".join(json.dumps(r) + "\n" for r in replies))
    letters = "[[t.lower().count(c) + 1 for c in 'abcdefghijklmnopqrstuvwxyz'] for t in texts]"
    (folder / "embed.py").write_text(f"def embed(texts):\n    return {letters}\n")
    said = [mmau_entry(k, 12) | {"model_output": mmau_entry(k, 12)["answer"]} for k in range(12)]
    (folder / "mmau-replies.json").write_text(json.dumps(said))
    lines = [mmar_entry(k, 12) | {"answer_prediction": "One of 200 Hz"} for k in range(12)]
    sent = [{"id": e["id"], "thinking_prediction": "A tone.", "answer_prediction": e["answer"]}
            for e in lines]  # fmt: skip
    (folder / "submission.jsonl").write_text("".join(json.dumps(e) + "\n" for e in sent))
    make_cmi(folder / "data" / "cmi")
    (folder / "replies").mkdir()
    for task in ("GTZAN", "gtzan_beat"):
        write_replies(folder / "replies" / f"qwen2_{task}.jsonl", task, lambda label, _: label)
    (folder / "mmar-replies.jsonl").write_text("".join(json.dumps(e) + "\n" for e in lines))
