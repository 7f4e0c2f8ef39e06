"""Results for assistants: none over the cap, however large it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from mcp.client.client import Client
from tests.bench.rows import Row, row
from tests.turtle import graph_of

import isomatch
from isomatch.answer.evidence import estimate_tokens
from isomatch.serve.graphs import Caller, Graphs
from isomatch.serve.mcp import Assistants
from isomatch.serve.pages import written
from isomatch.serve.service import Service

RESULTS = 100
_FILMS = 400  # of each director
_HEAD = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <urn:films:> .
:Film rdfs:label "film" . :Person rdfs:label "person" . :directedBy rdfs:label "directed by" .
"""


def measure_cap() -> Iterator[Row]:
    """How many of 100 large results of ``ask`` are over the cap of 8,000 tokens, in either copy.

    Each is of a director of 400 films, whose names are of 10 to some 4,000 characters.
    """
    sizes, over = asyncio.run(_asked(_graph()))
    note = f"largest page {max(sizes):,} tokens; {len(sizes) - RESULTS} next pages asked for"
    yield row("MCP ask, 100 large results: over the cap", over, "", at_most=0, note=note)


def _graph() -> str:
    films = [
        f':f{d}_{n} a :Film ; rdfs:label "Film {d} {n} {"é" * (n % 40) * (n // 4)}" ; '
        f":directedBy :d{d} ."
        for d in range(4)
        for n in range(_FILMS)
    ]
    names = ("Ridley Scott", "Michael Mann", "Sidney Lumet", "Jane Campion")
    people = [f':d{d} a :Person ; rdfs:label "{name}" .' for d, name in enumerate(names)]
    return "\n".join([_HEAD, *people, *films])


async def _asked(turtle: str) -> tuple[list[int], int]:
    """Tokens of all pages, and how many results have one over the cap."""
    names = ("Ridley Scott", "Michael Mann", "Sidney Lumet", "Jane Campion")
    sizes: list[int] = []
    over = 0
    with isomatch.open(graph_of(turtle)) as session:
        service = Service(Graphs.over(session))
        cap = service.settings.assistant_tokens
        async with Client(Assistants(service, Caller("bench")).server) as client:
            for number in range(RESULTS):
                asked = {"question": f"which films did {names[number % 4]} direct"}
                found: list[int] = []
                cursor = None
                for page in range(2 if number < 4 else 1):
                    given = {**asked, "cursor": cursor} if page else asked
                    result = await client.call_tool("ask", given)
                    assert not result.is_error, result.content
                    assert result.structured_content["truncated"]  # it is a large one
                    cursor = result.structured_content["cursor"]
                    copies = (result.content[0].text, written(result.structured_content))
                    found.append(max(map(estimate_tokens, copies)))
                sizes += found
                over += max(found) > cap
    return sizes, over
