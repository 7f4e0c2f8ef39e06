"""A small graph of films in RDF, for tests over stores and engines of any kind."""

TURTLE = """
@prefix : <http://films.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:directedBy rdfs:label "directed by" .
:starring rdfs:label "starring" .
:Film rdfs:label "film" .
:Person rdfs:label "person" .

:heat a :Film ; rdfs:label "Heat" ; :directedBy :mann ; :starring :pacino, :deniro ;
    :released "1995"^^xsd:gYear ; :cast [ :actor :pacino ; :role "Vincent Hanna" ] .
:thief a :Film ; rdfs:label "Thief" ; :directedBy :mann ; :starring :caan ;
    :released "1981"^^xsd:gYear .
:ronin a :Film ; rdfs:label "Ronin" ; :directedBy :frankenheimer ; :starring :deniro ;
    :released "1998"^^xsd:gYear .
:mann a :Person ; rdfs:label "Michael Mann" .
:frankenheimer a :Person ; rdfs:label "John Frankenheimer" .
:pacino a :Person ; rdfs:label "Al Pacino" .
:deniro a :Person ; rdfs:label "Robert De Niro" .
:caan a :Person ; rdfs:label "James Caan" .
"""
BASE = "http://films.example/"
