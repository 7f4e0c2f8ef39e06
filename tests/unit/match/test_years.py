"""A year means every value in it."""

from __future__ import annotations

import rdflib

import isomatch

BIRTHS = """
@prefix : <urn:> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:ann :born "1973-01-02"^^xsd:date . :bob :born "1973-05-06"^^xsd:date .
:eve :born "1973-09-10"^^xsd:date . :sam :born "1980-09-10"^^xsd:date .
"""


def test_other_values_of_a_year_are_said_until_all_are_shown() -> None:
    with isomatch.open(rdflib.Graph().parse(data=BIRTHS, format="turtle")) as session:
        for k, others in ((1, 2), (2, 1)):
            notes = session.match('(?who)-[born]-("1973")', k=k).certificate.notes
            assert any(note.startswith(f"{others} other values lie in “1973”") for note in notes)
        notes = session.match('(?who)-[born]-("1973")', k=3).certificate.notes
        assert not any("other values" in note for note in notes)
