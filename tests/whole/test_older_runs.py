"""Run folders of the first log format stay readable, and tell the same figures.

The folders were made once (tests/data/runs-1/make.py) and are never made again.
"""

import json
import math
import tarfile
from pathlib import Path

import matplotlib.figure
import msgspec
import pytest

from conftest import REPOSITORY
from runs_help import figures, inside, lost, numbers, told
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.data import group_titles
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.record import Record
from zhiyin.runs import rows as rows_module
from zhiyin.runs import table
from zhiyin.runs.figures import group_in_words

KEPT = Path(__file__).parent.parent / "data" / "runs-1"


HEADINGS = {
    "ziqi: rotations none": "ziqi",
    "Reading rules side by side": "One log, read by several rules",
    "LogicLM: what became of the transcriptions": "LogicLM: outcomes of the transcriptions",
}
IN_WORDS = {
    "One log, read by several rules",
    "Intervals by track, spread over repeats",
    "F1 pooled, and as the mean of subthemes",
}
"""Tables whose groups were given by their names in the log."""
MANIFEST_LATER = ("label", "declared")


VERDICT_LATER = ("confidence", "span")


TRIAL_LATER = ("item", "condition")


RUNS = ("ziqi-first", "muchomusic-first", "perception-listener", "own-first", "appraisal-first")


def unpack(to):
    with tarfile.open(KEPT / "runs.tar.xz") as archive:
        archive.extractall(to, filter="data")
    return to


@pytest.fixture(scope="module")
def kept():
    """What was told when the runs were made, under the headings of today.

    Costs that differ by less than 5 % have no figure any more: see decision 0080.
    """
    text = (KEPT / "figures.json").read_text("utf-8")
    for before, now in HEADINGS.items():
        text = text.replace(before, now)
    found = json.loads(text)
    for run in found["show"].values():
        if "details" in run:
            run["details"] = shaped(run["details"])
            for title in IN_WORDS & run["details"].keys():
                rows = run["details"][title]["rows"]
                f1 = title.startswith("F1")
                titles = group_titles() if f1 else {}
                run["details"][title]["rows"] = {
                    str(titles.get(name) or group_in_words(name)): [
                        *row[:3], *([share / 100 for share in row[3:]] if f1 else row[3:])
                    ]
                    for name, row in rows.items()
                }  # fmt: skip
    tables = {k: v for k, v in found["report"].items() if not k.endswith("-cost.csv")}
    # A report's two best were not asked alike; `compare` has them: see `runs_help.PAIRS`.
    apart = tables.pop("ziqi-differences.csv").values()
    names = ("items", "difference", "low", "high", "p", "p_adjusted", "detectable")
    rows = [dict(zip(names, row[1:], strict=True)) for row in apart]
    groups = dict(zip(("all", "comprehension", "popular_music"), rows, strict=True))
    longest = {"pairs": {"longest | answers.py:first": {"groups": groups}}}
    found["compare"]["ziqi-rotated ziqi-first"] = longest
    found["report"] = (
        tables
        | {  # the p of an altered sound is in the test of attention, see there
            name: {key: row[2:6] for key, row in table.items()}
            for name, table in tables.items()
            if name.endswith(("-groups.csv", "-attention.csv"))
        }
    )
    return found


def shaped(details):
    """What was kept of a run's tables, in their shape of today: shares, each with its interval.

    No answer was a wrong one in the test of attention and is a guess among four now, so what the
    test says follows from what was kept; its intervals are others, and are not compared.
    """
    by_rules = details.get("One log, read by several rules")
    if by_rules is None:
        return details
    rows = {}
    for name, (_, _, *percent) in by_rules["rows"].items():  # of trials, which other tables count
        shares = [one / 100 for one in percent]
        paper, code, ours = ([[shares[n]], shares[n + 1]] for n in (0, 2, 4))
        rows[name] = [None, None, *ours, *paper, *code]
    spread = details["Intervals by track, spread over repeats"]["rows"]
    heard = {}
    for name, (_, items, tracks, *right) in details["Audio attention"]["rows"].items():
        read = (spread[f"audio={played}"][6] for played in ("true", name))
        true, now = (
            (one + (100 - each) / 4) / 100 for one, each in zip(right[:2], read, strict=True)
        )
        heard[name] = [None, items, true, now, [true - now], None, None, tracks]
    return details | {
        "One log, read by several rules": {"rows": rows},
        "Audio attention": {"rows": heard},
    }


@pytest.mark.trust
def test_every_command_tells_the_same_figures(kept, tmp_path, monkeypatch):
    def quick(figure, path, **_):  # the tables behind the charts are what is compared
        Path(path).write_bytes(b"")

    monkeypatch.setattr(matplotlib.figure.Figure, "savefig", quick)
    (tmp_path / "work").mkdir()
    now = figures(unpack(tmp_path), tmp_path / "work")
    before, boards = kept["leaderboard"], now.pop("leaderboard")
    then = {k: v for k, v in kept.items() if k != "leaderboard"}
    then["report"] = {k: v for k, v in kept["report"].items() if not k.endswith(".csv")}
    faults = lost(then, now)
    faults += not_drawn(kept["report"], now["report"])
    assert not faults, "\n".join(faults[:20])
    shown = [cells_of(row) for board in boards.values() for row in board["rows"].values()]
    for title, board in before.items():  # tables then were of one protocol each
        for name, row in board["rows"].items():
            assert any(cells_of(row) <= own for own in shown), (title, name)


def not_drawn(kept, now):
    """List the numbers behind a figure that no figure of the benchmark has any more."""
    faults = []
    for name, rows in kept.items():
        if name.endswith(".csv"):
            own = [n for other, table in now.items() if other.endswith(".csv")
                   and other.split("-")[0] == name.split("-")[0]
                   for row in table.values() for n in row if n is not None]  # fmt: skip
            wanted = [n for row in rows.values() for n in row if n is not None]
            faults += [f"{name}: {n}" for n in wanted
                       if not any(math.isclose(n, one, rel_tol=1e-9) for one in own)]  # fmt: skip
    return faults


def cells_of(row):
    """The figures of a row of a leaderboard, under whatever heading they stand."""
    return {tuple(round(x, 9) for x in cell.values() if x is not None)
            for cell in row["cells"].values()}  # fmt: skip


def test_a_figure_that_is_lost_or_another_is_seen(kept):
    assert lost(kept, kept) == []
    for other in (
        {"a": {"n": 4, "ci95": [0.1, 0.3]}},
        {"a": {"n": 3, "ci95": [0.1, 0.2]}},
        {"a": {"ci95": [0.1, 0.3]}},
        {"a": {"n": 3, "ci95": [0.1]}},
        {},
    ):
        assert lost({"a": {"n": 3, "ci95": [0.1, 0.3]}}, other)
    assert lost({"a": {"n": 3}}, {"a": {"n": 3, "more": 1}, "b": 2}) == []
    assert kept["show"]["runs/ziqi-first"]["states"]["error"] == 1
    assert kept["show"]["runs/muchomusic-second"]["groups"]["all"]["clusters"] == 4


def test_the_fixture_holds_what_it_is_for(tmp_path):
    runs = unpack(tmp_path) / "runs"
    kinds = {json.loads(p.read_bytes())["benchmark"] for p in runs.rglob("run.json")}
    assert kinds == {
        "appraisal", "audit", "intervals", "judge", "muchomusic", "perception",
        "questions-free", "questions-own", "ziqi",
    }  # fmt: skip
    options = json.loads((runs / "ziqi-rotated" / "run.json").read_bytes())["options"]
    assert options["rotations"] == "all"
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 250_000


def _without(runs: Path, manifest=(), verdict=(), trial=()):
    """Take fields out of all manifests and records, as if they had never been written."""
    for path in runs.rglob("run.json"):
        found = json.loads(path.read_bytes())
        path.write_text(json.dumps({k: v for k, v in found.items() if k not in manifest}))
    for path in runs.rglob("records.jsonl"):
        lines = []
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            for name, fields in (("verdict", verdict), ("trial", trial)):
                record[name] = {k: v for k, v in record[name].items() if k not in fields}
            lines.append(json.dumps(record, ensure_ascii=False) + "\n")
        path.write_text("".join(lines), "utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("run", RUNS)
def test_runs_without_later_fields_tell_the_same(kept, tmp_path, run):
    runs = unpack(tmp_path) / "runs"
    _without(runs, MANIFEST_LATER, VERDICT_LATER)
    with inside(tmp_path):
        now = numbers(json.loads(told("show", f"runs/{run}", "--json")))
        before = kept["show"][f"runs/{run}"]
        assert not lost(before["groups"], now["groups"])
        assert not lost(before.get("details", {}), now.get("details") or {})


@pytest.mark.slow
def test_commands_read_runs_without_later_fields(kept, tmp_path):
    runs = unpack(tmp_path) / "runs"
    _without(runs, MANIFEST_LATER, VERDICT_LATER, TRIAL_LATER)
    with inside(tmp_path):
        ziqi = ("runs/ziqi-first", "runs/ziqi-second")
        now = numbers(json.loads(told("compare", *ziqi, "--json")))
        (before,) = kept["compare"]["ziqi-first ziqi-second"]["pairs"].values()
        (found,) = now["pairs"].values()  # under its model's name, for it has no label
        assert not lost(before["groups"], found["groups"])
        for run in RUNS:
            told("show", f"runs/{run}")
            told("rescore", f"runs/{run}", "--extract", "flexible")
            told("export", f"runs/{run}", "--to", "csv", "-o", f"{run}.csv")
        told("report", *(f"runs/{run}" for run in RUNS), "-o", "report", "--no-figures")
        told("leaderboard", "runs", "--apart", "-o", "board")


def test_what_may_be_absent_has_a_default():
    required = {
        kind: {f.encode_name for f in msgspec.structs.fields(kind) if f.required}
        for kind in (Record, Manifest)
    }
    assert required[Record] == {"id", "verdict", "trial"}
    assert required[Manifest] == {"benchmark", "model", "config", "options", "planned"}


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """Runs of every benchmark: judged, audited, rotated, of other items, of a missing plug-in."""
    place = tmp_path_factory.mktemp("older")
    with tarfile.open(REPOSITORY / "tests/data/runs-1/runs.tar.xz") as packed:
        packed.extractall(place, filter="data")
    return sorted(path.parent for path in place.rglob("run.json"))


def outcome(call, *words):
    try:
        return msgspec.json.encode(call(*words))
    except InputError as error:
        return str(error)


def everything(runs):
    found = [outcome(summarise, run) for run in runs]
    by_name = {}
    for run in runs:
        by_name.setdefault(read_manifest(run).benchmark, []).append(run)
    found += [outcome(compare, some) for some in by_name.values() if len(some) > 1]
    return [*found, *(outcome(boards_of, run) for run in runs)]


def boards_of(run):
    return [board.as_data() for board in build(run)]


@pytest.mark.slow
def test_whatever_a_run_holds_one_pass_says_what_a_loop_over_its_records_says(older, monkeypatch):
    fast = everything(older)
    assert sum(isinstance(one, bytes) for one in fast) > 1.5 * len(older)
    monkeypatch.setattr(table, "_BLOCK", 200)  # bytes: every line is read in parts
    monkeypatch.setattr(rows_module, "_open", {})
    assert everything(older) == fast
