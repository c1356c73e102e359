"""Why replies could not be read is said, with what mends it."""

import re

import pytest

from english_help import in_english
from findings_help import answered, choice, write_run
from said_help import texts
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.plugins.benchmarks.perception.benchmark import sections
from zhiyin.runs.rows import rows_of


def replies(*parts):
    """So many records of each state, with what was said of them."""
    records = []
    for state, why, times in parts:
        for _ in range(times):
            trial = choice(f"q{len(records)}", gold="A")
            record = answered(trial, "A" if state == "correct" else None, state=state)
            record.verdict.why = why
            records.append(record)
    return records


def warnings(tmp_path, records, **settings):
    return texts(summarise(write_run(tmp_path / "r", "toy", "m", records, **settings)).warnings)


def test_cut_off_replies_name_the_flag_and_its_value(tmp_path):
    records = replies(("correct", "", 90), ("truncated", "no answer", 10))
    told = warnings(tmp_path, records, sampling__max_tokens=16)
    assert (
        "10 of 100 replies were cut off before an answer: raise --max-tokens, which was 16" in told
    )
    assert not any("policy" in text for text in told)


def test_without_a_limit_the_flag_is_named_all_the_same(tmp_path):
    records = replies(("correct", "", 99), ("truncated", "", 1))
    told = warnings(tmp_path, records, sampling__max_tokens=None)
    assert any("cut off before an answer: give --max-tokens a value" in text for text in told)


def test_each_cause_has_its_number(tmp_path):
    records = replies(
        ("correct", "", 50),
        ("no_answer", "no option named", 30),
        ("no_answer", "several options named", 5),
        ("refused", "declined", 15),
    )
    (told,) = [text for text in warnings(tmp_path, records) if "readable" in text]
    assert told.startswith("50 of 100 replies hold no readable answer: 30 x no option named; 15 x ")
    assert "5 x several options named" in told


def test_few_unreadable_replies_are_no_warning(tmp_path):
    records = replies(("correct", "", 98), ("no_answer", "no option named", 2))
    assert not any("readable" in text for text in warnings(tmp_path, records))


def test_unread_replies_are_not_called_mixed_up_options(tmp_path):
    records = replies(("no_answer", "no option named", 100))
    assert not any("below chance" in text for text in warnings(tmp_path, records))


def test_chance_is_that_of_the_options_that_were_shown(tmp_path):
    two = [answered(choice(f"q{n}", gold="A", letters="AB"), "B") for n in range(100)]
    told = warnings(tmp_path, two)
    assert any("below chance (50\u00a0%)" in text for text in told)
    # A baseline's replies are letters: what is read whole is not misread, what is not may be.
    for name, records, said in (("whole", two, False), ("part", [*two, *replies(
            ("no_answer", "no option named", 1))], True)):  # fmt: skip
        run = write_run(tmp_path / name, "toy", "random", records)
        told = texts(summarise(run).warnings)
        assert any("below chance" in text for text in told) is said


@pytest.mark.slow
def test_code_fences_around_transcriptions_are_named(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    model = tmp_path / "fenced.py"
    model.write_text("def answer(messages):\n    return '```\\nchord(clip1, [60, 64, 67])\\n```'\n")
    order = ["run", "perception", "--task", "chords", "--strategy", "logiclm", "--n", "4"]
    order += ["-m", f"python:{model}:answer", "--out", str(tmp_path / "r"), "--quiet"]
    assert main(order) == 0
    notes = [
        note for section in in_english(sections(rows_of(tmp_path / "r"))) for note in section.notes
    ]
    assert any(note.startswith("4 of 4 transcriptions stood in code fences") for note in notes)
    told = texts(summarise(tmp_path / "r").warnings)
    assert any("4 x parse fault: code fences" in text for text in told)


@pytest.mark.slow
def test_no_null_is_printed_under_published_figures(tmp_path, monkeypatch):
    from findings_help import mucho_trials, student
    from page_tree import Tree
    from published_help import declare
    from zhiyin.report.writing import report

    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    asked = mucho_trials(20)
    declare(monkeypatch, "tracks", asked)
    run = write_run(tmp_path / "r", "tracks", "m", map(student("m", 0.6), asked))
    report(run, out=tmp_path / "out", notation=False, figures=False)
    page = Tree((tmp_path / "out" / "index.html").read_text("utf-8")).root
    (body,) = page.all("body")
    assert "Qwen-Audio" in body.text
    for word in ("null", "None", "undefined", "nan"):
        assert not re.search(rf"\b{word}\b", body.text)
