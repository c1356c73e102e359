"""The published runners' reading of replies; see `docs/benchmarks/muse.md` for what that costs.

The rules differ from task to task. A policy knows only the options, so it finds the task by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from zhiyin.plugins.benchmarks.muse.tasks import TASKS, MuseTask, TaskName
from zhiyin.reader.policy import Policy, Reading
from zhiyin.trial import Option

FORGIVEN: frozenset[TaskName] = frozenset({"rhythm_matching", "transposition", "syncopation"})
"""Tasks whose published accuracies forgive a missing full stop that the runner does not."""

_WORDS = {"piano": "A", "guitar": "B", "bass": "C", "drums": "D", "drum": "D"}
Rule = Callable[[str, MuseTask], tuple[str, tuple[int, int]] | None]


def task_of(options: Sequence[Option]) -> MuseTask | None:
    """The task whose options these are; None for any other question."""
    texts = tuple(option.text for option in options)
    return _by_texts().get(texts)


@cache
def _by_texts() -> dict[tuple[str, ...], MuseTask]:
    return {tuple(o.text for o in task.options): task for task in TASKS.values()}


def as_runner(text: str, task: MuseTask) -> tuple[str, tuple[int, int]] | None:
    """Read as the runners of Gemini and Qwen do: the key, and where; None for nothing.

    Patterns over the whole reply, in any case; a run of white space counts as one; the answer
    that ends last wins. Nothing looks for negation, or for an answer that is only quoted.
    """
    return _last(_patterns(task), text)


def as_af3_runner(text: str, task: MuseTask) -> tuple[str, tuple[int, int]] | None:
    """Read like `as_runner`, with what the runners of Audio Flamingo 3 do otherwise.

    Bare words for instruments count. An answer about drum patterns that stands alone on a line,
    in quotation marks or not, goes before any other.
    """
    if task.name == "instrumentID":
        bare = [(key, re.compile(rf"\b{word}\b", re.I)) for word, key in _WORDS.items()]
        return _last([*_patterns(task), *bare], text)
    if task.name == "rhythm_matching":
        alone = [
            (key, re.compile(rf"^[^\S\n]*+\"?{_loosely(answer)}\"?\s*$", re.I | re.M))
            for key, answer in zip("AB", task.answers, strict=True)
        ]
        return _last(alone, text) or as_runner(text, task)
    return as_runner(text, task)


@cache
def _patterns(task: MuseTask) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns of a task, each with the key of the option that it stands for."""
    patterns = []
    for key, answer in zip("ABCD", task.answers, strict=False):
        letter, dot, words = answer.partition(". ") if task.lettered else ("", "", answer)
        modulation = task.name == "key_modulation"
        body = _spaced(words) if modulation else _loosely(words)
        if words.endswith(".") and not task.stop_needed:
            body += "?"  # of the full stop, which is the last of the pattern
        if words[-1].isalnum():
            body += r"\b"
        head = rf"{letter}\.\s*" if dot else ""
        if modulation:
            patterns.append((key, re.compile(rf"^[^\S\n]*{head}{body}\s*$", re.I | re.M)))
        elif dot and not task.letter_needed:
            patterns.append((key, re.compile(rf"\b(?:{head})?{body}", re.I)))
        else:
            patterns.append((key, re.compile(rf"\b{head}{body}", re.I)))
    if task.name == "key_modulation":
        other = r"^[^\S\n]*(?:B\.\s*)?No,\s+(?:a\s+)?key\s+modulation\s+does\s+not\s+occur\.?\s*$"
        patterns.append(("B", re.compile(other, re.I | re.M)))
    return tuple(patterns)


def _spaced(words: str) -> str:
    return r"\s+".join(re.escape(word) for word in words.split())


def _loosely(words: str) -> str:
    """Make a pattern like `_spaced`, with no blank needed after "," or "Excerpt", or before "("."""
    first, *rest = words.split()
    pattern, before = re.escape(first), first
    for word in rest:
        free = before[-1] == "," or before == "Excerpt" or word[0] == "("
        pattern += (r"\s*" if free else r"\s+") + re.escape(word)
        before = word
    return pattern


def _last(
    patterns: Iterable[tuple[str, re.Pattern[str]]], text: str
) -> tuple[str, tuple[int, int]] | None:
    """The match that ends last; of two that end there the longer one."""
    matches = [(key, match) for key, pattern in patterns for match in pattern.finditer(text)]
    if not matches:
        return None
    key, match = max(matches, key=lambda pair: (pair[1].end(), -pair[1].start()))
    return key, match.span()


def _without_stop(text: str, task: MuseTask) -> tuple[str, tuple[int, int]] | None:
    """The answer without its full stop, where the published count looks for it again.

    There the first option that is found at all counts, wherever it stands.
    """
    if task.name not in FORGIVEN:
        return None
    for key, option in zip("AB", task.options, strict=True):
        if match := re.search(re.escape(option.text.rstrip(".")), text, re.I):
            return key, match.span()
    return None


def _policy(rule: Rule, forgiving: bool) -> Callable[[str, Sequence[Option]], Reading]:
    def read(text: str, options: Sequence[Option]) -> Reading:
        task = task_of(options)
        if task is None:
            return Reading(None, "not a question of one of the ten tasks")
        if match := rule(text, task):
            return Reading(match[0], "the published answer that ends last", match[1])
        if forgiving and (again := _without_stop(text, task)):
            return Reading(again[0], "the published answer without its full stop", again[1])
        return Reading(None, "none of the published answers, as its runner looks for them")

    return read


def _is_task(options: Sequence[Option]) -> bool:
    return task_of(options) is not None


_TABLE = "-table"


def table_rule(rule: str) -> str:
    """The rule by which the published table counts what a runner (or that table) reads."""
    return rule.removesuffix(_TABLE) + _TABLE


_SOURCE = "brandoncarone/MUSE_music_benchmark@a9e4acd"
_RUNNERS: tuple[tuple[str, Rule, str, str], ...] = (
    ("muse", as_runner, "the published answer that ends last", "Gemini, Qwen"),
    ("muse-af3", as_af3_runner, "as muse, with what is read otherwise for AF3", "AF3"),
)
POLICIES = (
    *(
        Policy(
            name,
            3,
            f"{summary}, letter and full stop as its runners want them (MUSE)",
            _policy(rule, forgiving=False),
            f"{_SOURCE}:{of} (the runners)",
            fits=_is_task,
        )
        for name, rule, summary, of in _RUNNERS
    ),
    *(
        Policy(
            table_rule(name),
            1,
            f"{summary}, a full stop forgiven as its table of accuracies does (MUSE)",
            _policy(rule, forgiving=True),
            f"{_SOURCE}:{of} (the runners), accuracy_summary.csv",
            "left out",
            fits=_is_task,
        )
        for name, rule, summary, of in _RUNNERS
    ),
)
