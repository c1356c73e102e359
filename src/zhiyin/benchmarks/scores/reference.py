"""What is published: the figures of its replies, and what the data hold."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec

from zhiyin.contract.declared import Published, Reference


class _Facts(msgspec.Struct):
    """`rows` as in `Reference`; `items` by split and id: a hash of the answer, the picture's."""

    source: str
    rows: dict[str, dict[str, dict[str, float]]]
    items: dict[str, dict[str, tuple[str, str]]]


@cache
def _facts() -> _Facts:
    text = resources.files(__package__).joinpath("published.json").read_bytes()
    return msgspec.json.decode(text, type=_Facts)


def figures(model: str) -> dict[str, dict[str, float]]:
    """The published ``accuracy`` and ``note_f1`` of a model, by split; empty for an unknown one."""
    return _facts().rows.get(model.rpartition("/")[2], {})


@cache
def reference() -> Reference:
    """Exact match of the published replies as accuracy, by split; `figures` has F1 of notes too."""
    facts = _facts()
    return Reference(
        title="music-bench",
        source=(
            f"{facts.source}: means of the scores beside the published replies (read by the "
            "published rule, our --extract music-bench)"
        ),
        rows={
            model: {split: {"accuracy": scores["accuracy"]} for split, scores in row.items()}
            for model, row in facts.rows.items()
        },
        kinds=dict.fromkeys(facts.rows, "model"),
    )


@cache
def holdings() -> Published:
    """The published examples: known by id and answer, and by their pictures."""
    facts = _facts()
    return Published(
        source=facts.source,
        unit="examples",
        counts={split: len(items) for split, items in facts.items.items()},
        recordings={
            f"{name} {answer}": [picture]
            for items in facts.items.values()
            for name, (answer, picture) in items.items()
        },
        narrowed=dict.fromkeys(("split", "task"), ""),
    )
