"""`zhiyin data fetch` and `zhiyin data list`: published data, brought here and looked over."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from zhiyin import numerals
from zhiyin.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from zhiyin.contract.registry import Kind
    from zhiyin.contract.sources import Source
    from zhiyin.session.fetching import Fetched, Here


def fetch(args: argparse.Namespace) -> int:
    """Describe one source, then fetch it. Returns the exit status."""
    from zhiyin.session import fetching

    kind, source = _chosen(args.benchmark)
    if not args.json and source.fetchable:
        for line in _description(kind, source, args.mirror):
            print(line)
        sys.stdout.flush()
    watch = _silent if args.quiet or args.json or args.offline else _progress
    done = fetching.fetch(
        kind.name, source, args.mirror, offline=args.offline, link=args.link, watch=watch
    )
    if args.json:
        from zhiyin.cli.display import print_json

        print_json(done)
        return 0
    for line in _result(kind, source, done):
        print(line)
    return 0


def _chosen(word: str) -> tuple[Kind, Source]:
    from zhiyin.contract.registry import find
    from zhiyin.contract.sources import DATA

    name, _, wanted = word.partition(":")
    kind = find(name)
    sources = {source.name: source for source in kind.sources()}
    if not sources:
        raise InputError(f"{name} names no published data that could be fetched")
    if (wanted or DATA) not in sources:
        raise InputError(f"{name} has no source {wanted!r}: {did_you_mean(wanted, sources)}")
    return kind, sources[wanted or DATA]


def _description(kind: Kind, source: Source, mirror: str) -> list[str]:
    """What is fetched, from where, how much, and under which terms."""
    from zhiyin.contract.sources import folder_of

    place = f"huggingface.co/datasets/{source.hub}" if source.hub else source.base
    files = len(source.files)
    size = "size not known before it comes" if source.size is None else numerals.size(source.size)
    count = f"{files} file{'s' * (files != 1)}" if files else "an archive"
    return [
        f"{kind.name}:{source.name}: {source.what}",
        f"  from      {mirror or place}",
        f"  revision  {source.revision}",
        f"  size      {count}, {size}",
        f"  licence   {source.licence}",
        f"  to        {folder_of(kind.name, source)}",
    ]


def _progress(line: str) -> None:
    print(f"  fetching {line}", file=sys.stderr)


def _silent(line: str) -> None:
    """Print nothing."""


def _result(kind: Kind, source: Source, done: Fetched) -> list[str]:
    lines = []
    if done.came:
        lines.append(_files(len(done.came), "came"))
    if done.kept:
        lines.append(_files(len(done.kept), "here before, unchanged"))
    if done.trusted:
        lines.append(
            f"of these {done.trusted} had contents that no one stated before: they are trusted as "
            "they came, and later fetches are checked against them"
        )
    if done.missing:
        named = ", ".join(done.missing[:3])
        lines.append(
            f"not in the mirror: {_files(len(done.missing), f'({named})')}; this is a part"
        )
    lines += done.notes
    lines += [f"to get by hand: {line}" for line in source.by_hand]
    if source.name == "data":
        lines.append(f"`zhiyin run {kind.name} -m MODEL` finds what is there without --data")
    return lines


def _files(count: int, words: str) -> str:
    return f"{count} file{'s' * (count != 1)} {words}"


def show_all(args: argparse.Namespace) -> int:
    """Print every source, and what of it is here. Returns the exit status."""
    from zhiyin.contract.registry import find, places
    from zhiyin.session.fetching import look

    rows: list[tuple[str, Source, Here]] = []
    for name in places():
        try:
            kind = find(name)
        except InputError:
            continue  # `zhiyin list` shows what is wrong with it
        rows += [(f"{kind.name}:{s.name}", s, look(kind.name, s)) for s in kind.sources()]
    if args.json:
        _print_json(rows)
    else:
        _print_table(rows)
    return 0


def _print_json(sources: list[tuple[str, Source, Here]]) -> None:
    from zhiyin.cli.display import print_json

    rows = [
        {
            "name": name,
            **{key: getattr(source, key) for key in _DESCRIBED},
            "size": source.size,
            "here": here,
        }
        for name, source, here in sources
    ]
    print_json({"sources": rows})


_DESCRIBED = ("what", "home", "licence", "revision", "base", "hub", "by_hand")


def _print_table(sources: list[tuple[str, Source, Here]]) -> None:
    from zhiyin.cli.display import open_console
    from zhiyin.contract.sources import data_home
    from zhiyin.shown.table import table_of

    rows = []
    for name, source, here in sources:
        of = f" of {here.of}" if here.of else ""
        files = f"{here.files}{of}, {numerals.size(here.bytes)}" if here.files else None
        rows.append((name, here.state, files, source.what, source.licence))
    heads = ("name", "here", "files", "what", "licence")
    by_hand = [f"{name}, by hand: {line}" for name, source, _ in sources for line in source.by_hand]
    console = open_console()
    with console.paged():
        console.print_table(table_of("sources", dict.fromkeys(heads, "text"), rows))
        console.say_all(by_hand)
        console.say(f"fetched data lie in {data_home()}")
