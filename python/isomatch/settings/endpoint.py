"""What is known of a SPARQL endpoint beforehand: its address, and how to be let in."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from isomatch.errors import ConfigurationError

ENGINES = ("oxigraph", "fuseki", "virtuoso", "graphdb", "qlever", "blazegraph", "stardog", "rdflib")
"""Those that are known; any other is ``unknown``."""

# What HTTP lets be said (RFC 9110, 5.5 and 5.6.2), less what is not ASCII.
_HEADER_NAME = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_HEADER_VALUE = re.compile(r"(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class Endpoint(BaseModel):
    """A SPARQL endpoint as a user describes it; most need nothing but ``url``.

    Attributes:
        url: where queries go.
        update_url: where updates go; only ``isomatch migrate`` sends any.
        engine: what answers there, one of `ENGINES` or ``unknown``; None asks.
        graphs: IRIs of the graphs that are queried as one; none for what the
            endpoint takes where nothing is said. One text is a list of one.
        named_graphs: IRIs of the graphs that ``GRAPH`` sees.
        exclude: predicates, or namespaces of them, that are left out, beside those of
            `isomatch.settings.Settings.exclude`.
        auth: how to log in; None for basic where there is a user, for bearer where
            there is a token.
        username, password, token: the user, or the token, to log in with.
        headers: sent with every request.
        proxy: address of an HTTP proxy; None for that of the environment.
        verify: whether the server's certificate is checked, or a file of
            authorities to check it with.
        timeout: seconds that a query may take in all, attempts and pages included.
        connect_timeout: seconds that a connection may take.
        requests_at_a_time: at most, by all threads together.
        retries: further attempts after an answer that says 'later', or none at all.
        back_off: seconds before the first of them; each takes twice as long.
        format: of results; None takes JSON. TSV and CSV only where they must be:
            CSV says of no value whether it is a node, so a value that looks like an
            IRI counts as one and all others as plain text.
        row_cap: rows of one answer at most; None asks.
        values_block: ids that one query lists at most; None asks.
        longest_query: characters of a query at most; None asks.
        text_search: the engine's text index; None asks.

    Raises:
        pydantic.ValidationError: a value of the wrong form.

    Example:
        >>> Endpoint(url="https://my.example/sparql").timeout
        60.0
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: str
    update_url: str | None = None
    engine: str | None = None
    graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    auth: Literal["basic", "digest", "bearer"] | None = None
    username: str | None = None
    password: SecretStr | None = None
    token: SecretStr | None = None
    headers: Mapping[str, str] = Field(default_factory=dict)
    proxy: str | None = None
    verify: bool | Path = True
    timeout: float = Field(default=60.0, gt=0)
    connect_timeout: float = Field(default=10.0, gt=0)
    requests_at_a_time: int = Field(default=4, ge=1)
    retries: int = Field(default=4, ge=0)
    back_off: float = Field(default=0.5, ge=0)
    format: Literal["json", "xml", "tsv", "csv"] | None = None
    row_cap: int | None = Field(default=None, ge=1)
    values_block: int | None = Field(default=None, ge=1)
    longest_query: int | None = Field(default=None, ge=500)
    text_search: Literal["virtuoso", "jena", "graphdb", "qlever", "wikidata"] | None = None

    @classmethod
    def of(cls, url: str, **settings: Any) -> Endpoint:
        """The endpoint at an address.

        Raises:
            ConfigurationError: a setting is unknown or of the wrong form.
        """
        try:
            return cls(url=url, **settings)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(map(str, first["loc"])) or "settings"
            raise ConfigurationError(f"the endpoint's {key}: {first['msg']}") from error

    @field_validator("url", "update_url", "proxy")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if "@" in parts.netloc:  # before anything else: what is wrong is printed
            raise ValueError(
                "it has a user in it, and addresses are printed: use username and password"
            )
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{value!r} is no address: it begins with http:// or https://")
        _ = parts.port  # ValueError where it is no number
        if parts.fragment:
            raise ValueError(f"{value!r} has a part after '#', which is never sent: leave it out")
        return value

    @field_validator("engine")
    @classmethod
    def _known(cls, value: str | None) -> str | None:
        if value is None or value in (*ENGINES, "unknown"):
            return value
        near = difflib.get_close_matches(value.lower(), ENGINES, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(ENGINES)}, unknown"
        raise ValueError(f"unknown engine {value!r}; {hint}")

    @field_validator("graphs", "named_graphs", "exclude", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    # What is wrong with these is told without them: they are secret.
    @field_validator("headers")
    @classmethod
    def _sendable(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        for name, text in value.items():
            if not _HEADER_NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name of an HTTP header")
            if not _HEADER_VALUE.fullmatch(text):
                raise ValueError(
                    f"the value of the header {name!r} has a character that HTTP does not send "
                    "(a line break, a blank at an end, or one that is not ASCII)"
                )
        return value

    @field_validator("token")
    @classmethod
    def _token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.fullmatch(r"[\x21-\x7e]+", value.get_secret_value()):
            raise ValueError(
                "the token is empty or has a character that no token has (a line break, a blank, "
                "or one that is not ASCII)"
            )
        return value

    @field_validator("username", "password")
    @classmethod
    def _printable(cls, value: Any, info: ValidationInfo) -> Any:
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if text is not None and _CONTROL.search(text):
            raise ValueError(f"the {info.field_name} has a line break or another control character")
        if text is not None and info.field_name == "username" and ":" in text:
            raise ValueError("the username has a colon, which no log-in can send")
        return value

    @model_validator(mode="after")
    def _logged_in(self) -> Endpoint:
        if self.auth in ("basic", "digest") and not self.username:
            raise ValueError(f"auth = {self.auth!r} needs a username")
        if self.auth == "digest" and self.username and not self.username.isascii():
            raise ValueError("a username that is not ASCII cannot be sent by auth = 'digest'")
        if self.auth == "bearer" and self.token is None:
            raise ValueError("auth = 'bearer' needs a token")
        if self.username and self.token is not None and self.auth is None:
            raise ValueError("there is a username and a token: say which with auth")
        return self

    @property
    def identity(self) -> str:
        """A short text for what is read: the address and the graphs."""
        read = [self.url, sorted(self.graphs), sorted(self.named_graphs)]
        return hashlib.sha256(json.dumps(read).encode()).hexdigest()[:32]
