"""Verdicts kept in a file, so that a judge that was stopped goes on where it ended.

A line of JSON for each answer and metric, with its verdicts, their reasons, and what they cost.
A line counts for a question and answer, a metric, a judge's model, and what else the metric
looks at (evidence, references, the search): with another one of these the answer is judged anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from isomatch.errors import ConfigurationError
from isomatch.files import complete_lines
from isomatch.judge.types import Scored

VERSION = 1  # of the prompts and of what a line means


class VerdictLog:
    """Verdicts by what they are about.

    Args:
        path: a file of JSON lines, which is made where it is missing; None keeps them in
            memory only. A last line that is not whole is dropped.

    Raises:
        ConfigurationError: it cannot be read or written, or has other lines.
    """

    def __init__(self, path: Path | str | None = None):
        self.path = None if path is None else Path(path)
        self._kept: dict[str, Scored] = {}
        if self.path is None:
            return
        try:
            lines = complete_lines(self.path, '{"key": ')
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()
        except (OSError, ValueError) as error:
            raise ConfigurationError(
                f"the verdicts cannot be kept in {path}: {error}; name another file"
            ) from error
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                self._kept[row["key"]] = Scored.of_json(row)
            except (ValueError, LookupError, TypeError) as error:
                raise ConfigurationError(
                    f"{path}, line {number} holds no verdicts ({error!r}): name another file"
                ) from error

    def get(self, key: str) -> Scored | None:
        """What was kept for a key of `key_of`; None where nothing was."""
        return self._kept.get(key)

    def add(self, key: str, about: dict[str, Any], scored: Scored) -> None:
        """Keep verdicts, and append them to the file.

        Args:
            about: question, answer, metric and model, for readers of the file.

        Raises:
            ConfigurationError: the file cannot be written.
        """
        self._kept[key] = scored
        if self.path is None:
            return
        line = json.dumps({"key": key, **about, **scored.as_json()}, ensure_ascii=False)
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise ConfigurationError(
                f"the verdicts cannot be kept in {self.path}: {error}"
            ) from error


def key_of(question: str, answer: str, metric: str, model: str | None, *looked_at: Any) -> str:
    """The key of verdicts.

    Args:
        looked_at: what else decides, as values that JSON has.
    """
    parts = [VERSION, question, answer, metric, model, *looked_at]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]
