"""Flaws of ZIQI-Eval: what is found, what is said of it, what `--clean` leaves out."""

import json
from collections import Counter
from pathlib import Path

import pytest

from zhiyin.cli import main
from zhiyin.contract.declared import Flaw
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.data import COLUMNS, ZiqiItem
from zhiyin.plugins.benchmarks.ziqi.flaws import FIGURE, fold, is_order_bound
from zhiyin.words.findings import told as reading

QUESTIONS = {
    "qin": [
        "0,琴有几弦？,五,六,七,八,C,琴",
        "1,琴有几弦？,五,六,七,八,C,琴",  # to the letter
        "2,琴有几弦____。,八,七,六,五,B,琴",  # nearly, other order
        "3,徽有几个？,十,十三,十三 ,九,B,琴",  # repeated key
        "4,徽是什么？,标记,标记,弦,木,D,琴",  # repeated option
        "5,琴曲之一是？,广陵散,流水,梅花三弄,阳关三叠,A,琴",
        "6,琴曲之一是？,广陵散,流水,梅花三弄,阳关三叠,B,琴",  # contradicts 5
        "7,下图所示的乐器是？,琴,瑟,筝,笛,A,琴",  # no figure
        "8,弹琴用？,右手,左手,双脚,A和B,D,琴",  # order-bound
    ],
    "se": ["0,琴有几弦？,五,六,七,八,C,瑟", "1,瑟有几弦？,五,十,二十五,八,C,瑟"],
}
EXAMPLES = {"qin": ["0,瑟有几弦?,五,十,二十五,八,C,琴"]}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for part, sheets in (("test", QUESTIONS), ("dev", EXAMPLES)):
        (tmp_path / part).mkdir()
        for stem, rows in sheets.items():
            text = "\n".join([",".join(COLUMNS), *rows]) + "\n"
            (tmp_path / part / f"{stem}.csv").write_text(text, encoding="utf-8")
    return str(tmp_path)


def found(flaws: list[Flaw]) -> set[tuple[str, str, str]]:
    return {(flaw.kind, flaw.file, flaw.id) for flaw in flaws}


def test_every_flaw_is_found_and_nothing_else(folder: str) -> None:
    result = find("ziqi").check({"data": folder})
    assert result.items == 11
    assert found(result.flaws) == {
        ("repeated-question", "test/qin.csv", "1"),
        ("near-repeat", "test/qin.csv", "2"),
        ("repeated-option", "test/qin.csv", "3"),
        ("repeated-key", "test/qin.csv", "3"),
        ("repeated-option", "test/qin.csv", "4"),
        ("repeated-question", "test/qin.csv", "6"),
        ("conflicting-answers", "test/qin.csv", "5"),
        ("conflicting-answers", "test/qin.csv", "6"),
        ("missing-figure", "test/qin.csv", "7"),
        ("order-bound", "test/qin.csv", "8"),
        ("cross-category-repeat", "test/se.csv", "0"),
        ("example-in-test", "dev/qin.csv", "0"),
    }
    details = {(flaw.kind, flaw.id): str(flaw.detail) for flaw in result.flaws}
    assert details["repeated-question", "6"] == "repeats item 5 to the letter"
    assert details["repeated-key", "3"] == "options B, C repeat each other, and B is keyed"
    assert details["conflicting-answers", "5"] == "keyed '广陵散', but the same question 6 '流水'"
    assert details["example-in-test", "0"] == "the same question as test/se.csv 1"


def test_clean_keeps_the_first_of_repeats_and_none_that_contradict(folder: str) -> None:
    published = open_benchmark("ziqi", {"data": folder})
    clean = open_benchmark("ziqi", {"data": folder, "clean": True})
    assert len(published) == 11
    assert [t.id for t in clean.trials()] == ["qin/0", "qin/8", "se/0", "se/1"]
    assert "asked as published" in str(published.remarks()[0])
    assert "left out (7 questions" in str(clean.remarks()[0])


@pytest.mark.slow
def test_of_a_part_the_flawed_questions_that_are_asked_are_counted(folder: str) -> None:
    def told(number: int, *more: str) -> str:
        out = Path(folder) / f"run{number}{len(more)}"
        words = ["run", "ziqi", "-m", "first", "--data", folder, "--out", str(out), *more]
        assert main([*words, "--limit", str(number), "--quiet"]) == 0
        remarks = json.loads((out / "run.json").read_text("utf-8"))["remarks"]
        return " ".join(str(one) for one in reading(remarks))

    assert "flawed questions" not in told(1)
    assert "1 repeat an earlier question word for word; --clean" in told(2)
    every = told(11)
    assert "2 repeat an earlier question word for word" in every
    assert "2 repeat an option" in every
    assert "1 refer to a missing figure" in every
    assert "2 repeat an option" in told(2, "--clean")  # what the set has lost


def test_the_check_lists_rows_that_a_run_refuses(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    rows = [
        ",".join(COLUMNS),
        "0,问一,a,b,c,d,A,琴",
        "0,问二,a,b,c,d,A,琴",
        "1,问三,a,b,c,d,F,琴",
        "2,问四,a,,c,d,A,琴",
        "3,问五",
    ]
    (tmp_path / "test" / "qin.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    result = find("ziqi").check({"data": str(tmp_path)})
    assert result.items == 1
    assert found(result.flaws) == {
        ("repeated-id", "test/qin.csv", "0"),
        ("bad-answer", "test/qin.csv", "1"),
        ("blank-field", "test/qin.csv", "2"),
        ("short-row", "test/qin.csv", ""),
    }
    with pytest.raises(InputError, match=r"qin\.csv:3: item 0: its id is already used on line 2"):
        len(open_benchmark("ziqi", {"data": str(tmp_path)}))


def test_a_missing_file_of_the_published_set_is_a_flaw() -> None:
    small = str(Path(__file__).parent.parent / "data" / "ziqi_small")
    result = find("ziqi").check({"data": small})
    kinds = Counter(flaw.kind for flaw in result.flaws)
    assert kinds == {"missing-file": 12, "order-bound": 1, "example-in-test": 1}
    assert result.items == 41
    partial = find("ziqi").check({"data": small, "partial": True})
    assert partial.flaws == [flaw for flaw in result.flaws if flaw.kind != "missing-file"]


def test_a_sound_set_has_no_remark() -> None:
    small = str(Path(__file__).parent.parent / "data" / "ziqi_small")
    assert open_benchmark("ziqi", {"data": small, "category": "female_music"}).remarks() == []


@pytest.mark.slow
def test_the_published_flaws(shared: Path) -> None:
    result = find("ziqi").check({"data": str(shared / "ziqi")})
    assert result.items == 14_334
    assert Counter(flaw.kind for flaw in result.flaws) == {
        "repeated-option": 46,
        "repeated-key": 20,
        "repeated-question": 156,
        "near-repeat": 317,
        "conflicting-answers": 23,
        "cross-category-repeat": 287,
        "missing-figure": 45,
        "example-in-test": 8,
        "order-bound": 178,
    }
    assert [*map(str, result.notes)] == [
        "14,139 questions of Comprehension",
        "195 questions of Generation",
        "all 14,334 published questions",
    ]
    clean = open_benchmark("ziqi", {"data": str(shared / "ziqi"), "clean": True})
    assert len(clean) == 13_760


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Ｂ宫调式的调号是___", "B宫调式的调号是 ____。", True),
        ("作曲家是（  ）。", "作曲家是____？", True),
        ("a", "A", False),
        ("♯F", "F", False),
        ("A+B+A", "ABA", False),
        ("c,,", "c", False),
    ],
)
def test_folding_keeps_what_music_tells_apart(one: str, other: str, same: bool) -> None:
    assert (fold(one) == fold(other)) is same


@pytest.mark.parametrize(
    ("options", "bound"),
    [
        (("琴", "瑟", "筝", "以上都对"), True),
        (("琴", "所有以上", "筝", "笛"), True),
        (("琴", "瑟", "筝", "都不是"), True),
        (("琴", "瑟", "B和C", "笛"), True),
        (("Q-Tip", "Nas", "Both A and B", "None of the above"), True),
        (("  A.e小调", "B.g小调", "C.a小调", "D.d小调"), True),
        (("C、E、G", "A、C、E", "F、A、C", "G、B、D"), False),
        (("三度以上", "五度以上", "八度以上", "二度以下"), False),
        (("A、d、e", "A、e、e", "A、d、d", "A、d、b"), False),
        (("ABA", "ABC", "AB", "ABACA"), False),
    ],
)
def test_which_options_depend_on_their_order(options: tuple[str, ...], bound: bool) -> None:
    a, b, c, d = options
    assert is_order_bound(ZiqiItem("0", "问", (a, b, c, d), "A", "琴", 2)) is bound


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("图3是哪部舞剧的剧照？", True),
        ("以下旋律片段出自____。", True),
        ("以上谱例是一首民歌", True),
        ("下列关于旋律大调描述正确的是", False),
        ("下面旋律大调的音阶", False),
        ("歌剧《图兰朵》的作曲家", False),
        ("下列旋律中带有飞歌音调的是", False),
    ],
)
def test_questions_that_speak_of_what_is_not_there(question: str, missing: bool) -> None:
    assert (FIGURE.search(question) is not None) is missing
