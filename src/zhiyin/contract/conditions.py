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

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Literal, get_args

import msgspec
import numpy as np

from zhiyin.contract.declared import CONTRASTED, Cell, Kind, Section, contrast_row, heads
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place
from zhiyin.runs.differences import Contrast, contrasted, side_of
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, IFR, Estimate
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.runs.ways import QuestionKind, Way, Ways
from zhiyin.words import Said, Text, said

AudioCondition = Literal["true", "none", "silence", "noise", "swap"]
AUDIO: tuple[AudioCondition, ...] = get_args(AudioCondition)
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
            raise InputError(
                said("error-distractors", word=repr(word), hint=did_you_mean(kind, (*KINDS, EVERY)))
            )
    return EVERY if len(named) == len(KINDS) else "+".join(k for k in KINDS if k in named)


def condition_place(condition: tuple[str, str]) -> tuple[int, int, list[int]]:
    """Return a sort key for a condition (what is played, distractors) in a table."""
    audio, distractors = condition
    place = AUDIO.index(audio) if audio in AUDIO else len(AUDIO)
    return (place, *_size_then_kind(distractors))


def _size_then_kind(distractors: str) -> tuple[int, list[int]]:
    kinds = kinds_of(distractors)
    return len(kinds), [KINDS.index(kind) for kind in kinds]


PERTURBATIONS = ("noise", "swap")
"""The paper's two; silence and no audio at all are compared as well, but decide nothing."""
ALPHA = 0.05


class Attention(msgspec.Struct, frozen=True):
    """The test of a run.

    Attributes
    ----------
    run, model : str
    alpha : float
    passed : bool or None
        None where it is open: too few tracks, or nothing was run.
    perturbations : list of str
        Those of the paper that were run.
    contrasts : list of Estimate
        True audio minus what was played instead, by set of distractors as their condition.
    left_out : int
        Questions that were judged under one of two conditions only.
    """

    run: str
    model: str
    alpha: float
    passed: bool | None
    perturbations: list[str]
    contrasts: list[Estimate]
    left_out: int

    def passes(self, one: Estimate) -> bool | None:
        """Tell whether the drop is above 0 and significant.

        None where so few tracks can show no drop: of five, no flips have a p below 0.05.
        """
        if 2.0 ** (1 - one.clusters) >= self.alpha:
            return None
        return (one.value or 0.0) > 0 and (one.p or 0.0) < self.alpha

    @property
    def decisive(self) -> list[Estimate]:
        """The contrasts that the paper's test is of."""
        return [one for one in self.contrasts if one.sides[1] in PERTURBATIONS]


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
    rows = rows_of(folder)
    played = {_asked(kind)[0] for kind in rows.table.kinds if SOUND.name in kind.tags}
    if "true" not in played or len(played) < 2:
        raise InputError(said("error-no-attention", run=folder, played=sorted(played)))
    found = attention_in(rows, read_manifest(folder).model, alpha, seed)
    return msgspec.structs.replace(found, run=str(folder))


def _asked(kind: QuestionKind) -> tuple[str, str]:
    """Return what is played, and the set of distractors."""
    return (
        str(kind.tags.get(SOUND.name) or SOUND.plain),
        str(kind.tags.get(OFFERED.name) or OFFERED.plain),
    )


def _is_offered(distractors: str, kind: QuestionKind) -> bool:
    return _asked(kind)[1] == distractors


def attention_in(rows: Rows, model: str, alpha: float = ALPHA, seed: int = 0) -> Attention:
    """The test of a run's trials. Raises `InputError` for an `alpha` outside (0, 1)."""
    if not 0 < alpha < 1:
        raise InputError(said("error-alpha-level", alpha=f"{alpha:g}"))
    asked, found, left_out = rows.judged.by_kind(lambda kind: [_asked(kind)]), [], 0
    for audio, distractors in sorted(asked, key=condition_place):
        true, changed = asked.get(("true", distractors)), asked[audio, distractors]
        if audio == "true" or true is None:
            continue
        of_set = rows.judged.which(partial(_is_offered, distractors))
        declared = Contrast(side_of(SOUND, "true"), side_of(SOUND, audio))
        for one in contrasted(of_set, [declared], seed=seed):
            found.append(msgspec.structs.replace(one, condition=distractors))
            left_out += len(np.setxor1d(true.items, changed.items))
    made = Attention("", model, alpha, None, [], found, left_out)
    each = [made.passes(one) for one in made.decisive]
    passed = None if not each or (None in each and False not in each) else all(each)
    ran = {one.sides[1] for one in made.decisive}
    perturbations = [name for name in PERTURBATIONS if name in ran]
    return msgspec.structs.replace(made, passed=passed, perturbations=perturbations)


def verdict(attention: Attention) -> Said:
    """The outcome in one line."""
    decisive = attention.decisive
    if attention.passed is None and decisive:
        few = (one.clusters for one in decisive if attention.passes(one) is None)
        return said("attention-few", n=min(few))
    if attention.passed is None:
        return said("attention-not-run")
    missing = [name for name in PERTURBATIONS if name not in attention.perturbations]
    failed = dict.fromkeys(one.sides[1] for one in decisive if attention.passes(one) is False)
    return said(
        "attention-verdict",
        passed=attention.passed,
        audio=attention.perturbations if attention.passed else list(failed),
        missing=missing[0] if missing else None,
    )


def attention_section(attention: Attention) -> Section:
    """The test as a table."""
    rows: list[list[Cell]] = []
    for one in attention.contrasts:
        audio, offered = one.sides[1], one.condition
        name = audio if offered == EVERY else f"{audio}, {offered}"
        mcnemar = one.pair.mcnemar.p if one.pair and one.pair.mcnemar else None
        passed = said("attention-passed", passed=attention.passes(one))
        rows.append([*contrast_row(name, one), mcnemar, one.clusters, passed])
    columns: list[Text] = [
        *heads("instead", "items", "true-audio", "now", "drop", "flips"),
        "McNemar",
        *heads("tracks"),
        f"< {attention.alpha:g}",
    ]
    notes = [verdict(attention), said("attention-note")]
    if attention.left_out:
        notes.append(said("attention-left-out", n=attention.left_out))
    kinds: list[Kind] = [*CONTRASTED, "p", "count", "text"]
    return Section(said("attention-title"), columns, rows, notes, kinds=kinds)


def condition_sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """Return the sections of a run under several conditions: distractors, audio attention test."""
    cells = rows.judged.by_kind(lambda kind: [_asked(kind)])
    tables = [_distractors_section(cells)] if len({offered for _, offered in cells}) > 1 else []
    if len({audio for audio, _ in cells}) > 1:
        test = attention_in(rows, manifest.model)
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
