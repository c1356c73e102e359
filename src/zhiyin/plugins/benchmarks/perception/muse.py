"""The published recordings (MUSE, Carone et al. 2025) as stimuli: 20 loops, 20 pairs, 44 chords.

The folder is as published: ``stimuli/Chords/N.wav`` (48), ``stimuli/Intermediate/*Sync*.wav``
(22) and ``stimuli/M*.wav``; ``stimuli/`` itself will do as well. A MIDI file beside a recording
and named like it (``17.mid``, or ``17.txt`` as mido prints it) serves the MIDI modality and says
what should be transcribed. Without one, the reference listener writes down LogicLM's worked
examples.

Which items are scored
----------------------
chords
    Roots and qualities by Table S1. One chord of each quality is a worked example; 44 remain.
syncopation
    Two of the five levels have five loops, three have four: with ``NoSync_A`` and ``Sync3_A``
    as worked examples, which are MUSE's own, 20 remain, four a level. ``Sync3_A`` seems to
    hold eight off-beats although its name says six; it is shown as level 6, as MUSE does.
transposition
    The twenty pairs of MUSE's own melody task, ten of one melody in two keys, ten of two
    melodies in a chain; its worked examples come from M11 and M12, which occur in no pair.

These worked examples are never scored, with examples or without, in a whole folder or a partial
one: all cells of the grid hold the same items. Where one is missing from a partial folder,
another takes its place in few-shot runs, and is not scored there.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from zhiyin.contract.declared import CheckResult, Flaw, Published
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.perception.tasks import (
    TASK_NAMES,
    TASKS,
    PerceptionSettings,
    PerceptionStimuli,
    PerceptionStimulus,
    TaskName,
    transcribe,
)
from zhiyin.sound import audio_part
from zhiyin.words import Said, said

DOUBTFUL = {"Sync3_A": said("perception-sync3")}
"""Recordings whose names may say something wrong."""


class MuseEntry(msgspec.Struct, frozen=True):
    """One published item: its neutral id, its recordings (without .wav), answer and facts."""

    id: str
    task: TaskName
    recordings: tuple[str, ...]
    answer: str
    fact: tuple[str, str | int]


def level_of(name: str) -> int:
    """The level, 0 to 4, in the name of a loop. Raises `InputError` for an unknown one."""
    match = re.fullmatch(r"(?:No|)Sync([0-4]?)_[A-Z]", name)
    if match is None or (match[1] == "") != name.startswith("No"):
        raise InputError(said("perception-level", name=name))
    return int(match[1] or 0)


def _read_entries() -> Iterator[tuple[str, MuseEntry]]:
    """The published items: as which worked example each may be shown, "" for those scored."""
    with Path(__file__).with_name("muse.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            value = int(row["value"]) if row["value"].isdecimal() else row["value"]
            fact, recordings = (row["fact"], value), row["recordings"].split(" + ")
            yield (
                row["shown"],
                msgspec.convert({**row, "fact": fact, "recordings": recordings}, MuseEntry),
            )


_ENTRIES = tuple(_read_entries())
SCORED: dict[TaskName, list[MuseEntry]] = {
    task: [entry for shown, entry in _ENTRIES if entry.task == task and not shown]
    for task in TASK_NAMES
}
CANDIDATES: dict[TaskName, list[list[MuseEntry]]] = {
    task: [
        [entry for shown, entry in _ENTRIES if entry.task == task and shown == place]
        for place in sorted({shown for shown, entry in _ENTRIES if entry.task == task and shown})
    ]
    for task in TASK_NAMES
}
"""For each worked example of a task those that may be it, the preferred one first."""


def open_muse(settings: PerceptionSettings) -> PerceptionStimuli:
    """The stimuli of a folder of published recordings.

    Raises
    ------
    InputError
        For a folder that is not of this form, a name that says an unknown level or chord,
        recordings or MIDI files that are missing (named).
    """
    folder, few = stimuli_folder(Path(settings.data or "")), settings.shows_examples
    files_by_name = recordings_in(folder, settings.tasks)
    if not settings.partial:
        _refuse_incomplete(folder, settings, files_by_name)
    bank, selections = PerceptionStimuli(), []
    for task in settings.tasks:
        shown = _choose_examples(folder, task, files_by_name) if few else []
        usual, taken = names_of(preferred(task)), names_of(shown)
        published = [entry for entry in SCORED[task] if usual.isdisjoint(entry.recordings)]
        there = [entry for entry in published if files_by_name.keys() >= set(entry.recordings)]
        kept = [entry for entry in there if taken.isdisjoint(entry.recordings)]
        if not kept:
            raise InputError(said("perception-none-kept", folder=folder, task=task))
        if len(kept) < len(published):
            n, of, examples = len(kept), len(published), len(there) - len(kept)
            part = said("perception-partial", task=task, n=n, of=of, examples=examples)
            bank.remarks.append(part)
        selections.append((task, kept, shown))
    _refuse_without_midi(selections, files_by_name, settings)
    for task, kept, shown in selections:
        bank.scored += [stimulus_of(entry, files_by_name) for entry in kept]
        bank.exemplars[task] = [stimulus_of(entry, files_by_name) for entry in shown]
    if settings.shows_examples and "logiclm" in settings.strategy:  # shown even where all is heard
        _transcribe_by_ear(bank, files_by_name)
    bank.remarks += _doubts(chain.from_iterable(bank.exemplars.values()))
    return bank


def _refuse_incomplete(
    folder: Path, settings: PerceptionSettings, files_by_name: dict[str, Path]
) -> None:
    """Raise `InputError` that names every recording that is missing."""
    expected = names_of(chain.from_iterable(SCORED[task] for task in settings.tasks))
    if settings.shows_examples:
        expected |= names_of(chain.from_iterable(preferred(task) for task in settings.tasks))
    missing = sorted(expected - files_by_name.keys(), key=by_number)
    if missing:
        names = [f"{name}.wav" for name in missing]
        raise InputError(
            said("perception-lacks", folder=folder, n=len(missing), of=len(expected), names=names)
        )


def stimuli_folder(data: Path) -> Path:
    """Find the folder of the recordings. Raises `InputError` where there are none."""
    for folder in (data / "stimuli", data):
        if (folder / "Chords").is_dir() or (folder / "Intermediate").is_dir():
            return folder
    if (data / "stimuli").is_dir():
        return data / "stimuli"
    raise InputError(f"{data}: no stimuli/ in it; give the folder of the MUSE recordings")


def recordings_in(folder: Path, tasks: Sequence[TaskName]) -> dict[str, Path]:
    """The recordings that are there, by name without .wav."""
    files_by_name: dict[str, Path] = {}
    if "chords" in tasks:
        for path in folder.glob("Chords/*.wav"):
            if not (path.stem.isdecimal() and str(int(path.stem)) == path.stem) or not (
                1 <= int(path.stem) <= len(SCORED["chords"])
            ):
                raise InputError(f"{path}: no such chord; Table S1 has 1.wav to 48.wav")
            files_by_name[path.stem] = path
    if "syncopation" in tasks:
        for path in folder.glob("Intermediate/*Sync*.wav"):
            level_of(path.stem)
            files_by_name[path.stem] = path
    if "transposition" in tasks:
        files_by_name |= {path.stem: path for path in folder.glob("M[0-9]*_*.wav")}
    return files_by_name


def preferred(task: TaskName) -> list[MuseEntry]:
    """The worked examples of a whole set."""
    return [candidates[0] for candidates in CANDIDATES[task]]


def _choose_examples(
    folder: Path, task: TaskName, files_by_name: dict[str, Path]
) -> list[MuseEntry]:
    shown = []
    for candidates in CANDIDATES[task]:
        example = next((e for e in candidates if files_by_name.keys() >= set(e.recordings)), None)
        if example is None:
            names = [f"{name}.wav" for name in candidates[0].recordings]
            raise InputError(said("perception-no-example", folder=folder, task=task, names=names))
        shown.append(example)
    return shown


def _refuse_without_midi(
    chosen: Sequence[tuple[TaskName, list[MuseEntry], list[MuseEntry]]],
    files_by_name: dict[str, Path],
    settings: PerceptionSettings,
) -> None:
    """Raise `InputError` that names every MIDI file that is needed and missing."""
    needed: set[str] = set()
    for _, kept, shown in chosen:
        needed |= names_of([*kept, *shown]) if "midi" in settings.modality else set()
    absent = [name for name in needed if score_of(files_by_name[name]) is None]
    if absent:
        names = [f"{name}.mid" for name in sorted(absent, key=by_number)]
        raise InputError(said("perception-no-midi", names=names))


def _transcribe_by_ear(bank: PerceptionStimuli, files_by_name: dict[str, Path]) -> None:
    """Let the reference listener write down the worked examples that have no MIDI file.

    What it hears is taken where the solver decides from it as the key says. What is known to be
    named wrongly need not agree.

    Raises
    ------
    InputError
        Of an example it is not sure; all of them are named.
    """
    from zhiyin.plugins.music.listener import hear

    names, unsure = list[str](), list[str]()
    for task, shown in bank.exemplars.items():
        for number, example in enumerate(shown):
            if example.transcription is not None:
                continue
            files = str(example.facts["recording"]).split(" + ")
            heard = hear(task, [files_by_name[name] for name in files])
            each = heard["melodies"] if task == "transposition" else [heard]
            rows = tuple(
                tuple(one["pitches"]) if "pitches" in one
                else tuple(sorted({*one["kicks"], *one["snares"]}))
                for one in each
            )  # fmt: skip
            decision = TASKS[task].decide(rows)
            if decision and (decision.key == example.answer or DOUBTFUL.keys() & {*files}):
                shown[number] = msgspec.structs.replace(example, transcription=rows)
                names += [name for name in files if name not in names]
            else:
                unsure += [name for name in files if score_of(files_by_name[name]) is None]
    if unsure:
        listed = [f"{name}.mid" for name in dict.fromkeys(unsure)]
        raise InputError(said("perception-unsure", names=listed))
    if names:
        bank.remarks.append(said("perception-by-ear", names=names))


def score_of(recording: Path) -> Path | None:
    """The MIDI file beside a recording, or else its text; None where there is neither."""
    beside = (recording.with_suffix(suffix) for suffix in (".mid", ".txt"))
    return next((path for path in beside if path.is_file()), None)


def stimulus_of(entry: MuseEntry, files_by_name: dict[str, Path]) -> PerceptionStimulus:
    """An entry with its recordings, and its MIDI files where it has them all."""
    recordings = [files_by_name[name] for name in entry.recordings]
    scores = [score for path in recordings if (score := score_of(path))]
    paths = tuple(map(str, scores)) if len(scores) == len(recordings) else ()
    return PerceptionStimulus(
        id=entry.id,
        task=entry.task,
        sounds=tuple(map(str, recordings)),
        scores=paths,
        answer=entry.answer,
        facts={entry.fact[0]: entry.fact[1], "recording": " + ".join(entry.recordings)},
        transcription=transcribe(entry.task, paths) if paths else None,
    )


def _doubts(shown: Iterable[PerceptionStimulus]) -> list[Said]:
    return [
        said("perception-doubt", file=f"{name}.wav", doubt=doubt)
        for stimulus in shown
        for name, doubt in DOUBTFUL.items()
        if stimulus.facts["recording"] == name
    ]


def names_of(entries: Iterable[MuseEntry]) -> set[str]:
    """The recordings of some entries."""
    return {name for entry in entries for name in entry.recordings}


def by_number(name: str) -> tuple[int, str]:
    """Sort chord numbers by value, other names by spelling."""
    return (int(name), "") if name.isdecimal() else (0, name)


def check_folder(data: str, partial: bool, published: Published) -> CheckResult:
    """Look through a folder of published recordings.

    Parameters
    ----------
    data : str
        The folder.
    partial : bool
        Whether missing recordings are a note rather than flaws.
    published : Published

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
    folder = stimuli_folder(Path(data))
    files_by_name = recordings_in(folder, TASK_NAMES)
    entries = list(chain.from_iterable(SCORED.values()))
    entries += [entry for task in TASK_NAMES for entry in preferred(task)]
    entries = list({entry.id: entry for entry in entries}.values())
    missing = sorted(names_of(entries) - files_by_name.keys(), key=by_number)
    flaws = (
        []
        if partial
        else [Flaw("missing", f"{name}.wav", name, said("flaw-not-there")) for name in missing]
    )
    whole = [entry for entry in entries if files_by_name.keys() >= set(entry.recordings)]
    for name in sorted(names_of(whole), key=by_number):
        flaws += _flaws_of_recording(name, files_by_name[name])
    flaws += _altered(whole, files_by_name, published.recordings)
    for entry in whole:
        flaws += _disagreement(entry, files_by_name)
    total = len(names_of(entries))
    notes = [said("data-published", n=total - len(missing), of=total)]
    return CheckResult(len(whole), flaws, notes)


def _altered(
    entries: list[MuseEntry],
    files_by_name: dict[str, Path],
    published: Mapping[str, Sequence[str | None]],
) -> Iterator[Flaw]:
    """Recordings that are not the published ones, as far as we have seen those."""
    seen: set[str] = set()
    for entry in entries:
        known = published.get(" + ".join(entry.recordings)) or []
        for name, sha256 in zip(entry.recordings, known, strict=False):
            if name in seen or sha256 is None:
                continue
            seen.add(name)
            if hashlib.sha256(files_by_name[name].read_bytes()).hexdigest() != sha256:
                yield Flaw("altered", files_by_name[name].name, name, said("flaw-altered"))


def _flaws_of_recording(name: str, path: Path) -> Iterator[Flaw]:
    try:
        audio_part(path)
    except InputError as error:
        yield Flaw("unreadable", path.name, name, str(error))
    if name in DOUBTFUL:
        yield Flaw("doubtful label", path.name, name, DOUBTFUL[name])


def _disagreement(entry: MuseEntry, files_by_name: dict[str, Path]) -> Iterator[Flaw]:
    """Compare, where there are MIDI files, the solver's decision with the name's answer."""
    scores = [score_of(files_by_name[name]) for name in entry.recordings]
    files = " + ".join(score.name for score in scores if score)
    try:
        stimulus = stimulus_of(entry, files_by_name)
    except InputError as error:
        yield Flaw("unreadable", files, entry.id, str(error))
        return
    if stimulus.transcription is None:
        return
    decision = TASKS[entry.task].decide(stimulus.transcription)
    decided = "undecidable" if decision is None else decision.key
    if decided != entry.answer:
        detail = said("perception-disagrees", name=entry.answer, midi=decided)
        yield Flaw("disagreement", files, entry.id, detail)
