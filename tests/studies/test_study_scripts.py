"""The scripts that come with an export: they run, and their numbers are those of the study."""

import io
import random
import re
import shutil
import subprocess
import sys
import zipfile

import msgspec
import pytest
from test_study_research import VOLUME, at_the_desk, people

from study_help import (
    Person,
    heard,
    opened,
    reply,
    review,
    right,
    run_of,
    sounds_to_rate,
    study,
    trials,
)
from zhiyin.plugins.people.reading import read_export
from zhiyin.plugins.people.validation import judge
from zhiyin.plugins.studies.results import export, figures
from zhiyin.plugins.studies.sheet import export_sheet, scripts

pytestmark = pytest.mark.slow
RSCRIPT = shutil.which("Rscript")


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """An exam with an excluded person, practice and attention checks, and its figures."""
    folder = tmp_path_factory.mktemp("scripts")
    study(folder / "s", trials(7), VOLUME, ("unfinished = false", "unfinished = true"),
          practice=1, attention=2)  # fmt: skip
    with opened(folder / "s") as store:
        for number in range(4):
            person = Person.of(store)
            person.begin()

            def choose(stem, shown, number=number):
                if not (item := re.search(r"\d+", stem)):  # an attention check names its answer
                    return {"chosen": [next(n for n, one in enumerate(shown) if one in stem)]}
                place = right(stem, shown)["chosen"][0]
                return {"chosen": [(place + (number < int(item[0]) - 2)) % 4]}

            person.all(choose)
        careless = Person.of(store)
        careless.begin()
        careless.all(lambda stem, shown: {"chosen": [int(shown[0] in stem)]})
        assert list(figures(store).set_aside.values()) == [["attention_wrong"]]
        half = Person.of(store)
        half.begin()
        half.look()
        half.answer(chosen=[0])
        export_sheet(store, folder / "answers.csv")
        return folder, figures(store)


def printed(output, column):
    """The lines that a script prints of a column: n, share, and the ends of the interval."""
    block = output.split(f"Right by {column}:")[1].split("\n\n")[0]
    rows = [line.split("\t") for line in block.splitlines()[1:]]
    return {
        name: (int(n), float(share), *map(float, ends.split())) for name, n, share, ends in rows
    }


def held(output, found):
    """What a script prints is what `zhiyin study show` says."""
    items = {one.item: one.right for one in found.items if one.right}
    persons = {one.person: one.right for one in found.persons if not one.excluded}
    assert len(items) == 6
    assert len(persons) == 4
    for column, expected in (("question", items), ("person", persons)):
        got = printed(output, column)
        assert got.keys() == expected.keys()
        for name, ends in expected.items():
            assert got[name] == pytest.approx((ends.n, *ends.ends), abs=5.1e-5)
    mean = re.search(r"Mean of people's shares: ([\d.]+) \(([\d.]+) to ([\d.]+): 95 %", output)
    told = [float(one) for one in mean.groups()]
    wanted = [found.right.mean, found.right.low, found.right.high]
    assert told == pytest.approx(wanted, abs=5.1e-5)
    assert "of 6 people; people excluded: 1; not finished yet, and not counted: 1; " in output
    assert "of 4 people count, of whom 0 not to the end yet" in output


def test_the_script_in_python_says_what_the_study_says(exported):
    folder, found = exported
    done = subprocess.run([sys.executable, folder / "answers.py"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    held(done.stdout, found)


def balanced(text):
    """Brackets that close in their order, outside strings and comments."""
    bare = re.sub(r'"(?:\\.|[^"\\])*"', '""', text)
    bare = re.sub(r"#.*", "", bare)
    depth = []
    pairs = {")": "(", "]": "[", "}": "{"}
    for letter in re.findall(r"[()\[\]{}]", bare):
        if letter not in pairs:
            depth.append(letter)
        elif not depth or depth.pop() != pairs[letter]:
            return False
    return not depth


def test_the_script_in_r_says_what_the_study_says(exported):
    folder, found = exported
    assert balanced(scripts()[".R"].decode())
    if RSCRIPT is None:
        pytest.skip("no Rscript here: its brackets alone were checked")
    done = subprocess.run([RSCRIPT, folder / "answers.R"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    held(done.stdout, found)
    mixed = re.search(r"usual question: (0\.\d+) \((0\.\d+) to (0\.\d+)\)", done.stdout)
    if mixed is None:
        assert "left out: lme4 is not installed" in done.stdout
    else:
        middle, low, high = map(float, mixed.groups())
        assert low < middle < high
        assert low < found.right.mean < high


@pytest.mark.parametrize("runner", ["python", "r"])
def test_they_read_grades_no_answers_and_shared_recordings(tmp_path, runner):
    if runner == "r" and RSCRIPT is None:
        pytest.skip("no Rscript here")
    written = [reply(review(n), "A fine song.", "ungraded") for n in range(2)]
    study(tmp_path / "rate", [run_of(tmp_path / "run", written)], VOLUME, kind="rate")
    study(tmp_path / "none", trials(2), VOLUME)
    one, two = heard(tmp_path, 2, 0.2)
    two = msgspec.structs.replace(two, cluster="track")
    study(tmp_path / "shared-track", [msgspec.structs.replace(one, cluster="track"), two], VOLUME)
    told = []
    for name in ("rate", "none", "shared-track"):
        with opened(tmp_path / name) as store:
            person = Person.of(store)
            if name != "none":
                person.begin()
            while name != "none" and person.look():
                sent = {"grades": [3, 4, 9]} if name == "rate" else {"chosen": [0], "listens": [1]}
                assert person.answer(**sent).json()["state"] == "saved"
            export_sheet(store, tmp_path / f"{name}.csv")
        words = {"python": [sys.executable, tmp_path / f"{name}.py"],
                 "r": [RSCRIPT, tmp_path / f"{name}.R"]}[runner]  # fmt: skip
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert re.search(r"grade_novelty by question.*\n.*\t1\t9\.0000", told[0])
    assert "0 answers of 0 people; people excluded: 0" in told[1]
    assert "\tsee `zhiyin study show`" in told[2]


@pytest.mark.parametrize("runner", ["python", "r"])
def test_they_give_each_sound_and_each_run_the_mean_that_the_study_gives(tmp_path, runner):
    if runner == "r" and RSCRIPT is None:
        pytest.skip("no Rscript here")
    line = sounds_to_rate(tmp_path).read_text()
    pages = "".join(line.strip().replace('"p1"', f'"p{n}"') + "\n" for n in range(4))
    (tmp_path / "pages.jsonl").write_text(pages)
    written = [reply(msgspec.structs.replace(review(n), cluster="one" if n < 2 else None),
                     f"A song, {n}.", "ungraded") for n in range(5)]  # fmt: skip
    runs = [run_of(tmp_path / f"run-{n}", written) for n in range(2)]
    unheard = ("least = 1\n", "least = 0\n")
    study(tmp_path / "sounds", tmp_path / "pages.jsonl", VOLUME, unheard, kind="rate")
    study(tmp_path / "texts", runs, VOLUME, kind="rate")
    draw = random.Random(3)
    for name, ends in (("sounds", (0, 100)), ("texts", (1, 10))):
        with opened(tmp_path / name) as store:
            for _ in range(4):
                person = Person.of(store)
                person.begin()
                while person.look():
                    grades = [draw.randint(*ends) for _ in range(3)]
                    assert person.answer(grades=grades).json()["state"] == "saved"
            export_sheet(store, tmp_path / f"{name}.csv")
            export(store, tmp_path / f"{name}.jsonl")
        words = {"python": [sys.executable, tmp_path / f"{name}.py"],
                 "r": [RSCRIPT, tmp_path / f"{name}.R"]}[runner]  # fmt: skip
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        judged = judge(read_export(tmp_path / f"{name}.jsonl"))
        found = [*judged.figures, *judged.differences]
        assert len(found) == (6 if name == "sounds" else 9)
        for one in found:
            called = one.of if name == "sounds" else f"{one.measure} {one.of}"
            kind = "Difference in" if "−" in one.of else "Mean of"
            called = f"{kind} {called.replace('−', 'minus')}"
            got = re.search(rf"{called}: (\S+) \((\S+) to (\S+): 95 %[^)]*", done.stdout)
            assert ("for 3 pairs at once" in got[0]) == ("minus" in called)
            wanted = (one.score.mean, one.score.low, one.score.high)
            assert [float(end) for end in got.groups()] == pytest.approx(wanted, abs=5.1e-5)


def test_they_come_with_every_export_and_are_not_written_over(tmp_path, capsys):
    study(tmp_path / "s", trials(2), VOLUME)
    (tmp_path / "a.py").write_text("# mine\n")
    with opened(tmp_path / "s") as store:
        people(store, 1, {})
        desk = at_the_desk(store)
        archive = zipfile.ZipFile(io.BytesIO(desk.get("/answers.zip").content))
        assert sorted(archive.namelist()) == [
            "answers.R", "answers.codebook.csv", "answers.csv", "answers.py",
        ]  # fmt: skip
        assert archive.read("answers.csv") == desk.get("/answers.csv").content
        for end, script in scripts().items():
            assert desk.get(f"/answers{end}").content == script == archive.read(f"answers{end}")
        desk.headers["authorization"] = "Bearer another"
        assert desk.get("/answers.zip").status_code == 403
        export_sheet(store, tmp_path / "a.csv")
    assert (tmp_path / "a.py").read_text() == "# mine\n"
    assert (tmp_path / "a.R").read_bytes() == scripts()[".R"]
