"""The first form of the tables."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "facts",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("pseudonym", sa.String(32), nullable=False, unique=True),
        sa.Column("link_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("outside_hash", sa.String(64), unique=True),
        sa.Column("visit_hash", sa.String(64)),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("step", sa.String(32), nullable=False),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("consented", sa.Float, nullable=False),
        sa.Column("finished", sa.Float),
        sa.Column("background", sa.JSON, nullable=False),
        sa.Column("checks", sa.JSON, nullable=False),
        sa.Column("planned", sa.Integer, nullable=False),
    )
    person = sa.ForeignKey("people.id", ondelete="CASCADE")
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.Integer, person, nullable=False, index=True),
        sa.Column("begun", sa.Float, nullable=False),
    )
    op.create_table(
        "places",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("person", sa.Integer, sa.ForeignKey("people.id", ondelete="CASCADE"),
                  nullable=False, index=True),
        sa.Column("item", sa.String(512), nullable=False, index=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("order", sa.JSON, nullable=False),
        sa.Column("given", sa.Float, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
        sa.UniqueConstraint("person", "item"),
        sa.UniqueConstraint("person", "position"),
    )  # fmt: skip
    op.create_table(
        "answers",
        sa.Column("place", sa.Integer, sa.ForeignKey("places.id", ondelete="CASCADE"),
                  primary_key=True),
        sa.Column("keys", sa.JSON, nullable=False),
        sa.Column("grades", sa.JSON, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said", sa.String(32), nullable=False),
        sa.Column("listens", sa.JSON, nullable=False),
        sa.Column("active_ms", sa.Integer, nullable=False),
        sa.Column("idle_ms", sa.Integer, nullable=False),
        sa.Column("saved", sa.Float, nullable=False),
    )  # fmt: skip
