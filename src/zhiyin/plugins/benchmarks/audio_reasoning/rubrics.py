"""MMAR-Rubrics: the questions of MMAR with the reasoning behind each right answer judged.

The judging is that of ``zhiyin judge RUN --aspects reasoning``, in a run of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.analysis.coverage import coverage_of
from zhiyin.contract.declared import Cell, Kind, Section
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.flags import COUNT, Flag
from zhiyin.plugins.benchmarks.audio_reasoning.benchmark import Entry, Mmar, MmarSettings
from zhiyin.plugins.music.clips import read_json, read_json_lines
from zhiyin.record import Exchange, Verdict
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import Rows
from zhiyin.trial import Trial
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.engine.runner import Watch
    from zhiyin.plugins.judges.choices import Reasoned
    from zhiyin.session import Result

DRAWS = 5
AGENTS = " (agents)"
"""What stands behind the name of a published row of the agent track."""
_ANSWER = re.compile(
    r"^[^\w\n]*+(?:final\s)?answer[^\w:：]*+[:：]\W*+", re.IGNORECASE | re.MULTILINE
)
_MATCH = "string-match"


class RubricSettings(MmarSettings, frozen=True):
    """Settings of a run of MMAR's rubrics."""

    judge: Annotated[
        str | None, Flag("who judges the reasoning after the run, a model", "JUDGE", place=True)
    ] = None
    draws: Annotated[int, Flag("judgements of each answer", "K"), COUNT] = DRAWS


class MmarRubrics(Mmar):
    """Questions that take reasoning, which is graded item by item, as a `Benchmark`."""

    name = "mmar-rubrics"
    summary = said("mmar-rubrics-summary")
    description = "mmar_rubrics.toml"
    Settings = RubricSettings
    pack = "mmar-rubrics"

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """Score as the policy reads; by string match the answer alone, not the thoughts before it.

        The published script has the two apart. Where a reply has no line "Answer:", all of it is
        read.
        """
        text = exchange.final.text
        marks = list(_ANSWER.finditer(text)) if self.policy.name == _MATCH else []
        if not marks:
            return judge_choice(trial, exchange, self.policy)
        begin = marks[-1].end()
        last = exchange.turns[-1]
        reply = msgspec.structs.replace(last.reply, text=text[begin:])
        turns = (*exchange.turns[:-1], msgspec.structs.replace(last, reply=reply))
        verdict = judge_choice(trial, Exchange(turns), self.policy)
        if verdict.span is None:
            return verdict
        start, end = verdict.span
        return msgspec.structs.replace(verdict, span=(start + begin, end + begin))

    # The judge

    async def before(self, order: RunSettings) -> None:
        """Make sure of the judge that is to follow, before the first call."""
        from zhiyin.plugins.judges.judging import check_judge

        if judge := self.judge_of(order.options):
            await check_judge(judge)

    @classmethod
    async def after(cls, folder: Path, order: RunSettings, watch: Watch) -> Result | None:
        """Judge the reasoning of a whole run, where ``--judge`` asks for it."""
        from zhiyin.plugins.judges.cases import reasoned
        from zhiyin.plugins.judges.judging import JudgeRequest, judge_run

        judge = cls.judge_of(order.options)
        if not judge or not any(case.right for case in reasoned(folder)):
            return None
        options = {
            "aspects": "reasoning",
            "draws": order.options.get("draws") or DRAWS,
            "language": "en",
        }
        spending = order.spending.beside
        request = JudgeRequest(str(folder), judge, options, order.limits, spending=spending)
        return await judge_run(request, watch)

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """The two figures of the leaderboard, then both ways of reading."""
        return [*cls._board(rows), *super().details(rows, manifest)]

    @classmethod
    def _board(cls, rows: Rows) -> list[Section]:
        """The run by each judge; where it was asked all questions, the leaderboard below."""
        asked = rows.judged.main or rows.judged
        if not asked:
            return []
        accuracy = estimate(asked).ends
        lines: list[list[Cell]] = []
        notes = [said("mmar-rubrics-note")]
        for one in judged_reasoning(rows.folder):
            total = one.groups[0]
            mine = said("mmar-rubrics-mine", judge=one.judge, draws=one.draws)
            bounds = (total.worst, total.best) if total.score is None else None
            whole = total.stable or bounds
            if total.stable is None and total.score is not None:
                whole = total.score, total.low or 0.0, total.high or 0.0
            lines.append([mine, None, whole, accuracy])
            if total.missing:
                notes.append(said("mmar-rubrics-missing", n=total.missing))
        if not lines:
            lines.append([said("mmar-rubrics-mine", judge=None, draws=0), None, None, accuracy])
            notes.append(said("mmar-rubrics-unjudged"))
        published = cls.published() if coverage_of(rows.folder).whole("all") else None
        for name, groups in published.rows.items() if published else ():
            figures = groups["all"]
            track = said("mmar-rubrics-track", agents=name.endswith(AGENTS))
            bare = name.removesuffix(AGENTS)
            lines.append([bare, track, figures["rubrics"], figures["accuracy"]])
        columns = [said("mmar-rubrics-head", name=name) for name in _COLUMNS]
        return [
            Section(said("mmar-rubrics-board"), columns, lines, notes, leads=True, kinds=_KINDS)
        ]

    # Replies

    @classmethod
    def import_answers(
        cls,
        files: Sequence[Path],
        out: Path | None,
        extract: str,
        model: str,
        *,
        field: str = "",
        questions: Path | None = None,
    ) -> Path:
        """A run of submissions, one for each repeat.

        They may leave out what the questions' file has: it is then one of the files, or the
        fetched one. A line without thoughts or without an answer is in no figure, as published.
        """
        fields = (field,) if field else cls.answers
        files = [*files, questions] if questions else files
        meta: list[tuple[Path, list[Entry]]] = []
        replies: list[tuple[Path, list[Entry]]] = []
        for path in files:
            entries = list(_lines(path))
            has = any(name in entry for entry in entries for name in (*fields, cls.thoughts))
            (replies if has else meta).append((path, entries))
        fetched = cls.fetched({})
        if not meta and fetched:
            meta.append((Path(fetched), list(_lines(Path(fetched) / cls.file))))
        known: dict[Any, Entry] = {e.get("id"): e for _, entries in meta for e in entries}
        predictions = []
        for repeat, (path, entries) in enumerate(replies, 1):
            for number, entry in enumerate(entries, 1):
                whole = {**entry, **known.get(entry.get("id"), {})}
                question = cls.asked(path, number, whole)
                thought = isinstance(whole.get(cls.thoughts), str)
                reply = cls._reply(path, whole, fields) if thought else None
                predictions.append((question, repeat, reply))
        return cls.import_predictions(files, predictions, out, extract, model)


_KINDS: tuple[Kind, ...] = ("text", "text", "share", "share")
_COLUMNS = ("model", "track", "rubrics", "right")


def judged_reasoning(run: Path) -> list[Reasoned]:
    """List the finished judgements of the reasoning in a run; none that is broken."""
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.judges.aspects import aspect_words
    from zhiyin.plugins.judges.cases import reasoned
    from zhiyin.plugins.judges.choices import all_wrong, graded
    from zhiyin.plugins.judges.grades import read_grades
    from zhiyin.plugins.judges.judging import judged_folders

    found = []
    try:
        for folder in judged_folders(run):
            if "reasoning" in aspect_words(read_manifest(folder).options.get("aspects")):
                found.append(graded(run, read_grades(folder, run)))
        if not found and not any(case.right for case in reasoned(run)):
            found.append(all_wrong(run, 1))  # needs no judge
    except InputError:
        return found
    return found


def _lines(path: Path) -> list[Entry]:
    """The entries of a file of JSON, a list, or of JSON lines."""
    entries = read_json(path) if path.suffix == ".json" else [e for _, e in read_json_lines(path)]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(said("reasoning-no-list", path=path))
    return entries
