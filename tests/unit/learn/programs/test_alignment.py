"""Which words say which tokens: learnt from questions and their programs."""

from __future__ import annotations

import pytest

from isomatch.errors import ArtifactError
from isomatch.trained import alignment
from isomatch.trained.alignment import NONE, Alignment

PAIRS = [
    (["how", "many", "rivers", "run", "through", "x"], ("count", "-traverses", "@0")),
    (["how", "many", "cities", "are", "in", "x"], ("count", "-state", "@0")),
    (["which", "rivers", "run", "through", "x"], ("-traverses", "@0")),
    (["which", "cities", "are", "in", "x"], ("-state", "@0")),
    (["which", "is", "the", "largest", "city", "in", "x"], ("max", "+area", "-state", "@0")),
    (["which", "is", "the", "largest", "river", "in", "x"], ("max", "+length", "+state", "@0")),
    (["show", "the", "rivers"], ("type:River",)),
    (["show", "the", "cities"], ("type:City",)),
] * 3
LEARNED = Alignment.learn(PAIRS)


@pytest.mark.parametrize(
    ("word", "program", "token"),
    [
        ("run", ("-traverses", "@0"), "traverses"),
        ("x", ("-state", "@0"), NONE),
        ("lakes", ("-state", "@0"), None),
    ],
)
def test_a_word_says_the_token_that_it_was_seen_with(
    word: str, program: tuple[str, ...], token: str | None
) -> None:
    assert LEARNED.token(word, program) == token


@pytest.mark.parametrize(
    ("word", "program", "token"),
    [
        ("many", ("count", "-traverses", "@0"), "count"),
        ("largest", ("max", "+area", "-state", "@0"), "max"),
        ("largest", ("+area", "-state", "@0"), None),
        ("many", ("-state", "@0"), None),
        ("smallest", ("max", "+area", "@0"), None),
        ("run", ("-traverses", "@0"), "traverses"),
    ],
)
def test_a_word_that_was_seen_with_an_operator_has_to_say_it(
    word: str, program: tuple[str, ...], token: str | None
) -> None:
    assert LEARNED.operator(word, program) == token


@pytest.mark.parametrize(
    ("beside", "program", "token"),
    [
        ({"count": 0.7, "max": 0.2}, ("count", "-traverses", "@0"), "count"),
        ({"count": 0.7, "max": 0.2}, ("+phone", "@0"), "phone"),
        ({"count": 0.7, "max": 0.2}, ("-traverses", "@0"), None),
        ({"count": 0.7}, ("count", "-traverses", "@0"), "count"),
        ({"count": 0.7}, ("+phone", "@0"), "phone"),
        ({"count": 0.7}, ("-traverses", "@0"), None),
    ],
)
def test_a_word_that_counts_may_be_what_else_it_says(
    beside: dict[str, float], program: tuple[str, ...], token: str | None
) -> None:
    shares = {"count": 0.5, "phone": 0.25, "traverses": 0.25}
    usual = {"count": 0.1, "phone": 0.02, "traverses": 0.2}
    learned = Alignment({"number of": shares}, {"number of": beside}, usual)
    assert learned.operator("number of", program) == token


def test_an_operator_that_no_word_says_is_found() -> None:
    rivers = ["which", "rivers", "run", "through"]
    assert LEARNED.unsaid(rivers, ("count", "-traverses", "@0")) == ["count"]
    assert LEARNED.unsaid(rivers, ("-traverses", "@0")) == []
    assert LEARNED.unsaid(rivers, ("value:.type=Wide",)) == ["value:.type=Wide"]


def test_a_word_of_few_tokens_is_not_vague() -> None:
    knowing = [(["who", "knows", "x"], (f"~:KNOWS_{n % 4}", "@0")) for n in range(12)]
    linked = [(["what", "is", "linked", "to", "x"], (f"-:R{n}", "@0")) for n in range(40)]
    learned = Alignment.learn([*knowing, *linked])
    assert not learned.is_vague("knows")
    assert learned.is_vague("linked")
    assert not learned.is_vague("unheard")


def test_a_word_that_mostly_says_something_else_is_left_out() -> None:
    learned = Alignment({"made": {":CALLER": 0.7, ":CALLED": 0.25}}, usual={":CALLED": 0.2})
    assert learned.token("made", ("+:CALLER",)) == ":CALLER"
    assert learned.token("made", ("+:CALLED",)) is None


def test_a_rarer_meaning_counts_where_other_words_hardly_have_it() -> None:
    shares = {".address": 0.7, ":HAS_EMAIL": 0.2, "max": 0.06, "value:.kind=Post": 0.06}
    learned = Alignment({"email": shares}, usual=dict.fromkeys(shares, 0.02))
    assert learned.token("email", ("+:HAS_EMAIL", "@0")) == ":HAS_EMAIL"
    assert learned.token("email", ("max", "+:AGE", "@0")) is None
    assert learned.token("email", ("value:.kind=Post",)) is None
    assert Alignment({"email": shares}).token("email", ("+:HAS_EMAIL", "@0")) is None


def test_a_noun_that_was_asked_for_has_the_type_of_the_answers() -> None:
    pairs = [(["cases"], ("-by", "@0")), (["ongoing"], ("value:.state=Open",))] * 9
    asked = [
        ("cases", ["Crime"]),
        ("ongoing", ["Crime"]),
        ("first", ["Crime"]),
        ("first", ["Call"]),
    ]
    learned = Alignment.learn(pairs, asked)
    assert learned.asked_for("cases", ["Crime", "Call"]) == "Crime"
    assert learned.asked_for("cases", ["Call"]) is None
    assert learned.asked_for("first", ["Crime"]) is None  # half the time it asked for calls
    assert learned.asked_for("ongoing", ["Crime"]) is None  # it says which
    assert Alignment.read(learned.form()) == learned


def test_words_of_one_question_are_rare() -> None:
    learned = Alignment.learn([(["who", "knows", "x"], ("-r", "@0")), (["who", "x"], ("-s", "@0"))])
    assert learned.rare == {"knows"}


def test_it_is_read_as_it_was_written() -> None:
    assert Alignment.read(LEARNED.form()) == LEARNED
    with pytest.raises(ArtifactError, match="damaged"):
        Alignment.read({"words": {"a": 3}, "operators": {}, "usual": {}})
    with pytest.raises(ArtifactError, match="train it again"):
        Alignment.read({"words": {}, "operators": {}})


def test_the_example_runs() -> None:
    import doctest

    assert doctest.testmod(alignment).failed == 0


def test_a_word_for_a_property_is_said_by_each_of_its_values() -> None:
    pairs = [
        (["which", "cases", "have", "the", "status", "x"], ("-.status", "@0")),
        (["which", "cases", "are", "open"], ("value:.status=Open",)),
        (["which", "cases", "are", "from", "x"], ("-.year", "@0")),
    ] * 3
    learned = Alignment.learn(pairs)
    assert learned.token("status", ("value:.status=Open",)) == ".status"
    assert learned.token("status", ("-.year", "@0")) is None
    assert learned.token("open", ("-.status", "@0")) is None


def test_a_rare_form_of_a_word_says_what_its_others_say() -> None:
    pairs = [(["who", "lives", "in", "x"], ("-home", "@0"))] * 9
    pairs += [(["who", "works", "in", "x"], ("-work", "@0"))] * 9
    pairs += [(["who", "lived", "as", "x"], ("-home", "+role", "@0"))]
    pairs += [(["who", "was", "as", "x"], ("+role", "@0"))] * 2
    alone, pooled = (
        Alignment.learn(pairs, forms=forms)
        for forms in (lambda word: {word}, lambda word: {word, "live"} if "liv" in word else {word})
    )
    assert pooled.shares["lived"]["home"] > alone.shares["lived"].get("home", 0.0)
    assert pooled.shares["works"]["work"] == pytest.approx(alone.shares["works"]["work"], abs=0.01)
    assert "lived" in alone.rare - pooled.rare
