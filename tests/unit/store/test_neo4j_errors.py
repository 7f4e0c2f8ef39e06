"""Errors of the driver in words, where the servers of the tests cannot be made to raise them."""

from __future__ import annotations

import ssl

import pytest
from neo4j.exceptions import (
    ConfigurationError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.neo4j.errors import NotAllowed, Place, may_pass, translate

PLACE = Place("neo4j://graph.test", "reader", None, "films")


def from_server(code: str, message: str) -> Neo4jError:
    """As the driver makes it of a server's answer; it has no public way."""
    return Neo4jError._hydrate_neo4j(code=code, message=message)


def led_to(error: Exception, *causes: Exception) -> Exception:
    """An error with its causes, outermost first."""
    outer = error
    for cause in causes:
        outer.__cause__ = cause
        outer = cause
    return error


def test_a_missing_right_is_named() -> None:
    error = from_server(
        "Neo.ClientError.Security.Forbidden",
        "Show indexes is not allowed for user 'reader' with roles [PUBLIC].",
    )
    assert str(translate(error, PLACE, "indexes")) == (
        "Neo4j at neo4j://graph.test, database films does not let reader do what the query "
        "'indexes' needs: Show indexes is not allowed for user 'reader' with roles [PUBLIC]. "
        "isomatch doctor names the rights that are missing"
    )
    assert isinstance(translate(error, PLACE), NotAllowed)


def test_it_is_the_impersonated_user_who_lacks_a_right() -> None:
    error = from_server("Neo.ClientError.Security.Forbidden", "no")
    assert "does not let guest do" in str(translate(error, Place("bolt://h", "app", "guest")))


def test_a_query_over_the_time_that_the_server_allows() -> None:
    error = from_server("Neo.ClientError.Transaction.TransactionTimedOut", "Terminated.")
    found = translate(error, PLACE, "match")
    assert isinstance(found, QueryTimeout)
    assert "stopped the query 'match' at its own limit: Terminated" in str(found)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("AuthenticationRateLimit", "To mend it, wait some seconds after so many failures, then"),
        ("CredentialsExpired", "To mend it, change the password in Neo4j, then set NEO4J_USERNAME"),
        ("TokenExpired", "To mend it, set NEO4J_USERNAME and NEO4J_PASSWORD"),
    ],
)
def test_a_refused_user_is_named_with_what_to_do(code: str, words: str) -> None:
    error = from_server(f"Neo.ClientError.Security.{code}", "The server's words.")
    message = str(translate(error, PLACE))
    assert "refused the user 'reader' or the password (The server's words)" in message
    assert words in message


def test_certificates_that_are_not_trusted() -> None:
    error = led_to(
        ServiceUnavailable("Couldn't connect"),
        OSError("Connection failed"),
        ssl.SSLCertVerificationError("self-signed certificate"),
    )
    message = str(translate(error, PLACE))
    assert "do not agree on encryption: " in message
    assert "self-signed certificate" in message
    assert "+ssc://" in message


@pytest.mark.parametrize("kind", [ServiceUnavailable, SessionExpired])
def test_what_cannot_be_reached_is_told_by_its_first_cause(kind: type[Exception]) -> None:
    error = led_to(kind("Unable to retrieve routing information"), OSError("No route to host"))
    assert str(translate(error, PLACE)) == (
        "Neo4j at neo4j://graph.test cannot be reached: No route to host. Check that it runs and "
        "listens there; NEO4J_URI names another"
    )


def test_causes_that_go_round_come_to_an_end() -> None:
    error = ServiceUnavailable("outer")
    led_to(error, OSError("inner"), error)
    assert "cannot be reached" in str(translate(error, PLACE))


def test_a_server_that_is_too_old_for_the_driver() -> None:
    error = ConfigurationError("Notification filtering is not supported for Bolt 4.4")
    assert "isomatch needs Neo4j 5.26 or newer" in str(translate(error, PLACE))


@pytest.mark.parametrize(
    "error",
    [
        DriverError("something else"),
        from_server("Neo.TransientError.General.OutOfMemoryError", "something else"),
    ],
)
def test_all_else_keeps_its_words(error: Exception) -> None:
    found = translate(error, PLACE, "match")
    assert type(found) is StoreError
    assert "failed on the query 'match': something else" in str(found)


PROCEDURE = "Failed to invoke procedure `isomatch.match.stream`: Caused by: "


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (
            "org.isomatch.config.ConfigException: unknown config key 'kk'",
            "refused the call, which is a bug of isomatch, please report it: unknown config key",
        ),
        (
            'java.lang.NullPointerException: Cannot invoke "String.length()"',
            "failed, which is a bug of isomatch, please report it: Cannot invoke",
        ),
        ("org.neo4j.graphdb.NotFoundException: Node 4 not found", "failed, which is a bug"),
    ],
)
def test_what_the_plugin_raises_is_told(cause: str, words: str) -> None:
    error = from_server("Neo.ClientError.Procedure.ProcedureCallFailed", PROCEDURE + cause)
    message = str(translate(error, PLACE, "match"))
    assert message.startswith("isomatch's plugin in Neo4j at neo4j://graph.test, database films ")
    assert words in message
    assert "Caused by" not in message
    assert message.endswith("--no-plugin searches without it")


def test_what_the_procedures_of_others_raise() -> None:
    words = "Failed to invoke procedure `apoc.x`: Caused by: java.lang.RuntimeException: no"
    error = from_server("Neo.ClientError.Procedure.ProcedureCallFailed", words)
    assert "failed on the query 'match': Failed to invoke" in str(translate(error, PLACE, "match"))


def test_a_plugin_that_has_gone() -> None:
    words = "There is no procedure with the name `isomatch.match.stream` registered."
    error = from_server("Neo.ClientError.Procedure.ProcedureNotFound", words)
    assert "has isomatch's plugin no more: open the session again" in str(translate(error, PLACE))


def test_a_query_that_somebody_ended() -> None:
    error = from_server("Neo.TransientError.Transaction.Terminated", "Terminated by the user.")
    assert str(translate(error, PLACE, "match")).startswith("Somebody ended the query 'match' in")


def test_memory_of_one_transaction_is_not_asked_for_again() -> None:
    code = "Neo.TransientError.General.MemoryPoolOutOfMemoryError"
    own = from_server(code, "20 MiB. db.memory.transaction.max threshold reached")
    total = from_server(code, "1 GiB. dbms.memory.transaction.total.max threshold reached")
    assert (may_pass(own), may_pass(total)) == (False, True)
    assert "met a memory limit of Neo4j" in str(translate(own, PLACE, "match"))
    assert not may_pass(OSError())
