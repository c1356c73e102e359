"""Published replies to MMAU and MMAR, and the figures that are known of them, made again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

import msgspec

from zhiyin.contract.policies import open_policy
from zhiyin.contract.published import Cause, ReproducedFigure, ReproducibleTable, Reproduction
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.parsing import read_beside
from zhiyin.plugins.methods.replies import GivenEntry, given_entries, records_of
from zhiyin.record import Record, Verdict
from zhiyin.words import said

_WITHIN = 5e-5
"""Half of the last digit: per cent with two decimals."""


class KnownReplies(msgspec.Struct, frozen=True):
    """The known facts about a file of replies.

    Attributes
    ----------
    model, source : str
        Whose they are, and where they are published.
    fields : dict of str to dict of str to float
        Right answers in per cent, by the field that is read and the group.
    earlier_keys : dict of str to str
        Keys of questions that have been changed since, by id.
    """

    model: str
    source: str
    fields: dict[str, dict[str, float]]
    earlier_keys: dict[str, str] = {}


@cache
def known_replies() -> dict[str, KnownReplies]:
    """Load the known files of replies by benchmark."""
    return read_beside(__file__, "replies.json", dict[str, KnownReplies])


# MMAU: two fields of one file, and one key that has changed since


def mmau_figures(files: Sequence[Path]) -> Reproduction:
    """DeSTA2.5-Audio's replies to test-mini by MMAU's script, by the key of then and of today."""
    entries = _with_questions(files, "mmau-test-mini.json")
    facts = known_replies()["mmau"]
    versions = {"keys of then": _with_keys(entries, facts.earlier_keys), "keys of today": entries}
    rows: list[ReproducedFigure] = []
    for version, own in versions.items():
        moved = version == "keys of today"
        for field, figures in facts.fields.items():
            if not any(field in each.entry for each in own):
                continue
            whole = known_replies()["mmau-today"].fields[field] if moved else figures
            rows += _rows(facts.model, own, field, whole, version)
    notes = [
        facts.source,
        f"of {len(facts.earlier_keys)} question the key has been changed since these replies were "
        "scored; the questions carry no version",
        "by rule: MMAU's string match on the whole field. By ours (robust): the choice that the "
        "reply states",
    ]
    return Reproduction(tuple(rows), tuple(notes))


def _with_questions(files: Sequence[Path], name: str) -> list[GivenEntry]:
    """The entries of files of replies, with their questions where those are among the files."""
    questions = next((path for path in files if path.name == name), None)
    replies = [path for path in files if path.name != name]
    if not replies:
        raise InputError(said("reasoning-alone", files=files[0]))
    first = given_entries(replies[:1])[0].entry
    if questions is None and "question" not in first:
        raise InputError(said("reproduce-ids", replies=replies[0], name=name))
    return given_entries(replies, questions)


def _with_keys(entries: Iterable[GivenEntry], keys: dict[str, str]) -> list[GivenEntry]:
    """The entries with other keys, by id."""
    return [
        msgspec.structs.replace(each, entry={**each.entry, "answer": keys[each.entry["id"]]})
        if each.entry.get("id") in keys
        else each
        for each in entries
    ]


def _rows(
    model: str, entries: Sequence[GivenEntry], field: str, published: dict[str, float], version: str
) -> list[ReproducedFigure]:
    given = [each for each in entries if each.entry.get(field) is not None]
    records = list(records_of(given, field))
    groups: defaultdict[str, list[Record]] = defaultdict(list)
    for each, record in zip(given, records, strict=True):
        for name in ("all", each.entry.get("task"), each.entry.get("difficulty")):
            if isinstance(name, str):
                groups[name].append(record)
    rows = []
    for group, figure in published.items():
        if own := groups.get(group):
            what = f"{field}, {group}, {version}"
            rows.append(_row(model, what, own, _by_policy("string-match"), figure))
    return rows


def _by_policy(name: str) -> Callable[[Record], Verdict]:
    policy = open_policy(name)
    return lambda record: judge_choice(record.trial, record.exchange, policy)


def _row(
    model: str,
    what: str,
    records: Sequence[Record],
    rule: Callable[[Record], Verdict],
    published: float | None,
) -> ReproducedFigure:
    """A share of right answers by a rule and by ours, and why the two differ."""
    pairs = [(rule(record), record.verdict) for record in records]
    right = sum(theirs.state == "correct" for theirs, _ in pairs)
    ours = sum(own.state == "correct" for _, own in pairs)
    gains: Counter[tuple[str, int]] = Counter()
    for theirs, own in pairs:
        gain = (own.state == "correct") - (theirs.state == "correct")
        if gain:
            gains[f"read otherwise: {own.why}", gain] += 1
    n = len(records)
    causes = [Cause("ours", why, k, gain * k / n) for (why, gain), k in gains.most_common()]
    value = None if published is None else published / 100
    return ReproducedFigure(
        model, what, value, right / n, ours / n, n, _WITHIN, causes=tuple(causes)
    )  # fmt: skip


# MMAR: three readings of 99 replies


def mmar_figures(files: Sequence[Path]) -> Reproduction:
    """Qwen2.5-Omni's replies to 99 questions by MMAR's script and by their own parser."""
    entries = _with_questions(files, "MMAR-meta.jsonl")
    facts = known_replies()["mmar"]
    chains: defaultdict[int, list[GivenEntry]] = defaultdict(list)
    for each in entries:
        chains[each.repeat].append(each)
    field = next((name for name in _REPLY_FIELDS if name in entries[0].entry), "")
    if not field:
        raise InputError(said("reasoning-no-field", files=files[0], fields=_REPLY_FIELDS))
    texts = [[each.entry.get(field) for each in own] for own in chains.values()]
    notes = [facts.source, "by ours (robust): the choice that the reply states"]
    if len(texts) > 1 and all(one == texts[0] for one in texts):
        chains = defaultdict(list, {1: chains[1]})
        alike = (
            f"the {len(texts)} chains are the same to the character, no repetitions: one is shown"
        )
        notes.append(alike)
    rows = []
    for chain, own in chains.items():
        records = list(records_of(own, field))
        of = f", chain {chain}" if len(chains) > 1 else ""
        for name, rule in _MMAR_RULES.items():
            figure = facts.fields[name].get("all") if len(records) == _ASKED else None
            rows.append(_row(facts.model, name + of, records, _by_policy(rule), figure))
    return Reproduction(tuple(rows), tuple(notes))


_ASKED = 99
_REPLY_FIELDS = ("reply", "generated_cot", "answer_prediction")
_MMAR_RULES = {"whole reply": "string-match", "their parser": "faithfulness-omni"}


def _named(*names: str) -> Callable[[Path], bool]:
    def mine(path: Path) -> bool:
        return path.name in names

    return mine


MMAU_TABLES = (
    ReproducibleTable(
        "desta25",
        "DeSTA2.5-Audio on test-mini, by the field that is read and the version of the keys",
        "desta25_test_mini.jsonl or mmau-test-mini_results.json, and mmau-test-mini.json",
        _named("desta25_test_mini.jsonl", "mmau-test-mini_results.json", "mmau-test-mini.json"),
        mmau_figures,
    ),
)
MMAR_TABLES = (
    ReproducibleTable(
        "qwen25-omni",
        "Qwen2.5-Omni on 99 questions, by MMAR's script and by the parser published with them",
        "qwen25omni_99x3.jsonl and MMAR-meta.jsonl",
        _named("qwen25omni_99x3.jsonl", "MMAR-meta.jsonl"),
        mmar_figures,
    ),
)
