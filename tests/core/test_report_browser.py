"""The report in a real browser, from disk: what a reader sees, hears, filters and presses."""

import asyncio
import json
import time
from pathlib import Path

import msgspec
import pytest

from browser import find_chromium, open_page
from report_help import HOSTILE, abc_trial, answered, choice, heard_trial, hostile_run

from report_help import two_runs, write_run  # isort: skip

from zhiyin.engine.folder import RECORDS
from zhiyin.picture import image_part
from zhiyin.report.writing import report
from zhiyin.trial import Trial, say

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one"),
    pytest.mark.xdist_group("chromium"),
]
ROWS = "document.querySelectorAll('.row').length"
SAID = "document.querySelector('.said').textContent"
OPENED = "document.querySelector('.detail .where bdi')?.textContent"
PARTS = "[...document.querySelectorAll('.who-right button')].map(b => b.innerText.trim()).join()"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


def visit(address: Path, look, fragment: str = "", **window):
    """Open a page, let `look` examine it, and see that its console stayed silent."""

    async def go():
        async with open_page() as page:
            await page.look(window.get("width", 1280), 900, dark=window.get("dark", False))
            await page.open(address.as_uri() + fragment)
            await page.wait_for("!!document.querySelector('.browser') && " + ROWS + " > 0")
            await look(page)
            assert page.errors == []
            assert not [url for url in page.requests if url.startswith("http")]

    asyncio.run(go())


def test_a_newcomer_finds_the_answers_and_their_trials(tmp_path):
    report(*two_runs(tmp_path), out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        text = await page.run("document.getElementById('overview').innerText")
        assert "better than fond by" in text
        assert "fond favours A" in text
        # What went wrong is open: nobody has to choose a trial first.
        await page.wait_for("!!document.querySelector('.detail .outcome.wrong')")
        assert await page.run("location.hash") == ""
        # From the sentence to its trials, and to one of them.
        right = await page.run(
            "Zhiyin.load('trials').then(t => t.ids.find((_, i) => t.runs[1].states[i] === '0'))"
        )
        await page.run(f"location.hash = '#trials?trial=' + encodeURIComponent({right!r})")
        await page.wait_for(f"document.querySelector('.detail').innerText.includes({right!r})")
        await page.run(
            "[...document.querySelectorAll('#front a')]"
            ".find(a => a.textContent.includes('What went wrong')).click()"
        )
        await page.wait_for(f"!{SAID}.startsWith('240 of')")
        shown = int((await page.run(SAID)).split()[0])
        states = json.loads(
            await page.run("Zhiyin.load('trials').then(t => JSON.stringify(t.runs[0].states))")
        )
        assert shown == sum(state != "0" for state in states)
        # The trial that is open is one of them, though one that was right was open before.
        opened = await page.run("new URLSearchParams(location.hash.split('?')[1]).get('trial')")
        wrong = await page.run(
            "Zhiyin.load('trials').then(t => JSON.stringify("
            "t.ids.filter((_, i) => t.runs[0].states[i] !== '0')))"
        )
        assert opened in json.loads(wrong)
        await page.run("document.querySelector('.row').click()")
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        detail = await page.run("document.querySelector('.detail').innerText")
        assert "the letter alone" in detail
        assert "right answer" in detail

    visit(tmp_path / "out" / "index.html", look)


def test_sound_plays_and_moves_the_waveform(tmp_path):
    report(*two_runs(tmp_path, trials=8), out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.run("document.querySelector('.row').click()")
        await page.wait_for("!!document.querySelector('.detail .player')")
        await page.run("document.querySelector('.play').click()")
        await page.wait_for("document.querySelector('audio').currentTime > 0.2")
        width = await page.wait_for(
            "+document.querySelector('clipPath rect').getAttribute('width')"
        )
        assert width > 0
        assert await page.run("document.querySelector('.play').getAttribute('aria-label')") == (
            "Pause What was played"
        )

    visit(tmp_path / "out" / "index.html", look)


def test_one_file_plays_too(tmp_path):
    report(*two_runs(tmp_path, trials=8), out=tmp_path / "page.html", notation=False)

    async def look(page):
        await page.run("document.querySelector('.row').click()")
        await page.wait_for("!!document.querySelector('.detail .player')")
        await page.run("document.querySelector('.play').click()")
        await page.wait_for("document.querySelector('audio').currentTime > 0.2")

    visit(tmp_path / "page.html", look)


@pytest.mark.parametrize("single", [False, True], ids=["folder", "file"])
def test_a_picture_is_seen_with_words_for_those_who_do_not_see_it(tmp_path, single):
    from PIL import Image as Pillow

    picture = Pillow.linear_gradient("L").resize((60, 40))
    picture.save(tmp_path / "score.png")
    shown = image_part(tmp_path / "score.png")
    trial = Trial("p1", (say("user", "Which key?", shown),), "Which key?", target="C")
    folder = write_run(tmp_path / "run", "m", [answered(trial, "C")])
    if single:
        report(folder, out=tmp_path / "one.html", notation=False)
    else:
        report(folder, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.run("document.querySelector('.row').click()")
        await page.wait_for("document.querySelector('.picture img')?.naturalWidth === 60")
        alt = await page.run("document.querySelector('.picture img').alt")
        assert alt == "What was shown, 60 by 40 pixels"
        assert "score.png" not in await page.run("document.querySelector('.picture').outerHTML")

    visit(tmp_path / "one.html" if single else tmp_path / "out" / "index.html", look)


@pytest.mark.parametrize("single", [False, True], ids=["folder", "file"])
def test_hostile_words_are_shown_and_do_nothing(tmp_path, single):
    run = hostile_run(tmp_path / "run")
    out = tmp_path / ("page.html" if single else "out")
    if single:
        report(run, out=out, notation=False)
    else:
        report(run, out=out, notation=False, figures=False)

    async def look(page):
        for number, (name, text) in enumerate(HOSTILE.items()):
            await page.run(f"document.querySelectorAll('.row')[{number}].click()")
            heading = json.dumps(f"/{number}")
            await page.wait_for(
                f"document.querySelector('.detail .where bdi')?.textContent.endsWith({heading})"
            )
            begun = time.monotonic()
            if len(text) > 20_000:
                await page.run("document.querySelector('.reply + .quiet').click()")
            shown = await page.run("document.querySelector('.reply').textContent")
            assert time.monotonic() - begun < 30
            expected = text.replace("\x00", "␀").replace("\x1b", "␛")
            assert shown == expected, name
        assert await page.run("document.title") == "<b>model</b> · Zhiyin"
        assert await page.run("document.querySelectorAll('main img, main b > script').length") == 0
        # What is drawn above its line does not spill over the neighbours.
        assert (
            await page.run("getComputedStyle(document.querySelector('.row')).overflow") == "hidden"
        )

    visit(out if single else out / "index.html", look)


def test_keys_move_through_the_list(tmp_path):
    runs = two_runs(tmp_path, trials=120, sound=False)
    report(*runs, out=tmp_path / "out", notation=False, figures=False)
    selected = "document.querySelector('.row[aria-selected=true] .id')?.textContent"

    async def look(page):
        await page.run("document.querySelector('.list').focus()")
        await page.press("Home")
        await page.wait_for(f"{selected} === 'pitch/0'")
        await page.press("ArrowDown")
        await page.wait_for(f"{selected} === 'rhythm/1'")
        await page.press("End")
        await page.wait_for(f"{selected} === 'rhythm/119'")
        active = await page.run(
            "document.querySelector('.list').getAttribute('aria-activedescendant')"
        )
        assert (
            await page.run(f"document.getElementById('{active}').getAttribute('aria-posinset')")
            == "120"
        )
        assert "trial=rhythm%2F119" in await page.run("location.hash")
        # Everything that can be pressed has a name.
        nameless = await page.run(
            "[...document.querySelectorAll('button, select, input')]"
            ".filter(e => !e.textContent.trim() && !e.getAttribute('aria-label')"
            " && !e.closest('label')).length"
        )
        assert nameless == 0

    visit(tmp_path / "out" / "index.html", look)


def test_an_address_opens_its_trial(tmp_path):
    runs = two_runs(tmp_path, trials=40, sound=False)
    report(*runs, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.wait_for(f"{OPENED} === 'rhythm/7'")
        assert (await page.run(SAID)).startswith("20 of 40")

    visit(tmp_path / "out" / "index.html", look, "#trials?group=rhythm&trial=rhythm%2F7")


def test_a_bar_of_who_was_right_opens_the_trials(tmp_path):
    runs = two_runs(tmp_path, trials=40, sound=False)
    report(*runs, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        states = await page.run(
            "Zhiyin.load('trials').then("
            "t => t.runs.map(r => r.states.split('').map(c => c === '0')))"
        )
        pairs = list(zip(*states, strict=True))
        counts = [pairs.count(one) for one in ((True, True), (True, False), (False, True))]
        counts.append(pairs.count((False, False)))
        words = ["both right", "only good right", "only fond right", "neither right"]
        shown = (await page.run(PARTS)).replace("\n", " ").split(",")
        assert [" ".join(one.split()) for one in shown] == [
            f"{n} {word}" for n, word in zip(counts, words, strict=True) if n
        ]
        await page.run("document.querySelectorAll('.who-right button')[1].click()")
        await page.wait_for(f"{SAID}.startsWith('{counts[1]} of 40')")
        marks = await page.run(
            "[...document.querySelectorAll('.row')].map(r => r.querySelector('.marks').innerText)"
        )
        assert {"".join(one.split()) for one in marks} == {"✓✗"}
        await page.wait_for("document.querySelectorAll('.outcome.correct').length === 1")
        # Pressed again, all are there; within another filter, the bar counts what that leaves.
        await page.run("document.querySelectorAll('.who-right button')[1].click()")
        await page.wait_for(f"{SAID}.startsWith('40 of 40')")
        await page.run("location.hash = '#trials?group=pitch'")
        await page.wait_for(f"{SAID}.startsWith('20 of 40')")
        assert "neither right" not in await page.run(PARTS)  # good is right of every pitch

    visit(tmp_path / "out" / "index.html", look)


def test_keys_act_wherever_the_focus_is_but_where_one_types(tmp_path):
    runs = two_runs(tmp_path, trials=40, sound=False)
    report(*runs, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.run("document.querySelector('.row').click()")
        await page.wait_for(f"{OPENED} === 'pitch/0'")
        await page.run("document.activeElement.blur(); scrollTo(0, 0)")
        await page.press("j")
        await page.wait_for(f"{OPENED} === 'rhythm/1'")
        await page.wait_for("document.querySelector('.detail').getBoundingClientRect().top < 600")
        await page.press("k")
        await page.wait_for(f"{OPENED} === 'pitch/0'")
        await page.run("document.querySelector('.filtering').open = true;"
                       " document.querySelector('.filters input').focus()")  # fmt: skip
        await page.press("j")
        await page.run("new Promise((done) => setTimeout(done, 100))")
        assert await page.run(OPENED) == "pitch/0"

    visit(tmp_path / "out" / "index.html", look)


def test_a_trial_s_title_is_its_question_and_no_tag_stands_above_it(tmp_path):
    """The models' marks stand beside the options, other tries of the item below each reply."""

    def tried(number, letter):
        trial = choice(4, "Is it altered?", key="altered")
        trial = msgspec.structs.replace(trial, id=f"order-{number}/x", item="x")
        return answered(trial, letter)

    one = write_run(tmp_path / "one", "one", [tried(n, "AAB"[n]) for n in range(3)])
    two = write_run(tmp_path / "two", "two", [tried(n, "BBB"[n]) for n in range(3)])
    report(one, two, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        assert (
            await page.run("document.querySelector('.detail h3').textContent") == "Is it altered?"
        )
        above = await page.run(
            "(() => { const d = document.querySelector('.detail'); const h = d.querySelector('h3');"
            " return [...d.querySelectorAll('dl, .facts')].filter((e) =>"
            " e.compareDocumentPosition(h) & Node.DOCUMENT_POSITION_FOLLOWING).length })()"
        )
        assert above == 0
        assert "altered" in await page.run("document.querySelector('.known').textContent")
        beside = await page.run(
            "[...document.querySelectorAll('.options li')].map((li) => [...li.querySelectorAll("
            "'.called')].map((c) => c.textContent.trim()"
            " + c.querySelector('use').getAttribute('href')).join())"
        )
        assert beside == ["one#mark-0", "two#mark-1", "", ""]
        glyphs = "[...document.querySelectorAll('.tries')].map((tries) => tries.innerText)"
        assert ["".join(line.split()) for line in await page.run(glyphs)] == ["✓✓✗", "✗✗✗"]
        await page.run("document.querySelectorAll('.tries button')[2].click()")
        await page.wait_for(f"{OPENED} === 'order-2/x'")
        hues = await page.run(
            "['.outcome.correct', '.outcome.wrong'].map((s) => document.querySelector(s))"
            ".filter(Boolean).map((e) => getComputedStyle(e).borderTopColor)"
        )
        assert hues == ["rgb(0, 114, 178)"]  # of the model, not of right and wrong

    visit(tmp_path / "out" / "index.html", look)


@pytest.mark.parametrize(
    ("second", "changed", "words"),
    [("62 64 66 69", 1, "+2 semitones"), ("62 64 66 67", 0, "+2 semitones")],
)
def test_what_differs_between_two_melodies_is_drawn(tmp_path, second, changed, words):
    tags = {"task": "transposition", "transcription": f"60 62 64 65 | {second}"}
    asked = msgspec.structs.replace(choice(1), tags=tags)
    run = write_run(tmp_path / "run", "m", [answered(asked, "A")])
    report(run, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.wait_for("document.querySelectorAll('.rolls svg.roll').length === 2")
        for kind in ("changed", "ghost"):
            assert (
                await page.run(f"document.querySelectorAll('.note-bar.{kind}').length") == changed
            )
        assert words in await page.run("document.querySelector('.rolls').innerText")

    visit(tmp_path / "out" / "index.html", look)


def test_roll_and_engraving_are_drawn(tmp_path):
    _, record = heard_trial()
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    run = write_run(tmp_path / "run", "m", [record, answered(abc_trial(), "A")])
    written = report(run, out=tmp_path / "out", figures=False)
    assert written.engraved == 5

    async def look(page):
        await page.run("document.querySelectorAll('.row')[0].click()")
        await page.wait_for("!!document.querySelector('svg.roll')")
        kinds = await page.run(
            "[...document.querySelectorAll('.rolls > svg .note-bar')]"
            ".map(b => b.classList[1]).sort().join()"
        )
        assert kinds == "extra,missed,right,right,true,true"
        await page.run("document.querySelectorAll('.row')[1].click()")
        await page.wait_for("document.querySelectorAll('.score img').length === 5")
        await page.run("document.querySelector('.score').scrollIntoView()")
        await page.wait_for("document.querySelector('.score img').naturalWidth > 100")

    visit(tmp_path / "out" / "index.html", look)


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (390, False), (390, True)])
def test_no_window_scrolls_sideways(tmp_path, width, dark):
    report(*two_runs(tmp_path, trials=40), out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        await page.run("document.querySelector('.row').click()")
        await page.wait_for("!!document.querySelector('.detail .outcome')")
        assert await page.run("document.documentElement.scrollWidth <= innerWidth")
        colour = await page.run("getComputedStyle(document.body).backgroundColor")
        assert (int(colour[4:].split(",")[0]) < 90) is dark

    visit(tmp_path / "out" / "index.html", look, width=width, dark=dark)


@pytest.mark.parametrize("many", [10_000, pytest.param(50_000, marks=pytest.mark.trust)])
def test_many_trials_stay_quick(tmp_path, many):
    asked = [choice(n) for n in range(40)]
    run = write_run(tmp_path / "run", "one", [answered(t, "A") for t in asked])
    lines = (run / RECORDS).read_bytes()
    copies = (lines.replace(b'"id":"', f'"id":"{n}/'.encode()) for n in range(1, many // 40))
    (run / RECORDS).write_bytes(lines + b"".join(copies))
    report(run, out=tmp_path / "out", notation=False, figures=False)

    async def look(page):
        paint = await page.run(
            "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        )
        assert paint < 10_000
        assert (await page.run(SAID)) == f"{many:,} of {many:,} trials"
        assert await page.run(ROWS) < 60
        for script in (
            "const s = document.querySelector('.filters select'); s.value = 'wrong';"
            " s.dispatchEvent(new Event('change'))",
            "const i = document.querySelector('.filters input'); i.value = 'question 7';"
            " i.dispatchEvent(new Event('input'))",
        ):
            took = await page.run(
                f"(() => {{ const t = performance.now(); {script}; document.body.offsetHeight;"
                " return performance.now() - t; })()"
            )
            assert took < 2_000, script
        assert not (await page.run(SAID)).startswith(f"{many:,}")

    visit(tmp_path / "out" / "index.html", look)
