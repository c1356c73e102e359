"""`zhiyin data ACTION`: fetch a benchmark's data, list what is here, check it, make a small set."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from zhiyin import numerals
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean
from zhiyin.extensions import MAKERS, Maker, every
from zhiyin.numerals import counted
from zhiyin.shown.table import Column, table_of
from zhiyin.words import Said, Text, said, say, spoken

if TYPE_CHECKING:
    from zhiyin.contract.published import Source
    from zhiyin.contract.registry import BenchmarkClass
    from zhiyin.plugins.lab.fetching import DataHere, Fetched

_MADE = "https://www.apache.org/licenses/LICENSE-2.0"
"""Of what Zhiyin writes itself (docs/datasheets.md)."""
PUBLISHED = "published"
"""What is fetched as the table of published figures."""
ACTIONS = ("fetch", "list", "check", "make")


def rewrite_data(arguments: Sequence[str]) -> list[str]:
    """`check FILE` is `check questions --data FILE`; a recipe is its flags."""
    from zhiyin.contract.arguments import file_as_data, with_recipe

    action, *rest = arguments or [""]
    if action != "check":
        return list(arguments)
    return [action, *file_as_data(with_recipe(rest, run=False))]


def prepare_check(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags of the benchmark that is named."""
    from zhiyin.contract.options import add_flags
    from zhiyin.plugins.making.errata_command import named_in

    if kind := named_in(arguments):
        add_flags(parser.add_argument_group(kind.name), kind.Checking, there=("data", "partial"))


def prepare_make(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags of the benchmark that is named."""
    from zhiyin.contract.options import add_flags
    from zhiyin.contract.registry import find, is_file, places

    known = (word for word in arguments if word in places() or is_file(word))
    first = next((word for word in arguments[:1] if not word.startswith("-")), None)
    if named := next(known, first):
        add_flags(parser.add_argument_group(named), _maker(find(named)).settings, there=())


def _maker(kind: BenchmarkClass) -> Maker:
    """Find what makes a small set for a benchmark: itself, or a plug-in. Raises `InputError`."""
    from zhiyin.contract.stand_in import overrides

    if not overrides(kind, "make"):
        if made := every(MAKERS).get(kind.name):
            return cast("Maker", made)
        kind.make({})  # raises: there is nothing to be made
    return Maker(kind.Making, kind.make)


def make(benchmark: str, *, json: bool = False, args: argparse.Namespace) -> int:
    """Make a small set of ours.

    Parameters
    ----------
    benchmark
        which benchmark
    """
    from zhiyin.contract.registry import find
    from zhiyin.plugins.making.croissant import write_croissant

    kind = find(benchmark)
    remark = _maker(kind).make(vars(args))
    if (out := getattr(args, "out", None)) and Path(out).is_dir():
        about = f"Made by `zhiyin data make {kind.name}`: {say(kind.summary)}"
        write_croissant(Path(out), Path(out).name, about, _MADE, kind.version)
    if json:
        print_json({"benchmark": benchmark, "out": getattr(args, "out", None), "remark": remark})
    else:
        print(remark)
    return 0


def check(
    benchmark: str, *, data: str | None = None, partial: bool = False, all_: bool = False,
    json: bool = False, args: argparse.Namespace,
) -> int:  # fmt: skip
    """List the flaws of data; status 0 also where there are some, 2 where a run refuses the data.

    As a run that is given no further flags would.

    Parameters
    ----------
    benchmark
        which benchmark, or a file of your own questions
    data : DIR
        the folder of the benchmark's data
    partial
        accept a part of a published set
    all_
        list every flaw, however many
    """
    from zhiyin.contract.registry import find
    from zhiyin.plugins.making.errata_command import print_flaws

    kind = find(benchmark)
    options = vars(args)
    options["data"] = data or kind.fetched(options)
    result = kind.check(options)
    refusal = _refusal(kind, options)
    kinds = Counter(flaw.kind for flaw in result.flaws)
    if json:
        print_json({
            "benchmark": benchmark, "items": result.items, "refused": result.refused,
            "refusal": refusal and str(refusal), "counts": dict(kinds),
            "flaws": [flaw.in_english() for flaw in result.flaws],
            "notes": [str(note) for note in result.notes],
        })  # fmt: skip
    else:
        if refusal and not result.faults:
            open_console(markup=False).say(said("cli-refusal", why=refusal), 0)
        print_flaws(result, kinds, all_)
    return 2 if refusal else 0


def _refusal(kind: BenchmarkClass, options: Mapping[str, Any]) -> InputError | None:
    """Why a run of the data would not begin, by what a run itself goes through; None if it would.

    It is asked with the flags of the check and those by which the benchmark reads such data.
    """
    from zhiyin.contract.settings import RunSettings
    from zhiyin.session.setup import UnreachedModel, manifest_of, selected

    known = {**kind.checked_with, **options}
    given = {name: known.get(name) for name in kind.Settings.__struct_fields__}
    try:
        order, selection = selected(RunSettings(kind, UnreachedModel(), given))
        manifest_of(order, selection, UnreachedModel())
    except InputError as error:
        return error
    return None


_DESCRIBED = ("what", "home", "licence", "revision", "base", "hub", "by_hand", "size")


def fetch(
    benchmark: str, *, from_: str = "", link: bool = False, offline: bool = False,
    quiet: bool = False, json: bool = False,
) -> int:  # fmt: skip
    """Bring published data here.

    Parameters
    ----------
    benchmark : NAME
        which benchmark's data, or NAME:SOURCE; published: a newer table of published figures
    from_ : URL|DIR
        a mirror of the files; of published figures, a CSV file or its address
    link
        link to the files of --from DIR; do not copy them
    offline
        only make sure that all is here, unchanged
    quiet
        no line for each file
    """
    from zhiyin.contract.published_table import FiguresError
    from zhiyin.plugins.lab.fetching import check_client, fetch_figures, print_nothing
    from zhiyin.plugins.lab.fetching import fetch as fetch_source

    if benchmark == PUBLISHED:
        try:
            known = fetch_figures(from_)
        except FiguresError as error:
            for fault in error.faults:
                print(fault, file=sys.stderr)
            n = counted(len(error.faults), "fault")
            raise InputError(said("lab-from", place=from_, n=n)) from None
        if json:
            print_json(known)
        else:
            open_console().say(said("fetched-figures", **known))
        return 0
    kind, source = _chosen(benchmark)
    if not offline:
        check_client(kind.name, source, from_)
    if not json and source.fetchable:
        for fact in _description(kind, source, from_):
            print(say(fact, spoken()))
        sys.stdout.flush()
    silent = quiet or json or offline or (from_ and Path(from_).is_dir())
    watch = print_nothing if silent else _progress
    done = fetch_source(kind.name, source, from_, offline=offline, link=link, watch=watch)
    if json:
        print_json(done)
        return 0
    for line in _result(kind, source, done):
        print(say(line, spoken()))
    return 0


def _chosen(word: str) -> tuple[BenchmarkClass, Source]:
    from zhiyin.contract.published import DATA
    from zhiyin.contract.registry import find

    name, _, wanted = word.partition(":")
    kind = find(name)
    sources = {source.name: source for source in kind.sources()}
    if not sources:
        raise InputError(said("data-none", name=name))
    if (wanted or DATA) not in sources:
        hint = did_you_mean(wanted, sources)
        raise InputError(said("data-no-source", name=name, source=repr(wanted), hint=hint))
    return kind, sources[wanted or DATA]


def _description(kind: BenchmarkClass, source: Source, mirror: str) -> list[Said]:
    """Describe what is fetched, from where, how much, and under which terms."""
    from zhiyin.contract.published import folder_of

    place = f"huggingface.co/datasets/{source.hub}" if source.hub else source.base
    unknown = "local" if Path(mirror).is_dir() else None  # nothing to wait for
    size = unknown if source.size is None else numerals.size(source.size)
    whole = said("fetch-size", n=len(source.files), size=size)
    what = said("of-run", who=f"{kind.name}:{source.name}", what=_what(kind.name, source))
    each = {
        "from": mirror or place, "revision": source.revision, "size": whole,
        "licence": source.licence, "to": folder_of(kind.name, source),
    }  # fmt: skip
    return [what, *(said("fetch-fact", key=key, value=value) for key, value in each.items())]


def _what(benchmark: str, source: Source) -> Said:
    return said("data-what", source=f"{benchmark}-{source.name}", what=source.what)


def _progress(line: str) -> None:
    print(say(said("fetch-now", file=line), spoken()), file=sys.stderr)


def _result(kind: BenchmarkClass, source: Source, done: Fetched) -> list[Text]:
    from zhiyin.plugins.lab.fetching import by_hand

    counts: dict[str, Sequence[str] | int] = {
        "came": done.came, "kept": done.kept, "trusted": done.trusted, "missing": done.missing
    }  # fmt: skip
    lines: list[Text] = []
    for state, files in counts.items():
        n = files if isinstance(files, int) else len(files)
        if n:
            lines.append(said("fetch-done", state=state, n=n, files=done.missing[:3]))
    lines += done.notes
    lines += [said("fetch-by-hand", line=line) for line in by_hand(kind.name, source)]
    return [*lines, *([said("fetch-found", name=kind.name)] if source.name == "data" else [])]


def list_(*, json: bool = False) -> int:
    """List the data that are here, whole or in part."""
    from zhiyin.contract.registry import find, places
    from zhiyin.plugins.lab.fetching import look

    rows: list[tuple[str, Source, DataHere]] = []
    for name in places():
        try:
            kind = find(name)
        except InputError:
            continue  # `zhiyin list` shows what is wrong with it
        rows += [(f"{kind.name}:{s.name}", s, look(kind.name, s)) for s in kind.sources()]
    if json:
        sources = [
            {"name": name, **{key: getattr(source, key) for key in _DESCRIBED}, "here": here}
            for name, source, here in rows
        ]
        print_json({"sources": sources})
    else:
        _print_sources(rows)
    return 0


def _print_sources(sources: list[tuple[str, Source, DataHere]]) -> None:
    from zhiyin.contract.published import data_home
    from zhiyin.contract.published_table import fetched
    from zhiyin.plugins.lab.fetching import by_hand

    rows = []
    for name, source, here in sources:
        facts = {"n": str(here.files), "of": here.of or 0, "size": numerals.size(here.bytes)}
        files = said("data-files", **facts) if here.files else None
        rows.append(
            (
                name,
                said("data-state", state=here.state),
                files,
                _what(name.partition(":")[0], source),
                source.licence,
            )
        )
    names = ("name", "here", "files", "what", "licence")
    heads = [Column(said("data-head", head=name), "text") for name in names]
    steps = [
        said("data-by-hand", name=name, line=line)
        for name, source, _ in sources
        for line in by_hand(name.partition(":")[0], source)
    ]
    console = open_console()
    with console.paged():
        console.print_table(table_of("sources", heads, rows))
        console.say_all(steps)
        console.say(said("data-lie", folder=data_home()))
        if newer := max((one.date for one in fetched()), default=""):
            console.say(said("published-newer", date=newer))
