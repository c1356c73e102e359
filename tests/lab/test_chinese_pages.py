"""No English sentence on a page in Chinese: names, numbers, commands and models' words aside."""

import asyncio
import json

import pytest

from browser import find_chromium, open_page
from findings_help import answered, choice, failed, mucho_trials, student, write_run
from page_tree import english_in, read
from published_help import declare
from zhiyin.plugins.lab.labbook import Notebook
from zhiyin.plugins.lab.leaderboard import build, write_leaderboard
from zhiyin.record import Verdict
from zhiyin.report.writing import report

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one"),
    pytest.mark.xdist_group("chromium"),
]
ENGLISH = r"""(() => {
  const others = 'code, pre, bdi, script, style, noscript, .stem, .id, .question, .text, .reply,'
    + ' .tag, .mark-of, .brand, .export, [lang=en], datalist';
  const cited = ['the server said 500', 'Metre and rhythm', 'Genre and style',
    'Interpretation of lyrics'], whole = document.querySelector('WITHIN');
  const found = new Set();
  document.querySelectorAll('details').forEach(d => { d.open = true; });
  const walker = document.createTreeWalker(whole, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, at = node.parentElement;
    if (at.closest(others)) continue;
    if (at.tagName === 'OPTION' && /[/=]/.test(node.textContent)) continue;
    const own = cited.reduce((kept, one) => kept.replaceAll(one, ' '),
      node.textContent.replace(/已发表：.*/, ' '));
    const text = own.replace(/[‘'"“`][^'"”’`]*['"”’`]/g, ' ');
    if (/[A-Za-z][a-z]*(?:,? [a-z][a-z]*){2,}/.test(text)) found.add(node.textContent.trim());
  }
  for (const e of whole.querySelectorAll('[aria-label], [title], [placeholder]')) {
    if (e.closest(others)) continue;
    for (const name of ['aria-label', 'title', 'placeholder']) {
      const text = e.getAttribute(name);
      if (text && /[A-Za-z][a-z]*(?:,? [a-z][a-z]*){2,}/.test(text)) found.add(text);
    }
  }
  return JSON.stringify([...found]);
})()"""
"""Three words on end, the later ones in small letters, outside of what others have written."""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """Runs of many kinds: altered sound, a letter favoured, dead, unfinished, in part, unread."""
    root = tmp_path_factory.mktemp("runs")
    patch = pytest.MonkeyPatch()
    patch.setenv("ZHIYIN_CACHE", str(root / "cache"))
    asked = mucho_trials(40, audio=("true", "noise"))
    declare(patch, "muchomusic", mucho_trials(40))

    def ears(trial):
        return student("ears", 0.85 if trial.tags["audio"] == "true" else 0.2)(trial)

    def ungraded(trial):
        record = answered(trial, None, "A calm piece.")
        record.verdict = Verdict("ungraded", None)
        return record

    def silent(trial):
        return answered(trial, None, "", state="no_answer")

    runs = {
        "ears": map(ears, asked),
        "luck": map(student("luck", 0.05), mucho_trials(40)),
        "fond": map(student("fond", 0.3, "B"), mucho_trials(40)),
        "part": map(student("part", 0.6), mucho_trials(12)),
        "unread": [silent(t) if n % 2 else student("unread", 0.5)(t)
                   for n, t in enumerate(mucho_trials(40))],
        "late": [failed(t) if n % 3 else student("late", 0.5)(t)
                 for n, t in enumerate(mucho_trials(40))],
        "dead": map(failed, mucho_trials(10)),
    }  # fmt: skip
    for name, records in runs.items():
        write_run(root / "runs" / name, "muchomusic", f"{name}1", records)
    free = [choice(f"f{n}", letters="") for n in range(8)]
    write_run(root / "runs" / "free", "quiz", "free", map(ungraded, free))
    Notebook(root / "runs" / "ears").add("tag", "reference")
    yield root
    patch.undo()


def visit(address, look, ready):
    async def go():
        async with open_page() as page:
            await page.look(1400, 900)
            await page.open(address)
            await page.wait_for(ready)
            await look(page)
            assert page.errors == []

    asyncio.run(go())


async def _english(page, within="body"):
    """The English sentences in a part of a page."""
    return json.loads(await page.run(ENGLISH.replace("WITHIN", within)))


async def _no_english(page):
    assert await page.run("document.documentElement.lang") == "zh-Hans"
    found = await _english(page)
    assert not found, "\n".join(found)


REPORT = "!!document.querySelector('.browser') && document.querySelectorAll('.row').length > 0"
SETS = {
    "all": ("ears", "luck", "fond", "part", "unread", "late", "dead", "free"),
    "one": ("ears",),
    "two": ("luck", "fond"),
    "dead": ("dead",),
    "in part": ("part",),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
def test_a_report(root, tmp_path, names):
    places = [root / "runs" / name for name in names]
    report(*places, out=tmp_path / "report", notation=False, figures=False, languages=["zh", "en"])
    assert english_in(read(tmp_path / "report/index.html")) == []


@pytest.mark.trust
def test_the_trials_of_a_report(root, tmp_path):
    places = [root / "runs" / name for name in SETS["all"]]
    report(*places, out=tmp_path / "report", notation=False, figures=False, languages=["zh", "en"])

    async def look(page):
        assert await page.run("document.documentElement.lang") == "zh-Hans"
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        assert await _english(page, "#trials") == []
        await page.open(await page.run("document.querySelector('.tongue').href"))
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        await page.run("document.documentElement.lang = 'zh-Hans'; 1")
        found = await _english(page, "#trials")
        assert any("some right, some not" in text for text in found)
        await page.look(390, 844)  # seven runs beside each other on a phone: no name is cut
        assert await page.run("document.documentElement.scrollWidth") <= 390
        names = "[...document.querySelectorAll('.head-of')]"
        assert await page.run(f"{names}.length") == 7  # of the trial's benchmark alone
        cut = f"{names}.filter((e) => e.scrollHeight > e.clientHeight + 1)"
        assert await page.run(f"{cut}.length") == 0

    visit((tmp_path / "report/index.html").as_uri(), look, REPORT)


def test_a_leaderboard(root, tmp_path):
    write_leaderboard(build(root / "runs"), tmp_path / "board", languages=["zh"])
    address = (tmp_path / "board/index.html").as_uri()
    visit(address, _no_english, "document.documentElement.lang === 'zh-Hans'")


def test_the_lab_book(root):
    from aiohttp.test_utils import TestServer

    from zhiyin.plugins.lab.labbook.server import LabBook

    book = LabBook(root / "runs")
    book.shelf.runs(None)
    key = {name: book.shelf.key(root / "runs" / name) for name in ("ears", "luck", "late", "dead")}
    places = ["/", "/history", f"/compare?run={key['ears']}&run={key['luck']}",
              *(f"/run/{one}" for one in key.values()),
              f"/run/{key['luck']}/reply?id=q7%2Fr1", f"/compare?run={key['ears']}"]  # fmt: skip

    async def go():
        server = TestServer(book.application())
        await server.start_server()
        async with open_page() as page:
            for place in places:
                joint = "&" if "?" in place else "?"
                await page.open(str(server.make_url("/")).rstrip("/") + f"{place}{joint}lang=zh")
                await page.wait_for("!!document.querySelector('h1')")
                assert await page.run("document.documentElement.lang") == "zh-Hans", place
                found = await _english(page)
                assert not found, (place, *found)
        await server.close()

    asyncio.run(go())


def test_a_suite(tmp_path):
    from suites_help import suite
    from zhiyin.cli import main

    file, out = tmp_path / "small.toml", tmp_path / "out"
    file.write_text(suite(models=("Good", "Poor"), benchmarks=("Ears",), items=8), "utf-8")
    words = ["suite", str(file), "--out", str(out), "--no-report", "--quiet", "--lang", "zh"]
    assert main(words) == 0
    address = (out / "index.html").as_uri()
    visit(address, _no_english, "document.documentElement.lang === 'zh-Hans'")
