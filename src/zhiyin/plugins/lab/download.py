"""Files over HTTP or of the Hugging Face hub, taken up where they broke off; archives unpacked."""

from __future__ import annotations

import fnmatch
import hashlib
import importlib.util
import os
import shutil
import stat
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

import msgspec

from zhiyin.archives import BROKEN, refuse_bomb
from zhiyin.contract.published import Archive
from zhiyin.errors import InputError, missing_package, reworded
from zhiyin.files import NOT_JSON, inside, whole_or_nothing
from zhiyin.words import said

TRIES, WAIT_S, TIMEOUT_S = 4, 0.5, 60.0
_BLOCK = 1 << 16


class _State(msgspec.Struct):
    """State of a part: the address, and what tells whether the file is still the same."""

    url: str
    validator: str = ""


def download(url: str, path: Path, sha256: str) -> None:
    """Fetch a file whole and checked, or leave nothing of it but a part to go on from.

    Parameters
    ----------
    url : str
    path : Path
        In a folder that is there.
    sha256 : str
        What it must be; "" to take what comes.

    Raises
    ------
    InputError
        It is not there, breaks off, or is another file than it must be.
    """
    try:
        import requests  # noqa: F401
    except ImportError:
        raise missing_package("requests", "data") from None
    part = _PartialFile(path, known=bool(sha256))
    part.complete(url)
    if sha256 and (digest := digest_of(part.file)) != sha256:
        part.discard()
        raise changed(url, sha256, digest)
    part.state.unlink(missing_ok=True)
    shutil.move(part.file, path)


def digest_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changed(where: str, expected: str, actual: str) -> InputError:
    """The fault of a file that is another one than it must be."""
    return InputError(
        said("fetch-changed", where=where, actual=actual[:12], expected=expected[:12])
    )


class _PartialFile:
    """The part of a file that has come, kept when a connection breaks off."""

    def __init__(self, path: Path, *, known: bool) -> None:
        self.file = path.with_name(f".part-{path.name}")
        self.state = path.with_name(f".part-{path.name}.json")
        self.known = known

    def complete(self, url: str) -> None:
        """Fetch what is missing, in several tries."""
        import requests
        from urllib3.exceptions import HTTPError

        total: int | None = None
        for attempt in range(TRIES):
            if attempt:
                time.sleep(WAIT_S * attempt)
            try:
                total = self._fetch_rest(url)
            except (requests.exceptions.RequestException, HTTPError) as error:
                fault = type(error).__name__
                if not self._size_here() and attempt == TRIES - 1:
                    raise InputError(said("fetch-reach", url=url, why=fault)) from None
                continue
            if total is None or self._size_here() == total:
                break
        else:
            raise InputError(said("fetch-broke", url=url, n=self._size_here(), of=total))

    def _size_here(self) -> int:
        return self.file.stat().st_size if self.file.is_file() else 0

    def _fetch_rest(self, url: str) -> int | None:
        """Fetch what is missing. Returns how long the file is, where the server says so."""
        import requests

        headers = {"Accept-Encoding": "identity", **self._range(url)}
        with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT_S) as reply:
            if url.startswith("https:") and not reply.url.startswith("https:"):
                raise InputError(said("fetch-unencrypted", url=url, leads=reply.url))
            follows = reply.status_code == 206 and self._follows(reply)
            if reply.status_code == 416 or (reply.status_code == 206 and not follows):
                self.discard()  # the part is of another file: the next try fetches all
                raise requests.exceptions.HTTPError(str(reply.status_code))
            if reply.status_code >= 500 or reply.status_code == 429:
                raise requests.exceptions.HTTPError(str(reply.status_code))
            if not (follows or reply.status_code == 200):
                why = f"{reply.status_code} {reply.reason}"
                raise InputError(said("fetch-status", url=url, why=why))
            begun = self._size_here() if follows else 0
            length = reply.headers.get("Content-Length", "")
            validator = reply.headers.get("ETag") or reply.headers.get("Last-Modified") or ""
            self.state.write_bytes(msgspec.json.encode(_State(url, validator)))
            with self.file.open("ab" if follows else "wb") as file:
                # A connection that ends early gives what has come, where requests would drop it.
                reply.raw.enforce_content_length = False
                while block := reply.raw.read(_BLOCK):
                    file.write(block)
        return begun + int(length) if length.isdecimal() else None

    def _follows(self, reply: Any) -> bool:
        """Tell whether what comes begins where the part ends."""
        content_range = str(reply.headers.get("Content-Range", ""))
        return content_range.startswith(f"bytes {self._size_here()}-")

    def _range(self, url: str) -> dict[str, str]:
        """The headers that ask for the rest; none where the rest might not fit the part."""
        have = self._size_here()
        try:
            state = msgspec.json.decode(self.state.read_bytes(), type=_State)
        except (OSError, *NOT_JSON):
            state = _State("")
        if not have or state.url != url:
            return {}
        if state.validator and not state.validator.startswith("W/"):
            return {"Range": f"bytes={have}-", "If-Range": state.validator}
        return {"Range": f"bytes={have}-"} if self.known else {}

    def discard(self) -> None:
        """Begin anew."""
        self.file.unlink(missing_ok=True)
        self.state.unlink(missing_ok=True)


def hub_commit(repo: str, short: str) -> str:
    """The whole name of a commit of a data set on the hub, from its beginning.

    Raises
    ------
    InputError
        There is no such commit, or the hub cannot be reached.
    """
    hub = _hub()
    try:
        commits = hub.HfApi(endpoint=_endpoint()).list_repo_commits(repo, repo_type="dataset")
    except Exception as error:
        raise _hub_fault(repo, error) from None
    matches = [each.commit_id for each in commits if each.commit_id.startswith(short)]
    if len(matches) != 1:
        raise InputError(said("fetch-commit", repo=repo, commit=short))
    return str(matches[0])


def hub_download(repo: str, commit: str, name: str, path: Path) -> None:
    """Fetch a file of a data set on the hub, which takes up itself what broke off."""
    hub = _hub()
    workshop = path.parent / ".hub"
    try:
        fetched = hub.hf_hub_download(
            repo, name, repo_type="dataset", revision=commit, local_dir=workshop,
            endpoint=_endpoint(),
        )  # fmt: skip
    except Exception as error:
        raise _hub_fault(f"{repo}/{name}", error) from None
    shutil.move(fetched, path)
    shutil.rmtree(workshop, ignore_errors=True)


def require_client(*, hub: bool) -> None:
    """Raise `InputError` where the package is missing by which files are fetched."""
    package = "huggingface_hub" if hub else "requests"
    if not importlib.util.find_spec(package):
        raise missing_package(package, "data")


def _hub() -> Any:
    try:
        import huggingface_hub
        from huggingface_hub.utils import disable_progress_bars, logging
    except ImportError:
        raise missing_package("huggingface_hub", "data") from None
    disable_progress_bars()
    logging.set_verbosity_error()  # it would tell of each of its tries; we say what came of them
    return huggingface_hub


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT") or None


def _hub_fault(what: str, error: Exception) -> InputError:
    first = (str(error).strip().splitlines() or [""])[0][:200].rstrip(".")
    why = f"{type(error).__name__}: {first}"
    return InputError(said("fetch-hub", what=what, why=why))


MOST_MEMBERS, MOST_BYTES = 200_000, 64 << 30
_UNPACKED_BLOCK = 1 << 20
_POINTER = b"version https://git-lfs.github.com/spec/"

Member = tuple[str, int, Callable[[], IO[bytes]]]
"""Its name, how long it says that it is, and what opens it."""


def unpack(path: Path, archive: Archive, folder: Path) -> tuple[list[str], list[str]]:
    """Unpack the members that are kept.

    Returns
    -------
    list of str
        Their places below `folder`.
    list of str
        Members that are pointers of Git LFS in the place of a file; they are left out.

    Raises
    ------
    InputError
        It is no archive, is broken or too large, or a member would leave the folder: then nothing
        is unpacked.
    """
    with reworded(f"{path.name}: a broken archive (", "); fetch it again", of=BROKEN):
        kind = zipfile.ZipFile if zipfile.is_zipfile(path) else tarfile.open
        with kind(path) as opened:
            members = _zipped if isinstance(opened, zipfile.ZipFile) else _tarred
            chosen = _chosen(path, archive, folder, members(opened))  # type: ignore[arg-type]
            return _write(path, folder, chosen)


def _zipped(opened: zipfile.ZipFile) -> Iterator[Member]:
    for info in opened.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        if info.is_dir() or kind not in (0, stat.S_IFREG):
            continue  # a link, or a folder
        yield info.filename, info.file_size, lambda info=info: opened.open(info)  # type: ignore[misc]


def _tarred(opened: tarfile.TarFile) -> Iterator[Member]:
    for info in opened:
        if info.isreg():
            yield info.name, info.size, lambda info=info: opened.extractfile(info)  # type: ignore
    while opened.fileobj and opened.fileobj.read(_UNPACKED_BLOCK):
        pass  # the checksum of a compressed stream stands at its end


def _chosen(
    path: Path, archive: Archive, folder: Path, members: Iterator[Member]
) -> dict[str, Member]:
    """The members that are kept, by their places; of two for one place that of the first pattern.

    All names are looked at before anything is written.
    """
    total, packed = 0, path.stat().st_size
    ranked: dict[str, tuple[int, Member]] = {}
    for number, member in enumerate(members, 1):
        name, size, _ = member
        parts = PurePosixPath(name.replace("\\", "/")).parts
        absolute = not parts or parts[0] == "/" or ":" in parts[0]
        if absolute or ".." in parts or not name.isprintable():
            raise InputError(said("fetch-leaves", path=path.name, name=repr(name[:80])))
        total += size
        refuse_bomb(path, "", packed, total)
        if number > MOST_MEMBERS or total > MOST_BYTES:
            raise InputError(said("fetch-much", path=path.name))
        if (kept := _place(archive, name)) is not None:
            rank, place = kept
            inside(folder, place)
            if place not in ranked or rank < ranked[place][0]:
                ranked[place] = rank, member
    return {place: member for place, (_, member) in ranked.items()}


def _place(archive: Archive, name: str) -> tuple[int, str] | None:
    """Return the pattern that keeps a member, and its place; None for one that is not kept."""
    if archive.wrapped:
        name = name.partition("/")[2]
    for rank, (pattern, target) in enumerate(archive.keep.items()):
        if "*" in pattern:
            if fnmatch.fnmatchcase(name, pattern):
                return rank, f"{target}/{PurePosixPath(name).name}"
        elif name == pattern:
            return rank, target
        elif name.startswith(f"{pattern}/"):
            return rank, f"{target}/{name[len(pattern) + 1 :]}"
    return None


def _write(path: Path, folder: Path, chosen: dict[str, Member]) -> tuple[list[str], list[str]]:
    written, pointers = [], []
    for place, (name, size, opened) in chosen.items():
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        with opened() as file, whole_or_nothing(target) as unfinished:
            head = file.read(len(_POINTER))
            if head == _POINTER:
                pointers.append(place)
                unfinished.touch()
            else:
                with unfinished.open("xb") as out:
                    out.write(head)
                    shutil.copyfileobj(file, out)
            if head != _POINTER and unfinished.stat().st_size != size:
                raise InputError(said("fetch-broken", path=path.name, name=repr(name[:80])))
        if head == _POINTER:
            target.unlink()
        else:
            written.append(place)
    return written, pointers
