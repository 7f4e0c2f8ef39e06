"""Every exception that isomatch raises on purpose, under one root.

A message says what was wrong, where, and what to do. Errors of other libraries
(stores, vector engines, model endpoints) are translated where these are called,
with their cause (``raise … from error``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class IsomatchError(Exception):
    """Root of everything that isomatch raises on purpose.

    Attributes:
        exit_code: of the command line, when this error ends a command.
    """

    exit_code = 1


class ConfigurationError(IsomatchError):
    """A setting or an option is missing, unknown or of the wrong form.

    Attributes:
        option: the name of the option of a search whose value is wrong; else None.
    """

    exit_code = 2

    def __init__(self, message: str = "", *, option: str | None = None):
        super().__init__(message)
        self.option = option


class MissingExtraError(ConfigurationError):
    """An optional part is not installed; the message has the install command."""


class WorkerError(IsomatchError):
    """A worker process ended or failed, see `isomatch.executor`.

    Attributes:
        item: what it was working on.
    """

    def __init__(self, message: str, item: object = None):
        super().__init__(message)
        self.item = item


class EmptyReferenceError(ConfigurationError):
    """A judge has nothing to check an answer against."""


class PatternError(IsomatchError):
    """A pattern breaks a rule of its form; the message points at the place.

    Attributes:
        text: the input as given, if it was text.
        position: offset into ``text`` in characters, or None.
        fault: the `isomatch.pattern.rules.Fault` of a `Pattern` that is made of parts, or None.
    """

    exit_code = 3

    def __init__(
        self,
        message: str,
        *,
        text: str | None = None,
        position: int | None = None,
        fault: Any = None,
    ):
        super().__init__(message)
        self.text = text
        self.position = position
        self.fault = fault


class StoreError(IsomatchError):
    """The database is missing, locked, damaged, or refused a query."""

    exit_code = 4


class PluginVersionError(StoreError):
    """The plugin in the database and this isomatch have incompatible versions."""


class LoadError(StoreError):
    """A file could not be loaded; nothing of it was."""


class NotAllowed(StoreError):
    """The user lacks a right that the query needs."""


class QueryRefused(StoreError):
    """The database refuses this query; it may accept a smaller one."""


class QueryTimeout(StoreError):
    """A query took longer than the database or the budget of the search allows."""


class SearchCancelled(IsomatchError):
    """The caller gave a search up, see `isomatch.cancel`; it found nothing and proves nothing."""


class VectorIndexError(IsomatchError):
    """The index is missing, locked, incomplete, or of another embedder or graph."""

    exit_code = 5


class EmbeddingError(IsomatchError):
    """An embedder could not be loaded or failed on a text."""

    exit_code = 5


class ArtifactError(IsomatchError):
    """A trained model's folder is missing, damaged, of another version, or of another graph."""

    exit_code = 5


class ModelError(IsomatchError):
    """The language model's endpoint is down, slow, or sent a malformed reply."""

    exit_code = 6


class InterpretationError(IsomatchError):
    """No pattern could be made from a question."""

    exit_code = 7
