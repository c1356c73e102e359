"""A file of the user's own questions as a benchmark."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, ClassVar, cast

import msgspec
import numpy as np

from zhiyin.benchmarks.questions.cells import QuestionColumns, match_columns
from zhiyin.benchmarks.questions.items import OwnQuestion, Reader
from zhiyin.benchmarks.questions.published import KEPT, keep, read_published
from zhiyin.benchmarks.questions.scoring import AnswerJudge, score, scorer_of
from zhiyin.benchmarks.questions.settings import QuestionSettings, ReadingSettings
from zhiyin.benchmarks.questions.trials import PLACES, MediaShelf, QuestionTrials, is_order_bound
from zhiyin.contract import Benchmark, CheckResult, Reference, Section
from zhiyin.contract.arguments import OWN
from zhiyin.contract.conditions import condition_sections
from zhiyin.contract.declared import heads
from zhiyin.contract.options import read_settings
from zhiyin.contract.policies import open_policy
from zhiyin.contract.question_table import (
    Fault,
    QuestionTable,
    personal_columns,
    with_equal_options,
)
from zhiyin.contract.tables import fault_said, faults_said, read_table
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Strategy, Turn, Verdict
from zhiyin.runs.figures import group_name
from zhiyin.runs.measures import USUAL, error_rate
from zhiyin.runs.measures import score as mean_score
from zhiyin.runs.rows import Rows, TrialRow
from zhiyin.strategies import standalone
from zhiyin.trial import Trial
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.contract.settings import RunSettings
    from zhiyin.engine.runner import Watch


_MOST_LISTED = 10
_CHINESE = re.compile(
    r"[^\u3040-\u30ff\uac00-\ud7af]*[\u4e00-\u9fff][^\u3040-\u30ff\uac00-\ud7af]*"
)
"""Signs of Chinese without those that Japanese or Korean has beside them."""


class Questions(Benchmark[QuestionSettings]):
    """Questions of the user's own, from one file.

    Parameters
    ----------
    settings : QuestionSettings

    Raises
    ------
    InputError
        The extraction policy is unknown. Whatever is wrong with the file is raised by the
        method that first needs it: a run can be scored again without it.
    """

    name = OWN
    summary = said("questions-summary")
    licence = "the user's"
    without_sound = "--columns audio="
    measures = (*USUAL, error_rate("wer"), error_rate("cer"), mean_score("similarity"))
    Settings: ClassVar[type[msgspec.Struct]] = QuestionSettings
    Checking: ClassVar[type[msgspec.Struct]] = ReadingSettings

    def __init__(self, settings: QuestionSettings) -> None:
        if settings.delimiter == "\\t":  # as a shell passes a tab that is typed
            settings = msgspec.structs.replace(settings, delimiter="\t")
        super().__init__(settings)
        if settings.shots < 0:
            raise InputError(said("error-shots", shots=str(settings.shots)))
        open_policy(settings.extract)
        self._shelf = MediaShelf()
        self._faults: list[Fault] = []
        self._judges: dict[str, AnswerJudge] = {}

    def trials(self) -> Iterator[Trial]:
        """Every question that is no worked example, in the order of the file, in every way."""
        for question in self._scored:
            yield from self._maker.every(question)

    def __len__(self) -> int:
        self._maker.check()
        return sum(len(self._maker.askings(question)) for question in self._scored)

    def strategy(self, trial: Trial) -> Strategy:
        """One question, one reply; and a judgement where the question wants one."""
        if trial.tags.get("kind") == "several":
            return several
        scorer = str(trial.tags.get("scorer", ""))
        return self._judge_of(scorer).conduct if _is_by_rubric(scorer) else standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The chosen options against the right ones, or a free answer by its scorer."""
        return score(trial, exchange, self.policy)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Questions:
        """The questions as `options` say, in a class that bears the name of their file."""
        settings = cast(QuestionSettings, read_settings(cls.Settings, options))
        named: type[Questions] = type(cls.__name__, (cls,), {"name": name_of(settings.data)})
        return named(settings)

    async def before(self, order: RunSettings) -> None:
        """Read the published rows, and see that the judge is there.

        Raises
        ------
        InputError
            The rows are faulty, or there is no judge or none that can be reached.
        """
        if self.settings.data:
            read_published(Path(self.settings.data))
        if self._is_judged:
            for scorer in {question.scorer for question in self._scored}:
                if _is_by_rubric(scorer):
                    await self._judge_of(scorer).check()

    @classmethod
    async def after(cls, folder: Path, order: RunSettings, watch: Watch) -> None:
        """Keep the published rows with the run, so that they are there wherever it is read."""
        keep(Path(order.options["data"]), folder)

    def fingerprint(self) -> str:
        """SHA-256 over the file, what it plays and shows, the prompts, and how all is judged."""
        total = hashlib.sha256(self.table.sha256.encode())
        for question in self.questions:
            for place in question.sounds:
                total.update(self._shelf.audio(place).sha256.encode())
            for place in question.pictures:
                total.update(self._shelf.image(place).sha256.encode())
            total.update(question.rubric.encode())
        total.update(self._prompts.fingerprint().encode())
        settings = msgspec.structs.replace(self.settings, data=None, audio_root=None, prompts=None)
        if not self._is_judged:
            settings = msgspec.structs.replace(settings, judge=None)
        fields = msgspec.structs.asdict(settings)
        if settings.plain:  # as before there was another way
            del fields["audio"], fields["distractors"]
        if settings.once:
            del fields["repeats"], fields["rotations"]
        if self._maker.without_itself():  # these stood among their own examples before
            fields["itself"] = "passed over"
        total.update(msgspec.json.encode(fields))
        return total.hexdigest()

    def remarks(self) -> list[Said]:
        """List remarks on how the file was read, and what is done with its questions."""
        count = Counter(question.kind for question in self._scored)
        kinds = [said("questions-some", n=n, kind=kind) for kind, n in count.items()]
        path = str(self.table.path)
        remarks = []
        foreign = sum(bool(_CHINESE.fullmatch(question.text)) for question in self._scored)
        if self.settings.language == "en" and 2 * foreign > len(self._scored):
            remarks.append(said("questions-language"))
        if personal := personal_columns(question.facts for question in self.questions):
            remarks.append(said("questions-personal", columns=personal))
        if twins := with_equal_options((q.id, q.options) for q in self._scored):
            remarks.append(twins)
        if self.table.encoding:
            remarks.append(said("questions-encoding", encoding=self.table.encoding))
        remarks.append(said("questions-read", path=path, n=len(self._scored), kinds=kinds))
        if faults := self._faults:
            lines = ", ".join(str(fault.line) for fault in faults[:_MOST_LISTED])
            facts = {"n": len(faults), "unit": self.table.unit, "lines": lines}
            more = len(faults) > _MOST_LISTED
            remarks.append(said("questions-left-out", more=more, **facts))
        if columns := self.columns.in_words():
            remarks.append(said("questions-columns", columns=columns))
        if self.columns.others:
            remarks.append(said("questions-facts", columns=self.columns.others))
        if examples := len(self._examples):
            shots = self.settings.shots
            why = self._maker.unshown(self._examples) if shots else []
            remarks.append(said("questions-examples", n=examples, shots=shots, why=why))
            if itself := self._maker.without_itself():
                remarks.append(said("questions-itself", n=itself))
        if (one := count["choice"]) and (some := count["several"]):
            remarks.append(said("questions-several", several=some, one=one))
        if self._by_file:
            pictures = any(question.pictures for question in self._scored)
            remarks.append(said("questions-clusters", pictures=pictures))
        drawn = self.settings.shuffle or not self.settings.once
        if drawn and (bound := sum(map(is_order_bound, self._scored))):
            remarks.append(said("questions-not-shuffled", n=bound))
        if len(self._maker.conditions()) > 1:
            remarks.append(said("questions-conditions"))
        if self._is_judged:
            remarks.append(said("questions-judged", judge=self.settings.judge))
        return remarks

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of a file; see `flaws`."""
        from zhiyin.benchmarks.questions.flaws import check_file

        return check_file(cls.from_options(options))

    @classmethod
    def published_beside(cls, folder: Path) -> Reference | None:
        """The rows that lay beside the file when the run was made."""
        return read_published(folder / KEPT)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """The figures of each kind of question."""
        return sections(rows, manifest)

    @cached_property
    def table(self) -> QuestionTable:
        """The file's rows."""
        settings = self.settings
        if not settings.data:
            raise InputError(said("error-no-question-file"))
        return read_table(Path(settings.data), sheet=settings.sheet, split=settings.split)

    @cached_property
    def columns(self) -> QuestionColumns:
        """Columns of the file by their meaning."""
        if not self.table.columns and self.table.broken:
            raise InputError(faults_line(self.table, self.table.broken))
        return match_columns(self.table.columns, self.settings.columns, str(self.table.path))

    @cached_property
    def questions(self) -> list[OwnQuestion]:
        """All questions and worked examples.

        Raises `InputError` where any row is wrong, unless `partial` leaves those out.
        """
        usable = self.read(self._faults)
        if self._faults and not (self.settings.partial and usable):
            raise InputError(faults_line(self.table, self._faults))
        return usable

    def read(self, faults: list[Fault]) -> list[OwnQuestion]:
        """The rows that can be asked; what is wrong with the others is added to `faults`."""
        return Reader(self.table, self.columns, self.settings, faults.append).questions()

    @cached_property
    def _scored(self) -> list[OwnQuestion]:
        return [question for question in self.questions if not question.example]

    @cached_property
    def _examples(self) -> list[OwnQuestion]:
        return [question for question in self.questions if question.example]

    @property
    def _is_judged(self) -> bool:
        default = _is_by_rubric(self.settings.scorer or "")
        if not default and self.columns.one("scorer") is None:
            return False  # seen without reading the rows
        return any(_is_by_rubric(question.scorer) for question in self._scored)

    def _judge_of(self, scorer: str) -> AnswerJudge:
        """Return the judge for the answers of a scorer that goes by a rubric."""
        found = scorer_of(scorer)
        assert found is not None
        assert found.judge is not None
        if found.name not in self._judges:
            if not self.settings.judge:
                raise InputError(said("error-say-judge"))
            self._judges[found.name] = found.judge(self.settings.judge, self._prompts)
        return self._judges[found.name]

    @cached_property
    def _prompts(self) -> Prompts:
        return Prompts(
            "zhiyin.benchmarks.questions",
            PLACES,
            language=self.settings.language,
            folder=self.settings.prompts,
        )

    @cached_property
    def _maker(self) -> QuestionTrials:
        return QuestionTrials(
            self._prompts,
            self._shelf,
            self._examples,
            self.settings,
            self._scored,
            clusters_of(self._scored),
        )

    @property
    def _by_file(self) -> bool:
        named = any(question.cluster for question in self._scored)
        return not named and bool(clusters_of(self._scored))


def _is_by_rubric(scorer: str) -> bool:
    found = scorer_of(scorer)
    return found is not None and found.judge is not None


async def several(trial: Trial, ask: Ask) -> Exchange:
    """One question, one reply of several letters; ``--confirm``, for one letter, lets it be."""
    return Exchange((Turn(await ask(trial.messages), purpose="letters"),))


def name_of(data: str | None) -> str:
    """Name the runs of a file: runs of different files are never set side by side."""
    stem = re.sub(r"[^\w.]+", "-", Path(data).stem).strip("-") if data else ""
    return f"{OWN}-{stem[:40]}" if stem else OWN


def clusters_of(questions: Sequence[OwnQuestion]) -> dict[str, str]:
    """The cluster of each question by id: its own word; else what shares a recording or picture.

    Whatever hangs together by a chain of shared files is one cluster, under the name of one
    of them. Empty where every question stands alone: clusters are named for all or for none.
    """
    any_named = any(question.cluster for question in questions)
    if not any_named and not any(question.sounds or question.pictures for question in questions):
        return {}
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while above.setdefault(name, name) != name:
            name = above[name]
        return name

    for question in questions:
        names = _files(question)
        for name in names[1:] if not any_named else ():
            above[root(name)] = root(names[0])
    clusters = {
        question.id: question.cluster
        or (root(_files(question)[0]) if _files(question) and not any_named else question.id)
        for question in questions
    }
    return clusters if len(set(clusters.values())) < len(clusters) else {}


def _files(question: OwnQuestion) -> list[str]:
    """The recordings and pictures of a question, by name."""
    return [place.name for place in (*question.sounds, *question.pictures)]


def faults_line(table: QuestionTable, faults: Sequence[Fault]) -> Said:
    """All faults of a file on one line, ten kinds at most."""
    if len(faults) == 1:
        return fault_said(table.at(faults[0].line), faults[0])
    kinds = faults_said(faults, table.unit)
    more = max(0, len(kinds) - _MOST_LISTED)
    rows = str(len({fault.line for fault in faults}))
    return said("error-rows", path=table.path, n=rows, rows=kinds[:_MOST_LISTED], more=more)


_HEADLINE = {
    "set-f1": "f1", "several": "f1", "edit": "similarity", "wer": "wer", "cer": "cer",
    "notes": "in_place", "judge": "judged",
}  # fmt: skip
"""The figure beside right and wrong, by scorer; its mean is over the answers that could be read."""


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """A row for each kind of question: how many, how many right, by chance, and the mean score."""
    asked = rows.settled.main or rows.settled
    if not asked:
        return []
    lines: list[list[Text | float | int | None]] = []
    for name, own in sorted(asked.by(map(_kind_of, asked)).items()):
        figure = _HEADLINE.get(name.partition(":")[0])
        scores = own.scores(figure or "")
        scores = scores[~np.isnan(scores)]
        chances = [1 / row.alternatives for row in own if row.alternatives]
        lines.append([
            group_name(name), len(own), 100 * float(own.right.mean()),
            100 * fmean(chances) if chances else None,
            figure if len(scores) else None, fmean(scores.tolist()) if len(scores) else None,
        ])  # fmt: skip
    columns = heads("kind", "n", "right-share", "chance-share", "score", "mean")
    options = manifest.options
    several = any(options.get(name) for name in ("audio", "distractors"))
    further = condition_sections(rows, manifest) if several else []
    return [Section(said("questions-kinds"), columns, lines, [said("questions-note")]), *further]


def _kind_of(row: TrialRow) -> str:
    """The kind of a question: its scorer, or whether one or several options are right."""
    return str(row.tags.get("scorer") or row.tags.get("kind") or "choice")
