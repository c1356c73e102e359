"""Alembic's entry: runs the steps on the connection that the store gives."""

from alembic import context

from zhiyin.study.tables import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
