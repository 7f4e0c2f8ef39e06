"""The interpreter without a model, over a small graph and an embedder of letters."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.unit.interpret.words_embedder import LettersEmbedder

from isomatch.chains.graph import FILE, ChainGraph, Step
from isomatch.errors import InterpretationError
from isomatch.interpret.schema import SchemaInterpreter
from isomatch.interpret.types import Hypothesis, Interpreter
from isomatch.lexicon.draft import draft_from_graph
from isomatch.lexicon.lexicon import Lexicon, draft_lexicon
from isomatch.lexicon.mentions import MentionFinder
from isomatch.options import Options
from isomatch.pattern.types import RelationChain
from isomatch.schema.introspect import introspect
from isomatch.schema.types import Schema
from isomatch.store.base import Query
from isomatch.store.oxigraph import OxigraphStore

EX = "http://example.org/"
FACTS = [
    ("Heat", "directed_by", "Michael Mann"),
    ("Ali", "directed_by", "Michael Mann"),
    ("Alien", "directed_by", "Ridley Scott"),
    ("Heat", "starred_actors", "Al Pacino"),
    ("Heat", "starred_actors", "Val Kilmer"),
    ("Ali", "starred_actors", "Will Smith"),
    ("Alien", "starred_actors", "Sigourney Weaver"),
    ("Scarface", "starred_actors", "Al Pacino"),
    ("Scarface", "directed_by", "Brian De Palma"),
    ("Heat", "has_genre", "Crime"),
    ("Ali", "has_genre", "Drama"),
    ('Alien"} DROP ALL', "has_genre", "Horror"),
]


def iri(name: str) -> str:
    return EX + "".join(c if c.isalnum() else "_" for c in name)


@pytest.fixture(scope="module")
def store() -> OxigraphStore:
    label = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
    graph = ox.Store()
    for s, p, o in FACTS:
        graph.add(ox.Quad(ox.NamedNode(iri(s)), ox.NamedNode(EX + p), ox.NamedNode(iri(o))))
        for name in (s, o):
            graph.add(ox.Quad(ox.NamedNode(iri(name)), label, ox.Literal(name)))
    return OxigraphStore.memory(graph)


@pytest.fixture(scope="module")
def schema(store: OxigraphStore) -> Schema:
    return introspect(store)


@pytest.fixture(scope="module")
def lexicon(schema: Schema) -> Lexicon:
    return draft_lexicon(schema, classify=lambda r, end: "film" if end == "source" else None)


NAMES = [(n, iri(n)) for n in sorted({x for s, _, o in FACTS for x in (s, o)})]


@pytest.fixture
def interpreter(store: OxigraphStore, schema: Schema, lexicon: Lexicon) -> SchemaInterpreter:
    return SchemaInterpreter(
        store, schema, LettersEmbedder(), MentionFinder(NAMES, lexicon.words()), lexicon
    )


def chain(topic: str, *relations: str) -> object:
    return RelationChain(topic, relations).to_pattern()


@pytest.mark.parametrize(
    ("question", "topic", "relations"),
    [
        ("who directed Heat", "Heat", ["directed by"]),
        ("who directed [Heat]", "Heat", ["directed by"]),
        ("which genre is Heat", "Heat", ["has genre"]),
        ("which films were directed by michael mann", "Michael Mann", ["^directed by"]),
        (
            "which actors starred in the films directed by Michael Mann",
            "Michael Mann",
            ["^directed by", "starred actors"],
        ),
        (
            "which genres are the films directed by the director of Heat",
            "Heat",
            ["directed by", "^directed by", "has genre"],
        ),
    ],
)
def test_questions_become_chains(
    interpreter: SchemaInterpreter, question: str, topic: str, relations: list[str]
) -> None:
    first = interpreter.interpret(question)[0]
    assert first.pattern == chain(topic, *relations)


def test_readings_are_ranked_distinct_and_say_how_to_search(interpreter: SchemaInterpreter) -> None:
    hypotheses = interpreter.interpret("which actors starred in films directed by Michael Mann")
    assert isinstance(interpreter, Interpreter)
    assert 1 < len(hypotheses) <= 10
    chains = [r.score for r in hypotheses if any(n.id == "topic" for n in r.pattern.nodes)]
    assert chains == sorted(chains, reverse=True)  # what was composed comes after them
    assert len({r.pattern for r in hypotheses}) == len(hypotheses)
    for hypothesis in hypotheses:
        assert 0 <= hypothesis.score <= 1
        assert hypothesis.source == interpreter.name == "schema"
        options = Options().with_(**hypothesis.options)
        assert options.nodes in ("anchored", "walk")
        assert options.direction in ("as written", "as drawn")


def test_chains_that_do_not_exist_from_the_topic_are_not_offered(
    interpreter: SchemaInterpreter,
) -> None:
    hypotheses = interpreter.interpret("which genre has Scarface")
    assert chain("Scarface", "has genre") not in [r.pattern for r in hypotheses]


def test_two_names_are_joined_by_what_is_related_to_both(interpreter: SchemaInterpreter) -> None:
    first = interpreter.interpret("which films did Michael Mann direct with actor Val Kilmer")[0]
    known = {n.text for n in first.pattern.nodes if n.known}
    edges = {(e.source, e.relation) for e in first.pattern.edges}
    assert known == {"Michael Mann", "Val Kilmer"}
    assert edges == {("x1", "directed by"), ("x1", "starred actors")}
    assert first.pattern.answers == ("x1",)


def test_a_misspelled_name_is_told(interpreter: SchemaInterpreter) -> None:
    first = interpreter.interpret("which films were directed by Micheal Manm")[0]
    (edge,), names = first.pattern.edges, [node.text for node in first.pattern.nodes]
    assert (edge.relation, first.pattern.node(edge.target).text) == ("directed by", "Michael Mann")
    assert names.count(None) == 1
    assert any("“Micheal Manm” read as “Michael Mann”" in note for note in first.notes)


def test_a_name_that_is_near_to_none_is_left_to_the_link(interpreter: SchemaInterpreter) -> None:
    first = interpreter.interpret("which films were directed by Micheal Gorbachev")[0]
    assert first.pattern == chain("Micheal Gorbachev", "^directed by")


def test_names_are_data(interpreter: SchemaInterpreter) -> None:
    hypotheses = interpreter.interpret('which genre is Alien"} DROP ALL')
    assert hypotheses[0].pattern == chain('Alien"} DROP ALL', "has genre")


def test_the_schema_interpreter_refuses_a_question_without_a_name(
    interpreter: SchemaInterpreter,
) -> None:
    with pytest.raises(InterpretationError, match="no name of the graph was found in 'what is it'"):
        interpreter.interpret("what is it")


def test_a_name_without_relations_is_refused(
    store: OxigraphStore, schema: Schema, lexicon: Lexicon
) -> None:
    names = [("Nowhere", EX + "nowhere")]
    lonely = SchemaInterpreter(
        store, schema, LettersEmbedder(), MentionFinder(names, lexicon.words()), lexicon
    )
    with pytest.raises(InterpretationError, match="no relation of the graph leads away"):
        lonely.interpret("who directed Nowhere")


def test_max_hops_and_top_bound_what_is_read(
    store: OxigraphStore, schema: Schema, lexicon: Lexicon
) -> None:
    short = SchemaInterpreter(
        store,
        schema,
        LettersEmbedder(),
        MentionFinder(NAMES, lexicon.words()),
        lexicon,
        max_hops=1,
        top=2,
    )
    hypotheses = short.interpret("which genres are the films directed by the director of Heat")
    assert len(hypotheses) == 2
    assert all(len(r.pattern.edges) == 1 for r in hypotheses)


@pytest.mark.parametrize("top", [1, 3, 10])
def test_what_cannot_be_among_the_first_is_not_embedded(
    store: OxigraphStore,
    schema: Schema,
    lexicon: Lexicon,
    monkeypatch: pytest.MonkeyPatch,
    top: int,
) -> None:
    def read(question: str, at_once: int) -> tuple[tuple[Hypothesis, ...], int]:
        monkeypatch.setattr("isomatch.interpret.schema.AT_ONCE", at_once)
        embedder = LettersEmbedder()
        finder = MentionFinder(NAMES, lexicon.words())
        made = SchemaInterpreter(store, schema, embedder, finder, lexicon, top=top)
        # Not `interpret`, which composes first.
        return made._of_chains(question, finder.find(question)), embedder.texts

    fewer = 0
    for question in (
        "who starred in the films directed by the director of Heat",
        "which genres are the films directed by the director of Heat",
        "which films did Michael Mann direct with actor Val Kilmer",
        "which actors starred in films directed by Michael Mann",
    ):
        hypotheses, embedded = read(question, 40)
        same, less = read(question, 1)
        assert same == hypotheses
        fewer += less < embedded
    assert fewer or top == 10


def test_answers_do_not_change_from_run_to_run(
    store: OxigraphStore, schema: Schema, lexicon: Lexicon, tmp_path: Path
) -> None:
    def read() -> tuple[Hypothesis, ...]:
        made = SchemaInterpreter(
            store,
            schema,
            LettersEmbedder(),
            MentionFinder(NAMES, lexicon.words()),
            lexicon,
            cache_folder=tmp_path,
        )
        return made.interpret("who starred in the films directed by the director of Heat")

    assert read() == read()


def test_a_second_question_embeds_little(
    store: OxigraphStore, schema: Schema, lexicon: Lexicon
) -> None:
    embedder = LettersEmbedder()
    interpreter = SchemaInterpreter(
        store, schema, embedder, MentionFinder(NAMES, lexicon.words()), lexicon
    )
    interpreter.interpret("which people were directors of Heat")
    first = embedder.texts
    interpreter.interpret("which people were directors of Ali")
    assert embedder.texts - first < first / 10


class CountingStore(OxigraphStore):
    """Counts the queries it is asked."""

    asked = 0

    def run(self, query: Query, *, timeout: float | None = None) -> object:  # type: ignore[override]
        self.asked += 1
        return super().run(query, timeout=timeout)


def test_what_follows_what_is_asked_once_and_kept(
    store: OxigraphStore, schema: Schema, tmp_path: Path
) -> None:
    counting = CountingStore(store.graph)
    graph = ChainGraph(counting, schema, tmp_path)
    films = Step(EX + "directed_by", True)
    followers = graph.followers(films)
    assert followers[Step(EX + "directed_by")] == 1.0
    assert followers[Step(EX + "has_genre")] == pytest.approx(0.5)
    assert Step(EX + "has_genre", True) not in followers
    graph.save()
    again = ChainGraph(counting, schema, tmp_path)
    assert again.followers(films) == followers
    assert counting.asked == 1
    (tmp_path / FILE).write_text("{")
    assert ChainGraph(counting, schema, tmp_path).followers(films) == followers
    assert counting.asked == 2


def test_what_surrounds_a_node_is_asked_once_a_question(
    store: OxigraphStore, schema: Schema
) -> None:
    counting = CountingStore(store.graph)
    graph = ChainGraph(counting, schema)
    around = graph.around([iri("Heat")])
    assert around[Step(EX + "directed_by")] == 1.0
    assert graph.around([iri("Heat")]) == around
    assert counting.asked == 1
    graph.begin(same=True)
    assert graph.around([iri("Heat")]) == around
    assert counting.asked == 1
    graph.begin()
    assert graph.around([iri("Heat")]) == around
    assert counting.asked == 2


def test_existence_respects_the_rules_of_anchored(store: OxigraphStore, schema: Schema) -> None:
    graph = ChainGraph(store, schema)
    director = Step(EX + "directed_by")
    genre = Step(EX + "has_genre")
    there_and_back = (director, director.inverse)
    assert graph.existing([iri("Heat")], [(director,), (genre, genre.inverse), there_and_back]) == [
        True,
        False,  # no other film of that genre
        True,
    ]
    assert graph.existing([iri("Alien")], [there_and_back]) == [False]


def test_walking_back_needs_a_fan(store: OxigraphStore, schema: Schema) -> None:
    graph = ChainGraph(store, schema)
    director, genre = Step(EX + "directed_by"), Step(EX + "has_genre")
    assert graph.allowed(director, director.inverse)
    assert not graph.allowed(genre, genre.inverse)
    assert graph.allowed(director.inverse, genre)


def test_a_draft_of_an_untyped_graph_guesses_classes_from_relations(
    store: OxigraphStore, schema: Schema
) -> None:
    lexicon = draft_from_graph(store, schema, LettersEmbedder())
    words = lexicon.relations[EX + "directed_by"]
    assert words.target == "director"
    assert words.source not in ("thing", "director", "genre", "actor")


def test_a_question_asks_about_a_bounded_number_of_steps(
    store: OxigraphStore, schema: Schema
) -> None:
    graph = ChainGraph(store, schema, steps=1)
    director, genre = Step(EX + "directed_by"), Step(EX + "has_genre", True)
    assert graph.followers(director)
    assert not graph.followers(genre)
    assert graph.followers(director)
    graph.begin()
    assert graph.followers(genre)
