"""`isomatch.open`: a session over a graph that somebody has, with nothing prepared."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

from isomatch import factories
from isomatch.errors import ConfigurationError
from isomatch.resources import Resources
from isomatch.session import Session

if TYPE_CHECKING:
    from isomatch.link.build import Progress
    from isomatch.schema.types import Schema
    from isomatch.settings import Settings
    from isomatch.settings.endpoint import Endpoint
    from isomatch.store.base import Store

WRAPPED = "sparqlwrapper"
"""The name of the endpoint of a `SPARQLWrapper`, among those of the settings."""

NEO4J = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


def open(
    source: Any, *, home: Path | str | None = None, progress: Progress | None = None, **given: Any
) -> Session:
    """A session over a graph, wherever it is; schema and index are made on the spot.

    Embedding takes about a second for a thousand names. `Session.open` is for graphs
    that are loaded and indexed once.

    Args:
        source: a graph of rdflib, a `pyoxigraph.Store`, a file of RDF or a table of
            triples, the address of a SPARQL endpoint or of Neo4j, the name of an
            endpoint of ``isomatch.toml``, a `SPARQLWrapper` (its addresses, log-in,
            graphs, headers and time-out), or a `neo4j.Driver`. Graphs and drivers
            stay open when the session is closed.
        home: folder to keep schema and index in; where they fit the graph and the
            settings they are used again. None for a temporary one, which goes with
            the session. Not for files and `pyoxigraph.Store`.
        progress: told of the index as it grows, see `isomatch.make_index`.
        given: settings by name, as ``languages=("de", "en")``.

    Raises:
        ConfigurationError: it is none of these, or a setting is wrong.
        LoadError: the file is missing or malformed.
        StoreError, VectorIndexError, EmbeddingError: a part failed.

    Example:
        >>> import rdflib, isomatch  # doctest: +SKIP
        >>> graph = rdflib.Graph().parse("films.ttl")
        >>> with isomatch.open(graph) as session:
        ...     result = session.match('(?film:film)-[directed by]-("Michael Mann")')
    """
    from isomatch.settings import Settings

    with ExitStack() as undo:
        kept = home is not None
        if home is None:
            home = tempfile.mkdtemp(prefix="isomatch-")
            undo.callback(shutil.rmtree, home, ignore_errors=True)
        settings = Settings(home=home, **(given | _address(source)))
        store = _store(source, settings, kept)

        def make_index(schema: Schema | None) -> None:
            factories.index_store(settings, store, schema=schema, progress=progress)

        session = _Opened.of(Resources.open(settings, store, make_index=make_index))
        undo.pop_all()
    if not kept:
        session.remove = finalize(session, shutil.rmtree, home, ignore_errors=True)
    return session


class _Opened(Session):
    """A session that removes its temporary home."""

    remove: finalize[Any, Any] | None = None

    def close(self) -> None:
        super().close()
        if self.remove is not None:
            self.remove()


def _address(source: Any) -> dict[str, Any]:
    """The settings that name a source, where some do."""
    if _is_a(source, "SPARQLWrapper", "SPARQLWrapper"):
        return {"endpoint": WRAPPED, "endpoints": {WRAPPED: wrapped_endpoint(source)}}
    if not isinstance(source, str) or Path(source).exists():
        return {}
    if source.partition("://")[0] in NEO4J:
        return {"neo4j_uri": source}
    return {"endpoint": source}


def wrapped_endpoint(wrapper: Any) -> Endpoint:
    """The endpoint of a `SPARQLWrapper.SPARQLWrapper`, as its own requests reach it.

    Its query and its format of results make no difference.

    Raises:
        ConfigurationError: it sends parameters that are no part of the protocol, or
            something is of the wrong form.
    """
    from isomatch.settings.endpoint import Endpoint

    parameters = dict(wrapper.parameters)
    given: dict[str, Any] = {
        "graphs": tuple(parameters.pop("default-graph-uri", ())),
        "named_graphs": tuple(parameters.pop("named-graph-uri", ())),
        "headers": dict(wrapper.customHttpHeaders),
    }
    if parameters:
        raise ConfigurationError(
            f"the SPARQLWrapper sends the parameters {', '.join(parameters)}, which isomatch does "
            "not: put them into its address, or name the endpoint in isomatch.toml"
        )
    if wrapper.updateEndpoint != wrapper.endpoint:
        given["update_url"] = wrapper.updateEndpoint
    if wrapper.user:
        given |= {"username": wrapper.user, "password": wrapper.passwd}
        given["auth"] = wrapper.http_auth.lower()
    if wrapper.timeout:
        given["timeout"] = wrapper.timeout
    return Endpoint.of(wrapper.endpoint, **given)


def _store(source: Any, settings: Settings, kept: bool) -> Store:
    if _is_a(source, "rdflib", "Graph"):
        from isomatch.store.rdflib import RdflibStore

        return RdflibStore(source)
    if _is_a(source, "neo4j", "Driver"):
        return factories.open_store(settings, source)
    if _is_a(source, "SPARQLWrapper", "SPARQLWrapper"):
        return factories.open_store(settings)
    if isinstance(source, str) and not Path(source).exists():
        if "://" not in source and source not in settings.endpoints:
            raise ConfigurationError(
                f"{source!r} is no file, no address (https://…) and none of the endpoints of "
                f"isomatch.toml ({', '.join(settings.endpoints) or 'it has none'})"
            )
        return factories.open_store(settings)
    if _is_a(source, "pyoxigraph", "Store") or isinstance(source, (str, Path)):
        if kept:
            raise ConfigurationError(
                "an index of a file, or of a pyoxigraph.Store, cannot be kept: leave out `home`, "
                "or run `isomatch load`, `isomatch index` and then Session.open(home=…)"
            )
        from isomatch.store.load import load
        from isomatch.store.oxigraph import OxigraphStore

        if not isinstance(source, (str, Path)):
            return OxigraphStore.memory(source)
        store = load([source], None).store
        assert store is not None  # a load into memory
        return store
    raise ConfigurationError(
        f"what is of the class {type(source).__name__} cannot be opened: give a graph of rdflib, "
        "a pyoxigraph.Store, a file, the address of a SPARQL endpoint or of Neo4j, a "
        "SPARQLWrapper, or a neo4j.Driver (an AsyncDriver: `await Session.aopen(driver=…)`)"
    )


def _is_a(source: Any, library: str, name: str) -> bool:
    """Whether it is an object of a library's class, told without importing that."""
    return any(
        kind.__name__ == name and kind.__module__.partition(".")[0] == library
        for kind in type(source).__mro__
    )
