"""The data base of a study: its tables, how it is opened, and transactions that several share."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection

from zhiyin.errors import InputError, reworded
from zhiyin.words import said

METADATA = sa.MetaData()

FACTS = sa.Table(
    "facts", METADATA, sa.Column("name", sa.String(64), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)  # fmt: skip
"""What holds for the whole study: its fingerprint, and counts of people of whom nothing is kept."""

PEOPLE = sa.Table(
    "people", METADATA, sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("pseudonym", sa.String(32), nullable=False, unique=True),
    sa.Column("link_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("outside_hash", sa.String(64), unique=True), sa.Column("visit_hash", sa.String(64)),
    sa.Column("language", sa.String(16), nullable=False),
    sa.Column("step", sa.String(32), nullable=False),
    sa.Column("outcome", sa.String(32), nullable=False, default=""),
    sa.Column("consented", sa.Float, nullable=False), sa.Column("finished", sa.Float),
    sa.Column("background", sa.JSON, nullable=False), sa.Column("checks", sa.JSON, nullable=False),
    sa.Column("planned", sa.Integer, nullable=False, default=0),
)  # fmt: skip
"""Who takes part. Nothing of another platform is kept but keyed hashes."""

SESSIONS = sa.Table(
    "sessions", METADATA, sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("person", sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("begun", sa.Float, nullable=False),
)  # fmt: skip

PLACES = sa.Table(
    "places", METADATA, sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("person", sa.ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("item", sa.String(512), nullable=False, index=True),
    sa.Column("position", sa.Integer, nullable=False), sa.Column("order", sa.JSON, nullable=False),
    sa.Column("given", sa.Float, nullable=False),
    sa.Column("done", sa.Boolean, nullable=False, default=False),
    sa.UniqueConstraint("person", "item"), sa.UniqueConstraint("person", "position"),
)  # fmt: skip
"""What a person was given, in which order, with the options in the order shown."""

ANSWERS = sa.Table(
    "answers", METADATA,
    sa.Column("place", sa.ForeignKey("places.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("keys", sa.JSON, nullable=False), sa.Column("grades", sa.JSON, nullable=False),
    sa.Column("text", sa.Text, nullable=False), sa.Column("said", sa.String(32), nullable=False),
    sa.Column("listens", sa.JSON, nullable=False),
    sa.Column("active_ms", sa.Integer, nullable=False),
    sa.Column("idle_ms", sa.Integer, nullable=False), sa.Column("saved", sa.Float, nullable=False),
    sa.Column("after_ms", sa.Integer),
)  # fmt: skip
"""One answer a place, whatever is sent how often."""

TEXTS = sa.Table(
    "texts", METADATA, sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("made", sa.Float, nullable=False), sa.Column("people", sa.Integer, nullable=False),
    sa.Column("texts", sa.JSON, nullable=False),
)  # fmt: skip
"""Texts as they were edited in the browser, each with how many people had taken part by then. Those
of the study file are version 0; nothing is overwritten."""


_LOCK_OF_POSTGRES = 730_114
_BUSY_S = 30


class WriteBatch:
    """One transaction with what several have written one after the other."""

    def __init__(self, engine: sa.Engine) -> None:
        self.connection = engine.connect().execution_options(writes=True)
        self.over, self.fault = False, None  # type: bool, sa.exc.SQLAlchemyError | None
        try:
            self._transaction = self.connection.begin()
            if engine.dialect.name == "postgresql":
                lock = sa.func.pg_advisory_xact_lock(_LOCK_OF_POSTGRES)
                self.connection.execute(sa.select(lock))
        except BaseException:
            self.connection.close()
            raise

    def end(self) -> None:
        """Bring everything to the disk, or nothing."""
        try:
            self._transaction.commit()
        except sa.exc.SQLAlchemyError as error:
            self.fault = error
        finally:
            self.over = True
            self.connection.close()


def add_column(connection: Connection) -> None:
    """Add the column that studies begun with an earlier version have not."""
    there = {one["name"] for one in sa.inspect(connection).get_columns("answers")}
    if "after_ms" not in there:
        connection.execute(sa.text("ALTER TABLE answers ADD COLUMN after_ms INTEGER"))


def keep_private(path: Path) -> None:
    """Make SQLite's file where it is not there, and let its owner alone read it and its journals.

    Journals that SQLite makes later are readable to whom the file is.
    """
    with reworded(f"{path}: ", ": answers cannot be kept there"):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        for part in (path, *path.parent.glob(f"{path.name}-*")):
            part.chmod(0o600)


def open_engine(url: str) -> sa.Engine:
    """What connects to a data base. Raises `InputError` for an address that is none."""
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
        raise InputError(said("study-database")) from None
    except ImportError as error:
        raise InputError(said("study-driver", why=error)) from None


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
