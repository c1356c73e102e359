"""The benchmark object: leave-one-out passes over harder wrong answers.

Sections of `zhiyin show` for a run: rules, majority, perceptual index, what was only read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from zhiyin.contract.benchmark import deferred
from zhiyin.contract.declared import CONTRASTED, Cell, Flaw, Section, contrast_row, heads
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.by_rules import sections_by_rules, verdict_by
from zhiyin.plugins.benchmarks.listening import Listening, ListeningSettings, Variant
from zhiyin.plugins.benchmarks.rul.reading import majority
from zhiyin.plugins.music.clips import (
    ClipQuestion,
    FaultSink,
    common_flaws,
    is_left_out,
    read_columns,
    read_json,
)
from zhiyin.record import Record
from zhiyin.runs.differences import Contrast, Side, contrasted
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import Measure, one, right
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import QuestionKind
from zhiyin.statistics.intervals import Floats, interval
from zhiyin.trial import Audio, Trial
from zhiyin.words import Said, said

ORIGINAL = "muchomusic.csv"
"""The questions that these were made from, for ``--distractors own``."""
_OWN = ("correct_answer", "distractor_1_answer", "distractor_2_answer", "distractor_3_answer")
_WRONG = 4


class RulSettings(ListeningSettings, frozen=True):
    """Settings of a run of RUListening."""

    distractors: Annotated[
        tuple[Literal["all", "own"], ...],
        Flag(
            "wrong answers: all (RUListening's, made harder), own (as first published)",
            "D,...",
            once=True,
        ),
    ] = ("all",)
    passes: Annotated[
        Literal["leave-one-out", "all-five"],
        Flag("four passes without one wrong answer each, or one with all five options"),
    ] = "leave-one-out"


class Rul(Listening[RulSettings, ClipQuestion]):
    """Questions on recordings with wrong answers that text alone does not tell."""

    name = "rul"
    summary = said("rul-summary")
    description = "benchmark.toml"
    Settings = RulSettings
    file = "RUL-MuchoMusic.json"
    right_first = True
    details = deferred(f"{__name__}:sections", 1)
    """Rules side by side, the majority, the perceptual index, and what was only read."""

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
        """The questions of a file, the right answer first among the choices."""
        entries = read_json(path)
        if not isinstance(entries, dict):
            raise InputError(said("rul-no-object", path=path, file=cls.file))
        questions = []
        for number, entry in entries.items():
            where, fault = f"question {number}", _fault(number, entry)
            if not is_left_out(path, where, "entry", fault, on_fault):
                questions.append(_question(number, entry))
        if not questions:
            raise InputError(said("questions-none-home", path=path, home=cls.home))
        return questions

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
        """Flaws of questions that can still be asked."""
        first_questions: dict[tuple[str, str], ClipQuestion] = {}
        entries = read_json(path)
        for question in questions:
            caption = str(entries[question.id].get("caption") or "").lower()
            if any(choice.strip().lower() in caption for choice in question.choices[1:]):
                detail = said("rul-in-caption")
                yield Flaw("distractor-in-caption", path.name, question.id, detail)
            yield from common_flaws(path, question)
            right, *wrong = (f" {' '.join(_words(choice))} " for choice in question.choices)
            if any(right in text != right for text in wrong):
                detail = said("rul-within", answer=repr(question.choices[0]))
                yield Flaw("target-within-distractor", path.name, question.id, detail)
            if (
                twin := first_questions.setdefault((question.text, question.choices[0]), question)
            ) != question:
                detail = said("rul-same", twin=twin.id)
                yield Flaw("repeated-question", path.name, question.id, detail)

    def variants(self, question: ClipQuestion) -> Iterator[Variant]:
        """Each pass over the harder wrong answers, and the question as it was before."""
        if "all" in self.settings.distractors:
            yield from self._passes(question)
        if "own" in self.settings.distractors and question.id in self._originals:
            yield Variant(self._originals[question.id].choices, 0, "own")

    def _passes(self, question: ClipQuestion) -> Iterator[Variant]:
        right, *wrong = question.choices
        if self.settings.passes == "all-five":
            yield Variant(question.choices, 0, name="five")
            return
        for left_out in range(len(wrong)):
            kept = wrong[:left_out] + wrong[left_out + 1 :]
            # Passes are askings of one question: it counts once among what is published.
            tags = {"repeat": left_out + 1}
            yield Variant((right, *kept), 0, name=f"without-{left_out + 1}", tags=dict(tags))

    def trial(
        self, question: ClipQuestion, variant: Variant, audio: str, sound: Audio | None
    ) -> Trial:
        """The trial of a question; questions on one recording share a cluster."""
        if question.id in self._originals:
            question = msgspec.structs.replace(question, cluster=self._originals[question.id].track)
        elif self.recordings is not None:
            sha256 = self.recordings.whole(question.recording).sha256
            question = msgspec.structs.replace(question, cluster=sha256[:16])
        return super().trial(question, variant, audio, sound)

    @property
    def kinds(self) -> int:
        """Number of sets of wrong answers that are asked."""
        return len(self.settings.distractors)

    @cached_property
    def _originals(self) -> dict[str, OriginalQuestion]:
        path = self.path.parent / ORIGINAL
        if "own" not in self.settings.distractors:
            return {}
        originals = read_originals(path, self.questions)
        if not originals:
            raise InputError(said("rul-none", path=path))
        return originals

    def remarks(self) -> list[str | Said]:
        """Report what is missing of recordings, and of the questions before."""
        remarks = super().remarks()
        if self.kinds > 1 and (missing := len(self.questions) - len(self._originals)):
            remarks.append(said("rul-harder-alone", n=missing, file=str(ORIGINAL)))
        return remarks


_FIELDS = ("question", "correct_answer", "distractors", "PI")


def _fault(number: str, entry: Any) -> tuple[str, Said] | None:
    if not number.isdecimal():
        return "bad-number", said("flaw-is-no", field="its key", value=None, what="number")
    if not isinstance(entry, dict):
        return "bad-entry", said("flaw-no-object", fields=_FIELDS)
    for name in ("question", "correct_answer"):
        if not isinstance(entry.get(name), str) or not entry[name].strip():
            return "blank-field", said("flaw-none", field=name)
    wrong = entry.get("distractors")
    if not isinstance(wrong, list) or len(wrong) != _WRONG:
        return "bad-distractors", said("rul-wrong", n=_WRONG)
    if not all(isinstance(text, str) and text.strip() for text in wrong):
        return "bad-distractors", said("rul-blank")
    index = entry.get("PI")
    if not isinstance(index, int | float) or isinstance(index, bool) or not 0 <= index <= 1:
        return "bad-index", said("flaw-is-no", field="PI", value=repr(index), what="share")
    return None


def _question(number: str, entry: Mapping[str, Any]) -> ClipQuestion:
    return ClipQuestion(
        id=number,
        recording=f"{number}.mp3",
        text=entry["question"].strip(),
        choices=(entry["correct_answer"], *entry["distractors"]),
        right=0,
        tags={"perceptual_index": float(entry["PI"])},
    )


class OriginalQuestion(msgspec.Struct, frozen=True):
    """A question as it was before: its choices, the right one first, and its track."""

    choices: tuple[str, ...]
    track: str


def read_originals(path: Path, questions: Sequence[ClipQuestion]) -> dict[str, OriginalQuestion]:
    """The original of each question by its id, found by question and right answer.

    Those that two questions, or two rows, have in common are left out.

    Raises
    ------
    InputError
        The file cannot be read, or lacks a column.
    """
    if not path.is_file():
        raise InputError(said("rul-distractors", path=path))
    rows: dict[tuple[str, str], list[OriginalQuestion]] = {}
    for row in read_columns(path, ("question", "dataset", "dataset_identifier", *_OWN)):
        choices = tuple(row[name].strip() for name in _OWN)
        if all(choices) and len(set(choices)) == len(choices):
            track = f"{row['dataset']}/{row['dataset_identifier'].removesuffix('.json')}"
            rows.setdefault(_key(row["question"], choices[0]), []).append(
                OriginalQuestion(choices, track)
            )
    keys = Counter(_key(q.text, q.choices[0]) for q in questions)
    originals = {}
    for question in questions:
        key = _key(question.text, question.choices[0])
        if keys[key] == 1 and len(rows.get(key, ())) == 1:
            originals[question.id] = rows[key][0]
    return originals


def _key(question: str, answer: str) -> tuple[str, str]:
    return " ".join(question.lower().split()), " ".join(answer.lower().split()).rstrip(".")


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in text.lower()).split()


RULES = {"robust": "robust", "rul": "released"}
BANDS = ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0))
"""Perceptual index: at 0.75 the text-only model did no better than a guess with four options."""


class AnsweredQuestion(msgspec.Struct):
    """The answers to one question by each rule, in the order of the passes."""

    cluster: str
    right: str
    texts: dict[str, list[str | None]] = {}


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where nothing has been judged yet."""
    tables = sections_by_rules(rows, RULES)
    if main := rows.judged.main:
        tables.append(_majority_section(gather(list(main.records()))))
        tables += _index_sections(main) + _contrast_sections(rows)
    return tables


def gather(records: Sequence[Record]) -> dict[str, AnsweredQuestion]:
    """Judged passes by question, in the order of the passes.

    A log holds them in the order in which their replies came.
    """
    gathered: dict[str, AnsweredQuestion] = {}
    for record in sorted(records, key=lambda record: record.id):
        trial = record.trial
        texts = {option.letter: option.text for option in trial.options}
        key = next(option.text for option in trial.options if option.key == trial.target)
        own = gathered.setdefault(trial.item, AnsweredQuestion(trial.cluster or trial.item, key))
        for rule in RULES:
            letter = verdict_by(rule, record).letter
            own.texts.setdefault(rule, []).append(texts.get(letter or ""))
    return gathered


def _majority_section(main: dict[str, AnsweredQuestion]) -> Section:
    """The figure of the released script, by its reading and by ours."""
    clusters = [answered.cluster for answered in main.values()]
    rows: list[list[Cell]] = []
    for rule, heading in RULES.items():
        agreed = [majority(answered.texts[rule]) for answered in main.values()]
        scores = [float(a == b.right) for a, b in zip(agreed, main.values(), strict=True)]
        share = interval(scores, clusters)
        silent = sum(answer is None for answer in agreed)
        rows.append([heading, share.n, 100 * share.mean, 100 * share.low, 100 * share.high, silent])
    notes = [said("rul-majority-note")]
    if any(len(texts) != 4 for answered in main.values() for texts in answered.texts.values()):
        notes.append(said("rul-not-four"))
    columns = heads("replies-by", "questions", "majority", "low", "high", "no-vote")
    return Section(said("rul-majority"), columns, rows, notes)


def _index(rows: Rows) -> Floats:
    """The perceptual index of each trial."""
    tags = rows.table.tags
    return np.array([float(tags[n].get("perceptual_index") or 0) for n in rows.numbers.tolist()])


def _least_squares(sums: Floats) -> Floats:
    """The slope from n and the sums of x, y, x² and x y; none where x hardly varies."""
    n, x, y, squares, products = np.moveaxis(sums, -1, 0)
    spread = n * squares - x * x
    return np.asarray((n * products - x * y) / np.where(spread > 1e-12, spread, np.nan))


SLOPE = Measure(
    "slope of the index",
    range=(None, None),
    of=(one, _index, right, lambda rows: _index(rows) ** 2, lambda rows: _index(rows) * rows.right),
    value=_least_squares,
    method="jackknife",
)
"""Delete-one-cluster jackknife with Student's t (Tukey 1958; Efron and Tibshirani 1993, chapter
11)."""


def _index_sections(main: Rows) -> list[Section]:
    """Accuracy by the perceptual index, and how fast it changes with it."""
    if len(np.unique(main.items)) < 2:
        return []
    index, rows = _index(main), list[list[Cell]]()
    for low, high in BANDS:
        inside = main.where((index >= low) & ((index < high) | ((index == high) & (high == 1))))
        if inside:
            own = estimate(inside)
            shares = (100 * share for share in own.ends or ())
            rows.append([said("from-to", low=low, high=high), own.items, *shares])
    notes = [said("rul-index-note")]
    slope = estimate(main, SLOPE).ends
    if slope and math.isfinite(slope[1]):
        value, low, high = (each / 10 for each in slope)
        notes.append(said("rul-slope", value=value, low=low, high=high))
    columns = heads("index", "questions", "acc-share", "low", "high")
    return [Section(said("rul-index"), columns, rows, notes)]


def _is_asked(condition: str, kind: QuestionKind) -> bool:
    return kind.condition == condition


def _contrast_sections(rows: Rows) -> list[Section]:
    """The main way of asking against each other one, paired by question."""
    main = Side("main", lambda kind: not kind.condition)
    others = dict.fromkeys(rows.table.kinds[n].condition for n in rows.table.kind[rows.numbers])
    found = contrasted(
        rows,
        [
            Contrast(main, Side(name, partial(_is_asked, name)))
            for name in others
            if name and "/" not in name
        ],
    )
    if not found:
        return []
    names = [each.sides[1] for each in found]
    notes = [said("rul-contrasts-note")]
    if "distractors=own" in names:
        notes.append(said("rul-own"))
    if any(name.startswith("audio=") for name in names):
        notes.append(said("rul-unheard"))
    lines = [contrast_row(name, each) for name, each in zip(names, found, strict=True)]
    columns = heads("instead", "questions", "main", "now", "main-now", "p")
    return [Section(said("rul-contrasts"), columns, lines, notes, kinds=CONTRASTED)]
