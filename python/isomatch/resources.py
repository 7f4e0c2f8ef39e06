"""What questions are answered with: a graph, and what was made from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from isomatch import factories
from isomatch.errors import ConfigurationError, StoreError, VectorIndexError
from isomatch.store.terms import display_name, is_blank

if TYPE_CHECKING:
    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.lexicon.mentions import MentionFinder
    from isomatch.link.embedder import Embedder
    from isomatch.link.index import Index
    from isomatch.llm import ChatModel
    from isomatch.schema.types import Schema
    from isomatch.settings import Settings
    from isomatch.store.base import Query, Row, Store

Made = TypeVar("Made")
ABOUT_FILE = "about.txt"  # in the home folder: what is noted with everything found there


class Resources:
    """Store, schema, index, embedder, words and models of one graph.

    Interpreters, retrievers and training take this value. What is expensive and not
    always needed (`lexicon`, `mentions`, `llm`) is made when it is first asked for.
    Any number of threads may use it at a time.

    Args:
        store: the database.
        schema: what it holds; `refresh` puts a newer one in its place.
        index: names and vectors, made for this graph and embedder.
        embedder: for names, and the words of patterns.
        settings: where lexicon and caches are, and how answers are made.
        llm: a language model; None takes that of the settings, if any. Set the attribute
            to None to use none.
    """

    def __init__(
        self,
        store: Store,
        schema: Schema,
        index: Index,
        embedder: Embedder,
        *,
        settings: Settings,
        llm: ChatModel | None = None,
    ):
        self.store = store
        self.schema = schema
        self.index = index
        self.embedder = embedder
        self.settings = settings
        self._lock = RLock()
        self._word_embedder: Embedder | None = None
        self._llm = llm
        self._llm_is_open = llm is not None
        self._derived: dict[str, Any] = {}

    @classmethod
    def open(
        cls,
        settings: Settings,
        store: Store,
        *,
        make_index: Callable[[Schema | None], Any] | None = None,
    ) -> Resources:
        """Everything that belongs to a store; the store is closed where that fails.

        Args:
            make_index: called where the index is missing, damaged, or of another graph or
                embedder, with the schema if it was read just now; None makes that an error.

        Raises:
            StoreError, VectorIndexError, EmbeddingError: a part failed.
        """
        with ExitStack() as undo:
            undo.callback(store.close)
            kept = settings.schema_path.exists()
            schema = factories.schema_of(settings, store)
            embedder = factories.embedder_of(settings)
            undo.callback(embedder.close)
            nodes = factories.nodes_of(settings, store, schema, embedder)
            identity = factories.identity_of(settings, store)
            try:
                index = factories.open_index(settings, embedder, identity, nodes)
            except VectorIndexError:
                if make_index is None:
                    raise
                make_index(None if kept else schema)
                schema = factories.schema_of(settings, store)
                embedder = factories.embedder_of(settings)  # the index's, which may be another
                undo.callback(embedder.close)
                nodes = factories.nodes_of(settings, store, schema, embedder)
                index = factories.open_index(settings, embedder, identity, nodes)
            undo.pop_all()
        return cls(store, schema, index, embedder, settings=settings)

    def close(self) -> None:
        """Release store, index, embedder and model; safe to call twice."""
        for part in (self.index, self._word_embedder, self.embedder, self.store, self._llm):
            if part is not None:
                part.close()

    def derived(self, key: str, make: Callable[[], Made]) -> Made:
        """What ``make`` gives, called once for each key and schema.

        Interpreters and trained models are kept here, so that a new schema replaces them.
        """
        with self._lock:
            if key not in self._derived:
                self._derived[key] = make()
            made: Made = self._derived[key]
            return made

    def replace(self, key: str, value: Any) -> None:
        """Put a value of one's own in the place of what `derived` would make."""
        with self._lock:
            self._derived[key] = value

    @property
    def word_embedder(self) -> Embedder:
        """The embedder of the words of questions and relations, by which questions are read.

        Raises:
            EmbeddingError: its model is missing.
        """
        with self._lock:
            if self._word_embedder is None:
                from isomatch.link.embed_cache import word_embedder

                self._word_embedder = word_embedder(self.embedder, self.settings.cache_path)
            return self._word_embedder

    @property
    def llm(self) -> ChatModel | None:
        """The language model of the settings; None where none is set.

        Opened when it is first needed.

        Raises:
            ConfigurationError: its settings are wrong.
        """
        with self._lock:
            if not self._llm_is_open:
                self._llm = factories.llm_of(self.settings)
                self._llm_is_open = True
            return self._llm

    @llm.setter
    def llm(self, model: ChatModel | None) -> None:
        with self._lock:
            self._llm, self._llm_is_open = model, True
            self._derived.pop("llm", None)

    @property
    def lexicon(self) -> Lexicon:
        """The words of relations and types: drafted, under what the user has edited.

        Raises:
            ConfigurationError: the user's file is wrong.
        """
        return self.derived(
            "lexicon",
            lambda: factories.lexicon_of(
                self.settings, self.store, self.schema, self.word_embedder
            ),
        )

    @property
    def mentions(self) -> MentionFinder:
        """What finds the graph's names in questions."""
        return self.derived("mentions", self._mentions)

    def _mentions(self) -> MentionFinder:
        from isomatch.lexicon.mentions import MentionFinder
        from isomatch.link.keys import check_iri, id_of, identified_topic

        words, language = self.lexicon.words(), self.lexicon.language
        if self.index.table is not None:
            finder = MentionFinder(self.index.table, words, language)
        else:  # the index was made by an earlier version
            made_from = f"{self.schema.fingerprint} {self.names_version}"
            cache = self.settings.cache_path
            finder = MentionFinder.open(self.index.all_names, cache, made_from, words, language)

        def identify(topic: str) -> str:
            if self.store.capabilities.property_graph:
                return id_of(topic, self.store, self.schema) or topic
            text = identified_topic(topic, self.index, self.schema, self.settings.prefixes)
            check_iri(text, self.store)
            return text

        finder.identify = identify
        return finder

    @property
    def about(self) -> tuple[str, ...]:
        """What is noted with everything found in this graph: that it is a copy with errors.

        Raises:
            ConfigurationError: the file that says so cannot be read.
        """
        return self.derived("about", self._about)

    def _about(self) -> tuple[str, ...]:
        path = self.settings.home / ABOUT_FILE
        try:
            return tuple(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ()
        except (OSError, ValueError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}") from error

    @property
    def names_version(self) -> str:
        """A text that changes whenever the index is made anew."""
        return f"{self.index.manifest.generation} {self.index.manifest.created}"

    @property
    def dates(self) -> Mapping[str, str]:
        """The declared formats of dates, by relation.

        Raises:
            ConfigurationError: one is of a relation that the graph does not have.
        """
        from isomatch.match.notations import declared_dates

        given = self.settings.dates
        return self.derived("dates", lambda: declared_dates(given, self.schema)) if given else {}

    def changed(self, store: Store, texts: Sequence[str] = ()) -> bool | Query:
        """Whether the graph has changed since it was indexed, as far as the store can tell.

        Where an RDF store does not see every change, it is asked for nodes with these very
        names: the index must have them. Then this is the query, and `lacks` tells by its
        rows.

        Args:
            store: the database, or a snapshot of it.

        Raises:
            StoreError: the database does not answer.
        """
        manifest, now = self.index.manifest, store.state()
        if manifest.state and now is not None and manifest.state != now.text:
            return True
        sees_all = now is not None and now.whole
        if sees_all or manifest.without_nodes or self.store.capabilities.property_graph:
            return False
        from isomatch.link.text_search import TextSearch

        search = TextSearch(
            self.store, self.schema, self.embedder, "labels", self.settings.languages
        )
        return search.equal(texts) or False

    def lacks(self, rows: Iterable[Row]) -> bool:
        """Whether the index lacks one of the nodes that a query of `changed` has found."""
        found = {str(id) for (id,) in rows}
        indexed = self.index.points_of("nodes", found).values()
        return not found.issubset(id for ids in indexed for id in ids)

    def refresh(self, old: Schema) -> Schema:
        """The schema, introspected again unless another thread has replaced ``old`` already."""
        with self._lock:
            if self.schema is old:
                self.schema = factories.schema_of(self.settings, self.store)
                self._derived.clear()
            return self.schema

    def names_of(self, ids: Iterable[str], store: Store | None = None) -> Mapping[str, str]:
        """A name for each of some nodes, by id; ``store`` may be a snapshot of the database."""
        from isomatch.schema.names import node_names

        wanted = list(ids)
        found = self.index.name_of(wanted)
        # A database in use has nodes that are younger than the index. Blank nodes that
        # have a name are in it.
        missing = [id for id in wanted if id not in found and not is_blank(id)]
        found |= node_names(store or self.store, self.schema, missing, self.settings.languages)
        return {id: found.get(id) or display_name(id) for id in wanted}


@dataclass(frozen=True, slots=True)
class Reopening:
    """How another process opens the graph of some resources again; picklable.

    Attributes:
        settings: with absolute paths.
        graph: identity of the graph, and `names_version` its index's.
    """

    settings: Settings
    graph: str
    names_version: str

    @classmethod
    def of(cls, resources: Resources) -> Reopening:
        """Of resources that are open here."""
        settings = resources.settings
        folders = ("home", "gsr_model", "programs_model", "triples_model")
        paths = {key: path.resolve() for key in folders if (path := getattr(settings, key))}
        if Path(settings.language).is_file():
            paths["language"] = str(Path(settings.language).resolve())
        absolute = settings.model_copy(update=paths)
        return cls(absolute, resources.store.identity(), resources.names_version)

    def open(self) -> Resources:
        """The same graph with its index, in this process.

        Raises:
            StoreError: a worker cannot open it, or has another one.
            VectorIndexError: the index cannot be opened, or is another one.
        """
        home = self.settings.home
        try:
            resources = Resources.open(self.settings, factories.open_store(self.settings))
        except (StoreError, VectorIndexError) as error:
            raise type(error)(
                f"a worker cannot open the graph of {home}: {error}. What is opened in Python (of "
                "rdflib, in memory, a driver) is only in that process; and a machine of a cluster "
                "needs the home folder at the same path, as on a shared file system"
            ) from error
        if (resources.store.identity(), resources.names_version) == (
            self.graph,
            self.names_version,
        ):
            return resources
        resources.close()
        raise StoreError(
            f"a worker found another graph or index in {home} than the process that it works "
            "for: every machine of a cluster needs the same home folder, as on a shared file "
            "system, and no process may load or index meanwhile"
        )


class ClosedResources:
    """What a session has after its end: any use is an error in words."""

    def close(self) -> None:
        """Nothing is left to release."""

    def __getattr__(self, name: str) -> Any:
        raise StoreError("the session has been closed: open another one")
