"""Runs against each other and as pages: `zhiyin compare`, `report` and `table`."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import languages_of, note, open_console, print_json_each
from zhiyin.errors import InputError
from zhiyin.numerals import size
from zhiyin.words import Said, Text, said, say, spoken
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.analysis.comparison import Comparison
    from zhiyin.report.paper_table import PaperFormat
    from zhiyin.shown.table import Table

_TOLD_EVERY_S, _MOMENT_S = 10, 1


def report(
    runs: tuple[Path, ...],
    *,
    out: Path = Path("report"),
    benchmark_file: str | None = None,
    audio: bool = True,
    small_audio: bool | None = None,
    figures: bool | None = None,
    notation: bool = True,
    lang: str = "",
) -> int:
    """Write runs as a report that opens from disk: findings, charts, every trial with its sound.

    Parameters
    ----------
    out : -o DIR|FILE.html
        a folder, or one file that holds everything
    audio
        leave recordings and pictures out
    small_audio
        recordings as compressed copies (MP3), or bit for bit; without it compressed where they are
        more than 60 MB, and always in one file
    figures
        figures and tables for a paper, as without it
    notation
        engrave no tunes (about a tenth of a second each, once: engravings are kept)
    lang : en|zh|en,zh
        the page's language, or a page in each, linked; without it that of the terminal
    """
    return write_report(
        runs, {}, out=out, benchmark_file=benchmark_file, audio=audio, small_audio=small_audio,
        figures=figures, notation=notation, lang=lang,
    )  # fmt: skip


def write_report(
    runs: Sequence[Path], given: Mapping[str, Any], *, out: Path, benchmark_file: str | None,
    audio: bool, small_audio: bool | None, figures: bool | None, notation: bool, lang: str,
) -> int:  # fmt: skip
    """Write a report as its flags say; `given` is what plug-ins take, see `RunPart`."""
    from zhiyin.report.writing import report as write

    languages = languages_of(lang)
    read_by(benchmark_file, runs)
    written = write(
        *runs, out=out, sound=audio, small_sound=small_audio, figures=figures is not False,
        notation=notation, given=given, languages=languages, progress=Course("tunes"),
    )  # fmt: skip
    for remark in written.notes:
        note(remark if isinstance(remark, Said) else reason(remark), said("cli-note"))
    facts = {"trials": written.trials, "sounds": written.sounds, "tunes": written.engraved}
    note(said("cli-wrote-page", page=written.page, size=size(written.bytes), **facts))
    return 0


class Course:
    """Says how far work is that takes a while: a line that changes, in a log one every ten seconds.

    Parameters
    ----------
    what : {"tunes", "plan", "runs"}
        What is counted.
    """

    def __init__(self, what: str) -> None:
        self._what, self._changes = what, sys.stderr.isatty()
        self._next = time.monotonic() + (_MOMENT_S if self._changes else _TOLD_EVERY_S)

    def __call__(self, done: int, of: int) -> None:
        """Show that so many of so many are done."""
        if time.monotonic() < self._next:
            return
        course = said("cli-course", what=self._what, done=done, of=of)
        line = say(course, spoken()) if done < of else ""
        if self._changes:
            sys.stderr.write(f"\r\x1b[K{line}")
        elif line:
            self._next = time.monotonic() + _TOLD_EVERY_S
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def table(
    places: tuple[Path, ...],
    *,
    to: Literal["latex", "md", "csv", "html"] | None = None,
    out: Path | None = None,
    columns: Literal["auto", "benchmarks", "groups"] = "auto",
    spread: Literal["interval", "se", "none"] | None = None,
    as_: str | None = None,
    published: tuple[str, ...] = (),
    add: tuple[str, ...] = (),
    brief: bool = False,
    lang: Literal["en", "zh"] | None = None,
) -> int:
    """Print the table of a paper: models as rows, benchmarks or main groups as columns.

    Parameters
    ----------
    to
        latex (for the package booktabs), md, csv (full precision) or html; without it as the
        terminal shows it
    out : -o FILE
        write it there; its suffix (tex, md, csv, html) says how
    columns
        benchmarks where there are several, else the main groups of the one; by default of more
        than six columns the headlines alone
    spread
        what stands beside a figure: interval (95 %, as without it), se (standard error), or none
        (as without it with --as)
    as_ : BENCHMARK:TABLE
        the table of a published paper in its own form, beside what it printed; `zhiyin
        reproduce` lists them
    published : WHO
        add published rows with their source: all, people, models, or names and patterns such as
        'GPT-4,Qwen*'
    add : NAME
        add a column of another package's; several
    brief
        leave out all notes but on what figures and bold are, what was asked, and how
    lang : --language
        of the table
    """
    from zhiyin.report.paper_table import paper_table
    from zhiyin.report.printed import printed_table
    from zhiyin.report.run_set import runs_in

    stray = [str(run) for run in places if published and not run.exists()]
    if stray and len(stray) < len(places):
        every = ",".join([*published, *stray])
        raise InputError(said("error-published-several", runs=stray, all=every))
    found = runs_in(places)
    if as_:
        if published or add or brief or columns != "auto":
            raise InputError(said("printed-alone"))
        made = printed_table([*found.runs], as_, spread or "none")
    else:
        made = paper_table(
            [*found.runs], across=columns, spread=spread or "interval", published=published,
            names={run: name for run, name in found.runs.items() if name},
            beside=found.beside if published else (),
            added=add, brief=brief, progress=Course("runs"),
        )  # fmt: skip
    put_table(made, to, out, lang)
    if found.empty:
        note(said("table-left-empty", folders=list(map(str, found.empty))), said("cli-note"))
    return 0


def put_table(made: Table, to: PaperFormat | None, out: Path | None, language: str | None) -> None:
    """Print a table, or write it; without `to` by the suffix of the file."""
    from zhiyin.files import write_atomically
    from zhiyin.report.paper_table import SUFFIXES, render_table

    if out is not None:
        form = to or SUFFIXES.get(out.suffix.removeprefix("."))
        if form is None:
            raise InputError(said("error-table-out", out=out))
        write_atomically(out, render_table(made, form, language or "en").encode())
        note(said("cli-wrote", path=out))
        if language is None and spoken() != "en":
            note(said("table-english"))
    elif to:
        sys.stdout.write(render_table(made, to, language or "en"))
    else:
        console = open_console(markup=False)
        console.language = language or console.language
        console.print_table(made)


def compare(
    runs: tuple[Path, ...],
    *,
    family: tuple[str, ...] = (),
    score: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    groups: Literal["top", "all"] = "top",
    all_: bool = False,
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Compare runs item by item: differences with intervals and tests, and a ranking.

    Parameters
    ----------
    family : GROUP[,GROUP]
        groups whose tests were declared beforehand, such as 'theory/*' (Holm's correction over
        them; may be repeated). Other groups are exploratory
    score : NAME
        a named score in place of accuracy
    alpha : P
        level of significance
    seed
        of the sign-flip test
    groups
        top: in short; all: every group of every pair, and the legend
    all_
        the same as --groups all
    """
    from zhiyin.analysis.compare import by_benchmark, compare_all

    read_by(benchmark_file, runs)
    several = by_benchmark(runs)
    if alone := {*runs} - {run for alike in several for run in alike}:
        note(said("compare-alone", runs=[*map(str, sorted(alone))]), said("cli-note"))
    comparisons = [
        comparison
        for alike in several
        for comparison in compare_all(
            alike, measure=score, families=family, alpha=alpha, seed=seed, both=json
        )
    ]
    if json:
        print_json_each(comparisons, "judges")
    else:
        for number, one in enumerate(comparisons):
            if number:
                open_console().print()
            whole = all_ or groups == "all"
            print_comparison(one.better_first(), whole=whole, declared=family)
    return 0


_WARNINGS = 4


def print_comparison(comparison: Comparison, *, whole: bool, declared: Sequence[str] = ()) -> None:
    """Print differences and a ranking; not `whole`: in short, where `declared` whole tables."""
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.say(comparison.title, 0)
        for setting, values in comparison.settings.items():
            if setting == "model_data":  # what a model is made of is no setting of what was asked
                continue
            told = {name: setting_value(setting, value) for name, value in values.items()}
            each = [said("of-run", who=name, what=value) for name, value in told.items()]
            console.say(said("cli-differs", setting=setting, each=each))
        stops = sum(one.severity == "stop" for one in comparison.warnings)
        console.say_all(
            comparison.warnings, 2, said("cli-warning"), "yellow",
            None if whole else max(stops, _WARNINGS), more,
        )  # fmt: skip
        for table in comparison.tables(whole=whole):
            if not table.title:
                console.print()
            console.print_table(table, "" if declared else more)
        if whole:
            console.print()
        console.say_all(comparison.sentences(), 0)
        console.say(comparison.key(whole=whole), 0)
        if not whole:
            console.say_command(said("cli-every-group"), more, 0, style="")


def setting_value(name: str, value: Any) -> Text:
    """The value of a setting in short; of a part that has no bound, that it is all."""
    if value is None:
        return said("cli-unset", name=name)
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
