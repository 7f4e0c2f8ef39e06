"""A relation that is called as what has it, "tutors" of tutors, which no word says."""

from __future__ import annotations

from tests.turtle import opened

CAMPUS = """
@prefix : <urn:x:> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Student , :Tutor ; rdfs:label "Ann Moe" ; :tutors :prog , :algo .
:bo a :Student , :Tutor ; rdfs:label "Bo Falk" ; :tutors :prog .
:cy a :Student ; rdfs:label "Cy Gent" .
:prog a :Course ; rdfs:label "Programming" . :algo a :Course ; rdfs:label "Algorithms" .
"""


def test_students_of_courses_that_they_tutor_are_told() -> None:
    with opened(CAMPUS) as campus:
        answer = campus.ask("Which course has the most students?", interpreter="schema")
        said = campus.ask("Which course has the most tutors?", interpreter="schema")

    assert answer.text == "Programming. Joined by “tutors”, which no word says."
    assert said.text == "Programming."
