"""The methods paragraph: each clause is true of its runs; what was left out is said."""

import json

import msgspec
import pytest
from aiohttp import web

from findings_help import answered, choice, write_run
from listening_help import make_mmau
from questions_help import jsonl
from servers import ChatServer
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import protocol_of
from zhiyin.cli import main
from zhiyin.engine.folder import MANIFEST, Session, read_manifest
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.words import said
from zhiyin.words.findings import Remark


def told(*runs):
    words = methods_paragraph(runs)
    assert (
        "\n\n".join(" ".join(map(str, own)) for own in overview(RunSet(list(runs))).methods)
        == words
    )
    return words


def a_run(folder, states, model="http://host/v1#lab/m", decoding=None, **changes):
    records = [
        answered(choice(f"q{i}"), "A" if state == "correct" else None, state=state)
        for i, state in enumerate(states)
    ]
    write_run(folder, "appraisal", model, records, **changes)
    if decoding is not None:
        made = read_manifest(folder)
        made.decoding = decoding
        (folder / MANIFEST).write_bytes(msgspec.json.encode(made))
    return folder


def test_texts_are_not_said_to_have_failed(tmp_path):
    words = told(a_run(tmp_path / "a", ["correct"] * 3 + ["ungraded"] * 2 + ["error"]))
    judged = "3 of 6 trials were judged right or wrong, 2 are neither"
    assert f"{judged}; 1 failed, none without a readable answer." in words


def test_a_run_without_right_and_wrong_has_no_words_on_them(tmp_path):
    words = told(a_run(tmp_path / "a", ["ungraded"] * 4))
    assert "4 of 4 trials were answered, which are neither right nor wrong." in words
    for absent in ("failed", "Wilson", "count as wrong"):
        assert absent not in words


@pytest.mark.slow
@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], ["forced choice", "QUEST+", "a factor of 3.0, at the latest after 60", "76 %"]),
        (["--method", "yes-no", "--procedure", "staircase"], ["Kaernbach", "12 times", "69 %"]),
    ],
)
def test_how_thresholds_were_measured_is_told(tmp_path, flags, words):
    out = tmp_path / "run"
    order = ["run", "thresholds", "-m", "first", "--dimension", "gap", "--out", str(out), *flags]
    assert main([*order, "--quiet"]) == 0
    told = methods_paragraph([out])
    assert all(part in told for part in words)
    assert told.count("Thresholds were measured") == 1
    assert "阈值" in methods_paragraph([out], "zh")


@pytest.mark.parametrize(
    ("model", "decoding", "expected"),
    [
        ("random", {"kind": "baseline"}, "Replies were made by rule."),
        ("listener", {}, "Replies were made by rule."),
        ("people", {"kind": "people"}, "One person answered."),
        ("replay:a.jsonl", {"kind": "replay"}, "Replies were generated elsewhere and"),
        (
            "python:m.py:f",
            {"kind": "function", "takes_sampling": False},
            "Replies came from a function that takes no settings of sampling.",
        ),
        (
            "python:m.py:f",
            {"kind": "function", "takes_sampling": True},
            "Replies were generated with temperature 0.",
        ),
    ],
)
def test_a_temperature_is_told_only_where_it_was_sent(tmp_path, model, decoding, expected):
    words = told(a_run(tmp_path / "a", ["correct"], model, decoding, sampling__temperature=0.0))
    assert expected in words
    assert ("temperature" in words) == ("temperature" in expected)


def test_a_function_says_whether_it_takes_sampling(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "asked.py").write_text(
        "def plain(messages):\n    return 'A'\n\n\ndef told(messages, sampling):\n    return 'A'\n"
    )
    for name, takes in (("plain", False), ("told", True)):
        run = ["run", "exercises", "--task", "theory", "--n", "1", "--quiet", "--out", name]
        assert main([*run, "-m", f"python:asked.py:{name}"]) == 0
        assert read_manifest(tmp_path / name).decoding["takes_sampling"] is takes


@pytest.mark.slow
def test_a_part_of_the_items_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = ["run", "exercises", "--task", "theory", "--n", "2", "-m", "random", "--quiet"]
    assert main([*run, "--out", "drawn", "--sample", "9"]) == 0
    assert main([*run, "--out", "share", "--shard", "2/3"]) == 0
    assert main([*run, "--out", "whole", "--sample", "999"]) == 0
    assert "9 items drawn at random only" in methods_paragraph(["drawn"])
    assert "share 2 of 3 only" in methods_paragraph(["share"])
    assert "at random only" not in methods_paragraph(["whole"])
    assert main([*run, "--out", "drawn", "--limit", "5"]) == 0
    assert "the first 5 trials and 9 items drawn at random only" in methods_paragraph(["drawn"])
    capsys.readouterr()


@pytest.mark.slow
def test_judges_are_named_with_what_they_judged(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run = ["run", "appraisal", "--source", "generated", "--n", "1", "--language", "en", "--quiet"]
    reviewer = "python:zhiyin.plugins.benchmarks.appraisal.reviewer:review"
    assert main([*run, "-m", reviewer, "--out", "a", "--judge", "lexical"]) == 0
    words = methods_paragraph(["a"])
    sentence = (
        "Replies were judged by lexical for completeness, precision and novelty (word lists in en)."
    )
    assert sentence in words
    assert "1 failed" not in words
    both = methods_paragraph(["a", a_run(tmp_path / "b", ["correct"])])
    assert "Replies were judged, of reviewer:review, English by lexical for completeness" in both
    capsys.readouterr()


def test_a_part_of_the_data_and_what_is_tested_by_itself_are_told(tmp_path):
    runs = [a_run(tmp_path / name, ["correct"] * 3) for name in "ab"]
    assert "at hand" not in told(*runs)
    made = read_manifest(runs[0])
    made.options["partial"] = True
    (runs[0] / MANIFEST).write_bytes(msgspec.json.encode(made))
    words = told(*runs)
    assert "what was at hand of the data (partial)" in words
    assert "for the whole and for " in words  # appraisal's headline is of its questions


def refusing(call):
    if "temperature" in call.body:
        told = "Unsupported value: 'temperature' does not support 0.5 with this model."
        body = {"error": {"message": told, "param": "temperature", "code": "unsupported_value"}}
        return web.Response(body=msgspec.json.encode(body), status=400)
    return "Answer: B"


def test_what_was_left_out_is_told_everywhere(tmp_path, capsys) -> None:
    rows = [{"question": f"{n}?", "options": ["C", "D"], "answer": "B"} for n in range(6)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    run = tmp_path / "run"
    with ChatServer(refusing) as server:
        call = ["run", str(path), "-m", server.spec, "--out", str(run), "--quiet"]
        call += ["--temperature", "0.5", "--top-p", "0.9"]
        assert main([*call, "--limit", "3"]) == 0
        assert "left out, for the server refuses it: temperature" in capsys.readouterr().out
        manifest = read_manifest(run)
        assert manifest.config["sampling"]["temperature"] == 0.5
        assert manifest.sampling["temperature"] is None
        assert manifest.sampling["top_p"] == 0.9
        assert "top-p 0.9" in methods_paragraph([run])
        assert "temperature" not in methods_paragraph([run])
    with ChatServer(lambda call: "Answer: B") as lenient:  # takes it; the log holds both
        lines = (run / "run.json").read_text().replace(server.spec, lenient.spec)
        (run / "run.json").write_text(lines)
        call[3] = lenient.spec
        assert main(call) == 0
    assert read_manifest(run).left_out() == ["temperature"]
    records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    told = [r["exchange"]["turns"][0]["reply"]["detail"].get("left_out") for r in records]
    assert told == [["temperature"]] * 3 + [None] * 3


def test_a_protocol_is_not_followed_where_its_decoding_was_left_out() -> None:
    from zhiyin.contract.protocols import protocols_of
    from zhiyin.contract.registry import find
    from zhiyin.engine.folder import Manifest

    protocol = protocols_of(find("perception"))["muse"]
    sampling = {"temperature": protocol.usual()["temperature"]}
    manifest = Manifest("perception", "m", {"sampling": sampling}, {"protocol": protocol.name}, 1)
    before = protocol_of(manifest).departures
    manifest.left_out("temperature")
    after = protocol_of(manifest).departures
    assert len(after) == len(before) + 1
    assert any("temperature" in str(clause) for clause in after)


def questions(place, options=("yes", "no"), n=10):
    rows = [
        {"id": f"q{i}", "question": f"Is it {i}?", "options": list(options), "answer": "A"}
        for i in range(n)
    ]
    return jsonl(place, *rows)


@pytest.mark.slow
def test_options_and_chance_and_a_passed_canary_are_told(tmp_path):
    questions(tmp_path / "own.jsonl", ("yes", "no", "perhaps"))
    out = tmp_path / "run"
    assert (
        main(["run", str(tmp_path / "own.jsonl"), "-m", "first", "--out", str(out), "--quiet"]) == 0
    )
    words = told(out)
    told_so = "Each question had 3 options, in the order of the data, so that guessing gets 33.3"
    assert f"{told_so}\xa0% right." in words
    assert "canary" not in words
    assert "registered" not in words
    made = read_manifest(out)
    made.canary = {"sound": {"state": "passed", "right": 11, "asked": 12}}
    (out / MANIFEST).write_bytes(msgspec.json.encode(made))
    words = told(out)
    assert "was passed before by first for sound (11 of 12 right)." in words
    assert "由以下模型通过：first（声音，12 题答对 11 题）" in methods_paragraph([out], "zh")


@pytest.mark.slow
def test_a_registered_plan_is_told_with_its_hash(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    questions(tmp_path / "own.jsonl")
    (tmp_path / "plan.toml").write_text(
        'benchmark = "own.jsonl"\nmodels = ["first"]\n'
        '[[hypotheses]]\nname = "H1"\nmodel = "first"\nsmallest = 5\n'
    )
    assert main(["plan", "--register", "plan.toml"]) == 0
    order = ["run", "own.jsonl", "--quiet", "-m"]
    assert main([*order, "first", "--plan", "plan.plan.json", "--out", "first"]) == 0
    assert main([*order, "longest", "--out", "longest"]) == 0
    sha = read_manifest(tmp_path / "first").config["plan"][:16]
    words = told(tmp_path / "first", tmp_path / "longest")
    assert "One hypothesis and its test were registered on " in words
    assert f"in a plan that first follows (SHA-256, first 16 digits: {sha}); no departure" in words


def test_questions_that_people_left_are_no_errors_of_the_transport(tmp_path):
    given = {"kind": "people", "people": 3}
    given["agreement"] = {"alpha": 0.41, "low": 0.2, "high": 0.6, "questions": 4}
    people = a_run(tmp_path / "people", ["correct", "error"], "people: all", given)
    words = told(people)
    assert "transport" not in words
    assert "Questions that a person did not come to are in no denominator" in words
    assert "Krippendorff’s alpha of 0.41 (95 % interval 0.20 to 0.60, over 4 questions)" in words
    model = a_run(tmp_path / "model", ["correct", "error"])
    assert "of people: questions that they did not come to" in told(people, model)
    assert "transport or the server) are in no denominator" in told(model)


def test_models_are_named_as_they_were_sent_and_by_their_days_where_these_differ(tmp_path):
    one = a_run(tmp_path / "a", ["correct"] * 3)
    two = a_run(tmp_path / "b", ["correct"] * 3, model="http://host/v1#lab/n")
    plain = a_run(tmp_path / "c", ["correct"] * 3, model="openai:gpt-4o")
    hub = a_run(tmp_path / "d", ["correct"] * 3, model="hf:lab/m-7b")
    words = told(one, two, plain, hub)
    assert "m (model lab/m at http://host/v1), n (model lab/n at http://host/v1), gpt-4o " in words
    assert "m-7b (hf:lab/m-7b)" in words
    day, later = "2031-02-01", "2031-02-03"
    for folder, when in ((one, day), (two, later)):
        made = read_manifest(folder)
        made.sessions = [Session(f"{when}T00:00:00+00:00", len(made.states))]
        (folder / MANIFEST).write_bytes(msgspec.json.encode(made))
    words = told(one, two)
    assert f"m (lab/m; on {day}) and n (lab/n; on {later}), at http://host/v1, on " in words
    assert f"from {day} to {later}" in words


def test_models_and_settings_are_named_once_where_each_was_asked_in_all(tmp_path):
    runs = []
    for name in ("one", "two"):
        for shots in (0, 5):
            folder = a_run(tmp_path / f"{name}{shots}", ["correct"] * 3,
                           model=f"http://host/v1#{name}", options={"shots": shots})  # fmt: skip
            runs.append(folder)
    words = told(*runs)
    assert words.count("http://host/v1") == 1
    assert "We examined one and two, at http://host/v1, in 4 runs on " in words
    assert words.count("Each model was asked in each of these ways: ") == 1
    assert "5 shots" in words.partition("these ways: ")[2].partition(".")[0]
    assert "Each model" not in told(*runs[:3])  # the second was asked in one way
    assert words.count("Software: The Zhiyin maintainers") == 1


def test_f1_examples_flaws_and_sources_are_described(tmp_path):
    """Of ZIQI-Eval, whose paper gives F1; not of a benchmark with accuracy alone."""
    groups = ("comprehension", "female_music")
    run = write_run(tmp_path / "r", "ziqi", "m", [answered(choice("q", groups=groups), "A")],
                    options={"shots": 5})  # fmt: skip
    manifest = read_manifest(run)
    manifest.options["shots"] = 5
    manifest.remarks = [Remark(what=said("ziqi-flaws", left=None, kinds=[]))]
    (run / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    words = told(run)
    for part in ("F1 is the harmonic mean", "the first 5 different ones in the",
                 "Of the data: flawed questions, asked as published",
                 "arXiv:2406.15885"):  # fmt: skip
        assert part in words
    assert "Published figures" not in words  # none stands beside one item
    assert words.startswith("We examined m, 5 shots on one item of ZIQI-Eval (version 1 of ")
    assert "; figures have 95 % intervals. " in words
    assert "differences are tested" not in words  # a lone run has none
    unmarked = told(a_run(tmp_path / "free", ["ungraded"] * 3))
    assert "on 3 items of " in unmarked
    assert "95 % intervals" not in unmarked
    assert "F1 is" not in told(a_run(tmp_path / "a", ["correct"] * 3))


def clustered_runs(place, clusters):
    """Two runs of twelve questions, each in the cluster that is named for its number."""
    for name, right in (("good", 10), ("weak", 4)):
        trials = [choice(f"q{n}", cluster=clusters(n)) for n in range(12)]
        records = [answered(trial, "AB"[n >= right]) for n, trial in enumerate(trials)]
        yield write_run(place / name, "mine", f"http://127.0.0.1:8000/v1#{name}", records)


def test_the_test_that_is_named_is_the_one_that_was_used(tmp_path):
    """Clusters of one question are none; and what runs share is said once, and no loopback."""
    alone = [*clustered_runs(tmp_path / "a", lambda n: f"song{n}")]
    words = told(*alone)
    assert {row.test for one in compare(alone).pairs for row in one.groups} == {"mcnemar"}
    assert "by McNemar's exact test;" in words
    assert "recording or a stimulus" not in words
    assert words.count("In each run") == 1
    assert "good and weak, on a server of our own, on 12 items of mine" in words
    assert "127.0.0.1" not in words
    together = told(*clustered_runs(tmp_path / "b", lambda n: f"song{n // 2}"))
    assert "by the sign-flip test over whole clusters (all flips" in together
    assert "McNemar" not in together
    twice = methods_paragraph([*alone, a_run(tmp_path / "c", ["correct"] * 3)])
    assert twice.count("Trials without a reply") == 1  # so of both benchmarks


@pytest.mark.parametrize(
    ("flags", "order", "flaws"),
    [
        (
            (),
            ", shuffled by the seed, so",
            "1 with an option twice, 1 with the right option twice.",
        ),
        (("--order", "published"), ", in the order of the data, so", "1 with the right option"),
        (("--task", "music"), ", shuffled by the seed, so", "published: 1 with an option twice."),
        (("--task", "sound"), ", shuffled by the seed, so", None),
    ],
)
def test_the_order_of_options_and_flaws_are_told_of_what_was_asked(tmp_path, flags, order, flaws):
    """In two of twelve recordings an option stands twice: on speech the right one."""
    data = make_mmau(tmp_path / "data", sound=False)
    entries = json.loads((data / "mmau-test-mini.json").read_text())
    entries[0]["choices"][1] = entries[0]["choices"][0]
    entries[1]["choices"][2] = entries[1]["choices"][3]
    (data / "mmau-test-mini.json").write_text(json.dumps(entries))
    words = ["run", "mmau", "--data", str(data), "--audio", "none", "-m", "first", *flags]
    assert main([*words, "--out", str(tmp_path / "run"), "--quiet"]) == 0
    paper = told(tmp_path / "run")
    assert order in paper
    assert flaws in paper if flaws else "flawed" not in paper
    assert "zhiyin data" not in paper


@pytest.mark.parametrize(
    ("flags", "order"),
    [(("--shuffle",), ", shuffled by the seed"), ((), ", in the order of the data"),
     (("--rotations", "all"), "")],
)  # fmt: skip
def test_an_order_that_is_rotated_is_told_as_a_setting_alone(tmp_path, flags, order):
    questions(tmp_path / "own.jsonl", ("yes", "no", "perhaps"))
    words = ["run", str(tmp_path / "own.jsonl"), "-m", "first", *flags, "--quiet"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    assert f"Each question had 3 options{order}, so that" in told(tmp_path / "run")


def test_a_paper_holds_no_command(shared, tmp_path):
    out = tmp_path / "run"
    words = ["run", "ziqi", "--data", str(shared / "ziqi"), "-m", "first", "--sample", "20"]
    assert main([*words, "--out", str(out), "--quiet"]) == 0
    paper = methods_paragraph([out])
    assert "flawed questions, asked as published: " in paper
    assert "zhiyin data" not in paper
    assert "--clean" not in paper
    assert "zhiyin data check" not in methods_paragraph([out], "zh")
