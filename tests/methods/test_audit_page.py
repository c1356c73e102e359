"""The page on which replies are marked: who may send, what leaves the server, keys in a browser."""

import asyncio
import contextlib
import re

import pytest
from aiohttp.test_utils import TestClient, TestServer

from audit_help import a_run, mark_of
from browser import find_chromium, open_page
from report_help import HOSTILE
from zhiyin.plugins.methods.audit.drawing import DrawWish, open_audit
from zhiyin.plugins.methods.audit.marks import Book
from zhiyin.plugins.methods.audit.result import MarkingPage

pytestmark = pytest.mark.slow

JSON = {"Content-Type": "application/json"}


@contextlib.asynccontextmanager
async def client(audit):
    async with TestClient(TestServer(MarkingPage(audit).application())) as found:
        yield found


@pytest.fixture
def audit(tmp_path):
    return open_audit(a_run(tmp_path / "run"), DrawWish(12))


def go(coroutine):
    return asyncio.run(coroutine)


def test_nothing_that_is_sent_tells_the_verdict_or_the_key(audit):
    async def look():
        async with client(audit) as found:
            page = await (await found.get("/")).text()
            told = await (await found.get("/data/replies.json")).json()
            assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")
            for one in told["replies"]:
                assert set(one) == {"number", "question", "options", "texts", "cut", "mark"}
            assert [one["mark"] for one in told["replies"]] == [None] * 12
            assert told["result"] == []

    go(look())


def test_a_mark_is_kept_at_once_and_whether_it_was_blind(audit):
    async def mark():
        async with client(audit) as found:
            first = await found.post("/data/mark", json={"number": 0, "mark": "B"})
            assert set(await first.json()) == {"verdict", "result"}
            await found.get("/data/verdict-1.json")
            await found.post("/data/mark", json={"number": 1, "mark": "none"})
            await found.post("/data/mark", json={"number": 0, "mark": "A"})

    go(mark())
    marks = Book(audit.folder).marked_by("person")
    first, second = (marks[one.id] for one in audit.draw.replies[:2])
    assert (first.mark, first.blind) == ("A", False)  # changed after the verdict was seen
    assert (second.mark, second.blind) == ("none", False)
    lines = (audit.folder / "audit.jsonl").read_text().splitlines()
    assert '"blind":true' in lines[1]
    assert len(lines) == 4

    async def later():
        async with client(open_audit(audit.folder, DrawWish())) as found:
            told = await (await found.get("/data/replies.json")).json()
            assert [one["mark"] for one in told["replies"][:3]] == ["A", "none", None]
            await found.post("/data/mark", json={"number": 0, "mark": "C"})

    go(later())
    assert not Book(audit.folder).marked_by("person")[audit.draw.replies[0].id].blind


@pytest.mark.parametrize(
    ("body", "status"),
    [(b'{"number": 0, "mark": "E"}', 400), (b'{"number": 99, "mark": "A"}', 404), (b"{", 400),
     (b'{"number": -1, "mark": "A"}', 404), (b'{"number": "0"}', 400)],
)  # fmt: skip
def test_what_is_no_mark_is_refused(audit, body, status):
    async def send():
        async with client(audit) as found:
            return (await found.post("/data/mark", data=body, headers=JSON)).status

    assert go(send()) == status
    assert not Book(audit.folder).marks


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {**JSON, "Origin": "http://evil.example"},
        {**JSON, "Origin": "null"},
        {**JSON, "Sec-Fetch-Site": "cross-site"},
        {**JSON, "Host": "evil.example"},
    ],
)
def test_no_other_site_can_mark(audit, headers):
    async def send():
        async with client(audit) as found:
            body = b'{"number": 0, "mark": "A"}'
            return (await found.post("/data/mark", data=body, headers=headers)).status

    assert go(send()) == 403
    assert not Book(audit.folder).marks


browser = pytest.mark.skipif(
    find_chromium() is None, reason="no chromium: `make chromium` gets one"
)


@pytest.mark.xdist_group("chromium")
@browser
def test_all_is_marked_by_keys(audit):
    async def visit():
        async with client(audit) as found, open_page() as page:
            await page.open(str(found.make_url("/")))
            await page.wait_for("!!document.querySelector('.desk')")
            text = "document.querySelector('.reply').textContent"
            seen = "document.querySelector('.verdict-of').textContent"
            for number in range(12):
                assert "Reader:" not in await page.run(seen)
                mark = mark_of(await page.run(text))
                await page.press({"none": "0"}.get(mark, mark.lower()))
                await page.wait_for(
                    f"document.getElementById('said').textContent === '{number + 1} of 12 marked'"
                )
                assert "Reader:" in await page.run(seen)
                if number < 11:
                    before = await page.run("document.querySelector('h1').textContent")
                    await page.press("Enter")
                    await page.wait_for(f"document.querySelector('h1').textContent !== '{before}'")
            result = await page.run("document.querySelector('.result').textContent")
            assert "audited: 0 of 12 misread" in result
            assert page.errors == []

    go(visit())
    assert all(mark.blind for mark in Book(audit.folder).marked_by("person").values())


@pytest.mark.xdist_group("chromium")
@browser
def test_it_is_in_chinese_where_that_is_asked_for(audit):
    async def visit():
        async with client(audit) as found, open_page() as page:
            await page.open(str(found.make_url("/?lang=zh")))
            await page.wait_for("!!document.querySelector('.desk')")
            assert await page.run("document.documentElement.lang") == "zh-Hans"
            assert await page.run("document.querySelector('h1').textContent") == (
                "第 1 个回答，共 12 个：它答的是什么？"
            )
            await page.press("0")
            await page.wait_for("document.getElementById('said').textContent === '已标记 1 / 12'")
            verdict = await page.run("document.querySelector('.verdict-of').textContent")
            assert "您：无答案" in verdict.replace(" ", "")
            words = await page.run("document.body.innerText")
            assert not re.search("Keys|Reader|marked|no answer|undefined|{", words), words
            await page.open(str(found.make_url("/")))  # what was chosen stays
            await page.wait_for("document.documentElement?.lang === 'zh-Hans'")
            assert page.errors == []

    go(visit())


@pytest.mark.xdist_group("chromium")
@browser
def test_hostile_replies_stay_words_and_fit_a_phone(tmp_path):
    texts = [text for name, text in HOSTILE.items() if name != "huge"] + ["x" * 3000]
    audit = open_audit(a_run(tmp_path / "run", 6, lambda n: texts[n]), DrawWish())

    async def visit():
        async with client(audit) as found, open_page() as page:
            await page.look(390, 844)
            await page.open(str(found.make_url("/")))
            await page.wait_for("!!document.querySelector('.desk')")
            for place in range(6):
                await page.run(f"document.querySelectorAll('.dots button')[{place}].click()")
                await page.wait_for(
                    f"document.querySelector('h1').textContent.startsWith('Reply {place + 1} ')"
                )
                assert await page.run("document.documentElement.scrollWidth") <= 390
                await page.press("b")
                await page.wait_for(
                    f"document.getElementById('said').textContent === '{place + 1} of 6 marked'"
                )
            assert await page.run("document.title") == "Zhiyin: audit"
            assert page.errors == []

    go(visit())
