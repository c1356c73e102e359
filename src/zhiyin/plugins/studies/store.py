"""The store of a study: its design and items, and whole steps that are read and written."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin.errors import InputError, missing_package, reworded
from zhiyin.files import write_atomically
from zhiyin.parsing import read_toml_text
from zhiyin.plugins.studies.design import (
    DATABASE,
    FILE,
    ITEMS,
    KEY,
    ItemRoles,
    StudyDesign,
    StudyItem,
    StudyTexts,
    fingerprint,
    read_items,
    write_items,
)
from zhiyin.plugins.studies.languages import words_for
from zhiyin.plugins.studies.questionnaire import read_scale
from zhiyin.plugins.studies.roles import numbers_of, with_roles
from zhiyin.plugins.studies.settings import (
    FaultyStudyError,
    StudyFault,
    faults,
    idle,
    read_study,
    runs_named,
    study_file,
    study_of,
)
from zhiyin.words import said

try:
    import sqlalchemy as sa
    from sqlalchemy.engine import Connection

    from zhiyin.plugins.studies.database import (
        FACTS,
        METADATA,
        PEOPLE,
        TEXTS,
        WriteBatch,
        add_column,
        keep_private,
        open_engine,
    )
except ModuleNotFoundError:  # pragma: no cover
    raise missing_package("sqlalchemy", "study") from None

if TYPE_CHECKING:
    from zhiyin.plugins.studies.assigning import AnswerCounts


CLOSED = "closed"
"""Fact: when the study was closed; empty while it is open."""


class TextVersion(msgspec.Struct, frozen=True):
    """Texts by language, when they were made (Unix time; 0 for the study file), and by how many
    people the study had been begun then.
    """

    version: int
    made: float
    people: int
    texts: dict[str, StudyTexts]


class StudyStore:
    """A study's design, items and answers.

    Parameters
    ----------
    folder : Path
        Of the study.
    url : str
        Of another data base, such as ``postgresql+psycopg://...``; "" for SQLite in the folder.

    Raises
    ------
    InputError
        The study is faulty, the data base cannot be opened, or somebody has taken part in the
        study as it was before it was changed.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        self.folder = folder
        self._read_files()
        self._key = _secret(folder / KEY)
        if not url:
            keep_private(folder / DATABASE)
        self.engine = open_engine(url or f"sqlite:///{(folder / DATABASE).absolute()}")
        # One writer at a time: SQLite would let others wait by chance, not in turn.
        self._turn = threading.Lock()
        self._committing = threading.Lock()
        self._batch: WriteBatch | None = None
        self._standing: AnswerCounts | None = None
        try:
            with self.write() as connection:
                METADATA.create_all(connection)
                add_column(connection)
        except sa.exc.SQLAlchemyError as error:
            first = str(error.__cause__ or error).splitlines()[0]
            raise InputError(said("study-unopened", first=first)) from None
        with self.write() as connection:
            self._keep_design(connection)
        if not self.begun and (found := [*idle(self.declared, self.items.values())]):
            fault = FaultyStudyError(found[:1])
            raise InputError(said("error-at", where=folder / FILE, why=fault))
        self._take_texts()

    def _read_files(self) -> None:
        """Take design and items as they are in the folder."""
        self._file = (self.folder / FILE).read_bytes() if (self.folder / FILE).is_file() else b""
        self.declared: StudyDesign = read_study(self.folder)
        self.study, self.version = self.declared, 0
        self.items: dict[str, StudyItem] = read_items(self.folder)
        self.of_role: dict[str, list[StudyItem]] = {
            role: [item for item in self.items.values() if item.role == role]
            for role in ("plain", "gold", "practice", "attention")
        }

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes. It is on the disk when the block ends without an error.

        Writes that come while a transaction is being committed share the next one: at 10 ms a
        commit, everybody would wait otherwise.
        """
        batch = None
        try:
            with self._block() as batch:
                yield batch.connection
        except BaseException:
            if batch is not None:  # others may wait for what they wrote in it
                with contextlib.suppress(sa.exc.SQLAlchemyError):
                    self._bring_to_disk(batch)
            raise
        self._bring_to_disk(batch)

    @contextlib.contextmanager
    def _block(self) -> Iterator[WriteBatch]:
        """Open one writer's part of a transaction; after an error only that part is undone."""
        with self._turn:
            batch = self._batch = self._batch or WriteBatch(self.engine)
            before = self._standing.changes if self._standing else 0
            try:
                with batch.connection.begin_nested():
                    yield batch
            except BaseException:
                if self._standing is not None and self._standing.changes != before:
                    self._standing = None
                raise

    def _bring_to_disk(self, batch: WriteBatch) -> None:
        """Wait until a transaction is on the disk, and bring it there if no other thread does."""
        with self._committing:
            if not batch.over:
                with self._turn:
                    self._batch = None
                    batch.end()
                    if batch.fault is not None:
                        self._standing = None
        if batch.fault is not None:
            raise batch.fault

    def standing(self, connection: Connection) -> AnswerCounts:
        """Return how many answers each item has, for the present writer."""
        from zhiyin.plugins.studies.assigning import AnswerCounts

        if self._standing is None:
            self._standing = AnswerCounts(self, connection)
        return self._standing

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that reads one state of the answers."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    def sign(self, purpose: str, *words: Any) -> str:
        """A keyed hash, in hexadecimal: not to be made or undone without the study's key."""
        message = "\0".join([purpose, *map(str, words)]).encode("utf-8", "surrogatepass")
        return hmac.new(self._key, message, hashlib.sha256).hexdigest()

    def fact(self, connection: Connection, name: str, default: str = "") -> str:
        """Read a named fact about the whole study."""
        query = sa.select(FACTS.c.value).where(FACTS.c.name == name)
        return str(connection.execute(query).scalar() or default)

    def note(self, connection: Connection, name: str, value: str) -> None:
        """Keep a fact."""
        connection.execute(FACTS.delete().where(FACTS.c.name == name))
        connection.execute(FACTS.insert().values(name=name, value=value))

    def count(self, name: str) -> None:
        """Count one more of something of which nothing else is kept, such as no consent."""
        with self.write() as connection:
            self.note(connection, name, str(int(self.fact(connection, name, "0")) + 1))

    @property
    def closed(self) -> str:
        """When the study was closed; empty while people may take part."""
        with self.read() as connection:
            return self.fact(connection, CLOSED)

    def forget_pages(self) -> None:
        """Clear SQLite's journal after a deletion, so that nothing deleted stays in it."""
        if self.engine.dialect.name != "sqlite":
            return
        with self._committing, self._turn, self.engine.connect() as connection:
            if self._batch is not None:
                self._batch.end()
                self._batch = None
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def text_versions(self) -> list[TextVersion]:
        """The texts of the study file, and whatever was made of them later."""
        with self.read() as connection:
            rows = connection.execute(sa.select(TEXTS).order_by(TEXTS.c.version)).all()
        later = [
            TextVersion(
                row.version, row.made, row.people,
                msgspec.convert(row.texts, dict[str, StudyTexts]),
            )
            for row in rows
        ]  # fmt: skip
        return [TextVersion(0, 0.0, 0, self.declared.texts), *later]

    @property
    def begun(self) -> int:
        """How many people have taken part."""
        with self.read() as connection:
            return self._begun(connection)

    def _begun(self, connection: Connection) -> int:
        counted = sa.select(sa.func.count()).select_from(PEOPLE)
        return int(connection.execute(counted).scalar() or 0)

    @property
    def texts_stamp(self) -> str:
        """What a consent names: it counts only for the texts that were read."""
        words = msgspec.json.encode(self.study.texts, order="sorted")
        return f"{self.version}-{hashlib.sha256(words).hexdigest()[:16]}"

    @property
    def stamp(self) -> str:
        """What changes with everything that is edited in the browser."""
        words = msgspec.json.encode([self.study, [(i.id, i.role) for i in self.items.values()]])
        return hashlib.sha256(words).hexdigest()[:24]

    def faults(self, study: StudyDesign, roles: ItemRoles) -> list[StudyFault]:
        """All that cannot be meant in another design and other roles of the items."""
        found = [*faults(study), *_faults_of_words(study, self.folder)]
        try:
            return [*found, *idle(study, self._with_roles(study, roles))]
        except FaultyStudyError as fault:
            return [*found, *fault.faults]

    def _with_roles(self, study: StudyDesign, roles: ItemRoles) -> list[StudyItem]:
        """Return the items, drawn anew for their roles where other numbers of them are wanted."""
        items = list(self.items.values())
        return items if roles == numbers_of(items) else with_roles(items, roles, study.seed)

    def edit(self, study: StudyDesign, roles: ItemRoles) -> None:
        """Write another design into the study file: nobody has taken part yet.

        Roles of items are drawn anew where other numbers of them are wanted. The file has its
        comments as `zhiyin study make` writes them.

        Raises
        ------
        FaultyStudyError
            Something cannot be meant, or somebody has taken part; nothing is changed then.
        """
        items = self._with_roles(study, roles)
        if found := self.faults(study, roles):
            raise FaultyStudyError(found)
        text = study_file(study, runs_named(self._file.decode()))
        if study_of(read_toml_text(text.encode())) != study:
            raise FaultyStudyError([StudyFault("", said("study-not-written"))])
        with self.write() as connection:
            if self._begun(connection):
                raise FaultyStudyError([StudyFault("", said("study-fixed-now"))])
            if (self.folder / FILE).read_bytes() != self._file:
                raise FaultyStudyError([StudyFault("", said("study-file-changed"))])
            with reworded(said("error-unwritten", path=self.folder, why="")):
                if items != list(self.items.values()):
                    write_items(self.folder, items)
                write_atomically(self.folder / FILE, text.encode(), synced=True)
            connection.execute(TEXTS.delete())
            self._read_files()
            self._standing = None
            self._keep_design(connection)

    def edit_texts(self, texts: dict[str, StudyTexts]) -> None:
        """Show people other texts from now on; what was shown before is kept beside them.

        Nothing that is asked or excluded changes, so that a study that has answers goes on.

        Raises
        ------
        FaultyStudyError
            They are not whole, or lack a language.
        """
        study = msgspec.structs.replace(self.declared, texts=texts)
        if found := [*faults(study), *_faults_of_words(study, self.folder)]:
            raise FaultyStudyError(found)
        if texts == self.study.texts:
            return
        with self.write() as connection:
            values = {
                "version": self.version + 1, "made": time.time(),
                "people": self._begun(connection), "texts": msgspec.to_builtins(texts),
            }  # fmt: skip
            connection.execute(TEXTS.insert().values(**values))
        self._take_texts()

    def _take_texts(self) -> None:
        """Take the newest texts."""
        newest = self.text_versions()[-1]
        self.version = newest.version
        self.study = msgspec.structs.replace(self.declared, texts=newest.texts)

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    def _keep_design(self, connection: Connection) -> None:
        """Refuse a design that was changed after somebody had taken part."""
        files = [(self.folder / ITEMS).read_bytes()]
        if self.study.scale_file:
            files.append((self.folder / self.study.scale_file).read_bytes())
        now = fingerprint(self.declared, *files)
        before, taken = self.fact(connection, "design"), self._begun(connection)
        if before and before != now and taken:
            raise InputError(said("study-changed", folder=self.folder / FILE, taken=taken))
        if before != now:
            self.note(connection, "design", now)


def _faults_of_words(study: StudyDesign, folder: Path) -> Iterator[StudyFault]:
    """Texts that are empty, and files of words that a browser's form names and nobody has."""
    for language in [one for one in study.languages if one in study.texts]:
        for name in ("title", "information"):
            if not getattr(study.texts[language], name).strip():
                yield StudyFault(f"texts.{language}.{name}", said("study-no-title"))
    for path, read in (("languages", words_for), ("scale_file", read_scale)):
        try:
            read(study, folder)
        except InputError as error:
            yield StudyFault(path, error.args[0])


def _secret(path: Path) -> bytes:
    """The study's key, made the first time; only its owner may read the file."""
    with contextlib.suppress(FileNotFoundError):
        key = path.read_bytes()
        if len(key) < 32:
            raise InputError(said("study-damaged", path=path))
        return key
    write_atomically(path, secrets.token_bytes(32), synced=True)
    os.chmod(path, 0o600)  # noqa: PTH101
    return path.read_bytes()
