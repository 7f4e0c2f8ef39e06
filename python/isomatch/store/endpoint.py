"""What is known of a SPARQL endpoint beforehand: its address, and how to be let in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator


class Endpoint(BaseModel):
    """A SPARQL endpoint as a user describes it; most need nothing but ``url``.

    Attributes:
        url: where queries go.
        update_url: where updates go; only ``isomatch migrate`` sends any.
        engine: what answers there (``virtuoso``, ``fuseki``, …); None asks.
        graphs: IRIs of the graphs that are queried as one; none for what the
            endpoint takes where nothing is said.
        named_graphs: IRIs of the graphs that ``GRAPH`` sees.
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

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str
    update_url: str | None = None
    engine: str | None = None
    graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
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

    @model_validator(mode="after")
    def _logged_in(self) -> Endpoint:
        if self.auth in ("basic", "digest") and not self.username:
            raise ValueError(f"auth = {self.auth!r} needs a username")
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
