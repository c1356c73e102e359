"""axe-core on the pages beside the report, print as a printer shows it, and narrow windows."""

import asyncio
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from test_report_pages import AXE, CLIPPED

from browser import find_chromium, open_page
from findings_help import answered, choice, failed, student, write_run
from zhiyin.report.writing import report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one"),
    pytest.mark.xdist_group("chromium"),
]


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


async def audited(page):
    """What axe-core finds on the page as it is, with everything unfolded."""
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
    await page.run("document.querySelectorAll('details').forEach(d => { d.open = true; }); 1")
    await page.run(axe + "; 1")
    return json.loads(
        await page.run(
            "axe.run(document, { resultTypes: ['violations'] }).then(r => JSON.stringify("
            "r.violations.map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)"
            " + ' ' + (n.any[0]?.message || ''))])))"
        )
    )


def visit(address, look):
    async def go():
        async with open_page() as page:
            await page.open(address)
            await look(page)
            assert page.errors == []

    asyncio.run(go())


SIDEWAYS = """[...document.querySelectorAll('main *')].filter(e => e.offsetParent
  && e.clientWidth && e.scrollWidth > e.clientWidth + 1
  && /auto|scroll/.test(getComputedStyle(e).overflowX))
  .map(e => e.className + e.textContent).join()"""


def everywhere(address):
    """Audit a page in both styles, and see that nothing is clipped at three widths."""

    async def look(page):
        for dark in (False, True):
            for width in (1400, 1024, 390):
                await page.look(width, 900, dark=dark)
                wide = await page.run("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, (width, dark)
            # The last is a phone: with all folds open no table, drawing or code is pushed sideways.
            await page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
            assert await page.run(SIDEWAYS) == "", dark
            if AXE:
                found = await audited(page)
                assert not found, (dark, json.dumps(found, indent=1))
            back = await page.run("getComputedStyle(document.body).backgroundColor")
            light = sum(json.loads(back.replace("rgb(", "[").replace(")", "]"))) > 380
            assert light is not dark, back

    visit(address, look)


@pytest.mark.trust
@pytest.mark.usefixtures("all_formats")
def test_what_a_model_hears(tmp_path):
    pytest.importorskip("matplotlib")
    from zhiyin.cli import main
    from zhiyin.plugins.music.hearing_page import write_hearing

    folder = tmp_path / "run"
    words = ["run", "thresholds", "--dimension", "gap", "-m", "random", "--out", str(folder)]
    assert main([*words, "--quiet"]) == 0
    (page,) = write_hearing([folder], tmp_path / "hearing")
    everywhere(page.as_uri())

    report(folder, out=tmp_path / "report", notation=False, figures=False)

    async def look(page):
        await page.wait_for("!!document.querySelector('section h3')")
        heads = await page.run(
            "[...document.querySelectorAll('h3')].map((h) => h.textContent).join()"
        )
        assert heads
        assert "Group by group" not in heads  # nothing is right or wrong there

    visit((tmp_path / "report" / "index.html").as_uri(), look)


def test_the_page_of_a_suite(tmp_path):
    from suites_help import suite
    from zhiyin.cli import main

    file, out = tmp_path / "small.toml", tmp_path / "out"
    text = suite(models=("Good", "Poor"), benchmarks=("Ears",), items=8)
    file.write_text(text, "utf-8")
    assert main(["suite", str(file), "--out", str(out), "--no-report", "--quiet"]) == 0
    everywhere((out / "index.html").as_uri())


@pytest.mark.trust
def test_the_tables_of_a_report_and_a_page_of_errata(tmp_path):
    """Tables of doses and of readers, all folds open; errata of a planted flaw."""
    from zhiyin.cli import main

    known, run = str(tmp_path / "known"), str(tmp_path / "run")
    assert main(["data", "make", "questions", "--out", known, "--n", "4", "--seconds", "2"]) == 0
    words = ["run", f"{known}/questions.jsonl", "-m", "first", "--hear", "0,1s,100%"]
    assert main([*words, "--out", run, "--quiet"]) == 0
    report(run, out=tmp_path / "report", notation=False, figures=False, languages=["en", "zh"])
    questions = tmp_path / "flawed.jsonl"
    one = {"question": "Which?", "options": ["Oboe", "Horn", "horn"], "answer": "Oboe"}
    questions.write_text(json.dumps(one) + "\n", "utf-8")
    assert main(["errata", str(questions), "--out", str(tmp_path / "errata"),
                 "--lang", "en,zh"]) == 0  # fmt: skip

    async def look(page):
        await page.run("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        for width in (1600, 1100, 390):
            await page.look(width, 900)
            wide = await page.run("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, width
        # On a phone a table is stacked: its box does not scroll.
        boxes = "[...document.querySelectorAll('.scroll')].filter((e) => e.offsetParent)"
        scrolls = f"{boxes}.filter((e) => e.scrollWidth > e.clientWidth + 1)"
        assert await page.run(f"{boxes}.length") > 0
        assert await page.run(f"{scrolls}.map((e) => e.textContent).join()") == ""

    for place in ("report", "errata"):
        for name in ("index.html", "index.zh.html"):
            visit((tmp_path / place / name).as_uri(), look)


def test_a_leaderboard_and_its_language_without_scripts(tmp_path):
    from zhiyin.plugins.lab.leaderboard import build, write_leaderboard

    quiz = [choice(f"q{n}") for n in range(40)]
    for name, gift in (("a", 0.9), ("b", 0.6), ("a name of a model that is long" * 2, 0.55)):
        write_run(tmp_path / "runs" / name, "quiz", name, map(student(name, gift), quiz))
    write_leaderboard(build(tmp_path / "runs"), tmp_path / "board", languages=("en", "zh"))
    address = (tmp_path / "board/index.html").as_uri()
    everywhere(address)
    everywhere((tmp_path / "board/index.zh.html").as_uri())

    async def look(page):
        assert await page.run("!!document.querySelector('svg.strip .whisker')")
        await page.call("Emulation.setScriptExecutionDisabled", value=True)
        await page.open(address)
        assert "Leaderboard" in await page.run("document.body.innerText")
        await page.open(await page.run("document.querySelector('.tongue').href"))
        assert "排行榜" in await page.run("document.body.innerText")

    visit(address, look)


def test_states_are_distinguished_in_grey_print(tmp_path):
    """On paper without colour: by a sign in words, by hatching or by darkness."""
    quiz = [choice(f"q{n}") for n in range(40)]
    kinds = ("correct", "wrong", "no_answer", "refused", "truncated")

    def ended(n, trial):
        if n % 6 == 5:
            return failed(trial)
        kind = kinds[n % 6]
        if kind in ("correct", "wrong"):
            return student("a", 1.0 if kind == "correct" else 0.0)(trial)
        return answered(trial, None, "well", state=kind)

    write_run(tmp_path / "run", "quiz", "a", [ended(n, t) for n, t in enumerate(quiz)])
    report(tmp_path / "run", out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.wait_for("!!document.querySelector('.stack')")
        await page.call("Emulation.setEmulatedMedia", media="print")
        drawn = json.loads(
            await page.run(
                """JSON.stringify([...document.querySelectorAll('#chapters .stack rect')].map(r => {
                const fill = getComputedStyle(r).fill, id = /url\\("?#([^")]+)/.exec(fill);
                const one = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
                  return Math.round(0.299 * r + 0.587 * g + 0.114 * b); };
                if (!id) return [one(fill), ''];
                const pattern = document.getElementById(id[1]);
                return [one(getComputedStyle(pattern.querySelector('rect')).fill),
                  pattern.querySelector('path').getAttribute('d')]; }))"""
            )
        )
        assert len(drawn) == 6
        for at, (grey, hatch) in enumerate(drawn):
            for other, theirs in drawn[at + 1 :]:
                assert hatch != theirs or abs(grey - other) >= 20, drawn
        marks = await page.run("document.querySelector('.outcomes thead').innerText")
        assert len({word for word in "✓✗?⊘…!" if word in marks}) == 6
        assert await page.run("getComputedStyle(document.body).backgroundColor") in (
            "rgb(255, 255, 255)",
            "rgba(0, 0, 0, 0)",
        )
        assert await page.run(CLIPPED) == ""

    visit((tmp_path / "out/index.html").as_uri(), look)


def test_the_pictures_of_the_docs_can_be_made_anew(tmp_path):
    images = Path(__file__).parents[2] / "docs/images"
    words = [sys.executable, images / "make.py", "report-phone.png", "--chords", "4"]
    subprocess.run([*words, "--out", tmp_path], check=True, capture_output=True)
    assert (tmp_path / "report-phone.png").stat().st_size > 1_000
