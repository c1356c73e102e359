"""The table of published figures: what it holds, how it is read, and what stands beside a run."""

import csv
from collections import Counter

import pytest

from zhiyin.contract import published_table
from zhiyin.contract.published_table import (
    OWN,
    FiguresError,
    PublishedSets,
    fetched_place,
    figures,
    read_figures,
    values,
)
from zhiyin.errors import InputError
from zhiyin.report.printed import MOST, all_apart, higher_apart, most_telling, why_apart

HEAD = "model,kind,set,split,metric,value,date,source,settings,by\n"


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """A function from rows to the reference of a set "S", from a table beside a description."""
    monkeypatch.setenv("ZHIYIN_DATA", str(tmp_path / "fetched"))

    def make(*rows, **sets):
        (tmp_path / "published.csv").write_text(HEAD + "".join(f"{row}\n" for row in rows))
        given = {"sets": {"S": ""}, **sets}
        return PublishedSets(**given, folder=str(tmp_path)).reference()

    return make


def test_ours_is_sound_and_each_figure_has_a_date_and_a_source():
    found = read_figures(published_table.Path(published_table.__file__).with_name("published.csv"))
    assert len(found) > 1200
    assert all(one.date and one.source and one.by for one in found)
    assert {one.unit for one in found} >= {"%", "edits"}


def test_every_figure_of_the_field_is_in_it(shared):
    place = shared.parent / "reference" / "published-2026.csv"
    if not place.is_file():
        pytest.skip("no table of the field in the shared folder")
    rows = [*csv.DictReader(place.open(encoding="utf-8"))]
    ours = Counter((one.model, one.set, one.metric, one.unit, one.value, one.date)
                   for one in figures())  # fmt: skip
    theirs = Counter((row["model"], row["set"], row["metric"], row["unit"], float(row["value"]),
                      row["date"]) for row in rows)  # fmt: skip
    assert len(rows) == 312
    assert not theirs - ours


def test_the_newest_stands_first_and_a_row_is_called_with_what_sets_it_apart(tables):
    found = tables(
        f"A,,S,,accuracy,40,2024-05,old,shots=0; in Chinese,{OWN}",
        f"A,,S,part,accuracy,30,2024-05,old,shots=0; in Chinese,{OWN}",
        f"A,,S,,accuracy,50,2024-06,old,shots=5,{OWN}",
        "A,,S,,accuracy,60,2026,new,,X",
        "people,human,S,,accuracy,70,2024-05,old,items=9,",
    )
    assert [*found.rows] == ["A", "A, 5 shots", "A, 0 shots", "people"]
    assert found.rows["A, 0 shots"] == {"all": {"accuracy": 0.4}, "part": {"accuracy": 0.3}}
    assert found.of("A").date == "2026"
    assert found.own == {"A, 0 shots", "people"}
    assert found.kinds["people"] == "human"


def test_rows_of_one_model_are_told_apart_by_who_and_when(tables):
    found = tables(
        "A,,S,,accuracy,40,2024,a,,X", "A,,S,,accuracy,41,2024,b,,Y", "B,,S,,accuracy,1,2024,a,,X"
    )
    assert [*found.rows] == ["A, X", "A, Y", "B"]


def test_what_was_asked_or_read_otherwise_stands_apart_with_the_reason(tables):
    found = tables(
        "zero,,S,,accuracy,40,2024,a,shots=0,",
        "five,,S,,accuracy,41,2024,a,shots=5,",
        "reader,,S,,accuracy,42,2024,a,extract=theirs,",
        "few,,S,,accuracy,43,2024,a,items=114,",
        "people,human,S,,accuracy,44,2024,a,items=114,",
        "full,,T,,accuracy,45,2024,a,,",
        "free,,S,,accuracy,46,2024,a,a colour = that is no flag; temperature=1,",
        sets={"S": "", "T": ""},
        apart=("T",),
    )
    beside = found.beside({"shots": 0, "extract": "robust"})
    assert {*beside.rows} == {"zero, 0 shots", "people", "free"}
    assert {name: str(why_apart(beside, name)) for name in beside.aside} == {
        "five, 5 shots": "5 shots",
        "reader": "read by theirs",
        "few": "on 114 questions alone",
        "full": "of T, which has other questions",
    }
    assert "4 rows" in str(all_apart(beside))
    # Beside runs of both settings both may stand.
    both = found.beside({"shots": 0, "extract": "robust"}, {"shots": 5, "extract": "theirs"})
    assert {*both.aside} == {"few", "full"}
    assert both.every == found.rows
    # What other questions set apart is not laid to a setting that one of the runs has.
    mixed = tables("five,,S,,accuracy,41,2024,a,shots=5; items=other,")
    told = mixed.beside({"shots": 0}, {"shots": 5})
    assert [str(why_apart(told, name)) for name in told.aside] == ["on other questions"]
    assert all_apart(found) is None


def test_a_row_of_other_questions_has_one_reason_beside_every_run(tables):
    found = tables(
        "five,,S,,accuracy,67,2024,a,shots=5; items=other,",
        "other,,S,,accuracy,45,2024,a,shots=5,",
        "zero,,S,,accuracy,24,2024,a,shots=0,",
    )
    for runs in ([{"shots": 0}], [{"shots": 5}], [{"shots": 0}, {"shots": 5}]):
        beside = found.beside(*runs)
        assert str(why_apart(beside, "five, 5 shots")) == "on other questions"
        best = max(beside.rows, key=lambda name: beside.rows[name]["all"]["accuracy"])
        words = str(higher_apart(beside, best, "all", "accuracy"))
        assert "on other questions" in words
        assert "five, 5 shots, 67.0" in words.replace("\u00a0", " ")
        assert f"of {best}, but not comparable" in words  # what they are higher than
    beside = found.beside({"shots": 0})
    assert "2 published rows" in str(higher_apart(beside, "zero, 0 shots", "all", "accuracy"))
    assert higher_apart(found, "zero, 0 shots", "all", "accuracy") is None


def test_ten_rows_at_most_the_best_the_newest_and_the_sets_own_among_them(tables):
    rows = [f"old{n},,S,,accuracy,{60 - n},2020,a,,{OWN}" for n in range(20)]
    rows += [f"mid{n},,S,,accuracy,{90 - n},2023,a,,X" for n in range(20)]
    rows += ["new,,S,,accuracy,5,2026,a,,X", "us,human,S,,accuracy,30,2021,a,,X"]
    found = tables(*rows)
    told = most_telling(found, {name: row["all"]["accuracy"] for name, row in found.rows.items()})
    assert len(told) == MOST
    assert told[0] == "new"
    assert {"mid0", "us", "old0"} <= {*told}
    dates = [found.of(name).date for name in told]
    assert dates == sorted(dates, reverse=True)


def test_a_set_is_a_group_and_other_units_stand_nowhere(tables):
    found = tables(
        "A,,S,,accuracy,40,2024,a,,", "A,,S,part,accuracy,41,2024,a,,", sets={"S": "music"}
    )
    assert found.rows == {"A": {"music": {"accuracy": 0.4}, "music/part": {"accuracy": 0.41}}}
    assert PublishedSets({"no such set": ""}).reference() is None
    assert all(one.unit == "of 1" for row in values("music-bench", "note_f1").values()
               for one in row.values())  # fmt: skip


def test_a_fetched_table_goes_before_ours_and_is_named(tables):
    fetched_place().parent.mkdir(parents=True)
    fetched_place().write_text(
        "model,set,metric,value,date,source\nA,S,accuracy,77,2027-01,b\nC,S,accuracy,7,2026,b\n"
    )
    found = tables("A,,S,,accuracy,40,2024,a,,X", "B,,S,,accuracy,41,2024,a,,X")
    assert {name: row["all"]["accuracy"] for name, row in found.rows.items()} == {
        "A": 0.77, "C": 0.07, "B": 0.41,
    }  # fmt: skip
    assert found.newer == "2027-01"
    fetched_place().unlink()
    assert tables("A,,S,,accuracy,40,2024,a,,X").newer == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("model,set\nA,S\n", ["t.csv:1: no column metric", "no column value", "no column date",
                              "no column source"]),
        (HEAD.replace("by", "colour"), ["column 'colour' is none"]),
        (HEAD.replace("by", "set"), ["two columns set"]),
        (HEAD + "A,,S,,accuracy,4O,2024,a,,\n", ["t.csv:2: value '4O' is no number"]),
        (HEAD + "A,,S,,accuracy,nan,2024,a,,\n", ["no number"]),
        (HEAD + "A,,S,,accuracy,400,2024,a,,\n", ["no share in per cent"]),
        (HEAD + "A,,S,,accuracy,4,2024-13,a,,\n", ["date '2024-13' is none"]),
        (HEAD + "A,,S,,accuracy,4,24,a,,\n", ["date '24' is none"]),
        (HEAD + "A,,S,,accuracy,4,2024-02-30,a,,\n", ["date '2024-02-30' is none"]),
        (HEAD + "A,robot,S,,accuracy,4,2024,a,,\n", ["kind 'robot' is not one of model"]),
        (HEAD + "A,,S,,accuracy,4,2024,a,b,c,d\n", ["1 cell too many"]),
        (HEAD + ",,S,,accuracy,x,2024,,,\n", ["no model", "no source", "no number"]),
        (HEAD + 2 * "A,,S,,accuracy,4,2024,a,,\n", ["t.csv:3: stands on line 2 already"]),
        (HEAD, ["no figures in it"]),
    ],
)  # fmt: skip
def test_faults_are_told_a_line_each(tmp_path, text, told):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(FiguresError) as refused:
        read_figures(tmp_path / "t.csv")
    assert len(refused.value.faults) == len(told)
    assert all(part in fault for part, fault in zip(told, refused.value.faults, strict=True))
    assert "\n" not in str(refused.value)


def test_error_rates_go_above_a_hundred_and_other_units_are_free(tmp_path):
    (tmp_path / "t.csv").write_text(
        "model,set,metric,value,date,source,unit\nA,S,WER,130,2024,a,%\nA,S,tempo,-3,2024,a,beats\n"
    )
    assert [one.value for one in read_figures(tmp_path / "t.csv")] == [130, -3]


def test_a_table_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        read_figures(tmp_path / "nowhere.csv")
