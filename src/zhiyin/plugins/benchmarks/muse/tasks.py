"""The ten tasks: what is heard, what may be answered, and how the published runners read it.

The published runners' reading of replies; see `docs/benchmarks/muse.md` for what that costs.

The rules differ from task to task. A policy knows only the options, so it finds the task by them.

Settings: which trials, in which conversation, and how hard generated ones are.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Annotated, Literal, get_args

import msgspec

from zhiyin.contract.options import OwnPrompts
from zhiyin.errors import InputError, did_you_mean
from zhiyin.flags import Flag
from zhiyin.parsing import read_beside
from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option
from zhiyin.words import Said, said

TaskName = Literal[
    "transposition", "rhythm_matching", "oddballs", "instrumentID", "contourID",
    "chord_quality", "key_modulation", "chord_progression_matching", "syncopation",
    "meter_identification",
]  # fmt: skip
TASK_NAMES: tuple[TaskName, ...] = get_args(TaskName)
Mode = Literal["sysinst", "cot"]
MODES: tuple[Mode, ...] = get_args(Mode)
Group = Literal["A", "B"]
GROUPS: tuple[Group, ...] = get_args(Group)


class MuseTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fixed facts of a task.

    Attributes
    ----------
    name : str
        As in the names of the published logs.
    title : str
        For people.
    table : str
        As in the published table of accuracies.
    answers : tuple of str
        The published answers, letter for letter, in their order.
    sounds : int
        How many recordings a trial has.
    lettered : bool
        Whether the published answers begin with a letter of their own.
    letter_needed, stop_needed : bool
        Whether the published runner reads an answer without its letter, and a sentence without
        its full stop.
    steps : dict of str to tuple of str
        By the key of the answer, what a reply with worked steps would have said.
    alone : dict of str to str
        What is said of examples that are played alone, without an answer; by their ids.
    """

    name: TaskName
    title: str
    answers: tuple[str, ...]
    sounds: int = 1
    table: str = ""
    lettered: bool = True
    letter_needed: bool = True
    stop_needed: bool = False
    steps: dict[str, tuple[str, ...]] = {}
    alone: dict[str, str] = {}

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def options(self) -> tuple[Option, ...]:
        """The choices, each under its letter; the letter is no part of the text."""
        return tuple(
            Option(letter, text.partition(". ")[2] if self.lettered else text, letter)
            for letter, text in zip("ABCD", self.answers, strict=False)
        )

    @property
    def called(self) -> Said:
        """Its title, in the language of its reader."""
        return said("muse-task", name=self.name, title=self.title)

    def answer(self, key: str) -> str:
        """The published answer with a key."""
        return self.answers["ABCD".index(key)]

    def reasoned(self, key: str) -> str:
        """Two short steps and the answer line, as a reply in the mode with steps."""
        steps = [f"Step {n}: {text}" for n, text in enumerate(self.steps[key], 1)]
        return "\n".join([*steps, self.answer(key)])


_TASKS = read_beside(__file__, "tasks.toml", dict[str, tuple[MuseTask, ...]])["tasks"]
TASKS: dict[TaskName, MuseTask] = {task.name: task for task in _TASKS}


def task_named(name: str) -> MuseTask:
    """The task called `name`, as logs or tables call it. Raises `InputError` for no such task."""
    for task in TASKS.values():
        if name in (task.name, task.table):
            return task
    raise InputError(f"unknown task {name!r}: {did_you_mean(name, TASK_NAMES)}")


FORGIVEN: frozenset[TaskName] = frozenset({"rhythm_matching", "transposition", "syncopation"})
"""Tasks whose published accuracies forgive a missing full stop that the runner does not."""

_WORDS = {"piano": "A", "guitar": "B", "bass": "C", "drums": "D", "drum": "D"}
Rule = Callable[[str, MuseTask], tuple[str, tuple[int, int]] | None]


def task_of(options: Sequence[Option]) -> MuseTask | None:
    """The task whose options these are; None for any other question."""
    texts = tuple(option.text for option in options)
    return _BY_TEXTS.get(texts)


_BY_TEXTS = {tuple(option.text for option in task.options): task for task in TASKS.values()}


def as_runner(text: str, task: MuseTask) -> tuple[str, tuple[int, int]] | None:
    """Read as the runners of Gemini and Qwen do: the key, and where; None for nothing.

    Patterns over the whole reply, in any case; a run of white space counts as one; the answer
    that ends last wins. Nothing looks for negation, or for an answer that is only quoted.
    """
    return _last(_patterns(task), text)


def as_af3_runner(text: str, task: MuseTask) -> tuple[str, tuple[int, int]] | None:
    """Read like `as_runner`, with what the runners of Audio Flamingo 3 do otherwise.

    Bare words for instruments count. An answer about drum patterns that stands alone on a line,
    in quotation marks or not, goes before any other.
    """
    if task.name == "instrumentID":
        bare = [(key, re.compile(rf"\b{word}\b", re.I)) for word, key in _WORDS.items()]
        return _last([*_patterns(task), *bare], text)
    if task.name == "rhythm_matching":
        alone = [
            (key, re.compile(rf"^[^\S\n]*+\"?{_loosely(answer)}\"?\s*$", re.I | re.M))
            for key, answer in zip("AB", task.answers, strict=True)
        ]
        return _last(alone, text) or as_runner(text, task)
    return as_runner(text, task)


@cache
def _patterns(task: MuseTask) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns of a task, each with the key of the option that it stands for."""
    patterns = []
    for key, answer in zip("ABCD", task.answers, strict=False):
        letter, dot, words = answer.partition(". ") if task.lettered else ("", "", answer)
        modulation = task.name == "key_modulation"
        body = _spaced(words) if modulation else _loosely(words)
        if words.endswith(".") and not task.stop_needed:
            body += "?"  # of the full stop, which is the last of the pattern
        if words[-1].isalnum():
            body += r"\b"
        head = rf"{letter}\.\s*" if dot else ""
        if modulation:
            patterns.append((key, re.compile(rf"^[^\S\n]*{head}{body}\s*$", re.I | re.M)))
        elif dot and not task.letter_needed:
            patterns.append((key, re.compile(rf"\b(?:{head})?{body}", re.I)))
        else:
            patterns.append((key, re.compile(rf"\b{head}{body}", re.I)))
    if task.name == "key_modulation":
        other = r"^[^\S\n]*(?:B\.\s*)?No,\s+(?:a\s+)?key\s+modulation\s+does\s+not\s+occur\.?\s*$"
        patterns.append(("B", re.compile(other, re.I | re.M)))
    return tuple(patterns)


def _spaced(words: str) -> str:
    return r"\s+".join(re.escape(word) for word in words.split())


def _loosely(words: str) -> str:
    """Make a pattern like `_spaced`, with no blank needed after "," or "Excerpt", or before "("."""
    first, *rest = words.split()
    pattern, before = re.escape(first), first
    for word in rest:
        free = before[-1] == "," or before == "Excerpt" or word[0] == "("
        pattern += (r"\s*" if free else r"\s+") + re.escape(word)
        before = word
    return pattern


def _last(
    patterns: Iterable[tuple[str, re.Pattern[str]]], text: str
) -> tuple[str, tuple[int, int]] | None:
    """The match that ends last; of two that end there the longer one."""
    matches = [(key, match) for key, pattern in patterns for match in pattern.finditer(text)]
    if not matches:
        return None
    key, match = max(matches, key=lambda pair: (pair[1].end(), -pair[1].start()))
    return key, match.span()


def _without_stop(text: str, task: MuseTask) -> tuple[str, tuple[int, int]] | None:
    """The answer without its full stop, where the published count looks for it again.

    There the first option that is found at all counts, wherever it stands.
    """
    if task.name not in FORGIVEN:
        return None
    for key, option in zip("AB", task.options, strict=True):
        if match := re.search(re.escape(option.text.rstrip(".")), text, re.I):
            return key, match.span()
    return None


def _policy(rule: Rule, forgiving: bool) -> Callable[[str, Sequence[Option]], Reading]:
    def read(text: str, options: Sequence[Option]) -> Reading:
        task = task_of(options)
        if task is None:
            return Reading(None, "not a question of one of the ten tasks")
        if match := rule(text, task):
            return Reading(match[0], "the published answer that ends last", match[1])
        if forgiving and (again := _without_stop(text, task)):
            return Reading(again[0], "the published answer without its full stop", again[1])
        return Reading(None, "none of the published answers, as its runner looks for them")

    return read


def _is_task(options: Sequence[Option]) -> bool:
    return task_of(options) is not None


_TABLE = "-table"


def table_rule(rule: str) -> str:
    """The rule by which the published table counts what a runner (or that table) reads."""
    return rule.removesuffix(_TABLE) + _TABLE


_SOURCE = "brandoncarone/MUSE_music_benchmark@a9e4acd"
_RUNNERS: tuple[tuple[str, Rule, str, str], ...] = (
    ("muse", as_runner, "the published answer that ends last", "Gemini, Qwen"),
    ("muse-af3", as_af3_runner, "as muse, with what is read otherwise for AF3", "AF3"),
)
POLICIES = (
    *(
        Policy(
            name,
            3,
            f"{summary}, letter and full stop as its runners want them (MUSE)",
            _policy(rule, forgiving=False),
            f"{_SOURCE}:{of} (the runners)",
            fits=_is_task,
        )
        for name, rule, summary, of in _RUNNERS
    ),
    *(
        Policy(
            table_rule(name),
            1,
            f"{summary}, a full stop forgiven as its table of accuracies does (MUSE)",
            _policy(rule, forgiving=True),
            f"{_SOURCE}:{of} (the runners), accuracy_summary.csv",
            "left out",
            fits=_is_task,
        )
        for name, rule, summary, of in _RUNNERS
    ),
)


Order = Literal["1", "2", "3"]
Level = Literal["easy", "default", "hard"]


class Knobs(msgspec.Struct, frozen=True):
    """Settings that make items harder.

    Attributes
    ----------
    odd_notes : int
        Notes of a melody that are altered in an oddball that is not the same.
    altered : bool
        Whether half of the melodies that are not transpositions differ in one note alone.
    moved : int
        Strokes of a drum pattern that are moved where it is another one; 0 for a new pattern.
    apart : int
        Least difference of two patterns in strokes off the beat.
    inverted : bool
        Whether chords of progressions stand in any inversion.
    styles : int
        How many ways of playing a progression there are: 1 for blocks alone, up to 4.
    near : bool
        Whether keys that a modulation leads to are nearest neighbours (fifths and relatives).
    noise_db : float or None
        Signal-to-noise ratio of added white noise.
    """

    odd_notes: int = 2
    altered: bool = False
    moved: int = 0
    apart: int = 2
    inverted: bool = False
    styles: int = 3
    near: bool = False
    noise_db: float | None = None


LEVELS: dict[Level, Knobs] = {
    "easy": Knobs(odd_notes=4, apart=4, styles=1),
    "default": Knobs(),
    "hard": Knobs(
        odd_notes=1, altered=True, moved=2, inverted=True, styles=4, near=True, noise_db=20.0
    ),
}


_RANGES = {
    "odd_notes": (1, 4),
    "moved": (0, 2),
    "apart": (1, 4),
    "styles": (1, 4),
    "noise_db": (0, 60),
}
"""What the levels span, and noise that leaves something to be heard."""


def set_knobs(knobs: Knobs, words: Iterable[str]) -> Knobs:
    """Knobs with some of them set: ``odd_notes=1``, ``near=true``.

    Raises
    ------
    InputError
        There is no such knob, or it does not take the value.
    """
    given: dict[str, object] = {}
    for word in words:
        name, _, value = (part.strip() for part in word.partition("="))
        if name not in Knobs.__struct_fields__:
            raise InputError(f"--knob {word}: {did_you_mean(name, Knobs.__struct_fields__)}")
        try:
            kind = msgspec.structs.fields(Knobs)[Knobs.__struct_fields__.index(name)].type
            given[name] = msgspec.convert(value, kind, strict=False)
        except msgspec.ValidationError:
            raise InputError(said("muse-knob-value", word=word, name=name)) from None
        low, high = _RANGES.get(name, (-math.inf, math.inf))
        number = given[name]
        if isinstance(number, int | float) and not low <= number <= high:
            raise InputError(said("muse-knob", word=word, name=name, low=low, high=high))
    return msgspec.structs.replace(knobs, **given)


class MuseSettings(msgspec.Struct, frozen=True):
    """Settings of a run: which trials, in which conversation, from where."""

    task: Annotated[
        tuple[TaskName, ...], Flag(f"of {','.join(TASK_NAMES)}; default all", "T,...", once=True)
    ] = ()
    mode: Annotated[
        tuple[Mode, ...],
        Flag("sysinst (short answers), cot (worked steps) or both", "M,...", once=True),
    ] = MODES
    chat: Annotated[
        Literal["stateful", "fresh"],
        Flag("one conversation for ten trials, as published, or one for each", told="{}"),
    ] = "stateful"
    keep: Annotated[
        int | None,
        Flag("stateful: trials that stay in the conversation; default all"),
        msgspec.Meta(ge=0),
    ] = None
    group: Annotated[tuple[Group, ...], Flag("published trials: A, B or both", once=True)] = GROUPS
    order: Annotated[
        tuple[Order, ...],
        Flag("which orders: the published seeds 1,2,3; generated: 1", "N,...", once=True),
    ] = ()
    examples: Annotated[
        Literal["standard", "none"], Flag("worked examples, as published or none")
    ] = "standard"
    source: Annotated[
        Literal["published", "generated"],
        Flag("the published recordings, by --data, or fresh ones"),
    ] = "published"
    n: Annotated[
        int, Flag("generated items a task", chooses=True), msgspec.Meta(ge=1, le=10_000)
    ] = 20
    difficulty: Annotated[Level, Flag("of generated items", chooses=True)] = "default"
    knob: Annotated[
        tuple[str, ...],
        Flag(
            "of generated items, such as odd_notes=1; goes before --difficulty",
            "K=V,...",
            chooses=True,
        ),
    ] = ()
    prompts: OwnPrompts = None
    seed: Annotated[int, Flag("of generated items")] = 0
    data: Annotated[str | None, Flag("the published recordings", place=True)] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"
    partial: Annotated[bool, Flag("recordings may be missing", place=True)] = False

    def __post_init__(self) -> None:
        if self.source == "generated" and self.data:
            raise InputError(said("muse-flag", flag="--data", of="--source published"))
        if self.knob and self.source == "published":
            raise InputError(said("muse-flag", flag="--knob", of="--source generated"))
        set_knobs(LEVELS[self.difficulty], self.knob)
        if self.keep is not None and self.chat == "fresh":
            raise InputError(said("muse-flag", flag="--keep", of="--chat stateful"))

    @property
    def knobs(self) -> Knobs:
        """The difficulty of generated items: the level, with the knobs that the user set."""
        return set_knobs(LEVELS[self.difficulty], self.knob)

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """The tasks that are asked: all where the user named none."""
        return self.task or TASK_NAMES

    @property
    def orders(self) -> tuple[int, ...]:
        """The orders in which the trials of a group come, each a run of its own."""
        usual = ("1", "2", "3") if self.source == "published" else ("1",)
        return tuple(map(int, self.order or usual))
