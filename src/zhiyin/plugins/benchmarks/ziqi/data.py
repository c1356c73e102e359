"""Reads ZIQI-Eval's CSV files: which there are, what each holds, and what its parts are called.

The mean of the F1 of subthemes (Li et al. 2024, section 5.3: "the average F1").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from zhiyin.contract.question_table import Fault
from zhiyin.contract.tables import read_rows, refuse
from zhiyin.errors import InputError, nearest
from zhiyin.plugins.music.clips import refuse_twins
from zhiyin.runs.estimates import Frame
from zhiyin.runs.measures import Measure, Sums, half_answered, right
from zhiyin.runs.rows import Rows
from zhiyin.statistics.intervals import Floats
from zhiyin.words import Said, said, say

Kind = Literal["comprehension", "generation"]
KINDS: tuple[Kind, ...] = ("comprehension", "generation")

WORLD, EUROPEAN, ELSEWHERE = "world_ethnic_music", "欧洲音乐", "outside_europe"
"""The two sides of region bias (paper, section 5.3): European music, and all the rest."""


class ZiqiCategory(msgspec.Struct, frozen=True):
    """One file of the benchmark.

    `subcategories` maps the Chinese name in the column ``subtheme`` to the English one. A
    subtheme that is not there goes by its own text in both languages.
    """

    stem: str
    kind: Kind
    en: str
    zh: str
    subcategories: dict[str, str] = {}

    def groups(self, subtheme: str) -> tuple[str, ...]:
        """The names under which a question is counted, from the widest to the narrowest."""
        name = self.subcategories.get(subtheme, subtheme)
        groups: tuple[str, ...] = (self.kind, self.stem, f"{self.stem}/{slug(name)}")
        if self.stem == WORLD and subtheme != EUROPEAN:
            groups += (f"{self.stem}/{ELSEWHERE}",)
        return groups


def slug(name: str) -> str:
    """`name` in lower case with an underscore for whatever is neither letter nor digit."""
    return re.sub(r"\W+", "_", name.lower()).strip("_") or name


@cache
def published_categories() -> dict[str, ZiqiCategory]:
    """The eleven published files by stem: ten of comprehension, then generation."""
    text = (Path(__file__).parent / "categories.json").read_bytes()
    return {c.stem: c for c in msgspec.json.decode(text, type=list[ZiqiCategory])}


def group_titles() -> dict[str, Said]:
    """Titles of the groups of the published files, in either language."""
    titles: dict[str, Said] = {kind: said("ziqi-kind", kind=kind) for kind in KINDS}
    titles[f"{WORLD}/{ELSEWHERE}"] = said("ziqi-group", en="Outside Europe", zh="欧洲以外")
    for category in published_categories().values():
        titles[category.stem] = said("ziqi-group", en=category.en, zh=category.zh)
        for zh, en in category.subcategories.items():
            titles[category.groups(zh)[2]] = said("ziqi-group", en=en[:1].upper() + en[1:], zh=zh)
    return titles


def category_of(stem: str) -> ZiqiCategory:
    """The category of the file called `stem`; one that is not published goes by its stem."""
    known = published_categories().get(stem)
    return known or ZiqiCategory(stem, "comprehension", stem.replace("_", " ").capitalize(), stem)


LETTERS = "ABCD"
COLUMNS = ("id", "question", *LETTERS, "answer", "subtheme")
RELEASED = "ziqi-released"
"""The protocol of the published code, and our pack of prompts for it."""
HOME = "https://huggingface.co/datasets/MYTH-Lab/ZIQI-Eval"


class ZiqiItem(msgspec.Struct, frozen=True, gc=False):
    """One question as published.

    Attributes
    ----------
    id : str
        Unique within its file.
    question : str
        With any white space around it.
    options : tuple of str
        The texts under A, B, C and D, with any white space around them.
    answer : str
        "A", "B", "C" or "D".
    subtheme : str
        The Chinese name of the subcategory.
    line : int
        The line of the file on which the question begins, from 1.
    """

    id: str
    question: str
    options: tuple[str, str, str, str]
    answer: str
    subtheme: str
    line: int

    @property
    def keyed(self) -> str:
        """The text of the right option, without the white space around it."""
        return self.options[LETTERS.index(self.answer)].strip()


class ZiqiSheet(msgspec.Struct, frozen=True):
    """One CSV file: where it lies, the SHA-256 of its bytes, and its questions in order."""

    path: Path
    sha256: str
    items: list[ZiqiItem]

    @property
    def name(self) -> str:
        """Folder and file, such as ``test/female_music.csv``."""
        return f"{self.path.parent.name}/{self.path.name}"


def read_sheet(path: Path, on_fault: Callable[[Fault], None] = refuse) -> ZiqiSheet:
    """The questions in the CSV file at `path`.

    Parameters
    ----------
    path : Path
        UTF-8, with or without a byte order mark; the columns of `COLUMNS` in any order.
    on_fault : callable
        Called for each row that cannot be asked (blank field, answer outside the options,
        id used twice, wrong number of fields), which is then left out. `refuse` raises.

    Raises
    ------
    InputError
        The file cannot be read, is not UTF-8, lacks a column or holds no question.
    """
    sha256, rows = read_rows(path)
    items: list[ZiqiItem] = []
    lines: dict[str, int] = {}
    header = next(rows, (1, []))[1]
    columns = _columns(path, header)
    for line, row in rows:
        if len(row) > len(header):
            problem = f"{len(row)} fields under {len(header)} columns"
            on_fault(Fault("long-row", path, line, "", problem, "quote the field with the comma"))
            continue
        item = _item(path, line, row, columns, on_fault)
        if item is None:
            continue
        if item.id in lines:
            problem = f"its id is already used on line {lines[item.id]}"
            on_fault(Fault("repeated-id", path, line, item.id, problem, "give it one of its own"))
            continue
        lines[item.id] = line
        items.append(item)
    if not lines:
        raise InputError(said("ziqi-no-question", path=path))
    return ZiqiSheet(path, sha256, items)


def _columns(path: Path, header: Sequence[str]) -> list[int]:
    """Find the place of each of `COLUMNS` in `header`."""
    names = [name.strip() for name in header]
    missing = [column for column in COLUMNS if column not in names]
    if not names:
        raise InputError(said("ziqi-empty", path=path, columns=",".join(COLUMNS)))
    if missing:
        raise InputError(
            said("ziqi-no-column", path=path, missing=missing, columns=",".join(COLUMNS))
        )
    refuse_twins(path, names, COLUMNS)
    return [names.index(column) for column in COLUMNS]


def _item(
    path: Path,
    line: int,
    row: Sequence[str],
    columns: Sequence[int],
    on_fault: Callable[[Fault], None],
) -> ZiqiItem | None:
    """The question in `row`, or None after `on_fault` got the reason why there is none."""
    if len(row) <= max(columns):
        problem = said("ziqi-short", n=str(len(row)))
        on_fault(Fault("short-row", path, line, "", problem, said("ziqi-fill-row")))
        return None
    fields = [row[place] for place in columns]
    name, question, a, b, c, d, answer, subtheme = fields
    name, answer, subtheme = name.strip(), answer.strip(), subtheme.strip()
    blank = [k for k, field in zip(COLUMNS, fields, strict=True) if not field or field.isspace()]
    if blank:
        problem = said("ziqi-blank", columns=blank)
        on_fault(Fault("blank-field", path, line, name, problem, said("ziqi-fill-in")))
        return None
    if len(answer) != 1 or answer not in LETTERS:
        problem = said("ziqi-answer", answer=repr(answer), letters=[*LETTERS])
        on_fault(Fault("bad-answer", path, line, name, problem, said("ziqi-name-one")))
        return None
    return ZiqiItem(name, question, (a, b, c, d), answer, subtheme, line)


def find_stems(data: str | None) -> list[str]:
    """The stems of ``DATA/test/*.csv``: those published in their order, then any others.

    Raises
    ------
    InputError
        No folder was named, there is none, or there is no CSV file in its ``test``.
    """
    if data is None:
        raise InputError(said("log-ziqi-no-data", home=HOME))
    folder = Path(data)
    if not folder.is_dir():
        raise InputError(said("ziqi-no-folder", path=data))
    stems = {path.stem for path in (folder / "test").glob("*.csv")}
    if not stems:
        raise InputError(said("ziqi-no-csv", path=data, home=HOME))
    known = [stem for stem in published_categories() if stem in stems]
    return known + sorted(stems.difference(known))


def choose_stems(
    present: Sequence[str], wanted: Sequence[str], partial: bool, data: str
) -> tuple[list[str], list[str]]:
    """Choose the files to read, and list the published ones that are missing.

    Parameters
    ----------
    present : sequence of str
        The stems that are there, in order.
    wanted : sequence of str
        Stems, "comprehension" or "generation"; nothing for all.
    partial : bool
        Whether the published set may be incomplete.
    data : str
        The folder, for messages.

    Raises
    ------
    InputError
        An unknown word is wanted; published files are missing and `partial` is False; nothing
        is left to read. A folder without any published file is somebody's own set: complete.
    """
    published = published_categories()
    known = list(published) if any(stem in published for stem in present) else []
    every = list(dict.fromkeys([*present, *published, *KINDS]))
    for word in wanted:
        if word not in every:
            titles = group_titles()
            known_ = {s: said("ziqi-known", stem=s, title=titles.get(s)) for s in sorted(every)}
            called = {say(titles[stem], "zh"): stem for stem in every if stem in titles}
            near = [known_[called.get(name, name)] for name in nearest(word, [*known_, *called])]
            hint = said("error-did-you-mean", close=near or None, known=[*known_.values()])
            raise InputError(said("ziqi-category", name=repr(word), hint=hint))
    asked = [
        stem
        for stem in dict.fromkeys([*known, *present, *(w for w in wanted if w not in KINDS)])
        if not wanted or stem in wanted or category_of(stem).kind in wanted
    ]
    missing = [stem for stem in asked if stem not in present]
    if missing and not partial:
        files = [f"test/{stem}.csv" for stem in missing]
        raise InputError(said("ziqi-missing", path=data, files=files))
    chosen = [stem for stem in asked if stem in present]
    if not chosen:
        raise InputError(said("ziqi-nothing-of", data=data, wanted=wanted, present=present))
    return chosen, missing


def subtheme(groups: tuple[str, ...]) -> str:
    """The narrowest of a trial's groups that is a subtheme."""
    return next((g for g in groups if "/" in g and not g.endswith(f"/{ELSEWHERE}")), groups[-1])


def _by_subtheme(rows: Rows) -> Sums:
    """Two columns for each subtheme: right answers, and the denominator of F1."""
    frame = Frame(rows)
    names = sorted({subtheme(kind.groups) for _, kind in frame.kinds if kind.groups}) or [""]
    columns = tuple(_within(name, of) for name in names for of in (right, half_answered))
    return frame.sums(Measure("", of=columns), np.arange(len(frame)))


def _within(name: str, of: Callable[[Rows], Floats]) -> Callable[[Rows], Floats]:
    """A column that is 0 outside a subtheme."""

    def column(rows: Rows) -> Floats:
        mine = np.array([bool(k.groups) and subtheme(k.groups) == name for k in rows.table.kinds])
        return np.where(mine[rows.table.kind[rows.numbers]], of(rows), 0.0)

    return column


def _mean(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = sums[..., 0::2] / sums[..., 1::2]
    there = ~np.isnan(f1)
    return np.asarray(np.where(there, f1, 0.0).sum(axis=-1) / there.sum(axis=-1))


MEAN_F1 = Measure("mean_f1", of=_by_subtheme, value=_mean, method="bootstrap")
