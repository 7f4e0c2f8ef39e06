"""The tools that assistants are offered: their arguments, results and words.

None takes Cypher or SPARQL: what an assistant can ask for is what `isomatch match` and
`isomatch ask` can, which only read.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from isomatch.options import InterpreterName, RetrieverName
from isomatch.output import wire
from isomatch.serve.calls import Form
from isomatch.serve.graphs import Caller
from isomatch.serve.pages import Path
from isomatch.serve.requests import (
    AskRequest,
    ExplainRequest,
    MatchRequest,
    NeighbourhoodRequest,
    PatternForm,
    SchemaRequest,
    WithQuery,
)
from isomatch.serve.responses import NeighbourhoodResponse, SchemaResponse
from isomatch.serve.service import Service

_PATTERN = """\
A pattern is written as paths: `(?film:film)-[directed by]->("Michael Mann")` has an unknown node \
`?film` of the type film, and a known node in quotes; words in brackets are a relation, and `[]` \
is any. `->` and `<-` are matched in their direction, `-[…]-` in both. Paths are joined by commas, \
and share nodes by their ids. After them may come `where ?year > 2000 and ?film not in { … }`, \
`return ?film`, `return count(?film)`, `return ask`, `order by ?year desc limit 3`. Words need not \
be those of the graph: each is matched to the nearest by meaning."""

INSTRUCTIONS = """\
isomatch answers from a knowledge graph, and says what is proven about each answer. Begin with \
`ask`. Where the question was misread, or to search for something exactly, write a pattern and use \
`match`; `schema` lists the types and relations there are, and `neighbourhood` the facts about \
nodes.
Say no more than the result does: where `supported` or `found` is false, the graph does not say, \
and `certificate.words` tells what is proven. Cite the facts in `evidence`.
Where a result is `truncated` and has a `cursor`, call the tool again with the same arguments and \
that cursor for the rest. `shortened` names values that are not whole."""

_GRAPH = "Name of the graph, as the resources list it; not needed where there is one, or a default."


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    graph: str | None = Field(None, description=_GRAPH)
    cursor: str | None = Field(
        None,
        max_length=100,
        description="The cursor of the page before; all other arguments as they were for it.",
    )


class AskArguments(_Arguments):
    """Arguments of the tool ``ask``."""

    question: str = Field(
        min_length=1,
        max_length=10_000,
        description="In plain words; a pattern where the interpreter is `given`.",
        examples=["which films did Michael Mann direct"],
    )
    interpreter: InterpreterName = Field("auto", description="What reads the question.")
    retriever: RetrieverName = Field(
        "pattern",
        description="How facts are found: `pattern`, or `paths` or `steiner` for open questions.",
    )
    topics: list[str] | None = Field(
        None,
        max_length=20,
        description="Names of the entities that it is about; null to find them.",
    )
    query: WithQuery = False


class ExplainArguments(_Arguments):
    """Arguments of the tool ``explain``."""

    pattern: PatternForm


class MatchArguments(ExplainArguments):
    """Arguments of the tool ``match``."""

    k: int = Field(3, ge=1, le=100, description="Most interpretations, the best first.")
    limit: int = Field(100, ge=1, le=1_000, description="Most matches of each.")
    query: WithQuery = False


class SchemaArguments(_Arguments):
    """Arguments of the tool ``schema``."""

    focus: str | None = Field(
        None,
        max_length=1_000,
        description="Words: only what is nearest to them in meaning is listed.",
        examples=["who made a film"],
    )
    limit: int = Field(50, ge=1, le=1_000, description="Most types, and most relations.")


class NeighbourhoodArguments(_Arguments):
    """Arguments of the tool ``neighbourhood``."""

    nodes: list[str] = Field(
        min_length=1,
        max_length=20,
        description="Ids of nodes, as results have them.",
    )
    limit: int = Field(50, ge=1, le=1_000, description="Most facts.")


@dataclass(frozen=True)
class Tool:
    """A tool.

    Attributes:
        arguments: of a call.
        result: type of the whole result, from `isomatch.output.wire`.
        call: gives the whole result.
        lists: those that pages share out, see `isomatch.serve.pages.page`.
        without: keys of the result that are left out, as they are of use to programs only or
            said elsewhere; ``list.key`` for one of a list's entries.
    """

    name: str
    title: str
    description: str
    arguments: type[_Arguments]
    result: Any
    call: Callable[[Service, Caller, Any], Awaitable[Form]]
    lists: tuple[Path, ...]
    without: frozenset[str] = frozenset()

    def input_schema(self) -> dict[str, Any]:
        """JSON schema of the arguments."""
        return _plain(self.arguments.model_json_schema())

    def shown(self, whole: Form) -> Form:
        """A result without what is left out."""
        shown = {key: value for key, value in whole.items() if key not in self.without}
        for place in self.without:
            name, _, inner = place.partition(".")
            if inner and name in shown:
                shown[name] = [_less(entry, inner) for entry in shown[name]]
        return shown

    def output_schema(self) -> dict[str, Any]:
        """JSON schema of a page of the result."""
        schema = TypeAdapter(self.result).json_schema(mode="serialization")
        definitions = {**schema.pop("$defs", {}), **_BRIEF}
        if "$ref" in schema:  # of a type that is in itself
            schema = dict(definitions[_name(schema)])
        for place in self.without:
            name, _, inner = place.partition(".")
            of = definitions[_name(schema["properties"][name]["items"])] if inner else schema
            of["properties"] = _less(of["properties"], inner or name)
            of["required"] = _less(of["required"], inner or name)
        schema |= {
            "properties": {**_PAGE, **schema["properties"]},
            "required": ["truncated", "cursor", "graph", *_less(schema["required"], "graph")],
        }
        if used := _used(schema, definitions):
            schema["$defs"] = {name: definitions[name] for name in definitions if name in used}
        return _plain(schema)


_BRIEF: dict[str, Any] = {
    "WirePattern": {
        "type": "object",
        "description": "A pattern in its JSON form, with nodes, edges and what is returned.",
    },
    "PrizeOptions": {"type": "object", "description": "Options of the selection."},
}
"""In place of what is long, and of little use to who reads a result."""
_PAGE: dict[str, Any] = {
    "truncated": {
        "type": "boolean",
        "description": "Whether something was left out here: the rest of lists, which the cursor "
        "gets, or what `shortened` names.",
    },
    "cursor": {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "For the next page; null on the last one.",
    },
    "shortened": {
        "type": "array",
        "items": {"type": "string"},
        "description": "Places of values that are too long to give whole.",
    },
    "graph": {"type": "string", "description": "Name of the graph that was asked."},
    "query": {
        "anyOf": [{"type": "string"}, {"type": "null"}],
        "description": "The best interpretation as a query, where that was wanted.",
    },
}


async def _ask(service: Service, who: Caller, given: AskArguments) -> Form:
    return await service.ask(who, AskRequest(**given.model_dump(exclude={"cursor"})))


async def _match(service: Service, who: Caller, given: MatchArguments) -> Form:
    options = {"k": given.k, "limit": given.limit}
    wanted = given.model_dump(include={"graph", "pattern", "query"})
    return await service.match(who, MatchRequest(**wanted, options=options))


async def _explain(service: Service, who: Caller, given: ExplainArguments) -> Form:
    return await service.explain(who, ExplainRequest(**given.model_dump(exclude={"cursor"})))


async def _schema(service: Service, who: Caller, given: SchemaArguments) -> Form:
    return await service.schema(who, SchemaRequest(**given.model_dump(exclude={"cursor"})))


async def _neighbourhood(service: Service, who: Caller, given: NeighbourhoodArguments) -> Form:
    request = NeighbourhoodRequest(**given.model_dump(exclude={"cursor"}))
    return await service.neighbourhood(who, request)


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            "ask",
            "Ask the knowledge graph",
            "Answer a question in plain words, with the facts that carry the answer, how the "
            "question was read, and what is proven. Where `supported` is false the graph does not "
            "say: do not answer from elsewhere as if it did. `reading.left_out` has the words that "
            "were not understood.",
            AskArguments,
            wire.Answer,
            _ask,
            (
                ("answers",),
                ("evidence",),
                ("sentences",),
                ("interpretations",),
                ("selection", "groups"),
                ("cited",),
            ),
            frozenset({"matches", "profile", "stages_ms"}),
        ),
        Tool(
            "match",
            "Match a pattern",
            f"Find the best matching subgraphs of a pattern, with what is proven. {_PATTERN}",
            MatchArguments,
            wire.Result,
            _match,
            (("interpretations",), ("matches",)),
            frozenset({"profile", "matches.interpretation"}),
        ),
        Tool(
            "explain",
            "Explain a search",
            "Say how a pattern would be searched, without searching: what its words may mean, how "
            "many readings there are, and the query. For a pattern that finds nothing, or is slow.",
            ExplainArguments,
            wire.Explanation,
            _explain,
            (("lists",), ("queries",), ("parts",), ("optional",)),
        ),
        Tool(
            "schema",
            "List types and relations",
            "List the types and relations of the graph, the most frequent first, or those nearest "
            "to some words. Use it before writing a pattern.",
            SchemaArguments,
            SchemaResponse,
            _schema,
            (("relations",), ("types",)),
        ),
        Tool(
            "neighbourhood",
            "Facts about a node",
            "List the facts about some nodes, in both directions. Take ids from results.",
            NeighbourhoodArguments,
            NeighbourhoodResponse,
            _neighbourhood,
            (("triples",), ("nodes",)),
        ),
    )
}


def _less(keys: Any, without: str) -> Any:
    """An object or a list of keys without one of them."""
    if isinstance(keys, dict):
        return {key: value for key, value in keys.items() if key != without}
    return [key for key in keys if key != without]


def _name(schema: dict[str, Any]) -> str:
    """Of the definition that a schema refers to; empty for none."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _used(schema: Any, definitions: dict[str, Any]) -> set[str]:
    """Names of the definitions that a schema refers to, directly or not."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            name = _name(part)
            if name in definitions and name not in found:
                found.add(name)
                waiting.append(definitions[name])
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return found


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the titles that pydantic makes of names, and the doc of its class."""
    schema.pop("description", None)

    def stripped(part: Any, *, keys: bool = False) -> Any:
        if isinstance(part, list):
            return [stripped(one) for one in part]
        if not isinstance(part, dict):
            return part
        return {
            key: stripped(value, keys=key in ("properties", "$defs"))
            for key, value in part.items()
            if keys or key != "title"
        }

    return dict(stripped(schema))
