"""Answers that an endpoint has given to introspection, kept until the schema is written.

Reading the schema of a public endpoint takes hundreds of small queries, and may be
stopped in between. Each answer is one line of a file in the home folder, by a hash of
the query's text, so that the next run asks only what is missing. What the endpoint
refused, or took too long for, is kept too: it would take as long again.

    {"format": 1, "graph": "…", "began": 1700000000}
    ["<hash of a query>", [["http://…/director", "12"], …]]
    ["<hash of a query>", null]
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path

from isomatch.errors import StoreError
from isomatch.store.base import Row

FORMAT = 1
KEPT = 7 * 24 * 3600  # seconds; an endpoint in use has changed by then


class Journal:
    """The answers so far, of one graph.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "schema.journal"
        >>> Journal(path, "graph").add("SELECT …", [("a", None)])
        >>> Journal(path, "graph").find("SELECT …")
        [('a', None)]
    """

    def __init__(self, path: Path, graph: str):
        """Read what is there; a journal of another graph, or an old one, is begun anew.

        Args:
            path: the file; its folder is made when the first answer comes.
            graph: says which graph it is (`isomatch.store.base.Store.identity`).
        """
        self.path = path
        self._graph = graph
        self._answers: dict[str, list[Row] | None] = {}
        self._begun = False
        self._read()

    def _read(self) -> None:
        try:
            with self.path.open("rb") as file:
                head = json.loads(file.readline())
                if head["format"] != FORMAT or head["graph"] != self._graph:
                    return
                if not 0 <= time.time() - head["began"] <= KEPT:
                    return
                whole = file.tell()
                for line in file:
                    if not line.endswith(b"\n"):
                        break  # the run was killed while it wrote this
                    digest, rows = json.loads(line)
                    self._answers[digest] = None if rows is None else [tuple(r) for r in rows]
                    whole += len(line)
            with self.path.open("r+b") as file:
                file.truncate(whole)
            self._begun = True
        except (OSError, ValueError, KeyError, TypeError):
            self._answers = {}  # none, or damaged: all is asked again

    def __contains__(self, text: str) -> bool:
        return _digest(text) in self._answers

    def find(self, text: str) -> list[Row] | None:
        """The rows of a query that is in the journal; None where it was refused."""
        return self._answers[_digest(text)]

    def add(self, text: str, rows: Sequence[Row] | None) -> None:
        """Keep an answer, or that there was none.

        Raises:
            StoreError: the file cannot be written.
        """
        digest = _digest(text)
        self._answers[digest] = None if rows is None else list(rows)
        lines = "" if self._begun else json.dumps(self._head()) + "\n"
        lines += json.dumps([digest, rows], ensure_ascii=False) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab" if self._begun else "wb") as file:
                file.write(lines.encode("utf-8", "surrogatepass"))
        except OSError as error:
            raise StoreError(
                f"the answers of the endpoint cannot be kept in {self.path}: {error}"
            ) from error
        self._begun = True

    def _head(self) -> dict[str, object]:
        return {"format": FORMAT, "graph": self._graph, "began": int(time.time())}

    def remove(self) -> None:
        """Delete the file, if it is there."""
        self._answers, self._begun = {}, False
        self.path.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
