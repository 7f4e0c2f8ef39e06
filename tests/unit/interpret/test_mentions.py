"""Mentions: which names a question holds, and which of them are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.lexicon.language import language_of
from isomatch.lexicon.mentions import FILE, LONGEST, MentionFinder
from isomatch.lexicon.substitutions import misspelled, spelling_notes
from isomatch.texts import fold, fold_with_offsets, is_word

ENGLISH = language_of("en")
NAMES = [
    ("Heat", "m:heat"),
    ("heat", "t:heat"),
    ("Michael Mann", "p:mann"),
    ("Mann", "p:thomas"),
    ("The Who", "b:who"),
    ("What", "m:what"),
    ("Film", "m:film"),
    ("Amélie", "m:amelie"),
    ("New York", "c:ny"),
    ("York City", "c:york"),
    ('Say "Yes"', "m:yes"),
]
COMMON = {"film", "films", "directed", "direct", "starred"}


@pytest.fixture(scope="module")
def finder() -> MentionFinder:
    return MentionFinder(NAMES, COMMON)


def texts(finder: MentionFinder, question: str) -> list[str]:
    return [m.text for m in finder.find(question)]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what films did Michael Mann direct", ["Michael Mann"]),
        ("what films did michael mann direct", ["Michael Mann"]),
        ("who directed Amelie", ["Amélie"]),
        ("who directed michael_mann", ["Michael Mann"]),
        ("who directed Heathrow", ["Heathrow"]),  # no name inside a word; a guess
        ("who starred in Heat's sequel", ["Heat"]),
        ("which films are set in New York City", ["New York", "York City"]),
        ("what is The Who", ["The Who"]),
        ("what film starred Mann", ["Mann"]),
    ],
)
def test_names_are_found_in_questions(
    finder: MentionFinder, question: str, found: list[str]
) -> None:
    assert texts(finder, question) == found


@pytest.mark.parametrize(
    ("question", "topics", "found"),
    [
        ("who directed Heat", ["Heat"], [("Heat", 13, 17, ("m:heat",))]),
        ("who directed HEAT", ["Heat"], [("Heat", 13, 17, ("m:heat",))]),
        ("what films are What", ["What"], [("What", 0, 4, ("m:what",))]),
        (
            "is Amelie in new_york",
            ["New York", "Amélie"],
            [("New York", 13, 21, ("c:ny",)), ("Amélie", 3, 9, ("m:amelie",))],
        ),
        # Said otherwise, or inside another word: the name stands nowhere.
        ("who wrote Heathrow", ["Heat"], [("Heat", 18, 18, ("m:heat",))]),
        ("who directed it", ["Nobody"], [("Nobody", 15, 15, ())]),
        (
            "who directed heat",
            ["HEAT"],
            [("Heat", 13, 17, ("m:heat",)), ("heat", 13, 17, ("t:heat",))],
        ),
    ],
)
def test_topics_that_are_given_are_found(
    finder: MentionFinder, question: str, topics: list[str], found: list[object]
) -> None:
    mentions = finder.given(question, topics)
    assert [(m.text, m.start, m.end, m.ids) for m in mentions] == found


def test_letter_case_chooses_only_where_the_writer_chose_it(finder: MentionFinder) -> None:
    assert [m.ids for m in finder.find("who directed Heat")] == [("m:heat",)]
    assert {m.ids for m in finder.find("who directed heat")} == {("m:heat",), ("t:heat",)}


def test_common_words_are_names_only_when_nothing_else_is(finder: MentionFinder) -> None:
    assert texts(finder, "what film did Mann direct") == ["Mann"]
    assert texts(finder, "what is the film") == ["What", "Film"]
    assert texts(finder, "who directed Film") == ["Film"]


@pytest.mark.parametrize("mark", ["[{}]", '"{}"', "“{}”"])
def test_marked_text_is_a_mention_outright(finder: MentionFinder, mark: str) -> None:
    question = f"who directed {mark.format('Heat')} with Michael Mann"
    mention, beside = finder.find(question)
    assert (mention.text, mention.ids, mention.marked) == ("Heat", ("m:heat",), True)
    assert (beside.text, beside.marked) == ("Michael Mann", False)
    assert question[mention.start : mention.end] == mark.format("Heat")


def test_marked_text_need_not_be_a_name(finder: MentionFinder) -> None:
    (mention,) = finder.find("who directed [the big sleep]")
    assert (mention.text, mention.ids) == ("the big sleep", ())


@pytest.mark.parametrize(
    "question",
    ["what films did Micheal Mamm direct", "what films did micheal mamm direct"],
)
def test_a_misspelled_name_is_guessed(finder: MentionFinder, question: str) -> None:
    assert [t.lower() for t in texts(finder, question)] == ["micheal mamm"]


@pytest.mark.parametrize("question", ["who directed Heat Wavv", "who directed HEAT Wavv"])
def test_a_longer_name_that_is_misspelled_hides_no_name_that_is_not(question: str) -> None:
    finder = MentionFinder([("Heat", "m:heat"), ("Heat Wave", "m:wave")])
    assert texts(finder, question) == ["Heat Wave", "Heat"]


def test_where_no_name_is_none_is_found(finder: MentionFinder) -> None:
    assert finder.find("") == ()
    assert MentionFinder([]).find("what is it") == ()


@given(st.lists(st.text(min_size=1), max_size=5), st.text(max_size=20), st.text(max_size=20))
def test_a_mention_is_where_it_says(names: list[str], before: str, after: str) -> None:
    finder = MentionFinder([(name, str(i)) for i, name in enumerate(names)])
    question = before + " ".join(names) + after
    for mention in finder.find(question):
        assert 0 <= mention.start < mention.end <= len(question)
        assert not mention.ids or mention.text in names


@given(st.text(alphabet="abÄ_ '", min_size=1))
def test_a_name_alone_is_found(name: str) -> None:
    name = name.strip(" _")
    finder = MentionFinder([(name, "x")])
    assert [m.ids for m in finder.find(name)] == [("x",)] * bool(name)


def test_a_question_is_looked_through_once_for_all_who_ask_for_its_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finder = MentionFinder(NAMES, COMMON)
    asked, beginning = [], finder._names.beginning

    def begins(text: str) -> list[str]:
        asked.append(text)
        return list(beginning(text))

    monkeypatch.setattr(finder._names, "beginning", begins)
    found = finder.find("films of New York City")
    once = len(asked)
    assert [m.text for m in found] == ["New York", "York City"]
    assert once
    finder.inside("films of New York City", found)
    assert finder.find("films of New York City") == found
    assert len(asked) == once
    assert texts(finder, "films of Heat") == ["Heat"]


def test_names_are_kept_with_their_fingerprint(tmp_path: Path) -> None:
    def never() -> list[tuple[str, str]]:
        raise AssertionError("the names were read though they are kept")

    MentionFinder.open(NAMES, tmp_path, "one")
    kept = MentionFinder.open(never, tmp_path, "one")
    assert texts(kept, "who directed Heat") == ["Heat"]
    other = MentionFinder.open([("Ali", "m:ali")], tmp_path, "two")
    assert [m.text for m in other.find("who directed Heat or Ali") if m.ids] == ["Ali"]


def test_a_damaged_file_of_names_is_made_again(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"fingerprint": "one", "names": ["Heat"], "ids": [')
    finder = MentionFinder.open(NAMES, tmp_path, "one")
    assert texts(finder, "who directed Heat") == ["Heat"]
    assert "Michael Mann" in (tmp_path / FILE).read_text("utf-8")


@pytest.mark.parametrize(
    ("question", "name", "written"),
    [
        ("what films did Micheal Mann direct", "Michael Mann", "Micheal Mann"),
        ("who directed [Amelije]", "Amélie", "Amelije"),
        ("what films did michael man direct", "Michael Mann", "michael man"),
    ],
)
def test_a_name_with_one_letter_wrong_is_that_name_and_says_so(
    finder: MentionFinder, question: str, name: str, written: str
) -> None:
    (mention,) = [m for m in finder.find(question) if m.written]
    assert (mention.text, mention.written) == (name, written)
    assert mention.ids
    assert spelling_notes([mention], ENGLISH) == (f"“{written}” read as “{name}”, one letter away",)


@pytest.mark.parametrize(
    "question", ["what films did Micheal Manm direct", "what films did micheal manm direct"]
)
def test_a_name_with_two_letters_wrong_is_that_name_and_says_so(
    finder: MentionFinder, question: str
) -> None:
    (mention,) = finder.find(question)
    assert (mention.text, mention.ids, mention.edits) == ("Michael Mann", ("p:mann",), 2)
    written = question[mention.start : mention.end]
    note = f"“{written}” read as “Michael Mann”, two letters away"
    assert spelling_notes([mention], ENGLISH) == (note,)


@pytest.mark.parametrize(
    "text", ["South Korea", "Slovakia", "Austria", "Apollo 13 Crew", "Some Body Ab"]
)
def test_other_names_are_not_taken_for_two_slips(text: str) -> None:
    names = ["North Korea", "Slovenia", "Australia", "Apollo 11 Crew"]
    many = [f"Some Body {letters}" for letters in ("Xy", "Xz", "Xw", "Xv", "Xu", "Xt")]
    finder = MentionFinder([(name, name) for name in (*names, *many)])
    (mention,) = finder.find(f"who likes [{text}]")
    assert (mention.text, mention.ids, mention.written) == (text, (), None)


def test_two_slips_are_no_name_where_one_is_written_rightly() -> None:
    finder = MentionFinder([("Michael Mann", "p:1"), ("Michael", "p:2")])
    assert [m.text for m in finder.find("what films did Michael Nanm direct")] == ["Michael"]
    found = [m.text for m in finder.find("what films did Michael Manm direct")]
    assert found == ["Michael Mann", "Michael"]


@pytest.mark.parametrize(
    ("text", "away"), [("Michael Mannx", "one letter away"), ("Micheal Mannx", "two letters away")]
)
@pytest.mark.parametrize("question", ["who likes [{}]", "what was directed by {}"])
def test_each_of_the_names_that_are_equally_near_tells_the_others(
    question: str, text: str, away: str
) -> None:
    finder = MentionFinder([(name, name) for name in ("Michael Manna", "Michael Manne", "Nobody")])
    mentions = finder.find(question.format(text))
    assert [(m.text, m.rivals) for m in mentions] == [
        ("Michael Manna", ("Michael Manne",)),
        ("Michael Manne", ("Michael Manna",)),
    ]
    note = f"“{text}” read as “Michael Manna”, {away}; as near: “Michael Manne”"
    assert spelling_notes(mentions[:1], ENGLISH) == (note,)


def test_very_many_names_that_are_equally_near_are_counted() -> None:
    finder = MentionFinder([(f"Some Body{letter}", letter) for letter in "abcdefgh"])
    (note, *_) = spelling_notes(finder.find("who likes [Some Bodyz]"), ENGLISH)
    assert note.endswith(
        "as near: " + ", ".join(f"“Some Body{x}”" for x in "bcdef") + " and 2 more"
    )


def test_a_name_that_is_nearer_has_no_rivals() -> None:
    finder = MentionFinder([("Jonathan Demme", "1"), ("Jonathan Demmer", "2")])
    (mention,) = finder.find("what was directed by [Jonathan Demm]")
    assert (mention.text, mention.rivals) == ("Jonathan Demme", ())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Jaws", "Jaws (film)"),
        ("The Thing", "The Thing (film)"),
        ("Lumiere Optique", "Lumière Optique S.A."),
        ("Kessler & Söhne", "Kessler & Söhne GmbH & Co. KG"),
        ("Apple", "Apple, Inc."),
        ("Nippon Bearing", "Nippon Bearing Co."),
        ("Bank of Oslo", "Bank of Oslo ASA"),
        ("Brandt", "Brandt & Co., Inc."),
    ],
)
@pytest.mark.parametrize("question", ["what did {} make", "who likes [{}]"])
def test_a_name_without_its_qualifier_is_that_name_and_says_so(
    question: str, text: str, name: str
) -> None:
    others = (
        "Jaws 2",
        "Jars",
        "Lumière",
        "Kessler",
        "Apple Incubator",
        "Nippon Bearing Coats",
        "Oslo",
    )
    finder = MentionFinder([(one, one) for one in (name, *others)])
    mention = next(m for m in finder.find(question.format(text)) if m.written)
    assert (mention.text, mention.ids, mention.edits) == (name, (name,), 0)
    assert spelling_notes([mention], ENGLISH) == (f"“{text}” read as “{name}”",)


def test_names_that_differ_in_their_qualifier_tell_each_other() -> None:
    finder = MentionFinder([(name, name) for name in ("Jaws (film)", "Jaws (novel)", "Jars")])
    mentions = finder.find("who likes Jaws")
    assert [(m.text, m.rivals) for m in mentions] == [
        ("Jaws (film)", ("Jaws (novel)",)),
        ("Jaws (novel)", ("Jaws (film)",)),
    ]


@pytest.mark.parametrize("names", [["Jaws", "Jaws (film)"], ["Jaws (film) poster"]])
def test_a_qualifier_is_added_to_no_name_of_the_graph_and_ends_one(names: list[str]) -> None:
    finder = MentionFinder([(name, name) for name in names])
    assert not any(m.written for m in finder.find("who likes Jaws"))


@pytest.mark.parametrize("text", ["OConnor", "o connor"])
def test_a_name_that_differs_in_punctuation_is_no_letter_away(text: str) -> None:
    (mention,) = MentionFinder([("O'Connor", "p:1")]).find(f"who directed [{text}]")
    assert mention.ids == ("p:1",)
    assert mention.edits == (0 if text == "OConnor" else 1)


PEOPLE = ("Ann Lee", "Eva Lee", "Vincent van Gogh", "The Matrix", "Matrix Reloaded", "New York")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ann", ["Ann Lee"]),
        ("Lee", ["Ann Lee", "Eva Lee"]),
        ("Gogh", ["Vincent van Gogh"]),
        ("van Gogh", ["Vincent van Gogh"]),
        ("Vincent", ["Vincent van Gogh"]),
        ("Matrix", ["The Matrix"]),  # rather than its sequel
        ("Reloaded", ["Matrix Reloaded"]),
    ],
)
@pytest.mark.parametrize("question", ["what did {} make", "who likes [{}]", "{}'s friends"])
def test_the_first_or_last_words_of_a_name_are_that_name_and_say_so(
    question: str, text: str, names: list[str]
) -> None:
    finder = MentionFinder([(name, name) for name in PEOPLE])
    found = [m for m in finder.find(question.format(text)) if m.written]
    assert [m.text for m in found] == names
    for mention in found:
        assert (mention.written, mention.part, mention.edits) == (text, True, 0)
        assert mention.rivals == tuple(name for name in names if name != mention.text)
    assert [one.meant for one in misspelled(found)] == names


@pytest.mark.parametrize("text", ["Ann Coe", "Van", "An", "Leeds", "Ann Lee Coe", "Film", "York"])
def test_what_is_no_first_or_last_word_of_a_name_is_not_that_name(text: str) -> None:
    finder = MentionFinder([(name, name) for name in PEOPLE], common=["film", "films"])
    assert not any(m.part for m in finder.find(f"what did {text} make"))


def test_a_value_is_not_meant_by_its_first_words() -> None:
    finder = MentionFinder([("Ann Lee", '"Ann Lee"')])
    assert not any(m.part for m in finder.find("what did Ann make"))


# Letters that fold to several are left out: a name may begin within them.
WORDS = st.lists(st.sampled_from(["a", "b", "ab", "B", "É", "e", "_", "'", "s", "s'", "-"]))


@pytest.mark.parametrize("code", ["en", "de"])
@given(st.lists(WORDS.map(" ".join) | st.text("abÉ -_'s", max_size=6), max_size=8), st.data())
def test_every_name_that_stands_in_a_question_as_words_is_found(
    code: str, names: list[str], data: st.DataObject
) -> None:
    """Against a look at every part of the question."""
    joined = st.lists(st.sampled_from([*names, "a", " ", "s", "-"]), max_size=6).map("".join)
    question = data.draw(joined | st.text("abÉ -_'s", max_size=12))
    folded, offsets = fold_with_offsets(question)
    forms = {fold(name) for name in names} - {""}
    language = language_of(code)
    endings = language.endings.names
    places = set()
    for start in range(len(folded)):
        for end in range(start + 1, len(folded) + 1):
            tails = [end + len(e) for e in endings if folded.startswith(e, end)]
            if folded[start:end] in forms and any(
                is_word(folded, start, whole) for whole in (end, *tails)
            ):
                places.add((end, start))
    named = [(name, str(place)) for place, name in enumerate(names)]
    finder = MentionFinder(named, language=language)
    found = [(m.start, m.text) for m in finder._spans(question) if not m.plural]
    assert {start for start, _ in found} == {offsets[start] for _, start in places}
    for start, text in found:
        assert fold(text) in {folded[s:e] for e, s in places if offsets[s] == start}
    for end, start in places:
        assert folded[start:end] in {fold(text) for at, text in found if at == offsets[start]}


@pytest.mark.parametrize("text", ["Het", "Heet", "Alien 4"])
def test_short_names_and_other_numbers_are_not_taken_for_slips(text: str) -> None:
    finder = MentionFinder([("Heat", "m:heat"), ("Alien 3", "m:alien")])
    (mention,) = finder.find(f"who directed [{text}]")
    assert (mention.text, mention.ids, mention.written) == (text, (), None)


def test_long_texts_are_no_names(tmp_path: Path) -> None:
    """They describe something, and a question does not hold them."""
    names = [("Heat", "m:1"), ("heat " * 300_000, "t:1"), ("x" * LONGEST, "m:2")]
    for _ in range(2):  # the second time from the file
        finder = MentionFinder.open(names, tmp_path, "f1")
        (found,) = finder.find("Who directed Heat?")
        assert found.ids == ("m:1",)
    assert finder.find("x" * LONGEST)[0].ids == ("m:2",)
    assert (tmp_path / FILE).stat().st_size < 10_000


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("rivers of the USA", ["United States"]),
        ("who leads the U.S.", ["United States"]),
        ("the largest city in america", ["United States"]),
        ("tell us who leads the UK", ["UK"]),
        ("who leads Great Britain", ["UK"]),
        ("who leads the EU", ["EU"]),  # nothing of that name
    ],
)
def test_a_country_is_found_by_each_of_its_names(question: str, found: list[str]) -> None:
    finder = MentionFinder([("United States", "c:us"), ("UK", "c:uk")])
    mentions = finder.find(question)
    assert [m.text for m in mentions] == found
    assert [bool(m.ids) for m in mentions] == [found != ["EU"]]


def test_a_name_of_the_graph_stands_for_no_other_thing() -> None:
    finder = MentionFinder([("United States", "c:us"), ("America", "c:continents")])
    assert texts(finder, "rivers of America") == ["America"]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Spanish films", "Spain"),
        ("which Dutch films are there", "Netherlands"),
        ("American films", "United States"),
        ("which films are American", "United States"),  # and no noun follows
        ("European films", "Europe"),
    ],
)
def test_an_adjective_is_of_the_place_that_the_graph_has(question: str, name: str) -> None:
    places = ("Spain", "Netherlands", "United States", "Europe", "Danzig")
    finder = MentionFinder([(place, place) for place in places], common=["films", "film"])
    assert [(m.text, m.adjective) for m in finder.find(question)] == [(name, True)]
