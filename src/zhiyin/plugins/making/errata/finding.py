"""Finding errata in a benchmark, and the file that holds them.

The file is JSON lines: first what it is about, then an erratum a line.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin import __version__
from zhiyin.contract.benchmark import read_trials
from zhiyin.contract.registry import blaming, find
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import json_lines, write_atomically
from zhiyin.plugins.making.errata.items import AskedItem, items_of
from zhiyin.plugins.making.errata.rules import EXAMPLE, Erratum, all_rules
from zhiyin.text import quoted
from zhiyin.words import Said, Text, said, say

if TYPE_CHECKING:
    pass

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
            raise InputError(f"--rules {rule}: {did_you_mean(rule, known)}")
    kind = find(name)
    options = {**options, "data": options.get("data") or kind.fetched(options)}
    with blaming(kind):
        benchmark, trials, unheard = read_trials(kind, options)
        items = items_of(trials)
    notes = [said("errata-unheard")] if unheard else []
    if not items:
        raise InputError(
            f"{name}: no plain trials with a key to look at; see "
            f"`zhiyin errata {quoted(name)} --help`"
        )
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
    from zhiyin.plugins.making.errata.page import errata_page
    from zhiyin.shown.pages import PAGE, write_pages

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
        raise InputError(f"{path}: cannot be read ({error.strerror}); correct --errata") from None
    except (ValueError, msgspec.MsgspecError) as error:
        raise InputError(
            f"{path}: no file of errata ({error}); make one with `zhiyin errata`"
        ) from None
    if head.format != FORMAT:
        raise InputError(f"{path}: format {head.format!r}, and {FORMAT} is known; make it again")
    return Errata(head, lines)
