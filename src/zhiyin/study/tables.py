"""The tables of a study's answers."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)  # fmt: skip

METADATA = MetaData()

FACTS = Table(
    "facts",
    METADATA,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What holds for the whole study: its fingerprint, and counts of people of whom nothing is kept."""

PEOPLE = Table(
    "people",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("pseudonym", String(32), nullable=False, unique=True),
    Column("link_hash", String(64), nullable=False, unique=True),
    Column("outside_hash", String(64), unique=True),
    Column("visit_hash", String(64)),
    Column("language", String(16), nullable=False),
    Column("step", String(32), nullable=False),
    Column("outcome", String(32), nullable=False, default=""),
    Column("consented", Float, nullable=False),
    Column("finished", Float),
    Column("background", JSON, nullable=False),
    Column("checks", JSON, nullable=False),
    Column("planned", Integer, nullable=False, default=0),
)
"""Who takes part. Nothing of another platform is kept but keyed hashes."""

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("hash", String(64), primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("begun", Float, nullable=False),
)

PLACES = Table(
    "places",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("person", ForeignKey("people.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("item", String(512), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("order", JSON, nullable=False),
    Column("given", Float, nullable=False),
    Column("done", Boolean, nullable=False, default=False),
    UniqueConstraint("person", "item"),
    UniqueConstraint("person", "position"),
)
"""What a person was given, in which order, with the options in the order shown."""

ANSWERS = Table(
    "answers",
    METADATA,
    Column("place", ForeignKey("places.id", ondelete="CASCADE"), primary_key=True),
    Column("keys", JSON, nullable=False),
    Column("grades", JSON, nullable=False),
    Column("text", Text, nullable=False),
    Column("said", String(32), nullable=False),
    Column("listens", JSON, nullable=False),
    Column("active_ms", Integer, nullable=False),
    Column("idle_ms", Integer, nullable=False),
    Column("saved", Float, nullable=False),
)
"""One answer a place, whatever is sent how often."""
