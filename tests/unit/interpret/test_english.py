"""The rules of English, by examples of the forms that schema names have."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.lexicon.english import agent, base_verb, is_participle, plural, singular
from isomatch.lexicon.folding import fold, fold_with_offsets, tokens
from isomatch.lexicon.language import default_language


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("actor", "actors"),
        ("country", "countries"),
        ("child", "children"),
        ("class", "classes"),
        ("day", "days"),
        ("place of birth", "place of births"),
        ("series", "series"),
    ],
)
def test_plurals_and_singulars_are_formed(one: str, many: str) -> None:
    assert plural(one) == many
    if " " not in one:
        assert singular(many) == one


@pytest.mark.parametrize("word", ["class", "status", "analysis", "species", "news"])
def test_what_only_looks_like_a_plural(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(
    ("participle", "verb", "doer"),
    [
        ("directed", "direct", "director"),
        ("written", "write", "writer"),
        ("produced", "produce", "producer"),
        ("created", "create", "creator"),
        ("edited", "edit", "editor"),
        ("starred", "star", "starrer"),
        ("carried", "carry", "carrier"),
        ("designed", "design", "designer"),
        ("cited", "cite", "citer"),
        ("quoted", "quote", "quoter"),
        ("acquired", "acquire", "acquirer"),
        ("supervised", "supervise", "supervisor"),
        ("handled", "handle", "handler"),
        ("divided", "divide", "divider"),
        ("mentored", "mentor", "mentor"),
        ("monitored", "monitor", "monitorer"),
        ("installed", "install", "installer"),
        ("planned", "plan", "planner"),
        ("agreed", "agree", "agreer"),
        ("died", "die", "dier"),
    ],
)
def test_verbs_and_agents_come_from_participles(participle: str, verb: str, doer: str) -> None:
    assert base_verb(participle) == verb
    assert agent(verb) == doer


@pytest.mark.parametrize("word", ["speed", "breed", "hundred", "red", "series"])
def test_what_only_looks_like_a_participle(word: str) -> None:
    assert base_verb(word) == word
    assert not is_participle(word)


@pytest.mark.parametrize(
    ("before", "after", "asked"),
    [
        ("which languages are the films by", "in", ("languages",)),
        ("the films by", "were released in which years", ("years",)),
        ("who directed", "", ("person",)),
        ("who is the director of", "", ("person", "director")),
        ("what did", "direct", ()),
        ("what is", "'s job", ()),
        ("the capital of", "", ("capital",)),
        ("", "'s mother", ()),
    ],
)
def test_the_words_say_what_is_asked_for(before: str, after: str, asked: tuple[str, ...]) -> None:
    assert default_language().focus(tokens(before), tokens(after)) == asked


@given(st.text())
def test_folding_keeps_track_of_where_letters_came_from(text: str) -> None:
    folded, offsets = fold_with_offsets(text)
    assert len(folded) == len(offsets)
    assert offsets == sorted(offsets)
    assert all(0 <= o < len(text) for o in offsets)
    assert fold(text) == folded.strip()


def test_folding_ignores_case_accents_and_underscores() -> None:
    assert fold("Amélie_Poulain ") == "amelie poulain"
    assert fold("STRASSE") == fold("Straße")
