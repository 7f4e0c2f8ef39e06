"""Sessions over Neo4j: the caller's driver, plain and async, and a graph that goes on living."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import neo4j
import pytest
from neo4j.exceptions import ClientError
from tests.integration.test_neo4j_convert import expected, rows
from tests.servers.neo4j import Neo4jServer

from isomatch import Session, make_index, to_cypher
from isomatch.chains.graph import ChainGraph, Step
from isomatch.errors import ConfigurationError, PatternError, StoreError
from isomatch.match.describe import CROWDED
from isomatch.match.types import MatchResult
from isomatch.output.queries import to_query
from isomatch.settings import Settings
from isomatch.store.base import PARALLEL, GraphState
from isomatch.store.neo4j import Neo4jStore, copies
from isomatch.store.values import to_id
from isomatch.triples.neighbourhood import neighbourhood, types_of_nodes

FILMS = """
CREATE (mann:Person {name: 'Michael Mann'}), (heat:Movie {title: 'Heat', released: 1995}),
       (ali:Movie {title: 'Ali', released: 2001}), (ronin:Movie {title: 'Ronin', released: 1998}),
       (john:Person {name: 'John Frankenheimer'}),
       (heat)-[:DIRECTED_BY]->(mann), (ali)-[:DIRECTED_BY]->(mann), (ronin)-[:DIRECTED_BY]->(john)
"""
LATER = """
MATCH (mann:Person {name: 'Michael Mann'})
CREATE (:Movie {title: 'Thief', released: 1981})-[:DIRECTED_BY]->(mann)
"""
PATTERN = '(?film:movie)-[directed by]-("Michael Mann")'


@pytest.fixture
def settings(
    neo4j_server: Neo4jServer, empty_neo4j: neo4j.Driver, tmp_path: Path, search_way: str
) -> Settings:
    """Those of an indexed graph of films, for searches of each way."""
    empty_neo4j.execute_query(FILMS)
    settings = neo4j_server.session_settings(tmp_path, model=None)
    make_index(settings)
    return settings


def films(result: MatchResult) -> set[str]:
    return {node.name for node in result.answers()}


@pytest.mark.both_lines
def test_a_session_as_the_settings_say(settings: Settings, search_way: str) -> None:
    with Session.open(settings) as session:
        result = session.match(PATTERN, k=1)
        assert films(result) == {"Heat", "Ali"}
        assert (result.profile.strategy == "procedure") == (search_way == "procedure")


def test_all_nodes_of_a_label_need_no_relationship(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query("CREATE (:Movie {title: 'Lost'})")
    with Session.open(settings) as session:
        result = session.match("(?m:movie)", k=1)
        assert films(result) == {"Heat", "Ali", "Ronin", "Lost"}
        assert result.certificate.exact
        without = "(?m:movie) without {(?m)-[directed by]->(?)} return ?m"
        assert films(session.match(without, k=1)) == {"Lost"}
        counted = session.ask("How many movies are there?")
        assert [bound.name for bound in counted.answers] == ["4"]
        query = to_query(result, session)
        assert query is not None
        assert len(neo4j_driver.execute_query(query.rstrip(";")).records) == 4


def test_a_node_with_a_name_alone_is_known_by_it(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query(
        "MATCH (ali:Movie {title: 'Ali'}) REMOVE ali.released "
        "CREATE (:Movie {title: 'Heath'}), (:Person {name: 'Michael Man'})"
    )
    make_index(settings, sync=True)
    with Session.open(settings) as session:

        def answer(question: str) -> str:
            return session.ask(question, interpreter="schema").text

        assert answer("Who directed Heath?") == "The graph does not say."
        assert answer("Who directed Heath or Ali?") == "Michael Mann."
        assert answer("Did Michael Man direct Heat?") == (
            "No: the graph has no such fact as Heat ─directed by→ Michael Man."
        )


def test_a_session_over_the_callers_driver(settings: Settings, neo4j_driver: neo4j.Driver) -> None:
    with Session.open(driver=neo4j_driver, database="neo4j", home=settings.home) as session:
        assert films(session.match(PATTERN, k=1)) == {"Heat", "Ali"}
    neo4j_driver.verify_connectivity()


@pytest.mark.both_lines
def test_a_session_over_an_async_driver(settings: Settings, neo4j_server: Neo4jServer) -> None:
    async def ask() -> None:
        async with neo4j.AsyncGraphDatabase.driver(neo4j_server.uri, auth=neo4j_server.auth) as d:
            with await Session.aopen(settings, driver=d) as session:
                found = await asyncio.gather(*(session.amatch(PATTERN, k=1) for _ in range(3)))
                assert [films(result) for result in found] == [{"Heat", "Ali"}] * 3
                answer = await session.aask("which movies were directed by Michael Mann?")
                assert films(answer.result) == {"Heat", "Ali"}
                with pytest.raises(StoreError, match=r"await session\.amatch"):
                    session.match(PATTERN)
            await d.verify_connectivity()

    asyncio.run(ask())


def test_an_async_session_without_a_driver(settings: Settings) -> None:
    async def ask() -> set[str]:
        with await Session.aopen(settings) as session:
            return films(await session.amatch(PATTERN, k=1))

    assert asyncio.run(ask()) == {"Heat", "Ali"}


def test_nodes_younger_than_the_index_are_found_and_named(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query(LATER)
    with Session.open(settings) as session:
        assert films(session.match(PATTERN, k=1)) == {"Heat", "Ali", "Thief"}


def test_a_question_asks_the_database_for_its_state_once(
    settings: Settings, neo4j_driver: neo4j.Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    sizes = Neo4jStore._sizes

    def counted(store: Neo4jStore) -> tuple[GraphState, int]:
        asked.append(store)
        return sizes(store)

    monkeypatch.setattr(Neo4jStore, "_sizes", counted)
    monkeypatch.setattr(copies, "SELDOM", 0.0)
    question = "which movies were directed by Michael Mann?"
    with Session.open(settings) as session:
        session.ask(question)  # makes what is made once
        for films_now in ({"Heat", "Ali"}, {"Heat", "Ali", "Thief"}):
            del asked[:]
            assert films(session.ask(question).result) == films_now
            assert len(asked) == 1
            neo4j_driver.execute_query(LATER)


def test_a_new_label_is_read_and_the_index_goes_on(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query("CREATE (:OtherLabel {name: 'x'})")
    with Session.open(settings) as session:
        assert ":OtherLabel" in {type.id for type in session.schema.types}
        assert films(session.match(PATTERN, k=1)) == {"Heat", "Ali"}


def test_a_node_that_has_gone_is_passed_over_and_told(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query("MATCH (m:Person {name: 'Michael Mann'}) DETACH DELETE m")
    with Session.open(settings) as session:
        result = session.match(PATTERN, k=1)
        assert films(result) == {"Ronin"}
        [note] = [n for n in result.certificate.notes if "not in the graph any more" in n]
        assert note.startswith("1 nearer candidate")
        assert "index --sync" in note


def test_a_node_that_never_was_is_not_said_to_have_gone(settings: Settings) -> None:
    with Session.open(settings) as session:
        result = session.match('(<name:Nobody>)-[]-(?x), (?x)-[]-("Heat")', k=1)
        assert not result
        notes = [n for n in result.certificate.notes if "in the graph" in n]
        assert notes == ["<name:Nobody> is not in the graph"]


def test_a_relation_that_has_gone_is_named(settings: Settings, neo4j_driver: neo4j.Driver) -> None:
    with Session.open(settings) as session:
        neo4j_driver.execute_query("MATCH ()-[r:DIRECTED_BY]->() DELETE r")
        neo4j_driver.execute_query("MATCH (m:Movie), (p:Person) CREATE (p)-[:MADE]->(m)")
        with pytest.raises(StoreError, match=r'"directed by" \(:DIRECTED_BY\) has gone'):
            session.match(PATTERN, k=1, k_relations=1)
        assert ":MADE" in session.schema.by_id


def test_a_budget_that_ends_in_the_database_ends_the_search(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query(
        "UNWIND range(0, 1500) AS i CREATE (s:Stop {name: 'stop ' + i}) WITH collect(s) AS stops "
        "UNWIND range(0, 1500) AS i UNWIND [i * 7 % 1501, i * 11 % 1501, i * 13 % 1501] AS j "
        "WITH stops[i] AS a, stops[j] AS b CREATE (a)-[:NEXT]->(b)"
    )
    make_index(settings, sync=True)
    with Session.open(settings) as session:
        # Free ends and a ring of six, none of which the names allow.
        ring = "(?a)-[next]-(?b)-[next]-(?c)-[next]-(?d)-[next]-(?e)-[next]-(?f)-[next]-(?g)"
        result = session.match(f'{ring}, (?g)-[directed by]-("Michael Mann")', budget_seconds=0.2)
        assert result.certificate.ended_by == "time"
        assert not result.certificate.exact


def test_parallel_relationships_are_matches_of_their_own(
    neo4j_driver: neo4j.Driver, settings: Settings
) -> None:
    neo4j_driver.execute_query("""
        MATCH (mann:Person {name: 'Michael Mann'}), (heat:Movie {title: 'Heat'})
        CREATE (mann)-[:REVIEWED {rating: 95, summary: 'Great'}]->(heat),
               (mann)-[:REVIEWED {rating: 60, summary: 'Long'}]->(heat)""")
    make_index(settings)
    one = '("Michael Mann")-[reviewed]->("Heat")'

    def ratings(result: MatchResult) -> list[tuple[int, ...]]:
        return sorted(
            tuple(t.properties["rating"] for t in match.triples)
            for match in result.interpretations[0].matches
        )

    with Session.open(settings) as session:
        assert ratings(session.match(one, k=1)) == [(60,), (95,)]
        cut = session.match(one, k=1, limit=1)
        assert (len(ratings(cut)), cut.interpretations[0].cut) == (1, True)
        plain = session.match(one, k=1, results="matches")
        assert (len(plain.interpretations), plain.certificate.ties) == (1, True)
        plain = session.match(one, k=2, results="matches")
        assert {m.triples[0].properties["rating"] for _, m in plain.matches} == {60, 95}
        assert [i.rank for i in plain.interpretations] == [1, 2]
        two = f"{one}, {one}"
        assert ratings(session.match(two, k=1)) == [(60, 95), (95, 60)]
        assert len(ratings(session.match(two, k=1, nodes="walk"))) == 4
        if session.store.plugin:
            rows, _, _ = neo4j_driver.execute_query(
                "CALL isomatch.match.stream($p, {k: 1}) YIELD relationships"
                " RETURN relationships[0].rating AS rating ORDER BY rating",
                p=one,
            )
            assert [row["rating"] for row in rows] == [60, 95]
            [estimate], _, _ = neo4j_driver.execute_query(
                "CALL isomatch.match.estimate($p, {k: 1}) YIELD expected_rows AS rows RETURN rows",
                p=one,
            )
            assert estimate["rows"] == 2


def test_plain_matches_of_too_many_parallel_relationships_are_not_proven(
    neo4j_driver: neo4j.Driver, settings: Settings
) -> None:
    neo4j_driver.execute_query(
        "MATCH (mann:Person {name: 'Michael Mann'}), (heat:Movie {title: 'Heat'}) "
        "UNWIND range(1, $most + 5) AS i CREATE (mann)-[:REVIEWED {rating: i}]->(heat)",
        most=PARALLEL,
    )
    make_index(settings)
    pattern = '("Michael Mann")-[reviewed]->("Heat")'
    with Session.open(settings) as session:
        few = session.match(pattern, k=PARALLEL, results="matches", budget_seconds=None)
        assert few.certificate.exact
        assert few.certificate.ties
        some = session.match(pattern, k=2 * PARALLEL, results="matches", budget_seconds=None)
        assert sum(one.gsd == 0 for one, _ in some.matches) == PARALLEL + 1
        assert not some.certificate.exact
        assert not some.certificate.complete
        assert some.certificate.bound == 0
        assert CROWDED in some.certificate.notes
        [every] = session.match(pattern, k=1, limit=2 * PARALLEL).interpretations
        assert every.cut


def test_equal_numbers_on_different_pages_are_one_value(
    neo4j_driver: neo4j.Driver, settings: Settings
) -> None:
    neo4j_driver.execute_query(
        "CREATE (:Lot {name: 'Last', size: 77}) WITH 1 AS one UNWIND range(1, 10000) AS i "
        "CREATE (:Blank) WITH DISTINCT one CREATE (:Lot {name: 'First', size: 77.0})"
    )
    make_index(settings)
    with Session.open(settings) as session:
        assert len(session.index.values("77")) == 1
        [best] = session.match('(?lot)-[size]-("77")', k=1).interpretations
        assert sorted(m.bindings["lot"].name for m in best.matches) == ["First", "Last"]


def test_a_year_is_all_values_in_it_on_neo4j(
    settings: Settings, neo4j_driver: neo4j.Driver, search_way: str
) -> None:
    neo4j_driver.execute_query(
        "CREATE (:Person {name: 'Ann', born: date('1973-01-02'), lucky: 7}), "
        "(:Person {name: 'Bob', born: date('1973-05-06'), lucky: 7.0}), "
        "(:Person {name: 'Eve', born: datetime('1973-05-06T10:00:00+02:00')}), "
        "(:Person {name: 'Kim', born: 1973}), (:Person {name: 'Sam', born: date('1980-09-10')})"
    )
    make_index(settings)
    with Session.open(settings) as session:
        for pattern, people in {
            '(?who)-[born]-("1973")': ["Ann", "Bob", "Eve", "Kim"],
            '(?who)-[born]-("1973-05")': ["Bob", "Eve"],
            '(?who)-[lucky]-("7")': ["Ann", "Bob"],
        }.items():
            result = session.match(pattern, k=1, budget_seconds=None)
            [best] = result.interpretations
            assert sorted(m.bindings["who"].name for m in best.matches) == people
            assert result.certificate.complete
            text = to_cypher(result, session) or ""
            assert rows(neo4j_driver, text, result.pattern) == expected(result)


def test_excluded_types_and_keys_of_neo4j_are_not_searched(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query(
        "MATCH (heat:Movie {title: 'Heat'}) SET heat.hash = 'f00ba4' "
        "CREATE (:Crawler {name: 'Bot'})-[:SEEN]->(heat)"
    )
    settings = settings.model_copy(update={"exclude": (":SEEN", "hash")})
    make_index(settings)
    with Session.open(settings) as session:
        assert {":SEEN", ".hash"}.isdisjoint(session.schema.by_id)
        result = session.match('("Heat")-[]-(?x)', k=1, budget_seconds=None)
        assert films(result) == {"Michael Mann", "1995"}
        assert "left out by the settings: :SEEN, hash" in result.certificate.notes
        assert not session.index.by_name("nodes", "f00ba4")


def test_nodes_with_an_excluded_label_are_left_out_whole(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    [graph], _, _ = neo4j_driver.execute_query(
        "MATCH (mann)<--(heat:Movie {title: 'Heat'}), (ali:Movie {title: 'Ali'}) "
        "CREATE (bot:Crawler {name: 'Bot', since: 1848})-[:SEEN {at: 'noon'}]->(heat), "
        "(bot)-[:DIRECTED_BY]->(heat), (bot)-[:SEEN]->(ali), "
        "(:Crawler:Movie {title: 'Trap', released: 1995}) "
        "RETURN elementId(bot) AS bot, elementId(heat) AS heat, elementId(mann) AS mann"
    )
    settings = settings.model_copy(update={"exclude": (":Crawler",)})
    make_index(settings)
    with Session.open(settings) as session:
        schema = session.schema
        assert ":Crawler" not in {type.id for type in schema.types}
        assert {type.id: type.nodes for type in schema.types}[":Movie"] == 3
        assert {":SEEN", ".since"}.isdisjoint(schema.by_id)
        assert schema.by_id[":DIRECTED_BY"].triples == 3
        assert not any(session.index.by_name("nodes", name) for name in ("Bot", "Trap"))
        assert not session.index.values("1848")
        assert not session.index.values("noon")

        def named(pattern: str) -> set[str]:
            given: dict[str, Any] = {"k": 1, "budget_seconds": None}
            result = session.match(pattern, **given)
            for strategy in ("ascending", "semi-join", "brute force"):
                other = session.match(pattern, strategy=strategy, **given)
                assert films(other) == films(result)
            assert "left out by the settings: :Crawler" in result.certificate.notes
            if result.interpretations:
                text = to_cypher(result, session) or ""
                assert rows(neo4j_driver, text, result.pattern) == expected(result)
            return films(result)

        assert named('("Heat")-[]-(?x)') == {"Michael Mann", "1995"}
        assert named('("Heat")-[directed by]-(?x)') == {"Michael Mann"}
        assert named('(?film)-[released]-("1995")') == {"Heat"}
        assert named('("Heat")-[]-(?x)-[]-("Ali")') == {"Michael Mann"}
        assert named(f"(<{graph['bot']}>)-[]-(?x)") == set()
        assert named("(<name:Bot>)-[]-(?x)") == set()
        with pytest.raises(PatternError, match="no node of that label has the property"):
            session.match("(<Crawler.name:Bot>)-[]-(?x)")
        heat, mann = graph["heat"], graph["mann"]
        year = to_id(1995) or ""
        assert types_of_nodes(session.store, schema, [heat, year]) == {heat: (":Movie",)}
        for topics in ([heat], [mann], [year]):
            hood = neighbourhood(session.store, schema, topics, session.resources.names_of)
            assert {heat, mann, year} <= set(hood.nodes)
            assert {"Bot", "Trap"}.isdisjoint(hood.names)
            assert hood.relations == (":DIRECTED_BY", ".released")
        for store in (session.store, session.store.snapshot()):
            chains = ChainGraph(store, schema, None)
            assert set(chains.around([heat])) == {Step(":DIRECTED_BY"), Step(".released")}
            assert chains.around([mann]) == {Step(":DIRECTED_BY", True): 1.0}
            assert Step(":DIRECTED_BY") in chains.followers(Step(".released", True))
        answer = session.ask("which movies were released in 1995?")
        assert films(answer.result) == {"Heat"}


def test_a_label_that_is_excluded_may_be_deleted_and_come_again(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    bot = "MATCH (heat {title: 'Heat'}) CREATE (:Bot {name: 'Bot'})-[:SEEN]->(heat)"
    neo4j_driver.execute_query(bot)
    settings = settings.model_copy(update={"exclude": (":Bot",)})
    make_index(settings)
    neo4j_driver.execute_query("MATCH (bot:Bot) DETACH DELETE bot")
    with Session.open(settings) as session:
        [note] = [n for n in session.schema.notes if "left out" in n]
        assert note.endswith("not in the graph any more: :Bot")
        neo4j_driver.execute_query(bot)
        seen = session.match('("Heat")-[]-(?x)', k=1)
        assert {m.bindings["x"].name for _, m in seen.matches} == {"Michael Mann", "1995"}
    with (
        pytest.raises(ConfigurationError, match="which is no label"),
        Session.open(settings.model_copy(update={"exclude": (":Bott",)})),
    ):
        pass


def test_excluded_keys_of_relationships_are_not_searched_or_shown(
    settings: Settings, neo4j_driver: neo4j.Driver
) -> None:
    neo4j_driver.execute_query(
        "MATCH (heat:Movie {title: 'Heat'}), (mann:Person {name: 'Michael Mann'}), "
        "(ali:Movie {title: 'Ali'}) CREATE (mann)-[:RATED {stars: 1, hash: 5}]->(ali), "
        "(mann)-[:RATED {stars: 5, hash: 'f00ba4'}]->(heat), "
        "(mann)-[:RATED {stars: 3, hash: 5}]->(heat), (mann)-[:SENT {text: 'secret'}]->(heat)"
    )
    settings = settings.model_copy(update={"exclude": (".hash", ":SENT")})
    make_index(settings)
    with Session.open(settings) as session:
        assert session.schema.edge_properties == {":RATED": {".stars": 3}}
        assert not session.index.values("f00ba4")
        assert not session.index.values("secret")
        for pattern, stars in {
            '("Michael Mann")-[rated: 5]-("Heat")': [5],
            '("Michael Mann")-[rated: ?v]-("Heat")': [3, 5],
            '("Michael Mann")-[rated]-("Heat")': [3, 5],
            '("Michael Mann")-[rated {stars: 5}]-("Heat")': [5],
        }.items():
            result = session.match(pattern, k=1, budget_seconds=None)
            [best] = result.interpretations
            shown = [triple.properties for match in best.matches for triple in match.triples]
            assert sorted(shown, key=str) == [{"stars": n} for n in stars]
            text = to_cypher(result, session) or ""
            assert rows(neo4j_driver, text, result.pattern) == expected(result)
        one = session.match('("Michael Mann")-[rated: 5]-(?film)', k=1, budget_seconds=None)
        assert films(one) == {"Heat"}
        with pytest.raises(PatternError, match="has the property 'hash'; there is stars"):
            session.match('("Michael Mann")-[rated {hash: 5}]-("Heat")')


def test_the_property_of_a_value_on_an_edge_can_be_named(
    neo4j_driver: neo4j.Driver, settings: Settings
) -> None:
    neo4j_driver.execute_query("""
        MATCH (mann:Person {name: 'Michael Mann'}), (heat:Movie {title: 'Heat'}),
              (ali:Movie {title: 'Ali'})
        CREATE (mann)-[:REVIEWED {unitRating: 95, votes: 60}]->(heat),
               (mann)-[:REVIEWED {unitRating: 60, votes: 95}]->(ali),
               (mann)-[:REVIEWED {unitRating: 60}]->(ali)""")
    make_index(settings)

    with Session.open(settings) as session:

        def found(value: str) -> list[tuple[str, ...]]:
            pattern = f'("Michael Mann")-[reviewed {value}]->(?film)'
            result = session.match(pattern, k=1)
            return sorted(
                tuple(sorted(bound.name for bound in match.bindings.values()))
                for match in result.interpretations[0].matches
            )

        assert found("{unitRating: 95}") == [("95", "Heat", "Michael Mann")]
        assert found('{"unit rating": 60}') == [("60", "Ali", "Michael Mann")] * 2
        assert found("{votes: ?v}") == [
            ("60", "Heat", "Michael Mann"),
            ("95", "Ali", "Michael Mann"),
        ]
        assert found(": 95") == [("95", "Ali", "Michael Mann"), ("95", "Heat", "Michael Mann")]
        with pytest.raises(PatternError, match="has the property 'votez'; there is votes"):
            found("{votez: 60}")
        for value in ("{votes: 60}", "{unitRating: ?v}"):
            result = session.match(f'("Michael Mann")-[reviewed {value}]->(?film)', k=1)
            statement = to_cypher(result, session) or ""
            assert rows(neo4j_driver, statement, result.pattern) == expected(result)
        if session.store.plugin:
            with pytest.raises(ClientError, match="no property 'votez'; did you mean 'votes'"):
                neo4j_driver.execute_query(
                    "CALL isomatch.match.stream($p) YIELD rank RETURN rank",
                    p='("Michael Mann")-[reviewed {votez: 60}]->(?film)',
                )
