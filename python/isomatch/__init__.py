"""Questions to the knowledge graph that you already run.

isomatch finds the subgraphs that best match a pattern, or a question, and proves
that no better ones exist::

    from isomatch import Session

    with Session.open() as session:
        result = session.match('(?film:film)-[directed by]-("Michael Mann")')
        print([node.name for node in result.answers()])
        print(result.certificate)

Names are imported when they are first used, so that importing the package, and
with it the command line, costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__ as __version__

if TYPE_CHECKING:
    from isomatch.adapters.retrievers import PatternRetriever as PatternRetriever
    from isomatch.adapters.retrievers import RetrieverResult as RetrieverResult
    from isomatch.adapters.retrievers import RetrieverResultItem as RetrieverResultItem
    from isomatch.adapters.retrievers import TripleRetriever as TripleRetriever
    from isomatch.answer.types import Answer as Answer
    from isomatch.answer.types import Evidence as Evidence
    from isomatch.errors import ArtifactError as ArtifactError
    from isomatch.errors import ConfigurationError as ConfigurationError
    from isomatch.errors import EmbeddingError as EmbeddingError
    from isomatch.errors import InterpretationError as InterpretationError
    from isomatch.errors import IsomatchError as IsomatchError
    from isomatch.errors import LoadError as LoadError
    from isomatch.errors import MissingExtraError as MissingExtraError
    from isomatch.errors import ModelError as ModelError
    from isomatch.errors import PatternError as PatternError
    from isomatch.errors import PluginVersionError as PluginVersionError
    from isomatch.errors import QueryRefused as QueryRefused
    from isomatch.errors import QueryTimeout as QueryTimeout
    from isomatch.errors import StoreError as StoreError
    from isomatch.errors import VectorIndexError as VectorIndexError
    from isomatch.factories import make_index as make_index
    from isomatch.graph_session import open as open
    from isomatch.interpret.gsr import GSRInterpreter as GSRInterpreter
    from isomatch.interpret.types import Hypothesis as Hypothesis
    from isomatch.link.embedder import Embedder as Embedder
    from isomatch.link.embedder import open_embedder as open_embedder
    from isomatch.link.index import Index as Index
    from isomatch.llm import ChatModel as ChatModel
    from isomatch.match.explain import Explanation as Explanation
    from isomatch.match.types import Bound as Bound
    from isomatch.match.types import Certificate as Certificate
    from isomatch.match.types import Choice as Choice
    from isomatch.match.types import Interpretation as Interpretation
    from isomatch.match.types import Match as Match
    from isomatch.match.types import MatchResult as MatchResult
    from isomatch.match.types import Profile as Profile
    from isomatch.match.types import Triple as Triple
    from isomatch.options import Options as Options
    from isomatch.output.cypher import to_cypher as to_cypher
    from isomatch.output.frame import to_frame as to_frame
    from isomatch.output.neo4j_graph import to_neo4j_graph as to_neo4j_graph
    from isomatch.output.notebook import to_viz as to_viz
    from isomatch.output.rdflib_graph import to_rdflib as to_rdflib
    from isomatch.output.rdflib_graph import to_rdflib_bindings as to_rdflib_bindings
    from isomatch.pattern import Edge as Edge
    from isomatch.pattern import Node as Node
    from isomatch.pattern import Pattern as Pattern
    from isomatch.pattern import RelationChain as RelationChain
    from isomatch.pattern import parse as parse
    from isomatch.schema.types import Schema as Schema
    from isomatch.session import Session as Session
    from isomatch.settings import Settings as Settings
    from isomatch.store.base import Store as Store
    from isomatch.store.load import load as load
    from isomatch.store.neo4j import Neo4jStore as Neo4jStore
    from isomatch.store.oxigraph import OxigraphStore as OxigraphStore
    from isomatch.store.rdflib import RdflibStore as RdflibStore

_HOMES = {
    "answer.types": ("Answer", "Evidence"),
    "output.cypher": ("to_cypher",),
    "output.frame": ("to_frame",),
    "output.neo4j_graph": ("to_neo4j_graph",),
    "output.notebook": ("to_viz",),
    "output.rdflib_graph": ("to_rdflib", "to_rdflib_bindings"),
    "errors": (
        "ArtifactError",
        "ConfigurationError",
        "EmbeddingError",
        "InterpretationError",
        "IsomatchError",
        "LoadError",
        "MissingExtraError",
        "ModelError",
        "PatternError",
        "PluginVersionError",
        "QueryRefused",
        "QueryTimeout",
        "StoreError",
        "VectorIndexError",
    ),
    "graph_session": ("open",),
    "interpret.types": ("Hypothesis",),
    "interpret.gsr": ("GSRInterpreter",),
    "link.embedder": ("Embedder", "open_embedder"),
    "link.index": ("Index",),
    "match.explain": ("Explanation",),
    "match.types": (
        "Bound",
        "Certificate",
        "Choice",
        "Interpretation",
        "Match",
        "MatchResult",
        "Profile",
        "Triple",
    ),
    "llm": ("ChatModel",),
    "factories": ("make_index",),
    "pattern": ("Edge", "Node", "Pattern", "RelationChain", "parse"),
    "options": ("Options",),
    "adapters.retrievers": (
        "PatternRetriever",
        "RetrieverResult",
        "RetrieverResultItem",
        "TripleRetriever",
    ),
    "schema.types": ("Schema",),
    "session": ("Session",),
    "settings": ("Settings",),
    "store.base": ("Store",),
    "store.load": ("load",),
    "store.neo4j": ("Neo4jStore",),
    "store.oxigraph": ("OxigraphStore",),
    "store.rdflib": ("RdflibStore",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted([*_HOME, "__version__"])


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'isomatch' has no attribute {name!r}")
    value = getattr(import_module(f"isomatch.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
