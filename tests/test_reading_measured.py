"""How well the default policy reads: floors a little under what is measured today.

Of the set-aside replies only counts are shown, never a reply: they measure, and mend nothing.
"""

import asyncio
import csv
import itertools
from collections import Counter
from pathlib import Path

import pytest

from conftest import REPOSITORY, shared_data
from reading_help import HERE, KEYS, explain, explainers, lines, shown
from zhiyin.contract.policies import open_policy
from zhiyin.contract.registry import open_benchmark
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.runner import Limits
from zhiyin.record import Reply, Sampling
from zhiyin.session import carry_out

read = open_policy("robust").extract
SMALL = Path(__file__).parent / "data" / "ziqi_small"
EXPLAINED = ("answer-first", "answer-last", "answer-middle", "stepwise", "self-check")
REALISTIC = (
    *("plain", "markdown", "latex", "json", "xml", "table", "end-token", "thinking", "polite"),
    *("correction", "wide-letter", "lower-case", "quoted", "ordinals", "numbers", "text-alone"),
)


def outcome(reply):
    found, expected = read(reply["text"], shown(reply["options"])).letter, reply["expect"]
    if found == expected:
        return "right"
    return "miss" if found is None else "false" if expected is None else "wrong"


def shares(replies, kinds=None, field="kind"):
    counts = Counter(outcome(r) for r in replies if kinds is None or r[field] in kinds)
    return {name: count / counts.total() for name, count in counts.items()}


@pytest.mark.parametrize(
    ("part", "all_right", "most_false"), [("open", 0.99, 0.003), ("aside", 0.94, 0.015)]
)
def test_marked_replies(part, all_right, most_false):
    replies = lines(HERE / f"{part}.jsonl")
    assert shares(replies)["right"] >= all_right
    assert shares(replies).get("false", 0) <= most_false
    assert shares(replies, EXPLAINED)["right"] >= 0.97
    assert shares(replies, REALISTIC)["right"] >= 0.97


@pytest.mark.skipif(
    shared_data() is None or not (shared_data().parent / "reference" / "reading").is_dir(),
    reason="no reference replies: set ZHIYIN_SHARED",
)
def test_reference_replies():
    replies = lines(shared_data().parent / "reference" / "reading" / "replies.jsonl")
    assert shares(replies)["right"] >= 0.995
    assert shares(replies).get("false", 0) == 0
    for kind in ("mixed", "explained", "follow-up"):
        assert shares(replies, [kind], "set")["right"] >= 0.99


def test_paraphrases():
    """Written to find faults, kind by kind; those not read right are named in docs/reading.md."""
    replies = lines(REPOSITORY / "tests" / "golden" / "paraphrases.jsonl")
    wrong = [r for r in replies if outcome(r) != "right"]
    assert wrong == []


@pytest.mark.parametrize("part", ["open", "aside"])
def test_an_explainer_who_is_always_right_is_always_read_right(part):
    misread = 0
    for template, texts, key in itertools.product(explainers(part), KEYS, "ABCD"):
        misread += read(explain(template, shown(texts), key), shown(texts)).letter != key
    assert misread == 0


class Explainer:
    """Knows the keys, and answers in the words of one template after the other."""

    name, concurrency = "explainer", 4

    def __init__(self, keys):
        self.keys = keys
        self.templates = itertools.cycle(explainers("open") + explainers("aside"))

    async def generate(self, messages, sampling, trial):
        options = next(
            options
            for stem, options in self.keys
            if {o.text for o in trial.options} == options.keys() and stem in trial.stem
        )
        key = next(o.letter for o in trial.options if options[o.text])
        return Reply(explain(next(self.templates), list(trial.options), key))

    async def close(self):
        pass


def keys_of(data: Path):
    """Question, and which of its options is right, of every item of a ZIQI folder."""
    found = []
    for path in sorted((data / "test").glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                options = {row[a].strip(): row["answer"] == a for a in "ABCD"}
                found.append((row["question"].strip(), options))
    return found


def test_the_explainer_scores_all_of_ziqi_through_the_runner(tmp_path):
    options = {"data": str(SMALL), "partial": True, "shuffle": True, "seed": 5}
    planned = len(list(open_benchmark("ziqi", options).trials()))
    order = RunSettings(
        benchmark="ziqi", model=Explainer(keys_of(SMALL)), options=options,
        sampling=Sampling(), limits=Limits(), limit=None,
        out=str(tmp_path / "run"),
    )  # fmt: skip
    result = asyncio.run(carry_out(order))
    assert result.outcome.count.correct == result.outcome.count.judged == planned > 40
