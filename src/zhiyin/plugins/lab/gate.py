"""A gate for nightly jobs, closed by a run that is worse than the one it is held against.

What closes it is a drop that is shown: the upper end of the interval of new minus old lies below
minus the points that are allowed; and questions that were answered before and are asked no more.
A run that is not complete, or that cannot be compared, is neither open nor closed: what is to be
done about it is another thing, and so is its exit status. Several comparisons share the error of
the first kind (Bonferroni): in a night in which nothing is worse than allowed, one of them or more
closes the gate with at most half of `alpha`. What is not shown passes, and says what it would take
to see it (docs/rooms/lab.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin.analysis.compare import compare_all, totals_of, two_runs
from zhiyin.analysis.comparison import ComparedRun, Comparison
from zhiyin.analysis.coverage import Coverage, coverage_of, lacking_of
from zhiyin.analysis.run import OpenRun, Origins, ReplyOrigins, shared_replies
from zhiyin.cli.pages import setting_value
from zhiyin.contract.resolved import resolved
from zhiyin.engine.folder import Session, read_manifest
from zhiyin.engine.naming import MARK, canary_told, failed_canaries
from zhiyin.errors import InputError
from zhiyin.plugins.lab.gate_fall import GateState, fall_of
from zhiyin.plugins.lab.run_status import status_of_run
from zhiyin.runs.measures import ACCURACY, SHARE, Measure
from zhiyin.runs.pairing import differing, is_copy, same_replies
from zhiyin.runs.rows import read_table
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import OfRun, OneAnswer
from zhiyin.words.reasons import is_spent

ALWAYS = ("data", "benchmark", "benchmark_version", "options.extract")
"""Settings where figures mean another thing if they differ: no comparison passes over them."""
CLOSES: frozenset[GateState] = frozenset(("worse", "missing"))
PASSES: frozenset[GateState] = frozenset(("open", "kept", "unheld"))
GateEnd = Literal["open", "closed", "other", "failed"]
"""What the findings come to; see `gate_end`."""
_DAY = timedelta(days=1)
"""Of replies that are younger a session that was broken off may still give its verdict."""
_ODD = 0.1
"""By so large a share of all replies more are unread before that is said."""


class AbsentRun(msgspec.Struct, frozen=True):
    """Stand-in for a missing run: why, and whether it was asked and could not go on.

    `failed` is False where nobody asked it, as it is no run of the suite any more; `waits` is True
    where its turn has not come yet.
    """

    why: str = ""
    failed: bool = False
    waits: bool = False


class GateFinding(msgspec.Struct, frozen=True, kw_only=True):
    """One run held against another.

    Attributes
    ----------
    name : str or Said
        What was asked: the benchmark, or the run's name in its suite; with a part of it.
    old, new : str
        The runs' labels.
    measure : str
    items : int
        That both judged.
    missing, asked : int
        Trials that the earlier run has a verdict on and the new one has none, of how many.
    old_score, new_score : float or None
    difference, low, high : float or None
        New minus old, of a measure that counts errors old minus new: below 0 is worse. The ends
        are those of the interval at `level`; None where the replies are the very same, or tell
        nothing of today.
    level : float
    allowed : float
        How much worse it may be.
    detectable : float or None
        The smallest true fall that would close the gate with 80 % power; None for none so large.
    state : {"worse", "missing", "failed", "other", "open", "kept", "unheld"}
        worse: shown to be worse than allowed. missing: questions that the earlier run answered are
        asked no more, or the run is gone. failed: the run is not complete, or holds no readable
        answer where the earlier one does. other: other data, another version or another reader, so
        that they cannot be compared. open: neither shown to be worse, nor shown not to be. kept:
        shown not to be worse than allowed. unheld: nothing was asked anew that could tell.
    why : Said or str
        In words only where it is written down.
    unit : str
        Of the measure, in which figures and `allowed` are.
    of : {"run", "skill", "group"}
        What of the runs: all, the items of a skill, or a group that was declared.
    otherwise : Said or str
        In which other settings the two were asked, and of which model; "" for none.
    see : Said or str
        Of a run that is worse the command whose page shows where; "" for others.
    guessing : bool
        Whether the earlier run is not shown to be above guessing.
    seconds : float
        How long the run was asked.
    """

    name: Text
    old: str = ""
    new: str = ""
    measure: str = ACCURACY.name
    items: int = 0
    missing: int = 0
    asked: int = 0
    old_score: float | None = None
    new_score: float | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    level: float
    allowed: float
    detectable: float | None = None
    state: GateState
    why: Text
    unit: str = SHARE
    of: Literal["run", "skill", "group"] = "run"
    otherwise: Text = ""
    see: Text = ""
    guessing: bool = False
    seconds: float = 0.0

    def in_english(self) -> GateFinding:
        """The same with its words in English, for files."""
        words = {key: str(getattr(self, key)) for key in ("name", "why", "otherwise", "see")}
        return msgspec.structs.replace(self, **words)

    @property
    def closes(self) -> bool:
        """True if it closes the gate."""
        return self.state in CLOSES

    @property
    def better(self) -> bool:
        """True if it is shown to be better."""
        return self.state in ("open", "kept") and self.low is not None and self.low > 0

    @property
    def alike(self) -> bool:
        """True if the replies are the same, word for word: nothing is left to chance."""
        return self.state == "kept" and self.low is None

    @property
    def passes(self) -> bool:
        """True if nothing is to be done about it."""
        return self.state in PASSES


class _Held(msgspec.Struct, frozen=True):
    """Two runs that are held against each other, and what is asked of them.

    Where the later one is absent the earlier stands in its place.
    """

    name: str
    old: Path
    new: Path
    measure: str | Measure | None
    level: float
    points: float
    since: str


def gate(
    pairs: Mapping[str, tuple[Path, Path | AbsentRun]], points: float = 0.0, *,
    measure: str | None = None, alpha: float = 0.05, unheld: Mapping[str, Text] = {},
    since: str = "",
) -> list[GateFinding]:  # fmt: skip
    """Hold runs against earlier ones, paired by item.

    Parameters
    ----------
    pairs : mapping of str to (Path, Path or AbsentRun)
        The earlier run and the new one, by what was asked.
    points : float
        By how many points (hundredths), or units of a measure that is no share, the new one may be
        worse.
    measure : str, optional
        A named score in place of accuracy.
    alpha : float
        Of all intervals together: each has the level 1 - alpha / number of findings.
    unheld : mapping of str to str
        Runs that nothing is held against, and why: they are findings too.
    since : str
        When the session began that claims to be of today (see `numerals.now`): a run of which it
        asked nothing is not held where its replies are older than a day. "" for none.

    Returns
    -------
    list of GateFinding
        One for each pair, of runs that judges judged one for each judge. Runs that cannot be
        compared (other data, another version or reader, or other questions) are one in state
        "other".

    Raises
    ------
    InputError
        `alpha` is outside (0, 1), or an earlier run cannot be read.
    """
    if not 0 < alpha < 1:
        raise InputError(f"alpha {alpha:g} is no level of significance: give such as 0.05")
    seen = {name: _look(old, new, measure) for name, (old, new) in pairs.items()}
    # Each judge of a pair has an interval of its own.
    number = sum(len(own) if isinstance(own, list) else 1 for own in seen.values())
    level = 1 - alpha / max(1, number)
    findings: list[GateFinding] = []
    for name, (old, new) in pairs.items():
        there = old if isinstance(new, AbsentRun) else new
        pair, found = _Held(name, old, there, measure, level, points, since), seen[name]
        findings += (
            [_without_figures(pair, *found)] if isinstance(found, tuple) else _held(pair, found)
        )
    return findings + [
        GateFinding(name=name, state="unheld", why=why, level=level, allowed=points / 100)
        for name, why in unheld.items()
    ]


def _look(
    old: Path, new: Path | AbsentRun, measure: str | None
) -> list[Comparison] | tuple[GateState, Said]:
    """The comparisons of two runs, one for each judge; or why there are none."""
    if isinstance(new, AbsentRun):
        n = coverage_of(old).judged
        why = said(
            "gate-gone", failed="waits" if new.waits else new.failed, n=n, why=new.why or None
        )
        return "failed" if new.failed else "missing", why
    configs = [resolved(read_manifest(folder)) for folder in (old, new)]
    if (other := otherwise(*configs)) is not None:
        return "other", other
    coverage = coverage_of(new)
    if not coverage.judged:
        return "failed", _unfinished(new, coverage)
    try:
        return compare_all([old, new], measure=measure)
    except InputError as error:
        return "other", said("gate-other-error", why=str(error))


def _held(pair: _Held, comparisons: Sequence[Comparison]) -> list[GateFinding]:
    """Return the findings on one pair."""
    coverage = coverage_of(pair.new)
    first = comparisons[0]
    if not first.declared:
        why = said("gate-undeclared", benchmark=first.benchmark, measure=first.measure)
        return [_without_figures(pair, "other", said("gate-other-error", why=why))]
    totals = totals_of([pair.old, pair.new]) if first.by_judge else []
    held = [msgspec.structs.replace(pair, measure=total) for total in totals]
    return [
        _finding(own, one, coverage)
        for own, one in zip(held or [pair] * len(comparisons), comparisons, strict=True)
    ]


def otherwise(old: Mapping[str, Any], new: Mapping[str, Any]) -> Said | None:
    """Name the settings by which the figures of two runs mean different things; None for none."""
    other = differing(["old", "new"], [old, new])
    named = [name for name in ALWAYS if name in other]
    if "data" in named:  # which say nothing: what made them others does
        named = [*(n for n in other if n.startswith("options.") and n not in named), *named]
    settings = _told({name: other[name] for name in named})
    reading = not {"data", "benchmark"}.intersection(named)
    return said("gate-other", settings=settings, reading=reading) if settings else None


def _told(settings: Mapping[str, Mapping[str, object]]) -> list[Said]:
    """What settings were and are, by their names: each has two values, the earlier first."""
    return [
        said("gate-setting", name=name, old=setting_value(name, old), new=setting_value(name, new))
        for name, values in settings.items()
        for old, new in [values.values()]
    ]


def at_guessing(run: Path, measure: str) -> bool:
    """Tell whether a run's share of right answers is not shown to be above that of guessing."""
    return measure == ACCURACY.name and OpenRun(run).figures.metrics().guess in ("open", "worse")


def _without_figures(pair: _Held, state: GateState, why: Said) -> GateFinding:
    before, now = (one.label or one.model for one in map(read_manifest, (pair.old, pair.new)))
    judged = 0 if state == "other" else coverage_of(pair.old).judged
    return GateFinding(
        name=pair.name, old=before, new=now, missing=judged, asked=judged, level=pair.level,
        allowed=pair.points / 100, state=state, why=why,
        otherwise=told_otherwise(models_of(pair.old, pair.new)),
    )  # fmt: skip


def models_of(old: Path, new: Path) -> list[Said]:
    """Both models as they were given, where they differ: their labels may be the same."""
    was, now = (resolved(read_manifest(run)).get("model") for run in (old, new))
    return [said("gate-setting", name="model", old=was, new=now)] if was != now else []


def told_otherwise(settings: list[Said]) -> Text:
    """Say in which settings two runs were asked otherwise; "" for none."""
    return said("gate-otherwise", settings=settings) if settings else ""


def _unfinished(run: Path, coverage: Coverage) -> Said:
    """Say what a run lacks, and why: why it stopped, or the most frequent cause of a failure."""
    status, lacking = status_of_run(run), lacking_of(coverage.progress, coverage.manifest)
    cause = "; ".join(filter(None, (status.why, next(iter(status.failures), "")))) or None
    return said("gate-failed", what=lacking, cause=cause, spent=is_spent(cause or ""))


def _kept_again(pair: _Held, asked: ComparedRun) -> bool:
    """Tell whether nothing was asked anew: a copy of the run, or its replies, given again.

    That a model says the same once more tells that it does on these items: of others the width of
    the interval speaks.
    """
    if is_copy(read_manifest(pair.old), read_manifest(pair.new)):
        return True
    return shared_replies(pair.old, pair.new) >= asked.trials - asked.left_out


def _earlier(pair: _Held, coverage: Coverage, state: GateState) -> Said | None:
    """Say how many trials the session asked; None for all.

    `stale`: of a run that passes none is its own, and the last was asked for longer than a day
    before it, so that nothing is told of today.
    """
    sessions = read_manifest(pair.new).sessions
    asked = sum(one.asked for one in sessions if one.started >= pair.since)
    if not pair.since or asked >= coverage.judged:
        return None
    last, old = last_asked(sessions, pair.since)
    facts = {"n": asked, "of": coverage.judged, "day": last[:10] or None}
    return said("gate-earlier", **facts, stale=state in PASSES and old and not asked)


def last_asked(sessions: Sequence[Session], since: str) -> tuple[str, bool]:
    """When sessions before `since` last asked, and whether that is longer than a day before it."""
    last = max((one.ended or one.started for one in sessions if one.started < since), default="")
    return last, not last or datetime.fromisoformat(since) - datetime.fromisoformat(last) > _DAY


def _unread(pair: _Held) -> tuple[Said | None, bool]:
    """Say how many replies hold no readable answer, where these are many more than before.

    And whether none holds one, where some did before.
    """
    was, now = (OpenRun(run).figures.everything for run in (pair.old, pair.new))
    empty, before = (each.judged - each.answered for each in (now, was))
    mute = bool(was.answered and now.judged and not now.answered)
    more = empty * max(1, was.judged) > (before + _ODD * max(1, was.judged)) * now.judged
    facts = {"n": empty, "of": now.judged, "before": before, "were": was.judged}
    return said("gate-unread", **facts) if mute or more else None, mute


def _beside(pair: _Held, comparison: Comparison, own: ReplyOrigins) -> list[Any]:
    """Say what else is odd about the later run's replies, of which its figures are."""
    later = comparison.runs[1].label
    told: list[Any] = [
        one.what for one in comparison.warnings
        if isinstance(one, OfRun) and one.who == later and isinstance(one.what, OneAnswer)
    ]  # fmt: skip
    if own.earlier:
        told.append(said("gate-cached", n=own.earlier, of=own.n))
    canaries = failed_canaries(read_manifest(pair.new))
    return told + [canary_told(medium, one) for medium, one in canaries.items()]


def _finding(pair: _Held, comparison: Comparison, coverage: Coverage) -> GateFinding:
    """Return the finding on one comparison of a pair."""
    first, second = comparison.runs
    whole = comparison.pairs[0].groups[0]
    facts = fall_of(*two_runs(pair.new, pair.old, pair.measure), pair.points, pair.level)
    assert facts is not None
    again = facts["difference"] == 0 and _kept_again(pair, second)
    same = again or (facts["difference"] == 0 and same_replies(pair.old, pair.new))
    if first.left_out and not coverage.done:
        facts |= {"state": "failed", "why": _unfinished(pair.new, coverage)}
    elif first.left_out:
        why = said("gate-missing", n=first.left_out, of=first.trials)
        facts |= {"state": "missing", "why": why}
    elif again:
        facts |= {"state": "unheld", "why": said("gate-same")}
    elif same and facts["state"] != "unheld":
        facts |= {"state": "kept", "why": said("gate-alike")}
    facts |= _with_replies(pair, comparison, coverage, facts, again=again)
    if same or facts["state"] == "unheld":
        facts |= {"low": None, "high": None, "detectable": None}
    facts |= {"items": comparison.items, "asked": first.trials, "missing": first.left_out}
    facts |= {"old_score": whole.first, "new_score": whole.second}
    settings = models_of(pair.old, pair.new) + _told(comparison.settings)
    worse = facts["state"] == "worse"
    sessions = [one for one in read_manifest(pair.new).sessions if one.started >= pair.since]
    return GateFinding(
        name=pair.name, old=first.label.removesuffix(MARK), new=second.label.removesuffix(MARK),
        measure=comparison.measure, **facts, otherwise=told_otherwise(settings),
        see=said("gate-see", old=str(pair.old), new=str(pair.new)) if worse else "",
        guessing=at_guessing(pair.old, comparison.measure),
        seconds=sum(one.elapsed_s for one in sessions),
    )  # fmt: skip


def _with_replies(
    pair: _Held, comparison: Comparison, coverage: Coverage, facts: Mapping[str, Any], *,
    again: bool,
) -> dict[str, Any]:  # fmt: skip
    """The verdict and its reason with what the replies are: unread, of earlier days, of a cache."""
    state, why, allowed = facts["state"], facts["why"], facts["allowed"]
    origins = Origins(read_table(pair.new)).summary
    (unread, mute), beside = _unread(pair), _beside(pair, comparison, origins)
    if mute and unread and state in PASSES:  # too few to be shown worse, and nothing measured
        state, why = "failed", unread
    elif unread:
        beside.insert(0, unread)
    if state in ("failed", "missing") and facts["high"] < -allowed:  # worse on what both answered
        points = {"points": -facts["difference"], "allowed": allowed, "unit": facts["unit"]}
        state, why = "worse", said("gate-worse-too", why=why, **points)
    if state in PASSES and 0 < origins.n == origins.earlier:
        state = "unheld"
    if not again and (earlier := _earlier(pair, coverage, state)):
        if earlier.facts["stale"]:
            state, why = "unheld", earlier
        else:
            beside.append(earlier)
    return {"state": state, "why": said("gate-beside", why=why, told=beside) if beside else why}


def gate_end(findings: Sequence[GateFinding]) -> GateEnd:
    """Return the gravest of the findings.

    closed: one is worse, or lacks questions. other: one cannot be compared, or none was held.
    failed: a run is not complete. open: none of these.
    """
    states = {one.state for one in findings}
    if states & CLOSES:
        return "closed"
    if states <= {"unheld"}:
        return "other"
    return "other" if "other" in states else "failed" if "failed" in states else "open"
