"""Named protocols: one word sets every switch, and what contradicts it is named."""

import json
from pathlib import Path

import pytest

from muchomusic_help import make_data
from perception_help import make_muse
from said_help import texts
from zhiyin.cli import main
from zhiyin.contract.protocols import OURS, Protocol, open_protocol, protocols_of
from zhiyin.contract.registry import find, open_benchmark, places
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.errors import InputError
from zhiyin.report.methods import methods_paragraph

ZIQI = Path(__file__).parent.parent / "data" / "ziqi_small"

# A made-up program of the shape that the released one has; its words are our own.
PROGRAM = """
import torch

def make_prompt(question, A, B, C, D):
    prompt = "{} <<甲>>{}; <<乙>>{}; <<丙>>{}; <<丁>>{}. {{braces}} [[答案：]]".format(
        question, A, B, C, D)
    return prompt

raise SystemExit("this program must not be run")
"""
EXAMPLES = """in_context_examples:
  - "Question: Which voice opens?
    Options: (A) The horn. (B) The drum.
    The right one: A"
"""


@pytest.fixture
def clones(tmp_path):
    """Folders laid out as the two published repositories."""
    ziqi, mucho = tmp_path / "ZIQI-Eval", tmp_path / "muchomusic"
    (ziqi / "src").mkdir(parents=True)
    (ziqi / "src" / "zero-shot-eval.py").write_text(PROGRAM, encoding="utf-8")
    (mucho / "muchomusic_eval" / "configs").mkdir(parents=True)
    (mucho / "muchomusic_eval" / "configs" / "default.yaml").write_text(EXAMPLES)
    return {"ziqi": ziqi, "muchomusic": mucho}


@pytest.fixture(scope="module")
def mucho(tmp_path_factory):
    return make_data(tmp_path_factory.mktemp("mucho"))


def run(capsys, out, *arguments) -> dict:
    assert main(["run", *map(str, arguments), "-m", "first", "--out", str(out), "--json"]) == 0
    return json.loads(capsys.readouterr()[0])


def refused(capsys, *arguments) -> str:
    assert main(["run", *map(str, arguments), "-m", "first"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def ziqi(*arguments):
    return ["ziqi", "--data", ZIQI, "--partial", *arguments]


def test_every_protocol_is_declared_where_its_benchmark_lives():
    named = {p: name for name in places() for p in list(protocols_of(find(name)))[1:]}
    assert named["ziqi-released"] == "ziqi"
    assert named["muchomusic-released"] == "muchomusic"
    assert named["muse"] == "perception"
    for name, benchmark in named.items():
        protocol = open_protocol(find(benchmark), name)
        assert protocol.summary
        assert protocol.source
        assert {"temperature", "max_tokens", "extract"} & protocol.sets.keys()


def test_ziqi_released_sets_all_at_once(capsys, tmp_path):
    summary = run(capsys, tmp_path / "run", *ziqi("--protocol", "ziqi-released"))
    manifest = read_manifest(tmp_path / "run")
    assert manifest.config["options"]["protocol"] == "ziqi-released"
    sampling = manifest.config["sampling"]
    assert (sampling["temperature"], sampling["max_tokens"]) == (None, 100)
    record = next(read_records(tmp_path / "run"))
    assert record.verdict.policy.startswith("first-letter@")
    (message,) = record.trial.messages
    assert "\n" not in message.text.removeprefix(record.trial.stem)
    assert message.text.startswith(record.trial.stem)
    places = [message.text.index(option.text) for option in record.trial.options]
    assert places == sorted(places)
    assert "[[答案：]]" in message.text
    (departure,) = summary["protocol"]["departures"]
    assert departure.startswith("prompts in our own words, in the released layout (not those of")


def test_the_released_words_are_read_from_a_clone_and_never_run(capsys, tmp_path, clones):
    given = ziqi("--protocol", "ziqi-released", "--released", clones["ziqi"])
    summary = run(capsys, tmp_path / "run", *given)
    assert summary["protocol"]["departures"] == []
    assert any("without a departure" in remark for remark in texts(summary["remarks"]))
    for record in read_records(tmp_path / "run"):
        a, b, c, d = (option.text for option in record.trial.options)
        assert record.trial.messages[-1].text == (
            f"{record.trial.stem} <<甲>>{a}; <<乙>>{b}; <<丙>>{c}; <<丁>>{d}. {{braces}} [[答案：]]"
        )


def test_a_released_prompt_holds_the_white_space_of_the_data(tmp_path, clones):
    header = "id,question,A,B,C,D,answer,subtheme\n"
    for part in ("test", "dev"):
        (tmp_path / part).mkdir()
    row = '0," q ",a ," b",c,"d\n",B,x\n'
    (tmp_path / "test" / "female_music.csv").write_text(header + row, encoding="utf-8")
    options = {"data": str(tmp_path), "partial": True}
    more = {"protocol": "ziqi-released", "released": str(clones["ziqi"])}
    (ours,) = open_benchmark("ziqi", options).trials()
    (released,) = open_benchmark("ziqi", {**options, **more}).trials()
    assert "\nq\n" in ours.messages[0].text
    assert released.messages[0].text == (
        " q  <<甲>>a ; <<乙>> b; <<丙>>c; <<丁>>d\n. {braces} [[答案：]]"
    )
    assert released.options == ours.options


def test_what_contradicts_a_protocol_is_named(capsys, tmp_path, clones, monkeypatch):
    given = ziqi("--protocol", "ziqi-released", "--released", clones["ziqi"])
    summary = run(
        capsys, tmp_path / "run", *given, "--temperature", "0.5", "--shots", "2", "--shuffle"
    )
    assert summary["protocol"]["departures"] == [
        "shots 2, not shots 0",
        "shuffle, not no shuffle",
        "temperature 0.5, not temperature default",
    ]
    assert main(["show", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()[0]
    assert "protocol ziqi-released" in shown
    assert "shots 2, not shots 0" in shown
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    assert main(["show", str(tmp_path / "run")]) == 0
    shown = capsys.readouterr()[0]
    assert "2 样例，而不是 0 样例" in shown
    assert ", not " not in shown
    monkeypatch.delenv("ZHIYIN_LANG")
    methods = methods_paragraph([tmp_path / "run"])
    assert "The protocol ziqi-released was followed" in methods
    assert "temperature 0.5, not temperature default" in methods


@pytest.mark.slow
def test_another_reading_is_a_departure_after_rescore_too(capsys, tmp_path, clones):
    given = ziqi("--protocol", "ziqi-released", "--released", clones["ziqi"])
    run(capsys, tmp_path / "run", *given)
    again = str(tmp_path / "again")
    arguments = ["rescore", str(tmp_path / "run"), "--extract", "robust", "--out", again, "--json"]
    assert main(arguments) == 0
    capsys.readouterr()
    assert main(["show", again, "--json"]) == 0
    summary = json.loads(capsys.readouterr()[0])
    assert summary["protocol"]["departures"] == ["read by robust, not read by first-letter"]


def test_ours_is_the_default_and_leaves_runs_as_they_were(capsys, tmp_path):
    summary = run(capsys, tmp_path / "run", *ziqi())
    assert summary["protocol"]["name"] == "ours"
    assert not any("protocol" in remark for remark in texts(summary["remarks"]))
    manifest = read_manifest(tmp_path / "run")
    assert manifest.options["protocol"] == "ours"
    assert "protocol" not in manifest.config["options"]
    assert "protocol" not in methods_paragraph([tmp_path / "run"])
    options = {"data": str(ZIQI), "partial": True}
    assert manifest.config["data"] == open_benchmark("ziqi", options).fingerprint()


@pytest.mark.slow
def test_muchomusic_released_is_what_the_released_code_builds(capsys, tmp_path, mucho, clones):
    given = ["muchomusic", "--data", mucho, "--protocol", "muchomusic-released"]
    summary = run(capsys, tmp_path / "run", *given, "--released", clones["muchomusic"])
    assert summary["protocol"]["departures"] == []
    manifest = read_manifest(tmp_path / "run")
    assert set(manifest.config["sampling"].values()) == {None}
    example = "Question: Which voice opens? Options: (A) The horn. (B) The drum. The right one: A"
    for record in read_records(tmp_path / "run"):
        trial = record.trial
        options = "".join(f"({o.letter}) {o.text} " for o in trial.options)
        assert trial.messages[0].text == (
            f"{example}\n Question: {trial.stem}\n Options: {options}\n The correct answer is: "
        )
        assert record.verdict.policy.startswith("muchomusic-code@")
    assert {record.trial.tags["repeat"] for record in read_records(tmp_path / "run")} == {1, 2, 3}


@pytest.mark.slow
def test_muchomusic_released_without_a_clone_has_our_example_in_its_layout(capsys, tmp_path, mucho):
    given = ["muchomusic", "--data", mucho, "--protocol", "muchomusic-released"]
    summary = run(capsys, tmp_path / "run", *given, "--audio", "true,none")
    assert [d.partition(" (")[0] for d in summary["protocol"]["departures"]] == [
        "audio true,none, not audio true",
        "prompts in our own words, in the released layout",
    ]
    text = next(read_records(tmp_path / "run")).trial.messages[0].text
    assert text.count("\n Options: (A) ") == 2
    assert text.count("The correct answer is: ") == 2


def test_a_text_example_of_the_released_kind_is_not_shown_zero_shot(tmp_path, mucho, clones):
    options = {
        "data": str(mucho),
        "protocol": "muchomusic-released",
        "released": str(clones["muchomusic"]),
        "shots": "0",
    }
    trial = next(iter(open_benchmark("muchomusic", options).trials()))
    assert trial.messages[0].text.startswith(f"Question: {trial.stem}\n Options: (A) ")
    with pytest.raises(InputError, match="1 examples in --released"):
        next(iter(open_benchmark("muchomusic", {**options, "shots": "2"}).trials()))


@pytest.mark.slow
def test_muse_sets_recordings_decoding_and_reading(capsys, tmp_path):
    folder = make_muse(tmp_path / "muse")
    given = ["perception", "--data", folder, "--protocol", "muse", "--task", "chords"]
    summary = run(capsys, tmp_path / "run", *given, "--sampling-seed", "2")
    assert summary["protocol"]["departures"] == []
    sampling = read_manifest(tmp_path / "run").config["sampling"]
    assert {name: sampling[name] for name in sampling if sampling[name] is not None} == {
        "temperature": 1.0,
        "top_p": 0.95,
        "top_k": 40,
        "max_tokens": 8192,
        "seed": 2,
    }
    record = next(read_records(tmp_path / "run"))
    assert record.trial.tags["source"] == "muse"
    assert record.verdict.policy.startswith("final-line@")
    other = run(capsys, tmp_path / "other", *given, "--sampling-seed", "4", "--top-k", "1")
    assert other["protocol"]["departures"] == [
        "top-k 1, not top-k 40",
        "sampling-seed 4, not sampling-seed 1, sampling-seed 2 or sampling-seed 3",
    ]


def test_an_unknown_protocol_is_refused_in_one_line(capsys):
    assert "known: ours, ziqi-released" in refused(capsys, *ziqi("--protocol", "ziqi-relased"))
    assert "known: ours, ziqi-released" in refused(capsys, *ziqi("--protocol", "muse"))
    assert "--protocol" in refused(capsys, *ziqi("--protocol"))


def test_a_clone_is_refused_where_nothing_is_read_from_it(capsys, tmp_path, clones):
    said = refused(capsys, *ziqi("--released", clones["ziqi"]))
    assert "give --protocol ziqi-released" in said
    given = ["--protocol", "ziqi-released", "--released"]
    assert "zero-shot-eval.py" in refused(capsys, *ziqi(*given, tmp_path / "nowhere"))
    program = clones["ziqi"] / "src" / "zero-shot-eval.py"
    for text in ("def make_prompt(:", "x = 1", 'def make_prompt(q):\n    return "{} {}"', "\0"):
        program.write_text(text)
        assert "give the folder of a clone" in refused(capsys, *ziqi(*given, clones["ziqi"]))
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    said = refused(capsys, *ziqi(*given, clones["ziqi"], "--prompts", prompts))
    assert "give one of the two" in said


@pytest.mark.parametrize("text", ["- a", "in_context_examples: [1]", "a: [", "", "x: &a [*a]"])
def test_a_clone_with_another_configuration_is_refused(capsys, clones, mucho, text):
    place = clones["muchomusic"] / "muchomusic_eval" / "configs" / "default.yaml"
    place.write_text(text)
    given = ["muchomusic", "--data", mucho, "--protocol", "muchomusic-released", "--released"]
    assert "give the folder of a clone" in refused(capsys, *given, clones["muchomusic"])
    place.unlink()
    assert "give the folder of a clone" in refused(capsys, *given, clones["muchomusic"])


@pytest.mark.parametrize("switch", [("--top-p", "0"), ("--top-p", "1.1"), ("--top-k", "0")])
def test_decoding_out_of_range_is_refused(capsys, switch):
    assert switch[0] in refused(capsys, *ziqi(*switch))


def test_departures_take_values_as_the_command_line_gives_them():
    protocol = Protocol(
        "p", "", sets={"shots": "0", "repeats": 3, "clean": False, "seed": 0, "temperature": 1.0}
    )
    same = {"shots": 0, "repeats": "3", "clean": None, "seed": 0}
    assert protocol.departures(same, {"temperature": 1}) == []
    told = protocol.departures({**same, "clean": True, "seed": None}, {"temperature": None})
    assert [*map(str, told)] == [
        "clean, not no clean",
        "no seed, not seed 0",
        "temperature default, not temperature 1.0",
    ]
    assert OURS.departures({"shots": 5, "anything": True}, {"temperature": 2}) == []


def test_the_list_names_them(capsys):
    assert main(["list", "--json"]) == 0
    named = {entry["name"] for entry in json.loads(capsys.readouterr()[0])["protocols"]}
    assert {"ziqi-released", "muchomusic-released", "muse"} <= named


def test_the_declaration_that_the_docs_show_is_one():
    page = Path(__file__).parent.parent.parent / "docs" / "how-to" / "add-a-benchmark.md"
    block = next(b for b in page.read_text("utf-8").split("```python\n") if "PROTOCOLS = (" in b)
    declared = {"Protocol": Protocol}
    exec(block.partition("```")[0], declared)
    (protocol,) = declared["PROTOCOLS"]
    assert protocol.usual()["max_tokens"] == 100
    told = protocol.departures({"shots": 5, "extract": "first-letter"}, {"max_tokens": 100})
    assert [*map(str, told)] == [
        "prompts in our own words, in the released layout (not those of a clone of owner/name)"
    ]
