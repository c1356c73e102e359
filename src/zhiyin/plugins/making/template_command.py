"""`zhiyin data template FILE`: a small file of questions that runs as it is."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import msgspec

from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import write_atomically
from zhiyin.words import said, say, spoken
from zhiyin.words.reasons import reason

_CLIPS = {"clip-1": (60,), "clip-2": (67,), "clip-3": (60, 64, 67)}
"""MIDI pitches of the recordings, one after another."""
_PICTURES = {"picture-1": (0, 2, 4), "picture-2": (8, 6, 3, 1)}
"""Notes of the pictures: steps above the lowest line of the staff."""
_ROWS = {"en": "templates.json", "zh": "templates.zh.json"}
_KINDS = ("choice", "free", "audio", "image")
_SUFFIXES = (".csv", ".tsv", ".jsonl")


def write_template(path: Path, kind: str = "choice") -> str:
    """Write a small file of questions, in Chinese on a terminal that speaks it.

    Returns what was written, and what to do next.

    Parameters
    ----------
    path : Path
        A file that is not there yet, ending in .csv, .tsv or .jsonl.
    kind : {"choice", "free", "audio", "image"}

    Raises
    ------
    InputError
        The kind or the ending is another, or a file is there already.
    """
    if kind not in _KINDS:
        hint = did_you_mean(kind, _KINDS)
        raise InputError(said("error-choice", name="--kind", value=kind, hint=hint))
    if path.suffix not in _SUFFIXES:
        raise InputError(f"{path}: a template is written as {', '.join(_SUFFIXES)}")
    beside = _beside(path.parent, kind)
    for each, data in ((path, None), *beside.items()):
        # Those beside it are as a template that was killed left them, or somebody's own.
        if each.exists() and (data is None or each.read_bytes() != data):
            raise InputError(said("making-there", path=each))
    with reworded(f"{path}: cannot be written (", ")"):
        path.parent.mkdir(parents=True, exist_ok=True)
        for file, data in beside.items():
            file.parent.mkdir(exist_ok=True)
            write_atomically(file, data)
        write_atomically(path, _written(kind, path.suffix))
    what = "pictures" if kind == "image" else "recordings"
    folder = next(iter(beside)).parent if beside else None
    if not beside:
        return str(said("log-template", path=path, same=path))
    many = {"n": str(len(beside)), "what": what, "folder": folder}
    return str(said("log-template-and", path=path, same=path, **many))


def _beside(folder: Path, kind: str) -> dict[Path, bytes]:
    """The recordings or pictures that a template's questions are about."""
    if kind == "audio":
        return {folder / "clips" / f"{name}.wav": _play(n) for name, n in _CLIPS.items()}
    if kind == "image":
        return {folder / "pictures" / f"{name}.png": _draw(n) for name, n in _PICTURES.items()}
    return {}


def _written(kind: str, suffix: str) -> bytes:
    """The questions; a Chinese Excel takes a CSV file for GBK that does not say it is UTF-8."""
    text = Path(__file__).with_name(_ROWS[spoken()]).read_bytes()
    rows = msgspec.json.decode(text, type=dict[str, list[dict[str, str]]])[kind]
    if suffix == ".jsonl":
        filled = ({name: text for name, text in row.items() if text} for row in rows)
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in filled).encode()
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(rows[0]), delimiter="\t" if suffix == ".tsv" else ",", lineterminator="\n"
    )
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode("utf-8-sig" if spoken() == "zh" else "utf-8")


def _play(pitches: tuple[int, ...]) -> bytes:
    """Notes one after another, half a second each, as a WAV file."""
    from zhiyin.plugins.music.midi import Note
    from zhiyin.plugins.music.render import normalised, wav_bytes
    from zhiyin.plugins.music.render.builtin import BuiltinRenderer

    notes = [Note(0.5 * place, 0.45, pitch) for place, pitch in enumerate(pitches)]
    rate = 16000
    sound = BuiltinRenderer().render(notes, 0.5 * len(pitches) + 0.3, rate)
    return wav_bytes(normalised(sound), rate)


def _draw(steps: tuple[int, ...]) -> bytes:
    """Notes on a staff of five lines, as a PNG file."""
    from PIL import Image, ImageDraw

    gap, left, lowest = 20, 40, 140
    picture = Image.new("L", (left * 2 + 80 * len(steps), 180), 255)
    pen = ImageDraw.Draw(picture)
    for line in range(5):
        pen.line(
            (left // 2, lowest - gap * line, picture.width - left // 2, lowest - gap * line), 0, 2
        )
    for place, step in enumerate(steps):
        x, y = left + 40 + 80 * place, lowest - gap * step // 2
        pen.ellipse((x - 13, y - 9, x + 13, y + 9), 0)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def execute(file: str, *, kind: str = "choice") -> dict[str, str]:
    """Write a small file of questions that runs as it is, to be filled with your own.

    Parameters
    ----------
    file : FILE
        what to write; its suffix says in which form
    kind
        choice, free, audio or image
    """
    return {"file": file, "remark": write_template(Path(file), kind)}


def show(results: dict[str, str]) -> str:
    """Return what was written, and what to do with it."""
    return say(reason(results["remark"]), spoken())
