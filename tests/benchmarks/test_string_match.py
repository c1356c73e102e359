"""MMAU and MMAR: made data end to end, the published string match beside ours, published counts."""

import json
import re

import msgspec
import pytest

from columns_help import interval_of
from listening_help import by_ear, complaint, make_mmar, make_mmau, section, zhiyin
from runs_help import rows_by_figure
from said_help import texts
from servers import ChatServer
from zhiyin.analysis.compare import compare
from zhiyin.analysis.coverage import coverage_of
from zhiyin.contract.policies import open_policy
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.record import Exchange, Reply, Turn
from zhiyin.report.overview import overview
from zhiyin.report.paper_runs import common_way, gather
from zhiyin.report.paper_table import paper_table
from zhiyin.report.run_set import RunSet
from zhiyin.runs.rows import rows_of
from zhiyin.trial import Option, Trial, say

MAKERS = {"mmau": make_mmau, "mmar": make_mmar}
BOTH = pytest.mark.parametrize("name", MAKERS)
MATCH = open_policy("string-match")


def trials(name, folder, **options):
    return list(open_benchmark(name, {"data": str(folder), **options}).trials())


def trial_of(choices, right):
    keys = [choices.index(choice) for choice in choices]
    options = tuple(
        Option("ABCDEFGH"[k], text, "ABCDEFGH"[key])
        for k, (text, key) in enumerate(zip(choices, keys, strict=True))
    )
    return Trial("t", (say("user", "?"),), options=options, target="ABCDEFGH"[choices.index(right)])


def state(reply, choices, right, policy=MATCH):
    return judge_choice(trial_of(choices, right), Exchange((Turn(Reply(reply)),)), policy).state


def published_rule(answer, reply, choices):
    """The published rule as its README and the authors' paper put it, about one answer."""
    words = lambda text: set(re.findall(r"\w+", text.lower()))  # noqa: E731
    own, said = words(answer), words(reply)
    others = set().union(*(words(c) for c in choices if words(c) != own)) - own
    return bool(said) and own <= said and not said & others


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("Man", "correct"), ("MAN.", "correct"), ("It is a man", "correct"), ("B", "no_answer"),
        ("Woman", "wrong"), ("Man or woman", "no_answer"), ("", "no_answer"),
    ],
)  # fmt: skip
def test_the_published_string_match(reply, wanted):
    choices = ["Man", "Woman", "Child", "Robot"]
    assert state(reply, choices, "Man") == wanted
    assert (wanted == "correct") == published_rule("Man", reply, choices)


def test_a_bare_letter_counts_by_ours_and_not_by_theirs():
    choices, robust = ["Man", "Woman", "Child", "Robot"], open_policy("robust")
    assert state("B", choices, "Woman") == "no_answer"
    assert state("B", choices, "Woman", robust) == "correct"


def test_an_article_is_a_word_of_another_choice():
    choices = ["A child", "Women"]
    assert state("The answer is (A) Women", choices, "Women") == "no_answer"


def test_what_the_rule_cannot_tell_apart_is_right_by_it_and_not_by_ours():
    choices, robust = ["Guitar, Piano", "Piano, Guitar", "Drums"], open_policy("robust")
    for right in choices[:2]:
        assert state("Piano, Guitar", choices, right) == "correct"
    assert state("B", choices, "Guitar, Piano", robust) == "wrong"


def test_a_repeated_choice_is_one_option_under_two_letters():
    choices, robust = ["1.63 s", "2 s", "1.63 s"], open_policy("robust")
    assert state("C", choices, "1.63 s", robust) == "correct"
    assert state("A", choices, "1.63 s", robust) == "correct"


@pytest.mark.slow
@BOTH
def test_who_listens_is_right(capsys, tmp_path, name):
    data = MAKERS[name](tmp_path / "data")
    with ChatServer(by_ear) as server:
        status, summary = zhiyin(
            capsys, "run", name, "--data", data, "-m", server.spec, "--audio", "true,silence",
            "--out", tmp_path / "run",
        )  # fmt: skip
    assert status == 0, summary
    groups = summary["groups"]
    assert groups["all"]["n"] == 12
    assert groups["all"]["accuracy"] == groups["audio=true/music"]["accuracy"] == 1
    assert groups["audio=silence"]["accuracy"] == 0
    rows, notes = section(summary, "One log")
    assert rows["All"]["robust, %"][0] == 1
    assert rows["All"]["match, %"][0] == 0  # letters alone
    assert "right by robust and not by match: 12 of 24 replies" in notes[1]


@BOTH
def test_music_comes_first_and_nothing_tells_the_answer(tmp_path, name):
    made = trials(name, MAKERS[name](tmp_path / "data"))
    music = ["music" in trial.groups for trial in made]
    assert music == sorted(music, reverse=True)
    assert len({next(o.letter for o in t.options if o.key == t.target) for t in made}) > 1
    for trial in made:
        said = trial.messages[0].text
        assert "high" not in said
        assert "item-" not in said
        assert "video" not in said
        assert all(option.key == option.letter for option in trial.blind().options)


@BOTH
def test_asked_in_words_the_published_rule_reads_an_obedient_reply(capsys, tmp_path, name):
    data = MAKERS[name](tmp_path / "data")
    made = trials(name, data, protocol=f"{name}-words", order="published")
    assert "A." not in made[0].messages[0].text
    answers = tmp_path / "answers.jsonl"
    lines = [
        {"id": t.id, "text": next(o.text for o in t.options if o.key == t.target)} for t in made
    ]
    answers.write_text("\n".join(map(json.dumps, lines)))
    status, summary = zhiyin(
        capsys, "run", name, "--data", data, "-m", f"replay:{answers}", "--protocol",
        f"{name}-words", "--out", tmp_path / "run",
    )  # fmt: skip
    assert status == 0, summary
    assert summary["groups"]["all"]["accuracy"] == 1
    assert summary["protocol"]["departures"] == []


@pytest.mark.slow
@BOTH
def test_a_part_of_the_data(capsys, tmp_path, name):
    data = MAKERS[name](tmp_path / "data")
    next(data.glob("*/*.wav")).unlink()
    run = ("run", name, "--data", data, "-m", "first", "--out", tmp_path / "run")
    assert "no recording for 1 of 12" in complaint(capsys, *run)
    status, summary = zhiyin(capsys, *run, "--partial")
    assert (status, summary["groups"]["all"]["n"]) == (0, 11)
    assert any("1 of 12 questions left out" in remark for remark in texts(summary["remarks"]))
    flag = ("--task", "music") if name == "mmau" else ("--modality", "music")
    run = (*run[:-1], tmp_path / "music", "--partial", *flag)
    status, summary = zhiyin(capsys, *run)
    assert summary["groups"]["all"]["n"] == summary["groups"]["music"]["n"] <= 4


@BOTH
def test_recordings_are_found_by_name_with_any_ending(tmp_path, name):
    data = MAKERS[name](tmp_path / "data")
    (data / "audio").mkdir(exist_ok=True)
    for path in list(data.glob("*/*.wav")):
        path.rename(data / "audio" / f"{path.stem}.flac")
    assert len(trials(name, data)) == 12


def read(name, folder):
    path = folder / find(name).file
    lines = path.read_text()
    return path, (
        json.loads(lines) if name == "mmau" else list(map(json.loads, lines.split("\n")[:-1]))
    )


def write(path, entries):
    path.write_text(
        json.dumps(entries)
        if path.suffix == ".json"
        else "".join(json.dumps(e) + "\n" for e in entries)
    )


@BOTH
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"answer": "a bell"}, "'a bell' is none of its choices"),
        ({"choices": ["x"]}, "1 choice, which must be 2 to 26"),
        ({"choices": [1, 2]}, "choices is no list of texts"),
        ({"question": " "}, "no question"),
        ({"id": 3}, "no id"),
        ({"audio_id": "../../etc/x.wav", "audio_path": "../../etc/x.wav"}, "leaves the folder"),
    ],
)
def test_bad_data_is_one_line(capsys, tmp_path, name, change, told):
    data = MAKERS[name](tmp_path / "data", 3)
    path, entries = read(name, data)
    write(path, [entries[0] | change, *entries[1:]])
    assert told in complaint(capsys, "run", name, "--data", data, "-m", "first")
    write(path, [entries[0], entries[0]])
    line = complaint(capsys, "run", name, "--data", data, "-m", "first")
    assert re.search(r"(item|line) 2: the id .* stands twice", line)
    path.write_text("nothing\n")
    assert ":1: not JSON" in complaint(capsys, "run", name, "--data", data, "-m", "first")
    path.unlink()
    assert "no such file" in complaint(capsys, "run", name, "--data", data, "-m", "first")


@BOTH
def test_published_replies_become_a_run(capsys, tmp_path, name):
    """Right in words, right as a letter, silent, and not there: the last is in no figure."""
    data = MAKERS[name](tmp_path / "data", 8, sound=False)
    _, entries = read(name, data)
    key = "model_output" if name == "mmau" else "answer_prediction"
    for index, entry in enumerate(entries):
        right = entry["answer"]
        said = (right, "ABCD"[entry["choices"].index(right)], "")[index % 4 : index % 4 + 1]
        entry.update(dict.fromkeys([key] if said else [], "".join(said)))
    path = tmp_path / f"model.{'json' if name == 'mmau' else 'jsonl'}"
    write(path, entries)
    status, summary = zhiyin(capsys, "import", name, path, "--out", tmp_path / "run")
    assert status == 0, summary
    assert summary["groups"]["all"]["n"] == 6
    assert summary["groups"]["all"]["accuracy"] == pytest.approx(4 / 6)
    assert any("2 questions have no reply" in remark for remark in texts(summary["remarks"]))
    assert not summary["complete"]
    status, summary = zhiyin(capsys, "rescore", tmp_path / "run", "--extract", "string-match")
    _, summary = zhiyin(capsys, "show", tmp_path / "run")
    assert section(summary, "One log")[0]["All"]["match, %"][0] == pytest.approx(2 / 6)
    entries[0][key] = 3
    write(path, entries)
    assert f"{key} is no text" in complaint(capsys, "import", name, path, "--out", tmp_path / "x")
    for entry in entries:
        entry.pop(key, None)
    write(path, entries)
    assert "no replies" in complaint(capsys, "import", name, path, "--out", tmp_path / "x")


FORMS = {
    "bare": lambda letter, text: text,
    "letter": lambda letter, text: letter,
    "(B)": lambda letter, text: f"({letter}) {text}",
    "answer is": lambda letter, text: f"The answer is {text}",
    "correct": lambda letter, text: f"The correct answer is ({letter}) {text}",
}
COUNTS = {"mmau": (1000, 2, 967, 907, 879), "mmar": (1000, 0, 985, 910, 897)}


@pytest.mark.slow
@BOTH
def test_what_the_rule_does_to_right_replies_to_the_published_questions(shared, name):
    if not (shared / name).is_dir():
        pytest.skip(f"no data of {name} in the shared folder")
    made = trials(name, shared / name, audio="none", order="published")
    assert len(made) == 1000
    for (form, write_reply), count in zip(FORMS.items(), COUNTS[name], strict=True):
        right = 0
        for trial in made:
            option = next(o for o in trial.options if o.key == trial.target)
            reply = Exchange((Turn(Reply(write_reply(option.letter, option.text))),))
            right += judge_choice(trial, reply, MATCH).state == "correct"
        assert right == count, form


@pytest.mark.slow
@BOTH
def test_the_flaws_of_the_published_questions(capsys, shared, name):
    if not (shared / name).is_dir():
        pytest.skip(f"no data of {name} in the shared folder")
    status, found = zhiyin(capsys, "data", "check", name, "--data", shared / name, "--partial")
    assert status == 2
    kinds = [flaw["kind"] for flaw in found["flaws"]]
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    assert (
        counts
        == {
            "mmau": {"target-repeated": 16, "repeated-option": 11, "same-words": 9, "blanks": 6},
            "mmar": {"same-words": 20, "blanks": 4, "empty-choice": 4},
        }[name]
    )
    expected = find(name).expected()
    assert expected.counts["music"] == {"mmau": 334, "mmar": 206}[name]


def test_the_published_rows_of_mmar_stand_under_our_groups():
    rows = find("mmar").published().rows
    assert rows["GPT-4o Audio"] == {"all": {"accuracy": 0.635}, "music": {"accuracy": 0.51}}
    assert set(find("mmar").expected().counts) >= {"all", "music", "with_music"}


@pytest.mark.slow
def test_runs_without_sound_have_columns_figures_and_a_headline_that_say_so(capsys, tmp_path):
    data = make_mmau(tmp_path / "data", 60, sound=False)
    (tmp_path / "m.py").write_text(
        "def able(m):\n    return 'AB'[len(str(m)) % 2]\n\ndef flat(m):\n    return 'B'\n"
    )
    assert "--audio none asks without sound" in complaint(
        capsys, "run", "mmau", "--data", data, "-m", "first", "--out", tmp_path / "none"
    )
    runs = []
    for model in ("random", f"python:{tmp_path}/m.py:able", f"python:{tmp_path}/m.py:flat"):
        runs.append(tmp_path / f"run{len(runs)}")
        words = ("run", "mmau", "--data", data, "-m", model, "--audio", "none")
        assert zhiyin(capsys, *words, "--out", runs[-1])[0] == 0
    table = paper_table(runs, across="benchmarks", published=["all"])
    (column,) = table.columns[1:]
    assert column.name == "mmau without sound: music"
    *_, chance = table.rows  # a baseline stands below the models, and chance below all
    assert chance.cells[1].value == 0.25
    for run, row in zip([*runs[1:], runs[0]], table.rows[:-1], strict=True):
        inside = rows_of(run).judged.by_group(conditions=False)["music"]
        ends = interval_of(inside)
        always = run is runs[2]
        assert row.cells[1].value == (ends.mean if always else (ends.mean, ends.low, ends.high))
        told = " ".join(map(str, row.cells[1].notes))
        assert "audio=none only: not comparable with published" in told
        assert ("the same answer to everything" in told) == always
    # Two reasons of extent together: how it was asked, and how much.
    manifest = read_manifest(runs[0])
    config = {**manifest.config, "sample": 60}
    part = str(coverage_of(runs[0], msgspec.structs.replace(manifest, config=config)).part)
    assert part.startswith("judged with audio=none only; random sample of 60 items; 60 of 1,000 ")
    assert compare(runs[1:]).sentences() == []  # of a model that says the same to everything
    found = compare(runs[:2], families=["audio=none/music"])
    assert "60 items of mmau without sound in music " in str(found.sentences()[0])
    (pair,) = found.pairs
    resolved = next(g.resolved for g in pair.groups if g.group == "audio=none/music")
    assert not any(row.cells[1].strong for row in table.rows)  # one model alone, and a rule
    assert not resolved
    notes = " ".join(map(str, table.notes))
    assert "No published figure stands beside MMAU without sound" in notes
    (board,) = overview(RunSet(runs)).benchmarks
    assert {own.state for own in board.lead.standings} == {"judged"}
    assert str(board.told[0]).lower().startswith("only without sound: ")
    asked = [run.as_asked() for run in gather(runs)["mmau"]]
    assert common_way(asked) == "audio=none"
    figure, rows = rows_by_figure(runs, tmp_path / "figures")["mmau-overview"]
    assert len({row.get("run") or row["row"] for row in rows}) == 3
    assert "audio=none" in figure.title
