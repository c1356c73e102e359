"""The first screen: every clause of its sentence against brute force on the raw records."""

import json
import math
import re
from collections import defaultdict
from statistics import fmean

import numpy as np
import pytest
from scipy import stats
from test_report_claims import SETS as MISREAD
from test_report_claims import World, answering, moved, some

from findings_help import answered, beyond, choice, failed, mucho_trials, student, write_run
from zhiyin.record import Verdict
from zhiyin.report.headlines import is_whole
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.report.standings import Lead, Standing
from zhiyin.words import say

pytestmark = pytest.mark.slow

NBSP = "\u00a0"


def quiz(n=160, golds="ABCD", group=lambda n: "high" if n % 2 else "low"):
    return [
        choice(f"q{i}", groups=(group(i),), gold=golds[(i * 7 + i // 4) % len(golds)])
        for i in range(n)
    ]


def always(letter):
    return lambda trial: answered(trial, letter)


def ungraded(trial):
    record = answered(trial, None, "A calm piece.")
    record.verdict = Verdict("ungraded", None)
    return record


def at_chance_in(name, group, gift):
    return lambda t: student(name, 0.0 if group in t.groups else gift)(t)


def right(trial):
    return answered(trial, trial.target)


def some_right(trials, many):
    return [always(t.target if n < many else "ABCD"[n % 3])(t) for n, t in enumerate(trials)]


def refused(trial):
    return answered(trial, None, "I cannot help with that.", state="refused")


def altered(trial):
    return trial.tags["audio"] != "true"


def heard_and_not():
    return mucho_trials(30, audio=("true", "noise"))


def dead_to_music(trial):
    return student("a", 0.3)(trial) if altered(trial) else failed(trial)


def unevenly(trial):
    """Right on the first ten items, of which all but the first time failed."""
    early = int(trial.tags["item"][1:]) < 10
    if early and trial.tags["repeat"] > 1:
        return failed(trial)
    return answered(trial, "A" if early else "B")


def clustered(n):
    return [choice(f"q{i}", gold="A", cluster=f"c{i // (n // 3)}") for i in range(n)]


def unevenly_clustered(big, small):
    """One cluster of `big` questions, and `small` of two."""
    return [
        choice(f"q{i}", gold="ABCD"[i % 4], cluster=f"c{max(0, i - big + 2) // 2}")
        for i in range(big + 2 * small)
    ]


def unlike_and_uneven(n):
    """Questions of two options asked once, of four asked three times."""
    return [
        choice(f"q{i}#{k}", tags={"item": f"q{i}", "repeat": k}, letters="AB" if i % 2 else "ABCD")
        for i in range(n)
        for k in (range(1, 2) if i % 2 else range(1, 4))
    ]


def unlike(n):
    return [choice(f"q{i}", gold="A", letters="AB" if i % 2 else "ABCD") for i in range(n)]


class Quiz(World):
    def add(self, name, records, benchmark="quiz", **settings):
        records = list(records)
        write_run(self.root / name, benchmark, name, records, **settings)
        self.runs[name] = records


PAIR = [("a", 0.8), ("b", 0.2)]
OWN = {
    "two alike": lambda w: [w.add(n, map(student(n, 0.5), quiz())) for n in "ab"],
    "two apart": lambda w: [
        w.add(n, map(student(n, g), quiz())) for n, g in [("a", 0.8), ("b", 0.2)]
    ],
    "dead alone": lambda w: w.add("a", map(failed, quiz(20))),
    "ten runs": lambda w: [w.add(f"r{n}", map(student(f"r{n}", n / 9), quiz())) for n in range(10)],
    "ten without groups": lambda w: [
        w.add(f"r{n}", map(student(f"r{n}", 0.9 if n == 4 else 0.3), plain_quiz()))
        for n in range(10)
    ],
    "always A": lambda w: [
        w.add("a", map(always("A"), quiz())),
        w.add("b", map(student("b", 0.6), quiz())),
    ],
    "fond of B": lambda w: w.add("a", map(student("a", 0.3, "B"), quiz())),
    "ungraded alone": lambda w: w.add("a", map(ungraded, quiz(12))),
    "ungraded beside": lambda w: [
        w.add("a", map(ungraded, quiz(12))),
        w.add("b", map(student("b", 0.7), quiz())),
    ],
    "unfinished beside": lambda w: [
        w.add("a", map(student("a", 0.7), quiz())),
        w.add("b", [failed(t) if n % 9 else student("b", 0.9)(t) for n, t in enumerate(quiz())]),
        w.add("c", map(student("c", 0.3), quiz())),
    ],
    "guessing in a group": lambda w: [
        w.add(n, map(at_chance_in(n, "low", g), quiz(240))) for n, g in [("a", 0.9), ("b", 0.6)]
    ],
    "below chance": lambda w: w.add(
        "a", (answered(t, next(c for c in "ABCD" if c != t.target)) for t in quiz())
    ),
    "free answers": lambda w: w.add(
        "a",
        (
            answered(choice(f"f{i}", letters=""), None, "x", state="correct" if i % 3 else "wrong")
            for i in range(60)
        ),
    ),
    "nothing": lambda w: w.add("a", []),
    "one item": lambda w: [w.add(n, map(right, quiz(1))) for n in "ab"],
    "refusals alone": lambda w: w.add("a", map(refused, quiz(40))),
    "refusals beside": lambda w: [
        *(w.add(n, map(refused, quiz(40))) for n in "ab"),
        w.add("c", map(student("c", 0.6), quiz(40))),
    ],
    "all right": lambda w: [w.add(n, map(right, quiz(80))) for n in "ab"],
    "ten level": lambda w: [w.add(f"r{n}", some_right(quiz(100), 50)) for n in range(10)],
    "two level in front": lambda w: [
        w.add(f"r{n}", some_right(quiz(100), k)) for n, k in enumerate((60, 60, 57, 20))
    ],
    "three of which two share": lambda w: [
        w.add("a", map(student("a", 0.6), quiz(120))),
        w.add("b", map(student("b", 0.6), quiz(120)[:50]), limit=50),
        w.add("c", map(student("c", 0.6), moved(quiz(60)))),
    ],
    "one item in common": lambda w: [
        w.add("a", map(student("a", 0.9), quiz(120)[:61])),
        w.add("b", map(student("b", 0.2), quiz(120)[60:])),
    ],
    "the main way dead": lambda w: w.add("a", map(dead_to_music, heard_and_not())),
    "an ablation dead": lambda w: [
        w.add("a", (failed(t) if altered(t) else student("a", 0.8)(t) for t in heard_and_not())),
        w.add("b", map(answering("b", 0.8), heard_and_not())),
    ],
    "two ablated alike": lambda w: [
        w.add(n, map(student(n, g), mucho_trials(30, distractors=("ir",)))) for n, g in PAIR
    ],
    "repeats that failed unevenly": lambda w: w.add(
        "a", map(unevenly, mucho_trials(20, repeats=3))
    ),
    "two letters": lambda w: [
        w.add(f"{letter}{n}", map(always(letter), quiz(80))) for letter in "AB" for n in range(3)
    ],
    "two and four options": lambda w: [
        w.add(n, map(student(n, g), unlike(120))) for n, g in [("a", 0.5), ("b", 0.3)]
    ],
    "an ablation beside other items": lambda w: [
        w.add("a", map(answering("a", 0.7), heard_and_not())),
        w.add("b", map(answering("b", 0.5), moved(mucho_trials(20)))),
    ],
    "an ablation beside the dead and a part": lambda w: [
        w.add("a", map(answering("a", 0.8), heard_and_not())),
        w.add("b", map(failed, heard_and_not())),
        w.add("c", map(answering("c", 0.4), mucho_trials(30)[:25]), limit=25),
    ],
    "repeats of a part beside a whole": lambda w: [
        w.add("a", map(student("a", 0.7), mucho_trials(20, repeats=3)[:30]), limit=30),
        w.add("b", map(student("b", 0.5), mucho_trials(20))),
    ],
    "repeats beside dead and other items": lambda w: [
        w.add("a", map(student("a", 0.7), mucho_trials(20, repeats=2))),
        w.add("b", map(failed, mucho_trials(20, repeats=2))),
        w.add("c", map(student("c", 0.6), moved(mucho_trials(20)))),
    ],
    "options unlike and asked unevenly": lambda w: w.add(
        "a", map(student("a", 0.3), unlike_and_uneven(60))
    ),
    "one big cluster": lambda w: w.add("a", map(student("a", 0.6), unevenly_clustered(30, 5))),
    "four items alone": lambda w: w.add("a", map(right, quiz(4))),
    "few clusters beside": lambda w: [
        w.add(n, map(student(n, g), unevenly_clustered(8, 6))) for n, g in PAIR
    ],
    "dead and ungraded": lambda w: [
        w.add("a", map(failed, quiz(12))),
        w.add("b", map(ungraded, quiz(12))),
    ],
}
SETS = {**MISREAD, **OWN}


def plain_quiz():
    return quiz(120, group=lambda n: "one")


@pytest.fixture(params=some(SETS, 4), scope="module")
def world(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("runs")
    heard = ("the main way", "an ablation", "two ablated", "repeats")
    made = (World if request.param in MISREAD or request.param.startswith(heard) else Quiz)(root)
    SETS[request.param](made)
    return made


def main_way(record):
    tags = record["trial"].get("tags", {})
    return tags.get("audio", "true") == "true" and tags.get("distractors", "all") == "all"


class Raw:
    """One run as its log has it, read without the program."""

    def __init__(self, folder):
        lines = (folder / "records.jsonl").read_text("utf-8").splitlines()
        every = [json.loads(line) for line in lines]
        self.every = every
        self.planned = json.loads((folder / "run.json").read_text("utf-8"))["planned"]
        self.errors = sum(r["verdict"]["state"] == "error" for r in every)
        self.count = len(every)
        self.finished = self.count - self.errors >= self.planned
        judged = [r for r in every if r["verdict"]["state"] not in ("error", "ungraded")]
        self.ungraded = any(r["verdict"]["state"] == "ungraded" for r in every)
        self.other_way = not any(map(main_way, every))
        self.judge([r for r in judged if main_way(r)], bool(judged))

    def judge(self, judged, any_judged):
        """Take these for what the headline is over."""
        self.judged = judged
        self.altered = any_judged and not judged
        self.clusters = {}
        items = defaultdict(list)
        for r in self.judged:
            item = (r["trial"].get("tags") or {}).get("item") or r["trial"]["id"]
            cluster = r["trial"].get("cluster") or item
            items[item, cluster].append(r["verdict"]["state"] == "correct")
            self.clusters[item, cluster] = cluster
        self.items = {item: fmean(scores) for item, scores in items.items()}

    @property
    def accuracy(self):
        return fmean(self.items.values())

    @property
    def mute(self):
        """Whether nothing can be read in any reply."""
        return bool(self.judged) and not any(
            r["verdict"]["state"] in ("correct", "wrong") for r in self.judged
        )

    @property
    def chance(self):
        sizes = {i: [len(r["trial"].get("options") or ()) for r in own] for i, own in self.asked()}
        if not all(all(own) for own in sizes.values()):
            return None
        return fmean(fmean(1 / n for n in own) for own in sizes.values())

    def asked(self):
        """The judged trials of each item."""
        found = defaultdict(list)
        for r in self.judged:
            found[(r["trial"].get("tags") or {}).get("item") or r["trial"]["id"]].append(r)
        return found.items()

    def error(self, items=None):
        """Standard error of the accuracy, clustered, never quite 0 (one more half right).

        A large cluster hides its own share of the spread, and is worth few degrees of freedom.
        """
        scores = items or self.items
        sums, sizes, mean = defaultdict(float), defaultdict(int), fmean(scores.values())
        for item, score in scores.items():
            sums[self.clusters[item]] += score - mean
            sizes[self.clusters[item]] += 1
        share = {name: size / len(scores) for name, size in sizes.items()}
        if len(share) < 2:
            return math.inf
        spread = sum(s * s / (1 - share[name]) for name, s in sums.items())
        few = 1 / max(share.values()) - 1  # at most so many clusters of the size of the largest
        wider = stats.t.ppf(0.975, few) / 1.96 if few < 6 else 1
        return max(math.sqrt(spread), 0.8) / len(scores) * wider

    def by_cluster(self):
        """The scores of the items of each cluster."""
        found = defaultdict(list)
        for item, score in self.items.items():
            found[self.clusters[item]].append(score)
        return list(found.values())

    def within(self, group):
        wanted = [r for r in self.judged if group in (r["trial"].get("groups") or ())]
        return [r["verdict"]["state"] == "correct" for r in wanted]


def number(text):
    return float(text.replace("−", "-").replace(",", ""))


@pytest.fixture(scope="module")
def told(world):
    book = RunSet([world.root / name for name in world.runs])
    (board,) = overview(book).benchmarks
    return board


@pytest.fixture(scope="module")
def raw(world):
    found = {name: Raw(world.root / name) for name in world.runs}
    if all(run.every and run.other_way for run in found.values()):  # all altered alike
        for run in found.values():
            run.judge(run.every, True)
    return found


def ranked(raw):
    able = {n: r for n, r in raw.items() if r.judged}
    return {n: r for n, r in able.items() if r.finished} or able


def alike(one, two):
    """Whether two runs were asked nearly the same items."""
    first, second = set(one.items), set(two.items)
    return len(first & second) >= 0.95 * max(len(first), len(second))


def shared_items(runs):
    return set.intersection(*(set(r.items) for r in runs.values()))


def apart(one, two, items, tests=1):
    """Whether two runs differ by a test of swaps in whole clusters; None where it is near."""
    sums = defaultdict(float)
    for item in items:
        sums[one.clusters[item]] += one.items[item] - two.items[item]
    sizes = np.array(list(sums.values()))
    signs = np.random.default_rng(1).choice([-1, 1], size=(4000, len(sizes)))
    p = tests * float(np.mean(np.abs(signs @ sizes) >= abs(sizes.sum()) - 1e-9))
    return None if 0.02 < p < 0.12 else p < 0.05


def close(said, true, digits):
    return abs(number(said) - true) <= 0.5 * 10**-digits + 1e-6


def digits(text):
    return len(text.partition(".")[2])


def check_most(match, raw, prefix):
    able = ranked(raw)
    items = set(shared_items(able))
    means = {n: fmean(r.items[i] for i in items) for n, r in able.items()}
    best = match["who"]
    assert means[best] == max(means.values())
    assert close(match["value"], 100 * means[best], digits(match["value"]))
    whole = all(set(r.items) == items for r in able.values())
    assert bool(prefix) == (not whole)
    if prefix:
        assert number(prefix) == len(items)
    return best, means, items


def check_better(match, raw, prefix):
    best, means, items = check_most(match, raw, prefix)
    able = ranked(raw)
    others = [n for n in able if n != best]
    assert not match["count"] or int(match["count"]) == len(others)
    nearest = match["other"]
    assert means[nearest] == max(means[n] for n in others)
    gap = 100 * (means[best] - means[nearest])
    assert close(match["mean"], gap, digits(match["mean"]))
    low, high = number(match["low"]), number(match["high"])
    assert low <= number(match["mean"]) <= high
    assert low > 0 or "." in match["low"]
    difference = {i: able[best].items[i] - able[nearest].items[i] for i in items}
    half = 1.96 * able[best].error(difference) * 100
    assert abs((high - low) / 2 - half) < max(3, 0.35 * half)
    for other in others:
        assert apart(able[best], able[other], items, len(others)) is not False


def check_open(match, raw, prefix):
    best, _, items = check_most(match, raw, prefix)
    able = ranked(raw)
    named = set(re.split(r", | and ", match["others"]))
    several = any("others" in name for name in named)
    for other in set(able) - {best}:
        verdict = apart(able[best], able[other], items, len(able) - 1)
        if other in named:
            assert verdict is not True
        elif not several:
            assert verdict is not False


def check_apart(match, raw, prefix):
    able = ranked(raw)
    one, two = able[match["who"]], able[match["other"]]
    items = shared_items({"a": one, "b": two})
    assert apart(one, two, items) is not True
    first, second = (fmean(r.items[i] for i in items) for r in (one, two))
    assert close(match["value"], 100 * first, 1)
    assert close(match["second"], 100 * second, 1)
    assert close(match["mean"], 100 * (first - second), digits(match["mean"]))
    assert number(match["low"]) <= 100 * (first - second) <= number(match["high"])
    assert (match["clusters"] is not None) == (number(match["low"]) > 0)
    if match["clusters"]:
        assert int(match["clusters"]) == len(set(one.clusters.values()))
    whole = all(set(r.items) == items for r in (one, two))
    assert (match["n"] is None) == whole
    if match["n"]:
        assert number(match["n"]) == len(items)


def check_alone(match, raw, prefix):
    run = ranked(raw)[match["who"]]
    assert close(match["value"], 100 * run.accuracy, digits(match["value"]))
    if run.chance is None:
        assert match["chance"] is None
        return
    assert close(match["chance"], 100 * run.chance, digits(match["chance"]))
    check_guess(run, match["guess"])


def check_guess(run, word):
    distance = (run.accuracy - run.chance) / run.error()
    found = beyond(run.by_cluster(), run.chance)
    if word == "better than":
        assert distance > 1.3
        assert found is not False
    elif word == "worse than":
        assert distance < -1.3
        assert found is not False
    else:
        assert abs(distance) < 2.6 or found is not True


def check_untold(match, raw, prefix):
    check_alone(match, raw, prefix)
    able = ranked(raw)
    run = able.pop(match["who"])
    assert not any(alike(run, other) for other in able.values())  # else they would be compared
    assert beyond(run.by_cluster(), run.chance) is not True
    assert int(match["n"]) == len(run.by_cluster())
    assert (match["units"] == "items") == (len(run.items) == len(run.by_cluster()))


def check_guesses(match, raw, prefix):
    able = ranked(raw)
    names = re.split(r", | and ", match["who"])
    assert (match["is"] == "is") == (len(names) == 1)
    several = any("others" in name for name in names)
    for name in names:
        if "others" not in name:
            check_guess(able[name], match["word"])
            assert not able[name].mute
    if not several and match["word"] != "worse than":
        for name in set(able) - set(names):
            if able[name].mute:
                continue
            distance = (able[name].accuracy - able[name].chance) / able[name].error()
            assert abs(distance) > 1.3


def check_by_itself(match, raw, prefix):
    names = re.split(r", | and ", match["who"])
    assert (match["is"] == "is") == (len(names) == 1)
    assert int(match["runs"]) == len(raw) > 1
    for name in names:
        run = ranked(raw)[name]
        check_guess(run, f"{match['side']} than")
        # Corrected it would be significant nowhere below the smallest p of the page.
        assert float(match["p"]) < 0.05 <= float(match["p"]) * len(raw) + 0.005


def check_mute(match, raw, prefix):
    named = re.split(r", | and ", match["who"]) if match["who"] else raw
    assert all(raw[name].mute for name in named)


def check_mute_alone(match, raw, prefix):
    assert number(match["value"]) == raw[match["who"]].accuracy == 0
    check_mute(match, raw, prefix)


def check_each_of(match, raw, prefix):
    able = ranked(raw)
    assert int(match["count"]) == len(able)
    for run in able.values():
        assert close(match["value"], 100 * run.accuracy, digits(match["value"]))


def check_none_above(match, raw, prefix):
    assert len({run.accuracy for run in ranked(raw).values()}) == 1


def check_level(match, raw, prefix):
    able = ranked(raw)
    best = max(run.accuracy for run in able.values())
    assert close(match["value"], 100 * best, digits(match["value"]))
    named = re.split(r", | and ", match["who"])
    assert set(named) == {name for name, run in able.items() if run.accuracy == best}


def check_not_above(match, raw, prefix):
    able, items = ranked(raw), shared_items(ranked(raw))
    for name in re.split(r", | and ", match["others"]):
        assert apart(able[match["who"]], able[name], items, len(able) - 1) is not True


def check_few(match, raw, prefix):
    shared = len(shared_items(ranked(raw)))
    assert int(match["n"]) == shared > 0
    assert (match["unit"] == "item") == (shared == 1)


def check_groups(match, raw, prefix):
    for group in re.split(r", | and ", match["groups"]):
        for run in ranked(raw).values():
            right = run.within(group.lower())
            assert len(right) >= 20
            error = math.sqrt(0.25 * 0.75 / len(right))
            assert abs(fmean(right) - 0.25) < 3 * error


def check_letter(match, raw, prefix):
    names = [n for n in re.split(r", | and ", match["who"]) if "others" not in n]
    assert (match["how"][-1] == "s") == (names == [match["who"]])
    for name in names:
        check_one_letter(match, raw[name])


def check_one_letter(match, run):
    letters = [r["verdict"].get("letter") for r in run.judged if r["verdict"].get("letter")]
    share = letters.count(match["letter"]) / len(letters)
    if "always" in match["how"]:
        assert share == 1
        return
    keyed = [
        next(letter for letter, _, key in r["trial"]["options"] if key == r["trial"]["target"])
        for r in run.judged
    ]
    excess = {c: letters.count(c) / len(letters) - keyed.count(c) / len(keyed) for c in "ABCD"}
    assert excess[match["letter"]] == max(excess.values()) > 0
    assert share > 0.25


def check_late(match, raw, prefix):
    names = re.split(r", | and ", match["who"])
    late = {n for n, r in raw.items() if r.judged and not r.finished}
    assert set(names) == late
    assert set(ranked(raw)) & late == set()


def check_dead(match, raw, prefix):
    for name in re.split(r", | and ", match["who"]):
        assert raw[name].errors == raw[name].count > 0


def check_strangers(match, raw, prefix):
    assert not shared_items(ranked(raw))
    assert (match["all"] == "both") == (len(ranked(raw)) == 2)


def check_otherwise(match, raw, prefix):
    """No two that share what they were asked are told apart by this."""
    runs = ranked(raw).values()
    assert not all(alike(one, two) for one in runs for two in runs)


def check_altered(match, raw, prefix):
    assert raw[match["who"]].altered


def check_ungraded(match, raw, prefix):
    assert raw[match["who"]].ungraded
    assert not raw[match["who"]].judged


def check_empty(match, raw, prefix):
    assert raw[match["who"]].count == 0


P = r"(?P<{}>[\d.−]+)"
V = r"(?P<{}>[\d.]+) %"
ENDS = rf"\({P.format('low')} to {P.format('high')}\)"
CLAUSES = {
    rf"(?P<who>\S+) answers {V.format('value')} right, better than (?P<other>\S+) by "
    rf"{P.format('mean')} points {ENDS}(?P<count>)?": check_better,
    rf"(?P<who>\S+) answers {V.format('value')} right, more than each of the other (?P<count>\d+); "
    rf"the nearest, (?P<other>\S+), is {P.format('mean')} points behind {ENDS}": check_better,
    rf"(?P<who>\S+) has the highest accuracy, {V.format('value')}, but is not significantly better "
    r"than (?P<others>.+)": check_open,
    rf"[Nn]o significant difference between (?P<who>\S+) \({V.format('value')}\) and "
    rf"(?P<other>\S+) \({V.format('second')}\)"
    r"(?:, on the (?P<n>[\d,]+) items? that both share)?"
    r"(?: by a test on (?P<clusters>\d+) clusters \(p\s=\s[\d.]+\))?: "
    rf"{P.format('mean')} points between them {ENDS}": check_apart,
    rf"(?P<who>\S+) answers {V.format('value')} right(?:, (?P<guess>better than|worse than|not "
    rf"significantly better than) chance \({V.format('chance')}\)(?:: look at how its replies were "
    r"read)?)?": check_alone,
    rf"(?P<who>\S+) answers {V.format('value')} right: no reply holds a readable answer": (
        check_mute_alone
    ),
    rf"(?P<who>\S+) answers {V.format('value')} right, (?P<guess>not significantly better than) "
    rf"chance \({V.format('chance')}\) by a test on (?P<n>\d+) (?P<units>clusters|items)": (
        check_untold
    ),
    r"(?P<who>.+) (?P<is>is|are) (?P<word>not significantly better than|better than|worse than) "
    r"chance": (check_guesses),
    r"(?P<who>.+) (?P<is>is|are) (?P<side>better|worse) than chance by (?:itself|themselves) "
    r"\((?:each )?p\s=\s(?P<p>[\d.]+)(?: or less)?\), not after correction for the "
    r"(?P<runs>\d+) runs of this page": check_by_itself,
    r"[Ii]n (?P<groups>.+) (?:none is|it is not) significantly better than chance": check_groups,
    r"(?P<who>.+) (?P<how>always answers?|favours?) (?P<letter>\w)": check_letter,
    r"(?P<who>.+) (?:is|are) unfinished and not ranked": check_late,
    r"[Aa]ll trials of (?P<who>.+) failed": check_dead,
    r"[Dd]ifferent models that were not asked alike are not compared with .*": check_otherwise,
    r"(?P<list>.+): they cannot be compared, as no item is shared by (?P<all>all|both)": (
        check_strangers
    ),
    r"(?P<list>.+): they cannot be compared, as (?:all|both) share only (?P<n>\d+) "
    r"(?P<unit>items?)": check_few,
    rf"[Ee]ach of the (?P<count>\d+) answers {V.format('value')} right": check_each_of,
    r"no significant difference between (?:the two|any of the \d+)": check_none_above,
    rf"(?P<who>.+) have the highest accuracy, {V.format('value')} each": check_level,
    r"(?P<who>\S+) is not significantly better than (?P<others>.+)": check_not_above,
    r"no reply of (?P<who>.+) holds a readable answer": check_mute,
    r"(?P<who>\S+) was judged with (?P<alone>\S+) only: there is no result in the main condition": (
        check_altered
    ),
    r"[Tt]he replies of (?P<who>\S+) have no right answer, and nobody has judged them yet": (
        check_ungraded
    ),
    r"(?P<who>\S+) has answered nothing yet": check_empty,
}
EARLY = (check_groups, check_none_above)
ORDER = [
    *(p for p, check in CLAUSES.items() if check in EARLY),
    *(p for p, check in CLAUSES.items() if check not in EARLY),
]


INSIDE = ("; the nearest, ",)


def says(chapter, language="en"):
    """All that the first screen says of a benchmark, but for what is there for scale."""
    first, more = chapter.told
    assert len(first.facts["clauses"]) <= 2
    each = [say(one, language) for one in (first, *more) if one.name == "lead"]
    return "; ".join(one.removesuffix(".") for one in each) + each[0][-1]


def clauses(sentence):
    """The sentence taken apart into clauses that are checked; anything else fails."""
    rest = sentence.replace(NBSP, " ").removesuffix(".")
    for words in INSIDE:
        rest = rest.replace(words, words.replace(";", "\x00"))
    for clause in rest.split("; "):
        clause, prefix = clause.replace("\x00", ";"), None
        if found := re.match(r"(?:[Aa]sked w|W|w)ith (\S+) only, ", clause):
            clause = clause[found.end() :]
        if found := re.match(r"[Oo]n the ([\d,]+) items? that (?:all|both) share, ", clause):
            prefix, clause = found[1], clause[found.end() :]
        pattern = next((p for p in ORDER if re.fullmatch(p, clause)), None)
        assert pattern, f"not understood: {clause}"
        yield pattern, re.fullmatch(pattern, clause), prefix


class Named(dict):
    def __missing__(self, key):
        return None


def test_every_clause_of_the_finding_is_true(told, raw):
    sentence, chinese = says(told), says(told, "zh")
    found = list(clauses(sentence))
    assert found
    for pattern, match, prefix in found:
        CLAUSES[pattern](Named(match.groupdict()), raw, prefix)
    # Nobody is passed over who matters: each run without a figure is named, or stands below the
    # picture with its reason where others have one.
    if not ranked(raw):
        assert all(name in sentence for name in raw)
    assert chinese.endswith("。")


def test_the_five_answers_of_each_run_are_true(told, raw, world):
    names = list(world.runs)
    for own in told.lead.standings:
        run = raw[names[own.run]]
        assert (own.state == "judged") == bool(run.judged)
        if own.state != "judged":
            continue
        assert own.value == pytest.approx(run.accuracy)
        assert own.low <= own.value <= own.high
        assert own.n == len(run.items)
        if run.chance is None:
            assert own.guess == "free"
        else:
            assert own.chance == pytest.approx(run.chance)
            word = {"better": "better than", "worse": "worse than"}.get(own.guess, "open")
            check_guess(run, word)
        letters = [r["verdict"].get("letter") for r in run.judged if r["verdict"].get("letter")]
        if own.letter and own.letter.verdict == "always":
            assert set(letters) == {own.letter.letter}
        elif own.letter:
            share = letters.count(own.letter.letter) / len(letters)
            assert own.letter.chosen == pytest.approx(share)
        if own.coverage == "whole":
            assert run.finished
            assert not any(
                r["trial"].get("tags", {}).get("item", "q").startswith("x") for r in run.judged
            )
        for gap in own.listening:
            if gap.gap.p < 0.01:
                assert abs(gap.gap.value) > 0


def test_an_interval_of_few_clusters_is_not_set_against_the_test(tmp_path):
    """The interval may exclude 0 where so few clusters cannot show anything: the test is named."""
    every = clustered(60)
    low = [always("A" if n % 20 < 7 + n // 20 else "B")(t) for n, t in enumerate(every)]
    write_run(tmp_path / "a", "quiz", "a", map(right, every))
    write_run(tmp_path / "b", "quiz", "b", low)
    (board,) = overview(RunSet([tmp_path / "a", tmp_path / "b"])).benchmarks
    said = says(board).replace(NBSP, " ")
    ((_, match, _), *_) = clauses(said)
    assert number(match["low"]) > 0
    assert " by a test on 3 clusters (p = 0.25): 60.0 points between them" in said
    assert any("; p\xa0=\xa00.25)" in str(f.words) for f in board.findings)


def test_twenty_sets_and_more():
    assert len(SETS) >= 20


def test_a_headline_that_is_a_score_is_told_as_one(tmp_path, monkeypatch):
    from zhiyin.contract.declared import Headline

    asked = mucho_trials(30)

    def graded(name, mean):
        for n, trial in enumerate(asked):
            record = student(name, 0.5)(trial)
            record.verdict.scores["closeness"] = min(1, mean + 0.1 * (n % 3))
            yield record

    monkeypatch.setattr(
        "findings_help.Tracks.measures", Headline("all", "score", "closeness").measures()
    )
    for name, mean in (("near", 0.7), ("far", 0.3)):
        write_run(tmp_path / name, "tracks", name, graded(name, mean))
    (board,) = overview(RunSet([tmp_path / "near", tmp_path / "far"])).benchmarks
    said = says(board).replace(NBSP, " ")
    assert said.startswith("near reaches 80.0 % in closeness, better than far by 40.0 points (")
    assert "right" not in said
    assert "guessing" not in said
    score = [str(f.words) for f in board.findings if f.topic == "score"]
    assert any("closeness" in text for text in score)


def test_runs_that_are_whole_stand_beside_published_rows_and_no_other(tmp_path, monkeypatch):
    from published_help import declare

    asked = mucho_trials(20)
    declare(monkeypatch, "tracks", asked)
    write_run(tmp_path / "whole", "tracks", "whole", map(answering("whole", 0.6), asked))
    write_run(tmp_path / "part", "tracks", "part", map(answering("part", 0.6), asked[:9]), limit=9)
    (one,) = overview(RunSet([tmp_path / "whole"])).benchmarks
    assert one.lead.published[0].value >= one.lead.published[-1].value
    assert one.lead.standings[0].coverage == "whole"
    (other,) = overview(RunSet([tmp_path / "part"])).benchmarks
    assert other.lead.published == []
    assert other.lead.standings[0].coverage == "part"


def test_silence_to_silence_is_no_fault_to_mend(tmp_path):
    """Replies without an answer count against a run only where there was something to hear."""
    world = Quiz(tmp_path)
    asked = mucho_trials(40, audio=("true", "silence"))
    records = [
        student("a", 0.9)(t) if t.tags["audio"] == "true" else answered(t, None, "I hear nothing.")
        for t in asked
    ]
    world.add("a", records, "tracks")
    about = overview(RunSet([tmp_path / "a"]))
    assert not [one for _, one in about.todo if "audit" in one.remedy]
    mute = [answered(t, None, "Hm.") if t.tags["audio"] == "true" else r
            for t, r in zip(asked, records, strict=True)]  # fmt: skip
    world.add("b", mute, "tracks")
    about = overview(RunSet([tmp_path / "b"]))
    (one,) = [one for _, one in about.todo if "audit" in one.remedy]
    assert one.text.startswith("80 of 80 replies hold no readable answer")


def test_the_whole_of_a_part_is_not_the_whole_benchmark():
    """ "yes, all 334 items" was said of a run of 334 of 1,000 questions, all those on music."""
    lead = Lead("accuracy", "music", "music", [])
    own = Standing(0, "model", "judged", n=334, coverage="whole", finished=True, apart="only music")
    answer = is_whole(own, lead)
    assert (answer.mood, str(answer.text), answer.detail) == (
        "soft", "the whole of music", "only music",
    )  # fmt: skip
    own.apart = None
    assert str(is_whole(own, lead).text) == "yes"
