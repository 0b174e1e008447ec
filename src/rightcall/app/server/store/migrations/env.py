"""Run by Alembic, on the connection that it is handed."""

from __future__ import annotations

from alembic import context

from rightcall.app.server.store.tables import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
