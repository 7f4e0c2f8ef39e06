"""A session: questions and patterns in, matches and answers out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from isomatch import cancel, factories, flows
from isomatch.errors import ConfigurationError
from isomatch.interpret.registry import interpreter_of
from isomatch.link.candidates import KINDS
from isomatch.link.find import Finding, find
from isomatch.link.linker import link
from isomatch.match.explain import Explanation
from isomatch.match.types import MatchResult
from isomatch.options import Options
from isomatch.pipeline import Pipeline, Trace
from isomatch.resources import ClosedResources, Resources
from isomatch.retrieve.patterns import explain_pattern, match_pattern

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    import neo4j

    from isomatch.answer.types import Answer
    from isomatch.interpret.gsr import GSRInterpreter
    from isomatch.interpret.llm.interpreter import LLMInterpreter
    from isomatch.interpret.schema import SchemaInterpreter
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
Opened = TypeVar("Opened", bound="Session")
THREADS = 8  # of the asynchronous methods
_RENAMED = {
    "reader": "llm_interpreter",
    "chains": "schema_interpreter",
    "gsr": "gsr_interpreter",
    "ranker": "triple_ranker",
    "answerer": "pipeline.answerer",
}


class Session:
    """A graph that is open for questions; a context manager that closes it.

    Make one with `open`, which follows the settings, or from parts of your own.
    Any number of threads may use one session at a time.

    Attributes:
        resources: the graph, its index, words and models.
        pipeline: answers questions with them.

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
        self._use(Resources(store, schema, index, embedder, settings=settings, llm=model))

    @classmethod
    def of(cls: type[Opened], resources: Resources) -> Opened:
        """A session over resources; closing it closes them."""
        session = cls.__new__(cls)
        session._use(resources)
        return session

    def _use(self, resources: Resources) -> None:
        self.resources = resources
        self.pipeline = Pipeline(resources)
        self._lock = Lock()
        self._executor: ThreadPoolExecutor | None = None

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
            given: settings by name that take precedence, as ``home="graphs/films"``.

        Raises:
            ConfigurationError: a setting is wrong.
            StoreError: there is no graph, or it cannot be opened.
            VectorIndexError: there is no index, or it is of another graph or
                embedder.
        """
        chosen = _settings(settings, database, given)
        return cls.of(Resources.open(chosen, factories.open_store(chosen, driver)))

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
        return cls.of(await asyncio.to_thread(Resources.open, chosen, store))

    def close(self) -> None:
        """Release store, index, embedder and model; safe to call twice.

        A driver that the caller gave stays open.
        """
        if self._executor is not None:
            self._executor.shutdown(wait=False)
        self.resources.close()
        closed: Any = ClosedResources()  # every use of them is an error that says so
        self.resources = self.pipeline = closed

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name in _RENAMED:
                raise AttributeError(f"Session.{name} is called Session.{_RENAMED[name]} now")
            return object.__getattribute__(self, name)  # raises the original error

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
        return match_pattern(self.resources, pattern, Options().with_(**options))

    async def amatch(self, pattern: PatternLike, **options: Any) -> MatchResult:
        """`match`, in a thread of the session's: the loop goes on meanwhile.

        Cancelling its task ends the search, in the database too.
        """
        return await self._run_in_thread(self.match, pattern, **options)

    async def _run_in_thread(
        self, work: Callable[..., Result], *args: Any, **kwargs: Any
    ) -> Result:
        return await cancel.in_thread(partial(work, *args, **kwargs), self._threads)

    @property
    def _threads(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(THREADS, thread_name_prefix="isomatch")
            return self._executor

    def explain(self, pattern: PatternLike, **options: Any) -> Explanation:
        """How `match` would search: strategy, estimates, query. Raises what `match` does."""
        return explain_pattern(self.resources, pattern, Options().with_(**options))

    def link(self, pattern: Pattern, options: Options | None = None) -> Candidates:
        """What the words of a pattern may mean, by L2 distance. Raises what `match` does."""
        return link(pattern, self.index, self.embedder, self.schema, options or Options())

    def find(
        self, text: str, *, kinds: Collection[str] = KINDS, limit: int = 10
    ) -> tuple[Finding, ...]:
        """What a text may mean, ``limit`` of each kind; see `isomatch.link.find.find`."""
        return find(text, self.index, self.embedder, kinds=kinds, limit=limit)

    # -- questions ----------------------------------------------------------------

    def interpret(
        self, question: str, *, interpreter: str = "auto", topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """Ranked hypotheses of what a question means, each a pattern.

        Args:
            interpreter: ``llm`` (a language model), ``programs`` or ``gsr`` (a trained
                model), ``schema`` (no model), ``given`` (the question is a pattern), or
                ``auto``, see `isomatch.interpret.registry.choose`.
            topics: names of the entities that it is about, as the graph has them;
                None to find them.

        Raises:
            InterpretationError: no pattern could be made of it.
            ArtifactError: the trained model cannot be used.
            ModelError: the model's endpoint failed.
        """
        return flows.run(self.pipeline.interpret(question, interpreter, topics))

    async def ainterpret(
        self, question: str, *, interpreter: str = "auto", topics: Sequence[str] | None = None
    ) -> tuple[Hypothesis, ...]:
        """`interpret`, without blocking."""
        return await flows.arun(
            self.pipeline.interpret(question, interpreter, topics), self._threads
        )

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
            interpreter: see `interpret`; not used for triples alone.
            retriever: ``pattern`` (the first hypothesis that can answer), ``chain`` (the
                first three, as paths), ``triples`` (scored by a trained model), ``fused``
                (the last two), or ``triplets``, ``paths`` or ``steiner`` for open questions,
                see `isomatch.retrieve.retriever.Retriever`.
            topics: names of the entities that it is about; None to find them.
            options: of the search; ``budget_seconds`` is for all hypotheses together.

        Raises:
            InterpretationError, ModelError: the question could not be understood.
            ArtifactError: a trained model that is needed cannot be used.
            ConfigurationError: an unknown name, option or value.
            StoreError, VectorIndexError, EmbeddingError: a part failed.
        """
        return flows.run(self._ask(question, interpreter, retriever, topics, options)).answer

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
        flow = self._ask(question, interpreter, retriever, topics, options)
        return (await flows.arun(flow, self._threads)).answer

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
        flow = self._ask(question, interpreter, retriever, topics, options, streamed=True)
        for item in flows.stream(flow):
            yield item.answer if isinstance(item, Trace) else item

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
        flow = self._ask(question, interpreter, retriever, topics, options, streamed=True)
        async for item in flows.astream(flow, self._threads):
            yield item.answer if isinstance(item, Trace) else item

    def _ask(
        self,
        question: str,
        interpreter: str,
        retriever: str,
        topics: Sequence[str] | None,
        options: Mapping[str, Any],
        *,
        streamed: bool = False,
    ) -> flows.Flow[Trace]:
        return self.pipeline.ask(
            question,
            interpreter=interpreter,
            retriever=retriever,
            topics=topics,
            options=options,
            streamed=streamed,
        )

    # -- parts ---------------------------------------------------------------------

    @property
    def store(self) -> Store:
        """The database."""
        return self.resources.store

    @property
    def schema(self) -> Schema:
        """What the database holds; another one once the graph has changed."""
        return self.resources.schema

    @property
    def index(self) -> Index:
        """Names and vectors of the graph."""
        return self.resources.index

    @property
    def embedder(self) -> Embedder:
        """Makes vectors of words."""
        return self.resources.embedder

    @property
    def settings(self) -> Settings:
        """Where lexicon and caches are, and how answers are made."""
        return self.resources.settings

    @property
    def model(self) -> ChatModel | None:
        """The language model, or None where none is set; see `Resources.llm`."""
        return self.resources.llm

    @model.setter
    def model(self, model: ChatModel | None) -> None:
        self.resources.llm = model

    @property
    def lexicon(self) -> Lexicon:
        """The words of relations and types; see `Resources.lexicon`."""
        return self.resources.lexicon

    @property
    def mentions(self) -> MentionFinder:
        """What finds the graph's names in questions."""
        return self.resources.mentions

    @property
    def schema_interpreter(self) -> SchemaInterpreter:
        """The interpreter that needs no model."""
        interpreter: SchemaInterpreter = interpreter_of(self.resources, "schema")
        return interpreter

    @property
    def llm_interpreter(self) -> LLMInterpreter:
        """The interpreter that asks the language model.

        Raises:
            ConfigurationError: none is configured.
        """
        interpreter: LLMInterpreter = interpreter_of(self.resources, "llm")
        return interpreter

    @property
    def gsr_interpreter(self) -> GSRInterpreter:
        """The interpreter that a training run made.

        Raises:
            ArtifactError: there is none, or it does not fit the graph.
        """
        interpreter: GSRInterpreter = interpreter_of(self.resources, "gsr")
        return interpreter

    @property
    def triple_ranker(self) -> TripleRanker:
        """The scorer of triples that a training run made; see `Pipeline.triple_ranker`."""
        return self.pipeline.triple_ranker

    @triple_ranker.setter
    def triple_ranker(self, ranker: TripleRanker) -> None:
        self.resources.replace("triple_ranker", ranker)


def _settings(settings: Settings | None, database: str | None, given: dict[str, Any]) -> Settings:
    from isomatch.settings import Settings

    if not isinstance(settings, (Settings, type(None))):
        raise ConfigurationError(
            f"Session.open takes Settings, not {settings!r}: a folder is Session.open(home=…), "
            "and isomatch.open takes files and addresses"
        )
    if database is not None:
        given = {**given, "neo4j_database": database}
    if settings is None:
        return Settings(**given)
    return settings.model_copy(update=given) if given else settings
