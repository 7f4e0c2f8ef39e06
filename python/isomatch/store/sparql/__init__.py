"""SPARQL endpoints over HTTP."""

from isomatch.store.sparql.store import SparqlStore as SparqlStore
