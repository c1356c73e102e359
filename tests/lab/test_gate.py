"""The gate: a run held against an earlier one, its exit status, and the files that it writes."""

import json
import math
import re
import shutil
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import numpy as np
import pytest

from columns_help import paired_scores
from page_tree import read
from suites_help import suite
from zhiyin.analysis.compare import compare_all
from zhiyin.cli import main
from zhiyin.engine.appending import write_sums
from zhiyin.errors import InputError
from zhiyin.plugins.lab.gate import AbsentRun, gate
from zhiyin.plugins.lab.gate_fall import fall_seen, shared_level
from zhiyin.plugins.lab.gate_summary import gate_table, parts_held, write_summary
from zhiyin.statistics.intervals import normal_quantile
from zhiyin.statistics.paired import paired_difference
from zhiyin.words import say


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate")
    text = suite(models=["Good", "Poor"], benchmarks=["Ears", "Books"], conditions=["plain"],
                 items=60)  # fmt: skip
    (folder / "small.toml").write_text(text)
    words = ["suite", str(folder / "small.toml"), "--out", str(folder / "s"), "--no-report"]
    assert main([*words, "--quiet"]) == 0
    return folder / "s"


@pytest.fixture(scope="module")
def good(made):
    return made / "runs" / "ears--plain--good"


@pytest.fixture(scope="module")
def poor(made):
    return made / "runs" / "ears--plain--poor"


def compared(*words):
    return main(["compare", *map(str, words)])


@pytest.mark.slow
def test_what_is_shown_to_be_worse_closes_the_gate(good, poor, capsys):
    assert compared(good, poor, "--fail-if-worse") == 3
    assert "The gate is closed: 3 of 3 failed" in capsys.readouterr().out
    assert compared(poor, good, "--fail-if-worse") == 0
    assert compared(good, poor) == 0


@pytest.mark.slow
def test_the_upper_end_decides_to_the_point(good, poor):
    """It fails where the upper end of new minus old lies below minus the points, and not there."""
    found = paired_difference(*paired_scores(poor, good))
    end = -100 * found.high
    assert compared(good, poor, "--fail-if-worse", f"{end - 0.01:.6f}") == 3
    assert compared(good, poor, "--fail-if-worse", f"{end + 0.01:.6f}") == 0
    (finding,) = gate({"ears": (good, poor)}, end - 0.01)
    assert (finding.difference, finding.low, finding.high) == (found.mean, found.low, found.high)


@pytest.mark.slow
def test_several_runs_share_the_error(made, good, poor):
    (alone,) = gate({"a": (good, poor)})
    first, *_ = gate({"a": (good, poor), "b": (good, poor), "c": (good, poor)})
    wide = paired_difference(*paired_scores(poor, good), 1 - 0.05 / 3)
    assert (first.low, first.high) == (wide.low, wide.high)
    assert first.low < alone.low < alone.high < first.high


def test_judges_of_one_pair_share_the_error_too(good, poor, monkeypatch):
    """Each judge has an interval of its own, and a job is red for any of them."""
    monkeypatch.setattr(
        "zhiyin.plugins.lab.gate.compare_all", lambda runs, measure: compare_all(runs) * 2
    )
    wide = paired_difference(*paired_scores(poor, good), 1 - 0.05 / 2)
    findings = gate({"a": (good, poor)})
    assert [(one.low, one.high) for one in findings] == [(wide.low, wide.high)] * 2


@pytest.mark.slow
def test_nights_without_a_change_fail_rarely_and_a_drop_is_found():
    """Both kinds of error of the rule, on right and wrong answers with the truth known."""
    draw = np.random.default_rng(5)
    nights, items, chance = 600, 300, 0.7

    def closed(drop):
        fails = 0
        for _ in range(nights):
            ease = draw.normal(size=items)
            old, new = (
                (ease + draw.normal(size=items) < np.quantile(ease, p)).astype(float)
                for p in (chance, chance - drop)
            )
            fails += paired_difference(new, old, None).high < 0
        return fails / nights

    assert closed(0) < 0.025 + 3 * np.sqrt(0.025 * 0.975 / nights)
    assert closed(0.15) > 0.8


def edited(run, **changes):
    """A run's manifest with other settings, written into its folder."""
    manifest = json.loads((run / "run.json").read_text())
    for name, value in changes.items():
        if name in manifest["config"]["options"]:
            manifest["config"]["options"][name] = value
        elif name in manifest["config"]:
            manifest["config"][name] = value
        else:
            manifest[name] = value
    (run / "run.json").write_text(json.dumps(manifest))
    return run


def test_a_copy_of_the_run_is_said_to_be_one(good, tmp_path):
    shutil.copytree(good, tmp_path / "again")
    (finding,) = gate({"ears": (good, tmp_path / "again")})
    assert (finding.state, finding.low, finding.high) == ("unheld", None, None)
    assert "nothing was asked anew" in str(finding.why)


def test_a_night_of_the_same_answers_keeps_the_width_of_its_interval(good, tmp_path):
    """That no item of 60 differs does not show that none of all items would."""
    again = edited(shutil.copytree(good, tmp_path / "again"), id="another")
    (finding,) = gate({"ears": (good, again)}, 2)
    assert finding.difference == 0
    assert finding.low < -0.02 < 0.02 < finding.high
    assert finding.state == "open"
    (finding,) = gate({"ears": (good, again)}, 10)
    assert finding.state == "kept"
    assert "not to be worse" in str(finding.why)
    # The same replies, given again from those that were kept, are nothing new.
    known = json.loads((good / "run.json").read_text())["id"]
    lines = [json.loads(line) for line in (again / "records.jsonl").read_text().splitlines()]
    for line in lines:
        line["exchange"]["turns"][0]["reply"]["detail"] = {"cached": True, "kept_by": known}
    (again / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (finding,) = gate({"ears": (good, again)}, 2)
    assert (finding.state, finding.low, finding.high) == ("unheld", None, None)
    assert "kept and given again" in str(finding.why)


def test_the_same_replies_have_no_interval_and_the_gate_holds(poor, tmp_path, capsys):
    """Neither in the gate's table, nor in that of `compare`, nor in its sentences."""
    again = edited(shutil.copytree(poor, tmp_path / "again"), id="another")
    (finding,) = gate({"ears": (poor, again)}, 2)
    assert (finding.state, finding.low, finding.high) == ("kept", None, None)
    assert compared(poor, again, "--fail-if-worse", 2) == 0
    told = capsys.readouterr().out
    assert "the same replies" in told
    assert not re.search(r"−\d+\.\d to \d|95 % interval|p = |skills", told)


def dated(folder, started):
    """A suite whose sessions were all at another time."""
    for run in (folder / "runs").iterdir():
        manifest = json.loads((run / "run.json").read_text())
        for session in manifest["sessions"]:
            session |= {"started": started, "ended": None}
        (run / "run.json").write_text(json.dumps(manifest))


def test_replies_of_an_earlier_session_tell_nothing_of_today(made, tmp_path, capsys):
    now, summary = tmp_path / "now", tmp_path / "gate.md"
    words = ["suite", str(made.parent / "small.toml"), "--no-report", "--quiet", "--out", str(now),
             "--baseline", str(made), "--summary", str(summary)]  # fmt: skip
    assert main(words) == 0
    assert "in this session" not in summary.read_text()
    dated(now, (datetime.now(UTC) - timedelta(hours=20)).isoformat(timespec="seconds"))
    # Again, as after a session that was broken off before its verdict.
    assert main(words) == 0
    assert "0 of 60 trials were asked in this session; the replies are of" in summary.read_text()
    dated(now, "2024-05-01T03:00:00+00:00")
    capsys.readouterr()
    assert main(words) == 2
    assert "No verdict: nothing was held (4 not held)" in capsys.readouterr().out
    assert "the replies are of 2024-05-01, and tell nothing of the model" in summary.read_text()
    run = now / "runs" / "ears--plain--poor"
    lines = (run / "records.jsonl").read_text().splitlines(True)
    (run / "records.jsonl").write_text("".join(lines[:-5]))
    (run / "SHA256SUMS").unlink()
    state = (now / "suite.json").read_text()
    (now / "suite.json").write_text(state.replace('"done"', '"planned"'))
    assert main(words) == 0
    assert "5 of 60 trials were asked in this session; the others are of" in summary.read_text()
    assert compared(made, now, "--fail-if-worse") == 0  # nothing claims to be of today


def test_an_interrupted_night_gives_the_verdicts_that_it_has(made, tmp_path, monkeypatch, capsys):
    from zhiyin.plugins.lab.suite import running

    async def broken_off(plan, *others):
        for row in plan.rows[1:]:
            row.order = None
        await carry_out_all(plan, *others)
        return True

    carry_out_all, summary = running.carry_out_all, tmp_path / "gate.md"
    monkeypatch.setattr(running, "carry_out_all", broken_off)
    words = ["suite", str(made.parent / "small.toml"), "--no-report", "--out", str(tmp_path / "s"),
             "--baseline", str(made), "--summary", str(summary), "--json"]  # fmt: skip
    assert main(words) == 130
    told = json.loads(capsys.readouterr().out)
    assert (told["verdict"]["kind"], told["exit"]) == ("failed", 130)
    assert told["verdict"]["text"] == "No verdict: 3 of 6 not complete"
    assert told["gate"][0]["new_score"] is not None
    assert "not asked yet; the earlier run has 60 trials" in summary.read_text()


def replied(run, to, text, of=None):
    """A run whose replies were all `text`, of another id, scored by hand as unread."""
    shutil.copytree(run, to)
    lines = [json.loads(line) for line in (to / "records.jsonl").read_text().splitlines()]
    for line in lines[:of]:
        line["exchange"]["turns"][0]["reply"]["text"] = text
        line["verdict"] |= {"state": "no_answer", "answer": None}
    (to / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return edited(to, id="another")


def test_replies_without_an_answer_are_said_beside_the_verdict(good, tmp_path):
    files = [tmp_path / "gate.md", tmp_path / "gate.xml"]
    words = [word for file in files for word in ("--summary", file)]
    assert compared(good, replied(good, tmp_path / "new", "lorem"), "--fail-if-worse", *words) == 3
    for file in files:
        assert "60 of 60 replies hold no readable answer (before: 0 of 60)" in file.read_text()
    assert "where: `zhiyin report " in files[0].read_text()  # a span of code on GitHub
    # Nor does it open where nearly all were unread before.
    mute = edited(replied(good, tmp_path / "mute", "ipsum", of=58), id="yet another")
    assert [one.state for one in gate({"ears": (mute, tmp_path / "new")}, 99)] == ["failed"]
    # Of items too few to show a fall the gate is not open either.
    assert compared(good, tmp_path / "new", "--fail-if-worse", "99", *words) == 1
    assert "not complete" in files[0].read_text()
    assert "60 of 60 replies hold no readable answer (before: 0 of 60)" in files[0].read_text()


def test_where_nothing_was_held_there_is_no_verdict(good, made, tmp_path, capsys):
    """Nor does a row without a verdict count among those that were held."""
    again, xml = shutil.copytree(good, tmp_path / "again"), tmp_path / "gate.xml"
    assert compared(good, again, "--fail-if-worse", "--summary", xml) == 2
    assert "No verdict: nothing was held (1 not held)" in capsys.readouterr().out
    assert ElementTree.parse(xml).getroot().get("errors") == "1"
    books = made / "runs" / "books--plain--good"
    other = edited(shutil.copytree(books, tmp_path / "books"), id="another")
    found = gate({"ears": (good, again), "books": (books, other)}, 50)
    assert "shown to be worse than allowed (1 held, 1 not held)" in str(gate_table(found).title)
    write_summary(found, xml)
    root = ElementTree.parse(xml).getroot()
    assert (root.get("errors"), root.get("skipped")) == ("0", "1")


def test_a_run_that_is_not_complete_is_no_verdict(good, tmp_path, capsys):
    """What failed is in no figure: without this rule a model that breaks down would pass."""
    new = shutil.copytree(good, tmp_path / "new")
    lines = (new / "records.jsonl").read_text().splitlines(True)
    (new / "records.jsonl").write_text("".join(lines[:-5]))
    xml = tmp_path / "gate.xml"
    assert compared(good, new, "--fail-if-worse", "50", "--summary", xml) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "No verdict: 1 of 3 not complete" in said
    assert "5 of 60 trials not asked yet" in said
    root = ElementTree.parse(xml).getroot()
    assert (root.get("failures"), root.get("errors")) == ("0", "1")
    # Nor is anything held against such a run.
    assert compared(new, good, "--fail-if-worse") == 2
    assert "damaged (records.jsonl: it is not what it was when" in capsys.readouterr().err
    (new / "SHA256SUMS").unlink()
    assert compared(new, good, "--fail-if-worse") == 2
    assert "not complete in the baseline (5 of 60 trials not asked yet)" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["cut", "flipped", "no sums", "manifest", "state"])
def test_a_damaged_baseline_has_one_cure(made, tmp_path, capsys, kind):
    """To copy it anew: no line of it is to be deleted, nor a run asked again."""
    old = shutil.copytree(made, tmp_path / "old")
    run = old / "runs" / "ears--plain--good"
    file = {"manifest": run / "run.json", "state": old / "suite.json"}.get(kind)
    file = file or run / "records.jsonl"
    data = file.read_bytes()
    line = data.index(b"\n") + 1  # of the log the second, whose end stays
    cut = data[:line] + data[line + 9 :] if kind in ("flipped", "no sums") else data[:-99]
    file.write_bytes(cut)
    if kind == "no sums":
        (run / "SHA256SUMS").unlink()
    words = ["--baseline", old, "--out", tmp_path / "new"]
    gates = [lambda: suited(made.parent / "small.toml", *words, "--dry-run"),
             lambda: suited(made.parent / "small.toml", *words)]  # fmt: skip
    if kind != "state":
        gates.append(lambda: compared(run, made / run.relative_to(old), "--fail-if-worse"))
    for held in gates:
        assert held() == 2
        told = capsys.readouterr().err
        assert told.count("copy it anew") == 1
        assert "damaged (" in told
        assert not re.search("delete the line|command again|verify`", told)
    assert not [*tmp_path.glob("new/runs/*")]


def test_a_drop_that_is_shown_closes_whatever_else_is_missing(good, poor, tmp_path):
    new = shutil.copytree(poor, tmp_path / "new")
    lines = (new / "records.jsonl").read_text().splitlines(True)
    (new / "records.jsonl").write_text("".join(lines[:-5]))
    (finding,) = gate({"ears": (good, new)})
    assert finding.state == "worse"
    assert "on what both answered" in str(finding.why)
    assert "5 of 60 trials not asked yet" in str(finding.why)


@pytest.mark.slow
def test_questions_that_are_asked_no_more_close_the_gate(good, tmp_path, capsys):
    """A sample of five, of a run of sixty: whole by itself, and no night like the other."""
    new = edited(shutil.copytree(good, tmp_path / "new"), planned=5, sample=5, id="another")
    lines = (new / "records.jsonl").read_text().splitlines(True)
    (new / "records.jsonl").write_text("".join(lines[:5]))
    assert compared(good, new, "--fail-if-worse", "50") == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "55 of 60 trials with a verdict in the earlier run were not asked now" in said
    (finding,) = gate({"ears": (good, new)}, 50)
    assert (finding.state, finding.missing, finding.asked) == ("missing", 55, 60)
    (new / "SHA256SUMS").unlink()
    # The other way round no question is missing; but of five no fall can be shown.
    assert compared(new, good, "--fail-if-worse", "50") == 2
    assert "No verdict: nothing was held (1 not held)" in capsys.readouterr().out


def test_what_cannot_be_compared_is_left_out_alone(made, good, poor, tmp_path, capsys):
    new = edited(shutil.copytree(good, tmp_path / "new"), extract="first-letter")
    assert compared(good, new, "--fail-if-worse") == 2
    told = " ".join(capsys.readouterr().out.split())
    assert "options.extract was robust, and is first-letter now" in told
    new = edited(new, extract="robust", benchmark_version=99)
    books = made / "runs" / "books--plain--good"
    pairs = {"ears": (good, new), "books": (books, shutil.copytree(books, tmp_path / "books"))}
    first, second = gate(pairs)
    assert (first.state, second.state) == ("other", "unheld")
    assert re.search(r"benchmark_version was \d+, and is 99 now", str(first.why))
    # Other questions under the same names are found in the logs.
    other = edited(shutil.copytree(books, tmp_path / "other"), benchmark="ears")
    (finding,) = gate({"ears": (good, other)})
    assert finding.state == "other"


@pytest.mark.slow
def test_the_summary_is_junit_and_markdown(good, poor, tmp_path):
    xml, text = tmp_path / "gate.xml", tmp_path / "gate.md"
    assert compared(good, poor, "--fail-if-worse", "--summary", xml) == 3
    root = ElementTree.parse(xml).getroot()
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "3", "3")
    case, *parts = root.iter("testcase")
    assert float(case.get("time")) > 0
    assert len(parts) == 2
    assert case.get("classname")
    assert case.get("name")
    (failure,) = case.iter("failure")
    assert failure.get("type") == "worse"
    assert "95 % interval" in failure.text
    assert compared(good, poor, "--fail-if-worse", "--summary", text) == 3
    lines = [line for line in text.read_text().splitlines() if line.startswith("|")]
    assert len(lines) == 5
    assert len({line.count("|") for line in lines}) == 1
    assert compared(good, poor, "--fail-if-worse", "--summary", tmp_path / "x.html") == 2
    assert compared(good, poor, "--summary", text) == 2


def test_json_has_the_findings(good, poor, capsys):
    assert compared(good, poor, "--fail-if-worse", "1", "--json") == 3
    told = json.loads(capsys.readouterr().out)
    assert told["gate"][0]["state"] == "worse"
    assert told["judges"][0]["benchmark"] == "ears"


@pytest.mark.slow
def test_a_suite_is_held_against_an_earlier_one(made, tmp_path, capsys):
    file, now = made.parent / "small.toml", tmp_path / "now"
    words = ["suite", str(file), "--no-report", "--quiet", "--out", str(now)]
    assert main([*words, "--baseline", str(made)]) == 0
    told = capsys.readouterr().out
    assert "none of 10 is shown to be worse" in told  # skills of the same replies, too
    assert "index.html" not in told
    assert not told.startswith("\n\n")
    # The earlier one was better in one run, and had another that is gone.
    before = tmp_path / "before"
    shutil.copytree(made, before)
    runs = before / "runs"
    shutil.rmtree(runs / "ears--plain--poor")
    shutil.copytree(runs / "ears--plain--good", runs / "ears--plain--poor")
    xml = tmp_path / "gate.xml"
    assert main([*words, "--baseline", str(before), "--summary", str(xml)]) == 3
    root = ElementTree.parse(xml).getroot()
    failed = [
        case.get("name") for case in root.iter("testcase") if case.find("failure") is not None
    ]
    assert [re.match("[^:]*", name)[0] for name in failed] == [
        "ears--plain--poor",
        "poor",
        "poor",
    ]  # and its two skills
    for failed, state in ((False, "missing"), (True, "failed")):
        absent = AbsentRun("nobody answers", failed)
        (finding,) = gate({"books": (made / "runs" / "books--plain--good", absent)})
        assert (finding.state, finding.missing) == (state, 60)
        assert "nobody answers" in str(finding.why)


def suited(*words):
    return main(["suite", *map(str, words), "--no-report", "--quiet"])


def test_a_baseline_of_which_nothing_can_be_lost_is_not_held(good, tmp_path, capsys):
    """Nor is one at guessing said to be safe: what could close the gate is named."""
    wrong = edited(shutil.copytree(good, tmp_path / "wrong"), id="another")
    lines = [json.loads(line) for line in (wrong / "records.jsonl").read_text().splitlines()]
    for line in lines[3:]:
        line["verdict"]["state"] = "wrong"
    (wrong / "records.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    again = edited(shutil.copytree(wrong, tmp_path / "again"), id="yet another")
    (finding,) = gate({"ears": (wrong, again)}, 2)
    assert (finding.state, finding.guessing) == ("unheld", True)
    assert "not even the loss of all that was right before" in str(finding.why)
    table = gate_table([finding, *gate({"all": (good, wrong)}, 2)])
    assert any(say(note, "zh").startswith("ears：先前未显示高于随机猜测") for note in table.notes)


@pytest.mark.slow
def test_a_plan_says_which_fall_the_gate_would_see(made, tmp_path, capsys):
    """And that questions will be missing, before a call is paid for."""
    words = ["suite", str(made.parent / "small.toml"), "--out", str(tmp_path / "no"), "--dry-run"]
    held = [*words, "--baseline", str(made), "--fail-if-worse"]

    def told(*words):
        assert main([*words]) == 0
        return " ".join(capsys.readouterr().out.split())

    assert "close the gate" not in told(*words)
    reach = 2.498 + 0.842  # of one of four intervals, and of a power of 80 %
    for points in (2, 8):
        text = told(*held, str(points))
        assert f"{points}.0 points allowed" in text
        assert "will close" not in text
        fall = float(re.search(r"books--plain--good (?:\S+ )*?([\d.]+) points", text)[1]) / 100
        beyond = fall - points / 100  # as many standard errors of 30 clusters, all that changes
        assert beyond / math.sqrt(fall * (1 - fall) / 30) == pytest.approx(reach, rel=0.01)
    fewer = told(*held, "2", "--sample", "20")
    assert (
        "books--plain--good: the gate will close, for questions missing: trials planned: 20"
        in fewer
    )


@pytest.mark.slow
def test_the_fall_that_would_be_seen_is_seen_in_four_nights_of_five():
    """Whether other answers come and go, or none does but those that fall."""
    rng, nights, level = np.random.default_rng(5), 300, 1 - 0.05 / 3
    for n, allowed, churn in ((300, 0.02, 0.2), (300, 0.02, 0.0), (80, 0.05, 0.5), (400, 0.0, 0.1)):
        half = normal_quantile(level) * math.sqrt(churn / n)
        fall = fall_seen(half, n, level, allowed)
        shown = 0
        for _ in range(nights):
            drawn, change = rng.random(n), max(churn, fall)
            worse, better = drawn < (change + fall) / 2, drawn > 1 - (change - fall) / 2
            now = better.astype(float) - worse
            found = paired_difference(now, np.zeros(n), list(map(str, range(n))), level)
            shown += found.high < -allowed
        assert 0.74 < shown / nights < 0.97, (n, allowed, churn, fall, shown / nights)
    assert fall_seen(0.2, 60, level, 0.02, most=0.1) is None
    assert fall_seen(math.inf, 1, level, 0.02) is None
    assert fall_seen(20.0, 60, level, 5.0, unit="cents") > 20


@pytest.mark.slow
def test_settings_that_differ_are_named_also_where_nothing_fell(good, tmp_path, capsys):
    again = edited(shutil.copytree(good, tmp_path / "again"), id="another")
    sampling = json.loads((good / "run.json").read_text())["config"]["sampling"]
    edited(again, sampling={**sampling, "max_tokens": 77})
    xml = tmp_path / "gate.xml"
    assert compared(good, again, "--fail-if-worse", 10, "--summary", xml) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"asked otherwise: \S*max_tokens was (unset|\d+), and is 77 now", told)
    assert "asked otherwise" in xml.read_text()
    assert compared(good, again, "--fail-if-worse", 10, "--json") == 0
    (finding, *_) = json.loads(capsys.readouterr().out)["gate"]
    assert "is 77 now" in finding["otherwise"]
    poor = good.parent / "ears--plain--poor"
    assert compared(good, poor, "--fail-if-worse", 10, "--summary", xml) == 3
    for text in (capsys.readouterr().out, xml.read_text()):
        told = " ".join(text.split())
        assert "max_tokens was" not in told
        assert re.search(r"asked otherwise: model was good, and is poor now", told)


@pytest.mark.slow
def test_two_models_of_one_name_are_told_apart(good, poor, tmp_path, capsys):
    """A checkpoint keeps its name from night to night: labels do not say which it is."""
    now = edited(shutil.copytree(poor, tmp_path / "now"), label="good")
    files = [tmp_path / "gate.md", tmp_path / "gate.xml"]
    summaries = [word for file in files for word in ("--summary", file)]
    assert compared(good, now, "--fail-if-worse", *summaries) == 3
    for text in (capsys.readouterr().out, *(file.read_text() for file in files)):
        told = " ".join(text.replace("\\", "").split())
        assert "model was good, and is poor now" in told
        assert f"zhiyin report {good} {now} -o diff.html" in told
    (finding,) = gate({"ears": (now, good)})
    assert (finding.see, finding.better) == ("", True)
    again = edited(shutil.copytree(good, tmp_path / "again"), id="another")
    (finding,) = gate({"ears": (good, again)})
    assert finding.otherwise == finding.see == ""


@pytest.mark.slow
def test_levels_are_in_per_cent_and_of_all_together(good, poor, tmp_path, capsys):
    third = edited(shutil.copytree(poor, tmp_path / "third"), id="another", label="third")
    compared(good, poor, third, "--alpha", "0.1", "--fail-if-worse")
    told = " ".join(capsys.readouterr().out.split())
    assert "Interval: 95 %, cluster-robust; so wide that all 2 hold together with 90 %" in told


@pytest.mark.slow
def test_a_run_that_is_gone_closes_and_a_renamed_one_is_found(made, tmp_path, capsys):
    text = (made.parent / "small.toml").read_text()
    start, end = text.index("[[benchmarks]]"), text.rindex("[[benchmarks]]")
    (tmp_path / "less.toml").write_text(text[:start] + text[end:])
    words = ["--baseline", made, "--summary", tmp_path / "gate.md"]
    assert suited(tmp_path / "less.toml", "--out", tmp_path / "less", *words) == 3
    summary = (tmp_path / "gate.md").read_text()
    assert "The gate is closed: 2 of 6 failed" in summary
    assert "there is an earlier run with 60 trials, and none in this suite" in summary
    (tmp_path / "renamed.toml").write_text(text.replace('name = "good"', 'name = "fine"'))
    assert suited(tmp_path / "renamed.toml", "--out", tmp_path / "renamed", *words) == 0
    assert "none of 10 is shown to be worse" in (tmp_path / "gate.md").read_text()
    (tmp_path / "others.toml").write_text(
        suite(models=["Fair"], benchmarks=["Talks"], conditions=["plain"])
    )
    capsys.readouterr()
    assert suited(tmp_path / "others.toml", "--out", tmp_path / "others", *words) == 2
    told = capsys.readouterr().err
    assert "books--plain--good" in told
    assert "talks--plain--fair" in told
    assert "Nothing was compared" in (tmp_path / "gate.md").read_text()


@pytest.mark.slow
def test_a_server_that_is_down_is_no_regression(made, tmp_path):
    """Exit status 1, and the cause stands in both summaries."""
    text = (made.parent / "small.toml").read_text()
    (tmp_path / "down.toml").write_text(text.replace(":Good", ":Broken"))
    files = [tmp_path / "gate.md", tmp_path / "gate.xml"]
    words = [word for file in files for word in ("--summary", file)]
    out = tmp_path / "down"
    assert suited(tmp_path / "down.toml", "--out", out, "--baseline", made, *words) == 1
    for file in files:
        assert "nobody answers at this address" in file.read_text()
    root = ElementTree.parse(files[1]).getroot()
    assert (root.get("failures"), root.get("errors")) == ("0", "2")


@pytest.mark.slow
def test_the_page_of_a_night_opens_on_the_verdict(made, tmp_path, capsys):
    """As the terminal does; the same night without a baseline opens on who is best."""
    out, file = tmp_path / "night", tmp_path / "night.toml"
    text = (made.parent / "small.toml").read_text()
    good, poor = (re.search(rf'"([^"]*:{name})"', text)[1] for name in ("Good", "Poor"))
    file.write_text(text.replace(good, poor))
    assert suited(file, "--out", out, "--baseline", made) in (1, 3)
    told = " ".join(capsys.readouterr().out.split())
    page = read(out / "index.html")
    (first,) = page.all("h1")
    assert "The gate is closed" in first.text
    assert first.text.strip() in told
    picture, verdict, *_ = page.all("table")
    rows = verdict.all("tr")[1:]
    assert any("ears--plain--good" in row.text and "worse" in row.text for row in rows)
    # The differences are drawn above it, in its order: filled where they are shown.
    drawn = picture.all("tr")[1:]
    held = [row for row in rows if " to " in row.text]
    assert [row.all("th")[0].text.strip() for row in drawn] == [
        row.all("th")[0].text.strip() for row in held
    ]
    names = [row.all("th")[0].text.strip() for row in drawn]
    assert len(drawn) == len(held) > 2
    assert names[0] == "ears--plain--good"
    where = [line for line in told.split("where: ")[1:] if "ears--plain--good" in line]
    assert len(where) == 1
    assert suited(file, "--out", out) == 0
    assert "gate" not in read(out / "index.html").all("h1")[0].text


@pytest.mark.slow
def test_a_wrong_name_in_a_gate_is_told_with_its_cause(of_one_model, tmp_path, capsys):
    """Nothing was asked: that is what is to be mended, and not the baseline."""
    good, _ = of_one_model
    text = (good.parent / "Good.toml").read_text().replace(":Good", ":Broken")
    (tmp_path / "wrong.toml").write_text(text.replace('name = "good"', 'name = "new"'))
    words = ["--baseline", good, "--summary", tmp_path / "gate.md"]
    assert suited(tmp_path / "wrong.toml", "--out", tmp_path / "wrong", *words) == 1
    assert "nobody answers at this address" in (tmp_path / "gate.md").read_text()
    assert main(["table", str(tmp_path / "wrong")]) == 2
    assert "its runs have no answers" in capsys.readouterr().err


def test_faults_are_told_before_anything_is_asked(made, tmp_path, capsys):
    assert compared(made, "--fail-if-worse", "2") == 2
    assert "give two, the earlier run or suite first" in capsys.readouterr().err
    assert compared(made, made, "--fail-if-worse", "0.02") == 2
    assert "points are meant, which are hundredths: write 2 for" in capsys.readouterr().err
    assert suited(made.parent / "small.toml", "--cache", "7") == 2
    assert "stands in the file, such as defaults = { cache = 7 }" in capsys.readouterr().err
    words = ["suite", str(made.parent / "small.toml"), "--out", str(tmp_path / "x")]
    assert main([*words, "--baseline", str(tmp_path / "none")]) == 2
    assert main([*words, "--fail-if-worse", "1"]) == 2
    assert "add --baseline" in capsys.readouterr().err
    assert main([*words, "--baseline", str(made), "--summary", "x.txt"]) == 2
    assert not (tmp_path / "x").exists()


def test_a_fault_stands_in_the_summary_and_in_the_json(made, tmp_path, capsys):
    files = [tmp_path / "gate.md", tmp_path / "gate.xml"]
    summaries = [str(word) for file in files for word in ("--summary", file)]
    words = ["suite", str(made.parent / "small.toml"), "--out", str(tmp_path / "x"), *summaries]
    assert main([*words, "--baseline", str(tmp_path / "none"), "--json"]) == 2
    told = capsys.readouterr()
    assert "no such folder: make it with `zhiyin suite " in json.loads(told.out)["error"]
    assert "no such folder: make it with `zhiyin suite " in told.err
    for file in files:
        assert "no such folder: make it with `zhiyin suite " in file.read_text()
    assert ElementTree.parse(files[1]).getroot().get("errors") == "1"
    nowhere = tmp_path / "nix" / "gate.md"
    assert main([*words, "--baseline", str(made), "--summary", str(nowhere)]) == 2
    assert f"there is no folder {nowhere.parent}" in capsys.readouterr().err
    assert not nowhere.parent.exists()


def test_one_output_has_one_sign(good, poor, capsys):
    assert compared(good, poor, "--fail-if-worse", "--json") == 3
    told = json.loads(capsys.readouterr().out)
    (pair,) = told["judges"][0]["pairs"]
    assert pair["groups"][0]["difference"] == told["gate"][0]["difference"] < 0


def fallen(run, to, group):
    """A copy of a run in which every answer of a group is wrong, and some others are right."""
    shutil.copytree(run, to)
    log = to / "records.jsonl"
    records = [json.loads(line) for line in log.read_text().splitlines()]
    others = iter(range(len(records)))
    for record in records:
        if group in record["trial"]["groups"]:
            right = False
        elif record["verdict"]["state"] == "wrong" and next(others) < 20:
            right = True
        else:
            continue
        record["verdict"]["state"] = "correct" if right else "wrong"
        record["exchange"]["turns"][0]["reply"]["text"] = f"another reply to {record['id']}"
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    kept = json.loads((to / "run.json").read_text())
    (to / "run.json").write_text(json.dumps({**kept, "id": "another"}))
    write_sums(to)
    return to


def test_a_skill_that_fell_closes_the_gate_whatever_the_whole_says(
    made, tmp_path, capsys, monkeypatch
):
    """A whole run hides it where other tasks rose: here by as much."""
    monkeypatch.setenv("COLUMNS", "160")
    now = fallen(made / "runs" / "ears--plain--poor", tmp_path / "now", "beats")
    old = made / "runs" / "ears--plain--poor"
    found = {one.name: one for one in gate({"ears": (old, now)})}
    assert found["ears"].state in ("open", "kept")
    assert compared(old, now, "--fail-if-worse") == 3
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"rhythm, in writing worse", told), told[-1500:]


def test_a_group_that_must_not_fall_is_held_too(good, tmp_path, capsys):
    now = fallen(good, tmp_path / "now", "beats")
    words = ["--fail-if-worse", "60", "--family", "beats", "--json"]
    assert compared(good, now, *words) == 3
    found = {one["of"]: one for one in json.loads(capsys.readouterr().out)["gate"]}
    assert found.keys() == {"run", "group"}  # what is named is held, and no skill beside it
    assert found["group"]["name"].endswith(": Beats")
    assert (found["group"]["state"], found["run"]["state"]) == ("worse", "kept")
    assert compared(good, now, "--fail-if-worse", "--family", "no-such-group") == 2
    assert "no group is named 'no-such-group'" in capsys.readouterr().err


@pytest.mark.slow
def test_two_suites_are_compared_by_benchmark_and_by_skill(made, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")  # no name is folded
    now = tmp_path / "now"
    shutil.copytree(made, now)
    shutil.rmtree(now / "runs" / "ears--plain--good")
    fallen(made / "runs" / "ears--plain--good", now / "runs" / "ears--plain--good", "beats")
    assert compared(made, now) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "ears--plain--good worse" in told
    assert "good: rhythm, in writing worse" in told
    assert "good: pitch, in writing not shown" in told
    assert re.search(r"Of \d+, 2 got worse and 0 better", told)
    assert compared(made, now, "--fail-if-worse") == 3
    assert compared(now, made, "--fail-if-worse") == 0
    capsys.readouterr()
    assert compared(now, made, "--json") == 0
    shown = {one["name"]: one for one in json.loads(capsys.readouterr().out)["changes"]}
    assert shown["good: rhythm, in writing"]["low"] > 0
    assert shown["good: rhythm, in writing"]["of"] == "skill"


def names_held(found):
    return [str(one.name) for one in found if one.of == "skill"]


@pytest.mark.slow
def test_a_skill_that_all_items_of_a_run_show_is_held_once(made, tmp_path):
    """As the run; a skill of several runs, or of some items, is another figure."""
    old = made / "runs" / "books--plain--good"  # knowledge by all of it, reading by half
    now = fallen(old, tmp_path / "now", "scores")
    pairs = {"books": (old, now)}
    held = parts_held(pairs, gate(pairs))
    assert names_held(held) == ["books: reading"]
    by_score = gate(pairs, measure="accuracy")
    assert by_score[0].items == 60
    ears = made / "runs" / "ears--plain--good"
    both = pairs | {"ears": (ears, fallen(ears, tmp_path / "ears", "beats"))}
    held = parts_held(both, gate(both), together=dict.fromkeys(both, "m"))
    assert names_held(held) == [
        "m: reading", "m: pitch, in writing", "m: rhythm, in writing",
    ]  # fmt: skip


@pytest.fixture(scope="module")
def of_one_model(made):
    """Suites of one model each: Good, and Poor."""
    folders = []
    for name in ("Good", "Poor"):
        text = suite(models=[name], benchmarks=["Ears", "Books"], conditions=["plain"], items=60)
        (made.parent / f"{name}.toml").write_text(text)
        folders.append(made.parent / name)
        assert suited(made.parent / f"{name}.toml", "--out", folders[-1]) == 0
    return folders


@pytest.mark.slow
def test_two_suites_of_one_model_each_are_paired_by_benchmark(of_one_model, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")
    good, poor = of_one_model
    assert compared(good, poor) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"model was good, and is poor now", told)
    assert "ears, plain worse" in told
    assert re.search("rhythm, in writing +worse", told)
    assert compared(poor, good, "--fail-if-worse") == 0
    assert compared(good, poor, "--fail-if-worse") == 3
    capsys.readouterr()
    # So does a gate of nights, whether the file is another or `-m` names the checkpoint.
    spec = re.search(r'model = "([^"]*:Poor)"', (good.parent / "Poor.toml").read_text())[1]
    for n, words in enumerate((["Poor.toml"], ["Good.toml", "-m", spec])):
        file, *model = words
        words = [good.parent / file, *model, "--out", good.parent / f"again-{n}"]
        assert suited(*words, "--baseline", good, "--fail-if-worse") == 3
        told = " ".join(capsys.readouterr().out.split())
        assert "ears, plain worse" in told
        assert re.search(r"model was good, and is poor now", told)


@pytest.mark.slow
def test_what_no_gate_can_hold_is_told_before_anything_is_asked(
    made, of_one_model, tmp_path, capsys
):
    file, good = made.parent / "small.toml", of_one_model[0]

    def told(file, baseline, status=0, *words):
        words = ["--out", tmp_path / "no", "--baseline", baseline, *words]
        assert suited(file, *words) == status
        shown = capsys.readouterr()
        return " ".join((shown.out + shown.err).split())

    less = shutil.copytree(made, tmp_path / "less")
    shutil.rmtree(less / "runs" / "ears--plain--good")
    for words in (["--dry-run"], ["--dry-run", "--json"], []):
        text = told(file, less, 2, *words)
        assert "ears--plain--good: its answers in the baseline are gone, or never came" in text
    text = told(good.parent / "Good.toml", made, 0, "--dry-run")
    assert "ears--plain--poor of the baseline: the gate will close" in text
    text = told(file, good, 2, "--summary", tmp_path / "gate.md")
    assert "ears--plain--poor and books--plain--poor: the baseline has no such run" in text
    assert "the baseline has no such run" in (tmp_path / "gate.md").read_text()
    other = shutil.copytree(made, tmp_path / "other")
    run = edited(other / "runs" / "ears--plain--good", extract="first-letter")
    assert "run.json: it is not what it was when SHA256SUMS" in told(file, other, 2)
    assert compared(other, made) == 0
    capsys.readouterr()
    (run / "SHA256SUMS").unlink()
    assert "damaged (SHA256SUMS is gone" in told(file, other, 2)
    write_sums(run)
    text = told(file, other, 0, "--dry-run")
    assert "ears--plain--good: no verdict: cannot be compared: options.extract" in text
    others = tmp_path / "others.toml"
    others.write_text(suite(models=["Fair", "Good"], benchmarks=["Talks"], conditions=["plain"]))
    for words in (["--dry-run"], []):
        assert "give each model the name that it has there" in told(others, good, 2, *words)
    assert not (tmp_path / "no").exists() or not (tmp_path / "no" / "runs").exists()


@pytest.mark.slow
def test_a_page_says_that_nothing_was_compared(made, tmp_path, capsys, monkeypatch):
    """What was answered is told too, and where."""

    def broken(*_, **__):
        raise InputError("the baseline cannot be read")

    monkeypatch.setattr("zhiyin.plugins.lab.suite_command.hold", broken)
    out = tmp_path / "night"
    assert suited(made.parent / "small.toml", "--out", out, "--baseline", made) == 2
    shown = capsys.readouterr()
    assert str(out / "index.html") in "".join(shown.out.split())
    assert "the baseline cannot be read" in shown.err
    (first,) = read(out / "index.html").all("h1")
    assert first.text.strip() == "Nothing was compared: the baseline cannot be read"


def test_of_runs_of_one_model_its_name_is_not_told_twice(good, tmp_path, capsys):
    now = fallen(good, tmp_path / "now", "beats")
    compared(good, now, "--fail-if-worse")
    assert "Before:" not in capsys.readouterr().out


@pytest.mark.parametrize(("language", "told"), [("en", "all items"), ("zh", "全部题目")])
def test_a_sample_that_takes_all_items_is_told_as_all(good, tmp_path, language, told):
    """Not as one that is not set: a set that is smaller than the sample has no bound either."""
    part = edited(shutil.copytree(good, tmp_path / "part"), id="another")
    manifest = json.loads((part / "run.json").read_text())
    manifest["config"]["sample"] = 100
    (part / "run.json").write_text(json.dumps(manifest))
    (finding,) = gate({"ears": (part, good)})
    assert told in (words := say(finding.otherwise, language))
    assert "100" in words


def test_a_plan_says_which_runs_are_too_old_to_be_held(made, tmp_path, capsys):
    """Nothing is left to ask of them, and their replies are of another day."""
    old = shutil.copytree(made, tmp_path / "old")
    words = ["suite", str(made.parent / "small.toml"), "--out", str(old), "--baseline", str(made)]
    main([*words, "--dry-run"])
    assert "older than a day" not in capsys.readouterr().out
    then = (datetime.now(UTC) - timedelta(days=2)).isoformat(timespec="seconds")
    for run in (old / "runs").iterdir():
        manifest = json.loads((run / "run.json").read_text())
        for session in manifest["sessions"]:
            session |= {"started": then, "ended": then}
        (run / "run.json").write_text(json.dumps(manifest))
    main([*words, "--dry-run"])
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("older than a day") == 4


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_lacks_questions_is_no_change_that_is_not_shown(good, tmp_path, language):
    part = edited(shutil.copytree(good, tmp_path / "part"), id="another")
    lines = (part / "records.jsonl").read_text().splitlines(keepends=True)
    (part / "records.jsonl").write_text("".join(lines[:40]))
    findings = gate({"ears": (good, part)})
    assert {one.state for one in findings} <= {"missing", "failed"}
    told = {
        "en": "0 got worse and 0 better; 1 lacks questions or answers, or cannot be compared",
        "zh": "0 项变差，0 项变好；1 项缺题、未完成或无法比较",
    }
    assert told[language] in say(gate_table(findings, gated=False).title, language)


@pytest.mark.slow
def test_skills_that_can_show_no_fall_cost_the_others_no_power():
    """Their number is known beforehand, so that the error of all together keeps its bound.

    Six skills of 300 items with seven of four beside them: nights without a change are red in
    2.5 % at most, and a fall of 12 points in one skill is seen more often than by thirteen shares.
    """
    draw = np.random.default_rng(3)
    sizes, alpha, nights = [300] * 6 + [4] * 7, 0.05, 1000
    level, least = shared_level(sizes, alpha, 0.0)
    held = [n for n in sizes if n >= least]
    assert len(held) == 6
    assert level == 1 - alpha / 6

    def highs(drop, level, n):
        ease = draw.normal(size=n)
        old, new = (ease + draw.normal(size=n) < q for q in (0.7, 0.7 - drop))
        return paired_difference(new.astype(float), old.astype(float), None, level).high

    red = sum(any(highs(0, level, n) < 0 for n in held) for _ in range(nights)) / nights
    assert red < 0.025 + 3 * np.sqrt(0.025 * 0.975 / nights)
    seen = [
        sum(highs(0.42, each, 300) < 0 for _ in range(nights)) / nights
        for each in (level, 1 - alpha / len(sizes))
    ]
    assert seen[0] > seen[1]


@pytest.mark.parametrize("points", [0, 2, 10, 60, 100])
def test_a_part_is_left_out_where_a_fall_of_all_would_not_be_shown(points):
    allowed = points / 100
    for sizes in ([], [3], [3, 4, 5, 6, 7, 8], [5] * 12, [300] * 4, [2] * 9 + [40]):
        level, least = shared_level(sizes, 0.05, allowed)
        able = [n for n in sizes if n >= least]
        assert 1 - level >= 0.05 / max(1, len(able)) - 1e-12 or not able
        for n in sizes:
            shown = paired_difference(np.zeros(n), np.ones(n), None, level).high < -allowed
            assert shown == (n >= least) or points == 100
        # The level holds for all that take part.
        assert len(able) * (1 - level) <= 0.05 + 1e-12


@pytest.mark.slow
def test_nights_stand_in_the_order_of_time_with_their_changes(of_one_model, capsys, monkeypatch):
    """Each row names its night; three suites are compared as two are, each with the first."""
    monkeypatch.setenv("COLUMNS", "160")
    good, poor = of_one_model
    third = good.parent / "Third"
    if not third.exists():
        assert suited(good.parent / "Poor.toml", "--out", third) == 0
    given = [str(one) for one in (third, good, poor)]
    for language in ("en", "zh"):
        assert main(["table", *given, "--lang", language]) == 0
        shown = capsys.readouterr().out
        rows = [
            line for line in shown.splitlines() if re.search(r"(Good|Poor|Third), 20\d\d-", line)
        ]
        assert [re.search("Good,|Poor,|Third,", row)[0] for row in rows] == [
            "Good,",
            "Poor,",
            "Third,",
        ]
    assert "先前：Good；现在：Poor、Third" in shown
    assert compared(good, poor, third) == 0
    changes = capsys.readouterr().out
    assert main(["table", *given]) == 0
    assert changes.strip() in capsys.readouterr().out
    for night in ("Poor", "Third"):
        assert re.search(rf"ears, plain \({night}\) +worse", changes)
        assert re.search(rf"{night}: rhythm, in writing +worse", changes)
    assert "before: Good; now: Poor, Third" in changes
    assert compared(good, poor, third, "--fail-if-worse") == 3
    assert compared(poor, third, "--fail-if-worse") == 0
    capsys.readouterr()
    # For a program the table alone; of suites of other runs none is a night.
    assert main(["table", *given, "--to", "csv"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert len({line.count(",") for line in lines if "20" in line}) == 1
    assert "interval" not in "".join(lines[1:])


def test_a_run_that_a_suite_says_to_be_done_and_that_is_gone_does_not_verify(
    made, tmp_path, capsys
):
    place = shutil.copytree(made, tmp_path / "place")
    assert main(["verify", str(place)]) == 0
    (place / "runs" / "ears--plain--good" / "run.json").unlink()
    assert main(["verify", str(place)]) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert "ears--plain--good does not verify" in out
    assert "its suite says that it is done" in out
    # One run of it is looked at by itself.
    assert main(["verify", str(place / "runs" / "books--plain--good")]) == 0
