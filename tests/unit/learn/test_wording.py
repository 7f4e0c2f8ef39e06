"""Chains as questions: what every form must hold, and some forms that must come."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.chains.graph import Chain, Step
from isomatch.learn.generated import Verbaliser, reworded, synthesise
from isomatch.lexicon.lexicon import Lexicon, draft_words
from isomatch.lexicon.relation_words import RelationWords
from isomatch.trained.masking import MASK

DIRECTED, GENRE, YEAR, ODD = Step("directed"), Step("genre"), Step("year"), Step("odd")
LEXICON = Lexicon(
    {
        "directed": RelationWords(
            "film", "person", ("director",), (), ("directed by",), ("directed",)
        ),
        "genre": RelationWords("film", "genre", ("genre",)),
        "year": RelationWords("film", "release year", ("release year",)),
        "odd": RelationWords(),
    }
)
steps = st.builds(Step, st.sampled_from(sorted(LEXICON.relations)), st.booleans())


@given(st.lists(steps, min_size=1, max_size=4), st.integers(0, 2**32))
def test_every_question_is_one_line_that_names_its_topic_once(chain: list[Step], seed: int) -> None:
    said = Verbaliser(LEXICON).question(tuple(chain), random.Random(seed))
    assert said.count(MASK) == 1
    assert said == " ".join(said.split())
    assert "None" not in said


@given(st.text(alphabet="abc de_", min_size=1, max_size=12).map(str.strip).filter(bool))
def test_any_drafted_words_can_be_said(name: str) -> None:
    lexicon = Lexicon({"r": draft_words(name)})
    for step in (Step("r"), Step("r", True)):
        for seed in range(5):
            said = Verbaliser(lexicon).question((step, step.inverse), random.Random(seed))
            assert said.count(MASK) == 1


@pytest.mark.parametrize(
    ("chain", "expected"),
    [
        ((DIRECTED,), f"who directed {MASK}"),
        ((DIRECTED,), f"{MASK} was directed by who"),
        ((DIRECTED.inverse,), f"what films did {MASK} direct"),
        ((DIRECTED.inverse,), f"what films are directed by the person {MASK}"),
        ((YEAR,), f"when was {MASK} released"),
        ((YEAR.inverse,), f"what films were released in {MASK}"),
        ((GENRE.inverse,), f"what are some {MASK} films"),
        ((DIRECTED, DIRECTED.inverse), f"what are the films that share directors with {MASK}"),
        (
            (DIRECTED, DIRECTED.inverse, GENRE),
            f"what is the genre of the films directed by the director of {MASK}",
        ),
        ((DIRECTED.inverse, DIRECTED), f"who co-directed with {MASK}"),
        ((DIRECTED.inverse, DIRECTED), f"who directed together with {MASK}"),
        ((DIRECTED.inverse, GENRE), f"what is the genre of films {MASK} directed"),
    ],
)
def test_usual_forms_come(chain: Chain, expected: str) -> None:
    verbaliser = Verbaliser(LEXICON)
    said = (verbaliser.question(chain, random.Random(seed)) for seed in range(3000))
    assert expected in said


def test_the_same_seed_says_the_same_and_others_vary() -> None:
    sampled = [("Heat", ("m:1",), (DIRECTED, DIRECTED.inverse, GENRE))] * 40
    first = list(synthesise(LEXICON, sampled, seed=3))
    assert first == list(synthesise(LEXICON, sampled, seed=3))
    assert [e.text for e in first] != [e.text for e in synthesise(LEXICON, sampled, seed=4)]
    assert len({e.text for e in first}) > 20
    assert {e.chains for e in first} == {(((DIRECTED, DIRECTED.inverse, GENRE), 1.0),)}
    assert {(e.task, e.source) for e in first} == {("retrieval", "synthetic")}


class Model:
    """Says what it is told to, and keeps what it was asked."""

    def __init__(self, *lines: str):
        self.lines, self.asked = lines, []  # type: ignore[var-annotated]

    def complete(self, messages: list[dict[str, str]], **_: object) -> str:
        self.asked.append(messages[-1]["content"])
        return "\n".join(self.lines)


def test_a_model_adds_its_words_where_they_keep_the_topic() -> None:
    model = Model("1. who made [X]", "- the boss of [X]?", "who made it", "[X] or [X]", "x" * 400)
    said = reworded(Verbaliser(LEXICON), (DIRECTED,), random.Random(1), model)  # type: ignore[arg-type]
    assert said == [f"who made {MASK}", f"the boss of {MASK}?"]
    assert "[X]" in model.asked[0]
    assert MASK not in model.asked[0]


def test_a_model_is_asked_once_for_a_chain_and_a_useless_reply_leaves_our_words() -> None:
    model = Model("no idea")
    sampled = [("Heat", ("m:1",), (DIRECTED,)), ("Ali", ("m:2",), (DIRECTED,))]
    made = list(synthesise(LEXICON, sampled, model=model))  # type: ignore[arg-type]
    assert len(model.asked) == 1
    assert all(MASK in example.text for example in made)
