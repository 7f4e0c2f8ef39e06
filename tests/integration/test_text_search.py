"""Nodes by the text indexes of real endpoints: Virtuoso's, and Jena's in Fuseki."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.integration.conftest import _needed as needed
from tests.servers.fuseki import FusekiServer, jar, java
from tests.servers.sparql_server import SparqlServer
from tests.servers.virtuoso import VirtuosoServer
from tests.unit.link.test_text_search import FILMS, UGLY
from tests.unit.link.tiny_index import DigestEmbedder, build
from tests.unit.schema.limited_store import PREFIXES, E

from isomatch import Session
from isomatch.errors import VectorIndexError
from isomatch.factories import make_index
from isomatch.link.index import Index
from isomatch.link.linker import link
from isomatch.link.text_search import TextSearch
from isomatch.match.search import search
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.schema.introspect import introspect
from isomatch.settings import Settings
from isomatch.store.sparql import SparqlStore

pytestmark = pytest.mark.slow

CONFIGURATION = """
PREFIX :        <#>
PREFIX fuseki:  <http://jena.apache.org/fuseki#>
PREFIX rdfs:    <http://www.w3.org/2000/01/rdf-schema#>
PREFIX ja:      <http://jena.hpl.hp.com/2005/11/Assembler#>
PREFIX text:    <http://jena.apache.org/text#>

[] a fuseki:Server .
:service a fuseki:Service ; fuseki:name "ds" ;
   fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "sparql" ] ;
   fuseki:endpoint [ fuseki:operation fuseki:update ; fuseki:name "update" ] ;
   fuseki:endpoint [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ] ;
   fuseki:dataset :indexed .
:indexed a text:TextDataset ; text:dataset :graphs ; text:index :labels .
:graphs a ja:MemoryDataset .
:labels a text:TextIndexLucene ; text:directory "mem" ; text:entityMap :fields .
:fields a text:EntityMap ; text:entityField "uri" ; text:defaultField "label" ;
   text:map ( [ text:field "label" ; text:predicate rdfs:label ] ) .
"""


class IndexedFuseki(FusekiServer):
    """Fuseki with a text index over labels, in memory."""

    def _command(self) -> list[str]:
        self._configuration.write_text(CONFIGURATION, encoding="ascii")
        command = [str(java().executable), "-Xmx512m", "-jar", str(jar()), "--localhost"]
        return [*command, *self._mark.split(" ")]

    @property
    def _mark(self) -> str:
        return f"--port {self.port} --config {self._configuration}"

    @property
    def _configuration(self) -> Path:
        return self.home / "config.ttl"


@pytest.fixture(scope="module", params=["virtuoso", "fuseki"])
def endpoint(request: pytest.FixtureRequest) -> Iterator[SparqlStore]:
    """An endpoint with a text index, and films in it."""
    kind = {"virtuoso": VirtuosoServer, "fuseki": IndexedFuseki}[request.param]
    with TemporaryDirectory() as home, ExitStack() as stack:
        with needed():
            server = stack.enter_context(kind(Path(home), brief=True))
        load(server)
        with SparqlStore.connect(server.url, **server.settings) as store:
            yield store


def load(server: SparqlServer) -> None:
    server.load(PREFIXES + FILMS)
    if isinstance(server, VirtuosoServer):
        server.sql(
            "DB.DBA.RDF_OBJ_FT_RULE_ADD (null, null, 'All')",
            "DB.DBA.VT_INC_INDEX_DB_DBA_RDF_OBJ ()",
        )


def test_names_are_found_by_their_words(endpoint: SparqlStore) -> None:
    embedder = DigestEmbedder(16)
    source = TextSearch.open(endpoint, introspect(endpoint), embedder)
    assert source.kind == {"virtuoso": "virtuoso", "fuseki": "jena"}[endpoint.profile.engine]
    texts = ["Micheal Mann", "mann michael", "heat", "crime", "1995", "nobody at all"]
    pages = source.pages(embedder.embed(texts), 16, texts=texts)
    assert [{c.id for c in page.entries} for page in pages] == [
        {E + "mann", E + "anna"},
        {E + "mann"},
        {E + "heat", E + "other"},
        {'"crime"'},
        {'"1995"^^<http://www.w3.org/2001/XMLSchema#gYear>'},
        set(),
    ]
    assert pages[2].entries[0].distance == 0.0


@pytest.mark.parametrize("text", UGLY)
def test_no_text_is_an_error_of_the_engine(endpoint: SparqlStore, text: str) -> None:
    embedder = DigestEmbedder(16)
    source = TextSearch.open(endpoint, introspect(endpoint), embedder)
    assert len(source.pages(embedder.embed([text]), 16, texts=[text])) == 1


def test_a_match_without_names_in_the_index(endpoint: SparqlStore, tmp_path: Path) -> None:
    schema, embedder = introspect(endpoint), DigestEmbedder(16)
    build(tmp_path, [], schema, embedder, without_nodes=True)
    source = TextSearch.open(endpoint, schema, embedder)
    pattern = parse('("Mann Michael")-[directed by]-(?f)')
    with Index.open(tmp_path, embedder=embedder, nodes=source) as index:
        candidates = link(pattern, index, embedder, schema, Options())
        outcome = search(pattern, candidates, endpoint, schema, Options())
    assert {row[1] for row in outcome.found[0].rows} == {E + "heat", E + "thief"}
    assert outcome.certificate.approximate


def test_a_session_over_a_home_without_names(endpoint: SparqlStore, tmp_path: Path) -> None:
    given = {**endpoint.endpoint.model_dump(exclude={"url"}), "url": endpoint.endpoint.url}
    settings = Settings(
        home=tmp_path, endpoint="films", endpoints={"films": given}, text_search=True
    )
    report = make_index(settings)
    assert report.texts["nodes"] == 0
    with Session.open(settings) as session:
        result = session.match('(?film)-[directed by]-("Michael Mann"), (?film)-[year]-("1995")')
        assert [node.name for node in result.answers()] == ["Heat"]
        assert "approximate" in str(result.certificate)
    plain = Settings(home=tmp_path, endpoint="films", endpoints={"films": given})
    with pytest.raises(VectorIndexError, match="made without nodes"):
        Session.open(plain)
