"""`zhiyin forge PART`: benchmarks made, made harder, and renewed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.shown.table import Column, Kind, table_of
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.forge.asking import Asker
    from zhiyin.forge.blind import Measure
    from zhiyin.forge.hardening import Hardened
    from zhiyin.forge.pipeline import ForgePlan
    from zhiyin.forge.renewing import Renewed
    from zhiyin.forge.stages import Funnel
    from zhiyin.session import Watch

HELP = "Make benchmarks: questions from captions, harder wrong answers, sister sets."
_BLIND = ("random", "first", "longest", "overlap")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the parts, each with its flags."""
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    for name, (summary, add_flags, work) in _parts().items():
        one = parts.add_parser(name, help=summary, description=summary, allow_abbrev=False)
        add_flags(one)
        if work is not _contamination and work is not _renew:
            _add_asking(one)
        one.add_argument("--json", action="store_true", help="print one JSON object")
        one.set_defaults(work=work)


def _parts() -> dict[str, tuple[str, Callable[..., None], Callable[..., int]]]:
    """Each part: what it does, its flags, its work."""
    return {
        "questions": (
            "multiple-choice questions from captions of recordings, as a benchmark folder",
            _add_questions, _questions,
        ),
        "distractors": (
            "harder wrong answers, chosen so that text alone does not tell the right one",
            _add_distractors, _distractors,
        ),
        "index": (
            "how much the text alone gives away: questions put before models that hear nothing",
            _add_index, _index,
        ),
        "renew": (
            "a sister set of a run's items, of equal difficulty as far as features tell",
            _add_renew, _renew,
        ),
        "contamination": (
            "does a model do better on old items than on new ones?",
            _add_contamination, _contamination,
        ),
    }  # fmt: skip


def execute(args: argparse.Namespace) -> int:
    """Carry out the part, and return the exit status: 130 where it was interrupted."""
    from zhiyin.forge.asking import Interrupted

    try:
        status: int = args.work(args)
    except Interrupted:
        return 130
    return status


def _add_questions(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.flags import add_flag, add_part, fields_of
    from zhiyin.forge.folder import Building
    from zhiyin.forge.pipeline import ForgePlan
    from zhiyin.forge.selecting import Selecting
    from zhiyin.forge.validating import Rule

    of_plan = {field.name: field for field in fields_of(ForgePlan)}
    add = parser.add_argument
    add("captions", metavar="CAPTIONS", help="a CSV or JSON lines file, or a data set's folder")
    add_flag(parser, of_plan["texts"])
    add("-m", "--model", metavar="MODEL", help="who writes the questions, and files them")
    add("--out", metavar="DIR", required=True, help="the folder of the stages and the benchmark")
    add_flag(parser, of_plan["until"])
    add("--use", action="append", default=[], metavar="STAGE=FILE", help="your own in its place")
    tracks = parser.add_argument_group("which tracks")
    for name in ("columns", "audio"):
        add_flag(tracks, of_plan[name])
    add_part(tracks, Selecting, seed="")
    questions = parser.add_argument_group("which questions")
    add_flag(questions, of_plan["count"])
    questions.add_argument(
        "--blind", action="append", default=[], metavar="MODEL", help="must not answer unheard"
    )
    for name in ("least_index", "annotations", "annotation_columns", "answers", "unvalidated"):
        add_flag(questions, of_plan[name])
    add_part(questions, Rule)
    add_part(parser.add_argument_group("the folder"), Building)


def plan_of(args: argparse.Namespace) -> ForgePlan:
    """What the flags ask for."""
    from zhiyin.flags import read_part
    from zhiyin.forge.folder import Building
    from zhiyin.forge.pipeline import ForgePlan, asker_of
    from zhiyin.forge.selecting import Selecting
    from zhiyin.forge.validating import Rule

    base, given = _asker(args, args.model or ""), vars(args)
    plan = ForgePlan(
        captions=args.captions,
        work=args.out,
        writer=base if args.model else None,
        blind=tuple(asker_of(model, base) for model in dict.fromkeys(args.blind)),
        selecting=read_part(Selecting(), {**given, "sound": args.sound and not args.texts}),
        rule=read_part(Rule(), given),
        building=read_part(Building(), given),
        use=_used(args.use),
    )
    return read_part(plan, given)


def _used(words: list[str]) -> dict[str, str]:
    files = {}
    for word in words:
        stage, equals, file = word.partition("=")
        if not equals or not file:
            raise InputError(f"--use {word}: write STAGE=FILE, such as write=my_questions.jsonl")
        files[stage] = file
    return files


def _questions(args: argparse.Namespace) -> int:
    """Make it, print the funnel; 1 where calls failed."""
    from zhiyin.forge.pipeline import make

    made = make(plan_of(args), _watch_of(args))
    if args.json:
        print_json(made)
    else:
        _print_funnels(made.funnels)
        notes = [f"\nnext: {made.next}"] if made.next else []
        if made.folder:
            notes.append(f"\n{made.folder}: `zhiyin run {made.folder} -m MODEL` examines a model")
        if not made.funnels[-1].kept and not made.folder:
            notes.append("\nnothing is left to go on with")
        _print_notes(notes)
    failed = ("failed", "unreadable", "not-probed", "unlabelled")
    return int(any(why in one.fell for one in made.funnels for why in failed))


def _add_distractors(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.flags import add_part
    from zhiyin.forge.hardening import Hardening

    add = parser.add_argument
    add("set", metavar="SET", help="questions with options: CSV, JSON lines or JSON")
    add("--blind", required=True, metavar="MODEL", help="a text model that gives log-probabilities")
    add("-m", "--model", metavar="MODEL", help="who proposes; else a column of proposals")
    add("--out", metavar="DIR", required=True, help="where the set and the runs are kept")
    add("--columns", action="append", default=[], metavar="MEANING=NAME", help="of the set")
    add_part(parser, Hardening)
    parser.set_defaults(seed=Hardening().seed)  # the model that proposes is given it too


def _distractors(args: argparse.Namespace) -> int:
    """Choose, measure, print; 1 where calls failed."""
    from zhiyin.flags import read_part
    from zhiyin.forge.hardening import Hardening, harden
    from zhiyin.forge.pipeline import asker_of
    from zhiyin.forge.tables import read_set

    base = _asker(args, args.model or "")
    made = harden(
        read_set(Path(args.set), args.columns),
        asker_of(args.blind, base),
        Path(args.out),
        read_part(Hardening(), vars(args)),
        base if args.model else None,
        _watch_of(args),
    )
    if args.json:
        print_json(made)
    else:
        _print_funnels([made.funnel])
        _print_measures([made.measure])
        open_console(markup=False).say_all(_aim_lines(made), 0)
        _print_notes([f"\n{made.file}: the set, with five options a question"])
    failed = ("no-proposals", "not-probed")
    return int(any(why in made.funnel.fell for why in failed) or bool(made.measure.failed))


def _aim_lines(made: Hardened) -> list[Said]:
    """What was reached, and a warning where it is something else than was aimed at."""
    own = made.measure
    if made.aim is None:
        return []
    lines = [said("cli-aimed", aim=made.aim, accuracy=own.accuracy, low=own.low, high=own.high)]
    if not made.reached:
        lines.append(said("cli-aim-missed", model=own.model, often=own.low > made.aim))
    return lines


def _add_index(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.flags import add_part
    from zhiyin.forge.blind import Probing

    add = parser.add_argument
    add("set", metavar="SET", help="questions with options: CSV, JSON lines or JSON")
    add("--blind", action="append", default=[], metavar="MODEL", help="default: blind baselines")
    add("--out", metavar="DIR", required=True, help="where the runs are kept")
    add("--columns", action="append", default=[], metavar="MEANING=NAME", help="of the set")
    add_part(parser, Probing)


def _index(args: argparse.Namespace) -> int:
    """Ask, print; 1 where calls failed."""
    from zhiyin.flags import read_part
    from zhiyin.forge.blind import Probing, ask_blind, measure, probes_of
    from zhiyin.forge.pipeline import asker_of
    from zhiyin.forge.tables import read_set

    questions = read_set(Path(args.set), args.columns)
    items = [entry.item for entry in questions.entries]
    probes = probes_of(items, read_part(Probing(), vars(args)))
    base = _asker(args, "")
    measures = []
    for model in args.blind or _BLIND:
        asker = asker_of(model, base)
        answers = ask_blind(probes, asker, Path(args.out), _watch_of(args))
        measures.append(measure(items, probes, answers, model)[0])
    stated = [entry.index for entry in questions.entries if entry.index is not None]
    if args.json:
        mean = sum(stated) / len(stated) if stated else None
        print_json({"measures": measures, "stated_index": mean, "items": len(items)})
    else:
        _print_measures(measures)
        if stated:
            mean = sum(stated) / len(stated)
            index = said("cli-stated-index", questions=len(stated), mean=mean)
            open_console(markup=False).say(index, 0)
    return int(any(one.failed for one in measures))


def _print_measures(measures: Sequence[Measure]) -> None:
    """A row for each examinee that hears nothing."""
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
            console.print(f"{one.model}: {one.failed} calls failed; the same command asks again")
    _print_notes([line for one in measures for line in one.told_by_rank()])


def _add_renew(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.flags import add_part
    from zhiyin.forge.renewing import Renewing

    add = parser.add_argument
    add("run", metavar="RUN", help="a folder that `zhiyin run` wrote")
    add("--out", metavar="DIR", required=True, help="where the sister set is written")
    add_part(parser, Renewing)


def _renew(args: argparse.Namespace) -> int:
    """Make it, print how alike the sets are."""
    from zhiyin.flags import read_part
    from zhiyin.forge.renewing import Renewing, renew

    renewed = renew(Path(args.run), Path(args.out), read_part(Renewing(), vars(args)))
    if args.json:
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
    lines = [f"\n{renewed.old} old items, {renewed.new} new ones; in both: {renewed.shared}"]
    if renewed.seed is not None:
        lines.append(f"seed {renewed.seed}, the most alike of those that were tried")
    lines += ["equal in features is not equal in difficulty: let a model that knows neither set",
              "answer both, and compare"]  # fmt: skip
    _print_notes([*lines, f"\n{renewed.command}"])


def _add_contamination(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    add = parser.add_argument
    add("old", metavar="OLD", help="the model's run on items that it may have read")
    add("new", metavar="NEW", help="its run on a sister set")


def _contamination(args: argparse.Namespace) -> int:
    """Compare, and print."""
    from zhiyin.forge.renewing import POWER, contrast

    result = contrast(Path(args.old), Path(args.new))
    if args.json:
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


def _add_asking(parser: argparse.ArgumentParser) -> None:
    """Add the flags for prompts, sampling, limits and spending."""
    from zhiyin.cost.request_queue import Spending
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part
    from zhiyin.record import Sampling

    add = parser.add_argument
    add("--prompts", metavar="DIR", help="prompts, examples and taxonomy that replace ours by name")
    add_part(
        parser,
        Sampling(),
        temperature="of the model that writes; default 0",
        max_tokens="of its replies; default: its own",
        **dict.fromkeys(("top_p", "top_k", "seed", "thinking"), ""),
    )
    add_part(parser, Limits(0), concurrency="calls under way at once")
    add_part(parser.add_argument_group("what it costs (docs/cost.md)"), Spending())
    add("--quiet", action="store_true", help="no progress")


def _asker(args: argparse.Namespace, model: str) -> Asker:
    """The model that writes, with the settings of the flags."""
    from zhiyin.cost.request_queue import Spending
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.forge.asking import Asker
    from zhiyin.record import Sampling

    return Asker(
        model,
        read_part(Sampling(), vars(args)),
        read_part(Limits(0), vars(args)),
        read_part(Spending(), vars(args)),
        args.prompts,
    )


def _watch_of(args: argparse.Namespace) -> Watch:
    """What is shown while a model is asked."""
    from zhiyin.session.progress import Progress, quietly

    return quietly if args.quiet or args.json else Progress


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
