"""One answer to everything, looked for within groups as well as over the whole."""

import json

import msgspec
import pytest

from findings_help import answered, choice, write_run
from page_tree import read
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.analysis.within import constant_answers
from zhiyin.cli import main
from zhiyin.record import Record, Verdict
from zhiyin.report.writing import report
from zhiyin.runs.rows import rows_of
from zhiyin.trial import Option, Trial
from zhiyin.trial import say as message
from zhiyin.words import say


def found(folder, records):
    return constant_answers(rows_of(write_run(folder, "toy", "m", records)))


def asked(group, n=12, **more):
    return [
        choice(
            f"{group}/{i}", groups=(group,), gold=more.pop("gold", None) or "ABCD"[i % 4], **more
        )
        for i in range(n)
    ]


def named(shown, target, name, group="melody"):
    """A trial whose options are the same everywhere, in an order that differs."""
    options = tuple(Option(letter, key, key) for letter, key in zip("AB", shown, strict=True))
    return Trial(name, (message("user", "?"),), "?", options, target, (group,), None, {})


def free(target, name):
    return Trial(name, (message("user", "?"),), "?", (), target, ("metre",), None, {})


def test_a_group_with_one_letter_is_found_where_the_whole_has_several(tmp_path):
    records = [answered(t, "A") for t in asked("chords")]
    records += [answered(t, "B") for t in asked("metre")]
    records += [answered(t, "ABCD"[i % 4]) for i, t in enumerate(asked("form"))]
    one = found(tmp_path / "r", records)
    assert {group: own.named for group, own in one.items()} == {"chords": "A", "metre": "B"}
    assert (one["chords"].letter, one["chords"].n, one["chords"].items) == ("A", 12, 12)
    assert say(one["chords"].told) == "always A"


def test_replies_without_an_answer_are_no_other_answer(tmp_path):
    chords = asked("chords", 14)
    records = [answered(t, None if i < 3 else "C") for i, t in enumerate(chords)]
    assert found(tmp_path / "r", records)["chords"].n == 11


def test_who_is_right_throughout_gives_no_one_answer(tmp_path):
    same = [choice(f"s/{i}", groups=("same",), gold="A") for i in range(12)]
    nearly = [choice(f"n/{i}", groups=("nearly",), gold="A" if i else "B") for i in range(12)]
    few = asked("few", 9)
    again = [
        msgspec.structs.replace(t, item=f"again/{i % 4}") for i, t in enumerate(asked("again"))
    ]
    records = [answered(t, "A") for t in (*same, *nearly, *few, *again)]
    records += [answered(t, "ABDC"[i % 4]) for i, t in enumerate(asked("form"))]
    assert not {"same", "nearly", "few", "again"} & found(tmp_path / "r", records).keys()


def test_a_part_of_what_has_one_answer_has_it_however_small(tmp_path):
    few, same = asked("few", 3), [choice(f"s/{i}", groups=("same",), gold="A") for i in range(4)]
    trials = [*asked("form", 30), *few, *same]
    one = found(tmp_path / "r", [answered(t, None if t is few[0] else "A") for t in trials])
    assert {group: (own.named, own.n) for group, own in one.items()} == {
        "all": ("A", 36), "form": ("A", 30), "few": ("A", 2), "same": ("A", 4)
    }  # fmt: skip
    records = [answered(t, "A" if t not in few else "B") for t in trials]
    assert set(found(tmp_path / "other", records)) == {"form"}


def test_an_option_that_stands_under_other_letters_is_found_by_its_words(tmp_path):
    orders = [("Yes", "No"), ("No", "Yes")]
    trials = [named(orders[i % 2], ("Yes", "No")[i // 2 % 2], f"m/{i}") for i in range(12)]
    records = [answered(t, next(o.letter for o in t.options if o.key == "No")) for t in trials]
    one = found(tmp_path / "r", records)["melody"]
    assert (one.named, one.letter) == ("No", None)
    # Keys that name no option, but its place in the data, are no answer.
    trials = [
        msgspec.structs.replace(
            t, options=tuple(msgspec.structs.replace(o, text=f"{o.text} {i}") for o in t.options)
        )
        for i, t in enumerate(trials)
    ]
    records = [answered(t, next(o.letter for o in t.options if o.key == "No")) for t in trials]
    assert "melody" not in found(tmp_path / "other", records)


def test_a_free_answer_to_everything_is_found(tmp_path):
    def says(target, i, answer="4/4"):
        state = "correct" if answer == target else "wrong"
        trial = free(target, f"t/{i}")
        return Record(trial.id, Verdict(state, answer), trial)

    records = [says(("3/4", "4/4", "6/8")[i % 3], i) for i in range(12)]
    assert found(tmp_path / "r", records)["metre"].named == "4/4"
    right = [says(f"{i}/4", i, f"{i}/4") for i in range(12)]
    assert not found(tmp_path / "right", right)


def test_show_says_it_in_the_row_and_of_the_groups(tmp_path, capsys):
    records = [answered(t, "B") for t in asked("chords", 24)]
    records += [answered(t, "ABDC"[i % 4]) for i, t in enumerate(asked("form", 240))]
    records += [
        answered(t, None if i % 2 else "ABCD"[i % 4]) for i, t in enumerate(asked("key", 20))
    ]
    run = write_run(tmp_path / "r", "toy", "m", records)
    assert main(["show", str(run)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "chords 24 24 25.0 always B" in told
    assert "every readable reply is the same, whatever was asked, in chords (always B)" in told
    assert "many replies hold no readable answer in key (50 %)" in told
    assert main(["show", str(run), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: own["always"] for name, own in found["groups"].items() if own["always"]} == {
        "chords": "B"
    }
    kinds = {one["kind"] for one in found["warnings"]}
    assert {"one-answer-in", "unreadable-in"} <= kinds
    # What a blind baseline is made for is no fault of it.
    run = write_run(tmp_path / "first", "toy", "first", [answered(t, "A") for t in asked("form")])
    assert not any(own.always for own in summarise(run).groups.values())


def test_a_run_with_one_answer_throughout_says_so(tmp_path):
    run = write_run(tmp_path / "r", "toy", "m", [answered(t, "C") for t in asked("form", 40)])
    (one,) = [each for each in summarise(run).warnings if each.kind == "one-answer"]
    assert one.answer == "C"
    assert "one-answer-in" not in [each.kind for each in summarise(run).warnings]


@pytest.mark.slow
def test_nearly_one_answer_is_told_of_as_one_answer_and_is_never_best(tmp_path, capsys):
    """Terminal, JSON and page agree on a model that says C to all but 1 of 200 questions."""
    trials = [t for group in ("chords", "form") for t in asked(group, 100)]
    keys = [t.target for t in trials]
    replies = {
        "nearly": ["A" if n == 77 else "C" for n in range(200)],
        "always": ["C"] * 200,
        "weak": [key if n % 10 < 3 else "ABDC"[n % 4] for n, key in enumerate(keys)],
        "good": [key if n % 10 < 7 else "ABCD"[n % 4] for n, key in enumerate(keys)],
    }
    runs = {
        name: write_run(
            tmp_path / name, "toy", name,
            [answered(t, own) for t, own in zip(trials, given, strict=True)],
        )
        for name, given in replies.items()
    }  # fmt: skip
    whole = summarise(runs["nearly"]).groups["all"]
    assert (whole.always, whole.always_but) == ("C", 1)
    assert main(["show", str(runs["nearly"])]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "all 200 200 25.0 always C but 1" in told
    assert "far more often" not in told  # which it says already
    assert "every readable reply but 1 is C" in told
    assert main(["compare", *map(str, runs.values())]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "warning: nearly: every readable reply but 1 is C" in told
    assert "warning: always: every readable reply is C" in told
    assert "good" in told.partition("that both answered,")[2]
    kinds = {one.label: (one.kind, one.always) for one in compare([*runs.values()]).ranking}
    assert kinds == {
        "good": ("model", ""), "weak": ("model", ""),
        "nearly": ("constant", "C"), "always": ("constant", "C"),
    }  # fmt: skip
    assert main(["compare", str(runs["nearly"]), str(runs["good"])]) == 0
    assert "that both answered," not in capsys.readouterr().out
    page = tmp_path / "page.html"
    report(runs["nearly"], runs["always"], out=page, notation=False)
    first = read(page).id("front").all("h1")[0].text
    assert not {"chance", "best", "better"} & {*first.replace(",", " ").split()}
