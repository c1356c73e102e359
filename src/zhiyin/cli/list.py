"""`zhiyin list`: what there is."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from rich.cells import cell_len, set_cell_size

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.shown.table import Column, Row, Table
from zhiyin.words import Text, said, say

if TYPE_CHECKING:
    from zhiyin.shown.terminal import Terminal


class ListedThing(msgspec.Struct, omit_defaults=True, rename={"source": "from"}):
    """A benchmark, protocol, model, policy or judge; `source` is the package that brings it."""

    name: str
    summary: Text
    paper: str | None = None
    licence: str | None = None
    version: int | str | None = None
    commands: str | None = None
    source: str | None = None

    def further(self) -> Iterator[tuple[str, object]]:
        """Yield its other facts, by their keys."""
        for key, value in msgspec.to_builtins(self.in_english()).items():
            if key not in ("name", "summary"):
                yield key, value

    def in_english(self) -> ListedThing:
        """The same with its summary in English, as JSON has it."""
        return msgspec.structs.replace(self, summary=str(self.summary))


def list_(benchmarks: tuple[str, ...] = (), *, all_: bool = False, json: bool = False) -> int:
    """List benchmarks, protocols, models and extraction policies.

    Parameters
    ----------
    benchmarks : NAME
        these benchmarks (or FILE.py:CLASS) alone, or one kind: models
    all_
        papers, licences, and every summary whole
    """
    kinds = {*benchmarks} & _KINDS == {*benchmarks}
    listed, faults = _everything() if kinds else _these(benchmarks)
    if benchmarks and kinds:
        listed, faults = {kind: listed.get(kind, []) for kind in benchmarks}, []
    if json:
        plain = {kind: [row.in_english() for row in rows] for kind, rows in listed.items()}
        print_json({**plain, "faults": faults} if faults else plain)
        return 0
    if all_ or benchmarks:
        console = open_console(markup=False)
        with console.paged():
            _print_all(console, listed, faults)
    else:
        _print_brief(open_console(markup=False), listed, faults)
    return 0


_COMMANDS = re.compile(r"\(?(?:use )?`(zhiyin [a-z]+)")
"""In a summary: the command that asks a benchmark which is not asked by itself."""


def _print_brief(
    console: Terminal, listed: Mapping[str, list[ListedThing]], faults: Sequence[str]
) -> None:
    """A line for each benchmark, the names of all else, what cannot be used."""
    own = [row for row in listed["benchmarks"] if not _COMMANDS.search(str(row.summary))]
    wide = max((cell_len(row.name) for row in own), default=0) + 2
    room = max(20, console.width - wide - 1)
    for row in own:
        console.say(f"{row.name:{wide}}{_fitting(say(row.summary, console.language), room)}", 0)
    for title, rows in listed.items():
        if title != "benchmarks":
            names = ", ".join(dict.fromkeys(row.name for row in rows))
            console.say(said("cli-listed", kind=title, names=names), 0)
    console.say_all(faults, label=said("cli-unusable"), style="yellow")
    console.say(said("cli-list-more"), 0)


def _fitting(summary: str, room: int) -> str:
    """A summary, or the longest beginning of it that ends with a clause and fits a line."""
    if cell_len(summary) <= room:
        return summary
    ends = [
        at
        for at, sign in enumerate(summary)
        if sign in ":;,(：；，、（" and cell_len(summary[:at]) < room
    ]
    if ends and ends[-1] > room // 3:
        return f"{summary[: ends[-1]].rstrip()} …"
    words = set_cell_size(summary, room - 2)
    return f"{words.rpartition(' ')[0] or words.rstrip()} …"


def _print_all(
    console: Terminal, listed: Mapping[str, list[ListedThing]], faults: Sequence[str]
) -> None:
    """Everything, a table for each kind."""
    for title, rows in listed.items():
        lines = []
        for row in rows:
            lines.append(Row((row.name, row.summary)))
            facts = (said("cli-fact", key=key, value=str(value)) for key, value in row.further())
            lines += [Row(("", fact), mark="soft") for fact in facts]
        named = said("cli-kind", kind=title)
        console.print_table(Table(title, named, (Column(""), Column("")), tuple(lines)))
    if faults:
        console.print()
        console.say_all(faults, 0, said("cli-unusable"), "yellow")


def _these(names: Sequence[str]) -> tuple[dict[str, list[ListedThing]], list[str]]:
    """The benchmarks that are named, by their words or in files."""
    from zhiyin.contract.registry import find

    kinds = [find(name) for name in names]
    listed = {"benchmarks": [_benchmark(kind) for kind in kinds], "protocols": _protocols(kinds)}
    return {title: rows for title, rows in listed.items() if rows}, []


def _everything() -> tuple[dict[str, list[ListedThing]], list[str]]:
    """All that is installed, and a line for each plug-in that cannot be used."""
    from zhiyin import extensions as plugins
    from zhiyin.contract.policies import open_policy
    from zhiyin.contract.policies import policies as policies_of_ours
    from zhiyin.contract.registry import find, ours, places
    from zhiyin.models import faults_of_providers, forms, plugged_in

    faults: list[str] = []

    def usable(names: Iterable[str], opened: Callable[[str], Any]) -> list[Any]:
        loaded = []
        for name in names:
            try:
                loaded.append(opened(name))
            except InputError as error:
                faults.append(str(error))
        return loaded

    def model(name: str) -> ListedThing:
        plugin = plugged_in(name)
        assert plugin is not None
        summary = (inspect.getdoc(plugins.load(plugin)) or "").partition("\n")[0].rstrip(".")
        return ListedThing(name, summary, source=plugin.source)

    def policy(name: str) -> Any:
        """One policy; None for a kind of them, each of which is made of what follows its name."""
        own = name not in outside[plugins.POLICIES]
        kind = not own and callable(plugins.load(outside[plugins.POLICIES][name]))
        return None if kind else open_policy(name)

    outside = {group: plugins.installed(group) for group in _GROUPS}
    taken = {
        plugins.BENCHMARKS: frozenset(ours()),
        plugins.POLICIES: frozenset(policies_of_ours()),
        plugins.MODELS: frozenset(n for n in outside[plugins.MODELS] if not plugged_in(n)),
        plugins.JUDGES: frozenset(
            n for n in outside[plugins.JUDGES] if n in outside[plugins.MODELS] or not plugged_in(n)
        ),
    }
    kinds = usable(places(), find)
    models, judges = (
        usable([n for n in outside[group] if n not in taken[group]], model)
        for group in (plugins.MODELS, plugins.JUDGES)
    )
    named = dict.fromkeys([*policies_of_ours(), *outside[plugins.POLICIES]])
    policies = [one for one in usable(named, policy) if one]
    listed: dict[str, list[ListedThing]] = {
        "benchmarks": [_benchmark(kind) for kind in kinds],
        "protocols": _protocols(kinds),
        "models": [ListedThing(form, text) for form, text in forms().items()] + models,
        "policies": [ListedThing(p.name, p.summary, version=p.version) for p in policies],
    }
    if judges:
        listed["judges"] = judges
    faults += faults_of_providers()
    for group in _FURTHER:
        faults += plugins.faults_of(group)
    for group in _GROUPS:
        faults += plugins.hidden(group, taken[group])
    return listed, faults


_FURTHER = ("zhiyin.aspects", "zhiyin.conditions", "zhiyin.sessions", "zhiyin.scorers",
            "zhiyin.makers", "zhiyin.commands", "zhiyin.command_cases", "zhiyin.places",
            "zhiyin.sections", "zhiyin.columns", "zhiyin.engravings", "zhiyin.beside",
            "zhiyin.api")  # fmt: skip
_KINDS = {"benchmarks", "protocols", "models", "policies", "judges"}
_GROUPS = ("zhiyin.benchmarks", "zhiyin.models", "zhiyin.policies", "zhiyin.judges")


def _benchmark(kind: Any) -> ListedThing:
    from zhiyin.contract.registry import origin_of

    origin = origin_of(kind)
    return ListedThing(
        kind.name,
        kind.summary,
        str(kind.paper),
        str(kind.licence),
        commands=", ".join(f"{kind.name} {name}" for name in kind.commands) or None,
        source=None if origin.kind == "zhiyin" else origin.in_words,
    )


def _protocols(kinds: Iterable[Any]) -> list[ListedThing]:
    return [
        ListedThing(protocol.name, f"{kind.name}: {protocol.summary}")
        for kind in kinds
        for protocol in kind.protocols
    ]
