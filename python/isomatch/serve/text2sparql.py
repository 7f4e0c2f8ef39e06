"""TEXT2SPARQL: a question in, a SPARQL query out, as the challenge of that name asks for it.

https://text2sparql.aksw.org; its client, text2sparql-client, scores any service that answers
``GET /?dataset=…&question=…``. The page has the same path, without these two.
"""

# No annotations from __future__: FastAPI reads those of the route, which name what is local here.

from collections.abc import Callable
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Response
from fastapi.routing import APIRoute
from pydantic_core import to_json
from starlette.routing import Match
from starlette.types import Scope

from isomatch.serve.errors import RequestError
from isomatch.serve.graphs import Caller
from isomatch.serve.openapi import responses_of
from isomatch.serve.requests import AskRequest
from isomatch.serve.responses import Translation
from isomatch.serve.service import Service


class _Route(APIRoute):
    """Leaves requests without its two parameters to the page."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        query = scope.get("query_string", b"").decode("latin-1")
        given = {key for key, _ in parse_qsl(query, keep_blank_values=True)}
        if given.isdisjoint(("dataset", "question")):
            return Match.NONE, {}
        return super().matches(scope)


def text2sparql_router(service: Service, caller: Callable[..., Any]) -> APIRouter:
    """The route; it goes before that of the page.

    Args:
        caller: the dependency that gives a request's `Caller`, or refuses it.
    """
    router = APIRouter(route_class=_Route)
    names = service.settings.datasets
    Dataset = Annotated[
        str,
        Query(
            min_length=1,
            max_length=1_000,
            description="Name of a graph, or an IRI of the table [serve.datasets].",
        ),
    ]
    Asking = Annotated[Caller, Depends(caller)]
    Question = Annotated[str, Query(min_length=1, max_length=2_000, description="In words.")]

    @router.get("/", responses=responses_of(Translation, problems=(422,)))
    async def translate(dataset: Dataset, question: Question, who: Asking) -> Response:
        """The SPARQL of the best interpretation of a question (TEXT2SPARQL).

        A question that `/v1/ask` does not answer has none, nor has one whose reading no query
        says whole.
        """
        name = names.get(dataset, dataset)
        graph = _graph(service, name, dataset, who)
        asked = {"graph": graph, "question": question, "query": "answers"}
        answer = await service.ask(who, AskRequest.model_validate(asked))
        if not answer["supported"] or answer["query"] is None:
            raise RequestError(422, f"there is no query for it: {answer['text']}", key="question")
        form = Translation(dataset=dataset, question=question, query=answer["query"])
        return Response(to_json(form), media_type="application/json")

    return router


def _graph(service: Service, name: str, dataset: str, who: Caller) -> str:
    """The graph of a dataset.

    Raises:
        RequestError: there is none, or it is not asked in SPARQL.
    """
    known = {graph.name: graph for graph in service.graphs.all(who)}
    if name not in known:
        raise RequestError(
            404,
            f"there is no dataset {dataset!r}: give the name of a graph ({', '.join(known)}), or "
            "name the graph of this IRI in the table [serve.datasets] of isomatch.toml",
            key="dataset",
        )
    if known[name].database == "neo4j":
        raise RequestError(
            422,
            f"the graph {name} is in Neo4j and is asked in Cypher: TEXT2SPARQL needs an RDF store",
            key="dataset",
        )
    return name
