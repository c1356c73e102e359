"""A small benchmark of ours in the published layout: composed pieces, and questions about them.

`zhiyin data make muchomusic` writes it: ``muchomusic.csv``, ``audio/``, and beside them
``midi/`` and ``truth.jsonl``. docs/benchmarks/muchomusic-small.md is its page.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.benchmarks.muchomusic.data import COLUMNS
from zhiyin.benchmarks.muchomusic.data import NAME as QUESTIONS
from zhiyin.benchmarks.muchomusic.small_questions import Asked, draw_questions
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.flags import Flag

if TYPE_CHECKING:
    from zhiyin.music.pieces import Piece
    from zhiyin.music.render import Renderer

DATASET = "zhiyin"
"""The value of the ``dataset`` column: these recordings are of neither published set."""
TRUTH = "truth.jsonl"
CLIPS = (4, 500)
"""How few and how many clips can be asked for."""
PER_CLIP = 5
_THREADS = 2


class Making(msgspec.Struct, frozen=True):
    """What may be set of it."""

    out: Annotated[str | None, Flag("the folder to write to", "DIR")] = None
    seed: Annotated[int, Flag("0 or more (default 0)")] = 0
    clips: Annotated[int, Flag("how many clips")] = 20
    renderer: Annotated[str, Flag("as for `zhiyin stimuli make`")] = "auto"


def make(options: dict[str, Any]) -> str:
    """Compose, render and ask.

    Parameters
    ----------
    options : dict
        ``out`` (a folder, made if absent), ``seed`` (0 or more), ``clips`` (within `CLIPS`) and
        ``renderer`` (a name for `render.open_renderer`); the last three default to 0, 20 and
        "auto".

    Returns
    -------
    str
        What was made, in one line.

    Raises
    ------
    InputError
        A value makes no sense, `out` is absent or holds questions already, or cannot be written.
    """
    from zhiyin.music.pieces import pieces
    from zhiyin.music.render import open_renderer

    out, seed, clips = _checked(options)
    renderer = open_renderer(str(options.get("renderer") or "auto"))
    composed = list(islice(pieces(seed), clips))
    names = [clip_name(seed, number) for number in range(1, clips + 1)]
    asked = draw_questions([piece.facts for piece in composed], seed, PER_CLIP)
    try:
        for folder in ("audio", "midi"):
            (out / folder).mkdir(parents=True, exist_ok=True)
        truth = list(_write_clips(out, names, composed, renderer))
        (out / TRUTH).write_bytes(b"".join(truth))
        _write_questions(out / QUESTIONS, names, composed, asked)
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror}): give another --out") from (
            error
        )
    seconds = sum(piece.seconds for piece in composed)
    return (
        f"{len(asked)} questions on {clips} clips ({seconds:.0f} s in all) in {out}, "
        f"by {renderer.label}"
    )


def clip_name(seed: int, number: int) -> str:
    """The identifier of a clip: a hash, so that a file's name says nothing of what is in it."""
    return "clip_" + hashlib.sha256(f"{seed}/{number}".encode()).hexdigest()[:8]


def _checked(options: dict[str, Any]) -> tuple[Path, int, int]:
    """Folder, seed and number of clips."""
    if not options.get("out"):
        raise InputError("making muchomusic's small benchmark needs --out, a folder to write to")
    out = Path(options["out"])
    seed = 0 if options.get("seed") is None else int(options["seed"])
    clips = 20 if options.get("clips") is None else int(options["clips"])
    if seed < 0:
        raise InputError(f"--seed {seed} is negative: give 0 or more")
    if not CLIPS[0] <= clips <= CLIPS[1]:
        raise InputError(f"--clips {clips} lies outside {CLIPS[0]}-{CLIPS[1]}")
    if (out / QUESTIONS).exists():
        raise InputError(f"{out} holds questions already: give another folder, or remove this one")
    return out, seed, clips


def _write_clips(
    out: Path, names: Sequence[str], composed: Sequence[Piece], renderer: Renderer
) -> Iterator[bytes]:
    """Write sound and MIDI of each clip; yields its line of the truth file.

    One renderer plays one piece at a time, while another thread packs the one before.
    """
    from zhiyin.music.midi import midi_bytes
    from zhiyin.music.pieces import render_piece

    with ThreadPoolExecutor(_THREADS) as pool:
        packed = []
        for name, piece in zip(names, composed, strict=True):
            packed.append(pool.submit(_flac, render_piece(piece, renderer)))
            (out / "midi" / f"{name}.mid").write_bytes(midi_bytes(piece.score))
        for name, piece, job in zip(names, composed, packed, strict=True):
            content = job.result()
            (out / "audio" / f"{name}.flac").write_bytes(content)
            line = {
                "id": name,
                "audio": f"audio/{name}.flac",
                "sha256": hashlib.sha256(content).hexdigest(),
                "midi": f"midi/{name}.mid",
                "seconds": round(piece.seconds, 3),
                "metre": piece.metre,
                "plan": piece.plan,
                "sections": piece.sections,
                "facts": piece.facts,
                "renderer": renderer.label,
            }
            yield msgspec.json.encode(line, order="deterministic") + b"\n"


def _flac(samples: Any) -> bytes:
    """Samples at the renderer's rate as a 16-bit FLAC file, made in memory."""
    import soundfile

    from zhiyin.music.render import RATE

    buffer = io.BytesIO()
    soundfile.write(buffer, samples, RATE, format="FLAC", subtype="PCM_16")
    return buffer.getvalue()


def _write_questions(
    path: Path, names: Sequence[str], composed: Sequence[Piece], asked: Sequence[Asked]
) -> None:
    """Write the questions in the published columns, in one step."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for question in asked:
        knowledge, reasoning = question.labels
        writer.writerow(
            [
                question.stem,
                *question.options,
                DATASET,
                f"{names[question.clip]}.json",
                composed[question.clip].plan.style,
                str(list(knowledge)),
                str(list(reasoning)),
            ]
        )
    write_atomically(path, text.getvalue().encode())
