"""`zhiyin leaderboard`: one protocol a table, intervals, groups, and nothing unescaped."""

import json
import re

import msgspec
import pytest
from msgspec.structs import replace

from cmi_help import make_cmi
from findings_help import answered, choice, failed, mucho_trials, student, write_run
from page_tree import Tree
from published_help import declare
from zhiyin.analysis.summary import published
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError
from zhiyin.plugins.lab.exchange_command import print_boards
from zhiyin.plugins.lab.labbook.pages import titles
from zhiyin.plugins.lab.leaderboard import as_page, build
from zhiyin.plugins.lab.leaderboard.board import Board, BoardRow
from zhiyin.plugins.lab.leaderboard.tables import claims_of, ranking_table, ranks, unranked_table
from zhiyin.runs.measures import ACCURACY, Estimate
from zhiyin.shown.table import Drawing, in_letters
from zhiyin.words import Named, said, say
from zhiyin.words.findings import Remark


def add(root, name, gift, **changes):
    asked = [choice(f"q{i}", groups=("x",), gold="ABCD"[i % 4]) for i in range(200)]
    return write_run(root / name, "toy", name, map(student(name, gift), asked), **changes)


@pytest.fixture
def root(tmp_path):
    for name, gift in (("best", 0.9), ("one", 0.5), ("two", 0.5)):
        add(tmp_path / "runs", name, gift)
    return tmp_path / "runs"


def test_runs_are_ranked_with_intervals_and_groups(root):
    (board,) = build(root)
    assert [row.letters for row in board.rows] == ["a", "b", "b"]
    assert board.rows[0].name == "best"
    cell = board.rows[0].cells["accuracy, all"]
    assert cell.low < cell.value < cell.high
    assert board.items == 200


@pytest.mark.slow
def test_a_leaderboard_is_of_runs_and_folders_and_is_printed_alone(root, tmp_path, capsys):
    add(tmp_path / "elsewhere", "far", 0.7)
    places = [root, root / "best", tmp_path / "elsewhere" / "far"]  # one of them twice
    assert main(["leaderboard", *map(str, places), "--json"]) == 0
    told = capsys.readouterr()
    (board,) = json.loads(told.out)["boards"]
    assert [row["name"] for row in board["rows"]] == ["best", "far", "two", "one"]
    assert not told.err
    assert {one.name for one in tmp_path.iterdir()} == {"runs", "elsewhere"}
    assert main(["leaderboard", *map(str, places), "--reports"]) == 2
    assert "add --out DIR" in capsys.readouterr().err
    out = tmp_path / "page"
    assert main(["leaderboard", *map(str, places), "--reports", "-o", str(out)]) == 0
    assert (out / "index.html").is_file()
    assert (out / "reports").is_dir()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options__extract": "slot"}, r"options.extract: robust in .*slot in odd"),
        ({"options__shots": 5}, r"options.shots: 0 in .*5 in odd"),
        ({"benchmark_version": "2"}, r"benchmark_version"),
    ],
)
def test_runs_that_were_asked_otherwise_are_refused_or_ranked_by_themselves(root, change, words):
    add(root, "odd", 0.5, **change)
    with pytest.raises(InputError, match=words):
        build(root, apart=False)
    (board,) = build(root)
    (odd,) = [row for row in board.rows if row.name.startswith("odd")]
    others = [row for row in board.rows if row is not odd]
    assert odd.name != "odd"
    assert odd.way not in {row.way for row in others}
    assert ranks(board.rows)[board.rows.index(odd)] is None  # one alone has no rank
    assert [row.letters for row in others] == ["a", "b", "b"]


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"data": "0" * 64}, "odd"),
        ({"sampling__temperature": 1.0}, "odd, temperature 1.0"),
        ({"sampling__max_tokens": 64}, "odd, max tokens 64"),
        ({"options__repeats": 2}, "odd"),
    ],
)
def test_runs_on_the_same_items_stand_in_one_ranking(root, change, name):
    """Whatever their settings call the data: what was asked tells."""
    add(root, "odd", 0.5, **change)
    (board,) = build(root, apart=False)
    assert {row.way for row in board.rows} == {0}
    assert [row.letters for row in board.rows] == ["a", "b", "b", "b"]
    assert name in [row.name for row in board.rows]


def test_a_setting_may_be_passed_over_but_it_is_told(root):
    add(root, "odd", 0.5, sampling__max_tokens=64)
    (board,) = build(root, ignore=["sampling.max_tokens"])
    assert "odd" in [row.name for row in board.rows]
    assert board.ignored["sampling.max_tokens"]["odd"] == 64
    assert "odd: 64" in as_page([board])
    with pytest.raises(InputError, match="cannot be in one table"):
        build(root, ignore=["data"])


def test_an_unfinished_run_is_shown_but_not_ranked(root):
    asked = [choice(f"q{i}", gold="A") for i in range(200)]
    records = [failed(t) if i < 50 else answered(t, "A") for i, t in enumerate(asked)]
    write_run(root / "half", "toy", "half", records)
    (board,) = build(root)
    half = board.rows[-1]
    assert (half.name, half.letters) == ("half", "")
    assert half.note.startswith("unfinished: 50 of 200")
    assert board.items == 200


def published_board(tmp_path, monkeypatch, *gifts):
    asked = mucho_trials(20, audio=("true", "noise"))
    declare(monkeypatch, "muchomusic", asked)
    for gift in gifts:
        name = f"r{gift}"
        write_run(tmp_path / name, "muchomusic", name, map(student(name, gift), asked))
    return build(tmp_path)[0]


def test_published_rows_stand_where_their_figure_puts_them_or_apart_with_the_reason(
    tmp_path, monkeypatch
):
    """Which can be compared is the same rule as that of `show` and the report."""
    board = published_board(tmp_path, monkeypatch, 0.8, 0.05)
    values = [row.cells["accuracy, all"].value for row in board.rows]
    assert values == sorted(values, reverse=True)
    reference = published(tmp_path / "r0.8", tmp_path / "r0.05")
    beside = {row.name for row in board.rows if row.kind != "run"}
    assert beside == {name for name, row in reference.rows.items() if "all" in row}
    assert beside
    assert {row.name for row in board.aside} == {*reference.aside} >= {"Qwen-Audio", "M2UGen"}
    assert {row.note for row in board.aside} == {"read by muchomusic"}
    assert str(board.why_aside) == "5 (read by muchomusic)"
    page = as_page([board])
    assert "Published, shown separately: 5 (read by muchomusic)" in page
    assert page.count(">read by muchomusic<") == 5
    assert all(cell.low is None for row in board.aside for cell in row.cells.values())
    assert board.items == 40  # true sound alone
    assert "Weck" in str(board.source)


def five_shots(tmp_path, monkeypatch, *, shots=(5, 5)):
    groups = [("generation",), *[("comprehension", "popular_music")] * 9]
    asked = [choice(f"q{i}", groups=groups[i % 10]) for i in range(200)]
    declare(monkeypatch, "ziqi", asked)
    for name, gift, own in zip("ab", (0.9, 0.1), shots, strict=True):
        rows = map(student(name, gift), asked)
        write_run(tmp_path / name, "ziqi", name, rows, options__shots=own)
    return build(tmp_path)[0]


def test_published_rows_with_another_figure_stand_by_that_beside_runs_of_as_many_shots(
    tmp_path, monkeypatch, capsys
):
    board = five_shots(tmp_path, monkeypatch)
    table = in_letters(ranking_table(board))
    names = [row.cells[0] for row in table.rows]
    shots = [name for name in names if "5 shots" in name]
    assert len(shots) == 13
    assert not any("0 shots" in name for name in names)
    assert [one.note for one in board.aside] == sorted(one.note for one in board.aside)
    assert {one.note for one in board.aside} == {"0 shots", "on other questions"}
    place = table.heads.index("accuracy, all, %")
    values = [float(row.cells[place]) for row in table.rows if "5 shots" in row.cells[0]]
    assert values == sorted(values, reverse=True)
    ours = float(table.rows[names.index("b")].cells[place].split()[0])
    assert [value > ours for value in values] == [names.index(n) < names.index("b") for n in shots]
    # Most rows have accuracy alone: it leads, and table, drawing, rank and sentence are by it.
    assert board.columns[0] == "accuracy, all"
    assert table.title.endswith("on the 200 items that every model answered")
    drawn = ranking_table(board, page="en")
    assert all(isinstance(row.cells[1], Drawing) for row in drawn.rows)
    assert [in_letters(drawn, one).heads[1] for one in ("en", "zh")] == [
        "accuracy, all, %", "全部题正确率（%）"
    ]  # fmt: skip
    assert [*map(str, claims_of(board))] == ["a is better than b."]
    # Runs do not give way to published rows, and the paper's are of other questions.
    assert main(["leaderboard", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^b ", printed, re.MULTILINE)
    assert "GPT-4 (published)" not in printed
    assert "Ziya-LLaMA-13B-v1.1, 5 shots (published)" in printed
    # What stands above is not printed again.
    assert main(["leaderboard", str(tmp_path), "--groups", "all"]) == 0
    above, below = capsys.readouterr().out.split("The other figures")
    assert "accuracy, all, %" in above
    assert "accuracy, all, %" not in below
    assert "--protocol" not in printed


def test_neither_a_part_nor_an_unfinished_run_hides_what_is_published(tmp_path, monkeypatch):
    whole = five_shots(tmp_path, monkeypatch)
    music = [choice(f"q{i}", groups=("comprehension", "popular_music")) for i in range(100)]
    rows = map(student("c", 0.5), music)
    write_run(tmp_path / "c", "ziqi", "c", rows, options__shots=5, category=["popular_music"])
    late = [failed(t) if n % 3 else record for n, (t, record) in enumerate(
        (r.trial, r) for r in read_records(tmp_path / "a"))]  # fmt: skip
    write_run(tmp_path / "d", "ziqi", "d", late, options__shots=5)
    board = build(tmp_path)[0]
    assert board.columns[0] == whole.columns[0] == "accuracy, all"
    published = [[row.name for row in one.rows if row.kind == "model"] for one in (whole, board)]
    assert published[0] == published[1]
    assert len(published[0]) == 13
    assert [row.name[0] for row in board.rows if row.kind == "run"] == ["a", "b", "c", "d"]


def test_without_published_rows_the_headline_of_the_benchmark_leads(tmp_path, monkeypatch):
    board = five_shots(tmp_path, monkeypatch, shots=(3, 3))
    assert [row.kind for row in board.rows] == ["run", "run"]
    assert board.columns[:2] == ["F1, Comprehension", "F1, Generation"]
    assert [*map(str, claims_of(board))] == ["By F1, Comprehension: a is better than b."]
    # A count says of what part it is.
    table = ranking_table(board)
    assert "items, Comprehension" in in_letters(table).heads
    assert in_letters(table).title.endswith(
        "the 180 items of Comprehension that every model answered"
    )
    assert {"理解题 F1（%）", "理解题数"} <= {*in_letters(table, "zh").heads}
    assert say(claims_of(board)[0], "zh") == "按理解题 F1：a 优于 b。"


def test_each_way_of_asking_has_the_published_rows_of_its_shots(tmp_path, monkeypatch):
    board = five_shots(tmp_path, monkeypatch, shots=(5, 0))
    asked = {5: board.rows[0].way, 0: 1 - board.rows[0].way}
    for row in board.rows:
        if row.name.endswith(("5 shots", "0 shots")) and row.kind == "model":
            assert row.way == asked[int(row.name[-7])], row.name
    assert {one.note for one in board.aside} == {"on other questions"}


def test_runs_without_a_figure_have_a_row_or_a_line(root):
    from zhiyin.record import Verdict

    asked = [choice(f"q{i}", groups=("x",)) for i in range(5)]
    waiting = [answered(trial, None, "A calm piece.") for trial in asked]
    for record in waiting:
        record.verdict = Verdict("ungraded", None)
    write_run(root / "wait", "toy", "wait", waiting)
    write_run(root / "dead", "toy", "dead", map(failed, asked))
    judge = write_run(root / "best" / "judged-x", "judge", "grader", waiting)
    boards = build(root)
    assert [board.benchmark for board in boards] == ["toy"]
    last = boards[0].rows[-1]
    assert (last.name, last.cells) == ("wait", {})
    assert last.note.startswith("5 replies have no right answer and no judgement: have them judged")
    assert "dead" not in [row.name for row in boards[0].rows]
    assert [str(one) for one in boards[0].notes] == [
        "toy: dead has no judged trial, and so no row."
    ]
    assert judge.is_dir()
    (alone,) = build(root / "wait")
    assert [row.name for row in alone.rows] == ["wait"]


def test_what_measures_is_not_sent_to_a_judge(tmp_path):
    from zhiyin.record import Verdict

    asked = [choice(f"q{i}", letters="AB") for i in range(4)]
    records = [answered(trial, "A") for trial in asked]
    for record in records:
        record.verdict = Verdict("ungraded", "A")
    write_run(tmp_path / "ears", "thresholds", "ears", records)
    (board,) = build(tmp_path)
    (row,) = board.rows
    assert row.note.startswith("not marked right or wrong")
    assert not any(one.remedy for one in row.notes)
    assert unranked_table(board) is None or not board.measured


@pytest.mark.slow
def test_what_was_measured_is_a_table_of_all_models(tmp_path):
    # Choosing the level of each trial takes time: sixty of them took up to 4 s of a busy processor.
    for model in ("first", "random"):
        words = ["run", "thresholds", "--dimension", "gap", "--most", "10", "-m", model, "--quiet"]
        assert main([*words, "--out", str(tmp_path / "runs" / model)]) == 0
    (board,) = build(tmp_path / "runs")
    (table,) = board.measured
    assert [row.cells[0] for row in table.rows] == ["first", "random"]
    assert all(len(row.cells) == len(table.columns) > 3 for row in table.rows)
    assert unranked_table(board) is None  # each stands above already
    page = as_page([board])
    root = Tree(page).root
    (picture,) = root.all("table", "dots")  # as a report opens on them
    assert {"first", "random"} <= {cell.text.strip() for cell in picture.all("bdi", "run")}
    assert "gap in noise" in picture.text.lower()
    assert not root.all("table", "leaderboard")
    assert "Each recording plays" not in page  # no sound is here


def ranked(*letters, roles=()):
    rows = [
        BoardRow(f"m{n}", "run", {"accuracy, all": Estimate(ACCURACY, 0.9 - n / 10, 0.1, 0.9)},
            own, 40, role=roles[n] if roles else "model")
        for n, own in enumerate(letters)
    ]  # fmt: skip
    return Board("quiz", "quiz", ["accuracy, all"], rows, 40, {}, {}, "")


def test_ranks_are_intervals_and_ties_are_ties():
    # b is no different from a and c, which differ: it may be anywhere.
    assert ranks(ranked("a", "ab", "b").rows) == [(1, 2), (1, 3), (2, 3)]
    assert ranks(ranked("a", "a", "b").rows) == [(1, 2), (1, 2), (3, 3)]
    between = ranked("a", "b", "b", roles=("model", "baseline", "model"))
    assert ranks(between.rows) == [(1, 1), None, (2, 2)]
    assert ranks(ranked("a", "b", roles=("model", "baseline")).rows) == [None, None]
    shown = in_letters(ranking_table(between))
    assert [row.cells[:2] for row in shown.rows] == [
        ("m0", "1"), ("m1 (baseline)", "-"), ("m2", "2")
    ]  # fmt: skip


def test_the_finding_says_what_the_tests_show():
    from zhiyin.plugins.lab.leaderboard.tables import claims_of

    def told(*letters, **more):
        return [str(one) for one in claims_of(ranked(*letters, **more))]

    assert told("a") == []
    assert told("a", "b", "b") == ["m0 is better than each of the 2 other models."]
    assert told("a", "b") == ["m0 is better than m1."]
    assert told("a", "a") == ["The difference between m0 and m1 is not significant."]
    assert told("a", "a", "a") == ["No two of m0, m1 and m2 differ significantly."]
    (open_,) = told("a", "ab", "b")
    assert open_ == (
        "Nobody is shown to be better than m0 and m1; m2 is shown to be worse than another."
    )
    one, below = ("model", "baseline"), ("baseline", "model")
    assert told("a", "b", roles=one) == ["m0 is better than the baseline m1."]
    assert told("a", "b", roles=below) == ["m1 is worse than the baseline m0."]
    assert told("a", "a", roles=below) == ["m1 is not shown to be better than the baseline m0."]
    assert told("a", "ab", "b", "c", roles=("model", "model", *2 * ["baseline"])) == [
        "The difference between m0 and m1 is not significant.",
        "m0 is better than the baseline m2.",
        "m1 is not shown to be better than the baseline m2.",
        "m0 and m1 are better than the baseline m3.",
    ]
    assert told("a", "b", "b", roles=("listener", *2 * ["baseline"])) == [
        "m0 is better than the baselines m1 and m2."
    ]


def test_a_finding_names_runs_that_are_called_by_their_settings():
    from zhiyin.plugins.lab.leaderboard.tables import claims_of

    board = ranked("a", "b", roles=("model", "baseline"))
    called = said("lab-status", state="going")
    rows = [msgspec.structs.replace(row, called=called) for row in board.rows]
    board = msgspec.structs.replace(board, rows=rows)
    assert [str(one) for one in claims_of(board)] == ["going is better than the baseline going."]


def in_ways(*ways):
    """A table whose rows were asked in several ways, each with its letters and a setting."""
    rows = []
    for way, (setting, *letters) in enumerate(ways):
        for row in ranked(*letters).rows:
            told = [said("boards-shots", shots=setting)] if setting else []
            called = said("boards-row", name=Named(row.name), settings=told) if told else row.name
            name = str(called)
            rows.append(msgspec.structs.replace(row, way=way, called=called, name=name))
    return msgspec.structs.replace(ranked("a"), rows=rows)


@pytest.mark.parametrize(
    ("ways", "claims", "top"),
    [
        (["ab", "5ab"], ["In each setting (default; 5 shots): m0 is better than m1."],
         "Better than every other model: m0 on both and other."),
        (["ab", "5aa"],
         ["m0 is better than m1.", "The difference between m0, 5 shots and m1, 5 shots is not significant."],  # noqa: E501
         "On both it depends on the settings whether a model is."),
        (["aa", "5aa"],
         ["In each setting (default; 5 shots): The difference between m0 and m1 is not significant."],  # noqa: E501
         "On both no model is better than every other."),
        (["ab", "5ab", "1aa"],
         ["In 2 settings (default; 5 shots): m0 is better than m1.",
          "The difference between m0, one-shot and m1, one-shot is not significant."],
         "On both it depends on the settings whether a model is."),
        (["a", "5a"], [], "On both no two models can be compared."),
    ],
)  # fmt: skip
def test_what_is_so_in_several_settings_is_said_once_and_of_all_of_them(ways, claims, top):
    from zhiyin.plugins.lab.leaderboard.tables import best_of, claims_of

    parted = [(int(way[0]), *way[1:]) if way[0].isdigit() else (None, *way) for way in ways]
    board = msgspec.structs.replace(in_ways(*parted), title="both")
    other = msgspec.structs.replace(ranked("a", "b"), title="other")
    assert [str(one) for one in claims_of(board)] == claims
    assert best_of([board]) is None
    told = str(best_of([board, other]))
    assert top in told
    assert "m0 on both and other" in told or "m0 on other" in told
    for language in ("en", "zh"):
        for one in (*claims_of(board), best_of([board, other])):
            assert "{" not in say(one, language)


def test_a_cost_in_bold_is_of_those_asked_alike_alone(root):
    """The dear way of asking has a frontier of its own."""
    from zhiyin.plugins.lab.leaderboard.tables import frontier

    board = in_ways((None, "a", "b"), (5, "a", "b"))
    costs = list(zip(board.rows, (1.0, 2.0, 10.0, 11.0), strict=True))
    assert [row.name for row, _ in frontier(board, costs)] == ["m0", "m0, 5 shots"]


def test_a_caveat_stands_once_however_many_rows_it_is_of():
    board = ranked("a", "a", "b", "")
    part, other = Remark(what="a part alone"), Remark(what="read by another")
    noted = [(part, other), (part,), (part,), (Remark(what="half of it"),)]
    rows = [
        BoardRow(r.name, r.kind, r.cells, r.letters, r.items, notes=n)
        for r, n in zip(board.rows, noted, strict=True)
    ]
    board = Board("quiz", "quiz", board.columns, rows, 40, {}, {}, "")
    shown = in_letters(ranking_table(board))
    assert [(one.sign, one.text) for one in shown.footnotes] == [
        ("", "a part alone"), ("a", "read by another")
    ]  # fmt: skip
    assert [row.marks for row in shown.rows] == [{0: "a"}, {}, {}]
    assert [row.cells[0] for row in in_letters(unranked_table(board)).rows] == ["m3"]
    page = as_page([board])
    assert page.count("a part alone") == page.count("half of it") == 1


def test_what_cannot_be_read_is_left_out_and_named(root):
    add(root, "torn", 0.5)
    (root / "torn" / "run.json").write_text("{")
    (board,) = build(root)
    assert sorted(row.name for row in board.rows) == ["best", "one", "two"]
    assert any("left out" in one.text and "torn" in one.text for one in board.notes)


def test_cost_has_its_frontier(root):
    from zhiyin.plugins.lab.leaderboard.tables import costs_of, frontier

    (board,) = build(root)
    rows = [
        replace(row, usd=usd) for row, usd in zip(board.rows, (3.0, 1.0, 2.0), strict=True)
    ]  # the best is dearest
    board = replace(board, rows=rows)
    unit, costs = costs_of(board)
    assert unit == "usd"
    assert [row.name for row, _ in costs] == [row.name for row in board.rows]
    value = {row.name: row.cells["accuracy, all"].value for row in rows}
    for row, cost in costs:
        beaten = any(
            (c <= cost and value[one.name] > value[row.name])
            or (c < cost and value[one.name] >= value[row.name])
            for one, c in costs
        )
        assert (row in [one for one, _ in frontier(board, costs)]) != beaten
    assert "A cost in bold" in as_page([board])


def test_each_row_draws_its_interval_and_a_model_keeps_its_mark(root):
    asked = [choice(f"q{i}", groups=("x",), gold="ABCD"[i % 4]) for i in range(200)]
    write_run(root / "again", "toy", "best", map(student("best", 0.9), asked), options__shots=5)
    (board,) = build(root)
    table = ranking_table(board, page="en")
    drawn = {str(row.cells[0]): row.cells[1].svg for row in table.rows}
    assert set(drawn) == {"best", "one", "two", "best, 5 shots"}
    assert all(svg.count('class="whisker"') == 1 for svg in drawn.values())
    marks = {name: re.search(r"#mark-\d", svg)[0] for name, svg in drawn.items()}
    assert marks["best"] == marks["best, 5 shots"]
    assert len({marks[name] for name in ("best", "one", "two")}) == 3
    assert all('class="guess"' in svg for svg in drawn.values())
    assert ranking_table(board).columns[1].axis == ""  # a terminal has no drawing
    page = as_page([board])
    assert page.count('class="strip axis"') == 1


@pytest.mark.slow
def test_a_page_of_several_tables_opens_on_who_is_best_and_marks_stand_beside_names(root):
    boards = [replace(build(root)[0], title=name) for name in ("toy", "other")]
    level = replace(boards[1], rows=[replace(row, letters="a") for row in boards[1].rows])
    tree = Tree(as_page([boards[0], level])).root
    (heading,) = tree.all("h1")
    assert heading.text.strip() == (
        "Better than every other model: best on toy. On other no model is better than every other."
    )
    assert len(heading.all("svg")) == 1
    names = [cell for cell in tree.all("th") if cell.text.strip() in ("best", "one", "two")]
    assert names
    assert all(cell.all("svg") for cell in names)


def test_one_answer_to_everything_has_no_interval_in_a_table(tmp_path, capsys):
    asked = [choice(f"q{i}", groups=(f"g{i % 4}",), gold="ABCD"[i // 4 % 4]) for i in range(80)]
    for name, rows in (("same", [answered(one, "A") for one in asked]),
                       ("able", map(student("able", 0.5), asked))):  # fmt: skip
        write_run(tmp_path / name, "toy", name, rows)
    assert main(["table", str(tmp_path / "same"), str(tmp_path / "able")]) == 0
    told = capsys.readouterr().out
    same, able = (next(line for line in told.splitlines() if line.startswith(name))
                  for name in ("same", "able"))  # fmt: skip
    assert "–" not in same
    assert "–" in able
    assert "items, 20 where none stand" in " ".join(told.split())


@pytest.mark.slow
def test_rows_lead_to_a_report_and_to_their_trials(root, tmp_path):
    out = tmp_path / "out"
    command = ["leaderboard", str(root), "-o", str(out), "--reports", "--lang", "en,zh"]
    assert main(command) == 0
    for name in ("index.html", "index.zh.html"):  # to the reports in the same language
        page = (out / name).read_text(encoding="utf-8")
        links = re.findall(r'href="(reports/[^"]+)"', page)
        assert len(links) == 6
        for link in links:
            assert (out / link.partition("#")[0]).is_file()
        assert f"reports/1/{name}#trials?run=2" in links


@pytest.mark.slow
def test_the_page_is_one_file_and_hostile_names_stay_text(root, tmp_path):
    add(root, "<script>alert(1)</script>\"onload='x'$version".replace("/", "_"), 0.4)
    out = tmp_path / "out"
    assert main(["leaderboard", str(root), "-o", str(out)]) == 0
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count("<script>") == 1
    assert "&lt;script&gt;alert(1)" in page
    assert "$version" in page
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:)?//", page)
    assert "Content-Security-Policy" in page
    boards = json.loads((out / "leaderboard.json").read_text(encoding="utf-8"))
    assert len(boards[0]["rows"]) == 4
    assert "accuracy, all" in (out / "leaderboard.csv").read_text(encoding="utf-8")


def test_empty_and_missing_folders_are_one_line(tmp_path, capsys):
    assert main(["leaderboard", str(tmp_path), "-o", str(tmp_path / "o")]) == 2
    assert "no run in it" in capsys.readouterr().err
    assert main(["leaderboard", str(tmp_path / "no"), "-o", str(tmp_path / "o")]) == 2
    assert "no such folder" in capsys.readouterr().err


def in_words(*arguments):
    return list(map(str, titles(*arguments)))


def test_headings_are_short_and_name_what_differs():
    boards = [
        {"limit": 200, "options.language": "zh", "data": "a" * 64},
        {"options.language": "en", "options.shots": 5, "data": "b" * 64},
    ]
    names = ["data", "limit", "options.language", "options.shots"]
    assert in_words("ziqi", boards, names, {}) == [
        "ziqi: first 200 trials, Chinese, zero-shot",
        "ziqi: all trials, English, 5 shots",
    ]
    named = [{"options.shots": "few"}, {"options.shots": "zero"}]  # perception's own words
    assert in_words("ziqi", named, ["options.shots"], {}) == ["ziqi: few-shot", "ziqi: zero-shot"]
    same = [{"data": "a" * 64}, {"data": "a" * 64}]
    assert in_words("ziqi", same, ["data"], {}) == [
        "ziqi: data aaaaaaaa (1)",
        "ziqi: data aaaaaaaa (2)",
    ]
    narrow = [{"options.category": ["a_b,c"]}, {"options.n": 3}]
    assert in_words("ziqi", narrow, ["options.category", "options.n"], {"category": "only {}"}) == [
        "ziqi: only a b, c",
        "ziqi: n = 3",
    ]


def test_a_part_stands_beside_nothing_published(tmp_path):
    records = [student("small", 0.8)(trial) for trial in mucho_trials(20)]
    write_run(tmp_path / "runs" / "a", "muchomusic", "small", records, limit=40)
    (board,) = build(tmp_path / "runs")
    assert {row.kind for row in board.rows} == {"run"}
    assert board.source == ""
    assert "the first 40 trials only; not the published questions" in board.rows[0].note


@pytest.mark.slow
def test_what_is_no_setting_of_any_run_cannot_be_ignored(root, tmp_path, capsys):
    order = ["leaderboard", str(root), "-o", str(tmp_path / "o"), "--ignore"]
    assert main([*order, "nope"]) == 2
    assert "--ignore nope: no run has such a setting" in capsys.readouterr().err
    assert main([*order, "max_tokens"]) == 2
    assert "did you mean sampling.max_tokens?" in capsys.readouterr().err
    assert main([*order, "sampling.top_k"]) == 0


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "muse: first 20 sequences"), ("zh", "muse：前 20 组")]
)
def test_a_limit_of_sequences_is_one_of_sequences(language, heading):
    (first, whole) = titles("muse", [{"limit": 20}, {}], ["limit"], {}, units="sequences")
    assert say(first, language) == heading
    assert say(whole, language) in ("muse: all sequences", "muse：全部组")


def test_what_was_measured_and_not_marked_is_said_in_place_of_an_empty_table(capsys):
    note = Remark(what=said("boards-measured"))
    row = BoardRow("mine", "run", {}, notes=(note,))
    print_boards([Board("thresholds", "thresholds", [], [row], 0, {}, {}, "")])
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith("thresholds: not ranked model mine not marked right or wrong")
    assert "items" not in printed


def test_runs_of_altered_sound_alone_are_named_where_others_are_ranked(root, capsys):
    every = mucho_trials(20, audio=("true", "none"))
    asked = [trial for trial in every if trial.tags["audio"] == "none"]
    for name in ("deaf", "mute"):
        write_run(root / name, "muchomusic", name, map(student(name, 0.5), asked))
    _, ranked = build(root)
    assert str(ranked.title) == "muchomusic without sound"
    assert [bool(row.letters) for row in ranked.rows] == [True, True]
    assert all("judged with audio=none only" in row.note for row in ranked.rows)
    heard = [trial for trial in every if trial.tags["audio"] == "true"]
    write_run(root / "hears", "muchomusic", "hears", map(student("hears", 0.5), heard))
    boards = build(root)
    assert [row.name for row in boards[1].rows if row.kind == "run"] == ["hears"]
    (note,) = [str(note) for note in boards[1].notes if "altered" in str(note)]
    assert re.match(r"muchomusic.*: deaf and mute were judged with altered sound", note)
    assert "deaf and mute" in as_page(boards)
    print_boards(boards)
    assert "deaf and mute were judged" in capsys.readouterr().out


def run_cmi(folder, task, reply):
    """A run of one task of the small CMI-Bench by what always says `reply`."""
    data, name = make_cmi(folder / "data", (LABELS_OF[task],)), f"{task}-{reply[:4].strip()}"
    (folder / f"{name}.py").write_text(f"def answer(messages):\n    return {reply!r}\n")
    words = ["run", "cmi", "--data", str(data), "--tasks", task, "--quiet"]
    words += ["-m", f"python:{folder / name}.py:answer", "--out", str(folder / "runs" / name)]
    assert main(words) == 0


LABELS_OF = {"gtzan": "GTZAN", "EMO_arousal": "EMO_arousal", "DSing": "DSing"}


@pytest.mark.slow
def test_what_was_asked_another_task_is_no_row_of_a_table_of_the_first(tmp_path):
    run_cmi(tmp_path, "gtzan", "jazz")
    run_cmi(tmp_path, "EMO_arousal", "0.5")
    genres, numbers = build(tmp_path / "runs")
    assert [len(board.rows) for board in (genres, numbers)] == [1, 1]
    assert str(numbers.title) == "cmi: regression"
    assert "judge" not in numbers.rows[0].note  # they are measured, not judged
    assert numbers.measured


@pytest.mark.slow
def test_of_a_rate_of_errors_the_lower_stands_first_and_a_test_of_another_score_is_named(tmp_path):
    run_cmi(tmp_path, "DSing", "SOME DAYS")
    run_cmi(tmp_path, "DSing", "LA LA ONE TWO OH LA LA ONE TWO OH")
    (board,) = build(tmp_path / "runs")
    few, many = (row.cells["WER, pooled, all"].value for row in board.rows)
    assert few < 1 < many
    heads = [str(one.title) for one in unranked_table(board).columns]
    assert "WER, pooled, all, %, lower is better" in heads
    (note,) = [str(one) for one in board.notes if "not ranked" in str(one)]
    assert note.endswith(
        "no paired test of WER, pooled, all; `zhiyin compare --score wer` tests wer."
    )
