"""A small property graph with everything in it that is hard to write down, in a real server."""

from __future__ import annotations

from pathlib import Path

import neo4j
from tests.servers.neo4j import Neo4jServer, empty

from isomatch.factories import make_index
from isomatch.settings import Settings

# Names by label, lists, values of every kind, awkward identifiers, a text that is a
# node's name, two relationships between the same two nodes.
GRAPH = """
CREATE (heat:Movie {title: 'Heat', released: 1995, genres: ['crime', 'drama'],
                    premiere: date('1995-12-06'), tagline: 'A Los Angeles crime saga'}),
       (ali:Movie {title: 'Ali', released: 2001, genres: ['drama', 'drama'], tagline: 'Ali'}),
       (ronin:Movie {title: 'Ronin', released: 1998, genres: 'crime'}),
       (mann:Person {name: 'Michael Mann', born: 1943,
                     home: point({longitude: -87.6, latitude: 41.8}),
                     woke: localdatetime('2000-01-01T07:00:00')}),
       (pacino:Person {name: 'Al Pacino', born: 1940, title: 'Sir',
                       seen: datetime('2024-05-01T10:00:00+02:00')}),
       (niro:Person {name: 'Robert De Niro', born: 1943, `odd``key`: 'it\\'s a \\\\u0027 "quote"'}),
       (smith:Person:Singer {name: 'Will Smith', born: 1968}),
       (mann)-[:DIRECTED]->(heat), (mann)-[:DIRECTED]->(ali), (mann)-[:WROTE]->(heat),
       (pacino)-[:ACTED_IN {roles: ['Vincent Hanna'], since: 1995}]->(heat),
       (niro)-[:ACTED_IN {roles: ['Neil McCauley', 'Neil']}]->(heat),
       (niro)-[:ACTED_IN {roles: ['Sam']}]->(ronin),
       (smith)-[:ACTED_IN {roles: ['Cassius Clay', 'Muhammad Ali']}]->(ali),
       (smith)-[:ACTED_IN {roles: ['himself']}]->(ali),
       (mann)-[:`KNOWS ``WELL``\\u001b` {since: 1990}]->(pacino),
       (pacino)-[:`KNOWS ``WELL``\\u001b` {since: 1991}]->(mann),
       (niro)-[:`KNOWS ``WELL``\\u001b`]->(niro)
"""


def load_films(server: Neo4jServer, driver: neo4j.Driver, home: Path) -> Settings:
    """Put `GRAPH` into the server, and nothing else, and index it under ``home``.

    Returns:
        Settings with which a session over it opens.
    """
    empty(driver)
    driver.execute_query(GRAPH)
    settings = server.session_settings(home)
    make_index(settings)
    return settings
