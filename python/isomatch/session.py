"""A session: questions and patterns in, matches and answers out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from isomatch import factories
from isomatch.errors import StoreError
from isomatch.interpret import registry
from isomatch.interpret.registry import choose, interpreter_name
from isomatch.match.describe import describe
from isomatch.match.explain import Explanation, explain
from isomatch.match.search import search
from isomatch.match.types import MatchResult
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.retrieve.retrieval import retrieve, retriever_name
from isomatch.store.terms import display_name, is_blank
from isomatch.timer import StageTimer

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    import neo4j

    from isomatch.answer.answerer import Answerer
    from isomatch.answer.types import Answer
    from isomatch.interpret.gsr import GSRInterpreter
    from isomatch.interpret.llm import LLMInterpreter
    from isomatch.interpret.schema import ChainInterpreter
    from isomatch.interpret.types import Hypothesis
    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.lexicon.mentions import MentionFinder
    from isomatch.link.candidates import Candidates
    from isomatch.link.embedder import Embedder
    from isomatch.link.index import Index
    from isomatch.llm import ChatModel
    from isomatch.pattern import Pattern, RelationChain
    from isomatch.schema.types import Schema
    from isomatch.settings import Settings
    from isomatch.store.base import Store
    from isomatch.triples.ranking import TripleRanker

    PatternLike = Pattern | RelationChain | Mapping[str, Any] | Sequence[Any] | str

Result = TypeVar("Result")
THREADS = 8  # of the asynchronous methods
_OF_SCHEMA = (
    "schema_interpreter",
    "llm_interpreter",
    "gsr_interpreter",
    "triple_ranker",
    "mentions",
    "lexicon",
)  # made anew with it


class _once(cached_property[Result]):
    """A cached property that several threads may be the first to ask for."""

    def __get__(self, instance: Any, owner: Any = None) -> Result:  # type: ignore[override]
        if instance is None:
            return self  # type: ignore[return-value]
        with instance._lock:
            return cast(Result, super().__get__(instance, owner))


class Session:
    """Store, index and embedder together; a context manager that closes them.

    Make one with `open`, which follows the settings, or from parts of your own.
    Any number of threads may use one session at a time.

    Args:
        store: the database.
        schema: what it holds.
        index: names and vectors, made for this graph and embedder.
        embedder: for the words of patterns and questions.
        settings: where lexicon and caches are, and the evidence budget.
        model: a language model for questions and answers; None takes that of the
            settings.

    Example:
        >>> with Session.open(home="graphs/films") as session:  # doctest: +SKIP
        ...     result = session.match('(?film:film)-[directed by]-("Michael Mann")', k=3)
        ...     print([node.name for node in result.answers()])
    """

    def __init__(
        self,
        store: Store,
        schema: Schema,
        index: Index,
        embedder: Embedder,
        *,
        settings: Settings,
        model: ChatModel | None = None,
    ):
        self.store = store
        self.schema = schema
        self.index = index
        self.embedder = embedder
        self.settings = settings
        self._lock = RLock()
        if model is not None:
            self.model = model

    @classmethod
    def open(
        cls,
        settings: Settings | None = None,
        *,
        driver: neo4j.Driver | None = None,
        database: str | None = None,
        **given: Any,
    ) -> Session:
        """A session over the graph and index of a home folder, or over Neo4j.

        Args:
            settings: None reads them from environment and ``isomatch.toml``.
            driver: to reach Neo4j by, in place of the address in the settings; it
                stays open when the session is closed.
            database: of Neo4j; the same as ``neo4j_database``.
            given: settings by name that go first, as ``home="graphs/films"``.

        Raises:
            ConfigurationError: a setting is wrong.
            StoreError: there is no graph, or it cannot be opened.
            VectorIndexError: there is no index, or it is of another graph or
                embedder.
        """
        chosen = _settings(settings, database, given)
        return cls._over(factories.open_store(chosen, driver), chosen)

    @classmethod
    async def aopen(
        cls,
        settings: Settings | None = None,
        *,
        driver: neo4j.AsyncDriver | neo4j.Driver | None = None,
        database: str | None = None,
        **given: Any,
    ) -> Session:
        """`open`, without blocking, and for an `AsyncDriver` of the running loop.

        Over an `AsyncDriver` only the methods that start with an ``a`` can be used
        on the loop's own thread.

        Example:
            >>> async def films(driver):  # doctest: +SKIP
            ...     with await Session.aopen(driver=driver) as session:
            ...         return await session.amatch('(?film:film)-[directed by]-("Mann")')
        """
        import asyncio  # slow to import, and no command needs it

        chosen = _settings(settings, database, given)
        if driver is None:
            return await asyncio.to_thread(cls.open, chosen)
        store = factories.open_store(chosen, driver)  # asks nothing yet, and must know the loop
        return await asyncio.to_thread(cls._over, store, chosen)

    @classmethod
    def _over(cls, store: Store, settings: Settings) -> Session:
        try:
            schema = factories.schema_of(settings, store)
            embedder = factories.embedder_of(settings)
            try:
                nodes = factories.nodes_of(settings, store, schema, embedder)
                index = factories.open_index(settings, embedder, store.identity(), nodes)
            except BaseException:
                embedder.close()
                raise
        except BaseException:
            store.close()
            raise
        return cls(store, schema, index, embedder, settings=settings)

    def close(self) -> None:
        """Release store, index, embedder and model; safe to call twice.

        A driver that the caller gave stays open.
        """
        if "_threads" in self.__dict__:
            self._threads.shutdown(wait=False)
        for part in (self.index, self.embedder, self.store, self.__dict__.get("model")):
            if part is not None:
                part.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- patterns -----------------------------------------------------------------

    def match(self, pattern: PatternLike, **options: Any) -> MatchResult:
        """The best interpretations of a pattern, with their matches.

        Args:
            pattern: a `Pattern`, a `RelationChain`, or one of the written forms.
            options: fields of `Options`, as ``k=3`` or ``nodes="anchored"``.

        Raises:
            PatternError: the pattern breaks a rule.
            ConfigurationError: an unknown option or value.
            StoreError, VectorIndexError, EmbeddingError: a part failed.
        """
        return self.match_linked(pattern, **options)[0]

    async def amatch(self, pattern: PatternLike, **options: Any) -> MatchResult:
        """`match`, in a thread of the session's: the loop goes on meanwhile."""
        return await self._apart(self.match, pattern, **options)

    async def _apart(self, work: Callable[..., Result], *args: Any, **kwargs: Any) -> Result:
        import asyncio

        return await asyncio.get_running_loop().run_in_executor(
            self._threads, partial(work, *args, **kwargs)
        )

    @_once
    def _threads(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(THREADS, thread_name_prefix="isomatch")

    def match_linked(self, pattern: PatternLike, **options: Any) -> tuple[MatchResult, Candidates]:
        """`match`, and the candidates that were searched."""
        started = perf_counter()
        chosen = Options().with_(**options)
        parsed = parse(pattern)
        schema = self.schema  # another thread may put a new one in its place
        linking = perf_counter()
        candidates = self.link(parsed, schema, chosen)
        linked = perf_counter()
        outcome = search(parsed, candidates, self.store, schema, chosen)
        if (
            not outcome.found
            and outcome.certificate.ended_by is None
            and self.store.fingerprint() != schema.fingerprint
        ):
            schema = self._refresh(schema, candidates)
            outcome = search(parsed, candidates, self.store, schema, chosen)
        result = describe(outcome, self.store, schema, self._names)
        stages = {
            "interpret": (linking - started) * 1e3,
            "link": (linked - linking) * 1e3,
            **result.profile.stages,
            "total": (perf_counter() - started) * 1e3,
        }
        return replace(result, profile=replace(result.profile, stages=stages)), outcome.candidates

    def _refresh(self, old: Schema, candidates: Candidates) -> Schema:
        """The schema, read again after the graph's own has changed.

        Raises:
            StoreError: the nearest relation of a list is not there any more.
        """
        with self._lock:
            if self.schema is old:
                self.schema = factories.schema_of(self.settings, self.store)
                for part in _OF_SCHEMA:
                    self.__dict__.pop(part, None)
            schema = self.schema
        for found in candidates.relations.values():
            if len(found) and found[0].id not in schema.by_id:
                raise StoreError(
                    f'the relation "{found[0].name}" ({found[0].id}) has gone from the graph '
                    "since its index was made: run `isomatch index --sync`"
                )
        return schema

    def explain(self, pattern: PatternLike, **options: Any) -> Explanation:
        """How `match` would search: strategy, reason, estimates, compiled query."""
        chosen = Options().with_(**options)
        parsed, schema = parse(pattern), self.schema
        candidates = self.link(parsed, schema, chosen)
        return explain(parsed, candidates, self.store, schema, chosen)

    def link(
        self, pattern: Pattern, schema: Schema | None = None, options: Options | None = None
    ) -> Candidates:
        """What the words of a pattern may mean, nearest first."""
        from isomatch.link.linker import link

        chosen = options or Options()
        return link(pattern, self.index, self.embedder, schema or self.schema, chosen)

    def _names(self, ids: Iterable[str]) -> Mapping[str, str]:
        from isomatch.schema.names import node_names

        wanted = list(ids)
        found = self.index.name_of(wanted)
        # A database in use has nodes that are younger than the index. Blank nodes that
        # have a name are in it.
        missing = [id for id in wanted if id not in found and not is_blank(id)]
        found |= node_names(self.store, self.schema, missing, self.settings.languages)
        return {id: found.get(id) or display_name(id) for id in wanted}

    # -- questions ----------------------------------------------------------------

    def interpret(
        self, question: str, *, interpreter: str = "auto", topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """Ranked patterns for a question.

        Args:
            interpreter: ``llm`` (a language model), ``gsr`` (a trained model),
                ``schema`` (no model), ``given`` (the question is a pattern), or
                ``auto``, see `isomatch.interpret.registry.choose`.
            topics: names of the entities that it is about, as the graph has them;
                None to find them.

        Raises:
            InterpretationError: no pattern could be made of it.
            ArtifactError: the trained model cannot be used.
            ModelError: the model's endpoint failed.
        """
        return choose(self, interpreter).read(question, topics)

    async def ainterpret(
        self, question: str, *, interpreter: str = "auto", topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """`interpret`, without blocking."""
        chosen = await self._apart(choose, self, interpreter)
        if hasattr(chosen.interpreter, "ainterpret"):
            return await chosen.aread(question, topics)
        return await self._apart(chosen.read, question, topics)

    def ask(
        self,
        question: str,
        *,
        interpreter: str = "auto",
        retriever: str = "pattern",
        topics: Sequence[str] | None = None,
        **options: Any,
    ) -> Answer:
        """An answer with its evidence, or the statement that the graph does not say.

        Args:
            question: in plain words.
            interpreter: see `interpret`; not asked for triples alone.
            retriever: ``pattern`` (the first reading that can answer), ``chain`` (the
                first three, as paths), ``triples`` (scored by a trained model), or
                ``fused`` (the last two), see `isomatch.retrieve.retrieval.retrieve`.
            topics: names of the entities that it is about; None to find them.
            options: of the search; ``budget_seconds`` is for all readings together.

        Raises:
            InterpretationError, ModelError: the question could not be read.
            ArtifactError: a trained model that is needed cannot be used.
            ConfigurationError: an unknown name, option or value.
        """
        timer = StageTimer()
        hypotheses = self._hypotheses(question, interpreter, retriever, topics)
        timer.lap("interpret")
        found = retrieve(self, retriever, question, hypotheses, topics, options)
        timer.lap("retrieve" if found.triples else None)
        return timer.finish(self.answerer.answer(question, found))

    async def aask(
        self,
        question: str,
        *,
        interpreter: str = "auto",
        retriever: str = "pattern",
        topics: Sequence[str] | None = None,
        **options: Any,
    ) -> Answer:
        """`ask`, without blocking."""
        timer = StageTimer()
        hypotheses = await self._ahypotheses(question, interpreter, retriever, topics)
        timer.lap("interpret")
        found = await self._apart(retrieve, self, retriever, question, hypotheses, topics, options)
        timer.lap("retrieve" if found.triples else None)
        return timer.finish(await self.answerer.aanswer(question, found))

    def stream(
        self,
        question: str,
        *,
        interpreter: str = "auto",
        retriever: str = "pattern",
        topics: Sequence[str] | None = None,
        **options: Any,
    ) -> Iterator[str | Answer]:
        """Pieces of the answer's text as they come, and last the checked `Answer`."""
        timer = StageTimer()
        hypotheses = self._hypotheses(question, interpreter, retriever, topics)
        timer.lap("interpret")
        found = retrieve(self, retriever, question, hypotheses, topics, options)
        timer.lap("retrieve" if found.triples else None)
        for piece in self.answerer.stream_answer(question, found):
            yield piece if isinstance(piece, str) else timer.finish(piece)

    async def astream(
        self,
        question: str,
        *,
        interpreter: str = "auto",
        retriever: str = "pattern",
        topics: Sequence[str] | None = None,
        **options: Any,
    ) -> AsyncIterator[str | Answer]:
        """`stream`, without blocking."""
        timer = StageTimer()
        hypotheses = await self._ahypotheses(question, interpreter, retriever, topics)
        timer.lap("interpret")
        found = await self._apart(retrieve, self, retriever, question, hypotheses, topics, options)
        timer.lap("retrieve" if found.triples else None)
        async for piece in self.answerer.astream_answer(question, found):
            yield piece if isinstance(piece, str) else timer.finish(piece)

    def _hypotheses(
        self, question: str, interpreter: str, retriever: str, topics: Sequence[str] | None
    ) -> tuple[Hypothesis, ...]:
        if retriever_name(retriever) == "triples":
            interpreter_name(interpreter)
            return ()
        return self.interpret(question, interpreter=interpreter, topics=topics)

    async def _ahypotheses(
        self, question: str, interpreter: str, retriever: str, topics: Sequence[str] | None
    ) -> tuple[Hypothesis, ...]:
        if retriever_name(retriever) == "triples":
            interpreter_name(interpreter)
            return ()
        return await self.ainterpret(question, interpreter=interpreter, topics=topics)

    @_once
    def model(self) -> ChatModel | None:
        """The language model of the settings, or None where none is set.

        Opened when it is first needed: patterns are matched without it, however
        it is set.

        Raises:
            ConfigurationError: its settings are wrong.
        """
        return factories.model_of(self.settings)

    @_once
    def schema_interpreter(self) -> ChainInterpreter:
        """The interpreter that needs no model."""
        return registry.schema_interpreter(self)

    @_once
    def llm_interpreter(self) -> LLMInterpreter:
        """The interpreter that asks the language model.

        Raises:
            ConfigurationError: none is configured.
        """
        return registry.llm_interpreter(self)

    @_once
    def gsr_interpreter(self) -> GSRInterpreter:
        """The interpreter that a training run made.

        Raises:
            ArtifactError: there is none, or it does not fit the graph.
        """
        return registry.gsr_interpreter(self)

    @_once
    def triple_ranker(self) -> TripleRanker:
        """The scorer of triples that a training run made.

        Raises:
            ArtifactError: there is none, or it does not fit graph or embedder.
        """
        from isomatch.triples.scorer import ScorerRanker

        return ScorerRanker(self, self.settings.triples_folder)

    @_once
    def mentions(self) -> MentionFinder:
        """What finds the graph's names in questions."""
        from isomatch.lexicon.mentions import MentionFinder

        return MentionFinder.open(
            self.index.all_names,
            self.settings.cache_path,
            f"{self.schema.fingerprint} {self.names_version}",
            self.lexicon.words(),
        )

    @_once
    def lexicon(self) -> Lexicon:
        """The words of relations and types: drafted, under what the user has edited.

        Raises:
            ConfigurationError: the user's file is wrong.
        """
        return factories.lexicon_of(self.settings, self.store, self.schema, self.embedder)

    @property
    def names_version(self) -> str:
        """Another one whenever the index has been made anew."""
        return f"{self.index.manifest.generation} {self.index.manifest.created}"

    @_once
    def answerer(self) -> Answerer:
        """What makes answers of matches."""
        from isomatch.answer.answerer import Answerer

        return Answerer(
            self.model,
            budget_tokens=self.settings.evidence_tokens,
            least_score=self.settings.least_score,
            answer_first=self.settings.answer_first,
        )


def _settings(settings: Settings | None, database: str | None, given: dict[str, Any]) -> Settings:
    from isomatch.settings import Settings

    if database is not None:
        given = {**given, "neo4j_database": database}
    if settings is None:
        return Settings(**given)
    return settings.model_copy(update=given) if given else settings
