"""`zhiyin card`: what may be concluded from a benchmark, as far as that is known.

`zhiyin seed`: when the questions of a run were chosen.

`zhiyin data template FILE`: a small file of questions that runs as it is.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import write_atomically
from zhiyin.words import said, say, spoken
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.contract.declared import CheckResult


def rewrite_card(arguments: Sequence[str]) -> list[str]:
    """`card FILE` is `card questions --data FILE`."""
    from zhiyin.contract.arguments import file_as_data

    return file_as_data(arguments)


def card(
    benchmark: str,
    runs: tuple[Path, ...] = (),
    *,
    data: str | None = None,
    check: bool = False,
    errata: Path | None = None,
    json: bool = False,
) -> int:
    """A benchmark's validity card: what it measures, and what that rests on.

    Answered from what the benchmark declares and what runs of it hold. What nobody has looked at is
    not known, with the command that would tell.

    Parameters
    ----------
    benchmark
        which benchmark, or a file of your own questions
    runs : RUN
        runs of it
    data : DIR
        the folder of its data
    check
        also look for flaws in its data, as `zhiyin data check` does
    errata : FILE
        of `zhiyin errata`: flaws of its items that were proved
    """
    from zhiyin.contract.arguments import OWN
    from zhiyin.contract.registry import find
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.methods.validity import CardEvidence, card_of
    from zhiyin.runs.pairing import check_benchmark

    kind = find(benchmark)
    if runs:
        check_benchmark(runs, [read_manifest(run) for run in runs])
    found = [kind.check({"data": data or kind.fetched({}), "partial": False})] if check else []
    if errata is not None:
        found.append(_proved(errata, kind.name))
    asked = data if data and benchmark == OWN else benchmark
    made = card_of(CardEvidence(kind, runs, asked, found))
    if json:
        print_json(made)
        return 0
    console = open_console(markup=False)
    with console.paged():
        console.say(made.told, 0)
        console.print_table(made.table(commands=False))
        for one in made.answers:  # a cell of a table would fold what is to be copied
            if one.command:
                question = said("card-question", which=one.question, sources=one.sources)
                console.say_command(question, one.command)
    return 0


def _proved(file: Path, benchmark: str) -> CheckResult:
    """The flaws in a file of errata. Raises `InputError` where it is of another benchmark."""
    from zhiyin.contract.arguments import OWN
    from zhiyin.contract.declared import CheckResult, Flaw
    from zhiyin.plugins.making.errata.finding import read_errata

    found = read_errata(file)
    own = benchmark == OWN and found.head.benchmark.startswith(f"{OWN}-")  # called after its file
    if found.head.benchmark != benchmark and not own:
        raise InputError(
            said("errata-other", file=file, benchmark=found.head.benchmark, benchmarkb=benchmark)
        )
    flaws = [Flaw(line.rule, "", line.item, line.says) for line in found.lines]
    return CheckResult(found.head.items, flaws)


def seed(
    file: Path,
    *,
    check: str | None = None,
    run: tuple[str, ...] = (),
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Draw a private seed, or prove one.

    A new FILE holds the seed; its commitment is printed, to be published before any model is asked.
    `zhiyin run --private-seed FILE` uses it. With --check, prove it afterwards.

    Parameters
    ----------
    file : FILE
        of the seed; a new one, or with --check one that is there
    check : COMMITMENT
        whether the seed is the one committed to
    run : RUN
        with --check: a run that was made with it; several: give it again
    """
    from zhiyin.plugins.making.private_seeds import (
        check_commitment,
        check_run,
        make_seed,
        read_seed,
    )

    console = open_console()
    if check is None:
        if run:
            raise InputError(said("seed-run"))
        made = make_seed(file)
        if json:
            print_json({"file": str(file), "commitment": made.commitment})
        else:
            console.say(said("seed-kept", file=str(file)), 0)
            console.say(said("seed-commitment", commitment=made.commitment), 0)
        return 0
    secret = read_seed(file)
    check_commitment(secret, check)
    read_by(benchmark_file, [Path(one) for one in run])
    for one in run:
        check_run(secret, Path(one))
    if json:
        print_json({"seed": secret.seed, "commitment": secret.commitment, "runs": run})
        return 0
    console.say(said("seed-proved", seed=str(secret.seed)), 0)
    for one in run:
        console.say(said("seed-of-run", run=one), 2)
    return 0


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
        raise InputError(said("template-suffix", path=path, suffixes=[*_SUFFIXES]))
    beside = _beside(path.parent, kind)
    for each, data in ((path, None), *beside.items()):
        # Those beside it are as a template that was killed left them, or somebody's own.
        if each.exists() and (data is None or each.read_bytes() != data):
            raise InputError(said("making-there", path=each))
    with reworded(said("error-unwritten", path=path, why="")):
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
