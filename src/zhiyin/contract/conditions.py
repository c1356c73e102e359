"""Conditions of questions about recordings, and the tables of a run under several of them.

After Weck et al. 2024: the kinds of distractors of section 3.1, of which Figure 6(a) offers some,
and what is played in the place of a recording (section 5.2). The audio attention test asks whether
a model answers worse when it does not hear the music: the recording is replaced by white Gaussian
noise or by another track of the data. A model passes where its performance drops significantly
*whichever* of the two is played; the paper names no test of significance. Here a perturbation is
passed where the drop is above 0 and the sign-flip test over tracks gives p < alpha, and the whole
test where every perturbation of the paper that was run is passed (so that no correction for their
number is due).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import read_manifest
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, IFR
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.runs.ways import Way, Ways
from zhiyin.words import Said, Text, said

Condition = Literal["true", "none", "silence", "noise", "swap"]
AUDIO: tuple[Condition, ...] = get_args(Condition)
"""What may be played: the track itself, nothing, digital silence, white noise, another track."""
KINDS = ("ir", "cu", "iu")
"""Distractors in the order of the data (section 3.1): incorrect but related, correct but
unrelated, incorrect and unrelated."""
EVERY, RIGHT = "all", "right"
"""All kinds together; what a file says in the place of a kind, of the right option."""
SOUND = Way("audio", plain="true", contrast="true", changes="sound")
"""What is played, as the tag of a trial says it."""
OFFERED = Way("distractors", plain=EVERY, changes="options")
"""Which distractors are offered."""
SHOTS = Way("shots", changes="examples")
"""How many worked examples stand before a question."""
TASK = Way("task", changes="task")
"""What is to be done: tables of statistics are made of each task."""
LISTENING_WAYS = Ways((SOUND, OFFERED, SHOTS))
"""The ways of questions about recordings."""
SETS = "sets of distractors: ir, cu, iu, any joined by +, or all"
"""What the flag takes."""


def kinds_of(distractors: str) -> tuple[str, ...]:
    """The kinds of a set of distractors, in the order of the data."""
    return KINDS if distractors == EVERY else tuple(distractors.split("+"))


def read_sets(words: Iterable[str]) -> tuple[str, ...]:
    """Sets of distractors by their one name, each once. Raises `InputError` for an unknown one."""
    return tuple(sorted({_distractors(word) for word in words}, key=_size_then_kind))


def _distractors(word: str) -> str:
    """The one name of a set: kinds in the order of the data, "all" for all three."""
    if word == EVERY:
        return EVERY
    named = {kind.strip() for kind in word.split("+")}
    for kind in sorted(named):
        if kind not in KINDS:
            raise InputError(f"--distractors {word!r}: {did_you_mean(kind, (*KINDS, EVERY))}")
    return EVERY if len(named) == len(KINDS) else "+".join(k for k in KINDS if k in named)


def condition_place(condition: tuple[str, str]) -> tuple[int, int, list[int]]:
    """Where a condition (what is played, distractors) stands in a table."""
    audio, distractors = condition
    place = AUDIO.index(audio) if audio in AUDIO else len(AUDIO)
    return (place, *_size_then_kind(distractors))


def _size_then_kind(distractors: str) -> tuple[int, list[int]]:
    kinds = kinds_of(distractors)
    return len(kinds), [KINDS.index(kind) for kind in kinds]


PERTURBATIONS = ("noise", "swap")
"""The paper's two; silence and no audio at all are compared as well, but decide nothing."""
ALPHA = 0.05
_DRAWS = 10_000


class AudioContrast(msgspec.Struct, frozen=True):
    """True audio against one other condition, paired by question.

    Attributes
    ----------
    audio, distractors : str
        The condition that stands against true audio; the set of distractors of both.
    questions, tracks : int
        Questions that were judged under both conditions, and their tracks.
    left_out : int
        Questions judged under one condition only.
    true, changed : float
        Accuracy, in [0, 1], repeats averaged within their question.
    drop, low, high : float
        True minus changed with its 95 % interval, clustered by track.
    only_true, only_changed : int
        Questions right under one condition only; with several repeats, right in more than half.
    mcnemar_p : float
        Exact McNemar test on these two counts; takes questions for independent.
    sign_flip_p : float
        Two-sided sign-flip test over whole tracks.
    passed : bool or None
        Whether the drop is above 0 and ``sign_flip_p < alpha``. None where so few tracks can show
        no drop: of five, no flips have a p below 0.05.
    """

    audio: str
    distractors: str
    questions: int
    tracks: int
    left_out: int
    true: float
    changed: float
    drop: float
    low: float
    high: float
    only_true: int
    only_changed: int
    mcnemar_p: float
    sign_flip_p: float
    passed: bool | None


class Attention(msgspec.Struct, frozen=True):
    """The test of a run. `passed` is None where it is open: too few tracks, or nothing was run."""

    run: str
    model: str
    alpha: float
    passed: bool | None
    perturbations: list[str]
    contrasts: list[AudioContrast]


class ConditionAnswers(msgspec.Struct):
    """The judged answers to one question under one condition, by repeat: 1 right, 0 not."""

    track: str
    scores: list[float] = []

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores)

    @property
    def right(self) -> bool:
        """Whether more than half of the repeats are right."""
        return self.mean > 0.5


Gathered = dict[tuple[str, str], dict[str, ConditionAnswers]]
"""From conditions (audio and distractors) to questions to answers."""


def attention(folder: Place, alpha: float = ALPHA, seed: int = 0) -> Attention:
    """The audio attention test of a run that holds true audio and at least one other condition.

    Parameters
    ----------
    folder : Path
        A run with ``--audio true,noise,swap`` or the like.
    alpha : float
        Level of significance, in (0, 1).
    seed : int
        Of the sign-flip test, where there are too many tracks to go through all flips.

    Raises
    ------
    InputError
        For a folder that is not such a run, or an `alpha` outside (0, 1).
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    gathered = gather(rows_of(folder))
    if not any(audio == "true" for audio, _ in gathered) or len({a for a, _ in gathered}) < 2:
        conditions = ", ".join(sorted({audio for audio, _ in gathered})) or "none"
        raise InputError(
            f"{folder}: true audio and another condition are needed to compare, and its "
            f"conditions are: {conditions}; ask with --audio true,noise,swap"
        )
    return compare(folder, manifest.model, gathered, alpha, seed)


def gather(rows: Rows) -> Gathered:
    """Judged answers by condition and question; trials that failed are left out."""
    gathered: Gathered = {}
    for row in rows.settled.which(lambda kind: SOUND.name in kind.tags):
        tags, item = row.tags, row.item
        condition = str(tags[SOUND.name]), str(tags.get(OFFERED.name) or EVERY)
        answers = gathered.setdefault(condition, {}).setdefault(
            item, ConditionAnswers(row.cluster or item)
        )
        answers.scores.append(row.right)
    return gathered


def compare(
    folder: Path, model: str, gathered: Gathered, alpha: float = ALPHA, seed: int = 0
) -> Attention:
    """The test of gathered answers. Raises `InputError` for an `alpha` outside (0, 1)."""
    if not 0 < alpha < 1:
        raise InputError(f"--alpha {alpha:g} is no level of significance; give such as 0.05")
    contrasts = [
        _contrast(distractors, audio, gathered["true", distractors], changed, alpha, seed)
        for audio, distractors in sorted(gathered, key=condition_place)
        if (changed := gathered[audio, distractors])
        and audio != "true"
        and gathered.get(("true", distractors), {}).keys() & changed.keys()
    ]
    decisive = [contrast for contrast in contrasts if contrast.audio in PERTURBATIONS]
    return Attention(
        run=str(folder),
        model=model,
        alpha=alpha,
        passed=_passed([contrast.passed for contrast in decisive]),
        perturbations=[name for name in PERTURBATIONS if name in {c.audio for c in decisive}],
        contrasts=contrasts,
    )


def _passed(each: Sequence[bool | None]) -> bool | None:
    """Whether all are passed; None where there are none, or some that are open and none failed."""
    if False in each:
        return False
    return None if not each or None in each else True


def _contrast(
    distractors: str,
    audio: str,
    true: dict[str, ConditionAnswers],
    changed: dict[str, ConditionAnswers],
    alpha: float,
    seed: int,
) -> AudioContrast:
    from zhiyin.statistics.paired import mcnemar_exact, paired_difference, sign_flip

    items = sorted(true.keys() & changed.keys())
    tracks = [true[item].track for item in items]
    heard, unheard = [true[i].mean for i in items], [changed[i].mean for i in items]
    difference = paired_difference(heard, unheard, tracks)
    flips = sign_flip(
        [a - b for a, b in zip(heard, unheard, strict=True)], tracks, draws=_DRAWS, seed=seed
    )
    b = sum(true[i].right and not changed[i].right for i in items)
    c = sum(changed[i].right and not true[i].right for i in items)
    return AudioContrast(
        audio=audio,
        distractors=distractors,
        questions=len(items),
        tracks=len(set(tracks)),
        left_out=len(true.keys() ^ changed.keys()),
        true=difference.first,
        changed=difference.second,
        drop=difference.mean,
        low=difference.low,
        high=difference.high,
        only_true=b,
        only_changed=c,
        mcnemar_p=mcnemar_exact(b, c).p,
        sign_flip_p=flips.p,
        passed=difference.mean > 0 and flips.p < alpha
        if 2.0 ** (1 - len(set(tracks))) < alpha
        else None,
    )


def verdict(attention: Attention) -> Said:
    """The outcome in one line."""
    decisive = [c for c in attention.contrasts if c.audio in PERTURBATIONS]
    if attention.passed is None and decisive:
        return said("attention-few", n=min(c.tracks for c in decisive if c.passed is None))
    if attention.passed is None:
        return said("attention-not-run")
    missing = [name for name in PERTURBATIONS if name not in attention.perturbations]
    failed = dict.fromkeys(c.audio for c in decisive if c.passed is False)
    return said(
        "attention-verdict",
        passed=attention.passed,
        audio=attention.perturbations if attention.passed else list(failed),
        missing=missing[0] if missing else None,
    )


def attention_section(attention: Attention) -> Section:
    """The test as a table: accuracies and drops in per cent and percentage points."""
    rows: list[list[Cell]] = [
        [
            c.audio if c.distractors == EVERY else f"{c.audio}, {c.distractors}",
            c.questions,
            c.tracks,
            *(100 * figure for figure in (c.true, c.changed, c.drop, c.low, c.high)),
            c.mcnemar_p,
            c.sign_flip_p,
            said("attention-passed", passed=c.passed),
        ]
        for c in attention.contrasts
    ]
    columns: list[Text] = [
        *heads("instead", "items", "tracks", "true-audio", "now", "drop", "low", "high"),
        *("McNemar", said("head", name="flips"), f"< {attention.alpha:g}"),
    ]
    notes = [verdict(attention), said("attention-note")]
    if left_out := sum(contrast.left_out for contrast in attention.contrasts):
        notes.append(said("attention-left-out", n=left_out))
    number: Kind = "number"
    kinds: list[Kind] = ["text", "count", "count", *5 * [number], "p", "p", "text"]
    return Section(said("attention-title"), columns, rows, notes, kinds=kinds)


def condition_sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """What a run under several conditions shows: distractors, and the audio attention test."""
    cells = rows.judged.by_kind(
        lambda kind: [
            (
                str(kind.tags.get(SOUND.name) or SOUND.plain),
                str(kind.tags.get(OFFERED.name) or OFFERED.plain),
            )
        ]
    )
    tables = [_distractors_section(cells)] if len({offered for _, offered in cells}) > 1 else []
    if len({audio for audio, _ in cells}) > 1:
        test = compare(rows.folder, manifest.model, gather(rows))
        tables += [attention_section(test)] if test.contrasts else []
    return tables


def _distractors_section(cells: Mapping[tuple[str, str], Rows]) -> Section:
    """Figure 6(a): accuracy by the distractors that are offered beside the right answer."""
    several = len({audio for audio, _ in cells}) > 1
    rows: list[list[Cell]] = []
    for audio, distractors in sorted(cells, key=condition_place):
        members = cells[audio, distractors]
        offered = 1 + len(kinds_of(distractors))
        name = " + ".join(kind.upper() for kind in kinds_of(distractors))
        label = said("distractors-with", name=name, audio=audio) if several else name
        passed, ifr = (estimate(members, measure) for measure in (ACCURACY, IFR))
        figures = (passed.value, passed.low, passed.high, ifr.value)
        percent = (None if one is None else 100 * one for one in figures)
        rows.append([label, offered, len(members), 100 / offered, *percent])
    columns = heads("distractors-share", "options", "n", "chance", "acc", "low", "high", "IFR")
    notes = [said("distractors-note", kinds=[kind.upper() for kind in KINDS])]
    return Section(said("distractors-title"), columns, rows, notes)
