"""`zhiyin errata`: flaws of a benchmark's items that a machine can prove.

`--errata FILE` of `show`, `report` and `rescore`: figures without items found flawed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from msgspec.structs import replace

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import languages_of, open_console, print_json
from zhiyin.contract.declared import named_flaw
from zhiyin.contract.tables import faults_said
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.contract.declared import CheckResult, Flaw
    from zhiyin.contract.registry import BenchmarkClass
    from zhiyin.plugins.making.errata.finding import Errata, WithoutErrata


def rewrite_errata(arguments: Sequence[str]) -> list[str]:
    """Rewrite `FILE` in the place of a name to `questions --data FILE`, a recipe to its flags."""
    from zhiyin.contract.arguments import file_as_data, with_recipe

    return file_as_data(with_recipe(arguments))


def named_in(arguments: Sequence[str]) -> BenchmarkClass | None:
    """The benchmark that is named among some arguments."""
    from zhiyin.contract.registry import find, is_file, places

    named = next((word for word in arguments if word in places() or is_file(word)), None)
    return find(named) if named is not None else None


def prepare_errata(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags by which the benchmark that is named is asked."""
    if kind := named_in(arguments):
        kind.add_options(parser.add_argument_group(kind.name))


def errata(
    benchmark: str,
    *,
    data: str | None = None,
    partial: bool = False,
    shots: str | None = None,
    rules: str = "",
    out: Path | None = None,
    all_: bool = False,
    lang: str = "",
    json: bool = False,
    args: argparse.Namespace,
) -> int:
    """Flaws of a benchmark's items that a machine can prove, each with its rule and witness.

    Parameters
    ----------
    benchmark
        which benchmark, or a file of your own questions
    data : DIR
        the folder of the benchmark's data
    partial
        take what is here of a published set
    shots : K
        worked examples, which are looked at too
    rules : R,...
        only these rules; by default all
    out : DIR
        write errata.jsonl and a page there
    all_
        list every erratum, however many
    lang : en|zh|en,zh
        the page's language, or a page in each, linked; without it that of the terminal
    """
    from zhiyin.contract.declared import CheckResult, Flaw
    from zhiyin.plugins.making.errata.finding import find_errata, write_errata

    languages = languages_of(lang)
    options = {**vars(args), "data": data, "partial": partial, "shots": shots}
    found = find_errata(benchmark, options, [rule for rule in rules.split(",") if rule])
    written = write_errata(found, out, languages) if out else []
    if json:
        print_json({
            "head": found.head, "counts": dict(found.counts), "flawed": len(found.flawed()),
            "errata": found.lines, "notes": [str(note) for note in found.notes],
        })  # fmt: skip
        return 0
    texts = zip(found.lines, found.texts, strict=True)
    flaws = [Flaw(line.rule, benchmark, line.item, text) for line, text in texts]
    print_flaws(CheckResult(found.head.items, flaws, found.notes), found.counts, all_)
    for path in written:
        open_console(markup=False).say(said("errata-written", file=str(path)), 0)
    return 0


_LISTED = 18
"""So many flaws are listed one by one; of more the first of each kind is."""


def print_flaws(result: CheckResult, kinds: Counter[str], whole: bool) -> None:
    """What a run refuses, a kind of fault a line with its cure; then all other flaws.

    These are listed where they are few, or `whole`; else how many of each kind, and one of them.
    """
    console = open_console(markup=False)
    flaws = result.flaws[len(result.faults) :]
    every = whole or len(flaws) <= _LISTED
    if result.faults:
        facts = {"path": result.faults[0].path.name, "some": bool(result.items)}
        console.say(said("cli-faults", n=result.refused, **facts), 0)
        console.say_all(faults_said(result.faults, result.unit, whole), 2)
        if flaws:
            console.say(said("cli-no-faults"), 0)
    others = Counter(flaw.kind for flaw in flaws)
    first = {flaw.kind: flaw for flaw in reversed(flaws)}
    for one in flaws if every else first.values():
        facts = {"kind": named_flaw(one.kind), "place": _place(one), "detail": one.detail}
        known = said("cli-flaw", **facts)
        console.say(known if every else said("cli-flaws-of", n=others[one.kind], **facts), 0)
    console.say_all(result.notes, 0, said("cli-note"))
    counts = [said("cli-count-of", n=n, kind=named_flaw(kind)) for kind, n in kinds.items()]
    of = {"refused": result.refused, "of": result.items + result.refused}
    console.say(said("cli-flaws", n=result.items, counts=counts, more=not every, **of), 0)


def _place(flaw: Flaw) -> str:
    return "  ".join(filter(None, (flaw.file, flaw.id and f"id {flaw.id}")))


def show(given: argparse.Namespace, *, errata: Path | None = None) -> int | None:
    """Given errata, it prints headline figures without these items, too.

    Parameters
    ----------
    errata : FILE
        of `zhiyin errata`: print the headline figures on all items, and without the flawed ones
    """
    if errata is None:
        return None
    from zhiyin.analysis.summary import summarise
    from zhiyin.cli.tables import labels
    from zhiyin.plugins.making.errata.finding import read_errata, without_errata

    read_by(given.benchmark_file, given.runs)
    listed = read_errata(errata)
    found = [one for run in given.runs for one in without_errata(run, listed)]
    if given.json:
        print_json({"errata": listed.head, "runs": found})
        return 0
    called = labels([summarise(run) for run in given.runs])
    names = dict(zip(map(str, given.runs), called, strict=True))
    _print_changes(found, [names[one.run] for one in found])
    return 0


def report(given: argparse.Namespace, *, errata: Path | None = None) -> int | None:
    """Given errata, its figures stand there without these items, too.

    Parameters
    ----------
    errata : FILE
        of `zhiyin errata`: its figures without the flawed items, too
    """
    if errata is None:
        return None
    from zhiyin.cli.pages import write_report

    own = {name: value for name, value in vars(given).items() if name != "places"}
    return write_report(given={"errata": errata}, **own)


def rescore(given: argparse.Namespace, *, errata: Path | None = None) -> int | None:
    """Given errata, it prints headline figures without these items, too.

    Parameters
    ----------
    errata : FILE
        of `zhiyin errata`: print its headline figures as scored now without the flawed items, too
    """
    if errata is None:
        return None
    from zhiyin.cli.show import print_rescored
    from zhiyin.plugins.making.errata.finding import read_errata
    from zhiyin.session.rescore import rescore as score_again

    read_by(given.benchmark_file, [given.run])
    listed = read_errata(errata)
    summary = score_again(given.run, given.extract, given.out)
    changed = _rescored_without(given.run, given.extract, given.out, listed)
    if given.json:
        print_json(
            {"runs": [summary.in_english()], "errata": listed.head, "without_errata": changed}
        )
    else:
        print_rescored(summary, as_json=False)
        _print_changes(changed, [given.extract] * len(changed))
    return 1 if summary.states["error"] else 0


def _rescored_without(
    run: Path, extract: str, out: Path | None, errata: Errata
) -> list[WithoutErrata]:
    """Apply `without_errata` to a run as it is scored now, wherever that was written."""
    from zhiyin.plugins.making.errata.finding import without_errata
    from zhiyin.session.rescore import rescore as score_again

    if out is not None:
        return without_errata(out, errata)
    with TemporaryDirectory() as scratch:
        place = Path(scratch) / run.name
        score_again(run, extract, place)
        return [replace(one, run=str(run)) for one in without_errata(place, errata)]


def _print_changes(found: Sequence[WithoutErrata], names: Sequence[str]) -> None:
    from zhiyin.plugins.making.errata.finding import errata_sections

    console = open_console()
    for section in errata_sections(found, names):
        console.print_table(section.table("errata"))
