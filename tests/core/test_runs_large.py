"""Runs of any length are read once, in little memory, and say what they said before."""

import random

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from columns_help import rows_of_answers
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.runs import rows as rows_module
from zhiyin.runs import table
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import ACCURACY, IFR
from zhiyin.strategies import CONFIRM

STATES = ["correct", "correct", "wrong", "no_answer", "refused", "truncated", "error", "ungraded"]


def line_of(draw: random.Random, number: int, item_names: int) -> bytes:
    """A record with whatever a log may hold."""
    state = draw.choice(STATES)
    trial = {"id": f"t/{number}", "messages": [], "stem": f"Which? {number}", "target": "A"}
    trial["options"] = [["A", "yes", "A"], ["B", "no", "B"]]
    trial["groups"] = draw.choice([["a"], ["a", "a/b"], ["c"], []])
    if draw.random() < 0.5:
        trial |= {
            "item": f"i{draw.randrange(item_names)}",
            "condition": draw.choice(["", "x", "y"]),
        }
        trial["stem"] = trial["item"]
    elif draw.random() < 0.3:
        trial["tags"] = {"item": f"o{number % 3}", "repeat": draw.randrange(1, 3), "audio": "noise"}
        trial["stem"] = "old"
    if draw.random() < 0.5:
        trial["cluster"] = f"i{draw.randrange(3)}"  # of the same names as items
    if draw.random() < 0.2:
        trial |= {"sequence": f"s{draw.randrange(2)}", "step": draw.randrange(1, 4)}
    usage = draw.choice([{}, {"prompt_tokens": 3, "completion_tokens": draw.randrange(5)},
                         {"input_tokens": 9, "cache_read_input_tokens": 4},
                         {"prompt_tokens": 2**62, "completion_tokens": 2**70}])  # fmt: skip
    reply = {"text": "A", "usage": usage}
    if draw.random() < 0.3:
        reply["detail"] = {"cached": draw.random() < 0.5, "audio_seconds": draw.random()}
    if draw.random() < 0.1:
        reply["detail"] = {"batch": "b1", "model": "m"}
    record = {
        "id": trial["id"],
        "verdict": {"state": state, "answer": "A", "why": draw.choice(["", "said"])},
        "trial": trial,
        "exchange": {"turns": [{"reply": reply}] * draw.randrange(3)},
    }
    if draw.random() < 0.3:
        record["verdict"] |= {"confidence": draw.choice(["declared", "inferred"]), "policy": "p@1"}
        record["exchange"]["notes"] = draw.choice([{}, {CONFIRM: "timeout"}])
        record["exchange"]["turns"] = [
            *record["exchange"]["turns"],
            {"reply": reply, "purpose": CONFIRM},
        ]
        record["verdict"]["tags"] = draw.choice([{}, {"confirmed": True}])
    if state == "error":
        record["error"] = draw.choice(["no reply", "timeout"])
    return msgspec.json.encode(record) + b"\n"


def write_run(place, seed: int, size: int, repeats: bool, torn: bool) -> None:
    draw = random.Random(seed)
    place.mkdir(parents=True, exist_ok=True)
    manifest = Manifest("synthetic", f"m{seed}", {"model": f"m{seed}"}, {}, size)
    (place / "run.json").write_bytes(msgspec.json.encode(manifest))
    names = max(1, size // 2)
    numbers = [draw.randrange(names) if repeats else number for number in range(size)]
    log = b"".join(line_of(draw, number, names) for number in numbers)
    (place / "records.jsonl").write_bytes(log + b'{"id":"torn"' * torn)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    return tmp_path_factory.mktemp("large")


def told(call) -> object:
    try:
        return msgspec.to_builtins(call())
    except InputError as error:
        return str(error)


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6), st.integers(1, 40), st.booleans(), st.booleans())
def test_one_pass_tells_what_two_do(desk, seed, size, repeats, torn):
    one, two = desk / "one", desk / "two"
    write_run(one, seed, size, repeats, torn)
    write_run(two, seed + 1, size, repeats, torn)
    fast = [told(lambda: summarise(one)), told(lambda: compare([one, two]))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "_BLOCK", 200)  # bytes: every line is read in parts
        patch.setattr(rows_module, "_open", {})
        slow = [told(lambda: summarise(one)), told(lambda: compare([one, two]))]
    assert fast == slow


class ByName:
    """What `Frame` numbers, with names in place of their hashes."""

    def __init__(self) -> None:
        self.cells: dict[object, list[tuple[bool, bool]]] = {}
        self.cluster: dict[object, object] = {}

    def add(self, item, condition, cluster, right, answered) -> None:
        item = object() if item is None else item
        self.cells.setdefault((item, condition), []).append((right, answered))
        self.cluster.setdefault(item, ("alone", item) if cluster is None else ("of", cluster))

    def found(self):
        items = {}
        for (item, _), given_ in self.cells.items():
            means = [sum(x) / len(given_) for x in zip(*given_, strict=True)]
            items.setdefault(item, []).append(means)
        names = list(dict.fromkeys(self.cluster.values()))
        rows = [[sum(x) / len(m) for x in zip(*m, strict=True)] for m in items.values()]
        return rows, [names.index(self.cluster[item]) for item in items]


answer = st.tuples(
    st.sampled_from([None, "a", "b", "c", "d"]), st.sampled_from(["", "x", "y"]),
    st.sampled_from([None, "a", "b", "k"]), st.booleans(), st.booleans(),
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(answer, min_size=1, max_size=30))
def test_names_by_their_hashes_are_distinguished_as_names_are(given_answers):
    by_name = ByName()
    given_answers = [(*told, right, right or read) for *told, right, read in given_answers]
    for given_answer in given_answers:
        by_name.add(*given_answer)
    frame, (rows, clusters) = Frame(rows_of_answers(given_answers)), by_name.found()
    assert frame.clusters.tolist() == clusters
    shares = np.array(rows)
    for measure, column in ((ACCURACY, 0), (IFR, 1)):
        assert estimate(frame, measure).value == pytest.approx(shares[:, column].mean())


def test_a_run_is_read_once_and_again_when_it_changes(desk, monkeypatch):
    place = desk / "changes"
    write_run(place, 7, 30, repeats=False, torn=False)
    passes = []

    extend = table.RunTable.extend
    monkeypatch.setattr(table.RunTable, "extend", lambda self: passes.append(1) or extend(self))
    assert summarise(place).trials == 30
    first = len(passes)
    assert first == 1
    with (place / "records.jsonl").open("ab") as log:
        log.write(line_of(random.Random(3), 30, 1))
    assert summarise(place).trials == 31
    with (place / "records.jsonl").open("ab") as log:
        log.write(line_of(random.Random(4), 30, 1))
    assert summarise(place).trials == 31
