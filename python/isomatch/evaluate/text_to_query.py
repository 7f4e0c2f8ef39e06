"""The baseline ``text-to-query``: a language model writes Cypher or SPARQL, which is run.

This is the only place where a model's text is run as a query, and only
``isomatch eval --baseline text-to-query`` uses it. `isomatch.evaluate.readonly` says
what is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

from isomatch.errors import QueryRefused, StoreError
from isomatch.evaluate.baselines import ask_model, model_of
from isomatch.evaluate.outcome import Outcome
from isomatch.evaluate.readonly import LIMIT, checked
from isomatch.llm import prompt
from isomatch.questions.datasets import Question
from isomatch.schema.types import Schema
from isomatch.store.base import Query, Store
from isomatch.store.capabilities import StoreCapabilities

if TYPE_CHECKING:
    from isomatch.session import Session

SECONDS = 10.0
_RELATIONS = 100  # in the prompt, the most frequent
_TYPES = 3  # in the prompt, for each end of a relation


@dataclass(frozen=True, slots=True)
class TextToQuery:
    """Answer questions by queries that the session's language model writes.

    Attributes:
        seconds: time limit of a query.
    """

    seconds: float = SECONDS

    def __call__(self, session: Session, question: Question) -> Outcome:
        """The result of the query; one that is refused or fails gives no answers.

        Raises:
            ConfigurationError: no language model is configured.
            ModelError: its endpoint failed.
        """
        model = model_of(session)
        before, started = model.usage, perf_counter()
        instructions = schema_prompt(session.schema, session.store.capabilities)
        query = query_of(ask_model(model, instructions, question))
        written = perf_counter()
        found: tuple[str, ...] = ()
        error = None
        try:
            found = answers(session, query, self.seconds)
        except StoreError as failure:
            error = str(failure)
        ended = perf_counter()
        stages = {
            "interpret": (written - started) * 1e3,
            "execute": (ended - written) * 1e3,
            "total": (ended - started) * 1e3,
        }
        usage = model.usage - before
        return Outcome(question, stages, found=(found,), usage=usage, query=query, error=error)


def answers(session: Session, query: str, seconds: float) -> tuple[str, ...]:
    """Run a model's query, and return the names of what it selects as ``answer``.

    Raises:
        QueryRefused: it may do more than read.
        StoreError: the database refused it, failed, or took too long.
    """
    store = session.store
    text = checked(query, store.capabilities.language)
    _check_reads_only(store, text, seconds)
    select = Query(text, ("answer",), name="text-to-query", heavy=True)
    rows = islice(store.run(select, timeout=seconds), LIMIT)
    cells = [cell for (cell,) in rows if cell is not None]
    if store.capabilities.property_graph:  # the prompt asks for names, not for nodes
        return tuple(dict.fromkeys(cells))
    named = session.resources.names_of(dict.fromkeys(cells))
    return tuple(named[cell] for cell in dict.fromkeys(cells))


def _check_reads_only(store: Store, text: str, seconds: float) -> None:
    """Ask the server's planner for the type of a Cypher statement, before it is run."""
    if not store.capabilities.queries_may_write:
        return
    kind = store.statement_type(text, timeout=seconds)
    if kind != "r":
        raise QueryRefused(f"Neo4j's planner says that the model's query is of type {kind!r}")


def query_of(reply: str) -> str:
    """The query in a model's reply: its first block of code, else the whole reply.

    Example:
        >>> query_of("Here it is:\\n```cypher\\nMATCH (n) RETURN n\\n```")
        'MATCH (n) RETURN n'
    """
    block = re.search(r"```[ \t]*\w*[ \t]*\n?(.*?)```", reply, re.DOTALL)
    return (block[1] if block else reply).strip()


def schema_prompt(schema: Schema, capabilities: StoreCapabilities) -> str:
    """The instructions for the model: the graph's schema and the task."""
    # A label of Cypher is written as its id, a class of RDF is known by its name.
    words = {t.id: t.id if capabilities.property_graph else t.text for t in schema.types}

    def types(counts: Any) -> str:
        most = sorted(counts, key=lambda id: -counts[id])[:_TYPES]
        return ", ".join(words.get(id, id) for id in most)

    relations = [
        {
            "id": relation.id,
            "text": relation.text,
            "sources": types(relation.source_types),
            "targets": types({**relation.target_types, **relation.literal_kinds}),
        }
        for relation in schema.relations[:_RELATIONS]
    ]
    return prompt(
        "isomatch.evaluate",
        f"{capabilities.language}.j2",
        relations=relations,
        names=sorted(schema.names.items()),
        type_relation=schema.type_relation,
        name_relation=next(iter(schema.name_relations), None),
        languages=any(schema.languages),
    )
