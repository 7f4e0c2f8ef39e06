"""Check what a session needs, one by one, and say how to fix what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from isomatch import factories
from isomatch.errors import IsomatchError
from isomatch.link.manifest import counts_words

if TYPE_CHECKING:
    import httpx

    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import NodeSource
    from isomatch.settings import Settings
    from isomatch.store.base import Store

TIMEOUT = 5.0  # seconds, of requests to the endpoint of the language model


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    Attributes:
        name: ``store``, ``schema``, ``embedder``, ``index``, ``model`` or ``qdrant``;
            also ``profile`` for a SPARQL endpoint, ``plugin`` for Neo4j, and
            ``vectors`` where vector indexes of Neo4j are used.
        status: ``warn`` for what works, but perhaps not as intended.
        message: what was found.
        fix: what to do; may be empty.
    """

    name: str
    status: Literal["ok", "warn", "fail"]
    message: str
    fix: str = ""


def examine(
    settings: Settings, *, fresh: bool = False, transport: httpx.BaseTransport | None = None
) -> Iterator[Check]:
    """Run the checks; none of them raises, and an error that several meet is told once.

    Args:
        settings: of the session.
        fresh: probe a SPARQL endpoint again.
        transport: for HTTP requests to the language model's endpoint.
    """
    told: dict[str, str] = {}
    for check in _checks(settings, fresh, transport):
        if check.status != "fail" or check.fix:
            yield check
            continue
        first = told.setdefault(check.message, check.name)
        if first == check.name:
            yield check
        else:
            yield Check(check.name, "fail", f"the same error as {first}", f"fix the {first} first")


def _checks(
    settings: Settings, fresh: bool, transport: httpx.BaseTransport | None
) -> Iterator[Check]:
    store: Store | None = None
    embedder: Embedder | None = None
    if fresh:
        settings.profile_path.unlink(missing_ok=True)
    try:
        with suppress(IsomatchError):  # reported by the checks below, which open them again
            store = factories.open_store(settings)
        with suppress(IsomatchError):
            embedder = factories.plain_embedder(settings)
        yield _run("store", lambda: _store(settings))
        if settings.neo4j_uri is not None:
            yield _run("plugin", lambda: _plugin(settings, store))
        elif settings.endpoint is not None:
            yield _run("profile", lambda: _profile(settings, store))
        yield _run("schema", lambda: _schema(settings, store))
        yield _run("embedder", lambda: _embedder(embedder or factories.plain_embedder(settings)))
        if settings.neo4j_vector_index:
            yield _run("vectors", lambda: _vectors(settings, store, embedder))
        yield _run("index", lambda: _index(settings, store, embedder))
        yield _run("model", lambda: _model(settings, transport))
        yield _run("qdrant", lambda: _qdrant(settings))
    finally:
        for part in (embedder, store):
            if part is not None:
                part.close()


def _run(name: str, check: Callable[[], Check]) -> Check:
    try:
        return check()
    except IsomatchError as error:
        # The message says what was wrong and, after a colon, what to do.
        return Check(name, "fail", str(error))


def _store(settings: Settings) -> Check:
    with factories.open_store(settings) as store:
        about = store.describe()
        missing = store.missing_rights()
    what = "triples" if settings.neo4j_uri is None else "relationships"
    size = "" if about.triples is None else f", {about.triples:,} {what}"
    message = f"{about}{size}"
    if missing:
        return Check(
            "store",
            "warn",
            f"{message}; its user lacks rights: {', '.join(missing)}",
            "isomatch doctor --advise prints what to grant",
        )
    if about.triples == 0:
        return Check("store", "warn", f"{message}: it is empty", _fix_of_empty(settings))
    return Check("store", "ok", message)


def _plugin(settings: Settings, store: Store | None) -> Check:
    if store is None:
        return Check("plugin", "fail", "no database to look for it in", "fix the store first")
    if not settings.plugin:
        return Check("plugin", "ok", "not looked for, as the setting says")
    if store.plugin is None:
        return Check("plugin", "ok", "none that the user may call: searches are compiled queries")
    return Check("plugin", "ok", f"{store.plugin}: searches run inside the database")


def _profile(settings: Settings, store: Store | None) -> Check:
    if store is None or (profile := store.profile) is None:
        return Check("profile", "fail", "no endpoint to ask", "fix the store first")
    if profile.engine == "unknown":
        fix = "set engine in isomatch.toml where you know what it runs"
        return Check("profile", "ok", profile.words(), fix)
    return Check("profile", "ok", profile.words())


def _fix_of_empty(settings: Settings) -> str:
    if settings.endpoint is not None:
        return "the graphs in isomatch.toml may be others than those that the data is in"
    if settings.neo4j_uri is None:
        return "isomatch load FILES"
    return "NEO4J_DATABASE names another database"


def _schema(settings: Settings, store: Store | None) -> Check:
    if store is None:
        return Check("schema", "fail", "no graph to read it from", "fix the store first")
    is_cached = settings.schema_path.exists()
    schema = factories.schema_of(settings, store)
    message = f"{len(schema.relations):,} relations, {len(schema.types):,} types"
    if not schema.relations:
        return Check(
            "schema", "warn", f"{message}: the graph has no facts", _fix_of_empty(settings)
        )
    return Check("schema", "ok", message if is_cached else f"{message} (read now)")


def _embedder(embedder: Embedder) -> Check:
    started = perf_counter()
    embedder.embed(["a text"])
    took = 1000 * (perf_counter() - started)
    return Check(
        "embedder", "ok", f"{embedder.name}, {embedder.dimension} numbers ({took:.0f} ms cold)"
    )


def _vectors(settings: Settings, store: Store | None, embedder: Embedder | None) -> Check:
    if store is None or embedder is None:
        return Check("vectors", "fail", "no graph or no embedder", "fix these first")
    from isomatch.link.neo4j_vectors import Neo4jVectors

    schema, named = factories.schema_of(settings, store), settings.neo4j_vector_index
    nodes = Neo4jVectors.open(store, schema, named, embedder.dimension)
    found = "; ".join(map(str, nodes.indexes))
    return Check("vectors", "ok", f"nodes are found by {found}")


def _nodes(settings: Settings, store: Store, embedder: Embedder) -> NodeSource | None:
    if not settings.neo4j_vector_index and settings.endpoint is None:
        return None  # without reading the schema, which may be what fails
    return factories.nodes_of(settings, store, factories.schema_of(settings, store), embedder)


def _index(settings: Settings, store: Store | None, embedder: Embedder | None) -> Check:
    if embedder is None:
        return Check("index", "fail", "no embedder to read it with", "fix the embedder first")
    fingerprint = None if store is None else factories.identity_of(settings, store)
    nodes = None if store is None else _nodes(settings, store, embedder)
    with factories.open_index(settings, embedder, fingerprint, nodes) as index:
        counts = counts_words({c: index.count(c) for c in ("nodes", "relations", "types")})
        return Check("index", "ok", f"{counts}, made {index.manifest.created}")


def _model(settings: Settings, transport: httpx.BaseTransport | None) -> Check:
    if settings.model is None:
        return Check(
            "model",
            "ok",
            "none is set: questions are read and answered without one",
            "to use one, set ISOMATCH_MODEL and OPENAI_BASE_URL",
        )
    import httpx

    base = (settings.openai_base_url or "https://api.openai.com/v1").rstrip("/")
    key = settings.openai_api_key
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    try:
        with httpx.Client(timeout=TIMEOUT, transport=transport, headers=headers) as client:
            reply = client.get(f"{base}/models")
            reply.raise_for_status()
            models = [str(m["id"]) for m in reply.json()["data"]]
    except httpx.HTTPStatusError as error:
        code = error.response.status_code
        fix = "set OPENAI_API_KEY" if code in (401, 403) else "correct OPENAI_BASE_URL"
        return Check("model", "fail", f"{base} answered {code}", fix)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Check(
            "model",
            "fail",
            f"{base} cannot be reached: {error}",
            "start it, or set OPENAI_BASE_URL",
        )
    except (ValueError, KeyError, TypeError):
        return Check(
            "model", "warn", f"{base} is there, but does not list its models", "try isomatch ask"
        )
    if settings.model not in models:
        listed = ", ".join(models[:5]) or "none"
        return Check(
            "model", "warn", f"{base} does not list {settings.model!r}", f"it lists {listed}"
        )
    return Check("model", "ok", f"{settings.model} at {base}")


def _qdrant(settings: Settings) -> Check:
    if settings.qdrant_url is None:
        return Check("qdrant", "ok", "embedded")
    vectors = factories.vectors_of(settings)
    assert vectors is not None
    try:
        found = len(vectors.client.get_collections().collections)  # type: ignore[attr-defined]
    except Exception as error:  # the client raises those of several libraries
        return Check(
            "qdrant",
            "fail",
            f"{settings.qdrant_url} cannot be used: {type(error).__name__}: {error}",
            "start it, set QDRANT_URL or QDRANT_API_KEY, or unset QDRANT_URL to embed it",
        )
    return Check("qdrant", "ok", f"{settings.qdrant_url}, {found} collections")
