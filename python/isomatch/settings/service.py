"""The table ``[serve]`` of ``isomatch.toml``: limits and behaviour of `isomatch serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class OidcSettings(BaseModel):
    """The table ``[serve.oidc]``: an OpenID Connect provider whose tokens may ask.

    Attributes:
        issuer: its address, as tokens have it (``iss``).
        audience: that tokens must be meant for (``aud``).
        jwks_url: where its keys are; None to ask ``/.well-known/openid-configuration``.
        leeway: seconds by which its clock and ours may differ.
        graphs_claim: the claim that names the graphs that a token may ask, as a list or with
            blanks; None where every token may ask all.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    issuer: str
    audience: str
    jwks_url: str | None = None
    leeway: int = Field(default=60, ge=0, le=600)
    graphs_claim: str | None = None


class ServiceSettings(BaseModel):
    """How the service behaves.

    Attributes:
        default_graph: name of the graph that is meant where a request names none; needed
            only where there are several.
        searches: searches of a graph that run at a time; more wait for their turn.
        waiting: searches of a graph that may wait; more are refused (429).
        seconds: for one request, the language model included.
        k: most interpretations that one search may ask for.
        matches: most matches that one search may ask for: its ``k`` times its ``limit``.
        rows: most rows that one search may read from the database.
        request_bytes: length of a request's body.
        body_seconds: in which a request's body must come.
        idle_seconds: after which a connection is closed that sends no request, or whose client
            reads nothing of an answer.
        rate: how often each key may ask, such as ``60/minute`` or ``5/second;1000/hour``
            (without keys: each address); None for no limit.
        keys_file: the file of keys; None for ``keys.json`` in the home folder.
        oidc: a provider whose tokens may ask, beside keys.
        cors_origins: origins whose web pages may ask; ``*`` for all.
        log: ``json`` writes a line of JSON to standard error for each request; ``none``
            writes only what went wrong.
        log_questions: whether these have what was asked.
        stop_seconds: that requests under way have for their answers once the service is told
            to end; what lasts longer is told to ask again.
        assistant_tokens: of a result that an assistant gets by MCP, in each of its two copies.
        datasets: names of graphs by the IRI that TEXT2SPARQL calls them by.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    default_graph: str | None = None
    searches: int = Field(default=4, ge=1)
    waiting: int = Field(default=64, ge=0)
    seconds: float = Field(default=30.0, gt=0)
    k: int = Field(default=100, ge=1)
    matches: int = Field(default=10_000, ge=1)
    rows: int = Field(default=1_000_000, ge=1_000)
    request_bytes: int = Field(default=1_000_000, ge=1_000)
    body_seconds: float = Field(default=30.0, gt=0)
    idle_seconds: float = Field(default=30.0, gt=0)
    rate: str | None = None
    keys_file: Path | None = None
    oidc: OidcSettings | None = None
    cors_origins: tuple[str, ...] = ()
    log: Literal["json", "none"] = "none"
    log_questions: bool = False
    stop_seconds: float = Field(default=30.0, ge=0)
    assistant_tokens: int = Field(default=8_000, ge=500)
    datasets: dict[str, str] = Field(default_factory=dict)
