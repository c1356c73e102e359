"""Published data: fetched from their source, a mirror, or a folder; checked, and recorded."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.contract import published_table
from zhiyin.contract.published import RECORD, Archive, File, Source, folder_of
from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, inside, read_regular, write_atomically
from zhiyin.numerals import counted
from zhiyin.plugins.lab.download import (
    changed,
    digest_of,
    download,
    hub_commit,
    hub_download,
    require_client,
    unpack,
)
from zhiyin.words import Said, said


class FetchedFile(msgspec.Struct, frozen=True):
    """One file that came.

    `trusted` says that its contents were known from nowhere before: they are what came first.
    """

    sha256: str
    size: int
    trusted: bool = False


class FetchRecord(msgspec.Struct):
    """Contents of a folder of fetched data.

    Attributes
    ----------
    revision : str
        What was pinned.
    at : str
        Where the files came from.
    commit : str
        What the revision stood for, where the source tells.
    files : dict of str to FetchedFile
        By their place below the folder.
    archives : dict of str to FetchedFile
        Those that were unpacked whole, by their address below the base.
    """

    revision: str = ""
    at: str = ""
    commit: str = ""
    files: dict[str, FetchedFile] = {}
    archives: dict[str, FetchedFile] = {}


def read_record(folder: Path) -> FetchRecord | None:
    """The record of a folder; None where nothing was fetched into it."""
    try:
        return msgspec.json.decode(read_regular(folder / RECORD), type=FetchRecord)
    except FileNotFoundError:
        return None
    except (OSError, *NOT_JSON) as error:
        raise InputError(said("fetch-unread", folder=folder / RECORD, why=str(error))) from None


def write_record(folder: Path, record: FetchRecord) -> None:
    """Keep what has come so far."""
    write_atomically(folder / RECORD, msgspec.json.encode(record))


class DataHere(msgspec.Struct, frozen=True):
    """The part of a source that lies in its folder. Contents are not looked at.

    Attributes
    ----------
    state : {"whole", "part", "not here", "by hand"}
        "by hand" where nothing can be fetched.
    files, of : int
        How many are here, of how many; `of` is 0 where that is not known before they come.
    bytes : int
    folder : str
    """

    state: Literal["whole", "part", "not here", "by hand"]
    files: int
    of: int
    bytes: int
    folder: str


def look(benchmark: str, source: Source) -> DataHere:
    """Return the part of a source that is here."""
    folder = folder_of(benchmark, source)
    if not source.fetchable:
        return DataHere("by hand", 0, 0, 0, str(folder))
    record = read_record(folder)
    wanted = {file.path for file in source.files}
    wanted |= set(record.files) if record else set()
    there = [folder / name for name in sorted(wanted) if (folder / name).is_file()]
    unpacked = record is not None and all(a.at in record.archives for a in source.archives)
    copied = record is not None and bool(there) and not source.archives
    whole = len(there) == len(wanted) and bool(there) and (unpacked or copied)
    state: Literal["whole", "part", "not here"] = (
        "whole" if whole else "part" if there else "not here"
    )
    known = len(wanted) if unpacked or not source.archives else 0
    return DataHere(state, len(there), known, sum(p.stat().st_size for p in there), str(folder))


Watch = Callable[[str], None]
"""Is told the name of each file before it is fetched."""
_NEW, _ARCHIVE = ".new", ".archive-"
_NAMED = 3


def print_nothing(line: str) -> None:
    """A `Watch` that looks away."""


class Fetched(msgspec.Struct, frozen=True):
    """Result of fetching a source.

    Attributes
    ----------
    folder : str
    came : tuple of str
        Files that were brought now.
    kept : tuple of str
        Files that were here, and are as they were.
    missing : tuple of str
        Files that a mirror does not hold.
    trusted : int
        Of those brought now, how many had contents that were known from nowhere.
    notes : tuple of str
    """

    folder: str
    came: tuple[str, ...]
    kept: tuple[str, ...]
    missing: tuple[str, ...]
    trusted: int
    notes: tuple[str, ...] = ()


def fetch(
    benchmark: str, source: Source, mirror: str = "", *, offline: bool = False, link: bool = False,
    watch: Watch = print_nothing,
) -> Fetched:  # fmt: skip
    """Bring a source into its folder, where it is not there already.

    Parameters
    ----------
    benchmark : str
    source : Source
    mirror : str
        A folder that holds the files, or an address that they lie below; "" for the source itself.
    offline : bool
        Only look whether all is here and unchanged.
    link : bool
        Link to the files of a mirror that is a folder, in place of copying them.
    watch : callable
        Called with the name of each file before it is fetched.

    Raises
    ------
    InputError
        Something cannot be fetched, is another file than it was, or is not here while `offline`.
        What came before stays, and is recorded.
    """
    if not source.fetchable:
        name = f"{benchmark}:{source.name}"
        raise InputError(said("fetch-only-by-hand", name=name, lines=by_hand(benchmark, source)))
    return _Fetching(benchmark, source, mirror, offline=offline, link=link, watch=watch).run()


def by_hand(benchmark: str, source: Source) -> list[Said]:
    """Say what is to be got by hand, and where it is to lie."""
    steps = enumerate(source.by_hand, 1)
    return [
        said("data-step", step=f"{benchmark}-{source.name}-{n}", line=line) for n, line in steps
    ]


def fetch_figures(source: str) -> dict[str, str | int]:
    """Bring a newer table of published figures here, checked, in place of one fetched before.

    Returns how many ``figures`` of how many ``sets`` it has, how many of them are ``newer``, up to
    which ``date``, and its ``place``.

    Parameters
    ----------
    source : str
        A CSV file, or its address.

    Raises
    ------
    InputError
        There is none, or it has faults: a line for each.
    """
    if not source:
        raise InputError(
            said("fetch-table", columns=published_table.PublishedFigure.__struct_fields__)
        )
    place = published_table.fetched_place()
    known = {(one.key, one.value) for one in published_table.figures()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(source)
        if "://" in source:
            path = Path(folder) / published_table.FILE
            download(source, path, "")
        found = published_table.read_figures(path, source)
        place.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(place, path.read_bytes())
    return {
        "figures": len(found),
        "sets": len({one.set for one in found}),
        "newer": sum((one.key, one.value) not in known for one in found),
        "date": max(one.date for one in found),
        "place": str(place),
    }


def check_client(benchmark: str, source: Source, mirror: str) -> None:
    """Raise `InputError` where the package is missing that something is to be fetched with.

    Of a source that has been here before nothing may be missing: that shows when it is looked at.
    """
    remote = source.fetchable and _mirror_folder(mirror) is None
    if remote and read_record(folder_of(benchmark, source)) is None:
        require_client(hub=bool(source.hub) and not mirror)


def _mirror_folder(mirror: str) -> Path | None:
    """The folder that a mirror is; None for an address."""
    if not mirror or mirror.startswith(("http://", "https://")):
        return None
    folder = Path(mirror).expanduser()
    if not folder.is_dir():
        raise InputError(said("fetch-from", mirror=mirror))
    return folder.resolve()


class _Fetching:
    """One source on its way into one folder."""

    def __init__(
        self, benchmark: str, source: Source, mirror: str, *, offline: bool, link: bool,
        watch: Watch,
    ) -> None:  # fmt: skip
        self.benchmark, self.source, self.mirror = benchmark, source, mirror
        self.offline, self.link, self.watch = offline, link, watch
        self.folder, self.at = folder_of(benchmark, source), _mirror_folder(mirror)
        if link and self.at is None:
            raise InputError(said("fetch-link"))
        known = read_record(self.folder)
        if known is None or known.revision != source.revision:
            known = FetchRecord(source.revision)
        self.record = known
        self.came: list[str] = []
        self.kept: list[str] = []
        self.missing: list[str] = []
        self.notes: list[str] = []
        self.trusted = 0

    def run(self) -> Fetched:
        if not self.offline:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.record.at = self.mirror or self.source.base or self.source.hub
        for file in self.source.files:
            self._file(file)
        for archive in self.source.archives:
            self._archive(archive)
        if self.offline and self.missing:
            raise InputError(said(
                "fetch-offline", name=f"{self.benchmark}:{self.source.name}",
                n=len(self.missing), folder=self.folder, files=self.missing[:_NAMED],
            ))  # fmt: skip
        if self.at is not None and not self.came and not self.kept:
            name = f"{self.benchmark}:{self.source.name}"
            example = self._example()
            raise InputError(said("fetch-nothing", mirror=self.mirror, name=name, example=example))
        return Fetched(
            str(self.folder), tuple(self.came), tuple(self.kept), tuple(self.missing),
            self.trusted, tuple(self.notes),
        )  # fmt: skip

    def _example(self) -> str:
        if self.source.files:
            return self.source.files[0].path
        return f"{next(iter(self.source.archives[0].keep.values()))}/"

    # Files

    def _file(self, file: File) -> None:
        path = inside(self.folder, file.path)
        wanted = self._wanted(file.path, file.sha256)
        if path.is_file():
            self._verify(file.path, wanted)
            return
        there = next(self._in_mirror(file), None) if self.at is not None else None
        if self.offline or (self.at is not None and there is None):
            self.missing.append(file.path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self.watch(file.path)
        if there is not None:
            self._take(there, file.path, wanted)
            return
        if self.source.hub and not self.mirror:
            where = f"{self.source.hub}/{file.address}"
            if not self.record.commit:
                self.record.commit = hub_commit(self.source.hub, self.source.revision)
            hub_download(self.source.hub, self.record.commit, file.address, path)
        else:
            where = self._url(file.address)
            download(where, path, wanted)
        try:
            self._came(file.path, digest_of(path), wanted, where)
        except InputError:
            path.unlink()
            raise

    def _wanted(self, name: str, stated: str = "") -> str:
        """The SHA-256 that a file must have: as its source states it, or as it came first."""
        before = self.record.files.get(name)
        return stated or (before.sha256 if before else "")

    def _url(self, address: str) -> str:
        base = self.mirror or self.source.base
        return f"{base.rstrip('/')}/{address}"

    def _in_mirror(self, file: File) -> Iterator[Path]:
        """Yield paths at which the mirror holds a file: in itself, or below its benchmark."""
        assert self.at is not None
        for root in self._roots():
            for name in (file.path, file.address):
                if (root / name).is_file():
                    yield root / name

    def _roots(self) -> list[Path]:
        assert self.at is not None
        own = sorted(path for path in self.at.glob(f"{self.benchmark}*") if path.is_dir())
        return [*own, self.at]

    def _verify(self, name: str, wanted: str) -> None:
        """Make sure of a file that is here."""
        path = inside(self.folder, name)
        digest = digest_of(path)
        if wanted and digest != wanted:
            raise InputError(
                said("fetch-other", path=path, actual=digest[:12], expected=wanted[:12])
            )
        if name not in self.record.files and not self.offline:
            self._keep(name, digest, trusted=not wanted)
        self.kept.append(name)

    def _take(self, there: Path, name: str, wanted: str) -> None:
        """Copy or link a file of a mirror."""
        digest = digest_of(there)
        if wanted and digest != wanted:
            raise changed(str(there), wanted, digest)
        path = inside(self.folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.link:
            path.unlink(missing_ok=True)
            path.symlink_to(there)
        else:
            shutil.copyfile(there, path)
        self._came(name, digest_of(path), wanted, str(there))

    def _came(self, name: str, digest: str, wanted: str, where: str) -> None:
        """Take note of a file that was brought. Raises `InputError` where it is another one."""
        if wanted and digest != wanted:
            raise changed(where, wanted, digest)
        self.trusted += not wanted
        self._keep(name, digest, trusted=not wanted)
        self.came.append(name)

    def _keep(self, name: str, sha256: str, *, trusted: bool, last: bool = True) -> None:
        size = inside(self.folder, name).stat().st_size
        self.record.files[name] = FetchedFile(sha256, size, trusted)
        if last:
            write_record(self.folder, self.record)

    # Archives

    def _archive(self, archive: Archive) -> None:
        mine = [name for name in self.record.files if _targets(archive, name)]
        there = [name for name in mine if (self.folder / name).is_file()]
        for name in there:
            self._verify(name, self._wanted(name, archive.known.get(name, "")))
        if self.offline:
            lost = [name for name in mine if name not in there]
            self.missing += lost if mine else [f"{target}/" for target in archive.keep.values()]
            return
        if archive.at in self.record.archives and mine and len(mine) == len(there):
            return
        if self.at is not None and not self._packed(archive):
            self._copy(archive)
            return
        self._unpack(archive)

    def _packed(self, archive: Archive) -> Path | None:
        """The archive itself in a mirror that is a folder."""
        names = (archive.at, f"{archive.at}.zip", f"{archive.at}.tar.gz")
        candidates = (root / name for root in self._roots() for name in names)
        return next((path for path in candidates if path.is_file()), None)

    def _copy(self, archive: Archive) -> None:
        """Take what a folder holds unpacked."""
        folders = (
            (root, root / target) for target in archive.keep.values() for root in self._roots()
        )
        for root, folder in folders:
            for there in sorted(folder.rglob("*")) if folder.is_dir() else ():
                name = there.relative_to(root).as_posix()
                hidden = any(part.startswith(".") for part in Path(name).parts)
                if there.is_file() and not hidden and name not in (*self.kept, *self.came):
                    self.watch(name)
                    self._take(there, name, self._wanted(name, archive.known.get(name, "")))

    def _unpack(self, archive: Archive) -> None:
        path = self.folder / f"{_ARCHIVE}{archive.at.replace('/', '-')}"
        wanted = archive.sha256
        self.watch(archive.at)
        if self.at is not None:
            packed = self._packed(archive)
            assert packed is not None
            if wanted and (digest := digest_of(packed)) != wanted:
                raise changed(str(packed), wanted, digest)
            shutil.copyfile(packed, path)
        else:
            download(self._url(archive.at), path, wanted)
        new = self.folder / _NEW
        shutil.rmtree(new, ignore_errors=True)
        try:
            came, pointers = unpack(path, archive, new)
            if not came:
                kinds = ", ".join(archive.keep)
                raise InputError(said("fetch-none-of", at=archive.at, kinds=kinds))
            fates = [(name, self._wanted(name, archive.known.get(name, ""))) for name in came]
            for name, known in fates:  # all are refused where one is another file than it was
                if known and (digest := digest_of(new / name)) != known:
                    raise changed(f"{self._url(archive.at)}, {name}", known, digest)
            for name, known in fates:
                self._move(new, name, known)
        finally:
            shutil.rmtree(new, ignore_errors=True)
            digest, size = digest_of(path), path.stat().st_size
            path.unlink()
        if pointers:
            many = counted(len(pointers), "file is a pointer", "files are pointers")
            self.notes.append(
                f"{many} of Git LFS in the archive and left out: {', '.join(pointers[:_NAMED])}"
            )
        self.record.archives[archive.at] = FetchedFile(digest, size, not wanted)
        write_record(self.folder, self.record)

    def _move(self, new: Path, name: str, known: str) -> None:
        if name in self.kept:
            return
        path = inside(self.folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        (new / name).replace(path)
        self.trusted += not known
        self._keep(name, digest_of(path), trusted=not known, last=False)
        self.came.append(name)


def _targets(archive: Archive, name: str) -> bool:
    return any(name == t or name.startswith(f"{t}/") for t in archive.keep.values())
