"""What the server remembers: keys, data sets, runs, traces, labels. SQLAlchemy Core on SQLite or PostgreSQL."""
