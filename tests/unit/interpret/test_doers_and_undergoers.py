"""Who does something to whom is read the same whatever a relation is called after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from tests.turtle import names_if_answered, opened

from isomatch.lexicon import english

PEOPLE = ("Ann Lee", "Bob Ray", "Cid Moe", "Dan Poe", "Eva Orr", "Flo Kay")
DONE = ((0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 0), (5, 2))
"""By whom it was done to whom."""


class Deed(NamedTuple):
    """A verb, and the nouns for those who do it and whom it is done to."""

    base: str
    present: str
    past: str
    participle: str
    doer: str
    undergoer: str

    def questions(self) -> Iterator[tuple[str, set[str]]]:
        """Questions about Ann, Bob and Eva, with their answers."""
        hers = {"Bob Ray", "Cid Moe"}
        yield f"Who {self.past} Ann Lee?", {"Eva Orr"}
        yield f"By whom was Ann Lee {self.participle}?", {"Eva Orr"}
        yield f"Who is Ann Lee {self.participle} by?", {"Eva Orr"}
        yield f"Who is Ann Lee's {self.doer}?", {"Eva Orr"}
        yield f"Whom did Ann Lee {self.base}?", hers
        yield f"Which people does Ann Lee {self.base}?", hers
        yield f"Which people were {self.participle} by Ann Lee?", hers
        yield f"Which people have Ann Lee as their {self.doer}?", hers
        yield f"List the people whose {self.doer} is Ann Lee", hers
        yield f"Is Eva Orr the {self.doer} of Ann Lee?", {"True"}
        yield f"Was Bob Ray {self.participle} by Ann Lee?", {"True"}
        yield f"Which people {self.base} someone who lives in Kiel?", {"Bob Ray", "Eva Orr"}
        yield f"Who is {self.participle} by someone who lives in Ulm?", {"Eva Orr", "Cid Moe"}
        if self.undergoer:
            yield f"Who are the {self.undergoer}s of Ann Lee?", hers
            yield f"Who are Ann Lee's {self.undergoer}s?", hers
            yield f"How many {self.undergoer}s does Ann Lee have?", {"2"}


DEEDS = [
    Deed("train", "trains", "trained", "trained", "trainer", "trainee"),
    Deed("mentor", "mentors", "mentored", "mentored", "mentor", "mentee"),
    Deed("supervise", "supervises", "supervised", "supervised", "supervisor", "supervisee"),
    Deed("guard", "guards", "guarded", "guarded", "guard", ""),
    Deed("lead", "leads", "led", "led", "leader", ""),
    Deed("teach", "teaches", "taught", "taught", "teacher", "student"),
]


def _graph(relation: str, *, by_sources: bool) -> str:
    lines = [
        "@prefix : <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    ]
    for n, name in enumerate(PEOPLE):
        lines.append(f':p{n} a :Person ; rdfs:label "{name}" ; :livesIn :c{n % 3} .')
    for n, city in enumerate(("Kiel", "Bonn", "Ulm")):
        lines.append(f':c{n} a :City ; rdfs:label "{city}" .')
    for doer, other in DONE:
        source, target = (doer, other) if by_sources else (other, doer)
        lines.append(f":p{source} :{relation} :p{target} .")
    return "\n".join(lines)


@pytest.mark.parametrize("deed", DEEDS, ids=lambda deed: deed.base)
@pytest.mark.parametrize("style", ["present", "past", "by", "noun of", "noun", "has noun"])
def test_people_of_one_kind_are_told_apart_by_every_name_of_a_relation(
    deed: Deed, style: str
) -> None:
    noun = deed.doer
    relation, by_sources = {
        "present": (deed.present, True),
        "past": (deed.past, True),
        "by": (f"{deed.participle}By", False),
        "noun of": (f"{noun}Of", True),
        "noun": (noun, False),
        "has noun": (f"has{noun.title()}", False),
    }[style]
    wrong = []
    with opened(_graph(relation, by_sources=by_sources)) as session:
        for question, names in deed.questions():
            if (found := names_if_answered(session, question)) != names:
                wrong.append((question, found))
    assert wrong == []


@pytest.mark.parametrize(
    ("relation", "questions"),
    [
        (
            "parents",
            {
                "Who are the parents of Ann Lee?": {"Bob Ray", "Cid Moe"},
                "Is Bob Ray a parent of Ann Lee?": {"True"},
                "Who are Ann Lee's children?": {"Eva Orr"},
                "Which people have more than one parent?": {"Ann Lee"},
            },
        ),
        (
            "children",
            {
                "Where do the children of Ann Lee live?": {"Bonn", "Ulm"},
                "Whose child is Bob Ray?": {"Ann Lee"},
            },
        ),
        ("parentOf", {"How many children does Ann Lee have?": {"2"}}),
        (
            "rivals",
            {
                "Who rivals Ann Lee?": {"Eva Orr"},
                "Who are the rivals of Ann Lee?": {"Bob Ray", "Cid Moe"},
            },
        ),
        ("influences", {"Who are the influences of Ann Lee?": {"Eva Orr"}}),
        ("victim", {"Who killed Bob Ray?": None}),  # who may have been robbed
        ("minions", {"Who are the minions of Ann Lee?": {"Bob Ray", "Cid Moe"}}),
        ("teachers", {"Who teaches Ann Lee?": {"Bob Ray", "Cid Moe"}}),
        (
            "employee",
            {"Who is Ann Lee's employer?": {"Eva Orr"}, "Who employs Ann Lee?": {"Eva Orr"}},
        ),
        ("employeeOf", {"Who is Ann Lee's employer?": {"Bob Ray", "Cid Moe"}}),
    ],
)
def test_a_noun_for_one_end_tells_the_other(
    relation: str, questions: dict[str, set[str] | None]
) -> None:
    with opened(_graph(relation, by_sources=True)) as session:
        assert {q: names_if_answered(session, q) for q in questions} == questions


@pytest.mark.parametrize(
    ("verb", "doers", "undergoers"),
    [
        ("train", ("trainer",), ("trainee", "apprentice")),
        ("nominate", ("nominator",), ("nominee",)),
        ("advise", ("adviser", "advisor"), ("advisee",)),
        ("write", ("writer",), ()),
    ],
)
def test_nouns_for_those_who_do_it_and_whom_it_is_done_to(
    verb: str, doers: tuple[str, ...], undergoers: tuple[str, ...]
) -> None:
    assert english.agents(verb) == doers
    assert english.undergoers(verb) == undergoers


@pytest.mark.parametrize(
    ("name", "deed"),
    [
        ("supervises", ("supervised", True)),
        ("wrote", ("written", True)),
        ("hired by", ("hired", False)),
        ("guard of", ("guarded", True)),
        ("has occupant", ("occupied", False)),
        ("parents", None),
        ("employees", ("employed", True)),
        ("teachers", ("taught", False)),
        ("student of", ("taught", False)),
        ("former employer", None),
        ("resident", None),
        ("of", None),
    ],
)
def test_a_name_tells_which_end_does_it(name: str, deed: tuple[str, bool] | None) -> None:
    assert english.deed(name) == deed
