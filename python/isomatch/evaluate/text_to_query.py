"""The baseline ``text-to-query``: a model writes Cypher or SPARQL, which is run.

This is the one place where the text of a model is run as a query, and only
``isomatch eval --baseline text-to-query`` comes here. See `isomatch.evaluate.readonly`
for what is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import Any

from isomatch.errors import ConfigurationError, QueryRefused, StoreError
from isomatch.evaluate.outcome import Outcome
from isomatch.evaluate.readonly import LIMIT, checked
from isomatch.llm import ChatModel, prompt
from isomatch.questions.datasets import Question
from isomatch.schema.types import Schema
from isomatch.session import Session
from isomatch.store.base import Query, Store

_PACKAGE = "isomatch.evaluate"
_RELATIONS = 100  # that the prompt names, the most used
_TYPES = 3  # that it names for each end of a relation
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class TextToQuery:
    """Answers questions by queries that the session's model writes.

    Attributes:
        seconds: most of one query.
    """

    seconds: float = SECONDS

    def __call__(self, session: Session, question: Question) -> Outcome:
        """What the query gives; a query that is refused or fails gives nothing.

        Raises:
            ConfigurationError: no language model is set.
            ModelError: its endpoint failed.
        """
        model = model_of(session)
        before, started = model.usage, perf_counter()
        language = session.store.capabilities.language
        said = model.complete(
            [
                {"role": "system", "content": schema_prompt(session.schema, language)},
                {"role": "user", "content": f"Question: {' '.join(question.text.split())}"},
            ]
        )
        asked = perf_counter()
        query, error = query_of(said), None
        found: tuple[str, ...] = ()
        try:
            found = answers(session, query, self.seconds)
        except StoreError as failure:
            error = str(failure)
        ended = perf_counter()
        stages = {
            "interpret": (asked - started) * 1e3,
            "execute": (ended - asked) * 1e3,
            "total": (ended - started) * 1e3,
        }
        return Outcome(
            question,
            stages,
            found=(found,),
            usage=model.usage - before,
            query=query,
            error=error,
        )


def answers(session: Session, query: str, seconds: float) -> tuple[str, ...]:
    """Names of what a model's query selects as ``answer``.

    Raises:
        QueryRefused: it may do more than read.
        StoreError: the database refused it, failed, or took too long.
    """
    store = session.store
    text = checked(query, store.capabilities.language)
    _see_that_it_reads(store, text, seconds)
    asked = Query(text, ("answer",), name="text-to-query", heavy=True)
    rows = islice(store.run(asked, timeout=seconds), LIMIT)
    cells = [cell for (cell,) in rows if cell is not None]
    if store.capabilities.property_graph:  # the prompt asks for names, not for nodes
        return tuple(dict.fromkeys(cells))
    named = session.resources.names_of(dict.fromkeys(cells))
    return tuple(named[cell] for cell in dict.fromkeys(cells))


def _see_that_it_reads(store: Store, text: str, seconds: float) -> None:
    """Let the server's planner say what a Cypher statement does, before it is run."""
    if not store.capabilities.queries_may_write:
        return
    kind = store.statement_type(text, timeout=seconds)
    if kind != "r":
        raise QueryRefused(f"Neo4j's planner says that the model's query is of type {kind!r}")


def query_of(said: str) -> str:
    """The query in a reply: the first block of code, or else all of it.

    Example:
        >>> query_of("Here it is:\\n```cypher\\nMATCH (n) RETURN n\\n```")
        'MATCH (n) RETURN n'
    """
    block = re.search(r"```[ \t]*\w*[ \t]*\n?(.*?)```", said, re.DOTALL)
    return (block[1] if block else said).strip()


def schema_prompt(schema: Schema, language: str) -> str:
    """What the model is told of the graph and of its task."""
    words = {type.id: type.text if language == "sparql" else type.id for type in schema.types}

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
        _PACKAGE,
        f"{language}.j2",
        relations=relations,
        names=sorted(schema.names.items()),
        type_relation=schema.type_relation,
        name_relation=next(iter(schema.name_relations), None),
        languages=any(schema.languages),
    )


def model_of(session: Session) -> ChatModel:
    """The session's language model.

    Raises:
        ConfigurationError: none is set.
    """
    if session.model is None:
        raise ConfigurationError(
            "this baseline asks a language model: set ISOMATCH_MODEL and OPENAI_BASE_URL"
        )
    return session.model
