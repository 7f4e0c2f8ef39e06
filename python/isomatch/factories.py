"""The parts of a session, opened as the settings say, each by one function.

Sessions, the command line and `isomatch.admin.doctor` open the same things with the
same arguments, so that what one of them keeps on disk fits the others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__
from isomatch.errors import ConfigurationError, StoreError, VectorIndexError
from isomatch.executor import HERE, Executor, Here, open_executor

if TYPE_CHECKING:
    import neo4j

    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.link.build import Origin
    from isomatch.link.build import Progress as IndexProgress
    from isomatch.link.embedder import Embedder
    from isomatch.link.index import Index
    from isomatch.link.reading import IndexReport
    from isomatch.link.text_search import TextSearch
    from isomatch.link.vectors import NodeSource, VectorHome
    from isomatch.llm import ChatModel
    from isomatch.schema.types import Name, Schema
    from isomatch.settings import Settings
    from isomatch.store.base import Store
    from isomatch.store.neo4j import Neo4jStore
    from isomatch.store.sparql import SparqlStore

SEARCHED = 2_000_000  # nodes of an endpoint from which on names are searched, not indexed


def open_store(settings: Settings, driver: neo4j.Driver | neo4j.AsyncDriver | None = None) -> Store:
    """The graph, read-only: a SPARQL endpoint or a Neo4j database where one is set.

    Else the embedded one.

    Args:
        driver: to reach Neo4j by, in place of the address in the settings; it stays
            open when the store is closed.

    Raises:
        ConfigurationError: the address of the endpoint or of Neo4j is wrong, or
            Neo4j's driver is not installed.
        StoreError: there is no graph, or it cannot be opened.
    """
    if driver is not None or settings.neo4j_uri is not None:
        return neo4j_store(settings, driver)
    if settings.endpoint is not None:
        return sparql_store(settings)
    if not settings.graph_path.exists():
        served = ", ".join(settings.graphs)
        named = f"; `isomatch serve` has the graphs that are named in the settings: {served}"
        raise StoreError(
            f"there is no graph in {settings.home}: run `isomatch load FILES`, or name the "
            f"folder of another with --home or ISOMATCH_HOME{named if served else ''}"
        )
    from isomatch.store.oxigraph import OxigraphStore

    return OxigraphStore.open(settings.graph_path, memory=settings.memory)


def sparql_store(settings: Settings) -> SparqlStore:
    """The SPARQL endpoint of the settings.

    Raises:
        ConfigurationError: none is set, or its settings cannot be used.
    """
    from isomatch.store.sparql import SparqlStore

    if (endpoint := settings.chosen_endpoint) is None:
        raise ConfigurationError("no SPARQL endpoint is set: set ISOMATCH_ENDPOINT")
    return SparqlStore(endpoint, profile_path=settings.profile_path)


def neo4j_store(
    settings: Settings, driver: neo4j.Driver | neo4j.AsyncDriver | None = None
) -> Neo4jStore:
    """The Neo4j database of the settings, or the one that a driver reaches.

    Raises:
        ConfigurationError, StoreError: see `open_store`.
    """
    from isomatch.store.neo4j import Neo4jStore

    database, impersonate = settings.neo4j_database, settings.neo4j_impersonate
    options: dict[str, Any] = {
        "fetch_size": settings.neo4j_fetch_size,
        "plugin": settings.plugin,
        "copy_limit": settings.neo4j_copy_limit,
    }
    if driver is not None:
        return Neo4jStore(driver, database, impersonate, **options)
    password = settings.neo4j_password
    return Neo4jStore.connect(
        settings.neo4j_uri or "",
        settings.neo4j_username,
        password.get_secret_value() if password else None,
        database,
        impersonate,
        **options,
    )


def schema_of(
    settings: Settings,
    store: Store,
    progress: Callable[[int, int], None] | None = None,
    *,
    fresh: bool = False,
) -> Schema:
    """The schema: the one on disk where it fits the graph, else read and kept.

    Args:
        fresh: read it again where the store's fingerprint does not follow every change of
            the graph (Neo4j, endpoints).
    """
    from isomatch.schema.cache import schema_for

    given: dict[str, Any] = {"progress": progress} if progress else {}
    if excluded := settings.excluded:
        given["exclude"] = excluded
    if not settings.subclasses:
        given["subclasses"] = False
    return schema_for(
        store,
        settings.schema_path,
        label_relations=settings.label_relations,
        type_relation=settings.type_relation,
        languages=settings.languages,
        fresh=fresh and not store.capabilities.content_fingerprint,
        **given,
    )


def identity_of(settings: Settings, store: Store) -> str:
    """Of the graph that an index is made of: the store's, less what is left out."""
    from isomatch.link.manifest import WITHOUT

    followed = settings.subclasses or store.capabilities.property_graph
    without = (*settings.excluded, *(() if followed else ("subclasses",)))
    return store.identity() + (WITHOUT + " ".join(without) if without else "")


def embedder_of(settings: Settings) -> Embedder:
    """The embedder, with the cache of vectors before it."""
    from isomatch.link.embed_cache import FILE, CachedEmbedder

    return CachedEmbedder(plain_embedder(settings), settings.cache_path / FILE)


def plain_embedder(settings: Settings) -> Embedder:
    """The embedder alone: for the index, whose vectors need no second copy."""
    return _opener(settings)()


def _opener(settings: Settings, **more: Any) -> Callable[[], Embedder]:
    """What opens the embedder, in a worker too; ``more`` is for that of MiniLM."""
    from isomatch.link.embedder import built_in, open_embedder
    from isomatch.link.manifest import embedder_of as embedder_of_index

    spec = settings.embedder
    if spec == "auto":
        spec = built_in(embedder_of_index(settings.index_path)) or "minilm"
    if not spec.startswith("openai:"):
        return partial(open_embedder, spec, **(more if spec == "minilm" else {}))
    key = settings.openai_api_key
    return partial(
        open_embedder,
        spec,
        base_url=settings.openai_base_url,
        api_key=key.get_secret_value() if key else None,
    )


def vectors_of(settings: Settings) -> VectorHome | None:
    """The Qdrant server where one is set, else None for the embedded engine."""
    if settings.qdrant_url is None:
        return None
    from isomatch.link.qdrant import QdrantHome

    key = settings.qdrant_api_key
    return QdrantHome(
        settings.qdrant_url,
        api_key=key.get_secret_value() if key else None,
        prefix=settings.qdrant_prefix or _prefix(settings),
        shards=settings.qdrant_shards,
    )


def _prefix(settings: Settings) -> str:
    # Several graphs on one server must not share collections.
    path = str(settings.home.resolve()).encode()
    return f"isomatch_{hashlib.sha256(path).hexdigest()[:12]}"


def nodes_of(
    settings: Settings, store: Store, schema: Schema, embedder: Embedder
) -> NodeSource | None:
    """What the database has to find nodes by itself, else None: the index has all.

    Its own vector indexes or, of an endpoint that is large, its search for words.

    Raises:
        ConfigurationError: the store is no Neo4j database, or no endpoint.
        VectorIndexError: an index is missing, not online, or of another dimension.
    """
    if not settings.neo4j_vector_index:
        return _text_search(settings, store, schema, embedder)
    from isomatch.link.neo4j_vectors import Neo4jVectors

    return Neo4jVectors.open(store, schema, settings.neo4j_vector_index, embedder.dimension)


def _text_search(
    settings: Settings, store: Store, schema: Schema, embedder: Embedder
) -> TextSearch | None:
    if not _searches_words(settings, store, schema):
        return None
    from isomatch.link.text_search import TextSearch

    return TextSearch.open(store, schema, embedder, settings.languages)


def _searches_words(settings: Settings, store: Store, schema: Schema) -> bool:
    if settings.text_search != "auto":
        return settings.text_search
    profile = store.profile if schema.nodes >= SEARCHED else None
    return profile is not None and bool(profile.text_search)


def open_index(
    settings: Settings,
    embedder: Embedder,
    fingerprint: str | None,
    nodes: NodeSource | None = None,
) -> Index:
    """The index, checked against embedder and graph.

    Args:
        nodes: see `nodes_of`.

    Raises:
        VectorIndexError: missing, damaged, or of another embedder or graph.
    """
    from isomatch.link.index import Index

    return Index.open(
        settings.index_path,
        embedder=embedder,
        fingerprint=fingerprint,
        vectors=vectors_of(settings),
        nodes=nodes,
    )


def make_index(
    settings: Settings,
    *,
    sync: bool = False,
    progress: IndexProgress | None = None,
    on: str = HERE,
) -> IndexReport:
    """Index the graph of the home folder, or bring its index up to date.

    Args:
        settings: those of the graph.
        sync: read only what has changed, where the graph can tell.
        progress: told of the index as it grows.
        on: where names are embedded, see `isomatch.executor.open_executor`. This process
            reads the graph and writes the index in any case.

    Raises:
        ConfigurationError, MissingExtraError: see `isomatch.executor.open_executor`.
        StoreError: there is no graph.
        VectorIndexError, EmbeddingError, WorkerError: see `isomatch.link.build.build_index`.
    """
    with open_store(settings) as store, open_executor(on) as executor:
        return index_store(settings, store, sync=sync, progress=progress, executor=executor)


def index_store(
    settings: Settings,
    store: Store,
    *,
    schema: Schema | None = None,
    sync: bool = False,
    progress: IndexProgress | None = None,
    executor: Executor | None = None,
) -> IndexReport:
    """`make_index`, of a store that is open; ``schema`` is one that was read just now."""
    from isomatch.link.build import Origin, build_index, confirm_index
    from isomatch.link.manifest import last_updates
    from isomatch.schema.property_names import unchanged_since, updates_of

    state = store.state()  # before anything is read
    origin = Origin(
        identity_of(settings, store),
        state=state.text if state else "",
        equal_numbers=store.capabilities.property_graph,
    )
    if schema is None or schema.fingerprint != store.fingerprint():
        schema = schema_of(settings, store, fresh=True)
    embedder = _index_embedder(settings, executor)
    try:
        without_nodes = nodes_of(settings, store, schema, embedder) is not None
        origin = replace(
            origin, without_nodes=without_nodes, basis=_basis(settings, schema, without_nodes)
        )
        vectors = vectors_of(settings)
        if state is not None and state.whole:
            kept = confirm_index(settings.index_path, embedder, origin, vectors=vectors)
            if kept is not None:
                return kept
        updates, unchanged = {}, None
        if settings.updated_at and store.capabilities.property_graph:
            property = settings.updated_at
            updates = updates_of(store, schema, property, without_nodes=without_nodes)
            if sync:
                before = last_updates(settings.index_path)
                if unchanged := unchanged_since(property, updates, before):
                    origin = replace(origin, basis="")  # not all of the graph is read
        pages, origin = _pages(settings, store, schema, origin, unchanged, sync=sync)
        return build_index(
            settings.index_path,
            pages,
            schema,
            embedder,
            vectors=vectors,
            origin=replace(origin, updates=updates),
            sync=sync,
            progress=progress,
        )
    finally:
        embedder.close()


def _pages(
    settings: Settings,
    store: Store,
    schema: Schema,
    origin: Origin,
    unchanged: tuple[str, str] | None,
    *,
    sync: bool,
) -> tuple[Iterator[list[Name]], Origin]:
    """The names to index, all or those of what has changed, and what they come from."""
    from isomatch.schema.names import names, names_of_some

    without_nodes, languages = origin.without_nodes, settings.languages
    if not store.capabilities.property_graph:
        origin = replace(origin, reading=_reading(settings, schema, without_nodes))
        if sync and (changed := _changed(settings, store, origin)) is not None:
            pages = names_of_some(store, schema, changed, languages)
            return pages, replace(origin, changed=changed)
    pages = names(
        store, schema, languages=languages, unchanged=unchanged, without_nodes=without_nodes
    )
    return pages, origin


def _index_embedder(settings: Settings, executor: Executor | None) -> Embedder:
    """The embedder alone; with the workers of the executor, if it has any."""
    from isomatch.link.parts import ParallelEmbedder

    embedder = plain_embedder(settings)
    if executor is None or isinstance(executor, Here):
        return embedder
    return ParallelEmbedder(embedder, executor, _opener(settings, threads=1))


def _basis(settings: Settings, schema: Schema, without_nodes: bool) -> str:
    """Digest of what an index depends on beside the graph's state and the embedder."""
    from isomatch.schema.names import reading

    reader = settings.neo4j_username, settings.neo4j_impersonate  # who may not see everything
    seen = (__version__, schema, reading(schema, settings.languages), without_nodes, reader)
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:32]


def _reading(settings: Settings, schema: Schema, without_nodes: bool) -> str:
    """See `isomatch.link.manifest.Manifest`."""
    from isomatch.schema.names import reading

    seen = (__version__, without_nodes, reading(schema, settings.languages))
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:32]


def _changed(settings: Settings, store: Store, origin: Origin) -> Collection[str] | None:
    """What has changed since the index was made, if nothing else can be another."""
    from isomatch.link.manifest import WITHOUT, read

    try:
        old = read(settings.index_path)
    except VectorIndexError:
        return None  # `build_index` says what is wrong
    made_of = old.fingerprint.partition(WITHOUT)[0]
    if old.reading != origin.reading or old.state != made_of:
        return None
    changes = store.changes_since(old.state)
    return None if changes is None else changes.nodes


def llm_of(settings: Settings) -> ChatModel | None:
    """The language model, or None where none is set."""
    if settings.model is None:
        return None
    from isomatch.llm import ChatModel, Retry

    key = settings.openai_api_key
    return ChatModel(
        settings.model,
        base_url=settings.openai_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout=settings.model_timeout,
        retry=Retry(attempts=settings.model_retries + 1),
    )


def lexicon_of(settings: Settings, store: Store, schema: Schema, embedder: Embedder) -> Lexicon:
    """The words of relations and types: drafted, under what the user has edited.

    Raises:
        ConfigurationError: the user's file is wrong; the message has the key.
    """
    from isomatch.lexicon.file import read_lexicon

    draft = draft_of(settings, store, schema, embedder)
    path = settings.lexicon_path
    return read_lexicon(path, draft) if path.exists() else draft


def draft_of(settings: Settings, store: Store, schema: Schema, embedder: Embedder) -> Lexicon:
    """The drafted lexicon alone."""
    from isomatch.lexicon.draft import draft_from_graph
    from isomatch.lexicon.language import language_of

    language = language_of(settings.language)
    return draft_from_graph(
        store, schema, embedder, cache_folder=settings.cache_path, language=language
    )
