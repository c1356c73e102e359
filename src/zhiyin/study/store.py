"""The store of a study: opens its tables, and lets others read and write whole steps in them."""

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
from typing import Any

from zhiyin.errors import InputError, missing_package
from zhiyin.files import write_atomically
from zhiyin.study.design import DATABASE, FILE, ITEMS, KEY, Study, fingerprint, read_study
from zhiyin.study.items import Item, read_items

try:
    import sqlalchemy as sa
    from sqlalchemy import event
    from sqlalchemy.engine import Connection

    from zhiyin.study.tables import FACTS, PEOPLE
except ImportError:  # pragma: no cover
    raise missing_package("sqlalchemy", "study") from None

_LOCK_OF_POSTGRES = 730_114
_BUSY_S = 30
_FRESH_S = 2.0


class Store:
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
        self.study: Study = read_study(folder)
        self.items: dict[str, Item] = read_items(folder)
        self._key = _secret(folder / KEY)
        self.engine = _engine(url or f"sqlite:///{(folder / DATABASE).absolute()}")
        # One writer at a time: SQLite would let others wait by chance, not in turn.
        self._turn = threading.Lock()
        self._excluded: tuple[float, set[int]] = (-_FRESH_S - 1, set())
        try:
            self._migrate()
        except sa.exc.SQLAlchemyError as error:
            first = str(error.__cause__ or error).splitlines()[0]
            raise InputError(f"the answers' data base cannot be opened: {first}") from None
        self._hold_to_the_design()

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes. It is on the disk when the block ends without an error."""
        with self._turn, self.engine.connect() as connection:
            connection = connection.execution_options(writes=True)
            with connection.begin():
                if self.engine.dialect.name == "postgresql":
                    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK_OF_POSTGRES)))
                yield connection

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that reads one state of the answers."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    def sign(self, purpose: str, *words: Any) -> str:
        """A keyed hash, in hexadecimal: nobody without the study's key can make or undo it."""
        said = "\0".join([purpose, *map(str, words)]).encode()
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()

    def fact(self, connection: Connection, name: str, default: str = "") -> str:
        """What holds for the whole study under a name."""
        query = sa.select(FACTS.c.value).where(FACTS.c.name == name)
        return str(connection.execute(query).scalar() or default)

    def note(self, connection: Connection, name: str, value: str) -> None:
        """Keep a fact."""
        connection.execute(FACTS.delete().where(FACTS.c.name == name))
        connection.execute(FACTS.insert().values(name=name, value=value))

    def count(self, name: str) -> None:
        """One more of something of which nothing else is kept, such as no consent."""
        with self.write() as connection:
            self.note(connection, name, str(int(self.fact(connection, name, "0")) + 1))

    def excluded_lately(self, connection: Connection) -> set[int]:
        """Who was excluded a few seconds ago: drawing items can wait for the news."""
        from zhiyin.study.exclusions import excluded_people

        when, found = self._excluded
        if time.monotonic() - when > _FRESH_S:
            found = set(excluded_people(self, connection))
            self._excluded = time.monotonic(), found
        return found

    def forget_pages(self) -> None:
        """After a deletion: nothing of it stays in SQLite's journal."""
        if self.engine.dialect.name == "sqlite":
            with self._turn, self.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()

    def _migrate(self) -> None:
        """Bring the tables to their newest form."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
        with self.write() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")

    def _hold_to_the_design(self) -> None:
        """Refuse a design that was changed after somebody had taken part."""
        files = [(self.folder / ITEMS).read_bytes()]
        if self.study.scale_file:
            files.append((self.folder / self.study.scale_file).read_bytes())
        now = fingerprint(self.study, *files)
        with self.write() as connection:
            before = self.fact(connection, "design")
            taken = connection.execute(sa.select(sa.func.count()).select_from(PEOPLE)).scalar()
            if before and before != now and taken:
                raise InputError(
                    f"{self.folder / FILE}: the study or its items changed after {taken} people "
                    "had taken part; put the old files back, or begin a new study in another folder"
                )
            if before != now:
                self.note(connection, "design", now)


def _secret(path: Path) -> bytes:
    """The study's key, made the first time; only its owner may read the file."""
    with contextlib.suppress(FileNotFoundError):
        key = path.read_bytes()
        if len(key) < 32:
            raise InputError(f"{path}: is damaged; put its backup back")
        return key
    write_atomically(path, secrets.token_bytes(32), synced=True)
    os.chmod(path, 0o600)  # noqa: PTH101
    return path.read_bytes()


def _engine(url: str) -> sa.Engine:
    try:
        parsed = sa.make_url(url)
        if parsed.drivername == "postgresql":
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() == "sqlite":
            engine = sa.create_engine(
                parsed, connect_args={"timeout": _BUSY_S, "check_same_thread": False},
                pool_size=16, max_overflow=64,
            )  # fmt: skip
            _set_up_sqlite(engine)
            return engine
        return sa.create_engine(parsed, pool_size=16, max_overflow=64, pool_pre_ping=True)
    except sa.exc.ArgumentError:
        raise InputError(
            "the address of the data base is none: give postgresql://NAME@HOST/BASE"
        ) from None
    except ImportError as error:
        raise InputError(f"{error}: install the driver of that data base") from None


def _set_up_sqlite(engine: sa.Engine) -> None:
    @event.listens_for(engine, "connect")
    def connect(raw: Any, _: Any) -> None:
        raw.isolation_level = None  # transactions begin where we say so
        for pragma in (
            "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON",
        ):  # fmt: skip
            raw.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
