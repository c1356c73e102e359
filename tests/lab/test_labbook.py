"""The lab book: what it shows, who may ask, what notes survive."""

import asyncio
import contextlib
import json
import re
import subprocess
import threading
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from multiprocessing import get_context

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer

import warm
from browser import find_chromium, open_page
from page_tree import Tree, marks_stand_at_their_figures
from report_help import HOSTILE, answered, choice, write_run
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import RECORDS, read_manifest
from zhiyin.engine.log import RunFolder
from zhiyin.errors import InputError
from zhiyin.plugins.lab.labbook import NOTES, Notebook
from zhiyin.plugins.lab.labbook.run_list import ListedRun, RunFacts, RunList
from zhiyin.plugins.lab.labbook.server import LabBook
from zhiyin.record import Verdict
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.shown.dots import picture

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def root(tmp_path):
    root = tmp_path / "runs"
    root.mkdir()
    for name, shift in (("one", 0), ("two", 1), ("three", 2)):
        records = [answered(choice(n), "ABCD"[(n + shift * (n % 3)) % 4]) for n in range(24)]
        write_run(root / name, f"model-{name}", records)
    return root


def visit(root, *requests, host="127.0.0.1"):
    """Status, headers and text of some requests to one server; a callable makes the next one."""

    async def go():
        book = LabBook(root, host)
        answers = []
        async with TestClient(TestServer(book.application())) as client:
            for request in requests:
                method, path, options = request(book, answers) if callable(request) else request
                answer = await client.request(method, path, allow_redirects=False, **options)
                answers.append((answer.status, answer.headers, await answer.text()))
        return answers

    return asyncio.run(go())


def get(path, **headers):
    return "GET", path, {"headers": headers}


def key(root, name):
    return RunList(root).key((root / name).resolve())


def write(root, kind, text, trial="", run="one", token=None, **headers):
    def make(book, _):
        held = book.token if token is None else token
        form = {"run": key(root, run), "kind": kind, "text": text, "trial": trial, "token": held}
        return "POST", "/notes", {"data": form, "headers": headers}

    return make


def test_the_list_has_every_run_with_the_figures_of_show(root):
    ((status, headers, text),) = visit(root, get("/"))
    assert status == 200
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    for name in ("one", "two", "three"):
        whole = summarise(root / name).groups["all"]
        low, high = whole.ci95
        assert f"{100 * whole.accuracy:.1f} % ({100 * low:.1f}–{100 * high:.1f})" in text
        assert f"model-{name}" in text


def test_one_run_is_counted_as_one(tmp_path):
    records = [answered(choice(n), "A") for n in range(4)]
    (tmp_path / "runs").mkdir()
    write_run(tmp_path / "runs" / "one", "model-one", records)
    pages = visit(tmp_path / "runs", get("/"), get("/history"), get("/?lang=zh"))
    for _, _, text in pages[:2]:
        assert "1 run" in text
        assert "1 runs" not in text
    assert "1 次运行" in pages[2][2]


def test_search_sort_and_filter(root):
    Notebook(root / "two").add("tag", "worth a look")
    found = visit(root, get("/?q=worth"), get("/?sort=value&order=up"),
                  get("/?sort=value&order=down"), get("/?state=part"),
                  get("/?benchmark=quiz"))  # fmt: skip
    names = [re.findall(r">(model-\w+)</a>", text) for _, _, text in found]
    assert names[0] == ["model-two"]
    assert names[1] == names[2][::-1]
    shares = {n: summarise(root / n).groups["all"].accuracy for n in ("one", "two", "three")}
    assert names[1] == [f"model-{n}" for n in sorted(shares, key=shares.get)]
    assert (names[3], len(names[4])) == ([], 3)


def test_a_run_page_has_groups_replies_and_a_search_among_them(root):
    run = f"/run/{key(root, 'one')}"
    whole, some, none = visit(root, get(run), get(f"{run}?q=rhythm/3"), get(f"{run}?marked=1"))
    assert len(re.findall(r"/reply\?id=", whole[2])) == 24
    assert re.findall(r"reply\?id=([\w%]+)", some[2]) == ["rhythm%2F3"]
    assert "reply?id=" not in none[2]
    front = overview(RunSet([root / "one"])).benchmarks[0]
    (picture,) = Tree(whole[2]).root.all("table", "dots")  # that of its report
    assert len(picture.all("tr")) == 1 + len(front.drawn.picture.rows)


def test_notes_on_a_run_and_on_a_reply_stay(root):
    trial = "pitch/4"
    answers = visit(root, write(root, "label", "first try"), write(root, "tag", "odd"),
                    write(root, "note", "Looks misread."), write(root, "note", "See C.", trial),
                    write(root, "tag", "bass", trial), get("/"),
                    get(f"/run/{key(root, 'one')}/reply?id=pitch%2F4"))  # fmt: skip
    assert [status for status, _, _ in answers[:5]] == [303] * 5
    assert "first try" in answers[5][2]
    assert "See C." in answers[6][2]
    book = Notebook(root / "one")
    assert (book.run.label, book.run.tags) == ("first try", ["odd"])
    assert [text for _, text in book.run.notes] == ["Looks misread."]
    assert book.of(trial).tags == ["bass"]
    kept = (root / "one" / NOTES).read_bytes()
    at = book.run.notes[0][0]
    visit(root, write(root, "strike", at), write(root, "untag", "odd"))
    assert (root / "one" / NOTES).read_bytes().startswith(kept)  # nothing is ever taken out
    assert (Notebook(root / "one").run.tags, Notebook(root / "one").run.notes) == ([], [])


def _scribble(folder, who):
    book = Notebook(folder)
    for number in range(25):
        book.add("note", f"{who} {number}")


def test_two_writers_lose_nothing(root):
    makers = [get_context("spawn").Process(target=_scribble, args=(root / "one", w)) for w in "ab"]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join(60)
    book = Notebook(root / "one")
    assert sorted(t for _, t in book.run.notes) == sorted(
        f"{w} {n}" for w in "ab" for n in range(25)
    )
    assert book.damaged == 0


def test_a_torn_line_costs_no_other(root):
    book = Notebook(root / "one")
    book.add("note", "before")
    with (root / "one" / NOTES).open("ab") as file:
        file.write(b'{"kind":"note","te')
    Notebook(root / "one").add("note", "after")
    read = Notebook(root / "one")
    assert ([text for _, text in read.run.notes], read.damaged) == (["before", "after"], 1)


@pytest.mark.parametrize("kind", ["note", "tag"])
def test_nothing_and_too_much_are_refused(root, kind):
    with pytest.raises(InputError, match="nothing is written"):
        Notebook(root / "one").add(kind, "  ")
    with pytest.raises(InputError, match="at most"):
        Notebook(root / "one").add(kind, "x" * 10_001)


def test_only_our_own_forms_change_notes(root):
    token = {"token": "guessed"}
    for request in (
        write(root, "note", "evil", **token),
        write(root, "note", "evil", token=""),
        write(root, "note", "evil", Origin="http://evil.example"),
        write(root, "note", "evil", **{"Sec-Fetch-Site": "cross-site"}),
        write(root, "note", "evil", Host="evil.example"),
    ):
        assert visit(root, request)[0][0] == 403
    assert not (root / "one" / NOTES).exists()
    assert visit(root, write(root, "shout", "x"))[0][0] == 400
    assert visit(root, write(root, "note", "x", "no such trial"))[0][0] == 404


@pytest.mark.parametrize(
    "path",
    ["/run/..%2F..", "/run/one", "/run/%2Fetc%2Fpasswd", "/assets/..%2Fserver.py",
     "/assets/server.py", "/run/0000000000000000", "/report?run=..%2F..", "/nothing"],
)  # fmt: skip
def test_no_path_leaves_the_folder(root, path):
    ((status, headers, text),) = visit(root, get(path))
    assert status == 404
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "import" not in text


def test_strangers_are_refused(root):
    for headers in ({"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"},
                    {"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "cross-site"}):  # fmt: skip
        assert visit(root, get("/history", **headers))[0][0] == 403


def test_an_address_that_others_reach_needs_the_token(root):
    def with_token(book, _):
        return "GET", f"/?token={book.token}", {}

    run = f"/run/{key(root, 'one')}"
    bare, wrong, right, after, report = visit(
        root, get("/"), get("/?token=x"), with_token, get(run), get(f"{run}/report"), host="0.0.0.0"
    )
    assert (bare[0], wrong[0], right[0], after[0]) == (403, 403, 200, 200)
    assert report[0] == 403  # its page knows no token
    assert visit(root, get(f"{run}/report"))[0][0] == 303
    assert "HttpOnly" in right[1]["Set-Cookie"]
    assert "SameSite=Strict" in right[1]["Set-Cookie"]


class Seen(HTMLParser):
    """The elements of a page; `bare` are fields without a label."""

    def __init__(self, text):
        super().__init__()
        self.names, self.bare, self.within, self.attributes = [], [], 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        held = dict(attrs)
        self.attributes += list(held)
        self.within += tag == "label"
        field = tag in ("input", "select", "textarea") and held.get("type") != "hidden"
        if field and not self.within and "aria-label" not in held:
            self.bare.append(held)

    def handle_endtag(self, tag):
        self.within -= tag == "label"


def test_hostile_words_stay_words(tmp_path):
    root = tmp_path / "runs"
    root.mkdir()
    for name, words in HOSTILE.items():
        trial = choice(1, words[:2000])
        run = write_run(root / name, words[:60].replace("\0", ""), [answered(trial, "A", words)])
        Notebook(run).add("tag", HOSTILE["script"])
        Notebook(run).add("note", HOSTILE["closing"], trial.id)
    keys = {name: key(root, name) for name in HOSTILE}
    paths = ["/", "/history", f"/?q={HOSTILE['closing'][:20]}".replace(" ", "+")]
    paths += [f"/run/{k}" for k in keys.values()]
    paths += [f"/run/{k}/reply?id=rhythm%2F1" for k in keys.values()]
    paths += [f"/compare?run={keys['script']}&run={keys['arabic']}"]
    for path, (status, _, text) in zip(paths, visit(root, *map(get, paths)), strict=True):
        seen = Seen(text)
        assert status == 200, path
        assert "img" not in seen.names
        assert not [a for a in seen.attributes if a.startswith("on") or a == "style"]
        assert all("/assets/again.js" in s for s in re.findall(r"<script[^>]*>", text))
        assert not re.search("[\x00\x1b\u202a-\u202e]", text)


def test_every_field_has_a_label_and_every_page_a_language_and_a_heading(root):
    run = key(root, "one")
    Notebook(root / "one").add("tag", "x")
    paths = ["/", "/history", f"/run/{run}", f"/run/{run}/reply?id=pitch%2F0",
             f"/compare?run={run}&run={key(root, 'two')}"]  # fmt: skip
    for _, _, text in visit(root, *map(get, paths)):
        seen = Seen(text)
        assert seen.bare == []
        assert seen.names.count("h1") == seen.names.count("main") == 1
        assert '<html lang="en">' in text
        assert seen.names.count("caption") == seen.names.count("table")


def test_two_runs_are_compared_as_compare_does(root):
    from zhiyin.analysis.compare import compare

    pair = f"run={key(root, 'one')}&run={key(root, 'two')}"
    ((_, _, text), (few, _, _)) = visit(
        root, get(f"/compare?{pair}"), get(f"/compare?run={key(root, 'one')}")
    )
    row = compare([root / "one", root / "two"]).pairs[0].groups[0]
    assert f"{100 * row.difference:+.1f}" in text
    assert 0 < text.index("On the ") < text.index("Side by side in the report")
    front = overview(RunSet([root / "one", root / "two"])).benchmarks[0]
    (picture,) = Tree(text).root.all("table", "dots")
    assert len(picture.all("tr")) == 1 + len(front.drawn.picture.rows)
    assert f"{100 * row.low:.1f} to {100 * row.high:.1f}" in text
    assert few == 422


def test_history_puts_runs_of_one_suite_side_by_side(root):
    ((_, _, text),) = visit(root, get("/history"))
    assert text.count("<h2>") == 1
    (picture,) = Tree(text).root.all("table", "dots")
    assert marks_stand_at_their_figures(picture) == 3
    assert len(picture.all("line", "whisker")) == 3
    assert text.count('type="checkbox" name="run"') == 3


def test_a_default_that_is_typed_makes_no_second_history(tmp_path):
    from zhiyin.plugins.lab.labbook.pages import histories

    records = [answered(choice(n), "A") for n in range(4)]
    for name, shots in (("a", None), ("b", "0"), ("c", "5")):
        write_run(tmp_path / "runs" / name, "m", records)
        kept = json.loads((tmp_path / "runs" / name / "run.json").read_text())
        kept["benchmark"], kept["config"]["options"]["shots"] = "ziqi", shots
        (tmp_path / "runs" / name / "run.json").write_text(json.dumps(kept))
    told = {
        str(one.title): len(one.runs) for one in histories(RunList(tmp_path / "runs").runs(None))
    }
    assert told == {"ziqi: zero-shot": 2, "ziqi: 5 shots": 1}


def listed(name, started, share=0.5, **more):
    facts = RunFacts(states={"correct": 10}, n=10, value=share, low=share - 0.1, high=share)
    return ListedRun(name + started, name, "quiz", name, name, started=started, facts=facts, **more)


def test_history_has_a_mark_a_model_and_a_row_a_time_of_one_protocol():
    from zhiyin.plugins.lab.labbook.pages import claim_of, histories, picture_of

    first, last = "2026-09-01T00:00:00+00:00", "2026-10-01T00:00:00+00:00"
    long = "lab/tune-7b-sft/checkpoint-"
    runs = [
        listed(f"{long}1", first, 0.4), listed(f"{long}1", last), listed(f"{long}2", last),
        listed("random", first, 0.25, blind=True), listed("other", last, settings={"shots": 5}),
        listed("half", last, planned=99),
    ]  # fmt: skip
    five, zero = sorted(histories(runs), key=lambda one: len(one.runs))
    assert (str(zero.title), str(five.title)) == ("quiz: zero-shot", "quiz: 5 shots")
    assert "half" in [run.model for run in zero.runs]  # in the table, and not in the picture
    drawn = picture_of(zero)
    assert [name for _, name in drawn.names] == [f"{long}1", f"{long}2", "random"]
    values = [[dot and dot.value for dot in row.dots] for row in drawn.rows]
    assert [row.name for row in drawn.rows] == ["2026-09-01", "2026-10-01"]
    assert values == [[0.4, None, 0.25], [0.5, 0.5, None]]
    shown = Tree(str(picture(drawn, "en", "one"))).root
    assert marks_stand_at_their_figures(shown.all("table", "dots")[0]) == 4
    (down, up) = shown.all("line", "joint")  # from the first mark of a model to its next
    assert down.attributes["x2"] == up.attributes["x2"]
    assert str(claim_of(drawn)) == f"{long}1 went from 40.0 to 50.0 % since 2026-09-01"
    runs.append(listed(f"{long}1", "2026-09-15T00:00:00+00:00", 0.2))
    dipped = claim_of(picture_of(next(one for one in histories(runs) if len(one.runs) > 2)))
    assert str(dipped).endswith("since 2026-09-01, and lay between 20.0 and 50.0 in the meantime")
    assert picture_of(five) is None


def test_names_that_begin_alike_are_cut_in_a_history():
    from zhiyin.plugins.lab.labbook.pages import histories, picture_of

    names = [f"lab/tune-7b-sft/checkpoint-{n}" for n in (1, 2)]
    (own,) = histories([listed(name, f"2026-09-0{n}T00:00:00+00:00")
                        for n, name in enumerate(names, 1)])  # fmt: skip
    drawn = picture_of(own)
    assert [name for _, name in drawn.names] == ["1", "2"]
    assert "lab/tune-7b-sft/checkpoint-" in str(drawn.notes[-1])


@pytest.mark.parametrize(("days", "times", "first"), [
    (1, 3, "2026-03-09 14:23"), (0.5, 1, "2026-03-09 14:23"), (0.1, 12, "2026-03-09"),
    (1, 12, "2026-03-09"),
    (7, 12, "2026-W11"), (30, 12, "2026-03"), (300, 12, "2026"),
])  # fmt: skip
def test_rows_of_a_history_are_few_whatever_time_it_spans(days, times, first):
    from zhiyin.plugins.lab.labbook.pages import histories, picture_of

    begun, step = datetime(2026, 3, 9, 14, 23, 5, tzinfo=UTC), timedelta(days=days)
    starts = [begun + step * (n + part) for n in range(times) for part in (0, 0.25)]
    own = [listed(f"m{n % 3}", at.isoformat()) for n, at in enumerate(starts)]
    (history,) = histories(own)
    rows = [str(row.name) for row in picture_of(history).rows]
    assert 1 <= len(rows) <= 12
    assert rows == sorted(set(rows))
    assert rows[0] == first


def test_two_checkpoints_of_one_name_are_distinguished_by_their_folders(tmp_path):
    root = tmp_path / "runs"
    root.mkdir()
    for name in ("a", "b"):
        model = f"http://h/v1#ckpts/tune-{name}/last"
        write_run(root / name, model, [answered(choice(1), "A")])
    assert {run.called for run in RunList(root).runs(None)} == {"tune-a/last", "tune-b/last"}


def test_a_run_under_way_shows_progress_and_ends(root):
    log = RunFolder(root / "one", read_manifest(root / "one"))
    (last,) = log.manifest.sessions
    log.manifest.planned = 48
    log.manifest.sessions = [msgspec.structs.replace(last, ended=None, asked=0)]
    log.write_manifest()
    ((_, _, listed), (_, _, page)) = visit(root, get("/"), get(f"/run/{key(root, 'one')}"))
    assert "going: 24 of 48" in listed
    assert "24 of 48" in listed
    assert "left" in listed
    assert 'value="24"' in page
    assert "again.js" in page
    log.close()
    assert "going: " not in visit(root, get("/"))[0][2]


def test_what_has_changed_is_counted_again_and_the_rest_is_kept(root, monkeypatch):
    shelf = RunList(root)
    before = {run.place: run.facts for run in shelf.runs(None)}
    with (root / "one" / RECORDS).open("ab") as log:
        log.write(msgspec.json.encode(answered(choice(99), "B")) + b"\n")
    counted = []
    from zhiyin.plugins.lab.labbook import run_list as module

    real = module.count
    monkeypatch.setattr(module, "count", lambda f: counted.append(f.name) or real(f))
    after = {run.place: run.facts for run in RunList(root).runs(None)}
    assert counted == ["one"]
    assert after["one"].n == before["one"].n + 1
    assert after["two"] == before["two"]


def test_a_damaged_run_is_told_and_the_others_are_there(root):
    (root / "two" / "run.json").write_text("{")
    (root / "three" / RECORDS).write_text("nonsense\n")
    ((status, _, text),) = visit(root, get("/"))
    assert status == 200
    assert text.count("unread:") == 2
    assert "model-one" in text


def test_a_run_that_is_linked_is_there_and_links_in_circles_do_no_harm(root, tmp_path):
    write_run(tmp_path / "away", "model-away", [answered(choice(1), "A")])
    (root / "linked").symlink_to(tmp_path / "away")
    (root / "one" / "circle").symlink_to(root)
    assert {run.place for run in RunList(root).runs(None)} == {"one", "two", "three", "linked"}


def test_without_time_the_list_comes_all_the_same(root):
    runs = RunList(root).runs(0.0)
    assert [run.status for run in runs] == ["counting"] * 3


def test_command_serves_a_folder(root, tmp_path):
    process = warm.Started(["view", root], stderr=subprocess.PIPE)
    timer = threading.Timer(60, process.kill)
    timer.start()
    try:
        assert process.stderr.readline().split()[1].startswith("http://127.0.0.1:")
    finally:
        timer.cancel()
        process.terminate()
        process.communicate()
    empty = tmp_path / "empty"
    empty.mkdir()
    done = warm.run(["view", empty])
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "no run in it" in done.stderr


@pytest.mark.xdist_group("chromium")
@pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one")
def test_in_a_browser_notes_are_written_and_no_page_is_wider_than_a_phone(root):
    async def go():
        server = TestServer(LabBook(root).application())
        async with TestClient(server) as client, open_page() as page:
            await page.call("Emulation.setDeviceMetricsOverride", width=390, height=800,
                            deviceScaleFactor=1, mobile=True)  # fmt: skip
            run = f"/run/{key(root, 'one')}"
            pair = f"/compare?run={key(root, 'one')}&run={key(root, 'two')}"
            for path in ("/", "/history", pair, run):
                await page.open(str(client.make_url(path)))
                await page.wait_for("!!document.querySelector('main h1')")
                wide = "document.documentElement.scrollWidth"
                assert await page.run(wide) <= 390, path
            await page.run("document.querySelector('textarea').value = 'by <b>hand</b>'")
            await page.run("document.querySelector('textarea').form.requestSubmit()")
            await page.wait_for("document.querySelector('.remark')?.textContent.includes('<b>')")
            assert page.errors == []

    asyncio.run(go())
    with contextlib.suppress(FileNotFoundError):
        assert "by <b>hand</b>" in json.loads((root / "one" / NOTES).read_bytes())["text"]


@pytest.mark.xdist_group("chromium")
@pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one")
def test_a_name_of_two_hundred_letters_leaves_the_figures_in_sight(root):
    write_run(root / "long", "L" * 200, [answered(choice(n), "A") for n in range(8)])

    async def go():
        async with (
            TestClient(TestServer(LabBook(root).application())) as client,
            open_page() as page,
        ):
            await page.look(1280, 900)
            for path in ("/", "/history"):
                await page.open(str(client.make_url(path)))
                await page.wait_for("document.querySelectorAll('td').length > 8")
                assert await page.run(
                    "[...document.querySelectorAll('td')].every("
                    "one => one.getBoundingClientRect().right <= innerWidth)"
                ), path

    asyncio.run(go())


def test_a_run_without_right_and_wrong_has_no_share(root):
    records = [answered(choice(n), None) for n in range(4)]
    for record in records:
        record.verdict = Verdict("ungraded", None)
    write_run(root / "measured", "ears", records)
    ((_, _, text),) = visit(root, get(f"/run/{key(root, 'measured')}"))
    assert "no trial is marked right or wrong; done" in text
    assert "% right of" not in text


def test_every_page_is_there_in_chinese_and_its_other_language_is_the_same_page(root):
    one, two = key(root, "one"), key(root, "two")
    paths = ("/", "/history", f"/run/{one}", f"/compare?run={one}&run={two}")
    for path in paths:
        _, (status, headers, chinese) = visit(
            root, get(path), get(f"{path}{'&' if '?' in path else '?'}lang=zh")
        )
        assert status == 200
        assert "zhiyin-language=zh" in headers["Set-Cookie"]
        assert '<html lang="zh-Hans">' in chinese
        assert "运行" in chinese
        for word in (">result<", ">judged<", ">USD<", "Runs<", "History<", "Cost and latency"):
            assert word not in chinese, (path, word)
        back = re.search(r'href="([^"]*lang=en)"', chinese)[1].replace("&amp;", "&")
        assert back == f"?{path.partition('?')[2]}{'&' if '?' in path else ''}lang=en"
    preferred = visit(root, get("/", **{"Accept-Language": "zh-CN,zh;q=0.9"}))
    assert "运行" in preferred[0][2]


def test_runs_that_cannot_be_compared_say_so_in_the_readers_language(root):
    records = [answered(choice(1, "Which?"), "A", "A")]
    write_run(root / "other", "m", records, benchmark="music-quiz")
    pair = f"run={key(root, 'one')}&run={key(root, 'other')}"
    ((_, _, english), (_, _, chinese)) = visit(
        root, get(f"/compare?{pair}"), get(f"/compare?{pair}&lang=zh")
    )
    assert "they cannot be compared: they are runs of" in english
    assert "无法比较：它们分属" in chinese


@pytest.mark.parametrize("kind", ["off", "wer", "loudness"])
def test_what_is_measured_in_any_unit_stands_in_the_list_and_over_time(kind, tmp_path):
    from measures_help import KINDS, measured_run
    from zhiyin.plugins.lab.labbook.pages import figures_of, histories, picture_of
    from zhiyin.plugins.lab.labbook.run_list import RunList, chosen

    measure, good, poor = KINDS[kind]
    for name, level in (("good", good), ("poor", poor)):
        run = measured_run(tmp_path / name, measure, level)
        manifest = json.loads((run / "run.json").read_text())
        session = {"asked": 24, "elapsed_s": 1.0, "ended": "2026-01-02T00:00:00+00:00",
                   "started": f"2026-01-0{1 + (name == 'poor')}T00:00:00+00:00"}  # fmt: skip
        (run / "run.json").write_text(json.dumps({**manifest, "sessions": [session]}))
    runs = RunList(tmp_path).runs(None)
    best = chosen(runs, {"sort": "value", "order": "down"})
    assert [run.name for run in best] == ["good", "poor"]
    assert best[0].facts.n == 24
    words = figures_of(best[0], "en")[0]
    unit = "%" if measure.unit == "share" else measure.unit
    assert re.fullmatch(rf"{kind}: [−\d.]+ {re.escape(unit)} \([−\d.]+( to |–)[−\d.]+\)", words)
    (history,) = histories(runs)
    drawn = picture_of(history)
    assert ("lower is better" in str(drawn.title)) == measure.lower_is_better
    shown = Tree(str(picture(drawn, "en", "one"))).root
    assert marks_stand_at_their_figures(shown.all("table", "dots")[0]) == 2


def test_judgements_of_a_run_are_a_part_of_it_and_no_run_of_the_list(root):
    records = [answered(choice(n), "A") for n in range(4)]
    write_run(root / "one" / "judged-x", "grader", records)
    assert len(RunList(root).runs()) == 3
