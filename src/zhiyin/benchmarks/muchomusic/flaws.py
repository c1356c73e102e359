"""What is wrong with the data: flaws of questions, and of the recordings, every one decoded."""

from __future__ import annotations

import hashlib
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from zhiyin.benchmarks.muchomusic.data import Question, find_questions, read_questions
from zhiyin.benchmarks.muchomusic.dimensions import is_known
from zhiyin.benchmarks.muchomusic.library import Recording, find_recordings
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.contract.sheets import Fault
from zhiyin.errors import InputError
from zhiyin.recording import blocks, fault_of, read_regular

SILENT = 1e-4
"""Peak below which a recording is called silent, full scale being 1 (-80 dB)."""
SHORT_S = 0.5
"""By how many seconds a recording may fall short of what is declared."""
_THREADS = 2


class Decoded(msgspec.Struct, frozen=True):
    """What decoding a recording gave.

    `seconds` decoded and `header_s` as the header says; `peak` of all samples; `sha256` of the
    decoded samples; `error` where nothing could be decoded; `fault` where it is not whole.
    """

    seconds: float = 0.0
    header_s: float = 0.0
    peak: float = 0.0
    sha256: str = ""
    error: str = ""
    fault: str = ""


def check_folder(data: str | None, partial: bool = False) -> CheckResult:
    """Every flaw of the questions and recordings in the folder `data`.

    With `partial`, a missing recording is none.

    Raises
    ------
    InputError
        There is no such folder, or the questions cannot be read at all.
    """
    path = find_questions(data)
    flaws: list[Flaw] = []

    def note(fault: Fault) -> None:
        flaws.append(Flaw(fault.kind, path.name, fault.id, f"line {fault.line}: {fault.problem}"))

    questions = read_questions(path, note)
    flaws += find_flaws(path, questions)
    recordings = find_recordings(path.parent, questions)
    places = dict.fromkeys(question.place for question in questions)
    if not partial:
        absent = (place for place in places if place not in recordings)
        flaws += [Flaw("missing", "", place, "no recording was found") for place in absent]
    flaws += _recording_flaws(recordings)
    lacking, counted = _against_published(questions, len(places))
    flaws += [
        Flaw("incomplete", path.name, part, detail) for part, detail in lacking if not partial
    ]
    tracks = Counter(place.partition("/")[0] for place in recordings)
    notes = [f"{len(questions)} questions on {len(places)} tracks"]
    notes += [f"{count} recordings of {dataset}" for dataset, count in tracks.items()]
    notes += counted
    return CheckResult(len(questions), flaws, notes)


def _against_published(
    questions: Sequence[Question], tracks: int
) -> tuple[list[tuple[str, str]], list[str]]:
    """Which data sets have another number of questions than published; and how many there are.

    A folder with neither of the published data sets is a set of its own.
    """
    from zhiyin.benchmarks.muchomusic.benchmark import MuChoMusic

    published = MuChoMusic.expected()
    here = Counter(f"source/{question.dataset}" for question in questions)
    if not any(here[part] for part in published.parts):
        return [], ["none of the published data sets is here: this is a set of its own"]
    lacking, notes = [], []
    for part in published.parts:
        name, told = part.removeprefix("source/"), f"{here[part]:,} of {published.counts[part]:,}"
        notes.append(f"{told} published questions of {name}, by their number")
        if here[part] != published.counts[part]:
            lacking.append((name, f"{told} published questions"))
    if not lacking and tracks != published.clusters:
        lacking.append(("", f"{tracks:,} of {published.clusters:,} published tracks"))
    return lacking, notes


def find_flaws(path: Path, questions: Sequence[Question]) -> list[Flaw]:
    """What is wrong with questions that can be asked all the same."""
    flaws: list[Flaw] = []
    asked: dict[tuple[str, ...], Question] = {}
    genres: dict[str, Question] = {}
    for question in questions:
        flaws += (
            Flaw(kind, path.name, question.id, f"line {question.line}: {detail}")
            for kind, detail in _own_flaws(question)
        )
        key = (question.place, _folded(question.text), *sorted(map(_folded, question.options)))
        if (twin := asked.setdefault(key, question)) is not question:
            detail = f"line {question.line}: repeats {twin.id}"
            flaws.append(Flaw("repeated-question", path.name, question.id, detail))
        first = genres.setdefault(question.place, question)
        if first.genre != question.genre:
            detail = (
                f"line {question.line}: genre {question.genre}, but {first.genre} in {first.id}"
            )
            flaws.append(Flaw("conflicting-genre", path.name, question.id, detail))
    return flaws


def _own_flaws(question: Question) -> Iterator[tuple[str, str]]:
    texts = [_folded(text) for text in question.options]
    if texts[0] in texts[1:]:
        yield "target-among-distractors", f"{question.options[0]!r} is also a distractor"
    if len(set(texts[1:])) < len(texts) - 1:
        yield "repeated-option", "two distractors are the same"
    for category in ("knowledge", "reasoning"):
        for label in getattr(question, category):
            if not is_known(category, label):
                yield "unknown-dimension", f"{label!r} is no dimension of {category}"
    if not question.knowledge and not question.reasoning:
        yield "no-dimension", "neither knowledge nor reasoning"


def _folded(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def _recording_flaws(recordings: dict[str, Recording]) -> Iterator[Flaw]:
    """What is wrong with the recordings, in the order of the data."""
    seen: dict[str, str] = {}
    with ThreadPoolExecutor(_THREADS) as pool:
        decoded = pool.map(_decode, recordings.values())
        for (place, recording), heard in zip(recordings.items(), decoded, strict=True):
            for kind, detail in _heard_flaws(recording, heard):
                yield Flaw(kind, recording.name, place, detail)
            if heard.error or heard.peak < SILENT:
                continue
            if (twin := seen.setdefault(heard.sha256, place)) != place:
                yield Flaw("duplicate", recording.name, place, f"sounds exactly like {twin}")


def _heard_flaws(recording: Recording, heard: Decoded) -> Iterator[tuple[str, str]]:
    if heard.error:
        yield "unreadable", heard.error
        return
    if heard.peak < SILENT:
        yield "silent", f"no sample of its {heard.seconds:.1f} s is louder than -80 dB"
    declared = heard.header_s if recording.declared is None else recording.declared
    if heard.seconds < declared - SHORT_S:
        said = "its header" if recording.declared is None else "the data set"
        yield "short", f"{heard.seconds:.1f} s can be decoded, {said} says {declared:.1f} s"
    elif heard.fault:
        yield "broken-off", f"{heard.fault}; {heard.seconds:.1f} s can be decoded"


def _decode(recording: Recording) -> Decoded:
    """Decode a recording block by block, so that its length costs no memory."""
    import numpy as np
    import soundfile

    digest = hashlib.sha256()
    peak, frames = 0.0, 0
    try:
        data = read_regular(recording.open())
        with soundfile.SoundFile(io.BytesIO(data)) as source:
            rate, header = source.samplerate, source.frames
            fault = fault_of(source, data)
            source.seek(0)
            digest.update(f"{rate} {source.channels}".encode())
            for block in blocks(source):
                if not np.isfinite(block).all():
                    return Decoded(error="holds samples that are no numbers")
                digest.update(block.tobytes())
                peak = max(peak, float(np.abs(block).max()))
                frames += len(block)
    except (OSError, soundfile.SoundFileError, TypeError, ValueError, InputError) as error:
        return Decoded(error=f"cannot be decoded ({' '.join(str(error).split())})")
    if not frames:
        return Decoded(error="holds no samples")
    return Decoded(frames / rate, header / rate, peak, digest.hexdigest(), fault=fault or "")
