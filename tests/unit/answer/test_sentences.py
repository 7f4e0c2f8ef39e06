"""Facts told in sentences: what they say, and that they say no more than the facts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.answer.results import bound, fact

from isomatch.answer.evidence import citations
from isomatch.answer.sentences import fact_sheet, sentences
from isomatch.answer.types import Evidence
from isomatch.lexicon.language import language_of
from isomatch.lexicon.lexicon import Lexicon, draft_words
from isomatch.lexicon.relation_words import RelationWords
from isomatch.match.types import Triple
from isomatch.options import PrizeOptions
from isomatch.prizes.graph import Size
from isomatch.prizes.selection import Selection

RELATIONS = (
    *("directed by", "borders", "located in", "acted in", "part of", "capital of", "reviewed"),
    *(
        "contains",
        "has tag",
        "starring",
        "language",
        "continent",
        "instance of",
        "shares border with",
    ),
)


def lexicon(code: str = "en", **nouns: str) -> Lexicon:
    language = language_of(code)
    drafts = {bound(text).id: draft_words(text, language) for text in RELATIONS}
    for text, noun in nouns.items():
        drafts[bound(text).id] = replace(drafts[bound(text).id], nouns=(noun,))
    return Lexicon(drafts, language=language)


def sheet(form: str, *groups, topics=(), single=(), words: Lexicon | None = None):
    triples = list(dict.fromkeys(triple for group in groups for triple in group))
    number = {t: n for n, t in enumerate(triples, 1)}
    evidence = [Evidence(number[triple], triple, 1, 0.0) for triple in triples]
    if form == "paths":
        evidence = [Evidence(n, t, 1, 0.0) for n, some in enumerate(groups, 1) for t in some]
    size = Size(9, 12)
    chosen = Selection(
        form=form,
        triples=(),
        groups=groups,
        score=1.0,
        bound=1.0,
        before=size,
        after=size,
        options=PrizeOptions(),
        topics=tuple(bound(topic).id for topic in topics),
        notes=(),
        single=frozenset(bound(one).id for one in single),
    )
    return fact_sheet(chosen, evidence, words or lexicon())


@pytest.mark.parametrize(
    ("relation", "one", "many"),
    [
        ("directed by", "The director of A is X.", "The director of A and B is X."),
        ("borders", "A borders X.", "A and B border X."),
        ("contains", "A contains X.", "A and B contain X."),
        ("located in", "A is located in X.", "A and B are located in X."),
        ("acted in", "A acted in X.", "A and B acted in X."),
        ("reviewed", "A reviewed X.", "A and B reviewed X."),
        ("part of", "A is a part of X.", "A and B are parts of X."),
        ("instance of", "A is an instance of X.", "A and B are instances of X."),
        ("has tag", "The tag of A is X.", "The tag of A and B is X."),
        ("starring", "A: starring – X.", "A and B: starring – X."),
        ("shares border with", "A: shares border with – X.", "A and B: shares border with – X."),
        ("unknown to it", "A: unknown to it – X.", "A and B: unknown to it – X."),
    ],
)
def test_a_relation_is_told_as_its_name_says(relation, one, many):
    facts = [fact("A", relation, "X"), fact("B", relation, "X")]
    assert sentences(facts[:1], lexicon()) == [one]
    assert sentences(facts, lexicon()) == [many]


def test_the_users_own_words_go_first():
    words = lexicon(borders="neighbour")
    assert sentences([fact("A", "borders", "X")], words) == ["The neighbour of A is X."]
    id = bound("acted in").id
    own = Lexicon({id: RelationWords(backward=("has on stage",))})
    assert sentences([fact("A", "acted in", "X")], own) == ["A acted in X."]
    id = bound("role").id
    own = Lexicon({id: RelationWords(backward=("is played by",))})
    assert sentences([fact("A", "role", "X")], own) == ["X is played by A."]


def test_some_targets_of_many_are_not_told_as_all():
    # Switzerland has four languages: "the language of Switzerland is French" would be wrong.
    french = fact("Switzerland", "language", "French")
    german = fact("Switzerland", "language", "German")
    europe = fact("Switzerland", "continent", "Europe")
    text, _ = sheet("triplets", (french,), (europe,), single=["continent"])
    assert text == (
        "The languages of Switzerland include French [1]. The continent of Switzerland is "
        "Europe [2]."
    )
    text, _ = sheet("triplets", (french,), (german,), single=["continent"])
    assert text == "The languages of Switzerland include French and German [1][2]."


def test_a_tree_begins_with_how_its_topics_hang_together():
    heat, ali = fact("Heat", "directed by", "Mann"), fact("Ali", "directed by", "Mann")
    other = fact("Heat", "starring", "Al Pacino")
    text, told = sheet(
        "steiner", (other, heat, ali), topics=["Heat", "Ali"], single=["directed by"]
    )
    assert text == (
        "Heat and Ali are connected through Mann [2][3]. Heat: starring – Al Pacino [1]. The "
        "director of Heat and Ali is Mann [2][3]."
    )
    assert [s.cited for s in told] == [(2, 3), (1,), (2, 3)]
    assert sheet("steiner", (heat,), topics=["Heat", "Mann"])[0].startswith(
        "Heat and Mann are connected directly [1]. "
    )
    # Heat and Ali are not, though nothing but Mann lies between them.
    three, _ = sheet("steiner", (heat, ali), topics=["Mann", "Heat", "Ali"])
    assert three.startswith("Mann, Heat and Ali are connected with each other [1][2]. ")


def test_trees_that_nothing_connects_are_paragraphs():
    heat, elba = fact("Heat", "directed by", "Mann"), fact("Elba", "part of", "Italy")
    text, told = sheet("steiner", (heat,), (elba,), topics=["Heat", "Elba"])
    assert text == "The directors of Heat include Mann [1].\n\nElba is a part of Italy [2]."
    assert len(told) == 2


def test_a_path_is_a_sentence_with_its_ends_first():
    heat, ali = fact("Heat", "directed by", "Mann"), fact("Ali", "directed by", "Mann")
    text, told = sheet("paths", (heat, ali), (ali,), single=["directed by"])
    assert text.splitlines() == [
        "Heat – Ali: the director of Heat is Mann; the director of Ali is Mann [1].",
        "The director of Ali is Mann [2].",
    ]
    assert [s.cited for s in told] == [(1,), (2,)]


def test_many_citations_are_written_as_ranges():
    facts = [fact(f"Film {n}", "directed by", "Mann") for n in range(6)]
    other = fact("Elba", "part of", "Italy")
    text, told = sheet("triplets", (*facts[:3], other, *facts[3:]), single=["directed by"])
    assert text.startswith(
        "The director of Film 0, Film 1, Film 2, Film 3, Film 4 and Film 5 is Mann [1-3, 5-7]. "
    )
    assert citations(told[0].text) == told[0].cited == (1, 2, 3, 5, 6, 7)


def test_names_that_look_like_lists_are_kept_apart():
    bosnia = fact("Bosnia and Herzegovina", "part of", "Europe")
    serbia = fact("Serbia", "part of", "Europe")
    assert sentences([bosnia, serbia], lexicon()) == [
        "Bosnia and Herzegovina, and Serbia are parts of Europe."
    ]


def test_german_is_told_with_german_words():
    facts = (fact("Peru", "language", "Spanisch"), fact("Chile", "language", "Spanisch"))
    words = lexicon("de", language="Sprache")
    text, _ = sheet("steiner", facts, topics=["Peru", "Chile"], words=words)
    assert text == (
        "Peru und Chile hängen über Spanisch zusammen [1][2]. Sprache von Peru und Chile: "
        "Spanisch [1][2]."
    )
    # What the German draft does not know stays as the graph has it.
    assert sentences([fact("A", "directed by", "X")], words) == ["A: directed by – X."]


def test_a_hostile_name_stays_one_name():
    hostile = "{sources} {0.__class__}\n\x1b[2J"
    (told,) = sentences([Triple(bound(hostile), bound("language"), bound("X"))], lexicon())
    assert told.startswith("The language of {sources} {0.__class__}")
    assert "\x1b" not in told
    assert "\n" not in told
