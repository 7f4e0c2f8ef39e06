"""Answers requests over some graphs: for the HTTP routes, the page and MCP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from time import monotonic
from typing import Any, TypeVar

from pydantic import BaseModel

from isomatch import flows
from isomatch.options import OPEN_FORMS, RetrieverName
from isomatch.pipeline import Trace
from isomatch.serve import calls
from isomatch.serve.calls import Form
from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Caller, Graph, Graphs
from isomatch.serve.records import note
from isomatch.serve.requests import (
    AskRequest,
    ExplainRequest,
    FeedbackRequest,
    FindRequest,
    MatchRequest,
    NeighbourhoodRequest,
    NodesRequest,
    SchemaRequest,
)
from isomatch.serve.turns import RETRY_SECONDS, Turns, timeout
from isomatch.session import Session
from isomatch.settings.service import ServiceSettings

Result = TypeVar("Result")
GRACE = 2.0  # seconds in which a search that its budget has ended is written down


class Service:
    """Answers requests; searches run in threads, a limited number for each graph.

    Args:
        graphs: are closed with the service.
        settings: its limits.
    """

    def __init__(self, graphs: Graphs, settings: ServiceSettings | None = None):
        self.graphs = graphs
        self.settings = settings or ServiceSettings()
        self._turns: dict[str, Turns] = {}  # by name of the graph

    @property
    def running(self) -> int:
        """Searches that run, and questions that are being answered."""
        return sum(turns.running for turns in self._turns.values())

    @property
    def waiting(self) -> int:
        """Searches that wait for their turn."""
        return sum(turns.waiting for turns in self._turns.values())

    def close(self) -> None:
        """Wait for the searches under way, and close the graphs."""
        for turns in self._turns.values():
            turns.close()
        self.graphs.close()

    def _of(self, graph: Graph) -> Turns:
        if graph.name not in self._turns:
            self._turns[graph.name] = Turns(graph, self.settings)
        return self._turns[graph.name]

    async def match(self, caller: Caller, request: MatchRequest) -> Form:
        """The best interpretations of a pattern, with their matches."""
        options = self._options(request.options)
        return await self._call(caller, request.graph, calls.match, request, options)

    async def explain(self, caller: Caller, request: ExplainRequest) -> Form:
        """How a pattern would be searched."""
        options = self._options(request.options)
        return await self._call(caller, request.graph, calls.explain, request, options)

    async def find(self, caller: Caller, request: FindRequest) -> Form:
        """What a text may mean."""
        return await self._call(caller, request.graph, calls.find, request)

    async def neighbourhood(self, caller: Caller, request: NeighbourhoodRequest) -> Form:
        """The facts of some nodes."""
        return await self._call(caller, request.graph, calls.around, request)

    async def nodes(self, caller: Caller, request: NodesRequest) -> Form:
        """Names and types of nodes."""
        return await self._call(caller, request.graph, calls.nodes, request)

    async def feedback(self, caller: Caller, request: FeedbackRequest) -> Form:
        """Keep what the caller says about an answer."""
        return await self._call(caller, request.graph, calls.feedback, request, caller.name)

    async def schema(self, caller: Caller, request: SchemaRequest) -> Form:
        """What a graph holds."""
        return await self._call(caller, request.graph, calls.schema, request)

    async def saved(self, caller: Caller, name: str) -> Form:
        """The patterns that are saved in a graph."""
        return await self._call(caller, name, calls.saved)

    async def ask(self, caller: Caller, request: AskRequest) -> Form:
        """The answer to a question.

        A language model is waited for without a thread: where it hangs, searches go on.
        """
        return await self._within(self._ask(caller, request))

    async def _ask(self, caller: Caller, request: AskRequest) -> Form:
        options = self._options(request.options, request.retriever)
        graph = self.graphs.get(request.graph, caller)
        note(graph.name, request.question)
        turns = self._of(graph)
        async with turns.question() as session:
            flow = self._flow(session, request, options)
            trace = await flows.arun(flow, turns.threads)
            form = await turns.run(
                calls.ask, session, trace.answer, options, with_query=request.query
            )
        note(stages=trace.answer.stages)
        return {"graph": graph.name, **form}

    async def events(
        self, caller: Caller, request: AskRequest
    ) -> AsyncGenerator[tuple[str, Form], None]:
        """`ask` in pieces: (name, object), first a nameless one when it is its turn.

        ``understood`` (the readings), ``evidence``, ``text`` (pieces, unchecked),
        ``certificate``, and ``answer``, which is the whole, and checked.
        """
        ending = monotonic() + self.settings.seconds + GRACE
        events = self._events(caller, request)
        try:
            while True:
                try:
                    async with timeout(ending - monotonic()):
                        event = await anext(events)
                except StopAsyncIteration:
                    return
                except asyncio.TimeoutError:
                    raise self._over_time() from None
                yield event
        finally:
            await events.aclose()

    async def _events(
        self, caller: Caller, request: AskRequest
    ) -> AsyncGenerator[tuple[str, Form], None]:
        options = self._options(request.options, request.retriever)
        graph = self.graphs.get(request.graph, caller)
        note(graph.name, request.question)
        turns = self._of(graph)
        async with turns.question() as session:
            yield "", {}
            flow = self._flow(session, request, options, streamed=True)
            async for item in flows.afollow(flow, turns.threads):
                if isinstance(item, str):
                    yield "text", {"text": item}
                elif isinstance(item, flows.Stage):
                    yield item.name, calls.stage(item.name, item.value)
                else:
                    form = await turns.run(
                        calls.ask, session, item.answer, options, with_query=request.query
                    )
                    note(stages=item.answer.stages)
                    if form["certificate"] is not None:
                        yield "certificate", form["certificate"]
                    yield "answer", {"graph": graph.name, **form}

    @staticmethod
    def _flow(
        session: Session, request: AskRequest, options: Mapping[str, Any], *, streamed: bool = False
    ) -> flows.Flow[Trace]:
        return session.pipeline.ask(
            request.question,
            interpreter=request.interpreter,
            retriever=request.retriever,
            topics=request.topics,
            options=options,
            streamed=streamed,
        )

    async def list_graphs(self, caller: Caller) -> Form:
        """The graphs that the caller may ask."""
        default = self.graphs.default
        return {
            "graphs": [
                {"name": g.name, "database": g.database, "default": g.name == default}
                for g in self.graphs.all(caller)
            ]
        }

    async def _call(
        self, caller: Caller, name: str | None, work: Callable[..., Form], *arguments: Any
    ) -> Form:
        graph = self.graphs.get(name, caller)
        note(graph.name, getattr(arguments[0], "pattern", None) if arguments else None)

        async def called() -> Form:
            turns = self._of(graph)
            async with turns.search() as session:
                form = await turns.run(work, session, *arguments)
            note(stages=(form.get("profile") or {}).get("stages_ms"))
            return {"graph": graph.name, **form}

        return await self._within(called())

    async def _within(self, work: Awaitable[Result]) -> Result:
        """The result of some work, which ends when the time for a request is over.

        Raises:
            RequestError: it was over.
        """
        try:
            async with timeout(self.settings.seconds + GRACE):
                return await work
        except asyncio.TimeoutError:
            raise self._over_time() from None

    def _over_time(self) -> RequestError:
        return RequestError(
            504,
            f"the request took longer than {self.settings.seconds + GRACE:g} seconds, waiting for "
            "its turn included",
            {"Retry-After": str(RETRY_SECONDS)},
        )

    def _options(self, given: BaseModel, retriever: RetrieverName = "pattern") -> dict[str, Any]:
        """The options of a request, within the limits of the service.

        Raises:
            RequestError: one exceeds them.
        """
        limits = self.settings
        options = given.model_dump(exclude_unset=True)
        most = {
            "k": limits.k,
            "budget_seconds": limits.seconds,
            "proof_seconds": limits.seconds,
            "budget_rows": limits.rows,
            "most_facts": limits.rows,
        }
        for key, bound in most.items():
            if key in options and (options[key] is None or options[key] > bound):
                words = f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"
                raise RequestError(
                    400,
                    f"{key} is {options[key]}; this service allows at most {words}",
                    key=f"options.{key}",
                )
        defaults: dict[str, Any] = {"budget_seconds": min(10.0, limits.seconds)}
        if retriever not in OPEN_FORMS:  # evidence by prizes and costs has options of its own
            k = options.get("k") or 3
            defaults |= {
                "limit": min(1000, max(limits.matches // k, 1)),
                "budget_rows": limits.rows,
            }
            if k * (limit := options.get("limit") or 0) > limits.matches:
                raise RequestError(
                    400,
                    f"k {k} times limit {limit} is more than the {limits.matches} matches that "
                    "this service gives at most",
                    key="options.limit",
                )
        return {**defaults, **options}
