"""The server of `zhiyin view`: what it answers, whom it refuses, how it follows a run."""

import asyncio
import contextlib
import json
import subprocess
import threading
import urllib.request

import msgspec
import pytest
from aiohttp.test_utils import TestClient, TestServer
from test_log_promises import started

import warm
from browser import find_chromium, open_page
from report_help import abc_trial, answered, choice, two_runs, write_run
from zhiyin.engine.folder import RECORDS, read_manifest
from zhiyin.engine.log import RunFolder
from zhiyin.plugins.lab.viewer import Viewer
from zhiyin.trial import Trial, say

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))


@contextlib.asynccontextmanager
async def client(*runs):
    async with TestClient(TestServer(Viewer(list(runs)).application())) as found:
        yield found


def ask(runs, path, **headers):
    """Status, headers and body of one request."""

    async def go():
        async with client(*runs) as found:
            if path.startswith(("/audio/", "/notation/")):
                await (await found.get("/data/trials-0.json")).read()
            answer = await found.get(path, headers=headers)
            return answer.status, answer.headers, await answer.read()

    return asyncio.run(go())


@pytest.fixture
def runs(tmp_path):
    return two_runs(tmp_path, trials=12)


def sha(runs):
    return next(iter(Viewer(runs).run_set.sounds))


def test_every_answer_is_strict(runs):
    for path in ("/", "/assets/main.js", "/data/report.json", "/nothing"):
        _, headers, _ = ask(runs, path)
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8000", 200),
        ("localhost:8000", 200),
        ("[::1]:8000", 200),
        ("evil.example:8000", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("", 403),
    ],
)
def test_a_name_that_points_here_is_refused(runs, host, status):
    assert ask(runs, "/data/report.json", Host=host)[0] == status


def test_another_site_is_refused(runs):
    for site in ("cross-site", "same-site"):
        assert ask(runs, "/data/report.json", **{"Sec-Fetch-Site": site})[0] == 403
    assert ask(runs, "/data/report.json", **{"Sec-Fetch-Site": "same-origin"})[0] == 200


def test_sound_is_given_by_its_hash_alone(runs, tmp_path):
    status, headers, body = ask(runs, f"/audio/{sha(runs)}")
    assert (status, headers["Content-Type"]) == (200, "audio/wav")
    assert body == (tmp_path / "secret-answer.wav").read_bytes()
    for path in ("secret-answer.wav", "..%2Fsecret-answer.wav", "%2Fetc%2Fpasswd", "0" * 64):
        assert ask(runs, f"/audio/{path}")[0] == 404
    for path in ("/assets/..%2F..%2Fwriting.py", "/assets/index.html", "/data/..%2Frun.json",
                 "/notation/..%2Fx.svg"):  # fmt: skip
        assert ask(runs, path)[0] == 404


def test_sound_that_has_changed_is_not_given(runs, tmp_path):
    name = sha(runs)
    (tmp_path / "secret-answer.wav").write_bytes(b"RIFF, but something else")
    assert ask(runs, f"/audio/{name}")[0] == 404


def test_ranges_of_sound(runs, tmp_path):
    whole = (tmp_path / "secret-answer.wav").read_bytes()
    status, headers, body = ask(runs, f"/audio/{sha(runs)}", Range="bytes=100-199")
    assert (status, body) == (206, whole[100:200])
    assert headers["Content-Range"] == f"bytes 100-199/{len(whole)}"
    assert ask(runs, f"/audio/{sha(runs)}", Range="bytes=99999999-")[0] == 416


def test_no_answer_names_a_file_of_this_machine(runs, tmp_path):
    for path in ("/data/report.json", "/data/trials.json", "/data/trials-0.json"):
        _, _, body = ask(runs, path)
        assert b"secret-answer" not in body
        assert str(tmp_path).encode() not in body


def test_a_run_that_goes_on_is_followed(runs):
    async def go():
        async with client(*runs) as found:

            async def get(name):
                return await (await found.get(f"/data/{name}.json")).json()

            before = (await get("state"))["version"]
            assert len((await get("trials"))["ids"]) == 12
            assert (await get("state"))["version"] == before
            with (runs[0] / RECORDS).open("ab") as log:
                log.write(msgspec.json.encode(answered(choice(99), "B")) + b"\n")
            assert (await get("state"))["version"] == before + 1
            assert (await get("trials"))["ids"][-1] == "rhythm/99"
            assert len((await get("trials"))["ids"]) == 13
            assert [d["id"] for d in await get("trials-0")][-1] == "rhythm/99"

    asyncio.run(go())


def test_a_tune_is_engraved_when_it_is_asked_for(tmp_path):
    pytest.importorskip("verovio", reason="verovio is not installed (extra: notation)")
    run = write_run(tmp_path / "run", "m", [answered(abc_trial(), "A")])

    async def go():
        async with client(run) as found:
            (detail,) = await (await found.get("/data/trials-0.json")).json()
            answer = await found.get(f"/notation/{detail['notation'][0][1]}.svg")
            assert answer.content_type == "image/svg+xml"
            assert b"<svg" in await answer.read()

    asyncio.run(go())


@pytest.mark.xdist_group("chromium")
@pytest.mark.skipif(find_chromium() is None, reason="no chromium: `make chromium` gets one")
def test_the_page_follows_and_plays(runs):
    async def go():
        async with client(*runs) as found, open_page() as page:
            await page.open(str(found.make_url("/")))
            await page.wait_for("document.querySelectorAll('.row').length > 0")
            await page.run("document.querySelector('.row').click()")
            await page.wait_for("!!document.querySelector('.player')")
            await page.run("document.querySelector('.play').click()")
            await page.wait_for("document.querySelector('audio').currentTime > 0.2")
            await asyncio.sleep(2.2)  # the page has asked once for the state
            with (runs[0] / RECORDS).open("ab") as log:
                log.write(msgspec.json.encode(answered(choice(99), "B")) + b"\n")
            await page.wait_for("document.querySelector('.said').textContent === '13 of 13 trials'")
            # The trial that was being read is still there.
            read = await page.run("document.querySelector('.detail h3').textContent")
            assert read == "Question 0?"
            assert page.errors == []

    asyncio.run(go())


def test_command_listens_on_this_machine_only(runs):
    process = warm.Started(["view", *runs], stderr=subprocess.PIPE)
    timer = threading.Timer(30, process.kill)
    timer.start()
    try:
        said = process.stderr.readline()
        address = said.split()[1]
        assert address.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(address, timeout=10) as answer:
            assert "知音" in answer.read().decode()
    finally:
        timer.cancel()
        process.terminate()
        process.communicate()


def test_bad_input_is_one_line(tmp_path):
    for arguments in ([str(tmp_path)], [str(tmp_path), "--port", "99999"]):
        done = warm.run(["view", *arguments])
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


def test_a_run_goes_on_until_it_ends_or_is_killed(tmp_path):
    """During the first session already, and not for ever when nobody could say that it ended."""
    process = started(tmp_path)
    viewer = Viewer([tmp_path / "run"])

    def running():
        changed = msgspec.json.decode(viewer._answer("state", None))["version"]
        return changed, msgspec.json.decode(viewer._answer("report", None))["runs"][0]["running"]

    try:
        first, goes_on = running()
        assert goes_on
    finally:
        process.kill()
        process.communicate()
    last, goes_on = running()
    assert last > first
    assert not goes_on


def test_the_end_of_a_run_is_seen_without_a_further_record(tmp_path, runs):
    log = RunFolder(runs[0], read_manifest(runs[0]))
    viewer = Viewer(runs)
    assert [run.running for run in viewer.run_set.runs] == [True, False]
    log.close()
    assert viewer.run_set.catch_up()
    assert [run.running for run in viewer.run_set.runs] == [False, False]
    assert not viewer.run_set.catch_up()


def test_pictures_are_given_by_their_hash_and_only_as_they_were(tmp_path):
    from PIL import Image as Pillow

    from zhiyin.picture import image_part

    Pillow.linear_gradient("L").save(tmp_path / "secret.png")
    shown = image_part(tmp_path / "secret.png")
    trial = Trial("p1", (say("user", "Which key?", shown),), "Which key?", target="C")
    runs = [write_run(tmp_path / "pictures", "m", [answered(trial, "C")])]
    status, headers, body = ask(runs, f"/pictures/{shown.sha256}")
    assert (status, headers["Content-Type"]) == (200, "image/png")
    assert body == (tmp_path / "secret.png").read_bytes()
    (detail,) = json.loads(ask(runs, "/data/trials-0.json")[2])
    assert detail["pictures"][shown.sha256]["width"] == 256
    assert "secret" not in json.dumps(detail)
    for path in ("secret.png", "..%2Fsecret.png", "0" * 64):
        assert ask(runs, f"/pictures/{path}")[0] == 404
    (tmp_path / "secret.png").write_bytes(b"<svg onload='x'/>")
    assert ask(runs, f"/pictures/{shown.sha256}")[0] == 404
