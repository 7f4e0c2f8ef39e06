"""Which sentences facts carry, by the check of names, numbers and words."""

from __future__ import annotations

import pytest
from tests.unit.answer.results import bound, fact

from isomatch.answer.support import SupportCheck, sentences_in
from isomatch.answer.types import Evidence
from isomatch.lexicon.language import language_of
from isomatch.lexicon.lexicon import Lexicon, draft_words
from isomatch.lexicon.type_words import TypeWords
from isomatch.match.types import Bound, Triple

FACTS = [
    (1, fact("Heat", "directed by", "Michael Mann")),
    (2, fact("Ali", "directed by", "Michael Mann")),
    (3, fact("Heat", "starring", "Al Pacino")),
    (4, Triple(bound("Heat"), bound("release year"), Bound('"1995"', "1995"))),
    (5, fact("Airplane!", "set in", "Brazil")),
    (6, fact("Central Brazil Shield", "part of", "South America")),
    (7, Triple(bound("Brazil"), bound("population"), Bound('"214300000"', "214300000"))),
    (8, fact("Mann", "borders", "Elba")),
    (8, fact("Elba", "part of", "Italy")),
    (9, fact("日本", "首都", "東京")),
    (11, fact("It", "directed by", "Andy Muschietti")),
    (12, fact("A", "borders", "Asia")),
    (12, fact("Bu", "borders", "Asia")),
    (20, fact("Gödel", "quotes", "Gödel")),
    (10, fact("Only Angels", "made in", "Schindler's Lift")),
]


def check(code: str = "en") -> SupportCheck:
    evidence = [Evidence(number, triple, 1, 0.0) for number, triple in FACTS]
    return SupportCheck(evidence, language_of(code))


def reason(sentence: str, code: str = "en") -> str:
    ((read,),) = check(code).lines(sentence)
    assert read.text == sentence
    assert read.supported == (read.reason == "")
    return read.reason


@pytest.mark.parametrize(
    "sentence",
    [
        "Heat was directed by Michael Mann [1].",
        "Michael Mann directed Heat and Ali [1][2].",
        "Michael Mann's films are Heat and Ali [1, 2].",
        "The film Heat came out in 1995 [4].",
        "In Heat, which Michael Mann directed, Al Pacino stars [1][3]!",
        "- **Heat** has Al Pacino [3].",
        "“Airplane!” is set in Brazil [5].",
        "Central Brazil Shield is a part of South America [6].",
        "Brazil has a population of 214,300,000 [7].",
        "Mann and Italy are joined by Elba [8].",
        "The Brazilian place of Airplane! is Brazil [5].",
        "日本の首都は東京です [9]。",
        "Only Angels was made in Schindler's Lift [10].",
        "HEAT was directed by MICHAEL MANN. [1]",
        "Mann and Elba border each other [8].",
        "It was directed by Andy Muschietti [11].",
        "Gödel quotes himself [20].",
        "The Asian neighbour of Asia is A [12].",
        "Elba borders Mann [8].",
        "Michael Mann was the director of Heat [1].",
        "Heat, also directed by Michael Mann, is Heat [1].",
        "The director of Heat was Michael Mann [1].",
        "Michael Mann, who directed Heat [1].",
    ],
)
def test_a_sentence_that_tells_a_cited_fact_has_support(sentence):
    assert reason(sentence) == ""


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        # nothing, or what is not there
        ("Heat was directed by Michael Mann.", "it cites no fact"),
        ("Heat was directed by Michael Mann [13].", "it cites 13, and there is no such fact"),
        ("Heat was directed by Michael Mann [1][0].", "it cites 0, and there is no such fact"),
        ("Heat was directed by Michael Mann [1-14].", "it cites 13, 14"),
        # a fact turned around
        ("Heat directed Michael Mann [1].", "it turns a fact around: “heat directed michael mann”"),
        ("Michael Mann was directed by Heat [1].", "it turns a fact around"),
        ("Heat is the director of Michael Mann [1].", "it turns a fact around"),
        ("The director of Michael Mann is Heat [1].", "it turns a fact around"),
        ("Heat is a director of Michael Mann [1].", "it turns a fact around"),
        # what takes back or doubts a fact
        ("Michael Mann did nothing for Heat [1].", "“nothing”"),
        ("Michael Mann refused to direct Heat [1].", "“refused”"),
        ("Michael Mann is unlikely to have directed Heat [1].", "“unlikely”"),
        ("Heat war angeblich ein Film von Michael Mann [1].", "“angeblich”"),
        # a line of the evidence, perhaps changed
        ("Mann -part of-> Elba <-borders- Italy [8].", "is no sentence"),
        ("[1] Heat | directed by | Michael Mann", "is no sentence"),
        # a citation that has nothing to do with it
        ("Ali has Al Pacino [1].", "not name both ends of fact 1"),
        ("Heat was directed by Michael Mann [1][6].", "not name both ends of fact 6"),
        ("Heat was directed by Michael Mann [1][2].", "both ends of fact 2"),
        # half a fact: the other half is the model's
        ("He directed Heat [1].", "both ends of fact"),
        ("It came out in 1995 [4].", "both ends of fact"),
        ("Michael Mann is a very gifted man [1][2].", "both ends of fact"),
        ("Andy Muschietti likes it, as its director [11].", "both ends of fact"),
        ("As a whole, Asia has borders [12].", "both ends of fact"),
        ("Many in Asia take the bus [12].", "both ends of fact"),
        # what another fact, or none, says of another thing
        ("Heat and Ali were directed by Michael Mann [1].", "it names “Ali”"),
        ("Ali, which Michael Mann directed, has Al Pacino [2].", "it names “Al Pacino”"),
        # what is in no fact at all
        ("Heat, directed by Michael Mann, won an Oscar [1].", "the word “Oscar”"),
        ("Heat was directed by Michael Bay, or Michael Mann [1].", "the word “Bay”"),
        ("Heat was made in Mannheim by Michael Mann [1].", "the word “Mannheim”"),
        ("Chicago is where Michael Mann made Heat [1].", "the word “Chicago”"),
        ("Michael Mann made Heat in 1995 [1].", "it names “1995”"),
        ("Michael Mann made Heat in 1996 [1].", "the number 1996"),
        ("Heat came out in 1995, 12 years late [4].", "the number 12"),
        ("Brazil has a population of 214,300,001 [7].", "both ends of fact"),
        ("Michael Mann directed Heat in January [1].", "“January”"),
        ("Michael Mann directed Heat with forty people [1].", "says “forty”"),
        # what no fact says by itself
        ("Michael Mann did not direct Heat [1].", "says “not”"),
        ("Michael Mann didn’t direct Heat [1].", "says “didn't”"),
        ("Michael Mann never directed Heat [1].", "says “never”"),
        ("Michael Mann only directed Heat [1].", "says “only”"),
        ("Heat is the best film by Michael Mann [1].", "says “best”"),
        ("Heat is older, and by Michael Mann [1].", "says “older”"),
        ("All of Heat was directed by Michael Mann [1].", "says “all”"),
        ("Michael Mann made Heat rather than Ali [1][2].", "says “rather than”"),
    ],
)
def test_a_sentence_that_says_more_than_its_facts_has_none(sentence, why):
    assert why in reason(sentence)


def test_a_relation_of_other_facts_is_not_taken_for_that_of_the_cited():
    facts = (fact("Heat", "directed by", "Mann"), fact("Ali", "written by", "Roth"))
    evidence = [Evidence(number, triple, 1, 0.0) for number, triple in enumerate(facts, 1)]
    relations = {t.relation.id: draft_words(t.relation.name) for t in facts}
    words = Lexicon(relations, {"e:Writer": TypeWords("writing", "writings")})
    given = SupportCheck(evidence, language_of("en"), words)

    def why(sentence: str) -> str:
        ((read,),) = given.lines(sentence)
        return read.reason

    assert "it says “writ" in why("Heat was written by Mann [1].")
    assert "it says “wr" in why("Mann wrote Heat [1].")
    assert "it says “direct" in why("Roth is the director of Ali [2].")
    for good in (
        "Heat was directed by Mann [1].",
        "Mann is the director of Heat, which was written well [1].",  # it says its own, too
        "Mann made Heat [1].",
        "Roth is the author of Ali [2].",
        "Heat is a writing by Mann [1].",  # a type of the graph
        "Heat was directed by Mann, and Ali was written by Roth [1][2].",
    ):
        assert why(good) == "", good


def test_a_longer_name_is_not_taken_for_a_shorter_one_in_it():
    assert "both ends of fact 7" in reason("Central Brazil Shield has much [7].")
    assert "both ends of fact 8" in reason("Michael Mann is an island by itself [8].")
    assert "“Michael Mann”" in reason("Mann, as Michael Mann says, borders Elba [8].")


def test_german_is_read_by_its_own_words_whatever_the_session_has():
    for code in ("en", "de"):
        assert reason("Der Regisseur von Heat ist Michael Mann [1].", code) == ""
        assert "says “nicht”" in reason("Michael Mann ist nicht der Regisseur von Heat [1].", code)
        assert "grosste" in reason("Heat ist der größte Film von und mit Michael Mann [1].", code)
        assert "12" in reason("Heat ist mit 12 Preisen von Michael Mann [1].", code)
    assert reason("Brazil hat 214.300.000 Einwohner und ist ein Land [7].", "de") == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A is b [1]. C is d [2].", [["A is b [1].", "C is d [2]."]]),
        ("A is b. [1] C is d. [2][3]", [["A is b. [1]", "C is d. [2][3]"]]),
        ("Dr. No met J. R. Ewing [1]. Yes.", [["Dr. No met J. R. Ewing [1].", "Yes."]]),
        ("It is 3.5 km long [1]! So?", [["It is 3.5 km long [1]!", "So?"]]),
        ("- One [1].\n\n2. Two [2].", [["- One [1]."], ["2. Two [2]."]]),
        ("甲は乙。[1] 丙は丁。", [["甲は乙。[1]", "丙は丁。"]]),
        ("Who? Me! and you [1]. No end", [["Who?", "Me! and you [1].", "No end"]]),
        ("Mr. X. Gov. Y [1].", [["Mr. X. Gov.", "Y [1]."]]),
        ("A is b [1]; c is d [2]. E; f [3].", [["A is b [1];", "c is d [2].", "E; f [3]."]]),
        ("   \n ", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(text, found):
    assert list(sentences_in(text)) == found


def test_a_full_stop_inside_a_name_ends_nothing():
    text = "Heat is by L. A. Inc. Films [1]. So is Ali [2]."
    assert list(sentences_in(text, ["L. A. Inc. Films"])) == [
        ["Heat is by L. A. Inc. Films [1].", "So is Ali [2]."]
    ]


def test_what_holds_both_ends_of_a_fact_is_known():
    assert check().held("that Michael Mann directed Heat")
    assert not check().held("who wrote Heat, and who directed Ali")


def test_hostile_text_is_read_in_time():
    # Patterns that go back and forth would take minutes here.
    long = "x; " * 5_000 + "[" * 5_000 + "." * 5_000 + "1," * 5_000 + "]" + " a." * 5_000
    assert not any(s.supported for line in check().lines(long) for s in line)
