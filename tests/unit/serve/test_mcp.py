"""Tools and resources for assistants: what they give, how much, and what they refuse."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent
from tests.turtle import graph_of
from tests.unit.serve.films import GRAPH

import isomatch
from isomatch.admin.saved import update_to_save
from isomatch.answer.evidence import estimate_tokens
from isomatch.serve.graphs import Caller, Graph, Graphs
from isomatch.serve.mcp import Assistants
from isomatch.serve.mcp_tools import TOOLS
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings.service import ServiceSettings
from isomatch.store.oxigraph import OxigraphStore

GOLDEN = Path(__file__).parent / "golden" / "mcp_tools.json"
MANN = '(?f:film)-[directed by]-("Michael Mann") return ?f'
TOKENS = 2500
TYPES = {
    name: jsonschema.Draft202012Validator(tool.output_schema()) for name, tool in TOOLS.items()
}
# One director of many films, all names long, and one of them very long.
MANY = "".join(
    f':f{n} a :Film ; rdfs:label "{name}" ; :directedBy :scott .\n'
    for n in range(300)
    for name in [f"Film {n} " + "é" * (n % 40 if n else 9000)]
)
LARGE = f'{GRAPH} :scott a :Person ; rdfs:label "Ridley Scott" .\n{MANY}'
BY_SCOTT = '(?f:film)-[directed by]->("Ridley Scott") return ?f'


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    graph = graph_of(LARGE)
    graph.update(update_to_save(OxigraphStore.memory(graph), "mann", MANN, note="his films"))
    with isomatch.open(graph) as opened:
        yield opened


Work = Callable[[Client], Awaitable[Any]]


def served(
    session: Session, work: Work, *, tokens: int = TOKENS, caller: Caller | None = None
) -> Any:
    """What is done with a client of a server over the session."""

    async def connected() -> Any:
        names = ("films", "other")
        graphs = Graphs({name: Graph.over(session, name) for name in names}, "films")
        service = Service(graphs, ServiceSettings(assistant_tokens=tokens))
        server = Assistants(service, caller or Caller("stdio")).server
        async with Client(server) as client:
            return await work(client)

    return asyncio.run(connected())


def called(
    session: Session, name: str, /, tokens: int = TOKENS, **arguments: Any
) -> CallToolResult:
    return served(session, lambda client: client.call_tool(name, arguments), tokens=tokens)


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def refused(session: Session, name: str, /, **arguments: Any) -> str:
    result = called(session, name, **arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


def all_pages(session: Session, name: str, **arguments: Any) -> list[dict[str, Any]]:
    """The pages of a result, each checked: its size, its type, and that both copies agree."""

    async def read(client: Client) -> list[dict[str, Any]]:
        pages: list[dict[str, Any]] = []
        cursor = None
        while not pages or cursor is not None:
            given = arguments if cursor is None else {**arguments, "cursor": cursor}
            result = await client.call_tool(name, given)
            assert not result.is_error, text_of(result)
            form = result.structured_content
            TYPES[name].validate(form)
            assert json.loads(text_of(result)) == form
            assert estimate_tokens(text_of(result)) <= TOKENS
            cursor = form["cursor"]
            assert form["truncated"] == (cursor is not None or "shortened" in form)
            pages.append(form)
        return pages

    pages = served(session, read)
    assert isinstance(pages, list)
    return pages


def test_the_list_of_tools_is_the_reviewed_file(session: Session) -> None:
    listed = served(session, lambda client: client.list_tools())
    tools = [
        tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in listed.tools
    ]
    text = json.dumps({"tools": tools}, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), (
        "if the change is meant, UPDATE_GOLDEN=1 pytest tests/unit/serve/test_mcp.py rewrites it"
    )


def test_all_tools_only_read_and_say_so(session: Session) -> None:
    listed = served(session, lambda client: client.list_tools())
    assert [tool.name for tool in listed.tools] == [
        "ask",
        "match",
        "explain",
        "schema",
        "neighbourhood",
    ]
    for tool in listed.tools:
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.idempotent_hint) == (True, True)
        assert (hints.destructive_hint, hints.open_world_hint) == (False, False)
        assert not {"cypher", "sparql"} & set(tool.input_schema["properties"])


def test_an_answer_has_its_evidence_reading_and_proof(session: Session) -> None:
    (page,) = all_pages(session, "ask", question="which films did Michael Mann direct")
    assert {answer["name"] for answer in page["answers"]} == {"Heat", "Collateral"}
    assert (page["truncated"], page["graph"], page["supported"]) == (False, "films", True)
    assert len(page["evidence"]) == 2
    assert page["certificate"]["words"].startswith("proven complete")
    assert page["reading"]["left_out"] == []


def test_a_question_that_the_graph_does_not_answer_says_so(session: Session) -> None:
    (page,) = all_pages(session, "ask", question="what is the airspeed of a swallow")
    assert (page["supported"], page["answers"]) == (False, [])


def test_the_pages_of_an_answer_have_all_of_it_once(session: Session) -> None:
    question = "which films did Ridley Scott direct"
    pages = all_pages(session, "ask", question=question)
    assert len(pages) > 2
    answers = [answer["id"] for page in pages for answer in page["answers"]]
    whole = session.ask(question)
    assert answers == [answer.id for answer in whole.answers]
    numbers = [fact["number"] for page in pages for fact in page["evidence"]]
    assert numbers == [fact.number for fact in whole.evidence]
    assert all(page["question"] == question for page in pages)
    assert any("shortened" in page for page in pages)  # the name of 9,000 letters


def test_the_pages_of_a_match_have_all_rows_once(session: Session) -> None:
    pages = all_pages(session, "match", pattern=BY_SCOTT, k=1, limit=1000)
    found = [match["bindings"]["f"]["id"] for page in pages for match in page["matches"]]
    assert sorted(found) == sorted(set(found))
    assert len(found) == 300
    assert pages[0]["interpretations"][0]["count"] == 300


def test_a_match_gives_the_query_that_is_wanted(session: Session) -> None:
    (page,) = all_pages(session, "match", pattern=MANN, k=1, query="answers")
    assert "SELECT DISTINCT ?f WHERE" in page["query"]


def test_a_pattern_may_be_an_object(session: Session) -> None:
    pattern = isomatch.pattern.to_json(isomatch.parse(MANN))
    (page,) = all_pages(session, "match", pattern=pattern, k=1)
    assert len(page["matches"]) == 2


def test_an_explanation_a_schema_and_a_neighbourhood_fit_their_types(session: Session) -> None:
    (explained,) = all_pages(session, "explain", pattern=MANN)
    assert explained["lists"]
    pages = all_pages(session, "schema", focus="who made it")
    assert any(r["name"] == "directed by" for page in pages for r in page["relations"])
    pages = all_pages(session, "neighbourhood", nodes=["http://films.example/heat"])
    facts = [fact["target"]["name"] for page in pages for fact in page["triples"]]
    assert {"Michael Mann", "Al Pacino"} <= set(facts)


def test_a_next_page_is_the_same_without_what_was_kept(session: Session) -> None:
    asked = {"pattern": BY_SCOTT, "k": 1}
    first = called(session, "match", **asked).structured_content
    pages = all_pages(session, "match", **asked)
    # Another process answers, which has kept nothing.
    second = called(session, "match", **asked, cursor=first["cursor"]).structured_content
    assert second["matches"] == pages[1]["matches"]


def test_a_cursor_of_another_result_is_refused(session: Session) -> None:
    cursor = called(session, "match", pattern=BY_SCOTT).structured_content["cursor"]
    told = refused(session, "match", pattern=MANN, cursor=cursor)
    assert told == (
        "cursor: the result has changed since the page before: leave the cursor out to begin again"
    )
    told = refused(session, "match", pattern=MANN, cursor="17")
    assert told.startswith("cursor: this tool has given no such cursor")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("ask", {"quesion": "who"}, ["unknown key 'quesion'", "did you mean 'question'?"]),
        ("ask", {}, ["question: field required"]),
        ("ask", {"question": 7}, ["question: input should be a valid string"]),
        ("ask", {"question": "x" * 20_000}, ["question: ", "10000 characters"]),
        ("ask", {"question": "who", "interpreter": "magic"}, ["interpreter: ", "'schema'"]),
        ("match", {"pattern": "(?f"}, ["expected )", "A correct pattern"]),
        ("match", {"pattern": MANN, "k": 0}, ["k: input should be greater than or equal to 1"]),
        ("match", {"pattern": MANN, "graph": "flims"}, ["graph: ", "did you mean 'films'?"]),
        ("match", {"pattern": MANN, "graph": "x"}, ["graph: ", "there are: films, other"]),
        ("neighbourhood", {"nodes": ["Nowhere"]}, ["there is no node 'Nowhere'"]),
        ("match", {"pattern": "(" * 200_000}, ["expected"]),
    ],
)
def test_errors_name_the_key_and_what_to_do(
    session: Session, name: str, arguments: dict[str, Any], words: list[str]
) -> None:
    told = refused(session, name, **arguments)
    for word in words:
        assert word in told
    assert estimate_tokens(told) <= TOKENS


def test_an_unknown_tool_is_refused_with_those_there_are(session: Session) -> None:
    async def work(client: Client) -> int:
        with pytest.raises(
            MCPError, match="there is no tool 'query'; there are ask, match"
        ) as told:
            await client.call_tool("query", {"cypher": "MATCH (n) DETACH DELETE n"})
        return told.value.code

    assert served(session, work) == -32602


def test_a_failure_of_ours_says_nothing_of_its_inside(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(Service, "match", fails)
    told = refused(session, "match", pattern=MANN)
    assert told == "isomatch failed in a way that it should not: KeyError"


def test_a_caller_sees_the_graphs_of_its_key_only(session: Session) -> None:
    caller = Caller("reader", frozenset({"other"}))

    async def work(client: Client) -> tuple[list[str], str]:
        listed = await client.list_resources()
        result = await client.call_tool("match", {"pattern": MANN, "graph": "films"})
        with pytest.raises(MCPError, match="there is no graph 'films'"):
            await client.read_resource("isomatch://graphs/films/schema")
        return [resource.uri for resource in listed.resources], text_of(result)

    uris, told = served(session, work, caller=caller)
    assert uris == ["isomatch://graphs/other/schema", "isomatch://graphs/other/patterns"]
    assert told == "graph: there is no graph 'films'; there are: other"


def test_the_resources_are_the_schema_and_the_saved_patterns(session: Session) -> None:
    async def work(client: Client) -> list[dict[str, Any]]:
        read = []
        for name in ("schema", "patterns"):
            (content,) = (await client.read_resource(f"isomatch://graphs/films/{name}")).contents
            assert content.mime_type == "application/json"
            assert estimate_tokens(content.text) <= TOKENS  # type: ignore[union-attr]
            read.append(json.loads(content.text))  # type: ignore[union-attr]
        with pytest.raises(MCPError, match="there is no resource file:///etc/passwd"):
            await client.read_resource("file:///etc/passwd")
        return read

    schema, patterns = served(session, work)
    assert {"film", "person"} <= {type["name"] for type in schema["types"]}
    (saved,) = patterns["patterns"]
    assert (saved["name"], saved["pattern"], saved["note"]) == ("mann", MANN, "his films")
