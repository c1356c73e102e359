"""Several tags of a closed set: areas under curves, and F1."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from zhiyin.plugins.benchmarks.cmi.choices import published_form
from zhiyin.plugins.benchmarks.cmi.measures import CmiMeasure, JudgedReply

_WORDS_OF_A_TAG = 3


def tags_of(text: str) -> frozenset[str]:
    """The tags of a label, separated by commas; none for an empty one."""
    return frozenset(tag.strip().lower() for tag in text.split(",") if tag.strip())


def vocabulary(items: Sequence[JudgedReply]) -> list[str]:
    """All tags of the labels: the closed set, as far as it occurs."""
    return sorted(frozenset().union(*(tags_of(item.label) for item in items)))


def read_tags(reply: str, tags: Sequence[str]) -> frozenset[str]:
    """The tags that stand in a reply as whole words: "acoustic guitar" names acousticguitar."""
    tokens = re.findall(r"[a-z0-9]+", reply.lower())
    phrases = {
        "".join(tokens[start:end])
        for start in range(len(tokens))
        for end in range(start + 1, min(start + _WORDS_OF_A_TAG, len(tokens)) + 1)
    }
    return frozenset(tag for tag in tags if re.sub(r"[^a-z0-9]", "", tag) in phrases)


def score(label: str, reply: str) -> tuple[dict[str, float], str]:
    """Record whether a reply says anything: the tags in it are known from all labels alone."""
    return {"read": float(bool(reply.strip()))}, "tags that stand in the reply"


def _published(item: JudgedReply, tags: Sequence[str]) -> tuple[list[bool], list[bool]]:
    """Read as published: labels lose blanks and hyphens, tags do not; a tag counts anywhere."""
    wanted = {published_form(tag) for tag in item.label.split(",")}
    text = item.reply.lower().strip()
    return [tag in wanted for tag in tags], [tag in text for tag in tags]


def _whole_words(item: JudgedReply, tags: Sequence[str]) -> tuple[list[bool], list[bool]]:
    wanted, named = tags_of(item.label), read_tags(item.reply, tags)
    return [tag in wanted for tag in tags], [tag in named for tag in tags]


def _sums(
    reading: Callable[[JudgedReply, Sequence[str]], tuple[list[bool], list[bool]]],
) -> Callable[[Sequence[JudgedReply]], Any]:
    """Make a function that marks each tag as wanted, named, and both; and counts 1 for the item."""

    def sums(items: Sequence[JudgedReply]) -> Any:
        import numpy as np

        tags = vocabulary(items)
        if not tags:
            return np.zeros((len(items), 1))
        both = [reading(item, tags) for item in items]
        wanted = np.array([each for each, _ in both], dtype=np.float64)
        named = np.array([each for _, each in both], dtype=np.float64)
        return np.hstack([np.ones((len(items), 1)), wanted, named, wanted * named])

    return sums


def _parts(s: Any) -> tuple[Any, Any, Any, Any]:
    size = (s.shape[-1] - 1) // 3
    return (
        s[..., :1],
        s[..., 1 : 1 + size],
        s[..., 1 + size : 1 + 2 * size],
        s[..., 1 + 2 * size :],
    )


def roc_auc(s: Any) -> Any:
    """Mean over tags with both kinds of clips of the area under ROC of a yes or no.

    For such a score it is (1 + true positive rate - false positive rate) / 2.
    """
    import numpy as np

    n, wanted, named, both = _parts(s)
    present = (wanted > 0) & (wanted < n)
    area = 0.5 * (1 + both / wanted - (named - both) / (n - wanted))
    return np.where(present, area, 0).sum(axis=-1) / present.sum(axis=-1)


def _average_precision(s: Any) -> tuple[Any, Any]:
    """Average by tag the precision of those named and the base rate beyond; mark tags in use."""
    import numpy as np

    n, wanted, named, both = _parts(s)
    recall = both / wanted
    precision = both / np.where(named > 0, named, 1)
    areas = recall * precision + (1 - recall) * wanted / n
    return np.where(wanted > 0, areas, 0), wanted > 0


def pr_auc(s: Any) -> Any:
    """Mean average precision over the tags that any clip has."""
    areas, present = _average_precision(s)
    return areas.sum(axis=-1) / present.sum(axis=-1)


def pr_auc_all(s: Any, published: int = 0) -> Any:
    """The same over all tags, 0 for those that no clip has.

    All are those that are `published`, also where the labels of some replies lack a few.
    """
    areas, present = _average_precision(s)
    return areas.sum(axis=-1) / max(present.shape[-1], published)


def micro_f1(s: Any) -> Any:
    """2 both / (right + named), over all tags and clips."""
    _, wanted, named, both = _parts(s)
    return 2 * both.sum(axis=-1) / (wanted.sum(axis=-1) + named.sum(axis=-1))


_LITERAL, _WORDS = _sums(_published), _sums(_whole_words)


@cache
def measures_of(published: int = 0) -> tuple[CmiMeasure, ...]:
    """The figures of a task with so many published tags."""
    over_all = partial(pr_auc_all, published=published)
    return (
        CmiMeasure("ROC-AUC, literal", True, _LITERAL, roc_auc, ours="ROC-AUC"),
        CmiMeasure("PR-AUC, literal", True, _LITERAL, pr_auc, ours="PR-AUC"),
        CmiMeasure("PR-AUC, literal, over all tags", True, _LITERAL, over_all),
        CmiMeasure("ROC-AUC", False, _WORDS, roc_auc),
        CmiMeasure("PR-AUC", False, _WORDS, pr_auc),
        CmiMeasure("micro F1", False, _WORDS, micro_f1),
    )
