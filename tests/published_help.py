"""Small sets of trials that stand for a whole published data set."""

from collections import Counter

from zhiyin.contract.declared import Published
from zhiyin.engine.scoring import ALL
from zhiyin.runs.ways import UNDECLARED


def declare(monkeypatch, benchmark, trials, **more):
    """Let `trials` be all that was published for a benchmark: each item once, by group."""
    from zhiyin.contract.registry import find

    counts = Counter()
    for trial in trials:
        tags = trial.tags
        first = tags.get("repeat", 1) == 1 and tags.get("rotation", 0) == 0
        if UNDECLARED.is_main(tags) and first:
            counts.update({ALL, *filter(None, map(UNDECLARED.bare, trial.groups))})
    found = Published("made for a test", "questions", dict(counts), (ALL,), **more)
    monkeypatch.setattr(find(benchmark), "expected", lambda: found, raising=False)
    return found
