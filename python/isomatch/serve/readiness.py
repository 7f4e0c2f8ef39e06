"""Whether the graphs can be asked: their databases and indexes, and what their models say."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any

import httpx

from isomatch import cancel
from isomatch.errors import IsomatchError
from isomatch.serve.graphs import Graph, Graphs
from isomatch.session import Session

_LOG = logging.getLogger("isomatch.serve")
SECONDS = 5.0  # for a graph
MODEL_SECONDS = 2.0
KEPT = 2.0  # seconds in which nothing is asked again

Form = dict[str, Any]


class Readiness:
    """Asks each graph's database something small; the last answer is kept for a moment.

    Args:
        graphs: of the service.
    """

    def __init__(self, graphs: Graphs):
        self._graphs = graphs
        self._lock = asyncio.Lock()
        self._told: tuple[float, bool, Form] = (-KEPT, False, {})

    async def ask(self) -> tuple[bool, Form]:
        """Whether every graph can be asked; and by name what its parts say, without addresses."""
        async with self._lock:
            at, ready, form = self._told
            if monotonic() - at > KEPT:
                graphs = self._graphs.every()
                states = await asyncio.gather(*map(_state, graphs))
                ready = all(state["ready"] for state in states)
                form = {g.name: state for g, state in zip(graphs, states, strict=True)}
                self._told = (monotonic(), ready, form)
            return ready, form


async def _state(graph: Graph) -> Form:
    try:
        # Not in a thread of the searches, which may all be at work.
        model = await asyncio.wait_for(cancel.in_thread(lambda: _ask(graph)), SECONDS)
    except asyncio.TimeoutError:
        return {"ready": False, "why": f"no answer within {SECONDS:g} s"}
    except IsomatchError as error:
        _LOG.warning("%s is not ready: %s", graph.name, error)
        return {"ready": False, "why": type(error).__name__}
    return {"ready": True, "model": model}


def _ask(graph: Graph) -> str:
    """Use the session, its index and its database; what the language model says."""
    with graph.session() as session:
        relations = [relation.id for relation in session.schema.relations[:1]]
        if session.store.state() is None:  # it was not asked
            session.store.incidence(["urn:isomatch:none"], relations, timeout=SECONDS)
        return _model(session)


def _model(session: Session) -> str:
    model = session.model
    if model is None:
        return "none"
    headers = {"Authorization": f"Bearer {model.api_key}"} if model.api_key else {}
    try:
        httpx.get(f"{model.base_url.rstrip('/')}/models", headers=headers, timeout=MODEL_SECONDS)
    except httpx.HTTPError:
        return "does not answer"
    return "answers"
