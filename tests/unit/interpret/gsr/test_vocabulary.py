"""The steps of a chain model as numbers, and which graphs they fit."""

from __future__ import annotations

import json

import pytest

from isomatch.chains.graph import Step
from isomatch.errors import ArtifactError
from isomatch.schema.types import Relation, Schema
from isomatch.trained.vocabulary import StepVocabulary


def schema(*relations: tuple[str, str, int]) -> Schema:
    return Schema(
        "f", 0, 0, tuple(Relation(id, text, triples) for id, text, triples in relations), ()
    )


FILMS = schema(("ex:genre", "has genre", 2), ("ex:director", "directed by", 9))


def test_each_relation_has_two_numbers_and_the_most_used_come_first() -> None:
    words = StepVocabulary.of(FILMS)
    assert words.steps == (
        Step("ex:director"),
        Step("ex:director", True),
        Step("ex:genre"),
        Step("ex:genre", True),
    )
    assert words.texts == ("directed by", "directed by", "has genre", "has genre")
    assert len(words) == 6
    chain = (Step("ex:genre", True), Step("ex:director"))
    assert words.encode(chain) == [5, 2]
    assert words.decode([5, 2]) == chain
    assert not words.knows((Step("ex:other"),))


def test_a_budget_of_relations_leaves_out_the_least_used_and_says_how_many() -> None:
    many = schema(*((f"r{i}", f"relation {i}", i) for i in range(50_000)))
    words = StepVocabulary.of(many, most=100)
    assert words.steps[0] == Step("r49999")
    assert len(words.steps) == 200
    assert words.left_out == 49_900


def test_numbers_do_not_depend_on_the_order_in_which_a_store_lists_equals() -> None:
    one = schema(("z", "b", 3), ("y", "a", 3))
    other = schema(("y", "a", 3), ("z", "b", 3))
    assert StepVocabulary.of(one) == StepVocabulary.of(other)


def test_it_is_bound_by_id_else_by_words() -> None:
    words = StepVocabulary.of(FILMS)
    assert words.bound(FILMS) == words
    copy = schema(("HAS_GENRE", "has genre", 2), ("DIRECTED_BY", "directed by", 9), ("X", "x", 1))
    bound = words.bound(copy)
    assert bound.encode((Step("HAS_GENRE", True),)) == words.encode((Step("ex:genre", True),))
    assert bound.left_out == 1


def test_relations_of_the_same_words_are_paired_by_use_and_never_made_one() -> None:
    words = StepVocabulary.of(schema(("a:name", "name", 9), ("b:name", "name", 4), ("c", "c", 1)))
    copy = schema(("name2", "name", 4), ("name1", "name", 9), ("c", "c", 1))
    assert [step.relation for step in words.bound(copy).steps[::2]] == ["name1", "name2", "c"]
    # What is found by its id is nobody else's, whatever its words.
    half = schema(("b:name", "name", 9), ("name2", "name", 4), ("c", "c", 1))
    assert [step.relation for step in words.bound(half).steps[::2]] == ["name2", "b:name", "c"]
    with pytest.raises(ArtifactError, match=r'lacks the relation "name" \(b:name\)'):
        words.bound(schema(("name1", "name", 9), ("c", "c", 1)))


def test_one_relation_is_enough() -> None:
    words = StepVocabulary.of(schema(("r", "r", 1)))
    assert (len(words), words.left_out) == (4, 0)
    assert words.bound(schema(("other", "r", 7))).steps == (Step("other"), Step("other", True))


def test_a_graph_that_lacks_relations_is_refused_and_they_are_named() -> None:
    words = StepVocabulary.of(FILMS)
    with pytest.raises(ArtifactError, match=r'lacks the relation "has genre" \(ex:genre\): train'):
        words.bound(schema(("ex:director", "directed by", 9)))
    many = StepVocabulary.of(schema(*((f"r{i}", f"t{i}", 9 - i) for i in range(8))))
    with pytest.raises(ArtifactError, match=r"relations \"t0\" \(r0\), .* and 3 more"):
        many.bound(FILMS)


def test_it_is_kept_as_json() -> None:
    words = StepVocabulary.of(FILMS, most=1)
    assert StepVocabulary.read(json.loads(json.dumps(words.form()))) == words


@pytest.mark.parametrize("form", [{}, {"relations": [{}], "left_out": 0}, {"relations": 3}])
def test_a_damaged_one_is_refused(form: dict[str, object]) -> None:
    with pytest.raises(ArtifactError, match="damaged"):
        StepVocabulary.read(form)
