"""The HTTP API: what :mod:`rightcall.run` does, for a team. Everything here is behind the extra `server`."""
