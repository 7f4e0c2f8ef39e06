"""Chains in words."""

from __future__ import annotations

from isomatch.chains.graph import Step
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import RelationWords
from isomatch.lexicon.verbalise import step_phrases, verbalise

LEXICON = Lexicon(
    {
        "d": RelationWords("film", "person", ("director",), (), ("directed by",), ("directed",)),
        "g": RelationWords("film", "genre", ("genre",)),
    }
)
DIRECTOR, FILMS = Step("d"), Step("d", True)


def test_a_hop_is_said_as_people_say_it() -> None:
    assert "what is the director of the film" in verbalise(LEXICON, (DIRECTOR,), "the film")
    assert "who directed the film" in verbalise(LEXICON, (DIRECTOR,), "the film")
    assert "what is the films directed by the person" in verbalise(LEXICON, (FILMS,), "the person")


def test_hops_nest_outward() -> None:
    said = verbalise(LEXICON, (FILMS, Step("g")), "the person")
    assert "what is the genre of the films of the person" in said
    assert "what is the person 's films 's genre" in said


def test_a_way_there_and_back_is_sharing() -> None:
    said = verbalise(LEXICON, (DIRECTOR, FILMS, Step("g")), "the film")
    assert "what is the genre of the films that share directors with the film" in said


def test_nothing_is_said_twice_and_unknown_relations_still_say_something() -> None:
    said = verbalise(LEXICON, (Step("unknown"), Step("unknown", True)), "the thing")
    assert said
    assert len(said) == len(set(said))


def test_a_class_word_alone_says_less_than_a_verb() -> None:
    phrases = dict(step_phrases(LEXICON, FILMS))
    assert phrases["film"] < phrases["directed by"] == 1.0
    assert "thing" not in dict(step_phrases(LEXICON, Step("unknown")))
