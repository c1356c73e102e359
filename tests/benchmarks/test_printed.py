"""Tables of papers in their own form: their cells from whatever runs there are, and figures."""

import csv
import io
import itertools
import re

import msgspec
import pytest

from findings_help import answered, choice, write_run
from muse_help import right_answer, write_log
from zhiyin.cli import main
from zhiyin.contract.published_table import values
from zhiyin.contract.registry import find
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.muse.tasks import TASKS
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.report.printed import printed_table, printed_tables
from zhiyin.runs.rows import rows_of
from zhiyin.shown.table import bare

SIZES = {"syncopation": 20, "transposition": 20, "chords": 44}


def cells(table):
    """Figures by heading in one line and row, rounded as they are printed."""
    heads = [column.head() for column in table.columns]
    found = {}
    for row in table.rows:
        for head, cell in zip(heads[1:], row.cells[1:], strict=True):
            found[head, str(row.cells[0])] = None if bare(cell) is None else round(bare(cell), 4)
    return found


def cut_off(trial):
    """A reply that ended at the limit of tokens, before an answer."""
    turns = (Turn(Reply("The chord is", "length")),)
    return Record(trial.id, Verdict("truncated", None), trial, Exchange(turns))


def asked(cell, right, judged, n):
    """The records of one cell of the grid: some right, some wrong, the others cut off."""
    task, modality, shots, strategy = cell.split("/")
    tags = {"task": task, "modality": modality, "shots": shots, "strategy": strategy}
    groups = (task, f"{task}/{modality}", cell)
    for number in range(n):
        trial = choice(f"{cell}/{number}", groups=groups, tags=tags)
        if number < judged:
            yield answered(trial, "A" if number < right else "B")
        else:
            yield cut_off(trial)


def grid(folder, model, row, wanted=lambda cell: True, **changes):
    """A run whose shares right are those of a published row, in the cells that are wanted."""
    records = []
    for cell, figures in row.items():
        if wanted(cell):
            most = SIZES[cell.partition("/")[0]]
            right, judged = next(
                (k, m)
                for m in range(most, 0, -1)
                for k in range(m + 1)
                if round(k / m, 4) == figures["accuracy"]
            )
            records += asked(cell, right, judged, most)
    return write_run(folder, "perception", model, records, **changes)


@pytest.mark.slow
def test_table_1_of_perception_comes_out_of_replies_with_its_figures(tmp_path):
    published = find("perception").published().rows
    short = {"Gemini 2.5 Flash": "Flash", "Gemini 2.5 Pro": "Pro", "Qwen2.5-Omni": "Qwen"}
    runs = [grid(tmp_path / s, f"my-{s}", published[name]) for name, s in short.items()]
    table = printed_table(runs, "perception:table-1")
    assert len(table.rows) == 13
    assert len(table.columns) == 1 + 3 * (3 + 3)
    found = cells(table)
    for (head, row), value in found.items():
        if "my-" in head:
            name = head.partition("my-")[2]
            task = head.partition(":")[0]
            if row != "Chance":
                assert value == found[f"{task}: {name}", row]
    # As printed: few-shot CoT by ear, and the row of guessing.
    line = [found[f"{task}: {m}", "Audio, FS, CoT"] for task in ("Syncopation", "Transposition",
            "Chord ID") for m in ("Flash", "Pro", "Qwen")]  # fmt: skip
    assert line == [0.4, 0.65, 0.4, 0.6316, 0.9, 0.6, 0.25, 0.5227, 0.3409]
    assert [found[f"{t}: Pro", "Chance"] for t in ("Syncopation", "Transposition")] == [0.2, 0.5]


def test_runs_of_one_model_fill_one_column_and_gaps_are_said_once(tmp_path):
    row = find("perception").published().rows["Gemini 2.5 Pro"]
    parts = [
        grid(tmp_path / name, "m", row, lambda cell, name=name: f"/{name}/" in cell)
        for name in ("audio", "midi")
    ]
    both = printed_table(parts, "perception:table-1")
    assert [c.title for c in both.columns].count("m") == 3
    assert all(value is not None for value in cells(both).values())
    alone = printed_table(parts[:1], "perception:table-1")
    empty = [where for where, value in cells(alone).items() if value is None]
    assert len(empty) == 18
    assert all(where[1].startswith("MIDI") for where in empty)
    assert sum("Without a figure" in str(note) for note in alone.notes) == 1
    assert not any("Without a figure" in str(note) for note in both.notes)


@pytest.mark.slow
def test_what_was_set_otherwise_is_another_column_and_said(tmp_path):
    row = find("perception").published().rows["Gemini 2.5 Pro"]
    first = grid(tmp_path / "a", "m", row, lambda cell: "/audio/" in cell)
    other = grid(
        tmp_path / "b", "m", row, lambda cell: "/midi/" in cell, options__extract="final-line"
    )
    again = grid(tmp_path / "c", "m", row, lambda cell: "/audio/" in cell)
    table = printed_table([first, other, again], "perception:table-1")
    mine = [str(column.title) for column in table.columns[1 : table.columns.index(
        next(column for column in table.columns if column.title == "Flash"))]]  # fmt: skip
    assert len(set(mine)) == len(mine) == 3
    notes = " ".join(map(str, table.notes))
    assert "read by robust, not read by final-line" in notes
    assert "source generated, not source muse" in notes


def ziqi(folder, model, right, said, n, groups, **changes):
    """A run of ZIQI whose replies are right, wrong, and without an answer."""
    records = []
    for number in range(n):
        letter = "A" if number < right else "B" if number < said else None
        records.append(answered(choice(f"{model}{groups}{number}", groups=groups), letter))
    return records


@pytest.fixture(scope="module")
def themes(tmp_path_factory):
    """A run of ZIQI on the themes of both tables, with known counts."""
    of = {
        "female_music/a": (30, 40, 60), "world_ethnic_music/black_african_music": (5, 20, 25),
        "world_ethnic_music/european_music": (10, 20, 20), "world_ethnic_music/x": (9, 10, 10),
        "world_ethnic_music/y": (10, 40, 80), "generation": (12, 24, 30),
    }  # fmt: skip
    records = []
    for name, (right, said, n) in of.items():
        top = name.partition("/")[0]
        groups = ("generation",) if name == top else ("comprehension", top, name)
        if top == "world_ethnic_music" and "european" not in name:
            groups += ("world_ethnic_music/outside_europe",)
        records += ziqi(None, name, right, said, n, groups)
    return of, write_run(tmp_path_factory.mktemp("z") / "m", "ziqi", "m", records)


def test_a_part_and_an_unfinished_run_are_told(themes, tmp_path):
    _, run = themes
    notes = " ".join(map(str, printed_table([run], "ziqi:table-1").notes))
    assert "of 14,334 published questions" in notes or "not the published questions" in notes
    assert "unfinished" not in notes
    folder = write_run(tmp_path / "m", "ziqi", "m", ziqi(None, "x", 3, 4, 5, ("generation",)))
    manifest = (folder / "run.json").read_text("utf-8")
    (folder / "run.json").write_text(manifest.replace('"planned":5', '"planned":9'), "utf-8")
    notes = " ".join(map(str, printed_table([folder], "ziqi:table-1").notes))
    assert "unfinished: 4 of 9 trials" in notes
    assert "Without a figure" in notes


def test_runs_of_other_benchmarks_are_left_out_and_baselines_stand_last(themes, tmp_path):
    """As of a suite's folder, which has several benchmarks; of others alone there is no table."""
    _, run = themes
    groups = ("comprehension", "female_music")
    random = write_run(tmp_path / "a", "ziqi", "random", ziqi(None, "r", 1, 4, 4, groups))
    other = write_run(tmp_path / "b", "mmau", "m", ziqi(None, "m", 3, 4, 5, ("music",)))
    table = printed_table([random, other, run], "ziqi:table-1")
    assert [str(row.cells[0]) for row in table.rows[:2]] == ["m", "random"]
    assert "1 run of mmau left out: ziqi:table-1 is of ziqi" in map(str, table.notes)
    assert not any("left out" in str(note) for note in printed_table([run], "ziqi:table-1").notes)
    with pytest.raises(InputError, match="a run of mmau, and ziqi:table-1 is of ziqi"):
        printed_table([other], "ziqi:table-1")


def f1(right, said, n):
    return 2 * right / (said + n)


def test_a_run_without_the_music_of_a_table_is_refused_in_a_line(tmp_path):
    """The mean of no subtheme is no figure: it was an error of the program."""
    own = ("comprehension", "western_music_history", "western_music_history/baroque")
    folder = write_run(tmp_path / "m", "ziqi", "m", ziqi(None, "x", 3, 4, 5, own))
    with pytest.raises(InputError, match="table-2: no cell of it is in these runs"):
        printed_table([folder], "ziqi:table-2")


def test_tables_1_and_2_of_ziqi(themes):
    of, run = themes
    found = cells(printed_table([run], "ziqi:table-1"))
    right, said, n = (sum(own[k] for name, own in of.items() if "/" in name) for k in range(3))
    mine = [found[head, "m"] for head, _ in list(found)[:6]]
    assert mine == [round(v, 4) for v in (right / said, right / n, f1(right, said, n),
                                          12 / 24, 12 / 30, f1(12, 24, 30))]  # fmt: skip
    assert found["Comprehension: F1", "GPT-4 (published)"] == 0.6304
    assert found["Generation: recall (acc.)", "Yi-34B (published)"] == 0.02
    second = cells(printed_table([run], "ziqi:table-2"))
    african, x, y = (f1(*of[f"world_ethnic_music/{s}"]) for s in ("black_african_music", "x", "y"))
    assert second["Female", "m"] == round(f1(30, 40, 60), 4)
    assert second["Region: other", "m"] == round((african + x + y) / 3, 4)
    # As printed.
    mean = [second[head, "Average (published)"] for head in
            ("Female", "Black", "Region: European", "Region: other")]  # fmt: skip
    assert mean == pytest.approx([0.4006, 0.4862, 0.4353, 0.3647], abs=1e-4)
    assert second["Region: European", "Claude-instant-1.2 (published)"] == 0.8889


def test_the_mean_of_subthemes_has_an_interval_and_repeats_count_once(themes):
    from zhiyin.plugins.benchmarks.ziqi.data import MEAN_F1
    from zhiyin.runs.estimates import estimate

    _, run = themes
    rows = rows_of(run).within("world_ethnic_music/outside_europe")
    once = estimate(rows, MEAN_F1)
    assert once.low < once.value < once.high
    assert estimate(rows_of(run).within("world_ethnic_music/x"), MEAN_F1).value == f1(9, 10, 10)


def test_people_stand_in_tables_3_and_4(themes):
    _, run = themes
    third, fourth = (printed_table([run], f"ziqi:table-{n}") for n in (3, 4))
    assert [str(row.cells[0]) for row in third.rows][-1] == "GPT-4 (published)"
    assert third.rows[1].cells[1] == (0.345, 0.21, 0.51)
    assert [str(c.title) for c in fourth.columns] == ["", "m", "master", "Ph.D.", "GPT-4"]
    assert fourth.rows[0].cells[2:] == (0.6628, 0.642, 0.75)
    assert any("114 questions, two of each subtheme" in str(note) for note in fourth.notes)


def muchomusic(folder, ways=("true",), **changes):
    records = []
    for way, number in itertools.product(ways, range(40)):
        kind = "knowledge" if number % 2 else "reasoning"
        before = f"audio={way}" if len(ways) > 1 or way != "true" else ""
        groups = tuple(filter(None, (before, f"{before}/{kind}".strip("/"))))
        trial = choice(f"q{number}", groups=groups, tags={"audio": way})
        trial = msgspec.structs.replace(trial, id=f"{way}/q{number}")
        letter = None if number < 4 else "A" if number < 24 and way == "true" else "B"
        records.append(answered(trial, letter))
    return write_run(folder, "muchomusic", folder.name, records, **changes)


def test_table_3_of_muchomusic_is_of_the_true_sound_alone(tmp_path):
    plain = muchomusic(tmp_path / "plain")
    mixed = muchomusic(tmp_path / "mixed", ("true", "noise"))
    deaf = muchomusic(tmp_path / "deaf", ("noise",))
    shots = muchomusic(tmp_path / "shots", options__shots=0)
    table = printed_table([plain, mixed, deaf, shots], "muchomusic:table-3")
    found = cells(table)
    assert [column.head() for column in table.columns[1:]] == [
        "Accuracy: all", "Accuracy: knowledge", "Accuracy: reasoning", "IFR: all",
    ]  # fmt: skip
    for name in ("plain", "mixed", "shots"):
        assert found["Accuracy: all", name] == 0.5
        assert found["Accuracy: knowledge", name] == 0.5
        assert found["IFR: all", name] == 0.9
    assert ("IFR: all", "deaf") not in found
    notes = " ".join(map(str, table.notes))
    assert re.search(r"Left out.*deaf", notes)
    assert "shots 0, not shots 1" in notes
    assert found["Accuracy: all", "Qwen-Audio (published)"] == 0.514
    assert str(table.rows[-1].cells[0]) == "Random guessing (chance)"
    with pytest.raises(InputError, match="asked in the main way"):
        printed_table([deaf], "muchomusic:table-3")


def test_published_accuracies_come_out_of_logs_that_hold_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tasks = ("oddballs", "meter_identification", "chord_quality")
    for task in tasks:
        right = round(60 * values("MUSE")["Gemini 2.5 Pro"][f"{task}/cot"].value / 100)
        left = iter([True] * right + [False] * (60 - right))
        options = [option.key for option in TASKS[task].options]

        def reply(item, left=left, options=options, task=task):
            if next(left):
                return right_answer(item)
            return TASKS[task].answer(next(key for key in options if key != item.answer))

        for group, seed in itertools.product("AB", (1, 2, 3)):
            write_log(tmp_path / "logs", task, "cot", group, seed, reply)
    assert main(["import", "muse", "logs", "--out", "run"]) == 0
    found = cells(printed_table([tmp_path / "run"], "muse:accuracies"))
    for task in tasks:
        title = TASKS[task].title
        theirs = found["CoT: Gemini 2.5 Pro", title]  # to two decimals
        assert found["CoT: made-1.0", title] == pytest.approx(theirs, abs=6e-5)
        assert found["Standalone: made-1.0", title] is None


@pytest.mark.slow
def test_the_formats_hold_the_same(tmp_path, capsys):
    row = find("perception").published().rows["Qwen2.5-Omni"]
    run = str(grid(tmp_path / "m", "m", row))
    command = ["table", run, "--as", "perception:table-1"]
    texts = {}
    for form in ("csv", "md", "latex", "html"):
        assert main([*command, "--to", form]) == 0
        texts[form] = capsys.readouterr().out
    lines = list(csv.DictReader(io.StringIO(texts["csv"])))
    assert float(lines[11]["Chord ID: m"]) == 1.0
    assert float(lines[11]["Chord ID: Qwen"]) == 1.0
    assert texts["md"].count("\n|") == 13 + 2
    assert r"\multicolumn{4}{c}{Syncopation}" in texts["latex"]
    assert texts["latex"].count(r"\cmidrule") == 3
    rows = [line for line in texts["latex"].splitlines() if line.endswith(r"\\")]
    for line in rows:
        spans = sum(int(n) - 1 for n in re.findall(r"multicolumn\{(\d+)\}", line))
        assert line.count(" & ") + spans in (4, 8, 12)
    assert texts["html"].count("<tr") == 14
    assert main([*command, "--spread", "interval"]) == 0
    shown = capsys.readouterr().out
    assert "In brackets: 95 % intervals" in shown
    assert main([*command, "--language", "zh"]) == 0
    assert "已发表" in capsys.readouterr().out


@pytest.mark.slow
def test_a_terminal_keeps_together_what_shares_a_heading(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    row = find("perception").published().rows["Qwen2.5-Omni"]
    assert main(["table", str(grid(tmp_path / "m", "m", row)), "--as", "perception:table-1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line.split() for line in lines if {"m", "Flash", "Pro", "Qwen"} <= {*line.split()}]
    assert [len(head) % 4 for head in heads] == [0] * len(heads)
    assert sum(map(len, heads)) == 12
    assert sum("Audio, ZS, Stand." in line for line in lines) == len(heads)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--as", "ziqi:table-9"], "known: ziqi:table-1"),
        (["--as", "ziqy:table-1"], "did you mean ziqi:table-1"),
        (["--as", "perception:table-1"], "a run of ziqi, and perception:table-1 is of perception"),
        (["--as", "perception:figure-2"], "a run of ziqi, and perception:figure-2"),
        (["--as", "ziqi:figure-3"], "lack the data for it"),
        (["--as", "ziqi:table-1", "--published", "all"], "leave out --columns, --published"),
        (["--as", "ziqi:table-1", "--out", "x.doc"], "end it in .tex"),
    ],
)
def test_wrong_use_is_a_line(themes, words, said, capsys):
    assert main(["table", str(themes[1]), *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_reproduce_knows_them_too(capsys):
    assert main(["reproduce"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    names = [f"{kind.name}:{form.name}" for kind, form in printed_tables()]
    assert {"ziqi:table-1", "muchomusic:table-3", "perception:table-1"} <= {*names}
    assert all(name in told for name in names)
    assert main(["reproduce", "ziqi:table-1"]) == 2
    assert "zhiyin table RUN... --as ziqi:table-1" in capsys.readouterr().err


def test_every_form_is_whole():
    """Each has columns or a drawing, and its published rows have every cell."""
    for kind, form in printed_tables():
        assert bool(form.columns) != bool(form.drawn)
        assert form.name == form.name.lower()
        if form.columns and kind.name != "appraisal":
            from zhiyin.report import printed

            assert printed._published(form, kind.published())


@pytest.mark.slow
def test_figure_2_of_perception_has_its_panels_in_order(tmp_path, capsys):
    row = find("perception").published().rows["Gemini 2.5 Flash"]
    tasks = ("chords", "transposition", "syncopation")  # asked in another order
    mixed = {cell: own for task in tasks for cell, own in row.items() if cell.startswith(task)}
    run = str(grid(tmp_path / "m", "m", mixed, lambda cell: "standalone" in cell))
    command = ["table", run, "--as", "perception:figure-2"]
    assert main([*command, "--to", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(dict.fromkeys(row["task"] for row in rows)) == [
        "syncopation", "transposition", "chords",
    ]  # fmt: skip
    assert main([*command, "--out", str(tmp_path / "figure.svg")]) == 0
    assert "<svg" in (tmp_path / "figure.svg").read_text("utf-8")
    assert (tmp_path / "figure.csv").is_file()
