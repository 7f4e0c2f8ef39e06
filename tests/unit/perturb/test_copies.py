"""Perturbed copies of a graph on disk: what they keep, and that the graph is only read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.perturb.films import EX, make_films, turtle

from isomatch.errors import ConfigurationError, StoreError
from isomatch.perturb import Perturbation, open_perturbed, perturbed_settings
from isomatch.perturb.copies import FOLDER, make_copy, open_copy
from isomatch.perturb.similarity import read_facts
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load
from isomatch.store.oxigraph import OxigraphStore

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RELATIONS = (EX + "directed", EX + "starred", EX + "year", EX + "note")


@pytest.fixture(scope="session")
def films(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The graph with its index."""
    return make_films(tmp_path_factory)


@pytest.fixture
def settings(films: Settings, tmp_path: Path) -> Settings:
    """A home of its own with the same graph."""
    shutil.copytree(films.home, tmp_path / "home")
    return films.model_copy(update={"home": tmp_path / "home"})


def triples(settings: Settings) -> set[tuple[str, str, str]]:
    """Of the graph of a home folder; nodes without an IRI are alike."""
    with OxigraphStore.open(settings.graph_path) as store:
        return {
            (
                "_" if isinstance(q.subject, ox.BlankNode) else str(q.subject),
                q.predicate.value,
                "_" if isinstance(q.object, ox.BlankNode) else str(q.object),
            )
            for q in store.graph
        }


def names_and_types(settings: Settings) -> set[tuple[str, str, str]]:
    return {t for t in triples(settings) if t[1] in (LABEL, TYPE)}


def test_names_and_types_stay_and_the_graph_is_only_read(settings: Settings):
    before = triples(settings)
    kept = {
        p: p.read_bytes() for p in settings.graph_path.rglob("*") if p.suffix in (".sst", ".json")
    }
    for method, changed in (("RS", 18), ("ER", 19), ("ED", 19)):
        copy = make_copy(settings, Perturbation(method, 0.5))
        assert (copy.facts, copy.changed, copy.wanted) == (38, changed, 19)
        assert copy.settings.home.parent == settings.home / FOLDER
        assert names_and_types(copy.settings) == names_and_types(settings)
        after = triples(copy.settings)
        assert len(before - after) == changed
        assert len(after) == len(before) - (changed if method == "ED" else 0)
    assert triples(settings) == before
    assert all(path.read_bytes() == content for path, content in kept.items())


@profile(max_examples=examples(15))
@given(method=st.sampled_from(["RS", "ER", "ED"]), level=st.floats(0.1, 1), seed=st.integers(0, 50))
def test_facts_written_are_facts_read(method: str, level: float, seed: int):
    """Through a store in memory: escapes, values and languages survive."""
    from isomatch.perturb.methods import perturbed

    with OxigraphStore.memory() as store:
        graph = ox.Store()
        graph.load(turtle().encode(), ox.RdfFormat.TURTLE)
        store.graph.extend(graph)
        source = read_facts(store, RELATIONS)
    found = perturbed(source.facts, Perturbation(method, level, seed))
    again = ox.Store()
    again.extend(ox.Quad(*t) for t in source.triples(found.facts))
    assert len(again) == len(graph) - len(source.facts) + len(found.facts)
    names = {t for t in map(str, (q.triple for q in graph)) if LABEL in t or TYPE in t}
    assert names <= {str(q.triple) for q in again}


def test_a_copy_is_made_once_for_each_method_level_and_seed(settings: Settings):
    first = make_copy(settings, Perturbation("ED", 0.5))
    state = sorted((p, p.stat().st_mtime_ns) for p in first.settings.graph_path.rglob("*.sst"))
    assert make_copy(settings, Perturbation("ED", 0.5)) == first
    again = sorted((p, p.stat().st_mtime_ns) for p in first.settings.graph_path.rglob("*.sst"))
    assert again == state
    others = {
        perturbed_settings(settings, one).home
        for one in (Perturbation("ED", 0.5, 7), Perturbation("ED", 0.25), Perturbation("ER", 0.5))
    }
    assert len(others | {first.settings.home}) == 4


def test_one_seed_gives_one_graph_in_any_home(settings: Settings, films: Settings, tmp_path: Path):
    shutil.copytree(films.home, tmp_path / "other")
    other = films.model_copy(update={"home": tmp_path / "other"})
    one = triples(perturbed_settings(settings, Perturbation("ER", 0.4)))
    assert one == triples(perturbed_settings(other, Perturbation("ER", 0.4)))
    assert one != triples(perturbed_settings(settings, Perturbation("ER", 0.4, seed=5)))


def test_another_graph_has_other_copies(settings: Settings, tmp_path: Path):
    before = perturbed_settings(settings, Perturbation("ED", 0.5)).home
    (tmp_path / "more.ttl").write_text(f"<{EX}film1> <{EX}starred> <{EX}person1> .")
    load([tmp_path / "more.ttl"], settings.graph_path)
    after = make_copy(settings, Perturbation("ED", 0.5))
    assert after.settings.home != before
    assert after.facts == 39


def test_a_copy_that_was_not_finished_is_made_again(settings: Settings):
    copy = make_copy(settings, Perturbation("ED", 0.5))
    (copy.settings.home / "perturbed.json").unlink()
    (copy.settings.graph_path / "isomatch-graph.json").unlink()
    again = make_copy(settings, Perturbation("ED", 0.5))
    assert len(triples(again.settings)) == len(triples(settings)) - 19


def test_sessions_answer_from_the_copy(settings: Settings):
    pattern = '("Film number 3")-[directed]->(?p)'
    with Session.open(settings) as session:
        assert [n.name for n in session.match(pattern).answers()] == ["Person 3"]
    with open_perturbed(settings, Perturbation("ED", 1.0)) as session:
        assert session.schema.triples == 0
    with open_perturbed(settings, Perturbation("ER", 1.0)) as session:
        found = [n.name for n in session.match(pattern, k=1).answers()]
        assert found
        assert found != ["Person 3"]
        stored = {
            t[2] for t in triples(session.settings) if t[:2] == (f"<{EX}film3>", EX + "directed")
        }
        assert len(stored) == 1
        assert session.settings.home != settings.home


def test_whatever_is_found_in_a_copy_says_that_it_is_one(settings: Settings):
    note = "this graph is a copy with errors (RS:0.1): proofs are about the copy"
    pattern, question = "(?f)-[year]->(?y)", "who directed Film number 3?"
    with open_perturbed(settings, Perturbation("RS", 0.1)) as session:
        assert note in session.match(pattern).certificate.notes
        assert note in session.match('("Nobody at all")-[year]->(?y)').certificate.notes
        for retriever in ("pattern", "chain", "triplets", "steiner"):
            answer = session.ask(question, interpreter="schema", retriever=retriever)
            certificate = () if answer.result is None else answer.result.certificate.notes
            assert note in (*answer.notes, *certificate), retriever
        (session.settings.home / "about.txt").unlink()
    with open_perturbed(settings, Perturbation("RS", 0.1)) as session:  # kept, and without it
        assert note in session.match(pattern).certificate.notes
    with Session.open(settings) as session:
        assert not session.match(pattern).certificate.notes


def test_the_copys_index_is_made_from_the_graphs(settings: Settings, monkeypatch):
    """Only names that are new would be embedded, and there are none."""
    from isomatch.link import build

    embedded: list[int] = []
    original = build.build_index

    def watched(*given, **named):  # type: ignore[no-untyped-def]
        report = original(*given, **named)
        embedded.append(report.embedded)
        return report

    monkeypatch.setattr(build, "build_index", watched)
    open_perturbed(settings, Perturbation("RS", 0.5)).close()
    assert embedded == [0]
    open_perturbed(settings, Perturbation("RS", 0.5)).close()
    assert embedded == [0]  # nor again


def test_the_lexicon_of_the_graph_is_the_copys(settings: Settings):
    settings.lexicon_path.write_text(
        f'[relations."{EX}directed"]\nforward = ["helm"]\n', encoding="utf-8"
    )
    copy = make_copy(settings, Perturbation("RS", 0.2))
    with open_copy(copy, settings) as session:
        assert "helm" in str(session.lexicon)
    settings.lexicon_path.write_text(
        f'[relations."{EX}directed"]\nforward = ["steer"]\n', encoding="utf-8"
    )
    with open_copy(copy, settings) as session:
        assert "steer" in str(session.lexicon)


def test_a_lexicon_with_words_for_a_relation_that_is_gone_is_used(settings: Settings):
    settings.lexicon_path.write_text(
        f"""[relations."{EX}directed"]
forward = ["helm \\"it\\""]
[relations."{EX}note"]
forward = ["remark"]
[types."{EX}Film"]
word = "movie"
[adjectives.old]
relations = ["-{EX}note", "-{EX}year"]
[adjectives.noted]
relations = ["{EX}note"]
[definitions.recent]
type = "{EX}Film"
relation = "{EX}note"
operator = ">"
value = "5"
""",
        encoding="utf-8",
    )
    seeds = (p for p in (Perturbation("ED", 0.5, n) for n in range(9)))
    copy = next(c for c in (make_copy(settings, p) for p in seeds) if not _has_notes(c.settings))
    with open_copy(copy, settings) as session:
        assert EX + "note" not in session.schema.by_id
        words = session.lexicon
        assert words.relations[EX + "directed"].forward == ('helm "it"',)
        assert words.types[EX + "Film"].word == "movie"
        assert words.adjectives["old"].relations == (f"-{EX}year",)
        assert "noted" not in words.adjectives
        assert not words.definitions
    settings.lexicon_path.write_text('[relations."http://typing.error/"]\nforward = ["x"]\n')
    with (
        open_copy(copy, settings) as session,
        pytest.raises(ConfigurationError, match="unknown id in relations"),
    ):
        _ = session.lexicon
    settings.lexicon_path.write_text("no TOML")
    with pytest.raises(ConfigurationError, match="not valid TOML"):
        open_copy(copy, settings)


def _has_notes(settings: Settings) -> bool:
    return any(t[1] == EX + "note" for t in triples(settings))


def test_other_databases_are_refused(settings: Settings):
    for setting, name in (
        ({"neo4j_uri": "bolt://localhost:1"}, "NEO4J_URI"),
        ({"endpoint": "http://localhost:1/sparql"}, "ISOMATCH_ENDPOINT"),
    ):
        with pytest.raises(ConfigurationError, match=f"{name} is set, and errors"):
            open_perturbed(settings.model_copy(update=setting), Perturbation("ED", 0.5))


def test_without_a_graph_there_is_no_copy(tmp_path: Path):
    with pytest.raises(StoreError, match="there is no graph"):
        make_copy(Settings(home=tmp_path / "none"), Perturbation("ED", 0.5))
    assert not (tmp_path / "none").exists()


def test_named_graphs_and_quoted_triples_are_copied(tmp_path: Path):
    """A fact of several named graphs is one fact; a triple about a triple is none."""
    settings = Settings(home=tmp_path / "home")
    (tmp_path / "graphs.trig").write_text(
        f"""PREFIX : <{EX}>
        :a :knows :b . :b :knows :c .
        GRAPH :one {{ :a :knows :b . :c :likes :d . :d :likes :e }}
        GRAPH :two {{ :c :likes :d . :x :says <<( :a :knows :b )>> }}""",
        encoding="utf-8",
    )
    load([tmp_path / "graphs.trig"], settings.graph_path)
    copy = make_copy(settings, Perturbation("ED", 0.5))
    assert (copy.facts, copy.changed) == (4, 2)
    assert copy.relations == (EX + "knows", EX + "likes")
    after = triples(copy.settings)
    assert len(after) == 3
    assert any(t[1] == EX + "says" for t in after)
