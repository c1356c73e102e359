"""Fetching a source: what is here is checked, what is not is brought, and all of it recorded."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from zhiyin.contract.published import Archive, File, Source, folder_of
from zhiyin.errors import InputError
from zhiyin.files import inside
from zhiyin.numerals import counted
from zhiyin.session.fetching.download import changed, download, hub_commit, hub_download
from zhiyin.session.fetching.record import Kept, Record, digest_of, read_record, write_record
from zhiyin.session.fetching.unpack import unpack

Watch = Callable[[str], None]
_NEW, _ARCHIVE = ".new", ".archive-"
_NAMED = 3


class Fetched(msgspec.Struct, frozen=True):
    """What came of fetching a source.

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
    benchmark: str,
    source: Source,
    mirror: str = "",
    *,
    offline: bool = False,
    link: bool = False,
    watch: Watch = lambda line: None,
) -> Fetched:
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
        instructions = "; ".join(source.by_hand)
        raise InputError(f"{benchmark}:{source.name} cannot be fetched: {instructions}")
    folder = folder_of(benchmark, source)
    at = _mirror_folder(mirror)
    if link and at is None:
        raise InputError("--link is for --from with a folder; leave it out")
    work = _Fetching(benchmark, source, folder, mirror, at, offline, link, watch)
    return work.run()


def _mirror_folder(mirror: str) -> Path | None:
    """The folder that a mirror is; None for an address."""
    if not mirror or mirror.startswith(("http://", "https://")):
        return None
    folder = Path(mirror).expanduser()
    if not folder.is_dir():
        raise InputError(f"--from {mirror}: no such folder, and no http address; correct it")
    return folder.resolve()


class _Fetching:
    """One source on its way into one folder."""

    def __init__(
        self,
        benchmark: str,
        source: Source,
        folder: Path,
        mirror: str,
        at: Path | None,
        offline: bool,
        link: bool,
        watch: Watch,
    ) -> None:
        self.benchmark, self.source, self.folder = benchmark, source, folder
        self.mirror, self.at, self.offline, self.link = mirror, at, offline, link
        self.watch = watch
        known = read_record(folder)
        if known is None or known.revision != source.revision:
            known = Record(source.revision)
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
            raise InputError(
                f"{self.benchmark}:{self.source.name}: "
                f"{counted(len(self.missing), 'file is', 'files are')} not in "
                f"{self.folder} ({', '.join(self.missing[:_NAMED])}); fetch them without --offline"
            )
        if self.at is not None and not self.came and not self.kept:
            raise InputError(
                f"{self.mirror}: holds nothing of {self.benchmark}:{self.source.name}, such as "
                f"{self._example()}; correct --from"
            )
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
        before = self.record.files.get(file.path)
        wanted = file.sha256 or (before.sha256 if before else "")
        if path.is_file():
            self._verify(file.path, path, wanted)
            return
        if self.offline:
            self.missing.append(file.path)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        self.watch(file.path)
        if self.at is not None:
            there = next(self._in_mirror(file), None)
            if there is None:
                self.missing.append(file.path)
                return
            self._take(there, file.path, wanted)
        elif self.source.hub and not self.mirror:
            hub_download(self.source.hub, self._commit(), file.address, path)
            self._accept(file.path, path, wanted, f"{self.source.hub}/{file.address}")
        else:
            url = self._url(file.address)
            download(url, path, wanted)
            self._accept(file.path, path, wanted, url)

    def _url(self, address: str) -> str:
        base = self.mirror or self.source.base
        return f"{base.rstrip('/')}/{address}"

    def _commit(self) -> str:
        if not self.record.commit:
            self.record.commit = hub_commit(self.source.hub, self.source.revision)
        return self.record.commit

    def _in_mirror(self, file: File) -> Iterator[Path]:
        """Where a folder may hold a file: itself, or in a folder named after the benchmark."""
        assert self.at is not None
        for root in self._roots():
            for name in (file.path, file.address):
                if (root / name).is_file():
                    yield root / name

    def _roots(self) -> list[Path]:
        assert self.at is not None
        own = sorted(path for path in self.at.glob(f"{self.benchmark}*") if path.is_dir())
        return [*own, self.at]

    def _verify(self, name: str, path: Path, wanted: str) -> None:
        """Make sure of a file that is here."""
        digest = digest_of(path)
        if wanted and digest != wanted:
            raise InputError(
                f"{path}: not the file that was published or fetched (SHA-256 {digest[:12]}, not "
                f"{wanted[:12]}); move it away, and fetch again"
            )
        if name not in self.record.files and not self.offline:
            self._keep(name, path, digest, trusted=not wanted)
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
        self._accept(name, path, wanted, str(there))

    def _accept(self, name: str, path: Path, wanted: str, where: str) -> None:
        digest = digest_of(path)
        if wanted and digest != wanted:
            path.unlink()
            raise changed(where, wanted, digest)
        self.trusted += not wanted
        self._keep(name, path, digest, trusted=not wanted)
        self.came.append(name)

    def _keep(self, name: str, path: Path, sha256: str, *, trusted: bool) -> None:
        self.record.files[name] = Kept(sha256, path.stat().st_size, trusted)
        write_record(self.folder, self.record)

    # Archives

    def _archive(self, archive: Archive) -> None:
        mine = [name for name in self.record.files if _targets(archive, name)]
        there = [name for name in mine if (self.folder / name).is_file()]
        for name in there:
            known = archive.known.get(name, "") or self.record.files[name].sha256
            self._verify(name, self.folder / name, known)
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
        for target in archive.keep.values():
            for root in self._roots():
                if not (root / target).is_dir():
                    continue
                for there in sorted((root / target).rglob("*")):
                    name = there.relative_to(root).as_posix()
                    hidden = any(part.startswith(".") for part in Path(name).parts)
                    if there.is_file() and not hidden and name not in (*self.kept, *self.came):
                        before = self.record.files.get(name)
                        known = archive.known.get(name, "") or (before.sha256 if before else "")
                        self.watch(name)
                        self._take(there, name, known)

    def _unpack(self, archive: Archive) -> None:
        path = self.folder / f"{_ARCHIVE}{archive.at.replace('/', '-')}"
        before = self.record.archives.get(archive.at)
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
                raise InputError(f"{archive.at}: the archive holds none of {kinds}")
            self._check(archive, new, came, before)
            for name in came:
                self._move(archive, new, name)
        finally:
            shutil.rmtree(new, ignore_errors=True)
            digest, size = digest_of(path), path.stat().st_size
            path.unlink()
        if pointers:
            many = counted(len(pointers), "file is a pointer", "files are pointers")
            self.notes.append(
                f"{many} of Git LFS in the archive and left out: {', '.join(pointers[:_NAMED])}"
            )
        self.record.archives[archive.at] = Kept(digest, size, not wanted)
        write_record(self.folder, self.record)

    def _check(self, archive: Archive, new: Path, came: list[str], before: Kept | None) -> None:
        """Refuse all members where one is another file than it was."""
        for name in came:
            known = self.record.files.get(name)
            wanted = archive.known.get(name, "") or (known.sha256 if known else "")
            if wanted and (digest := digest_of(new / name)) != wanted:
                raise changed(f"{self._url(archive.at)}, {name}", wanted, digest)

    def _move(self, archive: Archive, new: Path, name: str) -> None:
        if name in self.kept:
            return
        path = inside(self.folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        (new / name).replace(path)
        known = self.record.files.get(name)
        trusted = name not in archive.known and known is None
        self.trusted += trusted
        self.record.files[name] = Kept(digest_of(path), path.stat().st_size, trusted)
        self.came.append(name)


def _targets(archive: Archive, name: str) -> bool:
    return any(name == t or name.startswith(f"{t}/") for t in archive.keep.values())
