"""MSU-Bench as a `Benchmark`: free questions on whole scores, read by rule or by a judge."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from zhiyin.contract import Benchmark, CheckResult
from zhiyin.contract.declared import Flaw, Section
from zhiyin.contract.question_table import TableRow
from zhiyin.contract.tables import read_table
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import unread
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.msu_bench import answers
from zhiyin.plugins.judges.answers import VERDICTS, Judge, judged
from zhiyin.plugins.music.clips import FaultSink, find_table, is_left_out, refuse
from zhiyin.prompts import Prompts
from zhiyin.reader import is_refusal
from zhiyin.record import Exchange, Strategy, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.runs.ways import Way, Ways
from zhiyin.strategies import standalone
from zhiyin.trial import Message, Tag, Text, Trial
from zhiyin.words import Said, said

SHOWN = Way("shown", plain="notation", contrast="none", changes="medium")
WAYS = Ways((SHOWN,))
FILES = ("questions.csv", "msu-bench.xlsx", "*.parquet", "*.jsonl", "questions.*")
FACTS = ("scores.csv", "metadata.xlsx")
PLACES = {
    "notation": ("score", "question"),
    "pages": ("question",),
    "none": ("question",),
    "judge": ("question", "expected", "reply"),
    "again": ("fault",),
}
LEVELS = ("1", "2", "3", "4")
_VERSION = 1
"""Raised whenever any answer would be scored otherwise."""
_NAMES = {
    "score": ("score", "link", "url", "song_id", "song"),
    "abc": ("abc", "abc_notation", "abc_text", "score_abc"),
}
"""Columns that have other names in other copies."""


class MsuChecking(msgspec.Struct, frozen=True):
    """Settings of a check of the data."""

    scores: Annotated[
        str | None, Flag("folder of the scores, notation or pages", "DIR", place=True)
    ] = None


class MsuSettings(MsuChecking, frozen=True):
    """Settings of a run of MSU-Bench."""

    data: Annotated[str | None, Flag("table of the questions, or its folder", place=True)] = None
    partial: Annotated[bool, Flag("whether scores may be missing", place=True)] = False
    show: Annotated[
        tuple[answers.Shown, ...],
        Flag("how scores are shown: notation, pages, none", "S,...", once=True),
    ] = ("notation",)
    level: Annotated[
        tuple[Literal["1", "2", "3", "4"], ...], Flag("which levels: 1, 2, 3, 4", "L,...")
    ] = ("1", "2", "3", "4")
    judge: Annotated[str | None, Flag("who judges answers, a model", "JUDGE", place=True)] = None
    judged: Annotated[
        Literal["all", "long"],
        Flag("what the judge sees: all, so that rule and judge can be compared, or long ones"),
    ] = "all"
    prompts: Annotated[str | None, Flag("prompt files in place of ours", "DIR", place=True)] = None


class ScoreQuestion(msgspec.Struct, frozen=True):
    """One question on a score.

    Attributes
    ----------
    id, score, level, text, answer : str
        `score` is the link by which the data name it.
    number : int
        Of the score in the data, from 1.
    """

    id: str
    score: str
    level: str
    text: str
    answer: str
    number: int

    @property
    def form(self) -> answers.AnswerForm:
        """Form in which its answer is compared."""
        return answers.form_of(self.answer)


class MsuBench(Benchmark[MsuSettings]):
    """Free questions on whole scores, at four levels, as a `Benchmark`."""

    name = "msu-bench"
    summary = said("msu-bench-summary")
    description = "benchmark.toml"
    Settings: ClassVar[type[msgspec.Struct]] = MsuSettings
    Checking: ClassVar[type[msgspec.Struct]] = MsuChecking
    ways = WAYS

    # Trials

    def trials(self) -> Iterator[Trial]:
        """Every question with its score, in every way in which it is shown."""
        for question, shown in self._asked():
            yield self._trial(question, shown)

    def __len__(self) -> int:
        return sum(1 for _ in self._asked())

    def _asked(self) -> Iterator[tuple[ScoreQuestion, answers.Shown]]:
        settings, folder = self.settings, self.folder
        folder.require(
            {q.score: 0 for q in self.questions}, settings.show, partial=settings.partial
        )
        for question, shown in product(self.questions, settings.show):
            if folder.has(question.score, shown):
                yield question, shown

    def _trial(self, question: ScoreQuestion, shown: answers.Shown) -> Trial:
        parts = self.folder.parts(question.score, shown)
        text = parts[0].text if parts and isinstance(parts[0], Text) else ""
        words = self._prompts.fill(shown, question=question.text, score=text)
        pictures = () if text else parts
        form, level = question.form, f"level_{question.level}"
        tags: dict[str, Tag] = {
            "form": form,
            "level": question.level,
            "accept": json.dumps([question.answer], ensure_ascii=False),
            SHOWN.name: shown,
        }
        if composer := self._composers.get(question.score):
            tags["composer"] = composer
        groups: tuple[str, ...] = (level, f"{level}/{_group(form)}", _group(form))
        if "composer" in question.text.casefold():
            groups = (*groups, "composer_asked")
        condition = WAYS.of(tags)
        several = len(self.settings.show) > 1 or condition
        prefix = f"{SHOWN.name}={shown}" if several else ""
        return Trial(
            id="/".join(filter(None, (question.id, condition))),
            messages=(Message("user", (*pictures, Text(words))),),
            stem=question.text,
            target=question.answer,
            groups=(prefix, *(f"{prefix}/{g}" for g in groups)) if prefix else groups,
            cluster=question.score,
            tags=tags,
            item=question.id,
            condition=condition,
        )

    # Answers

    async def before(self, order: Any) -> None:
        """See that the judge is there, where one is named."""
        if self.settings.judge:
            await self._judge.check()

    def strategy(self, trial: Trial) -> Strategy:
        """One question, one reply; and a judgement of the reply, where a judge is named."""
        wanted = self.settings.judged == "all" or trial.tags.get("form") == "long"
        return self._judge.conduct if self.settings.judge and wanted else standalone

    @cached_property
    def _judge(self) -> Judge:
        return Judge(str(self.settings.judge), self._prompts)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score by rule where the key has two words at most, by the judge elsewhere.

        `judged` in the scores is what the judge says of an answer that the rule decides.
        """
        form = answers.form_of(trial.target or "")
        label, reply = f"{form}@{_VERSION}", exchange.final
        if not reply.text.strip() or reply.finish == "refusal":
            return unread(reply, "nothing was said", label)
        opinion = judged(exchange)
        scores = {} if isinstance(opinion, str) else {"judged": VERDICTS[opinion[0]]}
        if form == "long":
            return _by_judge(opinion, scores, label, asked="judge" in exchange.notes)
        found = answers.stated(reply.text, form)
        declined = found.confidence != "declared" and is_refusal(reply.text)
        if found.value is None or declined:
            return msgspec.structs.replace(unread(reply, found.why, label), scores=scores)
        key = str(trial.target)
        if form == "yes-no":
            right = found.value is (key.strip().casefold() == "yes")
            answer = "Yes" if found.value else "No"
        else:
            answer = str(found.value)
            right = answers.is_same(answer, key, trial.stem)
        return Verdict(
            "correct" if right else "wrong", answer, None, found.why, label, scores,
            confidence=found.confidence, span=found.span,
        )  # fmt: skip

    # Data

    @cached_property
    def questions(self) -> list[ScoreQuestion]:
        """The questions of the levels that are asked for. Raises `InputError` for a faulty row."""
        path = self._path(self.settings.data)
        questions = read_questions(path, refuse)
        chosen = [q for q in questions if q.level in self.settings.level]
        if not chosen:
            raise InputError(f"{path}: holds no question that is asked for; correct the flags")
        return chosen

    @classmethod
    def _path(cls, data: str | None) -> Path:
        return find_table(data, FILES, cls.name, cls.home)

    @cached_property
    def folder(self) -> answers.ScoreFolder:
        """The scores, as far as they are here."""
        return open_folder(self._path(self.settings.data), self.questions, self.settings.scores)

    @cached_property
    def _composers(self) -> dict[str, str]:
        return merged_names(read_facts(self._path(self.settings.data).parent, "composer"))

    @cached_property
    def _prompts(self) -> Prompts:
        return Prompts(__package__, PLACES, folder=self.settings.prompts)

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and what is shown; not over files' places."""
        total = hashlib.sha256(self._prompts.as_bytes())
        total.update(self.settings.judged.encode())
        for question, shown in self._asked():
            parts = self.folder.parts(question.score, shown)
            sent = [p.text if isinstance(p, Text) else p.sha256 for p in parts]
            total.update(msgspec.json.encode((question, shown, sent)))
        return total.hexdigest()

    def remarks(self) -> list[Said]:
        """Report what is missing, and what cannot be scored without a judge."""
        remarks = []
        every, asked = len(self.questions) * len(self.settings.show), len(self)
        if asked < every:
            facts = {"unit": "questions", "what": "scores"}
            remarks.append(said("examples-missing", n=every - asked, of=every, **facts))
        long = sum(question.form == "long" for question in self.questions)
        if long and not self.settings.judge:
            remarks.append(said("msu-bench-unjudged", n=long))
        return remarks

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the table, and of the scores where their folder is named."""
        path = cls._path(options.get("data"))
        flaws: list[Flaw] = []
        questions = read_questions(path, flaws.append)
        scores = list(dict.fromkeys(question.score for question in questions))
        folder = open_folder(path, questions, options.get("scores"))
        if options.get("scores"):
            flaws += folder.flaws(scores)
        expected = cls.expected()
        total = expected.counts["all"] if expected else len(questions)
        if len(questions) != total and not options.get("partial"):
            coverage = said("flaw-coverage", n=len(questions), of=total, whole=False, others=0)
            flaws.append(Flaw("incomplete", path.name, "", coverage))
        notes = [said("data-questions", n=len(questions))]
        notes.append(said("msu-bench-scores", n=len(scores)))
        return CheckResult(len(questions), flaws, notes)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """Tabulate forms of answers, the agreement of rule and judge, and all levels of a score."""
        from zhiyin.plugins.benchmarks.msu_bench.answers import answer_sections

        return answer_sections(rows)


def _by_judge(
    opinion: tuple[str, str] | str, scores: dict[str, float], label: str, *, asked: bool
) -> Verdict:
    if not asked:
        return Verdict("ungraded", None, None, "no judge was asked", label)
    if isinstance(opinion, str):
        return Verdict("error", None, why=opinion, policy=label)
    word, reason = opinion
    why = f"judged {word}: {reason}" if reason else f"judged {word}"
    return Verdict("correct" if word == "right" else "wrong", None, None, why, label, scores)


def _group(form: answers.AnswerForm) -> str:
    return f"{form.replace('-', '_')}_answers"


def read_questions(path: Path, on_fault: FaultSink) -> list[ScoreQuestion]:
    """The questions of a table; what cannot be asked goes to `on_fault`.

    A row may also be a score with a list of its questions, as the authors' data page describes.
    "None" is an answer; an empty cell is none.
    """
    table = read_table(path)
    for broken in table.broken:
        on_fault(Flaw(broken.kind, str(path), f"{table.unit} {broken.line}", broken.problem))
    numbers: dict[str, int] = {}
    counts: dict[str, int] = {}
    questions: list[ScoreQuestion] = []
    seen: set[tuple[str, str]] = set()
    for row, cells in _lines(table.rows, [*table.columns]):
        where = f"{table.unit} {row.line}"
        lacking = next((name for name, text in cells.items() if not text and name != "id"), "")
        level = cells["level"].lower().removeprefix("level").strip(" _").removesuffix(".0")
        twice = (cells["score"], cells["question"])
        fault = None
        if lacking:
            fault = "blank-field", said("flaw-none", field=lacking)
        elif level not in LEVELS:
            fault = "bad-level", said("msu-bench-no-level", level=repr(cells["level"]))
        elif twice in seen:
            fault = "repeated", said("msu-bench-twice")
        if is_left_out(path, where, table.unit, fault, on_fault):
            continue
        seen.add(twice)
        score = cells["score"]
        number = numbers.setdefault(score, len(numbers) + 1)
        counts[score] = counts.get(score, 0) + 1
        name = cells["id"] or f"{number:03}-{counts[score]:02}"
        questions.append(
            ScoreQuestion(name, score, level, cells["question"], cells["answer"], number)
        )
    return questions


def _lines(
    rows: Sequence[TableRow], columns: Sequence[str]
) -> Iterator[tuple[TableRow, dict[str, str]]]:
    """The rows with what a question needs; a row with a list of questions gives one for each."""
    for row in rows:
        cells = {name.strip().casefold(): row.cells.get(name) for name in columns}
        nested = cells.get("questions")
        nested = nested if isinstance(nested, list) else [cells]
        for each in nested:
            own = {**cells, **{str(k).casefold(): v for k, v in each.items()}}
            names = ("id", "score", "level", "question", "answer")
            yield row, {name: _cell(own, name) for name in names}


def _cell(cells: Mapping[str, Any], name: str) -> str:
    """The text of a cell, by any name of its column."""
    value = next((cells[n] for n in _NAMES.get(name, (name,)) if cells.get(n) is not None), "")
    return str(value).strip()


def open_folder(
    path: Path, questions: Sequence[ScoreQuestion], scores: str | None
) -> answers.ScoreFolder:
    """The scores of questions: notation in the table itself, and files in a folder."""
    titles = read_facts(path.parent, "title")
    often = Counter(titles.values())
    names = {
        q.score: (
            q.score.rstrip("/").rpartition("/")[2], f"{q.number:03}", str(q.number),
            *(title for title in [titles.get(q.score, "")] if often[title] == 1),
        )
        for q in questions
    }  # fmt: skip
    table = read_table(path)
    texts: dict[str, str] = {}
    if any(name.strip().casefold() in _NAMES["abc"] for name in table.columns):
        for row in table.rows:
            cells = {name.strip().casefold(): row.cells.get(name) for name in table.columns}
            if text := _cell(cells, "abc"):
                texts.setdefault(_cell(cells, "score"), text)
    return answers.ScoreFolder(Path(scores) if scores else None, names, texts)


def read_facts(folder: Path, column: str) -> dict[str, str]:
    """Read what the table of scores beside the questions says of each; empty without one."""
    place = next((folder / name for name in FACTS if (folder / name).is_file()), None)
    if place is None:
        return {}
    table = read_table(place)
    found: dict[str, str] = {}
    for row in table.rows:
        cells = {name.strip().casefold(): row.cells.get(name) for name in table.columns}
        if text := " ".join(_cell(cells, column).split()):
            found[_cell(cells, "score")] = text
    return found


def merged_names(found: Mapping[str, str]) -> dict[str, str]:
    """Composers with one spelling each: a family name alone joins the one full name it ends."""
    names = set(found.values())
    full = {n: [m for m in names if m != n and m.split()[-1] == n] for n in names}
    return {s: full[n][0] if len(full[n]) == 1 else n for s, n in found.items()}
