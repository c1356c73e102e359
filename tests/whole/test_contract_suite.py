"""The contract suite, over all that can be asked here, and over what breaks the contract."""

import csv
import importlib
import re
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY
from howto_help import BLOCK, PAGE, benchmark_code
from judge_help import CLAIMING, REVIEW, make_run
from servers import ChatServer
from zhiyin.cli import main

BROKEN = REPOSITORY / "tests" / "broken_subjects.py"
PLUGIN = REPOSITORY / "examples" / "plugin" / "src"
ADAPTER = REPOSITORY / "examples" / "subprocess" / "adapter.py"
SUITE = "zhiyin.contract_suite"
QUICK = "not another_process"


class Told:
    """What became of each test, and the failures' words."""

    def __init__(self):
        self.passed, self.failed, self.skipped, self.ended = set(), {}, set(), ""

    def pytest_keyboard_interrupt(self, excinfo):
        self.ended = excinfo.value.msg

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.rpartition("::")[2]
        if report.failed:
            self.failed[name] = report.longreprtext
        elif report.skipped:
            self.skipped.add(name)
        elif report.when == "call":
            self.passed.add(name)


def tried(folder, *words):
    """Run the suite here, as pytest does for who calls it; exit status and what was told."""
    told = Told()
    # The last two collect the garbage of all tests, again and again, when they leave.
    off = ("terminal", "faulthandler", "cacheprovider", "xdist", "hypothesispytest")
    off += ("unraisableexception", "threadexception")
    status = pytest.main(
        ["-s", "-c", str(folder / "none.ini"), "--rootdir", str(folder),
         "--basetemp", str(folder / "base"), *(w for name in off for w in ("-p", f"no:{name}")),
         "-p", f"{SUITE}.plugin", "--pyargs", SUITE, *map(str, words)],
        plugins=[told],
    )  # fmt: skip
    return status, told


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with no settings of pytest's in it."""
    (tmp_path / "none.ini").write_text("[pytest]\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def kept(folder, *words):
    """The suite has something to try, and finds nothing."""
    status, told = tried(folder, *words)
    assert not told.failed
    assert status == 0
    assert len(told.passed) >= 6
    return told


def my_questions(folder):
    path = folder / "my_questions.csv"
    with path.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("question", "A", "B", "C", "D", "answer", "group"))
        for n in range(40):
            words = ("octave", "fifth", "third", "unison")
            lines.writerow((f"Interval {n}?", *words, "ABCD"[n % 4], ("low", "high")[n % 2]))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("form", ["number", "choice"])
def test_the_sample_plug_in_keeps_the_contract(desk, form):
    place = f"{PLUGIN}/zhiyin_intervals/benchmark.py:Intervals"
    kept(desk, "--benchmark", place, "--option", f"form={form}", "-k", QUICK)


@pytest.mark.slow
def test_a_file_of_questions_keeps_the_contract(desk):
    told = kept(desk, "--benchmark", my_questions(desk), "-k", QUICK)
    assert {"test_runs_are_read[report]", "test_right_answers_are_not_worse"} <= told.passed


@pytest.mark.slow
def test_the_examples_of_the_docs_keep_the_contract(desk):
    (desk / "triads.py").write_text(benchmark_code())
    stairs = next(b for b in BLOCK.findall(PAGE.read_text("utf-8")) if "class Steps" in b)
    (desk / "steps.py").write_text(stairs)
    kept(desk, "--benchmark", "triads.py:Triads", "--option", "mode=all", "-k", QUICK)
    told = kept(desk, "--benchmark", "steps.py:Steps", "-k", QUICK)
    assert "test_sequences_go_the_same_way_again" in told.passed


GENERATED = {
    "exercises": "n=2",
    "exercises in Chinese": "n=2 language=zh",
    "exercises of tunes": "task=continuation corpus=essenFolksong/han1 n=2",
    "pairs": "n=1 fact=third,tempo change=gain,font",
    "perception": "n=4",
    "perception in three ways": "n=2 modality=midi strategy=standalone,cot,logiclm shots=few",
    "scores": "source=generated n=2",
    "thresholds": "most=10 dimension=pitch,onset",
    "bodies": "n=1",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GENERATED)
def test_a_generated_benchmark_keeps_the_contract(desk, name):
    words = [word for option in GENERATED[name].split() for word in ("--option", option)]
    kept(desk, "--benchmark", name.split()[0], *words)


@pytest.mark.slow
def test_made_data_keep_the_contract(desk):
    assert main(["data", "make", "muchomusic", "--clips", "4", "--out", "pieces"]) == 0
    options = ("--option", "data=pieces", "--option", "audio=true,silence")
    kept(desk, "--benchmark", "muchomusic", *options)
    assert main(["data", "make", "questions", "--n", "4", "--seconds", "4", "--out", "own"]) == 0
    kept(desk, "--benchmark", "own/questions.jsonl")


@pytest.mark.slow
def test_an_exam_keeps_the_contract(desk):
    for model in ("random", "first", "longest", "overlap"):
        assert main(["run", "exercises", "--n", "5", "-m", model, "--out", f"runs/{model}"]) == 0
    runs = [str(folder) for folder in Path("runs").iterdir()]
    assert main(["stats", "items", *runs, "--bank", "bank.json"]) == 0
    options = ("bank=bank.json", "of=exercises", "n=10")
    told = kept(desk, "--benchmark", "adaptive", *(w for o in options for w in ("--option", o)))
    assert "test_sequences_go_the_same_way_again" in told.passed


PUBLISHED = {
    "abc-eval": "data=abc_eval partial",
    "cmi": "data=cmi audio=none",
    "mmar": "data=mmar audio=none",
    "mmar-rubrics": "data=mmar audio=none",
    "mmau": "data=mmau audio=none",
    "muse": "data=muse_tasks partial",
    "rhythm-ability": "data=rat items=10",
    "rul": "data=rul audio=none",
    "scores": "data=music_bench",
    "ziqi": "data=ziqi shots=2",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_benchmark_keeps_the_contract(desk, shared, name):
    options = PUBLISHED[name].replace("data=", f"data={shared}/").split()
    kept(desk, "--benchmark", name, *(w for option in options for w in ("--option", option)))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["random", "first", "longest", "overlap", "listener"])
def test_a_model_of_zhiyin_keeps_the_contract(desk, spec):
    kept(desk, "--model", spec)


FUNCTIONS = """
def plain(messages):
    return "B"

async def later(messages, sampling):
    return "B"

def three(audio_path, question, options):
    return options[0]
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "later", "three"])
def test_a_function_keeps_the_contract(desk, name):
    (desk / "functions.py").write_text(FUNCTIONS)
    kept(desk, "--model", f"python:functions.py:{name}")


@pytest.mark.slow
def test_a_class_and_a_model_of_a_package_keep_the_contract(desk, monkeypatch):
    kept(desk, "--model", f"python:{BROKEN}:Bot")
    monkeypatch.syspath_prepend(PLUGIN)
    kept(desk, "--model", "python:zhiyin_intervals.models:Counter")


@pytest.mark.slow
def test_answers_of_before_keep_the_contract(desk):
    path = my_questions(desk)
    assert main(["run", str(path), "-m", "first", "--out", "before"]) == 0
    kept(desk, "--model", "replay:before", "--benchmark", path)


@pytest.mark.slow
def test_a_judge_keeps_the_contract(desk):
    make_run(desk / "reviews", [REVIEW, CLAIMING])
    judging = ("--benchmark", "judge", "--option", "run=reviews")
    kept(desk, "--model", "lexical", *judging, "--option", "aspects=completeness")


@pytest.mark.slow
def test_a_server_keeps_the_contract(desk):
    with ChatServer("B") as server:
        kept(desk, "--model", server.spec)
    assert server.calls >= 6


@pytest.mark.slow
def test_a_program_keeps_the_contract(desk):
    assert main(["data", "make", "questions", "--n", "4", "--seconds", "4", "--out", "own"]) == 0
    program = f"subprocess:{sys.executable} {ADAPTER}"
    kept(desk, "--model", program, "--benchmark", "own/questions.jsonl")


def words_of(told):
    """The words of each failure: one line each, which names a place of the contract."""
    for line in told.failed.values():
        assert "\n" not in line.strip(), line
        place = re.search(r"\(see (zhiyin[\w.]*)\)$", line)[1]
        assert resolved(place) is not None
    return told.failed


def resolved(place):
    """What a dotted name stands for."""
    found, *rest = place.split(".")
    value = importlib.import_module(found)
    for name in rest:
        found = f"{found}.{name}"
        value = getattr(value, name) if hasattr(value, name) else importlib.import_module(found)
    return value


def test_all_places_that_failures_name_are_there():
    folder = REPOSITORY / "src" / "zhiyin" / "contract_suite"
    source = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    places = {*re.findall(r'"(zhiyin\.[\w.]+)"', source)}
    of_class = re.findall(r"{BENCHMARK}(\.\w+)", source)
    assert len(places) > 8
    assert len(of_class) > 8
    for place in (*places, *(f"zhiyin.contract.Benchmark{name}" for name in of_class)):
        assert resolved(place) is not None


FAULTS = {
    "Unseeded": {"test_trials_are_the_same_again": "same seed differs in 'q0'"},
    "SameIds": {"test_trials_have_ids_of_their_own": "'q0' is given 2 times"},
    "Telling": {"test_nothing_tells_the_target": "name the right option"},
    "AlwaysFirst": {"test_nothing_tells_the_target": "is always A"},
    "Generous": {
        "test_a_wrong_answer_is_wrong": "is taken for right",
        "test_silence_and_refusal_are_no_answer[stop-]": "is no answer",
    },
    "Moody": {
        "test_the_right_answer_is_right": "differs at the second call",
        "test_a_run_that_was_cut_off_ends_as_one_that_was_not": "differs in a run",
    },
    "Backwards": {"test_right_answers_are_not_worse": "by 'cents', higher is better"},
    "Overfull": {"test_figures_are_within_their_range": "it must be from 0 to 10"},
    "Doubled": {"test_figures_are_within_their_range": "not within (0.0, 1.0)"},
    "Unnested": {"test_groups_nest": "is in 'theory/keys', not in 'theory'"},
    "Deafening": {"test_files_are_what_the_trials_say": "has another SHA-256"},
    "Failing": {"test_its_measures_can_be_read": "raised KeyError: 'answers.csv', at broken_"},
    "Wordless": {"test_it_says_what_it_is": "a message in 'en' raised"},
    "Wavering": {"test_sequences_go_the_same_way_again": "next is not pure"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_benchmark_is_caught_for_its_reason(desk, name):
    tests = " or ".join(test.partition("[")[0] for test in FAULTS[name])
    status, told = tried(desk, "--benchmark", f"{BROKEN}:{name}", "-k", tests)
    found = words_of(told)
    assert status == 1
    for test, words in FAULTS[name].items():
        assert words in found[test]


@pytest.mark.slow
def test_what_they_derive_from_is_whole(desk):
    kept(desk, "--benchmark", f"{BROKEN}:Fine", "-k", QUICK)


@pytest.mark.slow
def test_an_order_that_changes_with_the_process_is_caught(desk):
    _, told = tried(desk, "--benchmark", f"{BROKEN}:OfASet")
    assert "otherwise with the same seed" in words_of(told)["test_another_process_asks_the_same"]


LIES = {
    "Silent": {"test_it_replies": "returned dict: return a str or a Reply"},
    "Wordy": {"test_a_reply_is_no_longer_than_it_may_be": "14 words with max_tokens 8"},
    "Deaf": {"test_it_takes_what_it_says[sound]": "say sound=True, and it fails: there is sound"},
    "Boastful": {"test_its_capabilities_can_be_read": "`$.sound`"},
    "Private": {"test_it_is_described": "describe raised TypeError"},
    "Closing": {"test_it_is_closed_twice": "closed already"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LIES)
def test_a_broken_model_is_caught_for_its_reason(desk, name):
    status, told = tried(desk, "--model", f"python:{BROKEN}:{name}")
    found = words_of(told)
    assert status == 1
    assert {*found} == {*LIES[name]}
    for test, words in LIES[name].items():
        assert words in found[test]


@pytest.mark.slow
def test_with_nobody_to_try_all_is_skipped(desk):
    status, told = tried(desk)
    assert status == 0
    assert told.skipped
    assert not told.passed


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--benchmark", "no-such"), "--benchmark no-such: unknown benchmark"),
        (("--benchmark", "ziqi", "--option", "data=nowhere"), "nowhere"),
        (("--benchmark", "exercises", "--option", "n=many"), "n many"),
        (("--model", "no-such"), "--model no-such: unknown model"),
    ],
)
def test_what_cannot_be_opened_ends_it_in_one_line(desk, words, line):
    status, told = tried(desk, *words)
    assert status == 4
    assert line in told.ended
    assert "\n" not in told.ended
    assert not told.passed
