"""A review that was asked for and not written is no gap in the figures: it holds nothing."""

from pathlib import Path

import msgspec
import pytest

from zhiyin.cli import main
from zhiyin.plugins.judges.combine import combine
from zhiyin.plugins.judges.grades import read_grades
from zhiyin.plugins.judges.judging import graded_folders

pytestmark = pytest.mark.slow

MODELS = """
from zhiyin.plugins.benchmarks.appraisal.reviewer import review as listen

asked = []


def whole(audio_path, question, options):
    return "B" if options else listen(audio_path, question, options)


def half(audio_path, question, options):
    if options:
        return "B"
    asked.append(audio_path)
    declined = "I'm sorry, but I cannot help with that."
    return ("", listen(audio_path, question, options), declined, "  ")[len(asked) % 4]


def most(audio_path, question, options):
    if options:
        return "B"
    asked.append(audio_path)
    return "" if len(asked) % 4 == 1 else listen(audio_path, question, options)


def none(audio_path, question, options):
    return "B" if options else ""
"""


def reviews(name, *flags):
    words = [
        "run", "appraisal", "--source", "generated", "--n", "4", "--language", "en", "--quiet",
        "--out",
    ]  # fmt: skip
    return main([*words, str(Path.cwd() / name), "-m", f"python:reviewers.py:{name}", *flags])


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reviewers.py").write_text(MODELS)
    return reviews


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A run of which a quarter is written and one of which all is, both judged."""
    folder = tmp_path_factory.mktemp("graded")
    (folder / "reviewers.py").write_text(MODELS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert [reviews(name, "--judge", "lexical") for name in ("half", "whole")] == [0, 0]
    return folder


def combined(folder):
    (judged,) = graded_folders(folder)
    return read_grades(judged, folder), combine(read_grades(judged, folder), folder)


def test_who_writes_a_quarter_gets_a_quarter(graded):
    every, all_of_it = combined(graded / "whole")
    grades, quarter = combined(graded / "half")
    assert (len(every.cases), len(grades.cases), len(grades.unwritten)) == (4, 1, 3)
    written = grades.cases[0].id
    for name, most in (("completeness", 16), ("novelty", 10)):
        alone = next(d for case, d in every.of(name).items() if case == written)
        share = alone[0].judgement.scores["score"] / most
        assert quarter.components[name].value == pytest.approx(share / 4)
        assert quarter.components[name].n == 4
        assert quarter.components[name].errors == 0
    assert quarter.components["precision"].n == 1  # what is not written claims nothing
    assert quarter.total < all_of_it.total
    assert (quarter.low, quarter.high) == (quarter.total, quarter.total)
    assert len(quarter.songs) == 4
    assert any("not written" in note and note.endswith(": 3") for note in map(str, quarter.notes))
    assert not any("not written" in note for note in map(str, all_of_it.notes))


def test_with_judgements_missing_it_keeps_its_share_of_what_was_planned(run, tmp_path):
    """One of four is not written, of two of the others the judgement failed: a quarter is empty."""
    assert run("most", "--judge", "lexical") == 0
    grades, _ = combined(tmp_path / "most")
    assert (len(grades.cases), len(grades.unwritten)) == (3, 1)
    kept = grades.cases[0].id
    lost = [
        g if g.case == kept else msgspec.structs.replace(g, judgement=None, error="timeout")
        for g in grades.grades
    ]
    found = combine(msgspec.structs.replace(grades, grades=lost), tmp_path / "most")
    for name, most in (("completeness", 16), ("novelty", 10)):
        (own,) = grades.of(name)[kept]
        part = found.components[name]
        assert part.value == pytest.approx(0.75 * own.judgement.scores["score"] / most)
        assert part.interval.mean == pytest.approx(part.value)
        assert part.low <= part.value <= part.high
    assert found.interval.mean == pytest.approx(found.total)


def test_by_the_released_rules_it_counts_nothing_in_precision_too(run, tmp_path, capsys):
    assert run("half") == 0
    judge = [
        "judge", "half", "-m", "lexical", "--language", "en", "--quiet", "--protocol",
        "reaction-released",
    ]  # fmt: skip
    assert main(judge) == 0
    _, quarter = combined(tmp_path / "half")
    assert [quarter.components[n].n for n in ("completeness", "precision", "novelty")] == [4] * 3
    capsys.readouterr()


def test_who_writes_most_is_ranked_first(graded, capsys):
    capsys.readouterr()
    assert main(["compare", str(graded / "half"), str(graded / "whole")]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("total"))
    assert float(row.split()[2]) > float(row.split()[3])  # the better one first


def test_where_none_was_written_one_line_says_so(run, capsys):
    assert run("none", "--judge", "lexical") == 0
    assert main(["judge", "none", "-m", "lexical", "--quiet"]) == 2
    assert "none of its 4 reviews was written: nothing to judge" in capsys.readouterr().err


def test_where_every_judgement_failed_unwritten_reviews_alone_make_no_figure(run, tmp_path):
    """It was completeness 0 %, of the reviews that no judge was asked of."""
    assert run("half") == 0
    (tmp_path / "mute.py").write_text("def judge(messages):\n    return 'I cannot grade this.'\n")
    assert main(["judge", "half", "-m", "python:mute.py:judge", "--language", "en", "--quiet"]) == 1
    _, nothing = combined(tmp_path / "half")
    for name in ("completeness", "precision", "novelty"):
        part = nothing.components[name]
        assert (part.value, part.interval, part.why) == (None, None, "every judgement failed")
        assert (part.low, part.high) == (0, 1)
    assert nothing.total is None
