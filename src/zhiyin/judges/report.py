"""The report on a judged run: one object for JSON, and its lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.judges import novelty, rubric
from zhiyin.judges.combine import WEIGHTS, Combined, combine
from zhiyin.judges.confidence import Confidence, calibrate
from zhiyin.judges.grades import Grades, read_grades
from zhiyin.judges.reliability import Means, Reliability, assess
from zhiyin.log import read_manifest, read_records

WIDTH = 80


class Report(msgspec.Struct, frozen=True):
    """Everything that is known of a judged run.

    Attributes
    ----------
    run, candidate : str
        The folder of the run, and the model that was judged.
    judges : list of Combined
        The result under each judge.
    folders : list of str
        The judge runs, in the same order.
    reliability : Reliability
    confidence : Confidence or None
        Of the option questions.
    precision, novelty : list of dict
        Claims and statements counted over all songs, for each judge.
    notes : list of list of str
        What each judge run said of itself.
    """

    run: str
    candidate: str
    judges: list[Combined]
    folders: list[str]
    reliability: Reliability
    confidence: Confidence | None
    precision: list[dict[str, Any]]
    novelty: list[dict[str, Any]]
    notes: list[list[str]]


def build(
    run: Path,
    folders: list[Path],
    weights: tuple[float, ...] = WEIGHTS,
    people: dict[str, Means] | None = None,
) -> Report:
    """The report on a run under one judge or several.

    Parameters
    ----------
    run : Path
    folders : list of Path
        The judge runs, at least one.
    weights : tuple of float, length 4
    people : dict, optional
        Mean human grades by aspect and case, see `reliability.read_human`.

    Raises
    ------
    InputError
        A folder is no run.
    """
    judged = [read_grades(folder, run) for folder in folders]
    candidate = read_manifest(run).model
    return Report(
        str(run),
        candidate,
        [combine(grades, run, weights) for grades in judged],
        [str(folder) for folder in folders],
        assess(judged, candidate, people),
        calibrate(record for record in read_records(run) if record.trial.options),
        [precision_details(grades) for grades in judged],
        [novelty_details(grades) for grades in judged],
        [_said(grades) for grades in judged],
    )


def _said(grades: Grades) -> list[str]:
    said = list(grades.remarks)
    if grades.judge.partition(":")[0] == "lexical":
        from zhiyin.judges.graded import told
        from zhiyin.judges.lexical import LexicalJudge

        said += told(LexicalJudge())
    return list(dict.fromkeys(said))


def precision_details(grades: Grades) -> dict[str, Any]:
    """Claims counted over all judgements of all songs (several draws count several times).

    Returns
    -------
    dict
        ``total_claims`` (checked), ``correct_claims``, ``incorrect_claims``,
        ``unverifiable_claims``, ``files_evaluated``, ``claims`` (song -> claims of each draw).
    """
    found = [g for g in grades.grades if g.aspect == "precision" and g.judgement]
    scores = [g.judgement.scores for g in found if g.judgement]
    claims: dict[str, list[Any]] = {}
    for grade in found:
        if grade.judgement:
            claims.setdefault(grade.case, []).append(grade.judgement.detail["claims"])
    counts = {
        "total_claims": "checked",
        "correct_claims": "supported",
        "incorrect_claims": "contradicted",
        "unverifiable_claims": "not_in_details",
    }
    return {
        **{ours: int(sum(s[name] for s in scores)) for ours, name in counts.items()},
        "files_evaluated": len(claims),
        "claims": claims,
    }


def novelty_details(grades: Grades) -> dict[str, Any]:
    """The structure of seed 3, "Novelty Details Structure", over all judgements of all songs.

    Averages are in [0, 1]; ``insight_type_counts`` counts songs.
    """
    found = [g for g in grades.grades if g.aspect == "novelty" and g.judgement]
    scores = [g.judgement.scores for g in found if g.judgement]
    statements = [s for g in found if g.judgement for s in g.judgement.detail["statements"]]
    related = sum(s["music_related"] for s in statements)

    def average(name: str, most: float) -> float | None:
        return sum(s[name] for s in scores) / most / len(scores) if scores else None

    return {
        "avg_music_relevance_score": average("music_relevance", novelty.MOST["music_relevance"]),
        "avg_depth_score": average("insight_depth", novelty.MOST["insight_depth"]),
        "avg_personal_insight_score": average("personal_insight", 1.0),
        "total_novel_statements": len(statements),
        "total_music_related_statements": related,
        "music_relevance_ratio": related / len(statements) if statements else None,
        "novel_content_categories": {
            name: [s["quote"] for s in statements if s["category"] == name]
            for name in novelty.CATEGORIES
        },
        "insight_type_counts": {
            f"has_{name}": len({g.case for g in found if g.judgement and g.judgement.scores[name]})
            for name in novelty.CATEGORIES
        },
        "files_evaluated": len({g.case for g in found}),
    }


def lines(report: Report) -> Iterator[str]:
    """The report as text, a judge after the other."""
    for place, combined in enumerate(report.judges):
        yield from judge_lines(
            combined, report.precision[place], report.novelty[place], report.notes[place]
        )
    yield from confidence_lines(report.confidence)
    yield from reliability_lines(report.reliability)


def judge_lines(
    combined: Combined, precise: dict[str, Any], novel: dict[str, Any], notes: list[str]
) -> Iterator[str]:
    """The result under one judge, in the order of seed 3's "Example Output"."""
    parts = combined.components
    yield f"MUSIC APPRAISAL, judged by {combined.judge}"
    yield "=" * WIDTH
    yield "1. OPTION QUESTIONS"
    yield from _part(combined, "qa", "Accuracy", "questions")
    yield "2. COMPLETENESS"
    value = parts["completeness"].value
    if value is not None:
        yield f"   Score: {value * rubric.MOST:.2f}/{rubric.MOST:.2f}"
    yield from _part(combined, "completeness", "Share", "songs")
    yield "3. PRECISION"
    yield from _part(combined, "precision", "Accuracy of claims", "songs")
    if precise["files_evaluated"]:
        yield (
            f"   Claims checked: {precise['total_claims']} ({precise['correct_claims']} correct, "
            f"{precise['incorrect_claims']} incorrect); not in the details, apart: "
            f"{precise['unverifiable_claims']}"
        )
    yield "4. NOVELTY"
    yield from _part(combined, "novelty", "Novelty", "songs")
    if novel["files_evaluated"]:
        yield from _novelty_lines(novel)
    yield "5. BY SONG"
    yield from _song_lines(combined)
    yield "6. OVERALL"
    weights = ", ".join(f"{name} {weight:g}" for name, weight in combined.weights.items())
    yield f"   Total: {_percent(combined.total)}{_bounds(combined.low, combined.high)}"
    yield f"   Weights: {weights}"
    for note in [*combined.notes, *notes]:
        yield f"   note: {note}"
    yield "=" * WIDTH


def _part(combined: Combined, name: str, label: str, units: str) -> Iterator[str]:
    part = combined.components[name]
    if part.value is None:
        yield f"   {label}: none, {part.why}{_bounds(part.low, part.high)}"
        return
    missing = f"; {part.errors} missing" if part.errors else ""
    bounds = _bounds(part.low, part.high) if part.errors else ""
    share = f"{part.value:.4f} ({_percent(part.value)})"
    yield f"   {label}: {share}{bounds}, n = {part.n} {units}{missing}"


def _novelty_lines(novel: dict[str, Any]) -> Iterator[str]:
    songs = novel["files_evaluated"]
    yield (
        f"   Music relevance: {novel['avg_music_relevance_score']:.2f}, depth: "
        f"{novel['avg_depth_score']:.2f}, personal insight: "
        f"{novel['avg_personal_insight_score']:.2f}"
    )
    ratio = novel["music_relevance_ratio"]
    told = f", {_percent(ratio)} on music" if ratio is not None else ""
    yield f"   Novel statements: {novel['total_novel_statements']}{told}"
    for name, count in novel["insight_type_counts"].items():
        yield f"     {name.removeprefix('has_').replace('_', ' ')}: {count}/{songs} songs"


def _song_lines(combined: Combined) -> Iterator[str]:
    for song in combined.songs:
        cells = [
            f"{name} {'-' if value is None else format(value, '.2f')}"
            for name, value in (
                ("completeness", song.completeness),
                ("precision", song.precision),
                ("novelty", song.novelty),
            )
        ]
        failed = f"; {song.errors} judgements missing" if song.errors else ""
        yield f"   {song.song}: {', '.join(cells)}; total {_percent(song.total)}{failed}"


def confidence_lines(found: Confidence | None) -> Iterator[str]:
    """Calibration and the reliability diagram, a bar for each bin."""
    if found is None:
        return
    sources = ", ".join(f"{n} {name}" for name, n in found.sources.items())
    yield f"CONFIDENCE ({sources}; {found.unknown} answers without)"
    yield (
        f"   Expected calibration error: {found.calibration.ece:.4f}, Brier score: "
        f"{found.brier.score:.4f}, confidence minus accuracy: {found.calibration.bias:+.4f}"
    )
    for bar in found.calibration.bins:
        filled = "#" * round(20 * bar.accuracy.mean)
        yield (
            f"   {bar.low:.1f}-{bar.high:.1f}  said {bar.confidence:.2f}  right "
            f"{bar.accuracy.mean:.2f} |{filled:<20}| n = {bar.n}"
        )


def reliability_lines(found: Reliability) -> Iterator[str]:
    """What is known of the judges, a line each."""
    said = list(_reliability(found))
    if said or found.warnings:
        yield "RELIABILITY OF THE JUDGES"
        yield from said
    for warning in found.warnings:
        yield f"   warning: {warning}"


def _reliability(found: Reliability) -> Iterator[str]:
    for s in found.spread:
        yield (
            f"   {s.judge}, {s.aspect}: {s.draws} draws of {s.texts} texts differ by SD {s.sd:.3f} "
            f"(widest range {s.widest:.2f})"
        )
    for a in found.agreement:
        measures = [f"Krippendorff's alpha {_number(a.alpha.alpha)}{_interval(a.alpha)}"]
        if a.icc is not None:
            measures.append(f"ICC(A,1) {_number(a.icc.icc)}{_interval(a.icc)}")
        if a.kappa is not None:
            measures.append(f"weighted kappa {_number(a.kappa.kappa)}{_interval(a.kappa)}")
        yield f"   {' and '.join(a.judges)}, {a.aspect}, {a.alpha.units} texts:"
        yield from (f"      {measure}" for measure in measures)
    for h in found.human:
        alpha = "" if h.alpha is None else f"alpha {_number(h.alpha.alpha)}{_interval(h.alpha)}, "
        yield (
            f"   {h.judge} against people, {h.aspect}: {alpha}rank correlation "
            f"{_number(h.rank.rho)}, bias {h.bias:+.2f}, {h.texts} texts"
        )
        if h.powered:
            yield (
                f"      corrected mean (prediction-powered): {h.powered.mean:.2f} "
                f"[{h.powered.low:.2f}, {h.powered.high:.2f}]; judge alone "
                f"{h.powered.judge_mean:.2f}, people alone {h.powered.human_mean:.2f}"
            )
    for size in found.length:
        p = "" if size.rank.p is None else f", p {_probability(size.rank.p)}"
        yield (
            f"   {size.judge}, {size.aspect} with length: rank correlation "
            f"{_number(size.rank.rho)}{_interval(size.rank)}{p}, {size.rank.n} texts"
        )


def _percent(value: float | None) -> str:
    return "none" if value is None else f"{100 * value:.2f}%"


def _bounds(low: float | None, high: float | None) -> str:
    """The bounds, where they say anything."""
    if low is None or high is None or high - low < 1e-12:
        return ""
    return f", between {_percent(low)} (all missing the worst) and {_percent(high)} (the best)"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _probability(p: float) -> str:
    return "< .001" if p < 0.001 else f"= {p:.3f}"


def _interval(found: Any) -> str:
    return "" if found.low is None else f" [{found.low:.3f}, {found.high:.3f}]"
