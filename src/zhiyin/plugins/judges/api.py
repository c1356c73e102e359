"""Having the texts of a run judged, and its failures named, from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from zhiyin.api.arguments import GivenModel, as_parameters, open_given_model
from zhiyin.api.running import waiting, watch_of
from zhiyin.api.runs import load
from zhiyin.contract.options import Options
from zhiyin.contract.protocols import open_protocol
from zhiyin.cost.cache import Keep
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.files import Place
from zhiyin.flags import read_part
from zhiyin.numerals import percent
from zhiyin.plugins.judges.aspects import GRADED, MAX_TOKENS, OWN, read_aspects
from zhiyin.plugins.judges.benchmark import Judging, read_settings
from zhiyin.plugins.judges.cases import NoReviewsError, wrong_choices
from zhiyin.plugins.judges.combine import WEIGHTS, read_weights
from zhiyin.plugins.judges.grades import Failures, named_by_judge, named_by_rule
from zhiyin.plugins.judges.judging import (
    JudgeRequest,
    default_judge,
    folder_of,
    judge_run,
    warn_stopped,
)
from zhiyin.plugins.judges.report import JudgeReport, build
from zhiyin.shown.pages import in_notebook, paragraphs
from zhiyin.shown.table import Column, Kind, table_of, written
from zhiyin.statistics.intervals import Interval
from zhiyin.trial import one_line
from zhiyin.words import said


class Judged(JudgeReport, frozen=True):
    """A judged run, with a table of its own; see `zhiyin.plugins.judges.report.JudgeReport`."""

    def __repr__(self) -> str:
        """Return one line: the total under each judge."""
        totals = [
            f"{one.judge}: {percent(one.total)} %"
            + (f" ({written(_ends(one.interval), Column('', 'share'))})" if one.interval else "")
            for one in self.judges
        ]
        return one_line("Judged", self.candidate, "", *totals)

    def _repr_html_(self) -> str:
        """Components and total with intervals, a table for each judge."""
        columns: dict[str, Kind] = {
            "part": "text", "weight": "rate", "songs or questions": "count", "score, %": "share",
            "95 % interval": "share", "missing": "count",
        }  # fmt: skip
        parts = []
        for one, notes in zip(self.judges, self.notes, strict=True):
            rows = [
                (name, one.weights.get(name), part.n, part.value, _ends(part.interval), part.errors)
                for name, part in one.components.items()
            ]
            total = ("total", None, len(one.songs), one.total, _ends(one.interval), None)
            title = f"{self.candidate}, judged by {one.judge}"
            parts.append(in_notebook(table_of("judged", columns, [*rows, total], title)))
            parts.append(paragraphs("note", [*one.notes, *notes]))
        return "".join(parts)


def _ends(interval: Interval | None) -> tuple[float, float] | None:
    return None if interval is None else (interval.low, interval.high)


class Failed(Failures, frozen=True):
    """The failures of a run by name, as a table; see `zhiyin.plugins.judges.grades.Failures`."""

    def __repr__(self) -> str:
        """Return one line: the names, and how many of each."""
        named = [f"{count} {name}" for name, count in self.counts.items()]
        unnamed = [f"{self.missing} without a name"] if self.missing else []
        return one_line("Failed", self.run, "", *named, *unnamed)

    def _repr_html_(self) -> str:
        """Each name with its share of the failed choices."""
        total = len(self.failures)
        counts = {**self.counts, "without a name": self.missing}
        rows = [(name, n, n / total) for name, n in counts.items() if n]
        title = f"{total} failed choices, named by {self.judge or 'rule alone'}"
        columns: dict[str, Kind] = {"failure": "text", "choices": "count", "share, %": "share"}
        return in_notebook(table_of("failures", columns, rows, title))


async def _judge(
    run: Place,
    judge: GivenModel | None = None,
    *,
    aspects: Sequence[str] = GRADED,
    draws: int = 1,
    language: str | None = None,
    prompts: Place | None = None,
    protocol: str | None = None,
    released: Place | None = None,
    heard: bool | None = None,
    weights: Sequence[float] = WEIGHTS,
    temperature: float | str | None = OWN,
    max_tokens: int | None = MAX_TOKENS,
    top_p: float | None = None,
    concurrency: int | None = None,
    timeout: float = 300.0,
    retries: int = 5,
    cache: Keep = "off",
    budget: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    batch: bool = False,
    progress: bool | None = None,
) -> Judged:
    """Have the reviews of a run graded; ask only what is missing.

    Parameters
    ----------
    run : path or Run
    judge : str, callable or Model, optional
        A spec, "lexical" for word lists that need no key; by default "openai:deepseek-v3".
    aspects : sequence of str
        Some of "completeness", "precision", "novelty", and files that declare others.
    draws : int
        Judgements of each text.
    language : str, optional
        Of the prompts: "zh", "en", or the folder of a language pack; by default the protocol's,
        that of the run, or "zh".
    prompts : path, optional
        Prompts that replace ours by file name.
    protocol : str, optional
        By whose rules; "reaction-released" are those of the released code.
    released : path, optional
        A clone of that code, whose prompts are used.
    heard : bool, optional
        Whether what is measured in the recordings is evidence; by default as the protocol says,
        which is yes by our own.
    weights : sequence of float, length 4
        Of option questions, completeness, precision and novelty.
    temperature : float, "own" or None
        "own": by aspect; None leaves it to the judge.
    max_tokens, top_p : optional
        None: the protocol's, else the judge's own.
    concurrency, timeout, retries, cache, rpm, tpm, batch, progress
        As for `zhiyin.run`.
    budget : str, optional
        "5usd", "2Mtokens", "1000calls", or several with commas: of this judge. Once it is spent,
        no further call begins; the same call with a larger one goes on.

    Returns
    -------
    Judged
        The result under this judge. Judgements that failed are counted, and asked again by the
        same call.

    Raises
    ------
    InputError
        The folder is not a run or holds no review, the judge cannot be asked, or a setting is
        none that it takes.
    KeyboardInterrupt
        After Ctrl-C; the same call goes on from there.
    """
    given = dict(locals())
    wanted = ",".join([aspects] if isinstance(aspects, str) else map(str, aspects))
    chosen = [one.name for one in read_aspects(wanted)]
    if "failures" in chosen:
        raise InputError("aspects: failures are named by zhiyin.failures(run, judge)")
    if "reasoning" in chosen:
        raise InputError("aspects: reasoning is judged by `zhiyin judge RUN --aspects reasoning`")
    shares = read_weights("/".join(map(str, weights)))
    chosen_by_name = {
        "aspects": wanted,
        "draws": draws,
        "language": language,
        "prompts": prompts,
        "protocol": protocol,
        "released": None if released is None else str(released),
        "top_p": top_p,
        "no_heard": None if heard is None else not heard,
    }
    options = {
        **open_protocol(Judging, protocol).usual(),
        **{name: value for name, value in chosen_by_name.items() if value is not None},
        "temperature": temperature,
        "max_tokens": max_tokens,
    }
    folder = load(run).folder
    try:
        request = await _ask(folder, judge, options, given)
    except NoReviewsError:
        raise InputError(said("judge-holds-none", folder=folder)) from None
    return Judged(**asdict(build(folder, [folder_of(request)], shares)))


judge = waiting(_judge, "judge")


async def _failures(
    run: Place,
    judge: GivenModel | None = None,
    *,
    draws: int = 1,
    language: str | None = None,
    concurrency: int | None = None,
    timeout: float = 300.0,
    retries: int = 5,
    cache: Keep = "off",
    budget: str | None = None,
    rpm: float | None = None,
    tpm: float | None = None,
    batch: bool = False,
    progress: bool | None = None,
) -> Failed:
    """Name the failures of a run: by rule, and what no rule names by a judge.

    Parameters
    ----------
    run : path or Run
    judge : str, callable or Model, optional
        None names by rule alone and asks nobody.
    draws, language, concurrency, timeout, retries, cache, budget, rpm, tpm, batch, progress
        As for `zhiyin.judge`.

    Returns
    -------
    Failed
        ``failures``, each with its name, and ``counts`` by name.

    Raises
    ------
    InputError
        The folder is not a run, holds no failed choice, or the judge cannot be asked.
    KeyboardInterrupt
        After Ctrl-C; the same call goes on from there.
    """
    given = dict(locals())
    folder = load(run).folder
    options = {"aspects": "failures", "draws": draws, "language": language, "run": str(folder)}
    with as_parameters():
        read_settings(options)
    if judge is None or all(case.rule for case in wrong_choices(folder)):
        return Failed(**asdict(named_by_rule(folder)))
    request = await _ask(folder, judge, options, given)
    return Failed(**asdict(named_by_judge(folder, folder_of(request))))


failures = waiting(_failures, "failures")


async def _ask(
    folder: Any, judge: GivenModel | None, options: Options, given: Mapping[str, Any]
) -> JudgeRequest:
    """Ask what is missing; the request, whose folder holds the judgements."""
    with as_parameters():
        read_settings({**options, "run": str(folder)})
        limits, spending = read_part(Limits(0), given), read_part(Spending(), given)
    opened = open_given_model(
        judge or default_judge(), limits.timeout_s, limits.concurrency or None
    )
    if isinstance(opened, str):
        request = JudgeRequest(str(folder), opened, options, limits, spending=spending)
    else:
        mark = getattr(opened, "fingerprint", None)  # another function is another judge
        name = f"{opened.name}-{mark()[:8]}" if mark else opened.name
        request = JudgeRequest(str(folder), name, options, limits, opened, spending)
    result = await judge_run(request, watch_of(given["progress"]))
    if result.outcome.interrupted:
        raise KeyboardInterrupt(f"{result.folder}: {result.outcome.stopped}")
    warn_stopped(result)
    return request
