"""`import zhiyin as zy`: in scripts, under a running event loop, and when it fails."""

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
import time

import msgspec
import pytest

import zhiyin as zy
from judge_help import CLAIMING, REVIEW, make_run
from said_help import texts
from zhiyin import cli
from zhiyin.contract.resolved import resolved
from zhiyin.errors import adding
from ziqi_layout import write_ziqi

pytestmark = pytest.mark.slow


class Intervals(zy.Benchmark):
    """Twelve questions of the user's own."""

    class Settings(msgspec.Struct, frozen=True):
        n: int = 12
        extract: str = "robust"

    name = "intervals"
    chance = 0.5
    Settings = Settings

    def trials(self):
        options = (zy.Option("A", "a third", "third"), zy.Option("B", "a fifth", "fifth"))
        for i in range(self.settings.n):
            key = ("third", "fifth")[i % 2]
            words = f"Question {i}: which interval is it?"
            yield zy.Trial(f"q/{i}", (zy.say("user", words),), words, options, key, ("heard",))


class Scripted:
    """A model as an object."""

    name, concurrency = "scripted", 2

    def __init__(self):
        self.asked = self.closed = 0

    async def generate(self, messages, sampling, trial):
        self.asked += 1
        await asyncio.sleep(0)
        return zy.Reply("Answer: B")

    async def close(self):
        self.closed += 1


def always_a(messages):
    return "答案：A"


@pytest.fixture
def desk(tmp_path, monkeypatch):
    write_ziqi(tmp_path / "data", 6)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(model="first", **settings):
    return zy.run("ziqi", model, **({"data": "data", "limit": 20} | settings))


# What importing costs, and what there is


def test_importing_imports_nothing_else():
    code = (
        "import sys; before = set(sys.modules); import zhiyin; "
        "print(sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['zhiyin']"


def test_every_public_name_is_there_and_told():
    for name in zy.__all__:
        found = getattr(zy, name)
        assert name in dir(zy)
        if name != "__version__":
            assert found.__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = zy.nothing
    for name in zy.stats.__all__:
        assert getattr(zy.stats, name).__doc__, name


def test_report_can_be_called_whatever_was_imported_before():
    code = (
        "import zhiyin.report.writing, zhiyin as zy\n"
        "from zhiyin import report\n"
        "assert callable(zy.report) and report is zy.report\n"
        "import zhiyin.plugins.music.notation as deep\n"
        "assert zy.report.writing and deep"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# Running


def test_a_run_is_that_of_the_command_line(desk, capsys):
    first = run("random", shots=2, category=["popular_music"], limit=None)
    words = "run ziqi --data data -m random --shots 2 --category popular_music --json"
    assert cli.main(words.split()) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["run"] == str(first.folder)
    assert told["groups"] == json.loads(msgspec.json.encode(first.groups))
    assert len(first.manifest.sessions) == 2
    assert first.manifest.sessions[1].asked == 0


def test_a_run_shows_itself(desk):
    found = run(label="the <first>")
    assert len(repr(found)) <= 80
    assert "\n" not in repr(found)
    low, high = found.groups["all"].ci95
    assert f"({100 * low:.1f}–{100 * high:.1f})" in repr(found)
    page = found._repr_html_()
    assert f"{100 * low:.1f}–{100 * high:.1f}" in page
    assert "the &lt;first&gt;" in page
    assert "<first>" not in page


def test_limits_grow_in_one_folder(desk):
    few, more = run(limit=5), run(limit=12)
    assert few.folder == more.folder
    assert (len(few), len(more)) == (5, 12)
    assert [record.id for record in more][:5] == [record.id for record in few.records()][:5]


def test_protocol_and_what_is_given_beside_it(desk):
    plain, released = run(), run(protocol="ziqi-released")
    assert plain.settings["sampling"]["temperature"] == 0.0
    assert released.settings["sampling"]["temperature"] is None
    assert run(protocol="ziqi-released", temperature=0.5).settings["sampling"]["temperature"] == 0.5
    assert run(temperature="default").settings["sampling"]["temperature"] is None
    assert released.folder != plain.folder


def test_a_function_is_known_by_its_code(desk):
    def make(words):
        def answer(messages):
            return words

        return answer

    a, b, again = run(make("答案：A")), run(make("答案：B")), run(make("答案：A"))
    assert a.folder == again.folder != b.folder
    assert len(again.manifest.sessions) == 2
    assert {record.verdict.letter for record in b} == {"B"}
    assert a.manifest.decoding["kind"] == "function"


def test_functions_of_every_kind(desk):
    async def waits(messages):
        await asyncio.sleep(0)
        return "答案：C"

    def three(audio_path, question, options, /):
        assert audio_path is None
        assert len(options) == 4
        return zy.Reply("答案：D")

    class Callable:
        def __call__(self, messages):
            return "答案：A"

    for model, letter in (
        (waits, "C"),
        (three, "D"),
        (Callable(), "A"),
        (lambda m: "答案：B", "B"),
    ):
        found = run(model, limit=4)
        assert {record.verdict.letter for record in found} == {letter}
        assert found.complete


def test_objects_of_the_users(desk):
    model = Scripted()
    found = zy.run(Intervals(Intervals.Settings(n=6)), model)
    assert (len(found), model.asked, model.closed) == (6, 6, 1)
    assert found.groups["heard"].accuracy == 0.5
    assert found.settings["options"]["n"] == 6
    by_class = zy.run(Intervals, Scripted(), n=8)
    assert len(by_class) == 8
    by_name = zy.run("intervals", Scripted(), n=8)
    assert by_name.folder == by_class.folder
    assert zy.rescore(by_class, "robust").changed == 0
    assert zy.compare(found, by_class).items == 6


def test_a_file_of_questions(desk):
    rows = "stem,A,B,answer\nUp?,do,re,A\nDown?,re,do,B\n"
    (desk / "mine.csv").write_text(rows)
    found = zy.run("mine.csv", Scripted(), columns={"question": "stem"})
    assert found.groups["all"].accuracy == 0.5
    assert zy.run(desk / "mine.csv", Scripted(), columns="question=stem").complete
    with pytest.raises(zy.InputError, match="leave data out"):
        zy.run("mine.csv", Scripted(), data="data")


def test_an_object_takes_no_settings_and_names_are_not_taken_twice(desk):
    with pytest.raises(zy.InputError, match=r"set up already: leave out n"):
        zy.run(Intervals(Intervals.Settings()), "first", n=3)

    class Twin(Intervals):
        name = "ziqi"

    class Nameless(zy.Benchmark):
        pass

    with pytest.raises(zy.InputError, match="'ziqi' is the name of a benchmark"):
        zy.run(Twin, "first")
    with pytest.raises(zy.InputError, match="give its class a name"):
        zy.register(Nameless)
    with pytest.raises(zy.InputError, match="not a class that derives"):
        zy.register(int)


# Event loops


def test_under_a_running_loop_and_side_by_side(desk):
    loops, threads = set(), set()

    def model(name):
        class Own(Scripted):
            async def generate(self, messages, sampling, trial):
                loops.add(asyncio.get_running_loop())
                threads.add(threading.current_thread())
                return await super().generate(messages, sampling, trial)

        made = Own()
        made.name = name
        return made

    async def main():
        waited = run(model("waited"))
        assert asyncio.get_running_loop() not in loops
        loops.clear(), threads.clear()
        both = await asyncio.gather(
            zy.arun("ziqi", model("one"), data="data", limit=20),
            zy.arun("ziqi", model("two"), data="data", limit=30),
        )
        assert loops == {asyncio.get_running_loop()}
        assert threads == {threading.current_thread()}
        return waited, *both

    before = signal.getsignal(signal.SIGINT)
    waited, one, two = asyncio.run(main())
    assert [len(waited), len(one), len(two)] == [20, 20, 30]
    assert signal.getsignal(signal.SIGINT) is before


def test_two_threads_run_at_once(desk):
    found = {}

    def work(name):
        model = Scripted()
        model.name = name
        found[name] = run(model)

    threads = [threading.Thread(target=work, args=(name,)) for name in ("left", "right")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {name: len(made) for name, made in found.items()} == {"left": 20, "right": 20}


INTERRUPTED = """
import asyncio, sys, time
import zhiyin as zy

async def slow(messages):
    await asyncio.sleep(0.02 if len(seen) < 10 else 30)
    return "A"

seen = []
def answer(messages):
    seen.append(1)
    return slow(messages)

def work():
    return zy.run("ziqi", answer, data="data", out="run", concurrency=1)

async def main():
    print("begun", flush=True)
    if sys.argv[1] == "await":
        await zy.arun("ziqi", answer, data="data", out="run", concurrency=1)
    else:
        work()

try:
    if sys.argv[1] == "plain":
        print("begun", flush=True)
        work()
    else:
        asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.parametrize("way", ["plain", "thread", "await"])
def test_ctrl_c_keeps_what_was_answered_and_is_passed_on(desk, way):
    (desk / "script.py").write_text(INTERRUPTED)
    process = subprocess.Popen(
        [sys.executable, "script.py", way],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    log = desk / "run" / "records.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if log.is_file() and log.read_bytes().count(b"\n") >= 9:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert out.split() == ["begun", "interrupted"], err
    kept = zy.load("run")
    assert 9 <= len(kept) < kept.manifest.planned
    assert "interrupted" in kept.manifest.sessions[-1].stopped
    assert any("unfinished" in line for line in texts(kept.warnings))


# What can be mended is said on one line


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"temperature": 3}, "temperature 3: give a number from 0 to 2"),
        ({"top_p": 0}, "top_p 0"),
        ({"max_tokens": 0}, "max_tokens 0: give a whole number, 1 or more"),
        ({"concurrency": 0}, "concurrency 0"),
        ({"timeout": 0}, "timeout 0"),
        ({"retries": -1}, "retries -1"),
        ({"limit": 2.5}, "limit 2.5"),
        ({"limit": 3, "sample": 3}, "give one of them"),
        ({"rotation": "all"}, "no setting 'rotation': did you mean rotations"),
        ({"rotations": "some"}, "rotations: invalid choice"),
        ({"seed": "x"}, "seed x: give a whole number"),
        ({"clean": "yes"}, "clean 'yes': give True or False"),
        ({"language": True}, "language True: give a value"),
        ({"shots": 9}, "shots 9"),
        ({"protocol": "nobody"}, "unknown --protocol"),
        ({"extract": "guess"}, "unknown extraction policy"),
        ({"data": "nowhere"}, "nowhere: no such folder"),
    ],
)
def test_settings_that_are_wrong(desk, settings, said):
    with pytest.raises(zy.InputError) as caught:
        run(**settings)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value.__context__, RuntimeError)
    assert caught.value._render_traceback_() == [f"InputError: {caught.value}"]
    assert not (desk / "runs").exists()


class Bare:
    """All that a model must have."""

    name = "bare"

    async def generate(self, messages, sampling, trial):
        return "答案：A"


class NoName(Scripted):
    name = ""


class NotAsync(Scripted):
    def generate(self, messages, sampling, trial): ...


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (Scripted, "a class; give an object"),
        (7, "model of type int"),
        (NoName(), "give it a name"),
        (NotAsync(), "async def generate"),
        (lambda a, b: "A", "cannot be called"),
        ("nobody", "unknown model"),
    ],
)
def test_models_that_are_none(desk, model, said):
    with pytest.raises(zy.InputError, match=said):
        run(model)


def test_an_object_needs_a_name_and_generate_and_may_return_a_str(desk):
    done = run(Bare())
    assert done.complete
    assert done.summary.states["error"] == 0
    assert done.summary.name == "bare"


def test_a_report_wants_a_run(desk):
    with pytest.raises(zy.InputError, match="no run is given"):
        zy.report()
    assert not (desk / "report").exists()


def test_benchmarks_that_are_none(desk):
    with pytest.raises(zy.InputError, match="unknown benchmark 'ziki': did you mean ziqi"):
        zy.run("ziki", "first")
    with pytest.raises(zy.InputError, match="of type int"):
        zy.run(3, "first")
    with pytest.raises(zy.InputError, match="is not a run"):
        zy.load("data")


def test_failed_trials_are_told_and_asked_again(desk):
    broken = {"is": True}

    class Flaky(Scripted):
        async def generate(self, messages, sampling, trial):
            if broken["is"] and int(trial.id.rpartition("/")[2]) % 2:
                raise zy.ModelError("no")
            return zy.Reply("答案：A")

    found = run(Flaky())
    failed = found.summary.states["error"]
    assert failed
    assert not found.complete
    assert f"{failed} failed" in repr(found)
    assert "warning:" in found._repr_html_()
    broken["is"] = False
    assert run(Flaky()).complete


# Reading a run


def test_what_a_run_tells(desk):
    made = run("longest")
    found = zy.load(made.folder)
    assert found.settings == resolved(made.manifest)
    assert found.settings["options"]["shots"] == 0  # by default
    assert found.summary == made.summary
    records = list(found)
    assert len(records) == len(found) == 20
    assert isinstance(records[0], zy.Record)
    for metric in ("accuracy", "precision", "recall", "f1", "ifr"):
        assert found.figure(metric).mean == pytest.approx(getattr(found.groups["all"], metric))
    for group, told in found.groups.items():
        interval = found.figure(group=group)
        assert [interval.low, interval.high] == pytest.approx(told.ci95)
        assert told.interval == interval
    with pytest.raises(zy.InputError, match="no group 'al'"):
        found.figure(group="al")
    with pytest.raises(zy.InputError, match="unknown figure"):
        found.figure("accurac")


def test_frames(desk):
    found = run()
    polars, pandas = found.to_polars(), found.to_pandas()
    assert list(pandas.columns) == polars.columns
    assert len(pandas) == len(polars) == 20
    assert pandas["score"].mean() == polars["score"].mean() == found.groups["all"].accuracy


def test_without_pandas_the_error_names_the_extra(desk, monkeypatch):
    found = run()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(zy.InputError, match=re.escape(adding("pandas"))):
        found.to_pandas()


# Comparing, scoring again, reporting, listening, judging


def test_comparing(desk):
    one, two, three = run("first"), run("longest"), run(always_a)
    found = zy.compare(one, two)
    row = found.pairs[0].groups[0]
    assert row.difference == pytest.approx(one.figure().mean - two.figure().mean)
    assert f"{100 * row.difference:+.1f}" in repr(found)
    assert len(repr(found)) <= 80
    ends = f"{100 * row.low:.1f} to {100 * row.high:.1f}".replace("-", "−")
    assert ends in found._repr_html_()
    several = zy.compare(one, two, str(three.folder))
    assert len(several.pairs) == 3
    assert "3 runs" in repr(several)
    assert several._repr_html_().count("<tr>") == 2 * 4  # a ranking, and the pairs
    with pytest.raises(zy.InputError):
        zy.compare(one)
    with pytest.raises(zy.InputError, match="no judge graded"):
        zy.compare(one, two, judge="lexical")


def test_scoring_again(desk):
    found = run(lambda messages: "A is tempting, but the answer is B")
    again = zy.rescore(found, "first-letter", out="again")
    assert again.changed == 20
    assert "20 verdicts differ" in repr(again)
    assert "first-letter" in again._repr_html_()
    assert {record.verdict.letter for record in zy.load("again")} == {"A"}
    assert {record.verdict.letter for record in found} == {"B"}
    with pytest.raises(zy.InputError, match="is the run itself"):
        zy.rescore(found, "robust", out=found)


def test_reports(desk):
    found = run()
    single = zy.report(found, out="page.html", notation=False)
    assert single.page.read_text("utf-8").startswith("<!doctype html>")
    assert single.trials == 20
    assert 'href="page.html"' in single._repr_html_()
    folder = zy.report(found, out="pages", figures=False, notation=False)
    assert folder.page.name == "index.html"
    assert folder.page.is_file()
    assert len(repr(folder)) <= 80
    with pytest.raises(zy.InputError):
        zy.report("data", out="other")


def test_listening(desk):
    words = "stimuli make --task chords --n 4 --seed 1 --out made"
    assert cli.main(words.split()) == 0
    sounds = sorted((desk / "made").rglob("*.wav"))
    heard = zy.listen(sounds[0], task="chords")
    assert heard.found["why"] == heard.why
    assert len(repr(heard)) <= 80
    assert "<table" in heard._repr_html_()
    with pytest.raises(zy.InputError, match="needs two FILEs, got 1"):
        zy.listen(sounds[0], task="transposition")
    with pytest.raises(zy.InputError, match="unknown task"):
        zy.listen(sounds[0], task="melody")
    with pytest.raises(zy.InputError, match=r"nothing\.wav"):
        zy.listen("nothing.wav", task="chords")


def test_judging(tmp_path):
    folder = make_run(tmp_path / "run", [CLAIMING, REVIEW])
    found = zy.judge(folder, "lexical")
    one = found.judges[0]
    assert one.judge == "lexical"
    assert f"{100 * one.total:.1f} %" in repr(found)
    assert f"{100 * one.interval.low:.1f}–{100 * one.interval.high:.1f}" in found._repr_html_()
    other = zy.judge(folder, "lexical", weights=(0, 100, 0, 0))
    assert other.judges[0].total == pytest.approx(one.components["completeness"].value)
    with pytest.raises(zy.InputError, match=r"named by zhiyin\.failures"):
        zy.judge(folder, "lexical", aspects=["failures"])
    with pytest.raises(zy.InputError, match="unknown --aspects"):
        zy.judge(folder, "lexical", aspects=["beauty"])
    with pytest.raises(zy.InputError, match="four numbers"):
        zy.judge(folder, "lexical", weights=(1, 2))


def test_a_judge_of_the_users_under_a_running_loop(tmp_path):
    from judge_help import dump, points

    folder = make_run(tmp_path / "run", [CLAIMING, REVIEW])

    def grade(messages):
        return dump(points(total=16))

    async def main():
        return zy.judge(folder, grade, aspects=["completeness"], draws=2)

    found = asyncio.run(main())
    assert found.judges[0].components["completeness"].errors == 0
    assert found.judges[0].components["completeness"].n == 2


def test_failures_by_rule(desk):
    found = zy.failures(run(lambda messages: "不知道。", limit=6))
    assert sum(found.counts.values()) + found.missing == len(found.failures) == 6
    with pytest.raises(zy.InputError, match="is not a run"):
        zy.failures("data")

    assert found.judge is None
    assert len(repr(found)) <= 80
    assert "6 failed choices" in found._repr_html_()
    with pytest.raises(zy.InputError, match="draws 0"):
        zy.failures(run(limit=6), "first", draws=0)


def test_another_function_is_another_judge(tmp_path):
    from judge_help import dump, points

    folder = make_run(tmp_path / "run", [CLAIMING, REVIEW])

    def judge_of(most):
        def grade(messages):
            return dump(points(dict.fromkeys(["melody", "voice"], most)))

        return grade

    totals = [
        zy.judge(folder, judge_of(most), aspects="completeness").judges[0].total for most in (1, 0)
    ]
    assert totals[0] > totals[1]
    assert len(list(folder.glob("judged-*"))) == 2


def test_runs_of_a_class_that_is_gone(desk, monkeypatch):
    found = zy.run(Intervals, Scripted(), n=4)
    monkeypatch.setattr("zhiyin.contract.registry._given", {})
    again = zy.load(found.folder)
    assert "4 of 4 trials" in repr(again)
    assert again.figure().mean == found.figure().mean
    assert "95 % interval" in again._repr_html_()
    assert zy.rescore(again, "robust").changed == 0  # it scores a choice as all do by default


def test_one_folder_has_one_run_at_a_time(desk):
    async def main():
        return await asyncio.gather(
            *(zy.arun("ziqi", Scripted(), data="data", out="one") for _ in range(2)),
            return_exceptions=True,
        )

    made = asyncio.run(main())
    (refused,) = [one for one in made if not isinstance(one, zy.Run)]
    assert isinstance(refused, zy.InputError)
    with pytest.raises(zy.InputError, match="one"):
        run("longest", out="one")


def test_statistics_are_plain_functions():
    found = zy.stats.wilson(8, 10)
    assert (found.mean, found.n) == (0.8, 10)
    assert repr(found) == "Interval(0.8, 0.4902 to 0.9433, n=10, wilson)"
    assert zy.stats.interval([1, 0, 1, 1]).mean == 0.75
    assert zy.stats.mcnemar_exact(9, 1).p == pytest.approx(0.021484375)
    assert list(zy.stats.holm([0.01, 0.04])) == pytest.approx([0.02, 0.04])
