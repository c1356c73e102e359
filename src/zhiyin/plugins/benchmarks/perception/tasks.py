"""The three tasks: what is played, what may be answered, the solver, and what the user may set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import msgspec

from zhiyin.contract import Way, conditions
from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.music import solvers
from zhiyin.plugins.music.logiclm import Decision, Values
from zhiyin.plugins.music.midi import KICKS, SNARES, read_midi
from zhiyin.plugins.music.solvers import Kind
from zhiyin.trial import Option, Tag
from zhiyin.words import Said, said

TaskName = Literal["syncopation", "transposition", "chords"]
Transcription = tuple[tuple[int, ...], ...]


class PerceptionStimulus(msgspec.Struct, frozen=True):
    """One thing that is played, generated or recorded.

    Attributes
    ----------
    id : str
        Neutral: says nothing of the answer.
    task : {"syncopation", "transposition", "chords"}
    sounds : tuple of str
        Paths of the recordings, two for transposition, else one.
    scores : tuple of str
        Paths of the MIDI files, in the same order; empty where there are none.
    answer : str
        Key of the right option.
    facts : dict
        What breakdowns are made by: level, quality or kind, and where the item is from.
    transcription : tuple of tuple of int, or None
        What the schema lines should hold, a sequence for each sound: slots of kick and snare,
        or MIDI pitches. None where it is not written down.
    """

    id: str
    task: TaskName
    sounds: tuple[str, ...]
    scores: tuple[str, ...]
    answer: str
    facts: dict[str, Tag]
    transcription: Transcription | None


class PerceptionStimuli(msgspec.Struct):
    """The stimuli of a run: those that are scored, those that are shown as worked examples."""

    scored: list[PerceptionStimulus] = []
    exemplars: dict[TaskName, list[PerceptionStimulus]] = {}
    remarks: list[Said] = []


class Task(msgspec.Struct, frozen=True):
    """The fixed facts of a task.

    Attributes
    ----------
    kind : {"rhythm", "melody", "chord"}
        The schema of its transcription.
    options : tuple of Option
    decide : callable
        The solver: from a transcription to a decision, None where there is none.
    published : int
        Number of scored items in the paper.
    generated : int
        Number of items made by default: each root and quality once for chords, else as
        published.
    """

    name: TaskName
    kind: Kind
    options: tuple[Option, ...]
    decide: Callable[[Values], Decision | None]
    published: int
    generated: int

    @property
    def ids(self) -> tuple[str, ...]:
        """The identifiers under which a trial's sounds are introduced."""
        return identifiers("clip", 2 if self.kind == "melody" else 1)


def identifiers(word: str, count: int, before: int = 0) -> tuple[str, ...]:
    """Neutral names for `count` sounds, numbered on from `before`: clip1, clip2, ..."""
    return tuple(f"{word}{before + number}" for number in range(1, count + 1))


def transcribe(task: TaskName, scores: Sequence[str]) -> Transcription:
    """Transcribe MIDI files into what the schema lines should hold.

    Kick and snare are the General MIDI drums 35, 36 and 37, 38, 40, moved to the nearest eighth
    note at the file's own tempo; melodies are in the order of their onsets; chords low to high.

    Raises
    ------
    InputError
        For a file that cannot be read, or hits outside the four bars.
    """
    rows = []
    for path in scores:
        score = read_midi(path)
        if task == "syncopation":
            hits = [note.start for note in score.notes if note.pitch in KICKS | SNARES]
            row = sorted({round(start * score.tempo / 30) + 1 for start in hits})
            if row and row[-1] not in solvers.SLOTS:
                raise InputError(f"{path}: a hit lies after bar 4; cut the file to four bars")
        elif task == "transposition":
            row = [note.pitch for note in sorted(score.notes)]
        else:
            row = sorted({note.pitch for note in score.notes})
        rows.append(tuple(row))
    return tuple(rows)


def _decide_rhythm(values: Values) -> Decision | None:
    # The published solver gives 0 for an empty list; a loop in which nothing was heard is no
    # evidence of steadiness, so that nothing is decided from it here.
    (slots,) = values
    count = solvers.count_offbeats(slots)
    letter = solvers.syncopation_letter(count) if slots else None
    if letter is None:
        return None
    return Decision(letter, f"{count} hits of kick and snare fall on off-beats.")


def _decide_melodies(values: Values) -> Decision | None:
    verdict = solvers.are_transpositions(*values)
    if verdict is None:
        return None
    words = "ARE" if verdict else "ARE NOT"
    return Decision(
        "Yes" if verdict else "No", f"the two melodies {words} transpositions of each other."
    )


def _decide_chord(values: Values) -> Decision | None:
    (pitches,) = values
    quality = solvers.chord_quality(pitches)
    if quality is None:
        return None
    return Decision(solvers.CHORD_LETTERS[quality], f"the chord is {quality.capitalize()}.")


DEGREES = {"A": "no", "B": "low", "C": "medium-low", "D": "medium-high", "E": "high"}

TASKS: dict[TaskName, Task] = {
    "syncopation": Task(
        "syncopation",
        "rhythm",
        tuple(
            Option(letter, f"{level} ({DEGREES[letter]} syncopation)", letter)
            for letter, level in solvers.LEVELS.items()
        ),
        _decide_rhythm,
        published=20,
        generated=20,
    ),
    "transposition": Task(
        "transposition",
        "melody",
        (
            Option("A", "Yes, these are the same melody.", "Yes"),
            Option("B", "No, these are not the same melody.", "No"),
        ),
        _decide_melodies,
        published=20,
        generated=20,
    ),
    "chords": Task(
        "chords",
        "chord",
        tuple(
            Option(letter, quality.capitalize(), letter)
            for quality, letter in solvers.CHORD_LETTERS.items()
        ),
        _decide_chord,
        published=44,
        generated=48,
    ),
}


Modality = Literal["audio", "midi"]
Shots = Literal["zero", "few"]
How = Literal["standalone", "cot", "logiclm"]
TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)
MODALITIES: tuple[Modality, ...] = get_args(Modality)
SHOTS: tuple[Shots, ...] = get_args(Shots)
STRATEGIES: tuple[How, ...] = get_args(How)
STRATEGY = Way("strategy")
WAYS = (
    *(Way("modality", contrast="midi", changes="medium"), conditions.TASK),
    *(conditions.SHOTS, STRATEGY),
)


class PerceptionSettings(msgspec.Struct, frozen=True):
    """The grid, and where its stimuli come from."""

    task: Annotated[
        tuple[TaskName, ...],
        Flag(f"of {','.join(TASK_NAMES)}; default all", "T,...", once=True, chooses=True),
    ] = ()
    modality: Annotated[
        tuple[Modality, ...], Flag("audio, midi or both", "M,...", once=True, told="{}")
    ] = ("audio",)
    strategy: Annotated[tuple[How, ...], Flag(f"of {','.join(STRATEGIES)}", "S,...", once=True)] = (
        "standalone",
    )
    source: Annotated[
        Literal["generated", "muse"], Flag("muse is the published set, by --data")
    ] = "generated"
    n: Annotated[
        int | None,
        Flag("generated items a task; default 20, for chords 48", "N", chooses=True),
        msgspec.Meta(gt=0),
    ] = None
    stimuli: Annotated[
        str | None, Flag("items that `zhiyin stimuli make` made, or DIR/TASK", "DIR", place=True)
    ] = None
    prompts: OwnPrompts = None
    shots: Annotated[tuple[Shots, ...], Flag("zero, few or both", once=True)] = ("zero",)
    seed: Annotated[int, Flag("of items and their order")] = 0
    data: Annotated[str | None, Flag("the published recordings", place=True)] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("recordings may be missing", place=True)] = False

    def __post_init__(self) -> None:
        muse, made = self.source == "muse", self.n is not None or self.stimuli
        if muse and not self.data:
            raise InputError(said("perception-muse-data"))
        if muse and made:
            raise InputError(said("perception-made"))
        if not muse and self.data:
            raise InputError(said("perception-data"))

    @staticmethod
    def usual(values: Mapping[str, Any]) -> dict[str, Any]:
        """Choose how many items are made of the chosen tasks where the user does not say."""
        sizes = {TASKS[task].generated for task in values["task"] or TASK_NAMES if task in TASKS}
        n = values["n"]
        enough = isinstance(n, int) and bool(sizes) and n >= max(sizes)
        return {"n": max(sizes)} if enough or len(sizes) == 1 else {}

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """The tasks that are asked: all where the user named none."""
        return self.task or TASK_NAMES

    @property
    def shows_examples(self) -> bool:
        """True if worked examples are shown."""
        return "few" in self.shots


def shots_as_words(shots: Any) -> Any:
    """Read ``--shots``, with "zero" for the 0 that other benchmarks take."""
    if isinstance(shots, int):
        shots = str(shots)
    if isinstance(shots, str):
        return ",".join("zero" if word.strip() == "0" else word for word in shots.split(","))
    return shots
