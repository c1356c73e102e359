"""What people on the net try: each entry of the list is refused, and nothing is told."""

import contextlib
import io
import json
import re
import socket
import time
from urllib.parse import quote

import pytest
import soundfile

from study_help import (
    Browser,
    Person,
    Server,
    choice,
    heard,
    opened,
    served,
    sounds_to_rate,
    study,
    trials,
)  # fmt: skip
from zhiyin.plugins.studies import people
from zhiyin.plugins.studies.app import Site
from zhiyin.plugins.studies.backup import back_up, restore
from zhiyin.plugins.studies.research import ResearchSite
from zhiyin.plugins.studies.results import figures, rows
from zhiyin.plugins.studies.store import StudyStore

VOLUME = ("volume = true", "volume = false")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    study(folder / "s", heard(folder, 4, 0.3), VOLUME, ("least = 1\n", "least = 0\n"))
    with opened(folder / "s") as store:
        yield store


@pytest.fixture
def person(store):
    person = Person.of(store)
    person.begin()
    person.look()
    return person


def test_pages_hold_no_key_no_file_name_and_no_right_answer(store, person):
    page = person.look()
    for secret in ("K1", "K2", "K3", "K4", "secret-", "t/1", "t/2", ".flac", "expected", "target"):
        assert secret not in page
    files = [medium.file for item in store.items.values() for medium in item.media]
    assert not any(name.partition(".")[0] in page for name in files)
    name = re.search(r"/media/(\w+)", page)[1]
    told = person.client.get(f"/media/{name}")
    assert told.status_code == 200
    assert "secret" not in str(told.headers)
    assert "content-disposition" not in told.headers


def test_sound_is_for_the_person_before_whom_it_is(store, person):
    page = person.look()
    name = re.search(r"/media/(\w+)", page)[1]
    other = Person.of(store)
    assert other.client.get(f"/media/{name}").status_code == 403  # nobody
    other.begin()
    assert other.client.get(f"/media/{name}").status_code == 404  # somebody else
    person.answer(chosen=[0], listens=[0])
    assert person.client.get(f"/media/{name}").status_code == 404  # no longer before them
    file = next(iter(store.items.values())).media[0].file
    assert person.client.get(f"/media/{file}").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/media/../answers.sqlite", "/media/..%2fanswers.sqlite", "/static/../../study.toml",
        "/static/..%2f..%2f..%2fstudy.toml", "/static/%2e%2e/base.html", "/media/%00",
        "/study.toml", "/answers.sqlite", "/secret.key", "/items.jsonl", "/docs",
        "/openapi.json", "/figures.json", "/static//etc/passwd", "/check/..%2fvolume",
        "/s/", "/s/../go/x",
    ],
)  # fmt: skip
def test_paths_lead_nowhere(person, path):
    got = person.client.get(path)
    assert got.status_code in (400, 404, 405)
    assert "SQLite format" not in got.text
    assert "format = 1" not in got.text


def test_answers_of_others_cannot_be_written_or_read(store, person):
    other = Person.of(store)
    other.begin()
    other.look()
    mine = person.place
    person.place = other.place
    assert person.answer(chosen=[0], listens=[0]).status_code == 422
    person.place = mine
    assert not [row for row in rows(store) if row.position == int(other.place)]
    page = person.client.get("/go").text
    assert other.link.rpartition("/")[2] not in page


@pytest.mark.slow
def test_forms_of_other_sites_are_refused(store, person):
    for headers in (
        {"x-form": "0" * 64},
        {},
        {"x-form": person.form, "sec-fetch-site": "cross-site"},
    ):
        body = {"place": int(person.place), "chosen": [0], "listens": [0]}
        assert person.client.post("/answer", json=body, headers=headers).status_code == 403
    assert person.client.post("/withdraw", data={"form": "0" * 64}).status_code == 403
    assert person.client.post("/withdraw", data={}).status_code == 415
    assert person.client.post("/step/about", data={"form": "x"}).status_code == 403
    fresh = Person.of(store).client
    assert fresh.post("/consent", data={"answer": "agree"}).status_code == 403
    # Another person's form is no good with one's own cookie.
    other = Person.of(store)
    other.begin()
    other.look()
    got = person.client.post("/withdraw", data={"form": other.form})
    assert got.status_code == 403


@pytest.mark.slow
def test_a_session_is_never_taken_from_outside(store):
    person = Person.of(store)
    person.client.cookies.set("study", "chosen-by-an-attacker")
    person.begin()
    tokens = [cookie.value for cookie in person.client.cookies.jar if cookie.name == "study"]
    assert any(len(token) == 43 for token in tokens)
    attacker = Person.of(store)
    attacker.client.cookies.set("study", "chosen-by-an-attacker")
    assert attacker.client.get("/go").status_code == 403
    # A link opens a new session each time.
    again = Person.of(store)
    answer = again.client.get(person.link, follow_redirects=False)
    assert answer.status_code == 303
    assert not any(token in answer.headers["set-cookie"] for token in tokens)
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=lax" in answer.headers["set-cookie"]


def test_behind_https_cookies_are_for_https_alone(store):
    person = Person.of(store, secure=True)
    got = person.client.get("https://testserver/")
    assert "Secure" in got.headers["set-cookie"]


def test_tokens_are_kept_as_hashes(store, person):
    token = person.link.rpartition("/")[2].encode()
    session = next(c.value for c in person.client.cookies.jar if c.name == "study").encode()
    for path in store.folder.glob("answers.sqlite*"):
        data = path.read_bytes()
        assert token not in data
        assert session not in data
    assert (store.folder / "secret.key").stat().st_mode & 0o77 == 0


NASTY = ["' OR 1=1 --", "\"; DROP TABLE answers; --",
         "<script>alert(1)</script>", "{{7*7}}", "\x00",
         "${jndi:ldap://x}", "../../etc/passwd", "%s%n", "a" * 20_000]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", NASTY)
def test_what_is_sent_is_never_carried_out(store, words):
    client = Person.of(store).client
    page = client.get("/", params={"PROLIFIC_PID": words, "language": words})
    assert page.status_code == 200
    assert "<script>alert" not in page.text
    assert ">49<" not in page.text
    person = Person.of(store)
    person.begin()
    for place in (words, [words], {"x": words}, -1, 2**70, None, 1.5):
        body = {"place": place, "chosen": [0]}
        got = person.client.post("/answer", json=body, headers={"x-form": _form(person)})
        assert got.status_code in (400, 422)
    assert person.client.get(f"/s/{quote(words[:200])}").status_code in (400, 404)


def _form(person):
    person.look()
    return person.form


@pytest.mark.slow
def test_neither_size_nor_bytes_nor_headers_tell_the_reference_or_the_anchor(tmp_path):
    study(tmp_path / "s", sounds_to_rate(tmp_path), VOLUME, kind="rate")
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        names = re.findall(r'"/media/(\w+)"', person.look())
        answers = [person.client.get(f"/media/{name}") for name in names]
        assert len(answers) == 4
        assert len({len(got.content) for got in answers}) == 1
        assert len({got.content for got in answers}) == 4
        for got in answers:
            assert not {"etag", "last-modified"} & {name.lower() for name in got.headers}
            assert len(soundfile.read(io.BytesIO(got.content))[0]) == 5 * 3200


@pytest.mark.slow
def test_what_is_pressed_twice_happens_once(tmp_path):
    asked = (
        "tries = 2\n",
        "tries = 2\n[[checks.comprehension]]\nright = 2\ntext = { en = 'What?', zh = '?' }\n"
        "options = { en = ['x', 'y'], zh = ['x', 'y'] }\n",
    )
    study(tmp_path / "s", trials(2), VOLUME, asked)
    with opened(tmp_path / "s") as store:
        for query in ("", "?PROLIFIC_PID=someone"):
            client = Person.of(store).client
            page = client.get("/" + query).text
            hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
            ticks = dict.fromkeys(re.findall(r'name="(consent-\d+)"', page), "yes")
            sent = {**hidden, **ticks, "answer": "agree"}
            cookies = dict(client.cookies)
            first = client.post("/consent", data=sent)
            client.cookies.update(cookies)  # the second press went out before the first came back
            second = client.post("/consent", data=sent)
            assert first.status_code == second.status_code == 200
            links = {re.search(r"/s/[-\w]{20,}", got.text)[0] for got in (first, second)}
            assert len(links) == 1, "the link that somebody has written down goes on working"
            assert Person.of(store).client.get(links.pop()).status_code == 200
        assert figures(store).people["begun"] == 2
        person = Person(client)
        about = {"education": "master", "music_major": "no", "music_background": "yes"}
        person.step("about", **about)
        page = client.get("/go").text
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
        for _ in range(2):  # one wrong try, sent twice, is not two
            client.post("/step/comprehension", data={**hidden, "understood-0": "0"})
        assert 'data-page="comprehension"' in client.get("/go").text
        person.step("comprehension", **{"understood-0": "0"})
        assert "SCREENED" in client.get("/go").text


def test_the_personal_link_is_of_no_host_that_a_request_names(store):
    """A forged Host header stands in no page: the browser makes the address whole."""
    person = Person.of(store)
    person.client.headers["host"] = "elsewhere.example"
    page = person.client.get("/").text
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
    ticks = dict.fromkeys(re.findall(r'name="(consent-\d+)"', page), "yes")
    got = person.client.post("/consent", data={**hidden, **ticks, "answer": "agree"})
    assert 'href="/s/' in got.text
    assert "elsewhere.example" not in got.text
    assert "data-whole-address" in got.text


def test_nobody_else_on_the_machine_reads_the_answers(tmp_path):
    made = study(tmp_path / "s", heard(tmp_path, 2, 0.3)).folder
    with contextlib.closing(StudyStore(made)) as kept:
        kept.count("no_consent")
        modes = {path.name: path.stat().st_mode & 0o077 for path in made.glob("answers.sqlite*")}
    assert "answers.sqlite" in modes
    assert set(modes.values()) == {0}
    (made / "answers.sqlite").chmod(0o644)  # a study of an earlier version
    with contextlib.closing(StudyStore(made)):
        assert (made / "answers.sqlite").stat().st_mode & 0o077 == 0
    back_up(made, tmp_path / "kept.zip")
    restore(tmp_path / "kept.zip", tmp_path / "again")
    assert (tmp_path / "again" / "answers.sqlite").stat().st_mode & 0o077 == 0


def test_a_token_cannot_be_tried_out_by_header_either(store):
    desk = Browser(ResearchSite(store, "the-token").application())
    for n in range(30):
        headers = {"authorization": f"Bearer {n}"}
        assert desk.get("/figures.json", headers=headers).status_code == 403
    right = {"authorization": "Bearer the-token"}
    assert desk.get("/figures.json", headers=right).status_code == 403
    assert desk.post("/enter", data={"token": "the-token"}).status_code == 429


@pytest.mark.slow
def test_a_study_is_served_by_one_process(store):
    with Server(store.folder), pytest.raises(AssertionError, match="being served already"):
        Server(store.folder).start()


def test_words_of_data_are_shown_as_words(tmp_path):
    evil = choice(1, stem="<img src=x onerror=alert(1)> {{ w }} 1?")
    study(tmp_path / "s", [evil], VOLUME)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        page = person.look()
        assert "<img src=x" not in page
        assert "&lt;img src=x" in page
        assert "{{ w }}" in page


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"place": 1, "more": 2}', b"[" * 60_000,
     b'{"place": 1e999}', b'{"place": 1, "chosen": "0"}', b'{"place": 1, "said": "maybe"}'],
)  # fmt: skip
def test_malformed_answers_are_told_so(person, body):
    got = person.client.post("/answer", content=body, headers={"x-form": person.form})
    assert got.status_code in (400, 422)
    assert json.loads(got.text)["state"] == "refused"


@pytest.mark.parametrize(
    "sent",
    [{"chosen": [4]}, {"chosen": [-1]}, {"chosen": [0, 1]}, {"chosen": []}, {"chosen": [0, 0]},
     {"said": "odd"}, {"text": "x"}, {"grades": [5]}],
)  # fmt: skip
def test_answers_that_were_not_asked_for_are_refused(store, person, sent):
    before = len(list(rows(store)))
    assert person.answer(listens=[0], **sent).status_code == 422
    assert len(list(rows(store))) == before


def test_numbers_out_of_bounds_are_brought_into_them(store, person):
    assert person.answer(chosen=[0], listens=[2**40], idle_ms=-5).json() == {"state": "saved"}
    row = [row for row in rows(store) if row.listens == [10_000]][-1]
    assert row.idle_s == 0


def test_bodies_that_are_too_large_are_not_read(person):
    got = person.client.post("/answer", content=b"x" * 70_000, headers={"x-form": person.form})
    assert got.status_code == 413
    pieces = (b"x" * 1000 for _ in range(100))  # no length is told beforehand
    assert person.client.post("/step/about", content=pieces).status_code == 413


def test_files_cannot_be_sent(person):
    got = person.client.post("/step/about", files={"form": b"x"})
    assert got.status_code == 415


def test_an_answer_sent_twice_is_kept_once(store, person):
    before = len(list(rows(store)))
    assert person.answer(chosen=[0], listens=[0]).json() == {"state": "saved"}
    assert person.answer(chosen=[1], listens=[0]).json() == {"state": "already"}
    found = list(rows(store))
    assert len(found) == before + 1


@pytest.mark.slow
def test_links_and_tokens_cannot_be_guessed_fast(store):
    person = Person.of(store, limits=True)
    codes = [person.client.get(f"/s/guess-{n}").status_code for n in range(40)]
    assert codes.count(404) == 30
    assert codes[-1] == 429
    # A class behind one address: whoever has a link comes in, whatever others tried.
    person.begin()
    for _ in range(40):
        again = person.client.get(person.link, follow_redirects=False)
        assert (again.status_code, again.headers["location"]) == (303, "/go")
    desk = Browser(ResearchSite(store, "the-token").application())
    codes = [desk.post("/enter", data={"token": str(n)}).status_code for n in range(30)]
    assert codes.count(403) == 20
    assert codes[-1] == 429


@pytest.mark.slow
def test_a_proxys_word_is_believed_only_where_there_is_one(store):
    for proxied, last in ((False, 429), (True, 404)):
        person = Person.of(store, limits=True, proxied=proxied)
        for n in range(35):
            headers = {"x-forwarded-for": f"10.0.0.{n}"}
            got = person.client.get("/s/guess", headers=headers)
        assert got.status_code == last


def test_the_researchers_pages_are_not_the_participants(store, person):
    desk = Browser(ResearchSite(store, "the-token").application())
    for path in ("/figures.json", "/answers.jsonl", "/codebook.json"):
        assert desk.get(path).status_code == 403
        assert person.client.get(path).status_code == 404
        got = desk.get(path, headers={"authorization": "Bearer the-token"})
        assert got.status_code == 200
    assert "Items" not in desk.get("/").text
    assert desk.post("/enter", data={"token": "the-token"}).status_code == 200
    assert "Items" in desk.get("/").text


def test_every_answer_has_the_strict_headers(store, person):
    for path in ("/", "/go", "/static/study.css", "/static/none", "/nowhere", "/s/none"):
        headers = person.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in policy


ODD = [
    (b"GET / HTTP/1.1\r\nCookie: begin=" + b"\xff" * 43 + b"\r\nAccept-Language: \xff", 200),
    (b"GET /go HTTP/1.1\r\nCookie: study=\xf0\x9f\x98\x80", 403),
    (b"GET /go HTTP/1.1\r\nCookie: study=\xff", 403),
    (b"POST /answer HTTP/1.1\r\nX-Form: \xff\r\nContent-Length: 2", 403),
    (b"POST /answer HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 2", 403),
    (b"POST /answer HTTP/1.1\r\nTransfer-Encoding: chunked", 400),
    (b"POST /withdraw HTTP/1.1\r\nContent-Length: 2\r\n"
     b"Content-Type: application/x-www-form-urlencoded; charset=nothing", 400),
    (b"POST /withdraw HTTP/1.1\r\nContent-Length: 2\r\n"
     b"Content-Type: application/x-www-form-urlencoded; charset=undefined", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: 2", 405),
    (b"GET /s/link/ HTTP/1.1", 308),
    (b"GET /check/%ff HTTP/1.1", 403),
    (b"GET http://[ HTTP/1.1", 400),
]  # fmt: skip


@pytest.mark.parametrize(("head", "status"), ODD)
def test_odd_requests_are_answered_and_break_nothing(store, head, status, caplog):
    port, _ = served(Site(store, limits=False).application())
    with socket.create_connection(("127.0.0.1", port), 20) as there:
        body = b"{}" if head.startswith(b"POST") else b""
        there.sendall(head + b"\r\nHost: x\r\nConnection: close\r\n\r\n" + body)
        told = b"".join(iter(lambda: there.recv(1 << 16), b""))
    assert int(told.split(b" ", 2)[1]) == status
    assert b"Traceback" not in told
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


@pytest.mark.parametrize("late", [b"zz\r\n\r\n", b"5\r\nab", b""])
def test_a_body_that_breaks_off_is_no_fault_of_ours(store, late, caplog):
    port, end = served(Site(store, limits=False).application())
    with socket.create_connection(("127.0.0.1", port), 20) as there:
        there.sendall(b"POST /answer HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        time.sleep(0.1)  # it is waited for
        there.sendall(late)
        there.shutdown(socket.SHUT_WR)
        told = b"".join(iter(lambda: there.recv(1 << 16), b""))
    end().result(20)
    assert told[:12] in (b"", b"HTTP/1.1 400")
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_a_page_that_breaks_has_the_strict_headers_and_tells_nothing(store, person, monkeypatch):
    def broken(*_):
        raise RuntimeError("the secret cause")

    monkeypatch.setattr(people, "current", broken)
    got = person.client.get("/go")
    assert got.status_code == 500
    assert "secret" not in got.text
    assert "default-src 'none'" in got.headers["content-security-policy"]
    assert "server" not in got.headers


def test_pages_load_nothing_from_elsewhere_and_hold_no_script_of_their_own(store, person):
    for page in (person.look(), person.client.get("/").text):
        assert not re.findall(r"""(?:src|href|action)=["'](?:https?:)?//""", page)
        assert not re.findall(r"<script(?![^>]*src=)", page)
        assert not re.findall(r"\son\w+=", page)
        assert "style=" not in page


@pytest.mark.slow
def test_steps_cannot_be_jumped(tmp_path):
    asked = (
        "tries = 2\n",
        "tries = 2\n[[checks.comprehension]]\nright = 2\ntext = { en = 'What?', zh = '?' }\n"
        "options = { en = ['x', 'y'], zh = ['x', 'y'] }\n",
    )
    study(tmp_path / "s", trials(2), VOLUME, asked)
    with opened(tmp_path / "s") as store:
        person = Person.of(store)
        person.begin()
        for step in ("items", "end", "headphones", "volume", "nothing"):
            person.step(step)
            assert "data-place" not in person.client.get("/go").text
        assert list(rows(store)) == []
