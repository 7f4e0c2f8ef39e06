"""The retrievers for neo4j-graphrag and LangChain, in the real packages.

The language model is a class of the package's own interface; nothing else is made up.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from langchain_core.runnables import RunnableLambda
from neo4j_graphrag.generation import GraphRAG
from neo4j_graphrag.llm import LLMInterface, LLMInterfaceV2, LLMResponse
from tests.servers.sessions import session_over
from tests.turtle import graph_of

from isomatch.adapters import graphrag, langchain
from isomatch.adapters.retrievers import PatternRetriever
from isomatch.errors import ConfigurationError
from isomatch.link.embedder import open_embedder
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.oxigraph import OxigraphStore

FILMS = '(?film:film)-[directed by]-("Michael Mann")'
PAGE = Path(__file__).resolve().parents[2] / "docs" / "answers.md"
WHO = '("Ronin")-[directed by]-(?who)'
QUESTION = "which films did Michael Mann direct?"
TURTLE = """
@prefix : <http://films.test/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:heat a :Film ; rdfs:label "Heat" ; :directedBy :mann .
:ali a :Film ; rdfs:label "Ali" ; :directedBy :mann .
:ronin a :Film ; rdfs:label "Ronin" ; :directedBy :frankenheimer .
:mann a :Person ; rdfs:label "Michael Mann" .
:frankenheimer a :Person ; rdfs:label "John Frankenheimer" .
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Over an embedded graph."""
    home = tmp_path_factory.mktemp("films")
    with session_over(OxigraphStore.memory(graph_of(TURTLE)), home, open_embedder()) as session:
        yield session


class Parrot(LLMInterfaceV2):
    """Answers with the prompt that it was given."""

    def invoke(self, input: list[Any], **_: Any) -> LLMResponse:
        return LLMResponse(content=input[-1]["content"])

    async def ainvoke(self, input: list[Any], **_: Any) -> LLMResponse:
        return self.invoke(input)


class OldParrot(LLMInterface):
    """The same, for the first form of the interface."""

    def invoke(self, input: str, *_: Any, **__: Any) -> LLMResponse:
        return LLMResponse(content=input)

    async def ainvoke(self, input: str, *_: Any, **__: Any) -> LLMResponse:
        return self.invoke(input)


@pytest.mark.parametrize("kind", [Parrot, OldParrot])
def test_a_graphrag_pipeline_is_given_the_facts(session: Session, kind: Any) -> None:
    pipeline = GraphRAG(graphrag.IsomatchRetriever(session), kind("parrot"))
    found = pipeline.search(QUESTION, retriever_config={"top_k": 2}, return_context=True)
    for film in ("Heat", "Ali"):
        assert f"{film} | directed by | Michael Mann" in found.answer
    assert found.retriever_result is not None
    items = PatternRetriever(session).search(QUESTION, top_k=2).items
    assert [(i.content, i.metadata) for i in found.retriever_result.items] == [
        (i.content, i.metadata) for i in items
    ]
    assert found.retriever_result.metadata is not None
    assert found.retriever_result.metadata["__retriever"] == "IsomatchRetriever"
    assert found.retriever_result.metadata["query_text"] == QUESTION


def test_nothing_found_is_the_pipelines_fallback(session: Session) -> None:
    retriever = graphrag.IsomatchRetriever(session, k_nodes=1, k_relations=1, k_types=1)
    pipeline = GraphRAG(retriever, Parrot("parrot"))
    nothing = '("Heat")-[directed by]-("Ali")'
    found = pipeline.search(nothing, response_fallback="No idea.", return_context=True)
    assert found.answer == "No idea."


def test_the_retriever_is_a_tool_for_agents(session: Session) -> None:
    retriever = graphrag.IsomatchRetriever(session, items="interpretations")
    tool = retriever.convert_to_tool("films", "Facts about films.")
    assert set(tool.get_parameters()["properties"]) == {"query_text", "top_k"}
    assert tool.get_parameters()["required"] == ["query_text"]
    (item,) = tool.execute(query_text=FILMS, top_k=1).items
    assert {b["film"]["name"] for b in item.metadata["bindings"]} == {"Heat", "Ali"}


def test_langchain_gets_documents_by_every_call(session: Session) -> None:
    retriever = langchain.IsomatchRetriever(session, top_k=1, tags=["films"])
    (document,) = retriever.invoke(WHO)
    assert document.page_content == "Ronin | directed by | John Frankenheimer"
    assert document.metadata["bindings"]["who"]["name"] == "John Frankenheimer"
    assert asyncio.run(retriever.ainvoke(WHO)) == [document]
    assert retriever.batch([WHO, QUESTION, WHO], {"max_concurrency": 3})[::2] == [[document]] * 2
    assert [len(retriever.invoke(FILMS, top_k=k)) for k in (1, 2)] == [1, 2]
    assert len(asyncio.run(retriever.ainvoke(FILMS, top_k=2))) == 2
    chain = retriever | RunnableLambda(lambda documents: len(documents))
    assert chain.invoke(FILMS) == 1


def test_options_go_through_and_wrong_ones_are_refused(session: Session) -> None:
    documents = langchain.IsomatchRetriever(session, options={"limit": 1, "type_weight": 0.0})
    (document,) = (
        documents.invoke(FILMS, top_k=1, items="matches")
        if False
        else (documents.invoke(FILMS, top_k=1))
    )
    assert document.metadata["gsd"] < 1
    with pytest.raises(ConfigurationError, match="unknown option 'depth'"):
        documents.invoke(FILMS, depth=3)
    with pytest.raises(ConfigurationError, match="unknown option 'depth'"):
        graphrag.IsomatchRetriever(session, depth=3).search(query_text=FILMS)
    with pytest.raises(ConfigurationError, match="items"):
        graphrag.IsomatchRetriever(session, items="triples")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def settings(films: Settings) -> Settings:
    return films


def test_a_driver_is_enough_and_stays_open(settings: Settings, neo4j_driver: neo4j.Driver) -> None:
    pattern = '(?film)-[directed]-("Michael Mann")'
    retriever = graphrag.IsomatchRetriever(neo4j_driver, settings=settings)
    pipeline = GraphRAG(retriever, Parrot("parrot"))
    answer = pipeline.search(pattern, return_context=True).answer
    assert "Michael Mann | directed | Heat" in answer
    documents = langchain.IsomatchRetriever(neo4j_driver, settings=settings)
    assert {d.metadata["bindings"]["film"]["name"] for d in documents.invoke(pattern)} >= {
        "Heat",
        "Ali",
    }
    retriever.close()
    documents.close()
    assert neo4j_driver.execute_query("RETURN 1 AS one").records[0]["one"] == 1


def test_the_examples_of_the_page_run(
    settings: Settings, neo4j_driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOMATCH_HOME", str(settings.home))
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len(blocks) == 5
    with Session.open(driver=neo4j_driver) as session:
        names: dict[str, Any] = {"session": session, "driver": neo4j_driver}
        names["llm"] = Parrot("parrot")
        for block in blocks:
            exec(block, names)
    assert set(names["frame"]["film"]) >= {"Heat", "Ali"}
    assert {node.caption for node in names["drawing"].nodes} >= {"Heat", "Ali", "Michael Mann"}
    assert {"Heat", "Ali"} <= {node.get("title") for node in names["graph"].nodes}


@pytest.mark.parametrize(
    ("hidden", "statement", "extra"),
    [
        ("neo4j_graphrag", "import isomatch.adapters.graphrag", "graphrag"),
        ("langchain_core", "import isomatch.adapters.langchain", "langchain"),
        ("pandas", "from isomatch import to_frame; to_frame(None)", "pandas"),
        ("neo4j_viz", "from isomatch import to_viz; to_viz(None)", "viz"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(hidden: str, statement: str, extra: str) -> None:
    code = f"import sys; sys.modules[{hidden!r}] = None; {statement}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("isomatch.errors.MissingExtraError: ")
    assert last.endswith(f"pip install 'isomatch[{extra}]'")
