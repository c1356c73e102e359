"""The figures of a suite's runs are the same letters wherever people read them."""

import asyncio
import json
import re

import pytest
from aiohttp.test_utils import TestClient, TestServer

from page_tree import Tree, read
from zhiyin import numerals
from zhiyin.cli import main
from zhiyin.plugins.lab.labbook.server import LabBook

pytestmark = pytest.mark.slow

MODELS = ("random", "longest", "third")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A suite of three models on one benchmark, with the report and the leaderboard on it."""
    root = tmp_path_factory.mktemp("agree")
    (root / "third.py").write_text(
        "def answer(question):\n    return 'BA'[sum(map(ord, str(question))) % 2]\n"
    )
    models = "".join(
        f'[[models]]\nmodel = "{spec}"\nname = "{name}"\n'
        for name, spec in zip(MODELS, ("random", "longest", f"python:{root}/third.py:answer"),
                              strict=True)
    )  # fmt: skip
    (root / "trio.toml").write_text(
        f'name = "trio"\n[defaults]\nseed = 3\n{models}[[benchmarks]]\nbenchmark = "perception"\n'
        'flags = { source = "generated", n = 8, modality = "midi" }\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZHIYIN_CACHE", str(root / "cache"))
        assert main(["suite", str(root / "trio.toml"), "--out", str(root / "trio"), "--quiet"]) == 0
    return root / "trio"


def runs_of(root):
    return [root / "runs" / f"perception--{model}" for model in MODELS]


def cells_of(page):
    """All rows of all tables of a page, as the texts of their cells."""
    return [
        [node.text.strip() for node in row.children if getattr(node, "tag", "") in ("th", "td")]
        for row in page.all("tr")
    ]


def printed(capsys, *words):
    """The lines of what a command prints, as words."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == 0
    return [re.split(r"\s{2,}", line.strip()) for line in capsys.readouterr().out.splitlines()]


@pytest.fixture
def facts(root, capsys):
    """Of each run, by group: trials, share and interval in letters; from `show --json`."""
    capsys.readouterr()
    found = {}
    for model, run in zip(MODELS, runs_of(root), strict=True):
        assert main(["show", str(run), "--json"]) == 0
        groups = json.loads(capsys.readouterr().out)["groups"]
        found[model] = {
            name: (str(own["n"]), numerals.percent(own["accuracy"], 1),
                   "–".join(numerals.percent(end, 1) for end in own["ci95"]))
            for name, own in groups.items()
        }  # fmt: skip
    assert len({own["all"] for own in found.values()}) == len(MODELS), "runs that differ"
    assert all(len(groups) > 6 for groups in found.values())
    return found


def test_the_terminal_prints_them(root, facts, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    folders = runs_of(root)
    for model, run in zip(MODELS, folders, strict=True):
        lines = printed(capsys, "show", run, "--groups", "all")
        start = next(n for n, line in enumerate(lines) if line[0].startswith("group"))
        rows = lines[start + 1 : start + 1 + len(facts[model])]
        assert [(row[1], row[3], row[4]) for row in rows] == list(facts[model].values())
    lines = printed(capsys, "show", *folders)
    for model in MODELS:
        (row,) = [line for line in lines if line[0].startswith(model) and len(line) > 5]
        assert (row[1], row[3], row[4]) == facts[model]["all"]
    lines = printed(capsys, "compare", *folders)
    for model in MODELS:
        row = next(line for line in lines if line[0].startswith(model))
        assert tuple(row[1:3]) == facts[model]["all"][1:]
    for row in (line for line in lines if " vs " in line[0]):
        first, second = (name.split(",")[0] for name in row[0].split(" vs "))
        whole = facts[first]["all"], facts[second]["all"]
        assert row[1:4] == [whole[0][0], whole[0][1], whole[1][1]]
    lines = printed(capsys, "compare", *folders[:2], "--groups", "all")
    one, two = sorted((facts[model] for model in MODELS[:2]), key=lambda own: -float(own["all"][1]))
    start = next(n for n, line in enumerate(lines) if line[0] == "group")
    rows = lines[start + 1 : start + 1 + len(one)]
    assert [row[1:4] for row in rows] == [
        [one[group][0], one[group][1], two[group][1]] for group in one
    ]


def test_leaderboards_print_them(root, facts, capsys, tmp_path):
    lines = printed(capsys, "leaderboard", root / "runs", "-o", tmp_path / "board")
    page = cells_of(read(tmp_path / "board" / "index.html"))
    (board,) = json.loads((tmp_path / "board" / "leaderboard.json").read_text())
    for model in MODELS:
        _, share, ends = facts[model]["all"]
        row = next(line for line in lines if line[0].startswith(model))
        assert row[1] == f"{share} ({ends})"
        row = next(row for row in page if row and row[0].startswith(model))
        assert row[2] == f"{share} ({ends})"  # behind its drawing
        own = next(row for row in board["rows"] if row["name"].startswith(model))
        cell = own["cells"]["accuracy, all"]
        assert numerals.percent(cell["value"], 1) == share
        assert "–".join(numerals.percent(cell[end], 1) for end in ("low", "high")) == ends


def test_reports_print_them(root, facts):
    page = read(root / "report" / "index.html")
    (heads, *rows), told = cells_of(page.id("front")), page.text
    whole = next(row for row in rows if row[0].startswith("Everything"))
    for model in MODELS:
        assert whole[heads.index(model)].startswith(facts[model]["all"][1])
        for group in ("all", "chords", "syncopation", "transposition"):
            _, share, ends = facts[model][group]
            assert f"{model}: {share} ({ends})" in told, (model, group)


def test_the_lab_book_prints_them(root, facts, monkeypatch, tmp_path):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path))

    async def pages():
        book = LabBook(root / "runs")
        keys = {run.place: run.key for run in book.shelf.runs(None)}
        places = [keys[run.name] for run in runs_of(root)]
        asked = ["/", *(f"/run/{key}" for key in places), "/history",
                 "/compare?" + "&".join(f"run={key}" for key in places[:2])]  # fmt: skip
        async with TestClient(TestServer(book.application())) as client:
            return [Tree(await (await client.get(path)).text()).root for path in asked]

    shelf, *own, history, pair = asyncio.run(pages())
    for model, page in zip(MODELS, own, strict=True):
        n, share, ends = facts[model]["all"]
        for listed in (shelf, history):
            row = next(row for row in cells_of(listed) if row and row[0].startswith(model))
            assert f"{share} % ({ends})" in row
            assert n in row
        assert f"{share} % ({ends}) right of {n} judged" in page.text
        (drawn,) = page.all("table", "dots")
        shown = [cell.text.replace(" ", "") for cell in drawn.all("td", "n")]
        every = {f"{value}{interval}" for _, value, interval in facts[model].values()}
        assert len(shown) > 2
        bare = {re.sub("(always|often).*", "", one) for one in shown if "always" not in one}
        assert bare <= every  # its main groups
        assert f"{share}{ends}" in bare
    one, two = (facts[model] for model in MODELS[:2])
    # which of two is the better stands first
    rows = [(row[1], *sorted(row[2:4])) for row in cells_of(pair) if len(row) == 9]
    wanted = [(one[group][0], *sorted((one[group][1], two[group][1]))) for group in one]
    assert {*wanted} <= {*rows}  # groups of the very same items stand once


def test_the_suites_page_and_python_print_them(root, facts):
    import zhiyin as zy

    rows = cells_of(read(root / "index.html"))
    found = [tuple(row[1:4]) for row in rows if row and row[0] == "perception"]
    assert found
    for model, run in zip(MODELS, runs_of(root), strict=True):
        assert facts[model]["all"] in found
        shown = cells_of(Tree(zy.load(run)._repr_html_()).root)
        n, share, ends = facts[model]["all"]
        row = next(row for row in shown if row and row[0] == "all")
        assert {n, share, ends} <= set(row)
