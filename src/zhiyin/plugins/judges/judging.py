"""Judging a run or its audit: a run of its own in the folder of the run judged.

Tables of a judge's scores of a run, for `zhiyin show`.

A judge model marks the replies of an audit: a run of its own in the folder of the run.
"""

from __future__ import annotations

import argparse
import logging
import shlex
from collections.abc import Iterator, Mapping
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from zhiyin import session
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import Kind, Section, heads
from zhiyin.contract.settings import RunSettings
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, reworded
from zhiyin.models import open_model
from zhiyin.models.endpoint import written
from zhiyin.plugins.judges.aspects import ALONE, DEFAULT_JUDGE, aspect_words, part_named
from zhiyin.plugins.judges.benchmark import JudgeSettings, Judging, read_settings
from zhiyin.plugins.judges.cases import run_judged
from zhiyin.plugins.judges.combine import Combined, Component, combine
from zhiyin.plugins.judges.grades import read_grades
from zhiyin.plugins.judges.heard import hear_run
from zhiyin.plugins.judges.language import fenced
from zhiyin.plugins.judges.lexical import NOT_COMPARABLE
from zhiyin.plugins.judges.lexical.facts import RULES
from zhiyin.plugins.judges.reading import UnreadableJudgement, read_object
from zhiyin.plugins.judges.report import listening_sentence, open_claims
from zhiyin.plugins.methods.audit.drawing import Audit, ShownReply, show
from zhiyin.plugins.methods.audit.marks import JUDGE, NONE, UNSURE, Book, Draw, DrawnReply, Mark
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Model, Sampling, Strategy, Verdict
from zhiyin.runs.rows import rows_of
from zhiyin.strategies import standalone
from zhiyin.text import quoted
from zhiyin.trial import Tag, Trial, say
from zhiyin.words import Text, said

PREFIX = "judged-"
_log = logging.getLogger("zhiyin")


class JudgeRequest(msgspec.Struct, frozen=True):
    """A request to a judge about a run.

    Attributes
    ----------
    run : str
        The folder of the run.
    judge : str
        A model's spec, or "lexical".
    options : dict
        As the flags of ``zhiyin judge`` name them: aspects, draws, language, prompts,
        temperature, max_tokens.
    limits : Limits
    model : Model, optional
        The judge, where it is open already.
    spending : Spending
        Kept replies, budget and limits a minute, of each judge.
    """

    run: str
    judge: str
    options: dict[str, Any]
    limits: Limits
    model: Any = None
    spending: Spending = Spending()


def default_judge() -> str:
    """The spec of the judge that is asked when none is named."""
    return f"openai:{DEFAULT_JUDGE}"


def judged_folders(run: Path) -> list[Path]:
    """The folders of judge runs in the folder of a run, by name."""
    return sorted(path for path in run.glob(f"{PREFIX}*") if (path / "run.json").is_file())


def is_graded(folder: Path) -> bool:
    """Tell whether a judge run graded reviews; others name failures or judge reasoning."""
    return set(ALONE).isdisjoint(aspect_words(read_manifest(folder).options.get("aspects")))


def graded_folders(run: Path) -> list[Path]:
    """The judge runs of a run that graded its reviews, by name."""
    return [folder for folder in judged_folders(run) if is_graded(folder)]


def _settings_of(request: JudgeRequest) -> JudgeSettings:
    """The settings of a request; of the lexical judge with the version of its rules."""
    own = {"lexical": RULES} if request.judge.partition(":")[0] == "lexical" else {}
    return read_settings({**request.options, "run": request.run, **own})


def folder_of(request: JudgeRequest) -> Path:
    """Return the folder of a request's judgements: the same request finds them again.

    Raises
    ------
    InputError
        An option is not valid, or the prompt pack is faulty.
    """
    judging = Judging(_settings_of(request))
    language = judging.language.language
    chosen = {**judging.settings.identity, "language": language}
    what = msgspec.json.encode(
        [written(request.judge), judging.version, chosen, judging.fingerprint()]
    )
    digest = blake2b(what, digest_size=4).hexdigest()
    return Path(request.run) / f"{PREFIX}{session.short_name(request.judge)}-{digest}"


async def check_judge(spec: str, model: Model | None = None) -> None:
    """Make sure that a judge can be asked, before any paid call.

    Parameters
    ----------
    spec : str
    model : Model, optional
        The judge, where it is open already.

    Raises
    ------
    InputError
        It cannot be opened or reached, or its key is refused.
    """
    with reworded(said("judge-cannot", why=""), of=InputError):
        judge = model or open_model(spec)
        try:
            await session.check(judge)
        finally:
            if model is None:
                await judge.close()


async def check_default(request: JudgeRequest) -> None:
    """Make sure, where no judge is named, that there are texts and the default can be asked.

    Raises
    ------
    InputError
        Else; which judge it is, and how another is named.
    """
    judging, lexical = Judging(_settings_of(request)), True
    len(judging)
    try:
        _refuse_beyond_words(judging)
    except InputError:
        lexical = False
    with reworded(
        said("judge-default", why="", judge=request.judge, lexical=lexical), of=InputError
    ):
        await check_judge(request.judge)


async def judge_run(request: JudgeRequest, watch: session.Watch = session.silent) -> session.Result:
    """Judge what is not judged yet.

    Raises
    ------
    InputError
        For anything in the request that the user can mend.
    """
    settings = _settings_of(request)
    judging = Judging(settings)
    judging.language.check()
    if settings.lexical:
        _refuse_beyond_words(judging)
    if not judging.shows_heard:
        settings = msgspec.structs.replace(settings, no_heard=True)
    if not settings.no_heard and any(
        "heard" in settings.aspect(name).given for name in settings.aspects
    ):
        for remark in hear_run(Path(request.run)):
            _log.warning("%s", remark)
    temperature = settings.temperature
    order = RunSettings(
        benchmark="judge",
        model=request.model or request.judge,
        options=settings.options,
        sampling=Sampling(
            None if isinstance(temperature, str) else temperature,
            settings.max_tokens,
            settings.top_p,
        ),
        limit=None,
        out=str(folder_of(request)),
        limits=request.limits,
        spending=request.spending,
    )
    return await session.carry_out(order, watch)


def warn_stopped(result: session.Result) -> None:
    """Warn where judging ended early, such as for a budget that is spent."""
    if result.outcome.stopped:
        _log.warning("judging stopped: %s", result.outcome.stopped)


def _refuse_beyond_words(judging: Judging) -> None:
    """Raise `InputError` for what the lexical judge cannot do."""
    if judging.forms:
        raise InputError(said("lexical-released"))
    if "failures" in judging.settings.aspects:
        raise InputError(said("lexical-failures"))
    if "reasoning" in judging.settings.aspects:
        raise InputError(said("lexical-reasoning"))
    if added := judging.settings.declared:
        raise InputError(said("lexical-aspect", name=added[0].name))


async def judge_audit(
    audit: Audit,
    judge: str,
    limits: Limits,
    spending: Spending,
    watch: session.Watch = session.silent,
) -> session.Result:
    """Have a judge model mark what it has not marked yet, and take its marks.

    Its run lies in the folder of the run audited, so that each of its replies can be looked at.

    Raises
    ------
    InputError
        For anything that the user can mend.
    """
    name = f"{JUDGE}{judge}"
    digest = blake2b(f"{judge} {Marking(str(audit.folder)).fingerprint()}".encode(), digest_size=4)
    marking = {one.id: one for one in audit.draw.replies}
    # The same folder serves a greater draw: trials that it knows are not asked again.
    folder = audit.folder / f"{AUDITED}{session.short_name(judge)}-{digest.hexdigest()}"
    order = RunSettings(
        benchmark="audit", model=judge, options={"run": str(audit.folder), "extract": None},
        sampling=Sampling(0.0, 2048), limit=None, out=str(folder), limits=limits, spending=spending,
    )  # fmt: skip
    result = await session.carry_out(order, watch)
    marked_before = audit.book.marked_by(name)
    marks = []
    for record in rows_of(result.folder).settled.records():
        drawn = marking.get(str(record.trial.tags["trial"]))
        if record.verdict.state == DONE and drawn and drawn.reply == record.trial.tags["reply"]:
            mark = Mark(drawn.id, drawn.reply, str(record.verdict.answer), name)
            before = marked_before.get(drawn.id)
            if before is None or before.mark != mark.mark:
                marks.append(mark)
    audit.book.add(marks)
    return result


Row = list[Text | float | int | None]
COLUMNS: list[Text] = ["%", *heads("value", "low-95", "high-95", "n", "missing")]
KINDS: tuple[Kind, ...] = ("text", "share", "share", "share", "count", "count")


def judged_sections(folder: Path) -> list[Section]:
    """The scores of a judge run by song; empty where the run judged cannot be read."""
    if not is_graded(folder):
        return []
    try:
        grades = read_grades(folder)
        combined = combine(grades, folder.parent)
    except InputError:
        return []
    rows: list[Row] = [
        [s.song, s.completeness, s.precision, s.novelty, *s.added.values(), s.total, s.errors]
        for s in combined.songs
    ]
    names = ("song", *grades.scales, "total", "missing")
    most = {name: high for name, (_, high) in grades.scales.items()}
    columns = [
        said("judged-head", name=head, most=most[name] if most.get(name, 1) > 1 else None)
        for name, head in zip(names, heads(*names), strict=True)
    ]
    return [Section(said("judged-songs"), columns, rows, combined.notes)]


def judge_section(combined: Combined, title: str) -> Section:
    """A row for each component, and one for the total; `title` is that of the judge."""
    components = combined.components
    rows = [_row(name, part) for name, part in components.items()]
    missing = sum(part.errors for part in combined.components.values())
    ends = combined.interval
    low, high, songs = (ends.low, ends.high, ends.n) if ends else (None, None, None)
    rows.append([said("head", name="total"), combined.total, low, high, songs, missing])
    notes: list[Text] = list(combined.notes)
    if missing and combined.low is not None and combined.high is not None:
        notes.append(said("judged-bounds", low=combined.low, high=combined.high))
    said_of = (listening_sentence(combined), open_claims(combined))
    notes += [sentence for sentence in said_of if sentence]
    if combined.judge.partition(":")[0] == "lexical":
        notes.append(NOT_COMPARABLE)
    by = None if combined.protocol == "ours" else combined.protocol
    return Section(said("judged-title", who=title, by=by), COLUMNS, rows, notes, kinds=KINDS)


def _row(name: str, part: Component) -> Row:
    ends = part.interval
    low, high = (ends.low, ends.high) if ends else (None, None)
    return [part_named(name), part.value, low, high, part.n, part.errors]


AUDITED = "audited-"
VERSION = 1
DONE = "correct"
"""The state of a trial whose reply is a mark; it does not mean that an answer is right."""


class Marking(Benchmark[Any]):
    """The replies of a run's draw, each put before a judge model. A benchmark as others.

    The judge sees the options and the reply: neither the reader's verdict nor the right answer.

    Parameters
    ----------
    run : str
        Folder of the run.
    """

    name = "audit"
    version = str(VERSION)
    summary = "marks that a judge model gives to replies of an earlier run (use `zhiyin audit RUN`)"
    paper = "none"
    licence = "prompts: as Zhiyin"
    bibtex = ""
    chance = None
    """A mark is not right or wrong, and so there is no chance level."""
    places = frozenset({"run"})

    def __init__(self, run: str) -> None:
        self.run = Path(run)

    @classmethod
    def ordered_by(cls, order: RunSettings) -> str:
        """The command that has a run marked: see `run_judged`."""
        return shlex.join(["zhiyin", "audit", run_judged(order), "--judge", str(order.model)])

    @cached_property
    def _draw(self) -> Draw:
        draw = Book(self.run).draw
        if draw is None:
            first = f"`zhiyin audit {quoted(self.run)}`"
            raise InputError(said("audit-not-drawn", run=self.run, first=first))
        return draw

    @cached_property
    def _shown(self) -> dict[str, ShownReply]:
        return show(self.run, {one.id for one in self._draw.replies})

    @cached_property
    def _wording(self) -> Prompts:
        return Prompts(__package__, {"mark": ("options", "text")})

    def trials(self) -> Iterator[Trial]:
        """A trial for every reply drawn, in the order of the draw."""
        for drawn in self._draw.replies:
            yield self._ask(drawn)

    def __len__(self) -> int:
        return len(self._draw.replies)

    def _ask(self, drawn: DrawnReply) -> Trial:
        shown = self._shown[drawn.id]
        options = "\n".join(f"{o.letter}. {o.text}" for o in shown.options)
        text = "\n\n[asked once more, for the letter alone]\n\n".join(shown.texts)
        words = self._wording.fill("mark", options=options, text=fenced(text))
        letters = "".join(o.letter for o in shown.options)
        tags: dict[str, Tag] = {"trial": drawn.id, "reply": drawn.reply, "letters": letters}
        return Trial(f"{drawn.id}#{drawn.reply}", (say("user", words),), "", tags=tags)

    def strategy(self, trial: Trial) -> Strategy:
        """Return the strategy of one question and one reply."""
        return standalone

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The mark in the last reply; an error where it holds none."""
        label = f"mark@{VERSION}"
        try:
            answer = read_object(exchange.final.text, ("answer",)).get("answer")
            mark = _mark(answer, str(trial.tags["letters"]))
        except UnreadableJudgement as fault:
            return Verdict(
                "error", None, why=str(said("log-judge-error", why=str(fault))), policy=label
            )
        return Verdict("correct", mark, why="marked", policy=label)

    def fingerprint(self) -> str:
        """SHA-256 over the prompt. What is marked is in the trials' ids."""
        return self._wording.fingerprint()

    def remarks(self) -> list[str]:
        """Return no remarks."""
        return []

    # About the benchmark, without data

    @classmethod
    def add_options(cls, parser: argparse._ActionsContainer) -> None:
        """Add the flags of such a run."""
        parser.add_argument("--run", metavar="RUN", help="the run whose replies are marked")

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Benchmark[Any]:
        """The marking that flags or a manifest name. Raises `InputError` where they name no run."""
        if not options.get("run"):
            raise InputError(said("audit-no-run"))
        return Marking(str(options["run"]))


def _mark(answer: Any, letters: str) -> str:
    word = answer.strip() if isinstance(answer, str) else "none" if answer is None else ""
    if word.lower() in (NONE, UNSURE):
        return word.lower()
    if len(word) == 1 and word.upper() in letters:
        return word.upper()
    raise UnreadableJudgement(said("log-judge-mark", answer=repr(answer)))
