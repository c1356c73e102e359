"""What may stand beside published figures: whole groups, like figures, the same recordings."""

import pytest

from findings_help import answered, choice, mucho_trials, student, write_run
from published_help import declare
from runs_help import rows_by_figure
from zhiyin.contract.declared import Reference
from zhiyin.plugins.paper.tables import make_tables
from zhiyin.report import findings
from zhiyin.report.chapters import _blocks, rendered_chapters
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.runs.figures import GroupFigures
from zhiyin.words import say


@pytest.mark.slow
def test_a_part_is_in_no_table_or_figure_of_published_rows(tmp_path, monkeypatch):
    declare(monkeypatch, "tracks", mucho_trials(20))
    records = [student("small", 0.8)(trial) for trial in mucho_trials(20)]
    whole = write_run(tmp_path / "whole", "tracks", "whole", records)
    part = write_run(tmp_path / "part", "tracks", "part", records[:39], limit=39)
    figure, rows = rows_by_figure([whole, part], tmp_path / "both")["tracks-headline"]
    assert {row["row"] for row in rows if row["kind"] == "run"} == {"whole"}
    assert any(row["kind"] == "model" for row in rows)
    assert "part: the first 39 trials only; 39 of 40 published questions: not" in figure.caption
    alone = rows_by_figure([part], tmp_path / "alone")
    assert "tracks-headline" not in alone
    figure, rows = alone["tracks-overview"]
    assert {row["row"] for row in rows if row["kind"] == "run"} == {"part"}
    assert "part: the first 39 trials only; 39 of 40 published questions: not" in figure.caption
    assert not [table for table in make_tables([part]) if table.name.endswith("published")]
    (benchmark,) = overview(RunSet([part])).benchmarks
    assert not any(row.groups for row in benchmark.published)
    assert not [said for said in benchmark.findings if said.topic == "published"]
    (benchmark,) = overview(RunSet([whole, part])).benchmarks
    assert str(benchmark.in_part[1].why).startswith("the first 39 trials only")
    (said,) = [said for said in benchmark.findings if said.topic == "published"]
    assert "whole" in str(said.words)


@pytest.mark.slow
def test_where_no_published_row_is_drawn_a_caption_counts_none(tmp_path):
    """Of a headline in F1, whose figure is drawn for the runs alone."""
    trials = [choice(f"q{n}", groups=("comprehension", "female_music")) for n in range(12)]
    run = write_run(tmp_path / "z", "ziqi", "m", [answered(trial, "A") for trial in trials])
    figure, rows = rows_by_figure([run], tmp_path / "out")["ziqi-headline"]
    assert {row["kind"] for row in rows} == {"run"}
    assert "published of another" not in figure.caption
    assert " more" not in figure.caption


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
def test_the_newest_rows_are_drawn_and_the_others_told_with_the_reason(
    tmp_path, monkeypatch, whole
):
    asked = mucho_trials(20)
    if whole:
        declare(monkeypatch, "muchomusic", asked)
    folder = write_run(tmp_path / "one", "muchomusic", "one", map(student("one", 0.8), asked))
    about = overview(RunSet([folder]))
    (chapter,) = about.benchmarks
    page = rendered_chapters(about, "en")
    block = next(one for one in _blocks(chapter, about.runs) if one.kind == "published-rows")
    rest = block.charts[-1]
    assert {"Qwen-Audio", "M2UGen"} <= {str(row.cells[0]) for row in rest.rows}
    if whole:
        drawn = [row for row in block.charts[0].rows if str(row.name) != "one"]
        assert len(drawn) <= 10
        assert str(drawn[0].name) == "MOSS-Music-8B-Instruct"
        assert "2026-05-01, by OpenMOSS" in str(drawn[0].about)
        assert {str(row.cells[-1]) for row in rest.rows} == {"read by muchomusic"}
        assert block.rest == 1
    else:
        assert len(rest.rows) == len(chapter.reference.every) == 15
        assert any("not the published questions" in str(row.cells[-1]) for row in rest.rows)
        assert block.rest == 0
    assert "MOSS-Music-8B-Instruct" in page


def test_like_is_compared_with_like():
    rows = {"Someone": {"all": {"precision": 0.65, "recall": 0.6}}}
    reference = Reference("T", "Source", rows, {"Someone": "human"})
    own = GroupFigures(10, 0, 6, 5, accuracy=0.5, recall=0.5, precision=0.8)
    (said,) = findings.beside_people(reference, [("mine", own)])
    assert "recall 60.0" in say(said.words)
    assert "The run here with the highest accuracy, mine: recall 50.0" in say(said.words)
    (tied,) = findings.beside_people(reference, [("one, 5 shots", own), ("mine", own)])
    assert "The runs here with the highest accuracy, one, 5 shots and mine: recall" in say(
        tied.words
    )
    assert not list(
        findings.beside_people(reference, [("mine", GroupFigures(10, 0, 6, 5, accuracy=0.5))])
    )


@pytest.mark.slow
def test_many_runs_have_a_ranking_on_common_trials(tmp_path):
    gifts = {"a": 0.1, "b": 0.3, "c": 0.5, "d": 0.7, "e": 0.95}
    trials = mucho_trials(60)
    runs = [
        write_run(tmp_path / n, "tracks", n, map(student(n, g), trials)) for n, g in gifts.items()
    ]
    (benchmark,) = overview(RunSet(runs)).benchmarks
    said = [str(f.words) for f in benchmark.findings if f.topic == "comparison"]
    assert said[0].startswith("On 120 items that these share, highest accuracy first: e (")
    pairs = [text for text in said[1:] if "better than" in text or "No significant" in text]
    assert pairs
    assert all("d" in text and "e" in text for text in pairs)
    assert len(said) <= 4


def test_one_wrong_answer_is_no_more_than_that():
    whole = GroupFigures(
        1, 0, 1, 0, 1, 0.0, ifr=1.0, ci95=(0.0, 0.9), se=0.1, method="wilson", chance=0.25,
        guess="open",
    )  # fmt: skip
    said = [say(f.words) for f in findings.headline("m", 0, {"all": whole})]
    assert "1 trial right" in said[0]
    assert "not significantly better than chance" in said[0]
    assert len(said) == 1
