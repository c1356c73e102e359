"""Small studies for tests, people who answer them, and servers that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import os
import re
import signal
import subprocess
import threading
import weakref
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx
import msgspec
import numpy as np
import soundfile
from aiohttp import web

import warm
from questions_help import tone
from zhiyin.engine.folder import MANIFEST, RECORDS, Manifest
from zhiyin.plugins.studies.app import Site
from zhiyin.plugins.studies.design import StudyWish
from zhiyin.plugins.studies.guard import runner
from zhiyin.plugins.studies.making import MadeStudy, make
from zhiyin.plugins.studies.research import ResearchSite
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.sound import audio_part
from zhiyin.trial import Option, Trial, say

OPEN = (("most = 5", "# most = 5"), ("stop_when_agreed = true", "stop_when_agreed = false"))
"""Edits of a study file by which no item is closed."""
CODES = {"complete": "COMPLETE", "screened_out": "SCREENED", "no_consent": "NOCONSENT"}
TUNE = "X:1\nM:4/4\nL:1/4\nK:C\nCDEF|GABc|\n"


def choice(number: int, *media: Any, group: str = "", stem: str = "") -> Trial:
    """A question whose right answer is the secret key "K2"."""
    words = stem or f"Question {number}?"
    options = tuple(
        Option(letter, f"answer {letter}{number}", key)
        for letter, key in zip("ABCD", ("K1", "K2", "K3", "K4"), strict=True)
    )
    return Trial(f"t/{number}", (say("user", words, *media),), words, options, "K2",
                 groups=("all", group) if group else ())  # fmt: skip


def trials(n: int, groups: int = 1) -> list[Trial]:
    return [choice(number, group=f"g{number % groups}") for number in range(1, n + 1)]


def heard(folder: Path, n: int, seconds: float = 0.5) -> list[Trial]:
    """Questions about tones; the names of their files would tell the answer."""
    return [
        choice(i, audio_part(tone(folder / f"secret-{i}.wav", 300 + 50 * i, seconds)))
        for i in range(1, n + 1)
    ]


def sounds_to_rate(folder: Path) -> Path:
    """A file with a page of a reference and another sound, of two seconds."""
    for name in ("ref", "a"):
        samples, _ = soundfile.read(tone(folder / f"{name}.wav", 440, 0.4))
        soundfile.write(folder / f"{name}.wav", np.tile(samples, 5), 48000)
    page = {"id": "p1", "question": "How alike are they?", "stimuli": [
        {"key": "ref", "audio": "ref.wav", "role": "reference"},
        {"key": "a", "audio": "a.wav"}]}  # fmt: skip
    (folder / "pages.jsonl").write_bytes(msgspec.json.encode(page) + b"\n")
    return folder / "pages.jsonl"


def run_of(folder: Path, records: list[Record], model: str = "model") -> Path:
    """A run folder with these records."""
    folder.mkdir(parents=True)
    manifest = Manifest("own", model, {}, {}, len(records))
    (folder / MANIFEST).write_bytes(msgspec.json.encode(manifest))
    (folder / RECORDS).write_bytes(b"".join(msgspec.json.encode(r) + b"\n" for r in records))
    return folder


def reply(trial: Trial, text: str, state: Any = "wrong") -> Record:
    return Record(trial.id, Verdict(state, None), trial, Exchange((Turn(Reply(text)),)))


def review(number: int) -> Trial:
    return Trial(f"song/{number}", (say("user", f"Write about song {number}."),), f"Song {number}")


def study(
    folder: Path, source: Any, *edits: tuple[str, str], told: Any = (), **wish: Any
) -> MadeStudy:
    """A study whose file is edited as a researcher would."""
    wished = StudyWish(**{"kind": "exam", "languages": ("en", "zh"), **wish})
    made = make(source, folder, wished, told)
    path = folder / "study.toml"
    text = path.read_text("utf-8")
    for name, code in (("complete", "C1"), ("screened_out", "C2"), ("no_consent", "C3")):
        text = text.replace(f'# {name} = "{code}"', f'{name} = "{CODES[name]}"')
    for old, new in edits:
        assert old in text or new in text, old
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    return made


POSTGRESQL = "ZHIYIN_TEST_POSTGRESQL"
"""The address of a cluster on which every study of the tests is kept, where it is set."""


def base_of(folder: Path) -> str:
    """The address of the data base of a study, made where it is not there; "" for SQLite."""
    url = os.environ.get(POSTGRESQL, "")
    return url and base_named(url, f"t{hashlib.sha256(str(folder).encode()).hexdigest()[:16]}")


def base_named(url: str, name: str) -> str:
    """The address of a data base of a cluster, made where it is not there."""
    import psycopg

    with (
        contextlib.suppress(psycopg.errors.DuplicateDatabase),
        psycopg.connect(url, autocommit=True) as connection,
    ):
        connection.execute(f'CREATE DATABASE "{name}"')
    return url.rpartition("/")[0] + f"/{name}"


@contextlib.contextmanager
def opened(folder: Path, url: str = "") -> Iterator[StudyStore]:
    store = StudyStore(folder, url or base_of(folder))
    try:
        yield store
    finally:
        store.close()


class Person:
    """Somebody in a browser without scripts, against the application or a server."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.link = self.place = self.form = ""

    @classmethod
    def of(cls, store: StudyStore, **site: Any) -> Person:
        application = Site(store, **{"limits": False, **site}).application()
        return cls(Browser(application))

    def begin(self, about: dict[str, str] | None = None, query: str = "") -> Any:
        """From the information to the first question."""
        page = self.client.get(f"/?language=en{query}").text
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
        ticks = dict.fromkeys(re.findall(r'name="(consent-\d+)"', page), "yes")
        got = self.client.post("/consent", data={**hidden, **ticks, "answer": "agree"})
        found = re.search(r'href="(/s/[^"]+)"', got.text)
        if not found:
            return got
        self.link = found[1]
        if 'data-page="about"' not in (there := self.client.get("/go")).text:
            return there
        said = {"education": "master", "music_major": "no", "music_background": "yes"}
        got = self.step("about", **(said if about is None else about))
        if 'data-page="volume"' in got.text:
            got = self.step("volume", heard="1")
        return got

    def step(self, name: str, **fields: str) -> Any:
        page = self.client.get("/go").text
        hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page))
        return self.client.post(f"/step/{name}", data={**hidden, **fields})

    def look(self) -> str:
        """The question before the person; empty at the end."""
        page = self.client.get("/go").text
        found = re.search(r'data-place="(\d+)" data-form="(\w+)"', page)
        if not found:
            return ""
        self.place, self.form = found[1], found[2]
        return page

    def answer(self, **sent: Any) -> Any:
        body = {"place": int(self.place), "active_ms": 3000, **sent}
        return self.client.post("/answer", json=body, headers={"x-form": self.form})

    def all(self, choose: Callable[[str, list[str]], dict[str, Any]]) -> int:
        """Answer everything: `choose` sees stem and options as shown. Returns how many."""
        count = 0
        while page := self.look():
            stem = re.search(r'class="stem">(.*?)</h1>', page, re.S)[1]  # type: ignore[index]
            shown = re.findall(r'name="chosen".*?class="text">(.*?)</span>', page)
            assert self.answer(**choose(stem, shown)).json()["state"] == "saved"
            count += 1
        return count


class _Fields(HTMLParser):
    """What a browser would send of the form of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.off = 0
        self.name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = dict(attrs)
        name, value = own.get("name") or "", own.get("value") or ""
        if tag == "fieldset":
            self.off += bool(self.off or "disabled" in own)
        if self.off:
            return
        if tag == "option" and (self.found.get(self.name) is None or "selected" in own):
            self.found[self.name] = value
        elif tag in ("select", "textarea"):
            self.name = name
            if tag == "textarea":
                self.found[name] = ""
        elif tag == "input" and (own.get("type") != "checkbox" or "checked" in own):
            self.found[name] = value

    def handle_endtag(self, tag: str) -> None:
        if tag == "fieldset" and self.off:
            self.off -= 1
        if tag == "textarea" and self.name:
            self.found[self.name] = self.found[self.name].removeprefix("\n")
        if tag in ("select", "textarea"):
            self.name = ""

    def handle_data(self, data: str) -> None:
        if self.name and not self.off and self.get_starttag_text().startswith("<textarea"):  # type: ignore[union-attr]
            self.found[self.name] += data


def form_of(page: str) -> dict[str, str]:
    """The fields of a page's form as they stand, as a browser sends them."""
    fields = _Fields()
    fields.feed(page)
    return fields.found


def right(stem: str, shown: list[str]) -> dict[str, Any]:
    """The option that is right in `choice`."""
    number = re.search(r"\d+", stem)[0]  # type: ignore[index]
    return {"chosen": [shown.index(f"answer B{number}")]}


class Server:
    """`zhiyin study serve` as a process of its own."""

    def __init__(self, folder: Path, url: str = "", port: int = 0) -> None:
        self.folder, self.url, self.port = folder, url or base_of(folder), port
        self.process: warm.Started | None = None

    def start(self) -> str:
        words = ["study", "serve", str(self.folder)]
        words += ["--port", str(self.port)] + (["--database", self.url] if self.url else [])
        environment = {**os.environ, "ZHIYIN_STUDY_NO_LIMITS": "1", "ZHIYIN_STUDY_TOKEN": "token-t"}
        self.process = warm.Started(words, env=environment, stderr=subprocess.PIPE)
        assert self.process.stderr is not None
        told = self.process.stderr.readline(), self.process.stderr.readline()
        found = re.search(r"(http://[\d.]+:(\d+))/", told[0])
        assert found, told
        self.port = int(found[2])
        research = re.search(r"http://[\d.]+:\d+/", told[1])
        assert research
        self.address, self.research = found[1], research[0]
        return self.address

    def kill(self, number: int = signal.SIGKILL) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        status = self.process.wait(timeout=30)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.kill(signal.SIGTERM)


@functools.cache
def _loop() -> asyncio.AbstractEventLoop:
    """The loop, on a thread of its own, on which applications of this process are served."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return loop


def served(application: web.Application) -> tuple[int, Callable[[], Any]]:
    """Serve an application: its port, and what ends it."""

    async def start() -> web.AppRunner:
        one = runner(application)
        await one.setup()
        await web.TCPSite(one, "127.0.0.1", 0).start()
        return one

    one = asyncio.run_coroutine_threadsafe(start(), _loop()).result(20)
    return one.addresses[0][1], lambda: asyncio.run_coroutine_threadsafe(one.cleanup(), _loop())


class Browser(httpx.Client):
    """A browser without scripts: whatever host it asks for, this application answers."""

    def __init__(self, application: web.Application) -> None:
        port, end = served(application)
        weakref.finalize(self, end)
        super().__init__(
            base_url="http://testserver", follow_redirects=True, transport=_To(port), timeout=30
        )


class _To(httpx.HTTPTransport):
    """Brings every request to one port of this machine."""

    def __init__(self, port: int) -> None:
        super().__init__(verify=False)  # reading all certificates takes longer than most tests
        self.port = port

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url.copy_with(scheme="http", host="127.0.0.1", port=self.port)
        there = httpx.Request(
            request.method, url, headers=request.headers, stream=request.stream,
            extensions=request.extensions,
        )  # fmt: skip
        return super().handle_request(there)


class Here:
    """Both applications of a study on a thread of this process: it starts at once."""

    def __init__(self, store: StudyStore) -> None:
        applications = (
            Site(store, limits=False).application(),
            ResearchSite(store, "token-t").application(),
        )
        ports, self._ends = zip(*map(served, applications), strict=True)
        self.address, self.research = (f"http://127.0.0.1:{port}" for port in ports)

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        for end in self._ends:
            end().result(20)
