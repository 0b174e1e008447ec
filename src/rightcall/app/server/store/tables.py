"""The tables. Times are seconds since 1970 in UTC; JSON is kept as the bytes that were written."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

__all__ = ["METADATA", "CALIBRATIONS", "DATASETS", "KEYS", "LABELS", "RUNS", "SPANS", "TRACES", "VERSIONS"]

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

KEYS = Table(
    "api_keys",
    METADATA,
    Column("id", String(16), primary_key=True),
    Column("name", Text, nullable=False),
    Column("digest", LargeBinary(32), nullable=False),  # SHA-256 of the secret, which has 256 random bits
    Column("scopes", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("last_used", Float),
    Column("revoked", Float),
)

DATASETS = Table(
    "datasets",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("description", Text, nullable=False, default=""),
    Column("created", Float, nullable=False),
)

VERSIONS = Table(
    "dataset_versions",
    METADATA,
    Column("dataset", String(32), ForeignKey("datasets.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("file", Text, nullable=False),  # within the data folder
    Column("size", BigInteger, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("cases", BigInteger, nullable=False),
    Column("unreadable", BigInteger, nullable=False),
    Column("created", Float, nullable=False),
)

RUNS = Table(
    "runs",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", Text, nullable=False, default=""),
    Column("dataset", String(32)),  # a run outlives its data set's name
    Column("version", Integer),
    Column("request", LargeBinary, nullable=False),
    Column("signature", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("resumable", Boolean, nullable=False, default=False),
    Column("created", Float, nullable=False),
    Column("started", Float),
    Column("ended", Float),
    Column("cases", BigInteger, nullable=False, default=0),
    Column("errors", BigInteger, nullable=False, default=0),
    Column("passed", BigInteger),
    Column("message", Text),
    Index("ix_runs_created", "created"),
    Index("ix_runs_state", "state"),
)

TRACES = Table(
    "traces",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("first_span", Float, nullable=False),
    Column("last_span", Float, nullable=False),
    Column("has_root", Boolean, nullable=False, default=False),
    Column("case_id", Text),
    Column("state", String(16), nullable=False),  # open, scored, failed
    Column("scored", Float),
    Column("passed", Boolean),
    Column("outcome", LargeBinary),  # the results as JSON
    Column("generation", Integer, nullable=False, default=0),
    Index("ix_traces_state", "state", "last_span"),
)

SPANS = Table(
    "spans",
    METADATA,
    Column("trace", String(32), ForeignKey("traces.id", ondelete="CASCADE"), primary_key=True),
    Column("id", String(16), primary_key=True),
    Column("data", LargeBinary, nullable=False),  # one resource with this span, as OTLP/JSON
)

LABELS = Table(
    "labels",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("run", String(32)),
    Column("case_id", Text),
    Column("body", LargeBinary, nullable=False),
    Column("equivalent", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Index("ix_labels_created", "created"),
)

CALIBRATIONS = Table(
    "calibrations",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("model", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created", Float, nullable=False),
)
