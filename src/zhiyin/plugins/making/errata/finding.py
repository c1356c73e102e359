"""Finding errata in a benchmark, and the file that holds them.

The file is JSON lines: first what it is about, then an erratum a line.

Errata as a page that opens from disk: each with its rule and its witness.

Figures of runs on all items, and without the flawed ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin import __version__
from zhiyin.analysis.run import kind_of_run
from zhiyin.contract.declared import Cell, Section, named_flaw
from zhiyin.contract.registry import blaming, find, known, with_data
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean, system_words
from zhiyin.files import Place, json_lines, write_atomically
from zhiyin.plugins.making.errata import AskedItem, items_of, read_trials
from zhiyin.plugins.making.errata.rules import EXAMPLE, Erratum, all_rules
from zhiyin.record import Record
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import Estimate, Measure
from zhiyin.runs.rows import Rows, read_table
from zhiyin.shown.pages import PAGE, Others, in_page, render, write_pages
from zhiyin.shown.table import Kind
from zhiyin.text import quoted
from zhiyin.trial import right_keys
from zhiyin.words import Said, Text, said, say

FORMAT = "zhiyin-errata/1"
FILE = "errata.jsonl"


class UsedRule(msgspec.Struct, frozen=True):
    """A rule as the file states it: its version, its class, and what it proves, in English."""

    version: int
    class_: str = msgspec.field(name="class")
    says: str = ""


class ErrataHead(msgspec.Struct, frozen=True):
    """The first line of a file of errata.

    Attributes
    ----------
    format : str
    benchmark, benchmark_version, zhiyin : str
    items : int
        How many items the rules were tried on.
    sha256 : str
        Over questions, options and keys of all of them: which version of the data this is about.
    rules : dict of str to UsedRule
        All that were tried, whether they found anything or not.
    """

    format: str
    benchmark: str
    benchmark_version: str
    zhiyin: str
    items: int
    sha256: str
    rules: dict[str, UsedRule]


class ErratumLine(msgspec.Struct, frozen=True):
    """One erratum as the file holds it; `says` is in English."""

    item: str
    rule: str
    says: str
    witness: dict[str, Any]


class Errata(msgspec.Struct, frozen=True):
    """Errata of a benchmark, found or read.

    Attributes
    ----------
    head : ErrataHead
    lines : list of ErratumLine
    notes : list of Said
    texts : list of Text
        What each line says, in any language; empty of errata that were read.
    """

    head: ErrataHead
    lines: list[ErratumLine]
    notes: list[Said] = []
    texts: list[Text] = []

    @property
    def counts(self) -> Counter[str]:
        """Number of items that each rule found flawed, in the order of the rules."""
        found = Counter(line.rule for line in self.lines)
        return Counter({rule: found[rule] for rule in self.head.rules if found[rule]})

    def flawed(self, rules: Collection[str] = ()) -> dict[str, list[ErratumLine]]:
        """The items found flawed, by some rules or all that prove something.

        A worked example is none of them.
        """
        proved = {rule for rule, used in self.head.rules.items() if used.class_ != "suspect"}
        by_item: dict[str, list[ErratumLine]] = {}
        for line in self.lines:
            if line.rule in (rules or proved) and not line.item.startswith(EXAMPLE):
                by_item.setdefault(line.item, []).append(line)
        return by_item


def find_errata(name: str, options: Mapping[str, Any], rules: Sequence[str] = ()) -> Errata:
    """Try rules on all items of a benchmark.

    Parameters
    ----------
    name : str
    options : mapping
        As flags of ``zhiyin run NAME`` give them. Where its recordings are not here, it is opened
        without sound, which is noted: then nothing is heard.
    rules : sequence of str, optional
        By default all.

    Raises
    ------
    InputError
        Unknown rules, no data, or no plain trials that could be looked at.
    """
    known = all_rules()
    for rule in rules:
        if rule not in known:
            raise InputError(said("errata-which", rule=rule, hint=did_you_mean(rule, known)))
    kind = find(name)
    with blaming(kind), with_data(kind, options) as options:
        benchmark, trials, unheard = read_trials(kind, options)
        items = items_of(trials)
    notes = [said("errata-unheard")] if unheard else []
    if not items:
        raise InputError(said("errata-no-trials", name=name, nameb=quoted(name)))
    chosen = {each: known[each] for each in rules or known}
    found = [one for rule in chosen.values() for one in rule.find(items)]
    used = {
        each: UsedRule(rule.version, rule.class_, say(rule.says)) for each, rule in chosen.items()
    }
    head = ErrataHead(
        FORMAT, benchmark.name, kind.version, __version__, len(items), digest(items), used
    )
    return Errata(head, [_line(one) for one in found], notes, [one.detail for one in found])


def _line(one: Erratum) -> ErratumLine:
    return ErratumLine(one.id, one.kind, str(one.detail), one.witness)


def digest(items: Sequence[AskedItem]) -> str:
    """SHA-256 over what items ask, offer and key; not over how they are put."""
    total = hashlib.sha256()
    for item in sorted(items, key=lambda item: item.id):
        asked = (item.id, item.stem, sorted(item.options), item.keyed)
        total.update(msgspec.json.encode(asked))
    return total.hexdigest()


def write_errata(errata: Errata, folder: Path, languages: Sequence[str] = ("en",)) -> list[Path]:
    """Write ``errata.jsonl`` and its page, in some languages, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [errata.head, *errata.lines]
    text = json_lines(lines)
    write_atomically(folder / FILE, text)
    pages = write_pages(folder / PAGE, languages, partial(errata_page, errata))
    return [folder / FILE, *pages]


def read_errata(path: Path) -> Errata:
    """The errata of a file, or of the folder that one lies in.

    Raises
    ------
    InputError
        It cannot be read, or is no file of errata.
    """
    path = path / FILE if path.is_dir() else path
    try:
        first, *rest = path.read_bytes().splitlines()
        head = msgspec.json.decode(first, type=ErrataHead)
        lines = [msgspec.json.decode(line, type=ErratumLine) for line in rest if line.strip()]
    except OSError as error:
        raise InputError(said("errata-unread", path=path, strerror=system_words(error))) from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise InputError(said("errata-file", path=path, why=str(error))) from None
    if head.format != FORMAT:
        raise InputError(said("errata-format", path=path, format=repr(head.format), formatb=FORMAT))
    return Errata(head, lines)


_SHOWN = {"question", "options", "key"}


def errata_page(errata: Errata, language: str = "en", others: Others = ()) -> str:
    """The page of a file of errata."""
    rules = all_rules()
    sections: list[tuple[str, Text, list[tuple[ErratumLine, Text, list[str]]]]] = []
    texts = errata.texts or [line.says for line in errata.lines]
    for name, n in errata.counts.items():
        says: Text = rules[name].says if name in rules else errata.head.rules[name].says
        lines = [
            (line, text, _proof(line.witness))
            for line, text in zip(errata.lines, texts, strict=True)
            if line.rule == name
        ]
        assert len(lines) == n
        sections.append((name, says, lines))
    flawed = errata.flawed()
    doubted = {line.item for line in errata.lines} - flawed.keys()
    facts = {"head": errata.head, "sections": sections, "version": __version__}
    counts = {"flawed": len(flawed), "doubted": len(doubted)}
    return render(
        "zhiyin.plugins.making.errata/errata.html",
        language,
        look=in_page(),
        others=others,
        **facts,
        **counts,
    )


def _proof(witness: dict[str, Any]) -> list[str]:
    """List what a witness holds beside question, options and key, a line each."""
    return [f"{name}: {_told(value)}" for name, value in witness.items() if name not in _SHOWN]


def _told(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_told(each)}" for name, each in value.items())
    if isinstance(value, list):
        return " / ".join(map(_told, value))
    return str(value)


class WithoutErrata(msgspec.Struct, frozen=True):
    """A run's headline figure on all its items, and without the flawed ones.

    Attributes
    ----------
    run : str
    group, figure : str
        Which: "all" or another group, and "accuracy", "f1", "score:NAME" of it.
    all, without : Estimate
    left_out : dict of str to int
        Items of this run left out, by rule; an item found by two rules counts under both.
    baseline : bool
        Whether it is a run of a rule that sees and hears nothing: it has no place among models.
    other_version : int
        Errata of items whose question or key is another in this run: these items stay.
    """

    run: str
    group: str
    figure: str
    all: Estimate
    without: Estimate
    left_out: dict[str, int]
    other_version: int
    baseline: bool = False

    @property
    def change(self) -> float:
        """Change of the figure, as a share."""
        return (self.without.value or 0.0) - (self.all.value or 0.0)


class _Flawed(NamedTuple):
    items: set[str]
    lines: list[ErratumLine]
    other_version: int


def without_errata(
    folder: Place, errata: Errata, rules: Collection[str] = ()
) -> list[WithoutErrata]:
    """A run's headline figure with and without the items that errata name, and that of the whole.

    Raises
    ------
    InputError
        The run is of another benchmark, or no item would be left.
    """
    manifest = read_manifest(folder)
    if manifest.benchmark != errata.head.benchmark:
        raise InputError(said(
            "errata-run-other", folder=folder, benchmark=manifest.benchmark,
            benchmarkb=errata.head.benchmark,
        ))  # fmt: skip
    headline = known(manifest).measures[0]
    table = read_table(folder)
    every = Rows(table, table.rows)
    groups = dict.fromkeys((headline.group, ALL))
    blind = kind_of_run(manifest) == "baseline"
    found = (_of_group(folder, every, group, headline, errata.flawed(rules)) for group in groups)
    return [msgspec.structs.replace(one, baseline=blind) for one in found]


def _of_group(
    folder: Place, every: Rows, group: str, measure: Measure, listed: dict[str, list[ErratumLine]]
) -> WithoutErrata:
    rows = every.within(group).judged
    if not len(rows):
        raise InputError(said("errata-unjudged", folder=folder, group=group))
    table = rows.table
    names = table.names
    own = [names[number].item for number in rows.numbers.tolist()]
    suspects = rows.where([item in listed for item in own])
    flawed = _checked(suspects, listed)
    kept = rows.where([item not in flawed.items for item in own])
    if not len(kept):
        raise InputError(said("errata-none-left", folder=folder))
    left_out: dict[str, set[str]] = {}
    for line in flawed.lines:
        left_out.setdefault(line.rule, set()).add(line.item)
    return WithoutErrata(
        run=str(folder),
        group=group,
        figure=measure.name,
        all=_shown(rows, measure),
        without=_shown(kept, measure),
        left_out={rule: len(items) for rule, items in left_out.items()},
        other_version=flawed.other_version,
    )


def _checked(suspects: Rows, listed: dict[str, list[ErratumLine]]) -> _Flawed:
    """The items whose question and key are those that the errata are about."""
    names = suspects.table.names
    items: set[str] = set()
    others: set[str] = set()
    for number, record in zip(suspects.numbers.tolist(), suspects.records(), strict=True):
        item = names[number].item
        (items if _same(record, listed[item][0]) else others).add(item)
    others -= items
    lines = [line for item, own in listed.items() if item in items for line in own]
    return _Flawed(items, lines, sum(len(listed[item]) for item in others))


def _same(record: Record, line: ErratumLine) -> bool:
    trial = record.trial
    keyed = [option.text for option in trial.options if option.key in right_keys(trial)]
    keyed = keyed or [trial.target or ""]
    stem = trial.stem or (trial.messages[-1].text if trial.messages else "")
    return line.witness.get("question") == stem and line.witness.get("key") in keyed


def _shown(rows: Rows, measure: Measure) -> Estimate:
    own = estimate(rows, measure)
    if own.ends is None:
        raise InputError(said("errata-measure", name=measure.name))
    return own


def errata_sections(found: Sequence[WithoutErrata], names: Sequence[str]) -> list[Section]:
    """A table for each group, with a row for each run.

    Where there are several, each has its place among them before and after; baselines have none.
    """
    groups = dict.fromkeys(one.group for one in found)
    pairs = [*zip(found, names, strict=True)]
    return [_section([pair for pair in pairs if pair[0].group == group]) for group in groups]


def _section(pairs: Sequence[tuple[WithoutErrata, str]]) -> Section:
    found = [one for one, _ in pairs]
    heads: list[Text] = [
        said("errata-run"), said("errata-n"), said("errata-all"), said("errata-n-without"),
        said("errata-without"), said("errata-change"),
    ]  # fmt: skip
    kinds: list[Kind] = ["text", "count", "share", "count", "share", "points"]
    rows: list[list[Cell]] = [
        [
            name, one.all.items, one.all.ends, one.without.items, one.without.ends, one.change,
        ]
        for one, name in pairs
    ]  # fmt: skip
    ranked = [one for one in found if not one.baseline]
    if len(ranked) > 1:
        heads, kinds = [*heads, said("errata-place")], [*kinds, "text"]
        for row, one in zip(rows, found, strict=True):
            first = _place(one.all, [other.all for other in ranked])
            then = _place(one.without, [other.without for other in ranked])
            row.append(None if one.baseline else f"{first} → {then}")
    figure = found[0].figure
    named = said("score-name", name=figure, plain=figure)
    title = said("errata-table", group=found[0].group, figure=named)
    return Section(title, heads, rows, _notes(found), kinds=kinds)


def errata_words(one: WithoutErrata, who: str = "") -> Said | None:
    """A run's figure without its flawed items, in a line; None where it has none."""
    if one.all.items == one.without.items:
        return None
    return said(
        "errata-change-of",
        who=who or None,
        n=one.all.items - one.without.items,
        without=one.without.value,
        all=one.all.value,
    )


def _place(own: Estimate, others: Sequence[Estimate]) -> int:
    sign = -1 if own.measure.lower_is_better else 1
    return 1 + sum(sign * ((other.value or 0.0) - (own.value or 0.0)) > 0 for other in others)


def _notes(found: Sequence[WithoutErrata]) -> list[Said]:
    rules: dict[str, int] = {}
    for one in found:
        for rule, n in one.left_out.items():
            rules[rule] = max(n, rules.get(rule, 0))
    counts = [said("cli-count-of", n=n, kind=named_flaw(rule)) for rule, n in rules.items()]
    notes = [said("errata-left-out", rules=counts)]
    if others := max(one.other_version for one in found):
        notes.append(said("errata-other-version", n=others))
    return notes
