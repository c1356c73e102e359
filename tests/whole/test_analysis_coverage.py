"""What a run holds of the published data: whole is proved, parts and changes are named."""

import contextlib
import csv
import io
import itertools
import json
import shutil
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from findings_help import answered, failed, mucho_trials, perception_trials, student, write_run
from published_help import declare
from zhiyin.analysis.coverage import coverage_of, expected_of
from zhiyin.analysis.question_set import fingerprint_answer, fingerprint_words
from zhiyin.cli import main
from zhiyin.contract.registry import find, open_benchmark, places
from zhiyin.engine.folder import read_manifest
from zhiyin.plugins.benchmarks.perception.benchmark import Perception
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.paper.tables import make_tables
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet

pytestmark = pytest.mark.slow

CUT, CHANGED = "chinese_music_history", "female_music"


ORDERS = {
    "whole": [],
    "shuffled": ["--shuffle", "--seed", "3"],
    "rotated": ["--rotations", "all"],
    "every": ["--limit", "14334"],
    "clean": ["--clean"],
    "limit": ["--limit", "300"],
    "sample": ["--sample", "300"],
    "two": ["--category", "popular_music,generation"],
    "changed": [],
}


class Runs:
    """Runs of ZIQI-Eval as it was published, and of several parts of it, when they are asked for.

    Parameters
    ----------
    root : Path
        Where they lie.
    data : Path
    """

    def __init__(self, root, data):
        self.root, self.data = root, data

    def __truediv__(self, name):
        if not (self.root / name).exists():
            run(self.root / name, self.altered() if name == "changed" else self.data, *ORDERS[name])
        return self.root / name

    def altered(self):
        """The data with one part cut off, and one changed."""
        altered = self.root / "altered"
        for part in ("test", "dev"):
            (altered / part).mkdir(parents=True)
            for path in (self.data / part).glob("*.csv"):
                shutil.copyfile(path, altered / part / path.name)
        rows = list(csv.reader((self.data / "test" / f"{CUT}.csv").open(encoding="utf-8-sig")))
        write_rows(altered / "test" / f"{CUT}.csv", rows[:201])
        rows = list(csv.reader((self.data / "test" / f"{CHANGED}.csv").open(encoding="utf-8-sig")))
        rows[5][2] += "!"
        write_rows(altered / "test" / f"{CHANGED}.csv", rows)
        return altered


@pytest.fixture(scope="module")
def runs(shared, tmp_path_factory):
    return Runs(tmp_path_factory.mktemp("ziqi"), shared / "ziqi")


def write_rows(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def run(out, data, *flags):
    order = ["run", "ziqi", "--data", str(data), "-m", "longest", "--out", str(out), "--quiet"]
    # What it prints is not the test's whose turn it is.
    with contextlib.redirect_stdout(io.StringIO()):
        assert main([*order, *flags]) == 0


@pytest.mark.parametrize(
    "name",
    [
        "whole",
        "shuffled",
        pytest.param("rotated", marks=pytest.mark.trust),
        pytest.param("every", marks=pytest.mark.trust),
    ],
)
def test_the_published_questions_are_the_whole_however_they_are_asked(runs, name):
    coverage = coverage_of(runs / name)
    assert coverage.apart is None
    assert all(coverage.whole(group) for group in ("all", *coverage.expected.counts))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("clean", ["without flawed questions", "13,760 of 14,334 published questions"]),
        ("limit", ["the first 300 trials only", "300 of 14,334"]),
        ("sample", ["random sample of 300 items", "300 of 14,334"]),
        ("two", ["only popular_music, generation", "1,486 of 14,334"]),
        (
            "changed",
            [
                "11,901 of 14,334 published questions",
                "chinese music history 200 of 2,632",
                "female music 334 of 335",
                "1 other than the published ones (in female music)",
            ],
        ),
    ],
)
def test_a_part_is_named_with_its_size(runs, name, words):
    part = str(coverage_of(runs / name).part)
    assert all(word in part for word in words), part


@pytest.fixture(scope="module")
def published(shared):
    """What the published files ask, by group."""
    found = {}
    for trial in open_benchmark("ziqi", {"data": str(shared / "ziqi")}).trials():
        for group in ("all", *trial.groups):
            found.setdefault(group, Counter())[words_of(trial)] += 1
    return found


@pytest.mark.parametrize("name", ["clean", "limit", "sample", "two", "changed"])
def test_groups_are_whole_by_brute_force(runs, published, name):
    """A group is whole if its trials ask exactly what the published files hold."""
    asked = {}
    with (runs / name / "records.jsonl").open(encoding="utf-8") as file:
        for line in file:
            trial = json.loads(line)["trial"]
            options = sorted((o[2], o[1]) for o in trial["options"])
            what = (trial["stem"], tuple(options), trial["target"])
            for group in ("all", *trial["groups"]):
                asked.setdefault(group, Counter())[what] += 1
    coverage = coverage_of(runs / name)
    assert {g: coverage.whole(g) for g in published} == {
        g: asked.get(g) == published[g] for g in published
    }


def words_of(trial):
    return trial.stem, tuple(sorted((o.key, o.text) for o in trial.options)), trial.target


@pytest.mark.trust  # whole published data
def test_published_rows_stand_beside_whole_groups_alone(runs, capsys):
    def shown(*names):
        assert main(["show", *(str(runs / name) for name in names)]) == 0
        return capsys.readouterr().out

    assert "GPT4" in shown("whole")
    for name in ("limit", "sample"):
        assert "GPT4" not in shown(name)
        said = " ".join(shown(name).split())
        assert said.count("not comparable with published results") == 1
    for name in ("clean", "changed", "two"):
        assert main(["show", str(runs / name), "--json"]) == 0
        summary = json.loads(capsys.readouterr().out)
        rows = summary["published"]["rows"]
        groups = {group for row in rows.values() for group in row}
        assert groups
        coverage = coverage_of(runs / name)
        assert all(map(coverage.whole, groups))
        assert "comprehension" not in groups
        assert summary["part"] == str(coverage.part)
        tables = [t for t in make_tables([runs / name]) if t.name == "ziqi-published"]
        assert {row.cells[2] for table in tables for row in table.rows} == groups
        (board,) = overview(RunSet([runs / name])).benchmarks
        assert {g for row in board.published for g in row.groups} == groups
    # Beside a whole run, a part has no figure in the groups that it does not hold.
    lines = shown("whole", "clean").split("comprehension")[-1].splitlines()
    assert not any("clean" in line and "comprehension" in line for line in lines)


def test_the_leaderboard_and_the_export_know_a_part(runs, tmp_path, capsys):
    shutil.copytree(runs / "clean", tmp_path / "runs" / "clean")
    (board,) = build(tmp_path / "runs")
    assert {row.kind for row in board.rows} >= {"run"}
    assert not any("comprehension" in column for row in board.rows[1:] for column in row.cells)
    assert "without flawed questions" in board.rows[0].note
    order = ["export", str(runs / "clean"), "--to", "hf", "-o", str(tmp_path / "hub")]
    assert main(order) == 2
    assert "--partial" in capsys.readouterr().err
    assert main([*order, "--partial"]) == 0
    card = (tmp_path / "hub" / "README.md").read_text("utf-8")
    assert "without flawed questions" in card


def test_what_is_not_done_is_not_whole(tmp_path, monkeypatch):
    asked = mucho_trials(10)
    declare(monkeypatch, "muchomusic", asked)
    records = [student("m", 0.5)(trial) for trial in asked]
    whole = coverage_of(write_run(tmp_path / "whole", "muchomusic", "m", records))
    assert whole.whole("all")
    assert whole.apart is None
    one_failed = [failed(asked[0]), *records[1:]]
    coverage = coverage_of(write_run(tmp_path / "failed", "muchomusic", "m", one_failed))
    assert not coverage.whole("all")
    assert coverage.part is None
    assert str(coverage.apart) == "unfinished: 1 of 20 trials failed"
    stopped = write_run(tmp_path / "stopped", "muchomusic", "m", records[:12])
    manifest = msgspec.structs.replace(read_manifest(stopped), planned=20)
    assert "8 of 20" in str(coverage_of(stopped, manifest).apart)


def test_altered_sound_and_fewer_options_are_not_the_published_way(tmp_path, monkeypatch):
    declare(monkeypatch, "muchomusic", mucho_trials(10))
    for name, more in {"audio": ("noise",), "distractors": ("ir",)}.items():
        asked = mucho_trials(10, **{name: more})
        records = [student("m", 0.5)(trial) for trial in asked]
        coverage = coverage_of(write_run(tmp_path / name, "muchomusic", "m", records))
        assert str(coverage.part) == f"judged with {name}={more[0]} only"
        assert not coverage.whole("all")
        mixed = mucho_trials(10, **{name: ("true" if name == "audio" else "all", *more)})
        records = [student("m", 0.5)(trial) for trial in mixed]
        coverage = coverage_of(write_run(tmp_path / f"{name}-mixed", "muchomusic", "m", records))
        assert coverage.whole("all")
        assert coverage.whole("audio=true/knowledge")
        assert not coverage.whole("audio=noise/knowledge")


def test_thirty_questions_called_musiccaps_get_no_table(tmp_path, capsys):
    asked = [
        msgspec.structs.replace(t, groups=(*t.groups[:-1], "source/musiccaps"))
        for t in mucho_trials(15)
    ]
    run = write_run(tmp_path / "r", "muchomusic", "m", [answered(t, "A") for t in asked])
    assert str(coverage_of(run).part) == "not the published questions, but 30 others"
    assert main(["show", str(run)]) == 0
    assert "Qwen-Audio" not in capsys.readouterr().out


def test_music_made_here_is_none_of_the_published(tmp_path, capsys):
    records = [answered(trial, "A") for trial in perception_trials(44)]
    run = write_run(tmp_path / "r", "perception", "m", records, options__source="generated")
    coverage = coverage_of(run)
    assert coverage.on_other_items
    assert "not the published items" in str(coverage.part)
    assert not any(coverage.whole(cell) for cell in Perception.published().rows["Chance"])
    assert main(["show", str(run)]) == 0
    out = capsys.readouterr().out
    assert "Gemini" not in out
    assert "not comparable with published results: not the published items" in out


def test_the_published_recordings_in_full_stand_beside_table_1(tmp_path, capsys):
    published = expected_of("perception")
    asked = []
    for trial in perception_trials(60):
        names = [n for n in published.recordings if task_of(n) == trial.tags["task"]]
        number = int(trial.cluster.removeprefix(trial.tags["task"]))
        if number < published.counts[trial.groups[-1]]:
            tags = {**trial.tags, "recording": names[number], "source": "muse"}
            asked.append(msgspec.structs.replace(trial, tags=tags))
    run = write_run(tmp_path / "r", "perception", "m", [answered(t, "A") for t in asked])
    coverage = coverage_of(run)
    assert coverage.part is None
    assert coverage.whole("chords/audio/zero/standalone")
    assert main(["show", str(run), "--groups", "all"]) == 0
    assert "Gemini" in (out := capsys.readouterr().out)
    assert "47.7" in out  # Gemini 2.5 Pro on chords
    lacking = write_run(tmp_path / "s", "perception", "m", [answered(t, "A") for t in asked[1:]])
    coverage = coverage_of(lacking)
    assert "19 of 20" in str(coverage.part)
    assert not coverage.whole("syncopation/audio/zero/standalone")
    assert coverage.whole("chords/audio/zero/standalone")


def task_of(recording):
    if " + " in recording:
        return "transposition"
    return "chords" if recording.isdecimal() else "syncopation"


@pytest.mark.parametrize("name", ["ziqi", "perception", "appraisal", "muchomusic", "rul"])
def test_what_is_declared_is_what_the_data_hold(shared, name):
    """The declarations are what their script makes of the data."""
    import importlib.util

    path = Path(__file__).parent.parent.parent / "bench" / "published_counts.py"
    spec = importlib.util.spec_from_file_location("published_counts", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made = {
        "ziqi": lambda: script.ziqi(shared / "ziqi"),
        "perception": lambda: script.perception([shared / "muse", shared / "muse_tasks"]),
        "appraisal": lambda: script.appraisal(shared / "appraisal"),
        "muchomusic": lambda: script.muchomusic(shared / "rul"),
        "rul": lambda: script.rul(shared / "rul"),
    }[name]()
    declared = path.parent.parent / f"src/zhiyin/plugins/benchmarks/{name}/published_counts.json"
    assert json.loads(declared.read_text("utf-8")) == made


def test_counts_are_those_of_the_papers():
    assert expected_of("muchomusic").counts == {
        "all": 1187,
        "source/musiccaps": 858,
        "source/sdd": 329,
    }
    assert expected_of("muchomusic").clusters == 644
    ziqi = expected_of("ziqi")
    assert sum(ziqi.counts[part] for part in ziqi.parts) == 14_334
    assert (ziqi.counts["comprehension"], ziqi.counts["generation"]) == (14_139, 195)
    assert all(ziqi.fingerprints(part).total() == ziqi.counts[part] for part in ziqi.parts)


def test_a_question_in_place_of_another_is_seen(shared, tmp_path):
    """As many questions as published, each of them published, and yet not the published set."""
    data = tmp_path / "data" / "test"
    data.mkdir(parents=True)
    for path in (shared / "ziqi" / "test").glob("*.csv"):
        shutil.copyfile(path, data / path.name)
    rows = list(csv.reader((data / f"{CHANGED}.csv").open(encoding="utf-8-sig")))
    rows[7] = [rows[7][0], *rows[8][1:]]
    write_rows(data / f"{CHANGED}.csv", rows)
    run(tmp_path / "run", data.parent, "--category", CHANGED)
    coverage = coverage_of(tmp_path / "run")
    assert coverage.asked[CHANGED] == 335
    assert not coverage.whole(CHANGED)
    assert f"stand in each other's place in {CHANGED}" in str(coverage.part)


def test_words_are_distinguished_and_order_is_not():
    options = [("A", "one"), ("B", "two")]
    number = fingerprint_words("What?\r\nThis", options, "A")
    assert number == fingerprint_words(" What?\nThis ", reversed(options), "A")
    assert number != fingerprint_words("What?\nThis", options, "B")
    assert number != fingerprint_words("What?\nThis", [("B", "one"), ("A", "two")], "A")


def test_every_benchmark_with_published_rows_declares_its_data():
    for name in places():
        package = find(name)
        found = package.published()
        if found is not None and not all(found.of(row).other for row in found.rows):
            assert expected_of(name) is not None, name


def rul_questions(shared):
    entries = json.loads((shared / "rul" / "RUL-MuchoMusic.json").read_text("utf-8")).values()
    return [(each["question"], each["correct_answer"]) for each in entries]


def mucho_run(folder, questions):
    """A run on as many questions, data sets and tracks as were published, with these words."""
    records = []
    for number, ((stem, answer), trial) in enumerate(
        zip(questions, mucho_trials(1187), strict=False)
    ):
        source = "musiccaps" if number < 858 else "sdd"
        place = f"{source}/{number % 429}" if number < 858 else f"{source}/{number % 215}"
        options = [
            msgspec.structs.replace(o, text=answer if o.key == trial.target else f"not {answer}")
            for o in trial.options
        ]
        trial = msgspec.structs.replace(
            trial, stem=stem, options=tuple(options), cluster=place,
            groups=(*trial.groups[:-1], f"source/{source}"),
        )  # fmt: skip
        records.append(answered(trial, "A"))
    paper = {"options__shots": 1, "options__extract": "muchomusic"}  # its rows are so
    return write_run(folder, "muchomusic", "m", records, **paper)


def test_as_many_questions_as_muchomusic_has_are_not_its_questions(shared, tmp_path, capsys):
    """What is counted alone may be anything: half-second tones with labels of chance."""
    made = [(f"Which of these is heard in clip {n}?", f"tone {n}") for n in range(1187)]
    run = mucho_run(tmp_path / "made", made)
    coverage = coverage_of(run)
    assert coverage.on_other_items
    assert "not the published questions, but 1,187 others" in str(coverage.part)
    assert main(["show", str(run), "--groups", "all"]) == 0
    assert "Qwen-Audio" not in capsys.readouterr().out
    published = rul_questions(shared)
    run = mucho_run(tmp_path / "published", published)
    coverage = coverage_of(run)
    assert coverage.part is None
    assert coverage.whole("all")
    for flags in ([], ["--groups", "all"]):
        assert main(["show", str(run), *flags]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert "MusiLingo" in out
        assert "not proved, taken on trust: recordings, wrong answers and labels" in out
    # the right questions under answers of chance are others
    shuffled = [(q, a) for (q, _), (_, a) in itertools.pairwise(published)]
    coverage = coverage_of(mucho_run(tmp_path / "shuffled", [*shuffled, published[-1]]))
    assert coverage.others["all"] > 1100
    assert not coverage.whole("all")
    # one question in the place of another
    twice = coverage_of(mucho_run(tmp_path / "twice", [published[1], *published[1:]]))
    assert not twice.whole("all")
    assert not twice.whole("source/sdd")


def test_a_copy_s_case_and_blanks_do_not_make_other_questions():
    assert fingerprint_answer("Is it  SLOW?", "Yes.") == fingerprint_answer("is it slow", "yes")
    assert fingerprint_answer("is it", "slow") != fingerprint_answer("is it slow", "")


def test_listening_again_is_known_by_its_words(shared, tmp_path):
    for name, change in (("same", {}), ("other", {"question": "What is it?"})):
        entries = json.loads((shared / "rul" / "RUL-MuchoMusic.json").read_text("utf-8"))
        entries = {number: each | change for number, each in entries.items()}
        (tmp_path / name).mkdir()
        (tmp_path / name / "RUL-MuchoMusic.json").write_text(json.dumps(entries), "utf-8")
        options = {"data": str(tmp_path / name), "audio": "none"}
        records = []
        for trial in find("rul").from_options(options).trials():
            heard = msgspec.structs.replace(trial, groups=(), tags=trial.tags | {"audio": "true"})
            records.append(answered(heard, "A"))
        coverage = coverage_of(write_run(tmp_path / f"{name}-run", "rul", "m", records))
        assert coverage.judged == 4748
        assert (coverage.part is None) == (name == "same")
        assert coverage.asked["all"] == (1187 if name == "same" else 0)


def test_what_is_proved_by_names_alone_is_said():
    """Every benchmark with published rows knows its data by hashes, or says what it does not."""
    for name in places():
        kind = find(name)
        expected = expected_of(name)
        if kind.published() is None or expected is None:  # its rows are of other parts of a set
            continue
        assert expected.contents or expected.recordings or expected.on_trust, name
        if expected.on_trust:
            assert str(expected.on_trust) in str(kind.published_beside(Path()).source)
    assert "recordings by their names alone" in str(expected_of("muse").on_trust)
    assert "recordings by their names alone" in str(expected_of("perception").on_trust)
    assert not expected_of("ziqi").on_trust
