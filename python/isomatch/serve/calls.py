"""What the service answers, each by one function over a session; results are JSON objects."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from isomatch.admin.saved import saved_patterns
from isomatch.errors import ConfigurationError, QueryTimeout, StoreError
from isomatch.feedback import Feedback, record
from isomatch.link.candidates import KINDS
from isomatch.link.keys import identified_topic
from isomatch.output.json import (
    answer_form,
    evidence_form,
    explanation_form,
    found_form,
    reading_form,
    result_form,
)
from isomatch.output.queries import answers_query, to_query
from isomatch.pattern import to_json
from isomatch.pattern.identity import identity
from isomatch.serve.errors import RequestError
from isomatch.serve.requests import (
    ExplainRequest,
    FeedbackRequest,
    FindRequest,
    MatchRequest,
    NeighbourhoodRequest,
    NodesRequest,
    SchemaRequest,
)
from isomatch.store.terms import is_blank, is_literal, is_strict_iri, to_sparql
from isomatch.triples.neighbourhood import degrees_of_nodes, neighbourhood, types_of_nodes

if TYPE_CHECKING:
    from isomatch.answer.types import Answer
    from isomatch.match.types import MatchResult
    from isomatch.session import Session

Options = Mapping[str, Any]
Form = dict[str, Any]
Wanted = bool | Literal["answers"]
NEIGHBOURHOOD_SECONDS = 10.0
KEEP_AGAIN = 60  # seconds; a full disk needs somebody
_LOG = logging.getLogger("isomatch.serve")


def match(session: Session, request: MatchRequest, options: Options) -> Form:
    """What ``isomatch match --json`` prints."""
    result = session.match(request.pattern, **options)
    form: Form = dict(result_form(result))
    if request.query:
        form["query"] = query_of(result, session, options, request.query)
    return form


def ask(session: Session, answer: Answer, options: Options, *, with_query: Wanted) -> Form:
    """What ``isomatch ask --json`` prints of an answer."""
    form: Form = dict(answer_form(answer))
    if with_query:
        read_with = answer.hypothesis.options if answer.hypothesis else {}
        form["query"] = query_of(answer.result, session, {**read_with, **options}, with_query)
    return form


def stage(name: str, value: Any) -> Form:
    """What is known of an answer before it is there; see `isomatch.flows.Stage`."""
    if name == "understood":
        readings = [{"pattern": to_json(h.pattern), **reading_form(h)} for h in value]
        return {"hypotheses": readings}
    return {"evidence": [evidence_form(evidence) for evidence in value]}


def query_of(
    result: MatchResult | None, session: Session, options: Options, wanted: Wanted
) -> str | None:
    """The best interpretation as a query; None where nothing was found.

    Raises:
        RequestError: no query gives the answers alone.
    """
    if result is None or not result.found:
        return None
    if wanted != "answers":
        return to_query(result, session, **options)
    try:
        return answers_query(result, session, **options)
    except ConfigurationError as error:
        raise RequestError(422, str(error), key="query") from error


def explain(session: Session, request: ExplainRequest, options: Options) -> Form:
    """What ``isomatch explain --json`` prints."""
    if request.query:
        result = session.match(request.pattern, **options)
        return {"query": query_of(result, session, options, request.query)}
    return dict(explanation_form(session.explain(request.pattern, **options)))


def find(session: Session, request: FindRequest) -> Form:
    """What ``isomatch find --json`` prints."""
    found = session.find(request.text, kinds=request.kinds, limit=request.limit)
    return dict(found_form(request.text, found))


def around(session: Session, request: NeighbourhoodRequest) -> Form:
    """The facts of some nodes.

    Raises:
        ConfigurationError: a text names no node.
    """
    nodes = [_node(session, text) for text in request.nodes]
    hood = neighbourhood(
        session.store,
        session.schema,
        nodes,
        session.resources.names_of,
        hops=1,
        budget=request.limit,
        cap=request.limit,
        seconds=NEIGHBOURHOOD_SECONDS,
    )
    ends = [{"id": id, "name": name} for id, name in zip(hood.nodes, hood.names, strict=True)]
    types = types_of(session, hood.nodes)
    relations = [{"id": id, "name": session.schema.by_id[id].text} for id in hood.relations]
    return {
        "nodes": [{**end, "types": types.get(end["id"], [])} for end in ends],
        "triples": [
            {"source": ends[head], "relation": relations[link], "target": ends[tail]}
            for head, link, tail in zip(hood.heads, hood.links, hood.tails, strict=True)
        ],
        "cut": bool(hood.hubs or hood.left_out or hood.ended_by_time),
        "notes": list(hood.notes),
    }


def nodes(session: Session, request: NodesRequest) -> Form:
    """Names and types of some nodes, by id; a node that is not there is named by its id."""
    indexed = session.index.name_of(request.nodes)
    known = [id for id in request.nodes if id in indexed or _may_be(id, session)]
    types = types_of(session, known)
    new = [id for id in known if id not in indexed and not types.get(id)]
    found = dict.fromkeys(known, True) | _with_facts(session, new)
    names = session.resources.names_of(id for id in known if found[id] is not False)
    return {
        "nodes": [
            {
                "id": id,
                "name": names.get(id, id),
                "types": types.get(id, []),
                "found": found.get(id, False),
            }
            for id in request.nodes
        ]
    }


def _with_facts(session: Session, nodes: Sequence[str]) -> dict[str, bool | None]:
    """Whether each of some nodes has a fact; None where that is not known."""
    # No query can name a blank node, and no index of facts begins with a value.
    asked = [id for id in nodes if not (is_blank(id) or is_literal(id))]
    try:
        seconds = NEIGHBOURHOOD_SECONDS
        degrees = degrees_of_nodes(session.store, session.schema, asked, seconds=seconds)
    except QueryTimeout:
        return dict.fromkeys(nodes, None)
    return dict.fromkeys(nodes, None) | {id: degrees.get(id, 0) > 0 for id in asked}


def _may_be(id: str, session: Session) -> bool:
    """Whether a text can be an id in the database; a query in RDF cannot have any other."""
    if session.store.capabilities.property_graph or is_blank(id):
        return True
    try:
        to_sparql(id)
    except ValueError:
        return False
    return is_literal(id) or is_strict_iri(id)


def feedback(session: Session, request: FeedbackRequest, caller: str) -> Form:
    """Keep what somebody says about an answer; the id of what was kept.

    Raises:
        RequestError: it cannot be kept (503): the disk is full, for example.
    """
    given = request.model_dump(exclude={"graph"}, exclude_unset=True)
    said = Feedback.of(**given, caller=caller, prefixes=session.settings.prefixes)
    try:
        return {"id": record(session.resources, said)}
    except StoreError as error:
        _LOG.error("%s", error)
        raise RequestError(
            503,
            "the feedback cannot be kept; the log of the service says why",
            {"Retry-After": str(KEEP_AGAIN)},
        ) from error


def types_of(session: Session, nodes: Iterable[str]) -> dict[str, list[str]]:
    """The words of the types of nodes, by id of the node; the most special type first."""
    schema = session.schema
    found = types_of_nodes(session.store, schema, nodes, seconds=NEIGHBOURHOOD_SECONDS)
    words = {type.id: type.text for type in schema.types}
    return {id: [words[type] for type in types] for id, types in found.items()}


def _node(session: Session, text: str) -> str:
    """The id of a node: as results have it, or ``<…>``, or what a topic may be."""
    if session.index.name_of([text]):
        return text
    named = identified_topic(text, session.index, session.schema, session.settings.prefixes)
    if (found := identity(named)) is not None and _may_be(found, session):
        return found
    raise ConfigurationError(f"there is no node {text!r}: give an id as results have it")


def schema(session: Session, request: SchemaRequest) -> Form:
    """Types and relations, the nearest to the focus first, else the most frequent."""
    known = session.schema
    types = {
        type.id: {"id": type.id, "name": type.text, "nodes": type.nodes} for type in known.types
    }
    relations = {
        relation.id: {
            "id": relation.id,
            "name": relation.text,
            "triples": relation.triples,
            "from": _texts(relation.source_types, types),
            "to": _texts(relation.target_types, types) or list(relation.literal_kinds),
        }
        for relation in known.relations
    }
    if request.focus is not None and request.focus.strip():
        kinds = [kind for kind in KINDS if kind != "node"]
        found = session.find(request.focus, kinds=kinds, limit=request.limit)
        chosen = [finding.id for finding in found]
        types = {id: types[id] for id in chosen if id in types}
        relations = {id: relations[id] for id in chosen if id in relations}
    return {
        "nodes": known.nodes,
        "facts": known.triples,
        "types": list(types.values())[: request.limit],
        "relations": list(relations.values())[: request.limit],
        "cut": len(known.types) > request.limit or len(known.relations) > request.limit,
        "notes": list(known.notes),
    }


def saved(session: Session) -> Form:
    """The patterns that are saved in an RDF store, by name."""
    return {"patterns": [asdict(one) for one in saved_patterns(session.store).values()]}


def _texts(ids: Mapping[str, int], types: Mapping[str, Mapping[str, Any]]) -> list[str]:
    return [types[id]["name"] for id in ids if id in types]
