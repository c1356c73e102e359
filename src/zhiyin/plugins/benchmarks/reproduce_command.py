"""`zhiyin reproduce TABLE`: a published table made again from published replies."""

from __future__ import annotations

import contextlib
import io
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from csv import writer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.shown.table import Column, table_of
from zhiyin.text import csv_row
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from zhiyin.contract.published import Cause, ReproducedFigure, ReproducibleTable, Reproduction
    from zhiyin.contract.registry import BenchmarkClass

_NAMED, _LOST_NAMED = 3, 4
ALL = "all"
"""What may stand for the name of a table: every table of the benchmark."""
_REPRODUCED = {True: ("=", "yes"), False: ("not", "no"), None: ("", "")}
"""Whether a figure came out, in a table and in CSV."""


def reproduce(
    table: str | None = None,
    *,
    replies: tuple[Path, ...] = (),
    csv: str | None = None,
    json: bool = False,
) -> int:
    """Make a published table again from published replies, and say why ours differ from it.

    Parameters
    ----------
    table : TABLE
        BENCHMARK:TABLE, or BENCHMARK for all of its
    replies : PATH ...
        files or folders of replies; by default what `zhiyin data fetch` brought
    csv : FILE
        write the rows as CSV; - for the standard output
    """
    if csv == "-" and json:
        raise InputError(said("reproduce-both"))
    if table is None:
        if replies or csv:
            raise InputError(said("reproduce-which"))
        _print_list(as_json=json)
        return 0
    made = [
        (each.called(kind.name), each.make(files))
        for kind, each, files in _with_files(table, _chosen(table), replies)
    ]
    if csv:
        _write_csv(csv, made)
    if json:
        _print_json(made)
    elif csv != "-":
        _print(made)
    return 0


def _chosen(word: str) -> list[tuple[BenchmarkClass, ReproducibleTable]]:
    name, _, wanted = word.partition(":")
    kind, declared = _of(name)
    tables = {table.name: table for table in declared}
    forms = [f"{name}:{form.name}" for form in kind.printed]
    own = word if word in forms else next(iter(forms), "")
    if not tables:
        raise InputError(said("reproduce-declares-none", name=name, own=own or None))
    if wanted in ("", ALL):
        return [(kind, table) for table in tables.values()]
    if wanted not in tables:
        hint = did_you_mean(wanted, tables)
        raise InputError(said("reproduce-no-table", name=name, wanted=repr(wanted), hint=hint))
    return [(kind, tables[wanted])]


def _of(name: str) -> tuple[BenchmarkClass, list[ReproducibleTable]]:
    """The benchmark of a name and its tables; or of a published name, those that bear it."""
    from zhiyin.contract.registry import find, places

    if name not in places():
        for kind in _installed():
            if theirs := [table for table in kind.tables() if table.of == name]:
                return kind, theirs
    kind = find(name)
    return kind, list(kind.tables())


def _installed() -> Iterator[BenchmarkClass]:
    """Every benchmark that can be opened; `zhiyin list` shows what is wrong with the others."""
    from zhiyin.contract.registry import find, places

    for name in places():
        with contextlib.suppress(InputError):
            yield find(name)


def _with_files(
    word: str, chosen: Sequence[tuple[BenchmarkClass, ReproducibleTable]], given: Sequence[Path]
) -> Iterator[tuple[BenchmarkClass, ReproducibleTable, list[Path]]]:
    """The tables for which there are files. Raises `InputError` where there is none at all."""
    for path in given:
        if not path.exists():
            raise InputError(said("reproduce-no-file", path=path))
    with_files = [
        (kind, table, files)
        for kind, table in chosen
        if (files := files_of(table, given or _fetched(kind, table), named=len(chosen) == 1))
    ]
    if not with_files:
        forms = ", ".join(table.replies for _, table in chosen[:_NAMED])
        where = f"no {forms} in {', '.join(map(str, given[:_NAMED]))}" if given else "no replies"
        raise InputError(f"{word}: {where}; {_how(chosen[0][0], chosen[0][1])}")
    yield from with_files


def _fetched(kind: BenchmarkClass, table: ReproducibleTable) -> list[Path]:
    """The folder of the source that holds the published replies, where it was fetched."""
    from zhiyin.contract.published import folder_of

    source = next((s for s in kind.sources() if s.name == table.source), None)
    folder = folder_of(kind.name, source) if source else None
    return [folder] if folder is not None and folder.is_dir() else []


def _how(kind: BenchmarkClass, table: ReproducibleTable) -> str:
    """Explain how to get the replies of a table."""
    give = f"give {table.replies} with --replies"
    if any(source.name == table.source for source in kind.sources()):
        return f"{give}, or run `zhiyin data fetch {kind.name}:{table.source}`"
    return give


def _print_list(*, as_json: bool) -> None:
    """Every table, the replies that it needs, and whether they are here."""
    rows = []
    for kind in _installed():
        for table in kind.tables():
            files = files_of(table, _fetched(kind, table))
            rows.append((kind, table, len(files)))
    if as_json:
        keys = ("table", "benchmark", "summary", "replies", "source", "files_here")
        values = [(t.called(k.name), k.name, t.summary, t.replies, t.source, n) for k, t, n in rows]
        tables = [dict(zip(keys, each, strict=True)) for each in values]
        print_json({"tables": tables, "from_runs": {name: str(title) for name, title in _forms()}})
        return

    lines = [
        (table.called(kind.name), table.replies, f"{n} file{'s' * (n != 1)}" if n else None)
        for kind, table, n in rows
    ]
    console = open_console()
    heads = [Column(said("head", name=head)) for head in ("table", "made of", "here")]
    console.print_table(table_of("tables", heads, lines))
    lacking = list(dict.fromkeys(f"{k.name}:{t.source}" for k, t, n in rows if not n and t.source))
    if lacking:
        commands = [f"`zhiyin data fetch {each}`" for each in lacking]
        console.say(said("reproduce-lacking", commands=commands))
    console.say(said("reproduce-forms", names=[name for name, _ in _forms()]))


def _forms() -> Iterator[tuple[str, Text]]:
    """Every table and figure of a paper that runs can fill, and what it is."""
    from zhiyin.report.printed import printed_tables

    return ((f"{kind.name}:{form.name}", form.title) for kind, form in printed_tables())


def _print(made: Sequence[tuple[str, Reproduction]]) -> None:

    console = open_console()
    columns = [Column("figure"), Column("replies", "count")]
    columns += [Column(head, "number") for head in ("published", "by rule", "ours")]
    columns.append(Column(""))
    rows = [row for _, each in made for row in each.rows]
    for model in dict.fromkeys(row.model for row in rows):
        own = [row for row in rows if row.model == model]
        cells = [
            (
                row.what + (", %" if row.percent else ""), row.replies, _shown(row, row.published),
                _shown(row, row.rule), _shown(row, row.ours), _REPRODUCED[row.reproduced][0],
            )
            for row in own
        ]  # fmt: skip
        console.print_table(table_of("reproduced", columns, cells, model))
        for line in _reasons(own):
            console.say_indented(line)
    for note in dict.fromkeys(note for _, each in made for note in each.notes):
        console.say(note, 2, "note")
    console.say(closing_sentence(rows), 0)


def _reasons(rows: Sequence[ReproducedFigure]) -> Iterator[str]:
    """Explain each figure that differs from another one: why, how often, and by how much."""
    for row in rows:
        if not row.causes and not row.remarks and row.reproduced is not False:
            continue
        yield f"  {row.what}"
        for remark in row.remarks:
            yield f"    {remark}"
        if row.reproduced is False and not any(c.between == "published" for c in row.causes):
            yield "    published: no cause found: are these the replies that it is of?"
        for cause in row.causes:
            yield f"    {cause.between}: {cause.count:,} x {cause.what}{_effect(row, cause)}"


def _effect(row: ReproducedFigure, cause: Cause) -> str:
    if cause.effect is None:
        return ""
    scale = 100 if row.percent else 1
    return f" ({scale * cause.effect:+.{_decimals(row)}f})"


def _decimals(row: ReproducedFigure) -> int:
    """Count the digits after the point of the published figure."""
    return max(0, round(-math.log10(2 * row.within)) - (2 if row.percent else 0))


def _shown(row: ReproducedFigure, value: float | None) -> str | None:
    if value is None:
        return None
    return f"{(100 if row.percent else 1) * value:.{_decimals(row)}f}"


def _print_json(made: Sequence[tuple[str, Reproduction]]) -> None:

    rows = [
        {"table": name, **msgspec.to_builtins(row), "reproduced": row.reproduced}
        for name, each in made
        for row in each.rows
    ]
    notes = list(dict.fromkeys(note for _, each in made for note in each.notes))
    closing = closing_sentence([row for _, each in made for row in each.rows])
    print_json({"rows": rows, "notes": notes, "told": closing})


def _write_csv(place: str, made: Sequence[tuple[str, Reproduction]]) -> None:
    """A line for each row; its causes in one cell, parted by semicolons."""
    text = io.StringIO()
    out: Any = writer(text, lineterminator="\n")
    out.writerow(
        ["table", "model", "figure", "replies", "published", "by_rule", "ours", "reproduced", "why"]
    )
    for name, each in made:
        for row in each.rows:
            why = [*(f"{c.between}: {c.count} x {c.what}" for c in row.causes), *row.remarks]
            numbers = [row.published, row.rule, row.ours]
            same = _REPRODUCED[row.reproduced][1]
            out.writerow(
                csv_row([name, row.model, row.what, row.replies, *numbers, same, "; ".join(why)])
            )
    if place == "-":
        sys.stdout.write(text.getvalue())
        return
    with reworded(f"{place}: cannot be written (", "); correct --csv"):
        Path(place).write_text(text.getvalue(), "utf-8")


def files_of(
    table: ReproducibleTable, places: Iterable[Path], *, named: bool = False
) -> list[Path]:
    """The files of a table among some files and folders, sorted, each once.

    A hidden file and one that is still being written are none. `named`: a user named this table
    alone, so that a file among the places is of it, whatever it is called.
    """
    files: dict[Path, None] = {}
    for place in places:
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        for path in inside:
            mine = table.mine(path) or (named and path == place)
            if path.is_file() and not path.name.startswith(".") and mine:
                files[path] = None
    return list(files)


def closing_sentence(rows: Sequence[ReproducedFigure]) -> str:
    """The sentence at the end: how many published figures came out. It is true of these rows."""
    compared = [row for row in rows if row.published is not None]
    if not compared:
        return "No figure is published of these replies: nothing is compared."
    right = [row for row in compared if row.reproduced]
    if len(right) == len(compared):
        head = f"All {len(compared)}" if len(compared) > 1 else "The one"
        sentence = f"{head} published figure{'s' * (len(compared) > 1)} came out"
    else:
        lost = [row for row in compared if not row.reproduced]
        named = "; ".join(f"{row.model}, {row.what}" for row in lost[:_LOST_NAMED])
        more = f" and {len(lost) - _LOST_NAMED} more" if len(lost) > _LOST_NAMED else ""
        sentence = f"{len(right)} of {len(compared)} published figures came out, not {named}{more}"
    rest = len(rows) - len(compared)
    without = f"; of {rest} further row{'s' * (rest > 1)} nothing is published" if rest else ""
    return f"{sentence}{without}."
