"""A benchmark's validity card: what runs tell, what is not met, and what nobody has looked at."""

import json
import shlex

import msgspec
import pytest

from findings_help import answered, choice, student, write_run
from zhiyin.cli import every_command, main
from zhiyin.cli.functions import add_actions, add_command
from zhiyin.cli.parser import Parser
from zhiyin.contract.registry import find, places
from zhiyin.engine.folder import read_manifest
from zhiyin.plugins.methods.validity import CardEvidence, card_of
from zhiyin.report.writing import report
from zhiyin.words import said, say
from zhiyin.words.findings import Remark, kept

"""Commands that do not stand in a file of their name."""


def asked(count=120, clustered=False, **more):
    return [
        choice(
            f"q{n}",
            gold="ABCD"[n % 4],
            cluster=f"track {n // 4}" if clustered else None,
            groups=("all",),
            **more,
        )
        for n in range(count)
    ]


def run(folder, name, gift, trials, **changes):
    answer = student(name, gift)
    return write_run(folder / name, "ziqi", name, [answer(one) for one in trials], **changes)


def states(card):
    return {one.question: one.state for one in card.answers}


def test_without_runs_nothing_is_guessed():
    for name in places():
        card = card_of(CardEvidence(find(name)))
        found = states(card)
        for question in ("baselines", "size", "flaws", "seen", "items", "audited", "registered"):
            assert found[question] == "unknown", (name, question)
        assert {
            one.question for one in card.answers if one.state == "unknown" and not one.command
        } <= {"people"}
        for language in ("en", "zh"):
            assert all(say(one.detail, language) for one in card.answers)


@pytest.mark.slow
def test_each_command_that_a_card_names_is_one():
    for name in places():
        named = {one.command for one in card_of(CardEvidence(find(name))).answers if one.command}
        for words in map(shlex.split, named):
            command = every_command()[words[1]].load()
            parser = Parser(prog="zhiyin", allow_abbrev=False)
            add = add_actions if hasattr(command, "ACTIONS") else add_command
            add(parser, command, words[1], words[2:])
            assert vars(parser.parse_args(words[2:])), words


@pytest.mark.slow
def test_runs_answer_what_they_can(tmp_path):
    trials = asked()
    runs = [run(tmp_path, f"m{n}", 0.3 + 0.12 * n, trials) for n in range(6)]
    card = card_of(CardEvidence(find("ziqi"), runs))
    found = states(card)
    assert found["sound"] == "no"
    assert found["items"] == "met"
    assert found["chance"] == found["readable"] == "met"
    assert found["whole"] == "not-met"  # of 14,334
    assert found["registered"] == "not-met"
    assert found["size"] == "not-met"  # ± 8 points on 120 items
    lines = {one.question: say(one.detail) for one in card.answers}
    assert "120 items in 120 clusters" in lines["size"]
    assert "0 of 6" in lines["registered"]
    widest = run(tmp_path, "unsure", 0.3, asked(clustered=True))
    lines = {
        one.question: one.detail.facts
        for one in card_of(CardEvidence(find("ziqi"), [*runs, widest])).answers
    }
    assert lines["size"]["clusters"] == 30  # of runs on as many items


@pytest.mark.slow
def test_what_is_neither_right_nor_wrong_has_no_figure_and_a_part_is_told(tmp_path):
    out = tmp_path / "tones"
    assert main(["run", "thresholds", "-m", "random", "--dimension", "pitch", "--out", str(out),
                 "--quiet"]) == 0  # fmt: skip
    card = card_of(CardEvidence(find("thresholds"), [out]))
    found = {one.question: one for one in card.answers}
    for question in ("baselines", "size", "readable"):
        assert found[question].state == "no"
        assert "neither right nor wrong" in say(found[question].detail)
    assert say(found["chance"].detail) == "chance is 50.0\u00a0%"
    assert found["whole"].state == "not-met"
    assert found["people"].command == ""  # of sequences no study can be made


@pytest.mark.slow
def test_the_whole_of_a_generated_set_is_whole(tmp_path):
    out = tmp_path / "run"
    assert main(["run", "exercises", "-m", "random", "--out", str(out), "--quiet"]) == 0
    assert states(card_of(CardEvidence(find("exercises"), [out])))["whole"] == "met"


def test_several_people_are_no_repeats_and_the_interval_is_the_models(tmp_path):
    trials = asked(24)
    one, people = run(tmp_path, "m", 0.5, trials), run(tmp_path, "people: all", 0.9, trials * 1)
    manifest = read_manifest(people)
    manifest.decoding = {"kind": "people", "people": 9}
    (people / "run.json").write_bytes(msgspec.json.encode(manifest))
    evidence = CardEvidence(find("ziqi"), [one, people])
    assert evidence.whole[2] == CardEvidence(find("ziqi"), [one]).whole[2]
    assert states(card_of(evidence))["forms"] == "not-met"


@pytest.mark.parametrize(
    ("gift", "count", "state"), [(0.9, 120, "not-met"), (0.0, 1200, "met"), (0.0, 40, "unknown")]
)
def test_a_baseline_that_beats_chance_is_told(tmp_path, gift, count, state):
    """Few items are no evidence that it gets no more than chance."""
    runs = [run(tmp_path, "longest", gift, asked(count))]
    card = card_of(CardEvidence(find("ziqi"), runs))
    assert states(card)["baselines"] == state
    assert states(card)["readable"] == "unknown"  # of no model


@pytest.mark.parametrize(
    ("right", "of", "state"),
    [(28, 100, "unknown"), (208, 744, "unknown"), (232, 744, "not-met"), (196, 744, "met")],
)
def test_what_is_not_shown_to_be_above_chance_is_not_taken_for_no_more(tmp_path, right, of, state):
    """Of 28.0 % (24.9 to 31.3) neither is shown."""
    rows = [answered(one, "A" if n < right else "B")
            for n, one in enumerate(choice(f"q{n}") for n in range(of))]  # fmt: skip
    folder = write_run(tmp_path / "run", "ziqi", "longest", rows)
    answer = next(o for o in card_of(CardEvidence(find("ziqi"), [folder])).answers
                  if o.question == "baselines")  # fmt: skip
    assert answer.state == state
    told = say(answer.detail, "en")
    assert ("points at most" in told) is (state == "met")
    assert ("significantly better" in told) is (state == "not-met")


def test_figures_of_people_that_are_published_in_no_table_are_told():
    for name, state in (("thresholds", "met"), ("rhythm-ability", "unknown"), ("pairs", "unknown")):
        assert states(card_of(CardEvidence(find(name))))["people"] == state
    told = next(one.detail for one in card_of(CardEvidence(find("thresholds"))).answers
                if one.question == "people")  # fmt: skip
    assert "gap" in str(told)
    assert "pitch" not in str(told)  # of which no figure is sure


def test_text_alone_is_told_of_a_set_with_sound(tmp_path, monkeypatch):
    runs = [run(tmp_path, "m", 0.9, asked())]
    deaf = CardEvidence(find("muchomusic"), runs)
    monkeypatch.setattr(CardEvidence, "heard", True)
    assert states(card_of(deaf))["sound"] == "not-met"
    none = CardEvidence(find("muchomusic"))
    answer = next(one for one in card_of(none).answers if one.question == "sound")
    assert answer.state == "unknown"
    assert answer.command == "zhiyin run muchomusic -m MODEL --audio none"


def test_the_command_looks_at_a_file_of_ones_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    row = {"id": "a", "question": "Which?", "options": ["x", "y"], "answer": "x"}
    (tmp_path / "own.jsonl").write_text(json.dumps(row) + "\n" + json.dumps(row | {"id": "b"}))
    assert main(["card", "own.jsonl", "--check", "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    found = {one["question"]: one for one in card["answers"]}
    assert found["flaws"]["state"] == "not-met"  # two questions in the same words
    assert "own.jsonl" in found["baselines"]["command"]
    assert main(["errata", "own.jsonl", "--out", "errata"]) == 0
    capsys.readouterr()
    proved = ["--errata", "errata/errata.jsonl"]
    assert main(["card", "own.jsonl", *proved, "--json"]) == 0
    card = json.loads(capsys.readouterr().out)
    state = next(one["state"] for one in card["answers"] if one["question"] == "flaws")
    assert state == "met"  # the same answer twice is no flaw that is proved
    assert main(["card", "ziqi", *proved]) == 2
    assert "errata of" in capsys.readouterr().err


@pytest.mark.slow
def test_the_report_folds_the_card_in_both_languages(tmp_path):
    runs = [run(tmp_path, f"m{n}", 0.4 + 0.2 * n, asked(40)) for n in range(2)]
    for language, words in (("en", "Is the reader audited"), ("zh", "读取规则是否经过审核")):
        place = tmp_path / "page.html"
        page = report(*runs, out=place, figures=False, languages=[language]).page.read_text()
        assert page.count('<details class="card" id="card-') == 1
        assert words in page


def test_what_was_not_computed_is_not_nothing_and_what_runs_note_is_known(tmp_path):
    trials = asked(24)
    runs = [run(tmp_path, f"m{n}", 0.3 + 0.2 * n, trials) for n in range(3)]
    items = next(o for o in card_of(CardEvidence(find("ziqi"), runs)).answers
                 if o.question == "items")  # fmt: skip
    assert (items.state, say(items.detail)) == ("unknown", "models given: 3; wanted: 4")
    assert items.command.count("RUN") == 4
    kinds = [said("ziqi-flaw", n=6, kind="repeated-option")]
    manifest = read_manifest(runs[0])
    manifest.remarks = kept([Remark(what=said("ziqi-flaws", left=None, kinds=kinds))])
    (runs[0] / "run.json").write_bytes(msgspec.json.encode(manifest))
    card = card_of(CardEvidence(find("ziqi"), runs))
    flaws = next(one for one in card.answers if one.question == "flaws")
    assert (flaws.state, say(flaws.detail)) == ("not-met", "noted in the runs: 6 repeat an option")
    assert states(card)["forms"] == "not-met"
