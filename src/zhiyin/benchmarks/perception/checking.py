"""Whether a folder of published recordings is whole and sound, and which labels are doubtful."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from zhiyin.benchmarks.perception import muse
from zhiyin.benchmarks.perception.settings import TASK_NAMES
from zhiyin.benchmarks.perception.tasks import TASKS
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.errors import InputError
from zhiyin.sound import audio_part


def check_folder(data: str, partial: bool) -> CheckResult:
    """Look through a folder of published recordings.

    Parameters
    ----------
    data : str
        The folder.
    partial : bool
        Whether missing recordings are a note rather than flaws.

    Returns
    -------
    CheckResult
        `items` counts the scored items and worked examples whose recordings are all there. Kinds
        of flaws: ``missing``, ``unreadable``, ``altered``, ``doubtful label``, and
        ``disagreement`` where the MIDI file beside a recording decides otherwise than its name.

    Raises
    ------
    InputError
        For a folder that is not of the published form, or a name that says something unknown.
    """
    folder = muse.stimuli_folder(Path(data))
    files_by_name = muse.recordings_in(folder, TASK_NAMES)
    entries = list(chain.from_iterable(muse.SCORED.values()))
    entries += [entry for task in TASK_NAMES for entry in muse.preferred(task)]
    entries = list({entry.id: entry for entry in entries}.values())
    missing = sorted(muse.names_of(entries) - files_by_name.keys(), key=muse.by_number)
    flaws = (
        []
        if partial
        else [
            Flaw("missing", f"{name}.wav", name, "a published recording is not there")
            for name in missing
        ]
    )
    whole = [entry for entry in entries if files_by_name.keys() >= set(entry.recordings)]
    for name in sorted(muse.names_of(whole), key=muse.by_number):
        flaws += _flaws_of_recording(name, files_by_name[name])
    flaws += _altered(whole, files_by_name)
    for entry in whole:
        flaws += _disagreement(entry, files_by_name)
    total = len(muse.names_of(entries))
    notes = [f"{total - len(missing)} of {total} published recordings are there"]
    return CheckResult(len(whole), flaws, notes)


def _altered(entries: list[muse.Entry], files_by_name: dict[str, Path]) -> Iterator[Flaw]:
    """Recordings that are not the published ones, as far as we have seen those."""
    from zhiyin.benchmarks.perception.benchmark import Perception

    published = Perception.expected().recordings
    seen: set[str] = set()
    for entry in entries:
        known = published.get(" + ".join(entry.recordings)) or []
        for name, sha256 in zip(entry.recordings, known, strict=False):
            if name in seen or sha256 is None:
                continue
            seen.add(name)
            if hashlib.sha256(files_by_name[name].read_bytes()).hexdigest() != sha256:
                yield Flaw("altered", files_by_name[name].name, name, "not the published recording")


def _flaws_of_recording(name: str, path: Path) -> Iterator[Flaw]:
    try:
        audio_part(path)
    except InputError as error:
        yield Flaw("unreadable", path.name, name, str(error))
    if name in muse.DOUBTFUL:
        yield Flaw("doubtful label", path.name, name, muse.DOUBTFUL[name])


def _disagreement(entry: muse.Entry, files_by_name: dict[str, Path]) -> Iterator[Flaw]:
    """Where there are MIDI files: what the solver makes of them, against the name's answer."""
    scores = [muse.score_of(files_by_name[name]) for name in entry.recordings]
    files = " + ".join(score.name for score in scores if score)
    try:
        stimulus = muse.stimulus_of(entry, files_by_name)
    except InputError as error:
        yield Flaw("unreadable", files, entry.id, str(error))
        return
    if stimulus.transcription is None:
        return
    decision = TASKS[entry.task].decide(stimulus.transcription)
    decided = "undecidable" if decision is None else decision.key
    if decided != entry.answer:
        detail = f"the name says {entry.answer}, the MIDI file {decided}"
        yield Flaw("disagreement", files, entry.id, detail)
