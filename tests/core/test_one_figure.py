"""Any figure that two views print is one figure, and any verdict one verdict: ten kinds of runs."""

import json

import pytest

from findings_help import answered, choice, failed, mucho_trials, student, write_run
from measures_help import CENTS, measured_run
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import MANIFEST
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table
from zhiyin.report.run_set import RunSet
from zhiyin.words import say

pytestmark = pytest.mark.slow

GIFTS = {"good": 0.9, "fair": 0.82, "poor": 0.3}


def quiz(n=120, size=1, tags=None):
    own = tags or [{}]
    return [
        choice(f"q{i}" + "".join(f"/{k}={v}" for k, v in tag.items()),
               groups=("theory" if i % 3 else "ear",),
               cluster=f"c{i // size}" if size > 1 else None, gold="ABCD"[i % 4],
               tags={"item": f"q{i}", **tag})
        for i in range(n) for tag in own
    ]  # fmt: skip


def asked(trials, *, ways=(), lost=0, silent=0, **changes):
    """Runs of three models that were asked these trials."""

    def make(root):
        for name, gift in GIFTS.items():
            answer = student(name, gift)
            records = [failed(t) if n < lost and name == "poor" else
                       answered(t, None) if n < silent and name == "fair" else answer(t)
                       for n, t in enumerate(trials)]  # fmt: skip
            folder = write_run(root / name, "toy", name, records, **changes)
            if ways:
                kept = json.loads((folder / MANIFEST).read_bytes())
                kept["declared"] = {"ways": list(ways)}
                (folder / MANIFEST).write_text(json.dumps(kept))

    return make


def by_cents(root):
    for name, level in (("good", 5.0), ("fair", 5.1), ("poor", 250.0)):
        measured_run(root / name, CENTS, level)


KINDS = {
    "repeats": asked(quiz(40, tags=[{"repeat": n} for n in (1, 2, 3)])),
    "clusters": asked(quiz(size=4)),
    "errors": asked(quiz(), lost=9),
    "no answers": asked(quiz(), silent=20),
    "conditions": asked(mucho_trials(30, audio=("true", "silence"))),
    "rotations": asked(quiz(40, tags=[{"rotation": n} for n in range(4)])),
    "doses": asked(
        quiz(60, tags=[{"hear": dose} for dose in ("100%", "25%", "0")]),
        ways=[{"name": "hear", "plain": "100%", "changes": "dose"}],
    ),
    "paraphrases": asked(
        quiz(60, tags=[{"words": words} for words in ("own", "1", "2")]),
        ways=[{"name": "words", "plain": "own", "changes": "words"}],
    ),
    "a part": asked(quiz(30), limit=30),
    "cents": by_cents,
}


@pytest.fixture(params=KINDS)
def runs(request, tmp_path):
    KINDS[request.param](tmp_path / "runs")
    return sorted((tmp_path / "runs").iterdir())


def told(row):
    """What two views must not tell differently of a pair in a group."""
    return (row.difference, row.low, row.high, row.p, row.p_adjusted, row.items, row.clusters,
            row.detectable)  # fmt: skip


def test_any_figure_and_any_verdict_of_two_views_is_one(runs):
    found = compare(runs)
    names = [run.label for run in found.runs]
    best = found.ranking[0].label
    resolved = {
        pair.second if pair.first == best else pair.first: pair.groups[0].resolved
        for pair in found.pairs
        if best in (pair.first, pair.second)
    }
    apart = {one.label for one in found.ranking if not one.finished}
    resolved = {name: own for name, own in resolved.items() if name not in apart}
    marked = {best, *(name for name, own in resolved.items() if not own)}
    marked = marked if any(resolved.values()) else set()
    assert resolved

    # The report: the same tests in every group, and the same words.
    (chapter,) = overview(RunSet(runs)).benchmarks
    sheet = MeasureSheet(RunSet(runs), chapter.name)
    (compared,) = sheet.compared(chapter.lead.measure)
    for pair in found.pairs:
        places = names.index(pair.first), names.index(pair.second)
        rows = compared.pairs[places]
        assert "all" in rows
        ours = {row.group: told(row) for row in pair.groups}
        for group, row in rows.items():
            theirs = next(ours[name] for name in (group, f"audio=true/{group}") if name in ours)
            assert told(row) == theirs
    lead = chapter.lead
    assert names[lead.best] == best
    assert {names[one.other]: one.won for one in lead.contests} == resolved
    sentence = say(chapter.told[0]) + "".join(map(say, chapter.told[1]))
    level = "not significantly better than" in sentence or "No significant" in sentence
    assert level == (not all(resolved.values())), sentence

    # Tables: the same figures, and the same rows stand out.
    table = paper_table(runs)
    cells = {str(row.cells[0]): row.cells[1] for row in table.rows}
    assert {name for name, cell in cells.items() if cell.strong} == marked
    standings = {names[own.run]: (own.value, own.low, own.high) for own in lead.standings}
    for name, value in standings.items():
        assert value[0] == pytest.approx(cells[name].value[0], abs=1e-12)
    for one in found.ranking:
        if one.score.n == lead.standings[0].n:
            assert one.score.mean == pytest.approx(standings[one.label][0], abs=1e-12)

    # Each run by itself.
    if lead.figure == "accuracy":
        for run in runs:
            own = summarise(run).groups["all"]
            assert own.accuracy == pytest.approx(standings[run.name][0], abs=1e-12)


def test_runs_asked_in_two_ways_are_told_and_tested_in_each(tmp_path):
    """As in a table: with and without worked examples, the models of either among themselves."""
    for shots in (0, 5):
        for name, gift in GIFTS.items():
            answer = student(f"{name}{shots}", gift)
            write_run(tmp_path / f"{name}-{shots}", "toy", name, map(answer, quiz()),
                      options__shots=shots)  # fmt: skip
    runs = sorted(tmp_path.iterdir())
    (chapter,) = overview(RunSet(runs)).benchmarks
    assert sorted(len(part.standings) for part in chapter.lead.parts) == [3, 3]
    assert len(chapter.pairs) == 6, "three pairs in either way, none across"
    sentence = say(chapter.told[0]) + " ".join(map(say, chapter.told[1]))
    assert "good" in sentence
    assert "good, 5 shots" in sentence
    assert "not asked alike" in sentence
    for shots in (0, 5):
        own = [n for n, run in enumerate(runs) if run.name.endswith(f"-{shots}")]
        found = compare([runs[n] for n in own])
        pairs = sorted(pair for pair in chapter.pairs if pair[0] in own)
        for pair, mine in zip(found.pairs, pairs, strict=True):
            assert told(pair.groups[0]) == told(chapter.pairs[mine]["all"])
