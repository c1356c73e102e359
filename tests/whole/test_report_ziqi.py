"""A report of three whole runs on ZIQI-Eval, in a real browser (needs the published data)."""

import asyncio

import pytest

from browser import find_chromium, open_page
from zhiyin.cli import main
from zhiyin.report.writing import report

MODELS = ("random", "first", "longest")


@pytest.mark.trust  # three whole runs
@pytest.mark.xdist_group("chromium")
@pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one")
def test_three_whole_runs(shared, tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    data = str(shared / "ziqi")
    for model in MODELS:
        out = str(tmp_path / model)
        assert main(["run", "ziqi", "--data", data, "-m", model, "--out", out, "--quiet"]) == 0
    runs = [tmp_path / model for model in MODELS]
    written = report(*runs, out=tmp_path / "out", figures=False)
    assert written.trials == 14_334
    assert written.bytes < 1e9
    assert report(*runs, out=tmp_path / "one.html", notation=False).bytes < 10e6

    async def look():
        async with open_page() as page:
            await page.open((tmp_path / "out" / "index.html").as_uri())
            await page.wait_for("document.querySelectorAll('.row').length > 0")
            entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            assert await page.run(entry) < 10_000
            await page.run("document.querySelector('.filtering summary').click()")
            took = await page.run(
                "(() => { const t = performance.now(); const s = [...document.querySelectorAll("
                "'.filters select')].find(s => s.innerText.includes('some right, some not'));"
                " s.value = 'differ'; s.dispatchEvent(new Event('change'));"
                " document.body.offsetHeight; return performance.now() - t; })()"
            )
            assert took < 2_000
            said = await page.run("document.querySelector('.said').textContent")
            shown = int(said.split()[0].replace(",", ""))
            assert 0 < shown < 14_334
            text = await page.run("document.getElementById('overview').innerText")
            assert "first always answers A" in text
            chapter = await page.run("document.querySelector('.findings').textContent")
            assert "Doctorate, music major" in chapter
            assert page.errors == []

    asyncio.run(look())
