"""What goes over the wire to a Neo4j server, by the driver's own log."""

from __future__ import annotations

import ast
import io
import logging
import tokenize
from typing import Any

LOG = logging.getLogger("neo4j.io")


class Wire(logging.Handler):
    """Counts what the driver sends while it is entered; slows it, so nothing is timed then.

    Attributes:
        queries: RUN messages.
        round_trips: times that the driver waited for the server: for the first rows of
            a query, and for every further page of them.
        texts: distinct query texts.
    """

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.queries = 0
        self.round_trips = 0
        self.texts: set[str] = set()
        self._sent = False
        self._level = LOG.level
        self._propagate = LOG.propagate

    def emit(self, record: logging.LogRecord) -> None:
        """One message: ``[port]  C: RUN 'text' {parameters} {…}``, ``[port]  S: SUCCESS …``."""
        if "  C: " in record.msg:
            self._sent = True
            if "C: RUN" in record.msg and isinstance(record.args, tuple):
                self.queries += 1
                self.texts.add(_first_text(record.args[1]))
        elif "  S: " in record.msg and self._sent:
            self._sent = False
            self.round_trips += 1

    def __enter__(self) -> Wire:
        self._level, self._propagate = LOG.level, LOG.propagate
        LOG.addHandler(self)
        LOG.setLevel(logging.DEBUG)
        LOG.propagate = False
        return self

    def __exit__(self, *_: object) -> None:
        LOG.removeHandler(self)
        LOG.setLevel(self._level)
        LOG.propagate = self._propagate


def _first_text(fields: Any) -> str:
    """The first of some values that are written as Python writes them."""
    first = next(tokenize.generate_tokens(io.StringIO(str(fields)).readline))
    return str(ast.literal_eval(first.string))
