"""`zhiyin compare`: pairs, clusters, families, rankings, and what is refused."""

import itertools
import json
import re

import msgspec
import numpy as np
import pytest
from scipy import stats

from findings_help import answered, choice, failed, mucho_trials, student, write_run
from page_tree import read
from said_help import texts
from zhiyin.analysis.compare import compare, set_apart
from zhiyin.cli import main
from zhiyin.engine.folder import MANIFEST
from zhiyin.errors import InputError
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import report
from zhiyin.runs.pairing import differing
from zhiyin.runs.rows import rows_of as trials_of
from zhiyin.trial import Audio, Option, Trial, say
from zhiyin.words import say as in_words


def trials(n=120, clusters=None):
    return [
        choice(
            f"x/{i}",
            groups=("odd" if i % 2 else "even", f"tens/{i // 40}"),
            cluster=f"c{i // 3}" if clusters else None,
            gold="ABCD"[i % 4],
        )
        for i in range(n)
    ]


@pytest.fixture
def two(tmp_path):
    asked = trials()
    return [
        write_run(tmp_path / name, "toy", name, map(student(name, gift), asked))
        for name, gift in (("good", 0.8), ("bad", 0.35))
    ]


def rights(folder):
    return {entry.id: entry.right for entry in trials_of(folder)}


def test_the_difference_is_that_of_the_means_and_mcnemar_that_of_scipy(two):
    found = compare(two)
    good, bad = map(rights, two)
    whole = found.pairs[0].groups[0]
    assert whole.group == "all"
    assert whole.difference == pytest.approx(np.mean([good[i] - bad[i] for i in good]))
    b = sum(good[i] > bad[i] for i in good)
    c = sum(good[i] < bad[i] for i in good)
    assert (whole.mcnemar.b, whole.mcnemar.c) == (b, c)
    assert whole.p == pytest.approx(stats.binomtest(b, b + c).pvalue)
    assert whole.test == "mcnemar"
    assert whole.resolved
    odd = next(row for row in found.pairs[0].groups if row.group == "odd")
    assert odd.items == 60
    assert odd.first == np.mean([good[f"x/{i}"] for i in range(1, 120, 2)])


def test_clusters_are_flipped_whole_and_decide(tmp_path):
    asked = trials(24, clusters=True)
    runs = [
        write_run(tmp_path / n, "toy", n, map(student(n, g), asked))
        for n, g in (("a", 0.9), ("b", 0.4))
    ]
    whole = compare(runs).pairs[0].groups[0]
    first, second = map(rights, runs)
    sums = [
        sum(first[f"x/{i}"] - second[f"x/{i}"] for i in range(3 * c, 3 * c + 3)) for c in range(8)
    ]
    flips = [abs(np.dot(signs, sums)) for signs in itertools.product((1, -1), repeat=8)]
    assert whole.p == pytest.approx(np.mean([x >= abs(sum(sums)) - 1e-9 for x in flips]))
    assert whole.test == "sign-flip"
    assert whole.clusters == 8


def test_repeats_are_averaged_within_their_item_first(tmp_path):
    asked = mucho_trials(10, repeats=3)
    runs = [
        write_run(tmp_path / n, "tracks", n, map(student(n, g), asked))
        for n, g in (("a", 0.7), ("b", 0.5))
    ]
    found = compare(runs)
    assert found.items == 20
    assert found.runs[0].trials == 60
    assert found.pairs[0].groups[0].mcnemar is None
    single = write_run(
        tmp_path / "c", "tracks", "c", map(student("c", 0.7), mucho_trials(10, repeats=1))
    )
    assert compare([runs[0], single]).items == 20


def test_holm_is_over_the_declared_family_and_the_rest_is_exploratory(two):
    found = compare(two, families=["odd,even"])
    rows = {row.group: row for row in found.pairs[0].groups}
    p = sorted([rows["odd"].p, rows["even"].p])
    adjusted = sorted([rows["odd"].p_adjusted, rows["even"].p_adjusted])
    assert adjusted[0] == pytest.approx(min(1, 2 * p[0]))
    assert rows["all"].p_adjusted == rows["all"].p
    tens = [row for row in rows.values() if row.family == "exploratory"]
    assert {row.group for row in tens} == {"tens/0", "tens/1", "tens/2"}
    expected = stats.false_discovery_control([row.p for row in tens])
    assert [row.p_adjusted for row in tens] == pytest.approx(list(expected))


@pytest.mark.slow
def test_a_ranking_puts_indistinguishable_runs_into_one_group(tmp_path):
    asked = trials(400)
    gifts = {"best": 0.9, "twin one": 0.5, "twin two": 0.5, "worst": 0.1}
    runs = [write_run(tmp_path / n, "toy", n, map(student(n, g), asked)) for n, g in gifts.items()]
    ranking = {row.label: row.letters for row in compare(runs).ranking}
    assert ranking["twin one"] == ranking["twin two"] == "b"
    assert (ranking["best"], ranking["worst"]) == ("a", "c")


def test_two_that_agree_throughout_are_not_called_equal(tmp_path):
    runs = [
        write_run(tmp_path / name, "toy", name, [answered(t, "A", text) for t in trials(30)])
        for name, text in (("a", "A"), ("b", "Option A."))
    ]
    whole = compare(runs).pairs[0].groups[0]
    assert whole.p == 1
    assert whole.detectable > 0.05
    assert whole.low < 0 < whole.high


def test_failed_trials_are_left_out_and_told(tmp_path):
    asked = trials(40)
    full = write_run(tmp_path / "full", "toy", "full", map(student("f", 0.6), asked))
    part = write_run(
        tmp_path / "part",
        "toy",
        "part",
        [failed(t) if i < 5 else answered(t, "A") for i, t in enumerate(asked)],
    )
    found = compare([full, part])
    assert found.items == 35
    assert found.runs[0].left_out == 5
    assert any("unfinished: 5 of 40 trials failed" in line for line in texts(found.warnings))


def test_a_run_that_ended_early_is_unfinished_in_the_same_words_everywhere(tmp_path, capsys):
    """`compare` said that trials had failed or were missing, the page that they had no verdict."""
    asked = trials(40)
    full = write_run(tmp_path / "full", "toy", "full", map(student("f", 0.6), asked))
    part = write_run(tmp_path / "part", "toy", "part", map(student("p", 0.6), asked[:12]))
    manifest = json.loads((part / "run.json").read_text("utf-8"))
    (part / "run.json").write_text(json.dumps({**manifest, "planned": 40}), "utf-8")
    told = "unfinished: 28 of 40 trials not asked yet"
    for words in (["show", part], ["compare", full, part], ["table", full, part]):
        assert main([*map(str, words)]) == 0
        shown = capsys.readouterr()
        assert told in " ".join((shown.out + shown.err).split()), words
    report(full, part, out=tmp_path / "out.html", notation=False, figures=False)
    assert read(tmp_path / "out.html").text.replace("\u00a0", " ").count(told) >= 2


def passes(wrong="abcd", items=6):
    """Each item in four passes, as RUListening has them: one of four wrong answers is left out."""
    for i, left_out in itertools.product(range(items), range(4)):
        kept = [w for place, w in enumerate(wrong) if place != left_out]
        options = [Option("A", "right", "A"), *(Option(w, f"{i}{w}", w) for w in kept)]
        words = (say("user", "?"),)
        yield Trial(f"{i}/without-{left_out}", words, "?", tuple(options), "A", item=f"{i}")


def test_passes_that_ask_differently_are_compared_in_whatever_order_replies_came(tmp_path):
    asked = list(passes())
    one = write_run(tmp_path / "one", "toy", "one", [answered(t, "A") for t in asked])
    mixed = [failed(t) if t.id == "0/without-3" else answered(t, None) for t in asked[::-1]]
    other = write_run(tmp_path / "other", "toy", "other", mixed)
    result = compare([one, other])
    assert (result.items, result.pairs[0].groups[0].difference) == (6, 1)


@pytest.mark.parametrize("wrong", ["abcx", "wxyz"])
def test_passes_with_another_wrong_answer_are_other_questions(tmp_path, wrong):
    runs = [
        write_run(tmp_path / name, "toy", name, [answered(t, "A") for t in asked])
        for name, asked in (("one", passes()), ("other", passes(wrong)))
    ]
    with pytest.raises(InputError, match=r"under 0 .*another question"):
        compare(runs)


def test_other_questions_under_one_id_are_refused(tmp_path):
    a = write_run(tmp_path / "a", "toy", "a", [answered(choice("q1", gold="A"), "A")])
    b = write_run(tmp_path / "b", "toy", "b", [answered(choice("q1", gold="B"), "A")])
    with pytest.raises(InputError, match=r"under q1 .*another question"):
        compare([a, b])


def test_other_sounds_under_one_id_are_refused_but_other_examples_are_not(tmp_path):
    def heard(name, example, sound):
        trial = choice("q1", sound=Audio("x.wav", sound))
        shown = say("user", "For example:", Audio("e.wav", example))
        trial = msgspec.structs.replace(trial, messages=(shown, *trial.messages))
        return write_run(tmp_path / name, "toy", name, [answered(trial, "A")])

    runs = [heard("a", "1" * 64, "2" * 64), heard("b", "3" * 64, "2" * 64)]
    assert compare(runs).items == 1
    with pytest.raises(InputError, match="or sound"):
        compare([runs[0], heard("c", "1" * 64, "4" * 64)])


def test_other_data_and_other_rules_are_told(tmp_path):
    asked = trials(20)
    a = write_run(tmp_path / "a", "toy", "a", map(student("a", 0.5), asked))
    b = write_run(
        tmp_path / "b",
        "toy",
        "b",
        map(student("b", 0.5), asked),
        data="0" * 64,
        options__extract="slot",
    )
    found = compare([a, b])
    assert found.settings["options.extract"] == {"a": "robust", "b, read by slot": "slot"}
    assert any("data fingerprints differ" in line for line in texts(found.warnings))
    # Examples are of the fingerprint: other shots alone are no other data.
    told = set_apart({"data": {"a": "0", "b": "1"}, "options.shots": {"a": 0, "b": 5}})
    assert not [*told]
    assert any("different rules" in line for line in texts(found.warnings))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"families": ["nonsense"]}, "no group is named 'nonsense'"),
        ({"alpha": 1.5}, "alpha 1.5"),
        ({"measure": "beauty"}, "no score named 'beauty'"),
    ],
)
def test_bad_input_is_one_line(two, change, words):
    with pytest.raises(InputError, match=words):
        compare(two, **change)


def test_one_run_or_two_benchmarks_are_refused(two, tmp_path):
    with pytest.raises(InputError, match="two or more"):
        compare(two[:1])
    other = write_run(tmp_path / "other", "else", "m", [answered(choice("q"), "A")])
    with pytest.raises(InputError, match="runs of two benchmarks cannot be compared"):
        compare([two[0], other])


def test_the_same_run_twice_is_refused(two):
    with pytest.raises(InputError, match="the same run twice"):
        compare([two[0], two[1], two[0] / "." / ".." / two[0].name])


def test_no_named_score_at_all_is_told(two):
    with pytest.raises(InputError, match="hold none but right or wrong"):
        compare(two, measure="beauty")


def test_named_scores_are_compared_by_the_sign_flip_test(tmp_path):
    runs = []
    for name, gain in (("a", 0.5), ("b", 0.0)):
        records = [answered(t, "A") for t in trials(30)]
        for number, record in enumerate(records):
            record.verdict.scores = {"depth": 3 + gain + 0.1 * (number % 3)}
        runs.append(write_run(tmp_path / name, "toy", name, records))
    whole = compare(runs, measure="depth").pairs[0].groups[0]
    assert whole.difference == pytest.approx(0.5)
    assert (whole.test, whole.mcnemar) == ("sign-flip", None)


def test_settings_that_differ_are_named_with_dots():
    configs = [{"model": "a", "s": {"t": 0, "k": 1}}, {"model": "b", "s": {"t": 1, "k": 1}}]
    assert differing(["a", "b"], configs) == {"s.t": {"a": 0, "b": 1}}


@pytest.mark.slow
def test_the_command_prints_one_json_object_or_tables(two, capsys):
    assert main(["compare", *map(str, two), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["pairs"][0]["groups"][0]["group"] == "all"
    assert main(["compare", *map(str, two), "--family", "odd"]) == 0
    printed = capsys.readouterr().out
    assert "good minus bad" in printed
    assert "MDE" in printed
    # In whichever order they are given, the better run stands first; JSON has the order given.
    turned = [str(one) for one in reversed(two)]
    assert main(["compare", *turned, "--family", "odd"]) == 0
    assert capsys.readouterr().out == printed
    assert main(["compare", *turned, "--json"]) == 0
    other = json.loads(capsys.readouterr().out)["pairs"][0]["groups"][0]
    assert other["difference"] == -found["pairs"][0]["groups"][0]["difference"] < 0
    assert repr(compare(turned)) == repr(compare(two))
    assert "good − bad +" in repr(compare(turned))
    assert main(["compare", str(two[0])]) == 2
    assert capsys.readouterr().err.startswith("zhiyin: one run has nothing to be compared with")


def test_a_name_in_a_table_stays_on_its_line_and_says_who_is_better(tmp_path, capsys, monkeypatch):
    """Where the names are too long to head columns, the two of a pair are called A and B."""
    monkeypatch.setenv("COLUMNS", "80")
    group = "ancient greek and roman music of all the islands"
    asked = [choice(f"x/{n}", groups=(group,) if n else ()) for n in range(80)]
    runs = [
        write_run(tmp_path / name, "toy", name, [answered(trial, letter) for trial in asked])
        for name, letter in (("first", "B"), ("listener", "A"))
    ]
    assert main(["compare", *map(str, runs)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "A: listener, B: first" in lines
    (row,) = [line for line in lines if line.lstrip().startswith("ancient")]
    assert row.rstrip().endswith(" A")
    assert any(line.startswith("In points, A minus B") for line in lines)
    assert max(map(len, lines)) <= 80


def scored(root, name, values, measure):
    """A run of free answers with a named score; None where the reply could not be read."""
    records = []
    for i, value in enumerate(values):
        record = answered(choice(f"q{i}", gold="A"), None if value is None else "A")
        if value is not None:
            record.verdict.scores[measure] = value
        records.append(record)
    return write_run(root / name, "toy", name, records)


@pytest.mark.parametrize(("measure", "best"), [("f1", "high"), ("wer", "low"), ("cer", "low")])
def test_of_errors_the_lowest_is_the_best(tmp_path, capsys, measure, best):
    """`--score wer` named the run with more errors as the better one."""
    rng = np.random.default_rng(1)
    runs = [
        scored(tmp_path, name, rng.uniform(low, low + 0.3, 30).tolist(), measure)
        for name, low in (("low", 0.1), ("high", 0.6), ("between", 0.3))
    ]
    found = compare(runs, measure=measure)
    order = ["high", "between", "low"]
    assert [row.label for row in found.ranking] == (order if best == "high" else order[::-1])
    assert found.lower_is_better == (best == "low")
    (pair,) = [p for p in found.pairs if {p.first, p.second} == {"low", "high"}]
    assert found.better(pair, pair.groups[0]) == best
    assert main(["compare", *map(str, runs[:2]), "--score", measure]) == 0
    shown = capsys.readouterr().out
    line = next(line for line in shown.splitlines() if line.startswith("all "))
    assert line.split()[-1] == best
    assert ("lower is better" in shown) == (best == "low")


def test_replies_without_a_named_score_are_told(tmp_path):
    runs = [
        scored(tmp_path, "silent", [0.9, None, None, 0.8] * 5, "f1"),
        scored(tmp_path, "open", [0.9, 0.5, None, 0.8] * 5, "f1"),
    ]
    found = compare(runs, measure="f1")
    assert found.items == 10
    (line,) = [line for line in texts(found.warnings) if "no f1" in line]
    assert line.startswith("silent: 5 replies without a readable answer have no f1")
    assert not [line for line in texts(compare(runs).warnings) if "no f1" in line]


def replied(root, name, letters, text="I hear it rising: the answer is {}, I think."):
    trials = [choice(f"q{n}", groups=("source/zhiyin",), gold="ABCD"[n % 4]) for n in range(40)]
    said = [answered(t, one, text.format(one)) for t, one in zip(trials, letters, strict=True)]
    return write_run(root / name, "toy", name, said)


def test_the_same_replies_twice_are_one_measurement(tmp_path, capsys):
    """They had an interval of 13 points around a difference of nothing."""
    letters = ["ABCD"[(n + (n % 3 == 0)) % 4] for n in range(40)]
    runs = [replied(tmp_path, name, letters) for name in "ab"]
    found = compare(runs)
    for row in found.pairs[0].groups:
        assert (row.difference, row.low, row.high, row.p) == (0, 0, 0, 1)
    assert any("a and b gave the same replies" in line for line in texts(found.warnings))
    (board,) = overview(RunSet(runs)).benchmarks
    assert "gave the same replies" in in_words(board.told[0])
    assert "逐字相同" in in_words(board.told[0], "zh")
    assert any("nothing here distinguishes them" in str(one.words) for one in board.findings)
    for words in (["show"], ["table"]):
        assert main([*words, *map(str, runs)]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        assert printed.count("a and b gave the same replies, word for word") == 1
    report(*runs, out=tmp_path / "out.html", notation=False, figures=False)
    assert "0.0 to 0.0" not in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_the_same_replies_in_two_settings_are_no_difference_of_settings(tmp_path):
    letters = ["ABCD"[(n + (n % 3 == 0)) % 4] for n in range(40)]
    trials = [choice(f"q{n}", groups=("source/zhiyin",), gold="ABCD"[n % 4]) for n in range(40)]
    said = [answered(t, one) for t, one in zip(trials, letters, strict=True)]
    runs = [write_run(tmp_path / f"n{shots}", "toy", "m", said, options__shots=shots)
            for shots in (0, 5)]  # fmt: skip
    (board,) = overview(RunSet(runs)).benchmarks
    told = [str(one.words) for one in board.findings]
    assert any("m, 5 shots and m gave the same replies" in one for one in told)
    assert not any("significant difference between 5 shots" in one for one in told)
    assert not any("No significant difference" in str(one.words) for one in board.findings)


def test_alike_right_in_other_words_are_two_measurements(tmp_path):
    letters = ["ABCD"[(n + (n % 3 == 0)) % 4] for n in range(40)]
    runs = [
        replied(tmp_path, "a", letters),
        replied(tmp_path, "b", letters, "Option {} it is then."),
    ]
    row = compare(runs).pairs[0].groups[0]
    assert row.low < 0 < row.high
    every = ["ABCD"[n % 4] for n in range(40)]
    knows = [replied(tmp_path, name, every, "{}") for name in ("c", "d")]  # both know all answers
    assert compare(knows).pairs[0].groups[0].high > 0


def test_a_group_with_the_very_items_of_the_whole_has_its_p(tmp_path):
    """p < 0.001 for all and p = 0.022 for a group of the same 100 items: one is corrected twice."""
    gifts = {"a": 30, "b": 25, "c": 18, "d": 17}
    runs = [
        replied(tmp_path, name, ["ABCD"[(n + (n >= many)) % 4] for n in range(40)])
        for name, many in gifts.items()
    ]
    for pair in compare(runs).pairs:
        whole, group = pair.groups
        assert (whole.group, group.group) == ("all", "source/zhiyin")
        assert (whole.p_adjusted, whole.resolved) == (group.p_adjusted, group.resolved)


@pytest.mark.slow
def test_the_sentence_for_a_text_has_the_figures_of_the_two_best_and_no_baseline(two, tmp_path):
    asked = trials()
    chance = write_run(tmp_path / "c", "toy", "random", map(student("c", 0.9), asked))
    good, bad = two
    for runs in ((good, bad), (bad, good), (chance, bad, good)):
        found = compare(runs)
        whole = next(
            pair.groups[0] for pair in found.pairs if {pair.first, pair.second} == {"good", "bad"}
        )
        low, high = sorted((abs(whole.low), abs(whole.high)))
        said = in_words(found.sentences()[0])
        assert (
            f"good has {100 * max(whole.first, whole.second):.1f}\xa0% right and bad"
            in said.replace(" %", "\xa0%")
        )
        assert f"{100 * abs(whole.difference):.1f} points" in said
        assert f"{100 * low:.1f} to {100 * high:.1f}" in said
        assert "Holm over" not in said  # of two models, tests against chance are apart
        assert whole.p_adjusted == whole.p
        assert ("a significant difference" in said) == whole.resolved
    twice = [good, write_run(tmp_path / "d", "toy", "twin", map(student("good", 0.8), asked))]
    assert compare(twice).sentences() == []  # the same replies: nothing is tested
    assert msgspec.structs.replace(compare([good, bad]), people=1).sentences() == []


def test_what_a_model_is_made_of_is_no_setting_that_differs(two, capsys):
    manifest = json.loads((two[0] / MANIFEST).read_text())
    manifest["config"]["model_data"] = "4f4e"
    (two[0] / MANIFEST).write_text(json.dumps(manifest))
    assert main(["compare", *map(str, two)]) == 0
    out = capsys.readouterr().out
    assert "model_data" not in out
    assert "On the 120 items of toy that both answered, good has" in " ".join(out.split())


def test_a_run_that_is_not_finished_stands_apart(tmp_path, capsys):
    """It has no rank, and takes no item and no verdict from those that are finished."""
    trials = [choice(f"q{i}", gold="ABCD"[i % 4]) for i in range(120)]

    def run(name, right, n=120):
        replies = [
            answered(t, t.target if i % 10 < right else "ABCD"["BADC".index(t.target)])
            for i, t in enumerate(trials[:n])
        ]
        folder = write_run(tmp_path / name, "toy", name, replies)
        made = json.loads((folder / MANIFEST).read_text()) | {"planned": 120}
        (folder / MANIFEST).write_text(json.dumps(made))
        return folder

    good, fair, part = run("good", 9), run("fair", 6), run("part", 10, 111)
    found = compare([part, good, fair])
    assert (found.items, [one.label for one in found.ranking]) == (120, ["good", "fair", "part"])
    assert [(one.letters, one.finished) for one in found.ranking] == [
        ("a", True), ("b", True), ("", False),
    ]  # fmt: skip
    wholes = {(pair.first, pair.second): pair.groups[0].items for pair in found.pairs}
    assert wholes == {("part", "good"): 111, ("part", "fair"): 111, ("good", "fair"): 120}
    assert main(["compare", str(part), str(good), str(fair)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "120 items that every model that is ranked answered" in told
    assert re.search(r"part +100.0 .{1,20} not ranked", told)
    assert "On the 120 items of toy that both answered, good has" in told
    # Of two runs one of which is not finished the ranking is of what both share.
    assert main(["compare", str(part), str(fair)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "on 111 items that" in told
    assert "On the 111 items of toy that both answered, part has" in told


def test_of_an_error_rate_the_better_minus_the_other_is_below_0(tmp_path, capsys):
    rows = [0.0, 0.25, 0.0, 0.5] * 10, [0.5, 0.75, 1.0, 0.5] * 10
    runs = [scored(tmp_path, name, own, "wer") for name, own in zip("xy", rows, strict=True)]
    printed = []
    for own in (runs, runs[::-1]):
        assert main(["compare", *map(str, own), "--score", "wer"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "x minus y" in printed[0]
    assert "−50.0" in printed[0]


def test_a_rate_beyond_one_may_have_a_smallest_difference_beyond_one_too(two):
    (pair,) = compare(two).pairs
    row = msgspec.structs.replace(pair.groups[0], first=2.5, second=8.0, detectable=3.4)
    assert row.findable() == 3.4  # an error rate of 250 % against 800 %
    shares = msgspec.structs.replace(row, first=0.5, second=0.8)
    assert shares.findable() is None
    assert shares.findable("cents") == 3.4
    assert msgspec.structs.replace(row, detectable=float("inf")).findable("cents") is None


def test_of_replaced_sound_no_model_is_called_better(tmp_path, capsys):
    """Whoever guesses right in silence has heard no more; other conditions keep their verdict."""
    asked = mucho_trials(60, audio=("true", "silence"))
    able, rest = student("able", 0.95), student("rest", 0.05)
    runs = [
        write_run(tmp_path / "loud", "tracks", "loud", map(able, asked)),
        write_run(tmp_path / "dull", "tracks", "dull", map(rest, asked)),
    ]
    assert main(["compare", *map(str, runs), "--groups", "all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    verdicts = {
        line.split()[0]: line.split()[-1] for line in lines if line.startswith(("audio=", "all "))
    }
    assert verdicts["audio=silence"] == "-"
    assert "audio=true" not in verdicts  # it is the whole once more
    assert verdicts["all"] == "loud"
    assert any("the sound was replaced" in line for line in lines)


def test_what_was_asked_without_sound_alone_is_a_test_of_texts_and_the_whole_stands_once(
    tmp_path, capsys
):
    every = mucho_trials(60, audio=("true", "none"))
    asked = [trial for trial in every if trial.tags["audio"] == "none"]
    runs = [
        write_run(tmp_path / name, "tracks", name, map(student(name, right), asked))
        for name, right in (("able", 0.95), ("rest", 0.05), ("random", 0.25))
    ]
    assert main(["compare", *map(str, runs[:2])]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("tracks without sound: accuracy")
    lines = printed.splitlines()
    assert [line.split()[-1] for line in lines if line.startswith("all ")] == ["able"]
    assert not any("audio=none" in line or "replaced" in line for line in lines)
    (pair,) = compare(runs[:2]).pairs
    again = {row.group: row.same_as for row in pair.groups}
    assert (again["all"], again["audio=none"]) == ("", "all")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_declared_family_is_printed_of_two_runs_and_of_three(
    two, tmp_path, capsys, monkeypatch, language
):
    monkeypatch.setenv("ZHIYIN_LANG", language)
    third = write_run(tmp_path / "third", "toy", "third", map(student("third", 0.6), trials()))
    for runs, pairs in ((two, 1), ([*two, third], 3)):
        args = ["compare", *map(str, runs), "--family", "tens/*"]
        assert main(args) == 0
        out = capsys.readouterr().out
        declared = [line for line in out.splitlines() if "†" in line and "  " in line.strip()]
        assert len(declared) == 3 * pairs
        assert "… " not in out


@pytest.mark.parametrize("played", [("none",), ("none", "true")])
def test_where_all_was_asked_without_sound_the_headline_is_tested_as_everything_is(
    tmp_path, capsys, played
):
    """Of MMAU the headline is music: asked in one altered way alone, it is music in this way."""
    asked = [
        choice(
            f"q{n}/{audio}", gold="ABCD"[n % 4], tags={"item": f"q{n}", "audio": audio},
            groups=(area,) if audio == "true" else (f"audio={audio}", f"audio={audio}/{area}"),
        )
        for n in range(120) for area in [("music", "speech")[n % 2]] for audio in played
    ]  # fmt: skip
    runs = [
        write_run(tmp_path / name, "mmau", name, map(student(name, gift), asked))
        for name, gift in (("good", 0.9), ("bad", 0.3))
    ]
    rows = {row.group: row for row in compare(runs).pairs[0].groups}
    alone = "true" not in played
    assert rows["audio=none/music"].family == ("music" if alone else "exploratory")
    assert rows["audio=none/speech"].family == "exploratory"
    assert main(["compare", *map(str, runs), "--groups", "all"]) == 0
    assert ("the sound was replaced" in capsys.readouterr().out) != alone
    assert main(["table", *map(str, runs), "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "Not tested" not in out
    best = next(line for line in out.splitlines() if line.startswith("good"))
    assert best.count("*") > 1


def test_the_headlines_group_is_ranked_and_named_everywhere(tmp_path, capsys):
    """Where music is the headline, who is better in all else is a row below, and no verdict."""
    asked = [
        choice(f"q{n}", groups=("music" if n % 2 else "sound",), gold="ABCD"[n % 4])
        for n in range(200)
    ]

    def run(name, music, sound, model=None):
        given = [answered(t, t.target if n % 20 < (music if n % 2 else sound) else "ABCD"[n % 3])
                 for n, t in enumerate(asked)]  # fmt: skip
        return write_run(tmp_path / name, "mmau", model or name, given)

    runs = [run("ears", 20, 2), run("all", 8, 20), run("rule", 9, 20, "longest")]
    found = compare(runs)
    assert (found.group, found.items) == ("music", 100)
    assert found.ranking[0].label == "ears"
    for pair in found.pairs:
        first, whole, *_ = pair.groups
        assert (first.group, first.items, whole.group, whole.items) == ("music", 100, "all", 200)
    assert found.against_baseline == {"ears": "above", "all": "open"}
    (board,) = overview(RunSet(runs)).benchmarks
    for language, title in (("en", "in music"), ("zh", "音乐")):
        for words in (board.told[0], found.title, *found.sentences()[:1]):
            assert title in in_words(words, language)
    told = [in_words(one.words) for one in board.findings if one.topic == "comparison"]
    assert told[0].startswith("ears is better than all by ")
    assert "100 items in music that both share" in told[0]
    assert main(["compare", "--json", *map(str, runs)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["group"], printed["baseline"]) == ("music", "longest")
    without = [one for one in asked if "sound" in one.groups]
    few = [
        write_run(tmp_path / f"s{n}", "mmau", f"s{n}", [answered(t, given[n]) for t in without])
        for n, given in enumerate(["AB", "CD"])
    ]
    assert compare(few).group == "all"  # none was asked about music
