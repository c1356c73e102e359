"""One piece in six bodies: what is asked, what tells nothing, and what is lost, by hand."""

import json
from collections import Counter

import pytest

from columns_help import record_of, rows_from
from english_help import in_english
from notated_help import ask, model, oracle
from zhiyin import cli
from zhiyin.contract.registry import open_benchmark
from zhiyin.models.baselines import RULES, SeededDraw
from zhiyin.plugins.composed.bodies.benchmark import pieces
from zhiyin.plugins.composed.bodies.results import LOSSES, sections
from zhiyin.plugins.music.listener.model import Listener
from zhiyin.plugins.music.notated.writing import write_musicxml
from zhiyin.runs.differences import between, contrasted
from zhiyin.runs.rows import rows_of
from zhiyin.shown.charts import Series
from zhiyin.trial import Audio, Image, Text

pytestmark = pytest.mark.slow

TEXT = "midi,abc,musicxml,kern"
SYMBOLIC = TEXT.split(",")
UNHEARD = ("metre", "chord", "cadence", "instruments")


@pytest.fixture
def zhiyin(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words, status=0):
        assert cli.main([str(word) for word in words]) == status
        out, err = capsys.readouterr()
        return out if status == 0 else err

    return run


def test_an_item_asks_the_same_in_every_body_that_carries_it():
    trials = list(open_benchmark("bodies", {"n": 1, "seed": 3}).trials())
    by_item = {}
    for trial in trials:
        by_item.setdefault(trial.item, []).append(trial)
    assert len(by_item) == 15
    for item, row in by_item.items():
        assert len({(t.stem, t.options, t.target) for t in row}) == 1, item
        bodies = [t.condition for t in row]
        only = item.startswith(("spelling", "upbeat", "repeat-marks"))
        assert bodies == (
            ["abc", "musicxml", "kern", "image"]
            if only
            else ["sound", "midi", "abc", "musicxml", "kern", "image"]
        )
        for trial in row:
            kind = {"sound": Audio, "image": Image}.get(trial.condition, Text)
            parts = trial.messages[-1].parts[1:-1:2]
            assert all(isinstance(part, kind) for part in parts), trial.id
            assert len(parts) == (2 if item.startswith(("transp", "changed")) else 1)


def test_nothing_but_the_piece_tells_the_answer():
    """Letters are balanced; keys, ids and the names of files say nothing."""
    trials = list(open_benchmark("bodies", {"n": 8, "body": "abc"}).trials())
    assert Counter(t.target for t in trials) == dict.fromkeys("ABCD", len(trials) // 4)
    for trial in trials:
        assert [o.key for o in trial.options] == [o.letter for o in trial.options]
        right = next(o.text for o in trial.options if o.key == trial.target)
        assert right.replace(" ", "-").lower() not in trial.id.lower()


@pytest.mark.parametrize("count", [20, pytest.param(400, marks=pytest.mark.trust)])
def test_blind_baselines_are_at_chance(count):
    """Over one body, so that each trial is an item; a rule that sees options alone gets 1/4.

    3.5 standard errors: eight rules are tried, and all of them at once stay within in 99.6 %.
    """
    trials = list(open_benchmark("bodies", {"n": count, "body": "abc", "seed": 9}).trials())
    rules = {
        **{name: lambda t, rule=rule: rule(SeededDraw(0), t) for name, rule in RULES.items()},
        "shortest": lambda t: min(t.options, key=lambda o: len(o.text)),
        "alphabet": lambda t: min(t.options, key=lambda o: o.text),
        "alphabet's end": lambda t: max(t.options, key=lambda o: o.text),
        "most alike": lambda t: max(
            t.options, key=lambda o: sum(len({*o.text} & {*other.text}) for other in t.options)
        ),
    }
    for name, rule in rules.items():
        right = sum(rule(trial).key == trial.target for trial in trials)
        n = len(trials)
        assert abs(right / n - 0.25) < 3.5 * (0.1875 / n) ** 0.5, (name, right / n)


def test_the_listener_reads_everything_and_says_what_it_cannot_hear():
    benchmark = open_benchmark("bodies", {"n": 1, "body": f"sound,{TEXT}", "seed": 5})
    entries = ask(benchmark, model(Listener()))
    states = {body: Counter() for body in ("sound", *SYMBOLIC)}
    for entry in entries:
        body, skill = entry.tags["body"], entry.tags["skill"]
        states[body][entry.state] += 1
        if body == "sound" and skill in UNHEARD:
            assert entry.state == "no_answer", skill
    for body in SYMBOLIC:
        assert set(states[body]) == {"correct"}, body
    assert "wrong" not in states["sound"]
    assert states["sound"]["correct"] >= 7


def test_the_listener_cannot_see_and_says_so():
    benchmark = open_benchmark("bodies", {"n": 1, "body": "image", "skill": "pitch"})
    (record,) = ask(benchmark, model(Listener())).records()
    assert record.verdict.state == "no_answer"
    assert "cannot see" in record.exchange.final.text


def test_an_oracle_gets_everything():
    benchmark = open_benchmark("bodies", {"n": 1, "body": TEXT})
    assert all(entry.state == "correct" for entry in ask(benchmark, oracle(benchmark)))


# What is lost


def answers(rows):
    """`rows`: item to body to score."""
    cells = ((item, body, score) for item, row in rows.items() for body, score in row.items())
    return rows_from(
        record_of(n, "correct" if score else "wrong", (body, "pitch"), item, item=item,
                  condition=body)
        for n, (item, body, score) in enumerate(cells)
    )  # fmt: skip


def test_a_loss_is_taken_over_items_asked_both_ways_and_reading_is_a_mean():
    rows = {
        "a": {"abc": 1.0, "kern": 0.0, "sound": 0.0},
        "b": {"abc": 1.0, "kern": 1.0, "sound": 1.0},
        "c": {"abc": 1.0, "kern": 1.0, "image": 0.0},  # no sound: counts for seeing alone
        "d": {"abc": 1.0, "sound": 0.0, "image": 0.0},
    }
    found = {loss.sides: loss for loss in contrasted(answers(rows), LOSSES)}
    hearing = found["reading", "hearing"]
    assert (hearing.items, hearing.clusters) == (3, 3)
    assert hearing.pair.first == pytest.approx((0.5 + 1 + 1) / 3)
    assert hearing.value == pytest.approx((0.5 + 0 + 1) / 3)
    assert hearing.low < hearing.value < hearing.high
    assert found["reading", "seeing"].value == 1
    assert found["hearing", "seeing"].items == 1


def test_between_runs_losses_are_subtracted_item_by_item():
    one = answers({n: {"abc": 1.0, "sound": 0.0} for n in map(str, range(20))})
    other = answers({n: {"abc": 1.0, "sound": float(int(n) % 2)} for n in map(str, range(20))})
    (loss,) = between(one, other, LOSSES)
    assert (loss.pair.first, loss.pair.second, loss.value) == (1.0, 0.5, 0.5)
    assert 0 < loss.low < 0.5 < loss.high
    assert loss.p < 0.01
    (same,) = between(one, one, LOSSES)
    assert (same.value, same.p) == (0, 1)


def test_a_reader_that_cannot_hear_is_shown_to_lose_it(tmp_path):
    benchmark = open_benchmark("bodies", {"n": 2, "body": "abc,sound", "skill": "pitch,interval"})
    knows, blind = oracle(benchmark), iter("ABCD" * 100)
    entries = ask(benchmark, lambda t: knows(t) if t.id.endswith("/abc") else next(blind))
    (loss,) = contrasted(entries, LOSSES)
    assert loss.sides == ("reading", "hearing")
    assert (loss.items, loss.pair.first) == (4, 1.0)


# From end to end


def test_a_run_shows_its_losses_and_its_matrix(zhiyin, tmp_path):
    run = ["run", "bodies", "--skill", "pitch,spelling", "--n", 2, "--body", "sound,abc,image"]
    zhiyin(*run, "-m", "first", "--out", "runs/first", "--quiet")
    zhiyin(*run, "-m", "random", "--out", "runs/random", "--quiet")
    titles = [section.title for section in in_english(sections(rows_of(tmp_path / "runs/first")))]
    assert titles == [
        "What is lost from reading to hearing to seeing",
        "Skill by format",
        "Format against format",
    ]
    shown = zhiyin("show", "runs/first", "--groups", "all")
    assert "from reading to hearing" in shown
    assert "repeated bar" not in shown
    both = zhiyin("losses", "runs/first", "runs/random")
    assert "How much more the first loses" in both
    found = json.loads(zhiyin("losses", "runs/first", "runs/random", "--json"))
    assert len(found["runs"]) == 2
    from zhiyin.contract.declared import FigureRun
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.composed.bodies.benchmark import Bodies

    pytest.importorskip("matplotlib")
    runs = [
        FigureRun(
            name, Series("s0", n), tmp_path / "runs" / name, read_manifest(tmp_path / "runs" / name)
        )
        for n, name in enumerate(("first", "random"))
    ]
    drawn = list(Bodies.figures(runs))
    assert [each.name for each in drawn] == ["losses", "matrix"]
    assert len(drawn[0].rows) == 6
    assert {row[2] for row in drawn[1].rows} == {"sound", "abc", "image"}


def test_losses_say_what_a_run_lacks(zhiyin):
    """What another benchmark asks is no matter of bodies; one body is none of two ways."""
    zhiyin("run", "pairs", "-m", "first", "--fact", "third", "--n", 1, "--change", "gain",
           "--out", "pairs", "--quiet")  # fmt: skip
    one = ("--skill", "pitch", "--n", 1, "--body", "abc")
    zhiyin("run", "bodies", "-m", "first", *one, "--out", "abc", "--quiet")
    assert "is a run of pairs: give runs of bodies" in zhiyin("losses", "pairs", status=2)
    assert "in two ways" in zhiyin("losses", "abc", status=2)


def test_pieces_of_the_user_are_asked_about(zhiyin, tmp_path):
    pytest.importorskip("music21")
    said = zhiyin("data", "make", "bodies", "--out", "made", "--n", 2)
    assert "2 pieces in six formats" in said
    made = {path.name for path in (tmp_path / "made").iterdir()} - {"croissant.json"}
    assert len(made) == 12
    zhiyin(
        "run",
        "bodies",
        "--data",
        "made",
        "--body",
        TEXT,
        "-m",
        "listener",
        "--out",
        "run",
        "--quiet",
    )
    assert "0 flaws" in zhiyin("data", "check", "bodies", "--data", "made").replace("no ", "0 ")
    entries = [
        json.loads(line)
        for line in (tmp_path / "run/records.jsonl").read_text().split("\n")
        if line
    ]
    assert len(entries) > 30
    assert {entry["verdict"]["state"] for entry in entries} == {"correct"}


def test_bad_input_is_one_line(zhiyin, tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "cut.musicxml").write_text(write_musicxml(pieces(1, 1)[0])[:500])
    (tmp_path / "words.txt").write_text("words")
    cases = {
        ("--data", "nowhere"): "no such file or folder",
        ("--data", "empty"): "no files of notation",
        ("--data", "words.txt"): "not a file of notation",
        ("--data", "bad"): "--partial",
        ("--data", "bad", "--partial"): "no file can be used",
        ("--body", "smell"): "--body",
        ("--skill", "pich"): "pitch",
        ("--n", "0"): "--n",
    }
    for words, said in cases.items():
        error = zhiyin("run", "bodies", "-m", "first", *words, status=2)
        assert said in error, words
        assert len(error.strip().splitlines()) == 1, error
    for words, said in {
        ("losses", "nowhere"): "nowhere",
        ("data", "make", "bodies"): "--out",
        ("data", "make", "bodies", "--out", "bad"): "not empty",
        ("data", "check", "bodies"): "--data",
    }.items():
        error = zhiyin(*words, status=2)
        assert said in error, words
        assert len(error.strip().splitlines()) == 1, error
