"""What clients ask, with the answers of the library to it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Literal

from pydantic_core import to_json
from tests.soak.graphs import NAMES, SoakGraph

from isomatch.output.json import answer_form, result_form
from isomatch.serve import calls
from isomatch.serve.requests import NeighbourhoodRequest
from isomatch.session import Session

Kind = Literal["match", "ask", "events", "explain", "neighbourhood", "sparql"]
MARKERS = {name: name.capitalize() for name in NAMES}


@dataclass(frozen=True)
class Question:
    """A request, and what must come back.

    Attributes:
        expected: names that the answer consists of, as `said` reads them.
    """

    graph: str
    kind: Kind
    body: bytes
    expected: frozenset[str]

    @property
    def path(self) -> str:
        """Where it is sent."""
        if self.kind == "sparql":
            return f"/sparql/{self.graph}"
        return "/v1/ask" if self.kind == "events" else f"/v1/{self.kind}"

    @property
    def headers(self) -> dict[str, str]:
        """What it is, and what is wanted back."""
        if self.kind == "sparql":
            accepted = "application/sparql-results+json"
            return {"Content-Type": "application/sparql-query", "Accept": accepted}
        accepted = "text/event-stream" if self.kind == "events" else "application/json"
        return {"Content-Type": "application/json", "Accept": accepted}


@dataclass(frozen=True)
class Said:
    """What a reply says.

    Attributes:
        names: that its answer consists of.
        complete: whether it says that this is all.
    """

    names: frozenset[str]
    complete: bool


def questions_of(graph: SoakGraph, *, events: bool) -> list[Question]:
    """Every kind of request about a graph, with the answers of the library.

    Args:
        events: whether the service sends answers in pieces too.

    Raises:
        RuntimeError: the library does not find what the graph holds.
    """
    with Session.open(graph.settings) as session:
        made = list(_made(graph, session, events))
    if not all(question.expected for question in made):
        raise RuntimeError(f"the library finds nothing for a question about {graph.name}")
    return made


def _made(graph: SoakGraph, session: Session, events: bool) -> Iterator[Question]:
    directors = sorted({film.director for film in graph.films})
    actors = sorted(set(chain.from_iterable(film.actors for film in graph.films)))
    patterns = [f'(?f:film)-[directed by]-("{name}") return ?f' for name in directors]
    patterns += [f'(?f:film)-[starring]-("{name}") return ?f' for name in actors]
    patterns += [
        f'(?f:film)-[directed by]-("{name}"), (?f)-[starring]-(?a) return ?f, ?a'
        for name in directors
    ]
    for pattern in patterns:
        options = {"k": 1, "limit": 1000}
        form = json.loads(to_json(result_form(session.match(pattern, **options))))
        if not form["certificate"]["complete"]:
            raise RuntimeError(f"the library does not prove {pattern}: {form['certificate']}")
        body = {"graph": graph.name, "pattern": pattern, "options": {"k": 1}}
        yield _question(graph, "match", body, form)
        explained = json.loads(to_json(asdict(session.explain(pattern, k=1, limit=1000))))
        yield _question(graph, "explain", body, explained)
    for pattern in patterns[: len(directors)]:
        text = pattern.replace('"', r"\"")
        query = (
            "PREFIX isomatch: <urn:isomatch:> SELECT ?name ?all WHERE { "
            f'[] isomatch:pattern "{text}" ; isomatch:name-f ?name ; isomatch:complete ?all }}'
        )
        found = session.match(pattern, k=1, limit=1000)
        names = frozenset(m.bindings["f"].name for i in found.interpretations for m in i.matches)
        yield Question(graph.name, "sparql", query.encode(), names)
    for name in directors:
        nodes = [session.find(name, kinds=["node"], limit=1)[0].id]
        hood = calls.around(session, NeighbourhoodRequest(nodes=nodes, limit=100))
        body = {"graph": graph.name, "nodes": nodes, "limit": 100}
        yield _question(graph, "neighbourhood", body, json.loads(to_json(hood)))
        if "model" in graph.own:
            continue  # which would be asked
        asked = f"which films did {name} direct"
        form = json.loads(to_json(answer_form(session.ask(asked, interpreter="schema"))))
        body = {"graph": graph.name, "question": asked, "interpreter": "schema"}
        yield _question(graph, "ask", body, form)
        if events:
            yield _question(graph, "events", body, form)


def _question(
    graph: SoakGraph, kind: Kind, body: Mapping[str, Any], form: Mapping[str, Any]
) -> Question:
    return Question(graph.name, kind, json.dumps(body).encode(), said(kind, form).names)


def said(kind: Kind, form: Mapping[str, Any]) -> Said:
    """What a reply says, whether it is the library's or the service's."""
    if kind == "sparql":
        rows = form["results"]["bindings"]
        names = frozenset(row["name"]["value"] for row in rows)
        return Said(names, all(row["all"]["value"] in ("true", "1") for row in rows))
    if kind == "explain":  # no answer: the names that the search would begin with
        return Said(frozenset(text for text in _texts(form) if _marked(text)), True)
    if kind == "neighbourhood":
        triples = form["triples"]
        return Said(frozenset(map(_fact, triples)), not form["cut"])
    certificate = form["certificate"]
    complete = bool(certificate and certificate["complete"])
    if kind == "match":
        rows = (sorted((id, b["name"]) for id, b in m["bindings"].items()) for m in form["matches"])
        return Said(frozenset(map(str, rows)), complete)
    return Said(frozenset(answer["name"] for answer in form["answers"]), complete)


def other_graphs(question: Question, text: str) -> bool:
    """Whether a reply has names of another graph than the one that was asked."""
    return any(
        marker in text or f"//{name}.example/" in text
        for name, marker in MARKERS.items()
        if name != question.graph
    )


def _fact(triple: Mapping[str, Any]) -> str:
    return " | ".join(triple[part]["name"] for part in ("source", "relation", "target"))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from chain.from_iterable(map(_texts, value.values()))
    elif isinstance(value, list):
        yield from chain.from_iterable(map(_texts, value))


def _marked(text: str) -> bool:
    return len(text) < 100 and any(marker in text for marker in MARKERS.values())
