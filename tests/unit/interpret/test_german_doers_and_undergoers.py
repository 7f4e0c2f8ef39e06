"""Who does something to whom is read the same in German whatever a relation is called after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest
from tests.turtle import names_if_answered, opened

from isomatch.lexicon.language import language_of

PEOPLE = ("Anna Lehmann", "Bob Rau", "Cid Mohr", "Dora Pohl", "Eva Ott", "Flo Kern")
DONE = ((0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 0), (5, 2))
"""By whom it was done to whom."""


class Deed(NamedTuple):
    """A verb, and the nouns for those who do it and whom it is done to."""

    present: str
    past: str
    participle: str
    doer: str
    woman: str
    undergoers: str

    def questions(self) -> Iterator[tuple[str, set[str]]]:
        """Questions about Anna, Bob and Eva, with their answers."""
        hers, several = {"Bob Rau", "Cid Mohr"}, "Welche Personen"
        yield f"Wer {self.present} Anna Lehmann?", {"Eva Ott"}
        yield f"Wer {self.past} Anna Lehmann?", {"Eva Ott"}
        yield f"Von wem wird Anna Lehmann {self.participle}?", {"Eva Ott"}
        yield f"Wer ist die {self.woman} von Anna Lehmann?", {"Eva Ott"}
        yield f"Wer ist Anna Lehmanns {self.doer}?", {"Eva Ott"}
        yield f"Wen {self.present} Anna Lehmann?", hers
        yield f"{several} {self.present} Anna Lehmann?", hers
        yield f"{several} hat Anna Lehmann {self.participle}?", hers
        yield f"{several} werden von Anna Lehmann {self.participle}?", hers
        yield f"{several} haben Anna Lehmann als {self.woman}?", hers
        yield f"Personen, deren {self.woman} Anna Lehmann ist", hers
        yield f"Wessen {self.woman} ist Anna Lehmann?", hers
        yield f"Von welchen Personen ist Anna Lehmann die {self.woman}?", hers
        yield f"Ist Eva Ott die {self.woman} von Anna Lehmann?", {"True"}
        yield f"Wird Bob Rau von Anna Lehmann {self.participle}?", {"True"}
        yield f"Hat Anna Lehmann Bob Rau {self.participle}?", {"True"}
        some = f"Wer wird von jemandem {self.participle}, der in Ulm wohnt?"
        yield some, {"Eva Ott", "Cid Mohr"}
        if self.undergoers:
            yield f"Wer sind die {self.undergoers} von Anna Lehmann?", hers
            yield f"Wie viele {self.undergoers} hat Anna Lehmann?", {"2"}


ADVISE = Deed("berät", "beriet", "beraten", "Berater", "Beraterin", "")
TEACH = Deed("unterrichtet", "unterrichtete", "unterrichtet", "Lehrer", "Lehrerin", "Schüler")
STYLES = ("present", "by", "noun of", "is noun of", "noun", "has noun")


def _graph(relation: str, *, by_sources: bool) -> str:
    lines = [
        "@prefix : <http://example.org/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
    ]
    for n, name in enumerate(PEOPLE):
        lines.append(f':p{n} a :Person ; rdfs:label "{name}" ; :wohntIn :c{n % 3} .')
    for n, city in enumerate(("Kiel", "Bonn", "Ulm")):
        lines.append(f':c{n} a :Stadt ; rdfs:label "{city}" .')
    for doer, other in DONE:
        source, target = (doer, other) if by_sources else (other, doer)
        lines.append(f":p{source} :{relation} :p{target} .")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("deed", "style"),
    [*((ADVISE, style) for style in STYLES), *((TEACH, style) for style in STYLES[::2])],
    ids=lambda value: getattr(value, "present", value),
)
def test_german_names_of_a_relation_tell_people_of_one_kind_apart(deed: Deed, style: str) -> None:
    noun = deed.doer.lower()
    relation, by_sources = {
        "present": (deed.present, True),
        "by": (f"{deed.participle}Von", False),
        "noun of": (f"{noun}Von", True),
        "is noun of": (f"ist{deed.doer}Von", True),
        "noun": (noun, False),
        "has noun": (f"hat{deed.doer}", False),
    }[style]
    wrong = []
    with opened(_graph(relation, by_sources=by_sources), language="de") as session:
        for question, names in deed.questions():
            if (found := names_if_answered(session, question)) != names:
                wrong.append((question, found))
    assert wrong == []


def test_a_noun_for_who_does_it_is_one_for_a_woman_too() -> None:
    doers = language_of("de").schemas.doers
    assert doers["betreuerin"] == doers["betreuer"] == ("betreuen",)
    assert doers["förderin"] == ("fördern",)


def test_what_is_taught_to_people_is_no_pupil() -> None:
    graph = """
        @prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :a a :Person ; rdfs:label "Anna Lehmann" ; :unterrichtet :k .
        :k a :Kurs ; rdfs:label "Chemie" .
    """
    with opened(graph, language="de") as session:
        assert names_if_answered(session, "Wer ist der Lehrer von Chemie?") == {"Anna Lehmann"}
        assert not names_if_answered(session, "Wer sind die Schüler von Anna Lehmann?")
