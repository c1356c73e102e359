"""What `zhiyin show` adds to a run on ZIQI-Eval."""

import csv
import json
from collections import defaultdict
from statistics import mean

import pytest

from columns_help import rows_from
from english_help import in_english
from zhiyin.analysis.summary import published
from zhiyin.cli import main
from zhiyin.contract.registry import find
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.plugins.benchmarks.ziqi.benchmark import describe, sections
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.runs.rows import rows_of
from zhiyin.trial import Trial
from ziqi_layout import write_ziqi


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_ziqi(tmp_path_factory.mktemp("ziqi") / "data", 30)


@pytest.fixture
def whole(shared):
    """The published questions: what published rows may stand beside."""
    if not (shared / "ziqi").is_dir():
        pytest.skip("no ziqi/ in the shared data")
    return shared / "ziqi"


def ran(data, out, *arguments, model="first"):
    given = ["run", "ziqi", "--data", str(data), "-m", model, "--out", str(out), "--quiet"]
    assert main([*given, *map(str, arguments)]) == 0
    return {
        section.title.partition(" (")[0]: section
        for section in in_english(sections(rows_of(out), read_manifest(out)))
    }


def mute(tmp_path, every):
    """A model that answers all questions but every so-manieth."""
    path = tmp_path / "mute.py"
    path.write_text(
        "import itertools\ncount = itertools.count()\n"
        f"def answer(prompt):\n    return 'A' if next(count) % {every} else 'Who knows?'\n"
    )
    return f"python:{path}:answer"


@pytest.mark.slow
def test_f1_is_given_pooled_and_as_the_mean_of_subthemes(data, tmp_path, capsys):
    found = ran(data, tmp_path / "run", "--concurrency", 1, model=mute(tmp_path, 4))
    table = {str(row[0]): row[1:] for row in found["F1 pooled, and as the mean of subthemes"].rows}
    states = defaultdict(list)
    for record in read_records(tmp_path / "run"):
        if record.trial.tags["category"] == "World ethnic music":
            states[record.trial.tags["subcategory_zh"]].append(record.verdict.state)
    assert len(states) == 3

    def f1(members):
        right = members.count("correct")
        answered = right + members.count("wrong")
        precision, recall = right / answered, right / len(members)
        return 2 * precision * recall / (precision + recall) if right else 0.0

    every = [state for members in states.values() for state in members]
    assert table["World ethnic music"] == pytest.approx(
        [len(every), 3, f1(every), mean(map(f1, states.values()))]
    )
    del states["欧洲音乐"]
    elsewhere = [state for members in states.values() for state in members]
    n, subthemes, pooled, own = table["Outside Europe"]
    assert (n, subthemes) == (len(elsewhere), 2)
    assert pooled == pytest.approx(f1(elsewhere))
    assert own == pytest.approx(mean(map(f1, states.values())))


def test_the_leaderboard_holds_the_published_rows(shared):
    path = shared / "ziqi_leaderboard.csv"
    if not path.is_file():
        pytest.skip("no ziqi_leaderboard.csv in the shared data")
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 32
    reference = find("ziqi").published()
    for row in rows:
        ours = reference.rows[f"{row.pop('model')}, {row.pop('shots')} shots"]
        row["all"] = row.pop("average")
        assert {group: own["accuracy"] for group, own in ours.items()} == {
            group: pytest.approx(float(value) / 100) for group, value in row.items()
        }


@pytest.mark.slow
def test_its_rows_stand_beside_runs_of_as_many_shots(data, tmp_path):
    for shots, other in ((0, 5), (5, 0)):
        folder = tmp_path / str(shots)
        ran(data, folder, "--shots", shots)
        beside = published(folder)
        named = [name for name in beside.rows if "shots" in name]
        assert {name.rpartition(", ")[2] for name in named} == {f"{shots} shots"}
        assert len(named) == 13  # those of GPT-4, ChatGPT and ChatGLM2 are of other questions
        others = {name for name, why in beside.apart.items() if why == ("items", "other")}
        assert len(others) == 16 + 6  # with the paper's, of 14,244 + 200
        assert {beside.apart[name] for name in beside.apart.keys() - others} == {
            ("shots", str(other)), ("items", "114")
        }  # fmt: skip
        assert beside.apart[f"GPT4 (gpt-4), {shots} shots"] == ("items", "other")


EVADING = "The given options are difficult; it is impossible to determine which one follows"


def told(*replies):
    """What replies are like: of each its text, state, letter, and cluster."""
    records = []
    for n, (text, state, letter, cluster) in enumerate(replies):
        trial = Trial(f"t{n}", (), item=f"i{n}", cluster=cluster)
        said = Exchange((Turn(Reply(text)),))
        records.append(Record(trial.id, Verdict(state, letter, letter=letter), trial, said))
    return describe(rows_from(records))


def reply(text, state="wrong", letter="B"):
    return told((text, state, letter, "music_generation/1"))


TALK = "调性是 D 大调，旋律先上行后下行，第二句应当回到主音，因此答案是 B。"


def test_a_reply_is_told_by_its_words():
    assert reply(TALK).analysing
    assert reply(
        "The key is D major and the line rises twice before it falls, so I choose B as "
        "the fragment that continues it"
    ).analysing
    assert not reply("答案：B").analysing
    assert not reply("[[答案：B]]").analysing
    assert not reply("|: D2 F2 A2 d2 | f2 d2 A2 F2 :|").analysing, "notes are no analysis"
    assert reply(EVADING, "no_answer", None).evasive
    assert not reply(EVADING, "wrong", "B").evasive, "who answers does not evade"
    assert reply("I cannot help with that.", "refused", None).evasive


def replies(right, wrong, analysing=True, letters="ABCD", evasive=0, together=1):
    text = TALK if analysing else "B"
    said = [
        (text, "correct" if i < right else "wrong", letters[i % len(letters)], str(i // together))
        for i in range(right + wrong)
    ]
    return told(*said, *((EVADING, "no_answer", None, f"e{i}") for i in range(evasive)))


def test_the_three_types_of_section_6_1():
    def kind(*args, **named):
        return replies(*args, **named).kind.partition(",")[0]

    assert kind(100, 80) == "III"
    assert kind(100, 80, analysing=False) == "III", "whoever is right understands"
    assert kind(50, 145) == "II", "as ERNIE-Bot-8k: explains, at chance"
    assert kind(50, 145, analysing=False) == "I", "guesses"
    assert kind(50, 145, letters="AAAB") == "I", "as ChatGLM2-6B: mostly A"
    assert kind(20, 60, evasive=120) == "I", "evades"
    assert kind(20, 5) == "undecided", "too few"
    assert told() is None


def test_rotations_of_a_question_are_one_draw():
    """16 right of 40 replies that are ten questions four times do not lie above chance."""
    assert replies(60, 100).kind.startswith("III,")
    assert replies(60, 100, together=20).kind.startswith("II,")


@pytest.mark.slow
def test_the_type_is_shown_for_runs_on_generation_only(data, tmp_path):
    title = "Continuations: which type of model"
    found = ran(data, tmp_path / "all")
    assert dict(found[title].rows)["type"] == "I, lack of melodic understanding"
    assert dict(found[title].rows)["its share of the answers, %"] == 100
    assert title not in ran(data, tmp_path / "some", "--category", "female_music")


@pytest.mark.slow
def test_ranges_of_table_3_stand_beside_its_means(whole, tmp_path, capsys):
    ran(whole, tmp_path / "run")
    capsys.readouterr()
    assert main(["show", str(tmp_path / "run"), "--groups", "all"]) == 0
    shown = capsys.readouterr()[0]
    assert "37.8 (26.0–71.0)" in shown
    assert "64.0 (64.0–64.0)" in shown
    assert main(["show", str(tmp_path / "run"), "--json"]) == 0
    ranges = json.loads(capsys.readouterr()[0])["published"]["ranges"]
    assert len(ranges) == 11
    assert ranges["Doctorate, music major"]["all"]["precision"] == [0.28, 0.88]
