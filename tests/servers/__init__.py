"""Real servers for tests and newcomers: resolved once, on loopback, ended by process id."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".servers"


class ServerUnavailable(RuntimeError):
    """This machine lacks what the server needs (Java, Maven, the registry); says how to get it."""


class ServerFailed(RuntimeError):
    """The server did not start, or did not do what it was told; has the end of its log."""
