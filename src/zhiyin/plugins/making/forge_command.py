"""`zhiyin forge ACTION`: benchmarks made, made harder, and renewed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from zhiyin.cli.functions import COSTS
from zhiyin.cli.output import open_console, print_json
from zhiyin.contract.arguments import file_as_data
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.plugins.making.errata_command import prepare_errata
from zhiyin.plugins.making.forge import Asker, Funnel
from zhiyin.plugins.making.forge.blind import BlindResult, Probing, ask_blind, measure, probes_of
from zhiyin.plugins.making.forge.folder import Building
from zhiyin.plugins.making.forge.hardening import Hardened, Hardening, harden
from zhiyin.plugins.making.forge.paraphrasing import Paraphrased, ParaphrasePlan
from zhiyin.plugins.making.forge.pipeline import ForgePlan, asker_of, make
from zhiyin.plugins.making.forge.renewing import POWER, Renewed, Renewing, contrast
from zhiyin.plugins.making.forge.renewing import renew as make_sister
from zhiyin.plugins.making.forge.selecting import Selecting
from zhiyin.plugins.making.forge.sources import read_set
from zhiyin.plugins.making.forge.validating import AcceptanceRule
from zhiyin.record import Sampling
from zhiyin.session import Watch
from zhiyin.shown.table import Column, Kind, table_of
from zhiyin.words import Said, localized, said

ACTIONS = ("questions", "distractors", "paraphrase", "index", "renew", "contamination")
_BLIND = ("random", "first", "longest", "overlap")
_Writing = Annotated[
    Sampling,
    {
        "temperature": "of the model that writes; default 0",
        "max_tokens": "of its replies; default: its own",
        **dict.fromkeys(("top_p", "top_k", "seed", "thinking"), ""),
    },
]
_Calls = Annotated[Limits, {"concurrency": "calls under way at once"}]
_Costs = Annotated[Spending, COSTS]


def questions(
    captions: str,
    *,
    model: str = "",
    out: str,
    plan: ForgePlan = ForgePlan("", ""),
    use: tuple[str, ...] = (),
    blind: tuple[str, ...] = (),
    selecting: Annotated[Selecting, "which tracks", {"seed": ""}] = Selecting(),
    rule: Annotated[AcceptanceRule, "which questions"] = AcceptanceRule(),
    building: Annotated[Building, "the folder"] = Building(),
    prompts: str | None = None,
    sampling: _Writing = Sampling(),
    limits: _Calls = Limits(0),
    spending: _Costs = Spending(),
    quiet: bool = False,
    json: bool = False,
) -> int:
    """Multiple-choice questions from captions of recordings, as a benchmark folder.

    Status 1 where calls failed.

    Parameters
    ----------
    captions : CAPTIONS
        a table: CSV, a spreadsheet, Parquet or JSON lines; or a data set's folder
    model : -m MODEL
        who writes the questions, and files them
    out : DIR
        the folder of the stages and the benchmark
    use : STAGE=FILE
        your own in its place
    blind : MODEL
        must not answer unheard
    """
    base = Asker(model, sampling, limits, spending, prompts, Path(out))
    plan = msgspec.structs.replace(
        plan, captions=captions, work=out, writer=base if model else None,
        blind=tuple(asker_of(one, base) for one in dict.fromkeys(blind)),
        selecting=msgspec.structs.replace(selecting, sound=selecting.sound and not plan.texts),
        rule=rule, building=building, use=_used(use),
    )  # fmt: skip
    made = make(plan, _watch(quiet or json))
    if json:
        print_json(made)
    else:
        _print_funnels(made.funnels)
        notes = [f"\n{localized(said('forge-next', command=made.next))}"] if made.next else []
        if made.folder:
            notes.append(f"\n{localized(said('forge-examines', questions=made.folder))}")
        if not made.funnels[-1].kept and not made.folder:
            notes.append(f"\n{localized(said('forge-nothing-left'))}")
        _print_notes(notes)
    failed = ("failed", "unreadable", "not-probed", "unlabelled")
    return int(any(why in one.fell for one in made.funnels for why in failed))


def _used(words: Sequence[str]) -> dict[str, str]:
    files = {}
    for word in words:
        stage, equals, file = word.partition("=")
        if not equals or not file:
            raise InputError(said("forge-use", word=word))
        files[stage] = file
    return files


def distractors(
    set: str,
    *,
    blind: str,
    model: str = "",
    out: Path,
    columns: tuple[str, ...] = (),
    hardening: Hardening = Hardening(),
    prompts: str | None = None,
    sampling: _Writing = Sampling(),
    limits: _Calls = Limits(0),
    spending: _Costs = Spending(),
    quiet: bool = False,
    json: bool = False,
) -> int:
    """Harder wrong answers, chosen so that text alone does not tell the right one.

    Status 1 where calls failed.

    Parameters
    ----------
    set : SET
        questions with options: a table, JSON lines or JSON
    blind : MODEL
        a text model that gives log-probabilities
    model : -m MODEL
        who proposes; else a column of proposals
    out : DIR
        where the set and the runs are kept
    """
    base = Asker(model, sampling, limits, spending, prompts, out)
    made = harden(
        read_set(Path(set), columns),
        asker_of(blind, base),
        out,
        hardening,
        base if model else None,
        _watch(quiet or json),
    )
    if json:
        print_json(made)
    else:
        _print_funnels([made.funnel])
        _print_measures([made.measure])
        open_console(markup=False).say_all(_aim_lines(made), 0)
        _print_notes([f"\n{localized(said('forge-hardened', file=made.file))}"])
    failed = ("no-proposals", "not-probed")
    return int(any(why in made.funnel.fell for why in failed) or bool(made.measure.failed))


def _aim_lines(made: Hardened) -> list[Said]:
    """Print what was reached, with a warning if the aim was missed."""
    own = made.measure
    if made.aim is None:
        return []
    lines = [said("cli-aimed", aim=made.aim, accuracy=own.accuracy, low=own.low, high=own.high)]
    if not made.reached:
        lines.append(said("cli-aim-missed", model=own.model, often=own.low > made.aim))
    return lines


def rewrite_forge(arguments: Sequence[str]) -> list[str]:
    """Rewrite `paraphrase FILE` to `paraphrase questions --data FILE`."""
    words = [*arguments]
    return ["paraphrase", *file_as_data(words[1:])] if words[:1] == ["paraphrase"] else words


prepare_paraphrase = prepare_errata
"""Adds the flags by which the benchmark that is named is asked."""


def paraphrase(
    benchmark: str,
    *,
    data: str | None = None,
    partial: bool = False,
    model: str = "",
    checker: str = "",
    out: Path | None = None,
    paraphrasing: ParaphrasePlan = ParaphrasePlan(),
    rule: Annotated[AcceptanceRule, "which people confirm"] = AcceptanceRule(),
    wording_prompts: str | None = None,
    sampling: _Writing = Sampling(),
    limits: _Calls = Limits(0),
    spending: _Costs = Spending(),
    quiet: bool = False,
    json: bool = False,
    args: argparse.Namespace,
) -> int:
    """Other wordings of a benchmark's questions, checked, for `zhiyin run --paraphrase N`.

    Status 1 where calls failed.

    Parameters
    ----------
    benchmark
        which benchmark, or a file of your own questions
    data : DIR
        the folder of the benchmark's data
    partial
        take what is here of a published set
    model : -m MODEL
        who proposes them; default: our grammar
    checker : MODEL
        another model, which must find that each asks the same and has the same key
    out : FILE
        default: paraphrases/BENCHMARK.jsonl
    wording_prompts : DIR
        prompts that replace ours by name
    """
    from zhiyin.plugins.making.forge.paraphrasing import paraphrase as make

    base = Asker(model, sampling, limits, spending, wording_prompts)
    made = make(
        benchmark, {**vars(args), "data": data, "partial": partial}, paraphrasing, out,
        base if model else None, asker_of(checker, base) if checker else None, rule,
        _watch(quiet or json),
    )  # fmt: skip
    if json:
        print_json(made)
    else:
        _print_funnels([made.funnel])
        _print_paraphrased(made)
    return int(any(why in made.funnel.fell for why in ("failed", "unreadable", "not-checked")))


def _print_paraphrased(made: Paraphrased) -> None:
    """Print how many items have how many wordings, and what can be done next."""
    lines = [
        said("cli-wordings", items=items, of=made.items, wordings=wordings)
        for wordings, items in made.wordings.items()
    ]
    lines += [said("errata-unheard")] if made.unheard else []
    if made.funnel.kept:
        lines.append(said("cli-wordings-file", file=made.file, command=made.command))
    if made.questions:
        lines.append(said("cli-wordings-people", questions=made.questions))
    open_console(markup=False, soft_wrap=True).say_all(lines, 0)


def index(
    set: str,
    *,
    blind: tuple[str, ...] = (),
    out: Path,
    columns: tuple[str, ...] = (),
    probing: Probing = Probing(),
    prompts: str | None = None,
    sampling: _Writing = Sampling(),
    limits: _Calls = Limits(0),
    spending: _Costs = Spending(),
    quiet: bool = False,
    json: bool = False,
) -> int:
    """Perceptual index: how much the text alone gives away to models that hear nothing.

    Status 1 where calls failed.

    Parameters
    ----------
    set : SET
        questions with options: a table, JSON lines or JSON
    blind : MODEL
        who is asked; may be repeated; default: blind baselines
    out : DIR
        where the runs are kept
    """
    questions = read_set(Path(set), columns)
    items = [entry.item for entry in questions.entries]
    probes = probes_of(items, probing)
    base = Asker("", sampling, limits, spending, prompts, out)
    measures = []
    for model in blind or _BLIND:
        answers = ask_blind(probes, asker_of(model, base), out, _watch(quiet or json))
        measures.append(measure(items, probes, answers, model)[0])
    stated = [entry.index for entry in questions.entries if entry.index is not None]
    if json:
        mean = sum(stated) / len(stated) if stated else None
        print_json({"measures": measures, "stated_index": mean, "items": len(items)})
    else:
        _print_measures(measures)
        if stated:
            mean = sum(stated) / len(stated)
            line = said("cli-stated-index", questions=len(stated), mean=mean)
            open_console(markup=False).say(line, 0)
    return int(any(one.failed for one in measures))


def _print_measures(measures: Sequence[BlindResult]) -> None:
    """A row for each model that hears nothing."""
    console = open_console(markup=False)
    folds = list(dict.fromkeys(fold for one in measures for fold in one.folds))
    rows = [
        (
            *(one.model, one.items, one.accuracy, (one.low, one.high), one.chance, one.index),
            *(one.folds.get(fold) for fold in folds),
        )
        for one in measures
    ]
    columns: dict[str, Kind | Column] = {
        "text alone, %": "text", "items": "count", "right": "share", "95 % int.": "share",
        "chance": "share", "index": Column("index", "number", 3),
    }  # fmt: skip
    console.print_table(table_of("index", columns | dict.fromkeys(folds, "share"), rows))
    for one in measures:
        if one.failed:
            console.say(said("forge-calls-failed", model=one.model, n=one.failed), 0)
    _print_notes([line for one in measures for line in one.told_by_rank()])


def renew(run: Path, *, out: Path, renewing: Renewing = Renewing(), json: bool = False) -> int:
    """A sister set of a run's items, of equal difficulty as far as features tell.

    Parameters
    ----------
    out : DIR
        where the sister set is written
    """
    renewed = make_sister(run, out, renewing)
    if json:
        print_json(renewed)
    else:
        _print_renewed(renewed)
    return 0


def _print_renewed(renewed: Renewed) -> None:
    columns = {
        "mean of": Column("mean of"),
        **{name: Column(name, "number", 3) for name in ("old items", "new items")},
        "apart, SD": Column("apart, SD", "number", 2),
    }
    rows = [(one.name, one.old, one.new, one.apart) for one in renewed.features]
    open_console(markup=False).print_table(table_of("features", columns, rows))
    facts = {"old": renewed.old, "new": renewed.new, "shared": renewed.shared}
    lines = [f"\n{localized(said('renewed-counts', **facts))}"]
    if renewed.seed is not None:
        lines.append(localized(said("renewed-seed", seed=str(renewed.seed))))
    _print_notes([*lines, localized(said("renewed-equal")), f"\n{renewed.command}"])


def contamination(old: Path, new: Path, *, json: bool = False) -> int:
    """Does a model do better on old items than on new ones?

    Parameters
    ----------
    old : OLD
        the model's run on items that it may have read
    new : NEW
        its run on a sister set
    """
    result = contrast(old, new)
    if json:
        print_json(result)
        return 0
    lines = [
        said(
            "cli-old-and-new", model=result.model, old=result.old, n_old=result.items[0],
            new=result.new, n_new=result.items[1],
        ),
        said(
            "cli-old-minus-new", difference=result.difference, low=result.low, high=result.high,
            p=result.p,
        ),
        said(
            "cli-contamination", found=result.found, by=abs(result.difference),
            detectable=result.detectable, power=POWER,
        ),
        said("cli-contamination-power", detectable=result.detectable, power=POWER),
    ]  # fmt: skip
    if result.shared or result.alone:
        lines.append(said("cli-contamination-left-out", shared=result.shared, alone=result.alone))
    open_console(markup=False).say_all([*lines, *result.remarks], 0)
    return 0


def _watch(quiet: bool) -> Watch:
    """Return the progress display for a model's calls."""
    from zhiyin.session.progress import Progress, quietly

    return quietly if quiet else Progress


def _print_funnels(funnels: Sequence[Funnel]) -> None:
    """The funnels as a table, then what fell, each reason with examples."""
    console = open_console(markup=False)
    columns: dict[str, Kind] = {
        "stage": "text", "of": "text", "went in": "count", "fell": "count", "kept": "count"
    }  # fmt: skip
    rows = [(one.stage, one.unit, one.went_in, sum(one.fell.values()), one.kept) for one in funnels]
    console.print_table(table_of("funnels", columns, rows))
    for one in funnels:
        if one.fell or one.notes:
            console.print(f"\n{one.stage}")
        for why, count in one.fell.items():
            console.print(
                f"  {count} {why}{', such as' if count > len(one.examples[why]) else ':'}"
            )
            for example in one.examples[why]:
                console.print(f"    {_short(example)}")
        for note in one.notes:
            console.print(f"  {note}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"


def _print_notes(lines: Sequence[str]) -> None:
    """Lines as they are, made safe for a terminal."""
    console = open_console(markup=False, soft_wrap=True)
    for line in lines:
        console.print(line)
