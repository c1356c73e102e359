"""The benchmark of the how-to, built from its own blocks, through every command."""

import json

import pytest

from howto_help import Desk, benchmark_code

pytestmark = [pytest.mark.usefixtures("all_formats"), pytest.mark.slow]

SPEC = "triads.py:Triads"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    (folder / "triads.py").write_text(benchmark_code(), "utf-8")
    made = Desk(folder, folder / "cache")
    made("run", SPEC, "-m", "longest", "--out", "runs/longest", "--quiet")
    made("run", SPEC, "-m", "random", "--out", "runs/random", "--quiet")
    return made


@pytest.fixture(scope="module")
def report(desk):
    """The folder of a report on both, with figures where they can be drawn."""
    desk("report", "runs/longest", "runs/random", "--out", "report", "--benchmark", SPEC)
    return desk.folder / "report"


@pytest.fixture
def elsewhere(desk, tmp_path):
    """Another machine."""
    return Desk(desk.folder, tmp_path / "cache")


def manifest(desk, run):
    return json.loads((desk.folder / run / "run.json").read_text("utf-8"))


def test_it_is_one_file_of_fewer_than_150_lines():
    assert 40 < len(benchmark_code().splitlines()) < 150


def test_list_and_help_name_it_with_its_flags(desk):
    assert "which triad stands on a step" in desk("list", SPEC)
    assert "commands: triads spell" in desk("list", SPEC)
    told = desk("run", SPEC, "--help")
    assert "--mode {major,all}" in told
    assert "--seed" not in told.partition(f"{SPEC}:")[2]  # common to all, and not there twice


def test_show_has_the_further_table_and_the_published_rows(desk):
    told = desk("show", "runs/longest", "--groups", "all", "--benchmark", SPEC)
    assert "By step" in told
    assert "a class of 20" in told
    assert "invented for this page" in told
    both = desk("show", "runs/longest", "runs/random")
    assert "a coin" in both


def test_a_part_has_no_published_row_beside_it(desk, tmp_path):
    desk("run", SPEC, "-m", "first", "--mode", "major", "--out", tmp_path / "part")
    told = desk("show", tmp_path / "part")
    assert "a class of 20" not in told
    assert "mode major" in told


def test_compare_report_leaderboard_and_export(desk, report, tmp_path):
    assert "triads: accuracy on 84 items" in desk("compare", "runs/longest", "runs/random")
    page = (report / "index.html").read_text("utf-8")
    assert "which triad stands on a step" in page + "".join(
        file.read_text("utf-8") for file in report.rglob("*.js*")
    )
    desk("leaderboard", "runs", "--out", tmp_path / "board")
    (board,) = json.loads((tmp_path / "board" / "leaderboard.json").read_bytes())
    assert board["columns"][:2] == ["accuracy, minor triads", "accuracy, all"]  # the headline first
    assert {row["name"] for row in board["rows"]} >= {"longest", "random"}
    assert "a class of 20" in json.dumps(board)
    assert "example of Zhiyin" in board["paper"]
    desk("export", "runs/random", "--to", "hf", "--out", tmp_path / "card")
    assert "triads" in (tmp_path / "card" / "README.md").read_text("utf-8")


def test_the_figure_is_of_the_declared_headline(report):
    pytest.importorskip("matplotlib")
    (drawn,) = report.rglob("triads-overview.csv")
    rows = drawn.read_text("utf-8").splitlines()
    assert rows[0].startswith("name,kind,group,accuracy")
    assert {row.split(",")[2] for row in rows[1:]} == {"minor"}


def test_its_own_figure_is_among_the_others(report):
    pytest.importorskip("matplotlib")
    (drawn,) = report.rglob("triads-steps.csv")
    assert drawn.read_text("utf-8").splitlines()[0] == "run,step,accuracy"
    assert {file.suffix for file in drawn.parent.glob("triads-steps.*")} >= {".svg", ".pdf", ".png"}
    assert any("triads-steps" in page.read_text("utf-8") for page in _pages(report))


def _pages(folder):
    return [*folder.rglob("*.html"), *folder.rglob("*.js*"), *folder.rglob("*.md")]


def test_its_own_command_is_given_behind_its_name(desk):
    told = desk(SPEC, "spell", "E flat")
    assert "E flat major" in told
    assert "diminished" in told
    assert json.loads(desk(SPEC, "spell", "C", "--json"))["triads"]["first"] == "major"
    assert "which triads a key has" in desk(SPEC, "spell", "--help")
    assert "did you mean spell?" in desk(SPEC, "spel", "C", status=2)
    assert "commands of its own: spell" in desk(SPEC, status=2)
    assert "unknown flag --jsn" in desk(SPEC, "spell", "C", "--jsn", status=2)


def test_groups_go_by_their_titles_in_terminal_tables(desk):
    for words in (["show", "runs/longest"], ["show", "runs/longest", "runs/random"]):
        assert "minor triads" in desk(*words, "--groups", "all")
    assert "minor triads" in desk("compare", "runs/longest", "runs/random")


def test_the_policy_that_is_named_reads_the_replies(desk, tmp_path):
    (tmp_path / "says.py").write_text("def say(messages):\n    return 'Answer: C'\n", "utf-8")
    model, out = f"python:{tmp_path}/says.py:say", tmp_path / "run"
    desk("run", SPEC, "-m", model, "--extract", "first-letter", "--out", out, "--quiet")
    records = (out / "records.jsonl").read_text("utf-8").splitlines()
    read = {json.loads(line)["verdict"]["letter"] for line in records}
    assert read == {"A"}  # the first capital among A to D is that of "Answer"
    told = json.loads(desk("rescore", out, "--extract", "robust", "--json"))
    assert told["changed"] == 84


def test_the_same_command_goes_on_in_its_folder(desk, tmp_path):
    desk("run", SPEC, "-m", "random", "--limit", 10, "--out", tmp_path / "run")
    desk("run", SPEC, "-m", "random", "--out", tmp_path / "run")
    told = json.loads((tmp_path / "run" / "run.json").read_bytes())
    assert [session["asked"] for session in told["sessions"]] == [10, 74]


def test_the_manifest_keeps_what_the_class_declares(desk):
    told = manifest(desk, "runs/random")
    kept = told["declared"]
    assert kept["origin"]["kind"] == "file"
    assert kept["origin"]["place"] == f"{desk.folder}/triads.py:Triads"
    assert len(kept["origin"]["sha256"]) == 64
    assert kept["headline"]["group"] == "minor"
    assert kept["published"]["rows"]["a class of 20"]["minor"] == {"accuracy": 0.74}
    assert told["config"]["options"]["mode"] == "all"  # the default is kept too


def test_a_run_from_elsewhere_is_read_without_running_its_file(desk, elsewhere):
    told = elsewhere("show", "runs/longest", "--groups", "all")
    assert "a class of 20" in told
    assert "By step\n" not in told
    told = " ".join(told.split())
    assert told.count("which reading a run does not open") == 1
    assert "its own tables and figures are left out" in told
    elsewhere("list", SPEC)  # which is not remembered
    assert "By step" not in elsewhere("show", "runs/longest", "--groups", "all")


def test_a_plain_choice_is_scored_again_without_the_class(elsewhere):
    told = json.loads(elsewhere("rescore", "runs/random", "--extract", "robust", "--json"))
    assert told["changed"] == 0
    assert told["groups"]["all"]["n"] == 84


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("class Triads: pass", "not a class that derives"),
        ("raise RuntimeError('torn')", "RuntimeError: torn"),
        ("from zhiyin.contract import Benchmark\nclass Triads(Benchmark): pass", "a name of small"),
        (
            "from zhiyin.contract import Benchmark\nclass Triads(Benchmark):\n name = 'ziqi'\n"
            " def trials(self): return []",
            "choose another",
        ),
        ("from zhiyin.contract import Benchmark\nclass Triad(Benchmark): pass", "mean Triad?"),
        (
            "from zhiyin.contract import Benchmark\nclass Triads(Benchmark):\n name = 't'\n"
            " def trials(self): return [1 / 0]",
            "wrong.py:4, in trials: ZeroDivisionError",
        ),
        (
            "from zhiyin.contract import Benchmark\nclass Triads(Benchmark):\n name = 't'\n"
            " titles = 3\n def trials(self):\n  from zhiyin.trial import Trial, say\n"
            "  yield Trial('a', (say('user', 'a'),))",
            "its declaration is faulty",
        ),
        (
            "from zhiyin.contract import Benchmark\nclass Triads(Benchmark):\n name = 't'\n"
            " commands = {'a': 3}\n def trials(self): return []",
            "its commands are no mapping",
        ),
        (
            "from zhiyin.contract import Benchmark\nimport msgspec\n"
            "class S(msgspec.Struct):\n limit: int = 3\n"
            "class Triads(Benchmark):\n name = 't'\n Settings = S\n def trials(self): return []",
            "the name of a flag",
        ),
    ],
)
def test_a_faulty_file_is_one_line(desk, tmp_path, code, named):
    (tmp_path / "wrong.py").write_text(code, "utf-8")
    told = desk("run", f"{tmp_path}/wrong.py:Triads", "-m", "first", status=2)
    assert named in told
    assert not (tmp_path / "runs").exists()


def test_flags_without_use_and_unknown_policies_are_refused(desk):
    assert "no use for it" in desk("run", SPEC, "-m", "first", "--shots", "5", status=2)
    assert "unknown extraction policy" in desk(
        "run", SPEC, "-m", "first", "--extract", "robst", status=2
    )
    assert "did you mean major?" in desk("run", SPEC, "-m", "first", "--mode", "Mayor", status=2)
