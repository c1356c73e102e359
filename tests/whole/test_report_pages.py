"""Report and leaderboard as people open them: widths, styles, languages, axe-core, five answers."""

import asyncio
import importlib.util
import json
from importlib import resources

import pytest

from browser import find_chromium, open_page
from findings_help import answered, choice, failed, mucho_trials, student, write_run
from published_help import declare
from zhiyin.plugins.lab.leaderboard import build, write_leaderboard
from zhiyin.report.writing import report
from zhiyin.sound import audio_part
from zhiyin.words import LANGUAGES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one"),
    pytest.mark.xdist_group("chromium"),
]
AXE = importlib.util.find_spec("axe_core_python") is not None
WIDTHS = (1400, 1024, 390)
CLIPPED = """[...document.querySelectorAll('main *')].filter(e => {
  const box = e.getBoundingClientRect();
  if (!box.width || e.closest('svg, .scroll, .side, .export, thead, dialog, .aloud')) return false;
  return box.right > document.documentElement.clientWidth + 1 || box.left < -1;
}).map(e => e.tagName + '.' + e.className).slice(0, 5).join()"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Runs of known gifts, their report as folder and file, and their leaderboard."""
    root = tmp_path_factory.mktemp("pages")
    patch = pytest.MonkeyPatch()
    patch.setenv("ZHIYIN_CACHE", str(root / "cache"))
    asked = mucho_trials(40, audio=("true", "noise"))
    declare(patch, "tracks", mucho_trials(40))

    def ears(trial):
        return student("ears", 0.85 if trial.tags["audio"] == "true" else 0.2)(trial)

    runs = {
        "ears": map(ears, asked),
        "luck": map(student("luck", 0.05), mucho_trials(40)),
        "dead": map(failed, mucho_trials(10)),
    }
    for name, records in runs.items():
        write_run(root / "runs" / name, "tracks", name, records)
    places = [root / "runs" / name for name in runs]
    report(*places, out=root / "report", notation=False, figures=False, languages=LANGUAGES)
    report(*places, out=root / "report.html", notation=False, languages=LANGUAGES)
    write_leaderboard(build(root / "runs"), root / "board", languages=LANGUAGES)
    yield root
    patch.undo()


def visit(address, look, *, ready="!!document.querySelector('h1')"):
    async def go():
        async with open_page() as page:
            await page.look(1400, 900)
            await page.open(address)
            await page.wait_for(ready)
            await look(page)
            assert page.errors == []
            assert not [url for url in page.requests if url.startswith("http")]

    asyncio.run(go())


REPORT = "!!document.querySelector('.browser') && document.querySelectorAll('.row').length > 0"


WHOLE = (
    "[...document.querySelectorAll('.finding .first')].every(f => f.scrollWidth <= "
    "f.clientWidth + 1 && f.scrollHeight <= f.clientHeight + 1)"
)
"""No sentence of the findings is cut, which would cut its figures."""


SWITCH = "!!document.querySelector('.tongue')"


@pytest.mark.parametrize("place", ["report/index.html", "report.html", "board/index.html"])
def test_no_page_is_clipped_at_three_widths_in_two_styles_and_two_languages(pages, place):
    async def look(page):
        for width in WIDTHS:
            for dark in (False, True):
                await page.look(width, 900, dark=dark)
                wide = await page.run("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, (width, dark)
                assert await page.run(CLIPPED) == "", (width, dark)
                assert await page.run(WHOLE), (width, dark)
        await page.look(1400, 900)
        english = await page.run("document.body.innerText")
        assert "排行榜" not in english
        assert "高于随机猜测" not in english
        await page.open(await page.run(
            "location.hash = '#main'; const link = document.querySelector('.tongue');"
            "link.addEventListener('click', (e) => e.preventDefault()); link.click(); link.href"
        ))  # fmt: skip
        assert await page.run("document.documentElement.lang") == "zh-Hans"
        words = await page.run("document.body.innerText")
        assert "排行榜" in words if "board" in place else "高于随机猜测" in words
        assert "Better than chance" not in words
        if "board" not in place:
            assert await page.run("location.hash") == "#main"

    visit((pages / place).as_uri(), look, ready=SWITCH)


@pytest.mark.skipif(not AXE, reason="axe-core-python is not installed")
@pytest.mark.parametrize("place", ["report/index.html", "board/index.html"])
def test_axe_core_finds_no_violation(pages, place):
    axe = resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")

    async def look(page):
        for dark, only in ((False, ""), (True, ", runOnly: ['color-contrast']")):
            await page.look(1400, 900, dark=dark)
            if "report" in place:
                await page.run("document.querySelector('.row').click()")
                await page.wait_for("!!document.querySelector('.detail .outcome')")
            await page.run(
                "document.querySelectorAll('details').forEach(d => { d.open = true; }); 1"
            )
            await page.run(axe + "; 1")
            found = json.loads(
                await page.run(
                    f"axe.run(document, {{ resultTypes: ['violations'] {only} }})"
                    ".then(r => JSON.stringify("
                    "r.violations.map(v => [v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)"
                    " + ' ' + (n.any[0]?.message || ''))])))"
                )
            )
            assert found == [], dark

    ready = REPORT if "report" in place else SWITCH
    visit((pages / place).as_uri(), look, ready=ready)


def test_a_click_gives_the_picture_as_svg_and_its_table_as_csv(pages):
    async def look(page):
        csv = await page.run("Zhiyin.export.csvOf(document.querySelector('.dots'))")
        lines = csv.splitlines()
        assert lines[0].startswith(("Run,", "Task,"))
        assert any("ears" in line for line in lines[:2])
        assert len({line.count(",") for line in lines[1:3]}) >= 1
        drawn = await page.run("Zhiyin.export.svgOf(document.querySelector('.picture-of'))")
        from xml.etree import ElementTree

        root = ElementTree.fromstring(drawn)
        assert "ears" in "".join(root.itertext())
        assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) >= 1
        await page.run(
            "window.saved = []; URL.createObjectURL = b => (saved.push(b.type), 'blob:x');"
            "HTMLAnchorElement.prototype.click = function () {}; 1"
        )
        await page.run("document.querySelectorAll('.export button').forEach(b => b.click()); 1")
        kinds = await page.run("saved.join()")
        assert "image/svg+xml,text/csv" in kinds

    visit((pages / "report" / "index.html").as_uri(), look, ready=REPORT)


def test_a_click_on_a_heading_sorts_a_chart_and_a_third_restores_it(pages):
    async def look(page):
        table = "document.querySelector('#chapters .dots:not(.of-models)')"
        shares = f"[...{table}.tBodies[0].rows].map(r => r.cells[2].textContent.trim())"
        before = await page.run(shares)
        click = f"{table}.tHead.rows[0].cells[2].querySelector('button').click(); 1"
        figures = sorted((float(one) for one in before if one != "–"), reverse=True)
        for wanted in (figures, figures[::-1]):
            await page.run(click)
            shown = [float(one) for one in await page.run(shares) if one != "–"]
            assert shown == wanted
        await page.run(click)
        assert await page.run(shares) == before

    visit((pages / "report" / "index.html").as_uri(), look, ready=REPORT)


def test_trials_are_compared_filtered_and_walked_through_by_keys(pages):
    async def look(page):
        heads = await page.run(
            "[...document.querySelectorAll('.heads .head-of')].map(h => h.ariaLabel).join()"
        )
        assert heads == "ears,luck,dead"  # their marks; whose they are stands above the list
        await page.run("document.querySelectorAll('.row')[1].click()")  # two were asked this
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        await page.run("document.querySelector('.beside').open = true; 1")
        await page.wait_for("document.querySelectorAll('.two pre').length === 2")
        texts = json.loads(
            await page.run(
                "JSON.stringify([...document.querySelectorAll('.two pre')].map(p => [p.textContent,"
                " [...p.querySelectorAll('mark')].map(m => m.textContent)]))"
            )
        )
        for (said, marked), (other, _) in (texts, texts[::-1]):
            for word in marked:
                assert said.split().count(word) >= 1 or word in said
            if said == other:
                assert marked == []
        # Next wrong: one that a run did not get right.
        await page.run("document.querySelector('.list').focus()")
        await page.press("w")
        await page.wait_for("!!document.querySelector('.detail .outcome.wrong')")
        before = await page.run("document.querySelector('.detail .where span').textContent")
        await page.press("j")
        await page.wait_for(
            f"document.querySelector('.detail .where span').textContent !== {before!r}"
        )
        await page.press("k")
        await page.wait_for(
            f"document.querySelector('.detail .where span').textContent === {before!r}"
        )
        # By cause.
        await page.run(
            "(() => { const s = [...document.querySelectorAll('.filters label')]"
            ".find(l => l.textContent.startsWith('Cause')).querySelector('select');"
            " s.value = 'the server said 500'; s.dispatchEvent(new Event('change')); })()"
        )
        assert (await page.run("document.querySelector('.said').textContent")).startswith("20 of ")

    visit((pages / "report" / "index.html").as_uri(), look, ready=REPORT)


def test_an_address_marks_its_trial_even_where_its_filter_would_hide_it(pages):
    async def look(page):
        await page.wait_for(
            "document.querySelector('.detail .where span')?.textContent === 'q7/r1'"
        )
        chosen = "document.querySelector('.row[aria-selected=true]')"
        assert await page.run(f"{chosen}.querySelector('.id').textContent") == "q7/r1"
        box = json.loads(await page.run(f"JSON.stringify({chosen}.getBoundingClientRect())"))
        assert 0 <= box["top"] < box["bottom"] <= 900

    address = (pages / "report" / "index.html").as_uri()
    visit(f"{address}#trials?state=refused&trial=q7%2Fr1", look, ready=REPORT)


def test_states_are_distinguished_without_colour(pages):
    async def look(page):
        marks = json.loads(
            await page.run(
                """JSON.stringify([...new Set([...document
                .querySelectorAll('.outcomes .stack rect')].map(r => r.getAttribute('fill')
                || getComputedStyle(r).fill))])"""
            )
        )
        # Right answers are plain and dark, wrong ones are hatched, failures are crossed.
        assert len(marks) == 3
        assert sum(mark.startswith("url(") for mark in marks) == 2
        signs = "Object.values(Zhiyin.marks)"
        assert await page.run(f"{signs}.length === new Set({signs}).size && {signs}.length > 5")

    visit((pages / "report" / "index.html").as_uri(), look, ready=REPORT)


def test_a_tune_sounds_as_it_is_written(tmp_path, monkeypatch):
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    from report_help import abc_trial
    from report_help import answered as said
    from report_help import write_run as write

    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    run = write(tmp_path / "run", "m", [said(abc_trial(), "A")])
    report(run, out=tmp_path / "one.html")

    async def look(page):
        await page.run("document.querySelector('.row').click()")
        await page.wait_for("document.querySelectorAll('.score img').length === 5")
        notes = await page.run("Zhiyin.load('played').then(p => Object.values(p)[0])")
        pitches = [int(note.split(",")[2]) for note in notes.split(";")]
        assert pitches == [74, 78, 81, 74, 78, 81, 76, 79, 76, 73, 69]
        await page.run(
            "window.heard = []; const make = AudioContext.prototype.createOscillator;"
            "AudioContext.prototype.createOscillator = function () { const o = make.call(this);"
            " heard.push(o.frequency); return o; }; 1"
        )
        await page.run("document.querySelector('.sounding').click()")
        await page.wait_for("heard.length === 11")
        assert await page.run("Math.round(heard[0].value)") == 587  # d'' of the first bar
        await page.run("document.querySelector('.score img').click()")
        await page.wait_for("!!document.querySelector('dialog.zoom[open]')")

    visit((tmp_path / "one.html").as_uri(), look, ready=REPORT)


def test_sound_is_held_once_however_many_runs_play_it(tmp_path, monkeypatch):
    from report_help import write_tone

    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    part = audio_part(write_tone(tmp_path / "tone.wav"))
    for name in "abc":
        records = [answered(choice(f"q{n}", sound=part), "A") for n in range(5)]
        write_run(tmp_path / name, "quiz", name, records)
    places = [tmp_path / name for name in "abc"]
    report(*places, out=tmp_path / "one.html", notation=False)
    assert (tmp_path / "one.html").read_text("utf-8").count("data:audio/mpeg;base64,") == 1
