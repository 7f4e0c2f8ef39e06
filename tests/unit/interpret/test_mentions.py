"""Mentions: which names a question holds, and which of them are meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.lexicon.mentions import FILE, LONGEST, MentionFinder, spelling_notes

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
def test_names_in_questions(finder: MentionFinder, question: str, found: list[str]) -> None:
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
def test_topics_that_are_given(
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
    (mention,) = finder.find(question)
    assert (mention.text, mention.ids, mention.marked) == ("Heat", ("m:heat",), True)
    assert question[mention.start : mention.end] == mark.format("Heat")


def test_marked_text_need_not_be_a_name(finder: MentionFinder) -> None:
    (mention,) = finder.find("who directed [the big sleep]")
    assert (mention.text, mention.ids) == ("the big sleep", ())


@pytest.mark.parametrize(
    "question",
    ["what films did Micheal Manm direct", "what films did micheal manm direct"],
)
def test_a_misspelled_name_is_guessed(finder: MentionFinder, question: str) -> None:
    assert [t.lower() for t in texts(finder, question)] == ["micheal manm"]


def test_no_name_at_all(finder: MentionFinder) -> None:
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
    assert spelling_notes([mention]) == (f"“{written}” read as “{name}”, one letter away",)


@pytest.mark.parametrize("text", ["Het", "Heet", "Alien 4"])
def test_short_names_and_other_numbers_are_not_taken_for_slips(text: str) -> None:
    finder = MentionFinder([("Heat", "m:heat"), ("Alien 3", "m:alien")])
    (mention,) = finder.find(f"who directed [{text}]")
    assert (mention.text, mention.ids, mention.written) == (text, (), None)


def test_long_texts_are_no_names(tmp_path: Path) -> None:
    """An automaton of a word of a million letters ends the process."""
    names = [("Heat", "m:1"), ("heat " * 300_000, "t:1"), ("x" * LONGEST, "m:2")]
    for _ in range(2):  # the second time from the file
        finder = MentionFinder.open(names, tmp_path, "f1")
        (found,) = finder.find("Who directed Heat?")
        assert found.ids == ("m:1",)
    assert finder.find("x" * LONGEST)[0].ids == ("m:2",)
    assert (tmp_path / FILE).stat().st_size < 10_000
