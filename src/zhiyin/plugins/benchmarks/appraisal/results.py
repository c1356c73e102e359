"""Results as the published program saves them: its answers as a run, its figures made again.

`save_results` there writes ``summary`` and ``detailed_results``: of everything with the questions
under ``qa_results`` and the scores of each part, of the questions alone as one list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from zhiyin.contract.declared import Section
from zhiyin.contract.policies import open_policy
from zhiyin.contract.published import Cause, ReproducedFigure, ReproducibleTable, Reproduction
from zhiyin.engine.folder import Manifest, find_log, read_manifest, stamp_of
from zhiyin.engine.naming import brief
from zhiyin.errors import InputError, reworded
from zhiyin.parsing import read_json_text
from zhiyin.plugins.benchmarks.appraisal.benchmark import Appraisal, question_trial
from zhiyin.plugins.benchmarks.appraisal.data import QA, REVIEWS, Question, question_in
from zhiyin.plugins.judges import rubric
from zhiyin.plugins.judges.aspects import GRADED, Aspect, aspect_words, read_declared
from zhiyin.plugins.judges.cases import reviewed
from zhiyin.plugins.judges.combine import (
    COMPONENTS,
    QUESTIONS,
    WEIGHTS,
    Combined,
    combine,
    parts_of,
    weighted,
    weights_by_name,
)
from zhiyin.plugins.judges.grades import Grades, read_all, read_grades
from zhiyin.plugins.judges.judging import COLUMNS, KINDS, Row, graded_folders, judge_section
from zhiyin.plugins.methods.imported import write_run
from zhiyin.record import Reply
from zhiyin.runs.figures import figures
from zhiyin.runs.measures import Measure, Sums, Weighted
from zhiyin.runs.rows import Rows
from zhiyin.statistics.parts import TOTAL, Parts
from zhiyin.trial import Trial, say
from zhiyin.words import Said, Text, naming, said

_RULE, _OURS = "flexible", "robust"
_PARTS = {
    QUESTIONS: "qa_accuracy",
    "completeness": "completeness_score",
    "precision": "precision_score",
    "novelty": "novelty_score",
}
"""Each component, and what the file calls its figure."""


class Results(msgspec.Struct):
    """One file of results.

    Attributes
    ----------
    path : Path
    answers : list of (Question, Reply, bool)
        Each question, what was answered, and whether the program counted it as right.
    failed : list of str
        Errors of the questions that failed there: in no figure, then and now.
    twice : int
        Questions that stand there again, and are left out.
    stated : dict of str to float
        The figures of the file by component, as shares, and ``overall``.
    scores : dict of str to list of float
        The scores of each song by component, as shares.
    """

    path: Path
    answers: list[tuple[Question, Reply, bool]] = []
    failed: list[str] = []
    twice: int = 0
    stated: dict[str, float] = {}
    scores: dict[str, list[float]] = {}


def read_results(path: Path) -> Results:
    """Read one file of results.

    Raises
    ------
    InputError
        It cannot be read, is no JSON (Python's NaN is), or has not that form.
    """
    try:
        content = read_json_text(path.read_text("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}: is it there, and a file?") from None
    except ValueError as error:
        raise InputError(f"{path}: no JSON ({error}): give the file as it was saved") from None
    odd = said("appraisal-odd", path=path, why="")
    with reworded(odd, of=(KeyError, TypeError, AttributeError)):
        summary, detailed = content["summary"], content["detailed_results"]
        rows = detailed if isinstance(detailed, list) else detailed["qa_results"]
        results = Results(path)
        _read_rows(results, rows)
        _read_figures(results, summary, detailed if isinstance(detailed, dict) else {})
    return results


def _read_rows(results: Results, rows: Sequence[dict[str, Any]]) -> None:
    known: set[str] = set()
    for place, row in enumerate(rows):
        if "error" in row:
            results.failed.append(str(row["error"]))
            continue
        with reworded(f"{results.path}, qa_results, {place}: ", of=ValueError):
            question = question_in({**row, "answer": row["correct_answer"]})
        if question.id in known:
            results.twice += 1
            continue
        known.add(question.id)
        answer = row["predicted_answer"]
        reply = Reply(answer if isinstance(answer, str) else "" if answer is None else str(answer))
        reply.latency_s = _number(row.get("response_time"))
        if (confidence := _number(row.get("confidence"))) is not None:
            reply.detail["confidence"] = confidence
        results.answers.append((question, reply, row["is_correct"] is True))


def _read_figures(results: Results, summary: dict[str, Any], detailed: dict[str, Any]) -> None:
    most = _number(summary.get("completeness_max_score")) or rubric.MOST
    for part, name in _PARTS.items():
        top = most if part == "completeness" else 1.0
        figure = _number(summary.get(name))
        if part == QUESTIONS and figure is None:
            figure = _number(summary.get("accuracy"))
        if figure is not None:
            results.stated[part] = figure / top
        own = (detailed.get(f"{part}_details") or {}).get("individual_scores") or []
        scores = [score / top for one in own if (score := _number(one)) is not None]
        if scores:
            results.scores[part] = scores
    if (total := _number(summary.get("overall_score"))) is not None:
        results.stated["overall"] = total


def _number(value: Any) -> float | None:
    """A finite number; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def import_results(files: Sequence[Path], out: Path | None, extract: str, model: str) -> list[Path]:
    """A run of the questions of each file, as `Benchmark.import_answers`."""
    benchmark = Appraisal.from_options({"extract": extract})
    folders = []
    for path in files:
        results = read_results(path)
        if not results.answers:
            raise InputError(f"{path}: no answer in it to import")
        answers = [(_trial(question), reply) for question, reply, _ in results.answers]
        folder = out / path.stem if out and len(files) > 1 else out
        folders.append(write_run(
            Appraisal, answers, benchmark.score, [path], folder, extract, model,
            _remarks(results), len(results.failed),
        ))  # fmt: skip
    return folders


def _trial(question: Question) -> Trial:
    return question_trial(question, say("user", f"{question.text}\n{question.option_lines}"))


def _remarks(results: Results) -> Iterator[str]:
    if results.failed:
        yield f"{len(results.failed)} questions failed there (the first: {results.failed[0]})"
    if results.twice:
        yield f"left out: {results.twice} questions that stand there again"
    judged = {part: share for part, share in results.stated.items() if part != QUESTIONS}
    if judged:
        figures = ", ".join(f"{part} {100 * share:.2f} %" for part, share in judged.items())
        yield f"the file says of reviews that are not in it, and cannot be judged here: {figures}"


def make_results(files: Sequence[Path]) -> Reproduction:
    """Each component and the total, from the answers and from the scores of each song."""
    rows = [row for path in files for row in _rows(read_results(path))]
    notes = (
        "by rule: the first letter from A to D in a reply; of reviews, the mean of their judge's "
        "scores, which stand in the file; the reviews do not. By ours (robust) the answer that a "
        "reply declares",
    )
    return Reproduction(tuple(rows), notes)


def _rows(results: Results) -> Iterator[ReproducedFigure]:
    name, n = results.path.stem, len(results.answers)
    made: dict[str, float | None] = dict.fromkeys(COMPONENTS)
    ours = None
    causes: list[Cause] = []
    if n:
        theirs, robust = open_policy(_RULE), open_policy(_OURS)
        right, own, otherwise = 0, 0, 0
        for question, reply, _ in results.answers:
            options = question.choices
            by_rule = theirs.extract(reply.text, options).letter
            by_ours = robust.extract(reply.text, options).letter
            right += by_rule == question.answer
            own += by_ours == question.answer
            otherwise += by_rule != by_ours
        made[QUESTIONS], ours = right / n, own / n
        if otherwise:
            causes.append(Cause("ours", "replies read otherwise", otherwise, (own - right) / n))
    for part, scores in results.scores.items():
        made[part] = fmean(scores)
    for part in COMPONENTS:
        if part in results.stated or made[part] is not None:
            asked = part == QUESTIONS
            yield ReproducedFigure(
                name, part, results.stated.get(part), made[part], ours if asked else None,
                n if asked else len(results.scores.get(part, ())),
                causes=tuple(causes) if asked else (),
            )  # fmt: skip
    if "overall" in results.stated:
        total = weighted(made, dict(zip(COMPONENTS, WEIGHTS, strict=True)))
        yield ReproducedFigure(name, "total", results.stated["overall"], total, None, n)


TABLES = (
    ReproducibleTable(
        "results",
        "questions, completeness, precision, novelty and the total of a saved result",
        "comprehensive_..._results.json or any other name, as save_results writes it",
        lambda path: path.name.startswith("comprehensive") and path.suffix == ".json",
        make_results,
    ),
)


# A judged run as it is shown and compared: its tables, and its scores in parts for each judge.


def sections(rows: Rows) -> list[Section]:
    """The headline of an appraisal run, and what each judge made of its reviews."""
    run, counted = rows.folder, figures(rows.table)
    counts = counted.counts
    lines: list[Row] = []
    qa, reviews = counts.get(QA), counts.get(REVIEWS)
    if qa:
        metrics = counted.metrics(QA)
        ends = metrics.ci95 or (None, None)
        lines.append([said("appraisal-questions"), metrics.accuracy, *ends, qa.judged, qa.error])
    notes = []
    if reviews:
        written = sum(1 for _ in reviewed(run))
        settled = reviews.settled
        share = written / settled if settled else None
        lines.append([said("appraisal-written"), share, None, None, settled, reviews.error])
        if reviews.correct:
            notes.append(said("appraisal-earlier"))
    overview = [Section(said("appraisal-title"), COLUMNS, lines, notes, kinds=KINDS)]
    return overview + [
        judge_section(combine(grades, run), grades.title)
        for grades in read_all(graded_folders(run), run)
    ]


_ASKED = "questions"
_OWN = ("draws", "run")
"""Options in which two judge runs may differ and still judge alike."""


class GradeSums(msgspec.Struct, frozen=True):
    """The sums of a judge's grades by part and song, with the questions; the questions alone where
    the judge has not graded the run, and nothing where there is no `total`.
    """

    by: str
    how: str
    total: bool
    added: tuple[Aspect, ...] = ()

    def __call__(self, rows: Rows) -> Sums:
        """Sum up the songs of a run."""
        for folder in graded_folders(rows.folder):
            manifest = read_manifest(folder)
            if (manifest.model, _judging_fingerprint(manifest)) == (self.by, self.how):
                stamps = (stamp_of(find_log(one)) for one in (folder, rows.folder))
                return self._sums(*_read(folder, rows.folder, *stamps), rows)
        reviews = rows.which(lambda kind: REVIEWS in kind.groups)
        notes = [said("appraisal-not-judged")] if len(reviews) and not self.by else []
        return self._of(self._parts(None, rows), False, notes)

    def _sums(self, grades: Grades, combined: Combined, rows: Rows) -> Sums:
        failed = any(part.errors for part in combined.components.values())
        notes = [
            note
            for note in combined.notes
            if not isinstance(note, Said) or note.name not in ("judged-quotations", "judged-sums")
        ]
        there = combined.total is not None
        return self._of(self._parts(grades, rows), there and not failed, notes, there)

    def _parts(self, grades: Grades | None, rows: Rows) -> Parts:
        parts = parts_of(grades, rows, WEIGHTS, self.added)
        return msgspec.structs.replace(parts, names=(_ASKED, *parts.names[1:]))

    def _of(self, parts: Parts, whole: bool, notes: Sequence[Text], there: bool = False) -> Sums:
        sums = Sums.of_parts(parts, whole or not self.total, notes)
        return sums if there or not self.total else sums.only(sums.keys[:0])


@lru_cache(maxsize=32)
def _read(folder: Path, run: Path, *_stamps: tuple[int, ...]) -> tuple[Grades, Combined]:
    """The grades of a judge run and what they come to, read once for all measures and pairs."""
    grades = read_grades(folder, run)
    return grades, combine(grades, run)


def totals(run: Path) -> tuple[Measure, ...]:
    """The total and the parts of a run under each judge that graded its reviews, first those by
    the usual rules and aspects; where none did, those of its questions alone.

    Raises
    ------
    InputError
        The folder is no run.
    """
    each = sorted(map(read_manifest, graded_folders(run)), key=lambda one: _by(one) != one.model)
    judges = {(one.model, _judging_fingerprint(one), _by(one)): read_declared(one.options)
              for one in each}  # fmt: skip
    return tuple(_total(*judge, added) for judge, added in (judges or {("", "", ""): ()}).items())


def _by(judging: Manifest) -> str:
    """Name a judge, with rules and aspects that are not the usual, of which its total is."""
    options, by = judging.options, judging.model
    apart: list[Text] = [one for one in (options.get("protocol"),) if one and one != "ours"]
    if {*(names := aspect_words(options.get("aspects")))} != {*GRADED}:
        parts = [said("judged-part", name=name) for name in names]
        apart.append(said("judged-for", names=parts, only=not {*GRADED} <= {*names}))
    for name in (brief(by), judging.model) if apart else ():  # pages name it briefly
        by = naming(said("boards-set-apart", name=name, by=apart))
    return by


def _total(judge: str, how: str, by: str, added: tuple[Aspect, ...]) -> Measure:
    own, *rest = weights_by_name(WEIGHTS, added).items()
    names, weights = (_ASKED, *(name for name, _ in rest)), (own[1], *(each for _, each in rest))
    total = Measure(
        TOTAL, of=GradeSums(judge, how, True, added), over="settled", by=by, how=how,
        weighted=Weighted(TOTAL, names, weights),
    )  # fmt: skip
    parts = (
        msgspec.structs.replace(
            total, name=name, of=GradeSums(judge, how, False, added),
            by=by if name != _ASKED else "", weighted=Weighted(name, names, weights),
        )
        for name in names
    )  # fmt: skip
    return msgspec.structs.replace(total, parts=tuple(parts))


def _judging_fingerprint(manifest: Manifest) -> str:
    """A fingerprint of how a judge judged, whichever run and however many draws."""
    options = {k: v for k, v in manifest.config.get("options", {}).items() if k not in _OWN}
    what = msgspec.json.encode({**manifest.config, "options": options}, order="sorted")
    return blake2b(what, digest_size=8).hexdigest()
