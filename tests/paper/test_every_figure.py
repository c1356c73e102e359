"""Every number that is drawn: each figure's CSV, and its picture, against where they come from.

The figures are found in the source (each makes a `Drawn`) and through the registry (each benchmark
draws its own): one without a check here fails the first tests. A check says what the CSV must hold,
from what a command prints or counted anew from the log, and what the SVG must show of the CSV.
"""

import ast
import contextlib
import csv
import importlib
import io
import json
import math
import re
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from columns_help import interval_of
from conftest import REPOSITORY
from findings_help import (
    choice,
    fidelity_records,
    mucho_trials,
    perception_trials,
    student,
    write_run,
)
from published_help import declare
from zhiyin.cli import main
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.registry import find, ours
from zhiyin.engine.folder import read_records
from zhiyin.engine.scoring import ALL
from zhiyin.runs.rows import rows_of as trials_of

pytest.importorskip("matplotlib")

from zhiyin.plugins.benchmarks.perception.tasks import TASKS
from zhiyin.plugins.benchmarks.ziqi import bias_command
from zhiyin.plugins.benchmarks.ziqi.bias_command import (
    BLACK_AFRICAN,
    COMPREHENSION,
    ELSEWHERE,
    EUROPEAN,
    FEMALE,
)
from zhiyin.plugins.paper import figures as report_figures

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
CHECKS = {}
"""By the name of a figure without its benchmark: from what was drawn to nothing, or it fails."""


def check(function):
    CHECKS[function.__name__.removeprefix("check_")] = function
    return function


# ---- the pictures -----------------------------------------------------------------------------


class Panel:
    """What an SVG shows in one pair of axes, in the units of the axes.

    `marks`: x and y of every mark; `lines`: the corners of every line without marks; `bars`: left,
    right, bottom and top of every filled rectangle; `words`: every text.
    """

    def __init__(self, group, axes, height):
        self.axes, self._height = axes, height
        self._back = axes.transData.inverted()
        self.marks, self.lines, self.bars, self.words = [], [], [], []
        for child in group:
            name = child.get("id", "")
            if name.startswith("line2d"):
                self._line(child)
            elif name.startswith("patch"):
                self._patch(child)
            elif name.startswith("text"):
                self.words += texts(child)

    def _places(self, points):
        scale = self.axes.figure.dpi / 72
        pixels = [(x * scale, (self._height - y) * scale) for x, y in points]
        return [tuple(map(float, place)) for place in self._back.transform(pixels)]

    def _line(self, group):
        uses = group.findall(f".//{SVG}use")
        self.marks += self._places([(float(u.get("x")), float(u.get("y"))) for u in uses])
        for path in group.findall(f"{SVG}path"):  # a line may have gaps
            self.lines += [self._places(piece) for piece in pieces(path)]

    def _patch(self, group):
        path = group.find(f"{SVG}path")
        if path is not None and "fill: none" not in (path.get("style") or ""):
            xs, ys = zip(*self._places(corners(path)), strict=True)
            self.bars.append((min(xs), max(xs), min(ys), max(ys)))

    def whiskers(self, across):
        """The ends of the lines of two points that lie along one axis, sorted."""
        way = 0 if across else 1
        ends = [
            tuple(sorted(point[way] for point in line))
            for line in self.lines
            if len(line) == 2 and close(line[0][1 - way], line[1][1 - way], 1e-3)
        ]
        return sorted(ends)


def corners(path):
    return [corner for piece in pieces(path) for corner in piece]


def pieces(path):
    found = []
    for piece in filter(str.strip, path.get("d").split("M")):
        numbers = [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", piece)]
        found.append(list(zip(numbers[::2], numbers[1::2], strict=True)))
    return found


def texts(group):
    """What the paths of a text spell: matplotlib writes it beside them."""
    return [c.text.strip() for c in group.iter() if c.tag is ET.Comment]


def panels_of(drawn, figure):
    builder = ET.XMLParser(target=ET.TreeBuilder(insert_comments=True))
    root = ET.fromstring(figure.files["svg"].read_text("utf-8"), builder)
    height = float(root.get("viewBox").split()[3])
    groups = [g for g in root.iter(f"{SVG}g") if re.fullmatch(r"axes_\d+", g.get("id", ""))]
    shown = [axes for axes in drawn.canvas.axes if axes.get_visible()]
    assert len(groups) == len(shown)
    return [Panel(group, axes, height) for group, axes in zip(groups, shown, strict=True)]


def close(one, other, room=2e-3):
    return math.isclose(one, other, rel_tol=room, abs_tol=room)


def alike(found, wanted, room=2e-3):
    """Whether two lists of numbers, or of rows of them, are one but for their order."""
    left = [np.atleast_1d(value) for value in found]
    assert len(left) == len(wanted), (found, wanted)
    for value in wanted:
        near = [n for n, one in enumerate(left) if np.allclose(one, value, rtol=room, atol=room)]
        assert near, (value, found)
        del left[near[0]]


def numbers(rows, *names):
    """Some columns of rows, those without a value left out."""
    return [
        tuple(float(row[name]) for name in names)
        for row in rows
        if all(row[name] for name in names)
    ]


def flat(values):
    return [value for (value,) in values]


# ---- what they come from ------------------------------------------------------------------------


def told(*words):
    return json.loads(_told(tuple(map(str, words))))


@cache
def _told(words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*words, "--json"]) == 0
    return out.getvalue()


def table_of(run, title):
    found = [t for t in told("show", run)["details"] if t["title"] == title]
    return [dict(zip(found[0]["columns"], row, strict=True)) for row in found[0]["rows"]]


def plain(run):
    return trials_of(run).main


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def whole_or_true(groups, group):
    """A group as `show` names it: of the true sound, where other sounds were played too."""
    return groups.get(f"audio=true/{group}" if group != ALL else "audio=true") or groups[group]


def same(row, interval, *names):
    for name, value in zip(names, interval, strict=True):
        assert close(float(row[name]), value, 1e-9), (row, name, value)


# ---- the runs -----------------------------------------------------------------------------------


def muchomusic(root):
    asked = mucho_trials(30, audio=("true", "noise", "swap"))
    asked += mucho_trials(30, distractors=("ir", "cu"))
    for name, heard, unheard in (("listens", 0.9, 0.3), ("guesses", 0.5, 0.5)):
        records = [student(name, heard if t.tags["audio"] == "true" else unheard)(t) for t in asked]
        yield write_run(root / name, "muchomusic", f"http://host/v1#lab/{name}", records)
    few = map(student("few", 0.95), mucho_trials(30, shots=2))
    yield write_run(root / "few", "muchomusic", "http://host/v1#lab/listens", few, options__shots=2)


def perception(root):
    # One model hears far worse than it reads; the others do not differ: no bracket may borrow.
    for name, heard, read in (("deaf", 0.2, 0.9), ("even", 0.5, 0.5), ("fair", 0.6, 0.7)):
        asked = perception_trials(24)
        records = [
            student(name, heard if t.tags["modality"] == "audio" else read)(t) for t in asked
        ]
        records += fidelity_records() if name == "deaf" else []
        yield write_run(root / name, "perception", name, records)


def ziqi_trials():
    groups = [(COMPREHENSION, FEMALE), (COMPREHENSION, BLACK_AFRICAN), (COMPREHENSION, EUROPEAN)]
    groups += [(COMPREHENSION, ELSEWHERE, f"world_ethnic_music/{name}") for name in ("x", "y")]
    return [choice(f"q{i}", groups=groups[i % 5]) for i in range(200)]


def ziqi(root):
    for name, gift in (("good", 0.9), ("poor", 0.2)):
        yield write_run(root / name, "ziqi", name, map(student(name, gift), ziqi_trials()))


def rhythm_ability(root):
    levels = np.linspace(-2, 2, 30)
    tags = [{"a": 1.2, "b": float(level), "c": 0.25, "d": 1.0} for level in levels]
    asked = [choice(f"i{n}", tags=own, gold="ABCD"[n % 4]) for n, own in enumerate(tags)]
    for name, gift in (("steady", 0.7), ("lost", 0.0)):
        yield write_run(root / name, "rhythm-ability", name, map(student(name, gift), asked))


def ran(words):
    """Runs of a benchmark that makes its own items, by two baselines."""

    def runs(root):
        for model in ("random", "first"):
            told("run", *words.split(), "-m", model, "--quiet", "--out", root / model)
            yield root / model

    return runs


RUNS = {
    "muchomusic": muchomusic,
    "perception": perception,
    "ziqi": ziqi,
    "rhythm-ability": rhythm_ability,
    "pairs": ran("pairs --n 2 --fact third,note --change gain --hear 0,0.5s,100%"),
    "bodies": ran("bodies --n 1 --body sound,midi,abc"),
    "thresholds": ran("thresholds --dimension pitch"),
}
"""Of every benchmark that draws figures of its own, and for those that all have."""


@pytest.fixture(scope="module")
def every(tmp_path_factory):
    """Every figure, by name: what was drawn, its files, its rows and panels, and the runs."""
    root, found = tmp_path_factory.mktemp("figures"), {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZHIYIN_CACHE", str(root / "cache"))
        patch.setattr(bias_command, "_is_whole", lambda run: True)
        # Drawn in Chinese too, a figure is left with that layout, and places are read by it.
        patch.setattr(importlib.import_module(f"{report_figures.__name__}.style"), "_chinese_font",
                      lambda: None)  # fmt: skip
        declare(patch, "ziqi", ziqi_trials())
        for benchmark, make in RUNS.items():
            runs, drawn = list(make(root / benchmark)), []
            save = report_figures.save
            with pytest.MonkeyPatch.context() as inner:
                inner.setattr(
                    report_figures,
                    "save",
                    lambda d, *to, s=save, k=drawn: (k.append(d), s(d, *to))[1],
                )
                written = report_figures.write_figures(runs, root / "out" / benchmark)
            for one, figure in zip(drawn, written, strict=True):
                with figure.files["csv"].open(encoding="utf-8", newline="") as file:
                    rows = list(csv.DictReader(file))
                found[figure.name] = SimpleNamespace(
                    benchmark=benchmark, runs=runs, drawn=one, rows=rows,
                    panels=panels_of(one, figure), by_label=by_label(runs),
                )  # fmt: skip
    return found


def by_label(runs):
    (own,) = report_figures.gather(runs, lambda run: True).values()
    return {run.label: run.folder for run in own}


# ---- the list -----------------------------------------------------------------------------------


def in_source():
    """The names of all figures that the source makes: the last part of each `Drawn`'s name."""
    names = []
    for path in sorted((REPOSITORY / "src" / "zhiyin").rglob("*.py")):
        text = path.read_text("utf-8")
        ours = re.search(r"contract(?:\.declared)? import (?:\([^)]*|[^\n(]*)\bDrawn\b", text)
        ours = ours and path.name != "dots.py"  # draws what others name
        for node in ast.walk(ast.parse(text)) if ours else ():
            called = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if called in ("Drawn", "draw_dots"):
                first = node.args[0]
                last = first.values[-1] if isinstance(first, ast.JoinedStr) else first
                assert isinstance(last, ast.Constant), f"{path}: a name that cannot be read"
                names.append(last.value.lstrip("-"))
    return names


def test_every_figure_of_the_source_has_a_check_and_is_drawn(every):
    assert sorted(in_source()) == sorted(CHECKS)
    drawn = {name.removeprefix(f"{one.benchmark}-") for name, one in every.items()}
    assert drawn == set(CHECKS)


def test_every_benchmark_that_draws_is_drawn_here():
    for name in ours():
        own = {
            getattr(find(name), way).__func__ is not getattr(Benchmark, way).__func__
            for way in ("figures", "hearing")
        }
        assert name in RUNS or own == {False}, f"{name} draws: give it runs and checks here"


@pytest.mark.parametrize("name", sorted(in_source()))
def test_a_figure_is_true(every, name):
    of_it = [one for full, one in every.items() if full == f"{one.benchmark}-{name}"]
    assert of_it
    for one in of_it:
        assert one.rows, one.benchmark
        CHECKS[name](one)


# ---- the checks ---------------------------------------------------------------------------------


def told_of(one, row):
    """What `show` tells of a run in the group of a row."""
    return whole_or_true(told("show", one.by_label[row["run"]])["groups"], row["row"])


def as_drawn(panel, rows):
    """Every figure of a table has its mark, every interval that is drawn its ends."""
    alike([x for x, _ in panel.marks], flat(numbers(rows, "value")))
    ends = [tuple(sorted(pair)) for pair in numbers(rows, "low", "high") if finite(pair)]
    hollow = [mark for mark in panel.whiskers(True) if mark[0] >= -1]
    assert len(hollow) <= len(ends)
    for mark in hollow:
        assert any(np.allclose(mark, own, atol=2e-3) for own in ends), (mark, ends)


@check
def check_overview(one):
    (panel,) = one.panels
    several = "run" in one.rows[0]  # else models are in rows
    own = [row for row in one.rows if not row.get("run", "").endswith(" (published)")]
    assert {row["run" if several else "row"] for row in own} == set(one.by_label)
    reference = find(one.benchmark).published()
    for row in one.rows:
        if row not in own:  # a published model, with its date
            name = row["run"].removesuffix(" (published)").rpartition(", ")[0]
            known = reference.rows[name][row["row"]]
            assert float(row["value"]) in (known.get("accuracy"), known.get("recall"))
    for row in own:
        group = find(one.benchmark).measures[0].group
        shown = told_of(one, row if several else {"run": row["row"], "row": group})
        value = "accuracy" if several or row["kind"] == "run" else ""
        same(row, (shown[value], *shown["ci95"]), "value", "low", "high")
        assert int(row["items"]) == shown["items"]
    as_drawn(panel, one.rows)


@check
def check_headline(one):
    (panel,) = one.panels
    # The questions of the paper are others: none of its figures stands beside a run.
    assert {row["kind"] for row in one.rows} == {"run"}
    for row in one.rows:
        shown = told("show", one.by_label[row["row"]])["groups"][COMPREHENSION]
        assert close(float(row["value"]), shown["f1"], 1e-9)
        assert float(row["low"]) < shown["f1"] < float(row["high"])
    as_drawn(panel, one.rows)


@check
def check_groups(one):
    (panel,) = one.panels
    for row in one.rows:
        shown = told_of(one, row)
        same(row, (shown["accuracy"], *shown["ci95"]), "value", "low", "high")
        entries = [e for e in plain(one.by_label[row["run"]]) if has_group(e, row["row"])]
        assert close(float(row["value"]), mean(e.right for e in entries), 1e-9)
    as_drawn(panel, one.rows)


def has_group(entry, group):
    names = [re.sub(r"^audio=[a-z]+/?", "", name) for name in entry.groups]
    return any(name == group or name.startswith(f"{group}/") for name in names)


@check
def check_differences(one):
    (panel,) = one.panels
    every = [label for label in one.by_label if not label.endswith("shots")]
    every.sort(key=lambda r: -mean(e.right for e in plain(one.by_label[r])))
    size = len(plain(one.by_label[every[0]]))  # one of another size was asked otherwise
    every = [label for label in every if len(plain(one.by_label[label])) == size]
    best = every[:2]
    first, second = (one.by_label[name] for name in best)
    assert str(one.drawn.caption).startswith(f"{best[0]} minus {best[1]}")
    if one.benchmark != "muchomusic":  # where all trials are in the main way, `compare` has these
        own = (one.by_label[label] for label in every)
        pair = next(pair for pair in told("compare", *own)["pairs"]
                    if [pair["first"], pair["second"]] == best)  # fmt: skip
        rows = {row["group"]: row for row in pair["groups"]}
        for row in one.rows:
            source = rows[row["row"]]
            same(row, [source[n] for n in ("difference", "low", "high", "p", "p_adjusted")],
                 "value", "low", "high", "p", "p_adjusted")  # fmt: skip
    for row in one.rows:
        assert [row["first"], row["second"]] == best
        sides = [
            by_item(e for e in plain(run) if row["row"] == ALL or has_group(e, row["row"]))
            for run in (first, second)
        ]
        shared = sides[0].keys() & sides[1].keys()
        assert len(shared) == int(row["items"])
        difference = mean(sides[0][item] - sides[1][item] for item in shared)
        assert close(float(row["value"]), difference, 1e-9)
    as_drawn(panel, one.rows)
    bands = flat(numbers(one.rows, "detectable"))
    found = [right for left, right, _, _ in panel.bars if close(left, -right)]
    assert all(any(close(band, right) for right in found) for band in bands)


def by_item(entries):
    rights = defaultdict(list)
    for entry in entries:
        rights[entry.item].append(entry.right)
    return {item: mean(values) for item, values in rights.items()}


def finite(values):
    return all(map(math.isfinite, values))


@check
def check_shots(one):
    titles = {"Accuracy": "accuracy", "Instruction-following rate": "ifr"}
    for row in one.rows:
        label = "few" if row["row"] == "2" else "listens"
        entries = plain(next(run for run in one.runs if run.name == label))
        source = interval_of(entries.judged, titles[row["panel"]])
        same(row, (source.mean, source.low, source.high), "value", "low", "high")
    for title, panel in zip(titles, one.panels, strict=True):
        as_drawn(panel, [row for row in one.rows if row["panel"] == title])


@check
def check_distractors(one):
    (panel,) = one.panels
    for row in one.rows:
        every = trials_of(one.by_label[row["run"]])
        entries = every.where(
            [e.tags["distractors"] == row["row"] and e.tags["audio"] == "true" for e in every]
        )
        assert close(float(row["guessing"]), 1 / entries[0].options)
        source = interval_of(entries)
        same(row, (source.mean, source.low, source.high), "value", "low", "high")
        assert close(source.mean, mean(e.right for e in entries), 1e-9)
    as_drawn(panel, one.rows)
    chances = {row["row"]: float(row["guessing"]) for row in one.rows}
    alike([line[0][0] for line in panel.lines if upright(line)], list(chances.values()))


def level(line):
    return len(line) == 2 and close(line[0][1], line[1][1], 1e-4) and line[0][0] != line[1][0]


def upright(line):
    return len(line) == 2 and close(line[0][0], line[1][0], 1e-4) and line[0][1] != line[1][1]


@check
def check_attention(one):
    (panel,) = one.panels
    for row in one.rows:
        run = one.by_label[row["run"]]
        source = told("show", run)["groups"].get(f"audio={row['row']}")
        if source:
            same(row, (source["accuracy"], *source["ci95"]), "value", "low", "high")
        entries = trials_of(run).unvaried
        entries = entries.where([e.tags["audio"] == row["row"] for e in entries])
        entries = entries.where([e.tags.get("distractors", "all") == "all" for e in entries])
        assert close(float(row["value"]), interval_of(entries).mean, 1e-9)
        assert bool(row["p"]) == (row["row"] != "true")
        if row["row"] == "noise":
            assert (float(row["p"]) < 0.01) == row["run"].startswith("listens")
    names = [label.get_text() for label in panel.axes.get_yticklabels()]
    assert names[0].startswith("the track itself")
    as_drawn(panel, one.rows)


@check
def check_dose(one):
    (panel,) = one.panels
    for run in one.by_label.values():
        own = [row for row in one.rows if one.by_label[row["run"]] == run]
        known = {}
        for row in own:
            entries = trials_of(run)
            wanted = {"hear": row["row"], "audio": "true"}
            entries = entries.where([wanted.items() <= e.tags.items() for e in entries])
            interval = interval_of(entries)
            same(row, (interval.mean, interval.low, interval.high), "value", "low", "high")
            assert close(float(row["seconds"]), mean(e.tags["heard_s"] for e in entries), 1e-9)
            marks = [e.right - (e.answered - e.right) / (e.options - 1) for e in entries]
            known[row["row"]] = mean(marks)
        for row in own[:-1]:
            more = known["100%"] - known[row["row"]]
            assert close(float(row["needing_more"]), more, 1e-9)
            assert float(row["needing_low"]) <= more <= float(row["needing_high"])
        assert own[-1]["needing_more"] == ""
    as_drawn(panel, one.rows)


@check
def check_letters(one):
    runs = list(dict.fromkeys(row["run"] for row in one.rows))
    for run, panel in zip(runs, one.panels, strict=True):
        rows = [row for row in one.rows if row["run"] == run]
        entries = [e for e in plain(one.by_label[run]) if e.options > 1]
        took = Counter(e.letter for e in entries if e.letter)
        keyed = Counter(str(e.gold) for e in entries)
        for row in rows:
            assert int(row["chosen"]) == took[row["letter"]]
            assert int(row["gold"]) == keyed[row["letter"]]
            assert close(float(row["chosen_share"]), took[row["letter"]] / took.total(), 1e-9)
            assert close(float(row["gold_share"]), keyed[row["letter"]] / len(entries), 1e-9)
        alike([top for *_, top in bars_of(panel)], flat(numbers(rows, "chosen_share")))
        alike(
            [line[0][1] for line in panel.lines if level(line)], flat(numbers(rows, "gold_share"))
        )
        shares = [f"{100 * float(row['chosen_share']):.0f}" for row in rows]
        assert Counter(shares) <= Counter(panel.words)


def bars_of(panel):
    """The bars of a panel: not its ground, and not its spines."""
    left, right = panel.axes.get_xlim()
    bottom, top = sorted(panel.axes.get_ylim())
    whole = (min(left, right), max(left, right), bottom, top)
    return [bar for bar in panel.bars if not all(map(close, bar, whole))]


@check
def check_calibration(one):
    for run, panel in zip(dict.fromkeys(row["run"] for row in one.rows), one.panels, strict=True):
        rows = [row for row in one.rows if row["run"] == run]
        inside = defaultdict(list)
        for e in plain(one.by_label[run]).records():
            logprobs = e.exchange.final.logprobs
            if e.verdict.letter not in logprobs:
                continue
            weights = {o.letter: math.exp(logprobs[o.letter]) for o in e.trial.options}
            sure = weights[e.verdict.letter] / sum(weights.values())
            bin_ = next(r for r in rows if float(r["from"]) <= sure <= float(r["to"]) + 1e-12)
            inside[bin_["from"]].append((sure, e.verdict.state == "correct"))
        for row in rows:
            pairs = inside[row["from"]]
            assert int(row["n"]) == len(pairs)
            assert close(float(row["confidence"]), mean(s for s, _ in pairs), 1e-9)
            assert close(float(row["accuracy"]), mean(r for _, r in pairs), 1e-9)
        alike(panel.marks, numbers(rows, "confidence", "accuracy"))
        alike(panel.whiskers(False), numbers(rows, "low", "high"))
        total = sum(int(row["n"]) for row in rows)
        heights = [0.5 * int(row["n"]) / total for row in rows]
        alike([top for *_, top in bars_of(panel)], heights)


@check
def check_cost(one):
    (panel,) = one.panels
    cost = list(one.rows[0])[1]
    for row in one.rows:
        entries = plain(one.by_label[row["run"]])
        replies = [r.exchange.final for r in entries.judged.records()]
        usages = [reply.usage for reply in replies if reply.usage]
        if cost == "tokens_a_trial":
            tokens = mean(u["prompt_tokens"] + u["completion_tokens"] for u in usages)
            assert close(float(row[cost]), tokens, 1e-9)
        else:
            scale = 1000 if cost.startswith("milli") else 1
            known = [one.latency_s for one in replies if one.latency_s is not None]
            seconds = scale * mean(known)
            assert close(float(row[cost]), seconds, 1e-9)
        source = interval_of(entries)
        same(row, (source.mean, source.low, source.high), "accuracy", "low", "high")
    alike(panel.marks, numbers(one.rows, cost, "accuracy"))
    ends = numbers(one.rows, "low", "high")
    shown = [w for w in panel.whiskers(False) if any(np.allclose(w, e, atol=2e-3) for e in ends)]
    alike(shown, ends)


@check
def check_dimensions(one):
    counts = defaultdict(set)
    for run in one.runs:
        for entry in plain(run):
            for row in one.rows:
                if has_group(entry, row["dimension"]):
                    counts[row["dimension"]].add(entry.item)
    for row in one.rows:
        assert int(row["questions"]) == len(counts[row["dimension"]])
    for category, panel in zip(("knowledge", "reasoning"), one.panels, strict=True):
        own = flat(numbers([r for r in one.rows if r["category"] == category], "questions"))
        alike([x for x, _ in panel.marks], own)
        assert Counter(f"{n:.0f}" for n in own) <= Counter(panel.words)


@check
def check_modality(one):
    tasks = told("stats", "glmm", *one.runs)["tasks"]
    assert set(tasks) == {row["task"] for row in one.rows}
    for task, panel in zip(dict.fromkeys(row["task"] for row in one.rows), one.panels, strict=True):
        rows, fit = [row for row in one.rows if row["task"] == task], tasks[task]
        cells = {
            (m["levels"]["model"], m["levels"]["modality"]): m
            for m in fit["emmeans"]
            if set(m["levels"]) == {"model", "modality"}
        }
        gaps = {
            c["at"]["model"]: c["p"] for c in fit["contrasts"] if c["family"] == "modality | model"
        }
        assert len(set(gaps.values())) == len(gaps) == 3
        for row in rows:
            cell = cells[row["model"], row["modality"]]
            same(row, [cell[n] for n in ("probability", "lower", "upper", "observed", "n")],
                 "estimate", "low", "high", "observed", "n")  # fmt: skip
            assert close(float(row["p"]), gaps[row["model"]], 1e-9)
        stars = [word for word in panel.words if re.fullmatch(r"\*+|n\.s\.", word)]
        assert stars == [starred(gaps[model]) for model in fit["levels"]["model"]]
        alike([top for *_, top in bars_of(panel)], flat(numbers(rows, "estimate")))
        alike([y for _, y in panel.marks], flat(numbers(rows, "observed")))
        alike(panel.whiskers(False), numbers(rows, "low", "high"))


def starred(p):
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < 0.05 else "n.s."


@check
def check_fidelity(one):
    source = {
        row[""]: row
        for row in table_of(one.runs[0], "LogicLM: transcription fidelity beside accuracy, %")
    }
    for row in one.rows:
        cell = source[
            f"{row['task']}, {row['modality']}, {row['mask'].replace('_', ' ')}, {row['label']}"
        ]
        assert close(100 * float(row["f1"]), cell["F1"], 1e-9)
        assert close(100 * float(row["accuracy"]), cell["acc."], 1e-9)
        assert int(row["trials"]) == cell["n"]
    tasks = [task for task in TASKS if task in {row["task"] for row in one.rows}]
    for task, panel in zip(tasks, one.panels, strict=True):
        alike(panel.marks, numbers([r for r in one.rows if r["task"] == task], "f1", "accuracy"))


@check
def check_bias(one):
    bias = told("stats", "bias", *one.runs, "--published")["bias"]
    rows = {(row["what"], row["name"], row["group"]): row for row in one.rows}
    means = {}
    assert len(one.panels) == 8
    for theme, upper, lower in zip(bias["themes"], one.panels[:4], one.panels[4:], strict=True):
        own = [rows["F1", placed["model"], theme["group"]] for placed in theme["models"]]
        for placed, row in zip(theme["models"], own, strict=True):
            figure = placed["figure"]
            means.setdefault(placed["model"], []).append(figure["value"])
            assert close(float(row["value"]), figure["value"], 1e-9)
            ends = [float(row[n]) if row[n] else None for n in ("low", "high")]
            assert ends == pytest.approx([figure["low"], figure["high"]])
        alike([x for x, _ in upper.marks], flat(numbers(own, "value")))
        # The whole point: what has no interval has no line.
        alike(upper.whiskers(True), numbers(own, "low", "high"))
        assert len(upper.whiskers(True)) == len(one.runs)
        all_ = rows["F1", "mean of all models", theme["group"]]
        assert close(float(all_["value"]), theme["mean"], 1e-9)
        assert any(close(line[0][0], theme["mean"]) for line in upper.lines if len(line) == 2)
        shares = [theme[side] for side in ("above", "neutral", "below")]
        for side, share in zip(("above", "neutral", "below"), shares, strict=True):
            row = rows["share of models", side, theme["group"]]
            assert close(float(row["value"]), share, 1e-9)
        alike([right for _, right, *_ in bars_of(lower)], shares)
        assert Counter(f"{100 * share:.1f}" for share in shares) <= Counter(lower.words)
    for name, values in means.items():
        assert close(float(rows["F1", name, "mean of the four"]["value"]), mean(values), 1e-9)
    for panel in one.panels[:4]:  # each model's mean, as a line
        (line,) = (line for line in panel.lines if len(line) == len(means))
        alike([x for x, _ in line], [mean(values) for values in means.values()])


@check
def check_moved(one):
    (panel,) = one.panels
    for label, run in one.by_label.items():
        source = {row["what is changed"]: row for row in table_of(run, "What moves the answer")}
        for row in (row for row in one.rows if row["run"] == label):
            cell = source[row["row"]]
            assert int(row["items"]) == cell["items"]
            assert percents(row, "value", "low", "high") == digits(cell["moves"])
    as_drawn(panel, one.rows)


def percents(row, *names):
    return [round(100 * float(row[name])) for name in names if row[name]]


def digits(cell):
    """The figures of a cell, a share or a share with its interval, in whole per cent."""
    if isinstance(cell, str):
        return [int(number) for number in re.findall(r"-?\d+", cell)]
    parts = cell if isinstance(cell, tuple | list) else (cell,)
    return [round(100 * part) for part in parts if part is not None]


@check
def check_consistency(one):
    (panel,) = one.panels
    titles = {"moves with the fact": "moves", "stays otherwise": "stays"}
    for label, run in one.by_label.items():
        source = {str(row["fact"]): row for row in table_of(run, "Pairs, by fact")}
        for row in (row for row in one.rows if row["run"] == label):
            cell = digits(source[row["row"]][titles[row["counted"]]])
            assert percents(row, "value", "low", "high")[: len(cell)] == cell
    as_drawn(panel, one.rows)


@check
def check_losses(one):
    (panel,) = one.panels
    for label, run in one.by_label.items():
        rows = {row["row"]: row for row in one.rows if row["run"] == label}
        (source,) = table_of(run, "What is lost from reading to hearing to seeing")
        ways = [name for name in rows if name.startswith(("read", "hear"))]
        found = sorted(float(rows[name]["value"]) for name in ways)
        assert found == pytest.approx(sorted([source["before, %"], source["after, %"]]))
        assert {int(rows[name]["items"]) for name in ways} == {source["items"]}
    as_drawn(panel, one.rows)


@check
def check_matrix(one):
    for (label, run), panel in zip(one.by_label.items(), one.panels, strict=True):
        rows = [row for row in one.rows if row["run"] == label]
        source = {
            (row["skill"].replace(" ", ""), body.lower().split()[0]): digits(cell)
            for row in table_of(run, "Skill by format")
            for body, cell in row.items()
            if body != "skill" and cell
        }
        for row in rows:
            cell = source[row["skill"].replace("-", ""), row["body"]]
            assert [round(100 * float(row["mean"])), int(row["items"])] == cell
        shown = Counter(word for word in panel.words if word.isdigit())
        assert shown == Counter(f"{100 * float(row['mean']):.0f}" for row in rows)


@check
def check_audiogram(one):
    (panel,) = one.panels
    for label, run in one.by_label.items():
        (source,) = table_of(run, "Thresholds")
        (row,) = (row for row in one.rows if row["run"] == label)
        assert row["told"] == source["threshold"]
        assert row["answers"] == source["answers"]
    ladder = dimension_of("pitch").ladder
    hardest, easiest = ladder.ends

    def along(value):
        return (float(ladder.place(value)) - hardest) / (easiest - hardest)

    middle = [along(value) for (value,) in numbers(one.rows, "threshold")]
    alike([x for x, _ in panel.marks], [x for x in middle if 0 <= x <= 1])
    ends = [
        tuple(np.clip(sorted(map(along, pair)), 0, 1))
        for pair in numbers(one.rows, "lower", "upper")
    ]
    # One that lies at the end of what was asked has no length, and no ends in the table.
    found = [w for w in panel.whiskers(True) if w[1] - w[0] > 1e-6 and not close(w[1] - w[0], 1)]
    alike(found, [e for e in ends if e[1] - e[0] > 1e-6 and not close(e[1] - e[0], 1)], 5e-3)


def dimension_of(name):
    from zhiyin.plugins.music.hearing import DIMENSIONS

    return next(dimension for dimension in DIMENSIONS if dimension.name == name)


@check
def check_functions(one):
    (panel,) = one.panels
    ladder = dimension_of("pitch").ladder
    for label, run in one.by_label.items():
        counts = defaultdict(list)
        for record in read_records(run):
            if record.verdict.answer is not None:
                right = record.verdict.answer == record.trial.target
                counts[float(record.trial.tags["level"])].append(right)
        rows = [row for row in one.rows if row["run"] == label]
        assert {float(row["level"]): int(row["answers"]) for row in rows} == {
            level: len(values) for level, values in counts.items()
        }
        assert [int(row["right"]) for row in rows] == [
            sum(counts[float(row["level"])]) for row in rows
        ]
    wanted = [
        (float(ladder.place(float(row["level"]))), int(row["right"]) / int(row["answers"]))
        for row in one.rows
    ]
    alike(panel.marks, wanted)


@check
def check_scale(one):
    (panel,) = one.panels
    for label, run in one.by_label.items():
        (source,) = table_of(run, "Ability")
        (row,) = (row for row in one.rows if row["run"] == label)
        assert row["among people"] == source["among people, by the prior"]
        assert int(row["answers"]) == int(source["right"].split()[-1])
        with contextlib.suppress(ValueError):  # "< -1.5" where it is below the scale
            assert close(float(source["ability"]), float(row["ability"]), 6e-3)
    along = [(v + 3.5) / 7 for (v,) in numbers(one.rows, "ability") if -3.5 <= v <= 3.5]
    alike([x for x, _ in panel.marks], along)
    ends = [tuple((np.clip(pair, -1.5, 2.0) + 3.5) / 7) for pair in
            numbers(one.rows, "lower", "upper")]  # fmt: skip
    found = [w for w in panel.whiskers(True) if not close(w[1] - w[0], 1)]
    alike(found, ends)
