"""What the Neo4j driver raises, in words: what was wrong, where, and what to do."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator

from neo4j.exceptions import (
    ClientError,
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from isomatch.errors import NotAllowed, QueryTimeout, StoreError
from isomatch.store.neo4j.place import Place

OLDEST = "5.26"
UNKNOWN_DATABASE = "Neo.ClientError.Database.DatabaseNotFound"
FORBIDDEN = "Neo.ClientError.Security.Forbidden"

_TERMINATED = "Neo.ClientError.Transaction.Terminated"
_OUT_OF_MEMORY = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
_ONE_TRANSACTION = "db.memory.transaction.max"  # the setting, as the server's words name it
_IN_A_PROCEDURE = "Neo.ClientError.Procedure.ProcedureCallFailed"
_NO_PROCEDURE = "Neo.ClientError.Procedure.ProcedureNotFound"
_PLUGINS = re.compile(r"`isomatch\.[\w.]+`: Caused by: (?:(org\.isomatch\.)?[\w.$]+: )?(.*)")
_TIMED_OUT = "Neo.ClientError.Transaction.TransactionTimedOut"
_SECURITY = "Neo.ClientError.Security."
_OURS = (
    "Neo.ClientError.Statement.AccessMode",
    "Neo.ClientError.Statement.SyntaxError",
    "Neo.ClientError.Statement.ParameterMissing",
    "Neo.ClientError.Statement.TypeError",
)
# Names of queries whose text is not ours: a model's, and gold ones (`isomatch.evaluate`).
_GIVEN = ("statement_type", "text-to-query", "gold")


class DatabaseMissing(StoreError):
    """The server has no database of this name, or the user may not see it."""


def may_pass(error: Exception) -> bool:
    """Whether another attempt may mend a driver's error.

    The driver's own judgement, but a transaction that outgrew its own limit outgrows
    it again.
    """
    if isinstance(error, Neo4jError) and error.code == _OUT_OF_MEMORY:
        return _ONE_TRANSACTION not in _words(error)
    return isinstance(error, (DriverError, Neo4jError)) and error.is_retryable()


def translate(
    error: Exception, place: Place, query: str = "", timeout: float | None = None
) -> StoreError:
    """The error to raise in place of a driver's.

    Args:
        error: a `neo4j.exceptions.DriverError` or `Neo4jError`.
        query: name of what was asked.
        timeout: seconds that it was given.
    """
    if isinstance(error, Neo4jError):
        return _from_server(error, place, query, timeout)
    if isinstance(error, (ServiceUnavailable, SessionExpired)):
        return _unreachable(error, place)
    if isinstance(error, ConfigurationError):
        return StoreError(
            f"Neo4j at {place.uri} cannot be used this way: {_words(error)}. isomatch needs "
            f"Neo4j {OLDEST} or newer"
        )
    return StoreError(f"Neo4j at {place} failed on the query {query!r}: {_words(error)}")


def _from_server(error: Neo4jError, place: Place, query: str, timeout: float | None) -> StoreError:
    code, words = error.code or "", _words(error)
    if code.startswith(_TIMED_OUT):
        limit = "its own limit" if timeout is None else f"the limit of {timeout:.3g} s"
        return QueryTimeout(f"Neo4j at {place} stopped the query {query!r} at {limit}: {words}")
    if code == _TERMINATED:
        return StoreError(f"Somebody ended the query {query!r} in Neo4j at {place}: {words}")
    if code == _OUT_OF_MEMORY:
        return StoreError(
            f"The query {query!r} met a memory limit of Neo4j at {place}: {words}. Ask for less "
            "(--k, --limit), or have the limit raised"
        )
    if code == _NO_PROCEDURE and "isomatch." in words:
        return StoreError(
            f"Neo4j at {place} has isomatch's plugin no more: open the session again, which then "
            f"searches without it ({words})"
        )
    if code == _IN_A_PROCEDURE and (found := _PLUGINS.search(words)):
        what = "refused the call" if found[1] else "failed"
        return StoreError(
            f"isomatch's plugin in Neo4j at {place} {what}, which is a bug of isomatch, please "
            f"report it: {found[2]}. --no-plugin searches without it"
        )
    if code == UNKNOWN_DATABASE:
        return DatabaseMissing(f"Neo4j at {place.uri} has no database {place.database!r}: {words}")
    if code == FORBIDDEN:
        who = place.impersonate or place.username or "the driver's user"
        return NotAllowed(
            f"Neo4j at {place} does not let {who} do what the query {query!r} needs: {words}. "
            "isomatch doctor names the rights that are missing"
        )
    if code.startswith(_SECURITY):
        return _refused(code, words, place)
    if isinstance(error, ClientError) and place.impersonate and "mpersonat" in words:
        return StoreError(
            f"Neo4j at {place.uri} cannot act as the user {place.impersonate!r}: {words}. "
            "Unset ISOMATCH_NEO4J_IMPERSONATE"
        )
    if code in _OURS and query in _GIVEN:
        return StoreError(f"Neo4j at {place} refused it: {words}")
    if code in _OURS:
        return StoreError(
            f"Neo4j at {place} refused the query {query!r}, which is a bug of isomatch, please "
            f"report it: {words}"
        )
    return StoreError(f"Neo4j at {place} failed on the query {query!r}: {words} ({code})")


def _refused(code: str, words: str, place: Place) -> StoreError:
    """Of authentication. What the server says of it is true, and says little."""
    if "missing key `scheme`" in words:
        return StoreError(
            f"Neo4j at {place.uri} asks for a user and a password: set NEO4J_USERNAME and "
            "NEO4J_PASSWORD"
        )
    if place.username is None:
        who, fix = "the user of the driver that it was given", "make the driver with another"
    else:
        who, fix = f"the user {place.username!r}", "set NEO4J_USERNAME and NEO4J_PASSWORD"
    if code.endswith("AuthenticationRateLimit"):
        fix = "wait some seconds after so many failures, then " + fix
    elif code.endswith("CredentialsExpired"):
        fix = "change the password in Neo4j, then " + fix
    return StoreError(
        f"Neo4j at {place.uri} refused {who} or the password ({words}). To mend it, {fix}"
    )


def _unreachable(error: Exception, place: Place) -> StoreError:
    causes = list(_causes(error))
    words = _words(causes[-1])
    if any(isinstance(c, ssl.SSLError) or "SSL" in str(c) for c in causes):
        return StoreError(
            f"Neo4j at {place.uri} and this client do not agree on encryption: {words}. In "
            "NEO4J_URI take bolt:// or neo4j:// where the server has none, +s:// where its "
            "certificate is of an authority that this machine trusts, +ssc:// for any other"
        )
    which = "NEO4J_URI names another" if place.username else "the driver that was given says where"
    return StoreError(
        f"Neo4j at {place.uri} cannot be reached: {words}. Check that it runs and listens there; "
        f"{which}"
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it, outermost first; of several at once the first."""
    seen: set[int] = set()
    next_one: BaseException | None = error
    while next_one is not None and id(next_one) not in seen:
        seen.add(id(next_one))
        yield next_one
        several = getattr(next_one, "exceptions", ())  # the router tried several servers
        next_one = several[0] if several else next_one.__cause__


def _words(error: BaseException) -> str:
    """What it says, on one line, without the names of its fields."""
    said = error.message if isinstance(error, Neo4jError) else str(error)
    return " ".join((said or type(error).__name__).split()).rstrip(".")
