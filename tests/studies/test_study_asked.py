"""People get what models get, but for how a reply is written: a study of every benchmark."""

import re
import shutil
from pathlib import Path

import pytest

from muchomusic_help import make_data
from notation_help import make_theory
from study_help import Person, opened, study, trials
from zhiyin.cli import main
from zhiyin.cli.list import _COMMANDS, _everything
from zhiyin.contract.published import RECORD
from zhiyin.plugins.studies.design import read_items
from zhiyin.plugins.studies.preview import StudyPreview
from zhiyin.runs.rows import records_of

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent.parent
FORM = re.compile(
    r"final answer|identifier|json|\[\[|word for word|a line of its own|exactly one line|last line"
    r"|your (reply|choice)|reply (with|by)|the letter\b|\bletters? of|⟦|⟧|答案：|字母|单独写一行"
    r"|(^|\n)\W*(answer|letter) ?:|(^|\n|: )\(?[A-H][.)] |\b(option|选项) ?[A-H]\b",
    re.IGNORECASE,
)
"""Words of how a reply is written, and options by their letters."""
MADE = {
    "bodies": (("--n", "1"),),
    "exercises": (("--n", "1"), ("--n", "1", "--language", "zh")),
    "musictheorybench": tuple(
        ("--shots", "2", *more)
        for more in ((), ("--protocol", "musictheorybench-few-shot"))
    ),
    "muchomusic": (("--partial",), ("--partial", "--protocol", "muchomusic-released")),
    "pairs": (("--n", "1"),),
    "perception": tuple(
        ("--modality", modality, "--shots", "zero,few", "--strategy", strategy)
        for modality in ("audio", "midi")
        for strategy in ("standalone", "cot", "logiclm")
    ),
    "questions": (("--shots", "1"), ("--shots", "1", "--language", "zh")),
    "scores": (("--source", "generated", "--n", "1"),),
    "ziqi": tuple(
        ("--partial", "--shots", "2", *more)
        for more in ((), ("--language", "en"), ("--protocol", "ziqi-released"))
    ),
}  # fmt: skip
"""Ways of asking, of benchmarks whose data are here or are made."""
NO_STUDY = {"adaptive", "muse", "rhythm-ability", "thresholds"}
"""Those that ask by the answers before."""
RECORDINGS = {"abc-eval", "cmi", "mmar", "mmar-rubrics", "mmau", "mmau-pro", "msu-bench", "rul"}
"""Published data and recordings, which are not here: one message a question, its stem beside it."""


def data_of(name, folder):
    """The data of a benchmark, as its flags."""
    if name == "ziqi":
        return ["--data", str(HERE / "data" / "ziqi_small")]
    if name == "musictheorybench":
        return ["--data", str(make_theory(folder / "data"))]
    if name == "muchomusic":
        return ["--data", str(make_data(folder / "data"))]
    if name == "questions":
        head = "id,question,A,B,answer,example,scorer"
        rows = ("q1,Higher?,first,second,B,,", "q2,Lower?,one,two,A,yes,",
                "q3,Who?,,,Bach,,normalised", "q4,Where?,,,Rome,yes,normalised")  # fmt: skip
        (folder / "q.csv").write_text("\n".join((head, *rows)) + "\n", "utf-8")
        return ["--data", str(folder / "q.csv")]
    return []


def walk(source, folder, *flags):
    """The items of a study, and its pages of questions as people see them."""
    words = ["study", "make", "--from", source, *flags, "--per-group", "1"]
    assert main([*words, "--out", str(folder)]) == 0
    items = read_items(folder)
    with opened(folder) as store:
        preview = StudyPreview(store)
        pages = [preview.page(preview.number_of(item), store.study.languages[0]) for item in items]
    return list(items.values()), pages


def shown(page):
    """What stands on a page above its buttons, as text."""
    above = page[page.index("<main") : page.index('class="stem"')]
    ours = r"<p class=\"keys\">.*?</p>|<strong>.*?</strong>"
    return re.sub(r"<[^>]+>", "\n", re.sub(ours, "", above))


def test_a_preview_counts_questions_as_people_see_them_counted(tmp_path):
    study(tmp_path / "s", trials(6), practice=2, attention=1)
    with opened(tmp_path / "s") as store:
        preview = StudyPreview(store)
        previewed = [preview.page(preview.number_of(item.id), "en") for item in preview.items]
        person, seen = Person.of(store), []
        person.begin()
        while page := person.look():
            seen.append(page)
            assert person.answer(chosen=[0]).json()["state"] == "saved"
    numbers = ["", "", *(f"Question {n} of 5" for n in range(1, 6))]
    for pages in (previewed, seen):
        assert ["".join(re.findall(r"Question \d+ of \d+", page)) for page in pages] == numbers
        assert ["Practice is over" in page for page in pages] == [n == 2 for n in range(7)]


def test_each_benchmark_is_walked_through_or_is_known_to_be_none_of_a_study():
    rows = _everything()[0]["benchmarks"]
    listed = {row.name for row in rows if not _COMMANDS.search(str(row.summary))}
    assert listed | {"questions"} == {*MADE, *NO_STUDY, *RECORDINGS}


@pytest.mark.parametrize(
    ("name", "flags"), [(name, flags) for name, ways in MADE.items() for flags in ways]
)
def test_no_form_of_a_reply_is_shown(tmp_path, monkeypatch, capsys, name, flags):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    items, pages = walk(name, tmp_path / "s", *data_of(name, tmp_path), *flags)
    assert items
    for item, page in zip(items, pages, strict=True):
        told = [
            item.stem,
            item.instruction,
            *(t for e in item.examples for t in (e.question, e.answer)),
        ]
        assert [text for text in told if FORM.search(text)] == []
        assert not FORM.search(shown(page)), shown(page)
        asked = "\n".join(message.text for message in item.trial.messages)
        assert FORM.search(asked) or not item.choices, asked  # models are told as before
    if "--shots" in flags and "zero,few" not in flags:
        assert all(item.examples for item in items)


def test_an_example_is_answered_by_an_option_s_words(tmp_path, capsys):
    flags = ("--modality", "audio", "--shots", "few", "--strategy", "standalone")
    items, _ = walk("perception", tmp_path / "s", *flags)
    for item in items:
        words = {choice.text for choice in item.choices}
        assert len(item.examples) >= 2
        assert {example.answer for example in item.examples} <= words
        assert {example.question for example in item.examples} == {item.stem}
        sounds = [medium for medium in item.media if medium.kind == "example"]
        assert len(sounds) >= len(item.examples)


def test_examples_that_stand_in_the_question_are_shown_too(tmp_path, capsys):
    items, _ = walk("muchomusic", tmp_path / "s", *data_of("muchomusic", tmp_path), "--partial")
    (example,) = items[0].examples
    assert example.answer in example.question.splitlines()
    assert "Listen to the recording" in example.question


def test_a_study_of_a_run_says_that_it_lacks_what_stood_before_the_questions(tmp_path, capsys):
    run = str(tmp_path / "run")
    assert main(["run", "pairs", "--n", "1", "-m", "first", "--out", run, "--quiet"]) == 0
    capsys.readouterr()
    words = ["study", "make", "--from", run, "--kind", "exam", "--sample", "2"]
    assert main([*words, "--out", str(tmp_path / "s")]) == 0
    assert "make the study of the benchmark" in capsys.readouterr().out
    assert all(not item.instruction for item in read_items(tmp_path / "s").values())


@pytest.mark.parametrize("name", sorted({*MADE, *RECORDINGS} - {"questions"}))
def test_data_that_are_not_here_are_told_as_a_run_tells_it(tmp_path, monkeypatch, capsys, name):
    monkeypatch.setenv("ZHIYIN_DATA", str(tmp_path / "fetched"))
    status, told = [], []
    flags = ["-m", "random", "--limit", "2"]
    for words in (["study", "make", "--from", name], ["run", name, *flags]):
        status.append(main([*words, "--out", str(tmp_path / words[0])]))
        told.append(capsys.readouterr().err)
    assert status in ([0, 0], [2, 2])
    if status == [2, 2]:
        assert told[0] == told[1]
        assert f"`zhiyin data fetch {name}` gets the data" in told[0]


def test_people_and_models_get_the_same_draw(tmp_path, capsys):
    """Practice and attention are beside it; a run with other questions is refused at the start."""
    data = ["ziqi", "--partial", "--data", str(HERE / "data" / "ziqi_small")]

    def drawn(name, *flags):
        folder = tmp_path / name
        assert main(["study", "make", "--from", *data, *flags, "--out", str(folder)]) == 0
        items = read_items(folder).values()
        return {item.trial.id: item.role for item in items if item.role != "attention"}

    runs = {}
    for seed in ("3", "5"):
        runs[seed] = str(tmp_path / f"run-{seed}")
        words = ["-m", "first", "--sample", "3", "--seed", seed, "--out", runs[seed], "--quiet"]
        assert main(["run", *data, *words]) == 0
    asked = {seed: {one.trial.id for one in records_of(Path(run))} for seed, run in runs.items()}
    assert not asked["3"] & asked["5"]
    flags = ["--sample", "3", "--seed", "3"]
    assert drawn("s", *flags).keys() == asked["3"]
    roles = drawn("p", *flags, "--practice", "2", "--gold", "1", "--attention", "1")
    assert {name for name, role in roles.items() if role != "practice"} == asked["3"]
    assert sorted(roles.values()) == ["gold", "plain", "plain", "practice", "practice"]
    more = drawn("m", "--sample", "5", "--seed", "3")
    assert more.keys() > asked["3"]  # a larger sample holds the smaller one
    found = drawn("g", "--per-group", "1", "--seed", "3", "--practice", "1")
    assert [*found.values()].count("practice") == 1
    capsys.readouterr()
    serve = ["study", "serve", str(tmp_path / "p"), "--model", runs["3"], "--model", runs["5"]]
    assert main(serve) == 2
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert f"{runs['5']}: was asked none" in told[0]
    assert "zhiyin run" in told[0]
    assert "--exam" not in told[0]


def test_a_study_is_of_the_data_that_were_fetched(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ZHIYIN_DATA", str(tmp_path))
    words = ["study", "make", "--from", "ziqi", "--partial", "--sample", "3", "--out"]
    shutil.copytree(HERE / "data" / "ziqi_small", tmp_path / "ziqi")
    assert main([*words, str(tmp_path / "not")]) == 2  # nobody knows whence it came
    (tmp_path / "ziqi" / RECORD).write_text("{}")
    assert main([*words, str(tmp_path / "s")]) == 0
    assert len(read_items(tmp_path / "s")) == 3
    assert main(["errata", "ziqi", "--partial", "--out", str(tmp_path / "errata")]) in (0, 1)
    monkeypatch.setenv("ZHIYIN_DATA", str(tmp_path / "empty"))
    capsys.readouterr()
    assert main(["errata", "ziqi", "--out", str(tmp_path / "none")]) == 2
    assert "`zhiyin data fetch ziqi` gets the data" in capsys.readouterr().err
