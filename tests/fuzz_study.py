"""A study's endpoints before whatever bytes people send: told off, never broken, nothing told.

A request is written as ``METHOD /path?query``, lines of headers, an empty line and a body.
``{form}`` and ``{place}`` stand for what a page of the person who asks would hold. The
application is called in this process; after a request that changed anything, the answers are put
back, so that each request meets the same study.
"""

from __future__ import annotations

import re
import socket
import sqlite3
import tempfile
from pathlib import Path

from study_help import Browser, Person, choice, served, study
from zhiyin.plugins.studies.app import Site
from zhiyin.plugins.studies.design import DATABASE
from zhiyin.plugins.studies.research import ResearchSite
from zhiyin.plugins.studies.store import StudyStore

_HEAD = re.compile(rb"([A-Za-z]{1,20}) (/[!-~]{0,2000})")
_HEADER = re.compile(rb"([a-z-]{1,40}): ?([ -~\x80-\xff]{0,4000})")
_FRAMES = (b"transfer-encoding", b"expect", b"upgrade")
"""Headers by which a request would have another end."""
BEGIN = "b" * 43
_SECRET = re.compile(rb"""[">' ,]K[1-4]["<' ,]|Traceback|File \"/""")


class Asked:
    """A study of four questions with one person before the second, and all that may be asked."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="zhiyin-fuzz-study-"))
        study(folder / "s", [choice(n) for n in range(1, 5)], ("volume = true", "volume = false"))
        self.store = StudyStore(folder / "s")
        person = Person.of(self.store)
        person.begin()
        person.look()
        person.answer(chosen=[0])
        person.look()
        cookies = "; ".join(f"{name}={value}" for name, value in person.client.cookies.items())
        cookies += f"; begin={BEGIN}"
        self.known = {
            b"{form}": person.form.encode(), b"{place}": person.place.encode(),
            b"{link}": person.link.encode(), b"{begin}": self.store.sign("begin", BEGIN).encode(),
        }  # fmt: skip
        desk = Browser(ResearchSite(self.store, "token").application())
        desk.post("/enter", data={"token": "token"}, follow_redirects=False)
        cookies += "".join(f"; {name}={value}" for name, value in desk.cookies.items())
        self.cookie = cookies.encode()
        sites = (Site(self.store, limits=False), ResearchSite(self.store, "token"))
        self.ports = [served(site.application())[0] for site in sites]
        self.answers = folder / "s" / DATABASE
        with sqlite3.connect(self.answers) as there:
            self.kept = sqlite3.connect(":memory:", check_same_thread=False)
            there.backup(self.kept)

    def ask(self, data: bytes) -> None:
        """One request to the participants' pages, or to the researcher's where it begins so."""
        site = int(data[:1] == b"\1")
        head, _, body = data.removeprefix(b"\1").partition(b"\n\n")
        first, *lines = head.split(b"\n")
        begin = _HEAD.fullmatch(self._filled(first.strip()))
        if not begin:
            return
        headers = {b"host": b"testserver", b"cookie": self.cookie}
        for line in lines:
            if found := _HEADER.fullmatch(line.strip().lower()):
                headers[found[1]] = self._filled(line.partition(b":")[2].strip())
        status, told = self._called(site, begin, headers, self._filled(body))
        assert status < 500, (status, told[:300])
        # The researcher's pages show the keys: they are theirs.
        assert site or not _SECRET.search(told), told
        if begin[1].upper() not in (b"GET", b"HEAD") and status < 400:
            self._put_back()

    def _filled(self, data: bytes) -> bytes:
        for name, value in self.known.items():
            data = data.replace(name, value)
        return data

    def _called(
        self, site: int, begin: re.Match[bytes], headers: dict[bytes, bytes], body: bytes
    ) -> tuple[int, bytes]:
        headers |= {b"connection": b"close", b"content-length": str(len(body)).encode()}
        lines = [b"%s %s HTTP/1.1" % (begin[1].upper(), begin[2])]
        lines += [b"%s: %s" % one for one in headers.items() if one[0] not in _FRAMES]
        with socket.create_connection(("127.0.0.1", self.ports[site]), 20) as there:
            there.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
            told = b"".join(iter(lambda: there.recv(1 << 16), b""))
        return int(told.split(b" ", 2)[1]), told

    def _put_back(self) -> None:
        with sqlite3.connect(self.answers) as there:
            self.kept.backup(there)
        self.store._standing = None
