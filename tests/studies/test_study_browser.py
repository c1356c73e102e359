"""Whole studies in a real browser: keys alone, a phone, resuming, and an audit by axe-core."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from browser import find_chromium, open_page
from study_help import (
    TUNE,
    Here,
    Person,
    Server,
    choice,
    heard,
    opened,
    reply,
    review,
    run_of,
    sounds_to_rate,
    study,
)  # fmt: skip
from zhiyin.plugins.studies.results import rows
from zhiyin.trial import Trial, say

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one"),
    pytest.mark.xdist_group("chromium"),
]
KEYS = {"Tab": 9, "Enter": 13, " ": 32}


def axe() -> str:
    package = pytest.importorskip("axe_core_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")


async def audited(page, script):
    """No rule of axe-core is broken on the page as it is."""
    await page.run(script + ";0")
    found = await page.run(
        "axe.run(document, {resultTypes: ['violations']}).then(r => JSON.stringify("
        "r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 120))])))"
    )
    assert json.loads(found) == []


async def key(page, name):
    """One key as the keyboard sends it, with what it types."""
    code = KEYS.get(name, ord(name[0].upper()))
    text = {"Enter": "\r", "Tab": ""}.get(name, name)
    common = {"key": name, "windowsVirtualKeyCode": code}
    await page.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
    await page.call("Input.dispatchKeyEvent", type="keyUp", **common)


async def tab_to(page, selector):
    """Press Tab until something has the focus."""
    for _ in range(60):
        if await page.run(f"document.activeElement?.matches({json.dumps(selector)})"):
            return
        await key(page, "Tab")
    raise AssertionError(f"the keyboard does not reach {selector}")


async def at(page, name):
    await page.wait_for(
        f"document.readyState === 'complete' && document.body.dataset.page === '{name}'"
    )


async def wide(page):
    """Nothing runs out of the window sideways."""
    assert await page.run("document.documentElement.scrollWidth <= innerWidth")


async def by_keys(page, script):
    """From consent to the first question without a pointer."""
    await audited(page, script)
    for n in range(4):
        await tab_to(page, f"[name=consent-{n}]")
        await key(page, " ")
    await tab_to(page, "button[value=agree]")
    await key(page, "Enter")
    await at(page, "link")
    await audited(page, script)
    link = await page.run("document.querySelector('.link a').href")
    await tab_to(page, "a.button")
    await key(page, "Enter")
    await at(page, "about")
    await audited(page, script)
    for name in ("education", "music_major", "music_background"):
        await tab_to(page, f"[name={name}]")
        await key(page, " ")
    await tab_to(page, ".acts button")
    await key(page, "Enter")
    await at(page, "volume")
    await page.wait_for("!document.querySelector('.play').disabled")
    await audited(page, script)
    await tab_to(page, ".acts button")
    await key(page, "Enter")  # without having heard anything
    assert "listen" in await page.run(STATE)
    await tab_to(page, ".play")
    await key(page, "Enter")
    await page.wait_for("Number(document.querySelector('.player').dataset.heard) > 0")
    assert await page.run(STATE) == ""
    await tab_to(page, ".acts button")
    await key(page, "Enter")
    await at(page, "question")
    return link


STATE = "document.querySelector('.state').textContent"
AS_HEARD = (
    "document.querySelectorAll('.player').forEach(box => { box.dataset.heard = 1; });"
    "document.querySelectorAll('input[name=heard]').forEach(input => { input.value = '1'; });"
)
"""As if the sounds of the checks had been heard: that takes half a minute."""


async def next_question(page, before):
    await page.wait_for(
        "document.readyState === 'complete' && (document.body.dataset.page === 'end' || "
        f"(document.getElementById('answer')?.dataset.place || '{before}') !== '{before}')"
    )
    return await page.run("document.body.dataset.page")


async def place_of(page):
    return await page.run("document.getElementById('answer').dataset.place")


async def hear_all(page):
    """Play every sound that has to be heard to its end, one after the other."""
    n = await page.run("document.querySelectorAll('.player[data-index]').length")
    for index in range(n):
        box = f"document.querySelectorAll('.player[data-index]')[{index}]"
        await page.wait_for(f"!{box}.querySelector('button').disabled")
        await page.run(f"{box}.querySelector('button').click()")
        await page.wait_for(f"Number({box}.dataset.heard) > 0")


def test_an_exam_by_keyboard_alone_survives_the_kill_of_browser_and_server(tmp_path):
    script = axe()
    questions = [*heard(tmp_path, 2, 0.4), choice(3, stem=f"Which? 3\n{TUNE}")]
    study(tmp_path / "s", questions)

    async def first(server):
        async with open_page() as page:
            await page.look(1024, 800)
            await page.open(server.address + "/?language=en")
            link = await by_keys(page, script)
            await audited(page, script)
            place = await place_of(page)
            if await page.run("document.querySelectorAll('.player[data-index]').length"):
                await page.run("document.activeElement.blur()")
                await page.wait_for("!document.querySelector('.play').disabled")
                await key(page, "1")
                await key(page, "Enter")
                assert "listen" in await page.run(STATE)
                await page.run("document.activeElement.blur()")
                await key(page, " ")
                await page.wait_for("Number(document.querySelector('.player').dataset.heard) > 0")
                assert await page.run(STATE) == ""
            await key(page, "2")
            # The server dies under the answer; it comes back, and the answer arrives by itself.
            server.kill()
            await key(page, "Enter")
            await page.wait_for("document.querySelector('.state').textContent.includes('lost')")
            server.start()
            assert await next_question(page, place) == "question"
            page.errors.clear()  # of the dead server
            await key(page, "1")  # chosen, and never sent: the browser is killed here
            return link

    async def second(server, link):
        async with open_page() as page:
            await page.look(1024, 800)
            await page.open(re.sub(r"^http://[^/]+", server.address, link))
            await at(page, "question")
            for left in (1, 0):
                place = await place_of(page)
                await hear_all(page)
                await page.run("document.activeElement.blur()")
                await key(page, "1")
                await key(page, "Enter")
                assert await next_question(page, place) == ("question" if left else "end")
            assert "COMPLETE" in await page.run("document.body.innerText")
            await audited(page, script)
            assert page.errors == []
            assert all(
                url.startswith((server.address, "about:", "data:font/")) for url in page.requests
            )

    with Server(tmp_path / "s") as server:
        link = asyncio.run(first(server))
        server.kill()
        server.start()
        asyncio.run(second(server, link))
    with opened(tmp_path / "s") as store:
        found = list(rows(store))
        assert sorted(row.item for row in found) == ["t/1", "t/2", "t/3"]
        assert all(row.listens == [1] for row in found if row.item != "t/3")
        assert all(0 < row.active_s < 60 for row in found)
        # Of the time on a page, that after its sound; all of it where there is none.
        assert all(0 <= row.after_s < row.active_s for row in found if row.item != "t/3")
        assert all(row.after_s == row.active_s for row in found if row.item == "t/3")


def sources(folder, kind):
    """A source for each kind of study, and what a person does on its page."""
    mark = "document.querySelectorAll('.choices input')[1].click()"
    if kind == "validate":
        return heard(folder, 1, 0.4), mark
    if kind == "rate":
        grade = ("document.querySelectorAll('input[type=range]').forEach((r, i) => { r.value = "
                 "20 + i; r.dispatchEvent(new Event('input', {bubbles: true})); })")  # fmt: skip
        return sounds_to_rate(folder), grade
    if kind == "grades":
        grade = ("document.querySelectorAll('input[type=range]').forEach((r, i) => { r.value = "
                 "3 + i; r.dispatchEvent(new Event('input', {bubbles: true})); })")  # fmt: skip
        return [run_of(folder / "run", [reply(review(1), "A fine song.", "ungraded")])], grade
    wrong = reply(choice(1, heard(folder, 1, 0.4)[0].messages[0].parts[1]), "As the caption says.")
    return [run_of(folder / "run", [wrong])], mark


async def through(page, server, script, do):
    """One study from its information to the researcher's page, on a phone, in Chinese."""
    await page.call("Network.clearBrowserCookies")
    await page.open(server.address + "/?language=zh")
    await wide(page)
    await audited(page, script)
    await page.run(
        "document.querySelectorAll('[type=checkbox]').forEach(b => b.click());"
        "document.querySelector('button[value=agree]').click()"
    )
    await at(page, "link")
    await wide(page)
    await page.run("document.querySelector('a.button').click()")
    await at(page, "about")
    await page.run(ABOUT)
    await page.wait_for(
        "document.readyState === 'complete' && "
        "['volume', 'question'].includes(document.body.dataset.page)"
    )
    if await page.run("document.body.dataset.page") == "volume":
        await page.run(AS_HEARD + "document.querySelector('.acts button').click()")
    await at(page, "question")
    await wide(page)
    await hear_all(page)
    await audited(page, script)
    place = await place_of(page)
    await page.run("document.querySelector('.acts button').click()")
    assert await page.run("document.querySelector('.state').textContent") == "请先作答。"
    await page.run(do)
    assert await page.run(SMALL) == 0
    await page.run("document.querySelector('.acts button').click()")
    assert await next_question(page, place) == "end"
    assert "COMPLETE" in await page.run("document.body.innerText")
    await audited(page, script)
    await page.open(server.research)
    await page.run(
        "document.getElementById('token').value = 'token-t';"
        "document.querySelector('button').click()"
    )
    await at(page, "research")
    await wide(page)
    await audited(page, script)
    assert page.errors == []


ABOUT = (
    "['education', 'music_major', 'music_background'].forEach(n => "
    "document.querySelector(`[name=${n}]`).click());"
    "document.querySelector('.acts button').click()"
)
SMALL = (
    "[...document.querySelectorAll('button, .option')].filter(b => b.offsetParent "
    "&& b.getBoundingClientRect().height < 24).length"
)


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ["rate", "validate", "annotate", "grades"])
def test_a_study_of_every_other_kind_on_a_phone(tmp_path, kind):
    script = axe()
    source, do = sources(tmp_path, kind)
    study(tmp_path / "s", source, kind="rate" if kind == "grades" else kind)

    async def go():
        async with open_page() as page:
            await page.look(390, 844)
            with opened(tmp_path / "s") as store:
                with Here(store) as server:
                    await through(page, server, script, do)
                [row] = rows(store)
                assert row.keys or row.grades
                assert all(times == 1 for times in row.listens)

    asyncio.run(go())


async def in_both(page, script, name):
    """The page is fine in both languages, on a phone and beside a keyboard."""
    for language in ("zh", "en"):
        await page.run(f"location.assign('/go?language={language}')")
        await page.wait_for(f"document.documentElement?.lang === '{language}'")
        await at(page, name)
        await wide(page)
        await audited(page, script)


async def press(page, *selectors):
    """Choose by keys alone, and send."""
    for selector in (*selectors, ".acts button"):
        await tab_to(page, selector)
        await key(page, "Enter" if selector.endswith("button") else " ")


UNDERSTOOD = """tries = 2
[[checks.comprehension]]
right = 1
text = { en = "What is asked?", zh = "问什么？" }
options = { en = ["music", "weather"], zh = ["音乐", "天气"] }
"""


@pytest.mark.trust
def test_every_page_before_and_after_the_questions_by_keyboard(tmp_path):
    script = axe()
    headphones = ('headphones = "none"', 'headphones = "woods"')
    study(tmp_path / "s", heard(tmp_path, 2, 0.3), headphones, ("tries = 2\n", UNDERSTOOD),
          practice=1)  # fmt: skip

    async def go(server):
        async with open_page() as page:
            await page.look(390, 844)
            for path, name in (("/?language=en", "start"), ("/s/none", "fault"), ("/go", "fault")):
                await page.open(server.address + path)
                await at(page, name)
                await wide(page)
                await audited(page, script)
            page.errors.clear()  # both faults were wanted
            await page.open(server.address + "/?language=en")
            await page.run(
                "document.querySelectorAll('[type=checkbox]').forEach(b => b.click());"
                "document.querySelector('button[value=agree]').click()"
            )
            await at(page, "link")
            await audited(page, script)
            await page.run("document.querySelector('[data-copy]').click()")
            await page.wait_for(
                "document.querySelector('[data-copy]').textContent.startsWith('Copied')"
            )
            await page.run("document.querySelector('a.button').click()")
            await at(page, "about")
            await in_both(page, script, "about")
            await page.run(ABOUT)
            await at(page, "volume")
            await in_both(page, script, "volume")
            await page.run(AS_HEARD)
            await press(page)
            await at(page, "headphones")
            await in_both(page, script, "headphones")
            await page.wait_for("!document.querySelector('.play').disabled")
            await page.run(AS_HEARD)
            await press(page, *(f"[name=tone-{n}]" for n in range(6)))
            await at(page, "comprehension")
            await in_both(page, script, "comprehension")
            await page.run("document.querySelector('[name=understood-0][value=\"1\"]').click()")
            await page.run("document.querySelector('.acts button').click()")
            await page.wait_for("document.querySelector('.warn[role=alert]') !== null")
            await audited(page, script)
            await press(page, "[name=understood-0]")
            await at(page, "question")
            await in_both(page, script, "question")
            assert "practice" in await page.run("document.querySelector('.where').textContent")
            for left in (1, 0):
                place = await place_of(page)
                await hear_all(page)
                await page.run("document.activeElement.blur()")
                await key(page, "1")
                await key(page, "Enter")
                if await page.run(
                    "document.querySelector('.where').textContent.includes('ractice')"
                ):
                    await page.wait_for("document.querySelector('.option.is-right') !== null")
                    await audited(page, script)
                    await key(page, "Enter")
                assert await next_question(page, place) == ("question" if left else "end")
                if left:
                    begins = await page.run("document.querySelector('.begins').textContent")
                    assert begins.startswith("Practice is over")
            assert await page.run("document.querySelector('.begins')") is None
            await in_both(page, script, "end")
            await page.open(server.address + "/withdraw")
            await at(page, "withdraw")
            await wide(page)
            await audited(page, script)
            assert page.errors == []
            await page.open(server.research)
            await audited(page, script)
            await page.run("document.getElementById('token').value = 'wrong'")
            await page.run("document.querySelector('button').click()")
            await page.wait_for("document.querySelector('.warn') !== null")
            await wide(page)
            await audited(page, script)

    with opened(tmp_path / "s") as store, Here(store) as server:
        asyncio.run(go(server))


@pytest.mark.trust
def test_play_says_stop_and_practice_tells_what_is_right(tmp_path):
    """On a phone; then the researcher's own pages, each by axe-core and none wider than it."""
    script = axe()
    study(tmp_path / "s", heard(tmp_path, 2, 2.0), ("volume = true", "volume = false"),
          practice=1)  # fmt: skip

    async def practise(page, server):
        await page.open(server.address + "/?language=en")
        await page.run(
            "document.querySelectorAll('[type=checkbox]').forEach(b => b.click());"
            "document.querySelector('button[value=agree]').click()"
        )
        await at(page, "link")
        await page.run("document.querySelector('a.button').click()")
        await at(page, "about")
        await page.run(ABOUT)
        await at(page, "question")
        button = "document.querySelector('.play')"
        words = f"[{button}.textContent.trim(), {button}.getAttribute('aria-label')]"
        await page.wait_for(f"!{button}.disabled")
        # What somebody else heard in this window before does not count.
        place = await place_of(page)
        await page.run(
            f"sessionStorage.setItem('heard-{place}-0', 1); document.body.dataset.before = 1;"
            "location.reload()"
        )
        await page.wait_for(
            "document.readyState === 'complete' && document.body && !document.body.dataset.before"
            f" && {button} && !{button}.disabled"
        )
        assert await page.run("Number(document.querySelector('.player').dataset.heard)") == 0
        assert await page.run(words) == ["▶ Play", "Play: Sound"]
        await page.run(f"{button}.click()")
        await page.wait_for(f"{button}.textContent.includes('■')")
        assert await page.run(words) == ["■ Stop", "Stop: Sound"]
        await page.run(f"{button}.click()")
        assert await page.run(words) == ["▶ Play", "Play: Sound"]
        await hear_all(page)
        place = await place_of(page)
        await page.run("document.querySelectorAll('.choices input')[0].click()")
        await page.run("document.querySelector('.acts button').click()")
        await page.wait_for("document.querySelector('.option.is-right') !== null")
        marked = await page.run("document.querySelector('.option.is-right').innerText")
        assert "answer B" in marked
        assert "✓" in marked
        first = await page.run("document.querySelector('.choices .option').matches('.is-right')")
        told = await page.run("document.querySelector('.state').textContent")
        assert told.startswith("Right." if first else "Not right.")
        await wide(page)
        await audited(page, script)
        await page.run("document.querySelector('.acts button').click()")
        assert await next_question(page, place) == "question"

    async def research(page, server):
        await page.open(server.research)
        await page.run(
            "document.getElementById('token').value = 'token-t';"
            "document.querySelector('button').click()"
        )
        await at(page, "research")
        for path, kind in (("/preview/1", "start"), ("/preview/4", "question"),
                           ("/design", "design"), ("/beside", "beside")):  # fmt: skip
            await page.open(server.research + path)
            await at(page, kind)
            await wide(page)
            await audited(page, script)
        # A page of the preview goes on to the next one by its own button.
        await page.open(server.research + "/preview/1")
        await page.run("document.querySelectorAll('[type=checkbox]').forEach(b => b.click())")
        await page.run("document.querySelector('button[value=agree]').click()")
        await at(page, "link")
        assert page.errors == []

    async def go():
        async with open_page() as page:
            await page.look(390, 844)
            with opened(tmp_path / "s") as store, Here(store) as server:
                await practise(page, server)
                await research(page, server)

    asyncio.run(go())


BROKEN_ONCE = """
const fetched = window.fetch; let broken = 0;
window.fetch = (path, more) => (String(path).startsWith("/media/") && broken++ === 0
  ? Promise.resolve(new Response("no sound")) : fetched(path, more));
"""


def test_a_page_that_is_loaded_again_and_a_sound_that_broke_cost_nothing(tmp_path):
    """Choice, words and time are there again; another window answers once; a sound comes anew."""
    free = Trial("t/9", (say("user", "What is heard?"),), "What is heard?")
    volume = ("volume = true", "volume = false")
    study(tmp_path / "s", [*heard(tmp_path, 1, 0.3), free], volume, languages=("en",))

    async def again(page):
        await page.run("document.body.dataset.before = 1; location.reload()")
        await page.wait_for("document.readyState === 'complete' && !document.body.dataset.before")

    async def of_choice(page, place):
        label, button = "document.querySelector('.heard').textContent", ".play"
        await page.wait_for("!document.querySelector('.play').disabled")
        await page.run(f"document.querySelector('{button}').click()")  # cannot be decoded
        await page.wait_for(f"{label}.includes('cannot be loaded')")
        await page.run(f"document.querySelector('{button}').click()")  # is fetched again
        await page.wait_for(f"{label} === ''")
        await hear_all(page)
        await page.run("document.querySelectorAll('.choices input')[2].click()")
        await asyncio.sleep(1.5)
        await again(page)
        await page.wait_for("Number(document.querySelector('.player').dataset.heard) > 0")
        assert await page.run("document.querySelectorAll('.choices input')[2].checked")

    async def of_text(page, place):
        await page.run("document.querySelector('textarea').value = 'a third\\nfalls'")
        await asyncio.sleep(1.5)
        await again(page)
        assert await page.run("document.querySelector('textarea').value") == "a third\nfalls"

    async def go():
        async with open_page() as page, open_page() as other:
            await page.look(390, 844)
            with opened(tmp_path / "s") as store, Here(store) as server:
                person = Person.of(store)
                await page.call("Page.addScriptToEvaluateOnNewDocument", source=BROKEN_ONCE)
                person.begin()
                await page.open(server.address + person.link)
                await other.open(server.address + person.link)
                for n in range(2):
                    await at(page, "question")
                    place = await place_of(page)
                    text = await page.run("document.querySelector('textarea') !== null")
                    await (of_text if text else of_choice)(page, place)
                    if n == 0:  # the other window has the same question before it
                        assert await place_of(other) == place
                    await page.run("document.querySelector('#answer .acts button').click()")
                    await next_question(page, place)
                await at(page, "end")
                await other.run(
                    "document.querySelector('textarea, .choices input').click();"
                    "document.querySelectorAll('.player').forEach(b => { b.dataset.heard = 1; });"
                    "document.querySelectorAll('textarea').forEach(t => { t.value = 'late'; });"
                    "document.querySelector('#answer .acts button').click()"
                )
                await at(other, "end")
                return list(rows(store))

    found = {row.item: row for row in asyncio.run(go())}
    assert found["t/9"].text.split() == ["a", "third", "falls"]
    assert found["t/1"].keys == [found["t/1"].order[2]]
    assert all(1.5 <= row.active_s < 30 for row in found.values())
    assert 1.5 <= found["t/1"].after_s < found["t/1"].active_s


def test_the_researcher_edits_the_whole_study_in_the_browser(tmp_path):
    """From the token to the form, a field that does not fit, the preview, and the fixed form."""
    script = axe()
    study(tmp_path / "s", heard(tmp_path, 4, 0.3))

    async def seen(page, server):
        for language in ("en", "zh"):
            await page.call("Network.setExtraHTTPHeaders", headers={"accept-language": language})
            for width, dark in ((390, True), (1100, False), (1100, True)):
                await page.look(width, 900, dark=dark)
                await page.open(server.research + "/design")
                await at(page, "design")
                await wide(page)
                await audited(page, script)

    async def go(store, server):
        async with open_page() as page:
            await page.look(390, 844)
            await page.open(server.research)
            await page.run(
                "document.getElementById('token').value = 'token-t';"
                "document.querySelector('button').click()"
            )
            await at(page, "design")  # nobody has taken part: that is where to begin
            await seen(page, server)
            await page.call("Network.setExtraHTTPHeaders", headers={"accept-language": "en"})
            fill = "document.getElementById({}).value = {};"
            await page.run(
                fill.format("'exclude.gold_right'", "'5'") + fill.format("'texts.en.title'", "'X'")
            )
            await page.run("document.querySelector('.save button').click()")
            await page.wait_for("document.querySelector('[aria-invalid]') !== null")
            await wide(page)
            await audited(page, script)
            told = "document.getElementById('wrong-exclude.gold_right').textContent"
            assert "from 0 to 1" in await page.run(told)
            assert store.declared.exclude.gold_right is None
            gold = fill.format("'items.gold'", "'2'")  # else the rule could set nobody aside
            await page.run(fill.format("'exclude.gold_right'", "'0.5'") + gold)
            await page.run("document.querySelector('[name=then]').click()")
            await page.wait_for("document.body?.dataset.preview !== undefined")
            assert await page.run("document.querySelector('h1').textContent") == "X"
            assert store.declared.exclude.gold_right == 0.5
            person = Person.of(store)
            person.begin()
            await seen(page, server)
            page.errors.clear()  # the answer 422 was wanted
            assert await page.run("document.getElementById('idle_s').matches(':disabled')")
            assert not await page.run("document.getElementById('texts.en.title').disabled")

    with opened(tmp_path / "s") as store, Here(store) as server:
        asyncio.run(go(store, server))
