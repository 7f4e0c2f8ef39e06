"""Which words of a question a trained program accounts for, by what words were seen to say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.turtle import opened

import isomatch
from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Named
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.coverage.mistaken import MistakenWords
from isomatch.interpret.programs.coverage import ProgramCoverage
from isomatch.interpret.programs.slots import asked_nouns, phrases
from isomatch.interpret.programs.telling import ToldWords, with_guesses
from isomatch.interpret.programs.tokens import Slot
from isomatch.interpret.programs.tree import THING, with_things
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.lexicon.language import language_of
from isomatch.lexicon.mentions import MentionFinder
from isomatch.lexicon.rank import Ranker
from isomatch.pattern.text import parse_text
from isomatch.trained.alignment import Alignment, Program
from isomatch.trained.masking import heard
from isomatch.trained.program_vocabulary import ProgramVocabulary

if TYPE_CHECKING:
    from numpy.typing import NDArray

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" ; :phone :p1 ; :lives_in :bern .
:bob a :Person ; rdfs:label "Bob" ; :phone :p2 ; :lives_in :bern .
:ann :status "Theft from the person" . :bob :status "Drugs" .
:p1 a :Phone ; rdfs:label "041 1" . :p2 a :Phone ; rdfs:label "041 2" .
:bern a :City ; rdfs:label "Bern" .
"""
PHONE, LIVES = "http://example.org/phone", "http://example.org/lives_in"
PHONES: Program = (f"+{PHONE}", f"-{LIVES}", "@0")
PEOPLE: Program = (f"-{LIVES}", "@0")
STATUS = "http://example.org/status"
THEFT: Program = ("and", *PEOPLE, f"value:{STATUS}=Theft from the person")
LEARNT: list[tuple[str, Program]] = [
    ("what is the number of people in [0 city]", ("count", *PEOPLE)),
    ("give the number of people who live in [0 city]", ("count", *PEOPLE)),
    ("find the number of people living in [0 city]", ("count", *PEOPLE)),
    ("how many people live in [0 city]", ("count", *PEOPLE)),
    ("the number of phones of people in [0 city]", ("count", *PHONES)),
    ("which people live in [0 city]", PEOPLE),
    ("what is the phone number of people in [0 city]", PHONES),
    ("the phone numbers of people in [0 city]", PHONES),
    ("which phone do people have in [0 city]", PHONES),
]


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.fixture(scope="module")
def coverage(session: isomatch.Session) -> ProgramCoverage:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    plain = [(text.replace("[0 city]", ""), program) for text, program in LEARNT]
    said = Alignment.learn(
        ([words for words, _ in phrases(text, language)], with_things(program, kinds))
        for text, program in plain
    )
    paired = Alignment.learn((), (), ((heard(text), program) for text, program in LEARNT))
    said = replace(said, pairs=paired.pairs)
    return ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)


@pytest.mark.parametrize(
    ("question", "program", "left_out"),
    [
        ("what is the phone number of people", PHONES, []),
        ("what is the number of people", ("count", *PEOPLE), []),
        ("what is the number of people", PEOPLE, ["number of"]),
        ("how many people have a phone", PHONES, ["how many"]),
        ("how often do people live", ("count", *PEOPLE), []),
        ("how often do people live", PEOPLE, ["how often"]),
        ("how many people live how often", ("count", *PEOPLE), ["how often"]),
        ("what is the people number of", PEOPLE, ["number of"]),
        ("what is the blue phone number of people", PHONES, ["blue"]),
    ],
)
def test_number_counts_unless_it_ends_a_noun_that_was_seen(
    coverage: ProgramCoverage, question: str, program: Program, left_out: list[str]
) -> None:
    whole = f"{question} in Bern"
    place = whole.index("Bern")
    read = coverage.read(whole, program, [Slot(place, place + 4, "Bern", ())])
    assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("which people live in Bern with theft from a person", []),
        ("who live in Bern with theft", ["Theft from the person", "theft"]),
        ("which people live in Bern", ["Theft from the person"]),
    ],
)
def test_a_value_is_said_by_all_of_its_words(
    coverage: ProgramCoverage, question: str, left_out: list[str]
) -> None:
    place = question.index("Bern")
    read = coverage.read(question, THEFT, [Slot(place, place + 4, "Bern", ())])
    assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(("word", "kind"), [("blue", "word"), ("inaugural", "relation")])
def test_only_words_that_were_never_seen_merely_describe(
    session: isomatch.Session, word: str, kind: str
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    said = Alignment({"phone": {PHONE: 0.9}, "inaugural": {"min": 0.9}})
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    question = f"what is the {word} phone of Bern"
    place = question.index("Bern")
    read = coverage.read(question, (f"+{PHONE}", "@0"), [Slot(place, place + 4, "Bern", ())])
    assert [(span.text, span.kind) for span in read.left_out] == [(word, kind)]


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("which people do gladly and proudly live in Bern", {"gladly": "word", "proudly": "word"}),
        ("which people do greet and live in Bern", {"greet": "word"}),  # training has it once
        ("which people do call and live in Bern", {"call": "relation"}),  # and this often
        ("which people greet and live in Bern", {"greet": "relation"}),  # is asked for
        ("which people do gladly and proudly stay in Bern", {"gladly": "relation"}),
        ("which people live in Bern gladly", {"gladly": "relation"}),
        ("which people do ungladly and proudly live in Bern", {"ungladly": "relation"}),
        ("which people do Gladly and proudly live in Bern", {"Gladly": "name"}),
        ("which people do never live in Bern", {"never": "operator"}),
        ("which people lacking a phone live in Bern", {"lacking": "operator"}),
        ("which spooks in town live in Bern", {"spooks": "relation", "town": "word"}),
    ],
)
def test_a_word_that_training_hardly_had_is_plain_among_words_with_a_place(
    session: isomatch.Session, question: str, left_out: dict[str, str]
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    shares = {word: {PHONE: 0.9} for word in ("phone", "greet", "call")}
    shares |= {"live": {LIVES: 0.9}, "people": {THING_PERSON: 0.9}}
    said = Alignment(shares, usual={LIVES: 0.1}, rare=frozenset({"greet"}))
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    place = question.index("Bern")
    read = coverage.read(question, PEOPLE, [Slot(place, place + 4, "Bern", ())])
    words = (span for span in read.left_out if len(span.text) < len(question))
    assert left_out.items() <= {span.text: span.kind for span in words}.items()


@pytest.mark.parametrize(("share", "meaning"), [(0.3, "person"), (0.1, "lives in")])
def test_a_noun_that_was_seen_for_the_things_counted_means_them(
    session: isomatch.Session, share: float, meaning: str
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    things = f"{THING}http://example.org/Person"
    said = Alignment({"souls": {LIVES: 0.5, things: share}, "many": {"count": 0.9}})
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    question = "how many souls are in Bern"
    place = question.index("Bern")
    read = coverage.read(question, ("count", *PEOPLE), [Slot(place, place + 4, "Bern", ())])
    assert [s.meaning for s in read.understood if s.text == "souls"] == [meaning]


THING_PERSON = f"{THING}http://example.org/Person"


@pytest.mark.parametrize(
    ("question", "program", "meant"),
    [
        ("how many cases are in Bern", ("count", *PEOPLE), {"cases": ("person", "kind")}),
        ("how many open cases are in Bern", ("count", *PEOPLE), {"cases": ("person", "kind")}),
        ("how many are in Bern with cases", ("count", *PEOPLE), {}),
        ("how many callers are in Bern", ("count", *PEOPLE), {}),  # they have phones, too
    ],
)
def test_a_noun_that_training_asked_for_is_the_kind_of_the_answers(
    session: isomatch.Session, question: str, program: Program, meant: dict[str, tuple[str, str]]
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    said = Alignment(
        {
            "cases": {STATUS: 0.4, PHONE: 0.4},
            "callers": {PHONE: 0.9},
            "many": {"count": 0.9},
            "open": {f"value:{STATUS}=Drugs": 0.9},
        },
        asked={noun: {"http://example.org/Person": 1.0} for noun in ("cases", "callers")},
    )
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    place = question.index("Bern")
    read = coverage.read(question, program, [Slot(place, place + 4, "Bern", ())])
    found = {s.text: (s.meaning, s.kind) for s in read.understood if s.text in ("cases", "callers")}
    assert found == meant


class Vectors:
    """Embeds some words near each other, and every other text far from all others."""

    def __init__(self) -> None:
        self._near = {"dwells": ("stay", 0.7), "phoned": ("called", 0.9), "oldish": ("eldest", 0.9)}
        self._places: dict[str, int] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 200), np.float32)
        for row, text in zip(rows, texts, strict=True):
            of, cosine = self._near.get(text, (text, 1.0))
            row[self._places.setdefault(of, len(self._places))] = cosine
            if cosine < 1:
                own = self._places.setdefault(text, len(self._places))
                row[own] = np.sqrt(1 - cosine**2)
        return rows


@pytest.mark.parametrize(
    ("question", "program", "placed"),
    [
        ("who dwells in Bern", PEOPLE, [("dwells", "lives in", 0.7)]),
        ("which residents are in Bern", PEOPLE, [("residents", "lives in", 1.0)]),
        ("which lodgers are in Bern", PEOPLE, []),
        ("who phoned Bern", PEOPLE, []),  # it is like a word for another relation
        ("who is oldish in Bern", ("min", f"+{STATUS}", *PEOPLE), []),  # like an operator's
        ("who stay in Bern", PEOPLE, [("stay", "lives in", 1.0)]),
        # Training knew these: the lexicon has one of them for the type of what is asked for.
        ("the city of Bern", (f"+{LIVES}", "@0"), [("city", "city", 1.0)]),
        ("the phone of Bern", (f"+{PHONE}", "@0"), []),
    ],
)
def test_a_word_that_training_never_had_is_read_as_what_it_is_like(
    session: isomatch.Session, question: str, program: Program, placed: list[tuple[str, str, float]]
) -> None:
    resources = session.resources
    lexicon = resources.lexicon
    said = Alignment(
        {
            "stay": {LIVES: 0.9},
            "called": {PHONE: 0.9},
            "eldest": {"min": 0.9},
            "city": {PHONE: 0.9},
            "phone": {f"value:{STATUS}=Drugs": 0.9},
        },
        usual={LIVES: 0.1, PHONE: 0.1, "min": 0.1},
    )
    ranker = Ranker(Vectors(), lexicon)
    coverage = ProgramCoverage(
        GraphKinds(resources.schema, lexicon),
        ProgramVocabulary((), (), 0, said),
        lexicon.language,
        ranker,
    )
    place = question.index("Bern")
    read = coverage.read(question, program, [Slot(place, place + 4, "Bern", ())])
    found = [(s.text, s.meaning, s.likeness) for s in read.understood if s.kind != "name"]
    assert found == [(text, meaning, pytest.approx(like)) for text, meaning, like in placed]


def test_what_a_trained_program_only_guesses_is_told(session: isomatch.Session) -> None:
    resources = session.resources
    lexicon = resources.lexicon
    ranker = Ranker(Vectors(), lexicon)
    taken = MistakenWords(AskedKinds(resources.schema, lexicon), lexicon, ranker)
    near = Span(4, 10, "dwells", "relation", "lives in", 0.7)
    for span, told in ((near, [("dwells", "lives in")]), (replace(near, likeness=0.85), [])):
        pattern = parse_text('(?x)-[lives in]-("Bern")')
        given = Hypothesis(pattern, 1.0, source="programs", coverage=Coverage((span,), exact=True))
        assert [
            (s.written, s.meant) for s in taken.told("who dwells in Bern", given).taken_for
        ] == told
        assert not taken.told("who dwells in Bern", replace(given, source="gsr")).taken_for


def test_a_word_for_a_value_of_what_is_counted_says_the_kind(session: isomatch.Session) -> None:
    kinds = AskedKinds(session.resources.schema, session.resources.lexicon)
    drugs = Span(9, 16, "dealers", "relation", "Drugs")
    for text in ('(?x)-[status]-("Drugs")', '("Drugs")-[status]-(?y)-[phone]-(?x)'):
        pattern = parse_text(f"{text} return count(?x)")
        assert kinds.is_said(pattern, drugs, trained=True) is ("?y" not in text)
        assert not kinds.is_said(pattern, drugs, trained=False)


def test_of_a_certain_program_only_words_inside_the_question_are_told(
    session: isomatch.Session,
) -> None:
    said = Alignment({"inhabiting": {LIVES: 0.9}, "inactive": {f"value:{STATUS}=idle": 0.9}})
    told = ToldWords(said, session.resources.lexicon.language)
    question = "Which people without phones unsafely inhabiting inactive Bern were rescued?"
    words = re.findall(r"without|phones|unsafely|inhabiting|inactive|Bern|rescued", question)
    places = [(question.index(word), question.index(word) + len(word), word) for word in words]
    spans = [Span(*p, "operator" if p[2] == "without" else "relation") for p in places]
    named = replace(spans.pop(5), kind="name", meaning="Bern")
    certain = told.of_certain(question, Coverage((named,), tuple(spans)))
    found = [span.text for span in certain.left_out if span.kind == "word"]
    assert found == ["phones", "inhabiting"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which people inhabiting Bern", True),
        ("Which person inhabiting Bern", False),  # may be one noun
        ("Which people retired Bern", False),  # training never had it
    ],
)
def test_a_known_word_after_a_plural_that_asks_is_a_verb(
    session: isomatch.Session, question: str, told: bool
) -> None:
    said = Alignment({"inhabiting": {LIVES: 0.9}})
    _, noun, verb, name = question.split()
    spans = [
        Span(question.index(w), question.index(w) + len(w), w, "relation")
        for w in (noun, verb, name)
    ]
    read = Coverage(
        (replace(spans[0], meaning="person"), replace(spans[2], meaning="Bern")), (spans[1],)
    )
    certain = ToldWords(said, session.resources.lexicon.language).of_certain(question, read)
    assert (certain.left_out[0].kind == "word") is told


def test_words_that_a_precedent_has_too_are_told_and_operators_are_not(
    coverage: ProgramCoverage,
) -> None:
    spans = (Span(0, 5, "never", "operator"), Span(6, 12, "dwells", "relation"))
    new = Span(13, 20, "plimbic", "relation")
    read = Coverage((), (*spans, new), exact=True)
    told = coverage.told.of_precedents(read, ["who never dwells in [0 city]"])
    kinds = [(span.text, span.kind) for span in told.left_out]
    assert kinds == [("never", "operator"), ("dwells", "word"), ("plimbic", "relation")]


KINDS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:c1 a :Crime ; rdfs:label "C1" ; :crime_type "Drugs" ; :place :bern .
:c2 a :Crime ; rdfs:label "C2" ; :crime_type "Theft" ; :place :bern .
:bern a :City ; rdfs:label "Bern" .
"""
CRIMES: Program = ("-http://example.org/place", "@0")


@pytest.mark.parametrize("word", ["kinds", "categories", "zorbs"])
def test_what_kinds_asks_for_the_relation_to_what_things_are(word: str) -> None:
    question = f"What {word} of crimes happened in Bern"
    place = question.index("Bern")
    slots = [Slot(place, place + 4, "Bern", ())]
    with opened(KINDS) as session:
        of = session.resources
        kinds, language = GraphKinds(of.schema, of.lexicon), of.lexicon.language
        coverage = ProgramCoverage(kinds, ProgramVocabulary((), ()), language)
        typed = coverage.read(question, ("+http://example.org/crime_type", *CRIMES), slots)
        plain = coverage.read(question, CRIMES, slots)
    read = {span.text: span.meaning for span in typed.understood}
    assert read.get(word) == (None if word == "zorbs" else "crime type")
    assert word in [span.text for span in plain.left_out]


MOVES = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" ; :lives_in :bern ; :works_in :rome ; :moving_date "2020-01-01" .
:bob a :Person ; rdfs:label "Bob" ; :lives_in :rome ; :works_in :bern ; :moving_date "2021-01-01" .
:bern a :City ; rdfs:label "Bern" . :rome a :City ; rdfs:label "Rome" .
"""
LAST: Program = ("max", "+http://example.org/moving_date", *PEOPLE)


@pytest.mark.parametrize(
    ("question", "program", "left_out"),
    [
        ("who dwells in Bern", PEOPLE, []),
        ("who works in Bern", PEOPLE, ["lives in", "works"]),
        ("who stay in Bern last", LAST, []),
        ("who stay in Bern most recently", LAST, []),
        ("who stay in Bern first", LAST, ["greatest", "first"]),
        ("who stay in Bern last", PEOPLE, ["last"]),
        ("who last stay in Bern the latest", LAST, ["last"]),  # one word says the operator
    ],
)
def test_what_no_learnt_word_says_a_guess_or_a_superlative_may_say(
    question: str, program: Program, left_out: list[str]
) -> None:
    said = Alignment(
        {
            "stay": {LIVES: 0.9},
            "works": {"http://example.org/works_in": 0.9},
            "last": {STATUS: 0.9},
            "most": {"max": 0.9},
            "latest": {"max": 0.9},
        },
        beside={"most": {"max": 1.0}, "latest": {"max": 1.0}},
        usual={LIVES: 0.1, "max": 0.1},
    )
    with opened(MOVES) as session:
        lexicon = session.resources.lexicon
        kinds = GraphKinds(session.resources.schema, lexicon)
        ranker = Ranker(Vectors(), lexicon)
        vocabulary = ProgramVocabulary((), (), 0, said)
        coverage = ProgramCoverage(kinds, vocabulary, lexicon.language, ranker)
        place = question.index("Bern")
        read = coverage.read(question, program, [Slot(place, place + 4, "Bern", ())])
    assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(
    ("word", "left_out"), [("bicycle", []), ("theft", ["Theft of a bicycle", "theft"])]
)
def test_some_words_of_a_value_say_it_where_no_other_value_has_them(
    session: isomatch.Session, word: str, left_out: list[str]
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    values = tuple(f"value:{STATUS}=Theft {of}" for of in ("from the person", "of a bicycle"))
    said = Alignment({"live": {LIVES: 0.9}}, usual={LIVES: 0.1})
    coverage = ProgramCoverage(kinds, ProgramVocabulary(values, values, 0, said), language)
    question = f"who live in Bern with a {word}"
    read = coverage.read(question, ("and", *PEOPLE, values[1]), [Slot(12, 16, "Bern", ())])
    assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("what is the phone of people who live in Bern", []),
        ("what is the status of people who live in Bern", []),
        ("what is the height of people who live in Bern", ["status", "height"]),
        ("give what people who live in Bern are", ["status"]),
        ("what are the call times of people who live in Bern", ["status"]),
    ],
)
def test_a_word_says_the_values_that_are_asked_for(question: str, left_out: list[str]) -> None:
    learnt = {"status": {STATUS: 0.9}, "phone": {STATUS: 0.3}, "give": {STATUS: 0.1}}
    learnt |= {"call": {STATUS: 0.9}, "times": {STATUS: 0.9}}
    said = Alignment({"live": {LIVES: 0.9}, **learnt}, usual={LIVES: 0.1, STATUS: 0.05})
    with opened(GRAPH + b':ann :note "tall" ; :call_time "10:45" .') as session:
        lexicon = session.resources.lexicon
        kinds = GraphKinds(session.resources.schema, lexicon)
        coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), lexicon.language)
        place = question.index("Bern")
        slots = [Slot(place, place + 4, "Bern", ())]
        read = coverage.read(question, (f"+{STATUS}", *PEOPLE), slots)
    assert [span.text for span in read.left_out if span.kind != "word"] == left_out


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ("action not in the public interest", []),
        ("action in the public interest, not", []),
        ("action not in the public interest, not", ["not", "not"]),
        ("interest that is not public", ["not"]),
    ],
)
def test_the_not_of_a_value_is_its_own(
    session: isomatch.Session, words: str, left_out: list[str]
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), resources.lexicon.language
    value = f"value:{STATUS}=Action not in the public interest"
    said = Alignment({"live": {LIVES: 0.9}}, usual={LIVES: 0.1})
    coverage = ProgramCoverage(kinds, ProgramVocabulary((value,), (value,), 0, said), language)
    question = f"who live in Bern with {words}"
    read = coverage.read(question, ("and", *PEOPLE, value), [Slot(12, 16, "Bern", ())])
    assert [span.text for span in read.left_out if span.text == "not"] == left_out


def test_a_noun_directly_after_a_name_is_asked_for(session: isomatch.Session) -> None:
    language = session.resources.lexicon.language
    for text, nouns in (
        ("how many @@ model cars are", ["model", "cars"]),
        ("what is the number of @ models", ["models"]),
        ("how many @ in", []),
    ):
        assert [n.text for n in asked_nouns(text, language, described=True)] == nouns
        assert asked_nouns(text, language) == []


OWNED = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" ; :has_phone :p1 ; :has_email :e1 ; :drives :c1 .
:p1 a :Phone ; rdfs:label "041 1" . :e1 a :Email ; rdfs:label "a@b.org" .
:c1 a :Car ; rdfs:label "C1" ; :model "Punto" . :c2 a :Car ; rdfs:label "C2" ; :model "Punto" .
"""


@pytest.mark.parametrize(
    ("relation", "left_out"), [("has_email", []), ("drives", ["owned"]), ("has_phone", [])]
)
def test_what_a_verb_says_is_had_may_be_another_thing(relation: str, left_out: list[str]) -> None:
    said = Alignment({"owned": {"http://example.org/has_phone": 0.9}, "things": {"": 0.9}})
    with opened(OWNED) as session:
        resources = session.resources
        kinds, language = GraphKinds(resources.schema, resources.lexicon), language_of("en")
        coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
        question = "which things are owned by Ann"
        place = question.index("Ann")
        program = (f"+http://example.org/{relation}", "@0")
        read = coverage.read(question, program, [Slot(place, place + 3, "Ann", ())])
        assert [span.text for span in read.left_out] == left_out


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("how many Punto models are there", "kind"),
        ("which Punto models are there", "relation"),
        ("which car has the model Punto", "relation"),
    ],
)
def test_a_plural_after_its_value_asks_for_what_has_that(question: str, kind: str) -> None:
    with opened(OWNED) as session:
        resources = session.resources
        kinds, language = GraphKinds(resources.schema, resources.lexicon), language_of("en")
        said = Alignment({"car": {"": 0.9}})
        coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
        place = question.index("Punto")
        step = Step("http://example.org/model", True)
        variant = Named("Punto", None, frozenset(), frozenset((step,)))
        slot = Slot(place, place + 5, "Punto", (variant,))
        program = (*("count",) * ("how" in question), "-http://example.org/model", "@0")
        read = coverage.read(question, program, [slot])
        assert [s.kind for s in read.understood if s.text.startswith("model")] == [kind]


@pytest.mark.parametrize(
    ("question", "left_out"),
    [
        ("who has the number of people in Bern", ["how many"]),
        ("what is the number of people in Bern", []),
    ],
)
def test_who_asks_for_no_number(
    coverage: ProgramCoverage, question: str, left_out: list[str]
) -> None:
    place = question.index("Bern")
    read = coverage.read(question, ("count", *PEOPLE), [Slot(place, place + 4, "Bern", ())])
    assert [span.text for span in read.left_out if span.kind == "operator"] == left_out


@pytest.mark.parametrize(("relation", "left_out"), [(LIVES, []), (PHONE, ["lived"])])
def test_a_word_that_a_relation_is_called_by_says_it(
    session: isomatch.Session, relation: str, left_out: list[str]
) -> None:
    resources = session.resources
    kinds, language = GraphKinds(resources.schema, resources.lexicon), language_of("en")
    said = Alignment({"lived": {STATUS: 0.9}, "people": {THING_PERSON: 0.9}})
    coverage = ProgramCoverage(kinds, ProgramVocabulary((), (), 0, said), language)
    question = "which people lived there, in Bern"
    place = question.index("Bern")
    read = coverage.read(question, (f"-{relation}", "@0"), [Slot(place, place + 4, "Bern", ())])
    assert [s.text for s in read.left_out if s.text == "lived"] == left_out


def test_what_is_counted_is_asked_for(session: isomatch.Session) -> None:
    language = session.resources.lexicon.language
    assert [n.text for n in asked_nouns("what is the number of cars in", language)] == ["cars"]


def test_a_program_says_which_name_a_part_of_it_was_taken_for() -> None:
    finder = MentionFinder([("Ann Lee", "p:1"), ("Bern", "c:1")])
    names = finder.find("where does Ann live, in Bern")
    given = Hypothesis(parse_text('(?x)<-[lives in]-("Ann Lee")'), 1.0)
    told = with_guesses(given, names, language_of("en"))
    assert [(one.written, one.meant) for one in told.taken_for] == [("Ann", "Ann Lee")]
    assert told.notes == ("“Ann” read as “Ann Lee”",)
    other = Hypothesis(parse_text('(?x)<-[lives in]-("Bern")'), 1.0)
    assert with_guesses(other, names, language_of("en")) == other
