"""Everything on the page but the trials, and the index by which the trials are listed."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from zhiyin import __version__
from zhiyin.analysis.cost import judges_of
from zhiyin.analysis.origins import origins_beside
from zhiyin.analysis.summary import assemble, published
from zhiyin.chinese import package_of
from zhiyin.contract.declared import Reference
from zhiyin.contract.registry import known
from zhiyin.engine.log import MANIFEST
from zhiyin.engine.tally import ALL
from zhiyin.errors import InputError
from zhiyin.record import SCORE, STATES
from zhiyin.report import findings, measures
from zhiyin.report.alone import Alone, alone
from zhiyin.report.casebook import Casebook
from zhiyin.report.chinese_phrases import in_both
from zhiyin.report.findings_groups import extremes
from zhiyin.report.findings_parts import findings_in_parts
from zhiyin.report.headlines import headline
from zhiyin.report.lead import Lead, lead_of
from zhiyin.report.measures import Sheet
from zhiyin.report.methods import methods_paragraph
from zhiyin.runs.figures import GroupFigures, figures
from zhiyin.statistics.scores import figure_name
from zhiyin.words import LANGUAGES, Said, said, say
from zhiyin.words.findings import Remark, Ungraded, by_severity

_MOST_VALUES = 400
"""A tag with more different values than these is searched, not listed."""
_SNIPPET = 90
"""Characters of a question in the list of trials."""


def overview(book: Casebook, alone_of: Sequence[Alone] | None = None) -> dict[str, Any]:
    """The page's own data: runs, and for each benchmark figures, comparisons and findings.

    Parameters
    ----------
    book : Casebook
    alone_of : sequence of Alone, optional
        What is said of each run by itself; made here where it is not given.
    """
    names = dict.fromkeys(run.manifest.benchmark for run in book.runs)
    own = [alone(run.folder) for run in book.runs] if alone_of is None else alone_of
    runs = [_run(book, number, own[number]) for number in range(len(book.runs))]
    _add_common(book, runs)
    benchmarks = [_benchmark(book, name, own) for name in names]
    _add_ungraded(book, runs, benchmarks)
    return {
        "zhiyin": __version__,
        "states": STATES,
        "methods": methods_paragraph([run.folder for run in book.runs]),
        "runs": runs,
        "benchmarks": benchmarks,
        "todo": _todo(runs),
    }


def _add_common(book: Casebook, runs: list[dict[str, Any]]) -> None:
    """Add to the warnings of two runs that they hold the same replies."""
    labels, folders = [run.label for run in book.runs], [run.folder for run in book.runs]
    for numbers, one in origins_beside(labels, folders, [run.manifest for run in book.runs]):
        for number in numbers if len(numbers) > 1 else ():
            runs[number]["warnings"].insert(0, in_both(one))


def _add_ungraded(
    book: Casebook, runs: list[dict[str, Any]], benchmarks: Sequence[dict[str, Any]]
) -> None:
    """Add to the warnings of runs that have replies which somebody is still to judge."""
    for own in (each for board in benchmarks for each in board["lead"].standings):
        run, states = book.runs[own.run], runs[own.run]["states"]
        if states.get("ungraded") and not own.by and own.state != "measured" and not run.running:
            command = f"zhiyin judge {shlex.quote(os.fspath(run.folder))}"
            runs[own.run]["warnings"].append(
                in_both(Ungraded(n=states["ungraded"], remedy=command))
            )


def _todo(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The warnings that something can be done about: the run's number, words and the command.

    A model that may not hear goes before everything else.
    """
    tasks = [
        {"run": number, **one}
        for number, run in enumerate(runs)
        for one in run["warnings"]
        if one["command"]
    ]
    return sorted(tasks, key=lambda task: bool(task["kind"] != "canary"))


def _run(book: Casebook, number: int, own: Alone) -> dict[str, Any]:
    run = book.runs[number]
    counted = figures(run.table)
    summary = assemble(run.folder, run.manifest, counted, run.extent)
    sessions = run.manifest.sessions
    kind = package_of(known(run.manifest))
    warnings = by_severity([*own.origins.warned(), *summary.warnings])
    cost = own.bill.as_summary(counted.everything.correct, judges_of(run.folder))
    return {
        "label": run.label,
        "model": run.manifest.model,
        "folder": run.folder.name or os.fspath(run.folder),
        "benchmark": run.manifest.benchmark,
        "started": sessions[0].started if sessions else None,
        "config": _plain(run.manifest.config),
        "versions": run.manifest.versions,
        "running": run.running,
        "warnings": [in_both(one, kind) for one in warnings],
        "trials": summary.trials,
        "planned": summary.planned,
        "states": summary.states,
        "elapsed_s": summary.elapsed_s,
        "remarks": [
            in_both(one, kind)
            for one in (
                *summary.remarks,
                *(Remark(what=line) for line in own.reading),
                *(Remark(what=line) for line in (own.bill.lines(cost) if cost else ())),
            )
        ],
        "cost": cost,
    }


def _plain(config: dict[str, Any]) -> list[list[str]]:
    """Settings as rows of name and value, those that are unset left out."""
    rows: list[list[str]] = []
    for name, value in config.items():
        if isinstance(value, dict):
            rows += [[f"{name}: {k}", _as_text(v)] for k, v in value.items() if v not in (None, [])]
        elif value is not None:
            rows.append([name, _as_text(value)])
    return rows


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _benchmark(book: Casebook, name: str, own: Sequence[Alone]) -> dict[str, Any]:
    sheet = Sheet(book, name)
    manifest = book.runs[sheet.runs[0]].manifest
    kind, reference = known(manifest), published(book.runs[sheet.runs[0]].folder)
    figures = sheet.figures
    groups = measures.order_of_groups(sheet, figures)
    pairs = measures.compare(sheet)
    letters = {run: measures.letters(sheet, run) for run in sheet.runs}
    conditions = {run: measures.conditions(sheet, run) for run in sheet.runs}
    in_part = {
        run: [g["name"] for g in groups if not book.runs[run].extent.whole(g["name"])]
        for run in sheet.runs
    }
    whole_groups = {
        g["name"] for g in groups if any(g["name"] not in in_part[run] for run in sheet.runs)
    }
    title = kind.titles.get(kind.headline.group, kind.headline.group)
    lead = lead_of(
        book,
        sheet,
        kind.headline,
        "" if kind.headline.group == ALL else title,
        figures,
        groups,
        measures.likings(sheet, letters),
        conditions,
        reference,
    )
    for each in lead.standings:
        origins = own[each.run].origins
        each.kept, each.replies = origins.earlier, origins.replies
    told = headline(lead, [run.label for run in book.runs])
    return {
        "name": name,
        "summary": kind.summary,
        "paper": kind.paper,
        "licence": kind.licence,
        "trials": len(sheet),
        "headline": kind.headline.group,
        "lead": lead,
        "sentence": {language: say(told, language) for language in LANGUAGES},
        "judges": _reliability(book, sheet),
        "runs": sheet.runs,
        "groups": groups,
        "figures": figures,
        "pairs": pairs,
        "letters": letters,
        "conditions": conditions,
        "published": _rows(reference, whole_groups) if reference else [],
        "source": reference.source if reference else None,
        "inPart": {
            run: {
                "why": str(book.runs[run].extent.apart or said("no-published-items")),
                "groups": names,
            }
            for run, names in in_part.items()
            if names
        },
        "findings": [
            _worded(one)
            for one in (
                *_findings(book, sheet, groups, figures, pairs, letters, conditions, lead),
                *findings.beside_people(
                    reference,
                    [
                        (book.runs[run].label, figures[run][ALL])
                        for run in sheet.runs
                        if ALL in figures[run] and ALL not in in_part[run]
                    ],
                ),
            )
        ],
        "sections": [
            {"run": run, **msgspec.to_builtins(section)}
            for run in sheet.runs
            for section in own[run].sections
        ],
    }


def _reliability(book: Casebook, sheet: Sheet) -> list[dict[str, Any]]:
    """For each run that was judged: how far its judges can be relied on, in lines."""
    judged = []
    for run in sheet.runs:
        folder = book.runs[run].folder
        if not any(folder.glob(f"*/{MANIFEST}")):
            continue
        from zhiyin.judges.judging import graded_folders
        from zhiyin.judges.report import build, reliability_lines

        if not (folders := graded_folders(folder)):
            continue
        try:
            lines = list(reliability_lines(build(folder, folders).reliability))[1:]
        except InputError as error:
            lines = [str(error)]
        words = [line.strip() for line in lines] or [say(said("judges-unknown"))]
        judged.append({"run": run, "lines": words})
    return judged


def _rows(reference: Reference, whole_groups: set[str]) -> list[dict[str, Any]]:
    """Published rows with those groups that some run here holds whole."""
    return [
        {
            "name": name,
            "kind": reference.kinds.get(name, "model"),
            "groups": {group: figures for group, figures in row.items() if group in whole_groups},
        }
        for name, row in reference.rows.items()
    ]


def _findings(
    book: Casebook,
    sheet: Sheet,
    groups: Sequence[dict[str, Any]],
    figures: dict[int, dict[str, GroupFigures]],
    pairs: Sequence[dict[str, Any]],
    letters: dict[int, Any],
    conditions: dict[int, Any],
    lead: Lead,
) -> Iterator[findings.Finding]:
    labels = [run.label for run in book.runs]
    kind = known(book.runs[sheet.runs[0]].manifest)
    main = kind.headline.group
    heard = any(kind.heard for kind in sheet.kinds.values())
    within = {f"tag.{tag}": value for tag, value in sheet.mixed.items()}
    yield from findings_in_parts(
        [labels[run] for run in sheet.runs],
        [book.runs[run].folder for run in sheet.runs],
    )
    for run in sheet.runs:
        yield from findings.headline(
            labels[run],
            run,
            figures[run],
            group=main,
            heard=heard,
            within=within,
            title=kind.titles.get(main, main),
            instead=_named_figure(lead, run, labels[run]),
            state=next(own.state for own in lead.standings if own.run == run),
        )
        yield from extremes(labels[run], figures[run], groups)
    yield from findings.mixture(sheet.mixed, (kind.facts for kind in sheet.kinds.values()))
    ranking, shown = findings.ranking(pairs, labels, *measures.ranking(sheet))
    yield from ranking
    for pair in shown:
        yield from findings.comparison(pair, labels, groups)
    for run in sheet.runs:
        yield from findings.listening(labels[run], conditions[run])
    for run in sheet.runs:
        liked = next(own.letter for own in lead.standings if own.run == run)
        yield from findings.preference(labels[run], run, letters[run], liked)


def _named_figure(lead: Lead, run: int, label: str) -> Said | None:
    """What to say of a run whose headline is a score of its own; None for any other."""
    own = next(own for own in lead.standings if own.run == run)
    if not lead.figure.startswith(SCORE) or own.value is None:
        return None
    return said(
        "finding-figure",
        who=label,
        value=own.value,
        figure=figure_name(lead.figure),
        items=own.n,
        low=own.low,
        high=own.high,
    )


def _worded(found: findings.Finding) -> dict[str, Any]:
    """A finding for the page: its topic, its words by language, and the trials it leads to."""
    return {
        "topic": found.topic,
        "text": say(found.words),
        "zh": say(found.words, "zh"),
        "show": found.show,
    }


def index(book: Casebook) -> dict[str, Any]:
    """All trials in columns: small enough that a browser holds 50,000 and filters at once.

    Returns
    -------
    dict
        ``ids`` and ``stems`` (the first characters), one for each trial; ``benchmark``,
        ``groups`` and each of ``tags`` as ``values`` and ``codes`` (-1: without the tag);
        ``runs``, for each run ``states`` (a digit for each trial, the place in
        `record.STATES`; "-" for not asked) and ``letters`` (a character for each trial, "-" for
        none), ``read`` (how surely an answer was read) and ``cause`` (why there is none);
        ``gold``, the letters of the key.
    """
    cases = book.cases
    names = dict.fromkeys(tag for case in cases for tag in case.tags)
    tags = {tag: _coded([case.tags.get(tag) for case in cases]) for tag in names}
    for number, run in enumerate(book.runs):
        own = dict.fromkeys(t for c in cases if number in c.answers for t in c.answers[number].tags)
        for tag in own:
            column = [
                case.answers[number].tags.get(tag) if number in case.answers else None
                for case in cases
            ]
            tags[f"{tag} ({run.label})" if len(book.runs) > 1 else tag] = _coded(column)
    return {
        "ids": [case.id for case in cases],
        "stems": [" ".join(case.stem[: 2 * _SNIPPET].split())[:_SNIPPET] for case in cases],
        "gold": "".join(_letter(case.gold) for case in cases),
        "benchmark": _coded([case.benchmark for case in cases]),
        "groups": _coded([case.groups for case in cases]),
        "tags": {tag: column for tag, column in tags.items() if _listed(column)},
        "runs": [_column(book, number) for number in range(len(book.runs))],
    }


def _column(book: Casebook, number: int) -> dict[str, Any]:
    answers = [case.answers.get(number) for case in book.cases]
    return {
        "states": "".join("-" if a is None else str(STATES.index(a.state)) for a in answers),
        "letters": "".join(_letter(None if a is None else a.letter) for a in answers),
        "read": _coded([a.confidence or None if a else None for a in answers]),
        "cause": _coded([a.cause or None if a else None for a in answers]),
    }


def _letter(letter: str | None) -> str:
    return letter if letter and len(letter) == 1 and letter.isascii() else "-"


def _coded(column: Sequence[Any]) -> dict[str, Any]:
    """A column as its different values, as text, and for each row the place of its own."""
    values: dict[Any, int] = {}
    kept: list[Any] = []
    codes = []
    for value in column:
        if value is None:
            codes.append(-1)
            continue
        key = value if isinstance(value, tuple) else str(value)
        if key not in values:
            values[key] = len(kept)
            kept.append(key)
        codes.append(values[key])
    return {"values": kept, "codes": codes}


def _listed(column: dict[str, Any]) -> bool:
    different = len(column["values"]) + (-1 in column["codes"])
    return different >= 2 and len(column["values"]) <= _MOST_VALUES
