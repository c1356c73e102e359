"""Reading ZIQI-Eval's files: what is accepted, and the one line for everything that is not."""

import csv
import io
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.contract.registry import open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.benchmark import Ziqi, ZiqiSettings
from zhiyin.plugins.benchmarks.ziqi.data import (
    COLUMNS,
    choose_stems,
    find_stems,
    published_categories,
    read_sheet,
)
from zhiyin.words import say

SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"
HEADER = ",".join(COLUMNS)
ROW = "0,哪个音最高？,c,d,e,f,D,乐理"


def write(folder: Path, text: str | bytes, name: str = "composition_theory") -> Path:
    path = folder / "test" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def complaint(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_sheet(path)
    line = str(caught.value)
    assert "\n" not in line
    return line


def test_byte_order_mark_line_ends_and_column_order_do_not_matter(tmp_path: Path) -> None:
    columns = ("subtheme", *reversed(COLUMNS[:-1]))
    text = ",".join(columns) + "\r\n" + ",".join(["乐理", *ROW.split(",")[-2::-1]]) + "\r\n\r\n"
    (item,) = read_sheet(write(tmp_path, b"\xef\xbb\xbf" + text.encode())).items
    assert (item.id, item.question, item.keyed, item.line) == ("0", "哪个音最高？", "f", 2)


def test_lines_are_counted_through_fields_of_several_lines(tmp_path: Path) -> None:
    tune = '"续写：\nX:1\n|: {c}""G""[dg] :|"'
    path = write(tmp_path, f"{HEADER}\n0,{tune},a,b,c,d,A,续写\n1,问,a,b,c,d,E,续写\n")
    assert f"{path}:5: item 1: the answer 'E' is not one of A, B, C, D" in complaint(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        (f"{HEADER}\n", "holds no question"),
        (f"{HEADER[:-9]}\n{ROW}\n", ":1: no column subtheme"),
        (f"{HEADER}\n{ROW}\n{ROW}\n", ":3: item 0: its id is already used on line 2"),
        (f"{HEADER}\n0,问,a,,c,d,A,乐理\n", ":2: item 0: nothing under B"),
        (f"{HEADER}\n0,问,a, ,c,d,A,乐理\n", ":2: item 0: nothing under B"),
        (f"{HEADER}\n0,问,a,b,c,d,,乐理\n", ":2: item 0: nothing under answer"),
        (f"{HEADER}\n0,问,a,b,c,d,AB,乐理\n", "the answer 'AB' is not one of"),
        (f"{HEADER}\n0,问,a,b,c,d,a,乐理\n", "the answer 'a' is not one of"),
        (f"{HEADER}\n0,问,a,b\n", ":2: 4 fields where the header has more"),
        (f'{HEADER}\n{ROW}\n1,"问,a,b,c,d,A,乐理\n', ":3: not CSV from here on"),
        (f"{HEADER}\n{ROW}\n".encode("gbk"), ":2: not UTF-8"),
        (f"{HEADER}\n{ROW}\n".encode("gbk"), "iconv -f GBK -t UTF-8 composition_theory.csv"),
    ],
)
def test_a_bad_file_is_refused_in_one_line(tmp_path: Path, text: str | bytes, said: str) -> None:
    path = write(tmp_path, text)
    line = complaint(path)
    assert line.startswith(str(path))
    assert said in line


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert "No such file" in complaint(tmp_path / "absent.csv")


@given(
    st.lists(
        st.tuples(*[st.text(st.characters(codec="utf-8"), min_size=1)] * 5, st.sampled_from("ABCD"))
    )
)
def test_any_text_comes_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]]
) -> None:
    rows = [row for row in rows if all(field.strip() for field in row) and "\0" not in "".join(row)]
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for number, row in enumerate(rows):
        writer.writerow([number, *row, "乐理"])
    path = tmp_path_factory.getbasetemp() / "written.csv"
    path.write_bytes(text.getvalue().encode())
    if not rows:
        with pytest.raises(InputError, match="holds no question"):
            read_sheet(path)
        return
    items = read_sheet(path).items
    assert [(i.question, *i.options, i.answer) for i in items] == rows


def test_no_folder_and_no_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no data: --data FOLDER"):
        find_stems(None)
    with pytest.raises(InputError, match="no such folder"):
        find_stems(str(tmp_path / "absent"))
    with pytest.raises(InputError, match=r"no test/\*\.csv in it"):
        find_stems(str(tmp_path))


def test_an_incomplete_set_is_refused_with_what_is_missing() -> None:
    found = find_stems(str(SMALL))
    with pytest.raises(InputError, match=r"missing test/western_music_history\.csv, test/chin"):
        choose_stems(found, (), False, "data")
    chosen, missing = choose_stems(found, (), True, "data")
    assert chosen == found
    assert len(chosen) + len(missing) == 11
    assert choose_stems(found, ("generation",), False, "data") == (["music_generation"], [])
    assert choose_stems(found, ("female_music",), False, "data") == (["female_music"], [])
    with pytest.raises(InputError, match=r"missing test/music_education\.csv"):
        choose_stems(found, ("female_music", "music_education"), False, "data")
    with pytest.raises(InputError, match="nothing of music_education"):
        choose_stems(found, ("music_education",), True, "data")


def test_somebodys_own_set_is_complete_as_it_is() -> None:
    assert choose_stems(["qin", "pipa"], (), False, "data") == (["qin", "pipa"], [])
    assert choose_stems(["qin", "pipa"], ("pipa",), False, "data") == (["pipa"], [])


@pytest.mark.parametrize("name", ["中国音乐史", "Chinese music history"])
def test_a_category_is_named_as_tables_name_it(name) -> None:
    settings = ZiqiSettings(category=(name, "female_music"))
    assert settings.category == ("chinese_music_history", "female_music")


def test_a_misspelt_category_is_answered_with_the_right_one() -> None:
    with pytest.raises(InputError, match="did you mean popular_music"):
        choose_stems(find_stems(str(SMALL)), ("populer_music",), False, "data")


def test_nothing_is_read_before_a_trial_is_asked_for(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent")
    benchmark = open_benchmark("ziqi", {"data": absent, "prompts": absent})
    for method in (benchmark.__len__, benchmark.fingerprint, benchmark.remarks):
        with pytest.raises(InputError, match="no such folder"):
            method()
    with pytest.raises(InputError, match="no such folder"):
        next(iter(benchmark.trials()))


def test_the_fingerprint_sees_every_byte_of_data_and_prompts(tmp_path: Path) -> None:
    def fingerprint(**options: object) -> str:
        return open_benchmark("ziqi", {"data": str(tmp_path), **options}).fingerprint()

    path = write(tmp_path, f"{HEADER}\n{ROW}\n", "qin")
    first = fingerprint()
    assert fingerprint() == first
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "option.zh.txt").write_text("({letter}) {text}")
    assert fingerprint(prompts=str(pack)) != first
    assert fingerprint(language="en") != first
    path.write_text(path.read_text().replace("最高", "最低"))
    assert fingerprint() != first


@pytest.mark.slow
def test_published_files_are_read_whole(shared: Path) -> None:
    benchmark = open_benchmark("ziqi", {"data": str(shared / "ziqi")})
    trials = list(benchmark.trials())
    assert len(trials) == len(benchmark) == 14_334
    assert sum("generation" in trial.groups for trial in trials) == 195
    assert len({trial.id for trial in trials}) == 14_334
    subcategories = {t.groups[2] for t in trials if "comprehension" in t.groups}
    assert len(subcategories) == 56
    assert all(group.isascii() for trial in trials for group in trial.groups)
    sample = random.Random(1).sample(trials, 200)
    rows = {}
    for path in (shared / "ziqi" / "test").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows |= {f"{path.stem}/{row['id']}": row for row in csv.DictReader(file)}
    for trial in sample:
        row = rows[trial.id]
        assert trial.stem == row["question"].strip()
        assert [o.text for o in trial.options] == [row[x].strip() for x in "ABCD"]
        assert (trial.target, trial.tags["subcategory_zh"]) == (
            row["answer"],
            row["subtheme"].strip(),
        )


def test_groups_are_called_by_their_names_in_the_page_s_language():
    """Every group of a published question, each in Chinese and in English."""
    titles = Ziqi.titles
    for category in published_categories().values():
        for chinese, name in category.subcategories.items():
            groups = category.groups(chinese)
            assert set(groups) <= titles.keys()
            assert say(titles[groups[1]], "zh") == category.zh
            assert say(titles[groups[1]], "en") == category.en
            assert say(titles[groups[2]], "zh") == chinese
            assert say(titles[groups[2]], "en").lower() == name.lower()
    assert say(titles["comprehension"], "zh") == "理解"
